"""Request for a new wager, paytable or game: the nine items of COMAR 36.05.03.20A."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.documents.felt import felt
from croupier.documents.filing.document_blocks import (
    BlankField,
    Block,
    FilingDocument,
    Heading,
    Listing,
    Paragraph,
    Paytables,
    Picture,
    Row,
    TableBlock,
    make_document,
)
from croupier.documents.filing.layout import equipment
from croupier.documents.filing.mathematics import FilingAnalysis
from croupier.documents.filing.rules_submission import hand_of, paytable
from croupier.documents.formatting import percent
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.odds import schedules
from croupier.rulebook import clauses, is_within

AUTHORITY = "COMAR 36.05.03.20A"


def request(house: House, analyses: FilingAnalysis, new: Sequence[str]) -> FilingDocument:
    """The request document for wagers of a House; operator items are left blank."""
    check_offered(house, new)
    blocks = [
        *rules_items(house, new),
        *odds_item(house, analyses, new),
        *layout_items(house),
        *operator_items(),
    ]
    return make_document(house, "5-request", "Request for a new wager or paytable", blocks)


def check_offered(house: House, new: Sequence[str]) -> None:
    """Raise BadInput if a name is not an offered wager."""
    unknown = [name for name in new if not house.offers(name)]
    if unknown:
        offered = ", ".join(sorted(house.offered))
        raise BadInput(f"{', '.join(unknown)} is not offered here; expected one of: {offered}")


def rules_items(house: House, new: Sequence[str]) -> Iterator[Block]:
    """Items 1 and 2: description, and whether it is a variation, composite or new game."""
    yield Paragraph(text=f"The nine items of {AUTHORITY}.", tone="quiet")
    yield Heading(text="1. Description and rules")
    for name in new:
        wager = house.game.wager(name)
        assert wager is not None, f"{house.game.key} has no {name}"
        yield Heading(text=wager.title, level=3)
        sentences = [
            clause.summary
            for clause in clauses(house.game.document)
            if is_within(clause.id, wager.clause)
        ]
        basis = wager.judged_on(house) if wager.judged_on else None
        sentences += [f"It is decided by {basis.words}."] if basis else []
        yield Listing(items=tuple(sentences))
    yield Heading(text="2. Variation, composite or new game")
    yield BlankField(
        title="To be stated by the operator",
        about=f"Whether this is a variation of {house.game.title}, a composite of authorized "
        "games, or new.",
    )


def odds_item(house: House, analyses: FilingAnalysis, new: Sequence[str]) -> Iterator[Block]:
    """Item 3: true odds, payout odds and house advantage of each wager."""
    yield Heading(text="3. True odds, payout odds and house advantage")
    sides = {side.wager: side.least for side in analyses.sides}
    main = set(new) - sides.keys()
    tables = [schedule for schedule in schedules(house) if set(schedule.wagers) & main]
    if tables:
        yield Paytables(tables=tuple(paytable(house, schedule) for schedule in tables))
    for name in new:
        wager = house.game.wager(name)
        assert wager is not None, f"{house.game.key} has no {name}"
        yield Heading(text=wager.title, level=3)
        if name not in sides:
            edge = percent(analyses.offered.main.house_edge)
            yield Paragraph(
                text=f"Part of the main game; its house advantage is {edge} of one ante."
            )
            continue
        result = sides[name]
        yield TableBlock(
            titles=("hand", "true odds", "payout odds"),
            rows=tuple(
                Row((hand_of(line.hand), true_odds(float(line.probability)), line.pays))
                for line in result.lines
            ),
            widths=("1fr", "auto", "auto"),
            sides=("left", "right", "right"),
        )
        yield Paragraph(text=f"House advantage {percent(-result.ev)} of the stake.")


def true_odds(probability: float) -> str:
    """True odds against a hit: "30,939.00 to 1"."""
    return f"{1 / probability - 1:,.2f} to 1" if probability else "never"


def layout_items(house: House) -> Iterator[Block]:
    """Items 4 and 5: the layout and the equipment."""
    drawn = felt(house)
    yield Heading(text="4. Layout", new_page=True)
    yield Picture(svg=drawn.svg(), alt=drawn.description)
    yield Heading(text="5. Equipment")
    yield from equipment(house, drawn, level=3)


def operator_items() -> Iterator[Block]:
    """Items 6 to 9, for the operator to fill in."""
    for number, title, about in (
        (6, "Reason", "Why the new wager, paytable or feature is proposed."),
        (7, "Other jurisdictions", "Where it is currently offered."),
        (
            8,
            "Copyrights, trademarks and patents",
            "Whether the game, its name or any equipment is covered by any, issued or pending.",
        ),
        (9, "Further information", "Any other information the Commission requests."),
    ):
        yield Heading(text=f"{number}. {title}")
        yield BlankField(title="To be stated by the operator", about=about)

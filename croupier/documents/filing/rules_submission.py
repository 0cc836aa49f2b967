"""Rules Submission document: every choice with its clause, reading and reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Listing,
    OperatorChoice,
    Pairs,
    Paragraph,
    Paytables,
    Row,
    TableBlock,
    TwoColumnTable,
    chapter,
    listed_ids,
    make_document,
)
from croupier.documents.formatting import display_value, field_title, short_dollars
from croupier.games import House, title
from croupier.games.forms import Choice
from croupier.games.layout_notices import MULTIPLICATION_SIGN
from croupier.games.odds import Schedule, schedules
from croupier.money import dollars
from croupier.rulebook import Reading, clauses, meter_floors, readings
from croupier.submission import maximum_win_at_minimum, payout_floor
from croupier.submission.issues import Issue
from croupier.wording import counted

NOT_STATED = "not stated"


def rules(house: House, issues: Iterable[Issue], approved: str) -> FilingDocument:
    """The Rules Submission document (COMAR 36.05.03.19)."""
    blocks = [
        *head(house, approved),
        *open_points(issues),
        *wagers(house),
        *choices(house),
        *equipment(house),
        *paytables(house),
        *progressive(house),
        *payout_limit(house),
        *ambiguous_clauses(house),
    ]
    return make_document(house, "1-rules-submission", "Rules Submission", blocks, approved)


def head(house: House, approved: str) -> Iterator[Block]:
    """Operator, game, digest and approval."""
    yield Pairs(
        rows=(
            ("facility operator", house.operator),
            ("game", f"{house.game.title}, edition {house.game.edition}"),
            ("digest", house.digest),
            ("approval", approved or "not on file"),
            ("authority", "COMAR 36.05.03.19"),
        )
    )


def open_points(issues: Iterable[Issue]) -> Iterator[Block]:
    """Outstanding filings, and clauses left at their default reading."""
    reported = tuple(issues)
    for severity, heading in (
        ("outstanding", "Required before a table opens"),
        ("warning", "Left at the default reading"),
    ):
        items = tuple(str(issue) for issue in reported if issue.severity == severity)
        if items:
            yield Heading(text=heading)
            yield Listing(items=items)


def wagers(house: House) -> Iterator[Block]:
    """Every wager of the game: limits if offered, paytable and clauses."""
    yield Heading(text="Wagers")
    rows = []
    for wager in house.game.wagers:
        offer = house.game.form.offer(wager.name)
        cited = (offer.clause, offer.letter_clause) if offer else (wager.clause,)
        ids = tuple(dict.fromkeys(id for citation in cited for id in listed_ids(citation)))
        stakes = stakes_of(house, wager.name) if house.offers(wager.name) else "not offered"
        letter = house.letters.get(wager.name, "")
        rows.append(Row((wager.title, stakes, letter, ", ".join(ids)), ids))
    yield TableBlock(
        titles=("wager", "limits", "paytable", "clauses"),
        rows=tuple(rows),
        widths=("auto", "1fr", "auto", "auto"),
        sides=("left", "left", "left", "left"),
    )


def stakes_of(house: House, name: str) -> str:
    """The allowed stakes of an offered wager."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    ante = house.game.ante.title
    match wager.role:
        case "matching":
            return f"equal to the {ante}"
        case "decision":
            times = [o.times for s in house.game.streets for o in s.options if o.wager == name]
            least, most = min(times), max(times)
            return f"{least}{MULTIPLICATION_SIGN} the {ante}" + (
                f" to {most}{MULTIPLICATION_SIGN}" if most > least else ""
            )
        case "progressive":
            assert house.progressive is not None, f"{house.game.key} has no progressive here"
            return f"exactly {short_dollars(house.progressive.stake)}"
    limits = house.limits[name]
    if limits.maximum is None:
        return f"{short_dollars(limits.minimum)} or more"
    if limits.maximum == limits.minimum:
        return f"exactly {short_dollars(limits.minimum)}"
    return f"{short_dollars(limits.minimum)} to {short_dollars(limits.maximum)}"


def choices(house: House) -> Iterator[Block]:
    """Every field of [table] and [choices] with its value and meaning."""
    yield Heading(text="Choices")
    by_id = readings(house.game.document)
    for choice in house.game.form.choices:
        about = readings_about(house, choice, by_id)
        yield OperatorChoice(
            title=field_title(choice.name),
            cited=f"{choice.field}, {choice.clause}",
            value=value_of(house, choice),
            about=choice.note.replace("`", ""),
            readings=tuple((reading.id, reading_text(reading)) for reading in about),
            clauses=listed_ids(choice.clause),
        )


def value_of(house: House, choice: Choice) -> str:
    """The value of a field for print."""
    holder = house if choice.section == "table" or choice.name == "payout_limit" else house.choices
    value = getattr(holder, choice.name)
    return NOT_STATED if value is None else display_value(choice.kind.write(value))


def readings_about(house: House, choice: Choice, by_id: dict[str, Reading]) -> tuple[Reading, ...]:
    """The ambiguous clauses that a field settles."""
    key = house.game.key
    settled = (r for r in by_id.values() if choice.name in r.fields and key in r.games)
    named = (by_id[choice.reading],) if choice.reading in by_id else ()
    return tuple({reading.id: reading for reading in (*named, *settled)}.values())


def reading_text(reading: Reading) -> str:
    """An ambiguous clause: the question, its possible readings, the default and its reason."""
    meanings = " ".join(f"({letter}) {words}" for letter, words in reading.readings.items())
    default = f"Default ({reading.default}): " if reading.default else ""
    return f"{reading.question} {meanings} {default}{reading.why}"


def equipment(house: House) -> Iterator[Block]:
    """Cards, chips and devices, and the dealing procedure."""
    yield Heading(text="Equipment")
    yield Pairs(
        rows=(
            ("cards", deck_count(house)),
            ("shuffle", display_value(house.shuffle_method)),
            ("dealing", display_value(house.dealing_method)),
            ("chips", ", ".join(short_dollars(chip.cents) for chip in house.chips)),
        ),
        clauses=("3.B", "5.A"),
    )
    yield Heading(text="Dealing procedure")
    dealt = chapter(house.cite("no_more_bets")[0])
    yield TableBlock(
        titles=("clause", "procedure"),
        rows=tuple(
            Row((clause.id, clause.summary), (clause.id,))
            for clause in clauses(house.game.document)
            if chapter(clause.id) in ("5", dealt)
        ),
        widths=("18mm", "1fr"),
        sides=("left", "left"),
    )


def deck_count(house: House) -> str:
    return f"{counted(house.decks, 'deck')} of 52 cards"


def paytables(house: House) -> Iterator[Block]:
    """The paytable of every offered wager."""
    yield Heading(text="Paytables", new_page=True)
    yield Paytables(tables=tuple(paytable(house, schedule) for schedule in schedules(house)))


def paytable(house: House, schedule: Schedule) -> TwoColumnTable:
    """One paytable: hand and payout."""
    letter = house.letters.get(schedule.name, "")
    return TwoColumnTable(
        title=schedule.title,
        about=" ".join(filter(None, [letter and f"paytable {letter},", schedule.clause])),
        titles=("hand", "pays"),
        rows=tuple((hand_of(line.hand), str(line.pays)) for line in schedule.lines),
        clauses=(schedule.clause, *(line.clause for line in schedule.lines if line.clause)),
    )


def hand_of(name: str) -> str:
    """The hand of a paytable line; a line without a hand pays every win."""
    words = title(name) if name else "every win"
    return words[0].upper() + words[1:]


def progressive(house: House) -> Iterator[Block]:
    """Initial amount, reset amount and rate of every meter, with the minimum allowed."""
    if house.progressive is None:
        return
    yield Heading(text="Progressive")
    form = house.game.form.meters
    floors = {
        floor.meter: floor
        for floor in meter_floors(house.game.document, house.letters["progressive"])
    }
    rows = []
    for name, meter in house.meters.items():
        floor = floors.get(name)
        cited = (form.rate_clause(name), form.amount_clause(name), floor.clause if floor else "")
        ids = tuple(dict.fromkeys(id for citation in cited for id in listed_ids(citation)))
        least = short_dollars(floor.minimum_dollars * 100) if floor else "none"
        share = f"{float(meter.rate_percent):g}%"
        cells = (
            name,
            short_dollars(meter.initial),
            short_dollars(meter.reset),
            least,
            share,
            ", ".join(ids),
        )
        rows.append(Row(cells, ids))
    yield TableBlock(
        titles=("meter", "initial", "reset", "minimum allowed", "rate", "clauses"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right", "right", "left"),
    )
    unstated = [name for name, meter in house.meters.items() if meter.unstated]
    if unstated:
        yield Paragraph(
            text=f"Amounts of {', '.join(unstated)} are not stated and default to the minimum.",
            tone="quiet",
        )


def payout_limit(house: House) -> Iterator[Block]:
    """The payout limit and the calculation of its minimum."""
    limit = house.game.limit
    if limit is None:
        return
    yield Heading(text="Payout limit")
    most, floor = maximum_win_at_minimum(house), payout_floor(house)
    yield Pairs(
        rows=(
            (
                "limit at this table",
                "none" if house.payout_limit is None else dollars(house.payout_limit),
            ),
            ("minimum allowed", f"{dollars(floor)}, the greater of the two below"),
            ("fixed amount", dollars(limit.fixed_floor)),
            ("maximum win at minimum bets", dollars(most.total)),
        ),
        clauses=(*listed_ids(limit.clause), *listed_ids(limit.floor_clause)),
    )
    yield TableBlock(
        titles=("covered wager", "stake", "pays", "wins"),
        rows=(
            *(
                Row((wager_title(house, s.wager), dollars(s.stake), str(s.pays), dollars(s.amount)))
                for s in most.shares
            ),
            Row(("maximum win of one player", "", "", dollars(most.total))),
        ),
        widths=("1fr", "auto", "auto", "auto"),
        sides=("left", "right", "right", "right"),
    )


def wager_title(house: House, name: str) -> str:
    """The title of a wager by its name."""
    wager = house.game.wager(name)
    return wager.title if wager else field_title(name)


def ambiguous_clauses(house: House) -> Iterator[Block]:
    """Ambiguous clauses that no field settles, and the reading that applies."""
    yield Heading(text="Interpretation of ambiguous clauses", new_page=True)
    yield Paragraph(
        text="Where the standard rules can be read in more than one way and no choice above "
        "settles the question, this table follows the reading below.",
    )
    rows = []
    for reading in readings(house.game.document).values():
        if house.game.key not in reading.games or reading.fields or not reading.default:
            continue
        text = f"{reading.readings[reading.default]} {reading.why}"
        rows.append(Row((reading.id, reading.title, text)))
    yield TableBlock(
        titles=("", "clause", "reading and reason"),
        rows=tuple(rows),
        widths=("10mm", "48mm", "1fr"),
        sides=("left", "left", "left"),
    )

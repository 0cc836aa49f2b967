"""The gaming guide: the abridged rules in plain words, for players."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.felt import inscriptions
from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Listing,
    Paragraph,
    Paytables,
    Row,
    TableBlock,
    TwoColumnTable,
    document,
)
from croupier.documents.filing.document_blocks_plain import chapter
from croupier.documents.filing.rules_submission import stakes_of
from croupier.games import House, Street
from croupier.games.layout_notices import listed, times
from croupier.rulebook import Clause, clauses, duties

FULL_RULES = "The full rules of the game can be read at the security podium (COMAR 36.05.03.22)."


def guide(house: House, approved: str = "") -> FilingDocument:
    """What 36.05.03.22 asks for; the same pages can stand on the operator's web site."""
    blocks = [
        Paragraph(text=house.game.tagline, tone="large"),
        *wagers(house),
        *the_round(house),
        *settled(house),
        *pays(house),
        *ranking(house),
        Paragraph(text=FULL_RULES, tone="quiet"),
    ]
    return document(house, "3-gaming-guide", "Gaming guide", blocks, approved)


def wagers(house: House) -> Iterator[Block]:
    """Each wager on offer: what it is, and what may be staked."""
    yield Heading(text="Your wagers")
    summaries = {clause.id: clause.summary for clause in clauses(house.game.document)}
    rows = [
        Row((wager.title, summaries.get(wager.clause, ""), stakes_of(house, wager.name)))
        for wager in house.game.wagers
        if house.offers(wager.name)
    ]
    yield TableBlock(
        titles=("wager", "what it is", "stakes"),
        rows=tuple(rows),
        widths=("auto", "1fr", "40mm"),
        sides=("left", "left", "left"),
    )


def the_round(house: House) -> Iterator[Block]:
    """The deal and every decision, in their order."""
    yield Heading(text="How a round goes")
    said = [f"{one.words}." for one in inscriptions.notices(house)]
    yield Listing(items=(*steps_of_a_round(house), *said), numbered=True)


def steps_of_a_round(house: House) -> list[str]:
    """What happens, sentence by sentence."""
    game = house.game
    hands = [f"{count(game.player_cards)} to you"]
    hands += [f"{count(game.dealer_cards)} to the dealer"] * bool(game.dealer_cards)
    hands += [f"{count(game.community_cards)} to the board"] * bool(game.community_cards)
    compulsory = [w.title for w in game.wagers if w.role in ("ante", "matching")]
    return [
        f"Make {listed([f'the {name}' for name in compulsory], 'and')}; other wagers are yours "
        "to choose.",
        f"The dealer deals {listed(hands, 'and')}.",
        *(decision(house, street) for street in game.streets),
    ]


def count(cards: int) -> str:
    """So many cards."""
    return f"{cards} card{'s' if cards > 1 else ''}"


def decision(house: House, street: Street) -> str:
    """What may be answered on a street; the multiples of one wager are told together."""
    told: dict[str, str] = {}
    for option in street.options:
        wager = house.game.wager(option.wager) if option.wager else None
        if wager is None:
            told[option.word] = option.word
            continue
        much = times(street, wager.name, any_amount=house.game.any_amount(house))
        told[wager.name] = f"bet {much} the {house.game.ante.title} as the {wager.title} wager"
    return f"{street.when[0].upper()}{street.when[1:]}: {listed(list(told.values()), 'or')}."


def settled(house: House) -> Iterator[Block]:
    """When wagers win, push and lose, as the rule book has it."""
    yield Heading(text="When wagers win, push and lose")
    kept = [
        clause.summary
        for clause in clauses(house.game.document)
        if clause.kind == "settlement" and concerned(house, clause)
    ]
    yield Listing(items=tuple(kept))


def concerned(house: House, clause: Clause) -> bool:
    """Whether a clause speaks of something other than wagers that are not offered here."""
    names = {wager.name for wager in house.game.wagers}
    asked = [duty for duty, ids in duties(house.game.document).items() if clause.id in ids]
    about = [names.intersection(duty.split(".")) for duty in asked]
    return not asked or any(not found or any(map(house.offers, found)) for found in about)


def pays(house: House) -> Iterator[Block]:
    """The odds as the felt or the sign has them."""
    yield Heading(text="What they pay")
    yield Paytables(
        tables=tuple(
            TwoColumnTable(title=block.heading, about="", titles=("hand", "pays"), rows=block.lines)
            for block in inscriptions.odds(house)
        )
    )


def ranking(house: House) -> Iterator[Block]:
    """Which hand beats which."""
    found = [clause for clause in clauses(house.game.document) if chapter(clause.id) == "6"]
    if found:
        yield Heading(text="Which hand beats which")
        yield Listing(items=tuple(clause.summary for clause in found))

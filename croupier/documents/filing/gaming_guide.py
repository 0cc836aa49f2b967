"""Gaming guide: the abridged rules for players (COMAR 36.05.03.22)."""

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
    chapter,
    make_document,
)
from croupier.documents.filing.rules_submission import stakes_of
from croupier.games import House, Street
from croupier.games.layout_notices import bet_multiples, join_words
from croupier.rulebook import Clause, clauses, duties
from croupier.wording import counted

FULL_RULES = (
    "The complete rules of the game are available at the security podium (COMAR 36.05.03.22)."
)


def guide(house: House, approved: str = "") -> FilingDocument:
    """The gaming guide document, for print and for the operator's web site."""
    blocks = [
        Paragraph(text=house.game.tagline, tone="large"),
        *wagers(house),
        *round_steps(house),
        *settlement_rules(house),
        *payouts(house),
        *hand_ranking(house),
        Paragraph(text=FULL_RULES, tone="quiet"),
    ]
    return make_document(house, "3-gaming-guide", "Gaming guide", blocks, approved)


def wagers(house: House) -> Iterator[Block]:
    """Each wager offered, with its limits."""
    yield Heading(text="Your wagers")
    summaries = {clause.id: clause.summary for clause in clauses(house.game.document)}
    rows = [
        Row((wager.title, summaries.get(wager.clause, ""), stakes_of(house, wager.name)))
        for wager in house.game.wagers
        if house.offers(wager.name)
    ]
    yield TableBlock(
        titles=("wager", "description", "limits"),
        rows=tuple(rows),
        widths=("auto", "1fr", "40mm"),
        sides=("left", "left", "left"),
    )


def round_steps(house: House) -> Iterator[Block]:
    """The deal and every decision, in order, then the notices."""
    yield Heading(text="How to play")
    notices = [f"{notice.words}." for notice in inscriptions.notices(house)]
    yield Listing(items=(*steps_of_a_round(house), *notices), numbered=True)


def steps_of_a_round(house: House) -> list[str]:
    """The steps of a round as sentences."""
    game = house.game
    hands = [f"{card_count(game.player_cards)} to you"]
    hands += [f"{card_count(game.dealer_cards)} to the dealer"] * bool(game.dealer_cards)
    hands += [f"{card_count(game.community_cards)} to the board"] * bool(game.community_cards)
    required = [w.title for w in game.wagers if w.role in ("ante", "matching")]
    return [
        f"Make {join_words([f'the {name}' for name in required], 'and')}; "
        "other wagers are optional.",
        f"The dealer deals {join_words(hands, 'and')}.",
        *(decision(house, street) for street in game.streets),
    ]


def card_count(cards: int) -> str:
    return counted(cards, "card")


def decision(house: House, street: Street) -> str:
    """The options on a street; multiples of one wager are one option."""
    options: dict[str, str] = {}
    for option in street.options:
        wager = house.game.wager(option.wager) if option.wager else None
        if wager is None:
            options[option.word] = option.word
            continue
        multiple = bet_multiples(street, wager.name, any_amount=house.game.any_amount(house))
        options[wager.name] = (
            f"bet {multiple} the {house.game.ante.title} as the {wager.title} wager"
        )
    return f"{street.when[0].upper()}{street.when[1:]}: {join_words(list(options.values()), 'or')}."


def settlement_rules(house: House) -> Iterator[Block]:
    """The settlement clauses of the rule book that apply here."""
    yield Heading(text="When wagers win, push and lose")
    summaries = [
        clause.summary
        for clause in clauses(house.game.document)
        if clause.kind == "settlement" and applies(house, clause)
    ]
    yield Listing(items=tuple(summaries))


def applies(house: House, clause: Clause) -> bool:
    """Whether a clause is about anything besides wagers that are not offered here."""
    names = {wager.name for wager in house.game.wagers}
    citing = [duty for duty, ids in duties(house.game.document).items() if clause.id in ids]
    wagers = [names.intersection(duty.split(".")) for duty in citing]
    return not citing or any(not named or any(map(house.offers, named)) for named in wagers)


def payouts(house: House) -> Iterator[Block]:
    """The odds as inscribed on the felt or sign."""
    yield Heading(text="Payouts")
    yield Paytables(
        tables=tuple(
            TwoColumnTable(title=block.heading, about="", titles=("hand", "pays"), rows=block.lines)
            for block in inscriptions.odds(house)
        )
    )


def hand_ranking(house: House) -> Iterator[Block]:
    """The clauses of chapter 6."""
    ranking = [clause for clause in clauses(house.game.document) if chapter(clause.id) == "6"]
    if ranking:
        yield Heading(text="Hand ranking")
        yield Listing(items=tuple(clause.summary for clause in ranking))

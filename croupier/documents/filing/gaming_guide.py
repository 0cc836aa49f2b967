"""Gaming guide: the abridged rules for players (COMAR 36.05.03.22), in patron sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from croupier.documents import patron_sentences
from croupier.documents.felt import inscriptions
from croupier.documents.filing.document_blocks import (
    Block,
    DetailEntry,
    FilingDocument,
    Heading,
    Listing,
    Paragraph,
    Paytables,
    Row,
    TableBlock,
    TwoColumnTable,
    make_document,
)
from croupier.documents.formatting import percent
from croupier.games import House, Street
from croupier.games.layout_notices import bet_multiples
from croupier.wording import counted, join_words

FULL_RULES = "The complete rules of the game are available at the security podium."


class WinningOdds(msgspec.Struct, frozen=True):
    """How often a wager wins, and the house edge."""

    wins: Fraction
    house_edge: Fraction


def guide(
    house: House, approved: str = "", odds: Mapping[str, WinningOdds] | None = None
) -> FilingDocument:
    """The gaming guide document, for print and for the operator's web site.

    With `odds` by the titles of wagers, it also says how often each of them wins.
    """
    blocks = [
        Paragraph(text=house.game.tagline, tone="large"),
        *wagers(house),
        *round_steps(house),
        *listing("Who wins", patron_sentences.showdown(house)),
        *payouts(house),
        *winning_odds(house, odds or {}),
        *listing("If something goes wrong", patron_sentences.interruptions(house)),
        *listing("Hands from highest to lowest", patron_sentences.ranking(house)),
        Paragraph(text=FULL_RULES, tone="quiet"),
    ]
    return make_document(house, "3-gaming-guide", "Gaming guide", blocks, approved)


def listing(heading: str, sentences: tuple[str, ...]) -> Iterator[Block]:
    """A heading with its sentences; nothing if there are none."""
    if sentences:
        yield Heading(text=heading)
        yield Listing(items=sentences)


def wagers(house: House) -> Iterator[Block]:
    """Each wager offered: its limits, the cards that decide it, and how it wins."""
    yield Heading(text="Your wagers")
    for wager in patron_sentences.wager_descriptions(house):
        yield DetailEntry(
            title=wager.title,
            detail=wager.stakes,
            lead=f"Decided by {wager.decided_by}" if wager.decided_by else "",
            text=" ".join(wager.sentences),
        )


def round_steps(house: House) -> Iterator[Block]:
    """The deal and every decision, in order, then what a player may do."""
    yield Heading(text="How to play")
    yield Listing(items=tuple(steps_of_a_round(house)), numbered=True)
    yield Listing(items=patron_sentences.play(house))


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


def payouts(house: House) -> Iterator[Block]:
    """The odds as inscribed on the felt or sign, and how winnings are paid."""
    yield Heading(text="Payouts")
    yield Paytables(
        tables=tuple(
            TwoColumnTable(title=block.heading, about="", titles=("hand", "pays"), rows=block.lines)
            for block in inscriptions.odds(house)
        )
    )
    yield Listing(items=patron_sentences.payouts(house))


def winning_odds(house: House, odds: Mapping[str, WinningOdds]) -> Iterator[Block]:
    """How often each wager wins; only where the operator wants to publish it."""
    if not odds:
        return
    yield Heading(text="Odds of winning")
    yield TableBlock(
        titles=("wager", "wins", "house edge"),
        rows=tuple(
            Row((title, one_in(each.wins), percent(each.house_edge, 2)))
            for title, each in odds.items()
        ),
        widths=("1fr", "auto", "auto"),
        sides=("left", "right", "right"),
    )
    meters = " Meters are at the amounts where they start again, without envy bonuses."
    yield Paragraph(text="With the best play." + meters * bool(house.meters), tone="quiet")


def one_in(share: Fraction) -> str:
    """How often something happens: "1 in 4.2"."""
    return f"1 in {float(1 / share):,.1f}" if share else "never"

"""Worked examples of a House: for every wager a deal that wins, one that pushes and one that loses.

The deals are drawn from a fixed sequence, judged and settled by the game, and paid as at the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import msgspec

from croupier.cards import DECK, names
from croupier.games import BOX, DealtHand, House
from croupier.games.expected_returns import reference_stake
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents, dollars

OUTCOMES = {"win": "wins", "push": "pushes", "lose": "loses"}
MOST_DEALS = 20_000


class WorkedExample(msgspec.Struct, frozen=True, kw_only=True):
    """One settled wager: the cards, the stake, the odds and the amount returned."""

    wager: str
    title: str
    outcome: str
    cards: str
    stake: Cents
    pays: str
    returned: Cents

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The example as printed: wager and outcome, cards, stake, odds, amount returned."""
        named = f"{self.title} {OUTCOMES[self.outcome]}"
        return named, self.cards, dollars(self.stake), self.pays, dollars(self.returned)


EXAMPLE_TITLES = ("wager", "cards", "stake", "pays", "returned")


def worked_examples(house: House) -> tuple[WorkedExample, ...]:
    """The first example of every outcome of every wager, in the order of the game's wagers."""
    missing = outcomes(house)
    found: dict[tuple[str, str], WorkedExample] = {}
    random = Random(1)
    for _ in range(MOST_DEALS):
        if not missing:
            break
        # Sorting by random numbers is the same on every Python version, unlike `shuffle`.
        deck = sorted(DECK, key=lambda card: random.random())
        for example in settle_deal(house, deck):
            key = (example.wager, example.outcome)
            if key in missing:
                missing.discard(key)
                found[key] = example
    return tuple(
        found[wager.name, outcome]
        for wager in house.game.wagers
        for outcome in OUTCOMES
        if (wager.name, outcome) in found
    )


def outcomes(house: House) -> set[tuple[str, str]]:
    """Every outcome that settlement has for a wager without a fold."""
    return {
        (result.wager, result.outcome)
        for facts, results in house.tabulate().items()
        if not getattr(facts, "folded", False)
        for result in results
    }


def settle_deal(house: House, deck: list[int]) -> Iterator[WorkedExample]:
    """Deal one box from a deck, with every wager offered, and settle it."""
    game = house.game
    box = sum(slot == BOX for street in house.deal((1,)) for slot in street)
    cards = iter(deck)
    dealt = DealtHand(
        cards=[next(cards) for _ in range(game.player_cards)],
        dealer=[next(cards) for _ in range(game.dealer_cards)],
        community=[next(cards) for _ in range(game.community_cards)],
        box=[next(cards) for _ in range(box)],
        folded_at="",
        wagers=[wager.name for wager in game.wagers if house.offers(wager.name)],
    )
    described = describe(house, dealt)
    meters = {name: Fraction(meter.reset) for name, meter in house.meters.items()}
    payouts = PayoutCalculator(house, meters)
    for facts in game.judge(dealt, house):
        for result in house.settle(facts):
            wager = game.wager(result.wager)
            assert wager is not None, result.wager
            stake = stake_of(house, result.wager)
            yield WorkedExample(
                wager=wager.name,
                title=wager.title,
                outcome=result.outcome,
                cards=described,
                stake=stake,
                pays=str(result.pays) if result.outcome == "win" else "",
                returned=payouts.pay(result, stake).returned,
            )


def describe(house: House, dealt: DealtHand) -> str:
    """The cards of a deal; those of a cross in the order of its places."""
    board = (
        f"board ({', '.join(house.game.layout.places)})" if house.game.layout.places else "board"
    )
    parts = [f"player {' '.join(names(dealt.cards))}"]
    parts += [f"dealer {' '.join(names(dealt.dealer))}"] if dealt.dealer else []
    parts += [f"{board} {' '.join(names(dealt.community))}"] if dealt.community else []
    parts += [f"box {' '.join(names(dealt.box))}"] if dealt.box else []
    return "; ".join(parts)


def stake_of(house: House, wager: str) -> Cents:
    """The minimum stake; a decision wager is the largest multiple of its first street."""
    ante = reference_stake(house, house.game.ante.name)
    definition = house.game.wager(wager)
    if definition is not None and definition.role in ("ante", "matching"):
        return ante
    for street in house.game.streets:
        times = [option.times for option in street.options if option.wager == wager]
        if times:
            return max(times) * ante
    return reference_stake(house, wager)

"""Exact solution of Harbor Duel: every player hand against every dealer hand, by suit class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from croupier.analysis import (
    EMPTY_TALLY,
    Advice,
    ChartRow,
    FactsCounts,
    Progress,
    RoundTally,
    Solution,
    build_solution,
    opening_stakes,
    payoffs_at,
    rank_options,
    tally_rounds,
)
from croupier.cards import DECK, RANKS, Card, rank_of, suit_of
from croupier.games import DealtHand, FactsSpace, House, Versus, versus
from croupier.money import Cents
from harbor_duel.form import DuelChoices
from harbor_duel.game import FOLDED, Duel, value

HANDS, DEALERS = 1326, 1225
DEALS = HANDS * DEALERS


def class_of(cards: Sequence[Card]) -> str:
    """The suit-isomorphism class of two cards: "AA", "AKs", "AKo"."""
    low, high = sorted(cards)
    ranks = RANKS[rank_of(high)] + RANKS[rank_of(low)]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if suit_of(low) == suit_of(high) else "o")


@cache
def classes() -> dict[str, tuple[tuple[Card, ...], int, Counter[Versus]]]:
    """Each class: its first hand, its number of hands, and its results against all dealers."""
    entries: dict[str, tuple[tuple[Card, ...], int, Counter[Versus]]] = {}
    for cards in combinations(DECK, 2):
        name = class_of(cards)
        if name in entries:
            first, hands, standings = entries[name]
            entries[name] = first, hands + 1, standings
            continue
        own = value(cards)
        others = combinations((card for card in DECK if card not in cards), 2)
        entries[name] = cards, 1, Counter(versus(own, value(dealer)) for dealer in others)
    return entries


def ante_paid(house: House[DuelChoices], cards: Sequence[Card]) -> bool:
    """Whether this edition pays a winning Ante with these cards, by its `judge`."""
    dealer = [card for card in DECK if card not in cards][:2]
    dealt = DealtHand(cards=cards, dealer=dealer, community=(), box=(), folded_at="", wagers=())
    facts = next(house.game.judge(dealt, house))
    assert isinstance(facts, Duel), "the duel is judged first"
    return facts.ante_paid


def showdowns(house: House[DuelChoices], name: str) -> Iterator[tuple[Duel, int]]:
    """The facts of playing a class, with the number of dealer hands."""
    cards, _, standings = classes()[name]
    paid = ante_paid(house, cards)
    for standing, count in standings.items():
        yield Duel(False, standing, paid), count


class DuelStrategy:
    """Play or fold by class of hands; fast enough to need no cache."""

    def __init__(
        self, house: House[DuelChoices], arrays: Mapping[str, Any], ante: Cents | None = None
    ) -> None:
        self.arrays = arrays
        money, stakes = payoffs_at(house, ante), opening_stakes(house.game)
        self.fold = money.net(FOLDED, stakes)
        self.worth = {
            name: sum(
                (money.net(duel, {**stakes, "play": 1}) * count
                 for duel, count in showdowns(house, name)),
                Fraction(0),
            ) / DEALERS
            for name in classes()
        }  # fmt: skip

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Both options with their exact values, best first."""
        return rank_options([("fold", 0, self.fold), ("1x", 1, self.worth[class_of(cards)])])

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The word of the best option."""
        return self.ask(street, cards, community)[0].option


def solve(
    house: House[DuelChoices],
    distribution: bool,
    report: Progress | None = None,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution; too fast to report progress."""
    best = DuelStrategy(house, {}, ante)
    chart = [
        ChartRow(
            hand=name,
            deals=hands,
            options={"1x": best.worth[name], "fold": best.fold},
            best=best.decide("duel", cards, ()),
        )
        for name, (cards, hands, _) in classes().items()
    ]
    ev = sum((row.deals * row.options[row.best] for row in chart), Fraction(0)) / HANDS
    rounds = play_out(house, chart, ante) if distribution else EMPTY_TALLY
    return build_solution(house, ev=ev, deals=DEALS, chart=chart, strategy=best, rounds=rounds)


def play_out(
    house: House[DuelChoices], chart: Sequence[ChartRow], ante: Cents | None
) -> RoundTally:
    """Count the rounds by code of facts under perfect play."""
    space = FactsSpace.of(house.every_facts(), Duel)
    stakes = opening_stakes(house.game)
    stayed, folded = [0] * len(space), [0] * len(space)
    for row in chart:
        if row.best == "fold":
            folded[space.code(FOLDED)] += row.deals * DEALERS
        else:
            for duel, count in showdowns(house, row.hand):
                stayed[space.code(duel)] += row.deals * count
    met = [FactsCounts({**stakes, "play": 1}, stayed), FactsCounts(stakes, folded)]
    share = Fraction(sum(stayed), DEALS)
    actions = {"duel": {"1x": share, "fold": 1 - share}}
    return tally_rounds(payoffs_at(house, ante), space, met, DEALS, actions, [])

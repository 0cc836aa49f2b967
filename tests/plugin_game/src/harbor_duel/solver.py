"""Harbor Duel, exactly: every pair of two-card hands, by the classes that do not differ."""

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
    payoffs_at,
    opening_stakes,
    tally_rounds,
    rank_options,
)
from croupier.cards import DECK, RANKS, Card, rank_of, suit_of
from croupier.games import FactsSpace, House, Seen, Versus, versus
from croupier.money import Cents
from harbor_duel.form import DuelChoices
from harbor_duel.game import FOLDED, Duel, value

HANDS, DEALERS = 1326, 1225
DEALS = HANDS * DEALERS


def class_of(cards: Sequence[Card]) -> str:
    """Hands that differ in suits only are one class: "AA", "AKs", "AKo"."""
    low, high = sorted(cards)
    ranks = RANKS[rank_of(high)] + RANKS[rank_of(low)]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if suit_of(low) == suit_of(high) else "o")


@cache
def classes() -> dict[str, tuple[tuple[Card, ...], int, Counter[Versus]]]:
    """Each class: its first hand, how many hands it has, and how they stand against dealers."""
    found: dict[str, tuple[tuple[Card, ...], int, Counter[Versus]]] = {}
    for cards in combinations(DECK, 2):
        name = class_of(cards)
        if name in found:
            first, hands, standings = found[name]
            found[name] = first, hands + 1, standings
            continue
        own = value(cards)
        others = combinations((card for card in DECK if card not in cards), 2)
        found[name] = cards, 1, Counter(versus(own, value(dealer)) for dealer in others)
    return found


def ante_paid(house: House[DuelChoices], cards: Sequence[Card]) -> bool:
    """Whether this edition pays the Ante of a winner with these cards: its own `judge` says."""
    dealer = [card for card in DECK if card not in cards][:2]
    seen = Seen(cards=cards, dealer=dealer, community=(), box=(), folded_at="", wagers=())
    facts = next(house.game.judge(seen, house))
    assert isinstance(facts, Duel), "the duel is judged first"
    return facts.ante_paid


def showdowns(house: House[DuelChoices], name: str) -> Iterator[tuple[Duel, int]]:
    """The facts that playing a class leads to, and against how many dealers."""
    cards, _, standings = classes()[name]
    paid = ante_paid(house, cards)
    for standing, count in standings.items():
        yield Duel(False, standing, paid), count


class DuelStrategy:
    """Play or fold for every class of hands, worked out in no time: nothing needs to be kept."""

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
        """Both options with their exact worth, best first."""
        return rank_options([("fold", 0, self.fold), ("1x", 1, self.worth[class_of(cards)])])

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The best option's word."""
        return self.ask(street, cards, community)[0].option


def solve(
    house: House[DuelChoices],
    distribution: bool,
    report: Progress | None = None,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution; it takes no time worth reporting."""
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
    """How rounds end under the best play, counted by code of facts."""
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

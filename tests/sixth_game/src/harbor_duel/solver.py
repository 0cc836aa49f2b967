"""Harbor Duel, exactly: every pair of two-card hands, by the classes that do not differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from croupier.cards import DECK, RANKS, Card, rank_of, suit_of
from croupier.games import House, Seen, Versus, versus
from croupier.study.payoffs import net
from croupier.study.solution import Advice, ChartRow, Solution, ranked
from harbor_duel.form import DuelChoices
from harbor_duel.game import FOLDED, Duel, value

DEALS = 1326 * 1225
STAKES = {"ante": 1, "play": 1}


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


def showdowns(house: House[DuelChoices], name: str) -> Iterator[tuple[Fraction, int]]:
    """What playing a class gains, and against how many dealers."""
    cards, _, standings = classes()[name]
    paid = ante_paid(house, cards)
    for standing, count in standings.items():
        yield net(house.settle(Duel(False, standing, paid)), STAKES), count


class DuelStrategy:
    """Play or fold for every class of hands, worked out in no time: nothing needs to be kept."""

    def __init__(self, house: House[DuelChoices], arrays: Mapping[str, Any]) -> None:
        self.arrays = arrays
        self.fold = net(house.settle(FOLDED), {"ante": 1})
        self.worth = {
            name: sum((gain * count for gain, count in showdowns(house, name)), Fraction(0)) / 1225
            for name in classes()
        }

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Both options with their exact worth, best first."""
        return ranked([("fold", 0, self.fold), ("1x", 1, self.worth[class_of(cards)])])

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The best option's word."""
        return self.ask(street, cards, community)[0].option


def solve(house: House[DuelChoices], distribution: bool, report: Any = None) -> Solution:
    """The exact solution; it takes no time worth reporting."""
    best = DuelStrategy(house, {})
    chart, met = [], Counter[Fraction]()
    for name, (cards, hands, _) in classes().items():
        word = best.decide("duel", cards, ())
        options = {"1x": best.worth[name], "fold": best.fold}
        chart.append(ChartRow(hand=name, deals=hands, options=options, best=word))
        if word == "fold":
            met[best.fold] += hands * 1225
        else:
            for gain, count in showdowns(house, name):
                met[gain] += hands * count
    assert sum(met.values()) == DEALS, "every deal is counted once"
    ev = sum((gain * count for gain, count in met.items()), Fraction(0)) / DEALS
    played = Fraction(sum(row.deals for row in chart if row.best == "1x"), 1326)
    told: dict[str, Any] = {}
    if distribution:
        told = {
            "distribution": {gain: met[gain] for gain in sorted(met)},
            "actions": {"duel": {"1x": played, "fold": 1 - played}},
            "average_wager": 1 + played,
        }
    return Solution(
        game=house.game.key,
        digest=house.digest,
        ev=ev,
        deals=DEALS,
        chart=chart,
        strategy=best,
        **told,
    )

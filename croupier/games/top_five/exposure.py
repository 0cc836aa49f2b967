"""Top Five with exposed cards of the dealer or of another seat, live or dead.

Possible dealer hands hold all known cards of the dealer, or none of the other seat's: a sum over
subsets, which one pass over the free live cards gives for all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel, payoffs
from croupier.analysis.exposure.detection import (
    Detector,
    RecordedDecision,
    dealer_cards,
    first_street,
)
from croupier.analysis.exposure.exposed_cards import ExposureValue, cards_by_place
from croupier.analysis.exposure.known_cards import Worths
from croupier.analysis.kernels.live_cards import subset_sums
from croupier.cards import RANKS, Card
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.top_five import solver
from croupier.games.top_five.form import TopFiveChoices
from croupier.games.top_five.game import FOLDED, LiveCardContest

Longs = NDArray[np.int64]


@cache
def sets_of(bits: int, size: int) -> Longs:
    """All sets of `size` of `bits` cards, as masks of the cards left out."""
    masks = np.arange(1 << bits)
    return np.flatnonzero(np.bitwise_count(masks) == bits - size)


class PlayValue(NamedTuple):
    """The value of playing one hand, for a number of dead cards among the known ones."""

    live: Longs  # the free live cards
    sums: Longs  # by set of known live cards, in the order of `sets_of`
    times: int  # ways to choose the dead cards


class KnownLive:
    """The value of playing with known cards of the dealer or of another seat."""

    def __init__(self, house: House[TopFiveChoices], place: str = "dealer", count: int = 1) -> None:
        self.dealt = solver.sizes_of(house)
        most = self.dealt.dealer if place == "dealer" else self.dealt.own
        if count > most:
            raise BadInput(f"{place}:{count} is more cards than are dealt; expected up to {most}")
        self.must, self.count = place == "dealer", count
        (street,) = house.game.streets
        (self.bet,) = payoffs.bet_options(street.options)
        space = FactsSpace.of(house.every_facts(), LiveCardContest)
        stakes = {**payoffs.opening_stakes(house.game), self.bet.wager: self.bet.times}
        scaled = payoffs.ScaledPayoffs([payoffs.Payoffs(house).by_code(space, stakes)])
        self.scale = scaled.scale
        self.pay = scaled.values[0][solver.contest_codes(space)]
        # The dealer's unknown cards, and the number of hands they may be.
        self.hidden = self.dealt.dealer - (count if self.must else 0)
        self.opponents = comb(52 - self.dealt.own - count, self.hidden)
        self.cost = int(scaled.values[0][space.code(FOLDED)]) * self.opponents
        self.players = solver.players_up_to_suits(house)
        self.values = np.zeros(1 << solver.LIVE, np.int32)
        self.values[solver.live_sets().masks] = self.players.all_values

    def dead(self, size: int) -> int:
        """The number of dead cards left, given a player with `size` live cards."""
        return solver.DEAD - max(0, self.dealt.own - size)

    def ways(self, size: int, dead: int) -> Longs:
        """Ways to complete a dealer hand with dead cards, by its live cards; `dead` are known."""
        cards = self.dealt.dealer - (dead if self.must else 0)
        return np.array(solver.dead_ways(self.dead(size) - dead, cards), np.int64)

    def seen(self, at: int) -> Iterator[PlayValue]:
        """Values of playing, by the number of known cards that are dead, from none."""
        own = int(self.players.masks[at])
        size, value = own.bit_count(), int(self.players.values[at])
        live = np.array([card for card in range(solver.LIVE) if not own >> card & 1], np.int64)
        table = np.zeros(1 << len(live), np.int64)
        for dead in range(self.count + 1):
            chosen = sets_of(len(live), self.count - dead)
            times = comb(self.dead(size), dead)
            if times and len(chosen):
                subset_sums.sum_within(
                    live, size, value, self.values, self.players.qualifying, self.pay,
                    self.ways(size, dead), self.must, table,
                )  # fmt: skip
            yield PlayValue(live, table[chosen], times)

    def totals(self, at: int) -> list[int]:
        """With one known card: sums by live card, and (last) for a dead card."""
        alive, dead = self.seen(at)
        sums = [0] * (solver.LIVE + 1)
        # `sets_of` lists masks of cards left out, so the last card comes first.
        for card, total in zip(alive.live[::-1].tolist(), alive.sums.tolist(), strict=True):
            sums[card] = total
        sums[-1] = int(dead.sums[0])
        return sums


def live_cards(
    house: House[TopFiveChoices], place: str, count: int, report: parallel.Progress
) -> Worths:
    """The value of `count` exposed cards of the dealer or of another seat."""
    what = KnownLive(house, place, count)
    times = solver.hands_of(what.players, what.dealt.own).tolist()
    dealt = [at for at, hands in enumerate(times) if hands]

    def one_player(at: int) -> tuple[list[int], int]:
        """Values by name of the known cards, and the number of ways in which playing is best."""
        worth, plays = [0] * len(names), 0
        for dead, (live, sums, ways) in enumerate(what.seen(at)):
            plays += ways * int((sums > what.cost).sum())
            best = np.maximum(sums, what.cost)
            if count == 1 and not dead:
                for card, value in zip(live[::-1].tolist(), best.tolist(), strict=True):
                    worth[card >> 2] += ways * value
            else:
                worth[-1 if count == 1 else count - dead] += ways * int(best.sum())
        return worth, plays

    names = name_probabilities(count)
    worth, plays = [0] * len(names), 0
    results = zip(dealt, parallel.pool().map(one_player, dealt), strict=True)
    for done, (at, (values, ways)) in enumerate(results):
        if done % 256 == 0:
            report(done / len(dealt), "live cards")
        worth = [total + times[at] * value for total, value in zip(worth, values, strict=True)]
        plays += times[at] * ways
    hands_and_cards = comb(52, what.dealt.own) * comb(52 - what.dealt.own, count)
    every_deal = hands_and_cards * what.opponents * what.scale
    by_card = {
        name: Fraction(total, every_deal) / probability
        for (name, probability), total in zip(names.items(), worth, strict=True)
    }
    stays = Fraction(plays, hands_and_cards)
    return Fraction(sum(worth), every_deal), by_card, {what.bet.word: stays, "fold": 1 - stays}


def name_probabilities(count: int) -> dict[str, Fraction]:
    """Probabilities by name of the known cards: one by rank, more by the number of live ones."""
    if count == 1:
        return dict.fromkeys(RANKS[-5:], Fraction(1, 13)) | {"dead": Fraction(8, 13)}
    live, dead = solver.LIVE, solver.DEAD
    return {
        f"{alive} live": Fraction(comb(live, alive) * comb(dead, count - alive), comb(52, count))
        for alive in range(count + 1)
    }


def exposed(house: House[TopFiveChoices], knows: str, report: parallel.Progress) -> ExposureValue:
    """Exposed cards of the dealer or of another seat."""
    ((place, count),) = cards_by_place(knows).items()
    return ExposureValue(*live_cards(house, place, count, report))


@lru_cache(maxsize=4)
def _known_live(house: House[TopFiveChoices]) -> KnownLive:
    return KnownLive(house)


def best_answers(
    house: House[TopFiveChoices],
    decision: RecordedDecision,
    unseen: Sequence[Card],
    progress: parallel.Progress,
) -> dict[Card, str]:
    """Play or fold for each possible card; dead cards are all alike.

    Suits are permuted to those of the player's class.
    """
    known = _known_live(house)
    order = solver.least_order(decision.cards)
    at = int(np.searchsorted(known.players.masks, solver.least_mask(decision.cards)))
    totals = known.totals(at)
    words = "fold", known.bet.word
    answers = {}
    for card in unseen:
        live = card - solver.FIRST_LIVE
        place = live >> 2 << 2 | order[live & 3] if live >= 0 else solver.LIVE
        answers[card] = words[totals[place] > known.cost]
    return answers


DETECTOR = Detector(streets=first_street, hidden_cards=dealer_cards, best_answers=best_answers)

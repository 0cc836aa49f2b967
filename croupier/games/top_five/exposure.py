"""Top Five to a player who knows cards of the dealer or of another seat, live ones or dead.

Of the dealer's hands those count that hold all known cards of the dealer, or none of a neighbour's:
sums over the sets within a set, which one pass over the free live cards gives for all of them.
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
    """All sets of so many of so many cards, by what they leave out."""
    every = np.arange(1 << bits)
    return np.flatnonzero(np.bitwise_count(every) == bits - size)


class PlayValue(NamedTuple):
    """What playing is worth in one hand, for some number of dead cards among those known."""

    live: Longs  # the free live cards
    sums: Longs  # by set of known live ones, in the order of `sets_of`
    times: int  # ways to choose the dead ones


class KnownLive:
    """Known cards of the dealer or of another seat: what playing is worth beside them."""

    def __init__(self, house: House[TopFiveChoices], place: str = "dealer", count: int = 1) -> None:
        self.dealt = solver.sizes_of(house)
        most = self.dealt.dealer if place == "dealer" else self.dealt.own
        if count > most:
            raise BadInput(f"{place}:{count} are more cards than are dealt; expected up to {most}")
        self.must, self.count = place == "dealer", count
        (street,) = house.game.streets
        (self.bet,) = payoffs.bet_options(street.options)
        space = FactsSpace.of(house.every_facts(), LiveCardContest)
        stakes = {**payoffs.opening_stakes(house.game), self.bet.wager: self.bet.times}
        scaled = payoffs.ScaledPayoffs([payoffs.Payoffs(house).by_code(space, stakes)])
        self.scale = scaled.scale
        self.pay = scaled.values[0][solver.contest_codes(space)]
        # The dealer's cards that are not known, and the hands they may be.
        self.hidden = self.dealt.dealer - (count if self.must else 0)
        self.opponents = comb(52 - self.dealt.own - count, self.hidden)
        self.cost = int(scaled.values[0][space.code(FOLDED)]) * self.opponents
        self.players = solver.players_up_to_suits(house)
        self.values = np.zeros(1 << solver.LIVE, np.int32)
        self.values[solver.live_sets().masks] = self.players.all_values

    def dead(self, size: int) -> int:
        """Dead cards beside a player with so many live ones."""
        return solver.DEAD - max(0, self.dealt.own - size)

    def ways(self, size: int, dead: int) -> Longs:
        """Dead cards that fill up a dealer's hand, by its live ones, if so many are known."""
        cards = self.dealt.dealer - (dead if self.must else 0)
        return np.array(solver.dead_ways(self.dead(size) - dead, cards), np.int64)

    def seen(self, at: int) -> Iterator[PlayValue]:
        """For a player, by how many of the known cards are dead: none of them first."""
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
        """One known card: sums by live card, and (last) of a dead one."""
        alive, dead = self.seen(at)
        found = [0] * (solver.LIVE + 1)
        # Sets are listed by what they leave out: the one without the last card first.
        for card, total in zip(alive.live[::-1].tolist(), alive.sums.tolist(), strict=True):
            found[card] = total
        found[-1] = int(dead.sums[0])
        return found


def live_cards(
    house: House[TopFiveChoices], place: str, count: int, report: parallel.Progress
) -> Worths:
    """So many cards of the dealer or of another seat."""
    what = KnownLive(house, place, count)
    times = solver.hands_of(what.players, what.dealt.own).tolist()
    dealt = [at for at, hands in enumerate(times) if hands]

    def one_player(at: int) -> tuple[list[int], int]:
        """Worth by what is told of the known cards, and in how many ways they say to play."""
        worth, plays = [0] * len(names), 0
        for dead, (live, sums, ways) in enumerate(what.seen(at)):
            plays += ways * int((sums > what.cost).sum())
            best = np.maximum(sums, what.cost)
            if count == 1 and not dead:
                for card, one in zip(live[::-1].tolist(), best.tolist(), strict=True):
                    worth[card >> 2] += ways * one
            else:
                worth[-1 if count == 1 else count - dead] += ways * int(best.sum())
        return worth, plays

    names = told(count)
    worth, plays = [0] * len(names), 0
    for done, (at, found) in enumerate(
        zip(dealt, parallel.pool().map(one_player, dealt), strict=True)
    ):
        if done % 256 == 0:
            report(done / len(dealt), "live cards")
        worth = [total + times[at] * one for total, one in zip(worth, found[0], strict=True)]
        plays += times[at] * found[1]
    hands_and_cards = comb(52, what.dealt.own) * comb(52 - what.dealt.own, count)
    every_deal = hands_and_cards * what.opponents * what.scale
    by_card = {
        name: Fraction(total, every_deal) / often
        for (name, often), total in zip(names.items(), worth, strict=True)
    }
    stays = Fraction(plays, hands_and_cards)
    return Fraction(sum(worth), every_deal), by_card, {what.bet.word: stays, "fold": 1 - stays}


def told(count: int) -> dict[str, Fraction]:
    """How known cards are told, and how often: one by its rank, more by how many are live."""
    if count == 1:
        return dict.fromkeys(RANKS[-5:], Fraction(1, 13)) | {"dead": Fraction(8, 13)}
    live, dead = solver.LIVE, solver.DEAD
    return {
        f"{alive} live": Fraction(comb(live, alive) * comb(dead, count - alive), comb(52, count))
        for alive in range(count + 1)
    }


def exposed(house: House[TopFiveChoices], knows: str, report: parallel.Progress) -> ExposureValue:
    """Cards of the dealer or of another seat."""
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
    """Play or fold: live cards one by one, the dead ones alike.

    Totals are by the suits of the player's class; the hand is renamed to them, and cards with it.
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

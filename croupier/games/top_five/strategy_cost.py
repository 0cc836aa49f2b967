"""Cost of Top Five strategies: one decision on the live cards."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel, payoffs
from croupier.analysis.strategies import features
from croupier.analysis.strategies.cost import CostModel, Decisions, cached_perfect_play
from croupier.analysis.strategies.decision_cost import card_text, small_decision
from croupier.games import FactsSpace, House
from croupier.games.top_five import solver
from croupier.games.top_five.form import TopFiveChoices
from croupier.games.top_five.game import FOLDED, LiveCardContest
from croupier.ranking import LIVE_CATEGORY_SHIFT, LIVE_COUNT_SHIFT, live_card_value

Longs = NDArray[np.int64]


class LiveSolved(NamedTuple):
    """Perfect play of Top Five: sums of folding and of playing."""

    masks: Longs
    hands: Longs
    worth: Longs  # [class of live cards, (fold, play)]
    scale: int
    dealt: solver.Sizes
    ev: Fraction


@lru_cache(maxsize=1)
def live_solved(house: House[TopFiveChoices]) -> LiveSolved:
    """Perfect play, solved once for many strategies."""
    (street,) = house.game.streets
    (bet,) = payoffs.bet_options(street.options)
    space = FactsSpace.of(house.every_facts(), LiveCardContest)
    stakes = {**payoffs.opening_stakes(house.game), bet.wager: bet.times}
    row = payoffs.Payoffs(house).by_code(space, stakes)
    scaled = payoffs.ScaledPayoffs([row])
    dealt = solver.sizes_of(house)

    def work() -> dict[str, Longs]:
        masks, hands, counts = solver.count_facts(space, house)
        return {"masks": masks, "hands": hands, "totals": counts @ scaled.values[0]}

    cached = cached_perfect_play(house, ("masks", "hands", "totals"), work)
    masks, hands, totals = cached["masks"], cached["hands"], cached["totals"]
    fold = int(row[space.code(FOLDED)] * scaled.scale) * dealt.opponents
    worth = np.column_stack([np.full_like(totals, fold), totals])
    best = zip(worth.max(axis=1).tolist(), hands.tolist(), strict=True)
    ev = Fraction(sum(value * count for value, count in best), dealt.deals * scaled.scale)
    return LiveSolved(masks, hands, worth, scaled.scale, dealt, ev)


def live_features(house: House[TopFiveChoices], masks: Longs) -> features.FeatureArrays:
    """Features of the live cards: their number, the hand they make, its highest ranks."""
    (street,) = house.game.streets
    held = [solver.held_cards(mask) for mask in masks.tolist()]
    values = [live_card_value(cards, False) for cards in held]
    ranks = np.array([[*((card >> 2) + 2 for card in cards), *[0] * 7][:7] for cards in held])
    pairs = [max([0, *(r for r in row if r and row.count(r) > 1)]) for row in ranks.tolist()]
    columns = {
        "live": np.array([value >> LIVE_COUNT_SHIFT for value in values]),
        "made": np.array([value >> LIVE_CATEGORY_SHIFT & 15 for value in values]),
        "pair": np.array(pairs),
        "high": ranks[:, 0],
        "second": ranks[:, 1],
    }
    arrays = {name: array.astype(np.uint8) for name, array in columns.items()}
    return features.FeatureArrays(street.name, features.option_words(street), arrays)


def build_cost_model(house: House[TopFiveChoices], report: parallel.Progress) -> CostModel:
    """The cost model of Top Five."""
    report(0.0, "perfect play")
    solved = live_solved(house)
    report(0.5, "the strategy")
    return CostModel(solved.ev, _decisions(house, solved))


def _decisions(house: House[TopFiveChoices], solved: LiveSolved) -> Decisions:
    (street,) = house.game.streets
    unit = solved.dealt.deals * solved.scale
    yield small_decision(
        street, live_features(house, solved.masks), solved.worth, solved.hands, unit,
        unit // (solved.dealt.opponents * solved.scale),
        lambda at: (card_text(solver.held_cards(int(solved.masks[at]))) or "none live", ""),
    )  # fmt: skip

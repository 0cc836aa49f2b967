"""Simulation setup of Top Five."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import advice, payoffs
from croupier.analysis.kernels.simulate import live_card_rounds
from croupier.analysis.kernels.simulate.live_card_rounds import (
    CLASS_SHIFT,
    COUNT_SHIFT,
    VALUE_SHIFT,
)
from croupier.analysis.lookup_tables import tables
from croupier.analysis.simulation.simulation_setup import SimulationSetup, posted_codes
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.expected_returns import side_wagers
from croupier.games.hand_names import LIVE_COUNTS, POKER_HANDS, live_card_hand
from croupier.games.top_five import solver
from croupier.games.top_five.form import TopFiveChoices
from croupier.games.top_five.game import FOLDED, LiveCardContest
from croupier.ranking import live_card_value

BY_TABLE = -1
SIDES = {
    "top_five_bonus": (LIVE_COUNTS, live_card_rounds.LIVE_COUNT),
    "poker_bonus": (POKER_HANDS, live_card_rounds.LIVE_HAND),
}


def setup(house: House[TopFiveChoices]) -> SimulationSetup:
    """The solver's decision for every set of live cards."""
    dealt = solver.sizes_of(house)
    if dealt != (live_card_rounds.HAND, live_card_rounds.HAND):
        raise BadInput(
            f"{house.game.title} is simulated with {live_card_rounds.HAND} cards each; this "
            f"proposal deals {dealt.own} and {dealt.dealer}"
        )
    strategy = advice.optimal_strategy(house)
    assert isinstance(strategy, solver.TopFiveStrategy)
    space = FactsSpace.of(house.every_facts(), LiveCardContest)
    stakes = payoffs.opening_stakes(house.game)
    sets, qualifying = live_sets(house, strategy)
    play = live_card_rounds.LiveCardTables(
        sets=sets,
        showdowns=solver.contest_codes(space),
        qualifying=qualifying,
        folded=space.code(FOLDED),
        size=len(space),
    )
    return SimulationSetup(
        house=house,
        space=space,
        states=(stakes, {**stakes, strategy.bet.wager: strategy.bet.times}),
        folded_at={FOLDED: strategy.street.name},
        sides=tuple(posted_codes(house, wager, *SIDES[wager]) for wager in side_wagers(house)),
        judge_decks=live_card_rounds.judge_decks,
        arguments=(tables(), play),
        options=(("fold", strategy.bet.word),),
        strategies={"optimal": (BY_TABLE,), "early": (1,), "never_bet": (0,)},
    )


def live_sets(
    house: House[TopFiveChoices], strategy: solver.TopFiveStrategy
) -> tuple[NDArray[np.int32], int]:
    """Packed value, class, count and decision by mask of live cards; and the qualifying value."""
    listed = solver.live_sets()
    players = solver.players_up_to_suits(house)
    masks = players.masks.tolist()
    hands = np.array(
        [POKER_HANDS.index(live_card_hand(live_card_value(solver.held_cards(mask))))
         for mask in masks], np.int64,
    )  # fmt: skip
    plays = np.array(
        [strategy.decide(strategy.street.name, solver.held_cards(mask), ()) == strategy.bet.word
         for mask in masks], np.int64,
    )  # fmt: skip
    at = np.searchsorted(players.masks, listed.least)
    packed = (
        players.all_values.astype(np.int64) << VALUE_SHIFT
        | hands[at] << CLASS_SHIFT
        | listed.sizes << COUNT_SHIFT
        | plays[at]
    )
    sets = np.zeros(1 << solver.LIVE, np.int32)
    sets[listed.masks] = packed
    return sets, players.qualifying

"""Simulation setup of Texas Hold 'Em Bonus."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.analysis import advice
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.kernels.simulate import single_raise_rounds, street_bet_rounds
from croupier.analysis.kernels.simulate.single_raise_rounds import BY_HAND, BY_TABLE
from croupier.analysis.lookup_tables import orders
from croupier.analysis.simulation.simulation_setup import SimulationSetup, posted_codes
from croupier.analysis.simulation.single_raise_setup import pocket_hands, pockets
from croupier.analysis.solvers import board_enumeration, starting_hands
from croupier.games import House
from croupier.games.expected_returns import side_wagers
from croupier.games.holdem import FOLDED
from croupier.games.texas_holdem_bonus.solver import TexasRules, TexasStrategy


def setup(house: House) -> SimulationSetup:
    """The solver's tables in the packed form of the kernel."""
    strategy = advice.optimal_strategy(house)
    assert isinstance(strategy, TexasStrategy)
    return SimulationSetup(
        house=house,
        space=strategy.rules.space,
        states=states(strategy.rules),
        folded_at={FOLDED: strategy.rules.preflop.name},
        sides=tuple(
            posted_codes(house, wager, pocket_hands(), single_raise_rounds.POCKET)
            for wager in side_wagers(house)
        ),
        judge_decks=street_bet_rounds.judge_decks,
        arguments=(orders(), lookups(strategy)),
        options=(
            ("fold", strategy.rules.opening.word),
            ("check", strategy.rules.flop_bet.word),
            ("check", strategy.rules.turn_bet.word),
        ),
        strategies={
            "optimal": (BY_TABLE, BY_TABLE, BY_TABLE),
            "chart": (BY_TABLE, BY_HAND, BY_HAND),
            "early": (1, 1, 1),
            "late": (1, 0, 0),
            "never_bet": (0, 0, 0),
        },
    )


def states(rules: TexasRules) -> tuple[Mapping[str, int], ...]:
    """Stakes of a box that folded, then by bet on the flop and bet on the turn."""
    flop = {rules.flop_bet.wager: rules.flop_bet.times}
    turn = {rules.turn_bet.wager: rules.turn_bet.times}
    stay = rules.stakes
    return rules.ante, stay, {**stay, **turn}, {**stay, **flop}, {**stay, **flop, **turn}


def lookups(strategy: TexasStrategy) -> street_bet_rounds.StreetBetTables:
    """The solver's decisions as lookup tables."""
    rules, arrays = strategy.rules, strategy.arrays
    words = [
        strategy.decide(rules.preflop.name, hand, ()) == rules.opening.word
        for hand in flops.hands()[[np.argmax(starting_hands.hand_classes().ids[0] == at)
                                   for at in range(169)]].tolist()
    ]  # fmt: skip
    bet = 1  # the row of payoffs that one more bet adds
    return street_bet_rounds.StreetBetTables(
        opening=np.array(words, np.uint8)[starting_hands.hand_classes().ids[0]],
        flop_ids=isomorphism.multiset_ids(3)[..., None].astype(np.int16),
        turn_ids=isomorphism.multiset_ids(4).astype(np.int16),
        flop_plain=np.ascontiguousarray(arrays["flop_plain"][:, bet]),
        flop_suited=np.ascontiguousarray(arrays["flop_suited"][:, bet]).astype(np.int64),
        turn_plain=np.ascontiguousarray(arrays["turn_plain"][:, bet]),
        turn_suited=np.ascontiguousarray(arrays["turn_suited"][:, bet]).astype(np.int64),
        masks=isomorphism.numbering().masks,
        flop_starts=board_enumeration.starts(3),
        turn_starts=board_enumeration.starts(4),
        hand_types=flops.hand_types().astype(np.int16),
        hand_ranks=flops.hand_ranks().astype(np.int16),
        showdowns=rules.codes.showdowns,
        folded=rules.codes.folded,
        size=len(rules.space),
        pockets=pockets(),
    )

"""Simulation setup of Run 'Em Twice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.analysis import advice
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.kernels.simulate import cross_rounds
from croupier.analysis.lookup_tables import orders
from croupier.analysis.simulation.simulation_setup import SideCodes, SimulationSetup, posted_codes
from croupier.analysis.simulation.single_raise_setup import pockets
from croupier.analysis.solvers import starting_hands
from croupier.games import House
from croupier.games.expected_returns import side_wagers
from croupier.games.hand_names import POCKETS, POKER_HANDS
from croupier.games.run_em_twice import boards
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.game import folded
from croupier.games.run_em_twice.solver import LAST, RunStrategy, bets_made

BY_TABLE = cross_rounds.BY_TABLE
BASES = {"first_run": cross_rounds.FIRST_RUN, "higher_run": cross_rounds.HIGHER_RUN}
STATES = 64


def setup(house: House[RunChoices]) -> SimulationSetup:
    """The solver's tables in the packed form of the kernel."""
    strategy = advice.optimal_strategy(house)
    assert isinstance(strategy, RunStrategy)
    rules = strategy.rules
    most = len(rules.bets)
    return SimulationSetup(
        house=house,
        space=rules.space,
        states=tuple(staked(rules, state) for state in range(STATES)),
        folded_at={folded(street.name): street.name for street in house.game.streets},
        sides=tuple(side_codes(house, wager) for wager in side_wagers(house)),
        judge_decks=cross_rounds.judge_decks,
        arguments=(orders(house.choices.ace_low_straight), lookups(strategy)),
        options=(("fold", *(bet.word for bet in rules.bets)),) * 3,
        strategies={
            "optimal": (BY_TABLE, BY_TABLE, BY_TABLE),
            "chart": (BY_TABLE, 1, 1),
            "early": (most, most, most),
            "late": (1, 1, 1),
            "never_bet": (0, 0, 0),
        },
    )


def staked(rules: boards.RunRules, state: int) -> Mapping[str, int]:
    """The stakes of a state, which encodes the bets made, numbered from 1."""
    made = [state % 4, state // 4 % 4, state // 16]
    times = [rules.multiples[bet - 1] for bet in made if 0 < bet <= len(rules.multiples)]
    return rules.staked(*times)


def side_codes(house: House[RunChoices], wager: str) -> SideCodes:
    """The kind of a side wager, and the facts its codes stand for."""
    match wager:
        case "five_card_bonus":
            return posted_codes(house, wager, POKER_HANDS, cross_rounds.FIVE)
        case "ultimate_pairs_bonus":
            return posted_codes(house, wager, POCKETS, cross_rounds.POCKET)
    kind = BASES.get(house.choices.progressive_basis or "", cross_rounds.ALL_SEVEN)
    return posted_codes(house, wager, POKER_HANDS, kind)


def lookups(strategy: RunStrategy) -> cross_rounds.CrossTables:
    """The solver's decisions as lookup tables."""
    rules, arrays = strategy.rules, strategy.arrays
    classes = starting_hands.hand_classes()
    ids = classes.ids[0]
    representatives = np.array([boards.representative(at) for at in range(len(classes.names))])
    fold_first = rules.fold_at("first") * cross_runs.SIDES * LAST * rules.scale
    firsts = arrays["firsts"]
    first = np.where(firsts.max(axis=1) > fold_first, firsts.argmax(axis=1) + 1, 0)
    bets = range(len(rules.multiples))
    sums = arrays["sides"]
    second = np.stack([bets_made(rules, sums, one) + 1 for one in bets], axis=1)
    others = np.zeros((len(representatives), 52), np.int16)
    side_class = np.zeros((len(representatives), cross_runs.SIDES), np.int32)
    for at in range(len(representatives)):
        hand_sides = boards.sides(at)
        others[at, hand_sides.others] = np.arange(cross_runs.OTHERS)
        side_class[at] = arrays["starts"][at] + hand_sides.class_of
    paid = np.array(
        [[[rules.money.by_code(rules.space, rules.staked(one, two, three))
           for three in rules.multiples] for two in rules.multiples] for one in rules.multiples],
        object,
    ).astype(np.int64)[..., rules.codes]  # fmt: skip
    return cross_rounds.CrossTables(
        hand_class=ids.astype(np.int16),
        hand_order=np.argmax(flops.renamed_hands() == representatives[ids], axis=0).astype(
            np.uint8
        ),
        orders=flops.suit_orders(),
        others=others,
        side_class=side_class,
        first=first.astype(np.int8),
        second=second.astype(np.int8),
        paid=np.ascontiguousarray(paid),
        folds=rules.folds,
        showdowns=rules.codes,
        folded=np.array([rules.space.code(folded(s.name)) for s in rules.house.game.streets]),
        size=len(rules.space),
        pockets=pockets(),
    )

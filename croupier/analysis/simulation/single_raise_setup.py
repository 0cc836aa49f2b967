"""Simulation setup of games with one Play bet."""

from __future__ import annotations

from math import comb
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.analysis import advice
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate.showdown_counts import BETS
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.kernels.hands.compact_evaluator import SUM_MASK, Orders
from croupier.analysis.kernels.hands.evaluator import COLUMN_MASK, ROW_SHIFT
from croupier.analysis.kernels.simulate import single_raise_rounds
from croupier.analysis.kernels.simulate.single_raise_rounds import BY_HAND, BY_TABLE
from croupier.analysis.lookup_tables import orders
from croupier.analysis.simulation.simulation_setup import SideCodes, SimulationSetup, posted_codes
from croupier.analysis.solvers import board_enumeration
from croupier.analysis.solvers.single_raise import PlayRules, PlayStrategy
from croupier.games import VERSUS, Facts, House
from croupier.games.expected_returns import side_wagers, wager_basis
from croupier.games.hand_names import (
    POCKETS,
    POCKETS_AND_DEALER,
    POKER_HANDS,
    ROYALS,
    SIX_CARD_HANDS,
    pocket_hand,
)
from croupier.games.holdem import FOLDED
from croupier.ranking import CATEGORIES

SEVEN_HANDS = (*POKER_HANDS[:-1], *ROYALS)
KINDS = {  # by the name of the basis that decides a side wager
    "five": single_raise_rounds.FIRST_FIVE,
    "six": single_raise_rounds.SIX,
    "seven": single_raise_rounds.SEVEN,
    "pocket_and_dealer": single_raise_rounds.POCKET,
    "bad_beat": single_raise_rounds.BAD_BEAT,
}


def setup(house: House) -> SimulationSetup:
    """The solver's tables in the packed form of the kernel."""
    strategy = advice.optimal_strategy(house)
    assert isinstance(strategy, PlayStrategy)
    rules = strategy.rules
    early = len(rules.opening_bets)
    return SimulationSetup(
        house=house,
        space=rules.space,
        states=(rules.stakes, *(rules.staked(bet) for bet in rules.bets)),
        folded_at={FOLDED: rules.river.name},
        sides=tuple(side_codes(house, wager) for wager in side_wagers(house)),
        judge_decks=single_raise_rounds.judge_decks,
        arguments=(orders(), lookups(rules, strategy)),
        options=(
            ("check", *(bet.word for bet in rules.opening_bets)),
            ("check", rules.flop_bet.word),
            ("fold", rules.river_bet.word),
        ),
        strategies={
            "optimal": (BY_TABLE, BY_TABLE, BY_TABLE),
            "chart": (BY_TABLE, BY_HAND, BY_HAND),
            "early": (early, 1, 1),
            "late": (0, 0, 1),
            "never_bet": (0, 0, 0),
        },
    )


def side_codes(house: House, wager: str) -> SideCodes:
    """The kind of a side wager, and the facts its codes stand for."""
    basis = wager_basis(house, wager)
    kind = single_raise_rounds.BOARD if basis.board_only else KINDS[basis.name]
    match kind:
        case single_raise_rounds.SIX:
            return posted_codes(house, wager, SIX_CARD_HANDS, kind)
        case single_raise_rounds.POCKET:
            return posted_codes(house, wager, pocket_hands(), kind)
        case single_raise_rounds.BAD_BEAT:
            facts_by_code: list[Facts] = [
                msgspec.structs.replace(
                    basis.facts(wager, f"{standing}/{own}/{dealer}"), folded=folded
                )
                for standing in VERSUS
                for own in CATEGORIES
                for dealer in CATEGORIES
                for folded in (False, True)
            ]
            return SideCodes(wager, kind, tuple(facts_by_code))
        case single_raise_rounds.BOARD:
            return posted_codes(house, wager, POKER_HANDS, kind)
    return posted_codes(house, wager, SEVEN_HANDS, kind)


def pocket_hands() -> list[str]:
    """Names of two own cards, then the same with two aces in the dealer's hand."""
    beside = {own: own for own in POCKETS}
    beside["pocket_aces"], beside["pocket_aces_hearts_diamonds"] = POCKETS_AND_DEALER[
        len(POCKETS) :
    ]
    return [*POCKETS, *(beside[own] for own in POCKETS)]


def pockets() -> NDArray[np.uint8]:
    """The index into POCKETS of each two-card hand."""
    return np.array([POCKETS.index(pocket_hand(hand)) for hand in deals.hands().tolist()], np.uint8)


def board_numbers(lookup: Orders) -> NDArray[np.int16]:
    """The rank-board number by hand order: different ranks never have the same order."""
    boards = isomorphism.multisets(5)
    numbers = np.zeros(len(lookup.values), np.int16)
    possible = np.ptp(boards, axis=1) > 0  # not five of one rank
    keys = lookup.card_keys[boards[possible] << 2] & SUM_MASK
    sums = keys.sum(axis=1) & SUM_MASK
    cells = (sums & COLUMN_MASK) + lookup.row_offsets[sums >> ROW_SHIFT]
    numbers[lookup.orders[cells]] = np.flatnonzero(possible)
    return numbers


def flop_numbers() -> NDArray[np.uint16]:
    """The class number and suit permutation of three cards, in the order of `three_cards`."""
    numbers, orders = deals.flop_places()
    cards = [(low, middle, high) for high in range(52) for middle in range(high)
             for low in range(middle)]  # fmt: skip
    places = (numbers << single_raise_rounds.ORDER_BITS) + orders
    packed: NDArray[np.uint16] = places[tuple(np.array(cards).T)].astype(np.uint16)
    return packed


def flop_bets(plain: Any, suited: Any) -> NDArray[np.bool_]:
    """Whether each hand bets on each flop class, from sums over runouts."""
    rank_boards = board_enumeration.rank_ids(3)
    sums = (
        deals.flop_values(flop, plain[rank_board], suited)
        for flop, rank_board in enumerate(rank_boards.tolist())
    )
    return np.array([bet > check for check, bet, *_ in sums])


def pack_bits(flags: Any) -> NDArray[np.uint8]:
    """Flags as bits, least significant first."""
    return np.packbits(np.ascontiguousarray(flags).ravel(), bitorder="little")


def lookups(rules: PlayRules, strategy: PlayStrategy) -> single_raise_rounds.SingleRaiseTables:
    """The solver's decisions as lookup tables."""
    arrays = strategy.arrays
    known = orders()
    ids = rules.openings.ids
    return single_raise_rounds.SingleRaiseTables(
        opening=np.where(ids >= 0, arrays["opening_best"][ids], 0).astype(np.uint8),
        threes=np.array([comb(card, 3) for card in range(52)], np.int16),
        flops=flop_numbers(),
        renamed=deals.renamed_hands().astype(np.int16),
        flop_bits=pack_bits(flop_bets(arrays["flop_plain"], arrays["flop_suited"])),
        masks=isomorphism.numbering().masks.astype(np.int16),
        board_numbers=board_numbers(known),
        hand_types=deals.hand_types().astype(np.int16),
        hand_ranks=deals.hand_ranks().astype(np.int16),
        river_plain=pack_bits(arrays["river_plain"] == BETS),
        river_suited=pack_bits(arrays["river_suited"] == BETS),
        showdowns=rules.codes.showdowns,
        folded=rules.codes.folded,
        size=len(rules.space),
        qualifying=int(np.searchsorted(known.values, rules.qualifying)),
        pockets=pockets(),
    )

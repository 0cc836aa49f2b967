"""A House as arrays for the simulator's kernels: card positions, codes of facts, values by code.

A kernel writes codes. This module lists the Facts they stand for, and values them by the House's
own `settle` and the payout rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from immutabledict import immutabledict
from numpy.typing import NDArray

from croupier.analysis.kernels.simulate import tally as seats
from croupier.analysis.values_at_ante import check_ante
from croupier.errors import BadInput
from croupier.games import BOX, COMMUNITY, DEALER, Facts, FactsSpace, House, PaytableFacts, Result
from croupier.games.expected_returns import reference_stake, side_wagers
from croupier.games.game import load_code
from croupier.games.hand_names import ROYAL_FLUSH, ROYALS
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents

Longs = NDArray[np.int64]
NO_LIMIT = 2**62
NOT_DEALT = -1


class SideCodes(NamedTuple):
    """A side wager: the cards the kernel evaluates (`kind`), and the facts of its codes."""

    wager: str
    kind: int
    facts: tuple[Facts | None, ...]


class Seating(NamedTuple):
    """The stakes of every seat, and the strategy of each."""

    ante: Cents
    stakes: Mapping[str, Cents]  # of side wagers
    strategies: tuple[str, ...]  # by seat, from the first

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.strategies)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationSetup:
    """A game prepared for simulation; `arguments` are passed to the kernel in order."""

    house: House
    space: FactsSpace[Any]
    # Stakes of the main game in antes by state; a main code is state x facts.
    states: tuple[Mapping[str, int], ...]
    folded_at: Mapping[Facts, str]  # facts of a folded box, with the street of the fold
    sides: tuple[SideCodes, ...]
    judge_decks: Callable[..., None]
    arguments: tuple[Any, ...]
    # The options of each street by number. A strategy is an option number per street; a negative
    # number stands for a lookup table.
    options: tuple[tuple[str, ...], ...]
    strategies: Mapping[str, tuple[int, ...]]

    @property
    def kinds(self) -> Longs:
        """The kind of each side wager."""
        return np.array([side.kind for side in self.sides], np.int64)

    def fixed(self, seating: Seating) -> Longs:
        """The decisions of each seat by street; raises `BadInput` for an unknown strategy."""
        unknown = [name for name in seating.strategies if name not in self.strategies]
        if unknown:
            raise BadInput(f"strategy {unknown[0]!r}; expected one of {', '.join(self.strategies)}")
        return np.array([self.strategies[name] for name in seating.strategies], np.int64)

    def main(self, code: int) -> tuple[Mapping[str, int], Facts]:
        """The stakes in antes and the facts behind a main code."""
        state, facts = divmod(code, len(self.space))
        return self.states[state], self.space[facts]

    def dealt(self, seats: int) -> tuple[Longs, int]:
        """The deck positions of board, dealer, box and hands, and the number of cards dealt.

        Positions of cards that the game does not deal are `NOT_DEALT`; a box has up to four cards.
        """
        house, game = self.house, self.house.game
        order = [place for street in house.deal(tuple(range(1, seats + 1))) for place in street]
        at: dict[object, list[int]] = {}
        for position, place in enumerate(order):
            at.setdefault(place, []).append(position)
        community = [
            position
            for position in game.arrange_community(at.get(COMMUNITY, []), house)
            if position is not None
        ]
        positions = [*community, *at.get(DEALER, [])]
        if community and game.dealer_cards:
            positions += at.get(BOX, [NOT_DEALT] * 4)
        for seat in range(1, seats + 1):
            positions += at[seat]
        return np.array(positions, np.int64), len(order)


def posted_codes(house: House, wager: str, hands: Sequence[str], kind: int) -> SideCodes:
    """The codes of a posted wager: twice the hand's index, plus one if the box has folded."""
    possible = set(house.every_facts())
    facts_by_code: list[Facts | None] = []
    for hand in hands:
        for folded in (False, True):
            names = (hand, ROYAL_FLUSH) if hand in ROYALS else (hand,)
            candidates = (
                PaytableFacts(wager, name, state) for state in (folded, False) for name in names
            )
            facts_by_code.append(next((facts for facts in candidates if facts in possible), None))
    return SideCodes(wager, kind, tuple(facts_by_code))


def build_seating(
    house: House,
    seats: int = 1,
    ante: Cents | None = None,
    strategies: Sequence[str] = ("optimal",),
) -> Seating:
    """Seats that bet every offered wager, side wagers at their minimum stakes.

    Strategies are listed by seat; the last one applies to all further seats. Raises `BadInput` if
    seats, ante or strategies are out of range.
    """
    if not 1 <= seats <= house.positions:
        raise BadInput(f"{seats} seats; expected 1 to {house.positions}")
    limits = house.limits.get(house.game.ante.name)
    if ante is None:
        ante = limits.minimum if limits else 5_00
    check_ante(house, ante)
    if not strategies or len(strategies) > seats:
        raise BadInput(f"{len(strategies)} strategies for {seats} seats; expected 1 to {seats}")
    by_seat = [*strategies, *[strategies[-1]] * (seats - len(strategies))]
    stakes = {wager: reference_stake(house, wager) for wager in side_wagers(house)}
    return Seating(ante, immutabledict(stakes), tuple(by_seat))


def build_setup(house: House) -> SimulationSetup:
    """Prepare a House for its game's simulator; solves the optimal strategy."""
    simulator = house.game.analysis.simulator
    if not simulator:
        raise BadInput(f"{house.game.title} has no simulator")
    setup: SimulationSetup = load_code(simulator)(house)
    return setup


class CodeValues(NamedTuple):
    """Values of codes to a box in cents, with the columns of `kernels.simulate.tally`."""

    main: Longs  # [code, column]
    sides: Longs  # [wager, code, column]
    limit: int  # payout limit on the covered winnings


def code_values(game: SimulationSetup, seating: Seating) -> CodeValues:
    """Values of codes as paid, rounded, but without limit and meters: `RoundSettler` adds those."""
    house = game.house
    unlimited = PayoutCalculator(replace(house, payout_limit=None), {})
    limited = PayoutCalculator(house, {})
    main = np.zeros((len(game.states) * len(game.space), seats.COLUMNS), np.int64)
    for state, multiples in enumerate(game.states):
        staked = {wager: times * seating.ante for wager, times in multiples.items()}
        by_results: dict[tuple[Result, ...], Sequence[int]] = {}
        for code, facts in enumerate(game.space):
            results = house.settle(facts)
            if results not in by_results:
                by_results[results] = payoff_row(unlimited, limited, results, staked)
            main[state * len(game.space) + code] = by_results[results]
    widest = max((len(side.facts) for side in game.sides), default=1)
    sides = np.zeros((len(game.sides), widest, seats.COLUMNS), np.int64)
    for at, side in enumerate(game.sides):
        sides[at, :, seats.STAKED] = seating.stakes[side.wager]  # also for impossible codes
        for code, case in enumerate(side.facts):
            if case is not None:
                row = payoff_row(unlimited, limited, house.settle(case), seating.stakes)
                sides[at, code] = row
                sides[at, code, seats.MARKED] = needs_settlement(house, case)
    limit = NO_LIMIT if house.payout_limit is None else house.payout_limit
    return CodeValues(main, sides, limit)


def payoff_row(
    unlimited: PayoutCalculator,
    limited: PayoutCalculator,
    results: Iterable[Result],
    stakes: Mapping[str, Cents],
) -> list[int]:
    """Net, stake, and winnings under the payout limit; meters pay nothing here."""
    row = [0] * seats.COLUMNS
    for result in results:
        stake = stakes.get(result.wager, 0)
        if not stake:
            continue
        row[seats.STAKED] += stake
        if result.outcome == "win" and result.pays.unit == "percent":
            row[seats.NET] -= stake
            continue
        gained = unlimited.pay(result, stake).returned - stake
        row[seats.NET] += gained
        if result.outcome == "win" and limited.is_limited(result.wager):
            row[seats.COVERED] += gained
    return row


def needs_settlement(house: House, facts: Facts) -> bool:
    """Whether these facts may win a meter or envy."""
    by_meter = any(result.pays.unit == "percent" for result in house.settle(facts))
    wager, hand = getattr(facts, "wager", ""), getattr(facts, "hand", "")
    return by_meter or (wager == "progressive" and house.envy_line(hand) is not None)

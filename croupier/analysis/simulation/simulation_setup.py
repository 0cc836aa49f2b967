"""A House as the simulator's kernels want it: places of cards, codes of facts, worth by code.

A kernel writes codes; what they stand for is listed here as Facts, and what those are worth is
asked of the House's own settlement and of the cashier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from immutabledict import immutabledict
from numpy.typing import NDArray

from croupier.analysis.as_offered import check_ante
from croupier.analysis.kernels.simulate import tally as seats
from croupier.analysis.parallel import Progress, no_progress
from croupier.errors import BadInput
from croupier.games import BOX, COMMUNITY, DEALER, Facts, FactsSpace, House, Posted, Result
from croupier.games.expected_returns import named, side_wagers, stake_of
from croupier.games.hand_names import ROYAL_FLUSH, ROYALS
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents

Longs = NDArray[np.int64]
NO_LIMIT = 2**62
NOT_DEALT = -1


class SideCodes(NamedTuple):
    """A side wager: what the kernel looks at, and the facts that its codes stand for."""

    wager: str
    kind: int
    facts: tuple[Facts | None, ...]


class Seating(NamedTuple):
    """Who plays what: the stakes of every seat, and how each seat decides."""

    ante: Cents
    stakes: Mapping[str, Cents]  # of side wagers
    strategies: tuple[str, ...]  # by seat, from the first

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.strategies)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationSetup:
    """A game that can be simulated. The kernel's arguments are in its own order."""

    house: House
    space: FactsSpace[Any]
    # Stakes of the main game in antes by state; a main code is state x facts.
    states: tuple[Mapping[str, int], ...]
    folded_at: Mapping[Facts, str]  # facts that say where a box has folded
    sides: tuple[SideCodes, ...]
    judge_decks: Callable[..., None]
    arguments: tuple[Any, ...]
    # The options of each street by their numbers; a strategy has a number, or less, per street.
    options: tuple[tuple[str, ...], ...]
    strategies: Mapping[str, tuple[int, ...]]

    @property
    def kinds(self) -> Longs:
        """What each side wager looks at."""
        return np.array([side.kind for side in self.sides], np.int64)

    def fixed(self, seating: Seating) -> Longs:
        """How each seat decides, street by street."""
        unknown = [name for name in seating.strategies if name not in self.strategies]
        if unknown:
            raise BadInput(f"strategy {unknown[0]!r}; expected one of {', '.join(self.strategies)}")
        return np.array([self.strategies[name] for name in seating.strategies], np.int64)

    def main(self, code: int) -> tuple[Mapping[str, int], Facts]:
        """The stakes in antes and the facts behind a main code."""
        state, facts = divmod(code, len(self.space))
        return self.states[state], self.space[facts]

    def dealt(self, seats: int) -> tuple[Longs, int]:
        """Where board, dealer, box and hands lie in the deck, and how many cards are dealt.

        What a game does not deal is `NOT_DEALT`; a box has room for four cards.
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
        found = [*community, *at.get(DEALER, [])]
        if community and game.dealer_cards:
            found += at.get(BOX, [NOT_DEALT] * 4)
        for seat in range(1, seats + 1):
            found += at[seat]
        return np.array(found, np.int64), len(order)


def posted_codes(house: House, wager: str, hands: Sequence[str], kind: int) -> SideCodes:
    """The codes of a posted wager: twice the hand, and one more where the box has folded."""
    known = set(house.every_facts())
    found: list[Facts | None] = []
    for hand in hands:
        for folded in (False, True):
            names = (hand, ROYAL_FLUSH) if hand in ROYALS else (hand,)
            named = (Posted(wager, name, gone) for gone in (folded, False) for name in names)
            found.append(next((facts for facts in named if facts in known), None))
    return SideCodes(wager, kind, tuple(found))


def build_seating(
    house: House,
    seats: int = 1,
    ante: Cents | None = None,
    strategies: Sequence[str] = ("optimal",),
) -> Seating:
    """Every seat bets all wagers offered, side wagers at their least stakes.

    Strategies are given seat by seat; the last one is that of all further seats.
    """
    if not 1 <= seats <= 6:
        raise BadInput(f"{seats} seats; expected 1 to 6")
    limits = house.limits.get(house.game.ante.name)
    if ante is None:
        ante = limits.minimum if limits else 5_00
    check_ante(house, ante)
    if not strategies or len(strategies) > seats:
        raise BadInput(f"{len(strategies)} strategies for {seats} seats; expected 1 to {seats}")
    by_seat = [*strategies, *[strategies[-1]] * (seats - len(strategies))]
    stakes = {wager: stake_of(house, wager) for wager in side_wagers(house)}
    return Seating(ante, immutabledict(stakes), tuple(by_seat))


def build_setup(house: House, progress: Progress | None = None) -> SimulationSetup:
    """What the game's simulator needs of this House, its best play solved."""
    simulator = house.game.analysis.simulator
    if not simulator:
        raise BadInput(f"{house.game.title} has no simulator")
    made: SimulationSetup = named(simulator)(house, progress or no_progress)
    return made


class CodeValues(NamedTuple):
    """What codes are worth to a box in cents, by the columns of `kernels.seats`."""

    main: Longs  # [code, column]
    sides: Longs  # [wager, code, column]
    limit: int  # on what is covered


def worth(game: SimulationSetup, seating: Seating) -> CodeValues:
    """As the cashier pays: rounded, but neither limited nor from a meter; such rounds are kept."""
    house = game.house
    unlimited = PayoutCalculator(replace(house, payout_limit=None), {})
    limited = PayoutCalculator(house, {})
    main = np.zeros((len(game.states) * len(game.space), seats.WORTH), np.int64)
    for state, multiples in enumerate(game.states):
        staked = {wager: times * seating.ante for wager, times in multiples.items()}
        known: dict[tuple[Result, ...], Sequence[int]] = {}
        for code, facts in enumerate(game.space):
            results = house.settle(facts)
            if results not in known:
                known[results] = payoff_row(unlimited, limited, results, staked)
            main[state * len(game.space) + code] = known[results]
    widest = max((len(side.facts) for side in game.sides), default=1)
    sides = np.zeros((len(game.sides), widest, seats.WORTH), np.int64)
    for at, side in enumerate(game.sides):
        sides[at, :, seats.STAKED] = seating.stakes[side.wager]  # where nothing can be met, too
        for code, one in enumerate(side.facts):
            if one is not None:
                row = payoff_row(unlimited, limited, house.settle(one), seating.stakes)
                sides[at, code] = row
                sides[at, code, seats.MARKED] = needs_settlement(house, one)
    limit = NO_LIMIT if house.payout_limit is None else house.payout_limit
    return CodeValues(main, sides, limit)


def payoff_row(
    unlimited: PayoutCalculator,
    limited: PayoutCalculator,
    results: Iterable[Result],
    stakes: Mapping[str, Cents],
) -> list[int]:
    """Net, staked, winnings that the payout limit reaches; meters pay nothing yet."""
    row = [0] * seats.WORTH
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
    """Whether a meter or envy has to be asked about these facts."""
    by_meter = any(one.pays.unit == "percent" for one in house.settle(facts))
    wager, hand = getattr(facts, "wager", ""), getattr(facts, "hand", "")
    return by_meter or (wager == "progressive" and house.envy_line(hand) is not None)

"""Random shifts: a state machine per game, a few shifts here and thousands in the slow suite."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.table import Account, Envelope
from croupier.table.commands import BuyIn
from croupier.table.core import codec
from croupier.table.events import BoughtIn
from tests.clauses.attended.claims import at
from tests.support.rounds import EVERY_GAME, TOP, refuses
from tests.support.shifts.casino import Shift
from tests.support.shifts.houses import houses
from tools.random_shifts import ACTS, report, run, run_shift

SEEDS = st.integers(0, 2**32)


class ShiftMachine(RuleBasedStateMachine):
    """Random steps, faults and clock jumps; the invariants are those of `Shift.check`."""

    game = ""
    shift: Shift

    @initialize(house=st.integers(0, 11), seed=SEEDS)
    def open(self, house: int, seed: int) -> None:
        """Start a shift under one of the Houses."""
        self.shift = Shift(houses(self.game)[house], Random(seed))

    @rule(acts=st.integers(5, 40))
    def go_on(self, acts: int) -> None:
        """Take listed steps, and try invalid variations before each."""
        for _ in range(acts):
            self.shift.act()

    @rule(minutes=st.integers(-120, 600))
    def jump(self, minutes: int) -> None:
        """Move the clock forward or back."""
        self.shift.at += minutes * 60_000

    @rule()
    def close(self) -> None:
        """Close the table from any state with listed steps."""
        self.shift.close()

    @invariant()
    def audited(self) -> None:
        """The record rebuilds the table, and every envelope gives its events again."""
        if hasattr(self, "shift"):
            self.shift.audit()


def machine(name: str) -> Any:
    """Return the state machine of one game as a test case."""
    kind = type(f"Shift_{name}", (ShiftMachine,), {"game": name})
    kind.TestCase.settings = settings(  # type: ignore[attr-defined]
        max_examples=3,
        stateful_step_count=8,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),  # a shift is reproduced from its seed; shrinking does not help
        suppress_health_check=list(HealthCheck),
    )
    return kind.TestCase  # type: ignore[attr-defined]


TestTexas = machine("texas_holdem_bonus")
TestTopFive = machine("top_five")
TestUltimate = machine("ultimate_texas_holdem")
TestJackpot = machine("jackpot_holdem")
TestRunEmTwice = machine("run_em_twice")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_few_complete_shifts(game: str) -> None:
    """Open, play, close and replay; the same seed gives the same shift."""
    first, other = run_shift(game, 0), run_shift(game, 1)
    assert first["closings"] >= 1 and other["closings"] >= 1
    assert first == run_shift(game, 0)


def test_an_audit_finds_what_the_table_never_decided() -> None:
    """A forged buy-in, and an amount changed after the fact."""
    shift = Shift(houses(TOP)[0], Random("forged"))
    while "bought_in" not in str(shift.record[-1]):
        shift.act()
    shift.audit()
    envelope, (bought,) = shift.record[-1]
    honest = list(shift.record)
    seat = next(iter(shift.table.seats.taken))
    dealer = Account(shift.table.posts.dealer, "dealer")
    buy_in = Envelope("forged", dealer, shift.at, BuyIn(seat, 10**12))
    shift.record = [*honest, (codec.encode(buy_in), [bought])]
    with refuses(at(shift.table.house.game.key, TUJ="7.B", FR="7.A")):
        shift.audit()
    event = codec.decode_event(bought)
    assert isinstance(event, BoughtIn)
    more = msgspec.structs.replace(event, cash=event.cash + 1, chips=event.chips + 1)
    shift.record = [*honest[:-1], (envelope, [codec.encode(more)])]
    with pytest.raises(AssertionError):
        shift.audit()


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME)
def test_two_thousand_shifts(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Seeds 1 to 2000 of every game, with their counts."""
    totals = run((game,), 2000, 1, ACTS)
    with capsys.disabled():
        print("\n" + report(totals, 1, 2000))
    assert 2000 == totals[game]["shifts"]

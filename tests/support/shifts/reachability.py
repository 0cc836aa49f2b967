"""Reachability checks: from any state a round can be played, and the table can be closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from random import Random
from typing import TYPE_CHECKING

from croupier.table import Command, Step, Table
from croupier.table.core import codec
from croupier.table.core.steps import steps_of
from tests.support.shifts import closing, playing
from tests.support.shifts.closing import NEVER

if TYPE_CHECKING:
    from tests.support.shifts.casino import Shift

URGENCY_ORDER = {"overdue": 0, "due": 1, "may": 2}
STEPS_MAX = 400  # a longer path is a cycle


def look_ahead(shift: Shift) -> None:
    """Check on copies that the table can be closed and that a round can be played."""
    fork(shift).close()
    play(fork(shift))
    shift.counts["forks"] += 2


def fork(shift: Shift) -> Shift:
    """Return a copy of the shift in the same state."""
    copied = copy(shift)
    copied.table = Table(find_house=shift.houses.__getitem__)
    for _, encoded in shift.record:
        for event in map(codec.decode_event, encoded):
            copied.table.evolve(event)
    copied.rng = Random(shift.rng.getrandbits(64))
    copied.record, copied.meters, copied.counts = list(shift.record), dict(shift.meters), Counter()
    return copied


def play(shift: Shift) -> None:
    """Follow listed steps from any state to a new round that is settled and not void."""
    before = shift.table.rounds_played
    follow(shift, playing.towards_a_round, playing.KINDS, lambda: played_out(shift.table, before))


def played_out(table: Table, rounds_before: int) -> bool:
    """Whether a later round was settled without being void."""
    last = table.round
    settled = last is not None and last.closed and last.void is None
    return settled and table.rounds_played > rounds_before


def close(shift: Shift) -> None:
    """Follow listed steps from any state to the closing of the table."""
    follow(shift, closing.towards_closing, closing.KINDS, lambda: shift.is_closed)


def follow(
    shift: Shift,
    order: Callable[[Table, Step], int],
    kinds: frozenset[type[Command]],
    done: Callable[[], bool],
) -> None:
    """Take the first listed step, of these kinds and in this order, until `done`."""
    for _ in range(STEPS_MAX):
        if done():
            return
        # Listing only these kinds is much faster than listing every step.
        steps = [
            step
            for spec in shift.table.command_specs()
            if spec.command in kinds
            for step in steps_of(shift.table, spec, shift.at)
            if not step.blocked
        ]
        assert steps, f"dead end: no step leads {order.__name__}"
        step = min(steps, key=lambda step: (order(shift.table, step), URGENCY_ORDER[step.due]))
        assert order(shift.table, step) < NEVER, [str(step) for step in steps]
        shift.execute(shift.honest_command(step), shift.actor(step))
        shift.at += 1000
    raise AssertionError(f"{order.__name__}: not reached in {STEPS_MAX} steps")

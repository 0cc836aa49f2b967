"""Where a shift may lead: from any state a round can be played, and the table can be closed."""

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

URGENT = {"overdue": 0, "due": 1, "may": 2}
LONGEST = 400  # steps; whoever needs more is going in circles


def look_ahead(shift: Shift) -> None:
    """No dead end: from here the table can be closed, and from here a round can be played."""
    fork(shift).close()
    play(fork(shift))
    shift.counts["forks"] += 2


def fork(shift: Shift) -> Shift:
    """The same shift in the same state, to see where it may lead."""
    other = copy(shift)
    other.table = Table(find_house=shift.houses.__getitem__)
    for _, happened in shift.record:
        for event in map(codec.decode_event, happened):
            other.table.evolve(event)
    other.rng = Random(shift.rng.getrandbits(64))
    other.record, other.meters, other.counts = list(shift.record), dict(shift.meters), Counter()
    return other


def play(shift: Shift) -> None:
    """Whatever state it is in, listed steps alone lead to a new round that is not void."""
    first = shift.table.rounds_played
    follow(shift, playing.towards_a_round, playing.KINDS, lambda: played_out(shift.table, first))


def played_out(table: Table, first: int) -> bool:
    """Whether a round that began since then was settled, and not only its stakes returned."""
    last = table.round
    over = last is not None and last.closed and last.void is None
    return over and table.rounds_played > first


def close(shift: Shift) -> None:
    """Whatever state it is in, listed steps alone lead to its closing."""
    follow(shift, closing.towards_closing, closing.KINDS, lambda: shift.is_closed)


def follow(
    shift: Shift,
    order: Callable[[Table, Step], int],
    kinds: frozenset[type[Command]],
    done: Callable[[], bool],
) -> None:
    """Take the listed steps of some kinds in an order until it is done."""
    for _ in range(LONGEST):
        if done():
            return
        # Only what leads there is listed, which is much quicker than all that may be done.
        steps = [
            step
            for act in shift.table.command_specs()
            if act.command in kinds
            for step in steps_of(shift.table, act, shift.at)
            if not step.blocked
        ]
        assert steps, f"a dead end: nothing leads {order.__name__}"
        step = min(steps, key=lambda step: (order(shift.table, step), URGENT[step.due]))
        assert order(shift.table, step) < NEVER, [str(step) for step in steps]
        shift.give(shift.honest_command(step), shift.person(step))
        shift.at += 1000
    raise AssertionError(f"{order.__name__}: no end in sight")

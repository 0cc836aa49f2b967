"""Whole tables played out: seats that share a board, meters, envy, limits, shifts and months."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from croupier.analysis.simulation.batch_settlement import Register
from croupier.analysis.simulation.blocks import (
    BlockStore,
    RoundBlock,
    TableHours,
    plan,
    play,
    ready,
)
from croupier.analysis.simulation.executors import played, start_early
from croupier.analysis.simulation.simulation_results import (
    Simulation,
    Span,
    Spread,
    add,
    finished,
    no_totals,
)
from croupier.analysis.simulation.simulation_setup import seating_of
from croupier.games import House
from croupier.money import Cents

__all__ = ["Simulation", "Span", "Spread", "TableHours", "simulate"]

Rounds: TypeAlias = Callable[[int, int], None]


def simulate(
    house: House,
    rounds: int,
    *,
    seats: int = 1,
    ante: Cents | None = None,
    strategies: Sequence[str] = ("optimal",),
    seed: int = 1,
    hours: TableHours = TableHours(),  # noqa: B008 - a frozen value
    workers: int | None = None,
    cluster: str | Any = None,
    resume: bool = False,
    folder: Path | None = None,
    report: Rounds | None = None,
) -> Simulation:
    """Play so many rounds of a full table and say what they add up to.

    The digits follow from the House, the table, the seed and the hours alone: they are the same
    for any number of workers, on one machine or on a cluster, stopped and resumed or not.
    `report(done, of)` is called with rounds as blocks come in.
    """
    seating = seating_of(house, seats, ante, strategies)
    what = plan(house, seating, rounds, seed, hours)
    if not cluster:
        start_early(workers)
    made = ready(what.terms, seating)
    made.game.fixed(seating)  # refuses unknown strategies before anything is played
    kept = BlockStore(what, folder)
    if not resume:
        kept.clear()
    known = set(kept.numbers())
    wanted = [number for number in range(what.blocks) if number not in known]
    register, totals = Register(made.game, seating, made.worth), no_totals(made, seats)
    early: dict[int, RoundBlock] = {}
    next_block = 0

    def add_ready() -> None:
        nonlocal next_block
        while next_block in early or next_block in known:
            block = early.pop(next_block, None) or kept.load(next_block)
            if block is None:  # damaged on disk
                known.discard(next_block)
                block = play(what, next_block)
            add(totals, block, register, hours.per_shift)
            next_block += 1

    done = sum(what.size(number) for number in known)
    if report:
        report(done, rounds)
    for number, block in played(what, wanted, workers, cluster):
        kept.save(number, block)
        early[number] = block
        done += what.size(number)
        add_ready()
        if report:
            report(done, rounds)
    add_ready()
    result = finished(what, made, register, totals)
    kept.clear()
    return result

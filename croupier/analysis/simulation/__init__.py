"""Whole tables played out: seats that share a board, meters, envy, limits, shifts and months."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from croupier.analysis.simulation.batch_settlement import RoundSettler
from croupier.analysis.simulation.blocks import (
    BlockStore,
    RoundBlock,
    TableHours,
    make_plan,
    play_block,
    prepare_game,
)
from croupier.analysis.simulation.executors import run_blocks, start_fork_server
from croupier.analysis.simulation.simulation_results import (
    Simulation,
    PeriodSummary,
    SummaryStatistics,
    add_block,
    build_simulation,
    empty_totals,
)
from croupier.analysis.simulation.simulation_setup import build_seating
from croupier.games import House
from croupier.money import Cents

__all__ = ["Simulation", "PeriodSummary", "SummaryStatistics", "TableHours", "simulate"]

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
    seating = build_seating(house, seats, ante, strategies)
    what = make_plan(house, seating, rounds, seed, hours)
    if not cluster:
        start_fork_server(workers)
    made = prepare_game(what.terms, seating)
    made.game.fixed(seating)  # refuses unknown strategies before anything is played
    kept = BlockStore(what, folder)
    if not resume:
        kept.clear()
    known = set(kept.numbers())
    wanted = [number for number in range(what.blocks) if number not in known]
    register, totals = RoundSettler(made.game, seating, made.worth), empty_totals(made, seats)
    early: dict[int, RoundBlock] = {}
    next_block = 0

    def add_ready() -> None:
        nonlocal next_block
        while next_block in early or next_block in known:
            block = early.pop(next_block, None) or kept.load(next_block)
            if block is None:  # damaged on disk
                known.discard(next_block)
                block = play_block(what, next_block)
            add_block(totals, block, register, hours.per_shift)
            next_block += 1

    done = sum(what.size(number) for number in known)
    if report:
        report(done, rounds)
    for number, block in run_blocks(what, wanted, workers, cluster):
        kept.save(number, block)
        early[number] = block
        done += what.size(number)
        add_ready()
        if report:
            report(done, rounds)
    add_ready()
    result = build_simulation(what, made, register, totals)
    kept.clear()
    return result

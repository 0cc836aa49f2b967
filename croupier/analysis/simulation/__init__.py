"""Monte Carlo simulation of whole tables: shared boards, meters, envy, payout limits, shifts.

Start with `simulate`. `blocks` plays blocks of rounds, `executors` distributes them,
`batch_settlement` settles rounds that need meters, and `simulation_results` adds them up.
"""

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
    PeriodSummary,
    Simulation,
    SummaryStatistics,
    add_block,
    build_simulation,
    empty_totals,
)
from croupier.analysis.simulation.simulation_setup import build_seating
from croupier.games import House
from croupier.money import Cents

__all__ = ["PeriodSummary", "Simulation", "SummaryStatistics", "TableHours", "simulate"]

ReportRounds: TypeAlias = Callable[[int, int], None]


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
    report: ReportRounds | None = None,
) -> Simulation:
    """Simulate rounds of a full table.

    Results depend only on the House, the seating, the seed and the hours: they are identical for
    any number of workers, on one machine or on a Dask `cluster`, interrupted and resumed or not.
    `report(done, total)` is called with the number of rounds as blocks complete. Raises `BadInput`
    if an argument is out of range.
    """
    seating = build_seating(house, seats, ante, strategies)
    plan = make_plan(house, seating, rounds, seed, hours)
    if not cluster:
        start_fork_server(workers)
    prepared = prepare_game(plan.terms, seating)
    prepared.game.fixed(seating)  # raises for unknown strategies before anything is played
    store = BlockStore(plan, folder)
    if not resume:
        store.clear()
    stored = set(store.numbers())
    missing = [number for number in range(plan.blocks) if number not in stored]
    settler, totals = (
        RoundSettler(prepared.game, seating, prepared.worth),
        empty_totals(prepared, seats),
    )
    completed: dict[int, RoundBlock] = {}
    next_block = 0

    def add_ready() -> None:
        nonlocal next_block
        while next_block in completed or next_block in stored:
            block = completed.pop(next_block, None) or store.load(next_block)
            if block is None:  # damaged on disk
                stored.discard(next_block)
                block = play_block(plan, next_block)
            add_block(totals, block, settler, hours.per_shift)
            next_block += 1

    done = sum(plan.size(number) for number in stored)
    if report:
        report(done, rounds)
    for number, block in run_blocks(plan, missing, workers, cluster):
        store.save(number, block)
        completed[number] = block
        done += plan.size(number)
        add_ready()
        if report:
            report(done, rounds)
    add_ready()
    result = build_simulation(plan, prepared, settler, totals)
    store.clear()
    return result

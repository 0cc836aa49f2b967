"""Simulation: equal to the table, close to exact values, the same digits for any workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from croupier import submission
from croupier.analysis import TableHours, simulate
from croupier.analysis.simulation import blocks, executors
from croupier.analysis.simulation.batch_settlement import RoundSettler
from croupier.analysis.simulation.blocks import RoundBlock, SimulationPlan
from croupier.analysis.simulation.simulation_setup import build_seating
from croupier.documents.console import simulation_renderer
from croupier.documents.formatting import json_values
from croupier.errors import BadInput
from croupier.games import CATALOGUE, House, with_digest
from croupier.table import Table
from tests.support.cli import invoke
from tools import simulator_check

GAMES = [game.key for game in CATALOGUE]


@pytest.mark.parametrize("game", GAMES)
def test_the_simulator_pays_as_the_table(game: str) -> None:
    """The same decks and decisions at three seats: every net result, every meter, to the cent."""
    assert [] == list(simulator_check.differences(submission.example(game), 150, 3, seed=5))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_simulator_pays_as_the_table_over_many_rounds(game: str) -> None:
    """A hundred thousand rounds of one seat, and ten thousand of six."""
    house = submission.example(game)

    assert [] == list(simulator_check.differences(house, 100_000, 1, seed=11))
    assert [] == list(simulator_check.differences(house, 10_000, 6, seed=12))


def generous(house: House) -> House:
    """Meters with pools and shares, a low payout limit, chips of 5 dollars: all that is rare."""
    meters = {
        name: msgspec.structs.replace(
            meter,
            rate_percent=Fraction(41, 10),
            limit=meter.initial + 10,
            reserve_percent=Fraction(1),
        )
        for name, meter in house.meters.items()
    }
    return with_digest(replace(house, meters=meters, payout_limit=50_00))


@pytest.mark.parametrize("game", ["ultimate_texas_holdem", "run_em_twice"])
def test_meters_envy_and_limits_are_the_tables_own(game: str) -> None:
    """Rounds with awards, envy or a cut: those that a simulation keeps, played at the table."""
    house = generous(submission.example(game))
    ours = simulator_check.Simulated(house, 6)
    decks = simulator_check.decks_of(3, 120_000)
    codes = simulator_check.codes_of(ours.game, ours.seating, decks)
    needing = [int(number) for number in ours.all_marked(codes)]
    some = codes[:2_000].tolist()  # row by row it is the same
    marked = [at for at, rows in enumerate(some) if any(ours.marked(row) for row in rows)]
    assert marked == [number for number in needing if number < len(some)]
    envied = (number for number in needing if _envied(ours, codes[number].tolist()))
    enviable = list(islice(envied, 2))
    chosen = sorted({*needing[:40], *enviable})
    assert enviable, "a straight flush among these rounds"
    paid_envy = awards = 0
    for number in chosen:
        table = Table(house)
        ours.register = RoundSettler(ours.game, ours.seating, ours.worth)
        ours.register.fed = number  # as if it were the first round of a new table
        nets = ours.nets(number, codes[number].tolist())
        boxes = simulator_check.play_round(table, ours.seating, decks[0, :, number].tolist()).boxes

        assert nets == {seat: box.net for seat, box in boxes.items()}, number
        assert ours.register.meters == table.meters
        paid_envy += sum(box.envy for box in boxes.values())
        awards += len(ours.register.hits)
    assert paid_envy > 0 and awards > 0


@pytest.mark.parametrize("game", ["jackpot_holdem", "run_em_twice"])
def test_seats_are_added_up_as_one_by_one(game: str, tmp_path: Path) -> None:
    """Means and covariances with awards, cuts and resets among the rounds, beside a plain loop."""
    house, rounds = generous(submission.example(game)), 4_000
    ours = simulator_check.Simulated(house, 4)
    codes = simulator_check.codes_of(
        ours.game, ours.seating, simulator_check.decks_of(1, rounds)
    ).tolist()
    nets = np.array([[*ours.nets(at, rows).values()] for at, rows in enumerate(codes)])
    result = simulate(house, rounds, seats=4, folder=tmp_path)

    assert len(ours.register.hits) > 3
    assert ours.register.hits == list(result.hits)
    assert nets.mean(axis=0).tolist() == pytest.approx(result.net)
    assert np.cov(nets.T, bias=True) == pytest.approx(np.array(result.covariance))


def _envied(ours: simulator_check.Simulated, rows: list[list[int]]) -> bool:
    at = [side.wager for side in ours.game.sides].index("progressive")
    hands = [getattr(ours.game.sides[at].facts[row[at + 1]], "hand", "") for row in rows]
    return any(ours.game.house.envy_line(hand) for hand in hands)


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_meets_its_exact_value(game: str) -> None:
    """The main game and all side wagers at two seats, within four standard errors."""
    result = simulate(submission.example(game), 60_000, seats=2, seed=9)

    assert {"main", *result.plan.seating.stakes} == {wager.name for wager in result.wagers}
    assert result.worst < 4
    assert all(wager.exact is not None for wager in result.wagers)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_wager_meets_its_exact_value_over_many_rounds(game: str) -> None:
    """Ten million rounds of six seats."""
    assert simulate(submission.example(game), 10_000_000, seats=6, seed=2027).worst < 5


def digits(result: object) -> str:
    """All that a simulation says."""
    return json.dumps(json_values(simulation_renderer.to_json(result)), sort_keys=True)  # type: ignore[arg-type]


HOURS = TableHours(rounds_per_hour=10, hours=2, shifts_per_month=10)


def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_ROUNDS", 400)


def test_the_digits_are_the_same_for_any_workers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One thread, several, blocks in any order, stopped and resumed."""
    small_blocks(monkeypatch)
    house = submission.example("jackpot_holdem")
    whole = simulate(house, 2_010, seats=6, hours=HOURS, folder=tmp_path)

    monkeypatch.setattr(executors, "cores", lambda: 1)
    assert digits(whole) == digits(simulate(house, 2_010, seats=6, hours=HOURS, folder=tmp_path))

    seating = build_seating(house, 6)
    plan = blocks.make_plan(house, seating, 2_010, 1, HOURS)
    store = blocks.BlockStore(plan, tmp_path)
    for number in (4, 1):
        store.save(number, blocks.play_block(plan, number))
    (store.folder / "2.npz").write_bytes(b"torn")  # a kill while writing
    played = []

    def noted(plan: SimulationPlan, number: int) -> RoundBlock:
        played.append(number)
        return blocks.play_block(plan, number)

    monkeypatch.setattr(executors.run_in_threads, "__defaults__", (noted,))
    resumed = simulate(house, 2_010, seats=6, hours=HOURS, folder=tmp_path, resume=True)

    assert digits(whole) == digits(resumed)
    assert [0, 3, 5] == sorted(played)
    assert not store.folder.exists()  # nothing is left of a simulation that is done


def dies_once(mark: Path, what: SimulationPlan, number: int) -> RoundBlock:
    """A worker that is lost the first time it plays block 1."""
    if number == 1 and not mark.exists():
        mark.touch()
        os._exit(9)
    return blocks.play_block(what, number)


def test_a_lost_worker_costs_only_its_blocks(tmp_path: Path) -> None:
    """A process that dies in the middle: the others' blocks stay, its own is played again."""
    house = submission.example("top_five")
    what = blocks.make_plan(house, build_seating(house, 2), 3 * 2**18, 1, TableHours())
    what = what._replace(rounds=2 * what.block + 10)
    dies = partial(dies_once, tmp_path / "died")
    result = dict(executors.run_in_processes(what, range(what.blocks), 1, dies))

    assert [0, 1, 2] == sorted(result)
    assert (tmp_path / "died").exists()
    for number, block in result.items():
        again = blocks.play_block(what, number)
        for name in RoundBlock._fields:
            assert np.array_equal(getattr(block, name), getattr(again, name)), name


KILLED = """
import sys
from pathlib import Path
from croupier import submission
from croupier.analysis import simulate
house, folder = submission.example("top_five"), Path(sys.argv[1])
simulate(house, 10**12, workers=1, folder=folder, report=lambda *_: print(1, flush=True))
"""


def test_workers_exit_with_their_parent(tmp_path: Path) -> None:
    """A killed command leaves no worker behind: its end of the pipe is the last one."""
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running_there:
        assert running_there.stdout is not None
        for _ in range(3):  # two blocks are done: workers are running
            running_there.stdout.readline()
        running_there.kill()
        rest, _ = running_there.communicate(timeout=30)  # until no process holds the pipe

    assert rest.strip("1\n") == ""


@pytest.mark.slow
def test_a_cluster_gives_the_same_digits_and_survives_a_lost_worker() -> None:
    """Dask with two workers, one of which is killed on the way."""
    dask: Any = import_module("distributed")
    house = submission.example("top_five")
    here = simulate(house, 3_000_000, seats=2)
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        killed: list[int] = []

        def kill(done: int, of: int) -> None:
            if done > 0 and not killed:
                nanny = next(iter(cluster.workers.values()))
                killed.append(nanny.pid)
                os.kill(nanny.pid, 9)

        there = simulate(house, 3_000_000, seats=2, cluster=cluster.scheduler_address, report=kill)
    assert killed
    assert digits(here) == digits(there)


def test_other_strategies_have_no_exact_value() -> None:
    """Seats that do not play their best are simulated, and compared with nothing."""
    house = submission.example("ultimate_texas_holdem")
    table = ("optimal", "chart", "early", "late", "never_bet")
    result = simulate(house, 50_000, seats=5, strategies=table)
    main, *_ = result.wagers

    assert [True, False, False, False, False] == [one is not None for one in main.errors]
    assert main.exact is None
    never = result.net[4] - result.net[0]
    assert never < -5_00  # who never bets loses the ante and the blind
    assert result.net[1] > result.net[2] > result.net[4]  # a simple chart beats betting blindly


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rounds": 0}, "rounds"),
        ({"seats": 7}, "seats"),
        ({"strategies": ("lucky",)}, "lucky"),
        ({"strategies": ("optimal", "optimal")}, "2 strategies for 1 seats"),
        ({"seed": -1}, "seed"),
        ({"ante": 1}, "is outside the limits"),
        ({"workers": 0}, "workers"),
        ({"hours": TableHours(stay=0)}, "stay"),
    ],
)
def test_what_cannot_be_simulated(arguments: dict[str, object], message: str) -> None:
    """Refused before anything is played, with what was expected."""
    house = submission.example("top_five")
    rounds = arguments.pop("rounds", 100)
    with pytest.raises(BadInput, match=message):
        simulate(house, rounds, **arguments)  # type: ignore[arg-type]


def test_the_command(tmp_path: Path) -> None:
    """`croupier simulate`: a table for people, JSON, a drawing and rows for programs."""
    import pyarrow.parquet

    plot, rows = tmp_path / "shifts.svg", tmp_path / "shifts.parquet"
    words = ["simulate", "jackpot", "--rounds", "20_000", "--seats", "2", "--hours", "2"]
    files = ["--plot", str(plot), "--parquet", str(rows)]
    shown = invoke([*words, *files])
    data = json.loads(invoke([*words, "--json"]).output)

    assert 0 == shown.exit_code, shown.output
    assert "errors by seat" in shown.output and "hold on drop" in shown.output
    assert 20_000 == data["rounds"] and 250 == data["shifts"]["count"]
    assert 250 == len(pyarrow.parquet.read_table(rows))
    awards = pyarrow.parquet.read_table(tmp_path / "shifts.awards.parquet")
    assert sum(meter["hits"] for meter in data["meters"].values()) == len(awards)
    assert plot.read_text().startswith("<?xml")
    again = invoke([*words, *files])
    assert 2 == again.exit_code and "exists already" in again.output

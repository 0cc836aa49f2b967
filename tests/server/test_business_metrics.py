"""Business metrics: win, theory and drift of each bet, and the version that runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from croupier import __version__
from croupier.server import Floor
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.paths import ROOT

TABLE = "T"
METRIC = re.compile(r"\b(croupier_[a-z_]+)")
LINE = re.compile(r'croupier_(\w+){bet="([^"]+)".*?table="T"} (\S+)')


async def scraped(world: ServerThread) -> str:
    """The metrics as Prometheus reads them."""
    async with httpx.AsyncClient(base_url=world.address) as http:
        return (await http.get("/metrics")).text


def update(world: ServerThread) -> None:
    """Compute the figures now."""

    async def work(floor: Floor) -> None:
        assert world.server is not None
        await world.server.metrics.business.update()

    world.within(work)


def test_win_and_theory_are_measured(tmp_path: Path) -> None:
    """The same figures as in the win report; the drift is the difference in half bands."""

    async def playing(world: ServerThread) -> dict[str, Any]:
        async with await world.client("ann") as ann:
            await play(ann, TABLE, 2, rounds=2)
        async with await world.client("petra") as petra:
            report: dict[str, Any] = await petra._request("GET", f"/tables/{TABLE}/win")
            return report

    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        report = run(playing(world))
        update(world)
        text = run(scraped(world))
    assert f'croupier_build_info{{protocol="2",version="{__version__}"}} 1.0' in text
    measured = {(match[1], match[2]): float(match[3]) for match in LINE.finditer(text)}
    assert report["lines"]
    for line in report["lines"]:
        assert measured["win_dollars", line["bet"]] == line["actual"] / 100
        if line["expected"] is not None:
            assert measured["theoretical_win_dollars", line["bet"]] == line["expected"] / 100
            difference = line["actual"] - line["expected"]
            bound = line["high"] if difference > 0 else line["low"]
            drift = measured["win_drift", line["bet"]]
            assert drift == pytest.approx(difference / abs(bound - line["expected"]))


def test_unchanged_tables_are_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only those with new entries."""
    computed: list[str] = []

    def counting(ledger: object, table: str, find: object) -> tuple[()]:
        computed.append(table)
        return ()

    monkeypatch.setattr("croupier.server.business_metrics.actual_wins", counting)
    with serving(tmp_path) as world:
        world.open("A", "top_five", service="attended")
        update(world)
        update(world)
    assert ["A"] == computed


@pytest.mark.parametrize("name", ["alerts.yaml", "grafana.json"])
def test_monitoring_files_name_metrics_that_exist(tmp_path: Path, name: str) -> None:
    """Alert rules and dashboard can be read, and every metric in them is served."""
    content = (ROOT / "docs" / "monitoring" / name).read_text()
    assert yaml.safe_load(content)  # JSON is YAML
    with serving(tmp_path) as world:
        text = run(scraped(world))
    served = set(METRIC.findall(text))
    named = {re.sub("_bucket$", "", each) for each in METRIC.findall(content)}
    assert named and named <= served | {f"{each}_total" for each in served}, named - served

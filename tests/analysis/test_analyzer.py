"""Analyses: typed results, the JSON and its published schema, and what papers print and draw."""

from __future__ import annotations

import dataclasses
import io
import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from rich.cells import cell_len
from rich.console import Console

import croupier
from croupier import submission
from croupier.analysis import (
    Analysis,
    analyze,
    analyze_game,
    analyzer,
    json_contract,
    standard_house,
    to_json,
    variants,
)
from croupier.documents.charts import plots, starting_hand_grid
from croupier.documents.console import analysis_renderer
from croupier.errors import BadInput
from croupier.games.expected_returns import main_key
from tests.table.scenario.test_scenario import validator

ULTIMATE = "ultimate_texas_holdem"


@pytest.fixture(scope="module")
def ultimate() -> Analysis:
    return analyze(submission.example(ULTIMATE))


@pytest.fixture(scope="module")
def top_five() -> Analysis:
    return analyze_game("top-five")


def printed(result: Analysis, width: int) -> str:
    """The tables of an analysis on a terminal of a width."""
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(analysis_renderer.render(result))
    return console.export_text()


def test_a_house(ultimate: Analysis) -> None:
    """Results are records that cannot be changed, and say what made them."""
    house = submission.example(ULTIMATE)

    assert (ULTIMATE, 1, croupier.__version__) == (
        ultimate.game,
        ultimate.edition,
        ultimate.version,
    )
    assert house.digest == ultimate.digest == ultimate.main.digest
    assert ultimate.assumptions
    assert ["blind=A"] == list(ultimate.mains)
    assert Fraction(-607723787676, 27813810024000) == ultimate.main.ev
    assert ultimate.main.edge_of_compulsory * 2 == ultimate.main.house_edge
    assert ["B"] == list(ultimate.wagers["trips"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        ultimate.main.ev = Fraction(0)  # type: ignore[misc]


def test_json_of_a_house(ultimate: Analysis) -> None:
    """The contract's own keys and figures, exact fractions beside the decimals."""
    result = to_json(ultimate)
    main = result["main"]

    assert "-607723787676/27813810024000" == main["ev"]
    assert 1 == sum(Fraction(share) for share in main["distribution"].values())
    assert ultimate.main.variance == Fraction(main["exact"]["variance"])
    assert ultimate.main.ev == sum(Fraction(part) for part in main["exact"]["components"].values())
    assert float(Fraction(main["exact"]["average_wager"])) == main["average_wager"]
    assert {"B"} == set(result["wagers"]["trips"])
    assert result == json.loads(json.dumps(result))


def test_the_schema_is_one() -> None:
    """It is itself valid under JSON Schema 2020-12."""
    jsonschema.Draft202012Validator.check_schema(validator("analysis").schema)


def test_results_follow_the_schema(ultimate: Analysis, top_five: Analysis) -> None:
    """A house, a game, a cross and its readings, wagers by letter and reading."""
    game = to_json(top_five)
    letters = analyzer.every_paytable(submission.example("jackpot_holdem"), "progressive")
    progressive = {
        letter: json_contract.readings_json(readings) for letter, readings in letters.items()
    }

    assert 2 == len(game["main"])
    for result in (
        game,
        {**game, "wagers": {"progressive": progressive}},
        to_json(ultimate),
        to_json(analyze(submission.example("run_em_twice"))),
    ):
        validator("analysis").validate(result)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("main", "ev"), -0.0218),
        (("main", "exact", "variance"), 24.4),
        (("assumptions",), []),
        (("main", "distribution"), {"-6": 0.25}),
        (("main", "outcomes", "win"), 1.5),
        (("main", "streets", 0, "marginal", 0, "hand"), "Kd 1d"),
        (("main", "chart", "AKs", "deals"), "4"),
        (("wagers", "trips", "B", "lines"), []),
        (("wagers", "progressive", "C", "meters"), {"mega": {"coefficient": "1/2"}}),
        (("game",), "blackjack"),
    ],
)
def test_what_the_schema_refuses(ultimate: Analysis, path: tuple[Any, ...], value: Any) -> None:
    """A number for a fraction, a share above one, an invalid card: each is refused."""
    changed: Any = to_json(ultimate)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value

    with pytest.raises(jsonschema.ValidationError):
        validator("analysis").validate(changed)


def test_a_game() -> None:
    """Every paytable and reading, by name."""
    result = analyze_game("texas-holdem-bonus")

    keys = ["ante_return_threshold=straight", "ante_return_threshold=flush"]
    assert keys == list(result.mains) == list(to_json(result)["main"])
    assert ["A", "B"] == list(result.wagers["texas_holdem_bonus"])
    progressive = analyzer.every_paytable(standard_house(ULTIMATE), "progressive")
    assert ["A", "B", "C", "D"] == list(progressive)
    assert 8 == len(progressive["A"])


def test_a_wager_of_one_reading_stands_by_itself(top_five: Analysis) -> None:
    """In the JSON a letter leads to the result where no reading changes it."""
    letters = to_json(top_five)["wagers"]["poker_bonus"]

    assert all("ev" in result for result in letters.values())
    assert {""} == {reading for _, _, reading, _ in top_five.sides()}


def test_tables_fit_eighty_columns(ultimate: Analysis, top_five: Analysis) -> None:
    """No line is longer and no figure is cut; the readings of a progressive are all there."""
    base = standard_house(ULTIMATE)
    progressive = {"progressive": analyzer.every_paytable(base, "progressive")}
    everything = dataclasses.replace(ultimate, wagers={**ultimate.wagers, **progressive})
    for result in (everything, top_five):
        text = printed(result, 80)

        assert max(cell_len(line) for line in text.splitlines()) <= 80
        assert "…" not in text
    text = printed(everything, 80)
    assert "2.1850%" in text
    assert "progressive_basis best_five_of_seven" in text
    assert "favorable at reset" in text


def test_the_chart_is_a_square() -> None:
    """Suited above the diagonal, off-suit below, aces first: 169 names, none twice."""
    names = [starting_hand_grid.hand_at(row, column) for row in range(13) for column in range(13)]

    assert ("AA", "AKs", "AKo", "22") == (names[0], names[1], names[13], names[-1])
    assert 169 == len(set(names))


def test_a_drawing_says_its_setting(ultimate: Analysis, tmp_path: Path) -> None:
    """A title with game and setting, an axis with losses on it, a cell for every hand."""
    text = plots.plot(ultimate, tmp_path / "out.svg").read_text("utf-8")

    assert "<svg" in text
    for drawn in ("Ultimate Texas Hold'Em Poker, blind A", "-5", "+100", "72o", "net result"):
        assert f"<!-- {drawn}" in text, drawn


def test_ticks_of_a_small_game(top_five: Analysis, tmp_path: Path) -> None:
    """Top Five ends between two lost and two won: each whole number has its tick."""
    text = plots.plot(top_five, tmp_path / "out.svg", list(top_five.mains)[1]).read_text("utf-8")

    for drawn in ("-2 ", "-1 ", "0 ", "+1 ", "+2 ", "Top Five Poker, tie break extra cards false "):
        assert f"<!-- {drawn}" in text, drawn


def test_what_cannot_be_drawn(ultimate: Analysis, tmp_path: Path) -> None:
    """Another kind of file, or a setting that was not analysed."""
    with pytest.raises(BadInput):
        plots.plot(ultimate, tmp_path / "out.png")
    with pytest.raises(BadInput):
        plots.plot(ultimate, tmp_path / "out.svg", "blind=Z")


def test_settings_are_named_as_they_are_chosen() -> None:
    """The setting of a result is the key of the choices behind it."""
    house = variants.with_settings(standard_house("run_em_twice"), {"center_rule": "even_money"})

    assert "ante_rule=own_run,center_rule=even_money,ace_low_straight=true" == main_key(house)


@pytest.mark.parametrize(("least", "most"), [(-2, 2), (-6, 504), (-10, 2500), (-15, 3300)])
def test_the_labels_of_a_plot_do_not_touch(least: int, most: int) -> None:
    """Whatever the reach of the results, with zero and both signs among them."""
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(14, 6.5), layout="constrained")
    axes = figure.subplots(1, 2)[0]
    axes.set_yscale("log")
    plots.set_ticks(axes, least, most)
    figure.savefig(io.BytesIO(), format="png")
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    texts = [label.get_text() for label in axes.get_xticklabels()]

    assert all(one.x1 < other.x0 for one, other in pairwise(boxes)), texts
    assert {"-2", "0", "+2"} <= set(texts)

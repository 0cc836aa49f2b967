"""How results are shown: one screen as text and HTML, data frames, figures."""

from __future__ import annotations

import sys
from dataclasses import make_dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier import analysis, submission
from croupier.analysis import result_display
from croupier.errors import BadInput

TOP_FIVE = "top_five"
RULES = "play: live >= 3 or pair -> 1x"


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """One result of every kind, by class name."""
    house = submission.example(TOP_FIVE)
    ultimate = submission.example("ultimate_texas_holdem")
    whole = analysis.analyze(house)
    solution = analysis.solve(house)
    session = analysis.analyze_session(solution, 100, Fraction(20), Fraction(1, 10))
    found = [
        whole,
        whole.main,
        solution,
        whole.main.chart[0],
        next(result for *_, result in whole.sides()),
        session,
        session.ruin,
        analysis.progressive_economics(ultimate),
        *analysis.design_paytable(ultimate, "trips", Fraction(35, 1000), shown=1),
        analysis.reachable_hit_frequencies(ultimate, "trips")[0],
        analysis.strategy_cost(house, RULES),
        analysis.search_rules(house, 1)[-1],
        analysis.simulate(house, 4_000, seats=2),
        analysis.analyze_exposure(house, "dealer:1"),
        analysis.analyze_game(TOP_FIVE),
    ]
    return {f"{type(result).__name__} {at}": result for at, result in enumerate(found)}


def the(results: dict[str, Any], kind: str) -> Any:
    """The first result of a kind."""
    return next(result for name, result in results.items() if name.startswith(f"{kind} "))


def test_a_result_fits_one_screen(results: dict[str, Any]) -> None:
    """At most 24 lines of 80 characters, with the name of the class and the first figure."""
    for name, result in results.items():
        lines = repr(result).splitlines()
        assert len(lines) <= 24 and max(map(len, lines)) <= 80, name
        assert repr(result).startswith(type(result).__name__)
        assert len(result._repr_html_()) < 8_000


def test_many_figures_are_cut_off() -> None:
    """Beyond a screen only their number is shown, also of mappings that need several lines."""
    fields = [(f"figure_{at:02}", dict) for at in range(12)]
    kind = make_dataclass("Wide", fields, bases=(result_display.ResultDisplay,), repr=False)
    lines = repr(kind(*[{f"long name {at}": at for at in range(12)}] * 12)).splitlines()

    assert 24 == len(lines) and "  ... 12 figures in all" == lines[-1]


def test_every_public_result_has_the_display() -> None:
    """Every exported record that is computed, except advice and rules, which are one line."""
    plain = {"Advice", "FactsCounts", "RoundTally", "TableHours", "RecordedDecision"}
    plain |= {"Rule", "RuleList", "PlayerEvidence", "Payoffs", "Features", "Strategy"}
    for name in analysis.__all__:
        value = getattr(analysis, name)
        if isinstance(value, type) and name not in plain:
            assert issubclass(value, result_display.ResultDisplay), name


def test_the_text_has_exact_figures(results: dict[str, Any]) -> None:
    """Decimal and fraction, every edge by name, long collections counted."""
    main = the(results, "MainResult")
    text = repr(main)

    assert "house_edge          0.00493136 = 799646116/162155248255" in text
    assert f"... {len(main.chart)} in all]" in text
    assert "top_five_bonus" in repr(the(results, "Analysis"))
    html = the(results, "Analysis")._repr_html_()
    assert html.startswith("<table>") and "&lt;" not in html and "house_edges" in html


def test_text_for_the_browser_is_escaped() -> None:
    """A value with markup is shown, not interpreted."""
    value = analysis.ValueAtAnte("<b>", Fraction(1))  # type: ignore[arg-type]
    assert "&lt;b&gt;" in value._repr_html_()


def test_frames(results: dict[str, Any]) -> None:
    """A row per item of the main part, of another part, or of the figures themselves."""
    whole = the(results, "Analysis")
    edges = whole.to_frame().set_index("key")["house_edge"].dropna()
    assert float(whole.main.house_edge) == edges.iloc[0]
    assert len(whole.results) == len(whole.to_frame())
    main = the(results, "MainResult")
    frame = main.to_frame()
    assert ["key", "value"] == list(frame.columns)
    mean = (frame["key"] * frame["value"]).sum() / frame["value"].sum()
    assert mean == pytest.approx(float(main.ev))
    chart = main.to_frame("chart")
    assert len(main.chart) == len(chart) and "options_fold" in chart.columns
    (row,) = main.to_frame("").to_dict("records")
    assert row["standard_deviation"] == main.standard_deviation and row["outcomes_win"] > 0
    lines = the(results, "StrategyCost").to_frame()
    assert ["play", "play"] == lines["street"].tolist()
    shifts = the(results, "Simulation").to_frame("shift_rows")
    assert ["win", "handle", "drop"] == list(shifts.columns)
    assert len(the(results, "ExposureResult").to_frame()) > 5
    with pytest.raises(BadInput, match="part 'trips'; expected one of: house_edge"):
        main.to_frame("trips")


def test_frames_without_pandas(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars is used if pandas is not installed; without both the error names what to install."""
    installed = {"polars"}
    monkeypatch.setattr(result_display, "find_spec", lambda name: name in installed)
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=dict))
    frame = the(results, "SessionResult").to_frame()
    assert [-1, 1] == [-1 if value < 0 else 1 for value in (frame["value"][0], frame["value"][-1])]
    assert [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] == frame["key"]
    installed.clear()
    with pytest.raises(ImportError, match="run: pip install pandas"):
        the(results, "SessionResult").to_frame()


@pytest.mark.parametrize(
    "kind",
    ["Analysis", "MainResult", "Solution", "SideResult", "SessionResult", "PaytableDesign"]
    + ["StrategyCost", "SearchResult", "Simulation", "ExposureResult"],
)
def test_plots(results: dict[str, Any], kind: str, tmp_path: Path) -> None:
    """A figure that notebooks show as SVG and that can be saved."""
    file = tmp_path / "plot.svg"
    figure = the(results, kind).plot(file)

    assert "<svg" in figure._repr_svg_() and "<svg" in file.read_text("utf-8")
    assert any(axes.has_data() for axes in figure.axes)


def test_what_has_no_plot_says_so(results: dict[str, Any]) -> None:
    """An amount is not a drawing; neither is a game solved without its distribution."""
    with pytest.raises(BadInput, match="RiskOfRuin has nothing to plot"):
        the(results, "RiskOfRuin").plot()
    with pytest.raises(BadInput, match="without its distribution"):
        analysis.solve(submission.example(TOP_FIVE), distribution=False).plot()

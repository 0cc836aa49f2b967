"""Report formats: text, CSV, JSON, PDF; escaping; actual against theoretical win."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import pypdfium2
import pytest

from croupier.analysis import cached_main_distribution, prediction_interval
from croupier.documents.filing.document_blocks import TableBlock
from croupier.documents.reports import theoretical_win as theory
from croupier.documents.reports.model import (
    NO_ACTIVITY,
    Column,
    Row,
    Section,
    decimal,
    escape_cell,
    format_cell,
    text_table,
)
from croupier.documents.reports.report_pdf import key_columns, report_pdf, tables_of
from croupier.documents.reports.report_registry import REPORTS, report
from croupier.documents.reports.theoretical_win import (
    MAIN,
    Theory,
    compare_with_theory,
    round_cents,
    square_root,
)
from croupier.errors import Unknown
from croupier.games import House
from croupier.ledger import Ledger, NotFound
from croupier.ledger.aggregates.administration import RECORDS_CLAUSE
from croupier.ledger.queries.activity import (
    Activity,
    MainWagerActivity,
    WagerActivity,
    collect_activity,
)
from croupier.ledger.queries.periods import period_between
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, play_round, random_round
from tests.support.rounds import UTH, Seat, house, refuses

pytestmark = pytest.mark.xdist_group("casino")  # one worker plays the shifts that are reported

Rows = list[dict[str, Any]]
Moment = dt.datetime | int | None


def section(data: dict[str, Any], title: str) -> Rows:
    """The rows of one section."""
    return next(part["rows"] for part in data["sections"] if part["title"] == title)


def test_names_are_escaped_in_a_report(lite: Ledger) -> None:
    """No terminal control sequences or spreadsheet formulas get through."""
    table = lite.open_table("=A1", example_house(), by=SYSTEM)
    name = "=HYPERLINK(1)\x1b[2J\n\x9b"
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, name), ANN)
    table.do(cmd.NoMoreBets(), ANN)
    table.do(cmd.FindWrongNumber("seat 1"), ANN)
    table.do(cmd.Settle(), ANN)
    made = report(lite, "irregularities")
    cells = [cell for row in csv.reader(io.StringIO(made.csv())) for cell in row]

    for output in (made.text(), made.csv(), made.json()):
        assert "\x1b" not in output
        assert "\x9b" not in output
    assert not [cell for cell in cells if cell.startswith("=")]
    assert ("'=x", "'@x", "-5", "+1.5", "", "x") == tuple(
        map(escape_cell, ("=x", "@x", "-5", "+1.5", "", "x"))
    )


# Formats


@pytest.mark.parametrize("kind", REPORTS)
def test_an_empty_period_is_reported_as_such(casino: Ledger, kind: str) -> None:
    """In every format."""
    empty = report(casino, kind, day="1999-01-01")

    assert NO_ACTIVITY in empty.text()
    assert NO_ACTIVITY in empty.csv()
    assert json.loads(empty.json())["no_activity"]


@pytest.mark.parametrize("kind", REPORTS)
def test_formats_agree(casino: Ledger, kind: str) -> None:
    """CSV and JSON have the same cells, and the text has a line for every row."""
    made = report(casino, kind)
    rows = [row for part in made.data()["sections"] for row in part["rows"]]
    blocks = [list(csv.DictReader(io.StringIO(b))) for b in made.csv().split("\n\n") if b]
    cells = [row for block in blocks for row in block]

    assert len(rows) == len(cells)
    for row, cell in zip(rows, cells, strict=True):
        assert {k: "" if v is None else str(escape_cell(v)) for k, v in row.items()} == {
            k: v for k, v in cell.items() if k != "section"
        }
    assert len(made.text().splitlines()) > len(rows)


@pytest.mark.parametrize("kind", REPORTS)
def test_a_narrow_screen_gets_rows_as_blocks(casino: Ledger, kind: str) -> None:
    """Every title and cell of the wide table is in the narrow one."""
    for part in report(casino, kind).sections:
        if not part.rows:
            continue
        table, narrow = text_table(part), text_table(part, width=1)
        heading, _, *rows = table
        assert table == text_table(part, width=max(map(len, table)))
        assert narrow == text_table(part, width=max(map(len, table)) - 1)
        assert set(" ".join([heading, *rows]).split()) <= set(" ".join(narrow).split())
        assert len(part.rows) - 1 == narrow.count("")


@pytest.mark.parametrize("kind", REPORTS)
def test_every_percentage_names_its_denominator(casino: Ledger, kind: str) -> None:
    """In the title of its column and in its key."""
    for part in report(casino, kind).sections:
        for column in part.columns:
            if "%" in column.title and column.kind != "cents":
                assert "% of " in column.title
                assert "_percent_of_" in column.key
    with pytest.raises(AssertionError, match="of what"):
        Column("win_percent", "win %", "percent")


def test_unknown_reports_and_tables_are_refused(casino: Ledger) -> None:
    """Neither an unknown report nor an unknown table."""
    with pytest.raises(Unknown, match="shift"):
        report(casino, "shifts")
    with pytest.raises(NotFound, match="plain"):
        report(casino, "shift", table="Z")


def test_an_invalid_day_is_refused(casino: Ledger) -> None:
    """The message says that it is not a day."""
    for day in ("someday", "2026-02-30", "10000-01-01"):
        with refuses(RECORDS_CLAUSE, match="is not a day"):
            report(casino, "day", day=day)


# Theory


def test_the_interval_is_exact(lite: Ledger) -> None:
    """Theoretical win plus and minus 1.96 standard deviations, in exact fractions."""
    table = lite.open_table("A", house(UTH), by=SYSTEM)
    for cards in ("Ah Ad", "2c 7d"):
        seats = {1: Seat(cards, "4x", ante=1000, blind=1000, trips=500)}
        play_round(table, seats, dealer="Kc Kd", community="3h 5s 9c Jd 4s").finish()

    def theory(house: House) -> dict[str, Theory]:
        return {
            "trips": Theory(Fraction(1, 50), Fraction(4)),
            MAIN: Theory(Fraction(1, 100), None),
        }

    rows = compare_with_theory(
        [collect_activity(lite, "A", period_between(lite))], lite.house, theory
    ).rows
    main, trips = rows
    margin = Fraction(196, 100) * square_root(Fraction(4 * 2 * 500**2))
    # One ace pair beat kings (ante and play paid, blind pushed), one seven-high lost everything.
    assert (2, 2000, -5000 + 6000, 20) == tuple(
        main[key] for key in ("count", "staked", "actual", "theoretical")
    )
    assert (2, 1000, 1000, 20) == tuple(
        trips[key] for key in ("count", "staked", "actual", "theoretical")
    )
    assert (round_cents(20 - margin), round_cents(20 + margin)) == (trips["low"], trips["high"])
    assert "" == trips["flag"]


def test_a_win_outside_the_interval_is_flagged() -> None:
    """A bet without theory is flagged as such."""
    rules = house(UTH)
    totals = WagerActivity(house=rules.digest, wager="trips", settled=100, handle=50_000)
    totals.stakes = {500: 100}
    activity = Activity(table="A")
    activity.wagers = {(rules.digest, "trips"): totals}

    def flag(theory: dict[str, Theory]) -> Any:
        return compare_with_theory([activity], lambda digest: rules, lambda house: theory).rows[0][
            "flag"
        ]

    assert "OUTSIDE 95%" == flag({"trips": Theory(Fraction(1, 50), Fraction(1))})
    assert "" == flag({"trips": Theory(Fraction(99, 100), Fraction(1))})
    assert "no theory" == flag({})


def test_the_band_of_a_side_wager_is_that_of_its_distribution() -> None:
    """Ten bets that win 8 units with probability 1/10: the house wins at most ten stakes.

    A normal approximation would let the house win more than was staked.
    """
    rules = house(UTH)
    totals = WagerActivity(house=rules.digest, wager="trips", settled=10, handle=5_000)
    totals.stakes = {500: 10}
    activity = Activity(table="A")
    activity.wagers = {(rules.digest, "trips"): totals}
    shares = {Fraction(8): Fraction(1, 10), Fraction(-1): Fraction(9, 10)}

    def row(theory: Theory) -> Any:
        section = compare_with_theory(
            [activity], lambda digest: rules, lambda house: {"trips": theory}
        )
        return section.rows[0]

    bell = row(Theory(Fraction(1, 10), Fraction(729, 100)))
    exact = row(Theory(Fraction(1, 10), Fraction(729, 100), shares))
    assert bell["high"] > 5_000 == exact["high"]
    # Three hits, 24 stakes against seven, still belong to the middle 95%; four do not.
    assert -(3 * 8 - 7) * 500 == exact["low"]
    assert "" == exact["flag"]
    totals.returned = 4 * 9 * 500
    assert "OUTSIDE 95%" == row(Theory(Fraction(1, 10), Fraction(729, 100), shares))["flag"]


def test_the_band_of_the_main_game_is_that_of_its_distribution() -> None:
    """By its antes, which may differ; the precomputed distribution is used."""
    rules = house(UTH)
    known = theory.theory_from_analysis(rules)
    main = MainWagerActivity(
        house=rules.digest, boxes=4, antes=40_00, win=-40_00, win_squares=10**14
    )
    antes = WagerActivity(house=rules.digest, wager="ante", settled=4, handle=40_00)
    activity = Activity(table="A")
    activity.mains, activity.wagers = {rules.digest: main}, {(rules.digest, "ante"): antes}

    def row() -> Any:
        return compare_with_theory([activity], lambda digest: rules, lambda house: known).rows[0]

    antes.stakes = {10_00: 4}
    interval = prediction_interval(cached_main_distribution(rules) or {}, 4)
    assert (-interval.high * 4, -interval.low * 4) == (
        Fraction(row()["low"], 10_00),
        Fraction(row()["high"], 10_00),
    )
    assert "" == row()["flag"]
    # One ante of 25 and three of 5: the result of the large one counts five times.
    antes.stakes = {5_00: 3, 25_00: 1}
    interval = prediction_interval(cached_main_distribution(rules) or {}, {1: 3, 5: 1})
    assert (-interval.high * 40_00, -interval.low * 40_00) == (row()["low"], row()["high"])
    assert interval.low < prediction_interval(cached_main_distribution(rules) or {}, 4).low
    main.win = -505 * 40_00
    assert "OUTSIDE 95%" == row()["flag"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("1/3", "0.33"), ("-1/3", "-0.33"), ("1/200", "0.01"), ("-1/400", "0.00"), ("5", "5.00")],
)
def test_decimals_round_half_away_from_zero(value: str, text: str) -> None:
    """Without floats."""
    assert text == decimal(Fraction(value), 2)


def test_reports_work_without_analysis(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The theory is omitted, the other figures stay."""
    monkeypatch.setattr(theory, "_cache", {})
    monkeypatch.setitem(sys.modules, "croupier.analysis", None)
    random_round(lite.open_table("A", example_house(), by=SYSTEM), random.Random(1))
    rows = section(report(lite, "wagers").data(), "Actual against theoretical win")

    assert rows
    assert all("no theory" == row["flag"] for row in rows)


def test_reports_use_exact_house_edges(lite: Ledger) -> None:
    """The house edge of Ultimate's main game is 2.185% of an ante."""
    pytest.importorskip("croupier.analysis")
    random_round(lite.open_table("A", example_house(), by=SYSTEM), random.Random(1))
    rows = section(report(lite, "wagers").data(), "Actual against theoretical win")
    main = next(row for row in rows if row["bet"] == MAIN)

    assert "2.1850" == main["theoretical_percent_of_staked"]


# PDF


def test_a_printed_report_has_every_figure_of_the_report(casino: Ledger) -> None:
    """All columns of all sections, including those that are split."""
    for kind in REPORTS:
        made = report(casino, kind)
        pages = pypdfium2.PdfDocument(report_pdf(made))
        printed = Counter(" ".join(page.get_textpage().get_text_range() for page in pages).split())
        expected = Counter(
            word
            for part in made.sections
            for row in part.rows
            for column in part.columns
            for word in format_cell(column, row.get(column.key)).split()
        )
        assert {} == {word: count for word, count in expected.items() if printed[word] < count}, (
            kind
        )


def test_a_printed_report_is_the_same_bytes_again(casino: Ledger) -> None:
    """It does not depend on the time of printing."""
    assert report_pdf(report(casino, "payouts")) == report_pdf(report(casino, "payouts"))


def test_wide_sections_are_split_and_repeat_their_key_columns() -> None:
    """As few parts as fit, about equally full; every column appears once."""
    columns = [Column("table", "table"), *(Column(f"c{n}", f"c{n}", "cents") for n in range(20))]
    rows: list[Row] = [
        {"table": name, **{f"c{n}": 1_000_000_00 for n in range(20)}} for name in "AB"
    ]
    tables = tables_of(Section(title="Wide", columns=columns, rows=rows))
    titles = [part.titles for part in tables if isinstance(part, TableBlock)]

    assert 2 < len(titles) < 5
    assert {"table"} == {part[0] for part in titles}
    assert [f"c{n}" for n in range(20)] == [title for part in titles for title in part[1:]]
    assert max(map(len, titles)) - min(map(len, titles)) <= 1


def test_key_columns_identify_each_row() -> None:
    """Two documents of one table are distinguished by their serials."""
    columns = [Column("table", "table"), Column("serial", "serial", "count")]
    cells = {"table": ["D", "D"], "serial": ["1", "2"]}

    assert columns == key_columns(columns, cells)
    assert columns[:1] == key_columns(columns, {**cells, "table": ["D", "E"]})
    assert ("-$0.00+", "$2.49+", "$3.00") == tuple(
        format_cell(Column("m", "m", "meter"), cents)
        for cents in (Fraction(-1, 2), Fraction(499, 2), 300)
    )

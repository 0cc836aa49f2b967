"""Reports equal a brute-force recomputation from the raw events, over random shifts."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from croupier.ledger.chain import moment

from croupier.errors import Unknown
from croupier.ledger import Ledger, NotFound, corrections
from croupier.papers.reports import REPORTS, gaming_day, report
from croupier.papers.sheet import NO_ACTIVITY, Column, decimal
from croupier.papers.theory import MAIN, Theory, against_theory, nearest, root
from tests.ledger.brute import Brute
from tests.ledger.record import example, random_round
from tests.ledger.shifts import play as play_shift
from tests.support import EVERY_GAME, UTH, Play, Seat, house

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A live table of every game after a shift, and two plain ones in mid-afternoon."""
    with Ledger(tmp_path_factory.mktemp("reports") / "ledger.db") as ledger:
        for index, game in enumerate(EVERY_GAME):
            play_shift(ledger, game, 100 + index, acts=150)
        start = dt.datetime(2026, 1, 1, 0, 0, tzinfo=dt.UTC)
        for name in ("plain", "linked"):
            group = "g" if name == "linked" else ""
            table = ledger.open_table(name, example(), group=group, at=start)
            rng, at = random.Random(name), start
            for _ in range(25):
                at += dt.timedelta(minutes=rng.randrange(1, 20))

                def do(command: Any, table: Any = table, at: dt.datetime = at) -> Any:
                    return table.do(command, by="dealer ann", at=at)

                random_round(table, rng, do)
        yield ledger


def periods(ledger: Ledger) -> list[tuple[dt.datetime | None, dt.datetime | None]]:
    """The whole record, random stretches, and one in which nothing happened."""
    rng = random.Random(6)
    times = sorted(
        {row.time for name in ledger.tables() for row in ledger.store.read(f"table:{name}")}
    )
    found: list[tuple[dt.datetime | None, dt.datetime | None]] = [(None, None)]
    for _ in range(6):
        since, until = sorted(rng.sample(times, 2))
        found.append((moment(since), moment(until)))
    return [
        *found,
        (dt.datetime(1999, 1, 1, tzinfo=dt.UTC), dt.datetime(1999, 1, 2, tzinfo=dt.UTC)),
    ]


def section(data: dict[str, Any], title: str) -> Rows:
    return next(part["rows"] for part in data["sections"] if part["title"] == title)


def brutes(ledger: Ledger, since: Any, until: Any) -> dict[str, Brute]:
    from croupier.ledger.chain import stamp

    found = {
        name: Brute(
            list(ledger.store.read(f"table:{name}")),
            stamp(since) if since else "",
            stamp(until) if until else "",
        )
        for name in ledger.tables()
    }
    return {name: brute for name, brute in found.items() if brute.within}


def test_table_revenue_is_what_the_events_add_up_to(casino: Ledger) -> None:
    """Inventories, drop, fills and credits against settlements: no difference in any period."""
    for since, until in periods(casino):
        rows = section(report(casino, "shift", since=since, until=until).data(), "Table revenue")
        by_table = {row["table"]: row for row in rows if row["table"] != "all"}
        expected = brutes(casino, since, until)
        assert set(expected) == set(by_table)
        for name, brute in expected.items():
            row = by_table[name]
            brought = brute.total("table_opened", "inventory")
            taken = brute.total("table_closed", "inventory")
            assert brute.rounds() == row["rounds"]
            assert brute.win() == row["settled_cents"]
            assert brute.drop() == row["drop_cents"]
            assert brute.total("fill_received", "chips") == row["fills_cents"]
            assert brute.total("credit_sent", "chips") == row["credits_cents"]
            assert brute.tray(brute.before) + brought == row["opening_cents"]
            assert brute.tray(brute.before + brute.within) + taken == row["closing_cents"]
            assert 0 == row["difference_cents"], (name, since, until, row)


def test_wagers_are_what_was_settled(casino: Ledger) -> None:
    """Handle, paid back and voided by wager."""
    for since, until in periods(casino):
        rows = section(report(casino, "wagers", since=since, until=until).data(), "Wagers")
        found: dict[str, dict[str, dict[str, int]]] = {}
        for row in rows:
            if row["wager"] != "envy bonuses":
                keys = ("settled", "handle_cents", "returned_cents", "voided_cents")
                found.setdefault(row["table"], {})[row["wager"]] = {key: row[key] for key in keys}
                assert row["win_cents"] == row["handle_cents"] - row["returned_cents"]
        expected = {name: brute.wagers() for name, brute in brutes(casino, since, until).items()}
        assert {name: wagers for name, wagers in expected.items() if wagers} == found


def test_game_accounts_are_the_players_own_sums(casino: Ledger) -> None:
    """Deposits, winnings, losses and withdrawals of each, and of all."""
    for since, until in periods(casino):
        rows = section(report(casino, "day", since=since, until=until).data(), "Game accounts")
        keys = ("deposits", "winnings", "losses", "withdrawals")
        found: dict[str, dict[str, dict[str, int]]] = {}
        for row in rows:
            told = {key: row[f"{key}_cents"] for key in keys}
            found.setdefault(row["table"], {})[row["player"]] = told
        for name, brute in brutes(casino, since, until).items():
            players = brute.players()
            own = found.get(name, {})
            everybody = own.pop("all players", dict.fromkeys(keys, 0))
            assert players == own
            assert {key: sum(p[key] for p in players.values()) for key in keys} == everybody


def test_meters_reconcile(casino: Ledger) -> None:
    """Seeds and resets, contributions, awards and what shows; the difference is nothing."""
    for since, until in periods(casino):
        data = report(casino, "progressive", since=since, until=until).data()
        rows = section(data, "Meters")
        hits = section(data, "Hits")
        assert all(0 == row["difference_cents"] for row in rows)
        for name, brute in brutes(casino, since, until).items():
            if name == "linked":
                continue
            expected = brute.meters()
            own = {row["meter"]: row for row in rows if row["where"] == name}
            assert set(expected) == set(own)
            for meter, one in expected.items():
                for key in ("fed", "won", "funded", "shows"):
                    assert one[key] == Fraction(own[meter][f"{key}_cents"])
            paid = [(e["seat"], e["meter"], e["paid"]) for e in brute.of("meter_paid")]
            told = [(h["seat"], h["meter"], h["paid_cents"]) for h in hits if h["where"] == name]
            assert paid == told


def test_shared_meters_reconcile(casino: Ledger) -> None:
    """The group's own line, and its hits in the order of the wins."""
    data = report(casino, "progressive").data()
    rows = [row for row in section(data, "Meters") if row["where"] == "g"]
    brute = Brute(list(casino.store.read("table:linked")))
    fed = brute.meters()

    assert set(fed) == {row["meter"] for row in rows}
    assert all(fed[row["meter"]]["shows"] == Fraction(row["shows_cents"]) for row in rows)


def test_registers_list_what_happened(casino: Ledger) -> None:
    """Decks, irregularities and payout documents, event by event."""
    for since, until in periods(casino):
        expected = brutes(casino, since, until)

        def times(*kinds: str, expected: dict[str, Brute] = expected) -> list[str]:
            return sorted(e["_time"] for brute in expected.values() for e in brute.of(*kinds))

        decks = section(report(casino, "decks", since=since, until=until).data(), "Decks")
        loaded = sorted(row["time"] for row in decks if row["what"] == "deck loaded")
        trouble = report(casino, "irregularities", since=since, until=until).data()
        rows = section(trouble, "Irregularities")
        voids = [row for row in rows if row["what"] == "round voided"]
        payouts = report(casino, "payouts", since=since, until=until).data()
        documents = section(payouts, "Payout documents")

        assert times("deck_loaded") == loaded
        assert times("round_voided") == sorted(row["time"] for row in voids)
        assert times("irregularity_noted") == sorted(
            row["time"] for row in rows if row["what"] == "irregularity noted"
        )
        assert times("payout_documented") == sorted(row["time"] for row in documents)


def test_a_void_says_what_was_returned(lite: Ledger) -> None:
    """Every stake of the round, in cents, and who declared it."""
    table = lite.open_table("A", house(UTH))
    seats = {1: Seat("", "", ante=1000, blind=1000, trips=500)}
    play = Play(house(UTH), seats, table=table).until("show")  # type: ignore[arg-type]
    from croupier.table import commands as cmd

    table.do(cmd.FindWrongNumber("seat 1"), by="floorperson flo")
    play.step()
    rows = section(report(lite, "irregularities").data(), "Irregularities")

    assert [("round voided", 1, 2500, "floorperson flo")] == [
        (row["what"], row["round"], row["returned_cents"], row["actor"]) for row in rows
    ]


def test_corrections_and_adjustments_are_reported(lite: Ledger) -> None:
    """With both people and the reason."""
    lite.open_table("A", house(UTH))
    pair = {"by": "cage bob", "second": "manager mia"}
    corrections.correct(
        lite, "A", source="tray", target="difference", amount=500, reason="miscount", **pair
    )
    corrections.adjust_meter(
        lite,
        table_id="A",
        meter="mega",
        amount=Fraction(7, 2),
        reason="display fault",
        approval="MLC 12",
        **pair,
    )
    told = report(lite, "irregularities").text()
    adjusted = section(report(lite, "progressive").data(), "Adjustments")

    assert "miscount" in told
    assert "manager mia" in told
    assert [("mega", "3.5", "MLC 12", "manager mia")] == [
        (row["meter"], row["amount_cents"], row["approval"], row["second"]) for row in adjusted
    ]


# Shape


@pytest.mark.parametrize("kind", REPORTS)
def test_an_empty_period_is_reported_as_such(casino: Ledger, kind: str) -> None:
    """In every form."""
    empty = report(casino, kind, day="1999-01-01")

    assert NO_ACTIVITY in empty.text()
    assert NO_ACTIVITY in empty.csv()
    assert json.loads(empty.json())["no_activity"]


@pytest.mark.parametrize("kind", REPORTS)
def test_every_form_says_the_same(casino: Ledger, kind: str) -> None:
    """CSV and JSON have the same cells, and the table as many lines."""
    made = report(casino, kind)
    rows = [row for part in made.data()["sections"] for row in part["rows"]]
    blocks = [list(csv.DictReader(io.StringIO(b))) for b in made.csv().split("\n\n") if b]
    cells = [row for block in blocks for row in block]

    assert len(rows) == len(cells)
    for row, cell in zip(rows, cells, strict=True):
        assert {k: "" if v is None else str(v) for k, v in row.items()} == {
            k: v for k, v in cell.items() if k != "section"
        }
    assert len(made.text().splitlines()) > len(rows)


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


def test_what_does_not_exist_is_not_reported(casino: Ledger) -> None:
    """A report or a table that nobody has."""
    with pytest.raises(Unknown, match="shift"):
        report(casino, "shifts")
    with pytest.raises(NotFound, match="plain"):
        report(casino, "shift", table="Z")


def test_gaming_days_follow_one_another() -> None:
    """Twenty-four hours from six in the morning."""
    first, second = gaming_day("2026-01-31"), gaming_day("2026-02-01")

    assert first[1] == second[0]
    assert 6 == first[0].hour


# Theory


def test_the_interval_is_exact(lite: Ledger) -> None:
    """Expected win and two sides of 1.96 deviations, from fractions alone; outside is flagged."""
    rules = house(UTH)
    table = lite.open_table("A", rules)
    for cards in ("Ah Ad", "2c 7d"):
        Play(  # type: ignore[arg-type]
            rules,
            {1: Seat(cards, "4x", ante=1000, blind=1000, trips=500)},
            dealer="Kc Kd",
            community="3h 5s 9c Jd 4s",
            table=table,
        ).finish()

    def theory(house: Any) -> dict[str, Theory]:
        return {
            "trips": Theory(Fraction(1, 50), Fraction(4)),
            MAIN: Theory(Fraction(1, 100), None),
        }

    from croupier.ledger.activity import collect

    rows = against_theory([collect(lite, "A")], lite.house, theory).rows
    main, trips = rows
    stray = Fraction(196, 100) * root(Fraction(4 * 2 * 500**2))
    # One ace pair beat kings (ante and play paid, blind pushed), one seven-high lost everything.
    assert (2, 2000, -5000 + 6000, 20) == tuple(
        main[key] for key in ("count", "staked", "actual", "theoretical")
    )
    assert (2, 1000, 1000, 20) == tuple(
        trips[key] for key in ("count", "staked", "actual", "theoretical")
    )
    assert (nearest(20 - stray), nearest(20 + stray)) == (trips["low"], trips["high"])
    assert "" == trips["flag"]


def test_a_win_outside_the_interval_is_flagged() -> None:
    """And one without theory says so instead of passing."""
    from croupier.ledger.activity import Activity, WagerTotals

    rules = house(UTH)
    totals = WagerTotals(house=rules.digest, wager="trips", settled=100, handle=50_000)
    totals.stake_squares = 100 * 500**2
    activity = Activity(table="A", first=1, last=2, opening={}, closing={})
    activity.wagers = {(rules.digest, "trips"): totals}

    def flag(theory: dict[str, Theory]) -> Any:
        return against_theory([activity], lambda digest: rules, lambda house: theory).rows[0][
            "flag"
        ]

    assert "OUTSIDE 95%" == flag({"trips": Theory(Fraction(1, 50), Fraction(1))})
    assert "" == flag({"trips": Theory(Fraction(99, 100), Fraction(1))})
    assert "no theory" == flag({})


@pytest.mark.parametrize(
    ("value", "text"),
    [("1/3", "0.33"), ("-1/3", "-0.33"), ("1/200", "0.01"), ("-1/400", "0.00"), ("5", "5.00")],
)
def test_decimals_round_half_away_from_zero(value: str, text: str) -> None:
    """Without a float on the way."""
    assert text == decimal(Fraction(value), 2)


def test_reports_work_without_the_study_room(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The theory is left out, the figures stay."""
    import sys

    from croupier.papers import theory

    monkeypatch.setattr(theory, "_known", {})
    monkeypatch.setitem(sys.modules, "croupier.study", None)
    random_round(lite.open_table("A", example()), random.Random(1))
    rows = section(report(lite, "wagers").data(), "Actual against theoretical win")

    assert rows
    assert all("no theory" == row["flag"] for row in rows)


def test_the_study_room_answers(lite: Ledger) -> None:
    """Exact edges reach the report: Ultimate's main game loses 2.185 % of an ante."""
    pytest.importorskip("croupier.study")
    random_round(lite.open_table("A", example()), random.Random(1))
    rows = section(report(lite, "wagers").data(), "Actual against theoretical win")
    main = next(row for row in rows if row["bet"] == MAIN)

    assert "2.1850" == main["theoretical_percent_of_staked"]

"""Reports equal a naive recomputation from the raw events of random shifts."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from croupier.documents.reports.report_registry import report
from croupier.ledger import Ledger
from croupier.ledger.queries.periods import period_between, utc_timestamp
from croupier.table import Account
from croupier.table import commands as cmd
from tests.documents.reports.naive_reports import Brute
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import ANN, AT, BOB, MIA, SYSTEM, play_round
from tests.support.rounds import UTH, Seat, house

pytestmark = pytest.mark.xdist_group("casino")  # one worker plays the shifts that are reported

Rows = list[dict[str, Any]]
Moment = dt.datetime | int | None


def periods(ledger: Ledger) -> list[tuple[Moment, Moment]]:
    """The whole record, random periods, and an empty one."""
    rng = random.Random(6)
    times = [head.time for head in ledger.store.heads()]
    result: list[tuple[Moment, Moment]] = [(None, None)]
    for _ in range(6):
        since, until = sorted(rng.sample(times, 2))
        result.append((since, until))
    return [*result, (0, 1)]


def section(data: dict[str, Any], title: str) -> Rows:
    return next(part["rows"] for part in data["sections"] if part["title"] == title)


def brutes(ledger: Ledger, since: Moment, until: Moment) -> dict[str, Brute]:
    """A naive recomputation of every table with events in a period."""
    within = period_between(ledger, since, until)
    result = {
        name: Brute(list(ledger.store.read(f"table:{name}")), within.start, within.end)
        for name in ledger.tables()
    }
    return {name: brute for name, brute in result.items() if brute.within}


def test_table_revenue_is_what_the_events_add_up_to(casino: Ledger) -> None:
    """Inventories, drop, fills and credits reconcile with settlements in every period."""
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
            assert brute.corrected() == row["corrected_cents"]
            assert 0 == row["difference_cents"], (name, since, until, row)


def test_wagers_are_what_was_settled(casino: Ledger) -> None:
    """Handle, returns and voids by wager."""
    for since, until in periods(casino):
        rows = section(report(casino, "wagers", since=since, until=until).data(), "Wagers")
        reported: dict[str, dict[str, Counter[str]]] = {}
        for row in rows:
            if row["wager"] != "envy bonuses":
                keys = ("settled", "handle_cents", "returned_cents", "voided_cents")
                wagers = reported.setdefault(row["table"], {})  # a table may have had two Houses
                sums = wagers.setdefault(row["wager"], Counter(dict.fromkeys(keys, 0)))
                sums.update({key: row[key] for key in keys})
                assert row["win_cents"] == row["handle_cents"] - row["returned_cents"]
        expected = {name: brute.wagers() for name, brute in brutes(casino, since, until).items()}
        assert {name: wagers for name, wagers in expected.items() if wagers} == reported


def test_game_accounts_are_the_players_own_sums(casino: Ledger) -> None:
    """Deposits, winnings, losses and withdrawals of each player, and in total."""
    for since, until in periods(casino):
        rows = section(report(casino, "day", since=since, until=until).data(), "Game accounts")
        keys = ("deposits", "winnings", "losses", "withdrawals")
        by_table: dict[str, dict[str, dict[str, int]]] = {}
        for row in rows:
            amounts = {key: row[f"{key}_cents"] for key in keys}
            by_table.setdefault(row["table"], {})[row["player"]] = amounts
        for name, brute in brutes(casino, since, until).items():
            players = brute.players()
            reported = by_table.get(name, {})
            total = reported.pop("all players", dict.fromkeys(keys, 0))
            assert players == reported
            assert {key: sum(p[key] for p in players.values()) for key in keys} == total


def test_meters_reconcile(casino: Ledger) -> None:
    """Seeds and resets, contributions, awards and amounts; the difference is zero."""
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
            for meter, figures in expected.items():
                for key in ("fed", "won", "funded", "adjusted", "shows"):
                    assert figures[key] == Fraction(own[meter][f"{key}_cents"])
            paid = [(e["seat"], e["meter"], e["paid"]) for e in brute.of("meter_paid")]
            listed = [(h["seat"], h["meter"], h["paid_cents"]) for h in hits if h["where"] == name]
            assert paid == listed


def test_shared_meters_reconcile(casino: Ledger) -> None:
    """The rows of a linked group."""
    data = report(casino, "progressive").data()
    rows = [row for row in section(data, "Meters") if row["where"] == "g"]
    brute = Brute(list(casino.store.read("table:linked")))
    fed = brute.meters()

    assert set(fed) == {row["meter"] for row in rows}
    assert all(fed[row["meter"]]["shows"] == Fraction(row["shows_cents"]) for row in rows)


def test_registers_list_what_happened(casino: Ledger) -> None:
    """Decks, irregularities and payout documents match the events."""
    for since, until in periods(casino):
        expected = brutes(casino, since, until)

        def times(*kinds: str, expected: dict[str, Brute] = expected) -> list[str]:
            return sorted(
                utc_timestamp(e["_at"]) for brute in expected.values() for e in brute.of(*kinds)
            )

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
        assert sum(row["returned_cents"] or 0 for row in rows) == sum(
            wager["voided_cents"]
            for brute in expected.values()
            for wager in brute.wagers().values()
        ), "a wager that went back counts once"


def test_adjacent_periods_add_up(casino: Ledger) -> None:
    """The figures of adjacent periods add up to those of the whole, including jackpots."""
    times = [head.time for head in casino.store.heads()]
    cuts = [None, *sorted(random.Random(3).sample(times, 7)), None]

    def figures(since: Moment, until: Moment) -> list[int]:
        data = {
            kind: report(casino, kind, since=since, until=until).data()
            for kind in ("shift", "progressive", "payouts", "irregularities", "decks")
        }
        revenue = [r for r in section(data["shift"], "Table revenue") if r["table"] != "all"]
        hits = section(data["progressive"], "Hits")
        return [
            sum(row["settled_cents"] for row in revenue),
            sum(row["drop_cents"] for row in revenue),
            sum(row["handle_cents"] for row in revenue),
            sum(row["rounds"] for row in revenue),
            sum(hit["paid_cents"] for hit in hits),
            len(hits),
            len(section(data["progressive"], "Adjustments")),
            len(section(data["payouts"], "Payout documents")),
            len(section(data["payouts"], "Wins to report (W-2G)")),
            len(section(data["decks"], "Decks")),
            sum(
                row["returned_cents"] or 0
                for row in section(data["irregularities"], "Irregularities")
            ),
        ]

    parts = [figures(since, until) for since, until in pairwise(cuts)]

    assert figures(None, None) == [sum(column) for column in zip(*parts, strict=True)]


def test_a_linked_jackpot_is_in_its_period_whatever_the_clocks_say(
    now: ManualClock, lite: Ledger
) -> None:
    """The clock of the winning table is a day behind the others."""
    tables = [lite.open_table(name, house(UTH), by=SYSTEM, group="g") for name in "12"]
    now.hours(1)
    cut = now.at
    now.hours(1)
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    for table, at in zip(tables, (AT - 86_400_000, AT + 86_400_000), strict=True):
        cards: dict[str, Any] = {"dealer": "3s 4s", "community": "Qh Jh Th 2s 3d"}
        play_round(table, seats, at=at, **cards).finish()
    hits = [
        section(report(lite, "progressive", since=since, until=until).data(), "Hits")
        for since, until in ((None, cut), (cut, None))
    ]

    assert [0, 2] == [len(each) for each in hits]
    assert ["1", "2"] == [hit["table"] for hit in hits[1]]


def test_a_void_says_what_was_returned(lite: Ledger) -> None:
    """All stakes of the round in cents, and the person who declared the void."""
    table = lite.open_table("A", house(UTH), by=SYSTEM)
    seats = {1: Seat("", "", ante=1000, blind=1000, trips=500)}
    played = play_round(table, seats).until("show")
    table.do(cmd.FindWrongNumber("seat 1"), Account("flo", "floorperson"))
    played.step()
    rows = section(report(lite, "irregularities").data(), "Irregularities")

    assert [("round voided", 1, 2500, "floorperson flo")] == [
        (row["what"], row["round"], row["returned_cents"], row["actor"]) for row in rows
    ]


def test_a_player_who_sat_out_and_a_void_count_each_wager_once(
    now: ManualClock, lite: Ledger
) -> None:
    """Each seat's stakes are in one row, in the period in which they were returned."""
    rules = house("run_em_twice")
    table = lite.open_table("A", rules, by=SYSTEM)
    stakes = {"first_ante": 1000, "second_ante": 1000}
    for seat in (1, 2, 3):
        table.do(cmd.PlaceWagers(seat, stakes, f"p{seat}"), ANN)
    table.do(cmd.NoMoreBets(), ANN)
    deck = (r + s for r in "23456789TJQKA" for s in "cdhs")
    table.do(cmd.SkipPlayer(2), ANN)
    while table.table.due().kind == "deal":
        count = table.table.due().cards
        table.do(cmd.DealCards(tuple(next(deck) for _ in range(count))), ANN)
    table.do(cmd.FindWrongNumber("seat 1"), ANN)
    now.hours(1)
    cut = now.at
    now.hours(1)
    table.do(cmd.Settle(), ANN)

    def rows(since: Moment, until: Moment) -> list[tuple[str, int]]:
        made = report(lite, "irregularities", since=since, until=until).data()
        listed = section(made, "Irregularities")
        return [(row["what"], row["returned_cents"] or 0) for row in listed]

    whole = rows(None, None)
    assert {("player sat out", 2000), ("round voided", 4000)} <= set(whole)
    assert 6000 == sum(cents for _, cents in whole)
    assert 0 == sum(cents for _, cents in rows(None, cut))
    assert [("wagers returned", 6000)] == rows(cut, None)


def test_the_tax_register_uses_the_thresholds_of_the_day(lite: Ledger) -> None:
    """A meter award and an envy bonus, under the threshold in force on each day."""
    rules = house(UTH, letters={"progressive": "A"})
    meters = {name: Fraction(60_000) for name in rules.meters}
    table = lite.open_table("A", rules, by=SYSTEM, meters=meters)
    seats = {
        1: Seat("Ah Kh", "4x", ante=100, blind=100, progressive=100),
        4: Seat("2c 7d", "check check fold", ante=100, blind=100, progressive=100),
    }
    year_2025 = 1_750_000_000_000
    for at in (year_2025, AT):
        play_round(table, seats, at=at, dealer="3s 4s", community="Qh Jh Th 2s 3d").finish()
    rows = section(report(lite, "payouts").data(), "Wins to report (W-2G)")
    listed = [(row["round"], row["seat"], row["wager"], row["winnings_cents"]) for row in rows]

    assert (1, 4, "envy_1") in [(number, seat, wager) for number, seat, wager, _ in listed]
    assert (1, 1, "progressive") in [(number, seat, wager) for number, seat, wager, _ in listed]
    for number, _, _, winnings in listed:
        assert winnings >= (60_000 if number == 1 else 200_000)


def test_corrections_and_adjustments_are_reported(lite: Ledger) -> None:
    """With both signers and the reason."""
    table = lite.open_table("A", house(UTH), by=SYSTEM)
    table.do(
        cmd.Correct(source="cage", target="tray", amount=500, reason="miscount", second=MIA), BOB
    )
    right = {"reason": "display fault", "approval": "MLC 12", "second": MIA}
    table.do(cmd.AdjustMeter(meter="mega", amount="3.5", **right), BOB)  # type: ignore[arg-type]
    text = report(lite, "irregularities").text()
    adjusted = section(report(lite, "progressive").data(), "Adjustments")

    assert "miscount" in text
    assert "mia" in text
    assert [("mega", "3.5", "MLC 12", "pit_manager mia")] == [
        (row["meter"], row["amount_cents"], row["approval"], row["second"]) for row in adjusted
    ]

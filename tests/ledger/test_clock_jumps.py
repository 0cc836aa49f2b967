"""A clock that runs ahead cannot empty later days, and one that is set back loses nothing."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from croupier.documents.reports.report_registry import report
from croupier.errors import BadInput
from croupier.ledger import Ledger, StoreFailed, day_close
from croupier.ledger.aggregates.administration import RECORDS_CLAUSE, AcceptClock
from croupier.ledger.audit.verify import verify
from croupier.ledger.errors import ClockJumped
from croupier.ledger.log import Entry
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import ANN, BOB, CLEO, SYSTEM, example_house, random_round
from tests.support.rounds import refuses

DAY, NEXT = "2026-01-05", "2026-01-06"
DAYS, TEN_YEARS = 24, 24 * 3_652  # in hours
live_limits = pytest.mark.usefixtures("live_limits")


def play(ledger: Ledger, seed: int = 1) -> None:
    """One round at table A."""
    random_round(ledger.open_table("A", example_house(), by=SYSTEM), random.Random(seed))


@live_limits
def test_a_clock_ten_years_ahead_closes_no_day(now: ManualClock, ledger: Ledger) -> None:
    """It can neither commit nor close; with the right clock, everything goes on."""
    play(ledger)
    before, right = ledger.store.head(), now.at
    now.hours(TEN_YEARS)
    with pytest.raises(ClockJumped, match="croupier audit accept-clock"):
        play(ledger, 2)
    for day in (DAY, NEXT, "2026-02-01", "2031-01-01", "2035-12-31"):
        with pytest.raises(ClockJumped, match=r"3,652 days after the last commit \(2026-01-05"):
            day_close.close_day(ledger, day, by=BOB)
    assert before == ledger.store.head()
    assert {} == ledger.read_administration().days

    now.at = right
    now.hours(DAYS)
    play(ledger, 3)
    now.hours(DAYS)
    assert [1, 2] == [day_close.close_day(ledger, day, by=BOB).rounds for day in (DAY, NEXT)]
    assert "No activity" not in str(report(ledger, "day", day=NEXT))
    assert verify(ledger.store).ok


@live_limits
def test_a_wrong_clock_that_two_people_accepted_closes_no_day(
    now: ManualClock, ledger: Ledger
) -> None:
    """The audit lists it; what is played after it was set right is in no earlier day."""
    play(ledger)
    right = now.at
    now.hours(TEN_YEARS)
    ledger.accept_clock(by=BOB, second=CLEO, reason="renovation")
    play(ledger, 2)
    now.at = right
    now.hours(DAYS)
    play(ledger, 3)
    verdict = verify(ledger.store)
    listed = "no commit from 2026-01-05 12:00 UTC to 2036-01-05 12:00 UTC: accepted by"

    assert verdict.ok, str(verdict)
    assert f"{listed} {BOB} and {CLEO} (renovation)" in str(verdict)
    assert 1 == len(verdict.data()["accepted_clocks"])
    with refuses(RECORDS_CLAUSE, match="the last commit is of 2036-01-05 12:00 UTC, the clock"):
        day_close.close_day(ledger, DAY, by=BOB)
    assert {} == ledger.read_administration().days


@live_limits
def test_a_commit_ten_years_ahead_is_reported(now: ManualClock, ledger: Ledger) -> None:
    """As written by a manipulated program."""
    play(ledger)
    ledger.store.accept_gaps(10_000)
    now.hours(TEN_YEARS)
    ledger.open_table("A").do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), ANN)

    assert "3,652 days before position" in str(verify(ledger.store))


def test_an_acceptance_without_a_gap_is_reported(now: ManualClock, ledger: Ledger) -> None:
    """It could be kept for a later gap."""
    play(ledger)
    now.hours(1)
    command = AcceptClock(last=ledger.store.head().time, time=now.at, second=CLEO, reason="x")
    ledger.administer(command, BOB)

    assert "office entry 2: accepts a clock that was not ahead" in str(verify(ledger.store))


@live_limits
def test_a_gap_of_a_month_needs_no_acceptance(now: ManualClock, ledger: Ledger) -> None:
    """One of 32 days does; the ledger then goes on, and the days between are empty."""
    play(ledger)
    now.hours(31 * DAYS - 1)
    play(ledger, 2)
    assert verify(ledger.store).ok
    now.hours(32 * DAYS)
    with pytest.raises(ClockJumped, match="32 days"):
        play(ledger, 3)
    ledger.accept_clock(by=BOB, second=CLEO, reason="renovation")
    play(ledger, 3)
    assert verify(ledger.store).ok
    assert 1 == day_close.close_day(ledger, DAY, by=BOB).rounds
    assert 2 == day_close.close_day(ledger, "2026-03-01", by=BOB).rounds


def test_a_live_ledger_closes_no_day_by_a_clock_ten_years_ahead(
    now: ManualClock, database: str
) -> None:
    """Until two people accept the clock."""
    with Ledger(database, purpose="live") as ledger:
        now.hours(TEN_YEARS)
        with pytest.raises(ClockJumped):
            day_close.close_day(ledger, DAY, by=BOB)
        ledger.accept_clock(by=BOB, second=CLEO, reason="renovation")
        day_close.close_day(ledger, DAY, by=BOB)
        assert verify(ledger.store).ok


def test_a_practice_ledger_waits_for_years(now: ManualClock, database: str) -> None:
    """Nobody has to accept the clock after a long pause."""
    with Ledger(database, purpose="practice") as ledger:
        play(ledger)
        now.hours(3 * 365 * DAYS)
        play(ledger, 2)
        assert verify(ledger.store).ok
        now.hours(2 * TEN_YEARS)
        with pytest.raises(ClockJumped):
            play(ledger, 3)


def test_a_commit_long_after_its_commands_is_refused(now: ManualClock, ledger: Ledger) -> None:
    """The clock of the writer is more than a day ahead of the last commit and of the table."""
    play(ledger)
    given = now.at + 1_000
    now.hours(2 * DAYS)
    table, wagers = ledger.open_table("A"), cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})
    with pytest.raises(ClockJumped, match="2 days after the last commit"):
        table.do(wagers, ANN, given)
    ledger.open_table("A").do(wagers, ANN, given + 36 * 3_600_000)
    assert verify(ledger.store).ok


@live_limits
@pytest.mark.parametrize(
    ("by", "second", "reason"),
    [
        (BOB, Account("bob", "audit"), "closed"),
        (ANN, CLEO, "closed"),
        (BOB, ANN, "closed"),
        (SYSTEM, CLEO, "closed"),
        (BOB, SYSTEM, "closed"),
        (BOB, CLEO, "  "),
    ],
)
def test_two_people_accept_the_clock(
    now: ManualClock, lite: Ledger, by: Account, second: Account, reason: str
) -> None:
    """Two different ones, who may close a day, with a reason."""
    now.hours(40 * DAYS)
    with refuses(RECORDS_CLAUSE):
        lite.accept_clock(by=by, second=second, reason=reason)
    with pytest.raises(ClockJumped):
        play(lite)


def test_a_clock_is_accepted_only_when_it_is_ahead(now: ManualClock, ledger: Ledger) -> None:
    """And only after the commit that it was compared with."""
    with pytest.raises(BadInput, match="nothing to do"):
        ledger.accept_clock(by=BOB, second=CLEO, reason="x")
    stale = ledger.store.head().time
    play(ledger)
    now.hours(40 * DAYS)
    entry = Entry("table:B", 1, "x", now.at, b"{}")
    with pytest.raises(StoreFailed, match="another commit came first"):
        ledger.store.append([entry], accepts_clock_after=stale)


def test_a_clock_that_is_set_back_loses_nothing(now: ManualClock, ledger: Ledger) -> None:
    """Commit times keep increasing; the commands have the time of the clock."""
    play(ledger)
    before = ledger.store.head()
    now.hours(-5 * DAYS)
    play(ledger, 2)
    heads = list(ledger.store.heads())

    assert all(a.time < b.time for a, b in pairwise(heads))
    assert heads[-1].time - before.time == len(heads) - heads.index(before) - 1
    assert before.time > max(stored.entry.at for stored in ledger.store.scan(before.size))
    assert verify(ledger.store).ok


@live_limits
def test_the_health_names_the_clock_until_it_is_right(now: ManualClock, ledger: Ledger) -> None:
    """The outage is then on record, and the ledger verifies."""
    play(ledger)
    right = now.at
    now.hours(TEN_YEARS)
    with pytest.raises(ClockJumped):
        play(ledger, 2)
    assert "accept-clock" in ledger.store.health()
    now.at = right
    play(ledger, 2)
    ledger.store.append_background("@outages", now.at, {"failed": "the clock"})
    assert "" == ledger.store.health()
    assert verify(ledger.store).ok

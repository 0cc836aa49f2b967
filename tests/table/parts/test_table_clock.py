"""The clock of a table, and the gaming days of its property."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from croupier.clock import DAY, gaming_day, load_timezone, parse_time_of_day
from croupier.errors import BadInput
from croupier.games import COMMUNITY
from croupier.ledger.aggregates.administration import Administration, LedgerFounded
from croupier.table import Account, Envelope, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.house_binding import DAYS
from croupier.table.parts.table_clock import CLOCKS
from tests.support.attended_table import (
    ANN,
    BOB,
    DEE,
    FLO,
    HOUR,
    MAX,
    NOON,
    SYSTEM,
    Floor,
    replayed,
)
from tests.support.rounds import TOP, UTH, house, refuses, stacked_deck

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
YEARS = 40 * 365 * DAY
SET = cmd.SetClock(second=MAX, reason="the table stood open over a holiday")


@pytest.mark.upholds("COMAR 36.03.10.12C")
def test_a_stamp_far_ahead_is_refused() -> None:
    """One command of the year 2070 changes nothing; the next one is decided as if it never came."""
    floor = Floor(house(TOP, table=ONE)).ready()
    before = floor.table.clock
    with refuses(CLOCKS):
        floor.table.decide(Envelope("1", BOB, floor.at + YEARS, cmd.SitDown(2)))
    assert before == floor.table.clock
    assert floor.table.allows(cmd.SitDown(2), BOB, before + DAY)
    assert not floor.table.allows(cmd.SitDown(2), BOB, before + DAY + 1)
    floor.do(cmd.SitDown(2), BOB)
    assert before + 2000 > floor.table.clock


@pytest.mark.upholds("COMAR 36.03.10.12C")
def test_two_people_set_the_clock_of_a_table_that_stood_open() -> None:
    """It is the only step left, and due: two floor staff set the clock, with a reason."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.at += 3 * DAY
    steps = floor.table.next_steps(floor.at)
    assert {("set_clock", "due")} == {(step.kind, step.due) for step in steps}
    floor.refused(cmd.Leave(1), ANN, CLOCKS)
    for second in (FLO, DEE, Account("mia", "pit_manager")):
        floor.refused(cmd.SetClock(second=second, reason="why"), FLO, CLOCKS)
    floor.refused(cmd.SetClock(second=MAX, reason=" "), FLO, CLOCKS)
    floor.refused(SET, DEE, CLOCKS)
    (event,) = floor.do(SET, FLO)
    assert isinstance(event, ev.ClockSet) and floor.at == event.time == floor.table.clock
    floor.do(cmd.Leave(1), ANN)
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.03.10.12C")
def test_a_clock_that_was_set_wrongly_is_set_back() -> None:
    """Timers that started in that future are void: the deck is overdue, notices are gone."""
    floor = Floor(house(TOP, table=ONE)).ready()
    right = floor.at
    floor.at += YEARS
    floor.do(SET, FLO)
    floor.do(cmd.GiveLimitNotice(wager="ante", minimum=100, maximum=None), MAX)
    floor.do(cmd.PullDeck("one", "worn"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.receive("two", "blue")
    floor.inspect("two")
    floor.mix("two")
    floor.shuffle("two")
    floor.load("two")
    floor.at = right + HOUR
    floor.do(cmd.NoteConduct("stay", "seat 1", "a note"), FLO)
    assert floor.table.clock > right + YEARS  # an earlier command does not set it back
    floor.do(cmd.SetClock(second=MAX, reason="the year was wrong"), FLO)
    assert floor.at == floor.table.clock
    assert not floor.table.limits.notices
    (pull,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "pull_deck"]
    assert "overdue" == pull.due
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.03.10.12C")
def test_a_closed_table_may_stand_for_weeks() -> None:
    """Its clock follows the last command, so a wrong time is gone with the next command."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    floor.at += 60 * DAY
    floor.attest()
    floor.receive("two", "blue")
    floor.inspect("two")
    right = floor.at
    floor.at += YEARS
    floor.do(cmd.CountInventory(4_000_000), DEE)
    floor.at = right
    floor.do(cmd.CountInventory(4_000_000), DEE)
    assert floor.at == floor.table.clock
    with refuses(CLOCKS):  # the opening is checked against the last command
        floor.table.decide(Envelope("1", FLO, right + YEARS, cmd.OpenTable()))
    floor.do(cmd.OpenTable("no reason needed"), FLO)
    assert floor.at == floor.table.clock


# Gaming days


@pytest.mark.parametrize(
    ("moment", "timezone", "day"),
    [
        ((2026, 1, 1, 5, 59), "UTC", date(2025, 12, 31)),
        ((2026, 1, 1, 6, 0), "UTC", date(2026, 1, 1)),
        ((2026, 1, 1, 10, 59), "America/New_York", date(2025, 12, 31)),
        ((2026, 1, 1, 11, 0), "America/New_York", date(2026, 1, 1)),
        ((2026, 7, 1, 9, 59), "America/New_York", date(2026, 6, 30)),  # summer time
        ((2026, 7, 1, 10, 0), "America/New_York", date(2026, 7, 1)),
    ],
)
def test_a_gaming_day_begins_in_the_morning(
    moment: tuple[int, int, int, int, int], timezone: str, day: date
) -> None:
    """At six in the time zone of the property."""
    at = round(datetime(*moment, tzinfo=UTC).timestamp() * 1000)
    assert day == gaming_day(at, timezone, "06:00")


def test_the_table_and_the_ledger_count_the_same_days() -> None:
    """Every time is within the bounds that the ledger has for the table's gaming day."""
    rng, office = Random(7), Administration()
    office.founded = LedgerFounded(purpose="live", timezone="America/New_York", day_starts="04:30")
    first = datetime(2024, 1, 1, tzinfo=ZoneInfo("America/New_York"))
    for _ in range(500):
        at = round((first + timedelta(seconds=rng.randrange(3 * 365 * 86_400))).timestamp() * 1000)
        begins, ends = office.gaming_day(str(gaming_day(at, "America/New_York", "04:30")))
        assert begins <= at < ends


@pytest.mark.upholds("COMAR 36.03.01.02B")
def test_days_that_no_property_counts_are_refused() -> None:
    """A bad time zone or start of day is refused, and neither changes once a table is bound."""
    rules = house(TOP)
    table = Table(find_house=lambda digest: rules)

    def bind(timezone: str, day_starts: str) -> cmd.BindTable:
        return cmd.BindTable(
            table="T1",
            house=rules.digest,
            service="attended",
            live=True,
            timezone=timezone,
            day_starts=day_starts,
        )

    for zone, starts in (("Mars/Olympus", "06:00"), ("UTC", "6"), ("UTC", "25:00")):
        with refuses(DAYS):
            table.do(bind(zone, starts), SYSTEM, NOON)
    with pytest.raises(BadInput):
        load_timezone("../secret")
    with pytest.raises(BadInput):
        parse_time_of_day("06:00:00")
    table.do(bind("America/New_York", "06:00"), SYSTEM, NOON)
    with refuses(DAYS):
        table.do(bind("UTC", "06:00"), SYSTEM, NOON)


@pytest.mark.parametrize(("timezone", "documents"), [("America/New_York", 1), ("UTC", 0)])
def test_the_tax_tiers_are_those_of_the_gaming_day(timezone: str, documents: int) -> None:
    """$1,500 at 07:00 UTC on January 1, 2026: 2026 in UTC, but still 2025 in Maryland."""
    rules = house(UTH, table=ONE)
    floor = Floor(rules)
    floor.table = Table(rules, service="attended", live=True, timezone=timezone)
    floor.at = round(datetime(2026, 1, 1, 7, tzinfo=UTC).timestamp() * 1000)
    floor.ready()
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: "Qs Js Ts 2d 3c"}, (1,))
    floor.bet(ante=300)  # 500 to 1 on a Blind of $3
    floor.close_bets()
    floor.play_until_settlement(["4x"])
    floor.stub()
    floor.turn_hands()
    due = [s for s in floor.table.next_steps(floor.at) if s.kind == "prepare_payout"]
    assert documents == len(due)

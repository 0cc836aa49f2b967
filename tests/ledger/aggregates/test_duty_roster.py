"""Duty roster: a dealer serves one table, a floorperson six; excluded players are refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from croupier.clock import HOUR
from croupier.errors import Refusal
from croupier.games import House
from croupier.ledger import Ledger, RecordedTable, entry_codec, snapshot_policy
from croupier.ledger.aggregates import shared_aggregates
from croupier.ledger.aggregates.account_messages import EndExclusion, ExcludePlayer, FoundAccounts
from croupier.ledger.aggregates.duty_roster import (
    STAFFING_CLAUSE,
    STREAM,
    SUPERVISION_CLAUSE,
    MovePosts,
    OffDuty,
    OnDuty,
)
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.ledger.queries.round_search import find_refusals
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from tests.ledger.audit.forger import Forger
from tests.ledger.test_concurrent_processes import PROCESSES, compete
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT, SYSTEM
from tests.support.recorded_shifts import RecordedShift
from tests.support.rounds import UTH, refuses
from tests.support.shifts.houses import houses

DEE, DOV = Account("dee", "dealer"), Account("dov", "dealer")
FLO, MAX = Account("flo", "floorperson"), Account("max", "pit_manager")
RULES = houses(UTH)[0]
TAKE, LEAVE = cmd.TakePost(), cmd.LeavePost()


def tables(ledger: Ledger, count: int, house: House = RULES) -> list[RecordedTable]:
    """Attended tables without staff."""
    return [
        ledger.open_table(f"T{number}", house, by=SYSTEM, service="attended", at=AT)
        for number in range(count)
    ]


def on_duty(ledger: Ledger) -> dict[str, list[str]]:
    """The tables of each account on record."""
    return {who: sorted(posts) for who, posts in ledger.duty_roster.refresh().posts.items()}


def test_a_dealer_deals_at_one_table(ledger: Ledger) -> None:
    """COMAR 36.05.03.01C: refused at the second table, until the first is left."""
    first, second = tables(ledger, 2)
    first.do(TAKE, DEE)
    with refuses(STAFFING_CLAUSE, match="table 'T0'"):
        second.do(TAKE, DEE, id="too early")
    assert {} == second.table.posts.here
    first.do(LEAVE, DEE)
    second.do(TAKE, DEE, id="too early")  # the refusal did not use up the id

    assert {"dee": ["T1"]} == on_duty(ledger)
    assert verify(ledger.store).ok


def test_a_relieved_dealer_is_free_for_another_table(ledger: Ledger) -> None:
    """A dealer who takes over releases the previous one, at the table and on the roster."""
    first, second = tables(ledger, 2)
    first.do(TAKE, DEE)
    first.do(TAKE, DOV)
    second.do(TAKE, DEE)
    events = [e for s in ledger.store.read(STREAM) for e in entry_codec.decode_entry(s).events]

    assert {"dee": ["T1"], "dov": ["T0"]} == on_duty(ledger)
    assert [OnDuty, OffDuty, OnDuty, OnDuty] == [type(event) for event in events]
    assert verify(ledger.store).ok


def test_a_floorperson_has_at_most_six_tables(lite: Ledger) -> None:
    """COMAR 36.05.03.01D: the seventh is refused; a pit manager has no limit."""
    opened = tables(lite, 7)
    for table in opened[:6]:
        table.do(TAKE, FLO)
    with refuses(SUPERVISION_CLAUSE, match="has 6 tables; expected at most 6"):
        opened[6].do(TAKE, FLO)
    opened[2].do(LEAVE, FLO)
    opened[6].do(TAKE, FLO)
    for table in opened:
        table.do(TAKE, MAX)

    assert 6 == len(on_duty(lite)["flo"])
    assert 7 == len(on_duty(lite)["max"])
    assert verify(lite.store).ok


def test_electronic_tables_count_half(lite: Ledger) -> None:
    """COMAR 36.05.03.01D: twelve electronic tables, or a mixture."""
    from croupier.ledger.aggregates.duty_roster import Post, check_free

    plain = {f"T{n}": Post("floorperson") for n in range(4)}
    mixed = plain | {f"E{n}": Post("floorperson", electronic=True) for n in range(3)}
    check_free(FLO, mixed, electronic=True)
    with refuses(SUPERVISION_CLAUSE, match="electronic ones count half"):
        check_free(FLO, mixed, electronic=False)
    full = {f"E{n}": Post("floorperson", electronic=True) for n in range(12)}
    with refuses(SUPERVISION_CLAUSE):
        check_free(FLO, full, electronic=True)


def test_one_person_serves_in_one_role(lite: Ledger) -> None:
    """A dealer cannot be a floorperson at another table at the same time."""
    first, second = tables(lite, 2)
    first.do(TAKE, DEE)
    with refuses(STAFFING_CLAUSE, match="as a dealer"):
        second.do(TAKE, Account("dee", "floorperson"))


def test_a_refusal_of_the_roster_is_recorded_and_audited(lite: Ledger, tmp_path: Path) -> None:
    """Under the roster's stream, searchable by table, and decided again by an audit."""
    first, second = tables(lite, 2)
    first.do(TAKE, DEE)
    with refuses(STAFFING_CLAUSE):
        second.do(TAKE, DEE)
    first.do(TAKE, DOV)  # the recorded refusal is durable now
    (attempt,) = find_refusals(lite, table="T1")

    assert (STREAM, "move_posts", STAFFING_CLAUSE) == (attempt.stream, attempt.what, attempt.clause)
    assert [] == list(find_refusals(lite, table="T0"))
    assert verify(lite.store).ok
    path = lite.store.address.file
    assert path is not None
    lite.close()
    forged = Forger(path)
    line = next(line for line in forged.lines if line.stream == f"refused:{STREAM}")
    line.body["note"]["command"]["table"] = "T0"
    line.body["note"]["command"]["moves"][0]["who"]["id"] = "ada"
    verdict = str(verify(forged.write(tmp_path / "forged.db")))
    assert "refused:people entry 1: the rules do not refuse this" in verdict


@pytest.fixture
def record(tmp_path: Path) -> Forger:
    """A ledger of two tables with staff, ready to be forged."""
    with Ledger(tmp_path / "people.db") as ledger:
        first, second = tables(ledger, 2)
        first.do(TAKE, DEE)
        second.do(TAKE, DOV)
        first.do(TAKE, FLO)
        first.do(LEAVE, DEE)
    return Forger(tmp_path / "people.db")


def test_the_roster_must_match_the_tables(record: Forger, tmp_path: Path) -> None:
    """An invented post, a missing one, another person, time or entry is detected."""
    path = tmp_path / "forged.db"
    assert verify(record.write(path)).ok
    own = [i for i, line in enumerate(record.lines) if line.stream == STREAM]
    removed = record.copy()
    removed.remove(own[-1])
    assert "has no matching entry in people" in str(verify(removed.write(path)))
    invented = record.copy()
    body = record.lines[own[0]].copy().body
    for part in (body["command"]["moves"][0], body["events"][0]):
        part["who"]["id"] = "ada"
    at = record.lines[-1].at
    body["events"][0]["at"] = at
    invented.append(STREAM, body, id="@" + "ab" * 16, at=at)
    assert "of table:T0 explains this" in str(verify(invented.write(path)))
    for field, value in (("table", "T1"), ("entry", 3)):
        forged = record.copy()
        body = forged.lines[own[0]].body
        body["command"][field] = value
        for event in body["events"]:
            event.update({field: value} if field in event else {})
        assert STREAM in str(verify(forged.write(path))), field
    forged = record.copy()
    forged.lines[own[0]].body["by"] = {"id": "dov", "role": "dealer"}
    assert "contradicts entry" in str(verify(forged.write(path)))
    forged = record.copy()
    forged.lines[own[0]].id = "mine"
    assert not verify(forged.write(path)).ok


def test_a_long_roster_opens_from_its_snapshot(
    lite: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state of the snapshot equals that of the whole stream."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 4)
    (table,) = tables(lite, 1)
    for _ in range(6):
        table.do(TAKE, DEE)
        table.do(TAKE, FLO)
        table.do(LEAVE, FLO)
        table.do(LEAVE, DEE)
    table.do(TAKE, DOV)

    assert lite.store.snapshot(STREAM, schema=1) is not None
    assert {"dov": ["T0"]} == on_duty(lite)
    assert (
        shared_aggregates.DutyRosterFollower(lite.store).refresh().posts
        == lite.duty_roster.aggregate.posts
    )
    assert verify(lite.store).ok


def test_no_refusal_on_a_stale_roster(database: str) -> None:
    """Another process released the dealer meanwhile: that is read before a command is refused."""
    with Ledger(database) as here, Ledger(database) as there:
        first, second = tables(here, 2)
        first.do(TAKE, DEE)
        there.open_table("T0").do(LEAVE, DEE)
        second.do(TAKE, DEE)
        assert {"dee": ["T1"]} == on_duty(there)
        with refuses(STAFFING_CLAUSE):
            there.open_table("T0").do(TAKE, DEE)
        assert verify(here.store).ok


def test_tables_of_one_event_loop_request_the_same_dealer(ledger: Ledger) -> None:
    """One table gets her, the others are refused."""
    opened = tables(ledger, 4)

    async def run() -> list[object]:
        appender = AsyncAppender(ledger.store)
        requests = (
            table.execute_async(appender, Envelope(f"{table.stream} takes", DEE, AT, TAKE))
            for table in opened
        )
        return await asyncio.gather(*requests, return_exceptions=True)

    results = asyncio.run(run())
    refusals = [result for result in results if isinstance(result, Refusal)]

    assert 3 == len(refusals)
    assert {STAFFING_CLAUSE} == {refusal.clause for refusal in refusals}
    assert 1 == len(on_duty(ledger)["dee"])
    assert verify(ledger.store).ok


def test_processes_compete_for_one_dealer(database: str) -> None:
    """The first to append gets the dealer; no dealer is at two tables, nothing is lost."""
    rounds = 8
    compete("people", database, rounds)
    with Ledger(database) as ledger:
        entries = [entry_codec.decode_entry(stored) for stored in ledger.store.read(STREAM)]
        verdict = verify(ledger.store)

        assert verdict.ok, str(verdict)
        assert 2 * PROCESSES * rounds == len(entries)
        assert {} == on_duty(ledger)
        assert all(isinstance(entry.envelope.command, MovePosts) for entry in entries)


def test_who_entered_a_command_is_on_record(lite: Ledger, tmp_path: Path) -> None:
    """Both accounts; an edit that names an account without a post is detected."""
    played = RecordedShift(lite, "T0", RULES, Random("typists"))
    table = played.table
    while not (table.shift.open and table.posts.dealer and len(table.seats.taken) < 6):
        played.act()
    seat = min({1, 2, 3, 4, 5, 6} - set(table.seats.taken))
    dealer = Account(table.posts.dealer, "dealer")
    played.recorded.do(cmd.SitDown(seat), Account("tia", "player"), played.at, entered_by=dealer)
    recorded = [entry_codec.decode_entry(stored) for stored in lite.store.read("table:T0")]
    typed = [entry for entry in recorded if entry.envelope.entered_by is not None]
    verdict = verify(lite.store)
    assert verdict.ok, str(verdict)
    assert [("tia", dealer)] == [(entry.by.id, entry.envelope.entered_by) for entry in typed]
    lite.close()
    forged = Forger(tmp_path / "ledger.db")
    line = next(line for line in forged.lines if line.id == typed[0].envelope.id)
    line.body["entered_by"]["id"] = "nobody here"
    problems = str(verify(forged.write(tmp_path / "forged.db")))
    assert f"table:T0 entry {typed[0].sequence}: the rules refuse this" in problems


# Exclusion list


def seated(ledger: Ledger) -> RecordedTable:
    """A practice table, where players sit down without staff."""
    return ledger.open_table("P", RULES, by=SYSTEM, service="practice", at=AT)


def test_an_excluded_player_gets_no_seat_and_no_chips(tmp_path: Path) -> None:
    """COMAR 36.03.10.34C: the refusal is on record and audited, the list is not."""
    excluded: set[str] = {"eve"}
    eve, ann = Account("eve", "player"), Account("ann", "player")
    with Ledger(tmp_path / "l.db", purpose="practice", excluded=excluded.__contains__) as ledger:
        table = seated(ledger)
        with refuses("COMAR 36.03.10.34C", match="eve is not admitted"):
            table.do(cmd.SitDown(1), eve)
        table.do(cmd.SitDown(1), ann)
        table.do(cmd.BuyIn(1, 50_000), SYSTEM)
        excluded.add("ann")
        with refuses("COMAR 36.03.10.34C", match="ann is not admitted"):
            table.do(cmd.BuyIn(1, 50_000), SYSTEM)
        table.do(cmd.Leave(1), ann)

        assert ["COMAR 36.03.10.34C"] * 2 == [attempt.clause for attempt in find_refusals(ledger)]
        assert verify(ledger.store).ok


def test_the_exclusion_list_on_record_has_dates(tmp_path: Path) -> None:
    """Kept by another process while the table runs; over when its last day is."""
    eve, path = Account("eve", "player"), tmp_path / "l.db"
    keeper = Account("olga", "system")
    with manual_clock() as clock, Ledger(path) as ledger, Ledger(path) as other:
        table = seated(ledger)
        other.accounts.found(FoundAccounts(live=False))
        exclusion = ExcludePlayer(account="eve", since=0, until=AT + HOUR, reason="asked")
        other.accounts.do(exclusion, keeper)
        with refuses("COMAR 36.03.10.34C", match="eve is not admitted"):
            table.do(cmd.SitDown(1), eve)
        clock.hours(1)
        table.do(cmd.SitDown(1), eve)
        other.accounts.do(ExcludePlayer(account="eve", since=0, reason="for good"), keeper)
        with refuses("COMAR 36.03.10.34C", match="eve is not admitted"):
            table.do(cmd.BuyIn(1, 50_000), SYSTEM)
        other.accounts.do(EndExclusion(account="eve", reason="ruling"), keeper)
        table.do(cmd.BuyIn(1, 50_000), SYSTEM)
        assert verify(ledger.store).ok


def test_an_unavailable_exclusion_list_refuses_every_player(tmp_path: Path) -> None:
    """In an event loop as in a thread; the table keeps running."""

    def broken(player: str) -> bool:
        raise OSError("no line")

    ann = Account("ann", "player")
    with Ledger(tmp_path / "ledger.db", purpose="practice", excluded=broken) as ledger:
        table = seated(ledger)
        with refuses("COMAR 36.03.10.34C", match="could not be looked up"):
            table.do(cmd.SitDown(1), ann)

        async def sit() -> None:
            await table.execute_async(
                AsyncAppender(ledger.store), Envelope("sit", ann, AT, cmd.SitDown(1))
            )

        with refuses("COMAR 36.03.10.34C", match="could not be looked up"):
            asyncio.run(sit())
        assert not table.stopped
        assert verify(ledger.store).ok

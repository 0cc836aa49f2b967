"""Streams contradict each other: meter readings, halted meters, table tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.ledger import Ledger, MeterUnreachable, RecordedTable, entry_codec
from croupier.ledger.aggregates.approval_messages import Grade, SignTest
from croupier.ledger.aggregates.linked_meter_follower import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meter_messages import HaltMeters, ResumeMeters
from croupier.ledger.aggregates.linked_meters import LinkedMeters
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import ANN, AT, MAX, SYSTEM
from tests.support.recorded_shifts import play_shift
from tests.support.rounds import UTH, house, refuses

STAKES = {"ante": 1000, "blind": 1000, "progressive": 100}


def linked_table(ledger: Ledger) -> RecordedTable:
    """A table that is linked to the meters of a group."""
    return ledger.open_table("T", house(UTH), by=SYSTEM, group="g")


# Readings of refused attempts


def refuse_with_reading(ledger: Ledger, table: RecordedTable, **changes: Any) -> str:
    """Record a refused attempt that read these meters; returns the verdict of an audit."""
    assert table.table.bound is not None
    values: dict[str, Any] = {
        "group": "g",
        "position": 2,
        "meters": table.table.bound.meters,
    } | changes
    envelope = Envelope("early", ANN, AT, cmd.NoMoreBets())
    note = entry_codec.refusal_note(envelope, "7.F.1", 1, cmd.ReadMeters(**values))
    ledger.store.append_background("refused:table:T", AT, note)
    ledger.open_table("U", house(UTH), by=SYSTEM)  # the refusal is durable now
    return str(verify(ledger.store))


def test_a_refused_attempt_reads_the_meters_of_its_time(ledger: Ledger) -> None:
    """The values of an entry of the group before it."""
    assert refuse_with_reading(ledger, linked_table(ledger)).startswith("verified")


@pytest.mark.parametrize(
    "changes",
    [
        {"meters": dict.fromkeys(house(UTH).opening_meters(), 99)},  # never shown
        {"position": 3},  # no such entry of the group
        {"position": 2**40},
    ],
)
def test_a_reading_that_never_existed_is_detected(ledger: Ledger, changes: dict[str, Any]) -> None:
    """A refused attempt is compared with the history of the meters too."""
    verdict = refuse_with_reading(ledger, linked_table(ledger), **changes)
    assert "refused:table:T entry 1: read values that the linked meters did not have" in verdict


# Halted meters


def test_a_progressive_wager_on_halted_meters_is_detected(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between halt and resumption, placed by a program that does not ask."""
    table = linked_table(ledger)
    table.do(cmd.PlaceWagers(1, STAKES), ANN)
    ledger.execute_on_group("g", HaltMeters("repair"), by=MAX)
    with monkeypatch.context() as patch:
        patch.setattr(LinkedMetersFollower, "require_running", lambda self, _: self.sequence)
        table.do(cmd.PlaceWagers(2, STAKES), ANN)
    ledger.execute_on_group("g", ResumeMeters(), by=MAX)
    table.do(cmd.PlaceWagers(3, STAKES), ANN)
    problems = [str(problem) for problem in verify(ledger.store).problems]
    assert ["table:T entry 3: placed a progressive wager on halted meters: repair"] == problems


def test_a_halt_while_a_wager_is_decided_comes_first(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wager is decided again under the halted meters, so an audit raises no false alarm."""
    original = LinkedMetersFollower.require_running
    with Ledger(database) as here, Ledger(database) as there:
        table = linked_table(here)
        halts: list[str] = []

        def halt_after(follower: LinkedMetersFollower, refresh: Callable[[], LinkedMeters]) -> Any:
            result = original(follower, refresh)
            there.execute_on_group("g", HaltMeters("repair"), by=MAX)
            halts.append("repair")
            return result

        monkeypatch.setattr(LinkedMetersFollower, "require_running", halt_after)
        with refuses(MeterUnreachable.CLAUSE, match="halted: repair"):
            table.do(cmd.PlaceWagers(1, STAKES), ANN)
        assert 1 == len(halts)
        assert verify(here.store).ok


# Table tests


def sign_test(ledger: Ledger, trainee: str, table: str, begun: int) -> str:
    """Sign a test of one round; returns the verdict of an audit."""
    act = Grade(
        number=1, at=begun, round=1, due="Deal", done="deal_cards", clause="9.A", right=True
    )
    test = SignTest(
        lesson="l1",
        trainee=trainee,
        table=table,
        game=UTH,
        house=house(UTH).digest,
        rounds=1,
        begun=begun,
        grades=(act,),
        passed=True,
    )
    ledger.approvals.do(test, MAX)
    return str(verify(ledger.store))


def shift_with_rounds(ledger: Ledger) -> tuple[str, str]:
    """A table after a shift, and a dealer who dealt rounds there."""
    name = play_shift(ledger, UTH, 3).name
    dealer = ""
    for stored in ledger.store.read(f"table:{name}"):
        for event in entry_codec.decode_entry(stored).events:
            if isinstance(event, ev.PostTaken) and event.by.role == "dealer":
                dealer = event.by.id
            elif isinstance(event, ev.RoundClosed):
                return name, dealer
    raise AssertionError("no round was dealt")


def test_a_table_test_counts_the_rounds_of_its_period(now: ManualClock, ledger: Ledger) -> None:
    """From its start to its signature."""
    table, dealer = shift_with_rounds(ledger)
    assert sign_test(ledger, dealer, table, AT).startswith("verified")


def test_rounds_before_a_table_test_do_not_count(now: ManualClock, ledger: Ledger) -> None:
    """A test after the shift, of rounds that the trainee dealt in it."""
    table, dealer = shift_with_rounds(ledger)
    now.hours(1)
    verdict = sign_test(ledger, dealer, table, now.at)
    assert f"decisions entry 1: {dealer} did not deal at table '{table}' in this test" in verdict


def test_rounds_of_another_dealer_do_not_count(now: ManualClock, ledger: Ledger) -> None:
    """The trainee took the post after the last round."""
    table, _ = shift_with_rounds(ledger)
    ledger.open_table(table).do(cmd.TakePost(), Account("tina", "dealer"))
    verdict = sign_test(ledger, "tina", table, AT)
    assert "decisions entry 1: 1 rounds were tested, 0 were dealt" in verdict

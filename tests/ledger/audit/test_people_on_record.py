"""People on record: who may act at a table, and what a second person has approved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.aggregates.approval_messages import Agree
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS
from croupier.ledger.aggregates.approvals import (
    SECOND_PERSON_CLAUSE,
    Approvals,
    command_text,
    find_second_person,
)
from croupier.ledger.aggregates.linked_meter_messages import AdjustShared
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Command, Service, Table
from croupier.table import commands as cmd
from croupier.table.parts import house_binding
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import BOB, CLEO, MAX, MIA, SYSTEM, example_house, play_round
from tests.support.rounds import UTH, Seat, house, refuses

PAUL = Account("paul", "player")
ROYAL = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
BOARD: dict[str, Any] = {"dealer": "3s 4s", "community": "Qh Jh Th 2s 3d"}


@pytest.fixture
def practice(database: str) -> Ledger:
    """A practice ledger, once per store."""
    return Ledger(database, purpose="practice")


@pytest.fixture
def live(database: str) -> Ledger:
    """A live ledger, once per store."""
    return Ledger(database, purpose="live")


def test_a_player_does_not_deal_in_any_service(practice: Ledger) -> None:
    """Roles are checked wherever a person is named, also at a table that has only rounds."""
    with practice:
        table = practice.open_table("T", house(UTH), by=SYSTEM, group="g")
        table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), PAUL)
        acts: dict[str, Command] = {
            "10.A.2.a": cmd.NoMoreBets(),
            "10.B.3": cmd.DealCards(("As",)),
            "11.K": cmd.Settle(),
            "13.E": cmd.FindWrongNumber("seat 1"),
        }
        for clause, command in acts.items():
            with refuses(clause, match="player paul may not do this; expected"):
                table.do(command, PAUL)
        assert verify(practice.store).ok


def test_a_player_does_not_bind_a_table(practice: Ledger) -> None:
    """Nor does an unbound table do anything else."""
    with practice, refuses(house_binding.APPROVED, match="expected pit_manager or system"):
        practice.open_table("T", house(UTH), by=PAUL)


def test_a_shared_meter_won_by_a_player_who_dealt_does_not_verify(
    practice: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A royal flush dealt by the player himself, written by a program without the rule."""
    with practice:
        table = practice.open_table("T", house(UTH), by=SYSTEM, group="g")
        with monkeypatch.context() as patch:
            patch.setattr(Table, "_check_actor", lambda *anything: None)
            play_round(table, ROYAL, by=PAUL, **BOARD).finish()
        assert practice.group("g").refresh().wins
        verdict = str(verify(practice.store))
    assert "table:T entry 3: the rules refuse this: player paul may not do this" in verdict


@pytest.mark.parametrize("service", ["rounds", "practice"])
def test_a_live_ledger_has_only_attended_tables(live: Ledger, service: Service) -> None:
    """Nothing but a table with staff is bound there."""
    with live:
        with refuses(house_binding.APPROVED, match=f"live.*attended.*{service}"):
            live.open_table("T", example_house(), by=MAX, service=service)
        live.open_table("T", example_house(), by=MAX, service="attended")
        assert verify(live.store).ok


@pytest.mark.parametrize("service", ["rounds", "practice"])
def test_another_kind_of_table_on_a_live_ledger_does_not_verify(
    live: Ledger, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bound by a program without the rule."""
    with live:
        with monkeypatch.context() as patch:
            patch.setattr(house_binding, "check_service", lambda *anything: None, raising=False)
            live.open_table("T", example_house(), by=MAX, service=service)
        assert "table:T entry 1: the rules refuse this: a live table" in str(verify(live.store))


# Second persons


def correct(amount: int = 900, second: Account = MIA) -> cmd.Correct:
    """A correction that names a second person."""
    return cmd.Correct(source="cage", target="tray", amount=amount, reason="r", second=second)


def agree(ledger: Ledger, id: str, command: Command, table: str = "T", **changes: Any) -> None:
    """The second person answers, from a session of their own."""
    second = find_second_person(command)
    assert second is not None
    values: dict[str, Any] = {"table": table, "id": id, "command": command_text(command)}
    ledger.approvals.do(Agree(**values | {"agreed": True} | changes), second)


def answered_no(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "one", correct(), agreed=False)


def another_amount(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "one", correct(amount=900_000))


def another_id(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "two", correct())


def another_table(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "one", correct(), table="U")


def another_person(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "one", correct(second=CLEO))


def expired(ledger: Ledger, now: ManualClock) -> None:
    agree(ledger, "one", correct())
    now.at += ANSWER_VALID_MS


def nobody_asked(ledger: Ledger, now: ManualClock) -> None:
    pass


WRONG: dict[Callable[[Ledger, ManualClock], None], str] = {
    answered_no: "pit_manager mia declined it",
    another_amount: "pit_manager mia did not approve it",
    another_id: "pit_manager mia did not approve it",
    another_table: "pit_manager mia did not approve it",
    another_person: "pit_manager mia did not approve it",
    expired: "the approval of pit_manager mia had expired",
    nobody_asked: "pit_manager mia did not approve it",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_command_without_its_approval_is_refused(
    now: ManualClock, live: Ledger, wrong: Callable[[Ledger, ManualClock], None]
) -> None:
    """Nothing is booked, and the record verifies with the refused attempt."""
    with live:
        table = live.open_table("T", example_house(), by=MAX, service="attended")
        wrong(live, now)
        with refuses(SECOND_PERSON_CLAUSE, match=WRONG[wrong]):
            table.do(correct(), BOB, id="one")
        assert verify(live.store).ok


@pytest.mark.parametrize("wrong", WRONG)
def test_a_command_without_its_approval_does_not_verify(
    now: ManualClock,
    live: Ledger,
    wrong: Callable[[Ledger, ManualClock], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Written by a program that asks nobody."""
    with live:
        table = live.open_table("T", example_house(), by=MAX, service="attended")
        wrong(live, now)
        with monkeypatch.context() as patch:
            patch.setattr(Approvals, "check_agreed", lambda *anything: None, raising=False)
            table.do(correct(), BOB, id="one")
        verdict = verify(live.store)
    assert [f"table:T entry 2: {WRONG[wrong]}"] == list(map(str, verdict.problems))


def test_an_approved_command_verifies(now: ManualClock, live: Ledger) -> None:
    """A repeated command returns its events after the approval has expired too."""
    with live:
        table = live.open_table("T", example_house(), by=MAX, service="attended")
        agree(live, "one", correct())
        now.at += ANSWER_VALID_MS - 1
        first = table.do(correct(), BOB, id="one")
        now.at += ANSWER_VALID_MS
        assert first == table.do(correct(), BOB, id="one")
        assert verify(live.store).ok


def test_linked_meters_are_adjusted_with_an_approval(
    now: ManualClock, live: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rule as at a table; the answer names the stream of the meters."""
    adjust = AdjustShared(meter="mega", amount=25, reason="r", approval="L 7", second=CLEO)
    with live:
        live.open_table("T", house(UTH), by=MAX, service="attended", group="g")
        with refuses(SECOND_PERSON_CLAUSE, match="cage cleo did not approve it"):
            live.execute_on_group("g", adjust, by=MIA)
        agree(live, "one", adjust, table="meters:g")
        live.execute_on_group("g", adjust, by=MIA, id="one")
        assert verify(live.store).ok
        with monkeypatch.context() as patch:
            patch.setattr(Approvals, "check_agreed", lambda *anything: None, raising=False)
            again = AdjustShared(meter="mega", amount=99, reason="r", approval="L 8", second=CLEO)
            live.execute_on_group("g", again, by=MIA)
        assert "meters:g entry 4: cage cleo did not approve it" in str(verify(live.store))


@pytest.mark.parametrize("wrong", [answered_no, another_amount])
def test_an_answer_on_a_practice_ledger_counts(
    now: ManualClock, practice: Ledger, wrong: Callable[[Ledger, ManualClock], None]
) -> None:
    """Nobody has to be asked where a program plays the staff, but a no is a no."""
    with practice:
        table: RecordedTable = practice.open_table("T", example_house(), by=MAX)
        table.do(correct(amount=1), BOB, id="unasked")
        assert verify(practice.store).ok
        wrong(practice, now)
        table.do(correct(), BOB, id="one")
        assert f"table:T entry 3: {WRONG[wrong]}" in str(verify(practice.store))

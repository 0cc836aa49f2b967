"""Approvals: submissions and the tables under them, table tests, second persons, denied access."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from croupier.errors import BadInput
from croupier.ledger import IdTaken, Ledger, snapshot_policy
from croupier.ledger.aggregates import approval_messages as msg
from croupier.ledger.aggregates import shared_aggregates
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS, SCHEMA
from croupier.ledger.aggregates.approvals import (
    ACCESS_CLAUSE,
    APPROVAL_CLAUSE,
    CHANGE_CLAUSE,
    SECOND_PERSON_CLAUSE,
    STREAM,
    TABLE_TEST_CLAUSE,
    Approvals,
    command_text,
)
from croupier.ledger.audit.verify import verify
from croupier.ledger.queries.round_search import find_refusals
from croupier.table import Account, Command, Role
from croupier.table import commands as cmd
from tests.ledger.audit.forger import Forger
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT
from tests.support.rounds import UTH, refuses
from tests.support.shifts.houses import houses

HOUSE, OTHER = houses(UTH)[:2]
OLGA, OTTO = Account("olga", "operator"), Account("otto", "operator")
MAX, FLOOR = Account("max", "pit_manager"), Account("floor", "system")


def sending(submission: str = "s1", **changes: Any) -> msg.SendSubmission:
    """A submission of Olga's."""
    values: dict[str, Any] = {
        "submission": submission,
        "game": "ultimate_texas_holdem",
        "house": HOUSE.digest,
        "answers": {"operator.name": "Harbor"},
        "authors": ("olga",),
    }
    return msg.SendSubmission(**values | changes)


def deciding(submission: str = "s1", approved: bool = True, **changes: Any) -> msg.DecideSubmission:
    """The decision of another operator."""
    values: dict[str, Any] = {"submission": submission, "house": HOUSE.digest}
    return msg.DecideSubmission(approved=approved, **values | changes)


def opening(table: str = "T", submission: str = "s1") -> msg.OpenUnder:
    """A table under a submission."""
    return msg.OpenUnder(submission=submission, table=table, service="attended")


@pytest.fixture
def filed(tmp_path: Path) -> Iterator[Ledger]:
    """A live ledger with the Houses of the submissions."""
    with Ledger(tmp_path / "ledger.db", purpose="live") as ledger:
        ledger.add_house(HOUSE)
        ledger.add_house(OTHER)
        yield ledger


def approve(ledger: Ledger, submission: str = "s1") -> None:
    """Sent by Olga, approved by Otto."""
    ledger.approvals.do(sending(submission), OLGA)
    ledger.approvals.do(deciding(submission), OTTO)


def submission_state(ledger: Ledger, submission: str = "s1") -> str:
    """The state of a submission on record."""
    return ledger.approvals.refresh().submissions[submission].state


def test_another_person_approves_what_was_sent(filed: Ledger) -> None:
    """COMAR 36.05.03.19: neither author nor sender, only this very House, and only once."""
    do = filed.approvals.do
    do(sending(authors=("ada",)), OLGA)
    for person in ("olga", "ada"):
        with refuses(APPROVAL_CLAUSE, match="another person must approve"):
            do(deciding(), Account(person, "operator"))
    with refuses(APPROVAL_CLAUSE, match="was sent as"):
        do(deciding(house=OTHER.digest), OTTO)
    with refuses(APPROVAL_CLAUSE, match="needs a remark"):
        do(deciding(approved=False, remark=" "), OTTO)
    with refuses(APPROVAL_CLAUSE, match="a remark has at most"):
        do(deciding(remark="x" * 2001), OTTO)
    do(deciding(), OTTO)
    with refuses(APPROVAL_CLAUSE, match="is approved and waits for no decision"):
        do(deciding(approved=False, remark="no"), OTTO)
    with refuses(APPROVAL_CLAUSE, match="is already approved"):
        do(sending(), OLGA)
    with refuses(CHANGE_CLAUSE, match="is approved"):
        do(msg.WithdrawSubmission("s1"), OLGA)

    do(sending("s2"), OLGA)  # the recorded refusals are durable now

    assert "approved" == submission_state(filed)
    assert 8 == len(list(find_refusals(filed)))
    assert verify(filed.store).ok


def test_a_returned_submission_is_sent_again_with_all_its_authors(filed: Ledger) -> None:
    """An author cannot be dropped from the list (COMAR 36.05.03.19)."""
    do = filed.approvals.do
    do(sending(authors=("olga", "ada")), OLGA)
    do(deciding(approved=False, remark="too small"), OTTO)
    with refuses(APPROVAL_CLAUSE, match="missing: ada"):
        do(sending(authors=("olga",)), OLGA)
    with refuses(APPROVAL_CLAUSE, match="names its authors"):
        do(sending("s2", authors=()), OLGA)
    do(sending(authors=("olga", "ada"), house=OTHER.digest), OLGA)
    do(msg.WithdrawSubmission("s1"), OLGA)
    with refuses(APPROVAL_CLAUSE, match="is withdrawn and waits for no decision"):
        do(deciding(house=OTHER.digest), OTTO)
    assert verify(filed.store).ok


def test_only_operators_decide_and_only_what_was_sent(filed: Ledger) -> None:
    """COMAR 36.05.03.19: other roles are refused, and the refusals are audited."""
    decisions: list[Command] = [deciding(), opening()]
    for command in (sending(), *decisions):
        with refuses(APPROVAL_CLAUSE, match="expected operator"):
            filed.approvals.do(command, MAX)
    for command in (*decisions, msg.WithdrawSubmission("s1")):
        with refuses(APPROVAL_CLAUSE, match="no submission 's1' was sent"):
            filed.approvals.do(command, OTTO)
    with refuses(APPROVAL_CLAUSE, match="NoMoreBets is not an approvals command"):
        filed.approvals.do(cmd.NoMoreBets(), OTTO)
    with pytest.raises(BadInput, match="account id"):
        filed.approvals.do(sending(authors=("Olga",)), OLGA)
    assert verify(filed.store).ok  # a stream of refusals only


def test_a_submission_needs_a_house_on_record(lite: Ledger) -> None:
    """Of its game, and based on a submission that was sent (COMAR 36.05.03.21B)."""
    with pytest.raises(BadInput, match="must be on record first"):
        lite.approvals.do(sending(), OLGA)
    lite.add_house(HOUSE)
    with refuses(APPROVAL_CLAUSE, match="is for ultimate_texas_holdem, not top_five"):
        lite.approvals.do(sending(game="top_five"), OLGA)
    with refuses(CHANGE_CLAUSE, match="to amend"):
        lite.approvals.do(sending(based_on="s0"), OLGA)
    with refuses(APPROVAL_CLAUSE, match="at most 2000 characters"):
        lite.approvals.do(sending(answers={"a": "x" * 2001}), OLGA)
    for name in ("", " s", "s\n", "s" * 81):
        with refuses(APPROVAL_CLAUSE, match="a submission's name"):
            lite.approvals.do(sending(name), OLGA)
    lite.approvals.do(sending(), OLGA)
    lite.approvals.do(sending("s2", based_on="s1"), OLGA)
    assert verify(lite.store).ok


def test_a_live_table_opens_only_under_an_approved_submission(filed: Ledger) -> None:
    """COMAR 36.05.03.19: applies from the first submission on."""
    first = filed.open_table("paper", HOUSE, by=MAX, service="attended", at=AT)
    filed.approvals.do(sending(), OLGA)
    with refuses(APPROVAL_CLAUSE, match="is sent: no table opens under it"):
        filed.approvals.do(opening(), OTTO)
    with refuses(APPROVAL_CLAUSE, match="has no approved submission"):
        filed.open_table("T", HOUSE, by=MAX, service="attended")
    filed.approvals.do(deciding(), OTTO)
    filed.approvals.do(opening(), OTTO)
    filed.open_table("T", HOUSE, by=MAX, service="attended")
    for table in ("T", "T2"):
        with refuses(APPROVAL_CLAUSE, match="has no approved submission"):
            filed.open_table(table, OTHER, by=MAX, service="attended")

    assert first.table.bound is not None
    assert verify(filed.store).ok


def test_a_table_leaves_the_floor_once_and_comes_back_under_a_submission(filed: Ledger) -> None:
    """The account that took it off is on record."""
    approve(filed)
    filed.approvals.do(opening(), OTTO)
    filed.approvals.do(msg.TakeOff("T"), OLGA)
    with refuses(APPROVAL_CLAUSE, match="already off the floor"):
        filed.approvals.do(msg.TakeOff("T"), OTTO)
    for unnamed in (opening(""), msg.TakeOff("")):
        with refuses(APPROVAL_CLAUSE, match="a table's name"):
            filed.approvals.do(unnamed, OTTO)
    with refuses(APPROVAL_CLAUSE, match="expected operator or system"):
        filed.approvals.do(msg.TakeOff("T2"), MAX)
    filed.approvals.do(msg.TakeOff("school"), FLOOR)
    assert {"T": "olga", "school": "floor"} == filed.approvals.aggregate.off
    filed.approvals.do(opening(), OTTO)
    assert {"school": "floor"} == filed.approvals.aggregate.off
    assert verify(filed.store).ok


def test_an_id_stands_for_one_decision(filed: Ledger) -> None:
    """A repeated command is executed once, even if it would be refused now."""
    first = filed.approvals.do(sending(), OLGA, id="send s1")
    assert first == filed.approvals.do(sending(), OLGA, id="send s1")
    with pytest.raises(IdTaken):
        filed.approvals.do(sending("s2"), OLGA, id="send s1")
    with pytest.raises(BadInput):
        filed.approvals.do(sending("s2"), OLGA, id="@1")
    assert [] == list(find_refusals(filed))
    assert 1 == filed.approvals.sequence


def test_several_processes_decide_in_one_order(database: str) -> None:
    """Entries of other processes are read before a command is decided."""
    with Ledger(database) as here, Ledger(database) as there:
        here.add_house(HOUSE)
        assert {} == there.approvals.refresh().submissions
        here.approvals.do(sending(), OLGA)
        there.approvals.do(deciding(), OTTO)
        with refuses(APPROVAL_CLAUSE, match="is approved"):
            here.approvals.do(deciding(), OTTO)
        gate, done = Barrier(2), list[str]()

        def decide(ledger: Ledger, table: str) -> None:
            gate.wait()
            for number in range(8):
                ledger.approvals.do(opening(f"{table}{number}"), OTTO)
                done.append(table)

        both = [Thread(target=decide, args=args) for args in ((here, "H"), (there, "T"))]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert 16 == len(done) == len(here.approvals.refresh().opened)
        assert verify(here.store).ok


def test_a_long_stream_opens_from_its_snapshot(
    filed: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state of the snapshot equals that of the whole stream."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 4)
    for number in range(3):
        approve(filed, f"s{number}")
        filed.approvals.do(opening(f"T{number}", f"s{number}"), OTTO)
    filed.approvals.do(msg.TakeOff("T1"), OLGA)
    filed.approvals.do(sitting(table="T1"), MAX)
    filed.approvals.do(answering(), MAX)
    filed.approvals.do(sending("s9"), OLGA)
    filed.approvals.do(msg.DisableGaming(reason="a fault"), OLGA)

    assert filed.store.snapshot(STREAM, schema=SCHEMA) is not None
    again = shared_aggregates.ApprovalsFollower(filed.store, filed.house).refresh()
    assert again.to_snapshot() == filed.approvals.aggregate.to_snapshot()
    assert (
        again.to_snapshot()
        == Approvals.from_snapshot(again.to_snapshot(), filed.house).to_snapshot()
    )
    assert ["tina did not deal at table 'T1' in this test"] == [
        problem.what for problem in verify(filed.store).problems
    ]
    for wrong in ("{}", again.to_snapshot().replace(f'"schema":{SCHEMA}', '"schema":0')):
        with pytest.raises(BadInput, match="snapshot"):
            Approvals.from_snapshot(wrong, filed.house)


# The dealer school


def grade(number: int = 1, **changes: Any) -> msg.Grade:
    """A graded act of a trainee."""
    values: dict[str, Any] = {"number": number, "at": AT, "round": 1, "right": True}
    texts = {"due": "Deal", "done": "deal_cards", "clause": "9.A"}
    return msg.Grade(**values | texts | changes)


def sitting(lesson: str = "l1", **changes: Any) -> msg.SignTest:
    """A table test of Tina's."""
    values: dict[str, Any] = {
        "lesson": lesson,
        "trainee": "tina",
        "table": "T",
        "game": "ultimate_texas_holdem",
        "house": HOUSE.digest,
        "rounds": 1,
        "begun": AT,
        "grades": (grade(1), grade(2, right=False, note="9.A says otherwise")),
        "passed": True,
    }
    return msg.SignTest(**values | changes)


def test_a_table_test_is_signed_once_by_another_person(filed: Ledger) -> None:
    """COMAR 36.05.03.18: by a pit manager who did not deal it, and only a test that was dealt."""
    do = filed.approvals.do
    others: tuple[Role, ...] = ("floorperson", "dealer", "operator", "system")
    for role in others:
        with refuses(TABLE_TEST_CLAUSE, match="expected pit_manager"):
            do(sitting(), Account("max", role))
    with refuses(TABLE_TEST_CLAUSE, match="another person must examine"):
        do(sitting(), Account("tina", "pit_manager"))
    for empty in (sitting(grades=()), sitting(rounds=0)):
        with refuses(TABLE_TEST_CLAUSE, match="needs dealt rounds and graded acts"):
            do(empty, MAX)
    with refuses(TABLE_TEST_CLAUSE, match="at most 2000 characters"):
        do(sitting(remark="x" * 2001), MAX)
    with refuses(TABLE_TEST_CLAUSE, match="a lesson's name"):
        do(sitting(""), MAX)
    with pytest.raises(BadInput, match="account id"):
        do(sitting(trainee="Tina"), MAX)
    do(sitting(), MAX)
    with refuses(TABLE_TEST_CLAUSE, match="is already signed"):
        do(sitting(passed=False), Account("mia", "pit_manager"))
    test = filed.approvals.aggregate.tests["l1"]

    assert ("tina", "max", True) == (test.trainee, test.examiner, test.passed)
    assert "tina did not deal at table 'T' in this test" in str(verify(filed.store))


def test_a_test_is_compared_with_what_was_dealt(filed: Ledger) -> None:
    """The trainee held the post and dealt the rounds (COMAR 36.05.03.18)."""
    table = filed.open_table("T", HOUSE, by=MAX, service="attended")
    table.do(cmd.TakePost(), Account("tina", "dealer"))
    filed.approvals.do(sitting(), MAX)
    assert "decisions entry 1: 1 rounds were tested, 0 were dealt" in str(verify(filed.store))


# Second persons


ADJUST = cmd.AdjustMeter(meter="mega", amount=1, reason="a test", approval="L 7", second=MAX)


def answering(id: str = "adjust", command: Command = ADJUST, **changes: Any) -> msg.Agree:
    """The answer of a second person."""
    return msg.Agree(table="T", id=id, command=command_text(command), **{"agreed": True} | changes)


def test_a_second_person_answers_once_to_one_command(filed: Ledger) -> None:
    """COMAR 36.05.03.24J: the person it names, not the one who requests it, and only once."""
    do = filed.approvals.do
    mia = Account("mia", "pit_manager")
    for other in (Account("max", "cage"), mia):
        with refuses(SECOND_PERSON_CLAUSE, match="names pit_manager max, got the answer of"):
            do(answering(), other)
    with refuses(SECOND_PERSON_CLAUSE, match="needs no second person"):
        do(answering(command=cmd.NoMoreBets()), MAX)
    with refuses(SECOND_PERSON_CLAUSE, match="expected dealer or"):
        do(answering(), Account("max", "player"))
    with refuses(SECOND_PERSON_CLAUSE, match="another person must agree"):
        do(answering(asked_by="max"), MAX)
    for form in (command_text(ADJUST) + " ", "{}"):
        with pytest.raises(BadInput):
            do(msg.Agree(table="T", id="adjust", command=form, agreed=True), MAX)
    with refuses(SECOND_PERSON_CLAUSE, match="a command has at most"):
        do(msg.Agree(table="T", id="adjust", command=" " * 2001, agreed=True), MAX)
    for wrong in (answering(""), msg.Agree(table="", id="i", command="", agreed=True)):
        with refuses(SECOND_PERSON_CLAUSE, match="printable and not empty"):
            do(wrong, MAX)
    do(answering(agreed=False, asked_by="mia"), MAX)
    with refuses(SECOND_PERSON_CLAUSE, match="has already answered"):
        do(answering(), MAX)
    do(answering("another id"), MAX)

    answers = filed.approvals.aggregate.answers
    assert [False, True] == [answer.agreed for answer in answers.values()]
    assert verify(filed.store).ok


def test_an_expired_answer_is_dropped_from_the_state(filed: Ledger) -> None:
    """The state stays small; the record keeps all answers."""
    with manual_clock() as now:
        filed.approvals.do(answering("first"), MAX)
        now.at += ANSWER_VALID_MS - 1
        filed.approvals.do(answering("second"), MAX)
        assert 2 == len(filed.approvals.aggregate.answers)
        now.at += 1
        filed.approvals.do(answering("third"), MAX)
    assert 2 == len(filed.approvals.aggregate.answers)
    assert 3 == filed.approvals.sequence


# Denied access


def test_denied_attempts_are_noted_by_servers(filed: Ledger) -> None:
    """COMAR 36.04.01.22B: by a server only, at most 20 in one entry, each with a count."""
    do = filed.approvals.do
    attempt = msg.AccessAttempt("127.0.0.1", "look", "no role at T")
    with refuses(ACCESS_CLAUSE, match="expected system"):
        do(msg.NoteDenied(account="eve", attempts=(attempt,)), MAX)
    for attempts in ((), (attempt,) * 21):
        with refuses(ACCESS_CLAUSE, match="1 to 20 attempts"):
            do(msg.NoteDenied(account="eve", attempts=attempts), FLOOR)
    with refuses(ACCESS_CLAUSE, match="1 or more, got 0"):
        do(msg.NoteDenied(account="eve", attempts=(msg.AccessAttempt("p", "w", "y", 0),)), FLOOR)
    with refuses(ACCESS_CLAUSE, match="at most 300 characters"):
        do(msg.NoteDenied(account="eve", attempts=(msg.AccessAttempt("p", "w", "y" * 301),)), FLOOR)
    with pytest.raises(BadInput, match="account id"):
        do(msg.NoteDenied(account="Eve", attempts=(attempt,)), FLOOR)
    twice = msg.NoteDenied(account="eve", attempts=(attempt, msg.AccessAttempt("p", "w", "y", 4)))
    (event,) = do(twice, FLOOR)

    assert isinstance(event, msg.Denied) and 5 == event.count
    assert verify(filed.store).ok


# An attacker with write access to the database


@pytest.fixture
def record(filed: Ledger, tmp_path: Path) -> Forger:
    """An approved submission and a table under it, ready to be forged."""
    filed.approvals.do(sending(authors=("olga", "ada")), OLGA)
    with refuses(APPROVAL_CLAUSE):
        filed.approvals.do(deciding(), OLGA)
    filed.approvals.do(deciding(), OTTO)
    filed.approvals.do(opening(), OTTO)
    filed.open_table("T", HOUSE, by=MAX, service="attended")
    filed.close()
    forged = Forger(tmp_path / "ledger.db")
    assert verify(forged.copy().write(tmp_path / "forged.db")).ok
    return forged


def own_approval(lines: list[Any]) -> None:
    """Olga approves what she wrote."""
    lines[1].body["by"]["id"] = lines[1].body["events"][0]["by"] = "olga"


def other_house(lines: list[Any]) -> None:
    """The approved House is not the one that was sent."""
    for part in (lines[1].body["command"], lines[1].body["events"][0]):
        part["house"] = OTHER.digest


def other_outcome(lines: list[Any]) -> None:
    """It was not approved."""
    lines[1].body["events"][0]["approved"] = False


def other_table(lines: list[Any]) -> None:
    """Another table was opened under it."""
    for part in (lines[2].body["command"], lines[2].body["events"][0]):
        part["table"] = "U"


def no_author(lines: list[Any]) -> None:
    """It has no authors."""
    for part in (lines[0].body["command"], lines[0].body["events"][0]):
        part["authors"] = []


@pytest.mark.parametrize(
    "change", [own_approval, other_house, other_outcome, other_table, no_author]
)
def test_an_edited_approval_is_detected(
    record: Forger, tmp_path: Path, change: Callable[[list[Any]], None]
) -> None:
    """All hashes are recomputed; the rules or the opened table contradict the edit."""
    change([line for line in record.lines if line.stream == STREAM])
    assert not verify(record.write(tmp_path / "forged.db")).ok


def test_a_missing_or_inserted_entry_is_detected(record: Forger, tmp_path: Path) -> None:
    """A decision removed, a second one added, a table without an opening."""
    path = tmp_path / "forged.db"
    own = [index for index, line in enumerate(record.lines) if line.stream == STREAM]
    for index in own:
        removed = record.copy()
        removed.remove(index)
        assert not verify(removed.write(path)).ok, index
    removed = record.copy()
    removed.remove(own[-1])
    assert "opened without an approved submission" in str(verify(removed.write(path)))
    twice = record.copy()
    line = record.lines[own[1]].copy()
    twice.append(STREAM, line.body, id="again", at=line.at)
    assert "decisions entry 4: the rules refuse this" in str(verify(twice.write(path)))
    note = next(line for line in record.lines if line.stream == f"refused:{STREAM}")
    note.body["note"]["by"]["id"] = "otto"
    assert "the rules do not refuse this" in str(verify(record.write(path)))

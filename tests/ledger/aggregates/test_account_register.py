"""Account register: two people appoint, one takes away, enough remain; the record is complete."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.clock import DAY, HOUR
from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.aggregates import account_messages as msg
from croupier.ledger.aggregates.account_messages import Grant
from croupier.ledger.aggregates.account_register import (
    ACCESS_DAYS_MAX,
    COUNTS_MAX,
    EXCLUSION_CLAUSE,
    PRIVILEGED,
    SEGREGATION_CLAUSE,
    SUPPORT_CLAUSE,
    AccountRegister,
)
from croupier.ledger.aggregates.account_text import history_lines
from croupier.ledger.aggregates.approvals import ACCESS_CLAUSE
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Command, Envelope, Event
from tests.support.rounds import refuses

AT = 1_767_614_400_000
OLGA, OTTO = Account("olga", "operator"), Account("otto", "operator")
PETRA = Account("petra", "pit_manager")
SERVER = Account("floor", "system")
DEALER, PIT = Grant("dealer", "*"), Grant("pit_manager", "*")


@dataclasses.dataclass
class Register:
    """A register that decides and applies commands, one second apart."""

    state: AccountRegister
    at: int = AT

    def do(self, command: Command, by: Account = OLGA) -> Event:
        """Execute a command."""
        self.at += 1_000
        (event,) = self.state.decide(Envelope(f"id {self.at}", by, self.at, command))
        self.state.evolve(event)
        return event

    def refuses(self, command: Command, by: Account = OLGA, clause: str = ACCESS_CLAUSE) -> str:
        """The problem of a refused command, which changes nothing."""
        before = self.state.to_snapshot()
        with refuses(clause) as caught:
            self.do(command, by)
        assert before == self.state.to_snapshot()
        return caught.value.problem


def make(account: str, *grants: Grant, **values: Any) -> msg.CreateAccount:
    """A command that creates an account."""
    return msg.CreateAccount(account=account, grants=grants, reason="hired", **values)


def changed(command: Command, **values: Any) -> Command:
    """A command with other values."""
    return msgspec.structs.replace(command, **values)


@pytest.fixture
def live() -> Register:
    """A live register with two founders, a pit manager and a dealer."""
    register = Register(AccountRegister())
    register.do(msg.FoundAccounts(live=True, founders=("olga", "otto")), SERVER)
    register.do(make("petra", PIT, second=OTTO))
    register.do(make("dana", DEALER))
    return register


def test_a_live_register_begins_with_two_founders() -> None:
    """Nothing comes before, and the ceremony is held once."""
    register = Register(AccountRegister())
    assert "have not been founded" in register.refuses(make("eve", DEALER), SERVER)
    for founders in ((), ("eve",), ("eve", "eve"), ("eve", "mal", "joe")):
        found = msg.FoundAccounts(live=True, founders=founders)
        assert "2 different founders" in register.refuses(found, SERVER, SEGREGATION_CLAUSE)
    found = msg.FoundAccounts(live=True, founders=("olga", "otto"))
    assert "may not found" in register.refuses(found, OLGA)
    register.do(found, SERVER)
    assert "already founded" in register.refuses(found, SERVER)
    assert all(register.state.accounts[name].has("operator") for name in ("olga", "otto"))
    practice = msg.FoundAccounts(live=False, founders=("olga", "otto"))
    assert "no founders" in Register(AccountRegister()).refuses(
        practice, SERVER, SEGREGATION_CLAUSE
    )


@pytest.mark.parametrize("role", PRIVILEGED)
def test_privileged_roles_need_two_people(live: Register, role: str) -> None:
    """At creation and later; the second one is neither the author nor the person concerned."""
    grant = Grant(role, "" if role == "operator" else "*")
    for command in (
        make("eve", grant),
        msg.GrantRoles(account="dana", grants=(grant,), reason="promoted"),
    ):
        assert "second person" in live.refuses(command, clause=SEGREGATION_CLAUSE)
        for second in (OLGA, Account("dana", "dealer"), Account("nobody", "audit")):
            live.refuses(changed(command, second=second), clause=SEGREGATION_CLAUSE)
        live.do(changed(command, second=PETRA))


def test_the_author_is_an_operator_on_record(live: Register) -> None:
    """Neither another role nor a program, and not somebody whose role was withdrawn."""
    for by in (PETRA, SERVER, Account("petra", "operator"), Account("nobody", "operator")):
        assert "may not do this" in live.refuses(make("eve", DEALER), by)
    live.do(make("ozzy", Grant("operator"), second=OTTO))
    ozzy = Account("ozzy", "operator")
    live.do(make("eve", DEALER), ozzy)
    for state in ("locked", "active"):
        live.do(msg.SetAccountState(account="ozzy", state=state, reason="x", second=OTTO))
        if state == "locked":
            live.refuses(make("adam", DEALER), ozzy)
    live.do(make("adam", DEALER), ozzy)


def test_a_reason_is_required(live: Register) -> None:
    """Of every change, and not longer than a paragraph."""
    for command in (
        msg.CreateAccount(account="eve", grants=(DEALER,), reason=" "),
        msg.WithdrawRoles(account="dana", grants=(DEALER,), reason=""),
        msg.SetAccountState(account="dana", state="locked", reason=""),
        msg.SetPassword(account="dana", reason=""),
        msg.ExcludePlayer(account="paul", since=0, reason=""),
    ):
        assert "needs a reason" in live.refuses(command)
    assert "at most 300" in live.refuses(msg.SetPassword(account="dana", reason="x" * 301))


def test_nobody_changes_their_own_roles(live: Register) -> None:
    """Not even with a second person; a password is one's own."""
    own = msg.GrantRoles(account="olga", grants=(PIT,), reason="x", second=OTTO)
    assert "their own account" in live.refuses(own, clause=SEGREGATION_CLAUSE)
    before = live.state.accounts["dana"].password_set
    live.do(msg.SetPassword(account="dana", reason=""), Account("dana", "dealer"))
    assert before < live.state.accounts["dana"].password_set
    assert "may not do this" in live.refuses(
        msg.SetPassword(account="otto", reason="x"), Account("dana", "dealer")
    )


def test_resetting_a_privileged_password_needs_two_people(live: Register) -> None:
    """Otherwise one operator could sign in as the other."""
    reset = msg.SetPassword(account="petra", reason="forgotten")
    assert "second person" in live.refuses(reset, clause=SEGREGATION_CLAUSE)
    assert "twice" in live.refuses(changed(reset, second=PETRA), clause=SEGREGATION_CLAUSE)
    live.do(changed(reset, second=OTTO))
    live.do(msg.SetPassword(account="dana", reason="forgotten"))


def test_one_person_takes_away_but_enough_remain(live: Register) -> None:
    """An operator and a second person who can appoint."""
    live.do(msg.WithdrawRoles(account="petra", grants=(PIT,), reason="left"))
    assert not live.state.accounts["petra"].grants
    for command in (
        msg.WithdrawRoles(account="otto", grants=(Grant("operator"),), reason="left"),
        msg.SetAccountState(account="otto", state="disabled", reason="left"),
        msg.SetAccountState(account="otto", state="locked", reason="left"),
    ):
        problem = "an operator and a second person"
        assert problem in live.refuses(command, clause=SEGREGATION_CLAUSE)
    live.do(make("sam", Grant("surveillance", "*"), second=OTTO))
    live.do(msg.SetAccountState(account="otto", state="disabled", reason="left"))
    otto = live.state.accounts["otto"]
    assert ((), live.at, False) == (otto.grants, otto.disabled, otto.may_act(live.at))
    again = msg.GrantRoles(account="otto", grants=(DEALER,), reason="x")
    assert "is disabled" in live.refuses(again)


def test_accounts_that_cannot_be(live: Register) -> None:
    """Names, roles and tables are checked."""
    for command, problem in (
        (make("dana", DEALER), "already an account 'dana'"),
        (make("cli", DEALER), "is the command line on record"),
        (make("eve", Grant("king", "*")), "'king' is not a role"),
        (make("eve", Grant("system", "*")), "'system' is not a role"),
        (make("eve", Grant("operator", "T"), second=OTTO), "has no table"),
        (make("eve", Grant("dealer", "")), "must be printable and not empty"),
        (msg.GrantRoles(account="nobody", grants=(DEALER,), reason="x"), "no account 'nobody'"),
        (msg.GrantRoles(account="dana", grants=(DEALER,), reason="x"), "already has dealer at *"),
        (msg.WithdrawRoles(account="dana", grants=(PIT,), reason="x"), "does not have pit_man"),
        (msg.SetAccountState(account="dana", state="active", reason="x"), "already active"),
    ):
        assert problem in live.refuses(command)
    with pytest.raises(BadInput, match="account id"):
        live.do(make("Eve ", DEALER))


def test_the_regulator_has_no_other_role(live: Register) -> None:
    """A read-only account, which two people create."""
    commission = Grant("commission", "*")
    assert "second person" in live.refuses(make("cora", commission), clause=SEGREGATION_CLAUSE)
    both = make("cora", commission, Grant("cage", "*"), second=OTTO)
    assert "has no other" in live.refuses(both, clause=SEGREGATION_CLAUSE)
    live.do(make("cora", commission, second=OTTO))
    more = msg.GrantRoles(account="cora", grants=(DEALER,), reason="x")
    assert "has no other" in live.refuses(more, clause=SEGREGATION_CLAUSE)
    by = Account("cora", "commission")
    assert "may not do this" in live.refuses(make("eve", DEALER), by)


def test_exclusions_have_dates(live: Register) -> None:
    """A person need not have an account; the list says from when to when."""
    dana = Account("dana", "dealer")
    exclude = msg.ExcludePlayer(account="paul", since=AT + HOUR, until=AT + DAY, reason="asked")
    assert "may not do this" in live.refuses(exclude, dana)
    live.do(exclude, PETRA)
    answers = [live.state.is_excluded("paul", AT + after) for after in (0, HOUR, DAY - 1, DAY)]
    assert [False, True, True, False] == answers
    backwards = msg.ExcludePlayer(account="paul", since=AT + DAY, until=AT + HOUR, reason="x")
    assert "ends after it begins" in live.refuses(backwards, clause=EXCLUSION_CLAUSE)
    live.do(msg.ExcludePlayer(account="paul", since=0, reason="for good"))
    assert live.state.is_excluded("paul", AT + 9_999 * DAY)
    live.do(msg.EndExclusion(account="paul", reason="ruling"))
    assert not live.state.is_excluded("paul", AT + 2 * HOUR)
    assert "not on the exclusion list" in live.refuses(
        msg.EndExclusion(account="paul", reason="x"), clause=EXCLUSION_CLAUSE
    )


def test_a_supplier_acts_for_a_limited_time(live: Register) -> None:
    """Enabled by two people, for a week at most."""
    live.do(make("acme", Grant("supplier"), DEALER))
    assert not live.state.accounts["acme"].may_act(live.at)
    enable = msg.EnableAccess(account="acme", until=live.at + 4 * HOUR, reason="ticket 7")
    assert "second person" in live.refuses(enable, clause=SEGREGATION_CLAUSE)
    for until in (live.at, live.at + (ACCESS_DAYS_MAX + 1) * DAY):
        wrong = msg.EnableAccess(account="acme", until=until, reason="x", second=OTTO)
        assert "at most 7 days" in live.refuses(wrong, clause=SUPPORT_CLAUSE)
    live.do(changed(enable, second=OTTO))
    acme = live.state.accounts["acme"]
    assert [True, False] == [acme.may_act(enable.until - 1), acme.may_act(enable.until)]
    other = msg.EnableAccess(account="dana", until=live.at + HOUR, reason="x", second=OTTO)
    assert "not a supplier" in live.refuses(other, clause=SUPPORT_CLAUSE)


def test_sign_ins_are_counted(live: Register) -> None:
    """A success resets the count of failures; only a server notes them."""

    def count(kind: Any, number: int = 1, account: str = "dana") -> msg.SignInCount:
        return msg.SignInCount(
            kind=kind, account=account, address="10.0.0.9", at=live.at, count=number
        )

    live.do(msg.NoteSignIns(counts=(count("failed", 7), count("failed", 2, ""))), SERVER)
    assert 7 == live.state.accounts["dana"].failures
    live.do(msg.NoteSignIns(counts=(count("signed_in"), count("signed_out"))), SERVER)
    dana = live.state.accounts["dana"]
    assert (0, True) == (dana.failures, dana.last_seen > 0)
    for counts, problem in (
        ((), "expected 1 to"),
        ((count("failed"),) * (COUNTS_MAX + 1), "expected 1 to"),
        ((count("failed", 0),), "count of the past"),
        ((count("failed", 1, "nobody"),), "there is no account"),
    ):
        assert problem in live.refuses(msg.NoteSignIns(counts=counts), SERVER)
    live.refuses(msg.NoteSignIns(counts=(count("signed_in"),)), OLGA)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A live ledger with founders."""
    with Ledger(tmp_path / "live.db", purpose="live") as opened:
        opened.accounts.found(msg.FoundAccounts(live=True, founders=("olga", "otto")))
        yield opened


def test_an_audit_decides_every_change_again(ledger: Ledger, tmp_path: Path) -> None:
    """Refused ones too; the history is in words."""
    ledger.accounts.do(make("petra", PIT, second=OTTO), OLGA)
    with refuses("COMAR 36.03.10.10E"):
        ledger.accounts.do(make("eve", PIT), OLGA)
    report = verify(tmp_path / "live.db")
    assert not report.problems
    lines = list(history_lines(ledger.accounts.history("petra"), "petra"))
    assert ["created: pit_manager at *"] == [line.text for line in lines]
    assert ("operator olga", "operator otto", "hired") == (
        lines[0].by,
        lines[0].second,
        lines[0].reason,
    )
    assert (
        AccountRegister.from_snapshot(ledger.accounts.aggregate.to_snapshot()).to_snapshot()
        == ledger.accounts.aggregate.to_snapshot()
    )


def test_the_register_has_the_purpose_of_its_ledger(tmp_path: Path) -> None:
    """A live ledger whose register was founded for practice does not verify."""
    with Ledger(tmp_path / "live.db", purpose="live") as opened:
        opened.accounts.found(msg.FoundAccounts(live=False))
    problems = [str(problem) for problem in verify(tmp_path / "live.db").problems]
    assert ["accounts entry 1: is founded for practice, but the ledger is live"] == problems

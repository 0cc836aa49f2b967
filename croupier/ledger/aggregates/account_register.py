"""Account register aggregate: who has which role at the property, by whom, why and since when.

An operator manages accounts and gives a reason for every change. On a live ledger, operators,
auditors, pit managers and surveillance get roles, passwords and unlocking only from two different
people (COMAR 36.03.10.10E: nobody may commit an error or fraud and conceal it). Taking a role away
needs one person, but at least two people who can appoint others remain. The two founders of a live
ledger are created together, once. On a practice ledger a program may manage accounts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from croupier.clock import DAY
from croupier.errors import Refusal
from croupier.ledger.aggregates import account_messages as msg
from croupier.ledger.aggregates.account_messages import Grant
from croupier.ledger.aggregates.account_state import (
    GRANTABLE,
    AccountRecord,
    AccountRegisterState,
)
from croupier.ledger.aggregates.approvals import (
    ACCESS_CLAUSE,
    REASON_LENGTH_MAX,
    check_length,
    check_text,
)
from croupier.ledger.errors import Excluded
from croupier.table import Account, Command, Envelope, Event, Role, validate_envelope
from croupier.table.core.roles import PROPERTY_OFFICES, check_id

STREAM = "accounts"
SEGREGATION_CLAUSE = "COMAR 36.03.10.10E"  # nobody commits and conceals an error or fraud
EXCLUSION_CLAUSE = Excluded.CLAUSE
SUPPORT_CLAUSE = "COMAR 36.04.01.31C"  # remote access is activated for each access

FOUNDERS = 2
# Roles that nobody gets from one person alone; the people who have them are second persons, and
# need a second factor on a live ledger.
PRIVILEGED: tuple[Role, ...] = ("operator", "audit", "pit_manager", "surveillance")
# Roles that act nowhere, and that nobody has besides another one.
ALONE = ("commission",)
EXCLUDERS: tuple[Role, ...] = ("operator", "pit_manager", "surveillance")
ACCESS_DAYS_MAX = 7  # of a supplier's account
ADDRESS_LENGTH_MAX = 100
COUNTS_MAX = 200  # of sign-ins in one entry
RESERVED_ID = "cli"  # in the ledger: the command line, when no person is named


class AccountRegister(AccountRegisterState):
    """The accounts of a property."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The event of a command, or a Refusal."""
        envelope = validate_envelope(envelope)
        command = envelope.command
        decide = _DECIDERS.get(type(command))
        if decide is None:
            problem = f"{type(command).__name__} is not a command of the account register"
            raise Refusal(problem, ACCESS_CLAUSE)
        if not self.founded and not isinstance(command, msg.FoundAccounts):
            raise Refusal("the accounts of this ledger have not been founded", ACCESS_CLAUSE)
        event = decide(self, command, envelope)
        return (msgspec.structs.replace(event, at=envelope.at),)

    def check_author(self, by: Account, roles: Sequence[Role] = ("operator",)) -> None:
        """Refuse an author without one of these roles on record; a program on a live ledger."""
        if by.role == "system":
            if self.live:
                raise Refusal(f"{by} may not do this on a live ledger", ACCESS_CLAUSE)
            return
        record = self.accounts.get(by.id)
        if by.role not in roles or record is None or not record.has(by.role):
            raise Refusal(f"{by} may not do this; expected {' or '.join(roles)}", ACCESS_CLAUSE)

    def check_second(self, by: Account, second: Account | None, about: str, need: bool) -> None:
        """Refuse a missing second person, or one who is not independent and privileged."""
        if second is None:
            if need and self.live:
                expected = " or ".join(PRIVILEGED)
                problem = f"this needs a second person on a live ledger: {expected}"
                raise Refusal(problem, SEGREGATION_CLAUSE)
            return
        check_id(second.id)
        if second.id in (by.id, about):
            raise Refusal(
                f"two different people must do this, got {second.id} twice", SEGREGATION_CLAUSE
            )
        record = self.accounts.get(second.id)
        if second.role not in PRIVILEGED or record is None or not record.has(second.role):
            problem = f"{second} cannot be the second person; expected {' or '.join(PRIVILEGED)}"
            raise Refusal(problem, SEGREGATION_CLAUSE)

    def find(self, account: str) -> AccountRecord:
        """The record of an account that a command changes; an unknown one is refused."""
        record = self.accounts.get(account)
        if record is None:
            raise Refusal(f"there is no account {account[:80]!r}", ACCESS_CLAUSE)
        return record


def is_privileged(grants: Sequence[Grant]) -> bool:
    """Whether one of these roles needs two people."""
    return any(grant.role in (*PRIVILEGED, *ALONE) for grant in grants)


def needs_second(state: AccountRegister, command: Command) -> bool:
    """Whether a command needs a second person on a live ledger."""
    match command:
        case msg.CreateAccount() | msg.GrantRoles():
            return is_privileged(command.grants)
        case msg.SetAccountState(state="active") | msg.SetPassword() | msg.SetFactor():
            record = state.accounts.get(command.account)
            return record is not None and is_privileged(record.grants)
        case msg.EnableAccess():
            return True
    return False


# Founding


def _found(state: AccountRegister, command: msg.FoundAccounts, envelope: Envelope) -> Event:
    if envelope.by.role != "system":
        raise Refusal(f"{envelope.by} may not found the accounts", ACCESS_CLAUSE)
    if state.founded:
        raise Refusal("the accounts of this ledger are already founded", ACCESS_CLAUSE)
    for id, grants in command.adopted.items():
        _check_new_id(state, id)
        for grant in grants:
            check_text("a role", grant.role, 40, ACCESS_CLAUSE)
    for id in command.founders:
        _check_new_id(state, id)
    expected = FOUNDERS if command.live and not command.adopted else 0
    if len({*command.founders}) != len(command.founders) or len(command.founders) != expected:
        names = ", ".join(command.founders) or "none"
        what = f"{FOUNDERS} different founders" if expected else "no founders"
        problem = f"expected {what}, got {names}"
        raise Refusal(problem, SEGREGATION_CLAUSE)
    return msg.AccountsFounded(
        live=command.live,
        founders=command.founders,
        adopted=command.adopted,
        clauses=(SEGREGATION_CLAUSE,),
    )


# Accounts and roles


def _create(state: AccountRegister, command: msg.CreateAccount, envelope: Envelope) -> Event:
    _check_change(state, command, envelope.by, command.second)
    _check_new_id(state, command.account)
    _check_grants(command.grants)
    _check_alone(None, command.grants)
    return msg.AccountCreated(
        account=command.account,
        grants=command.grants,
        by=envelope.by,
        second=command.second,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _check_alone(record: AccountRecord | None, grants: Sequence[Grant]) -> None:
    """The regulator's account can do nothing else: it is read-only."""
    roles = {grant.role for grant in (*grants, *(record.grants if record else ()))}
    for role in ALONE:
        if role in roles and len(roles) > 1:
            problem = (
                f"an account with the role {role} has no other, got {', '.join(sorted(roles))}"
            )
            raise Refusal(problem, SEGREGATION_CLAUSE)


def _grant(state: AccountRegister, command: msg.GrantRoles, envelope: Envelope) -> Event:
    _check_change(state, command, envelope.by, command.second)
    record = state.find(command.account)
    _check_grants(command.grants)
    _check_alone(record, command.grants)
    if record.state == "disabled":
        raise Refusal(f"{record.id} is disabled; make it active first", ACCESS_CLAUSE)
    if {*command.grants} <= {*record.grants}:
        raise Refusal(f"{record.id} already has {_listed(command.grants)}", ACCESS_CLAUSE)
    return msg.RolesGranted(
        account=command.account,
        grants=command.grants,
        by=envelope.by,
        second=command.second,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _withdraw(state: AccountRegister, command: msg.WithdrawRoles, envelope: Envelope) -> Event:
    _check_change(state, command, envelope.by, None)
    record = state.find(command.account)
    missing = {*command.grants} - {*record.grants}
    if missing or not command.grants:
        raise Refusal(f"{record.id} does not have {_listed(sorted(missing))}", ACCESS_CLAUSE)
    _check_enough_remain(state, record.id, {*record.grants} - {*command.grants})
    return msg.RolesWithdrawn(
        account=command.account,
        grants=command.grants,
        by=envelope.by,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _set_state(state: AccountRegister, command: msg.SetAccountState, envelope: Envelope) -> Event:
    _check_change(state, command, envelope.by, command.second)
    record = state.find(command.account)
    if record.state == command.state:
        raise Refusal(f"{record.id} is already {record.state}", ACCESS_CLAUSE)
    if command.state != "active":
        _check_enough_remain(state, record.id, set())
    return msg.AccountStateSet(
        account=command.account,
        state=command.state,
        by=envelope.by,
        second=command.second,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _set_password(state: AccountRegister, command: msg.SetPassword, envelope: Envelope) -> Event:
    by, record = envelope.by, state.find(command.account)
    if by.id != record.id or by.role == "system":
        _check_change(state, command, by, command.second)
    if record.state == "disabled":
        raise Refusal(f"{record.id} is disabled; make it active first", ACCESS_CLAUSE)
    return msg.PasswordSet(
        account=command.account,
        by=by,
        second=command.second,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _set_factor(state: AccountRegister, command: msg.SetFactor, envelope: Envelope) -> Event:
    by, record = envelope.by, state.find(command.account)
    if command.factor == "reset":
        _check_change(state, command, by, command.second)
    elif by.id != record.id:
        problem = f"{by} cannot add a second factor for {record.id}"
        raise Refusal(problem, SEGREGATION_CLAUSE)
    return msg.FactorSet(
        account=command.account,
        factor=command.factor,
        by=by,
        second=command.second,
        reason=command.reason,
        clauses=(ACCESS_CLAUSE,),
    )


def _enable_access(state: AccountRegister, command: msg.EnableAccess, envelope: Envelope) -> Event:
    _check_change(state, command, envelope.by, command.second)
    record = state.find(command.account)
    if not any(grant.role == "supplier" for grant in record.grants):
        raise Refusal(f"{record.id} is not a supplier's account", SUPPORT_CLAUSE)
    if not envelope.at < command.until <= envelope.at + ACCESS_DAYS_MAX * DAY:
        problem = f"remote access lasts at most {ACCESS_DAYS_MAX} days from now"
        raise Refusal(f"{problem}, got {command.until}", SUPPORT_CLAUSE)
    return msg.AccessEnabled(
        account=command.account,
        until=command.until,
        by=envelope.by,
        second=command.second,
        reason=command.reason,
        clauses=(SUPPORT_CLAUSE,),
    )


# The exclusion list


def _exclude(state: AccountRegister, command: msg.ExcludePlayer, envelope: Envelope) -> Event:
    state.check_author(envelope.by, EXCLUDERS)
    _check_reason(command.reason)
    check_id(command.account)
    if command.since < 0 or (command.until and command.until <= max(command.since, envelope.at)):
        problem = "an exclusion ends after it begins and after now"
        raise Refusal(f"{problem}, got {command.since} to {command.until}", EXCLUSION_CLAUSE)
    return msg.PlayerExcluded(
        account=command.account,
        since=command.since,
        until=command.until,
        by=envelope.by,
        reason=command.reason,
        clauses=(EXCLUSION_CLAUSE,),
    )


def _end_exclusion(state: AccountRegister, command: msg.EndExclusion, envelope: Envelope) -> Event:
    state.check_author(envelope.by, EXCLUDERS)
    _check_reason(command.reason)
    if command.account not in state.exclusions:
        problem = f"{command.account[:80]!r} is not on the exclusion list"
        raise Refusal(problem, EXCLUSION_CLAUSE)
    return msg.ExclusionEnded(
        account=command.account,
        by=envelope.by,
        reason=command.reason,
        clauses=(EXCLUSION_CLAUSE,),
    )


# Sign-ins


def _note_sign_ins(state: AccountRegister, command: msg.NoteSignIns, envelope: Envelope) -> Event:
    if envelope.by.role != "system":
        raise Refusal(f"{envelope.by} may not do this; expected system", ACCESS_CLAUSE)
    if not 1 <= len(command.counts) <= COUNTS_MAX:
        problem = f"expected 1 to {COUNTS_MAX} counts, got {len(command.counts)}"
        raise Refusal(problem, ACCESS_CLAUSE)
    for count in command.counts:
        check_length("an address", count.address, ADDRESS_LENGTH_MAX, ACCESS_CLAUSE)
        if count.account and count.account not in state.accounts:
            raise Refusal(f"there is no account {count.account[:80]!r}", ACCESS_CLAUSE)
        if count.count < 1 or count.at > envelope.at:
            raise Refusal(f"{count} is not a count of the past", ACCESS_CLAUSE)
    return msg.SignInsNoted(counts=command.counts, clauses=(ACCESS_CLAUSE,))


# Checks


def _check_change(
    state: AccountRegister, command: Any, by: Account, second: Account | None
) -> None:
    """An operator changes the account of another person, with a reason and, if due, a second."""
    state.check_author(by)
    if by.id == command.account:
        raise Refusal(f"{by.id} cannot do this to their own account", SEGREGATION_CLAUSE)
    _check_reason(command.reason)
    state.check_second(by, second, command.account, needs_second(state, command))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refusal("a change of accounts needs a reason", ACCESS_CLAUSE)
    check_length("a reason", reason, REASON_LENGTH_MAX, ACCESS_CLAUSE)


def _check_new_id(state: AccountRegister, id: str) -> None:
    check_id(id)
    if id == RESERVED_ID:
        problem = f"{id!r} is the command line on record; choose another name"
        raise Refusal(problem, ACCESS_CLAUSE)
    if id in state.accounts:
        raise Refusal(f"there is already an account {id!r}", ACCESS_CLAUSE)


def _check_grants(grants: Sequence[Grant]) -> None:
    for grant in grants:
        if grant.role in PROPERTY_OFFICES:
            if grant.table:
                problem = f"{grant.role} is an office of the whole property and has no table"
                raise Refusal(f"{problem}; got {grant.table[:80]!r}", ACCESS_CLAUSE)
        elif grant.role not in GRANTABLE:
            expected = ", ".join((*GRANTABLE, *PROPERTY_OFFICES))
            problem = f"{grant.role[:40]!r} is not a role; expected one of {expected}"
            raise Refusal(problem, ACCESS_CLAUSE)
        else:
            check_text("a table's name", grant.table, 120, ACCESS_CLAUSE)


def _check_enough_remain(state: AccountRegister, account: str, left: set[Grant]) -> None:
    """A live property keeps an operator and another person who can appoint people."""
    if not state.live or not is_privileged(state.accounts[account].grants):
        return
    after = {**state.accounts}
    after[account] = msgspec.structs.replace(after[account], grants=tuple(left))
    operators = [each.id for each in after.values() if each.has("operator")]
    able = [each.id for each in after.values() if any(each.has(role) for role in PRIVILEGED)]
    if not operators or len(able) < FOUNDERS:
        problem = "an operator and a second person who can appoint others must remain"
        raise Refusal(f"{problem}; appoint another person first", SEGREGATION_CLAUSE)


def _listed(grants: Sequence[Grant]) -> str:
    return ", ".join(map(str, grants)) or "no role"


_Decide: TypeAlias = Callable[[AccountRegister, Any, Envelope], Event]
_DECIDERS: dict[type[Command], _Decide] = {
    msg.FoundAccounts: _found,
    msg.CreateAccount: _create,
    msg.GrantRoles: _grant,
    msg.WithdrawRoles: _withdraw,
    msg.SetAccountState: _set_state,
    msg.SetPassword: _set_password,
    msg.SetFactor: _set_factor,
    msg.ExcludePlayer: _exclude,
    msg.EndExclusion: _end_exclusion,
    msg.EnableAccess: _enable_access,
    msg.NoteSignIns: _note_sign_ins,
}

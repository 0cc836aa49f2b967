"""State of the account register, folded from its events."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from croupier.errors import BadInput
from croupier.ledger.aggregates import account_messages as msg
from croupier.ledger.aggregates.account_messages import AccountState, Grant
from croupier.table import ROLES, Event
from croupier.table.core.roles import PROPERTY_OFFICES

SCHEMA = 1  # of a snapshot; snapshots of other schemas are ignored and taken again
EVERY_TABLE = "*"
GRANTABLE = tuple(role for role in ROLES if role != "system")
FOUNDING_GRANTS = (Grant("operator"),)


class AccountRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account: its roles, its state, and the times of GLI-19 2.8.9, in epoch milliseconds."""

    id: str
    grants: tuple[Grant, ...] = ()
    state: AccountState = "active"
    created: int
    last_seen: int = 0  # last sign-in
    password_set: int = 0
    failures: int = 0  # failed sign-ins since the last one that succeeded
    disabled: int = 0  # since when, if it is
    until: int = 0  # end of a supplier's access

    def may_act(self, at: int) -> bool:
        """Whether the account may sign in and act at a time."""
        supplier = Grant("supplier") in self.grants
        return self.state == "active" and (not supplier or at < self.until)

    def has(self, role: str) -> bool:
        """Whether the account has an office, or a role at every table."""
        table = "" if role in PROPERTY_OFFICES else EVERY_TABLE
        return self.state == "active" and Grant(role, table) in self.grants


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A period in which a person may not play; without an end if `until` is 0."""

    since: int
    until: int

    def holds(self, at: int) -> bool:
        """Whether the person is excluded at a time."""
        return self.since <= at and (not self.until or at < self.until)


class AccountRegisterSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Content of a snapshot."""

    schema: int
    founded: bool
    live: bool
    accounts: dict[str, AccountRecord]
    exclusions: dict[str, Exclusion]


class AccountRegisterState:
    """The accounts of a property and its exclusion list."""

    def __init__(self) -> None:
        self.founded = False
        self.live = False
        self.accounts: dict[str, AccountRecord] = {}
        self.exclusions: dict[str, Exclusion] = {}

    def is_excluded(self, account: str, at: int) -> bool:
        """Whether a person is on the exclusion list at a time."""
        exclusion = self.exclusions.get(account)
        return exclusion is not None and exclusion.holds(at)

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        assert isinstance(event.at, int), "each of these commands leads to one event"
        match event:
            case msg.AccountsFounded():
                self.founded, self.live = True, event.live
                for id in event.founders:
                    self._create(id, FOUNDING_GRANTS, event.at)
                for id, grants in event.adopted.items():
                    self._create(id, grants, event.at)
            case msg.AccountCreated():
                self._create(event.account, event.grants, event.at)
            case msg.RolesGranted():
                granted = {*self.accounts[event.account].grants, *event.grants}
                self._update(event.account, grants=tuple(sorted(granted)))
            case msg.RolesWithdrawn():
                left = {*self.accounts[event.account].grants} - {*event.grants}
                self._update(event.account, grants=tuple(sorted(left)))
            case msg.AccountStateSet(state="disabled"):
                self._update(event.account, state="disabled", disabled=event.at, grants=())
            case msg.AccountStateSet():
                self._update(event.account, state=event.state, disabled=0)
            case msg.PasswordSet():
                self._update(event.account, password_set=event.at, failures=0)
            case msg.PlayerExcluded():
                self.exclusions[event.account] = Exclusion(event.since, event.until)
            case msg.ExclusionEnded():
                del self.exclusions[event.account]
            case msg.AccessEnabled():
                self._update(event.account, until=event.until)
            case msg.SignInsNoted():
                self._note_sign_ins(event)

    def _create(self, id: str, grants: tuple[Grant, ...], at: int) -> None:
        sorted_grants = tuple(sorted({*grants}))
        self.accounts[id] = AccountRecord(id=id, grants=sorted_grants, created=at, password_set=at)

    def _update(self, id: str, **values: Any) -> None:
        self.accounts[id] = msgspec.structs.replace(self.accounts[id], **values)

    def _note_sign_ins(self, event: msg.SignInsNoted) -> None:
        for count in event.counts:
            record = self.accounts.get(count.account)
            if record is None:
                continue
            if count.kind == "signed_in":
                self._update(record.id, last_seen=max(record.last_seen, count.at), failures=0)
            elif count.kind == "failed":
                self._update(record.id, failures=record.failures + count.count)

    def to_snapshot(self) -> str:
        """This state as text, identical for identical events."""
        snapshot = AccountRegisterSnapshot(
            schema=SCHEMA,
            founded=self.founded,
            live=self.live,
            accounts=self.accounts,
            exclusions=self.exclusions,
        )
        return msgspec.json.encode(snapshot).decode()

    @classmethod
    def from_snapshot(cls, text: str) -> Self:
        """The state of a snapshot; BadInput if it is not one of this schema."""
        try:
            snapshot = msgspec.json.decode(text, type=AccountRegisterSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if snapshot.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {snapshot.schema}, expected {SCHEMA}")
        state = cls()
        state.founded, state.live = snapshot.founded, snapshot.live
        state.accounts, state.exclusions = snapshot.accounts, snapshot.exclusions
        return state

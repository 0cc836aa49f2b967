"""Commands and events of the account register: who exists, with which roles, and since when.

People are named by account id. Passwords, tokens, second factors and personal data are not part of
the record; they are in the accounts database of the server.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.table import Account, Command, Event

AccountState: TypeAlias = Literal["active", "locked", "disabled"]
FactorChange: TypeAlias = Literal["totp", "passkey", "reset"]
SignInKind: TypeAlias = Literal["signed_in", "signed_out", "failed"]


class Grant(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A role at a table ("*" for every table), or an office, which has no table."""

    role: str
    table: str = ""

    def __str__(self) -> str:
        return f"{self.role} at {self.table}" if self.table else self.role


class SignInCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sign-ins, sign-outs or failed sign-ins of one account from one address."""

    kind: SignInKind
    account: str  # empty if there is no account of that name
    address: str
    at: int  # the last one, in milliseconds since the epoch
    count: int = 1


# Commands


class FoundAccounts(Command, frozen=True, kw_only=True, tag="found_accounts"):
    """The first command: two founders of a live ledger, or the accounts of an earlier version."""

    live: bool
    founders: tuple[str, ...] = ()
    adopted: dict[str, tuple[Grant, ...]] = {}


class CreateAccount(Command, frozen=True, kw_only=True, tag="create_account"):
    """Create an account with its first roles and offices."""

    account: str
    grants: tuple[Grant, ...]
    reason: str
    second: Account | None = None


class GrantRoles(Command, frozen=True, kw_only=True, tag="grant_roles"):
    """Grant roles and offices to an account."""

    account: str
    grants: tuple[Grant, ...]
    reason: str
    second: Account | None = None


class WithdrawRoles(Command, frozen=True, kw_only=True, tag="withdraw_roles"):
    """Withdraw roles and offices from an account. Withdrawing needs no second person."""

    account: str
    grants: tuple[Grant, ...]
    reason: str


class SetAccountState(Command, frozen=True, kw_only=True, tag="set_account_state"):
    """Lock or disable an account, or make it active again; disabling withdraws all its roles."""

    account: str
    state: AccountState
    reason: str
    second: Account | None = None


class SetPassword(Command, frozen=True, kw_only=True, tag="set_password"):
    """Record that an account gets a new password: its own change, or a reset by others."""

    account: str
    reason: str
    second: Account | None = None


class SetFactor(Command, frozen=True, kw_only=True, tag="set_factor"):
    """Record that an account adds a second factor, or that others reset all of them."""

    account: str
    factor: FactorChange
    reason: str
    second: Account | None = None


class ExcludePlayer(Command, frozen=True, kw_only=True, tag="exclude_player"):
    """Put a person on the exclusion list, from one time to another."""

    account: str
    since: int  # milliseconds since the epoch
    reason: str
    until: int = 0  # 0: until further notice


class EndExclusion(Command, frozen=True, kw_only=True, tag="end_exclusion"):
    """Take a person off the exclusion list."""

    account: str
    reason: str


class EnableAccess(Command, frozen=True, kw_only=True, tag="enable_access"):
    """Enable the remote access of a supplier's account for a limited time."""

    account: str
    until: int  # milliseconds since the epoch
    reason: str
    second: Account | None = None


class NoteSignIns(Command, frozen=True, kw_only=True, tag="note_sign_ins"):
    """Sign-ins and sign-outs at a server, and counted failures."""

    counts: tuple[SignInCount, ...]


# Events


class AccountsFounded(Event, frozen=True, kw_only=True, tag="accounts_founded"):
    """The register begins: with two founders, with adopted accounts, or empty for practice."""

    live: bool
    founders: tuple[str, ...]
    adopted: dict[str, tuple[Grant, ...]]


class AccountCreated(Event, frozen=True, kw_only=True, tag="account_created"):
    """An account was created."""

    account: str
    grants: tuple[Grant, ...]
    by: Account
    second: Account | None
    reason: str


class RolesGranted(Event, frozen=True, kw_only=True, tag="roles_granted"):
    """An account got roles or offices."""

    account: str
    grants: tuple[Grant, ...]
    by: Account
    second: Account | None
    reason: str


class RolesWithdrawn(Event, frozen=True, kw_only=True, tag="roles_withdrawn"):
    """An account lost roles or offices."""

    account: str
    grants: tuple[Grant, ...]
    by: Account
    reason: str


class AccountStateSet(Event, frozen=True, kw_only=True, tag="account_state_set"):
    """An account was locked, disabled or made active again."""

    account: str
    state: AccountState
    by: Account
    second: Account | None
    reason: str


class PasswordSet(Event, frozen=True, kw_only=True, tag="password_set"):
    """An account got a new password, which is not on record."""

    account: str
    by: Account
    second: Account | None
    reason: str


class FactorSet(Event, frozen=True, kw_only=True, tag="factor_set"):
    """An account got a second factor, which is not on record, or lost all of them."""

    account: str
    factor: FactorChange
    by: Account
    second: Account | None
    reason: str


class PlayerExcluded(Event, frozen=True, kw_only=True, tag="player_excluded"):
    """A person was put on the exclusion list."""

    account: str
    since: int
    until: int
    by: Account
    reason: str


class ExclusionEnded(Event, frozen=True, kw_only=True, tag="exclusion_ended"):
    """A person was taken off the exclusion list."""

    account: str
    by: Account
    reason: str


class AccessEnabled(Event, frozen=True, kw_only=True, tag="access_enabled"):
    """A supplier's account was enabled for a limited time."""

    account: str
    until: int
    by: Account
    second: Account | None
    reason: str


class SignInsNoted(Event, frozen=True, kw_only=True, tag="sign_ins_noted"):
    """Sign-ins, sign-outs and failures at a server."""

    counts: tuple[SignInCount, ...]


COMMANDS: tuple[type[Command], ...] = (
    FoundAccounts,
    CreateAccount,
    GrantRoles,
    WithdrawRoles,
    SetAccountState,
    SetPassword,
    SetFactor,
    ExcludePlayer,
    EndExclusion,
    EnableAccess,
    NoteSignIns,
)
EVENTS: tuple[type[Event], ...] = (
    AccountsFounded,
    AccountCreated,
    RolesGranted,
    RolesWithdrawn,
    AccountStateSet,
    PasswordSet,
    FactorSet,
    PlayerExcluded,
    ExclusionEnded,
    AccessEnabled,
    SignInsNoted,
)

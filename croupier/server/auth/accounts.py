"""Accounts: recorded changes, passwords, and the stored decks of practice tables.

Passwords and decks are in a database of their own (`accounts_database`). Every function here
blocks; call it in a thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from sqlalchemy.engine import URL

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.aggregates.account_messages import (
    AccountState,
    CreateAccount,
    EnableAccess,
    EndExclusion,
    ExcludePlayer,
    FoundAccounts,
    Grant,
    GrantRoles,
    SetAccountState,
    SetFactor,
    SetPassword,
    WithdrawRoles,
)
from croupier.ledger.aggregates.administration import FOUNDER
from croupier.server.auth.accounts_database import accounts_url, metadata, open_engine
from croupier.server.auth.credentials import NO_PASSWORD, CredentialStore
from croupier.server.auth.passwords import check_password
from croupier.server.auth.person import (
    EVERY_TABLE,
    OFFICES,
    Office,
    Person,
    account,
    earlier_grant,
    person_of,
)
from croupier.server.auth.session_policy import (
    LIVE,
    PRACTICE,
    is_device,
)
from croupier.server.auth.sessions import session
from croupier.table import Account, Command, Role
from croupier.table.core.roles import ACCOUNT_ID_LENGTH_MAX, normalize_id

Roles: TypeAlias = Iterable[tuple[Role | Office, str]]  # each with its table, "" for every table


class Authorship(NamedTuple):
    """Who changes an account, with which second person, and why. Both are authenticated."""

    by: Account
    second: Account | None = None
    reason: str = "set up by a program"


BY_PROGRAM = Authorship(Account("floor", "system"))  # allowed on a practice ledger

# Decks that practice tables have committed to: secret until their round is over.
deck = sa.Table(
    "floor_kept_deck",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("commitment", sa.Text, primary_key=True),
    sa.Column("revealed", sa.Text, nullable=False),
)


class AccountSummary(msgspec.Struct, frozen=True, kw_only=True):
    """An account in the list of an administrator, with times in epoch milliseconds, 0 if never."""

    person: Person
    sessions: int  # open ones
    delayed: bool  # somewhere, after wrong passwords
    display_name: str
    state: AccountState
    created: int
    last_seen: int  # last sign-in
    password_set: int
    disabled: int
    failures: int  # failed sign-ins since the last one that succeeded
    until: int  # end of a supplier's access


def grants_of(roles: Roles) -> tuple[Grant, ...]:
    """Roles and offices as they are recorded."""
    return tuple(
        Grant(role, "" if role in OFFICES else table or EVERY_TABLE) for role, table in roles
    )


class Accounts(CredentialStore):
    """The accounts of one ledger. Close it after use.

    The ledger's account register says who exists and who has which role; the accounts database has
    passwords, sessions and personal data.
    """

    def __init__(
        self, ledger: Ledger, *, url: URL | None = None, hasher: PasswordHasher | None = None
    ) -> None:
        """`url` names an accounts database that is not beside the ledger."""
        address = ledger.store.address
        self.url = url or accounts_url(address.file or address.server or "")
        policy = LIVE if ledger.purpose == "live" else PRACTICE
        super().__init__(open_engine(self.url), ledger, policy, hasher or PasswordHasher())
        try:
            self._adopt_earlier_accounts()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connections to the database, those of other threads when they are returned."""
        sa.event.listen(self.engine.pool, "checkin", lambda raw, record: record.invalidate())
        self.engine.dispose()

    # Accounts and roles

    def add(
        self,
        name: str,
        password: str,
        roles: Roles = (),
        change: Authorship = BY_PROGRAM,
    ) -> str:
        """Create an account; return its id. An existing account is BadInput.

        On a live ledger an operator makes the change, and a second person agrees to privileged
        roles; the caller has authenticated both. All changes take this argument.
        """
        id = normalize_id(name)
        check_password(password, id)
        if self.exists(id):
            raise BadInput(f"there is already an account {id!r}")
        self._record(
            CreateAccount(
                account=id, grants=grants_of(roles), reason=change.reason, second=change.second
            ),
            change.by,
        )
        self._store_password(id, password)
        return id

    def found(self, founders: Mapping[str, str]) -> None:
        """Create the two founders of a live ledger, operators both, with their passwords."""
        passwords = {normalize_id(name): password for name, password in founders.items()}
        for id, password in passwords.items():
            check_password(password, id)
        self.register.do(FoundAccounts(live=True, founders=tuple(passwords)), FOUNDER)
        for id, password in passwords.items():
            self._store_password(id, password)

    def set_password(
        self,
        name: str,
        password: str,
        change: Authorship = BY_PROGRAM,
    ) -> str:
        """Set a new password and end every session of the account; return its id."""
        id = self.check(name)
        self._check_new_password(id, password)
        self._record(SetPassword(account=id, reason=change.reason, second=change.second), change.by)
        self._store_password(id, password)
        self.end_all(id)
        return id

    def allow(
        self,
        name: str,
        roles: Roles,
        change: Authorship = BY_PROGRAM,
    ) -> str:
        """Grant further roles and offices to an account; return its id."""
        id = self.check(name)
        had = self.register.aggregate.accounts[id].grants
        grants = tuple(grant for grant in grants_of(roles) if grant not in had)
        if grants:
            self._record(
                GrantRoles(account=id, grants=grants, reason=change.reason, second=change.second),
                change.by,
            )
        return id

    def grant(self, id: str, role: Role | Office, table: str = EVERY_TABLE) -> None:
        """Grant a role at a table or at every table, or an office, for a program."""
        self.allow(id, [(role, table)])

    def check(self, name: str) -> str:
        """The id of an existing account; raises BadInput."""
        if not self.exists(name):
            raise BadInput(f"there is no account {name!r}; create it with `croupier admit`")
        return normalize_id(name)

    def withdraw(self, name: str, roles: Roles, change: Authorship = BY_PROGRAM) -> Person:
        """Withdraw roles and offices, and end every session of the account."""
        id = self.check(name)
        withdraw = WithdrawRoles(account=id, grants=grants_of(roles), reason=change.reason)
        self.apply(withdraw, change.by)
        return self.person(id)

    def dismiss(self, name: str, change: Authorship = BY_PROGRAM) -> str:
        """Disable an account: it loses its roles, password and sessions; the ledger names it."""
        id = self.check(name)
        disable = SetAccountState(account=id, state="disabled", reason=change.reason)
        self.apply(disable, change.by)
        return id

    def reset_factors(self, name: str, change: Authorship = BY_PROGRAM) -> str:
        """Remove all second factors and end every session of an account; return its id."""
        id = self.check(name)
        reset = SetFactor(account=id, factor="reset", reason=change.reason, second=change.second)
        self.apply(reset, change.by)
        return id

    def issue_key(self, name: str, change: Authorship = BY_PROGRAM) -> str:
        """A key for a device, which replaces earlier ones; BadInput for a person."""
        id = self.check(name)
        if not is_device(self.person(id)):
            raise BadInput(f"{id} is not a device: it has roles other than reader")
        self._record(SetPassword(account=id, reason=change.reason, second=change.second), change.by)
        self._store_password(id, secrets.token_urlsafe(32))
        self.end_all(id)
        return self.begin(id, device=True)

    def set_state(self, name: str, state: AccountState, change: Authorship = BY_PROGRAM) -> str:
        """Lock an account, which ends its sessions, or make it active again; return its id."""
        id = self.check(name)
        self.apply(
            SetAccountState(account=id, state=state, reason=change.reason, second=change.second),
            change.by,
        )
        return id

    def apply(self, command: Command, by: Account) -> None:
        """Record a change of an account, then carry out what follows from it in the database.

        A new account, and one whose password is reset, has no password: its owner chooses one.
        """
        self._record(command, by)
        match command:
            case CreateAccount(account=id):
                self._remove_password(id)
            case SetPassword(account=id):
                self._remove_password(id)
                self.end_all(id)
            case SetAccountState(account=id, state="disabled"):
                self._remove_password(id)
                self.factors.reset(id)
                self.end_all(id)
            case SetAccountState(account=id, state="locked") | WithdrawRoles(account=id):
                self.end_all(id)
            case SetFactor(account=id, factor="reset"):
                self.factors.reset(id)
                self.end_all(id)

    def set_display_name(self, name: str, display_name: str) -> None:
        """Store the name of a person, which the ledger does not have; empty to erase it."""
        id = self.check(name)
        if len(display_name) > ACCOUNT_ID_LENGTH_MAX or not display_name.isprintable():
            limit = f"at most {ACCOUNT_ID_LENGTH_MAX} printable characters"
            raise BadInput(f"a display name has {limit}, got {display_name[:100]!r}")
        with self.engine.begin() as connection:
            connection.execute(
                account.update().where(account.c.id == id).values(display_name=display_name)
            )

    def enable(self, name: str, until: int, change: Authorship = BY_PROGRAM) -> str:
        """Enable the remote access of a supplier until a time; return the id."""
        id = self.check(name)
        access = EnableAccess(account=id, until=until, reason=change.reason, second=change.second)
        self._record(access, change.by)
        return id

    def exclude(self, name: str, since: int, until: int, change: Authorship = BY_PROGRAM) -> str:
        """Put a person on the exclusion list, without an end if `until` is 0; return the id."""
        id = normalize_id(name)
        exclusion = ExcludePlayer(account=id, since=since, until=until, reason=change.reason)
        self._record(exclusion, change.by)
        return id

    def end_exclusion(self, name: str, change: Authorship = BY_PROGRAM) -> str:
        """Take a person off the exclusion list; return the id."""
        id = normalize_id(name)
        self._record(EndExclusion(account=id, reason=change.reason), change.by)
        return id

    def _adopt_earlier_accounts(self) -> None:
        """Record the accounts that an earlier version had in its database, once."""
        if self.ledger.store.readonly:
            return
        with self.engine.connect() as connection:
            ids = connection.execute(sa.select(account.c.id)).scalars().all()
            rows = connection.execute(sa.select(earlier_grant)).all()
        if ids and not self.register.refresh().founded:
            grants: dict[str, Roles] = {
                id: [(row.role, row.at_table) for row in rows if row.account == id] for id in ids
            }
            adopted = {id: grants_of(roles) for id, roles in grants.items()}
            live = self.ledger.purpose == "live"
            self.register.found(FoundAccounts(live=live, adopted=adopted))
        if rows:
            with self.engine.begin() as connection:
                connection.execute(earlier_grant.delete())

    def listing(self) -> list[AccountSummary]:
        """Every account, by name."""
        moment = now_ms()
        with self.engine.connect() as connection:
            rows = {row.id: row for row in connection.execute(sa.select(account))}
            counts = connection.execute(
                sa.select(session.c.account, sa.func.count())
                .where(self.is_open(moment))
                .group_by(session.c.account)
            )
            sessions = {row[0]: int(row[1]) for row in counts}
        records = self.register.refresh().accounts
        delayed = self.guesses.delayed(records)
        return [
            AccountSummary(
                person=person_of(record),
                sessions=sessions.get(id, 0),
                delayed=id in delayed,
                display_name=rows[id].display_name if id in rows else "",
                state=record.state,
                created=record.created,
                last_seen=record.last_seen,
                password_set=record.password_set,
                disabled=record.disabled,
                failures=record.failures,
                until=record.until,
            )
            for id, record in sorted(records.items())
        ]

    def exists(self, name: str) -> bool:
        """Whether there is an account of this name."""
        return normalize_id(name) in self.register.refresh().accounts

    def has_password(self, name: str) -> bool:
        """Whether there is an account of this name that has a password."""
        query = sa.select(account.c.password).where(account.c.id == normalize_id(name))
        with self.engine.connect() as connection:
            password = connection.execute(query).scalar()
        return self.exists(name) and password not in (None, NO_PASSWORD)

    def person(self, id: str) -> Person:
        """The person of an account, with all roles; without any if the account may not act."""
        return self.find_person(id) or Person(id, {})

    # Decks of practice tables

    def save_decks(self, table: str, decks: Mapping[str, str], played: Iterable[str] = ()) -> None:
        """Store decks by commitment before a table commits to them; delete `played` ones.

        Other decks stay: another server may have committed to them.
        """
        rows = [
            {"at_table": table, "commitment": commitment, "revealed": revealed}
            for commitment, revealed in decks.items()
        ]
        is_played = deck.c.commitment.in_(list(played))
        with self.engine.begin() as connection:
            connection.execute(deck.delete().where(deck.c.at_table == table, is_played))
            connection.execute(deck.insert(), rows)

    def saved_deck(self, table: str, commitment: str) -> str | None:
        """The deck of a commitment, as it will be revealed."""
        query = sa.select(deck.c.revealed).filter_by(at_table=table, commitment=commitment)
        with self.engine.connect() as connection:
            revealed: str | None = connection.execute(query).scalar()
        return revealed

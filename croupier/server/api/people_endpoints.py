"""Endpoints of the account register: everybody with roles and times, histories, and locking."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.ledger.aggregates.account_messages import (
    CreateAccount,
    EnableAccess,
    EndExclusion,
    ExcludePlayer,
    Grant,
    GrantRoles,
    SetAccountState,
    SetFactor,
    SetPassword,
    WithdrawRoles,
)
from croupier.ledger.aggregates.account_register import EXCLUDERS, PRIVILEGED
from croupier.ledger.aggregates.account_text import HistoryLine, history_lines
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.ledger.day_close import parse_account
from croupier.server.api.second_person_endpoints import SecondPersonEndpoints
from croupier.server.auth.accounts import AccountSummary, Authorship
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.auth.second_person import OwnerAccess, PendingAgreement
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import idempotency_key, read_json
from croupier.table import Account, Command, Envelope, kind_of
from croupier.table.core.roles import PROPERTY_OFFICES, normalize_id

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

# What the form of the operator offers.
ACTIONS = {
    "create": "Create with this role",
    "grant": "Grant this role",
    "withdraw": "Withdraw this role",
    "lock": "Lock",
    "activate": "Make active again",
    "disable": "Disable",
    "reset_password": "Reset the password",
    "reset_factors": "Reset the second factor",
}
READERS = (*PRIVILEGED, "commission")


class AccountList(msgspec.Struct, frozen=True):
    """Every account of the property."""

    accounts: tuple[AccountSummary, ...]


class AccountHistory(msgspec.Struct, frozen=True):
    """Every recorded change and sign-in of an account, oldest first."""

    account: str
    lines: tuple[HistoryLine, ...]


class LockReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why an account is locked."""

    reason: str


class AccountChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of an account, as the ledger records it."""

    change: (
        CreateAccount
        | GrantRoles
        | WithdrawRoles
        | SetAccountState
        | SetPassword
        | SetFactor
        | EnableAccess
        | ExcludePlayer
        | EndExclusion
    )


class ChangeResult(msgspec.Struct, frozen=True):
    """A change that is made, or the request that waits for its second person.

    The link signs in the owner of an account without a password, once. In a request it is there
    after the second person has agreed, who gets a code that the owner has to know as well: neither
    of the two can take the account.
    """

    pending: PendingAgreement | None = None
    link: str = ""


class PeopleEndpoints(EndpointGroup):
    """The accounts of a property, for operators and for those who oversee them."""

    @endpoint("POST", "/accounts/changes", takes=AccountChange, gives=ChangeResult, idempotent=True)
    async def change_account(self, request: Request) -> Response:
        """Change an account; with a second person it waits for their answer."""
        key, message = idempotency_key(request), await read_json(request, AccountChange)
        return json_response(await self.change(request, key, message.change))

    @endpoint("GET", "/accounts", gives=AccountList, errors="403", cost=5)
    async def list_accounts(self, request: Request) -> Response:
        """Every account with its roles, state and times."""
        return json_response(AccountList(tuple(await self.accounts(request))))

    @endpoint("GET", "/accounts/{account}/history", gives=AccountHistory, errors="400", cost=10)
    async def account_history(self, request: Request) -> Response:
        """Every recorded change and sign-in of an account."""
        return json_response(await self.history(request, request.path_params["account"]))

    @endpoint("POST", "/accounts/{account}/lock", takes=LockReason, status=204)
    async def lock_account(self, request: Request) -> Response:
        """Lock an account at once, which ends its sessions; unlocking is a matter of two people."""
        reason = (await read_json(request, LockReason)).reason
        await self.lock(request, request.path_params["account"], reason)
        return Response(status_code=204)

    # The same for pages

    async def accounts(self, connection: HTTPConnection) -> list[AccountSummary]:
        """The list, for a person who may read it."""
        await self._check_reader(connection)
        return await asyncio.to_thread(self.floor.accounts.listing)

    async def history(self, connection: HTTPConnection, account: str) -> AccountHistory:
        """The history of one account, for a person who may read it."""
        await self._check_reader(connection)
        accounts = self.floor.accounts

        def read() -> AccountHistory:
            id = accounts.check(account)
            lines = history_lines(accounts.register.history(id), id)
            return AccountHistory(id, tuple(lines))

        return await asyncio.to_thread(read)

    async def change(self, connection: HTTPConnection, key: str, command: Command) -> ChangeResult:
        """Make a change in the name of the person, or ask its second person."""
        person = await self.guard.person(connection)
        self.guard.limit("commands", person.id)
        exclusion = isinstance(command, ExcludePlayer | EndExclusion)
        allowed = EXCLUDERS if exclusion else ("operator",)
        roles = [role for role in allowed if role in (*person.offices, *person.roles_at("*"))]
        if not roles:
            await self.guard.deny(connection, person.id, kind_of(command), "may not give it")
            raise Forbidden(f"{person.id} is not {' or '.join(allowed)}")
        by, accounts = Account(person.id, roles[0]), self.floor.accounts
        second = find_second_person(command)
        if second is None:
            return ChangeResult(link=await asyncio.to_thread(self._apply, command, by))
        agreements = SecondPersonEndpoints(self.server)
        await agreements.check_second(second, EVERY_TABLE)
        envelope = Envelope(key, by, now_ms(), command)
        await asyncio.to_thread(lambda: accounts.register.refresh().decide(envelope))

        def answer(agreed: bool) -> OwnerAccess | None:
            if not agreed:
                return None
            code = secrets.token_hex(4)
            link = self._apply(command, by, code)
            return OwnerAccess(link, code) if link else None

        return ChangeResult(pending=agreements.ask(person, "", key, command, answer))

    def _apply(self, command: Command, by: Account, code: str = "") -> str:
        """Make a change; return the link for the owner of an account that has no password now."""
        self.floor.accounts.apply(command, by)
        if isinstance(command, CreateAccount | SetPassword):
            return self.server.sign_in_link(command.account, code)
        return ""

    async def lock(self, connection: HTTPConnection, account: str, reason: str) -> None:
        """Lock an account in the name of an operator."""
        person = await self.guard.person(connection)
        if "operator" not in person.offices:
            await self.guard.deny(connection, person.id, "lock an account", "not an operator")
            raise Forbidden(f"{person.id} is not an operator")
        change = Authorship(Account(person.id, "operator"), None, reason)
        await asyncio.to_thread(self.floor.accounts.set_state, account, "locked", change)

    async def _check_reader(self, connection: HTTPConnection) -> Person:
        person = await self.guard.person(connection)
        if not reads_accounts(person):
            await self.guard.deny(connection, person.id, "read accounts", "no such role")
            raise Forbidden(f"{person.id} may not read the accounts")
        return person


def read_change(fields: Mapping[str, str]) -> Command:
    """The change of a filled-in form; BadInput for a field that is not complete."""
    action, account = fields.get("action", ""), normalize_id(fields.get("account", ""))
    reason, named = fields.get("reason", ""), fields.get("second", "")
    second = parse_account(named, PRIVILEGED) if named else None
    about: Any = {"account": account, "reason": reason}
    role = fields.get("role", "")
    table = "" if role in PROPERTY_OFFICES else fields.get("table", "") or EVERY_TABLE
    grants = (Grant(role, table),)
    match action:
        case "create":
            return CreateAccount(**about, grants=grants, second=second)
        case "grant":
            return GrantRoles(**about, grants=grants, second=second)
        case "withdraw":
            return WithdrawRoles(**about, grants=grants)
        case "lock" | "disable":
            state: Any = {"lock": "locked", "disable": "disabled"}[action]
            return SetAccountState(**about, state=state)
        case "activate":
            return SetAccountState(**about, state="active", second=second)
        case "reset_password":
            return SetPassword(**about, second=second)
        case "reset_factors":
            return SetFactor(**about, factor="reset", second=second)
    raise BadInput(f"{action[:40]!r} is not a change; expected one of {', '.join(ACTIONS)}")


def reads_accounts(person: Person) -> bool:
    """Whether a person may see all accounts: operators, and who oversees the whole property."""
    return "operator" in person.offices or any(role in READERS for role in person.roles_at("*"))

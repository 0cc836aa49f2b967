"""Who runs a command: the accounts of a ledger, and the passwords of the people it names."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import typer

from croupier.cli.console import exit_on_error, fail
from croupier.errors import BadInput

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from croupier.ledger import Ledger
    from croupier.server import Accounts
    from croupier.table import Account

COMMAND_LINE_ADDRESS = "command line"  # where attempts of people without a client come from
COMMAND_LINE = "audit:cli"  # on record for what no person does, such as scheduled commands


@contextmanager
def find_accounts(database: str, *, backup: str = "") -> Iterator[Accounts | None]:
    """Open the accounts of a ledger, if it has any; errors exit with status 2.

    If the ledger cannot be opened, the roles are those of its `backup`.
    """
    with exit_on_error("server"):
        from croupier.ledger import Ledger, LedgerError, NotFound
        from croupier.ledger.backup_and_export import accounts_file

        file = accounts_file(database)
        url = None
        try:
            ledger = Ledger(database, create=False)
        except LedgerError as error:
            if file is None or not file.exists() or not backup:
                if not isinstance(error, NotFound):
                    raise
                yield None
                return
            from croupier.server.auth.accounts_database import accounts_url

            ledger, url = Ledger(backup, readonly=True), accounts_url(file)
        with ledger:
            if not ledger.accounts.refresh().accounts and not accounts_database_exists(database):
                yield None
                return
            with accounts_of(ledger, url) as accounts:
                yield accounts if accounts.register.aggregate.accounts else None


def accounts_database_exists(database: str) -> bool:
    """Whether there is an accounts database, perhaps of an earlier version."""
    from croupier.ledger.backup_and_export import accounts_file

    file = accounts_file(database)
    if file is not None:
        return file.exists()  # known without the server and its dependencies
    from croupier.server.auth.accounts_database import accounts_exist, accounts_url

    return accounts_exist(accounts_url(database))


@contextmanager
def open_accounts(database: str, *, create: bool = False) -> Iterator[Accounts]:
    """Open the accounts of a ledger; `create` founds a practice ledger if there is none."""
    if create:
        with exit_on_error("server"):
            from croupier.ledger import Ledger

            with Ledger(database) as ledger, accounts_of(ledger) as accounts:
                yield accounts
        return
    with find_accounts(database) as found:
        if found is None:
            raise BadInput(f"{database} has no accounts yet; create one with: croupier admit")
        yield found


@contextmanager
def accounts_of(ledger: Ledger, url: URL | None = None) -> Iterator[Accounts]:
    """The accounts of an open ledger; errors of their database exit with status 2."""
    from sqlalchemy.exc import SQLAlchemyError

    from croupier.server import Accounts

    try:
        with closing(Accounts(ledger, url=url)) as accounts:
            yield accounts
    except SQLAlchemyError as error:
        fail(f"the accounts of {ledger.store.address} cannot be reached: {type(error).__name__}")


def identify(
    database: str,
    name: str,
    *,
    unattended: str = "",
    read_environment: bool = True,
    backup: str = "",
) -> Account:
    """The account ROLE:NAME; if the ledger has accounts, its password is required.

    Only the account `unattended` needs no password. See `find_accounts` for `backup`.
    """
    from croupier.ledger.day_close import parse_account

    account = parse_account(name)
    if name == unattended:
        return account
    with find_accounts(database, backup=backup) as accounts:
        if accounts is not None:
            authenticate(accounts, account, read_environment=read_environment)
    return account


def authenticate(accounts: Accounts, account: Account, *, read_environment: bool = True) -> None:
    """Check password and second factor of a person, and the role at every table."""
    from croupier.server.auth.second_factor import SecondFactorNeeded

    password = read_password(account.id, read_environment=read_environment)
    with recorded_failure(accounts, account.id):
        try:
            person = accounts.identify(account.id, password)
        except SecondFactorNeeded as error:
            typer.echo(f"{error}; a passkey needs a browser", err=True)
            code = typer.prompt(f"Code of {account.id}", err=True)
            person = accounts.identify(account.id, password, code=code)
    if person.must_enroll:
        problem = f"{person.id} needs a second factor first; add one with: croupier factor"
        raise BadInput(f"{problem} {person.id}")
    if not accounts.register.aggregate.accounts[person.id].has(account.role):
        where = "" if account.role == "operator" else " at every table"
        raise BadInput(f"{account.id} is not {account.role}{where}")


@contextmanager
def recorded_failure(accounts: Accounts, name: str) -> Iterator[None]:
    """Record a wrong password or code of a person, or that no code was entered."""
    from croupier.server.auth.sessions import NotAdmitted
    from croupier.server.auth.sign_in_log import SignInLog

    try:
        yield
    except (NotAdmitted, typer.Abort):
        asyncio.run(SignInLog(accounts).note_failure(name, COMMAND_LINE_ADDRESS))
        raise


def read_password(name: str, *, read_environment: bool = True) -> str:
    """The password of a person, from CROUPIER_PASSWORD or a prompt."""
    password = os.environ.get("CROUPIER_PASSWORD", "") if read_environment else ""
    return password or typer.prompt(f"Password of {name}", hide_input=True, err=True)


def read_new_password(name: str, *, read_environment: bool = False) -> str:
    """A new password, from CROUPIER_PASSWORD or typed twice by its owner; BadInput if weak."""
    from croupier.server.auth.passwords import check_password
    from croupier.table.core.roles import normalize_id

    password = os.environ.get("CROUPIER_PASSWORD", "") if read_environment else ""
    if not password:
        prompt = f"New password of {name}"
        password = typer.prompt(prompt, hide_input=True, confirmation_prompt=True, err=True)
    check_password(password, normalize_id(name))
    return password


def accept_clock_at_server(address: str, by: Account, second: Account, reason: str) -> int:
    """Request that a second person accepts the clock, and wait; the time of the last entry."""
    import httpx

    from croupier.server import Client

    password = read_password(by.id)

    async def ask() -> dict[str, Any]:
        async with Client(address) as client:
            await client.sign_in(by.id, password)
            typer.echo(f"Waiting for {second} to answer at {address}/agreements", err=True)
            return await client.accept_clock(second, reason, role=by.role)

    try:
        asked = asyncio.run(ask())
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise BadInput(f"{address} cannot be reached: {error}") from None
    if asked["state"] != "agreed":
        problem = "declined" if asked["state"] == "declined" else "did not answer in time"
        raise BadInput(f"{second} {problem}; nothing is accepted")
    return int(asked["command"]["last"])

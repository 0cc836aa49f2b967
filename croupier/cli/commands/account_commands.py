"""Account commands: `croupier admit`, `croupier dismiss`, `croupier people`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import exit_on_error, fail, missing_extra
from croupier.cli.ledger_options import SERVER_DATABASE, Database
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.server import Accounts
    from croupier.server.auth.person import Office
    from croupier.table import Role

app = typer.Typer()
PANEL = "Server"
Tables = Annotated[
    list[str] | None, typer.Option("--table", help="Only at this table; repeatable.")
]


@contextmanager
def open_accounts(database: str, *, create: bool = False) -> Iterator[Accounts]:
    """Open the accounts stored beside a ledger; errors exit with status 2."""
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from croupier.server import Accounts
        from croupier.server.auth.accounts_database import accounts_url
    except ImportError as error:
        missing_extra(error, "server")
    url = accounts_url(database)
    file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
    with exit_on_error("server"):
        if file is not None and not create and not file.exists():
            raise BadInput(f"{database} has no accounts yet; create one with: croupier admit")
        try:
            with closing(Accounts(url)) as accounts:
                yield accounts
        except SQLAlchemyError as error:
            fail(f"the accounts of {database} cannot be reached: {type(error).__name__}")


def format_roles(roles: list[tuple[str, str]]) -> str:
    """Roles with their tables ("dealer at T1"); an office has no table ("operator")."""
    return ", ".join(f"{role} at {table}" if table else role for role, table in roles)


def parse_roles(roles: Iterable[str], tables: Sequence[str]) -> list[tuple[Role | Office, str]]:
    """Pair each role with each table, or with every table if there are none; offices have none."""
    from croupier.server.auth.person import EVERY_TABLE, OFFICES
    from croupier.table import ROLES

    table_roles: dict[str, Role] = {role: role for role in ROLES if role != "system"}
    offices: dict[str, Office] = {office: office for office in OFFICES}
    grants: list[tuple[Role | Office, str]] = []
    for role in roles:
        if role in offices and tables:
            raise BadInput(
                f"{role} is an office of the whole property and has no table; got {tables[0]!r}"
            )
        if role in offices:
            grants.append((offices[role], ""))
        elif role in table_roles:
            grants += [(table_roles[role], table) for table in tables or [EVERY_TABLE]]
        else:
            expected = ", ".join([*table_roles, *offices])
            raise BadInput(f"{role!r} is not a role; expected one of {expected}")
    return grants


@app.command(rich_help_panel=PANEL)
def admit(
    name: Annotated[str, typer.Argument(help="Name of the account.")],
    role: Annotated[
        list[str],
        typer.Option("--role", help="Role at tables, or an office: operator, trainee; repeatable."),
    ],
    table: Tables = None,
    new_password: Annotated[
        bool, typer.Option("--new-password", help="Set a new password.")
    ] = False,
    database: Database = SERVER_DATABASE,
) -> None:
    """Create an account, add roles, or set a new password.

    The password is read from CROUPIER_PASSWORD or prompted for. An existing account keeps its
    password unless --new-password is given.
    """
    with open_accounts(database, create=True) as accounts:
        grants = parse_roles(role, table or [])
        password = os.environ.get("CROUPIER_PASSWORD", "")
        if not password and (new_password or not accounts.has_password(name)):
            password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        if password:
            account = accounts.add(name, password, grants)
        else:
            account = accounts.allow(name, grants)
        typer.echo(f"{account}: {format_roles([*grants])}")


@app.command(rich_help_panel=PANEL)
def dismiss(
    name: Annotated[str, typer.Argument(help="Name of the account.")],
    role: Annotated[
        list[str] | None,
        typer.Option("--role", help="Remove only this role or office; repeatable."),
    ] = None,
    table: Tables = None,
    database: Database = SERVER_DATABASE,
) -> None:
    """Remove roles from an account, or disable it.

    Without --role all roles and the password are removed. The person is signed out. The account
    itself stays because the ledger refers to it.
    """
    with open_accounts(database) as accounts:
        if role is None:
            if table:
                raise BadInput(f"--table {table[0]!r} requires --role")
            typer.echo(f"{accounts.dismiss(name)}: no roles")
        else:
            account = accounts.withdraw(name, parse_roles(role, table or []))
            typer.echo(f"{account.id}: {format_roles(account.granted) or 'no roles'}")


@app.command(rich_help_panel=PANEL)
def people(database: Database = SERVER_DATABASE, as_json: Json = False) -> None:
    """List accounts with their roles and open sessions."""
    with open_accounts(database) as accounts:
        entries = accounts.listing()
        if as_json:
            import msgspec

            typer.echo(msgspec.json.format(msgspec.json.encode(entries), indent=2))
            return
        for entry in entries:
            state = ", locked" if entry.locked else ""
            if entry.sessions:
                state += f", {entry.sessions} signed in"
            roles = format_roles(entry.person.granted) or "no roles"
            typer.echo(f"{entry.person.id}: {roles}{state}")

"""Account commands: `croupier admit`, `dismiss`, `lock`, `unlock`, `exclude`, `people`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import exit_on_error, print_json
from croupier.cli.identity import (
    COMMAND_LINE_ADDRESS,
    authenticate,
    open_accounts,
    read_new_password,
    read_password,
    recorded_failure,
)
from croupier.cli.ledger_options import DEFAULT_DATABASE, Database, check_times
from croupier.clock import parse_time
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.server import Accounts
    from croupier.server.auth.accounts import Authorship
    from croupier.server.auth.person import Office
    from croupier.table import Role

app = typer.Typer()
PANEL = "Server"
Tables = Annotated[
    list[str] | None, typer.Option("--table", help="Only at this table; repeatable.")
]


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


By = Annotated[str, typer.Option(help="Operator who does this; required on a live ledger.")]
Second = Annotated[str, typer.Option(help="Second person, as ROLE:NAME; types their password.")]
Reason = Annotated[str, typer.Option(help="Why; required on a live ledger.")]
Name = Annotated[str, typer.Argument(help="Name of the account.")]


@contextmanager
def changing(
    database: str, by: str, second: str, reason: str, *, create: bool = False
) -> Iterator[tuple[Accounts, Authorship]]:
    """Open the accounts for a change; the people who make it enter their passwords."""
    with open_accounts(database, create=create) as accounts:
        from croupier.ledger.aggregates.account_register import PRIVILEGED
        from croupier.ledger.day_close import parse_account
        from croupier.server.auth.accounts import Authorship
        from croupier.table import Account

        live = accounts.ledger.purpose == "live"
        if live and not (by and reason):
            raise BadInput(
                "a live ledger needs --by NAME and --reason TEXT, and --second ROLE:NAME where"
                " two people are required"
            )
        if ":" in by:
            author = parse_account(by, PRIVILEGED)
        else:
            author = Account.named(by, "operator") if by else Account("cli", "system")
        other = parse_account(second, PRIVILEGED) if second else None
        if by:
            authenticate(accounts, author)
        if other is not None:
            authenticate(accounts, other, read_environment=False)
        yield accounts, Authorship(author, other, reason or "on the command line")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier admit dana --role dealer")
def admit(
    name: Name,
    role: Annotated[
        list[str] | None,
        typer.Option(
            "--role", help="Role at tables, or an office: operator, trainee, supplier; repeatable."
        ),
    ] = None,
    table: Tables = None,
    new_password: Annotated[
        bool, typer.Option("--new-password", help="Reset the password of an existing account.")
    ] = False,
    display_name: Annotated[
        str | None,
        typer.Option("--display-name", help="The person's name; empty erases it. Not on record."),
    ] = None,
    by: By = "",
    second: Second = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Create an account, add roles, or reset a password.

    The new password is typed by its owner; without --by it can come from CROUPIER_PASSWORD. An
    existing account keeps its password unless --new-password is given.
    """
    with changing(database, by, second, reason, create=True) as (accounts, change):
        grants = parse_roles(role or [], table or [])
        exists = accounts.exists(name)
        if not grants and not (exists and (new_password or display_name is not None)):
            raise BadInput(f"{name}: expected at least one --role")
        password = ""
        if new_password or not accounts.has_password(name):
            password = read_new_password(name, read_environment=not by)
        if not exists:
            account = accounts.add(name, password, grants, change)
        else:
            account = accounts.check(name)
            if accounts.register.aggregate.accounts[account].state == "disabled":
                accounts.set_state(name, "active", change)
            accounts.allow(name, grants, change)
            if password:
                accounts.set_password(name, password, change)
        if display_name is not None:
            accounts.set_display_name(name, display_name)
        typer.echo(f"{account}: {format_roles([*grants]) or 'no new roles'}")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier dismiss dana")
def dismiss(
    name: Name,
    role: Annotated[
        list[str] | None,
        typer.Option("--role", help="Withdraw only this role or office; repeatable."),
    ] = None,
    table: Tables = None,
    by: By = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Withdraw roles from an account, or disable it.

    Without --role all roles and the password are removed. The person is signed out. The account
    itself stays because the ledger refers to it.
    """
    with changing(database, by, "", reason) as (accounts, change):
        if role is None:
            if table:
                raise BadInput(f"--table {table[0]!r} requires --role")
            account = accounts.dismiss(name, change)
            typer.echo(f"{account}: no roles")
        else:
            person = accounts.withdraw(name, parse_roles(role, table or []), change)
            typer.echo(f"{person.id}: {format_roles(person.granted) or 'no roles'}")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier lock dana")
def lock(
    name: Name,
    by: By = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Lock an account; its roles and password stay."""
    with changing(database, by, "", reason) as (accounts, change):
        typer.echo(f"{accounts.set_state(name, 'locked', change)}: locked")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier unlock dana")
def unlock(
    name: Name,
    by: By = "",
    second: Second = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Make a locked account active again."""
    with changing(database, by, second, reason) as (accounts, change):
        typer.echo(f"{accounts.set_state(name, 'active', change)}: active")


@app.command(rich_help_panel=PANEL, epilog='Example: croupier key "shoe 4"')
def key(
    name: Name,
    by: By = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Issue a key for a card reader, which replaces earlier ones.

    The device sends it as `Authorization: Bearer KEY`. It is shown once.
    """
    with changing(database, by, "", reason) as (accounts, change):
        typer.echo(accounts.issue_key(name, change))


@app.command(rich_help_panel=PANEL, epilog="Example: croupier factor olga")
def factor(
    name: Name,
    reset: Annotated[
        bool, typer.Option("--reset", help="Remove all second factors of the account.")
    ] = False,
    by: By = "",
    second: Second = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Add an authenticator app to an account, or reset it.

    Operators, auditors, pit managers and surveillance of a live ledger need one. The recovery
    codes are shown once.
    """
    if reset:
        with changing(database, by, second, reason) as (accounts, change):
            typer.echo(f"{accounts.reset_factors(name, change)}: no second factor")
        return
    with open_accounts(database) as accounts:
        id = accounts.check(name)
        password, code = read_password(id), ""
        with recorded_failure(accounts, id):
            if accounts.factors.enrolled([id]):
                code = typer.prompt(f"Present code of {id}", err=True)
            setup = accounts.begin_totp(id, password, COMMAND_LINE_ADDRESS, code)
        typer.echo(f"Key for the authenticator app: {setup.secret}\n{setup.uri}")
        codes = accounts.confirm_totp(id, typer.prompt("Code that the app shows", err=True))
        typer.echo("Recovery codes, each for one sign-in:")
        typer.echo("\n".join(codes))


@app.command(rich_help_panel=PANEL, epilog="Example: croupier enable acme --hours 4")
def enable(
    name: Name,
    hours: Annotated[float, typer.Option(min=0.01, max=168, help="How long, from now.")] = 8.0,
    by: By = "",
    second: Second = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Enable the remote access of a supplier for a limited time."""
    with changing(database, by, second, reason) as (accounts, change):
        from croupier.clock import HOUR, now_ms
        from croupier.ledger.errors import utc_minute

        until = now_ms() + round(hours * HOUR)
        typer.echo(f"{accounts.enable(name, until, change)}: enabled until {utc_minute(until)}")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier exclude paul --until 2027-11-15")
def exclude(
    name: Annotated[str, typer.Argument(help="Account id of the person.")] = "",
    file: Annotated[
        Path | None, typer.Option(help="CSV file: name, first day, last day (may be empty).")
    ] = None,
    since: Annotated[str, typer.Option(help="From, e.g. 2026-11-15; now by default.")] = "",
    until: Annotated[str, typer.Option(help="Until; without an end by default.")] = "",
    end: Annotated[bool, typer.Option("--end", help="Take the person off the list.")] = False,
    by: By = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Keep the exclusion list, with dates.

    Its people cannot sign in, sit down or buy chips.

    Without a name or a file, the list is printed.
    """
    with exit_on_error("server"):
        rows = [(name, since, until)] if name else read_exclusions(file) if file else []
        check_times(*(text for row in rows for text in row[1:]))
    if not rows:
        with open_accounts(database) as accounts:
            print_exclusions(accounts)
        return
    with changing(database, by, "", reason, create=True) as (accounts, change):
        from croupier.table import epoch_ms

        zone = accounts.ledger.administration.zone
        for person, first, last in rows:
            if end:
                typer.echo(f"{accounts.end_exclusion(person, change)}: no longer excluded")
                continue
            times = [parse_time(text, zone) for text in (first, last)]
            begins, ends = (epoch_ms(time) if time else 0 for time in times)
            typer.echo(f"{accounts.exclude(person, begins, ends, change)}: excluded")


def read_exclusions(file: Path) -> list[tuple[str, str, str]]:
    """The rows of a CSV file; BadInput for a row without exactly three fields."""
    with file.open(newline="", encoding="utf-8") as lines:
        rows = [[field.strip() for field in row] for row in csv.reader(lines) if row]
    for number, row in enumerate(rows, 1):
        if len(row) != 3 or not row[0]:
            raise BadInput(f"{file} row {number}: expected name, since, until; got {row}")
    return [(name, since, until) for name, since, until in rows]


def print_exclusions(accounts: Accounts) -> None:
    """Print the exclusion list, with the days in UTC."""
    from croupier.ledger.aggregates.account_text import utc_day

    for id, exclusion in sorted(accounts.register.aggregate.exclusions.items()):
        end = f" until {utc_day(exclusion.until)}" if exclusion.until else ""
        typer.echo(f"{id}: excluded from {utc_day(exclusion.since)}{end}")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier people dana")
def people(
    name: Annotated[str, typer.Argument(help="Show the history of this account.")] = "",
    database: Database = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """List accounts, or show the history of one."""
    with open_accounts(database) as accounts:
        if name:
            show_history(accounts, name, as_json=as_json)
            return
        entries = accounts.listing()
        if as_json:
            print_json(entries)
            return
        from croupier.ledger.errors import utc_minute

        for entry in entries:
            title = f" ({entry.display_name})" if entry.display_name else ""
            roles = format_roles(entry.person.granted) or "no roles"
            facts: list[str] = [entry.state] if entry.state != "active" else []
            facts += [f"enabled until {utc_minute(entry.until)}"] if entry.until else []
            facts += ["delayed after wrong passwords"] if entry.delayed else []
            facts += [f"{entry.sessions} signed in"] if entry.sessions else []
            facts += [f"last seen {utc_minute(entry.last_seen)}"] if entry.last_seen else []
            typer.echo(", ".join([f"{entry.person.id}{title}: {roles}", *facts]))


def show_history(accounts: Accounts, name: str, *, as_json: bool) -> None:
    """Print every recorded change and sign-in of an account, oldest first."""
    from croupier.ledger.aggregates.account_text import history_lines
    from croupier.ledger.errors import utc_minute

    id = accounts.check(name)
    lines = history_lines(accounts.register.history(id), id)
    if as_json:
        print_json([*lines])
        return
    for line in lines:
        people = f"{line.by} and {line.second}" if line.second else line.by
        reason = f" ({line.reason})" if line.reason else ""
        typer.echo(f"{utc_minute(line.at)}: {line.text}, by {people}{reason}")

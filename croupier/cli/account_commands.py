"""The people of a floor, from the machine itself: `croupier admit`, `dismiss`, `people`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import Json, fail, missing_extra
from croupier.errors import BadInput, CroupierError

if TYPE_CHECKING:
    from croupier.server import Accounts
    from croupier.server.auth.accounts import Office
    from croupier.table import Role

app = typer.Typer()
FloorDatabase = Annotated[
    str,
    typer.Option(
        "--database", envvar="CROUPIER_DATABASE", help="A SQLite file or a database address."
    ),
]
Tables = Annotated[
    list[str] | None, typer.Option("--table", help="Where; without it, at every table.")
]


@contextmanager
def people_of(database: str, *, create: bool = False) -> Iterator[Accounts]:
    """The accounts beside a ledger; a refusal becomes a sentence and exit status 2."""
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from croupier.server import Accounts
        from croupier.server.auth.accounts_database import accounts_url
    except ImportError as error:
        missing_extra(error, "server")
    url = accounts_url(database)
    file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
    try:
        if file is not None and not create and not file.exists():
            raise BadInput(f"nobody was let in at {database} yet; begin with: croupier admit")
        with closing(Accounts(url)) as accounts:
            yield accounts
    except CroupierError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    except SQLAlchemyError as error:
        fail(f"the accounts of {database} cannot be reached: {type(error).__name__}")


def told(roles: list[tuple[str, str]]) -> str:
    """Roles with their tables, offices by themselves."""
    return ", ".join(role if where == "" else f"{role} at {where}" for role, where in roles)


def roles_from(roles: Iterable[str], tables: Sequence[str]) -> list[tuple[Role | Office, str]]:
    """Roles as somebody typed them, at each of these tables or at every one; offices at none."""
    from croupier.server.auth.accounts import EVERY_TABLE, OFFICES
    from croupier.table import ROLES

    known: dict[str, Role] = {role: role for role in ROLES if role != "system"}
    offices: dict[str, Office] = {office: office for office in OFFICES}
    found: list[tuple[Role | Office, str]] = []
    for role in roles:
        if role in offices and tables:
            raise BadInput(f"{role} is an office of the property, at no table; got {tables[0]!r}")
        if role in offices:
            found.append((offices[role], ""))
        elif role in known:
            found += [(known[role], table) for table in tables or [EVERY_TABLE]]
        else:
            expected = ", ".join([*known, *offices])
            raise BadInput(f"{role!r} is no role; expected one of {expected}")
    return found


@app.command()
def admit(
    name: Annotated[str, typer.Argument(help="Whom to let in.")],
    role: Annotated[
        list[str],
        typer.Option(
            "--role", help="What they may act as, or an office: operator, trainee; repeatable."
        ),
    ],
    table: Tables = None,
    new_password: Annotated[
        bool, typer.Option("--new-password", help="Ask for another password.")
    ] = False,
    database: FloorDatabase = "floor.db",
) -> None:
    """Let somebody in at the floor, or give them further roles or another password.

    A password is asked for, or stands in CROUPIER_PASSWORD. Who has an account keeps theirs.
    """
    with people_of(database, create=True) as accounts:
        granted = roles_from(role, table or [])
        given = os.environ.get("CROUPIER_PASSWORD", "")
        if not given and (new_password or not accounts.has_password(name)):
            given = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        known = accounts.add(name, given, granted) if given else accounts.allow(name, granted)
        typer.echo(f"{known}: {told([*granted])}")


@app.command()
def dismiss(
    name: Annotated[str, typer.Argument(help="Who may no longer do something.")],
    role: Annotated[
        list[str] | None, typer.Option("--role", help="Only in this role or office; repeatable.")
    ] = None,
    table: Tables = None,
    database: FloorDatabase = "floor.db",
) -> None:
    """Take roles away from somebody; without --role all of them, and the password.

    Whoever is signed in is signed out by it. The account stays: the record names it.
    """
    with people_of(database) as accounts:
        if role is None:
            if table:
                raise BadInput(f"--table {table[0]!r} goes with a --role")
            typer.echo(f"{accounts.dismiss(name)}: nothing any more")
        else:
            left = accounts.withdraw(name, roles_from(role, table or []))
            typer.echo(f"{left.id}: {told(left.granted) or 'nothing any more'}")


@app.command()
def people(database: FloorDatabase = "floor.db", as_json: Json = False) -> None:
    """List the accounts of a floor: roles by table, offices, open sessions, locks."""
    with people_of(database) as accounts:
        every = accounts.listing()
        if as_json:
            import msgspec

            typer.echo(msgspec.json.format(msgspec.json.encode(every), indent=2))
            return
        for each in every:
            state = ", locked" * each.locked + f", {each.sessions} signed in" * bool(each.sessions)
            typer.echo(f"{each.person.id}: {told(each.person.granted) or 'nothing'}{state}")

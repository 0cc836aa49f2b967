"""The people of a floor, from the machine itself: `croupier admit`, `dismiss`, `people`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.common import Json, fail, missing_extra
from croupier.errors import BadInput, CroupierError

if TYPE_CHECKING:
    from croupier.floor import Accounts

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
def people_of(database: str) -> Iterator[Accounts]:
    """The accounts beside a ledger; a refusal becomes a sentence and exit status 2."""
    try:
        from croupier.floor import Accounts
        from croupier.floor.accounts import beside

        with closing(Accounts(beside(database))) as accounts:
            yield accounts
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "floor")


def told(roles: list[tuple[str, str]]) -> str:
    """Roles with their tables, offices by themselves."""
    return ", ".join(role if where == "" else f"{role} at {where}" for role, where in roles)


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
    with people_of(database) as accounts:
        from croupier.floor.accounts import roles_from

        granted = roles_from(role, table or [])
        given = os.environ.get("CROUPIER_PASSWORD", "")
        if not given and (new_password or not accounts.known(name)):
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
    """Take roles away from somebody; without --role all of them, the password and every session.

    Whoever is signed in notices it within seconds. The account stays: the record names it.
    """
    with people_of(database) as accounts:
        from croupier.floor.accounts import roles_from

        if role is None:
            if table:
                raise BadInput(f"--table {table[0]!r} goes with a --role")
            typer.echo(f"{accounts.dismiss(name)}: nothing any more")
        else:
            person = accounts.person(accounts.check(name))
            for gone, where in roles_from(role, table or []):
                accounts.revoke(person.id, gone, where or "*")
            left = accounts.person(person.id)
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
        if not every:
            typer.echo("nobody yet; let somebody in with: croupier admit NAME --role operator")

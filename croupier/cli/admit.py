"""`croupier admit`: an account at the floor, from the machine itself."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from croupier.cli.common import fail, missing_extra
from croupier.errors import CroupierError

app = typer.Typer()


@app.command()
def admit(
    name: Annotated[str, typer.Argument(help="Whom to let in.")],
    role: Annotated[list[str], typer.Option("--role", help="What they may act as; repeatable.")],
    table: Annotated[
        list[str] | None, typer.Option("--table", help="Where; without it, at every table.")
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            "--database", envvar="CROUPIER_DATABASE", help="A SQLite file or a database address."
        ),
    ] = "floor.db",
) -> None:
    """Let somebody in at the floor, or give them another password or further roles.

    The password is asked for, or stands in CROUPIER_PASSWORD.
    """
    try:
        from croupier.floor import Accounts
        from croupier.floor.accounts import EVERY_TABLE, beside, roles_from

        granted = roles_from(role, table or [EVERY_TABLE])
        password = os.environ.get("CROUPIER_PASSWORD") or typer.prompt(
            "Password", hide_input=True, confirmation_prompt=True
        )
        accounts = Accounts(beside(database))
        try:
            known = accounts.add(name, password, granted)
        finally:
            accounts.close()
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "floor")
    typer.echo(f"{known}: {', '.join(f'{role} at {where}' for role, where in granted)}")

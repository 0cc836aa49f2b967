"""`croupier found`: a ledger, before anything is on record in it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.ledger_options import Database, refusals
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.ledger import Ledger

app = typer.Typer()


@app.command()
def found(
    live: Annotated[
        bool,
        typer.Option("--live/--practice", help="For tables that people serve and money is bet at."),
    ],
    timezone: Annotated[
        str, typer.Option(help="How the property counts time.")
    ] = "America/New_York",
    day_starts: Annotated[str, typer.Option(help="When its gaming days begin.")] = "06:00",
    database: Database = "floor.db",
) -> None:
    """Found a ledger: what it is for and how its days are counted, once and for all.

    `croupier serve` founds one for practice where there is none.
    """
    with refusals():
        from croupier.ledger import Ledger, NotFound

        with suppress(NotFound), Ledger(database, create=False, readonly=True) as there:
            raise BadInput(f"{told(database, there)}: it is founded, and stays what it is")
        purpose: Literal["live", "practice"] = "live" if live else "practice"
        with Ledger(database, purpose=purpose, timezone=timezone, day_starts=day_starts) as ledger:
            typer.echo(told(database, ledger))


def told(database: str, ledger: Ledger) -> str:
    """What a ledger is for, as its first entry says."""
    founded = ledger.administration.founded
    assert founded is not None, "a ledger that is open was founded"
    days = f"days begin at {founded.day_starts}, {founded.timezone}"
    return f"{database}: a {founded.purpose} ledger; {days}"

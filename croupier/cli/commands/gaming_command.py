"""The `croupier gaming` command: disables gaming at every table and enables it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.arguments import Json
from croupier.cli.commands.account_commands import By, Reason, Second, changing
from croupier.cli.console import exit_on_error, print_json
from croupier.cli.identity import find_accounts
from croupier.cli.ledger_options import DEFAULT_DATABASE, Database, open_ledger

if TYPE_CHECKING:
    from croupier.ledger import Ledger
    from croupier.table import Account

app = typer.Typer()
Action = Annotated[
    Literal["disable", "enable"] | None,
    typer.Argument(help="What to do; without it, what is disabled is printed."),
]


@app.command(
    rich_help_panel="Server", epilog='Example: croupier gaming disable --reason "fire alarm"'
)
def gaming(
    action: Action = None,
    game: Annotated[str, typer.Option("--game", help="Only this game.")] = "",
    submission: Annotated[
        str, typer.Option("--submission", help="Only tables under this approved submission.")
    ] = "",
    by: By = "",
    second: Second = "",
    reason: Reason = "",
    database: Database = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """Disable gaming at every table, or enable it again.

    All of it, one game, or one approved submission. Rounds in progress are finished; no other
    round starts and no table opens. On a live ledger an operator or a pit manager disables gaming,
    and two people enable it. It works while the tables are served: their screens show it within a
    second.
    """
    if action is None:
        print_orders(database, as_json)
        return
    with exit_on_error("server"), ordering(database, by, second, reason) as (ledger, author, other):
        from croupier.ledger.aggregates import approvals
        from croupier.ledger.aggregates.approval_messages import DisableGaming, EnableGaming
        from croupier.ledger.entry_codec import new_id
        from croupier.ledger.gaming_orders import change_gaming
        from croupier.server.auth.second_person import SecondPersonRule

        why, id = reason or "on the command line", new_id()
        command: DisableGaming | EnableGaming
        if action == "disable":
            command = DisableGaming(reason=why, game=game, submission=submission)
        else:
            command = EnableGaming(reason=why, game=game, submission=submission, second=other)
            if other is not None:  # who has entered their password
                agreements = SecondPersonRule(ledger)
                agreements.record_answer(approvals.STREAM, id, command, author.id, True)
        typer.echo(f"{action}d: {change_gaming(ledger, command, by=author, id=id)}")


@contextmanager
def ordering(
    database: str, by: str, second: str, reason: str
) -> Iterator[tuple[Ledger, Account, Account | None]]:
    """Open the ledger for an order; the people who give it enter their passwords."""
    with find_accounts(database) as accounts:
        has_accounts = accounts is not None
    if not has_accounts and not by:  # a practice ledger that nobody has an account for
        from croupier.table import Account

        with open_ledger(database, readonly=False) as ledger:
            yield ledger, Account("cli", "system"), None
        return
    with changing(database, by, second, reason) as (accounts, change):
        yield accounts.ledger, change.by, change.second


def print_orders(database: str, as_json: bool) -> None:
    """Print what is disabled."""
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.ledger.errors import utc_minute

        orders = ledger.approvals.refresh().disabled
        if as_json:
            print_json(orders)
            return
        for order in orders.values():
            typer.echo(f"{utc_minute(order.at)}: {order}")
        if not orders:
            typer.echo("gaming is enabled")

"""Commands of the record: audit, report, export, import."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.common import Json, fail, missing_extra, progress_console
from croupier.errors import BadInput, CroupierError
from croupier.money import parse_dollars

app = typer.Typer(help="Rebuild hands, verify the record, close and sign a day.")
commands = typer.Typer()

Database = Annotated[
    str,
    typer.Option(
        "--database", envvar="CROUPIER_DATABASE", help="A SQLite file or a database address."
    ),
]
DEFAULT = "croupier.db"
Since = Annotated[str, typer.Option(help="From this moment on: 2026-11-15 or 2026-11-15T18:00.")]
Until = Annotated[str, typer.Option(help="Up to this moment.")]
OnTable = Annotated[str, typer.Option(help="Only this table.")]


@contextmanager
def refusals() -> Iterator[None]:
    """Every refusal becomes a sentence and exit status 2."""
    try:
        yield
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "ledger")
    except OSError as error:
        fail(error)


@contextmanager
def opened(database: str) -> Iterator[Any]:
    """A ledger that is there already; looking something up must not found a new one."""
    from croupier.ledger import Ledger

    with Ledger(database, create=False) as ledger:
        yield ledger


def moment(text: str) -> dt.datetime | None:
    """A moment as a user writes it; without a zone it is UTC."""
    if not text:
        return None
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a moment; expected such as 2026-11-15T18:00") from None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


@app.command()
def verify(
    database: Annotated[str, typer.Argument(help="A SQLite file or a database address.")] = DEFAULT,
    as_json: Json = False,
) -> None:
    """Check the hash chain, replay every round, recompute every settlement, account and meter."""
    from rich.progress import Progress

    with refusals():
        from croupier.ledger.verify import verify as check

        bars = progress_console()
        with Progress(console=bars, transient=True, disable=not bars.is_terminal) as progress:
            task = progress.add_task("verifying", total=None)
            verdict = check(database, progress=lambda done: progress.update(task, completed=done))
    if as_json:
        found = {
            "ok": verdict.ok,
            "events": verdict.events,
            "rounds": verdict.rounds,
            "head": verdict.head,
            "problems": [str(problem) for problem in verdict.problems],
        }
        typer.echo(json.dumps(found, indent=2))
    else:
        typer.echo(str(verdict))
    if not verdict.ok:
        raise typer.Exit(1)


@app.command()
def hand(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    round_number: Annotated[int, typer.Argument(metavar="ROUND", help="The round's number.")],
    database: Database = DEFAULT,
    as_json: Json = False,
) -> None:
    """Rebuild a hand: every card in order, wagers, decisions, settlement, people, times."""
    with refusals(), opened(database) as ledger:
        from croupier.ledger.rounds import hand as rebuild
        from croupier.papers import hands

        found = rebuild(ledger, table, round_number)
        typer.echo(hands.as_json(found) if as_json else hands.text(found))


@app.command()
def find(
    database: Database = DEFAULT,
    table: OnTable = "",
    seat: Annotated[int | None, typer.Option(help="A seat, 1 to 6.")] = None,
    player: Annotated[str, typer.Option(help="A player.")] = "",
    since: Since = "",
    until: Until = "",
    hand: Annotated[str, typer.Option(help="A hand such as royal_flush.")] = "",
    wager: Annotated[str, typer.Option(help="A wager that was made.")] = "",
    over: Annotated[str, typer.Option(help="Paid more than so many dollars.")] = "",
    void: Annotated[bool | None, typer.Option("--void/--not-void", help="Void rounds.")] = None,
    as_json: Json = False,
) -> None:
    """Find rounds; everything asked for must hold for one and the same seat."""
    with refusals(), opened(database) as ledger:
        from croupier.ledger.find import find as search
        from croupier.papers import hands

        cents = parse_dollars(over) if over else None
        if over and cents is None:
            raise BadInput(f"{over!r} is not an amount of dollars")
        found = list(
            search(
                ledger,
                table=table,
                since=moment(since),
                until=moment(until),
                seat=seat,
                player=player,
                hand=hand,
                wager=wager,
                over=cents,
                void=void,
            )
        )
        if as_json:
            import msgspec

            typer.echo(json.dumps(msgspec.to_builtins(found), indent=2))
        else:
            typer.echo(hands.listing(found))


@app.command()
def key(path: Annotated[Path, typer.Argument(help="Where to write the private key.")]) -> None:
    """Make a key to sign days with; the public half is printed."""
    with refusals():
        from croupier.ledger.signing import new_key

        typer.echo(new_key(path))


@app.command("close-day")
def close_day(
    day: Annotated[str, typer.Argument(help="The gaming day: 2026-11-15.")],
    database: Database = DEFAULT,
    signing_key: Annotated[
        Path | None, typer.Option("--key", help="Sign the head with this private key.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the signed head here, for the regulator.")
    ] = None,
) -> None:
    """Close a gaming day and sign the head of the chain."""
    with refusals(), opened(database) as ledger:
        from croupier.ledger import days, signing

        closed = days.close_day(ledger, day)
        typer.echo(f"closed {day}: {closed.events:,} events, {closed.rounds:,} rounds")
        if signing_key:
            signed = days.sign_day(ledger, day, signing.load_key(signing_key))
            if output:
                days.write_signed(signed, output)
            typer.echo(json.dumps(signed, indent=2))


@commands.command()
def report(
    kind: Annotated[
        str,
        typer.Argument(help="shift, day, wagers, progressive, payouts, decks or irregularities."),
    ],
    database: Database = DEFAULT,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    day: Annotated[str, typer.Option(help="A gaming day instead of since and until.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: Json = False,
) -> None:
    """Print what operators expect of a shift or a day; "no activity" where there was none."""
    with refusals(), opened(database) as ledger:
        from croupier.papers.reports import report as make

        made = make(ledger, kind, table=table, since=moment(since), until=moment(until), day=day)
        form = "json" if as_json else "csv" if as_csv else "table"
        typer.echo(made.render(form).rstrip("\n"))


@commands.command("export")
def export_record(
    target: Annotated[Path, typer.Argument(help="The file to write: JSON Lines.")],
    database: Database = DEFAULT,
) -> None:
    """Write the whole record as JSON Lines, readable without Croupier."""
    with refusals(), opened(database):
        from croupier.ledger.transfer import export_file

        counts = export_file(database, target)
        typer.echo(", ".join(f"{count:,} {kind}" for kind, count in counts.items()))


@commands.command("import")
def import_record(
    source: Annotated[Path, typer.Argument(help="A file that `croupier export` wrote.")],
    database: Database = DEFAULT,
) -> None:
    """Read an exported record into a new database."""
    with refusals():
        from croupier.ledger.transfer import import_file

        counts = import_file(source, database)
        typer.echo(", ".join(f"{count:,} {kind}" for kind, count in counts.items()))

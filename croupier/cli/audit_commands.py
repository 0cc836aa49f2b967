"""Commands that look into the record: audit, report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.console import (
    Json,
    check_kind,
    check_new,
    columns,
    folded,
    missing_extra,
    new_file,
    waiting,
)
from croupier.cli.ledger_options import (
    DEFAULT,
    Database,
    OnTable,
    Since,
    Until,
    check_moments,
    moment,
    opened,
    progressing,
    refusals,
)
from croupier.errors import BadInput
from croupier.money import parse_dollars

app = typer.Typer(help="Rebuild hands, verify the record, close and sign a day.")
commands = typer.Typer()

LogName = Annotated[
    str,
    typer.Option(
        "--name",
        envvar="CROUPIER_LOG_NAME",
        help="The name of the log in its signatures, such as casino.example/ledger.",
    ),
]
NAME = "croupier"
REPORT_KINDS = (".pdf", ".csv", ".json")


@app.command()
def verify(
    database: Annotated[str, typer.Argument(help="A SQLite file or a database address.")] = DEFAULT,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A checkpoint that was kept; the record must extend it.")
    ] = None,
    keys: Annotated[
        list[str] | None,
        typer.Option("--key", help="The public key of the log, or a file with it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every hash, decide every command anew, compare accounts, meters, days, signatures."""
    with refusals():
        from croupier.ledger.audit.verify import verify as check
        from croupier.ledger.day_close import load_checkpoint, load_public_keys

        known = load_public_keys(keys or [])
        kept = load_checkpoint(checkpoint, known) if checkpoint else None
        with progressing("verifying") as progress:
            verdict = check(database, checkpoint=kept, keys=known, progress=progress)
        if as_json:
            typer.echo(json.dumps(verdict.data(), indent=2))
        else:
            typer.echo(folded(str(verdict)))
            if verdict.ok and kept is not None:
                typer.echo(f"it extends the kept checkpoint of {kept.size:,} entries")
    if not verdict.ok:
        raise typer.Exit(1)


@app.command()
def fairness(
    database: Annotated[str, typer.Argument(help="A SQLite file or a database address.")] = DEFAULT,
    table: OnTable = "",
    as_json: Json = False,
) -> None:
    """Check that practice rounds were dealt from the decks committed to before the bets."""
    with refusals():
        from croupier.ledger.audit.deck_commitments import check

        with opened(database) as ledger, waiting("comparing decks"):
            rounds = list(check(ledger.store, table))
        unfair = [each for each in rounds if each.problem]
        if as_json:
            fields = ("table", "round", "commitment", "revealed", "dealt", "problem")
            found = [{name: getattr(each, name) for name in fields} for each in rounds]
            typer.echo(json.dumps({"ok": not unfair, "rounds": found}, indent=2))
        else:
            for each in unfair:
                typer.echo(f"{each.table} round {each.round}: {each.problem}")
            typer.echo(f"{len(rounds) - len(unfair):,} of {len(rounds):,} rounds are fair")
    if unfair:
        raise typer.Exit(1)


@app.command()
def hand(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    round_number: Annotated[int, typer.Argument(metavar="ROUND", help="The round's number.")],
    database: Database = DEFAULT,
    proof: Annotated[
        Path | None, typer.Option(help="Write the hand with its inclusion proof to a new file.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Prove it against this checkpoint, not that of its day.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Rebuild a hand: every card in order, wagers, decisions, settlement, people, times."""
    with refusals(), opened(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.rounds import rebuild_round as rebuild

        found = rebuild(ledger, table, round_number)
        if proof is not None:
            from croupier.ledger.day_close import checkpoint_covering
            from croupier.ledger.transfer import write_round_proof

            covering = checkpoint_covering(ledger, found.positions[-1]) if not checkpoint else ""
            note = checkpoint.read_text("utf-8") if checkpoint else covering
            write_round_proof(ledger.store, found, note, proof)
        typer.echo(
            (hand_history.as_json(found) if as_json else folded(hand_history.text(found))).rstrip(
                "\n"
            )
        )


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
    with refusals():
        cents = parse_dollars(over) if over else None
        if over and cents is None:
            raise BadInput(f"{over!r} is not an amount of dollars")
        check_moments(since, until)
    with refusals(), opened(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import find_rounds as search

        zone = ledger.administration.zone
        rounds = search(
            ledger,
            table=table,
            since=moment(since, zone),
            until=moment(until, zone),
            seat=seat,
            player=player,
            hand=hand,
            wager=wager,
            over=cents,
            void=void,
        )
        with waiting("looking through the record"):
            found = list(rounds)
        told = (
            hand_history.list_as_json(found) if as_json else folded(hand_history.rounds_text(found))
        )
        typer.echo(told.rstrip("\n"))


@app.command()
def refused(
    database: Database = DEFAULT,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    as_json: Json = False,
) -> None:
    """List what was attempted and refused: who, what, the clause."""
    with refusals():
        check_moments(since, until)
    with refusals(), opened(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import find_refusals as search

        zone = ledger.administration.zone
        since_when, until_when = moment(since, zone), moment(until, zone)
        with waiting("looking through the record"):
            found = list(search(ledger, table=table, since=since_when, until=until_when))
        told = (
            hand_history.list_as_json(found)
            if as_json
            else folded(hand_history.attempts_text(found))
        )
        typer.echo(told.rstrip("\n"))


@app.command()
def decisions(
    database: Database = DEFAULT, since: Since = "", until: Until = "", as_json: Json = False
) -> None:
    """List what was decided beside the tables: approvals, tests, agreements, denied attempts."""
    with refusals():
        check_moments(since, until)
    with refusals(), opened(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import list_approvals

        zone = ledger.administration.zone
        found = list(list_approvals(ledger, since=moment(since, zone), until=moment(until, zone)))
        typer.echo(
            (
                hand_history.list_as_json(found)
                if as_json
                else folded(hand_history.rulings_text(found))
            ).rstrip("\n")
        )


@app.command()
def key(
    path: Annotated[Path, typer.Argument(help="Where to write the private key.")],
    name: LogName = NAME,
) -> None:
    """Make a key to sign days with; the public half is printed, to be handed to auditors."""
    with refusals():
        from croupier.ledger.log.transparency import signed_note
        from croupier.ledger.log.transparency import signing_keys as keys

        signed_note.check_key_name(name)
        typer.echo(str(signed_note.public_key(name, keys.new_key(path))))


@app.command("close-day")
def close_day(
    day: Annotated[str, typer.Argument(help="The gaming day: 2026-11-15.")],
    database: Database = DEFAULT,
    signing_key: Annotated[
        Path | None, typer.Option("--key", help="Sign the head with this private key.")
    ] = None,
    name: LogName = NAME,
    output: Annotated[
        Path | None, typer.Option(help="Write the signed checkpoint to a new file.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who closes the day, as ROLE:NAME.")] = "audit:cli",
) -> None:
    """Close a gaming day that has ended, and sign its head as a checkpoint to be kept."""
    with refusals():
        from croupier.ledger import day_close
        from croupier.ledger.log.transfer import atomic_file
        from croupier.ledger.log.transparency import signed_note
        from croupier.ledger.log.transparency import signing_keys as keys

        if output is not None and signing_key is None:
            raise BadInput("what is written is the signed checkpoint; name the --key")
        private = keys.load_key(signing_key) if signing_key else None
        signed_note.check_key_name(name)
        if output is not None:
            atomic_file.check_new_path(output)
        who = day_close.parse_account(by)
        with opened(database, readonly=False) as ledger:
            closed = day_close.close_day(ledger, day, by=who)
            typer.echo(f"closed {day}: {closed.size:,} entries, {closed.rounds:,} rounds")
            if private is not None:
                note = day_close.sign_day(ledger, day, name, private, by=who)
                if output is not None:
                    with atomic_file.new_file(output) as beside:
                        beside.write_bytes(note.encode())
                typer.echo(note.rstrip("\n"))


@commands.command()
def report(
    kind: Annotated[
        str,
        typer.Argument(
            help="shift, day, wagers, progressive, payouts, decks, irregularities, "
            "tips, disputes or chips."
        ),
    ],
    database: Database = DEFAULT,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    day: Annotated[str, typer.Option(help="A gaming day instead of since and until.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: Json = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file: .pdf, .csv or .json.")
    ] = None,
) -> None:
    """Print what operators expect of a shift or a day; "no activity" where there was none."""
    with refusals():
        if day and (since or until):
            raise BadInput("a day, or since and until; not both")
        check_moments(since, until)
        with waiting("opening the record"):
            from croupier.documents.reports.report_registry import REPORTS, UnknownReport
            from croupier.documents.reports.report_registry import report as make
        if kind not in REPORTS:
            raise UnknownReport(kind, REPORTS)
        if output is not None:
            if as_csv or as_json:
                raise BadInput("a file, or --csv or --json for what is printed; not both")
            check_kind(output, REPORT_KINDS)
            check_new(output)
    with refusals(), opened(database) as ledger:
        zone = ledger.administration.zone
        since_when, until_when = moment(since, zone), moment(until, zone)
        with waiting("adding up the record"):
            made = make(ledger, kind, table=table, day=day, since=since_when, until=until_when)
        if output is not None:
            with waiting("writing the pages"):
                new_file(output, report_bytes(made, output))
            typer.echo(f"{output}: {made.title}")
            return
        form = "json" if as_json else "csv" if as_csv else "table"
        text = made.render(form, columns())
        typer.echo((folded(text) if form == "table" else text).rstrip("\n"))


def report_bytes(made: Any, output: Path) -> bytes:
    """A report as the file that its name asks for."""
    if output.suffix.lower() != ".pdf":
        text: str = made.render(output.suffix.lower()[1:])
        return text.encode()
    try:
        from croupier.documents.reports.report_pdf import report_pdf

        return report_pdf(made)
    except ImportError as error:
        missing_extra(error, "documents")

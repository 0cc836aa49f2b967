"""Audit commands: `croupier audit verify`, `hand`, `find`, `players`, `close-day` and others."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import (
    console,
    exit_on_error,
    fold_lines,
    print_json,
    status,
    with_progress,
)
from croupier.cli.identity import COMMAND_LINE, accept_clock_at_server, identify
from croupier.cli.ledger_options import (
    DEFAULT_DATABASE,
    Database,
    DatabaseArgument,
    OnTable,
    Since,
    Until,
    check_times,
    entry_progress,
    open_ledger,
)
from croupier.cli.output_files import check_output, write_new_file
from croupier.clock import parse_time
from croupier.errors import BadInput
from croupier.money import parse_dollars

if TYPE_CHECKING:
    from croupier.ledger import Ledger

app = typer.Typer(help="Verify the ledger, rebuild hands, close days.")

LogName = Annotated[
    str,
    typer.Option(
        "--name",
        envvar="CROUPIER_LOG_NAME",
        help="Name of the log in its signatures, e.g. casino.example/ledger.",
    ),
]
DEFAULT_LOG_NAME = "croupier"


@app.command(epilog="Example: croupier audit verify casino.db")
def verify(
    database: DatabaseArgument = DEFAULT_DATABASE,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Saved checkpoint that the ledger must extend.")
    ] = None,
    keys: Annotated[
        list[str] | None,
        typer.Option("--key", help="Public key of the log, or a file with it; repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check hashes, replay all commands, compare balances and signatures.

    Of a file of `croupier export` or `audit hand --proof`, the hashes and signatures are checked.
    """
    with exit_on_error("ledger"):
        from croupier.ledger.audit.verify import verify as verify_ledger
        from croupier.ledger.day_close import load_checkpoint, load_public_keys
        from croupier.ledger.log.transfer.jsonl import is_export

        public_keys = load_public_keys(keys or [])
        saved = load_checkpoint(checkpoint, public_keys) if checkpoint else None
        if is_export(database):
            note = checkpoint.read_text("utf-8") if checkpoint else None
            _verify_export(Path(database), note, [str(key) for key in public_keys], as_json)
            return
        with entry_progress("Verifying") as progress:
            verdict = verify_ledger(database, checkpoint=saved, keys=public_keys, progress=progress)
        if as_json:
            print_json(verdict.data())
        else:
            typer.echo(fold_lines(str(verdict)))
            if verdict.ok and saved is not None:
                typer.echo(f"extends the saved checkpoint of {saved.size:,} entries")
    if not verdict.ok:
        raise typer.Exit(1)


def _verify_export(path: Path, note: str | None, keys: list[str], as_json: bool) -> None:
    """Check an exported file as `verifier.py` does."""
    from croupier.ledger.errors import printable
    from croupier.ledger.log.transparency import verifier

    verdict = problem = ""
    try:
        verdict = verifier.check(path, note, keys)
    except (verifier.VerificationError, ValueError) as error:
        problem = printable(str(error))
    if as_json:
        print_json({"ok": not problem, "problems": [problem] if problem else []})
    else:
        typer.echo(fold_lines(verdict or f"NOT verified\n{problem}"))
    if problem:
        raise typer.Exit(1)


@app.command(epilog="Example: croupier audit fairness casino.db")
def fairness(
    database: DatabaseArgument = DEFAULT_DATABASE,
    table: OnTable = "",
    as_json: Json = False,
) -> None:
    """Check that practice rounds used the decks committed before the bets."""
    with exit_on_error("ledger"):
        from croupier.ledger.audit.deck_commitments import check

        with open_ledger(database) as ledger, status("Comparing decks"):
            rounds = list(check(ledger.store, table))
        unfair = [item for item in rounds if item.problem]
        if as_json:
            print_json({"ok": not unfair, "rounds": rounds})
        else:
            for item in unfair:
                typer.echo(f"{item.table} round {item.round}: {item.problem}")
            typer.echo(f"{len(rounds) - len(unfair):,} of {len(rounds):,} rounds are fair")
    if unfair:
        raise typer.Exit(1)


@app.command(epilog="Example: croupier audit hand A 1 --database casino.db")
def hand(
    table: Annotated[str, typer.Argument(help="ID of the table.")],
    round_number: Annotated[int, typer.Argument(metavar="ROUND", help="Number of the round.")],
    database: Database = DEFAULT_DATABASE,
    proof: Annotated[
        Path | None, typer.Option(help="Write the hand and its inclusion proof to a new file.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Checkpoint to prove it against; default: the one of its gaming day."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Rebuild a hand: cards, wagers, decisions, settlement, staff, times."""
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.rounds import rebuild_round as rebuild_hand

        rebuilt = rebuild_hand(ledger, table, round_number)
        if proof is not None:
            from croupier.ledger.backup_and_export import write_round_proof
            from croupier.ledger.day_close import checkpoint_covering

            if checkpoint:
                note = checkpoint.read_text("utf-8")
            else:
                note = checkpoint_covering(ledger, rebuilt.positions[-1])
            write_round_proof(ledger.store, rebuilt, note, proof)
        if as_json:
            print_json(rebuilt)
        else:
            typer.echo(fold_lines(hand_history.text(rebuilt)).rstrip("\n"))


@app.command(epilog="Example: croupier audit find --hand royal_flush --database casino.db")
def find(
    database: Database = DEFAULT_DATABASE,
    table: OnTable = "",
    seat: Annotated[int | None, typer.Option(help="Seat number, 1 to 6.")] = None,
    player: Annotated[str, typer.Option(help="Player.")] = "",
    since: Since = "",
    until: Until = "",
    hand: Annotated[str, typer.Option(help="Hand, e.g. royal_flush.")] = "",
    wager: Annotated[str, typer.Option(help="Wager that was made.")] = "",
    over: Annotated[str, typer.Option(help="Paid more than this many dollars.")] = "",
    void: Annotated[
        bool | None, typer.Option("--void/--not-void", help="Only void rounds, or exclude them.")
    ] = None,
    dealer: Annotated[str, typer.Option(help="Who dealt, by account.")] = "",
    irregularity: Annotated[str, typer.Option(help="An irregularity, e.g. shoe_jam, or any.")] = "",
    as_json: Json = False,
) -> None:
    """Find rounds in which one seat matches all options."""
    with exit_on_error("ledger"):
        from croupier.ledger.queries.round_search import RoundQuery, check_irregularity

        over_cents = parse_dollars(over) if over else None
        if over and over_cents is None:
            raise BadInput(f"--over: {over!r} is not a dollar amount; expected for example 100")
        query = RoundQuery(
            seat=seat,
            player=player,
            hand=hand,
            wager=wager,
            over=over_cents,
            void=void,
            dealer=dealer,
            irregularity=check_irregularity(irregularity),
        )
        check_times(since, until)
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import find_rounds

        zone = ledger.administration.zone
        with status("Searching the ledger"):
            rounds = list(
                find_rounds(
                    ledger,
                    query,
                    table=table,
                    since=parse_time(since, zone),
                    until=parse_time(until, zone),
                )
            )
        _print_list(rounds, hand_history.rounds_text, as_json)


@app.command(epilog="Example: croupier audit refused --table A --database casino.db")
def refused(
    database: Database = DEFAULT_DATABASE,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    as_json: Json = False,
) -> None:
    """List refused commands: who, what, the clause."""
    with exit_on_error("ledger"):
        check_times(since, until)
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import find_refusals

        zone = ledger.administration.zone
        start, end = parse_time(since, zone), parse_time(until, zone)
        with status("Searching the ledger"):
            attempts = list(find_refusals(ledger, table=table, since=start, until=end))
        _print_list(attempts, hand_history.attempts_text, as_json)


@app.command(epilog="Example: croupier audit decisions --database casino.db")
def decisions(
    database: Database = DEFAULT_DATABASE,
    since: Since = "",
    until: Until = "",
    as_json: Json = False,
) -> None:
    """List approvals, tests, second-person agreements and denied attempts."""
    with exit_on_error("ledger"):
        check_times(since, until)
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.documents.reports import hand_history
        from croupier.ledger.queries.round_search import list_approvals

        zone = ledger.administration.zone
        rulings = list(
            list_approvals(ledger, since=parse_time(since, zone), until=parse_time(until, zone))
        )
        _print_list(rulings, hand_history.rulings_text, as_json)


@app.command(epilog="Example: croupier audit players --database casino.db")
def players(
    database: Database = DEFAULT_DATABASE,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    false_alarms: Annotated[
        float, typer.Option(help="Probability that any honest player is flagged for review.")
    ] = 0.01,
    street: Annotated[
        list[str] | None,
        typer.Option(
            help="Only decisions on this street; repeatable. The first street is slow the first "
            "time."
        ),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Add the hourly cost of an exposed dealer card.")
    ] = False,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds per hour, for --cost.")] = 40,
    as_json: Json = False,
) -> None:
    """List players whose decisions match hidden cards beyond chance."""
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.documents.reports import watchlist as watchlists

        zone = ledger.administration.zone
        with entry_progress("Reading rounds") as report:
            watchlist = watchlists.watch(
                ledger,
                table=table,
                since=parse_time(since, zone),
                until=parse_time(until, zone),
                streets=tuple(street or ()),
                false_alarms=false_alarms,
                report=report,
            )
        hourly = hourly_costs(ledger, watchlist.houses, rounds_per_hour) if cost else {}
        if as_json:
            print_json(watchlists.to_json(watchlist, hourly))
        else:
            console().print(watchlists.render(watchlist, hourly))


def hourly_costs(
    ledger: Ledger, houses: dict[str, str], rounds_per_hour: int
) -> dict[str, Fraction]:
    """The cost per hour of one exposed card at each table, at the table's minimum ante."""
    from croupier import analysis
    from croupier.documents.reports.watchlist import cost_per_hour

    costs = {}
    for table, digest in houses.items():
        house = ledger.house(digest)
        limits = house.limits[house.game.ante.name]
        exposed = "dealer:1" if house.game.dealer_cards else "center:1"
        result = with_progress(partial(analysis.analyze_exposure, house, exposed), house.game.title)
        card = "a dealer's card" if house.game.dealer_cards else "the center"
        costs[f"{card} seen at {table}"] = cost_per_hour(
            result.gain, limits.minimum, rounds_per_hour
        )
    return costs


@app.command(epilog="Example: croupier audit key signing.pem --name harbor.example/ledger")
def key(
    path: Annotated[Path, typer.Argument(help="New file for the private key.")],
    name: LogName = DEFAULT_LOG_NAME,
) -> None:
    """Create a signing key; prints the public key for the auditors."""
    with exit_on_error("ledger"):
        from croupier.ledger.log.transparency import signed_note, signing_keys

        signed_note.check_key_name(name)
        typer.echo(str(signed_note.public_key(name, signing_keys.new_key(path))))


@app.command(epilog="Example: croupier audit verifier verifier.py")
def verifier(
    file: Annotated[Path, typer.Argument(help="New file, e.g. verifier.py.")],
) -> None:
    """Write the standalone verifier: one Python file that checks exports without Croupier."""
    with exit_on_error("ledger"):
        from importlib import resources

        check_output(file, (".py",))
        package = resources.files("croupier.ledger.log.transparency")
        write_new_file(file, package.joinpath("verifier.py").read_bytes())
    typer.echo(f"{file}: needs Python and the package cryptography")


@app.command("close-day", epilog="Example: croupier audit close-day 2026-01-06 --key signing.pem")
def close_day(
    day: Annotated[str, typer.Argument(help="Gaming day, e.g. 2026-11-15.")],
    database: Database = DEFAULT_DATABASE,
    signing_key: Annotated[
        Path | None, typer.Option("--key", help="Private key to sign the checkpoint with.")
    ] = None,
    name: LogName = DEFAULT_LOG_NAME,
    output: Annotated[
        Path | None, typer.Option(help="Write the signed checkpoint to a new file.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who closes the day, as ROLE:NAME.")] = COMMAND_LINE,
) -> None:
    """Close a gaming day that has ended and sign its checkpoint."""
    with exit_on_error("ledger"):
        from croupier.ledger import day_close
        from croupier.ledger.log.transfer import atomic_file
        from croupier.ledger.log.transparency import signed_note, signing_keys

        if output is not None and signing_key is None:
            raise BadInput("--output writes the signed checkpoint and requires --key")
        private_key = signing_keys.load_key(signing_key) if signing_key else None
        signed_note.check_key_name(name)
        if output is not None:
            atomic_file.check_new_path(output)
        account = identify(database, by, unattended=COMMAND_LINE)
        with open_ledger(database, readonly=False) as ledger:
            closed = day_close.close_day(ledger, day, by=account)
            typer.echo(f"closed {day}: {closed.size:,} entries, {closed.rounds:,} rounds")
            if private_key is not None:
                note = day_close.sign_day(ledger, day, name, private_key, by=account)
                if output is not None:
                    with atomic_file.new_file(output, mode=0o666) as temporary:
                        temporary.write_bytes(note.encode())
                typer.echo(note.rstrip("\n"))


@app.command(epilog="Example: croupier audit sign 2026-01-06.checkpoint --key signing.pem")
def sign(
    file: Annotated[Path, typer.Argument(help="Checkpoint of a closed day, as downloaded.")],
    signing_key: Annotated[Path, typer.Option("--key", help="Private key to sign it with.")],
) -> None:
    """Sign the checkpoint of a day on another machine; prints the public key and the signature.

    Enter both on the page Gaming days of the server, which verifies them. The private key stays
    on this machine.
    """
    with exit_on_error("ledger"):
        from croupier.ledger.log.transparency import checkpoint, signed_note, signing_keys

        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeError) as error:
            raise BadInput(f"{file} cannot be read: {error}") from None
        origin = checkpoint.parse(text).origin
        private_key = signing_keys.load_key(signing_key)
        typer.echo(f"public key: {signed_note.public_key(origin, private_key)}")
        typer.echo(f"signature:  {private_key.sign(text.encode()).hex()}")


@app.command(
    "accept-clock",
    epilog="Example: croupier audit accept-clock --by pit_manager:bob --second audit:aud "
    '--reason "closed for the season"',
)
def accept_clock(
    by: Annotated[str, typer.Option(help="Who accepts the clock, as ROLE:NAME.")],
    second: Annotated[str, typer.Option(help="Another person, as ROLE:NAME.")],
    reason: Annotated[str, typer.Option(help="Why nothing was recorded for so long.")],
    database: Database = DEFAULT_DATABASE,
    server: Annotated[
        str,
        typer.Option(envvar="CROUPIER_SERVER", help="Address of the running server, if any."),
    ] = "",
) -> None:
    """Accept a clock that is far ahead of the last entry; takes two people.

    A ledger refuses an entry more than 31 days after the last one. Check the clock first: if it is
    wrong, the gaming days up to its time can never be closed with what is played on them.

    At a running server, the second person answers under Approvals. Without one, both enter their
    passwords here. A ledger without accounts has no passwords.
    """
    with exit_on_error("ledger"):
        from croupier.ledger import day_close
        from croupier.ledger.errors import utc_minute

        if server:
            people = day_close.parse_account(by), day_close.parse_account(second)
            last = accept_clock_at_server(server, *people, reason)
            typer.echo(f"accepted; the last entry before is of {utc_minute(last)}")
            return
        with open_ledger(database, readonly=False) as ledger:
            from croupier.server.server_lock import is_served

            if is_served(database):
                problem = "is served at present; send the request to the server with --server URL"
                raise BadInput(f"{database} {problem}")
            people = (identify(database, by), identify(database, second, read_environment=False))
            accepted = ledger.accept_clock(by=people[0], second=people[1], reason=reason)
            typer.echo(
                f"accepted: {utc_minute(accepted.time)}; the last entry before is of "
                f"{utc_minute(accepted.last)}"
            )


def _print_list(rows: list[Any], render: Callable[[list[Any]], str], as_json: bool) -> None:
    if as_json:
        print_json(rows)
    else:
        typer.echo(fold_lines(render(rows)).rstrip("\n"))

"""Commands that draw and print: felt, sign, par, card, packet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import (
    cents,
    check_kind,
    check_new,
    fail,
    house_for,
    missing_extra,
    new_file,
    waiting,
    with_progress,
)
from croupier.errors import BadInput, CroupierError

if TYPE_CHECKING:
    from croupier.documents.felt import Felt, Logo, Sign
    from croupier.games import House

app = typer.Typer()

DRAWING_KINDS = (".svg", ".pdf")
PAR_KINDS = (".xlsx", ".csv", ".pdf")

Submission = Annotated[Path, typer.Argument(help="A Rules Submission.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="A new file: .svg or .pdf.")]


@app.command()
def felt(submission: Submission, output: Output) -> None:
    """Draw the table layout to scale, with every inscription that the rules ask for."""
    try:
        check_kind(output, DRAWING_KINDS)
        check_new(output)
        with waiting("drawing the felt and reading it back"):
            house, drawn = drawn_felt(submission)
            new_file(output, bytes_of(house, drawn, output))
            sign_too = needed_sign(house, drawn)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "documents")
    typer.echo(f"{output}: {drawn.width:.0f} by {drawn.height:.0f} mm")
    if sign_too is not None:
        typer.echo("Odds or notices are left to a sign: croupier sign draws it.")


@app.command()
def sign(
    submission: Submission,
    output: Output,
    everything: Annotated[
        bool, typer.Option("--everything", help="Post also what the felt carries.")
    ] = False,
) -> None:
    """Draw the sign at the table: what the felt does not carry, or what you chose to post."""
    try:
        check_kind(output, DRAWING_KINDS)
        check_new(output)
        with waiting("drawing the sign and reading it back"):
            house, on_felt = drawn_felt(submission)
            made = needed_sign(house, on_felt, everything=everything)
            if made is None:
                raise BadInput(
                    "the felt carries everything, so no sign is needed; --everything draws one"
                )
            new_file(output, bytes_of(house, made, output))
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "documents")
    typer.echo(f"{output}: {made.width:.1f} by {made.height:.1f} mm")


@app.command()
def par(
    submission: Submission,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A new file: .xlsx, .csv or .pdf.")
    ],
    ante: Annotated[str, typer.Option(help="Dollars: as offered at this ante.")] = "",
) -> None:
    """Print the PAR sheet: lines, counts, cycles, edge, volatility and bands of every wager."""
    try:
        check_kind(output, PAR_KINDS)
        check_new(output)
        house = house_for(submission, "")
        from croupier import analysis as study
        from croupier.documents.par import par_sheet as sheets
        from croupier.documents.par import xlsx

        stake = cents(ante) if ante else None
        analysis = with_progress(
            lambda report: study.analyze(house, report, stake), house.game.title
        )
        made = sheets.make_par_sheet(house, analysis)
        writers = {
            ".xlsx": xlsx.write_xlsx,
            ".csv": sheets.write_csv,
            ".pdf": sheets.write_pdf,
        }
        new_file(output, writers[output.suffix.lower()](made))
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis,documents")
    typer.echo(f"{output}: {len(made.sheets)} wagers")


@app.command()
def card(
    submission: Submission,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file: .pdf. Else as text.")
    ] = None,
    strategy: Annotated[
        Path | None, typer.Option(help="Rules of play to print, instead of those of the game.")
    ] = None,
) -> None:
    """Print the player's rack card: rules, odds, how to play, and what playing so costs."""
    try:
        if output is not None:
            check_kind(output, (".pdf",))
            check_new(output)
        house = house_for(submission, "")
        from croupier import analysis as study
        from croupier.cli.analysis_commands import rules_for
        from croupier.documents import rack_card as cards

        rules = rules_for(str(strategy)) if strategy else study.practical_strategy(house.game.key)
        if rules is None:
            raise BadInput(f"{house.game.title} comes with no strategy; give one with --strategy")
        priced = with_progress(
            lambda report: study.strategy_cost(house, rules, report), house.game.title
        )
        made = cards.card(house, priced)
        if output is not None:
            new_file(output, made.pdf())
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis,documents")
    typer.echo(made.text() if output is None else f"{output}: one page")


@app.command()
def packet(
    submissions: Annotated[
        list[Path], typer.Argument(help="A Rules Submission; with --diff the old and the new one.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new folder; with --diff a new .pdf.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="What changes from one submission to another.")
    ] = False,
    approved: Annotated[
        str, typer.Option(help="The approval of the Rules Submission with its date.")
    ] = "",
    guide_approved: Annotated[
        str, typer.Option(help="The approval of the gaming guide with its date.")
    ] = "",
    new: Annotated[
        list[str] | None, typer.Option(help="A wager that is new, or has a new paytable.")
    ] = None,
) -> None:
    """Print the filing: submission, layout, guide, mathematics, checklist; or an amendment."""
    try:
        for approval in (approved, guide_approved):
            check_dated(approval)
        if diff:
            told = compare(submissions, output, approved)
        else:
            told = file_papers(submissions, output, (approved, guide_approved), new or [])
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis,documents")
    typer.echo("\n".join(told))


def file_papers(
    submissions: Sequence[Path],
    folder: Path | None,
    approvals: tuple[str, str],
    new: Sequence[str],
) -> list[str]:
    """Write every document of a filing into a new folder; nothing is begun that is refused."""
    from croupier import submission as examined

    if len(submissions) != 1 or folder is None:
        raise BadInput("a packet is made of one submission: croupier packet TABLE.toml -o FOLDER")
    check_new(folder)
    if not folder.parent.is_dir():  # said now, and not after all the work
        raise BadInput(f"{folder} cannot be made: there is no folder {folder.parent}")
    (path,) = submissions
    house, _ = drawn_felt(path)
    from croupier.documents import filing

    filing.check_offered(house, new)
    logo = logo_beside(house, path)
    found = with_progress(lambda report: filing.analyze_for_filing(house, report), house.game.title)
    rules, guide = approvals
    made = filing.documents(
        house,
        found,
        issues=examined.draft(path).issues,
        logo=logo,
        approvals=filing.FilingApprovals(rules=rules, guide=guide),
        new=new,
    )
    return new_folder(folder, filing.files(house, made, logo))


def new_folder(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write files into a folder that was not there; the names of what was written."""
    try:
        folder.mkdir()
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error.strerror or error}") from None
    for name, content in files.items():
        new_file(folder / name, content)
    return [str(folder / name) for name in files]


def compare(submissions: Sequence[Path], output: Path | None, approved: str) -> list[str]:
    """What changes from the first submission to the second, as lines and as a page."""
    if len(submissions) != 2:
        raise BadInput(f"{len(submissions)} submissions; expected two: --diff OLD.toml NEW.toml")
    if output is not None:
        check_kind(output, (".pdf",))
        check_new(output)
    old, new = (house_for(path, "") for path in submissions)
    from croupier.documents import filing

    found = filing.changes(old, new)
    if output is not None:
        new_file(output, filing.amendment(old, new, approved).pdf())
    return [str(change) for change in found] or ["nothing changes"]


def check_dated(approval: str) -> None:
    """Refuse an approval without a day, which every page has to name."""
    from croupier.games.forms.field_types import has_date

    if approval and not has_date(approval):
        raise BadInput(f"{approval!r} names no date, such as 2031-02-14 [COMAR 36.05.03.19D]")


def drawn_felt(submission: Path) -> tuple[House, Felt]:
    """The felt of a submission; one that breaks a rule or cannot be read is refused."""
    from croupier.documents import felt as drawing

    house = house_for(submission, "")
    drawn = drawing.felt(house, logo_beside(house, submission))
    posted = drawing.sign(house, drawn)
    examined = drawing.examine(house, drawn.svg(), posted.svg() if posted else "")
    if examined.findings:
        raise BadInput("\n".join(map(str, examined.findings)))
    return house, drawn


def needed_sign(house: House, drawn: Felt, *, everything: bool = False) -> Sign | None:
    """The sign beside a felt."""
    from croupier.documents import felt as drawing

    return drawing.sign(house, drawn, everything=everything)


def logo_beside(house: House, submission: Path) -> Logo | None:
    """The picture that a submission names, which lies beside it."""
    from croupier.documents.felt import read_logo

    named = house.choices.operator_logo
    return read_logo(submission.parent / named, house.operator) if named else None


def bytes_of(house: House, drawn: Felt | Sign, output: Path) -> bytes:
    """A drawing as the file that its name asks for."""
    from croupier.documents.felt import full_size

    if output.suffix.lower() == ".svg":
        return drawn.svg().encode()
    return full_size(house, drawn)

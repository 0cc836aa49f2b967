"""Document commands: felt, sign, par, card, packet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import GameOrFile, load_house, parse_cents, submission_file
from croupier.cli.console import exit_on_error, status, with_progress
from croupier.cli.output_files import (
    check_new_path,
    check_output,
    write_new_file,
    write_new_folder,
)
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.documents.felt import Felt, Logo, Sign
    from croupier.games import House

app = typer.Typer()
PANEL = "Documents"

DRAWING_SUFFIXES = (".svg", ".pdf")
PAR_SUFFIXES = (".xlsx", ".csv", ".pdf")

DrawingOutput = Annotated[Path, typer.Option("--output", "-o", help="New .svg or .pdf file.")]


@app.command(rich_help_panel=PANEL, epilog="Example: croupier felt harbor.toml -o felt.svg")
def felt(game: GameOrFile, output: DrawingOutput) -> None:
    """Draw the table layout to scale."""
    with exit_on_error("documents"):
        check_output(output, DRAWING_SUFFIXES)
        with status("Drawing and checking the felt"):
            house, layout = draw_felt(game)
            write_new_file(output, drawing_bytes(house, layout, output))
            required_sign = draw_sign(house, layout)
    typer.echo(f"{output}: {layout.width:.0f} by {layout.height:.0f} mm")
    if required_sign is not None:
        typer.echo("Some odds or notices must be posted on a sign: run croupier sign.")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier sign harbor.toml -o sign.pdf")
def sign(
    game: GameOrFile,
    output: DrawingOutput,
    everything: Annotated[
        bool, typer.Option("--everything", help="Include what the felt already shows.")
    ] = False,
) -> None:
    """Draw the sign with the odds and notices that the felt lacks."""
    with exit_on_error("documents"):
        check_output(output, DRAWING_SUFFIXES)
        with status("Drawing and checking the sign"):
            house, layout = draw_felt(game)
            drawing = draw_sign(house, layout, everything=everything)
            if drawing is None:
                raise BadInput(
                    "the felt shows everything, so no sign is needed; --everything draws one anyway"
                )
            write_new_file(output, drawing_bytes(house, drawing, output))
    typer.echo(f"{output}: {drawing.width:.1f} by {drawing.height:.1f} mm")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier par harbor.toml -o par.xlsx")
def par(
    game: GameOrFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="New .xlsx, .csv or .pdf file; without it, print CSV."),
    ] = None,
    ante: Annotated[
        str, typer.Option(help="Ante in dollars, to include rounding and payout limits.")
    ] = "",
) -> None:
    """Write the PAR sheet: odds, house edge and volatility by wager."""
    with exit_on_error("analysis,documents"):
        if output is not None:
            check_output(output, PAR_SUFFIXES)
        house = load_house(game)
        from croupier import analysis
        from croupier.documents.par import par_sheet, xlsx

        stake = parse_cents(ante) if ante else None
        result = with_progress(
            lambda report: analysis.analyze(house, report, stake), house.game.title
        )
        workbook = par_sheet.make_par_sheet(house, result)
        if output is None:
            typer.echo(par_sheet.write_csv(workbook).decode(), nl=False)
            return
        writers = {
            ".xlsx": xlsx.write_xlsx,
            ".csv": par_sheet.write_csv,
            ".pdf": par_sheet.write_pdf,
        }
        write_new_file(output, writers[output.suffix.lower()](workbook))
    typer.echo(f"{output}: {len(workbook.sheets)} wagers")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier card harbor.toml -o card.pdf")
def card(
    game: GameOrFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="New .pdf file; without it, print text.")
    ] = None,
    strategy: Annotated[
        Path | None, typer.Option(help="File of strategy rules, instead of the game's own.")
    ] = None,
) -> None:
    """Write the player's rack card: rules, odds, strategy."""
    with exit_on_error("analysis,documents"):
        if output is not None:
            check_output(output, (".pdf",))
        house = load_house(game)
        from croupier import analysis
        from croupier.cli.commands.analysis_commands import load_rules
        from croupier.documents import rack_card

        rules = (
            load_rules(str(strategy)) if strategy else analysis.practical_strategy(house.game.key)
        )
        if rules is None:
            raise BadInput(f"{house.game.title} has no strategy; add one with --strategy")
        priced = with_progress(
            lambda report: analysis.strategy_cost(house, rules, report), house.game.title
        )
        page = rack_card.card(house, priced)
        if output is not None:
            write_new_file(output, page.pdf())
    typer.echo(page.text() if output is None else f"{output}: one page")


@app.command(rich_help_panel=PANEL, epilog="Example: croupier packet harbor.toml -o filing")
def packet(
    submissions: Annotated[
        list[str],
        typer.Argument(
            help="Rules Submission or game; with --diff the old and the new submission."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="New folder; with --diff a new .pdf file.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show the changes between two submissions.")
    ] = False,
    approved: Annotated[
        str, typer.Option(help="Approval of the Rules Submission, with its date.")
    ] = "",
    guide_approved: Annotated[
        str, typer.Option(help="Approval of the gaming guide, with its date.")
    ] = "",
    guide_odds: Annotated[
        bool, typer.Option("--guide-odds", help="Print in the guide how often each wager wins.")
    ] = False,
    new: Annotated[
        list[str] | None,
        typer.Option(help="Wager that is new or has a new paytable; repeatable."),
    ] = None,
) -> None:
    """Write all documents of a filing, or an amendment (--diff)."""
    with exit_on_error("analysis,documents"):
        for approval in (approved, guide_approved):
            check_dated(approval)
        if diff:
            lines = write_amendment(submissions, output, approved)
        else:
            lines = write_packet(
                submissions, output, (approved, guide_approved), new or [], guide_odds=guide_odds
            )
    typer.echo("\n".join(lines))


def write_packet(
    submissions: Sequence[str],
    folder: Path | None,
    approvals: tuple[str, str],
    new: Sequence[str],
    *,
    guide_odds: bool = False,
) -> list[str]:
    """Write the documents of a filing to a new folder; returns their paths."""
    from croupier.submission import draft

    if len(submissions) != 1 or folder is None:
        raise BadInput("expected one submission and a folder: croupier packet TABLE.toml -o FOLDER")
    check_new_path(folder)
    (game,) = submissions
    house, _ = draw_felt(game)
    from croupier.documents import filing

    filing.check_offered(house, new)
    logo = load_logo(house, game)
    analysis = with_progress(
        lambda report: filing.analyze_for_filing(house, report), house.game.title
    )
    rules, guide = approvals
    documents = filing.documents(
        house,
        analysis,
        issues=draft(submission_file(game)).issues,
        logo=logo,
        approvals=filing.FilingApprovals(rules=rules, guide=guide),
        new=new,
        guide_odds=guide_odds,
    )
    return write_new_folder(folder, filing.files(house, documents, logo))


def write_amendment(submissions: Sequence[str], output: Path | None, approved: str) -> list[str]:
    """The changes between two submissions as lines, and as a PDF if `output` is set."""
    if len(submissions) != 2:
        raise BadInput(f"{len(submissions)} submissions; expected two: --diff OLD.toml NEW.toml")
    if output is not None:
        check_output(output, (".pdf",))
    old, new = map(load_house, submissions)
    from croupier.documents import filing

    changes = filing.changes(old, new)
    if output is not None:
        write_new_file(output, filing.amendment(old, new, approved).pdf())
    return [str(change) for change in changes] or ["no changes"]


def check_dated(approval: str) -> None:
    """Raise BadInput for an approval without a date, which every page must show."""
    from croupier.games.forms.field_types import has_date

    if approval and not has_date(approval):
        raise BadInput(f"{approval!r} names no date, such as 2031-02-14 [COMAR 36.05.03.19D]")


def draw_felt(game: str) -> tuple[House, Felt]:
    """The House and felt of a submission; raises BadInput if the felt breaks a rule."""
    from croupier.documents import felt as drawing

    house = load_house(game)
    layout = drawing.felt(house, load_logo(house, game))
    posted = drawing.sign(house, layout)
    examination = drawing.examine(house, layout.svg(), posted.svg() if posted else "")
    if examination.findings:
        raise BadInput("\n".join(map(str, examination.findings)))
    return house, layout


def draw_sign(house: House, layout: Felt, *, everything: bool = False) -> Sign | None:
    """The sign a felt requires, if any."""
    from croupier.documents import felt as drawing

    return drawing.sign(house, layout, everything=everything)


def load_logo(house: House, game: str) -> Logo | None:
    """The operator's logo, a file in the folder of the submission."""
    from croupier.documents.felt import read_logo

    name = house.choices.operator_logo
    return read_logo(submission_file(game).parent / name, house.operator) if name else None


def drawing_bytes(house: House, drawing: Felt | Sign, output: Path) -> bytes:
    """A drawing in the format of the output file's suffix."""
    from croupier.documents.felt import full_size

    if output.suffix.lower() == ".svg":
        from croupier.documents.imprint import imprint

        return drawing.stamped(imprint()).svg().encode()
    return full_size(house, drawing)

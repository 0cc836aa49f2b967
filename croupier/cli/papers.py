"""Commands that draw and print: felt, sign, par."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.common import (
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
    from croupier.games import House
    from croupier.papers.felt import Felt, Logo, Sign

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
        missing_extra(error, "papers")
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
        missing_extra(error, "papers")
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
        from croupier import study
        from croupier.papers import par as sheets
        from croupier.papers import par_book

        stake = cents(ante) if ante else None
        analysis = with_progress(
            lambda report: study.analyze(house, report, stake), house.game.title
        )
        made = sheets.par(house, analysis)
        writers = {
            ".xlsx": par_book.write_xlsx,
            ".csv": sheets.write_csv,
            ".pdf": sheets.write_pdf,
        }
        new_file(output, writers[output.suffix.lower()](made))
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "study,papers")
    typer.echo(f"{output}: {len(made.sheets)} wagers")


def drawn_felt(submission: Path) -> tuple[House, Felt]:
    """The felt of a submission; one that breaks a rule or cannot be read is refused."""
    from croupier.papers import felt as drawing

    house = house_for(submission, "")
    drawn = drawing.felt(house, logo_beside(house, submission))
    posted = drawing.sign(house, drawn)
    examined = drawing.examine(house, drawn.svg(), posted.svg() if posted else "")
    if examined.findings:
        raise BadInput("\n".join(map(str, examined.findings)))
    return house, drawn


def needed_sign(house: House, drawn: Felt, *, everything: bool = False) -> Sign | None:
    """The sign beside a felt."""
    from croupier.papers import felt as drawing

    return drawing.sign(house, drawn, everything=everything)


def logo_beside(house: House, submission: Path) -> Logo | None:
    """The picture that a submission names, which lies beside it."""
    from croupier.papers.felt import read_logo

    named = house.choices.operator_logo
    return read_logo(submission.parent / named, house.operator) if named else None


def bytes_of(house: House, drawn: Felt | Sign, output: Path) -> bytes:
    """A drawing as the file that its name asks for; a page is read back before it is given out."""
    from croupier.papers.felt import differences
    from croupier.papers.pages import drawing_page

    svg = drawn.svg()
    if output.suffix.lower() == ".svg":
        return svg.encode()
    page = drawing_page(
        svg,
        width=drawn.width,
        height=drawn.height,
        title=drawn.name,
        author=house.operator,
        alt=drawn.description,
        approval=house.choices.layout_approval or "",
    )
    if unlike := differences(svg, page):
        raise BadInput("\n".join(unlike))
    return page

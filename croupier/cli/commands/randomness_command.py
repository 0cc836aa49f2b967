"""The `croupier randomness` command: statistical tests of the virtual shuffler."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import console, exit_on_error, print_json, with_progress
from croupier.cli.output_files import check_output, write_new_file

app = typer.Typer()

SYSTEM_SOURCE = "the virtual shuffler, the operating system's randomness"


@app.command(rich_help_panel="Mathematics", epilog="Example: croupier randomness --decks 10000")
def randomness(
    decks: Annotated[int, typer.Option(help="Number of decks to shuffle.")] = 20_000,
    seed: Annotated[
        int | None, typer.Option(help="Use a seeded shuffler, for repeatable results.")
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option(help="New .pdf file with the report for a laboratory.")
    ] = None,
    draws: Annotated[
        Path | None, typer.Option(help="New .bin file with the raw decks, 52 bytes each.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run statistical tests on the virtual shuffler (R24 to R31).

    Exits with status 1 if a test fails. A perfect shuffler fails in one of a hundred runs, so
    repeat the tests before you suspect a fault.
    """
    with exit_on_error("analysis,documents"):
        from croupier.analysis.randomness import shuffle_tests
        from croupier.documents.console import randomness_renderer
        from croupier.table.drivers.shuffler import Shuffler

        for path, suffix in ((pdf, ".pdf"), (draws, ".bin")):
            if path:
                check_output(path, (suffix,))
        shuffler = Shuffler(seed)
        dealt = with_progress(
            lambda report: shuffle_tests.deal_decks(decks, lambda: shuffler.deck().cards, report),
            "Shuffling",
        )
        source = SYSTEM_SOURCE if seed is None else f"a rehearsal with seed {seed}"
        bits = shuffle_tests.raw_bits() if seed is None else None
        result = shuffle_tests.run_battery(dealt, source, bits)
        if pdf:
            write_new_file(pdf, randomness_renderer.pdf(result))
        if draws:
            write_new_file(draws, dealt.tobytes())
    if as_json:
        print_json(randomness_renderer.to_json(result))
    else:
        console().print(randomness_renderer.render(result))
    if not result.passed:
        raise typer.Exit(1)

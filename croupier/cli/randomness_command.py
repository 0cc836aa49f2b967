"""`croupier randomness`: the decks of the virtual shuffler under a battery of tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import (
    Json,
    check_kind,
    check_new,
    console,
    fail,
    missing_extra,
    new_file,
    with_progress,
)
from croupier.errors import CroupierError

app = typer.Typer()

VIRTUAL = "the virtual shuffler, the operating system's randomness"


@app.command()
def randomness(
    decks: Annotated[int, typer.Option(help="How many decks are shuffled.")] = 20_000,
    seed: Annotated[
        int | None, typer.Option(help="Decks of a seeded rehearsal, which anybody can repeat.")
    ] = None,
    pdf: Annotated[Path | None, typer.Option(help="Write the report for a laboratory.")] = None,
    draws: Annotated[
        Path | None, typer.Option(help="Write the raw decks, 52 bytes each, for a laboratory.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Test the shuffler that deals practice and virtual tables; status 1 if it fails (R24 to R31).

    A perfect shuffler fails once in a hundred runs: look again before you look for a fault.
    """
    try:
        from croupier.analysis.randomness import shuffle_tests as study
        from croupier.documents.console import randomness_renderer as papers
        from croupier.table.drivers import shuffler as committed

        for path, kinds in ((pdf, (".pdf",)), (draws, (".bin",))):
            if path:
                check_kind(path, kinds)
                check_new(path)
        shuffler = committed.Shuffler(seed)
        dealt = with_progress(
            lambda report: study.deal_decks(decks, lambda: shuffler.deck().cards, report),
            "shuffling",
        )
        source = VIRTUAL if seed is None else f"a rehearsal with seed {seed}"
        found = study.run_battery(dealt, source, study.raw_bits() if seed is None else None)
        if pdf:
            new_file(pdf, papers.pdf(found))
        if draws:
            new_file(draws, dealt.tobytes())
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis,documents")
    if as_json:
        typer.echo(json.dumps(papers.to_json(found), indent=2))
    else:
        console().print(papers.render(found))
    if not found.passed:
        raise typer.Exit(1)

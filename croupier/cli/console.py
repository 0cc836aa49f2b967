"""Console output of all commands: error exits, Rich consoles, line folding, progress bars."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, cast

import typer

from croupier.errors import CroupierError

if TYPE_CHECKING:
    from croupier.games import House

Result = TypeVar("Result")
Report: TypeAlias = Callable[[float, str], None]

UNLIMITED_WIDTH = 10_000  # wider than any line
COMPILING = "Compiling (first run only)"


def fail(error: object) -> NoReturn:
    """Print an error to standard error and exit with status 2."""
    print_error(error)
    raise typer.Exit(2)


def print_error(error: object) -> None:
    """Print an error to standard error, folded to the width of a terminal."""
    typer.echo(fold_lines(f"error: {error}", sys.stderr), err=True)


def missing_extra(error: ImportError, extra: str) -> NoReturn:
    """Exit with the command that installs a missing optional dependency."""
    fail(f"{error.name or error} is not installed; run: pip install 'croupier[{extra}]'")


@contextmanager
def exit_on_error(extra: str) -> Iterator[None]:
    """Turn expected errors into a message and exit status 2.

    `extra` names the optional dependencies whose absence an ImportError means.
    """
    try:
        yield
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, extra)
    except BrokenPipeError:
        raise  # handled by `main.run`
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except UnicodeError as error:
        fail(error)


def print_json(result: Any, indent: int | None = 2) -> None:
    """Print a result as JSON, without control characters."""
    from croupier.documents.formatting import json_values

    typer.echo(json.dumps(json_values(result), indent=indent))


def console() -> Any:
    """A Rich console on standard output, imported on first use.

    On a terminal it has the terminal's width. In a pipe lines are neither wrapped nor cut, unless
    COLUMNS is set.
    """
    from rich.console import Console

    output = Console()
    if output.is_terminal:
        return output
    output.file = cast(IO[str], RightTrimmedFile(sys.stdout))
    if terminal_width() is None:
        output.width = UNLIMITED_WIDTH
    return output


class RightTrimmedFile:
    """A text file that drops trailing spaces of lines, which Rich writes to fill table cells."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def write(self, text: str) -> Any:
        """Write a text without the spaces at the ends of its lines."""
        return self.file.write(re.sub(r" +(?=\n|$)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def print_player_edges(house: House) -> None:
    """Name the wagers that return more than their stake, if there are any."""
    from croupier.documents.formatting import player_edge_text
    from croupier.games.expected_returns import returns

    edges = {wager: share - 1 for wager, share in returns(house).items() if share > 1}
    if edges:
        console().print(player_edge_text(edges), style="bold red")


def terminal_width(file: IO[str] | None = None) -> int | None:
    """The columns of standard output or another file; None in a pipe, unless COLUMNS is set."""
    if not (file or sys.stdout).isatty() and "COLUMNS" not in os.environ:
        return None
    return shutil.get_terminal_size().columns


def fold_lines(text: str, file: IO[str] | None = None) -> str:
    """Fold lines to the width of the terminal, continuation lines indented; unchanged in a pipe.

    `file` is standard output by default.
    """
    width = terminal_width(file)
    if width is None:
        return text
    return "\n".join(row for line in text.split("\n") for row in _fold_line(line, width))


def _fold_line(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * (indent + 4),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def progress_console() -> Any:
    """A Rich console on standard error, so that progress never mixes with the output."""
    from rich.console import Console

    return Console(stderr=True)


@contextmanager
def status(text: str) -> Iterator[None]:
    """Show a status line during a block, if standard error is a terminal."""
    if not sys.stderr.isatty():  # checked first because importing Rich is slow
        yield
        return
    from croupier.analysis.compile_events import on_compilation

    with progress_console().status(text) as line, on_compilation(lambda: line.update(COMPILING)):
        yield


def with_progress(work: Callable[[Report], Result], title: str) -> Result:
    """Run `work(report)` behind a progress bar, hidden if standard error is not a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from croupier.analysis.compile_events import on_compilation

    target = progress_console()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=target,
        transient=True,
        disable=not target.is_terminal,
    ) as progress:
        task = progress.add_task(title, total=1.0)

        def report(completed: float, description: str) -> None:
            progress.update(task, completed=completed, description=description)

        with on_compilation(lambda: progress.update(task, description=COMPILING)):
            return work(report)

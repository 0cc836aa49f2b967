"""Console output of all commands: error exits, Rich consoles, line folding, progress bars."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, NoReturn, TypeVar, cast

import typer

from croupier.errors import CroupierError

Result = TypeVar("Result")

UNLIMITED_WIDTH = 10_000  # wider than any line


def fail(error: object) -> NoReturn:
    """Print an error to standard error and exit with status 2."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(2)


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


def terminal_width() -> int | None:
    """The columns of standard output; None in a pipe, unless COLUMNS is set."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    return shutil.get_terminal_size().columns


def fold_lines(text: str) -> str:
    """Fold lines to the width of the terminal, continuation lines indented; unchanged in a pipe."""
    width = terminal_width()
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
    with progress_console().status(text):
        yield


def with_progress(work: Callable[[Callable[[float, str], None]], Result], title: str) -> Result:
    """Run `work(report)` behind a progress bar, hidden if standard error is not a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

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

        return work(report)

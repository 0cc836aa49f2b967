"""What every command shares: refusals, consoles, finding the House a user means."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, Any, NoReturn, TypeVar, cast

import typer

Answer = TypeVar("Answer")

UNCUT = 10_000  # columns, more than any line has


def games_begun(incomplete: str) -> list[str]:
    """The games whose key begins as somebody has typed, for the completion of the shell."""
    from croupier.games import installed_games

    return sorted(key for key in installed_games() if key.startswith(incomplete.lower()))


GAME_HELP = "A game's name, or how it begins: ultimate, uth, run."
GameName = Annotated[str, typer.Argument(help=GAME_HELP, autocompletion=games_begun)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def fail(error: object) -> NoReturn:
    """Bad input: say what and where on standard error, exit status 2."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(2)


def missing_extra(error: ImportError, extra: str) -> NoReturn:
    """Say how to get an optional room where it is not installed."""
    fail(f"{error.name or error} is missing; install it with: pip install 'croupier[{extra}]'")


def console() -> Any:
    """A Rich console on standard output, imported only when something is drawn.

    It is as wide as the terminal; in a pipe nothing is wrapped or cut, unless COLUMNS says so.
    """
    from rich.console import Console

    found = Console()
    if found.is_terminal:
        return found
    found.file = cast(IO[str], Trimmed(sys.stdout))
    if columns() is None:
        found.width = UNCUT
    return found


class Trimmed:
    """A pipe for tables: the blanks that fill up a line are left out."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def write(self, text: str) -> Any:
        """Write a text, its lines trimmed."""
        return self.file.write(re.sub(r" +(?=\n|$)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def columns() -> int | None:
    """How wide standard output is; None in a pipe, unless COLUMNS says so."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    return shutil.get_terminal_size().columns


def folded(text: str) -> str:
    """Lines folded to the width of the terminal, their rest indented; whole in a pipe."""
    width = columns()
    if width is None:
        return text
    return "\n".join(row for line in text.split("\n") for row in _folded(line, width))


def _folded(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    start = len(line) - len(line.lstrip())
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * (start + 4),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A line that says what is being done, where somebody watches; it goes when it is done."""
    if not sys.stderr.isatty():  # asked before Rich, which is slow to import
        yield
        return
    with progress_console().status(what):
        yield


def key_of(game: str) -> str:
    """The key of the game that a user named."""
    from croupier.games import find

    return find(game).key


def cents(text: str) -> int:
    """Cents from dollars as a user writes them: "25", "12.50", "$25"."""
    from croupier.errors import BadInput
    from croupier.money import parse_dollars

    amount = parse_dollars(text.removeprefix("$").replace(",", ""))
    if amount is None or amount <= 0:
        raise BadInput(f"{text!r} is no amount of dollars; expected such as 25 or 12.50")
    return amount


def number(text: str, what: str) -> Any:
    """An exact number as a user writes it: "10", "12.5"."""
    from croupier.errors import BadInput
    from croupier.money import parse_decimal

    value = parse_decimal(text.removesuffix("%"))
    if value is None or value <= 0:
        raise BadInput(f"{text!r} is no number for {what}; expected such as 10 or 12.5")
    return value


def house_for(submission: Path | None, game: str) -> Any:
    """The House of a submission, or the example of a game; both must be of the same game."""
    from croupier import submission as submissions
    from croupier.errors import BadInput

    if submission is None:
        return submissions.example(key_of(game))
    house = submissions.load(submission)
    if game and key_of(game) != house.game.key:
        raise BadInput(f"{submission} is a submission for {house.game.key}, not {key_of(game)}")
    return house


def check_kind(output: Path, kinds: Sequence[str]) -> None:
    """Whether a file of that name can be written, before any work is done for it."""
    from croupier.errors import BadInput

    if output.suffix.lower() not in kinds:
        raise BadInput(f"{output.name}: this is written as {' or '.join(kinds)}")


def check_new(path: Path) -> None:
    """Refuse a path at which something stands, before any work is done for it."""
    from croupier.errors import BadInput

    if path.exists() or path.is_symlink():
        raise BadInput(f"{path} exists already; nothing is overwritten")


def new_file(path: Path, content: bytes) -> None:
    """Write a file at a path at which nothing stands; nothing is ever overwritten."""
    from croupier.errors import BadInput

    try:
        with open(path, "xb") as file:
            file.write(content)
    except FileExistsError:
        raise BadInput(f"{path} exists already; nothing is overwritten") from None
    except OSError as error:
        with suppress(OSError):
            path.unlink()  # half a file, on a disk that is full
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None


def progress_console() -> Any:
    """A Rich console on standard error, so that a bar never mixes with the answer."""
    from rich.console import Console

    return Console(stderr=True)


def with_progress(work: Callable[[Callable[[float, str], None]], Answer], title: str) -> Answer:
    """Run `work(report)` behind a bar; nothing is drawn where standard error is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    target = progress_console()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=target,
        transient=True,
        disable=not target.is_terminal,
    ) as bars:
        task = bars.add_task(title, total=1.0)

        def report(done: float, what: str) -> None:
            bars.update(task, completed=done, description=what)

        return work(report)

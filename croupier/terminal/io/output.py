"""The screen: prints styled lines with Rich, in ASCII if the terminal cannot show more."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from croupier.terminal.io.styled_text import Line, printable, wrap_lines

if TYPE_CHECKING:
    from rich.console import Console

MAX_WIDTH = 80
MIN_WIDTH = 24

STYLES = {
    "title": "bold",
    "strong": "bold",
    "label": "dim",
    "quiet": "dim",
    "cite": "cyan",
    "felt": "green",
    "edge": "bright_black on white",
    "slot": "dim",
    "back": "bright_blue",
    "red": "bold red",
    "black": "bold",
    "red card": "bold red on white",
    "black card": "bold black on white",
    "dead": "dim",
    "dead card": "grey70 on white",
    "chips": "yellow",
    "empty": "dim",
    "meter": "bold magenta",
    "key": "bold yellow",
    "win": "bold green",
    "push": "bold blue",
    "lose": "bold red",
    "void": "bold blue",
    "refusal": "bold red",
    "lesson": "bold magenta",
}

# One character for one character, so that the layout is the same.
_ASCII = str.maketrans(
    {
        "♠": "s",
        "♥": "h",
        "♦": "d",
        "♣": "c",
        "┌": "+",
        "┐": "+",
        "└": "+",
        "┘": "+",
        "─": "-",
        "│": "|",
        "░": "#",
        "●": "*",
        "○": "o",
        "·": "|",
        "…": ".",
        "“": '"',
        "”": '"',
    }
)
_REQUIRED = "♠♥♦♣┌┐└┘─│░●○·…“”"


class Screen:
    """Prints lines to a file or terminal. On a terminal (`interactive`) the felt is redrawn."""

    def __init__(
        self,
        file: TextIO,
        *,
        width: int = MAX_WIDTH,
        height: int | None = None,
        ascii: bool = False,
        record: bool = False,
    ) -> None:
        self.file = file
        self.width = width
        self.height = height  # None for files, pipes and tests
        self.encoding = getattr(file, "encoding", None) or "utf-8"
        self.ascii = ascii or not can_encode(_REQUIRED, self.encoding)
        self.record = record  # for export as SVG
        self._console: Console | None = None

    @property
    def interactive(self) -> bool:
        """Whether the screen is a terminal of a known height."""
        return self.height is not None

    @property
    def console(self) -> Console:
        """The Rich console, created on first use because importing Rich is slow."""
        if self._console is None:
            from rich.console import Console
            from rich.theme import Theme

            self._console = Console(
                file=self.file,
                width=self.width,
                theme=Theme({_key(name): style for name, style in STYLES.items()}, inherit=True),
                highlight=False,
                markup=False,
                emoji=False,
                legacy_windows=False if not self.interactive else None,
                record=self.record,
                force_terminal=True if self.record else None,
                color_system="truecolor" if self.record else "auto",
            )
        return self._console

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines, wrapped to the width."""
        from rich.text import Text

        for styled in wrap_lines(lines, self.width):
            text = Text(no_wrap=True, end="\n")
            for part, style in styled:
                text.append(self.encodable(part), _key(style) if style else "")
            self.console.print(text, overflow="ignore", crop=False, soft_wrap=True)

    def encodable(self, text: str) -> str:
        """The text in characters that this terminal can show."""
        text = printable(text)
        if self.ascii:
            text = text.translate(_ASCII)
        if text.isascii():
            return text
        return text.encode(self.encoding, "replace").decode(self.encoding, "replace")

    def clear(self) -> None:
        """Clear the terminal; otherwise print an empty line."""
        if self.interactive:
            self.console.clear()
        else:
            self.show([()])

    def update_size(self) -> None:
        """Read the size of the terminal again."""
        if self.interactive:
            self.width, self.height = terminal_size()
            self.console.width = self.width


def _key(style: str) -> str:
    return "croupier." + style.replace(" ", "_")


def can_encode(text: str, encoding: str) -> bool:
    """Whether an encoding has all these characters."""
    with contextlib.suppress(UnicodeError, LookupError):
        text.encode(encoding)
        return True
    return False


def terminal_size() -> tuple[int, int]:
    """Columns (24 to 80) and rows of the terminal."""
    size = shutil.get_terminal_size((MAX_WIDTH, 24))
    return max(MIN_WIDTH, min(MAX_WIDTH, size.columns)), size.lines

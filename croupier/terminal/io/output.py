"""The screen: styled lines painted by Rich, in ASCII where the terminal can show no more."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from croupier.terminal.io.styled_text import Line, clean, wrap_all

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 80
NARROWEST = 24

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

# One column for one column, so that a layout holds in both alphabets.
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
_NEEDED = "♠♥♦♣┌┐└┘─│░●○·…“”"


class Screen:
    """Where lines go. `watched` says that a person looks on: the felt is redrawn in place."""

    def __init__(
        self,
        file: TextIO,
        *,
        width: int = WIDEST,
        height: int | None = None,
        ascii: bool = False,
        record: bool = False,
    ) -> None:
        self.file = file
        self.width = width
        self.height = height  # None where nothing scrolls away: files, pipes, tests
        self.encoding = getattr(file, "encoding", None) or "utf-8"
        self.ascii = ascii or not can_encode(_NEEDED, self.encoding)
        self.record = record  # keep what is painted, for a picture of it
        self._console: Console | None = None

    @property
    def watched(self) -> bool:
        """Whether the screen is a terminal of a known height."""
        return self.height is not None

    @property
    def console(self) -> Console:
        """The painter; Rich is imported when something is painted, not before."""
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
                legacy_windows=False if not self.watched else None,
                record=self.record,
                force_terminal=True if self.record else None,
                color_system="truecolor" if self.record else "auto",
            )
        return self._console

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines, wrapped to the width."""
        from rich.text import Text

        for styled in wrap_all(lines, self.width):
            text = Text(no_wrap=True, end="\n")
            for part, style in styled:
                text.append(self.spelled(part), _key(style) if style else "")
            self.console.print(text, overflow="ignore", crop=False, soft_wrap=True)

    def spelled(self, text: str) -> str:
        """The text in letters that this terminal can show."""
        text = clean(text)
        if self.ascii:
            text = text.translate(_ASCII)
        if text.isascii():
            return text
        return text.encode(self.encoding, "replace").decode(self.encoding, "replace")

    def clear(self) -> None:
        """Begin a new screen where there is one."""
        if self.watched:
            self.console.clear()
        else:
            self.show([()])

    def remeasure(self) -> None:
        """Follow a terminal that was resized."""
        if self.watched:
            self.width, self.height = measure()
            self.console.width = self.width


def _key(style: str) -> str:
    return "croupier." + style.replace(" ", "_")


def can_encode(text: str, encoding: str) -> bool:
    """Whether an encoding has all these letters."""
    with contextlib.suppress(UnicodeError, LookupError):
        text.encode(encoding)
        return True
    return False


def measure() -> tuple[int, int]:
    """Columns, never more than 80, and rows of the terminal."""
    size = shutil.get_terminal_size((WIDEST, 24))
    return max(NARROWEST, min(WIDEST, size.columns)), size.lines

"""Widgets of the full-screen app: the felt, the key bar, the pager."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from croupier.terminal.io.output import STYLES
from croupier.terminal.io.prompt import Page, PromptKey
from croupier.terminal.io.styled_text import Line, wrap_lines


class KeyBar(Static):
    """The keys that answer the current question; a click on a key presses it."""

    class Chosen(Message):
        """A key was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._ranges: list[tuple[int, int, str]] = []  # first column, end column, key

    def set_keys(self, keys: Sequence[PromptKey], width: int) -> None:
        """Show these keys in one row, without labels if they do not fit."""
        for labeled in (True, False):
            text, ranges = Text(no_wrap=True), []
            for key in keys:
                start = text.cell_len
                text.append(key.key, "bold black on yellow")
                if key.label and labeled:
                    text.append(f" {key.label}")
                ranges.append((start, text.cell_len, key.key))
                text.append("  ")
            if text.cell_len <= width:
                break
        self._ranges = ranges
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        """Press the clicked key."""
        for start, end, key in self._ranges:
            if start <= event.x < end:
                self.post_message(self.Chosen(key))


class FeltWidget(Static):
    """The felt or the bet slip; a click on a wager of the slip turns it on or off."""

    class Clicked(Message):
        """A row was clicked."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def on_click(self, event: events.Click) -> None:
        """Report the clicked row."""
        self.post_message(self.Clicked(event.y))


class TextPager(ModalScreen[None]):
    """A page over the felt, for terminals without space for the side panel."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space", "dismiss", "back", priority=True)
    ]

    def __init__(self, page: Page, encodable: Callable[[str], str]) -> None:
        super().__init__()
        self._page, self._encodable = page, encodable

    def compose(self) -> ComposeResult:
        """The page and a line with its keys."""
        with VerticalScroll():
            yield Static(id="pager-text")
        yield Static(" Esc goes back, arrows and the mouse wheel scroll ", id="pager-keys")

    def on_resize(self) -> None:
        """Render the page for the new width."""
        width = max(20, self.app.size.width - 4)
        lines = wrap_lines(self._page(width), width)
        self.query_one("#pager-text", Static).update(to_rich(lines, self._encodable))


def to_rich(lines: Sequence[Line], encodable: Callable[[str], str]) -> Text:
    """Styled lines as Rich text."""
    text = Text(no_wrap=True)
    for number, styled in enumerate(lines):
        if number:
            text.append("\n")
        for part, style in styled:
            text.append(encodable(part), STYLES.get(style, ""))
    return text

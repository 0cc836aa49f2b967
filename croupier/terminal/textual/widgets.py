"""The panes of the window: the felt, the keys that answer, pages to read."""

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
from croupier.terminal.io.styled_text import Line, wrap_all


class KeyBar(Static):
    """The keys that answer now; a click on one is the key."""

    class Chosen(Message):
        """A key was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._places: list[tuple[int, int, str]] = []

    def offer(self, keys: Sequence[PromptKey], width: int) -> None:
        """Show these keys in one row, without their labels where there is no room."""
        for labelled in (True, False):
            text, places = Text(no_wrap=True), []
            for key in keys:
                start = text.cell_len
                text.append(key.key, "bold black on yellow")
                if key.label and labelled:
                    text.append(f" {key.label}")
                places.append((start, text.cell_len, key.key))
                text.append("  ")
            if text.cell_len <= width:
                break
        self._places = places
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        """A click is the key under it."""
        for start, end, key in self._places:
            if start <= event.x < end:
                self.post_message(self.Chosen(key))


class FeltWidget(Static):
    """The felt or the slip; a click on a wager of the slip puts it on or off."""

    class Touched(Message):
        """A row was clicked."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def on_click(self, event: events.Click) -> None:
        """Choose and change the wager of the row."""
        self.post_message(self.Touched(event.y))


class TextPager(ModalScreen[None]):
    """Pages to read where there is no room beside the felt; any key goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space", "dismiss", "back", priority=True)
    ]

    def __init__(self, page: Page, spelled: Callable[[str], str]) -> None:
        super().__init__()
        self._page, self._spelled = page, spelled

    def compose(self) -> ComposeResult:
        """The lines, and how to go back."""
        with VerticalScroll():
            yield Static(id="read")
        yield Static(" Esc goes back, arrows and the wheel scroll ", id="back")

    def on_resize(self) -> None:
        """Written for the width there is."""
        width = max(20, self.app.size.width - 4)
        lines = wrap_all(self._page(width), width)
        self.query_one("#read", Static).update(painted(lines, self._spelled))


def painted(lines: Sequence[Line], spelled: Callable[[str], str]) -> Text:
    """Lines in their styles."""
    text = Text(no_wrap=True)
    for number, styled in enumerate(lines):
        if number:
            text.append("\n")
        for part, style in styled:
            text.append(spelled(part), STYLES.get(style, ""))
    return text

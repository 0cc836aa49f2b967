"""The session's side of the full-screen app: passes calls to the app's thread and waits."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.terminal.io.output import Screen
from croupier.terminal.io.prompt import (
    NO_ROWS,
    Page,
    PlayerLeft,
    PromptKey,
    Scene,
    TextInterface,
)
from croupier.terminal.io.styled_text import Line

if TYPE_CHECKING:
    from croupier.terminal.textual_ui.textual_app import GameApp


class PendingPrompt:
    """A question that waits for an answer, and the ways to answer it."""

    def __init__(
        self,
        prompt: str,
        keys: Sequence[PromptKey],
        wager_rows: Mapping[str, int],
        risks_chips: bool,
    ) -> None:
        self.prompt = prompt
        self.keys = {key.key: key for key in keys}
        self.wager_rows = wager_rows
        self.risks_chips = risks_chips
        self.shown_at = 0.0

    @property
    def accepts_text(self) -> bool:
        """Whether the answer can be typed, as bets and names of games."""
        return not self.risks_chips or bool(self.wager_rows) or "enter" in self.keys


class TextualInterface(TextInterface):
    """The interface of a session that runs in its own thread beside the app."""

    full_screen = True

    def __init__(self, app: GameApp, *, ascii: bool = False) -> None:
        super().__init__(Screen(sys.stdout, ascii=ascii), reader=lambda prompt: "")
        self.app = app
        self.farewell: list[Line] = []  # for the terminal after the app
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def width(self) -> int:
        """The columns of the felt."""
        return self.app.felt_width

    @property
    def interactive(self) -> bool:
        """Whether the screen is redrawn: always."""
        return True

    def encodable(self, text: str) -> str:
        """The text in characters that this terminal can show."""
        return self.screen.encodable(text)

    def reply(self, answer: str | None) -> None:
        """Pass an answer from the app; None closes a page."""
        self._answers.put(answer)

    def show(self, *lines: Line) -> None:
        """Show lines below the felt."""
        self.app.call_from_thread(self.app.add_lines, lines)

    def show_farewell(self, *lines: Line) -> None:
        """Keep the last lines until the app has closed."""
        self.farewell += lines

    def clear(self) -> None:
        """Do nothing: a new scene replaces the old one."""

    def show_scene(self, scene: Scene, below: Sequence[Line] = (), *, reserve: int = 0) -> None:
        """Show a new felt or bet slip, and lines below it."""
        self.app.call_from_thread(self.app.set_scene, scene, below)

    def set_side_panel(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """Set the contents of the side panel and the status line."""
        self.app.call_from_thread(self.app.set_side_panel, page, history, status)

    def ask(
        self,
        prompt: str,
        keys: Sequence[PromptKey] = (),
        *,
        wager_rows: Mapping[str, int] = NO_ROWS,
        risks_chips: bool = False,
    ) -> str:
        """Wait for an answer by key, click or typed line."""
        pending = PendingPrompt(prompt, keys, wager_rows, risks_chips)
        self.app.call_from_thread(self.app.set_prompt, pending)
        answer = self._answers.get()
        if answer is None:
            raise PlayerLeft
        return answer

    def show_page(self, page: Page) -> None:
        """Show a page in the side panel, or over the felt until it is closed."""
        self.app.call_from_thread(self.app.show_page, page)
        self._answers.get()

"""The evening's side of a window: what is asked, and every word handed over to its thread."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.terminal.io.output import Screen
from croupier.terminal.io.prompt import NO_SPOTS, Conversation, Leaving, Page, PromptKey, Scene
from croupier.terminal.io.styled_text import Line

if TYPE_CHECKING:
    from croupier.terminal.textual.textual_app import Window


class PendingPrompt:
    """What is asked now, and how it may be answered."""

    def __init__(
        self, prompt: str, keys: Sequence[PromptKey], spots: Mapping[str, int], risks: bool
    ) -> None:
        self.prompt = prompt
        self.keys = {key.key: key for key in keys}
        self.spots = spots
        self.risks = risks
        self.at = 0.0  # when it came to the screen

    @property
    def types(self) -> bool:
        """Whether an answer may be typed out: bets, a game's name."""
        return not self.risks or bool(self.spots) or "enter" in self.keys


class WindowTalk(Conversation):
    """The evening's side of the window: every call is handed over, an answer is waited for."""

    by_keys = True

    def __init__(self, app: Window, *, ascii: bool = False) -> None:
        super().__init__(Screen(sys.stdout, ascii=ascii), reader=lambda prompt: "")
        self.app = app
        self.parting: list[Line] = []  # the last words, for the terminal after the window
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def width(self) -> int:
        """The columns of the felt."""
        return self.app.felt_width

    @property
    def watched(self) -> bool:
        """Somebody watches."""
        return True

    def spelled(self, text: str) -> str:
        """The text in letters that this terminal can show."""
        return self.screen.spelled(text)

    def reply(self, answer: str | None) -> None:
        """An answer from the window; None ends what was read."""
        self._answers.put(answer)

    def say(self, *lines: Line) -> None:
        """Show lines below the felt."""
        self.app.call_from_thread(self.app.add, lines)

    def part(self, *lines: Line) -> None:
        """Nobody could read them in a window that closes."""
        self.parting += lines

    def clear(self) -> None:
        """A scene clears by itself."""

    def paint(self, scene: Scene, below: Sequence[Line] = (), *, reserve: int = 0) -> None:
        """A new felt or slip, and lines below it."""
        self.app.call_from_thread(self.app.set_scene, scene, below)

    def beside(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """What stands beside the felt."""
        self.app.call_from_thread(self.app.set_beside, page, history, status)

    def ask(
        self,
        prompt: str,
        keys: Sequence[PromptKey] = (),
        *,
        spots: Mapping[str, int] = NO_SPOTS,
        risks: bool = False,
    ) -> str:
        """An answer by a key, a click or a typed line."""
        self.app.call_from_thread(self.app.put, PendingPrompt(prompt, keys, spots, risks))
        answer = self._answers.get()
        if answer is None:
            raise Leaving
        return answer

    def page(self, page: Page) -> None:
        """Lines to read, beside the felt or before it."""
        self.app.call_from_thread(self.app.read, page)
        self._answers.get()

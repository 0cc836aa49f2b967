"""The game in a window of the terminal: single keys, the mouse, a felt that follows its size.

The evening runs in a thread of its own and speaks as it does on plain lines; the window shows what
it says and answers by keys. Chips are only ever risked by a key pressed after the question.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Static

from croupier.terminal.io.input_parser import tidy
from croupier.terminal.io.output import WIDEST
from croupier.terminal.io.prompt import Page, Scene
from croupier.terminal.io.styled_text import Line, wrap_all
from croupier.terminal.render.felt_text import TALL_WIDTH
from croupier.terminal.textual.textual_prompt import PendingPrompt, WindowTalk
from croupier.terminal.textual.widgets import FeltWidget, KeyBar, TextPager, painted

WIDE = 100  # columns from which the rules stand beside the felt
SIDE_LEAST = WIDE - TALL_WIDTH
SIDE_EDGE = 4  # of them a line, spaces, a scroll bar
BELOW = 8  # rows that are kept for what is said below the felt
GRACE_SECONDS = 0.25  # a key pressed sooner after a question was meant for the one before
STEPS = {"left": "-", "right": "+", "minus": "-", "plus": "+"}


class Window(App[None]):
    """One evening in a window."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # keys are the window's own until an answer is typed
    CSS = """
    #table { height: 1fr; }
    #felt { height: auto; }
    #said { height: 1fr; }
    VerticalScroll { scrollbar-size-vertical: 1; }
    #side { width: 1fr; border-left: solid $surface-lighten-2; padding: 0 1; display: none; }
    #side.wide { display: block; }
    #history { height: auto; max-height: 12; }
    #page { height: 1fr; }
    #keys, #status { height: 1; }
    #status { color: $text-muted; }
    Input { height: 1; border: none; display: none; }
    Input.open { display: block; }
    TextPager { align: center middle; background: $background; }
    TextPager VerticalScroll { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q,ctrl+d", "leave", "leave", priority=True)
    ]

    def __init__(
        self,
        evening: Callable[[WindowTalk], None],
        *,
        ascii: bool = False,
        grace: float = GRACE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.grace = grace
        self.clock = clock
        self.talk = WindowTalk(self, ascii=ascii)
        self.problem: BaseException | None = None
        self._evening = evening
        self._scene: Scene = lambda width, room: ()
        self._below: list[Line] = []
        self._page: Page | None = None
        self._history: Page | None = None
        self._status: Callable[[], str] = lambda: ""
        self.question: PendingPrompt | None = None
        self._cursor = 0
        self._stale = False  # something changed and is not drawn yet

    def compose(self) -> ComposeResult:
        """The felt with what is said below it, the rules beside it, keys and status at the end."""
        with Horizontal():
            with Vertical(id="table"):
                yield FeltWidget(id="felt")
                with VerticalScroll(id="said", can_focus=False):
                    yield Static(id="below")
            with Vertical(id="side"):
                yield Static(id="history")
                with VerticalScroll(id="page", can_focus=False):
                    yield Static(id="paged")
        yield Input(id="typed", compact=True, select_on_focus=False)
        yield KeyBar()
        yield Static(id="status")

    def on_mount(self) -> None:
        """The evening begins beside the window."""
        self.set_interval(0.5, self.show_status)
        threading.Thread(target=self._spend, daemon=True).start()

    def _spend(self) -> None:
        try:
            self._evening(self.talk)
        except BaseException as error:
            self.problem = error
        self.call_from_thread(self.exit)

    # What is shown.

    @property
    def _base(self) -> Any:
        """The screen with the felt; None before it is made and after it is gone."""
        there = self.screen_stack and self.screen_stack[0].query("#status")
        return self.screen_stack[0] if there else None

    @property
    def wide(self) -> bool:
        """Whether there is room beside the felt."""
        return self.size.width >= WIDE

    @property
    def felt_width(self) -> int:
        """The columns of the felt."""
        if not self.wide:
            return min(WIDEST, self.size.width)
        return min(WIDEST, self.size.width - SIDE_LEAST)

    def on_resize(self) -> None:
        """Everything is drawn anew, once the new size is known."""
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Show all there is, once, however much of it has changed until the window gets to it."""
        if not self._stale:
            self._stale = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._stale = False
        base = self._base
        if base is None:
            return
        width = self.felt_width
        room = max(6, self.size.height - BELOW - 2)
        rows = list(wrap_all(self._scene(width, room), width))
        text = painted(rows, self.talk.spelled)
        spot = self._spot()
        if spot is not None and spot[1] < len(rows):
            start = sum(len(row) + 1 for row in text.plain.split("\n")[: spot[1]])
            text.stylize("reverse", start, start + len(text.plain.split("\n")[spot[1]]))
        base.query_one("#felt", FeltWidget).update(text)
        base.query_one("#table").styles.width = width if self.wide else "1fr"
        below = painted(wrap_all(self._below, width - 1), self.talk.spelled)
        base.query_one("#below", Static).update(below)
        said = base.query_one("#said", VerticalScroll)
        self.call_after_refresh(said.scroll_end, animate=False)
        self._draw_side(base)
        asked = self.question
        bar = base.query_one(KeyBar)
        bar.offer(tuple(asked.keys.values()) if asked else (), self.size.width)
        self.show_status()

    def _draw_side(self, base: Any) -> None:
        side = base.query_one("#side")
        side.set_class(self.wide, "wide")
        if not self.wide:
            return
        width = self.size.width - self.felt_width - SIDE_EDGE
        for name, page in (("#history", self._history), ("#paged", self._page)):
            lines = wrap_all(page(width), width) if page else []
            base.query_one(name, Static).update(painted(lines, self.talk.spelled))

    def show_status(self) -> None:
        """What the coach is busy with, or how to answer."""
        said = self._status()
        if not said and self.question is not None:
            said = self.question.prompt.removesuffix("> ")
            if self.question.spots:
                said += ": ↑↓ choose a wager, ←→ its stake, space on or off; or type 25, trips 5"
            elif "enter" in self.question.keys:
                said += ": enter deals the same again, ↑↓ changes them; or type 25, trips 5"
        base = self._base
        if base is not None:
            shown = Text(self.talk.spelled(said), no_wrap=True, overflow="ellipsis")
            base.query_one("#status", Static).update(shown)

    # What the evening says; called by its thread.

    def set_scene(self, scene: Scene, below: Sequence[Line]) -> None:
        """A new felt or slip."""
        self._scene, self._below = scene, list(below)
        self.draw()

    def add(self, lines: Sequence[Line]) -> None:
        """More lines below the felt."""
        self._below += lines
        self.draw()

    def set_beside(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """What stands beside the felt."""
        self._page, self._history, self._status = page, history, status
        self.draw()

    def read(self, page: Page) -> None:
        """Something to read: beside the felt, or before it."""
        if self.wide:
            self._page = page
            self.draw()
            self.talk.reply(None)
        else:
            self.push_screen(TextPager(page, self.talk.spelled), lambda _: self.talk.reply(None))

    def put(self, question: PendingPrompt) -> None:
        """Ask."""
        question.at = self.clock()
        self.question = question
        self._cursor = min(self._cursor, max(0, len(question.spots) - 1))
        self.draw()

    # What the person answers.

    def _spot(self) -> tuple[str, int] | None:
        if self.question is None or not self.question.spots:
            return None
        return list(self.question.spots.items())[self._cursor]

    def reply(self, answer: str) -> None:
        """Give the evening its answer."""
        self.question = None
        self.talk.reply(answer)

    def pressed(self, key: str) -> None:
        """A key, or a click on one."""
        asked = self.question
        if asked is not None and key in asked.keys:
            self.reply(asked.keys[key].answer)

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        """A click on a key: nobody clicks ahead of a question."""
        self.pressed(message.key)

    def on_felt_widget_touched(self, message: FeltWidget.Touched) -> None:
        """A click on the slip."""
        asked = self.question
        for number, (spot, shown) in enumerate(asked.spots.items() if asked else ()):
            if shown == message.row:
                self._cursor = number
                self.reply(spot if number else f"{spot} +")

    def on_key(self, event: events.Key) -> None:
        """Keys that answer, that move on the slip, or that begin a typed answer."""
        typed = self.query_one("#typed", Input) if len(self.screen_stack) == 1 else None
        asked = self.question
        if asked is None or typed is None:
            return
        if typed.has_class("open"):
            self._type_on(event, typed)
            return
        event.stop()
        if asked.risks and self.clock() - asked.at < self.grace:
            return  # meant for the question before
        sign = event.character or ""
        if event.key in ("pageup", "pagedown"):
            pane = self.query_one("#page" if self.wide else "#said", VerticalScroll)
            pane.scroll_page_up() if event.key == "pageup" else pane.scroll_page_down()
        elif asked.spots and event.key in ("up", "down"):
            by = 1 if event.key == "down" else -1
            self._cursor = (self._cursor + by) % len(asked.spots)
            self.draw()
        elif (spot := self._spot()) and event.key in STEPS:
            self.reply(f"{spot[0]} {STEPS[event.key]}")
        elif spot and event.key == "space" and self._cursor:  # the first one opens the box
            self.reply(spot[0])
        elif "enter" in asked.keys and not asked.spots and event.key in ("up", "down", "c"):
            self.reply("c")  # the whole slip, to change it
        elif event.key in asked.keys or sign in asked.keys:
            self.pressed(event.key if event.key in asked.keys else sign)
        elif asked.types and sign.isprintable() and sign.strip():
            self.open_input(sign)

    def _type_on(self, event: events.Key, typed: Input) -> None:
        """A key that came before the line had the focus: somebody types fast."""
        sign = event.character or ""
        if event.key == "escape":
            self.close_input()
        elif event.key == "enter":
            self.give(typed.value)
        elif sign.isprintable() and sign:
            typed.insert_text_at_cursor(sign)

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is a typed answer that is not given yet."""
        asked, first = self.question, event.text.partition("\n")[0].strip()
        if asked is not None and asked.types and first and len(self.screen_stack) == 1:
            self.open_input(first)

    def open_input(self, sign: str) -> None:
        """Type an answer out."""
        typed = self.query_one("#typed", Input)
        typed.add_class("open")
        typed.value = sign
        typed.focus()
        typed.cursor_position = len(sign)

    def close_input(self) -> None:
        """Nothing is typed any more."""
        typed = self.query_one("#typed", Input)
        typed.remove_class("open")
        typed.value = ""
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A typed answer."""
        self.give(event.value)

    def give(self, typed: str) -> None:
        """Answer with what was typed."""
        answer = tidy(typed)
        self.close_input()
        if answer and self.question is not None:
            self.reply(answer)

    def action_leave(self) -> None:
        """Ctrl-C and its like: the same as q."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
            self.talk.reply(None)
        elif self.question is not None:
            self.reply("q" if "q" in self.question.keys else "n")


def spend(evening: Callable[[WindowTalk], None], *, ascii: bool = False) -> list[Line]:
    """An evening in a window; the words at parting are left for the terminal after it."""
    app = Window(evening, ascii=ascii)
    app.run()
    if app.problem is not None:
        raise app.problem
    return app.talk.parting

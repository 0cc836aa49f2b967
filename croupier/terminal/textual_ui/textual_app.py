"""The full-screen game: single keys, the mouse, a layout that follows the size of the terminal.

The session runs in its own thread and uses the same interface as on plain lines; the app shows its
output and answers its questions. Only a key pressed after the question can risk chips.
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

from croupier.terminal.io.input_parser import normalize
from croupier.terminal.io.output import MAX_WIDTH
from croupier.terminal.io.prompt import Page, Scene
from croupier.terminal.io.styled_text import Line, wrap_lines
from croupier.terminal.render.felt_text import TALL_WIDTH
from croupier.terminal.textual_ui.textual_prompt import PendingPrompt, TextualInterface
from croupier.terminal.textual_ui.widgets import FeltWidget, KeyBar, TextPager, to_rich

WIDE_SCREEN = 100  # columns from which there is a side panel
MIN_SIDE_WIDTH = WIDE_SCREEN - TALL_WIDTH
SIDE_BORDER = 4  # columns of the border, padding and scroll bar
MESSAGE_ROWS = 8  # reserved for the lines below the felt
GRACE_SECONDS = 0.25  # a key pressed sooner was meant for the previous question
STAKE_KEYS = {"left": "-", "right": "+", "minus": "-", "plus": "+"}


class GameApp(App[None]):
    """Runs one session full-screen."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # the app handles keys until an answer is typed
    CSS = """
    #table { height: 1fr; }
    #felt { height: auto; }
    #messages { height: 1fr; }
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
        session: Callable[[TextualInterface], None],
        *,
        ascii: bool = False,
        grace: float = GRACE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.grace = grace
        self.clock = clock
        self.ui = TextualInterface(self, ascii=ascii)
        self.error: BaseException | None = None  # of the session
        self.prompt: PendingPrompt | None = None
        self._session = session
        self._scene: Scene = lambda width, height: ()
        self._below: list[Line] = []
        self._page: Page | None = None
        self._history: Page | None = None
        self._status: Callable[[], str] = lambda: ""
        self._cursor = 0  # index of the selected wager
        self._draw_pending = False

    def compose(self) -> ComposeResult:
        """The felt with messages below, the side panel, the input line, keys and status."""
        with Horizontal():
            with Vertical(id="table"):
                yield FeltWidget(id="felt")
                with VerticalScroll(id="messages", can_focus=False):
                    yield Static(id="message-text")
            with Vertical(id="side"):
                yield Static(id="history")
                with VerticalScroll(id="page", can_focus=False):
                    yield Static(id="page-text")
        yield Input(id="input", compact=True, select_on_focus=False)
        yield KeyBar()
        yield Static(id="status")

    def on_mount(self) -> None:
        """Start the session."""
        self.set_interval(0.5, self.show_status)
        threading.Thread(target=self._run_session, daemon=True).start()

    def _run_session(self) -> None:
        try:
            self._session(self.ui)
        except BaseException as error:
            self.error = error
        self.call_from_thread(self.exit)

    # Drawing.

    @property
    def _main_screen(self) -> Any:
        """The screen with the felt; None before it is mounted and after it is removed."""
        mounted = self.screen_stack and self.screen_stack[0].query("#status")
        return self.screen_stack[0] if mounted else None

    @property
    def wide(self) -> bool:
        """Whether there is a side panel."""
        return self.size.width >= WIDE_SCREEN

    @property
    def felt_width(self) -> int:
        """The columns of the felt."""
        if not self.wide:
            return min(MAX_WIDTH, self.size.width)
        return min(MAX_WIDTH, self.size.width - MIN_SIDE_WIDTH)

    def on_resize(self) -> None:
        """Redraw after the new size is known."""
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Schedule one redraw for all changes up to then."""
        if not self._draw_pending:
            self._draw_pending = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._draw_pending = False
        screen = self._main_screen
        if screen is None:
            return
        width = self.felt_width
        height = max(6, self.size.height - MESSAGE_ROWS - 2)
        rows = list(wrap_lines(self._scene(width, height), width))
        text = to_rich(rows, self.ui.encodable)
        selected = self._selected_wager()
        if selected is not None and selected[1] < len(rows):
            start = sum(len(row) + 1 for row in text.plain.split("\n")[: selected[1]])
            text.stylize("reverse", start, start + len(text.plain.split("\n")[selected[1]]))
        screen.query_one("#felt", FeltWidget).update(text)
        screen.query_one("#table").styles.width = width if self.wide else "1fr"
        below = to_rich(wrap_lines(self._below, width - 1), self.ui.encodable)
        screen.query_one("#message-text", Static).update(below)
        messages = screen.query_one("#messages", VerticalScroll)
        self.call_after_refresh(messages.scroll_end, animate=False)
        self._draw_side_panel(screen)
        keys = tuple(self.prompt.keys.values()) if self.prompt else ()
        screen.query_one(KeyBar).set_keys(keys, self.size.width)
        self.show_status()

    def _draw_side_panel(self, screen: Any) -> None:
        screen.query_one("#side").set_class(self.wide, "wide")
        if not self.wide:
            return
        width = self.size.width - self.felt_width - SIDE_BORDER
        for name, page in (("#history", self._history), ("#page-text", self._page)):
            lines = wrap_lines(page(width), width) if page else []
            screen.query_one(name, Static).update(to_rich(lines, self.ui.encodable))

    def show_status(self) -> None:
        """Show the progress of the coach, or how to answer."""
        status = self._status()
        if not status and self.prompt is not None:
            status = self.prompt.prompt.removesuffix("> ")
            if self.prompt.wager_rows:
                status += ": ↑↓ select a wager, ←→ change it, space on/off; or type 25, trips 5"
            elif "enter" in self.prompt.keys:
                status += ": enter deals the same bets, ↑↓ changes them; or type 25, trips 5"
        screen = self._main_screen
        if screen is not None:
            text = Text(self.ui.encodable(status), no_wrap=True, overflow="ellipsis")
            screen.query_one("#status", Static).update(text)

    # Calls of the session, from its thread.

    def set_scene(self, scene: Scene, below: Sequence[Line]) -> None:
        """Show a new felt or bet slip."""
        self._scene, self._below = scene, list(below)
        self.draw()

    def add_lines(self, lines: Sequence[Line]) -> None:
        """Add lines below the felt."""
        self._below += lines
        self.draw()

    def set_side_panel(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """Set the contents of the side panel and the status line."""
        self._page, self._history, self._status = page, history, status
        self.draw()

    def show_page(self, page: Page) -> None:
        """Show a page in the side panel, or over the felt."""
        if self.wide:
            self._page = page
            self.draw()
            self.ui.reply(None)
        else:
            self.push_screen(TextPager(page, self.ui.encodable), lambda _: self.ui.reply(None))

    def set_prompt(self, prompt: PendingPrompt) -> None:
        """Ask a question."""
        prompt.shown_at = self.clock()
        self.prompt = prompt
        self._cursor = min(self._cursor, max(0, len(prompt.wager_rows) - 1))
        self.draw()

    # Answers of the player.

    def _selected_wager(self) -> tuple[str, int] | None:
        if self.prompt is None or not self.prompt.wager_rows:
            return None
        return list(self.prompt.wager_rows.items())[self._cursor]

    def reply(self, answer: str) -> None:
        """Answer the question."""
        self.prompt = None
        self.ui.reply(answer)

    def press(self, key: str) -> None:
        """Answer with a key, if it is one of the prompt's."""
        prompt = self.prompt
        if prompt is not None and key in prompt.keys:
            self.reply(prompt.keys[key].answer)

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        """Handle a click on a key; clicks need no grace period."""
        self.press(message.key)

    def on_felt_widget_clicked(self, message: FeltWidget.Clicked) -> None:
        """Select and change the clicked wager of the bet slip."""
        rows = self.prompt.wager_rows if self.prompt else {}
        for index, (wager, row) in enumerate(rows.items()):
            if row == message.row:
                self._cursor = index
                self.reply(wager if index else f"{wager} +")

    def on_key(self, event: events.Key) -> None:
        """Handle keys that answer, that select or change a wager, or that start typed input."""
        input_line = self.query_one("#input", Input) if len(self.screen_stack) == 1 else None
        prompt = self.prompt
        if prompt is None or input_line is None:
            return
        if input_line.has_class("open"):
            self._type_into(input_line, event)
            return
        event.stop()
        if prompt.risks_chips and self.clock() - prompt.shown_at < self.grace:
            return  # meant for the previous question
        char = event.character or ""
        if event.key in ("pageup", "pagedown"):
            pane = self.query_one("#page" if self.wide else "#messages", VerticalScroll)
            pane.scroll_page_up() if event.key == "pageup" else pane.scroll_page_down()
        elif prompt.wager_rows and event.key in ("up", "down"):
            step = 1 if event.key == "down" else -1
            self._cursor = (self._cursor + step) % len(prompt.wager_rows)
            self.draw()
        elif (selected := self._selected_wager()) and event.key in STAKE_KEYS:
            self.reply(f"{selected[0]} {STAKE_KEYS[event.key]}")
        elif selected and event.key == "space" and self._cursor:  # the first wager is required
            self.reply(selected[0])
        elif "enter" in prompt.keys and not prompt.wager_rows and event.key in ("up", "down", "c"):
            self.reply("c")  # show the whole slip
        elif event.key in prompt.keys or char in prompt.keys:
            self.press(event.key if event.key in prompt.keys else char)
        elif prompt.accepts_text and char.isprintable() and char.strip():
            self.open_input(char)

    def _type_into(self, input_line: Input, event: events.Key) -> None:
        """Handle a key typed before the input line has the focus."""
        char = event.character or ""
        if event.key == "escape":
            self.close_input()
        elif event.key == "enter":
            self.submit(input_line.value)
        elif char.isprintable() and char:
            input_line.insert_text_at_cursor(char)

    def on_paste(self, event: events.Paste) -> None:
        """Put pasted text into the input line, without submitting it."""
        text = event.text.partition("\n")[0].strip()
        if self.prompt and self.prompt.accepts_text and text and len(self.screen_stack) == 1:
            self.open_input(text)

    def open_input(self, text: str) -> None:
        """Open the input line with this text."""
        input_line = self.query_one("#input", Input)
        input_line.add_class("open")
        input_line.value = text
        input_line.focus()
        input_line.cursor_position = len(text)

    def close_input(self) -> None:
        """Close the input line."""
        input_line = self.query_one("#input", Input)
        input_line.remove_class("open")
        input_line.value = ""
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the input line."""
        self.submit(event.value)

    def submit(self, text: str) -> None:
        """Answer with typed text."""
        answer = normalize(text)
        self.close_input()
        if answer and self.prompt is not None:
            self.reply(answer)

    def action_leave(self) -> None:
        """Close the page, or answer the question with q (no for a yes-or-no question)."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
            self.ui.reply(None)
        elif self.prompt is not None:
            self.reply("q" if "q" in self.prompt.keys else "n")


def run_app(session: Callable[[TextualInterface], None], *, ascii: bool = False) -> list[Line]:
    """Run a session full-screen; returns its last lines, for the terminal.

    Raises the exception of the session, if there is one.
    """
    app = GameApp(session, ascii=ascii)
    app.run()
    if app.error is not None:
        raise app.error
    return app.ui.farewell

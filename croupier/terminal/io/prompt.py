"""The text interface: prints lines, asks questions, shows rules page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple, TypeAlias

from croupier.errors import CroupierError, Refusal
from croupier.games import House, Street
from croupier.terminal.io.input_parser import normalize
from croupier.terminal.io.line_reader import Reader, discard_typeahead
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import Line, cite, line, wrap_lines
from croupier.terminal.render import bet_slip, rules_pages

# Lines for a width and a number of rows to fit in if possible; None if the height is unlimited.
Scene: TypeAlias = Callable[[int, int | None], Sequence[Line]]
# Lines to read, for a width.
Page: TypeAlias = Callable[[int], Iterable[Line]]


class PromptKey(NamedTuple):
    """A key that answers a question in the full-screen app."""

    key: str
    answer: str
    label: str


RULES_KEYS = (PromptKey("?", "?", "rules"), PromptKey("r", "r", "pays"))
QUIT_KEY = PromptKey("q", "q", "quit")
NO_ROWS: Mapping[str, int] = {}


class PlayerLeft(Exception):
    """The player quit: typed q, pressed Ctrl-C, or the input ended."""


class TextInterface:
    """Plain lines on a screen, and answers from a reader."""

    full_screen: ClassVar[bool] = False  # keys and the coach's progress are always visible

    def __init__(self, screen: Screen, reader: Reader) -> None:
        self.screen = screen
        self.reader = reader
        self.ended = False

    def show(self, *lines: Line) -> None:
        """Show lines."""
        self.screen.show(lines)

    def show_farewell(self, *lines: Line) -> None:
        """Show the last lines, which stay on the terminal after the session."""
        self.show(*lines)

    def clear(self) -> None:
        """Clear the screen and read its size again."""
        self.screen.update_size()
        self.screen.clear()

    @property
    def width(self) -> int:
        """The columns of the felt."""
        return self.screen.width

    @property
    def interactive(self) -> bool:
        """Whether the screen is redrawn."""
        return self.screen.interactive

    def show_scene(self, scene: Scene, below: Sequence[Line] = (), *, reserve: int = 0) -> None:
        """Clear the screen and show a scene with lines below; `reserve` rows stay free."""
        self.clear()
        height = self.screen.height
        rows = None if height is None else height - len(below) - reserve
        self.show(*scene(self.screen.width, rows), *below)

    def set_side_panel(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """Set the contents of the side panel and the status line of the full-screen app."""

    def ask(
        self,
        prompt: str,
        keys: Sequence[PromptKey] = (),
        *,
        wager_rows: Mapping[str, int] = NO_ROWS,
        risks_chips: bool = False,
    ) -> str:
        """Ask for an answer and return it normalized; Ctrl-C is "q".

        `keys` and `wager_rows`, the wagers that can be changed with their rows in the scene, are
        used by the full-screen app. If the answer `risks_chips`, keys typed before the prompt are
        discarded. Raises PlayerLeft at the end of the input.
        """
        if self.ended:
            raise PlayerLeft
        if risks_chips and self.interactive:
            discard_typeahead()
        try:
            answer = normalize(self.reader(self.screen.encodable(prompt)))
        except EOFError:
            self.ended = True
            raise PlayerLeft from None
        except KeyboardInterrupt:
            self.show(())
            return "q"
        return "q" if answer in ("quit", "exit", "leave") else answer

    def confirm(self, question: str, *, default: bool) -> bool:
        """Ask a yes-or-no question; q and Ctrl-C raise PlayerLeft."""
        self.show(line(question))
        while True:
            prompt = "yes or no [Y/n]> " if default else "yes or no [y/N]> "
            answer = self.ask(
                prompt, (PromptKey("y", "y", "yes"), PromptKey("n", "n", "no")), risks_chips=True
            )
            if answer == "q":
                raise PlayerLeft
            if answer in ("y", "yes") or (default and not answer):
                return True
            if answer in ("n", "no", ""):
                return False
            self.show(line("Please answer yes or no."))

    def show_error(self, error: CroupierError) -> None:
        """Show an error; a refusal with its clause and the clause's meaning."""
        if isinstance(error, Refusal):
            self.show(line((error.problem, "refusal"), " ", cite(error.clause)))
            if text := rules_pages.clause_meaning(error.game, error.clause):
                self.show(line((f"  {text}", "quiet")))
        else:
            self.show(line((str(error), "refusal")))

    def answer_question(
        self,
        answer: str,
        house: House,
        street: Street | None,
        meters: Mapping[str, Fraction],
    ) -> bool:
        """Show rules or paytables if the answer asks for them; False if it does not."""
        first, _, rest = answer.partition(" ")
        if answer.startswith("?") and answer != "?":
            first, rest = "?", answer[1:].strip()
        if first in ("?", "help"):
            if rest:
                rows = list(rules_pages.explain_clause(house, rest))  # may raise: before the page
                self.show_page(lambda width: rows)
            elif street is not None:
                self.show_page(lambda width: rules_pages.street_rules(house, street))
            else:
                self.show_page(lambda width: rules_pages.whole_game(house, meters, width))
            return True
        if first in ("r", "rules", "paytables", "pays"):
            only = bet_slip.find_wager(house.game, rest).name if rest else ""
            self.show_page(lambda width: rules_pages.paytables(house, meters, only, width))
            return True
        return False

    def show_page(self, page: Page) -> None:
        """Show lines screen by screen, or all at once if the screen is not interactive."""
        rows = wrap_lines(page(self.screen.width), self.screen.width)
        height = self.screen.height
        if height is None:
            self.show(*rows)
            return
        step = max(3, height - 2)
        for start in range(0, len(rows), step):
            self.clear()
            self.show(*rows[start : start + step])
            more = start + step < len(rows)
            if self.ask("Enter for more, q to stop> " if more else "Enter to continue> ") == "q":
                return

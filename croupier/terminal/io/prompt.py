"""Asking and being asked: prompts, questions about the rules, pages, refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple, TypeAlias

from croupier.errors import CroupierError, Refusal
from croupier.games import House, Street
from croupier.terminal.io.input import Reader, forget_typed
from croupier.terminal.io.input_parser import tidy
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import Line, cite, line, wrap_all
from croupier.terminal.render import bet_slip, rules_pages

# Lines for a width, in at most so many rows if they can; None where nothing scrolls away.
Scene: TypeAlias = Callable[[int, int | None], Sequence[Line]]
# Lines to read for a width.
Page: TypeAlias = Callable[[int], Iterable[Line]]


class PromptKey(NamedTuple):
    """A key that answers a question, where single keys do."""

    key: str
    answer: str
    label: str


ASK_RULES = (PromptKey("?", "?", "rules"), PromptKey("r", "r", "pays"))
LEAVE = PromptKey("q", "q", "leave")
NO_SPOTS: Mapping[str, int] = {}


class Leaving(Exception):
    """The person leaves: typed q, pressed Ctrl-C, or the answers have ended."""


class Conversation:
    """A screen to speak on and a reader to listen to."""

    by_keys: ClassVar[bool] = False  # whether keys and the coach's progress are always in sight

    def __init__(self, screen: Screen, reader: Reader) -> None:
        self.screen = screen
        self.reader = reader
        self.ended = False

    def say(self, *lines: Line) -> None:
        """Show lines."""
        self.screen.show(lines)

    def part(self, *lines: Line) -> None:
        """The last words, which stay when a window is gone."""
        self.say(*lines)

    def clear(self) -> None:
        """Begin a new screen, measured anew."""
        self.screen.remeasure()
        self.screen.clear()

    @property
    def width(self) -> int:
        """The columns there are."""
        return self.screen.width

    @property
    def watched(self) -> bool:
        """Whether somebody watches a screen that is redrawn."""
        return self.screen.watched

    def paint(self, scene: Scene, below: Sequence[Line] = (), *, reserve: int = 0) -> None:
        """Begin a new screen: a scene that fits it, and lines below; so many rows stay free."""
        self.clear()
        height = self.screen.height
        room = None if height is None else height - len(below) - reserve
        self.say(*scene(self.screen.width, room), *below)

    def beside(self, page: Page, history: Page, status: Callable[[], str]) -> None:
        """What a window shows beside the felt: something to read, the evening, the coach."""

    def ask(
        self,
        prompt: str,
        keys: Sequence[PromptKey] = (),
        *,
        spots: Mapping[str, int] = NO_SPOTS,
        risks: bool = False,
    ) -> str:
        """An answer, tidied; Ctrl-C is "q", the end of the answers leaves.

        `keys` and `spots`, the wagers that may be changed with the row of the scene that shows
        them, are for screens that answer by single keys. Where an answer `risks` chips, what was
        typed before the question does not count.
        """
        if self.ended:
            raise Leaving
        if risks and self.watched:
            forget_typed()
        try:
            answer = tidy(self.reader(self.screen.spelled(prompt)))
        except EOFError:
            self.ended = True
            raise Leaving from None
        except KeyboardInterrupt:
            self.say(())
            return "q"
        return "q" if answer in ("quit", "exit", "leave") else answer

    def yes(self, question: str, *, default: bool) -> bool:
        """A question with two answers; q and Ctrl-C are neither and leave."""
        self.say(line(question))
        while True:
            prompt = "yes or no [Y/n]> " if default else "yes or no [y/N]> "
            answer = self.ask(
                prompt, (PromptKey("y", "y", "yes"), PromptKey("n", "n", "no")), risks=True
            )
            if answer == "q":
                raise Leaving
            if answer in ("y", "yes") or (default and not answer):
                return True
            if answer in ("n", "no", ""):
                return False
            self.say(line(f"{answer!r} is neither yes nor no"))

    def refuse(self, error: CroupierError) -> None:
        """Say why something is refused, with the clause."""
        if isinstance(error, Refusal):
            clause = error.clause
            self.say(line((error.problem, "refusal"), " ", cite(clause)))
            if text := rules_pages.meaning(error.game, clause):
                self.say(line((f"  {text}", "quiet")))
        else:
            self.say(line((str(error), "refusal")))

    def answer_question(
        self,
        answer: str,
        house: House,
        street: Street | None,
        meters: Mapping[str, Fraction],
    ) -> bool:
        """Answer a question about the rules; False if the answer was not a question."""
        first, _, rest = answer.partition(" ")
        if answer.startswith("?") and answer != "?":
            first, rest = "?", answer[1:].strip()
        if first in ("?", "help"):
            if rest:
                explained = list(rules_pages.explain(house, rest))  # refused before a page is begun
                self.page(lambda width: explained)
            elif street is not None:
                self.page(lambda width: rules_pages.street_rules(house, street))
            else:
                self.page(lambda width: rules_pages.whole_game(house, meters, width))
            return True
        if first in ("r", "rules", "paytables", "pays"):
            only = bet_slip.find_wager(house.game, rest).name if rest else ""
            self.page(lambda width: rules_pages.paytables(house, meters, only, width))
            return True
        return False

    def page(self, page: Page) -> None:
        """Lines screen by screen where somebody watches, at once otherwise."""
        rows = wrap_all(page(self.screen.width), self.screen.width)
        height = self.screen.height
        if height is None:
            self.say(*rows)
            return
        step = max(3, height - 2)
        for start in range(0, len(rows), step):
            self.clear()
            self.say(*rows[start : start + step])
            more = start + step < len(rows)
            if self.ask("Enter for more, q to stop> " if more else "Enter to go on> ") == "q":
                return

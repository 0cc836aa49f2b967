"""Scripted sessions without a terminal, and golden files.

`REGENERATE=1 pytest tests/terminal` rewrites the golden files; review the diff.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from croupier import terminal
from croupier.clock import now_ms
from croupier.games.house import House
from croupier.table import Account, Command, Event, Table
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import Clock, InMemoryTable, finish_opening
from croupier.terminal.bankroll import BUY_IN, FILE_NAME, Bankroll, SavedBankroll
from croupier.terminal.dealer import TableDealer
from croupier.terminal.io.output import Screen
from croupier.terminal.io.prompt import TextInterface
from croupier.terminal.io.styled_text import Line, plain_text
from croupier.terminal.table_factory import Service
from croupier.terminal.table_loop import TableSession

GOLDEN = Path(__file__).parent / "golden"
Kind = TypeVar("Kind", bound=Event)
_RESULT = re.compile(
    r"^Round \d+: You (?:(win|lose) \$([\d,]+)\.(\d\d)|(break even))\.$", re.MULTILINE
)


class Played:
    """The output of a session and the bankroll it saved."""

    def __init__(self, status: int, text: str, home: Path) -> None:
        self.status = status
        self.text = text
        file = home / FILE_NAME
        self.saved: SavedBankroll | None = None
        if file.exists():
            self.saved = msgspec.json.decode(file.read_bytes(), type=SavedBankroll)

    @property
    def bankroll(self) -> int:
        """The saved bankroll; without a file it is the first buy-in."""
        return self.saved.bankroll if self.saved else BUY_IN

    @property
    def bought(self) -> int:
        """The sum of all buy-ins."""
        return self.saved.bought if self.saved else BUY_IN

    @property
    def nets(self) -> list[int]:
        """The printed net result of every round, in cents."""
        signs = {"win": 1, "lose": -1}
        return [
            0 if even else signs[verb] * int(f"{dollars.replace(',', '')}{cents}")
            for verb, dollars, cents, even in _RESULT.findall(self.text)
        ]

    def conserved(self) -> bool:
        """Whether all money came from buy-ins and settled rounds."""
        return self.bankroll == self.bought + sum(self.nets)


def answer(home: Path, *answers: str, **options: Any) -> Played:
    """Play a session with answers from a pipe, one per line."""
    output = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in answers))
    settings = {"seed": 1, "answers": True, "start_over": True} | options
    status = terminal.play(stdin=source, stdout=output, **settings)
    return Played(status, output.getvalue(), home)


Typed = str | type[BaseException]


def typed(home: Path, *keys: Typed, **options: Any) -> Played:
    """Play a session at a keyboard; an exception class is raised, e.g. KeyboardInterrupt."""
    output = io.StringIO()
    pending = iter(keys)

    def read(prompt: str) -> str:
        output.write(prompt + "\n")
        key = next(pending, EOFError)
        if isinstance(key, str):
            return key
        raise key

    status = terminal.play(
        reader=read, stdout=output, **({"seed": 1, "start_over": True} | options)
    )
    return Played(status, output.getvalue(), home)


def text_of(lines: Iterable[Line]) -> str:
    """Lines without styles and trailing spaces."""
    return "".join(plain_text(line).rstrip() + "\n" for line in lines)


def golden(name: str) -> Callable[[str], tuple[str, str]]:
    """Compare a text with a golden file: `expected, actual = golden("felt")(text)`."""

    def compare(actual: str) -> tuple[str, str]:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("REGENERATE"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
        return path.read_text(encoding="utf-8"), actual

    return compare


class WatchedTable(InMemoryTable):
    """A table that keeps all its events."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.events: list[Event] = []

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Execute a command and keep its events."""
        events = super().do(command, by, at)
        self.events += events
        return events


class ScriptedTable:
    """A table session with scripted answers that a test can inspect."""

    def __init__(
        self,
        house: House,
        *answers: str,
        service: Service = "practice",
        clock: Clock = now_ms,
        seats: Sequence[int] = (1,),
        players: int = 0,
    ) -> None:
        self.output = io.StringIO()
        self.answers = list(answers)
        self.opened = WatchedTable(Table(house, service=service))
        self.bankroll = Bankroll(None)
        self.session = TableSession(
            TableDealer(self.opened, clock),
            ui=TextInterface(Screen(self.output), self._read),
            bankroll=self.bankroll,
            shuffler=Shuffler(1),
            seats=seats,
            players=players,
        )
        if service == "attended":
            finish_opening(self.opened, clock, seat=self.session.home, cash=self.bankroll.amount)
        self.session.sit_down()

    def _read(self, prompt: str) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        """All output."""
        return self.output.getvalue()

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of one class."""
        return [event for event in self.opened.events if isinstance(event, kind)]

"""Scripted sessions without a terminal, and golden texts to compare them with.

Golden texts are written anew with `REGENERATE=1 pytest tests/terminal` and reviewed as a diff.
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
from croupier.terminal.bankroll import BUY_IN, FILE, Bank, Purse
from croupier.terminal.dealer import Dealing
from croupier.terminal.io.output import Screen
from croupier.terminal.io.prompt import Conversation
from croupier.terminal.io.styled_text import Line, plain
from croupier.terminal.table_factory import Service
from croupier.terminal.table_loop import Sitting

GOLDEN = Path(__file__).parent / "golden"
Kind = TypeVar("Kind", bound=Event)
_NET = re.compile(r"^Round \d+: net ([+-]?)\$([\d,]+)\.(\d\d)$", re.MULTILINE)


class Played:
    """What a session printed and what it left behind."""

    def __init__(self, status: int, text: str, home: Path) -> None:
        self.status = status
        self.text = text
        file = home / FILE
        self.purse = msgspec.json.decode(file.read_bytes(), type=Purse) if file.exists() else None

    @property
    def bankroll(self) -> int:
        """The remembered bankroll; without a file none was touched."""
        return self.purse.bankroll if self.purse else BUY_IN

    @property
    def bought(self) -> int:
        """All buy-ins together."""
        return self.purse.bought if self.purse else BUY_IN

    @property
    def nets(self) -> list[int]:
        """The net of every round, as it was printed."""
        return [
            int(f"{sign}{dollars.replace(',', '')}{cents}")
            for sign, dollars, cents in _NET.findall(self.text)
        ]

    def conserved(self) -> bool:
        """Whether money came from buy-ins and settled rounds alone."""
        return self.bankroll == self.bought + sum(self.nets)


def answer(home: Path, *answers: str, **options: Any) -> Played:
    """A session whose answers come from a pipe, one line each."""
    output = io.StringIO()
    given = io.StringIO("".join(f"{line}\n" for line in answers))
    settings = {"seed": 1, "answers": True, "start_over": True} | options
    status = terminal.play(stdin=given, stdout=output, **settings)
    return Played(status, output.getvalue(), home)


Typed = str | type[BaseException]


def typed(home: Path, *keys: Typed, **options: Any) -> Played:
    """A session with a person at the keyboard, who may press Ctrl-C or Ctrl-D."""
    output = io.StringIO()
    waiting = iter(keys)

    def read(prompt: str) -> str:
        output.write(prompt + "\n")
        key = next(waiting, EOFError)
        if isinstance(key, str):
            return key
        raise key

    status = terminal.play(
        reading=read, stdout=output, **({"seed": 1, "start_over": True} | options)
    )
    return Played(status, output.getvalue(), home)


def text_of(lines: Iterable[Line]) -> str:
    """Lines without their styles, without the spaces at their ends."""
    return "".join(plain(line).rstrip() + "\n" for line in lines)


def golden(name: str) -> Callable[[str], tuple[str, str]]:
    """Compare a text with the golden one: `expected, actual = golden("felt")(text)`."""

    def compare(actual: str) -> tuple[str, str]:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("REGENERATE"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
        return path.read_text(encoding="utf-8"), actual

    return compare


class Watched(InMemoryTable):
    """A table whose every event is kept."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.events: list[Event] = []

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Carry out a command and keep what it led to."""
        events = super().do(command, by, at)
        self.events += events
        return events


class Evening:
    """One sitting that a test looks into: the table, what happened, what was shown."""

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
        self.opened = Watched(Table(house, service=service))
        self.bank = Bank(None)
        self.sitting = Sitting(
            Dealing(self.opened, clock),
            talk=Conversation(Screen(self.output), self._read),
            bank=self.bank,
            shuffler=Shuffler(1),
            seats=seats,
            players=players,
        )
        if service == "attended":
            finish_opening(self.opened, clock, seat=self.sitting.home, cash=self.bank.bankroll)
        self.sitting.sit_down()

    def _read(self, prompt: str) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        """Everything that was shown."""
        return self.output.getvalue()

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of one kind."""
        return [event for event in self.opened.events if isinstance(event, kind)]

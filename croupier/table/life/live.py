"""A table with its life around it: people, decks, devices, seats and money, and the rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction

from croupier.errors import Refusal
from croupier.games import House
from croupier.money import Cents
from croupier.table import settlement
from croupier.table.commands import Command, Settle
from croupier.table.events import Event
from croupier.table.life import folding, steps
from croupier.table.life.people import STAFF, Person
from croupier.table.life.register import ACTS
from croupier.table.life.state import Life
from croupier.table.round import Round
from croupier.table.table import Table


class LiveTable:
    """One table from its opening to its closing.

    Pure, like the round engine inside it: `decide` may refuse and changes nothing, `evolve` may
    not refuse, and a table replayed from its events equals the live one. Time is an argument,
    in milliseconds since the epoch or as a datetime.
    """

    def __init__(
        self,
        house: House,
        *,
        table_id: str = "table",
        live: bool = True,
        meters: dict[str, Fraction] | None = None,
    ) -> None:
        self.submitted = house
        self.table_id = table_id
        self.live = live
        self.table = Table(house, meters)
        self.life = Life(method=house.dealing_method, devices=folding.devices_of(house))

    @classmethod
    def replay(
        cls,
        house: House,
        events: Iterable[Event],
        *,
        table_id: str = "table",
        live: bool = True,
        meters: dict[str, Fraction] | None = None,
    ) -> LiveTable:
        """The table after these events."""
        table = cls(house, table_id=table_id, live=live, meters=meters)
        for event in events:
            table.evolve(event)
        return table

    @property
    def house(self) -> House:
        """The House as it is played now: other limits or another dealing method than submitted."""
        return self.table.house

    @property
    def round(self) -> Round | None:
        """The round that is not closed yet."""
        current = self.table.round
        return None if current is None or current.closed else current

    @property
    def dealing(self) -> Round | None:
        """The round whose betting is closed and whose settlement is to come."""
        current = self.round
        return current if current is not None and current.betting_closed else None

    @property
    def layout(self) -> Cents:
        """What lies on the layout: stakes that are neither settled nor in the tray already."""
        current = self.round
        if current is None:
            return 0
        return sum(
            stake
            for box in current.boxes.values()
            for wager, stake in box.stakes.items()
            if wager not in box.settled and not (wager == "progressive" and self.life.collected)
        )

    def boxes_of(self, player: str) -> list[int]:
        """The boxes of the open round that a player has wagers on."""
        boxes = self.round.boxes if self.round else {}
        return sorted(seat for seat, box in boxes.items() if box.player == player)

    def refusal(self, problem: str, duty: str) -> Refusal:
        """A refusal that cites the clause behind a duty."""
        return Refusal(problem, self.house.cite(duty)[0], game=self.house.game.key)

    def clock(self, at: int) -> int:
        """The time as timers see it: it never runs backwards."""
        return max(at, self.life.latest)

    def preview(self) -> list[Event]:
        """What settling the round now would do."""
        current = self.dealing
        if current is None or current.due().kind != "settle":
            return []
        return settlement.settle(self.table, Settle())

    def decide(self, command: Command, by: Person, at: datetime | int) -> list[Event]:
        """The events a command leads to, or a refusal; the table is unchanged either way."""
        return self.consider(command, by, milliseconds(at))

    def consider(self, command: Command, by: Person, at: int) -> list[Event]:
        """The same for a command that nobody has given, as when steps are listed."""
        act = ACTS.get(type(command))
        if act is None:
            raise Refusal(f"{type(command).__name__} is no command of a live table", "A144")
        if by.role not in act.roles:
            roles = " or ".join(act.roles)
            raise self.refusal(f"{by} may not do this; expected {roles}", act.duty)
        if not act.strangers:
            self._check_post(by, act.duty)
        return act.decide(self, command, by, at)

    def _check_post(self, by: Person, duty: str) -> None:
        if by.role not in STAFF:
            return
        if by.role == "dealer" and self.life.dealer != by.name:
            raise self.refusal(f"{by} does not deal here; the dealer is {self.life.dealer!r}", duty)
        if self.life.posts.get(by.name) != by.role:
            raise self.refusal(f"{by} has no post at this table", duty)

    def do(self, command: Command, by: Person, at: datetime | int) -> Sequence[Event]:
        """Decide and evolve."""
        events = self.decide(command, by, at)
        for event in events:
            self.evolve(event)
        return events

    def allows(self, command: Command, by: Person, at: datetime | int) -> bool:
        """Whether the command would be accepted."""
        try:
            self.consider(command, by, milliseconds(at))
        except Refusal:
            return False
        return True

    def next_steps(self, at: datetime | int) -> tuple[steps.Step, ...]:
        """Everything that may happen now: who, what is left open, the clause, and what is due."""
        return steps.next_steps(self, milliseconds(at))

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        folding.fold(self, event)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LiveTable)
            and self.table_id == other.table_id
            and self.live == other.live
            and self.table == other.table
            and self.life == other.life
        )

    __hash__ = None  # type: ignore[assignment]


def milliseconds(at: datetime | int) -> int:
    """A moment as milliseconds since the epoch; a datetime must know its time zone."""
    if isinstance(at, datetime):
        assert at.tzinfo is not None, "a moment without a time zone is not a moment"
        return int(Fraction(at.timestamp()).limit_denominator(1000) * 1000)
    return at

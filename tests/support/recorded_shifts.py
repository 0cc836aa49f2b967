"""Random shifts of attended tables that are recorded in a ledger."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

from croupier.errors import Refusal
from croupier.games import House
from croupier.ledger import Ledger
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from tests.support.shifts.casino import START, Shift
from tests.support.shifts.houses import houses
from tests.support.shifts.invalid_commands import InvalidCommands
from tests.support.shifts.people import CAST, MAX, SYSTEM


class RecordedShift(Shift):
    """A shift at a recorded table."""

    def __init__(
        self, ledger: Ledger, name: str, house: House, rng: Random, group: str = ""
    ) -> None:
        self.ledger, self.name, self.group = ledger, name, group
        self.recorded = ledger.open_table(
            name, house, by=SYSTEM, service="attended", group=group, at=START
        )
        self.rng = rng
        self.houses = {house.digest: house}
        self.table = self.recorded.table
        self.at = START
        self.record = []
        self.net_inflow = 0
        self.meters = {meter: Fraction(value) for meter, value in self.table.meters.items()}
        self.counts: Counter[str] = Counter()
        self.invalid_commands = InvalidCommands(self.table, CAST, rng)

    def decide_and_apply(self, envelope: Envelope, before: dict[str, Any]) -> tuple[Event, ...]:
        """Execute the command durably."""
        return self.recorded.execute(envelope)

    def execute(self, command: Command, by: Account, before: dict[str, Any] | None = None) -> None:
        """Like the base class, but a listed step of a linked table may be refused."""
        try:
            super().execute(command, by, before)
        except AssertionError as error:
            if not self.group or not isinstance(error.__cause__, Refusal):
                raise

    def try_invalid(self, *anything: Any) -> None:
        """Give some wrong commands, to record their refusals."""
        _, command, by = anything
        wrong, person = self.invalid_commands.mutated(command, by)
        if not self.table.allows(wrong, person, self.at):
            try:
                self.recorded.do(wrong, person, self.at)
            except Exception:
                self.counts["refused"] += 1

    def look_ahead(self) -> None:
        """Do nothing: a fork of a recorded table would be recorded too."""

    def correct_something(self) -> None:
        """Linked meters are adjusted at their group, not here."""
        if not self.group:
            super().correct_something()

    def change_house(self, house: House) -> None:
        """Bind a closed table to another House."""
        self.houses[house.digest] = house
        self.ledger.add_house(house)
        bound = self.table.bound
        assert bound is not None
        command = cmd.BindTable(
            table=bound.table,
            house=house.digest,
            service="attended",
            live=bound.live,
            group=self.group,
        )
        self.execute(command, MAX)
        self.counts["Houses"] += 1

    def check(self) -> None:
        """Linked meters are in the book of their group, with contributions of other tables."""
        if not self.group:
            super().check()
            return
        book = self.table.book
        assert sum(book.balances.values()) == 0
        assert book.tray >= 0

    def run(self, acts: int, next_house: House | None = None) -> None:
        """Run the shift, then release its staff for other tables."""
        super().run(acts, next_house)
        for who, role in list(self.table.posts.here.items()):
            self.execute(cmd.LeavePost(), Account(who, role))

    def audit(self) -> None:
        """Check that the recovered table equals this one."""
        again = self.ledger.open_table(self.name)
        assert comparable_state(again.table) == comparable_state(self.table)
        assert again.sequence == self.recorded.sequence


def comparable_state(table: Table) -> dict[str, Any]:
    """The state without a finished round, which a snapshot does not contain."""
    return table.state() | {"round": table.open_round}


def play_shift(
    ledger: Ledger, game: str, seed: int, acts: int = 150, name: str = ""
) -> RecordedShift:
    """Play one random shift, from opening to closing the table."""
    rng = Random(f"{game} {seed}")
    first, second = rng.choices(houses(game), k=2)
    recorded = RecordedShift(ledger, name or f"{game} {seed}", first, rng)
    recorded.run(acts, second if rng.random() < 0.3 else None)
    return recorded

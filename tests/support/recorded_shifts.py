"""Random shifts of attended tables on record: the casino of `tests.attended`, by the ledger."""

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
    """A shift whose every command goes through a recorded table."""

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
        """Durably, under an id of the table's own."""
        return self.recorded.execute(envelope)

    def execute(self, command: Command, by: Account, before: dict[str, Any] | None = None) -> None:
        """Like the casino's own; what a listed step leads to depends on shared meters too."""
        try:
            super().execute(command, by, before)
        except AssertionError as error:
            if not self.group or not isinstance(error.__cause__, Refusal):
                raise

    def try_invalid(self, *anything: Any) -> None:
        """Wrong commands are the business of other tests; some are given to be refused."""
        _, command, by = anything
        wrong, person = self.invalid_commands.mutated(command, by)
        if not self.table.allows(wrong, person, self.at):
            try:
                self.recorded.do(wrong, person, self.at)
            except Exception:
                self.counts["refused"] += 1

    def look_ahead(self) -> None:
        """A fork of a recorded table would be recorded too: dead ends are looked for elsewhere."""

    def correct_something(self) -> None:
        """Shared meters are set right where they are kept."""
        if not self.group:
            super().correct_something()

    def change_house(self, house: House) -> None:
        """A closed table plays under another House from here on."""
        self.houses[house.digest] = house
        self.ledger.add_house(house)
        bound = self.table.bound
        assert bound is not None
        command = cmd.BindTable(
            table=bound.table, house=house.digest, service="attended", live=True, group=self.group
        )
        self.execute(command, MAX)
        self.counts["Houses"] += 1

    def check(self) -> None:
        """Shared meters also hold what other tables put in, and stand in another book."""
        if not self.group:
            super().check()
            return
        book = self.table.book
        assert sum(book.balances.values()) == 0
        assert book.tray >= 0

    def run(self, acts: int, next_house: House | None = None) -> None:
        """Whoever served here is free for another table afterwards."""
        super().run(acts, next_house)
        for who, role in list(self.table.posts.here.items()):
            self.execute(cmd.LeavePost(), Account(who, role))

    def audit(self) -> None:
        """The table read back is the one that played."""
        again = self.ledger.open_table(self.name)
        assert state(again.table) == state(self.table)
        assert again.sequence == self.recorded.sequence


def state(table: Table) -> dict[str, Any]:
    """All that counts: a snapshot forgets the last round once it is over."""
    return table.state() | {"round": table.open_round}


def shift(ledger: Ledger, game: str, seed: int, acts: int = 150, name: str = "") -> RecordedShift:
    """One random shift from its seed, opened and closed."""
    rng = Random(f"{game} {seed}")
    first, second = rng.choices(houses(game), k=2)
    played = RecordedShift(ledger, name or f"{game} {seed}", first, rng)
    played.run(acts, second if rng.random() < 0.3 else None)
    return played

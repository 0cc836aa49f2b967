"""Random shifts of live tables on record: the small casino of `tests.attended`, through the ledger."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from random import Random

from croupier.ledger.logged import LoggedTable

from croupier.errors import Refusal
from croupier.games import House
from croupier.ledger import Ledger
from croupier.table import Account, Table
from croupier.table import commands as rc
from croupier.table.events import Event
from tests.attended.houses import houses
from tests.attended.world import START, Shift

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class LoggedShift(Shift):
    """A shift whose every command goes through a LoggedTable."""

    def __init__(
        self, ledger: Ledger, name: str, house: House, rng: Random, group: str = ""
    ) -> None:
        self.ledger, self.name, self.group = ledger, name, group
        self.logged: LoggedTable = ledger.open_table(name, house, life=True, group=group)
        self.rng = rng
        self.at = START
        self.events: list[Event] = []
        self.outside = 0
        self.meters = dict(self.logged.meters)
        self.counts: Counter[str] = Counter()

    @property
    def live(self) -> Table:  # type: ignore[override]
        """The table behind the record."""
        assert isinstance(self.logged.machine, Table)
        return self.logged.machine

    def give(self, command: rc.Command, by: Account, *, listed: bool) -> None:
        """Like the casino's own, but durable."""
        try:
            events = self.logged.do(command, by=by, at=moment(self.at))
        except Refusal:
            if not self.group:
                raise
            return  # another table moved the shared meters since the steps were listed
        self.events += events
        for event in events:
            self.note(event)
        self.check()

    def try_anything(self, *anything: object) -> None:
        """Wrong commands are the business of other tests."""

    def check(self) -> None:
        """Shared meters also hold what other tables put in."""
        if self.group:
            self.meters = dict(self.logged.meters)
        super().check()

    def check_replay(self) -> None:
        """The table read back equals the one that played."""
        again = self.ledger.open_table(self.name)
        assert again.machine == self.live
        assert again.book.export() == self.logged.book.export()


def moment(at: int) -> dt.datetime:
    """Milliseconds as a moment, exactly."""
    return EPOCH + dt.timedelta(milliseconds=at)


def play(ledger: Ledger, game: str, seed: int, acts: int = 150, name: str = "") -> LoggedShift:
    """One random shift from its seed, opened and closed."""
    rng = Random(f"{game} {seed}")
    shift = LoggedShift(ledger, name or f"{game} {seed}", rng.choice(houses(game)), rng)
    shift.run(acts)
    return shift

"""A table's stream, folded: the table itself, its accounts, and what the round fed its meters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from croupier.games import House
from croupier.ledger import events as lev
from croupier.ledger.accounts import Book
from croupier.money import meter_text
from croupier.table import events as ev
from croupier.table.events import Event, MeterText
from croupier.table.life.folding import adapted
from croupier.table.life.live import LiveTable
from croupier.table.life.state import Life
from croupier.table.table import Table

Machine: TypeAlias = Table | LiveTable
FindHouse: TypeAlias = Callable[[str], House]


def engine(machine: Machine) -> Table:
    """The round engine of either kind of table."""
    return machine if isinstance(machine, Table) else machine.table


class Frozen(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a snapshot holds: a table between two rounds."""

    bound: lev.TableBound
    rounds: int
    meters: dict[str, MeterText]
    balances: dict[str, MeterText]
    position: int  # how far the shared meters were read
    life: Life | None


class Fold:
    """The state of one table's stream. `apply` takes its events in order and may not refuse."""

    def __init__(self, find_house: FindHouse) -> None:
        self.find_house = find_house
        self.book = Book()
        self.bound: lev.TableBound | None = None
        self.position = 0
        self.fed: dict[str, Fraction] = {}  # by the round in progress
        self._machine: Machine | None = None

    @property
    def machine(self) -> Machine:
        """The table that decides; there is none before it is bound to a House."""
        assert self._machine is not None, "the stream has not been bound to a House"
        return self._machine

    @property
    def table(self) -> Table:
        """The round engine inside."""
        return engine(self.machine)

    @property
    def group(self) -> str:
        """The shared meters this table belongs to, or none."""
        return self.bound.group if self.bound else ""

    @property
    def between_rounds(self) -> bool:
        """Whether no round is in progress."""
        current = self.table.round
        return current is None or current.closed

    def apply(self, event: Event) -> None:
        """Fold one event into everything."""
        self.step(event)
        self.book.post(event)

    def step(self, event: Event) -> None:
        """Fold one event into the table alone; the accounts are posted apart."""
        handle = _HANDLERS.get(type(event))
        if handle is not None:
            handle(self, event)
            if type(event) in _OWN:
                return
        assert self._machine is not None, f"{event} before the table was bound to a House"
        self._machine.evolve(event)

    def set_meters(self, values: dict[str, Fraction]) -> None:
        """Take the values of shared meters; a void would give back only what this round fed."""
        table = self.table
        table.meters = dict(values)
        if table.round is not None and not table.round.closed:
            table.round.meters_before = {
                name: value - self.fed.get(name, 0) for name, value in values.items()
            }

    def _read(self, event: lev.MetersRead) -> None:
        self.position = event.position
        self.set_meters({name: Fraction(value) for name, value in event.meters.items()})

    def _forget_feeding(self, event: Event) -> None:
        self.fed = {}

    def _note_feeding(self, event: ev.ProgressiveLocked | ev.PlayerSatOut) -> None:
        for meter, amount in event.contributions.items():
            self.fed[meter] = self.fed.get(meter, Fraction(0)) + Fraction(amount)

    def _bind(self, event: lev.TableBound) -> None:
        house = self.find_house(event.house)
        meters = {name: Fraction(value) for name, value in event.meters.items()}
        before, self.bound = self._machine, event
        if event.variety == "rounds":
            self._machine = Table(house, meters)
        else:
            self._machine = LiveTable(house, table_id=event.table, live=event.live, meters=meters)
        if before is None:
            return
        self.table.rounds_played = engine(before).rounds_played
        if isinstance(before, LiveTable) and isinstance(self._machine, LiveTable):
            fresh = self._machine.life
            self._machine.life = before.life
            self._machine.life.method, self._machine.life.devices = fresh.method, fresh.devices
            self._machine.life.limits = {}

    def _adjust(self, event: lev.MeterAdjusted) -> None:
        table = self.table
        table.meters[event.meter] = Fraction(event.after)
        if table.round is not None:
            table.round.meters_before[event.meter] += Fraction(event.amount)

    def _correct(self, event: lev.CorrectionMade) -> None:
        """A table that counts its own chips must agree with its accounts afterwards."""
        if not isinstance(self.machine, LiveTable):
            return
        life = self.machine.life
        for account, amount in ((event.source, -event.amount), (event.target, event.amount)):
            if account == "tray":
                life.tray += amount
            elif account == "drop":
                life.drop += amount
            elif account.startswith("rack:"):
                player = account[5:]
                life.racks[player] = life.racks.get(player, 0) + amount

    # Snapshots

    def freeze(self) -> str:
        """This state as text, the same for the same events; only between rounds."""
        assert self.bound is not None and self.between_rounds, "a round is in progress"
        machine = self.machine
        record = {
            "bound": self.bound,
            "rounds": self.table.rounds_played,
            "meters": {name: meter_text(value) for name, value in self.table.meters.items()},
            "balances": self.book.export(),
            "position": self.position,
            "life": _plain(machine.life) if isinstance(machine, LiveTable) else None,
        }
        return msgspec.json.encode(record).decode()

    @classmethod
    def thaw(cls, text: str, find_house: FindHouse) -> Fold:
        """The state that a snapshot holds."""
        frozen: Any = msgspec.json.decode(text, type=Frozen)
        fold = cls(find_house)
        fold._bind(frozen.bound)
        fold.book = Book(frozen.balances)
        fold.book.buys_in = frozen.bound.variety == "life"
        fold.book.linked = bool(frozen.bound.group)
        fold.position = frozen.position
        fold.table.meters = {name: Fraction(value) for name, value in frozen.meters.items()}
        fold.table.rounds_played = frozen.rounds
        if frozen.life is not None:
            assert isinstance(fold.machine, LiveTable)
            fold.machine.life = frozen.life
            if frozen.life.limits or frozen.life.method != fold.machine.house.dealing_method:
                fold.table.house = adapted(fold.machine.submitted, frozen.life)
        return fold


def _plain(life: Life) -> dict[str, Any]:
    """Mappings keep their order, in which a table may look things up; sets have none."""
    values = {field.name: getattr(life, field.name) for field in dataclasses.fields(life)}
    return {
        name: sorted(value) if isinstance(value, set) else value for name, value in values.items()
    }


_OWN = frozenset((lev.TableBound, lev.MetersRead, lev.MeterAdjusted, lev.CorrectionMade))
_HANDLERS: dict[type[Event], Callable[[Fold, Any], None]] = {
    lev.TableBound: Fold._bind,
    lev.MetersRead: Fold._read,
    lev.MeterAdjusted: Fold._adjust,
    lev.CorrectionMade: Fold._correct,
    ev.RoundOpened: Fold._forget_feeding,
    ev.RoundVoided: Fold._forget_feeding,
    ev.ProgressiveLocked: Fold._note_feeding,
    ev.PlayerSatOut: Fold._note_feeding,
}

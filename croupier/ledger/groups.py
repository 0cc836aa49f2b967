"""Linked progressives: one stream of contributions and awards for all tables of a group.

A table's events and the group's are one append. Whoever appends second finds the group's stream
moved on, reads it, and decides anew under the meters as they now stand; so two tables that hit in
the same instant are paid one after the other, the second from what the first left.
"""

from __future__ import annotations

import threading
from fractions import Fraction

import msgspec

from croupier.games import House
from croupier.ledger import codec
from croupier.ledger import events as lev
from croupier.ledger.accounts import Book
from croupier.ledger.chain import GENESIS, Row
from croupier.ledger.errors import LedgerError, MeterUnreachable, StoreFailed
from croupier.ledger.store import Store
from croupier.money import meter_text
from croupier.table import events as ev
from croupier.table.events import Event, MeterText

PREFIX = "meters:"


def stream_of(group: str) -> str:
    """The stream of a group of shared meters."""
    return PREFIX + group


def terms_of(house: House) -> str:
    """What tables must have in common to share meters: odds, wager and rates (COMAR .24H, I)."""
    if not house.meters:
        raise LedgerError(f"{house!r} has no progressive meter to share")
    choices = {
        name: value
        for name, value in msgspec.structs.asdict(house.choices).items()
        if "progressive" in name or name in ("meter_rounding", "partial_award_floor")
    }
    record = {
        "game": house.game.key,
        "paytable": house.letters["progressive"],
        "choices": choices,
        "meters": {name: [m.reset, str(m.rate_percent)] for name, m in house.meters.items()},
    }
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


class GroupFold:
    """The state of a group's stream: values, who is linked, how many awards, the accounts."""

    def __init__(self) -> None:
        self.values: dict[str, Fraction] = {}
        self.tables: set[str] = set()
        self.terms = ""
        self.halted = ""
        self.wins = 0
        self.book = Book()

    def apply(self, event: Event) -> None:
        """Fold one event."""
        match event:
            case lev.GroupFounded():
                assert not self.terms, "the meters were founded before"
                self.terms = event.terms
                self.values = {name: Fraction(value) for name, value in event.meters.items()}
            case lev.TableLinked():
                self.tables.add(event.table)
            case lev.MetersFed():
                for name, amount in event.amounts.items():
                    self.values[name] += Fraction(amount)
            case lev.MeterWon():
                self.values[event.meter] += Fraction(event.refill) - event.paid
                self.wins = event.order
            case lev.MeterAdjusted():
                self.values[event.meter] = Fraction(event.after)
            case lev.GroupHalted():
                self.halted = event.reason
            case lev.GroupResumed():
                self.halted = ""
            case _:
                raise AssertionError(f"{event} does not belong to a group of meters")
        self.book.post(event)

    def shown(self) -> dict[str, MeterText]:
        """The meters as they are written down."""
        return {name: meter_text(value) for name, value in self.values.items()}


class Group:
    """A group as one process knows it; `refresh` reads on. Hold `lock` from reading to appending.

    The lock keeps the tables of one process from running into each other; between processes the
    primary key does.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.stream = stream_of(name)
        self.lock = threading.RLock()
        self.fold = GroupFold()
        self.tip: tuple[int, str] = (0, GENESIS)

    def refresh(self) -> GroupFold:
        """The group as it stands in the record."""
        for row in self.store.read(self.stream, after=self.tip[0]):
            self.fold.apply(codec.decode_next(row, self.tip))
            self.tip = (row.sequence, row.hash)
        return self.fold

    def reach(self) -> GroupFold:
        """The group, for a wager to be taken: refused when it is out of reach or halted."""
        try:
            fold = self.refresh()
        except StoreFailed as error:
            raise MeterUnreachable(self.name, str(error)) from error
        if not fold.terms:
            raise MeterUnreachable(self.name, "nobody has founded them")
        if fold.halted:
            raise MeterUnreachable(self.name, f"halted: {fold.halted}")
        return fold

    def consequences(self, table: str, number: int, events: list[Event]) -> list[Event]:
        """What a table's events do to the shared meters, in their order."""
        values = dict(self.fold.values)
        wins = self.fold.wins
        found: list[Event] = []
        for event in events:
            match event:
                case ev.ProgressiveLocked() | ev.PlayerSatOut() if event.contributions:
                    found.append(_fed(table, number, values, event.contributions))
                case ev.RoundVoided():
                    back = {
                        name: meter_text(Fraction(value) - values[name])
                        for name, value in event.meters.items()
                        if Fraction(value) != values[name]
                    }
                    if back:
                        found.append(_fed(table, number, values, back))
                case ev.MeterPaid():
                    wins += 1
                    values[event.meter] = Fraction(event.after)
                    found.append(
                        lev.MeterWon(
                            table=table,
                            round=number,
                            seat=event.seat,
                            meter=event.meter,
                            paid=event.paid,
                            refill=event.refill,
                            after=event.after,
                            order=wins,
                        )
                    )
        return found

    def rows(self, events: list[Event], *, time: str, actor: str, command_id: str) -> list[Row]:
        """Events as rows that follow what this process has read."""
        return codec.rows(
            self.stream, self.tip, events, time=time, actor=actor, command_id=command_id
        )

    def advance(self, rows: list[Row], events: list[Event]) -> None:
        """Take over what was just appended."""
        for event in events:
            self.fold.apply(event)
        if rows:
            self.tip = (rows[-1].sequence, rows[-1].hash)


def touches(events: list[Event]) -> bool:
    """Whether a table's events move meters, or state their values."""
    return any(
        isinstance(event, ev.MeterPaid | ev.RoundVoided)
        or (isinstance(event, ev.ProgressiveLocked | ev.PlayerSatOut) and event.contributions)
        for event in events
    )


def _fed(
    table: str, number: int, values: dict[str, Fraction], amounts: dict[str, MeterText]
) -> lev.MetersFed:
    for name, amount in amounts.items():
        values[name] += Fraction(amount)
    after = {name: meter_text(values[name]) for name in amounts}
    return lev.MetersFed(table=table, round=number, amounts=dict(amounts), after=after)

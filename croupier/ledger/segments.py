"""One stretch of one stream, checked event by event."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games import House
from croupier.ledger import codec, houses
from croupier.ledger import events as lev
from croupier.ledger.accounts import Unbalanced
from croupier.ledger.chain import GENESIS, break_in
from croupier.ledger.errors import Damaged, LedgerError, NotFound
from croupier.ledger.fold import Fold
from croupier.ledger.groups import PREFIX as GROUP
from croupier.ledger.groups import GroupFold
from croupier.ledger.referee import Wrong, judge
from croupier.ledger.signing import check_signed
from croupier.ledger.store import Store
from croupier.money import meter_text
from croupier.table import events as ev
from croupier.table.events import Event

TABLE = "table:"
Place = tuple[str, int, str]  # stream, sequence, what is wrong


class Segment(msgspec.Struct, frozen=True):
    """A stretch from a snapshot (or the beginning) to another (or the end)."""

    stream: str
    start: int
    start_hash: str
    start_data: str  # the snapshot's, or "" at the beginning
    end: int | None
    snapshots: tuple[tuple[int, str, str], ...]  # those inside and at the end


class Checked(msgspec.Struct, kw_only=True):
    """What came of it, and what other streams must agree with."""

    stream: str
    events: int = 0
    rounds: int = 0
    end: tuple[int, str] = (0, GENESIS)
    problem: Place | None = None
    # For linked tables: what they did to shared meters, and what they read of them.
    moves: list[tuple[int, list[Any]]] = []
    reads: list[tuple[int, int, dict[str, Any]]] = []
    # For groups: each table's moves, and the values after every event.
    group_moves: dict[str, list[list[Any]]] = {}
    values: dict[int, dict[str, Any]] = {}


def check(store: Store, segment: Segment) -> Checked:
    """Check a stretch up to the first event that is wrong."""
    checked = Checked(stream=segment.stream, end=(segment.start, segment.start_hash))
    checked.moves, checked.reads, checked.group_moves, checked.values = [], [], {}, {}
    collecting = gc.isenabled()
    gc.disable()  # nothing here makes cycles, and looking for them costs a quarter of the time
    try:
        _Walk(store, segment, checked).run()
    except Damaged as error:
        checked.problem = (error.stream, error.sequence, error.problem)
    except LedgerError as error:
        checked.problem = (segment.stream, 0, str(error))
    finally:
        if collecting:
            gc.enable()
    return checked


class _Walk:
    """The walk along one segment."""

    def __init__(self, store: Store, segment: Segment, checked: Checked) -> None:
        self.store = store
        self.segment = segment
        self.checked = checked
        self.houses: dict[str, House] = {}
        self.marks = {sequence: (own, data) for sequence, own, data in segment.snapshots}
        self.fold: Fold | None = None
        self.group: GroupFold | None = None
        self.finish: Callable[[list[Event], int], None] = self._finish_other
        if segment.stream.startswith(TABLE):
            self.finish = self._finish_table
            data = segment.start_data
            self.fold = Fold.thaw(data, self._house) if data else Fold(self._house)
        elif segment.stream.startswith(GROUP):
            self.finish = self._finish_group
            self.group = GroupFold()

    def _house(self, digest: str) -> House:
        if digest not in self.houses:
            text = self.store.house(digest)
            if text is None:
                raise NotFound(f"House {digest[:12]} is not on record")
            self.houses[digest] = houses.read(digest, text)
        return self.houses[digest]

    def run(self) -> None:
        """Every row, command by command."""
        segment, checked = self.segment, self.checked
        sequence, previous = segment.start, segment.start_hash
        command, events, first = "", list[Event](), sequence + 1
        decode, schemas = codec.decode, codec.SCHEMAS
        for row in self.store.read(segment.stream, after=segment.start, until=segment.end):
            problem = break_in(row, sequence, previous)
            if problem:
                raise Damaged(segment.stream, sequence + 1, problem)
            part = row.part
            if part == 0 and events:
                self.finish(events, first)
                events = []
            if part != len(events) or (events and row.command_id != command):
                raise Damaged(row.stream, row.sequence, "is out of place within its command")
            if not events:
                command, first = row.command_id, row.sequence
                self._check_mark(sequence, previous)
            event = decode(row)
            if event.schema != schemas[row.kind]:
                raise Damaged(row.stream, row.sequence, f"says schema {event.schema}")
            events.append(event)
            sequence, previous = row.sequence, row.hash
            checked.events += 1
        checked.end = (sequence, previous)
        if events:
            self.finish(events, first)
        if segment.end is not None and sequence != segment.end:
            raise Damaged(segment.stream, sequence + 1, "is missing")
        self._check_mark(sequence, previous)

    def _check_mark(self, sequence: int, own: str) -> None:
        """A snapshot must hold what the fold has come to."""
        mark = self.marks.pop(sequence, None)
        if mark is None:
            return
        assert self.fold is not None, "only tables have snapshots"
        if mark[0] != own:
            raise Damaged(self.segment.stream, sequence, "the snapshot names another hash")
        if mark[1] != self.fold.freeze():
            raise Damaged(self.segment.stream, sequence, "the snapshot differs from the record")

    def _finish_table(self, events: list[Event], first: int) -> None:
        fold = self.fold
        assert fold is not None
        try:
            judge(fold, events)
        except Wrong as wrong:
            raise Damaged(self.segment.stream, first + wrong.part, str(wrong)) from None
        self.checked.rounds += sum([type(event) is ev.RoundClosed for event in events])
        if fold.group:
            number = fold.table.rounds_played
            for part, event in enumerate(events):
                if isinstance(event, lev.MetersRead):
                    read = (first + part, event.position, event.meters)
                    self.checked.reads.append(read)
                elif move := _move(event, number):
                    self.checked.moves.append((first + part, move))

    def _finish_group(self, events: list[Event], first: int) -> None:
        fold = self.group
        assert fold is not None
        for sequence, event in enumerate(events, start=first):
            wins = fold.wins
            try:
                fold.apply(event)
            except (Unbalanced, AssertionError, KeyError, ValueError) as error:
                raise Damaged(self.segment.stream, sequence, str(error)) from None
            if isinstance(event, lev.MeterWon) and event.order != wins + 1:
                problem = f"is award {event.order} of the group, after award {wins}"
                raise Damaged(self.segment.stream, sequence, problem)
            if isinstance(event, lev.MetersFed | lev.MeterWon):
                moves = self.checked.group_moves.setdefault(event.table, [])
                moves.append(_group_move(event))
            self.checked.values[sequence] = dict(fold.shown())

    def _finish_other(self, events: list[Event], first: int) -> None:
        for sequence, event in enumerate(events, start=first):
            if isinstance(event, lev.HeadSigned):
                problem = check_signed(event)
                if problem:
                    raise Damaged(self.segment.stream, sequence, problem)


def _move(event: Event, number: int) -> list[Any] | None:
    """What a table's event does to shared meters; a void's amounts follow from its values."""
    match event:
        case ev.ProgressiveLocked() | ev.PlayerSatOut() if event.contributions:
            return ["fed", number, dict(event.contributions)]
        case ev.MeterPaid():
            return ["won", number, event.seat, event.meter, event.paid, event.refill, event.after]
        case ev.RoundVoided():
            return ["void", number, dict(event.meters)]
    return None


def _group_move(event: lev.MetersFed | lev.MeterWon) -> list[Any]:
    if isinstance(event, lev.MetersFed):
        negative = all(Fraction(amount) < 0 for amount in event.amounts.values())
        return ["fed", event.round, dict(event.amounts), dict(event.after), negative]
    refill = meter_text(Fraction(event.refill))
    return ["won", event.round, event.seat, event.meter, event.paid, refill, event.after]

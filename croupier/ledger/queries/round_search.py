"""Finding rounds by table, seat, player, time, hand, sum; refused attempts; what was decided."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import msgspec

from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import approvals
from croupier.ledger.aggregates.duty_roster import MovePosts
from croupier.ledger.aggregates.linked_meter_messages import MoveMeters
from croupier.ledger.errors import NotFound, printable
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import period_between, utc_timestamp
from croupier.ledger.queries.rounds import rounds_in_period
from croupier.money import Cents
from croupier.table import events as ev
from croupier.table import kind_of


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round that answers, in a line."""

    table: str
    round: int
    time: str
    seats: tuple[int, ...]  # those that answer
    players: tuple[str, ...]
    hands: tuple[str, ...]
    staked: Cents
    returned: Cents  # envy included
    void: bool


class RefusedAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A refused attempt: who, what, the clause."""

    stream: str
    time: str
    by: str
    what: str
    command: dict[str, object]
    clause: str
    after: int
    dropped: int


class ApprovalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was decided beside the tables: who, what, the clauses."""

    sequence: int
    time: str
    by: str
    what: str
    command: dict[str, object]
    clauses: tuple[str, ...]


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for; everything that is given must hold, for one and the same seat."""

    seat: int | None = None
    player: str = ""
    hand: str = ""
    wager: str = ""
    over: Cents | None = None  # paid to a seat in all, above this
    void: bool | None = None


def find_rounds(
    ledger: Ledger,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    seat: int | None = None,
    player: str = "",
    hand: str = "",
    wager: str = "",
    over: Cents | None = None,
    void: bool | None = None,
) -> Iterator[RoundSummary]:
    """The rounds that answer, table by table in the order they were played."""
    tables = select_tables(ledger, table)
    within = period_between(ledger, since, until)
    wanted = RoundQuery(
        seat=seat, player=player, hand=normalize_hand(hand), wager=wager, over=over, void=void
    )
    for table_id in tables:
        for recorded in rounds_in_period(ledger, table_stream(table_id), within):
            if found := summarize_round(table_id, recorded, wanted):
                yield found


def select_tables(ledger: Ledger, table: str = "") -> list[str]:
    """Every table, or the one that is named; NotFound if there is none of that name."""
    tables = ledger.tables()
    if table and table not in tables:
        known = ", ".join(tables) or "none"
        raise NotFound(printable(f"no table {table!r} is on record; there are: {known}"))
    return [table] if table else tables


def find_refusals(
    ledger: Ledger,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
) -> Iterator[RefusedAttempt]:
    """What was attempted and refused, in the order of the record."""
    if table:
        select_tables(ledger, table)
    within = period_between(ledger, since, until)
    found = [
        ent.decode_refusal(stored)
        for stream in ledger.store.streams(ent.REFUSED_PREFIX)
        for stored in ledger.store.read(stream, size=within.end)
        if stored.position >= within.start
    ]
    for each in sorted(found, key=lambda refused: find_refusals.position):
        if table and not _at(each, table):
            continue
        yield RefusedAttempt(
            stream=each.stream,
            time=utc_timestamp(each.envelope.at),
            by=str(each.envelope.by),
            what=kind_of(each.envelope.command),
            command=msgspec.to_builtins(each.envelope.command),
            clause=each.clause,
            after=each.after,
            dropped=each.dropped,
        )


def list_approvals(
    ledger: Ledger, *, since: dt.datetime | None = None, until: dt.datetime | None = None
) -> Iterator[ApprovalRecord]:
    """What people decided beside the tables, in the order of the record."""
    within = period_between(ledger, since, until)
    for stored in ledger.store.read(approvals.STREAM, size=within.end):
        if stored.position < within.start:
            continue
        recorded = ent.decode_entry(stored)
        yield ApprovalRecord(
            sequence=recorded.sequence,
            time=utc_timestamp(recorded.at),
            by=str(recorded.by),
            what=kind_of(recorded.envelope.command),
            command=msgspec.to_builtins(recorded.envelope.command),
            clauses=recorded.events[0].clauses,
        )


def _at(refused: ent.RecordedRefusal, table: str) -> bool:
    """Whether something was attempted at a table, whatever stream refused it."""
    command = find_refusals.envelope.command
    asked_for = command.table if isinstance(command, MovePosts | MoveMeters) else ""
    return find_refusals.stream == table_stream(table) or asked_for == table


class _Seat:
    def __init__(self, player: str) -> None:
        self.player = player
        self.wagers: set[str] = set()
        self.hands: list[str] = []
        self.staked = 0
        self.returned = 0


def summarize_round(table_id: str, recorded: list[ent.Recorded], wanted: RoundQuery) -> RoundSummary | None:
    """The round as a line, if it is wanted."""
    number, void = 0, False
    seats: dict[int, _Seat] = {}
    for event in (event for each in recorded for event in each.events):
        match event:
            case ev.RoundOpened():
                number = event.number
            case ev.WagersPlaced():
                seats[event.seat] = _Seat(event.player)
                seats[event.seat].wagers.update(event.stakes)
                if not event.stakes:
                    del seats[event.seat]
            case ev.Decided() if event.wager:
                seats[event.seat].wagers.add(event.wager)
            case ev.HandAnnounced() if event.seat:
                seats[event.seat].hands.append(event.hand)
            case ev.WagerSettled():
                seats[event.seat].staked += event.stake
                seats[event.seat].returned += event.returned
            case ev.EnvyPaid():
                seats[event.seat].returned += event.paid
            case ev.RoundVoided():
                void = True
    if wanted.void is not None and wanted.void != void:
        return None
    chosen = {seat: seats[seat] for seat in sorted(seats) if _wants(wanted, seat, seats[seat])}
    if not chosen:
        return None
    return RoundSummary(
        table=table_id,
        round=number,
        time=utc_timestamp(recorded[0].at),
        seats=tuple(chosen),
        players=tuple(seat.player for seat in chosen.values()),
        hands=tuple(hand for seat in chosen.values() for hand in seat.hands),
        staked=sum(seat.staked for seat in chosen.values()),
        returned=sum(seat.returned for seat in chosen.values()),
        void=void,
    )


def _wants(wanted: RoundQuery, number: int, seat: _Seat) -> bool:
    return (
        wanted.seat in (None, number)
        and wanted.player in ("", seat.player)
        and (not wanted.hand or any(wanted.hand in normalize_hand(hand) for hand in seat.hands))
        and (not wanted.wager or wanted.wager in seat.wagers)
        and (wanted.over is None or seat.returned > wanted.over)
    )


def normalize_hand(hand: str) -> str:
    """A hand's name however it is written: "Royal Flush", "royal_flush"."""
    return hand.strip().casefold().replace("_", " ")

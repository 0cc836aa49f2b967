"""Search for rounds by table, seat, player, time, hand or amount; refused commands; approvals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import msgspec

from croupier.ledger import entry_codec
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
    """A round that matches a search."""

    table: str
    round: int
    time: str
    seats: tuple[int, ...]  # that match
    players: tuple[str, ...]
    hands: tuple[str, ...]
    staked: Cents
    returned: Cents  # including envy bonuses
    void: bool


class RefusedAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A refused command: who, what, the clause."""

    stream: str
    time: str
    by: str
    what: str
    command: dict[str, object]
    clause: str
    after: int
    dropped: int
    repeated: int


class ApprovalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the approvals: who, what, the clauses."""

    sequence: int
    time: str
    by: str
    what: str
    command: dict[str, object]
    clauses: tuple[str, ...]


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria of a search; one seat has to match all of them."""

    seat: int | None = None
    player: str = ""
    hand: str = ""
    wager: str = ""
    over: Cents | None = None  # total paid to the seat, more than this
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
    """The rounds that match all criteria, table by table in the order they were played."""
    tables = select_tables(ledger, table)
    period = period_between(ledger, since, until)
    query = RoundQuery(
        seat=seat, player=player, hand=normalize_hand(hand), wager=wager, over=over, void=void
    )
    for table_id in tables:
        for entries in rounds_in_period(ledger, table_stream(table_id), period):
            if summary := summarize_round(table_id, entries, query):
                yield summary


def select_tables(ledger: Ledger, table: str = "") -> list[str]:
    """All tables, or the named one; NotFound if it is not on record."""
    tables = ledger.tables()
    if table and table not in tables:
        known = ", ".join(tables) or "none"
        raise NotFound(printable(f"no table {table!r} is on record; tables: {known}"))
    return [table] if table else tables


def find_refusals(
    ledger: Ledger,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
) -> Iterator[RefusedAttempt]:
    """The refused commands of a period, in the order of the log."""
    if table:
        select_tables(ledger, table)
    period = period_between(ledger, since, until)
    refusals = [
        entry_codec.decode_refusal(stored)
        for stream in ledger.store.streams(entry_codec.REFUSED_PREFIX)
        for stored in ledger.store.read(stream, size=period.end)
        if stored.position >= period.start
    ]
    for refusal in sorted(refusals, key=lambda refusal: refusal.position):
        if table and not _concerns_table(refusal, table):
            continue
        yield RefusedAttempt(
            stream=refusal.stream,
            time=utc_timestamp(refusal.envelope.at),
            by=str(refusal.envelope.by),
            what=kind_of(refusal.envelope.command),
            command=msgspec.to_builtins(refusal.envelope.command),
            clause=refusal.clause,
            after=refusal.after,
            dropped=refusal.dropped,
            repeated=refusal.repeated,
        )


def list_approvals(
    ledger: Ledger, *, since: dt.datetime | None = None, until: dt.datetime | None = None
) -> Iterator[ApprovalRecord]:
    """The entries of the approvals in a period, in the order of the log."""
    period = period_between(ledger, since, until)
    for stored in ledger.store.read(approvals.STREAM, size=period.end):
        if stored.position < period.start:
            continue
        recorded = entry_codec.decode_entry(stored)
        yield ApprovalRecord(
            sequence=recorded.sequence,
            time=utc_timestamp(recorded.at),
            by=str(recorded.by),
            what=kind_of(recorded.envelope.command),
            command=msgspec.to_builtins(recorded.envelope.command),
            clauses=recorded.events[0].clauses,
        )


def _concerns_table(refusal: entry_codec.RecordedRefusal, table: str) -> bool:
    """Whether a command was given at a table, whichever stream refused it."""
    command = refusal.envelope.command
    origin = command.table if isinstance(command, MovePosts | MoveMeters) else ""
    return refusal.stream == table_stream(table) or origin == table


class _Seat:
    def __init__(self, player: str) -> None:
        self.player = player
        self.wagers: set[str] = set()
        self.hands: list[str] = []
        self.staked = 0
        self.returned = 0


def summarize_round(
    table_id: str, entries: list[entry_codec.Recorded], query: RoundQuery
) -> RoundSummary | None:
    """The summary of a round; None if no seat matches the query."""
    number, void = 0, False
    seats: dict[int, _Seat] = {}
    for event in (event for entry in entries for event in entry.events):
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
    if query.void is not None and query.void != void:
        return None
    matching = {seat: seats[seat] for seat in sorted(seats) if _matches(query, seat, seats[seat])}
    if not matching:
        return None
    return RoundSummary(
        table=table_id,
        round=number,
        time=utc_timestamp(entries[0].at),
        seats=tuple(matching),
        players=tuple(seat.player for seat in matching.values()),
        hands=tuple(hand for seat in matching.values() for hand in seat.hands),
        staked=sum(seat.staked for seat in matching.values()),
        returned=sum(seat.returned for seat in matching.values()),
        void=void,
    )


def _matches(query: RoundQuery, number: int, seat: _Seat) -> bool:
    return (
        query.seat in (None, number)
        and query.player in ("", seat.player)
        and (not query.hand or any(query.hand in normalize_hand(hand) for hand in seat.hands))
        and (not query.wager or query.wager in seat.wagers)
        and (query.over is None or seat.returned > query.over)
    )


def normalize_hand(hand: str) -> str:
    """One spelling for a hand's name: "Royal Flush" and "royal_flush" are the same."""
    return hand.strip().casefold().replace("_", " ")

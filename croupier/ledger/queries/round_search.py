"""Search for rounds by table, people, time, hand, amount or irregularity; refused commands.

The index of the ledger narrows a search to the rounds that can match, and those are read. A round
in progress is found by what has been settled or announced so far.
"""

from __future__ import annotations

import datetime as dt
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from croupier.errors import BadInput
from croupier.ledger import entry_codec, round_index
from croupier.ledger.aggregates import approvals
from croupier.ledger.aggregates.duty_roster import MovePosts
from croupier.ledger.aggregates.linked_meter_messages import MoveMeters
from croupier.ledger.errors import NotFound, printable
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import Period, period_between, utc_timestamp
from croupier.ledger.queries.rounds import read_round_entries
from croupier.money import Cents
from croupier.table import events as ev
from croupier.table import kind_of

ANY = "any"  # irregularity


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round that matches a search."""

    table: str
    round: int
    time: str
    dealer: str  # who dealt it at an attended table
    seats: tuple[int, ...]  # that match
    players: tuple[str, ...]
    hands: tuple[str, ...]
    staked: Cents
    returned: Cents  # including envy bonuses
    void: bool
    over: bool  # whether the round has been closed
    irregularities: tuple[str, ...] = ()


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria of a search; one seat has to match all that concern a seat."""

    seat: int | None = None
    player: str = ""
    hand: str = ""  # any part of its name
    wager: str = ""
    over: Cents | None = None  # total paid to the seat, more than this
    void: bool | None = None
    dealer: str = ""
    irregularity: str = ""  # one of IRREGULARITIES, or ANY


def check_irregularity(name: str) -> str:
    """The name of an irregularity as it is indexed; BadInput for an unknown one."""
    normal = name.strip().casefold().replace(" ", "_")
    known = (ANY, *round_index.IRREGULARITIES)
    if normal and normal not in known:
        raise BadInput(f"irregularity {printable(name)[:40]!r}: expected {', '.join(known)}")
    return normal


class Opening(NamedTuple):
    """Where a round begins in the log."""

    position: int
    table: str
    round: int


class RoundPage(NamedTuple):
    """Matching rounds, the latest first; `before` continues the search, 0 if it is complete."""

    rounds: list[RoundSummary]
    before: int


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


def find_rounds(
    ledger: Ledger,
    query: RoundQuery,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
) -> Iterator[RoundSummary]:
    """The rounds that match all criteria, in the order they were played."""
    tables = select_tables(ledger, table)
    period = period_between(ledger, since, until)
    for opening in find_openings(ledger, query, tables, period):
        if found := _summary(ledger, opening, query):
            yield found


def search_rounds(
    ledger: Ledger,
    query: RoundQuery,
    *,
    tables: Collection[str],
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    before: int = 0,
    rounds_max: int = 200,
    read_max: int = 1_000,
) -> RoundPage:
    """The latest matching rounds of some tables.

    The search ends after `rounds_max` matches, or once `read_max` rounds were read; `before`
    continues it.
    """
    period = period_between(ledger, since, until)
    if before:
        period = msgspec.structs.replace(period, end=min(period.end, before))
    found: list[RoundSummary] = []
    for read, opening in enumerate(reversed(find_openings(ledger, query, tables, period))):
        if len(found) == rounds_max or read == read_max:
            return RoundPage(found, opening.position + 1)
        if summary := _summary(ledger, opening, query):
            found.append(summary)
    return RoundPage(found, 0)


def _summary(ledger: Ledger, opening: Opening, query: RoundQuery) -> RoundSummary | None:
    entries = read_round_entries(ledger, opening.table, opening.round)
    return summarize_round(opening.table, entries, query)


def find_openings(
    ledger: Ledger, query: RoundQuery, tables: Collection[str], period: Period
) -> list[Opening]:
    """The rounds that match as far as the index can tell, in the order they were played."""
    streams = {table_stream(table): table for table in tables}
    openings: dict[int, list[Opening]] = {}  # by number of the stream, in order
    for number, name, round, position in ledger.store.query(
        "SELECT stream.number, name, mark.number, position FROM mark"
        " JOIN stream ON stream.number = mark.stream WHERE word = ? ORDER BY position",
        (round_index.ROUND,),
    ):
        if name in streams:
            openings.setdefault(number, []).append(Opening(position, streams[name], round))
    found = {
        opening
        for rounds in openings.values()
        for opening in rounds
        if period.start <= opening.position < period.end
    }
    positions = {
        stream: [opening.position for opening in rounds] for stream, rounds in openings.items()
    }
    for words, paid in _criteria(ledger, query):
        places = ", ".join("?" * len(words))
        totals: Counter[tuple[Opening, str]] = Counter()
        for stream, position, word, number in ledger.store.query(
            f"SELECT stream, position, word, number FROM mark WHERE word IN ({places})"
            " AND position >= ?",
            (*words, period.start),
        ):
            if place := bisect_right(positions.get(stream, ()), position):
                totals[openings[stream][place - 1], word] += number
        found &= {each for (each, _), total in totals.items() if paid is None or total > paid}
    return sorted(found)


def _criteria(ledger: Ledger, query: RoundQuery) -> Iterator[tuple[Sequence[str], Cents | None]]:
    """Index words of which a round has at least one; with an amount, of a larger total."""
    if query.dealer:
        yield [round_index.person_word("dealer", query.dealer)], None
    if query.player:
        yield [round_index.person_word("player", query.player)], None
    if query.hand:
        yield _hand_words(ledger, query.hand) or [round_index.HAND], None
    if query.irregularity:
        named = (query.irregularity,) if query.irregularity != ANY else round_index.IRREGULARITIES
        yield [round_index.irregularity_word(name) for name in named], None
    if query.void:
        yield [round_index.VOID], None
    if query.over is not None and query.over >= 0:
        yield round_index.PAID_WORDS, query.over


def _hand_words(ledger: Ledger, part: str) -> list[str]:
    """The words on record of hands whose name has this part; reads each word once."""
    words: list[str] = []
    last = round_index.HAND.removesuffix(":")
    while True:
        ((word,),) = ledger.store.query("SELECT min(word) FROM mark WHERE word > ?", (last,))
        if word is None or not word.startswith(round_index.HAND):
            return words
        if round_index.normalize_hand(part) in word.removeprefix(round_index.HAND):
            words.append(word)
        last = word


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
    """The refused commands of a period, in the order of the log.

    Those at a table since its last closed round have only their kind while a round is in progress:
    they may name cards that lie face down.
    """
    if table:
        select_tables(ledger, table)
    period = period_between(ledger, since, until)
    refusals = [
        entry_codec.decode_refusal(stored)
        for stream in ledger.store.streams(entry_codec.REFUSED_PREFIX)
        for stored in ledger.store.read(stream, size=period.end)
        if stored.position >= period.start
    ]
    streams = {refusal.stream for refusal in refusals}
    secret_from = {
        table_stream(name): _secret_from(ledger, name)
        for name in ledger.tables()
        if table_stream(name) in streams
    }
    for refusal in sorted(refusals, key=lambda refusal: refusal.position):
        if table and not _concerns_table(refusal, table):
            continue
        kind = kind_of(refusal.envelope.command)
        secret = refusal.after >= secret_from.get(refusal.stream, math.inf)
        yield RefusedAttempt(
            stream=refusal.stream,
            time=utc_timestamp(refusal.envelope.at),
            by=str(refusal.envelope.by),
            what=kind,
            command={"kind": kind} if secret else msgspec.to_builtins(refusal.envelope.command),
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


def _secret_from(ledger: Ledger, table: str) -> float:
    """The sequence of a table at which its last closed round ended, if a round is in progress."""
    current = ledger.table_at(table, ledger.store.head().size).open_round
    if current is None:
        return math.inf
    if current.number == 1:
        return 0
    return read_round_entries(ledger, table, current.number - 1)[-1].sequence


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
    dealers = list(dict.fromkeys(entry.by.id for entry in entries if entry.by.role == "dealer"))
    irregularities: dict[str, None] = {}
    for event in (event for entry in entries for event in entry.events):
        if irregularity := round_index.irregularity_of(event):
            irregularities[irregularity] = None
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
    if query.dealer and _name(query.dealer) not in map(_name, dealers):
        return None
    if query.irregularity and not irregularities.keys() & (
        {query.irregularity} if query.irregularity != ANY else irregularities.keys()
    ):
        return None
    matching = {seat: seats[seat] for seat in sorted(seats) if _matches(query, seat, seats[seat])}
    if not matching:
        return None
    return RoundSummary(
        table=table_id,
        round=number,
        time=utc_timestamp(entries[0].at),
        dealer=", ".join(dealers),
        seats=tuple(matching),
        players=tuple(seat.player for seat in matching.values()),
        hands=tuple(hand for seat in matching.values() for hand in seat.hands),
        staked=sum(seat.staked for seat in matching.values()),
        returned=sum(seat.returned for seat in matching.values()),
        void=void,
        over=any(isinstance(event, ev.RoundClosed) for event in entries[-1].events),
        irregularities=tuple(irregularities),
    )


def _matches(query: RoundQuery, number: int, seat: _Seat) -> bool:
    hand = round_index.normalize_hand(query.hand)
    return (
        query.seat in (None, number)
        and _name(query.player) in ("", _name(seat.player))
        and (not hand or any(hand in round_index.normalize_hand(each) for each in seat.hands))
        and (not query.wager or query.wager in seat.wagers)
        and (query.over is None or seat.returned > query.over)
    )


def _name(name: str) -> str:
    return name.strip().casefold()

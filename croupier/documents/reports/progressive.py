"""Progressive meter report: parameters, balances, reconciliation, hits and adjustments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.documents.reports.model import Column, Row, Scope, Section
from croupier.games import House
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.aggregates.aggregate_types import no_house
from croupier.ledger.aggregates.linked_meter_messages import MeterWon, SharedAdjusted
from croupier.ledger.aggregates.linked_meters import METERS_PREFIX, LinkedMeters, group_stream
from croupier.ledger.queries.activity import RegisterEvent
from croupier.ledger.queries.periods import utc_timestamp
from croupier.table import Event
from croupier.table import events as ev

METER_COLUMNS = (
    Column("where", "table or group"),
    Column("meter", "meter"),
    Column("reset", "reset amount", "cents"),
    Column("rate_percent_of_stake", "rate % of stake", "percent"),
    Column("funded", "seeds and resets", "meter"),
    Column("fed", "contributions", "meter"),
    Column("adjusted", "adjustments", "meter"),
    Column("shows", "meter", "meter"),
    Column("reserve", "reserve", "meter"),
    Column("overflow", "overflow", "meter"),
    Column("won", "paid", "meter"),
    Column("hits", "hits", "count"),
    Column("difference", "difference", "meter"),
)
HIT_COLUMNS = (
    Column("where", "table or group"),
    Column("order", "order", "count"),
    Column("table", "table"),
    Column("round", "round", "count"),
    Column("seat", "seat", "count"),
    Column("meter", "meter"),
    Column("paid", "paid", "cents"),
    Column("refill", "put back", "meter"),
    Column("after", "meter after", "meter"),
    Column("time", "time"),
    Column("actor", "by"),
)
ADJUSTMENT_COLUMNS = (
    Column("where", "table or group"),
    Column("meter", "meter"),
    Column("amount", "amount", "meter"),
    Column("after", "meter after", "meter"),
    Column("reason", "reason"),
    Column("approval", "approval"),
    Column("time", "time"),
    Column("actor", "by"),
    Column("second", "and by"),
)


def sections(scope: Scope) -> list[Section]:
    """Meters at the end of the period: of single tables, then of linked groups."""
    meters: list[Row] = []
    hits: list[Row] = []
    adjustments: list[Row] = []

    def wanted(event: Event) -> bool:
        return isinstance(event, ev.MeterPaid | ev.MeterAdjusted)

    for activity in scope.activities(wanted):
        if activity.group:
            continue
        paid = [note for note in activity.noted if note.kind == "meter_paid"]
        counts = _count(note.event["meter"] for note in paid)
        house = scope.ledger.house(activity.house)
        meters += _meters(activity.table, house, activity.closing, counts)
        hits += [
            _hit(activity.table, order, activity.table, note)
            for order, note in enumerate(paid, start=1)
        ]
        adjustments += [
            _adjustment(activity.table, note.event, note.time, note.actor)
            for note in activity.noted
            if note.kind == "meter_adjusted"
        ]
    for group in groups_of(scope):
        _group(scope, group, meters, hits, adjustments)
    notes = (
        "difference = seeds and resets + contributions + adjustments"
        " - meter - reserve - overflow - paid",
        "hits are those of the period; all other figures run from the start of the meter",
    )
    return [
        Section(title="Meters", columns=METER_COLUMNS, rows=meters, notes=notes),
        Section(title="Hits", columns=HIT_COLUMNS, rows=hits),
        Section(title="Adjustments", columns=ADJUSTMENT_COLUMNS, rows=adjustments),
    ]


def groups_of(scope: Scope) -> list[str]:
    """The meter groups that the tables of a report belong to."""
    groups = [name[len(METERS_PREFIX) :] for name in scope.ledger.store.streams(METERS_PREFIX)]
    tables = set(scope.tables)
    return [
        group for group in groups if tables & set(_shared(scope, group, scope.period.end).tables)
    ]


def _shared(scope: Scope, group: str, size: int) -> LinkedMeters:
    meters, _, _ = aggregate_types.recover(
        scope.ledger.store, group_stream(group), no_house, size=size
    )
    assert isinstance(meters, LinkedMeters)
    return meters


def _group(
    scope: Scope, group: str, meters: list[Row], hits: list[Row], adjustments: list[Row]
) -> None:
    """Add the rows of a linked group that had entries in the period."""
    store, within = scope.ledger.store, scope.period
    first = aggregate_types.sequence_at(store, group_stream(group), within.start)
    won: list[str] = []
    entries = 0
    for stored in store.read(group_stream(group), after=first, size=within.end):
        recorded = ent.decode_entry(stored)
        entries += 1
        time, actor = utc_timestamp(recorded.at), str(recorded.by)
        for event in recorded.events:
            if isinstance(event, MeterWon):
                won.append(event.meter)
                hits.append(_won(group, event, time, actor))
            elif isinstance(event, SharedAdjusted):
                adjustment = _adjustment(group, msgspec.to_builtins(event), time, actor)
                adjustments.append(adjustment)
    if entries:
        shared = _shared(scope, group, within.end)
        house = scope.ledger.house(next(iter(shared.tables.values())))
        meters += _meters(group, house, shared.book.export(), _count(won))


def _won(group: str, event: MeterWon, time: str, actor: str) -> Row:
    return {
        "where": group,
        "order": event.order,
        "table": event.table,
        "round": event.round,
        "seat": event.seat,
        "meter": event.meter,
        "paid": event.paid,
        "refill": Fraction(event.refill),
        "after": Fraction(event.after),
        "time": time,
        "actor": actor,
    }


def _meters(
    where: str, house: House, balances: Mapping[str, int | str], hits: Mapping[str, int]
) -> list[Row]:
    rows: list[Row] = []
    for name, meter in house.meters.items():

        def held(account: str, name: str = name) -> Fraction:
            return Fraction(balances.get(f"{account}:{name}", 0))

        sources = -held("funded") - held("fed") - held("adjusted")
        uses = held("meter") + held("reserve") + held("overflow") + held("won")
        rows.append(
            {
                "where": where,
                "meter": name,
                "reset": meter.reset,
                "rate_percent_of_stake": meter.rate_percent,
                "funded": -held("funded"),
                "fed": -held("fed"),
                "adjusted": -held("adjusted"),
                "shows": held("meter"),
                "reserve": held("reserve"),
                "overflow": held("overflow"),
                "won": held("won"),
                "hits": hits.get(name, 0),
                "difference": sources - uses,
            }
        )
    return rows


def _hit(where: str, order: int, table: str, note: RegisterEvent) -> Row:
    event = note.event
    return {
        "where": where,
        "order": order,
        "table": table,
        "round": note.round,
        "seat": event["seat"],
        "meter": event["meter"],
        "paid": event["paid"],
        "refill": Fraction(event["refill"]),
        "after": Fraction(event["after"]),
        "time": note.time,
        "actor": note.actor,
    }


def _adjustment(where: str, event: Mapping[str, Any], time: str, actor: str) -> Row:
    return {
        "where": where,
        "meter": event["meter"],
        "amount": Fraction(event["amount"]),
        "after": Fraction(event["after"]),
        "reason": event["reason"],
        "approval": event["approval"],
        "time": time,
        "actor": actor,
        "second": f"{event['second']['role']} {event['second']['id']}",
    }


def _count(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts

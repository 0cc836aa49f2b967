"""Progressive meters: parameters, every movement, hits, and the sum that must come out even."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from croupier.games import House
from croupier.ledger import codec, groups
from croupier.ledger import events as lev
from croupier.ledger.activity import Noted
from croupier.ledger.chain import stamp
from croupier.papers.scope import Scope
from croupier.papers.sheet import Column, Row, Section
from croupier.table import events as ev
from croupier.table.events import Event

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
    """Meters of tables on their own, then of groups, as they stand at the end of the period."""
    meters: list[Row] = []
    hits: list[Row] = []
    adjustments: list[Row] = []

    def wanted(event: Event) -> bool:
        return isinstance(event, ev.MeterPaid | lev.MeterAdjusted)

    linked: dict[str, House] = {}
    for activity in scope.activities(wanted):
        bound = bound_of(scope, activity.table)
        house = scope.ledger.house(bound.house)
        if bound.group:
            linked[bound.group] = house
            continue
        paid = [note for note in activity.noted if note.kind == "meter_paid"]
        counts = _count(note.event["meter"] for note in paid)
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
    for group, house in sorted(linked.items()):
        _group(scope, group, house, meters, hits, adjustments)
    notes = (
        "difference = seeds and resets + contributions + adjustments"
        " - meter - reserve - overflow - paid",
        "hits are those of the period; the other figures are since the meter was founded",
    )
    return [
        Section(title="Meters", columns=METER_COLUMNS, rows=meters, notes=notes),
        Section(title="Hits", columns=HIT_COLUMNS, rows=hits),
        Section(title="Adjustments", columns=ADJUSTMENT_COLUMNS, rows=adjustments),
    ]


def bound_of(scope: Scope, table: str) -> lev.TableBound:
    """What a table was bound to last."""
    bound = scope.ledger.open_table(table).fold.bound
    assert bound is not None
    return bound


def _group(
    scope: Scope,
    group: str,
    house: House,
    meters: list[Row],
    hits: list[Row],
    adjustments: list[Row],
) -> None:
    fold = groups.GroupFold()
    since = stamp(scope.since) if scope.since else ""
    until = stamp(scope.until) if scope.until else ""
    won: list[str] = []
    for row in scope.ledger.store.read(groups.stream_of(group)):
        if until and row.time >= until:
            break
        event = codec.decode(row)
        fold.apply(event)
        if row.time < since:
            continue
        if isinstance(event, lev.MeterWon):
            won.append(event.meter)
            hits.append(
                {
                    "where": group,
                    "order": event.order,
                    "table": event.table.removeprefix("table:"),
                    "round": event.round,
                    "seat": event.seat,
                    "meter": event.meter,
                    "paid": event.paid,
                    "refill": Fraction(event.refill),
                    "after": Fraction(event.after),
                    "time": row.time,
                    "actor": row.actor,
                }
            )
        elif isinstance(event, lev.MeterAdjusted):
            told = {name: getattr(event, name) for name in event.__struct_fields__}
            adjustments.append(_adjustment(group, told, row.time, row.actor))
    meters += _meters(group, house, fold.book.export(), _count(won))


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


def _hit(where: str, order: int, table: str, note: Noted) -> Row:
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
        "second": event["second"],
    }


def _count(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts

"""Pit activity reports: tips, disputes, count differences and chips by denomination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from croupier.documents.reports.model import Column, Row, Scope, Section
from croupier.ledger.queries.activity import Activity, RegisterEvent
from croupier.table import Event
from croupier.table import events as ev

DISPUTES = (ev.DisputeOpened, ev.DisputeDecided, ev.DisputeForwarded)
INVESTIGATIONS = (ev.InvestigationOpened, ev.InvestigationReported)
COUNTED = (
    ev.TableOpened,
    ev.ShiftChanged,
    ev.TableClosed,
    ev.FillRequested,
    ev.FillReceived,
    ev.CreditRequested,
    ev.CreditSent,
)
WHEN = (Column("time", "time"), Column("actor", "by"))
WAITING = "waiting"


def tips(scope: Scope) -> list[Section]:
    """Tip box totals by table, and each tip."""
    activities = list(scope.activities(lambda event: isinstance(event, ev.Tipped)))
    notes = [note for activity in activities for note in activity.noted]
    totals: dict[str, int] = {}
    for note in notes:
        totals[note.table] = totals.get(note.table, 0) + note.event["chips"]
    table, chips = Column("table", "table"), Column("chips", "chips", "cents")
    by_table: list[Row] = [
        {"table": name, "chips": total} for name, total in sorted(totals.items())
    ]
    rows: list[Row] = [
        {
            "table": note.table,
            "player": note.event["player"],
            "chips": note.event["chips"],
            "time": note.time,
            "actor": note.actor,
        }
        for note in notes
    ]
    return [
        Section(title="Tip boxes", columns=(table, chips), rows=by_table),
        Section(title="Tips", columns=(table, Column("player", "player"), chips, *WHEN), rows=rows),
    ]


def disputes(scope: Scope) -> list[Section]:
    """Disputes, and investigated count differences, each with its outcome."""

    def wanted(event: Event) -> bool:
        return isinstance(event, DISPUTES + INVESTIGATIONS)

    activities = list(scope.activities(wanted))
    table, number = Column("table", "table"), Column("number", "number", "count")
    outcome = Column("outcome", "outcome")
    disputed = (
        Column("round", "round", "count"),
        Column("player", "opened by"),
        Column("text", "about"),
    )
    reason = Column("reason", "reason")
    return [
        Section(
            title="Disputes",
            columns=(table, number, *disputed, outcome, reason, *WHEN),
            rows=list(_cases(activities, "dispute")),
        ),
        Section(
            title="Count differences investigated",
            columns=(table, number, Column("difference", "difference", "cents"), outcome, *WHEN),
            rows=list(_cases(activities, "investigation")),
        ),
    ]


def _cases(activities: Iterable[Activity], subject: str) -> Iterator[Row]:
    """One row per case number: its opening, if in this period, and its outcome."""
    for activity in activities:
        cases: dict[tuple[str, int], dict[str, Any]] = {}
        for note in activity.noted:
            if note.kind.startswith(subject):
                key = (note.table, note.event["number"])
                row = cases.setdefault(key, {"outcome": WAITING, "reason": ""})
                row.update(_case_fields(note))
        yield from cases.values()


def _case_fields(note: RegisterEvent) -> dict[str, Any]:
    event = note.event
    row = {"table": note.table, "number": event["number"], "time": note.time, "actor": note.actor}
    match note.kind:
        case "dispute_opened":
            row |= {"round": event["round"], "player": event["player"], "text": event["text"]}
        case "dispute_decided":
            row |= {"outcome": event["decision"], "reason": event["reason"]}
        case "dispute_forwarded":
            row |= {"outcome": "to the Commission", "reason": event["reason"]}
        case "investigation_opened":
            row |= {"difference": event["difference"]}
        case "investigation_reported":
            row |= {"outcome": event["finding"] + (" (late)" if event["late"] else "")}
    return row


def chips(scope: Scope) -> list[Section]:
    """Counts, fills and credits (as requested and as moved) by denomination.

    Only a House with a submitted chip set records chips by denomination.
    """
    columns = (
        Column("table", "table"),
        Column("what", "what"),
        Column("slip", "slip"),
        Column("chip", "denomination", "cents"),
        Column("pieces", "pieces", "count"),
        Column("worth", "worth", "cents"),
        *WHEN,
    )
    rows: list[Row] = [
        {
            "table": note.table,
            "what": note.kind.replace("_", " "),
            "slip": note.event.get("slip", ""),
            "chip": int(cents),
            "pieces": pieces,
            "worth": int(cents) * pieces,
            "time": note.time,
            "actor": note.actor,
        }
        for activity in scope.activities(lambda event: isinstance(event, COUNTED))
        for note in activity.noted
        for cents, pieces in sorted(note.event.get("pile", {}).items(), key=lambda kv: int(kv[0]))
    ]
    return [Section(title="Chips by denomination", columns=columns, rows=rows)]

"""Registers: payout documents and large wins, decks, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.ledger import events as lev
from croupier.ledger.activity import Activity, Noted
from croupier.money import Cents
from croupier.papers.scope import Scope
from croupier.papers.sheet import Column, Row, Section
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life import events as life

# Winnings that are reported to the tax authority: at least 300 times the stake and at least so
# much, from the day given on.
W2G_TIMES = 300
W2G_FROM: tuple[tuple[str, Cents], ...] = (("", 600_00), ("2026-01-01", 2_000_00))

PAYOUTS = (
    life.PayoutDocumented,
    life.PayoutWitnessed,
    life.SurveillanceNotified,
    life.PayoutVoided,
    life.PaidByCheck,
)
UNCLAIMED = (life.UnclaimedHeld, life.UnclaimedPaid)
DECKS = (
    life.DeckReceived,
    life.DeckPrepared,
    life.DeckShuffled,
    life.DeckCountFailed,
    life.DeckCut,
    life.DeckLoaded,
    life.ShuffleOrdered,
    life.RecutOrdered,
    life.IdleSpread,
    life.DeckPulled,
    life.DeckRemoved,
    life.StubCounted,
    life.StubCountDiffered,
)
TROUBLE = (
    ev.IrregularityNoted,
    ev.RoundVoided,
    ev.WagersForfeited,
    ev.PlayerSatOut,
    life.DeckCountFailed,
    life.DeviceFailed,
    life.StubCountDiffered,
    life.ProgressiveCountDiffered,
    lev.CorrectionMade,
    lev.MeterAdjusted,
)


def w2g_threshold(time: str) -> Cents:
    """The least winnings that are reported at a moment."""
    return [least for start, least in W2G_FROM if start <= time][-1]


def _reportable(event: Event) -> bool:
    if not isinstance(event, ev.WagerSettled) or event.outcome != "win":
        return False
    winnings = event.returned - event.stake
    return winnings >= W2G_TIMES * event.stake and winnings >= min(cents for _, cents in W2G_FROM)


def payouts(scope: Scope) -> list[Section]:
    """Documents with everything that was done with them, wins to report, money unclaimed."""

    def wanted(event: Event) -> bool:
        return isinstance(event, PAYOUTS + UNCLAIMED) or _reportable(event)

    activities = scope.activities(wanted)
    return [_documents(activities), _reported(activities), _unclaimed(activities)]


DOCUMENT_COLUMNS = (
    Column("table", "table"),
    Column("serial", "serial", "count"),
    Column("time", "prepared"),
    Column("round", "round", "count"),
    Column("seat", "seat", "count"),
    Column("player", "player"),
    Column("wager", "wager"),
    Column("stake", "stake", "cents"),
    Column("winnings", "winnings", "cents"),
    Column("prepared_by", "prepared by"),
    Column("tier", "witness needed"),
    Column("witnessed_by", "witnessed by"),
    Column("surveillance", "surveillance"),
    Column("paid", "paid"),
    Column("void", "void"),
)


def _documents(activities: Iterable[Activity]) -> Section:
    rows: list[Row] = []
    notes: list[str] = []
    for activity in activities:
        documents: dict[int, dict[str, Any]] = {}
        for note in activity.noted:
            if note.kind == "payout_documented":
                documents[note.event["serial"]] = _document(note)
            elif note.event.get("serial") in documents:
                _done_with(documents[note.event["serial"]], note)
        serials = sorted(documents)
        missing = [
            str(serial)
            for serial in range(serials[0] if serials else 0, serials[-1] if serials else 0)
            if serial not in documents
        ]
        if missing:
            notes.append(f"{activity.table}: serials missing: {', '.join(missing)}")
        rows += [documents[serial] for serial in serials]
    return Section(
        title="Payout documents", columns=DOCUMENT_COLUMNS, rows=rows, notes=tuple(notes)
    )


def _document(note: Noted) -> dict[str, Any]:
    event = note.event
    kept = ("serial", "round", "seat", "player", "wager", "stake", "winnings")
    return {
        "table": note.table,
        "time": note.time,
        **{name: event[name] for name in kept},
        "prepared_by": note.actor,
        "tier": event["witness"],
        "witnessed_by": "",
        "surveillance": "to be notified" if event["surveillance"] else "",
        "paid": "check due" if event["by_check"] else "chips",
        "void": "",
    }


def _done_with(document: dict[str, Any], note: Noted) -> None:
    match note.kind:
        case "payout_witnessed":
            document["witnessed_by"] = note.actor
        case "surveillance_notified":
            photo = ", photo" if note.event["photo"] else ""
            document["surveillance"] = f"notified by {note.actor}{photo}"
        case "paid_by_check":
            document["paid"] = "check"
        case "payout_voided":
            document["void"] = f"{note.event['reason']} ({note.actor})"


def _reported(activities: Iterable[Activity]) -> Section:
    columns = (
        Column("table", "table"),
        Column("round", "round", "count"),
        Column("seat", "seat", "count"),
        Column("wager", "wager"),
        Column("stake", "stake", "cents"),
        Column("winnings", "winnings", "cents"),
        Column("pays", "odds"),
        Column("time", "time"),
    )
    rows: list[Row] = []
    for activity in activities:
        for note in activity.noted:
            event = note.event
            if note.kind != "wager_settled":
                continue
            winnings = event["returned"] - event["stake"]
            if winnings >= w2g_threshold(note.time):
                kept = {name: event[name] for name in ("seat", "wager", "stake", "pays")}
                row = {"table": note.table, "round": note.round, "time": note.time, **kept}
                rows.append({**row, "winnings": winnings})
    limits = "; ".join(f"${cents // 100:,} from {day or 'the start'}" for day, cents in W2G_FROM)
    notes = (f"winnings of at least {W2G_TIMES} times the stake and at least {limits}",)
    return Section(title="Wins to report (W-2G)", columns=columns, rows=rows, notes=notes)


def _unclaimed(activities: Iterable[Activity]) -> Section:
    columns = (
        Column("table", "table"),
        Column("player", "player"),
        Column("what", "what"),
        Column("amount", "amount", "cents"),
        Column("time", "time"),
        Column("actor", "by"),
    )
    rows: list[Row] = [
        {
            "table": note.table,
            "player": note.event["player"],
            "what": "held" if note.kind == "unclaimed_held" else "paid",
            "amount": note.event["amount"],
            "time": note.time,
            "actor": note.actor,
        }
        for activity in activities
        for note in activity.noted
        if note.kind.startswith("unclaimed")
    ]
    return Section(title="Unclaimed", columns=columns, rows=rows)


def decks(scope: Scope) -> list[Section]:
    """Every step in the life of every deck."""
    columns = (
        Column("table", "table"),
        Column("deck", "deck"),
        Column("what", "what"),
        Column("detail", "detail"),
        Column("time", "time"),
        Column("actor", "by"),
    )
    rows: list[Row] = []
    for activity in scope.activities(lambda event: isinstance(event, DECKS)):
        for note in activity.noted:
            event = note.event
            deck = event.get("deck") or ", ".join(event.get("decks", ()))
            rows.append({**_line(note, ("deck", "decks")), "deck": deck})
    return [Section(title="Decks", columns=columns, rows=rows)]


def irregularities(scope: Scope) -> list[Section]:
    """Voids with what was returned, and everything else that went wrong or was set right."""
    columns = (
        Column("table", "table"),
        Column("round", "round", "count"),
        Column("what", "what"),
        Column("detail", "detail"),
        Column("returned", "wagers returned", "cents"),
        Column("time", "time"),
        Column("actor", "by"),
    )

    def wanted(event: Event) -> bool:
        if isinstance(event, ev.WagerSettled):
            return event.outcome == "void"
        return isinstance(event, TROUBLE)

    rows: list[Row] = []
    for activity in scope.activities(wanted):
        returned: dict[int, Cents] = {}
        for note in activity.noted:
            if note.kind == "wager_settled":
                returned[note.round] = returned.get(note.round, 0) + note.event["returned"]
        for note in activity.noted:
            if note.kind == "wager_settled":
                continue
            row = {**_line(note, ("meters", "contributions")), "round": note.round}
            if note.kind in ("round_voided", "player_sat_out"):
                row["returned"] = returned.get(note.round, 0)
            rows.append(row)
    return [Section(title="Irregularities", columns=columns, rows=rows)]


def _line(note: Noted, leave_out: tuple[str, ...]) -> dict[str, Any]:
    hidden = ("kind", "schema", "clauses", "at", "by", *leave_out)
    told = {name: value for name, value in note.event.items() if name not in hidden}
    detail = "; ".join(f"{name} {_plain(value)}" for name, value in told.items() if value != "")
    return {
        "table": note.table,
        "what": note.kind.replace("_", " "),
        "detail": detail,
        "time": note.time,
        "actor": note.actor,
    }


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(inner)}" for name, inner in value.items())
    return str(value)

"""Registers: payout documents and reportable wins, decks, irregularities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from croupier.documents.reports.model import Column, Row, Scope, Section
from croupier.ledger.queries.activity import Activity, RegisterEvent
from croupier.money import Cents, dollars
from croupier.table import Event, all_thresholds
from croupier.table import events as ev

PAYOUTS = (
    ev.PayoutDocumented,
    ev.PayoutWitnessed,
    ev.SurveillanceNotified,
    ev.PayoutVoided,
    ev.PaidByCheck,
)
UNCLAIMED = (ev.UnclaimedHeld, ev.UnclaimedPaid)
DECKS = (
    ev.DeckReceived,
    ev.DeckPrepared,
    ev.DeckShuffled,
    ev.DeckCountFailed,
    ev.DeckCut,
    ev.DeckLoaded,
    ev.DeckKept,
    ev.ShuffleOrdered,
    ev.RecutOrdered,
    ev.IdleSpread,
    ev.DeckPulled,
    ev.DeckRemoved,
    ev.StubCounted,
    ev.StubCountDiffered,
)
TROUBLE = (
    ev.IrregularityNoted,
    ev.RoundVoided,
    ev.WagersForfeited,
    ev.PlayerSatOut,
    ev.DeckCountFailed,
    ev.DeviceFailed,
    ev.StubCountDiffered,
    ev.ProgressiveCountDiffered,
    ev.CorrectionMade,
    ev.MeterAdjusted,
)


def payouts(scope: Scope) -> list[Section]:
    """Payout documents with their processing, reportable wins, and unclaimed money."""

    def wanted(event: Event) -> bool:
        return isinstance(event, PAYOUTS + UNCLAIMED)

    activities = scope.activities(wanted)
    return [
        _documents(activities),
        _earlier_documents(activities),
        _reported(activities),
        _unclaimed(activities),
    ]


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
        documents = _collect_documents(activity.noted)
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


def _earlier_documents(activities: Iterable[Activity]) -> Section:
    """Documents of a round in progress when the period began, if they changed in it."""
    rows: list[Row] = []
    for activity in activities:
        documents = _collect_documents([*activity.noted_before, *activity.noted])
        prepared = [
            note.event["serial"]
            for note in activity.noted_before
            if note.kind == "payout_documented"
        ]
        changed = {note.event.get("serial") for note in activity.noted}
        rows += [documents[serial] for serial in prepared if serial in changed]
    return Section(title="Payout documents prepared earlier", columns=DOCUMENT_COLUMNS, rows=rows)


def _collect_documents(notes: Iterable[RegisterEvent]) -> dict[int, dict[str, Any]]:
    """The documents that were prepared, with what happened to them, by serial."""
    documents: dict[int, dict[str, Any]] = {}
    for note in notes:
        if note.kind == "payout_documented":
            documents[note.event["serial"]] = _document(note)
        elif note.event.get("serial") in documents:
            _apply_note(documents[note.event["serial"]], note)
    return documents


def _document(note: RegisterEvent) -> dict[str, Any]:
    event = note.event
    fields = ("serial", "round", "seat", "player", "wager", "stake", "winnings")
    return {
        "table": note.table,
        "time": note.time,
        **{name: event[name] for name in fields},
        "prepared_by": note.actor,
        "tier": event["witness"],
        "witnessed_by": "",
        "surveillance": "to be notified" if event["surveillance"] else "",
        "paid": "check due" if event["by_check"] else "chips",
        "void": "",
    }


def _apply_note(document: dict[str, Any], note: RegisterEvent) -> None:
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
        Column("player", "player"),
        Column("wager", "wager"),
        Column("stake", "stake", "cents"),
        Column("winnings", "winnings", "cents"),
        Column("pays", "odds"),
        Column("time", "time"),
    )
    rows: list[Row] = [
        {
            "table": taxed.table,
            "round": taxed.round,
            "seat": taxed.payout.seat,
            "player": taxed.payout.player,
            "wager": taxed.payout.wager,
            "stake": taxed.payout.stake,
            "winnings": taxed.payout.winnings,
            "pays": taxed.pays,
            "time": taxed.time,
        }
        for activity in activities
        for taxed in activity.taxed
    ]
    limits = "; ".join(
        f"{dollars(row.tax_form)} and {row.tax_times} times the stake from {row.since}"
        for row in all_thresholds()
    )
    notes = (f"winnings of at least: {limits}",)
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
    """Every event in the life of every deck."""
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
    """Voids with the wagers returned, other irregularities and corrections."""
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

    rows = [row for activity in scope.activities(wanted) for row in _trouble(activity)]
    return [Section(title="Irregularities", columns=columns, rows=rows)]


def _trouble(activity: Activity) -> Iterator[Row]:
    """Count each returned wager once: in the row of its seat, its round, or a row of its own."""
    returned: dict[tuple[int, int], Cents] = {}  # by round and seat
    last: dict[int, RegisterEvent] = {}
    for note in activity.noted:
        if note.kind == "wager_settled":
            place = (note.round, note.event["seat"])
            returned[place] = returned.get(place, 0) + note.event["returned"]
            last[note.round] = note
    sat_out = [note for note in activity.noted if note.kind == "player_sat_out"]
    sat_out_returns = {
        (note.round, note.event["seat"]): returned.pop((note.round, note.event["seat"]), 0)
        for note in sat_out
    }
    for note in activity.noted:
        if note.kind == "wager_settled":
            continue
        row = {**_line(note, ("meters", "contributions")), "round": note.round}
        if note.kind == "player_sat_out":
            row["returned"] = sat_out_returns[note.round, note.event["seat"]]
        elif note.kind == "round_voided":
            places = [place for place in returned if place[0] == note.round]
            row["returned"] = sum(returned.pop(place) for place in places)
        yield row
    for number in sorted({place[0] for place in returned}):
        # The round was voided in an earlier period, its wagers were returned in this one.
        note = last[number]
        amount = sum(cents for place, cents in returned.items() if place[0] == number)
        row = {"table": note.table, "round": number, "what": "wagers returned", "detail": ""}
        yield {**row, "returned": amount, "time": note.time, "actor": note.actor}


def _line(note: RegisterEvent, leave_out: tuple[str, ...]) -> dict[str, Any]:
    hidden = ("kind", "schema", "clauses", "at", "by", *leave_out)
    fields = {name: value for name, value in note.event.items() if name not in hidden}
    stated = {name.replace("_", " "): value for name, value in fields.items() if value != ""}
    detail = "; ".join(f"{name} {_plain(value)}" for name, value in stated.items())
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

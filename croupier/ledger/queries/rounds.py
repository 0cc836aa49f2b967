"""Rounds on record: reading their entries, and rebuilding them card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from croupier.cards import cards_from_names, names
from croupier.errors import BadInput
from croupier.games import COMMUNITY, House
from croupier.ledger import entry_codec, round_index
from croupier.ledger.errors import NotFound, printable
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import Period, utc_timestamp
from croupier.table import ASIDE, Account, Box, Event, Round, Viewer
from croupier.table import events as ev
from croupier.table.core.views import redact

CAMERA = Viewer(Account("surveillance", "surveillance"))  # sees what lies face up


class RebuiltRound(msgspec.Struct, kw_only=True):
    """A round rebuilt from its entries."""

    table: str
    round: int
    game: str
    house: str
    opened: str
    closed: str  # "" while it is in progress
    void: str  # why, or ""
    people: list[str]
    cards: list[dict[str, Any]]  # in dealing order, with their places
    face_up: list[str]  # exposed cards that were set aside
    community: list[str]
    dealer: list[str]
    seats: dict[int, dict[str, Any]]
    meters: list[dict[str, Any]]
    steps: list[dict[str, Any]]  # the commands with their events
    first_sequence: int
    last_sequence: int
    positions: list[int]  # in the log, for proofs
    leaf: str  # of the last entry


def check_over(built: RebuiltRound) -> None:
    """Refuse to export a round in progress: its entries have cards that lie face down."""
    if not built.closed:
        raise BadInput(f"round {built.round} of {built.table} is in progress; export it afterwards")


def read_round_entries(ledger: Ledger, table_id: str, number: int) -> list[entry_codec.Recorded]:
    """The entries of a round, from its opening to its close or the end of the log."""
    stream = table_stream(table_id)
    entries: list[entry_codec.Recorded] = []
    first = opening_sequence(ledger, stream, number)
    following = _opening_sequence(ledger, stream, number + 1)
    until = following - 1 if following is not None else None  # without it, a page would be read
    for stored in ledger.store.read(stream, after=first - 1, until=until):
        recorded = entry_codec.decode_entry(stored)
        kinds = set(map(type, recorded.events))
        if ev.RoundOpened in kinds and entries:
            break
        entries.append(recorded)
        if ev.RoundClosed in kinds:
            break
    return entries


def round_opened(entries: list[entry_codec.Recorded]) -> ev.RoundOpened:
    """The event that opened a round, in its first entry."""
    return next(event for event in entries[0].events if isinstance(event, ev.RoundOpened))


def opening_sequence(ledger: Ledger, stream: str, number: int) -> int:
    """The sequence of the entry that opened a round; NotFound if it is not on record."""
    sequence = _opening_sequence(ledger, stream, number)
    if sequence is None:
        raise NotFound(f"{printable(stream)} has no round {number} on record")
    return sequence


def _opening_sequence(ledger: Ledger, stream: str, number: int) -> int | None:
    if abs(number) >= 2**62:  # an error of the database
        return None
    positions = ledger.store.find_positions(round_index.ROUND, stream=stream, number=number)
    return ledger.store.at(positions[0]).entry.sequence if positions else None


def rounds_in_period(
    ledger: Ledger, stream: str, period: Period
) -> Iterator[list[entry_codec.Recorded]]:
    """The entries of each round of a table that was opened within a period, in order."""
    openings = ledger.store.find_positions(
        round_index.ROUND, stream=stream, start=period.start, end=period.end
    )
    if not openings:
        return
    in_period, current = set(openings), list[entry_codec.Recorded]()
    first = ledger.store.at(openings[0]).entry.sequence
    for stored in ledger.store.read(stream, after=first - 1):
        recorded = entry_codec.decode_entry(stored)
        kinds = set(map(type, recorded.events))
        if ev.RoundOpened in kinds:
            if current:
                yield current
            if stored.position not in in_period:
                return  # opened after the period
            current = [recorded]
        elif current:
            current.append(recorded)
        if ev.RoundClosed in kinds and current:
            yield current
            current = []
            if stored.position > openings[-1]:
                return
    if current:
        yield current


def rebuild_round(ledger: Ledger, table_id: str, number: int) -> RebuiltRound:
    """Rebuild a round: cards in dealing order, wagers, decisions, settlement, people, times."""
    return rebuild_entries(table_id, read_round_entries(ledger, table_id, number), ledger.house)


def rebuild_entries(
    table_id: str, entries: list[entry_codec.Recorded], find_house: Callable[[str], House]
) -> RebuiltRound:
    """Rebuild a round from its entries; the House only names the game.

    While it is in progress, cards that lie face down are hidden, as from a camera.
    """
    opened = round_opened(entries)
    first, last = entries[0], entries[-1]
    over = any(isinstance(event, ev.RoundClosed) for event in last.events)
    built = RebuiltRound(
        table=table_id,
        round=opened.number,
        game=find_house(opened.house).game.key,
        house=opened.house,
        opened=utc_timestamp(first.at),
        closed=utc_timestamp(last.at) if over else "",
        void="",
        people=list(dict.fromkeys(str(entry.by) for entry in entries)),
        cards=[],
        face_up=[],
        community=[],
        dealer=[],
        seats={},
        meters=[],
        steps=[],
        first_sequence=first.sequence,
        last_sequence=last.sequence,
        positions=[entry.position for entry in entries],
        leaf=last.leaf.hex(),
    )
    state = Round(find_house(opened.house), opened.number, {})
    for entry in entries:
        events, command = entry.events, msgspec.to_builtins(entry.envelope.command)
        if not over:
            events = tuple(seen for event in events if (seen := redact(event, CAMERA)) is not None)
            if events != entry.events:
                command = {"kind": command["kind"]}  # it names the cards
        for event in events:
            _add_event(built, event)
            _track_cards(state, event)
        entered_by = entry.envelope.entered_by
        built.steps.append(
            {
                "sequence": entry.sequence,
                "position": entry.position,
                "id": entry.envelope.id,
                "time": utc_timestamp(entry.at),
                "by": str(entry.by),
                **({"entered_by": str(entered_by)} if entered_by else {}),
                "command": command,
                "events": msgspec.to_builtins(events),
            }
        )
    _add_cards(built, state)
    return built


def _track_cards(state: Round, event: Event) -> None:
    """Track where the cards are; a face-down card gets its face when it becomes known."""
    match event:
        case ev.WagersPlaced():
            state.boxes[event.seat] = Box(event.player, {})
        case ev.StreetShown():
            state.set_faces(COMMUNITY, cards_from_names(event.community))
        case _:
            state.see(event)


def _add_cards(built: RebuiltRound, state: Round) -> None:
    for card, place in zip(names(state.left_deck), state.drawn, strict=True):
        if place != ASIDE:
            label = f"seat {place}" if isinstance(place, int) else place
            built.cards.append({"card": card, "place": label})
    built.face_up, built.dealer = names(state.face_up), names(state.dealer)
    built.community = names(state.community)
    for number, seat in built.seats.items():
        seat["cards"] = names(state.boxes[number].cards)


def _add_event(built: RebuiltRound, event: Event) -> None:
    match event:
        case ev.WagersPlaced():
            if event.stakes:
                built.seats[event.seat] = _new_seat(event)
            else:
                built.seats.pop(event.seat, None)
        case ev.Decided():
            seat = built.seats[event.seat]
            seat["decisions"].append({"street": event.street, "word": event.word})
            if event.wager:
                seat["wagers"][event.wager] = event.stake
        case ev.HandAnnounced() if event.seat:
            built.seats[event.seat]["hand"] = event.hand
        case ev.WagerSettled():
            settled = msgspec.to_builtins(event)
            for name in ("kind", "schema", "seat"):
                settled.pop(name)
            seat = built.seats[event.seat]
            seat["settled"].append(settled)
            seat["net"] += event.returned - event.stake
        case ev.EnvyPaid():
            built.seats[event.seat]["envy"] += event.paid
            built.seats[event.seat]["net"] += event.paid
        case ev.MeterPaid():
            built.meters.append(
                {
                    "seat": event.seat,
                    "meter": event.meter,
                    "paid": event.paid,
                    "refill": event.refill,
                    "after": event.after,
                }
            )
        case ev.RoundVoided():
            built.void = f"{event.irregularity} [{event.clause}]"


def _new_seat(event: ev.WagersPlaced) -> dict[str, Any]:
    return {
        "player": event.player,
        "wagers": dict(event.stakes),
        "cards": [],
        "hand": "",
        "decisions": [],
        "settled": [],
        "envy": 0,
        "net": 0,
    }

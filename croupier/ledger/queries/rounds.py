"""Rounds on record: found, read, and rebuilt card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from croupier.cards import cards_from_names, names
from croupier.games import COMMUNITY, House
from croupier.ledger import entry_codec as ent
from croupier.ledger.errors import NotFound, shown
from croupier.ledger.ledger import Ledger, stream_of
from croupier.ledger.queries.periods import Period, stamp
from croupier.table import ASIDE, Box, Event, Round
from croupier.table import events as ev


class RebuiltRound(msgspec.Struct, kw_only=True):
    """One round, rebuilt from its entries alone."""

    table: str
    round: int
    game: str
    house: str
    opened: str
    closed: str  # "" while it is played
    void: str  # why, or ""
    people: list[str]
    cards: list[dict[str, Any]]  # in the order they left the deck, each with its place
    face_up: list[str]  # found face up and set aside
    community: list[str]
    dealer: list[str]
    seats: dict[int, dict[str, Any]]
    meters: list[dict[str, Any]]
    steps: list[dict[str, Any]]  # every command in its order, with what it led to
    first_sequence: int
    last_sequence: int
    positions: list[int]  # in the log: what a proof of this round is about
    leaf: str  # of the last entry


def read_round(ledger: Ledger, table_id: str, number: int) -> list[ent.Recorded]:
    """The entries of one round, from its opening to its close or to the end of the record."""
    stream = stream_of(table_id)
    found: list[ent.Recorded] = []
    for stored in ledger.store.read(stream, after=opening(ledger, stream, number) - 1):
        recorded = ent.read(stored)
        kinds = set(map(type, recorded.events))
        if ev.RoundOpened in kinds and found:
            break
        found.append(recorded)
        if ev.RoundClosed in kinds:
            break
    return found


def opening(ledger: Ledger, stream: str, number: int) -> int:
    """The sequence of the entry that opened a round."""
    known = abs(number) < 2**62  # what a database can be asked for
    found = ledger.store.find_positions(ent.ROUND, stream=stream, number=number) if known else []
    if not found:
        raise NotFound(f"{shown(stream)} has no round {number} on record")
    return ledger.store.at(found[0]).entry.sequence


def every_round(ledger: Ledger, stream: str, period: Period) -> Iterator[list[ent.Recorded]]:
    """The rounds of a table that were opened within a period, one after the other."""
    marked = ledger.store.find_positions(
        ent.ROUND, stream=stream, start=period.start, end=period.end
    )
    if not marked:
        return
    wanted, current = set(marked), list[ent.Recorded]()
    first = ledger.store.at(marked[0]).entry.sequence
    for stored in ledger.store.read(stream, after=first - 1):
        recorded = ent.read(stored)
        kinds = set(map(type, recorded.events))
        if ev.RoundOpened in kinds:
            if current:
                yield current
            if stored.position not in wanted:
                return  # it was opened after the period
            current = [recorded]
        elif current:
            current.append(recorded)
        if ev.RoundClosed in kinds and current:
            yield current
            current = []
            if stored.position > marked[-1]:
                return
    if current:
        yield current


def hand(ledger: Ledger, table_id: str, number: int) -> RebuiltRound:
    """Rebuild a round: every card in its order, wagers, decisions, settlement, people, times."""
    return rebuild(table_id, read_round(ledger, table_id, number), ledger.house)


def rebuild(
    table_id: str, recorded: list[ent.Recorded], find_house: Callable[[str], House]
) -> RebuiltRound:
    """A round from its entries; nothing else is asked but the House for the game's name."""
    opened = next(event for event in recorded[0].events if isinstance(event, ev.RoundOpened))
    first, last = recorded[0], recorded[-1]
    over = any(isinstance(event, ev.RoundClosed) for event in last.events)
    built = RebuiltRound(
        table=table_id,
        round=opened.number,
        game=find_house(opened.house).game.key,
        house=opened.house,
        opened=stamp(first.at),
        closed=stamp(last.at) if over else "",
        void="",
        people=list(dict.fromkeys(str(each.by) for each in recorded)),
        cards=[],
        face_up=[],
        community=[],
        dealer=[],
        seats={},
        meters=[],
        steps=[],
        first_sequence=first.sequence,
        last_sequence=last.sequence,
        positions=[each.position for each in recorded],
        leaf=last.leaf.hex(),
    )
    lying = Round(find_house(opened.house), opened.number, {})
    for each in recorded:
        for event in each.events:
            _add(built, event)
            _lay(lying, event)
        built.steps.append(
            {
                "sequence": each.sequence,
                "position": each.position,
                "id": each.envelope.id,
                "time": stamp(each.at),
                "by": str(each.by),
                **({"entered_by": str(typist)} if (typist := each.envelope.entered_by) else {}),
                "command": msgspec.to_builtins(each.envelope.command),
                "events": msgspec.to_builtins(each.events),
            }
        )
    _faces(built, lying)
    return built


def _lay(lying: Round, event: Event) -> None:
    """Follow where the cards lie; a face that nobody had seen is filled in when it is known."""
    match event:
        case ev.WagersPlaced():
            lying.boxes[event.seat] = Box(event.player, {})
        case ev.StreetShown():
            lying.name_faces(COMMUNITY, cards_from_names(event.community))
        case _:
            lying.see(event)


def _faces(built: RebuiltRound, lying: Round) -> None:
    for card, place in zip(names(lying.left_deck), lying.drawn, strict=True):
        if place != ASIDE:
            where = f"seat {place}" if isinstance(place, int) else place
            built.cards.append({"card": card, "place": where})
    built.face_up, built.dealer = names(lying.face_up), names(lying.dealer)
    built.community = names(lying.community)
    for number, seat in built.seats.items():
        seat["cards"] = names(lying.boxes[number].cards)


def _add(built: RebuiltRound, event: Event) -> None:
    match event:
        case ev.WagersPlaced():
            if event.stakes:
                built.seats[event.seat] = _seat(event)
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
            told = msgspec.to_builtins(event)
            for name in ("kind", "schema", "seat"):
                told.pop(name)
            seat = built.seats[event.seat]
            seat["settled"].append(told)
            seat["net"] += event.returned - event.stake
        case ev.EnvyPaid():
            built.seats[event.seat]["envy"] += event.paid
            built.seats[event.seat]["net"] += event.paid
        case ev.MeterPaid():
            told = {"seat": event.seat, "meter": event.meter, "paid": event.paid}
            built.meters.append({**told, "refill": event.refill, "after": event.after})
        case ev.RoundVoided():
            built.void = f"{event.irregularity} [{event.clause}]"


def _seat(event: ev.WagersPlaced) -> dict[str, Any]:
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

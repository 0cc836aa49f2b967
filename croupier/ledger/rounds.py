"""Rounds on record: found, read, and rebuilt card by card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa

from croupier.games import House
from croupier.ledger import codec, schema
from croupier.ledger.chain import Row
from croupier.ledger.errors import NotFound
from croupier.ledger.service import Ledger, stream_of
from croupier.table import events as ev
from croupier.table.events import Event


class Recorded(msgspec.Struct, frozen=True):
    """An event with where, when and by whom."""

    row: Row
    event: Event


class Hand(msgspec.Struct, kw_only=True):
    """One round, rebuilt from its events alone."""

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
    steps: list[dict[str, Any]]  # every event in its order
    first_sequence: int
    last_sequence: int
    hash: str  # of the last event: what a proof of this round rests on


def read_round(ledger: Ledger, table_id: str, number: int) -> list[Recorded]:
    """The events of one round, from its opening to its close or to the end of the record."""
    stream = stream_of(table_id)
    first = opening(ledger, stream, number)
    found: list[Recorded] = []
    for row in ledger.store.read(stream, after=first - 1):
        if row.kind == "round_opened" and found:
            break
        found.append(Recorded(row, codec.decode(row)))
        if row.kind == "round_closed":
            break
    return found


def opening(ledger: Ledger, stream: str, number: int) -> int:
    """The sequence of the event that opened a round; rounds are numbered without gaps."""
    columns = schema.event.c
    query = (
        sa.select(columns.sequence)
        .where(columns.stream == stream, columns.kind == "round_opened")
        .order_by(columns.sequence)
        .offset(max(number - 1, 0))
        .limit(1)
    )
    with ledger.store.reading() as connection:
        found: int | None = connection.execute(query).scalar() if number > 0 else None
    if found is None:
        raise NotFound(f"{stream} has no round {number} on record")
    return found


def every_round(
    ledger: Ledger, stream: str, *, since: str = "", until: str = ""
) -> Iterator[list[Recorded]]:
    """The rounds of a table that were opened within a time, one after the other."""
    current: list[Recorded] = []
    for row in ledger.store.read(stream, after=_first_since(ledger, stream, since) - 1):
        if row.kind == "round_opened":
            if current:
                yield current
            wanted = row.time >= since and (not until or row.time < until)
            current = [Recorded(row, codec.decode(row))] if wanted else []
        elif current:
            current.append(Recorded(row, codec.decode(row)))
            if row.kind == "round_closed":
                yield current
                current = []
    if current:
        yield current


def _first_since(ledger: Ledger, stream: str, since: str) -> int:
    columns = schema.event.c
    query = sa.select(sa.func.min(columns.sequence)).where(
        columns.stream == stream, columns.kind == "round_opened", columns.time >= since
    )
    with ledger.store.reading() as connection:
        return connection.execute(query).scalar() or 1


def hand(ledger: Ledger, table_id: str, number: int) -> Hand:
    """Rebuild a round: every card in its order, wagers, decisions, settlement, people, times."""
    recorded = read_round(ledger, table_id, number)
    return rebuild(table_id, recorded, ledger.house)


def rebuild(table_id: str, recorded: list[Recorded], find_house: Any) -> Hand:
    """A round from its events; nothing else is asked but the House for the game's name."""
    opened = recorded[0].event
    assert isinstance(opened, ev.RoundOpened)
    house: House = find_house(opened.house)
    rows = [each.row for each in recorded]
    built = Hand(
        table=table_id,
        round=opened.number,
        game=house.game.key,
        house=opened.house,
        opened=rows[0].time,
        closed=rows[-1].time if rows[-1].kind == "round_closed" else "",
        void="",
        people=list(dict.fromkeys(row.actor for row in rows)),
        cards=[],
        face_up=[],
        community=[],
        dealer=[],
        seats={},
        meters=[],
        steps=[],
        first_sequence=rows[0].sequence,
        last_sequence=rows[-1].sequence,
        hash=rows[-1].hash,
    )
    for each in recorded:
        _add(built, each.event)
        told = msgspec.to_builtins(each.event)
        row = each.row
        built.steps.append(
            {"sequence": row.sequence, "time": row.time, "actor": row.actor, "event": told}
        )
    return built


def _add(built: Hand, event: Event) -> None:
    match event:
        case ev.WagersPlaced():
            if event.stakes:
                built.seats[event.seat] = _seat(event)
            else:
                built.seats.pop(event.seat, None)
        case ev.CardsDealt():
            for card, place in zip(event.cards, event.places, strict=True):
                _deal(built, card, place)
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
        case ev.IrregularityNoted(irregularity="card_face_up"):
            built.face_up.append(str(event.detail["card"]))
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


def _deal(built: Hand, card: str, place: int | str) -> None:
    where = f"seat {place}" if isinstance(place, int) else place
    built.cards.append({"card": card, "place": where})
    if isinstance(place, int):
        built.seats[place]["cards"].append(card)
    elif place == "community":
        built.community.append(card)
    elif place == "dealer":
        built.dealer.append(card)

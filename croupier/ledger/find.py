"""Finding rounds: by table, seat, player, time, hand, wager, sum, void."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import msgspec

from croupier.ledger.chain import stamp
from croupier.ledger.errors import NotFound
from croupier.ledger.rounds import Recorded, every_round
from croupier.ledger.service import Ledger, stream_of
from croupier.money import Cents
from croupier.table import events as ev


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A round that answers, in a line."""

    table: str
    round: int
    time: str
    seats: tuple[int, ...]  # those that answer
    players: tuple[str, ...]
    hands: tuple[str, ...]
    staked: Cents
    returned: Cents  # envy included
    void: bool


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for; everything that is given must hold, for one and the same seat."""

    seat: int | None = None
    player: str = ""
    hand: str = ""
    wager: str = ""
    over: Cents | None = None  # paid to a seat in all, above this
    void: bool | None = None


def find(
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
) -> Iterator[Found]:
    """The rounds that answer, table by table in the order they were played."""
    tables = ledger.tables()
    if table and table not in tables:
        raise NotFound(f"no table {table!r} is on record; there are: {', '.join(tables)}")
    wanted = Wanted(seat=seat, player=player, hand=plain(hand), wager=wager, over=over, void=void)
    for table_id in [table] if table else tables:
        rounds = every_round(
            ledger,
            stream_of(table_id),
            since=stamp(since) if since else "",
            until=stamp(until) if until else "",
        )
        for recorded in rounds:
            if found := answer(table_id, recorded, wanted):
                yield found


class _Seat:
    def __init__(self, player: str) -> None:
        self.player = player
        self.wagers: set[str] = set()
        self.hands: list[str] = []
        self.staked = 0
        self.returned = 0


def answer(table_id: str, recorded: list[Recorded], wanted: Wanted) -> Found | None:
    """The round as a line, if it is wanted."""
    opened, void = recorded[0].event, False
    assert isinstance(opened, ev.RoundOpened)
    seats: dict[int, _Seat] = {}
    for each in recorded:
        event = each.event
        match event:
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
    if wanted.void is not None and wanted.void != void:
        return None
    chosen = {number: seat for number, seat in seats.items() if _wants(wanted, number, seat)}
    if not chosen:
        return None
    return Found(
        table=table_id,
        round=opened.number,
        time=recorded[0].row.time,
        seats=tuple(sorted(chosen)),
        players=tuple(chosen[number].player for number in sorted(chosen)),
        hands=tuple(hand for number in sorted(chosen) for hand in chosen[number].hands),
        staked=sum(seat.staked for seat in chosen.values()),
        returned=sum(seat.returned for seat in chosen.values()),
        void=void,
    )


def _wants(wanted: Wanted, number: int, seat: _Seat) -> bool:
    return (
        wanted.seat in (None, number)
        and wanted.player in ("", seat.player)
        and (not wanted.hand or any(wanted.hand in plain(hand) for hand in seat.hands))
        and (not wanted.wager or wanted.wager in seat.wagers)
        and (wanted.over is None or seat.returned > wanted.over)
    )


def plain(hand: str) -> str:
    """A hand's name however it is written: "Royal Flush", "royal_flush"."""
    return hand.strip().casefold().replace("_", " ")

"""What happened at a table within a time: the figures behind every report, from the events alone.

A period is a stretch of the stream: it starts with the first event at or after `since` and ends
before the first at or after `until`. Adjacent periods therefore share no event and miss none,
even where a clock was set back.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import sqlalchemy as sa

from croupier.games import House
from croupier.ledger import codec, schema
from croupier.ledger.accounts import Book
from croupier.ledger.chain import Row, stamp
from croupier.ledger.fold import Frozen
from croupier.ledger.service import Ledger, stream_of
from croupier.money import Cents
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life import events as life

MAIN_ROLES = ("ante", "matching", "decision")


class WagerTotals(msgspec.Struct, kw_only=True):
    """One wager under one House. A voided stake was never at risk and is not handle."""

    house: str
    wager: str
    settled: int = 0
    handle: Cents = 0
    returned: Cents = 0
    won: int = 0
    pushed: int = 0
    lost: int = 0
    voided: Cents = 0
    withheld: Cents = 0
    stake_squares: int = 0

    @property
    def win(self) -> Cents:
        """What the house won."""
        return self.handle - self.returned


class MainTotals(msgspec.Struct, kw_only=True):
    """The compulsory and decision wagers of a House together, box by box: one bet with choices."""

    house: str
    boxes: int = 0
    antes: Cents = 0
    handle: Cents = 0
    win: Cents = 0
    win_squares: int = 0


class PlayerTotals(msgspec.Struct, kw_only=True):
    """A player's game account."""

    player: str
    deposits: Cents = 0
    winnings: Cents = 0
    losses: Cents = 0
    withdrawals: Cents = 0


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """An event kept for a register, with its round, time and actor."""

    table: str
    sequence: int
    round: int
    time: str
    actor: str
    kind: str
    event: dict[str, Any]


class Activity(msgspec.Struct, kw_only=True):
    """The figures of one table within a time."""

    table: str
    first: int  # sequences, the last one exclusive
    last: int
    opening: dict[str, int | str]  # balances before
    closing: dict[str, int | str]  # and after
    brought: Cents = 0  # inventory at openings
    taken: Cents = 0  # inventory counted at closings
    collected_before: Cents = 0  # progressive stakes in the tray whose round was not settled yet
    collected_after: Cents = 0
    rounds: int = 0
    voids: int = 0
    envy: Cents = 0
    wagers: dict[tuple[str, str], WagerTotals] = {}
    mains: dict[str, MainTotals] = {}
    players: dict[str, PlayerTotals] = {}
    noted: list[Noted] = []
    open_round: int = 0  # the round in progress at the end, or 0

    @property
    def empty(self) -> bool:
        """Whether nothing happened at all."""
        return self.first >= self.last

    def moved(self, account: str) -> Fraction:
        """By how much an account changed."""
        return Fraction(self.closing.get(account, 0)) - Fraction(self.opening.get(account, 0))


def collect(
    ledger: Ledger,
    table_id: str,
    *,
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    note: Callable[[Event], bool] = lambda event: False,
) -> Activity:
    """Go through a table's events once; `note` picks those that a register lists."""
    stream = stream_of(table_id)
    first = boundary(ledger, stream, since) if since else 1
    last = boundary(ledger, stream, until) if until else ledger.store.tip(stream)[0] + 1
    return _Collector(ledger, table_id, first, last, note).run()


def boundary(ledger: Ledger, stream: str, at: dt.datetime) -> int:
    """The sequence of the first event at or after a moment; one past the end if there is none."""
    columns = schema.event.c
    query = sa.select(sa.func.min(columns.sequence)).where(
        columns.stream == stream, columns.time >= stamp(at)
    )
    with ledger.store.reading() as connection:
        found: int | None = connection.execute(query).scalar()
    return found if found is not None else ledger.store.tip(stream)[0] + 1


class _Collector:
    def __init__(
        self,
        ledger: Ledger,
        table_id: str,
        first: int,
        last: int,
        note: Callable[[Event], bool],
    ) -> None:
        self.ledger, self.note = ledger, note
        self.stream = stream_of(table_id)
        self.found = Activity(table=table_id, first=first, last=last, opening={}, closing={})
        self.found.wagers, self.found.mains, self.found.players = {}, {}, {}
        self.found.noted = []
        self.book = Book()
        self.house: House | None = None
        self.round = 0
        self.open = False
        self.nets: dict[int, list[int]] = {}  # by seat: ante, handle and win of the main game

    def run(self) -> Activity:
        """From the nearest snapshot, through the stretch before the period, to its end."""
        found, after = self.found, 0
        kept = self.ledger.store.latest_snapshot(self.stream, until=found.first - 1)
        if kept is not None:
            frozen = msgspec.json.decode(kept[2], type=Frozen)
            after, self.round = kept[0], frozen.rounds
            self.book = Book(frozen.balances)
            self.book.buys_in = frozen.bound.variety == "life"
            self.book.linked = bool(frozen.bound.group)
            self.house = self.ledger.house(frozen.bound.house)
        opened = False
        for row in self.ledger.store.read(self.stream, after=after, until=found.last - 1):
            if not opened and row.sequence >= found.first:
                opened, found.opening = True, self.book.export()
                found.collected_before = self._collected()
            event = codec.decode(row)
            self._follow(event)
            if opened:
                self._count(row, event)
            self.book.post(event)
        found.closing = self.book.export()
        found.collected_after = self._collected()
        if not opened:
            found.opening, found.collected_before = found.closing, found.collected_after
        found.open_round = self.round if self.open else 0
        return found

    def _collected(self) -> Cents:
        boxes = self.book.boxes.values()
        return sum(box.stakes.get("progressive", 0) for box in boxes if box.collected)

    def _follow(self, event: Event) -> None:
        match event:
            case ev.RoundOpened():
                self.round, self.open, self.nets = event.number, True, {}
                self.house = self.ledger.house(event.house)
            case ev.RoundClosed():
                self.open = False

    def _count(self, row: Row, event: Event) -> None:
        found = self.found
        match event:
            case ev.WagerSettled():
                self._settled(event)
            case ev.EnvyPaid():
                found.envy += event.paid
                self._player(self.book.boxes[event.seat].player).winnings += event.paid
            case ev.RoundVoided():
                found.voids += 1
            case ev.RoundClosed():
                found.rounds += 1
                self._close_main()
            case life.TableOpened():
                found.brought += event.inventory
            case life.TableClosed():
                found.taken += event.inventory
            case life.BoughtIn() | life.ChipsAdded():
                self._player(event.player).deposits += event.chips
            case life.CashedOut() | life.Left() | life.LeftDuringRound():
                self._player(event.player).withdrawals += event.chips
            case life.PaidByCheck() | life.UnclaimedHeld():
                self._player(event.player).withdrawals += event.amount
        if self.note(event):
            found.noted.append(
                Noted(
                    table=found.table,
                    sequence=row.sequence,
                    round=self.round if self.open or isinstance(event, ev.RoundClosed) else 0,
                    time=row.time,
                    actor=row.actor,
                    kind=row.kind,
                    event=msgspec.to_builtins(event),
                )
            )

    def _settled(self, event: ev.WagerSettled) -> None:
        house = self.house
        assert house is not None
        key = (house.digest, event.wager)
        totals = self.found.wagers.get(key)
        if totals is None:
            totals = WagerTotals(house=house.digest, wager=event.wager)
            self.found.wagers[key] = totals
        if event.outcome == "void":
            totals.voided += event.stake
            return
        totals.settled += 1
        totals.handle += event.stake
        totals.returned += event.returned
        totals.withheld += event.withheld
        totals.stake_squares += event.stake**2
        totals.won += event.outcome == "win"
        totals.pushed += event.outcome == "push"
        totals.lost += event.outcome == "lose"
        player = self._player(self.book.boxes[event.seat].player)
        gain = event.returned - event.stake
        player.winnings += max(gain, 0)
        player.losses += max(-gain, 0)
        wager = house.game.wager(event.wager)
        if wager is not None and wager.role in MAIN_ROLES:
            net = self.nets.setdefault(event.seat, [0, 0, 0])
            net[0] += event.stake if wager.role == "ante" else 0
            net[1] += event.stake
            net[2] -= gain

    def _close_main(self) -> None:
        assert self.house is not None
        digest = self.house.digest
        for ante, handle, win in self.nets.values():
            totals = self.found.mains.setdefault(digest, MainTotals(house=digest))
            totals.boxes += 1
            totals.antes += ante
            totals.handle += handle
            totals.win += win
            totals.win_squares += win**2
        self.nets = {}

    def _player(self, name: str) -> PlayerTotals:
        return self.found.players.setdefault(name, PlayerTotals(player=name))

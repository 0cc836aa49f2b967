"""What happened at a table within a period: the figures behind every report, from events alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import Period, utc_timestamp
from croupier.money import Cents
from croupier.table import Event, Table, kind_of
from croupier.table import events as ev
from croupier.table.parts.payouts import Payout, needs_document, payout_of

MAIN_ROLES = ("ante", "matching", "decision")
COUNTED = ("tray", "credits", "drop", "fills", "checks")  # the win by inventory is their change


class WagerActivity(msgspec.Struct, kw_only=True):
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
    stakes: dict[Cents, int] = {}  # how often each was settled

    @property
    def stake_squares(self) -> int:
        """What the variance of the win is proportional to."""
        return sum(times * stake**2 for stake, times in self.stakes.items())

    @property
    def win(self) -> Cents:
        """What the house won."""
        return self.handle - self.returned


class MainWagerActivity(msgspec.Struct, kw_only=True):
    """The compulsory and decision wagers of a House together, box by box: one bet with choices."""

    house: str
    boxes: int = 0
    antes: Cents = 0
    handle: Cents = 0
    win: Cents = 0
    win_squares: int = 0


class PlayerActivity(msgspec.Struct, kw_only=True):
    """A player's game account."""

    player: str
    deposits: Cents = 0
    winnings: Cents = 0
    losses: Cents = 0
    withdrawals: Cents = 0


class RegisterEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event kept for a register, with its round, time and actor."""

    table: str
    sequence: int
    round: int
    time: str
    actor: str
    kind: str
    event: dict[str, Any]


class TaxEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A payout that is reported to the tax authority."""

    table: str
    round: int
    time: str
    payout: Payout
    pays: str


class Activity(msgspec.Struct, kw_only=True):
    """The figures of one table within a period."""

    table: str
    entries: int = 0
    opening: dict[str, int | str] = {}  # balances before
    closing: dict[str, int | str] = {}  # and after
    brought: Cents = 0  # inventory at openings
    taken: Cents = 0  # inventory counted at closings
    collected_before: Cents = 0  # progressive stakes in the tray whose round was not settled yet
    collected_after: Cents = 0
    rounds: int = 0
    voids: int = 0
    envy: Cents = 0
    corrected: Cents = 0  # what corrections brought into the accounts that a win is counted by
    wagers: dict[tuple[str, str], WagerActivity] = {}
    mains: dict[str, MainWagerActivity] = {}
    players: dict[str, PlayerActivity] = {}
    noted: list[RegisterEvent] = []
    taxed: list[TaxEvent] = []
    open_round: int = 0  # the round in progress at the end, or 0
    house: str = ""  # at the end
    group: str = ""

    @property
    def empty(self) -> bool:
        """Whether nothing happened at all."""
        return not self.entries

    def moved(self, account: str) -> Fraction:
        """By how much an account changed."""
        return Fraction(self.closing.get(account, 0)) - Fraction(self.opening.get(account, 0))


def collect_activity(
    ledger: Ledger,
    table_id: str,
    period: Period,
    *,
    note: Callable[[Event], bool] = lambda event: False,
) -> Activity:
    """Go through a table's entries once; `note` picks the events that a register lists."""
    stream = table_stream(table_id)
    table, sequence, _ = aggregate_types.recover(
        ledger.store, stream, ledger.house, size=period.start
    )
    assert isinstance(table, Table)
    collector = _Collector(table_id, table, note)
    for stored in ledger.store.read(stream, after=sequence, size=period.end):
        collector.take(ent.decode_entry(stored))
    return collector.finish()


class _Collector:
    def __init__(self, table_id: str, table: Table, note: Callable[[Event], bool]) -> None:
        self.table, self.note = table, note
        self.found = Activity(table=table_id, opening=table.book.export())
        self.found.collected_before = self._collected()
        self.round = 0
        self.nets: dict[int, list[int]] = {}  # by seat: ante, handle and win of the main game

    def take(self, recorded: ent.Recorded) -> None:
        """One command and what came of it."""
        self.found.entries += 1
        current = self.table.open_round
        self.round = current.number if current is not None else 0
        for event in recorded.events:
            if type(event) is ev.RoundOpened:
                self.round = event.number
            self._count(recorded, event)
            aggregate_types.apply_recorded(self.table, msgspec.structs.replace(recorded, events=(event,)))
        if self.nets:
            self._close_main()

    def finish(self) -> Activity:
        """The state at the end."""
        found, table = self.found, self.table
        found.closing = table.book.export()
        found.collected_after = self._collected()
        found.open_round = table.open_round.number if table.open_round is not None else 0
        if table.bound is not None:
            found.house, found.group = table.bound.house, table.bound.group
        return found

    def _collected(self) -> Cents:
        boxes = self.table.book.boxes.values()
        return sum(box.stakes.get("progressive", 0) for box in boxes if box.collected)

    def _count(self, recorded: ent.Recorded, event: Event) -> None:
        found = self.found
        match event:
            case ev.WagerSettled():
                self._settled(event)
                self._tax(recorded, event, event.pays)
            case ev.EnvyPaid():
                found.envy += event.paid
                self._player(self._owner(event.seat)).winnings += event.paid
                self._tax(recorded, event, f"envy of {event.hand}")
            case ev.RoundVoided():
                found.voids += 1
            case ev.RoundClosed():
                found.rounds += 1
            case ev.CorrectionMade():
                into = (event.target in COUNTED) - (event.source in COUNTED)
                found.corrected += event.amount * into
            case ev.TableOpened():
                found.brought += event.inventory
            case ev.TableClosed():
                found.taken += event.inventory
            case ev.BoughtIn() | ev.ChipsAdded():
                self._player(event.player).deposits += event.chips
            case ev.CashedOut() | ev.Left() | ev.LeftDuringRound() | ev.Tipped():
                self._player(event.player).withdrawals += event.chips
            case ev.PaidByCheck() | ev.UnclaimedHeld():
                self._player(event.player).withdrawals += event.amount
        if self.note(event):
            found.noted.append(
                RegisterEvent(
                    table=found.table,
                    sequence=recorded.sequence,
                    round=self.round,
                    time=utc_timestamp(recorded.at),
                    actor=str(recorded.by),
                    kind=kind_of(event),
                    event=msgspec.to_builtins(event),
                )
            )

    def _tax(self, recorded: ent.Recorded, event: Event, pays: str) -> None:
        """The rule that the table asks for documents by, asked again."""
        current = self.table.round
        payout = payout_of(event, current.boxes) if current is not None else None
        if payout is not None and needs_document(payout, self.table.gaming_day(recorded.at)):
            self.found.taxed.append(
                TaxEvent(
                    table=self.found.table,
                    round=self.round,
                    time=utc_timestamp(recorded.at),
                    payout=payout,
                    pays=pays,
                )
            )

    def _settled(self, event: ev.WagerSettled) -> None:
        table = self.table
        assert table.bound is not None
        digest = table.bound.house
        key = (digest, event.wager)
        totals = self.found.wagers.get(key)
        if totals is None:
            totals = self.found.wagers[key] = WagerActivity(house=digest, wager=event.wager)
        if event.outcome == "void":
            totals.voided += event.stake
            return
        totals.settled += 1
        totals.handle += event.stake
        totals.returned += event.returned
        totals.withheld += event.withheld
        totals.stakes[event.stake] = totals.stakes.get(event.stake, 0) + 1
        totals.won += event.outcome == "win"
        totals.pushed += event.outcome == "push"
        totals.lost += event.outcome == "lose"
        player = self._player(self._owner(event.seat))
        gain = event.returned - event.stake
        player.winnings += max(gain, 0)
        player.losses += max(-gain, 0)
        wager = table.house.game.wager(event.wager)
        if wager is not None and wager.role in MAIN_ROLES:
            net = self.nets.setdefault(event.seat, [0, 0, 0])
            net[0] += event.stake if wager.role == "ante" else 0
            net[1] += event.stake
            net[2] -= gain

    def _close_main(self) -> None:
        """All stakes of a round are resolved by one command."""
        assert self.table.bound is not None
        digest = self.table.bound.house
        for ante, handle, win in self.nets.values():
            totals = self.found.mains.setdefault(digest, MainWagerActivity(house=digest))
            totals.boxes += 1
            totals.antes += ante
            totals.handle += handle
            totals.win += win
            totals.win_squares += win**2
        self.nets = {}

    def _owner(self, seat: int) -> str:
        current = self.table.round
        assert current is not None, "a settlement outside of a round"
        return current.boxes[seat].player

    def _player(self, name: str) -> PlayerActivity:
        return self.found.players.setdefault(name, PlayerActivity(player=name))

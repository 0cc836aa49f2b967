"""Activity of a table within a period: the figures behind every report, from events alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from croupier.ledger import entry_codec, round_index
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.ledger import Ledger, table_stream
from croupier.ledger.queries.periods import Period, utc_timestamp
from croupier.money import Cents
from croupier.table import Event, Payout, Table, is_taxable, kind_of, payout_of
from croupier.table import events as ev

MAIN_ROLES = ("ante", "matching", "decision")
COUNTED = (
    "tray",
    "credits",
    "drop",
    "fills",
    "checks",
)  # accounts whose change is the win by inventory


class WagerActivity(msgspec.Struct, kw_only=True):
    """Totals of one wager under one House. A voided stake is not handle."""

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
    stakes: dict[Cents, int] = {}  # stake: times settled

    @property
    def stake_squares(self) -> int:
        """Sum of squared stakes, to which the variance of the win is proportional."""
        return sum(times * stake**2 for stake, times in self.stakes.items())

    @property
    def win(self) -> Cents:
        """The win of the house."""
        return self.handle - self.returned


class MainWagerActivity(msgspec.Struct, kw_only=True):
    """Totals of the compulsory and decision wagers of a House, taken together box by box."""

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
    """An event listed in a register, with its round, time and actor."""

    table: str
    sequence: int
    round: int
    time: str
    actor: str
    kind: str
    event: dict[str, Any]


class TaxEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A payout reported to the tax authority."""

    table: str
    round: int
    time: str
    payout: Payout
    pays: str


class Activity(msgspec.Struct, kw_only=True):
    """The figures of one table within a period."""

    table: str
    entries: int = 0
    opening: dict[str, int | str] = {}  # balances before the period
    closing: dict[str, int | str] = {}  # and after it
    brought: Cents = 0  # inventory at table openings
    taken: Cents = 0  # inventory at table closings
    collected_before: Cents = 0  # stakes in the tray of unsettled rounds
    collected_after: Cents = 0
    rounds: int = 0
    voids: int = 0
    envy: Cents = 0
    corrected: Cents = 0  # net change of the COUNTED accounts by corrections
    wagers: dict[tuple[str, str], WagerActivity] = {}
    mains: dict[str, MainWagerActivity] = {}
    players: dict[str, PlayerActivity] = {}
    noted: list[RegisterEvent] = []
    noted_before: list[RegisterEvent] = []  # of the round in progress when the period began
    taxed: list[TaxEvent] = []
    open_round: int = 0  # the round in progress at the end, or 0
    house: str = ""  # at the end
    group: str = ""

    @property
    def empty(self) -> bool:
        """Whether the period has no entries."""
        return not self.entries

    def moved(self, account: str) -> Fraction:
        """The change of an account's balance."""
        return Fraction(self.closing.get(account, 0)) - Fraction(self.opening.get(account, 0))


def collect_activity(
    ledger: Ledger,
    table_id: str,
    period: Period,
    *,
    note: Callable[[Event], bool] = lambda event: False,
) -> Activity:
    """Collect the activity of a table; `note` selects the events that a register lists."""
    stream = table_stream(table_id)
    table, sequence, _ = aggregate_types.recover(
        ledger.store, stream, ledger.house, size=period.start
    )
    assert isinstance(table, Table)
    collector = _Collector(table_id, table, note)
    if table.open_round is not None:
        number = table.open_round.number
        *_, opened = ledger.store.find_positions(
            round_index.ROUND, stream=stream, number=number, end=period.start
        )
        first = ledger.store.at(opened).entry.sequence
        for stored in ledger.store.read(stream, after=first - 1, until=sequence):
            collector.note_before(entry_codec.decode_entry(stored), number)
    for stored in ledger.store.read(stream, after=sequence, size=period.end):
        collector.add(entry_codec.decode_entry(stored))
    return collector.finish()


class _Collector:
    def __init__(self, table_id: str, table: Table, note: Callable[[Event], bool]) -> None:
        self.table, self.note = table, note
        self.activity = Activity(table=table_id, opening=table.book.export())
        self.activity.collected_before = self._collected()
        self.round = 0
        self.nets: dict[int, list[int]] = {}  # by seat: ante, handle and win of the main game

    def add(self, recorded: entry_codec.Recorded) -> None:
        """Add one entry."""
        self.activity.entries += 1
        current = self.table.open_round
        self.round = current.number if current is not None else 0
        for event in recorded.events:
            if type(event) is ev.RoundOpened:
                self.round = event.number
            self._count(recorded, event)
            aggregate_types.apply_recorded(
                self.table, msgspec.structs.replace(recorded, events=(event,))
            )
        if self.nets:
            self._add_main_wagers()

    def note_before(self, recorded: entry_codec.Recorded, round: int) -> None:
        """Keep the selected events of an entry before the period."""
        events = [event for event in recorded.events if self.note(event)]
        self.activity.noted_before += [self._registered(recorded, e, round) for e in events]

    def finish(self) -> Activity:
        """Complete the activity with the state at the end."""
        activity, table = self.activity, self.table
        activity.closing = table.book.export()
        activity.collected_after = self._collected()
        activity.open_round = table.open_round.number if table.open_round is not None else 0
        if table.bound is not None:
            activity.house, activity.group = table.bound.house, table.bound.group
        return activity

    def _collected(self) -> Cents:
        boxes = self.table.book.boxes.values()
        return sum(box.stakes.get(wager, 0) for box in boxes for wager in box.collected)

    def _count(self, recorded: entry_codec.Recorded, event: Event) -> None:
        activity = self.activity
        match event:
            case ev.WagerSettled():
                self._add_settled(event)
                self._add_taxed(recorded, event, event.pays)
            case ev.EnvyPaid():
                activity.envy += event.paid
                self._player(self._owner(event.seat)).winnings += event.paid
                self._add_taxed(recorded, event, f"envy of {event.hand}")
            case ev.RoundVoided():
                activity.voids += 1
            case ev.RoundClosed():
                activity.rounds += 1
            case ev.CorrectionMade():
                sign = (event.target in COUNTED) - (event.source in COUNTED)
                activity.corrected += event.amount * sign
            case ev.TableOpened():
                activity.brought += event.inventory
            case ev.TableClosed():
                activity.taken += event.inventory
            case ev.BoughtIn() | ev.ChipsAdded():
                self._player(event.player).deposits += event.chips
            case ev.CashedOut() | ev.Left() | ev.LeftDuringRound() | ev.Tipped():
                self._player(event.player).withdrawals += event.chips
            case ev.PaidByCheck() | ev.UnclaimedHeld():
                self._player(event.player).withdrawals += event.amount
        if self.note(event):
            activity.noted.append(self._registered(recorded, event, self.round))

    def _registered(
        self, recorded: entry_codec.Recorded, event: Event, round: int
    ) -> RegisterEvent:
        return RegisterEvent(
            table=self.activity.table,
            sequence=recorded.sequence,
            round=round,
            time=utc_timestamp(recorded.at),
            actor=str(recorded.by),
            kind=kind_of(event),
            event=msgspec.to_builtins(event),
        )

    def _add_taxed(self, recorded: entry_codec.Recorded, event: Event, pays: str) -> None:
        """Apply the same rule by which the table asks for tax documents."""
        current = self.table.round
        payout = payout_of(event, current.boxes) if current is not None else None
        if payout is not None and is_taxable(payout, self.table.gaming_day(recorded.at)):
            self.activity.taxed.append(
                TaxEvent(
                    table=self.activity.table,
                    round=self.round,
                    time=utc_timestamp(recorded.at),
                    payout=payout,
                    pays=pays,
                )
            )

    def _add_settled(self, event: ev.WagerSettled) -> None:
        table = self.table
        assert table.bound is not None
        digest = table.bound.house
        key = (digest, event.wager)
        totals = self.activity.wagers.get(key)
        if totals is None:
            totals = self.activity.wagers[key] = WagerActivity(house=digest, wager=event.wager)
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

    def _add_main_wagers(self) -> None:
        """Total the main wagers of a round; one command settles all of them."""
        assert self.table.bound is not None
        digest = self.table.bound.house
        for ante, handle, win in self.nets.values():
            totals = self.activity.mains.setdefault(digest, MainWagerActivity(house=digest))
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
        return self.activity.players.setdefault(name, PlayerActivity(player=name))

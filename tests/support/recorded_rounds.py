"""Random rounds at recorded tables, and long ledgers generated quickly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from croupier import submission
from croupier.cards import DECK, names
from croupier.games import House
from croupier.ledger import Ledger, RecordedTable, entry_codec, round_index
from croupier.ledger.log import Entry, IndexTerm, Snapshot
from croupier.ledger.snapshot_policy import SNAPSHOT_EVERY
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.table_snapshot import SCHEMA
from tests.support.rounds import Play

AT = 1_767_614_400_000  # 2026-01-05T12:00:00Z
ANN = Account("ann", "system")  # a program that acts for everybody at tables without staff
MAX, MIA = Account("max", "pit_manager"), Account("mia", "pit_manager")
BOB, CLEO = Account("bob", "cage"), Account("cleo", "cage")
SYSTEM = Account("system", "system")

Do = Callable[[Command], Sequence[Event]]


class RecordedTableDriver:
    """Adapter that lets `Play` drive a recorded table as one account at one time."""

    def __init__(self, recorded: RecordedTable, by: Account = ANN, at: int | None = None) -> None:
        self.recorded, self.by, self.at = recorded, by, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self.recorded.table, name)

    def do(self, command: Command) -> Sequence[Event]:
        """Execute a command durably."""
        return self.recorded.do(command, self.by, self.at)


def play_round(
    recorded: RecordedTable, seats: Any, at: int | None = None, by: Account = ANN, **cards: Any
) -> Play:
    """A round at a recorded table, dealt from a stacked deck."""
    driver: Any = RecordedTableDriver(recorded, by, at)
    return Play(recorded.table.house, seats, table=driver, **cards)


def random_round(
    table: Table | RecordedTable,
    rng: random.Random,
    do: Do | None = None,
    *,
    seats: int = 2,
    stop_after: int = 10_000,
    trouble: float = 0.1,
) -> list[Sequence[Event]]:
    """Play one random round, with a void by probability `trouble`; the events of each command."""
    state = table.table if isinstance(table, RecordedTable) else table
    do = do or (lambda command: table.do(command, ANN))
    house, deck = state.house, names(rng.sample(DECK, len(DECK)))
    done: list[Sequence[Event]] = []

    def step(command: Command) -> None:
        done.append(do(command))

    for seat in sorted(rng.sample(range(1, 7), seats)):
        step(cmd.PlaceWagers(seat, random_stakes(house, rng), f"player {seat}"))
    step(cmd.NoMoreBets())
    voided = rng.random() < trouble
    while (due := state.due()).kind not in ("wagers", "closed") and len(done) < stop_after:
        current = state.open_round
        assert current is not None
        match due.kind:
            case "deal":
                step(cmd.DealCards(tuple(deck.pop() for _ in range(due.cards))))
            case "show" if voided and not current.void:
                step(cmd.FindWrongNumber(f"seat {next(iter(current.boxes))}"))
            case "show":
                step(cmd.ShowStreet())
            case "decide":
                step(cmd.Decide(due.seat, rng.choice(state.options()).word))
            case "settle":
                step(cmd.Settle())
    return done


def random_stakes(house: House, rng: random.Random) -> dict[str, int]:
    """The compulsory wagers and random others, within the limits."""
    minimum = house.limits[house.game.ante.name].minimum
    amount = minimum * rng.randint(1, 3)
    stakes = {w.name: amount for w in house.game.wagers if w.role in ("ante", "matching")}
    for wager in house.game.wagers:
        if not house.offers(wager.name) or rng.random() < 0.4:
            continue
        if wager.role == "progressive":
            assert house.progressive is not None
            stakes[wager.name] = house.progressive.stake
        elif wager.role == "optional":
            stakes[wager.name] = house.limits[wager.name].minimum
    if "six_card_bonus" in stakes and "trips" not in stakes:
        del stakes["six_card_bonus"]
    return stakes


def example_house(game: str = "ultimate_texas_holdem") -> House:
    """The House of a game's example submission."""
    return submission.example(game)


def fill_table(
    ledger: Ledger,
    table_id: str,
    house: House,
    count: int,
    *,
    distinct: int = 300,
    seats: int = 3,
) -> int:
    """Append `count` rounds to a new table, with its snapshots; returns the entries written.

    `distinct` rounds are played once and repeated under new numbers.
    """
    opened = ledger.open_table(table_id, house, by=SYSTEM, at=AT)
    table, stream, sequence = opened.table, opened.stream, opened.sequence
    pattern = _distinct_rounds(ledger.house(house.digest), distinct, seats)
    snapshot_sequence = 0
    entries: list[Entry] = []
    index_terms: list[IndexTerm] = []
    snapshots: list[Snapshot] = []
    for number in range(1, count + 1):
        if sequence - snapshot_sequence >= SNAPSHOT_EVERY:
            snapshots.append(Snapshot(stream, sequence, SCHEMA, table.to_snapshot()))
            snapshot_sequence = sequence
        for index, (command, template) in enumerate(pattern[number % distinct]):
            sequence += 1
            events = tuple(_renumber(template, number))
            envelope = Envelope(f"{number}.{index}", ANN, AT, command)
            entries.append(entry_codec.encode_entry(stream, sequence, envelope, events))
            index_terms += round_index.index_terms(stream, sequence, ANN, events)
            for event in events:
                table.evolve(event)
            if snapshots and not index:  # a snapshot is written with the next command
                ledger.store.append(entries, index_terms=index_terms, snapshots=snapshots)
                entries, index_terms, snapshots = [], [], []
        if len(entries) > 10_000 or number == count:
            ledger.store.append(entries, index_terms=index_terms)
            entries, index_terms = [], []
    return sequence


Pattern = list[tuple[Command, tuple[Event, ...]]]


def _distinct_rounds(house: House, count: int, seats: int) -> list[Pattern]:
    table, rng = Table(house), random.Random(7)
    rounds: list[Pattern] = []
    while len(rounds) < count:
        played: Pattern = []

        def do(command: Command, played: Pattern = played) -> Sequence[Event]:
            events = table.do(command, ANN, AT)
            played.append((command, events))
            return events

        random_round(table, rng, do, seats=seats)
        events = [event for _, result in played for event in result]
        # These events state the values of meters, which differ when the round is repeated.
        if not any(isinstance(event, ev.MeterPaid | ev.RoundVoided) for event in events):
            rounds.append(played)
    return rounds


def _renumber(events: Sequence[Event], number: int) -> Iterator[Event]:
    for event in events:
        if isinstance(event, ev.RoundOpened):
            event = msgspec.structs.replace(event, number=number)
        yield event

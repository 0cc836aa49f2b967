"""Rounds for the record: random ones at any table, and long records made quickly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import msgspec
from croupier.ledger.chain import GENESIS, Row
from croupier.ledger.fold import Fold
from croupier.ledger.logged import SNAPSHOT_EVERY

from croupier import submission
from croupier.cards import DECK
from croupier.games import House
from croupier.games.returns import stake_of
from croupier.ledger import Ledger, codec
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.round import Due, Round
from croupier.table.table import Table

TIME = "2026-01-05T12:00:00.000000Z"
ACTOR = "dealer ann"


class AnyTable(Protocol):
    """What both a plain and a logged table offer."""

    @property
    def house(self) -> House: ...
    @property
    def round(self) -> Round | None: ...
    def due(self) -> Due: ...


Do = Callable[[cmd.Command], Sequence[Event]]


def random_round(
    table: Any,
    rng: random.Random,
    do: Do | None = None,
    *,
    seats: int = 2,
    stop_after: int = 10_000,
) -> list[list[Event]]:
    """One random round, wagers, decisions, now and then a void; the events of each command."""
    do = do or table.do
    house: House = table.house
    deck = list(DECK)
    rng.shuffle(deck)
    commands: list[list[Event]] = []

    def step(command: cmd.Command) -> None:
        commands.append(list(do(command)))

    for seat in sorted(rng.sample(range(1, 7), seats)):
        step(cmd.PlaceWagers(seat, random_stakes(house, rng), f"player {seat}"))
    step(cmd.NoMoreBets())
    trouble = rng.random() < 0.1
    while (due := table.due()).kind not in ("wagers", "closed") and len(commands) < stop_after:
        match due.kind:
            case "deal":
                step(cmd.DealCards(tuple(deck.pop() for _ in range(due.cards))))
            case "show" if trouble and not table.round.void:
                step(cmd.FindWrongNumber("seat " + str(next(iter(table.round.boxes)))))
            case "show":
                step(cmd.ShowStreet())
            case "decide":
                street = table.round.street
                step(cmd.Decide(due.seat, rng.choice(street.options).word))
            case "settle":
                step(cmd.Settle())
    return commands


def random_stakes(house: House, rng: random.Random) -> dict[str, int]:
    """The compulsory wagers and some others, within the limits."""
    ante = house.game.ante.name
    least = house.limits[ante].minimum
    amount = least * rng.randint(1, 3)
    stakes = {w.name: amount for w in house.game.wagers if w.role in ("ante", "matching")}
    for wager in house.game.wagers:
        if not house.offers(wager.name) or rng.random() < 0.4:
            continue
        if wager.role == "progressive":
            stakes[wager.name] = stake_of(house, "progressive")
        elif wager.role == "optional":
            stakes[wager.name] = house.limits[wager.name].minimum
    if "six_card_bonus" in stakes and "trips" not in stakes:
        del stakes["six_card_bonus"]
    return stakes


def example(game: str = "ultimate_texas_holdem") -> House:
    """The House of a game's example submission."""
    return submission.example(game)


def fill(
    ledger: Ledger,
    table_id: str,
    house: House,
    count: int,
    *,
    distinct: int = 300,
    seats: int = 3,
) -> int:
    """Append so many rounds to a new table, with its snapshots; returns the events written.

    Distinct rounds are played once and repeated under new numbers.
    """
    table = ledger.open_table(table_id, house)
    fold = Fold(ledger.house)
    for row in ledger.store.read(table.stream):
        fold.apply(codec.decode(row))
    tip, frozen_at = table.tip, 0
    pattern = _distinct(ledger.house(house.digest), distinct, seats)
    batch: list[Row] = []
    kept: list[tuple[str, int, str, str]] = []
    for number in range(1, count + 1):
        if tip[0] - frozen_at >= SNAPSHOT_EVERY:
            kept.append((table.stream, *tip, fold.freeze()))
            frozen_at = tip[0]
        for index, events in enumerate(pattern[number % distinct]):
            rows = codec.rows(
                table.stream,
                tip,
                list(_renumbered(events, number)),
                time=TIME,
                actor=ACTOR,
                command_id=f"{number}.{index}",
            )
            for row in rows:
                _skim(fold, codec.decode(row))
            tip = (rows[-1].sequence, rows[-1].hash)
            batch += rows
        if len(batch) > 50_000 or number == count:
            ledger.store.append(batch, snapshots=kept)
            batch, kept = [], []
    return tip[0]


def _distinct(house: House, count: int, seats: int) -> list[list[list[Event]]]:
    table, rng = Table(house), random.Random(7)
    found: list[list[list[Event]]] = []
    while len(found) < count:
        played = random_round(table, rng, lambda command: _do(table, command), seats=seats)
        events = [event for events in played for event in events]
        # Such events state the values of meters, which a repetition would contradict.
        if not any(isinstance(event, ev.MeterPaid | ev.RoundVoided) for event in events):
            found.append(played)
    return found


def _do(table: Table, command: cmd.Command) -> list[Event]:
    """Evolve with what would be written, as a logged table does."""
    decided = table.decide(command)
    rows = codec.rows("", (0, GENESIS), decided, time=TIME, actor=ACTOR, command_id="")
    events = [codec.decode(row) for row in rows]
    for event in events:
        table.evolve(event)
    return events


def _renumbered(events: list[Event], number: int) -> Iterator[Event]:
    for event in events:
        if isinstance(event, ev.RoundOpened):
            event = msgspec.structs.replace(event, number=number)
        yield event


def _skim(fold: Fold, event: Event) -> None:
    """The accounts and meters alone: the rounds were played when the pattern was made."""
    fold.book.post(event)
    if isinstance(event, ev.RoundOpened):
        fold.table.rounds_played = event.number
    elif isinstance(event, ev.ProgressiveLocked):
        fold.table._add_to_meters(event.contributions)

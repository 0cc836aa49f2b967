"""Was this event right? Each command is derived from its events, decided anew, and compared.

Citations are left out of the comparison: they explain a chip and do not move it. What a chip
does is fixed by the game's edition, which is part of the House.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from croupier.cards import parse_cards
from croupier.errors import CroupierError
from croupier.ledger import codec
from croupier.ledger import events as lev
from croupier.ledger.accounts import Unbalanced
from croupier.ledger.fold import Fold
from croupier.money import meter_text
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.betting import contributions
from croupier.table.events import Event
from croupier.table.life.live import LiveTable
from croupier.table.table import Table

# Types, not isinstance: this is asked of every event of a long record.
_PLAYED = frozenset(kind for kind in codec.KINDS.values() if kind.__module__ == ev.__name__)
_AGREE_AFTER = frozenset((ev.RoundClosed, lev.CorrectionMade, lev.MeterAdjusted))


class Wrong(Exception):
    """The event at this place among the command's events is not what the rules lead to."""

    def __init__(self, part: int, problem: str) -> None:
        super().__init__(problem)
        self.part = part


def judge(fold: Fold, events: Sequence[Event]) -> None:
    """Check one command's events against the state before them, then fold them in."""
    if len(events) > 1 and type(events[0]) is lev.MetersRead:
        apply(fold, events[:1], 0)
        _judge(fold, events[1:], 1)
    else:
        _judge(fold, events, 0)


def _judge(fold: Fold, events: Sequence[Event], offset: int) -> None:
    played = events
    if type(events[0]) not in _PLAYED:  # a live table says first who acted
        played = [event for event in events if type(event) in _PLAYED]
    if played:
        _compare(redecide(fold.table, played), played, events, offset)
    apply(fold, events, offset)


def apply(fold: Fold, events: Sequence[Event], offset: int) -> None:
    """Fold events in and check what must hold after each."""
    part = offset
    try:
        step, post = fold.step, fold.book.post
        for event in events:
            step(event)
            post(event)
            if type(event) in _AGREE_AFTER:
                _check_agreement(fold, part)
            part += 1
    except Unbalanced as error:
        raise Wrong(part, str(error)) from None
    except (AssertionError, KeyError, ValueError, IndexError, CroupierError) as error:
        raise Wrong(part, f"does not follow from what came before: {error!r}") from None


def _check_agreement(fold: Fold, part: int) -> None:
    """The table and its accounts are two counts of the same chips and meters."""
    book, machine = fold.book, fold.machine
    if not book.linked:
        for meter, value in fold.table.meters.items():
            if book.balance(f"meter:{meter}") != value:
                raise Wrong(part, f"meter {meter} and its account differ")
    if isinstance(machine, LiveTable):
        if machine.life.open and book.balance("tray") != machine.life.tray:
            held = book.balance("tray")
            raise Wrong(part, f"the tray holds {machine.life.tray}, its account {held}")
        for player, chips in machine.life.racks.items():
            if book.balance(f"rack:{player}") != chips:
                raise Wrong(part, f"the chips of {player} and their account differ")
            if chips < 0:
                raise Wrong(part, f"{player} has {chips} cents of chips")


def _compare(
    expected: Sequence[Event], played: Sequence[Event], events: Sequence[Event], offset: int
) -> None:
    if expected == played:
        return
    for index, event in enumerate(played):
        right = expected[index] if index < len(expected) else None
        if event != right and not _same(event, right):
            part = offset + next(i for i, other in enumerate(events) if other is event)
            raise Wrong(part, f"the rules lead to {right!r}, not to {event!r}")
    if len(expected) > len(played):
        missing = expected[len(played)]
        raise Wrong(offset + len(events) - 1, f"the rules also lead to {missing!r}")


def _same(event: Event, right: Event | None) -> bool:
    return type(event) is type(right) and all(
        getattr(event, field) == getattr(right, field)
        for field in event.__struct_fields__
        if field not in ("clauses", "schema")
    )


def redecide(table: Table, played: Sequence[Event]) -> Sequence[Event]:
    """What the rules lead to where these events are on record."""
    derive = _COMMANDS.get(type(played[0]))
    settles = isinstance(played[-1], ev.RoundClosed)
    if derive is None and not settles:
        return _irregular(table, played)
    try:
        if settles or derive is None:
            return table.decide(cmd.Settle())
        return table.decide(derive(table, played))
    except CroupierError as error:
        raise Wrong(0, f"the rules refuse this: {error}") from None
    except (AssertionError, KeyError, ValueError, StopIteration) as error:
        raise Wrong(0, f"cannot be decided from what came before: {error!r}") from None


def _placed(table: Table, played: Sequence[Event]) -> cmd.Command:
    event = next(event for event in played if isinstance(event, ev.WagersPlaced))
    current = table.round if table.round and not table.round.closed else None
    box = current.boxes.get(event.seat) if current else None
    withdrawn = dict.fromkeys(box.stakes, 0) if box else {}
    return cmd.PlaceWagers(event.seat, withdrawn | event.stakes, event.player)


def _dealt(table: Table, played: Sequence[Event]) -> cmd.Command:
    event = played[0]
    assert isinstance(event, ev.CardsDealt)
    return cmd.DealCards(parse_cards(event.cards))


def _decided(table: Table, played: Sequence[Event]) -> cmd.Command:
    event = played[0]
    assert isinstance(event, ev.Decided)
    current = table.in_progress()
    street, box = current.street, current.boxes[event.seat]
    option = street.option(event.word) if street else None
    named = option.times * box.stakes[table.house.game.ante.name] if option else None
    # Where any amount may be bet, the amount was named beside the word.
    free = table.house.game.any_amount(table.house)
    cents = event.stake if free and event.wager and event.stake != named else None
    return cmd.Decide(event.seat, event.word, cents)


_COMMANDS: dict[type[Event], Callable[[Table, Sequence[Event]], cmd.Command]] = {
    ev.RoundOpened: _placed,
    ev.WagersPlaced: _placed,
    ev.BettingClosed: lambda table, played: cmd.NoMoreBets(),
    ev.CardsDealt: _dealt,
    ev.StreetShown: lambda table, played: cmd.ShowStreet(),
    ev.Decided: _decided,
}


def _irregular(table: Table, played: Sequence[Event]) -> Sequence[Event]:
    """Chapter 13: which command it was is not on record, but what it does to meters is fixed."""
    current = table.round
    if current is None or current.closed:
        raise Wrong(0, "an irregularity outside of a round")
    expected: list[Event] = []
    for event in played:
        changes: dict[str, Any] = {}
        if isinstance(event, ev.RoundVoided):
            meters = {name: meter_text(v) for name, v in current.meters_before.items()}
            changes = {"meters": meters}
        elif isinstance(event, ev.PlayerSatOut):
            stake = current.boxes[event.seat].stakes.get("progressive", 0)
            changes = {"contributions": contributions(table.house, -stake)}
        expected.append(msgspec.structs.replace(event, **changes))
    return expected

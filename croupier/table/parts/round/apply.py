"""What each event does to the round and the meters; nothing here may refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.cards import cards_from_names
from croupier.table.core.messages import Event, MeterText
from croupier.table.core.part import Evolve
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round import meter_pools
from croupier.table.parts.round.betting import in_order
from croupier.table.parts.round.state import TELLS, Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def on_table(table: Table) -> Round:
    """The round that an event belongs to."""
    assert table.round is not None, "an event of a round before one was opened"
    return table.round


def opened(table: Table, event: rec.RoundOpened) -> None:
    """A new round under the House and the meters of the moment."""
    table.round = Round(table.house, event.number, dict(table.meters))
    table.rounds_played = event.number


def placed(table: Table, event: rec.WagersPlaced) -> None:
    """A box's stakes as they now are."""
    boxes = on_table(table).boxes
    if event.stakes:
        boxes[event.seat] = Box(event.player, in_order(table.house, event.stakes))
    else:
        boxes.pop(event.seat, None)


def locked(table: Table, event: rec.ProgressiveLocked) -> None:
    """The accepted wagers feed the meters."""
    feed(table, event.contributions)


def sat_out(table: Table, event: rec.PlayerSatOut) -> None:
    """The skipped box waits, and takes back what it had fed."""
    on_table(table).sit_out(event.seat)
    feed(table, event.contributions)


def feed(table: Table, contributions: Mapping[str, MeterText]) -> None:
    """Add to the meters, exactly."""
    fed = on_table(table).fed
    for meter, text in contributions.items():
        amount = Fraction(text)
        table.meters[meter] += amount
        fed[meter] = fed.get(meter, Fraction(0)) + amount


def settled(table: Table, event: rec.WagerSettled) -> None:
    """A stake is resolved."""
    on_table(table).boxes[event.seat].settled[event.wager] = event


def envied(table: Table, event: rec.EnvyPaid) -> None:
    """A bonus for another's hand."""
    current = on_table(table)
    current.boxes[event.seat].envy += event.paid
    current.envied.add(event.holder)


def paid(table: Table, event: rec.MeterPaid) -> None:
    """A meter fell and was refilled."""
    table.meters[event.meter] = Fraction(event.after)


def voided(table: Table, event: rec.RoundVoided) -> None:
    """All hands are void, and the meters are where they were."""
    on_table(table).end(event)
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}


def telling(tells: Callable[[Round, Any], None]) -> Evolve:
    """Faces of cards that are known from here on."""
    return lambda table, event: tells(on_table(table), event)


def all_shown(table: Table, event: rec.HandsShown) -> None:
    """The hands lie face up, unpaid."""
    on_table(table).hands_shown = True


def closed(table: Table, event: rec.RoundClosed) -> None:
    """Every stake is resolved."""
    on_table(table).closed = True


EVOLVE: dict[type[Event], Evolve] = {
    rec.RoundOpened: opened,
    rec.WagersPlaced: placed,
    rec.BettingClosed: lambda table, event: on_table(table).close_betting(event.seats),
    rec.ProgressiveLocked: locked,
    **{kind: telling(tells) for kind, tells in TELLS.items()},
    rec.StreetShown: lambda table, event: on_table(table).show(cards_from_names(event.community)),
    rec.Decided: lambda table, event: on_table(table).act(event),
    rec.HandsShown: all_shown,
    rec.WagerSettled: settled,
    rec.MeterPaid: paid,
    meter_pools.PoolUsed: lambda table, event: meter_pools.use(table.meters, event),
    rec.EnvyPaid: envied,
    rec.WagersForfeited: lambda table, event: on_table(table).forfeit(event),
    rec.PlayerSatOut: sat_out,
    rec.RoundVoided: voided,
    rec.RoundClosed: closed,
}

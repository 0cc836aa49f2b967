"""Event handlers of the round: its state and the meters. Handlers never refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.cards import known_cards
from croupier.table.core.messages import Event, MeterText
from croupier.table.core.part import Evolve
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round import meter_pools
from croupier.table.parts.round.betting import in_wager_order
from croupier.table.parts.round.state import CARD_HANDLERS, Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def current_round(table: Table) -> Round:
    """The round that an event belongs to; one must be open."""
    assert table.round is not None, "a round event before RoundOpened"
    return table.round


def on_round_opened(table: Table, event: rec.RoundOpened) -> None:
    """Open a round under the current House and meters."""
    table.round = Round(table.house, event.number, dict(table.meters))
    table.rounds_played = event.number


def on_wagers_placed(table: Table, event: rec.WagersPlaced) -> None:
    """Replace the wagers of a box, or remove the box."""
    boxes = current_round(table).boxes
    if event.stakes:
        boxes[event.seat] = Box(event.player, in_wager_order(table.house, event.stakes))
    else:
        boxes.pop(event.seat, None)


def on_progressive_locked(table: Table, event: rec.ProgressiveLocked) -> None:
    """Add the contributions of accepted wagers to the meters."""
    add_contributions(table, event.contributions)


def on_player_sat_out(table: Table, event: rec.PlayerSatOut) -> None:
    """Sit a skipped box out and take its contributions back."""
    current_round(table).sit_out(event.seat)
    add_contributions(table, event.contributions)


def add_contributions(table: Table, contributions: Mapping[str, MeterText]) -> None:
    """Add exact contributions to the meters and to the round's total."""
    fed = current_round(table).fed
    for meter, text in contributions.items():
        amount = Fraction(text)
        table.meters[meter] += amount
        fed[meter] = fed.get(meter, Fraction(0)) + amount


def on_wager_settled(table: Table, event: rec.WagerSettled) -> None:
    """Record the settlement of a wager."""
    current_round(table).boxes[event.seat].settled[event.wager] = event


def on_envy_paid(table: Table, event: rec.EnvyPaid) -> None:
    """Record an envy bonus."""
    current = current_round(table)
    current.boxes[event.seat].envy += event.paid
    current.envied.add(event.holder)


def on_meter_paid(table: Table, event: rec.MeterPaid) -> None:
    """Set the meter to its amount after the award and the refill."""
    table.meters[event.meter] = Fraction(event.after)


def on_round_voided(table: Table, event: rec.RoundVoided) -> None:
    """Void the round and restore the meters."""
    current_round(table).end(event)
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}


def card_handler(handler: Callable[[Round, Any], None]) -> Evolve:
    """A handler of the round's cards as a handler of the table."""
    return lambda table, event: handler(current_round(table), event)


def on_hands_shown(table: Table, event: rec.HandsShown) -> None:
    """Mark the showdown as complete."""
    current_round(table).hands_shown = True


def on_round_closed(table: Table, event: rec.RoundClosed) -> None:
    """Close the round."""
    current_round(table).closed = True


EVOLVE: dict[type[Event], Evolve] = {
    rec.RoundOpened: on_round_opened,
    rec.WagersPlaced: on_wagers_placed,
    rec.BettingClosed: lambda table, event: current_round(table).close_betting(event.seats),
    rec.ProgressiveLocked: on_progressive_locked,
    **{kind: card_handler(handler) for kind, handler in CARD_HANDLERS.items()},
    rec.StreetShown: lambda table, event: current_round(table).show(known_cards(event.community)),
    rec.Decided: lambda table, event: current_round(table).act(event),
    rec.HandsShown: on_hands_shown,
    rec.WagerSettled: on_wager_settled,
    rec.MeterPaid: on_meter_paid,
    meter_pools.PoolUsed: lambda table, event: meter_pools.apply_pool_used(table.meters, event),
    rec.EnvyPaid: on_envy_paid,
    rec.WagersForfeited: lambda table, event: current_round(table).forfeit(event),
    rec.PlayerSatOut: on_player_sat_out,
    rec.RoundVoided: on_round_voided,
    rec.RoundClosed: on_round_closed,
}

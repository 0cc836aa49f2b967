"""Event handlers of the round: its state and the meters. Handlers never refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.cards import cards_from_names
from croupier.table.core.messages import Event, MeterText
from croupier.table.core.part import Evolve
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round import meter_pools
from croupier.table.parts.round.betting import in_wager_order
from croupier.table.parts.round.state import CARD_HANDLERS, Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def current_round(table: Table) -> Round:
    """The round that an event belongs to; one must be open."""
    assert table.round is not None, "a round event before RoundOpened"
    return table.round


def on_round_opened(table: Table, event: msg.RoundOpened) -> None:
    """Open a round under the current House and meters."""
    table.round = Round(table.house, event.number, dict(table.meters))
    table.rounds_played = event.number


def on_wagers_placed(table: Table, event: msg.WagersPlaced) -> None:
    """Replace the wagers of a box, or remove the box."""
    boxes = current_round(table).boxes
    if event.stakes:
        boxes[event.seat] = Box(event.player, in_wager_order(table.house, event.stakes))
    else:
        boxes.pop(event.seat, None)


def on_progressive_locked(table: Table, event: msg.ProgressiveLocked) -> None:
    """Add the contributions of accepted wagers to the meters."""
    add_contributions(table, event.contributions)


def on_player_sat_out(table: Table, event: msg.PlayerSatOut) -> None:
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


def on_wagers_collected(table: Table, event: msg.WagersCollected) -> None:
    """Mark the wagers of a folded box as collected."""
    current_round(table).boxes[event.seat].collected = event


def on_wager_settled(table: Table, event: msg.WagerSettled) -> None:
    """Record the settlement of a wager."""
    current = current_round(table)
    current.boxes[event.seat].settled[event.wager] = event
    current.delayed.pop((event.seat, event.wager), None)


def on_payment_delayed(table: Table, event: msg.PaymentDelayed) -> None:
    """Record a payment whose amount is fixed."""
    current_round(table).delayed[event.seat, event.wager] = event


def on_envy_paid(table: Table, event: msg.EnvyPaid) -> None:
    """Record an envy bonus."""
    current = current_round(table)
    current.boxes[event.seat].envy += event.paid
    current.envied.add((event.holder, event.seat))
    current.delayed.pop((event.seat, msg.envy_name(event.holder)), None)


def on_meter_paid(table: Table, event: msg.MeterPaid) -> None:
    """Set the meter to its amount after the award and the refill."""
    table.meters[event.meter] = Fraction(event.after)


def on_round_voided(table: Table, event: msg.RoundVoided) -> None:
    """Void the round and restore the meters."""
    current_round(table).end(event)
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}


def card_handler(handler: Callable[[Round, Any], None]) -> Evolve:
    """A handler of the round's cards as a handler of the table."""
    return lambda table, event: handler(current_round(table), event)


def on_hands_shown(table: Table, event: msg.HandsShown) -> None:
    """Mark the showdown as complete."""
    current_round(table).hands_shown = True


def on_round_closed(table: Table, event: msg.RoundClosed) -> None:
    """Close the round."""
    current_round(table).closed = True


EVOLVE: dict[type[Event], Evolve] = {
    msg.RoundOpened: on_round_opened,
    msg.WagersPlaced: on_wagers_placed,
    msg.BettingClosed: lambda table, event: current_round(table).close_betting(event.seats),
    msg.ProgressiveLocked: on_progressive_locked,
    **{kind: card_handler(handler) for kind, handler in CARD_HANDLERS.items()},
    msg.StreetShown: lambda table, event: current_round(table).show(
        cards_from_names(event.community)
    ),
    msg.Decided: lambda table, event: current_round(table).act(event),
    msg.WagersCollected: on_wagers_collected,
    msg.HandsShown: on_hands_shown,
    msg.WagerSettled: on_wager_settled,
    msg.PaymentDelayed: on_payment_delayed,
    msg.MeterPaid: on_meter_paid,
    meter_pools.PoolUsed: lambda table, event: meter_pools.apply_pool_used(table.meters, event),
    msg.EnvyPaid: on_envy_paid,
    msg.WagersForfeited: lambda table, event: current_round(table).forfeit(event),
    msg.PlayerSatOut: on_player_sat_out,
    msg.RoundVoided: on_round_voided,
    msg.RoundClosed: on_round_closed,
}

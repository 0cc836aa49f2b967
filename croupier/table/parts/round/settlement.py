"""Settlement of all wagers, turn by turn or all at once, and payments that have to wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from croupier.cards import names
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.progressive.payment_checks import why_not_payable
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.rack_order import rack_order
from croupier.table.parts.round.resolution import payment_of
from croupier.table.parts.round.showdown import place_name, ready_to_settle, turning_duty
from croupier.table.parts.round.state import Round
from croupier.table.parts.round.turn_order import (
    Turn,
    may_settle,
    next_showing,
    next_turn,
    unturned_places,
)

if TYPE_CHECKING:
    from croupier.errors import Refusal
    from croupier.table.table import Table


def settle(table: Table, command: msg.Settle, by: Account, at: int) -> list[Event]:
    """Settle every wager that is left, hand by hand, and close the round."""
    current = ready_to_settle(table)
    if table.attended and unturned_places(current):
        raise turn_up_first(table, current)
    delayed = [payment_of(current, payment) for payment in current.delayed.values()]
    events = [*delayed, *table.resolution().events]
    for event in events:
        if problem := why_not_payable(table, event, at):
            raise problem
    discards = rack_order(current, events)
    closed = msg.RoundClosed(
        discards=tuple(names(discards)),
        stub=52 - len(discards),
        clauses=table.house.cite("discard.order"),
    )
    return [*events, closed]


def settle_seat(table: Table, command: msg.SettleSeat, by: Account, at: int) -> list[Event]:
    """Settle the current turn of a seat and pay what was delayed there; the round stays open."""
    current = ready_to_settle(table)
    paid, problem = payable(table, command.seat, at)
    turn = next_turn(current)
    if turn is None or turn.seat != command.seat:
        if not paid:
            raise problem or wrong_seat(table, turn)
        return paid
    if table.attended and not may_settle(current):
        if not paid:
            raise turn_up_first(table, current)
        return paid
    return [*paid, *delay_payments(table, table.resolution().turns[0], at)]


def turn_up_first(table: Table, current: Round) -> Refusal:
    """The refusal to pay before the cards are face up."""
    showing = next_showing(current)
    if showing is None:
        return table.refusal("turn up the hands before paying", "announce.player")
    problem = f"turn up the cards of {place_name(showing.place)} before paying"
    return table.refusal(problem, turning_duty(showing.place))


def wrong_seat(table: Table, turn: Turn | None) -> Refusal:
    """The refusal to settle a seat that is not next."""
    if turn is None:
        return table.refusal("every wager is settled; close the round", "discard.order")
    return table.refusal(f"settle seat {turn.seat} next", "announce.player")


# Delayed payments.


def delay_payments(table: Table, events: Iterable[Event], at: int) -> Iterator[Event]:
    """The events of a turn; payments that must wait are fixed now and made later."""
    turn = list(events)
    meters = {event.seat: event.meter for event in turn if isinstance(event, msg.MeterPaid)}
    for event in turn:
        if why_not_payable(table, event, at) is None:
            yield event
        elif isinstance(event, msg.WagerSettled):
            yield msg.PaymentDelayed(
                seat=event.seat,
                wager=event.wager,
                stake=event.stake,
                returned=event.returned,
                clause=event.clause,
                pays=event.pays,
                withheld=event.withheld,
                meter=meters.get(event.seat, "") if event.wager == "progressive" else "",
                clauses=event.clauses,
            )
        elif isinstance(event, msg.EnvyPaid):
            yield msg.PaymentDelayed(
                seat=event.seat,
                wager=msg.envy_name(event.holder),
                stake=0,
                returned=event.paid,
                clause=event.clause,
                holder=event.holder,
                clauses=event.clauses,
            )


def payable(table: Table, seat: int, at: int) -> tuple[list[Event], Refusal | None]:
    """The delayed payments of a seat's turns that can be made now, and why others cannot."""
    current = table.dealing
    paid: list[Event] = []
    problem: Refusal | None = None
    for delayed in current.delayed.values() if current is not None else ():
        if (delayed.holder or delayed.seat) == seat:
            assert current is not None
            payment = payment_of(current, delayed)
            why_not = why_not_payable(table, payment, at)
            problem = problem or why_not
            if why_not is None:
                paid.append(payment)
    return paid, problem


def seats_to_settle(table: Table, at: int) -> dict[int, list[Event]]:
    """The seats that can be settled now, with the events; delayed payments first."""
    current = table.dealing
    if current is None or table.due().kind != "settle":
        return {}
    seats = {d.holder or d.seat: None for d in current.delayed.values()}
    found = {seat: paid for seat in seats if (paid := payable(table, seat, at)[0])}
    turn = next_turn(current)
    if turn is not None and may_settle(current):
        events = delay_payments(table, table.resolution().turns[0], at)
        found[turn.seat] = [*found.pop(turn.seat, ()), *events]
    return found

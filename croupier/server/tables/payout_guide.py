"""The payout guide of the dealer: what the next seat wins and loses, and the chips to push."""

from __future__ import annotations

from itertools import takewhile

from croupier.money import Cents
from croupier.server import protocol as msg
from croupier.table import Table, Viewer, fewest_chips, reasons, settling_seat
from croupier.table import events as ev
from croupier.table.core.roles import STAFF


def payout_guide(table: Table, viewer: Viewer) -> msg.Settling | None:
    """The settlement of the next seat, for staff; None until the cards it depends on are shown."""
    current = table.dealing
    if viewer.account.role not in STAFF or current is None or table.due().kind != "settle":
        return None
    returned_whole = current.void is not None and not current.void.saved
    if not current.hands_shown and not returned_whole:
        return None
    events = table.settlement()
    if not events:
        return None
    seat = settling_seat(events[0])
    resolved: list[msg.Resolved] = []
    turn = list(takewhile(lambda event: settling_seat(event) == seat, events))
    settled = {event.wager: event for event in turn if isinstance(event, ev.WagerSettled)}
    why = reasons(current, seat, settled)
    for event in turn:
        if isinstance(event, ev.WagerSettled):
            resolved.append(
                msg.Resolved(
                    seat=event.seat,
                    wager=event.wager,
                    outcome=event.outcome,
                    pays=event.pays,
                    stake=event.stake,
                    returned=event.returned,
                    clause=event.clause,
                    why=why.get(event.wager, ""),
                )
            )
        elif isinstance(event, ev.EnvyPaid):
            resolved.append(
                msg.Resolved(
                    seat=event.seat,
                    wager="envy",
                    outcome="win",
                    pays="",
                    stake=0,
                    returned=event.paid,
                    clause=event.clause,
                )
            )
    won: dict[int, Cents] = {}
    for wager in resolved:
        if wager.returned > wager.stake:
            won[wager.seat] = won.get(wager.seat, 0) + wager.returned - wager.stake
    return msg.Settling(
        seat=seat,
        player=current.boxes[seat].player,
        resolved=tuple(resolved),
        takes=sum(w.stake - w.returned for w in resolved if w.returned < w.stake),
        pushes={to: fewest_chips(table.house.chips, cents) for to, cents in won.items()},
    )

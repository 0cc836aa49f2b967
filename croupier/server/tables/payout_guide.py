"""The payout guide of the dealer: what the next seat wins and loses, and the chips to push."""

from __future__ import annotations

from croupier.money import Cents
from croupier.server import protocol as msg
from croupier.table import Table, Viewer, fewest_chips, reasons, seats_to_settle
from croupier.table import events as ev
from croupier.table.core.roles import STAFF


def payout_guide(table: Table, viewer: Viewer) -> msg.Settling | None:
    """The settlement of the next seat, for staff; None until the cards it depends on are shown."""
    current = table.dealing
    if viewer.account.role not in STAFF or current is None:
        return None
    seat, turn = next(iter(seats_to_settle(table, table.now(0)).items()), (0, []))
    if not seat:
        return None
    resolved: list[msg.Resolved] = []
    settled = (event for event in turn if isinstance(event, ev.WagerSettled))
    why = reasons(current, seat, {event.wager: event for event in settled if event.seat == seat})
    for event in turn:
        if isinstance(event, ev.WagerSettled):
            resolved.append(
                msg.Resolved(
                    seat=event.seat,
                    wager=event.wager,
                    outcome=event.outcome,
                    pays=event.pays,
                    result=event.result,
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
                    result="",
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

"""Sitting down and leaving (7.B, 7.C)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import (
    IRREGULARITIES,
    ActionTemplate,
    CommandSpec,
    OfferToPlayers,
)
from croupier.table.core.roles import DEALER, FLOOR, PLAYER, Account
from croupier.table.parts.chips.messages import UnclaimedHeld
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.round.betting import check_seat
from croupier.table.parts.seats import messages as msg

if TYPE_CHECKING:
    from croupier.table.table import Table

UNCLAIMED = "COMAR 36.05.03.23E"


def sit_down(table: Table, command: msg.SitDown, by: Account, at: int) -> list[Event]:
    """Take a free seat; one per person."""
    seat = command.seat
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    check_seat(table, seat)
    if seat in table.seats.taken:
        raise table.refusal(f"seat {seat} is taken", "seats")
    if table.seats.seat_of(by.id) is not None:
        raise table.refusal(f"{by.id} is already seated at this table", "boxes")
    if by.id in table.posts.here:
        raise table.refusal(f"{by.id!r} works at this table and may not play here", "seated")
    box = table.open_round.boxes.get(seat) if table.open_round else None
    if box is not None and box.player != by.id:
        raise table.refusal(f"seat {seat} has wagers of {box.player}", "seats")
    clauses = table.house.cite("seats") + table.house.cite("seated")
    return [msg.SatDown(seat=seat, player=by.id, clauses=clauses)]


def offer_seats(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer free seats to players not at the table; an absent player's seat to that player only."""
    if table.attended and not table.shift.open:
        return
    here = tuple(sorted({*table.posts.here, *table.seats.taken.values(), ""}))
    boxes = table.open_round.boxes if table.open_round else {}
    for seat in range(1, table.house.positions + 1):
        if seat in table.seats.taken:
            continue
        owner = boxes[seat].player if seat in boxes else ""
        if not owner:
            yield ActionTemplate(command=msg.SitDown(seat), open_to=PLAYER, except_for=here)
        elif owner not in here:
            yield ActionTemplate(command=msg.SitDown(seat), who=(Account(owner, "player"),))


def player_at(table: Table, seat: int) -> str:
    """The player at a seat; refused if it is empty."""
    player = table.seats.taken.get(seat)
    if player is None:
        raise table.refusal(f"seat {seat!r} is empty", "seated")
    return player


def require_own_seat(table: Table, seat: int, by: Account) -> str:
    """The player at a seat, who must be the acting account."""
    player = player_at(table, seat)
    if player != by.id:
        raise table.refusal(f"seat {seat} belongs to {player}, not {by.id}", "seated")
    return player


def leave(table: Table, command: msg.Leave, by: Account, at: int) -> list[Event]:
    """Leave the table; refused while the player has a wager on the layout."""
    player = require_own_seat(table, command.seat, by)
    if table.boxes_of(player):
        if table.dealing is None:
            raise table.refusal(f"{player} must withdraw all wagers before leaving", "seated")
        raise table.refusal(f"{player} must stay seated until the round is complete", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [msg.Left(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def walk_away(table: Table, command: msg.RecordWalkAway, by: Account, at: int) -> list[Event]:
    """Record that a player with live wagers left; this alone forfeits nothing."""
    player = player_at(table, command.seat)
    if table.dealing is None or not table.boxes_of(player):
        raise table.refusal(f"{player} has no live wagers and may simply leave", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [msg.LeftDuringRound(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def free_seat(table: Table, command: msg.FreeSeat, by: Account, at: int) -> list[Event]:
    """Free the seat of a player who is gone; money left behind is held for them."""
    player = player_at(table, command.seat)
    boxes = table.boxes_of(player)
    if boxes and table.dealing is not None:
        raise table.refusal(f"{player} has live wagers; record a walk-away instead", "stay")
    if not command.reason.strip():
        raise table.refusal("a reason is required", "seated")
    # Wagers placed before "no more bets" are withdrawn; players give up their own box last.
    events: list[Event] = [
        round_msg.WagersPlaced(
            seat=seat, player=player, stakes={}, clauses=table.house.cite("window")
        )
        for seat in sorted(boxes, key=lambda seat: seat == command.seat)
    ]
    clauses = table.house.cite("seated")
    events.append(
        msg.SeatFreed(seat=command.seat, player=player, reason=command.reason, clauses=clauses)
    )
    amount = table.book.rack(player) + sum(
        sum(table.open_round.boxes[seat].stakes.values()) if table.open_round else 0
        for seat in boxes
    )
    if amount:
        events.append(UnclaimedHeld(player=player, amount=amount, by=by, clauses=(UNCLAIMED,)))
    return events


def offer_free(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every seat whose player has no live wagers."""
    for seat, player in sorted(table.seats.taken.items()):
        if table.dealing is None or not table.boxes_of(player):
            reason = TextField("did not come back")
            yield ActionTemplate(
                command=msg.FreeSeat(seat, reason.example()), fields={"reason": reason}
            )


def offer_leaving(table: Table, seat: int, player: str) -> Iterator[ActionTemplate]:
    """Offer it for a taken seat, to its player."""
    yield ActionTemplate(command=msg.Leave(seat), who=(Account(player, "player"),))


def offer_walk_away(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to record a walk-away for every taken seat."""
    for seat in sorted(table.seats.taken):
        yield ActionTemplate(command=msg.RecordWalkAway(seat))


COMMAND_SPECS = (
    CommandSpec(
        command=msg.SitDown, roles=PLAYER, duty="seated", decide=sit_down, offers=offer_seats
    ),
    CommandSpec(
        command=msg.Leave,
        roles=PLAYER,
        duty="stay",
        decide=leave,
        offers=OfferToPlayers(offer_leaving),
    ),
    CommandSpec(
        command=msg.RecordWalkAway,
        roles=DEALER,
        duty="stay",
        decide=walk_away,
        offers=offer_walk_away,
        subject=IRREGULARITIES,
    ),
    CommandSpec(
        command=msg.FreeSeat,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=free_seat,
        offers=offer_free,
    ),
)

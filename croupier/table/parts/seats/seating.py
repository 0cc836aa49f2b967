"""Taking a seat and leaving it (7.B, 7.C)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, PLAYER, Account
from croupier.table.parts.chips.messages import UnclaimedHeld
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.betting import SEATS
from croupier.table.parts.seats import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table

UNCLAIMED = "COMAR 36.05.03.23E"


def sit_down(table: Table, command: rec.SitDown, by: Account, at: int) -> list[Event]:
    """One free seat for one person."""
    seat = command.seat
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    if not 1 <= seat <= SEATS:
        raise table.refusal(f"seat {seat} does not exist; expected 1 to {SEATS}", "seats")
    if seat in table.seats.taken:
        raise table.refusal(f"seat {seat} is taken", "seats")
    if table.seats.seat_of(by.id) is not None:
        raise table.refusal(f"{by.id} sits at this table already", "boxes")
    if by.id in table.posts.here:
        raise table.refusal(f"{by.id!r} serves this table and may not play at it", "seated")
    box = table.open_round.boxes.get(seat) if table.open_round else None
    if box is not None and box.player != by.id:
        raise table.refusal(f"wagers of {box.player} lie at seat {seat}", "seats")
    clauses = table.house.cite("seats") + table.house.cite("seated")
    return [rec.SatDown(seat=seat, player=by.id, clauses=clauses)]


def offer_seats(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every free seat to anybody who is not at the table; an absent player's to that player."""
    if table.attended and not table.shift.open:
        return
    here = tuple(sorted({*table.posts.here, *table.seats.taken.values(), ""}))
    boxes = table.open_round.boxes if table.open_round else {}
    for seat in range(1, SEATS + 1):
        if seat in table.seats.taken:
            continue
        owner = boxes[seat].player if seat in boxes else ""
        if not owner:
            yield ActionTemplate(command=rec.SitDown(seat), open_to=PLAYER, except_for=here)
        elif owner not in here:
            yield ActionTemplate(command=rec.SitDown(seat), who=(Account(owner, "player"),))


def seated(table: Table, seat: int) -> str:
    """The player of a seat."""
    player = table.seats.taken.get(seat)
    if player is None:
        raise table.refusal(f"nobody sits at seat {seat!r}", "seated")
    return player


def own_seat(table: Table, seat: int, by: Account) -> str:
    """The player of a seat, who must be the one who acts."""
    player = seated(table, seat)
    if player != by.id:
        raise table.refusal(f"seat {seat} is the seat of {player}, not of {by.id}", "seated")
    return player


def leave(table: Table, command: rec.Leave, by: Account, at: int) -> list[Event]:
    """Not while a wager of the player is on the layout."""
    player = own_seat(table, command.seat, by)
    if table.boxes_of(player):
        if table.dealing is None:
            raise table.refusal(f"{player} has wagers on the layout; withdraw them", "window")
        raise table.refusal(f"{player} stays seated until the round is complete", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [rec.Left(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def walk_away(table: Table, command: rec.RecordWalkAway, by: Account, at: int) -> list[Event]:
    """The dealer sees a player with wagers in play go; nothing is lost by that alone."""
    player = seated(table, command.seat)
    if table.dealing is None or not table.boxes_of(player):
        raise table.refusal(f"{player} has no wagers in play and may simply leave", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [rec.LeftDuringRound(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def free_seat(table: Table, command: rec.FreeSeat, by: Account, at: int) -> list[Event]:
    """The player is gone and nothing of theirs is in play; what they left is kept for them."""
    player = seated(table, command.seat)
    boxes = table.boxes_of(player)
    if boxes and table.dealing is not None:
        raise table.refusal(f"{player} has wagers in play; the dealer notes who left", "stay")
    if not command.reason.strip():
        raise table.refusal("a reason is needed", "seated")
    # Wagers that lie there before "no more bets" are nobody's any more; the own box goes last.
    events: list[Event] = [
        played.WagersPlaced(seat=seat, player=player, stakes={}, clauses=table.house.cite("window"))
        for seat in sorted(boxes, key=lambda seat: seat == command.seat)
    ]
    clauses = table.house.cite("seated")
    events.append(
        rec.SeatFreed(seat=command.seat, player=player, reason=command.reason, clauses=clauses)
    )
    left = table.book.rack(player) + sum(
        sum(table.open_round.boxes[seat].stakes.values()) if table.open_round else 0
        for seat in boxes
    )
    if left:
        events.append(UnclaimedHeld(player=player, amount=left, clauses=(UNCLAIMED,)))
    return events


def offer_free(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every seat whose player has nothing in play."""
    for seat, player in sorted(table.seats.taken.items()):
        if table.dealing is None or not table.boxes_of(player):
            reason = TextField("did not come back")
            yield ActionTemplate(
                command=rec.FreeSeat(seat, reason.example()), fields={"reason": reason}
            )


def offer_leaving(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody who sits may want to go."""
    for seat, player in sorted(table.seats.taken.items()):
        yield ActionTemplate(command=rec.Leave(seat), who=(Account(player, "player"),))


def offer_walk_away(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Anybody may walk away from a round."""
    for seat in sorted(table.seats.taken):
        yield ActionTemplate(command=rec.RecordWalkAway(seat))


COMMANDS = (
    CommandSpec(
        command=rec.SitDown, roles=PLAYER, duty="seated", decide=sit_down, offers=offer_seats
    ),
    CommandSpec(command=rec.Leave, roles=PLAYER, duty="stay", decide=leave, offers=offer_leaving),
    CommandSpec(
        command=rec.RecordWalkAway,
        roles=DEALER,
        duty="stay",
        decide=walk_away,
        offers=offer_walk_away,
    ),
    CommandSpec(
        command=rec.FreeSeat,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=free_seat,
        offers=offer_free,
    ),
)

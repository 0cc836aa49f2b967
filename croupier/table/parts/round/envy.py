"""The envy bonus: fixed sums for another player's big hand, from the tray (A52 to A59)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games import Envy, House, title
from croupier.rulebook import PaytableLine
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.state import Box, Round


def holders(current: Round) -> dict[int, str]:
    """The seats whose hand earns others an envy bonus, with that hand; none if nobody has one."""
    house, game = current.house, current.game
    if house.progressive is None or house.progressive.envy is None:
        return {}
    if not any(may_receive(house, box) for box in current.boxes.values()):
        return {}
    assert game.progressive_hand is not None
    found = {}
    for seat, box in current.boxes.items():
        if counts_as_holder(house, box):
            hand = game.progressive_hand(current.seen(seat), house)
            if envy_line(house, hand) is not None:
                found[seat] = hand
    return found


def envy_line(house: House, hand: str) -> PaytableLine | None:
    """The line of the envy schedule that a hand falls on, at this table's progressive stake."""
    return house.envy_line(hand)


def envy_terms(house: House) -> Envy:
    """The terms of the envy bonus, which this House has."""
    assert house.progressive is not None and house.progressive.envy is not None, "no envy bonus"
    return house.progressive.envy


def counts_as_holder(house: House, box: Box) -> bool:
    """Whether others are paid for this box's hand (A53, A54)."""
    must_wager = envy_terms(house).holder_must_wager
    if box.sat_out or box.forfeited or (must_wager and "progressive" not in box.stakes):
        return False
    if not box.folded_at:
        return True
    return envy_terms(house).on_folded_hand and bool(live_after_fold(house, box))


def may_receive(house: House, box: Box) -> bool:
    """Whether a box has made the wager that an envy bonus belongs to (A53)."""
    if box.sat_out or box.forfeited or "progressive" not in box.stakes:
        return False
    return not box.folded_at or envy_terms(house).on_folded_hand


def pay(current: Round, holder: int, found: dict[int, str]) -> Iterator[rec.EnvyPaid]:
    """One bonus to every other person entitled to it; none for one's own boxes (A56)."""
    house = current.house
    line = envy_line(house, found[holder])
    assert line is not None
    person = current.boxes[holder].player
    for seat in sorted(current.boxes, reverse=True):
        box = current.boxes[seat]
        if box.player == person or not may_receive(house, box):
            continue
        stake = box.stakes["progressive"]
        clauses = house.cite("envy.pays") + house.cite(f"envy.stake.{stake // 100}")
        if sum(current.boxes[other].player != box.player for other in found) > 1:
            clauses += house.cite("envy.several", optional=True)
        yield rec.EnvyPaid(
            seat=seat,
            holder=holder,
            hand=title(found[holder]),
            paid=int(line.pays.winnings(stake)),
            clause=line.clause,
            clauses=clauses,
        )

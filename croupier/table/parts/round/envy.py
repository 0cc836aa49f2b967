"""Envy bonuses: fixed amounts for another player's hand, paid from the tray (A52 to A59)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games import title
from croupier.games.envy_bonus import envy_bonuses, is_envy_holder, may_receive_envy
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.state import Round


def holders(current: Round) -> dict[int, str]:
    """The seats whose hand pays other players an envy bonus, with that hand."""
    house, game = current.house, current.game
    if house.progressive is None or house.progressive.envy is None:
        return {}
    if not any(may_receive_envy(house, box) for box in current.boxes.values()):
        return {}
    assert game.progressive_hand is not None
    hands = {
        seat: game.progressive_hand(current.seen(seat), house)
        for seat, box in current.boxes.items()
        if is_envy_holder(house, box)
    }
    return {seat: hand for seat, hand in hands.items() if house.envy_line(hand) is not None}


def pay(current: Round, holder: int, hands: dict[int, str]) -> Iterator[msg.EnvyPaid]:
    """Pay the bonus of one holder's hand; `hands` are those of all holders."""
    house, boxes = current.house, current.boxes
    for bonus in envy_bonuses(house, boxes, holder, hands[holder]):
        box = boxes[bonus.seat]
        stake = box.stakes["progressive"]
        clauses = house.cite("envy.pays") + house.cite(f"envy.stake.{stake // 100}")
        if sum(boxes[other].player != box.player for other in hands) > 1:
            clauses += house.cite("envy.several", optional=True)
        yield msg.EnvyPaid(
            seat=bonus.seat,
            holder=holder,
            hand=title(hands[holder]),
            paid=bonus.paid,
            clause=bonus.line.clause,
            clauses=clauses,
        )

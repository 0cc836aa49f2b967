"""Why a wager was settled as it was, in words to the player: asked of the facts, never recorded."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.parts.round.messages import WagerSettled
from croupier.table.parts.round.state import Round


def reasons(
    current: Round, seat: int, coming: Mapping[str, WagerSettled] | None = None
) -> dict[str, str]:
    """Each settled wager of a box with its reason, or each that is about to be settled so.

    One that was not judged has none.
    """
    settled = current.boxes[seat].settled if coming is None else coming
    if not settled or current.void is not None or not current.boxes[seat].judged:
        return {}
    found: dict[str, str] = {}
    for facts in current.game.judge(current.seen(seat), current.house):
        for result in current.house.settle(facts):
            event = settled.get(result.wager)
            if event is not None and event.clause == result.clause:
                found[result.wager] = facts.why(result, current.house)
    return found

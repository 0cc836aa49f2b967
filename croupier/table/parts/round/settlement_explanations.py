"""Explanations of settled wagers for the player, derived from the facts and never recorded."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table.parts.round.messages import WagerSettled
from croupier.table.parts.round.state import Round


def reasons(
    current: Round, seat: int, pending: Mapping[str, WagerSettled] | None = None
) -> dict[str, str]:
    """The reason for the outcome of each settled wager of a box.

    `pending` are settlements not applied yet, used instead of the recorded ones. Wagers of a void
    round or a box that is not judged have no reason.
    """
    settled = current.boxes[seat].settled if pending is None else pending
    if not settled or current.void is not None or not current.boxes[seat].judged:
        return {}
    explanations: dict[str, str] = {}
    for facts in current.game.judge(current.seen(seat), current.house):
        for result in current.house.settle(facts):
            event = settled.get(result.wager)
            if event is not None and event.clause == result.clause:
                explanations[result.wager] = facts.why(result, current.house)
    return explanations

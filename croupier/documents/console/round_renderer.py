"""Plain-text account of a finished round: wagers, cards, decisions and settlements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from croupier.money import dollars, down_to_cent
from croupier.table import Event, Round
from croupier.table.event_text import AUDITOR, EventText, cited_clauses


def render(current: Round | None, events: Sequence[Event], meters: Mapping[str, Fraction]) -> str:
    """Describe a finished round line by line, in order, with clause citations."""
    assert current is not None and current.closed, "the round is not finished"
    by_seat = dict.fromkeys(current.boxes, "")  # no names
    text = EventText(AUDITOR, current.game, by_seat, settled=True)
    lines = [current.game.title, ""]
    lines += [f"{text.describe(event)} [{cited_clauses(event)[0]}]" for event in events]
    lines += ["", *nets(current)]
    lines += [f"{name} meter: {dollars(down_to_cent(value))}" for name, value in meters.items()]
    return "\n".join(lines)


def nets(current: Round) -> Iterator[str]:
    """The net result of every seat."""
    for seat, box in sorted(current.boxes.items()):
        sign = "+" if box.net > 0 else "-" if box.net < 0 else ""
        yield f"Seat {seat}: net {sign}{dollars(abs(box.net))}"

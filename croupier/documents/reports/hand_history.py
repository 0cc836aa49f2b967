"""A hand as text that a dealer could check against the discard rack."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from croupier import games
from croupier.ledger.errors import printable
from croupier.ledger.queries.round_search import RefusedAttempt, RoundSummary, ApprovalRecord
from croupier.ledger.queries.rounds import RebuiltRound
from croupier.money import dollars

LONG = ("answers", "grades")  # of what was decided: whole submissions and tests


def text(hand: RebuiltRound) -> str:
    """Everything about a round, in the order it happened."""
    lines = [
        f"table {hand.table}, round {hand.round}: {games.find(hand.game).title}",
        f"opened {hand.opened}, closed {hand.closed or 'not yet'}",
        f"House {hand.house}",
        f"people {', '.join(hand.people)}",
    ]
    if hand.void:
        lines.append(f"VOID: {hand.void}")
    lines += ["", "cards, in the order they left the deck"]
    lines += [f"  {i:2}  {c['card']}  {c['place']}" for i, c in enumerate(hand.cards, start=1)]
    if hand.face_up:
        lines.append(f"  found face up and set aside: {' '.join(hand.face_up)}")
    if hand.community:
        lines.append(f"community  {' '.join(hand.community)}")
    if hand.dealer:
        lines.append(f"dealer     {' '.join(hand.dealer)}")
    for number, seat in sorted(hand.seats.items()):
        lines += ["", *_seat(number, seat)]
    lines += [_meter(award) for award in hand.meters]
    lines += ["", "commands and what they led to"]
    lines += [line for step in hand.steps for line in _step(step)]
    span = f"entries {hand.first_sequence} to {hand.last_sequence}"
    lines += ["", f"{span}, leaf {hand.leaf}"]
    return "\n".join(map(printable, lines)) + "\n"


def data(hand: RebuiltRound) -> dict[str, Any]:
    """The same for programs."""
    told: dict[str, Any] = msgspec.to_builtins(hand)
    told["seats"] = {str(number): seat for number, seat in told["seats"].items()}
    return told


def as_json(hand: RebuiltRound) -> str:
    """The data as text."""
    return json.dumps(data(hand), indent=2) + "\n"


def data_of(found: Sequence[RoundSummary] | Sequence[RefusedAttempt] | Sequence[ApprovalRecord]) -> str:
    """Rounds found, attempts, or what was decided, as JSON."""
    return json.dumps(msgspec.to_builtins(found), indent=2) + "\n"


def _seat(number: int, seat: dict[str, Any]) -> list[str]:
    lines = [f"seat {number}, {seat['player']}: {' '.join(seat['cards'])}  {seat['hand']}".rstrip()]
    lines += [f"  {decision['street']}: {decision['word']}" for decision in seat["decisions"]]
    for settled in seat["settled"]:
        stake, returned = dollars(settled["stake"]), dollars(settled["returned"])
        odds = f" at {settled['pays']}" if settled["pays"] else ""
        cut = f", {dollars(settled['withheld'])} cut by limit" if settled["withheld"] else ""
        lines.append(
            f"  {settled['wager']}: {stake} {settled['outcome']}{odds}, "
            f"returned {returned}{cut} [{settled['clause']}]"
        )
    if seat["envy"]:
        lines.append(f"  envy: {dollars(seat['envy'])}")
    lines.append(f"  net {dollars(seat['net'])}")
    return lines


def _meter(award: dict[str, Any]) -> str:
    return f"meter {award['meter']} paid seat {award['seat']} {dollars(award['paid'])}"


def _step(step: dict[str, Any]) -> list[str]:
    place = f"  {step['sequence']}  {step['time']}  {step['by']}"
    lines = [f"{place}  {_thing(step['command'])}"]
    return lines + [f"      {_thing(event)}" for event in step["events"]]


def _thing(thing: dict[str, Any]) -> str:
    """A command or an event: its kind, what it says, the clauses."""
    hidden = ("kind", "schema", "clauses", "at")
    told = [f"{name}={value}" for name, value in thing.items() if name not in hidden]
    cited = f"[{' '.join(thing['clauses'])}]" if thing.get("clauses") else ""
    return " ".join(filter(None, [thing["kind"], *told, cited]))


def attempts(found: list[RefusedAttempt]) -> str:
    """Refused attempts, one per line."""
    if not found:
        return "nothing was refused\n"
    lines = []
    for each in found:
        said = _thing(each.command)
        lines.append(f"{each.time}  {each.stream} after {each.after}  {each.by}  {said}")
        lines[-1] += f"  refused by {each.clause}"
        if each.dropped:
            lines.append(f"  {each.dropped} attempts before this one were not written down")
    return "\n".join(map(printable, lines)) + "\n"


def rulings(found: list[ApprovalRecord]) -> str:
    """What was decided beside the tables, one per line; long parts stand in the JSON."""
    if not found:
        return "nothing was decided beside the tables\n"
    lines = []
    for each in found:
        brief = {name: value for name, value in each.command.items() if name not in LONG}
        said = _thing(brief | {"clauses": each.clauses})
        lines.append(f"{each.time}  decisions entry {each.sequence}  {each.by}  {said}")
    return "\n".join(map(printable, lines)) + "\n"


def listing(found: list[RoundSummary]) -> str:
    """Rounds found, one per line."""
    if not found:
        return "no round answers\n"
    lines = [
        f"{each.time}  {each.table} round {each.round}  seats {','.join(map(str, each.seats))}  "
        f"staked {dollars(each.staked)}  returned {dollars(each.returned)}"
        f"{'  VOID' if each.void else ''}  {', '.join(each.hands)}".rstrip()
        for each in found
    ]
    return "\n".join(map(printable, lines)) + "\n"

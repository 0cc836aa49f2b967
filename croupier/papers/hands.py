"""A hand as text that a dealer could check against the discard rack."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from croupier import games
from croupier.ledger.find import Found
from croupier.ledger.rounds import Hand
from croupier.money import dollars


def text(hand: Hand) -> str:
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
    lines += ["", "events"]
    lines += [_step(step) for step in hand.steps]
    span = f"events {hand.first_sequence} to {hand.last_sequence}"
    lines += ["", f"{span}, hash {hand.hash}"]
    return "\n".join(lines) + "\n"


def data(hand: Hand) -> dict[str, Any]:
    """The same for programs."""
    told: dict[str, Any] = msgspec.to_builtins(hand)
    told["seats"] = {str(number): seat for number, seat in told["seats"].items()}
    return told


def as_json(hand: Hand) -> str:
    """The data as text."""
    return json.dumps(data(hand), indent=2, ensure_ascii=False) + "\n"


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


def _step(step: dict[str, Any]) -> str:
    event = dict(step["event"])
    kind = event.pop("kind")
    event.pop("schema")
    clauses = " ".join(event.pop("clauses"))
    told = " ".join(f"{name}={value}" for name, value in event.items())
    cited = f" [{clauses}]" if clauses else ""
    return f"  {step['sequence']}  {step['time']}  {step['actor']}  {kind} {told}{cited}"


def listing(found: list[Found]) -> str:
    """Rounds found, one per line."""
    if not found:
        return "no round answers\n"
    lines = [
        f"{each.time}  {each.table} round {each.round}  seats {','.join(map(str, each.seats))}  "
        f"staked {dollars(each.staked)}  returned {dollars(each.returned)}"
        f"{'  VOID' if each.void else ''}  {', '.join(each.hands)}".rstrip()
        for each in found
    ]
    return "\n".join(lines) + "\n"

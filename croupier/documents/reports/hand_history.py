"""Hand histories, lists of rounds, refused attempts and rulings, as text."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier import games
from croupier.ledger.errors import printable
from croupier.ledger.queries.round_search import ApprovalRecord, RefusedAttempt, RoundSummary
from croupier.ledger.queries.rounds import RebuiltRound
from croupier.money import dollars
from croupier.table.core.codec import AnyEvent
from croupier.table.event_text import AUDITOR, EventText, cited_clauses

LONG_FIELDS = ("answers", "grades")  # whole submissions and table tests; only in JSON


def text(hand: RebuiltRound) -> str:
    """The full history of a round in order, complete enough to check against the discard rack."""
    lines = [
        f"table {hand.table}, round {hand.round}: {games.find(hand.game).title}",
        f"opened {hand.opened}, closed {hand.closed or 'not yet'}",
        f"House {hand.house}",
        f"staff and players {', '.join(hand.people)}",
    ]
    if hand.void:
        lines.append(f"VOID: {hand.void}")
    lines += ["", "cards, in the order they left the deck"]
    lines += [f"  {i:2}  {c['card']}  {c['place']}" for i, c in enumerate(hand.cards, start=1)]
    if hand.face_up:
        lines.append(f"  exposed in the deck and set aside: {' '.join(hand.face_up)}")
    if hand.community:
        lines.append(f"community  {' '.join(hand.community)}")
    if hand.dealer:
        lines.append(f"dealer     {' '.join(hand.dealer)}")
    for number, seat in sorted(hand.seats.items()):
        lines += ["", *_seat(number, seat)]
    lines += ["", "commands and events"]
    players = {number: seat["player"] for number, seat in hand.seats.items()}
    wording = EventText(AUDITOR, games.find(hand.game), players, settled=True)
    lines += [line for step in hand.steps for line in _step(step, wording)]
    span = f"entries {hand.first_sequence} to {hand.last_sequence}"
    lines += ["", f"{span}, leaf {hand.leaf}"]
    return "\n".join(map(printable, lines)) + "\n"


def _seat(number: int, seat: dict[str, Any]) -> list[str]:
    lines = [f"seat {number}, {seat['player']}: {' '.join(seat['cards'])}  {seat['hand']}".rstrip()]
    lines += [f"  {decision['street']}: {decision['word']}" for decision in seat["decisions"]]
    for settled in seat["settled"]:
        stake, returned = dollars(settled["stake"]), dollars(settled["returned"])
        lines.append(f"  {settled['wager']}: {stake} -> {returned} [{settled['clause']}]")
    if seat["envy"]:
        lines.append(f"  envy: {dollars(seat['envy'])}")
    lines.append(f"  net {dollars(seat['net'])}")
    return lines


def _step(step: dict[str, Any], wording: EventText) -> list[str]:
    place = f"  {step['sequence']}  {step['time']}  {step['by']}"
    lines = [f"{place}  {_message(step['command'])}"]
    for event in msgspec.convert(step["events"], list[AnyEvent]):
        lines.append(f"      {wording.describe(event)} [{' '.join(cited_clauses(event))}]")
    return lines


def _message(message: dict[str, Any]) -> str:
    """A command: its kind, fields and clauses."""
    named = {name: value for name, value in message.items() if name not in ("kind", "clauses")}
    fields = [f"{name}={value}" for name, value in named.items() if value not in (None, "", ())]
    cited = f"[{' '.join(message['clauses'])}]" if message.get("clauses") else ""
    return " ".join(filter(None, [message["kind"], *fields, cited]))


def attempts_text(attempts: list[RefusedAttempt]) -> str:
    """Refused attempts, one per line."""
    if not attempts:
        return "nothing was refused\n"
    lines = []
    for attempt in attempts:
        place = f"{attempt.time}  {attempt.stream} after {attempt.after}  {attempt.by}"
        lines.append(f"{place}  {_message(attempt.command)}  refused by {attempt.clause}")
        if attempt.dropped:
            lines.append(f"  {attempt.dropped} earlier attempts were not recorded")
    return "\n".join(map(printable, lines)) + "\n"


def rulings_text(rulings: list[ApprovalRecord]) -> str:
    """Decisions made away from the tables, one per line, without their long fields."""
    if not rulings:
        return "no decisions on record\n"
    lines = []
    for ruling in rulings:
        brief = {name: value for name, value in ruling.command.items() if name not in LONG_FIELDS}
        message = _message(brief | {"clauses": ruling.clauses})
        lines.append(f"{ruling.time}  decisions entry {ruling.sequence}  {ruling.by}  {message}")
    return "\n".join(map(printable, lines)) + "\n"


def rounds_text(rounds: list[RoundSummary]) -> str:
    """Rounds, one per line."""
    if not rounds:
        return "no matching rounds\n"
    lines = [
        f"{item.time}  {item.table} round {item.round}  seats {','.join(map(str, item.seats))}  "
        f"staked {dollars(item.staked)}  returned {dollars(item.returned)}"
        f"{'  VOID' if item.void else ''}  {', '.join(item.hands)}".rstrip()
        for item in rounds
    ]
    return "\n".join(map(printable, lines)) + "\n"

"""Grades each act of a trainee against the clause that governs it.

A wrong act is not executed; the grade says what would have been right.
"""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger.aggregates.approval_messages import Grade
from croupier.money import Cents, dollars
from croupier.server.school.simulated_people import SimulatedPeople
from croupier.server.tables.payout_guide import payout_guide
from croupier.table import Command, Step, Viewer, kind_of
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import fill_step

COUNTS = (cmd.CountProgressive, cmd.CountStub, cmd.CountInventory, cmd.Shuffle)
NOTHING_DUE = "nothing"


class GradingFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with an act, and the clause."""

    note: str
    clause: str


# The acts of a round, which a trainee chooses from in a lesson without prompts.
ROUTINE: dict[type[Command], str] = {
    cmd.NoMoreBets: "No more bets",
    cmd.CountProgressive: "Count the progressive chips",
    cmd.DealCards: "Deal the cards",
    cmd.DiscardStub: "Place the stub in the discard rack",
    cmd.ShowStreet: "Turn community cards, or ask for decisions",
    cmd.TurnHand: "Turn over a hand",
    cmd.VerifyAward: "Verify an award",
    cmd.SettleSeat: "Pay a seat",
    cmd.Settle: "Pay what is left and close the round",
    cmd.CountStub: "Count the stub",
    cmd.Shuffle: "Shuffle a deck",
    cmd.LoadDeck: "Load a deck",
}
UNKNOWN = "unknown"


def due_text(step: Step) -> str:
    """The title of a step with its reason."""
    return f"{step.title}: {step.why}" if step.why else step.title


def due_act(people: SimulatedPeople) -> tuple[str, str]:
    """The act that is due now, and its clause."""
    trouble = people.lesson.trouble
    if trouble is not None:
        return trouble.said, trouble.clause
    steps = people.due()
    if paying_seat(people):
        seat = people.offered(cmd.SettleSeat)
        if seat is not None:
            return f"Pay seat {paying_seat(people)}", seat.clauses[0] if seat.clauses else ""
    if not steps:
        return NOTHING_DUE, ""
    return due_text(steps[0]), steps[0].clauses[0] if steps[0].clauses else ""


def paying_seat(people: SimulatedPeople) -> int:
    """The seat that is paid next; 0 if none is."""
    settling = payout_guide(people.table, Viewer(people.trainee))
    return settling.seat if settling is not None else 0


def winnings(people: SimulatedPeople) -> tuple[Cents, str]:
    """What the seat that is paid next wins, including envy, and the first clause."""
    settling = payout_guide(people.table, Viewer(people.trainee))
    assert settling is not None, "a seat is paid"
    won = [wager for wager in settling.resolved if wager.returned > wager.stake]
    clauses = [wager.clause for wager in won or settling.resolved]
    return sum(wager.returned - wager.stake for wager in won), clauses[0] if clauses else ""


def payout_text(people: SimulatedPeople) -> str:
    """How the winnings of the seat that is paid next add up."""
    settling = payout_guide(people.table, Viewer(people.trainee))
    assert settling is not None, "a seat is paid"
    game = people.table.house.game
    won = [
        f"{wager.title if (wager := game.wager(each.wager)) else 'Envy'} {dollars(each.stake)} "
        f"{each.result or 'wins'}, {dollars(each.returned - each.stake)}"
        for each in settling.resolved
        if each.returned > each.stake
    ]
    return "; ".join(won) or "no wager wins"


def due_kinds(people: SimulatedPeople) -> set[str]:
    """The kinds of acts that are right now."""
    trouble = people.lesson.trouble
    if trouble is not None:
        return {trouble.kind}
    kinds = {step.kind for step in people.due()}
    if paying_seat(people) and people.offered(cmd.SettleSeat) is not None:
        return kinds - {kind_of(cmd.Settle)} | {kind_of(cmd.SettleSeat)}
    return kinds


def grade_name(people: SimulatedPeople, named: str) -> Grade | None:
    """The grade of an act that was named and is not due; None if it is."""
    if named in due_kinds(people):
        return None
    lesson, moment = people.lesson, now_ms()
    due, clause = due_act(people)
    titles = {kind_of(kind): title for kind, title in ROUTINE.items()}
    return _grade(
        people,
        moment,
        done="asked what is due" if named == UNKNOWN else titles.get(named, named[:40]),
        due=due,
        clause=clause,
        right=False,
        note="",
        irregularity=lesson.trouble is not None,
    )


def _grade(people: SimulatedPeople, moment: int, **values: Any) -> Grade:
    lesson, current = people.lesson, people.table.dealing
    return Grade(
        number=len(lesson.grades) + 1,
        at=moment,
        round=current.number if current is not None else people.table.rounds_played,
        milliseconds=max(0, moment - lesson.since),
        **values,
    )


def objection(
    people: SimulatedPeople, command: Command, pays: Cents | None
) -> GradingFinding | None:
    """What is wrong with an act, beyond what the table itself refuses; None if nothing is."""
    trouble = people.lesson.trouble
    if trouble is not None:
        if kind_of(command) == trouble.kind and getattr(command, "card", "") == trouble.card:
            return None
        name = trouble.kind.replace("_", " ")
        return GradingFinding(note=f"Declare it first: {name}.", clause=trouble.clause)
    match command:
        case cmd.DealCards(cards=cards) if tuple(cards) != people.shoe():
            note = f"The shoe gave {' '.join(people.shoe()) or 'no card'}."
            return GradingFinding(note=note, clause=due_act(people)[1])
        case cmd.SettleSeat(seat=seat):
            if not paying_seat(people):
                return None
            if seat != paying_seat(people):
                note = f"Seat {paying_seat(people)} is paid next."
                return GradingFinding(note=note, clause=due_act(people)[1])
            owed, clause = winnings(people)
            if pays != owed:
                note = f"The payout is {dollars(owed)}: {payout_text(people)}."
                return GradingFinding(note=note, clause=clause)
        case cmd.Settle() if paying_seat(people):
            seat = paying_seat(people)
            return GradingFinding(note=f"Seat {seat} is paid first.", clause=due_act(people)[1])
    if isinstance(command, COUNTS):
        step = next((step for step in people.due() if step.command is type(command)), None)
        right = fill_step(people.table, step) if step is not None else command
        if step is not None and command != right:
            counted = ", ".join(
                f"{name} {getattr(right, name)}"
                for name in command.__struct_fields__
                if getattr(right, name) != getattr(command, name)
            )
            clause = step.clauses[0] if step.clauses else ""
            return GradingFinding(note=f"The right count: {counted}.", clause=clause)
    return None


async def grade_act(people: SimulatedPeople, command: Command, pays: Cents | None) -> Grade:
    """Execute an act if it is right; return its grade."""
    lesson, moment = people.lesson, now_ms()
    due, clause = due_act(people)
    finding = objection(people, command, pays)
    grade = _grade(
        people,
        moment,
        due=due,
        done=describe_act(command, pays),
        clause=finding.clause if finding else clause,
        right=finding is None,
        note=finding.note if finding else "",
        payout=isinstance(command, cmd.SettleSeat),
        irregularity=lesson.trouble is not None,
    )
    if finding is not None:
        return grade
    try:
        await people.do(command, people.trainee)
    except Refusal as refusal:
        return msgspec.structs.replace(
            grade, right=False, note=refusal.problem, clause=refusal.clause
        )
    return grade


def describe_act(command: Command, pays: Cents | None) -> str:
    """An act in words, for the record."""
    words = kind_of(command).replace("_", " ")
    match command:
        case cmd.DealCards(cards=cards):
            return f"{words} {' '.join(cards)}"
        case cmd.SettleSeat(seat=seat) if pays is not None:
            return f"{words} {seat} with {dollars(pays)}"
        case _ if isinstance(command, COUNTS):
            values = [getattr(command, name) for name in command.__struct_fields__]
            return f"{words} {', '.join(str(value) for value in values if value not in ('', None))}"
    return words

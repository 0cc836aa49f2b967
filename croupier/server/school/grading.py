"""Each act of a trainee against the clause that governs it: what was due, what was done.

What is wrong is not carried out: the trainee is told what would have been right, and goes on.
"""

from __future__ import annotations

import msgspec

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger.aggregates.approval_messages import Grade
from croupier.money import Cents, dollars
from croupier.server.school.simulated_people import SimulatedPeople
from croupier.server.tables.payout_guide import settling_of
from croupier.table import Command, Step, Viewer, kind_of
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import fill_step

COUNTED = (cmd.CountProgressive, cmd.CountStub, cmd.CountInventory, cmd.Shuffle)
NOTHING = "nothing"


class GradingFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What is held against an act, and the clause."""

    note: str
    clause: str


def due_text(step: Step) -> str:
    """A step as a trainee is told of it."""
    return f"{step.title}: {step.why}" if step.why else step.title


def expected(tutor: SimulatedPeople) -> tuple[str, str]:
    """What is due now, and its clause."""
    trouble = tutor.lesson.trouble
    if trouble is not None:
        return trouble.said, trouble.clause
    steps = tutor.due()
    if paying_seat(tutor):
        seat = tutor.offered(cmd.SettleSeat)
        if seat is not None:
            return f"Pay seat {paying_seat(tutor)}", seat.clauses[0] if seat.clauses else ""
    if not steps:
        return NOTHING, ""
    return due_text(steps[0]), steps[0].clauses[0] if steps[0].clauses else ""


def paying_seat(tutor: SimulatedPeople) -> int:
    """The seat that is paid next, if one is."""
    settling = settling_of(tutor.table, Viewer(tutor.trainee))
    return settling.seat if settling is not None else 0


def winnings(tutor: SimulatedPeople) -> tuple[Cents, str]:
    """What the seat whose turn it is wins, envy of others included, and the first clause."""
    settling = settling_of(tutor.table, Viewer(tutor.trainee))
    assert settling is not None, "a seat is paid"
    won = [one for one in settling.resolved if one.returned > one.stake]
    clauses = [one.clause for one in won] or [one.clause for one in settling.resolved]
    return sum(one.returned - one.stake for one in won), clauses[0] if clauses else ""


def objection(tutor: SimulatedPeople, given: Command, pays: Cents | None) -> GradingFinding | None:
    """What is wrong with an act that the table itself might take."""
    trouble = tutor.lesson.trouble
    if trouble is not None:
        right = kind_of(given) == trouble.kind and getattr(given, "card", "") == trouble.card
        named = trouble.kind.replace("_", " ")
        return (
            None
            if right
            else GradingFinding(note=f"Declare it first: {named}.", clause=trouble.clause)
        )
    match given:
        case cmd.DealCards(cards=cards) if tuple(cards) != tutor.shoe():
            note = f"The shoe gave {' '.join(tutor.shoe()) or 'no card'}."
            return GradingFinding(note=note, clause=expected(tutor)[1])
        case cmd.SettleSeat():
            if not paying_seat(tutor):
                return None
            owed, clause = winnings(tutor)
            if pays != owed:
                return GradingFinding(note=f"{dollars(owed)} are paid out here.", clause=clause)
        case cmd.Settle() if paying_seat(tutor):
            seat = paying_seat(tutor)
            return GradingFinding(note=f"Seat {seat} is paid first.", clause=expected(tutor)[1])
    if isinstance(given, COUNTED):
        step = next((one for one in tutor.due() if one.command is type(given)), None)
        right = fill_step(tutor.table, step) if step is not None else given
        if step is not None and given != right:
            counted = ", ".join(
                f"{name} {getattr(right, name)}"
                for name in given.__struct_fields__
                if getattr(right, name) != getattr(given, name)
            )
            clause = step.clauses[0] if step.clauses else ""
            return GradingFinding(note=f"Counted again: {counted}.", clause=clause)
    return None


async def graded(tutor: SimulatedPeople, given: Command, pays: Cents | None) -> Grade:
    """Carry an act out if it is right; what it is worth either way."""
    lesson, moment = tutor.lesson, now_ms()
    due, clause = expected(tutor)
    against = objection(tutor, given, pays)
    current = tutor.table.dealing
    grade = Grade(
        number=len(lesson.grades) + 1,
        at=moment,
        round=current.number if current is not None else tutor.table.rounds_played,
        due=due,
        done=said(given, pays),
        clause=against.clause if against else clause,
        right=against is None,
        note=against.note if against else "",
        milliseconds=max(0, moment - lesson.since),
        payout=isinstance(given, cmd.SettleSeat),
        irregularity=lesson.trouble is not None,
    )
    if against is not None:
        return grade
    try:
        await tutor.do(given, tutor.trainee)
    except Refusal as refusal:
        return msgspec.structs.replace(
            grade, right=False, note=refusal.problem, clause=refusal.clause
        )
    return grade


def said(given: Command, pays: Cents | None) -> str:
    """An act in words."""
    words = kind_of(given).replace("_", " ")
    match given:
        case cmd.DealCards(cards=cards):
            return f"{words} {' '.join(cards)}"
        case cmd.SettleSeat(seat=seat) if pays is not None:
            return f"{words} {seat} with {dollars(pays)}"
        case _ if isinstance(given, COUNTED):
            values = [getattr(given, name) for name in given.__struct_fields__]
            return f"{words} {', '.join(str(value) for value in values if value not in ('', None))}"
    return words

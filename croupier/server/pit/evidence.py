"""Evidence of a waiting step: the hand, the wager, the document or the complaint behind it.

It is taken from what the viewer may see of the table, so that it shows no card that lies face down.
"""

from __future__ import annotations

from croupier.money import chip_amount
from croupier.server import protocol as msg
from croupier.server.tables.best_hand import visible_hands
from croupier.server.tables.waiting import object_of
from croupier.table import Table, Viewer, describe_chips
from croupier.table import events as ev
from croupier.table.core.views import HIDDEN, StepView, round_view
from croupier.table.event_text import wager_title
from croupier.wording import person_name

PROGRESSIVE = "progressive"


def evidence_of(table: Table, step: StepView, viewer: Viewer) -> msg.Evidence | None:
    """Return what a step is about; None if there is nothing beside its own reason."""
    match object_of(step):
        case ("slip", str(number)) if viewer.staff:
            return slip_evidence(table, number)
        case ("serial", int(serial)) if viewer.staff:
            document = table.payouts.documents[serial]
            prepared = f"prepared by {person_name(document.prepared_by)}"
            return wager_evidence(table, document.seat, document.wager, viewer, (prepared,))
        case ("number", int(number)) if step.kind.endswith("_dispute") and viewer.staff:
            return dispute_evidence(table, number)
    seat = step.fixed.get("seat", 0)
    if step.kind in ("verify_award", "validate_award"):
        award = table.progressive.awards.get(seat)
        light = "" if award is None else "on" if award.light else "off"
        verified = (
            (f"verified by {person_name(award.verified_by.id)}, light {light}",) if award else ()
        )
        return wager_evidence(table, seat, PROGRESSIVE, viewer, verified)
    if step.kind == "prepare_payout":
        return wager_evidence(table, seat, step.fixed["wager"], viewer)
    return None


def due_since(table: Table, step: StepView) -> int | None:
    """Return since when a step on a slip, document, award or dispute is due; None for others."""
    match object_of(step):
        case ("slip", str(number)):
            return (table.chips.waiting.get(number) or table.chips.sent[number]).changed_at
        case ("serial", int(serial)):
            return table.payouts.documents[serial].prepared_at
        case ("number", int(number)) if step.kind.endswith("_dispute"):
            return table.disputes.waiting[number].opened_at
    award = table.progressive.awards.get(step.fixed.get("seat", 0))
    return award.verified_at if award is not None and step.kind == "validate_award" else None


def wager_evidence(
    table: Table, seat: int, wager: str, viewer: Viewer, done: tuple[str, ...] = ()
) -> msg.Evidence | None:
    """The hand of a seat and what one of its wagers pays; nothing while its cards are hidden."""
    current = table.round
    if current is None or seat not in current.boxes:
        return None
    box = round_view(current, viewer).boxes[seat]
    if not box.cards or HIDDEN in box.cards:
        return msg.Evidence(player=box.player, seat=seat, done=done)
    line, amount = "", None
    for event in table.payments_due():
        match event:
            case ev.WagerSettled() if (event.seat, event.wager) == (seat, wager):
                line, amount = event.result, event.returned - event.stake
            case ev.EnvyPaid() if event.holder == seat and wager == PROGRESSIVE and amount is None:
                line = f"envy bonus of {chip_amount(event.paid)} to seat {event.seat}"
    hands = visible_hands(table, viewer)
    return msg.Evidence(
        player=box.player,
        seat=seat,
        cards=box.cards,
        hand=next((hand.words for hand in hands if hand.seat == seat), ""),
        wager=wager_title(table.house.game, wager),
        line=line,
        stake=box.stakes.get(wager),
        amount=amount,
        done=done,
    )


def dispute_evidence(table: Table, number: int) -> msg.Evidence:
    """The complaint, and the round it is about."""
    dispute = table.disputes.waiting[number]
    return msg.Evidence(player=dispute.by.id, round=dispute.round, words=dispute.text)


def slip_evidence(table: Table, number: str) -> msg.Evidence:
    """What was requested and counted, and who has signed."""
    slip = table.chips.waiting.get(number) or table.chips.sent[number]
    done = [f"{describe_chips(slip)} requested by {person_name(slip.by.id)}"]
    if slip.count is not None:
        done.append(f"{describe_chips(slip.count)} counted by {person_name(slip.count.by.id)}")
        signed = [name for name in slip.people() if name != slip.count.by.id]
        done += [f"signed by {person_name(name)}" for name in signed]
    return msg.Evidence(amount=slip.chips, done=tuple(done))

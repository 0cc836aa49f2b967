"""Large payouts: a document, a witness, a notice to surveillance, by tiers (COMAR 36.05.03.23)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table.core.fields import TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import FLOOR, MANAGER, SECURITY, Account
from croupier.table.parts.payouts import messages as rec
from croupier.table.parts.payouts.state import PayoutDocument
from croupier.table.parts.payouts.thresholds import Payout, needs_document, payout_of, thresholds

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.23"


def payouts(table: Table) -> list[Payout]:
    """Everything that settling now would pay, wager by wager; envy bonuses too."""
    current = table.dealing
    if current is None:
        return []
    found = (payout_of(event, current.boxes) for event in table.settlement())
    return [payout for payout in found if payout is not None]


def documents(table: Table) -> list[PayoutDocument]:
    """The documents of this round that are not void."""
    current = table.dealing
    if current is None:
        return []
    return [
        document
        for document in table.payouts.documents.values()
        if document.round == current.number and not document.void
    ]


def document_of(table: Table, payout: Payout) -> PayoutDocument | None:
    """The document that covers a payout."""
    for document in documents(table):
        same = (document.seat, document.wager, document.winnings)
        if same == (payout.seat, payout.wager, payout.winnings):
            return document
    return None


def undocumented(table: Table, at: int) -> list[Payout]:
    """The payouts that wait for a document."""
    day = table.gaming_day(at)
    due = (payout for payout in payouts(table) if needs_document(payout, day))
    return [payout for payout in due if document_of(table, payout) is None]


def waiting(table: Table, at: int) -> str:
    """What the documents of the round still need; nothing if everything may be paid."""
    if undocumented(table, at):
        return "a payout needs a document"
    incomplete = [document.serial for document in documents(table) if not document.complete]
    return f"document {incomplete[0]} is not complete" if incomplete else ""


def checks(table: Table, settling: Iterable[Event]) -> list[Event]:
    """The highest tier leaves by the cage, to players who are there to take a check."""
    assert table.dealing is not None
    boxes = table.dealing.boxes
    paid = {(one.seat, one.wager) for event in settling if (one := payout_of(event, boxes))}
    return [
        rec.PaidByCheck(
            serial=document.serial,
            seat=document.seat,
            player=document.player,
            amount=document.winnings,
            clauses=(LAW,),
        )
        for document in documents(table)
        if document.by_check
        and (document.seat, document.wager) in paid
        and document.player not in table.seats.absent
    ]


def ready(table: Table) -> bool:
    """Whether awards and documents may be looked at: everything lies face up."""
    current = table.dealing
    return current is not None and current.hands_shown


def prepare(table: Table, command: rec.PreparePayout, by: Account, at: int) -> list[Event]:
    """A numbered document of what is about to be paid."""
    waiting = undocumented(table, at) if ready(table) else []
    payout = next(
        (one for one in waiting if (one.seat, one.wager) == (command.seat, command.wager)), None
    )
    if payout is None:
        raise Refusal(f"no document is due for {command.wager!r} of seat {command.seat!r}", LAW)
    tiers = thresholds(table.gaming_day(at))
    assert table.dealing is not None
    prepared = rec.PayoutDocumented(
        serial=len(table.payouts.documents) + 1,
        round=table.dealing.number,
        seat=payout.seat,
        player=payout.player,
        wager=payout.wager,
        stake=payout.stake,
        winnings=payout.winnings,
        witness="pit_manager" if payout.winnings >= tiers.manager else "floorperson",
        surveillance=payout.winnings >= tiers.surveillance,
        by_check=payout.winnings >= tiers.check,
        by=by,
        clauses=(LAW,),
    )
    return [prepared]


def open_document(table: Table, serial: int) -> PayoutDocument:
    """A document of this round that is not void."""
    for document in documents(table):
        if document.serial == serial:
            return document
    raise Refusal(f"no open payout document has the number {serial!r}", LAW)


def witness(table: Table, command: rec.WitnessPayout, by: Account, at: int) -> list[Event]:
    """Never the preparer; security or the floor, and a pit manager for the highest tier."""
    document = open_document(table, command.serial)
    if document.witnessed:
        raise Refusal(f"document {document.serial} is witnessed", LAW)
    if by.id == document.prepared_by:
        raise Refusal(f"{by.id} prepared document {document.serial}", LAW)
    if document.witness == "pit_manager" and by.role != "pit_manager":
        raise Refusal(f"{dollars(document.winnings)} needs a pit manager as witness", LAW)
    return [rec.PayoutWitnessed(serial=document.serial, clauses=(LAW,))]


def notify(table: Table, command: rec.NotifySurveillance, by: Account, at: int) -> list[Event]:
    """Surveillance is told, and a photograph is taken."""
    document = open_document(table, command.serial)
    if not document.surveillance or document.notified:
        raise Refusal(f"no notice is due for document {document.serial}", LAW)
    if command.photo is not True:
        raise Refusal("a photograph is needed", LAW)
    return [rec.SurveillanceNotified(serial=document.serial, photo=True, clauses=(LAW,))]


def void(table: Table, command: rec.VoidPayout, by: Account, at: int) -> list[Event]:
    """A pit manager voids a document, with a reason; another one is due then."""
    document = open_document(table, command.serial)
    if not command.reason.strip():
        raise Refusal("a reason is needed", LAW)
    return [voided(document, command.reason, by, at)]


def voided(document: PayoutDocument, reason: str, by: Account, at: int) -> rec.PayoutVoided:
    """The event that ends a document."""
    return rec.PayoutVoided(serial=document.serial, reason=reason, clauses=(LAW,))


def reopen(table: Table, by: Account, at: int, reason: str) -> list[Event]:
    """What was checked and documented is no longer what would be paid."""
    events: list[Event] = [voided(document, reason, by, at) for document in documents(table)]
    if table.progressive.awards:
        events.append(rec.AwardsReopened(clauses=(LAW,)))
    return events


def offer_prepare(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every undocumented payout."""
    for payout in undocumented(table, at) if ready(table) else ():
        yield ActionTemplate(
            command=rec.PreparePayout(payout.seat, payout.wager),
            due="due",
            why=f"{dollars(payout.winnings)} on {dollars(payout.stake)}",
        )


def offer_on_documents(table: Table, kind: str) -> Iterator[ActionTemplate]:
    """What the documents of the round wait for."""
    for document in documents(table):
        serial, why = document.serial, f"document {document.serial}"
        if kind == "witness" and not document.witnessed:
            preparer = (document.prepared_by,)
            yield ActionTemplate(
                command=rec.WitnessPayout(serial), due="due", why=why, except_for=preparer
            )
        elif kind == "notify" and document.surveillance and not document.notified:
            yield ActionTemplate(command=rec.NotifySurveillance(serial, True), due="due", why=why)
        elif kind == "void":
            yield ActionTemplate(
                command=rec.VoidPayout(serial, "wrongly made out"),
                fields={"reason": TextField("wrongly made out")},
            )


COMMANDS = (
    CommandSpec(
        command=rec.PreparePayout,
        roles=FLOOR,
        duty="settle.pays",
        law=LAW,
        decide=prepare,
        offers=offer_prepare,
    ),
    CommandSpec(
        command=rec.WitnessPayout,
        roles=(*FLOOR, *SECURITY),
        duty="settle.pays",
        law=LAW,
        decide=witness,
        offers=lambda table, at: offer_on_documents(table, "witness"),
        per_account=True,
    ),
    CommandSpec(
        command=rec.NotifySurveillance,
        roles=FLOOR,
        duty="settle.pays",
        law=LAW,
        decide=notify,
        offers=lambda table, at: offer_on_documents(table, "notify"),
    ),
    CommandSpec(
        command=rec.VoidPayout,
        roles=MANAGER,
        duty="settle.pays",
        law=LAW,
        decide=void,
        offers=lambda table, at: offer_on_documents(table, "void"),
    ),
)

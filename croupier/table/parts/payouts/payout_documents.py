"""Payout documents: preparation, witness, surveillance notice, void (COMAR 36.05.03.23)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table.core.fields import TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import FLOOR, MANAGER, SECURITY, Account
from croupier.table.parts.payouts import messages as msg
from croupier.table.parts.payouts.state import PayoutDocument
from croupier.table.parts.payouts.thresholds import (
    Payout,
    is_taxable,
    needs_document,
    payout_of,
    thresholds,
)

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.23"


def pending_payouts(table: Table) -> list[Payout]:
    """The payouts of the current turn and those delayed, by wager, including envy bonuses."""
    current = table.dealing
    if current is None:
        return []
    payouts = (payout_of(event, current.boxes) for event in table.payments_due())
    return [payout for payout in payouts if payout is not None]


def round_documents(table: Table) -> list[PayoutDocument]:
    """The payout documents of this round that are not void."""
    current = table.dealing
    if current is None:
        return []
    return [
        document
        for document in table.payouts.documents.values()
        if document.round == current.number and not document.void
    ]


def document_of(table: Table, payout: Payout) -> PayoutDocument | None:
    """The document of a payout, or None."""
    for document in round_documents(table):
        documented = (document.seat, document.wager, document.winnings)
        if documented == (payout.seat, payout.wager, payout.winnings):
            return document
    return None


def undocumented(table: Table, at: int) -> list[Payout]:
    """The payouts that still need a document."""
    day = table.gaming_day(at)
    due = (payout for payout in pending_payouts(table) if needs_document(payout, day))
    return [payout for payout in due if document_of(table, payout) is None]


def missing_paperwork(table: Table, payment: Event, at: int) -> str:
    """What the document of a payment still needs; "" if it may be paid."""
    assert table.dealing is not None
    payout = payout_of(payment, table.dealing.boxes)
    if payout is None:
        return ""
    document = document_of(table, payout)
    if document is None:
        needed = needs_document(payout, table.gaming_day(at))
        return "a payout document is missing" if needed else ""
    return "" if document.complete else f"payout document {document.serial} is incomplete"


def check_payments(table: Table, events: Iterable[Event]) -> list[Event]:
    """The payments by check, for the highest tier and players still present."""
    assert table.dealing is not None
    boxes = table.dealing.boxes
    payouts = (payout_of(event, boxes) for event in events)
    paid = {(payout.seat, payout.wager) for payout in payouts if payout is not None}
    return [
        msg.PaidByCheck(
            serial=document.serial,
            seat=document.seat,
            player=document.player,
            amount=document.winnings,
            clauses=(LAW,),
        )
        for document in round_documents(table)
        if document.by_check
        and (document.seat, document.wager) in paid
        and document.player not in table.seats.absent
    ]


def prepare(table: Table, command: msg.PreparePayout, by: Account, at: int) -> list[Event]:
    """Prepare a numbered document for a payout."""
    by_wager = {(payout.seat, payout.wager): payout for payout in undocumented(table, at)}
    payout = by_wager.get((command.seat, command.wager))
    if payout is None:
        raise Refusal(f"{command.wager!r} of seat {command.seat!r} needs no payout document", LAW)
    day = table.gaming_day(at)
    tiers = thresholds(day)
    witness = "pit_manager" if payout.winnings >= tiers.manager else "floorperson"
    assert table.dealing is not None
    prepared = msg.PayoutDocumented(
        serial=len(table.payouts.documents) + 1,
        round=table.dealing.number,
        seat=payout.seat,
        player=payout.player,
        wager=payout.wager,
        stake=payout.stake,
        winnings=payout.winnings,
        witness=witness if is_taxable(payout, day) else "",
        surveillance=payout.winnings >= tiers.surveillance,
        by_check=payout.winnings >= tiers.check,
        by=by,
        clauses=(LAW,),
    )
    return [prepared]


def open_document(table: Table, serial: int) -> PayoutDocument:
    """The document of this round with this serial number; refused if void or unknown."""
    for document in round_documents(table):
        if document.serial == serial:
            return document
    raise Refusal(f"there is no open payout document {serial!r}", LAW)


def witness(table: Table, command: msg.WitnessPayout, by: Account, at: int) -> list[Event]:
    """Witness a document; never the preparer, and only a pit manager for the highest tiers."""
    document = open_document(table, command.serial)
    if not document.unwitnessed:
        raise Refusal(f"payout document {document.serial} needs no witness", LAW)
    if by.id == document.prepared_by:
        raise Refusal(f"{by.id} prepared this document; another person must witness it", LAW)
    if table.posts.dealt_round(by.id, document.round):
        raise Refusal(f"{by.id} dealt in this round; another person must witness it", LAW)
    if document.witness == "pit_manager" and by.role != "pit_manager":
        raise Refusal(f"only a pit manager may witness {dollars(document.winnings)}", LAW)
    return [msg.PayoutWitnessed(serial=document.serial, clauses=(LAW,))]


def notify(table: Table, command: msg.NotifySurveillance, by: Account, at: int) -> list[Event]:
    """Record the notice to surveillance, with a photograph."""
    document = open_document(table, command.serial)
    if not document.surveillance or document.notified:
        raise Refusal(f"payout document {document.serial} needs no surveillance notice", LAW)
    if command.photo is not True:
        raise Refusal("a photograph is required", LAW)
    return [msg.SurveillanceNotified(serial=document.serial, photo=True, clauses=(LAW,))]


def void(table: Table, command: msg.VoidPayout, by: Account, at: int) -> list[Event]:
    """Void a document, with a reason; a new one is then due."""
    document = open_document(table, command.serial)
    if not command.reason.strip():
        raise Refusal("a reason is required", LAW)
    return [void_event(document, command.reason, by, at)]


def void_event(document: PayoutDocument, reason: str, by: Account, at: int) -> msg.PayoutVoided:
    """The event that voids a document."""
    return msg.PayoutVoided(serial=document.serial, reason=reason, clauses=(LAW,))


def reopen_payouts(table: Table, by: Account, at: int, reason: str) -> list[Event]:
    """Void the round's documents and reopen its awards because the payouts changed."""
    events: list[Event] = [
        void_event(document, reason, by, at) for document in round_documents(table)
    ]
    if table.progressive.awards:
        events.append(msg.AwardsReopened(clauses=(LAW,)))
    return events


def offer_prepare(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every payout that needs a document."""
    for payout in undocumented(table, at):
        yield ActionTemplate(
            command=msg.PreparePayout(payout.seat, payout.wager),
            due="due",
            why=f"{dollars(payout.winnings)} on {dollars(payout.stake)}",
        )


def offer_on_documents(table: Table, kind: str) -> Iterator[ActionTemplate]:
    """One kind of action (witness, notify or void) on the documents of the round."""
    for document in round_documents(table):
        serial, why = document.serial, f"payout document {document.serial}"
        if kind == "witness" and document.unwitnessed:
            involved = (document.prepared_by, *sorted(table.posts.dealers_of(document.round)))
            yield ActionTemplate(
                command=msg.WitnessPayout(serial), due="due", why=why, except_for=involved
            )
        elif kind == "notify" and document.surveillance and not document.notified:
            yield ActionTemplate(command=msg.NotifySurveillance(serial, True), due="due", why=why)
        elif kind == "void":
            yield ActionTemplate(
                command=msg.VoidPayout(serial, "filled out incorrectly"),
                fields={"reason": TextField("filled out incorrectly")},
            )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.PreparePayout,
        roles=FLOOR,
        duty="settle.pays",
        law=LAW,
        decide=prepare,
        offers=offer_prepare,
    ),
    CommandSpec(
        command=msg.WitnessPayout,
        roles=(*FLOOR, *SECURITY),
        duty="settle.pays",
        law=LAW,
        decide=witness,
        offers=lambda table, at: offer_on_documents(table, "witness"),
        per_account=True,
    ),
    CommandSpec(
        command=msg.NotifySurveillance,
        roles=FLOOR,
        duty="settle.pays",
        law=LAW,
        decide=notify,
        offers=lambda table, at: offer_on_documents(table, "notify"),
    ),
    CommandSpec(
        command=msg.VoidPayout,
        roles=MANAGER,
        duty="settle.pays",
        law=LAW,
        decide=void,
        offers=lambda table, at: offer_on_documents(table, "void"),
    ),
)

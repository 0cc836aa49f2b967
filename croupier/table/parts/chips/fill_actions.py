"""When the steps of fills and credits are offered, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import FieldType, TextField
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import CAGE, DEALER, FLOOR, SECURITY
from croupier.table.parts.chips import fills_and_credits
from croupier.table.parts.chips import messages as rec
from croupier.table.parts.chips.piles import count_form
from croupier.table.parts.chips.round_hooks import too_short
from croupier.table.parts.chips.state import PendingSlip

if TYPE_CHECKING:
    from croupier.table.table import Table


def request_forms(table: Table, kind: rec.Slip) -> dict[str, FieldType]:
    """What a request leaves open."""
    return {
        "slip": TextField(kind, taken=tuple(sorted(table.chips.slips))),
        "chips": count_form(table, 1),
    }


def offer_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """At any time of an open table; due where the tray cannot pay the round that waits."""
    if not table.shift.open:
        return
    forms = request_forms(table, "fill")
    coming = any(found.kind == "fill" for found in table.chips.waiting.values())
    due = not coming and too_short(table, at)
    yield ActionTemplate(
        command=rec.RequestFill(*(form.example() for form in forms.values())),
        fields=forms,
        due="due" if due else "may",
        why="the tray cannot pay the round, which waits" if due else "",
    )


def offer_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """At any time of an open table."""
    if table.shift.open:
        forms = request_forms(table, "credit")
        yield ActionTemplate(
            command=rec.RequestCredit(*(form.example() for form in forms.values())), fields=forms
        )


def offer_counts(
    table: Table, command: type[rec.CountFill | rec.CountCredit], kind: rec.Slip
) -> Iterator[ActionTemplate]:
    """Every request that nobody has counted for."""
    for slip, found in table.chips.waiting.items():
        if found.kind == kind and found.count is None:
            chips = count_form(table, 1)
            yield ActionTemplate(
                command=command(slip, chips.example()),
                fields={"chips": chips},
                due="due",
                why=f"{fills_and_credits.in_pieces(found)} is requested",
                except_for=(found.by.id,),
            )


def offer_count_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """To the cashier."""
    return offer_counts(table, rec.CountFill, "fill")


def offer_count_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """To the dealer."""
    return offer_counts(table, rec.CountCredit, "credit")


def offer_confirmations(
    table: Table, command: type[rec.ConfirmFill | rec.ConfirmCredit], kind: rec.Slip
) -> Iterator[ActionTemplate]:
    """Every count, for the floorperson; it says what it still waits for."""
    for slip, found in table.chips.waiting.items():
        if found.kind == kind and found.count is not None:
            why = "counted and signed" if not found.missing() else "counted"
            yield ActionTemplate(command=command(slip), due="due", why=why)


def offer_confirm_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every fill that waits for the floorperson."""
    return offer_confirmations(table, rec.ConfirmFill, "fill")


def offer_confirm_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every credit that waits for the floorperson."""
    return offer_confirmations(table, rec.ConfirmCredit, "credit")


def offer_signatures(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Whoever has to sign next, for every slip."""
    for slip, found in table.chips.waiting.items():
        if found.count is not None and found.missing():
            why = f"{found.missing()[0]} has not signed for the {found.kind}"
            yield signature(slip, found, why)
    for slip, found in table.chips.sent.items():
        yield signature(slip, found, "the credit was sent to the chip bank")


def signature(slip: str, found: PendingSlip, why: str) -> ActionTemplate:
    """One that waits."""
    people = (found.by.id, *found.people())
    return ActionTemplate(command=rec.SignSlip(slip), due="due", why=why, except_for=people)


def offer_recounts(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every count that is not confirmed."""
    reason = TextField("counted again")
    for slip, found in table.chips.waiting.items():
        if found.count is not None:
            chips = count_form(table, 1)
            yield ActionTemplate(
                command=rec.RecountSlip(slip, chips.example(), reason.example()),
                fields={"chips": chips, "reason": reason},
                except_for=(found.by.id,),
            )


def offer_cancels(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every slip that is not confirmed."""
    reason = TextField("not needed any more")
    for slip in table.chips.waiting:
        yield ActionTemplate(
            command=rec.CancelSlip(slip, reason.example()), fields={"reason": reason}
        )


COMMANDS = (
    CommandSpec(
        command=rec.RequestFill,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.request_fill,
        offers=offer_fill,
    ),
    CommandSpec(
        command=rec.CountFill,
        roles=CAGE,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.count_fill,
        offers=offer_count_fill,
    ),
    CommandSpec(
        command=rec.RequestCredit,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.request_credit,
        offers=offer_credit,
    ),
    CommandSpec(
        command=rec.CountCredit,
        roles=DEALER,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.count_credit,
        offers=offer_count_credit,
        per_account=True,
    ),
    CommandSpec(
        command=rec.SignSlip,
        roles=(*CAGE, *SECURITY, *DEALER),
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.sign,
        offers=offer_signatures,
        per_account=True,
    ),
    CommandSpec(
        command=rec.ConfirmFill,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.confirm_fill,
        offers=offer_confirm_fill,
        per_account=True,
    ),
    CommandSpec(
        command=rec.ConfirmCredit,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.confirm_credit,
        offers=offer_confirm_credit,
        per_account=True,
    ),
    CommandSpec(
        command=rec.RecountSlip,
        roles=(*DEALER, *CAGE),
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.recount,
        offers=offer_recounts,
        per_account=True,
    ),
    CommandSpec(
        command=rec.CancelSlip,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.cancel,
        offers=offer_cancels,
    ),
)

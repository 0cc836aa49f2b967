"""Command specifications and legal actions of fills and credits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.table.core.fields import FieldType, TextField
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import CAGE, DEALER, FLOOR, SECURITY, Account
from croupier.table.core.titles import slip_name
from croupier.table.parts.chips import fills_and_credits
from croupier.table.parts.chips import messages as msg
from croupier.table.parts.chips.piles import count_field
from croupier.table.parts.chips.round_hooks import tray_too_short
from croupier.table.parts.chips.state import PendingSlip

if TYPE_CHECKING:
    from croupier.table.table import Table


def request_forms(table: Table, kind: msg.Slip) -> dict[str, FieldType]:
    """The fields of a request."""
    return {
        "slip": TextField(kind, taken=tuple(sorted(table.chips.slips))),
        "chips": count_field(table, 1),
    }


def offer_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer at an open table; due if the tray cannot pay the round."""
    if not table.shift.open:
        return
    forms = request_forms(table, "fill")
    requested = any(slip.kind == "fill" for slip in table.chips.waiting.values())
    due = not requested and tray_too_short(table, at)
    yield ActionTemplate(
        command=msg.RequestFill(*(form.example() for form in forms.values())),
        fields=forms,
        due="due" if due else "may",
        why="the tray cannot pay this round" if due else "",
    )


def offer_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer at an open table."""
    if table.shift.open:
        forms = request_forms(table, "credit")
        yield ActionTemplate(
            command=msg.RequestCredit(*(form.example() for form in forms.values())), fields=forms
        )


def offer_counts(
    table: Table, command: type[msg.CountFill | msg.CountCredit], kind: msg.Slip
) -> Iterator[ActionTemplate]:
    """Offer it for every uncounted request."""
    for number, slip in table.chips.waiting.items():
        if slip.kind == kind and slip.count is None:
            chips = count_field(table, 1)
            yield ActionTemplate(
                command=command(number, chips.example()),
                fields={"chips": chips},
                due="due",
                why=f"{fills_and_credits.describe_chips(slip)} requested",
                except_for=(slip.by.id,),
            )


def offer_count_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every uncounted fill."""
    return offer_counts(table, msg.CountFill, "fill")


def offer_count_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every uncounted credit."""
    return offer_counts(table, msg.CountCredit, "credit")


def offer_confirmations(
    table: Table, command: type[msg.ConfirmFill | msg.ConfirmCredit], kind: msg.Slip
) -> Iterator[ActionTemplate]:
    """Offer it for every counted request."""
    for number, slip in table.chips.waiting.items():
        if slip.kind == kind and slip.count is not None:
            why = "counted and signed" if not slip.missing() else "counted"
            yield ActionTemplate(command=command(number), due="due", why=why)


def offer_confirm_fill(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every counted fill."""
    return offer_confirmations(table, msg.ConfirmFill, "fill")


def offer_confirm_credit(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every counted credit."""
    return offer_confirmations(table, msg.ConfirmCredit, "credit")


def offer_signatures(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The next signature of every slip that is counted as requested, and of a sent credit."""
    for number, slip in table.chips.waiting.items():
        if slip.as_requested() and slip.missing():
            why = f"waiting for {slip.missing()[0]} to sign the {slip.kind}"
            yield signature(number, slip, why)
    for number, slip in table.chips.sent.items():
        yield signature(number, slip, "the credit was sent to the cage")


def signature(number: str, slip: PendingSlip, why: str) -> ActionTemplate:
    """A signature, by a person who has not requested, counted or signed the slip."""
    people = (slip.by.id, *slip.people())
    return ActionTemplate(command=msg.SignSlip(number), due="due", why=why, except_for=people)


def offer_recounts(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every counted slip; due for the role that counted if it is not as requested."""
    reason = TextField("counted again")
    for number, slip in table.chips.waiting.items():
        if slip.count is None:
            continue
        chips = count_field(table, 1)
        template = ActionTemplate(
            command=msg.RecountSlip(number, chips.example(), reason.example()),
            fields={"chips": chips, "reason": reason},
            except_for=(slip.by.id,),
        )
        if slip.as_requested():
            yield template
            continue
        difference = fills_and_credits.describe_difference(slip.count.chips - slip.chips)
        why = f"{slip_name(slip.kind, number)} {difference}"
        dealers = tuple(
            Account(name, role) for name, role in table.posts.here.items() if role in DEALER
        )
        replace = msgspec.structs.replace
        if slip.kind == "credit":
            yield replace(template, due="due", why=why, who=dealers)
        else:
            yield replace(template, due="due", why=why, open_to=CAGE)
            yield replace(template, why=why, who=dealers)


def offer_cancels(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every unconfirmed slip."""
    reason = TextField("not needed any more")
    for slip in table.chips.waiting:
        yield ActionTemplate(
            command=msg.CancelSlip(slip, reason.example()), fields={"reason": reason}
        )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.RequestFill,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.request_fill,
        offers=offer_fill,
    ),
    CommandSpec(
        command=msg.CountFill,
        roles=CAGE,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.count_fill,
        offers=offer_count_fill,
    ),
    CommandSpec(
        command=msg.RequestCredit,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.request_credit,
        offers=offer_credit,
    ),
    CommandSpec(
        command=msg.CountCredit,
        roles=DEALER,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.count_credit,
        offers=offer_count_credit,
        per_account=True,
    ),
    CommandSpec(
        command=msg.SignSlip,
        roles=(*CAGE, *SECURITY, *DEALER),
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.sign,
        offers=offer_signatures,
        per_account=True,
    ),
    CommandSpec(
        command=msg.ConfirmFill,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        decide=fills_and_credits.confirm_fill,
        offers=offer_confirm_fill,
        per_account=True,
    ),
    CommandSpec(
        command=msg.ConfirmCredit,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.CREDITS,
        decide=fills_and_credits.confirm_credit,
        offers=offer_confirm_credit,
        per_account=True,
    ),
    CommandSpec(
        command=msg.RecountSlip,
        roles=(*DEALER, *CAGE),
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.recount,
        offers=offer_recounts,
        per_account=True,
    ),
    CommandSpec(
        command=msg.CancelSlip,
        roles=FLOOR,
        duty="chips",
        law=fills_and_credits.FILLS,
        law_of=fills_and_credits.law_of,
        decide=fills_and_credits.cancel,
        offers=offer_cancels,
    ),
)

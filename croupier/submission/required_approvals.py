"""Approvals and statements that must be on file before a table opens, and are missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.games.forms.field_types import format_dollars, has_date
from croupier.games.forms.value_text import format_value
from croupier.submission.issues import Scalar
from croupier.submission.parse_context import ParseContext

if TYPE_CHECKING:
    from croupier.games.house import House


PROPOSED = "COMAR 36.05.03.20"  # a new wager or paytable is approved before it is offered


class OutstandingItem(msgspec.Struct, frozen=True, kw_only=True):
    """One missing approval or statement, with its field and clause."""

    field: str
    message: str
    clause: str
    allowed: str
    value: Scalar = None


def outstanding_items(context: ParseContext) -> Iterator[OutstandingItem]:
    """Everything that is missing; a stated value that is invalid is an error instead."""
    for choice in context.form.every_choice:
        unstated = choice.name not in context.stated
        if choice.missing == "outstanding" and unstated and choice.matters(context):
            default = context.choice(choice.name)
            missing = "not on file"
            if default is not None:
                missing = f"not stated, read as {choice.kind.write(default)}"
            reading = f" ({choice.reading})" if choice.reading else ""
            yield OutstandingItem(
                field=choice.field,
                message=f"{missing}; needed before a table opens{reading}",
                clause=choice.clause,
                allowed=choice.kind.allowed,
            )
    yield from _undated_layout(context)
    yield from _tip_box_location(context)
    yield from _meter_amounts(context)


def _undated_layout(context: ParseContext) -> Iterator[OutstandingItem]:
    # 2.B: the layout is approved before the table opens, so its approval has a date.
    approval = context.choice("layout_approval")
    if approval is not None and not has_date(approval):
        yield OutstandingItem(
            field="choices.layout_approval",
            message=f"{format_value(approval)} has no date, such as 2031-02-14",
            clause="2.B",
            allowed="a reference and its date",
            value=approval,
        )


def _tip_box_location(context: ParseContext) -> Iterator[OutstandingItem]:
    position = context.choice("drop_tip_box_position")
    if position != "opposite_sides_of_dealer" and context.choice("tip_box_alternative") is None:
        yield OutstandingItem(
            field="choices.tip_box_alternative",
            message=f"not stated; with {position} the tip box location needs an approval",
            clause=context.form.choice("tip_box_alternative").clause,
            allowed="the approved location",
        )


def _meter_amounts(context: ParseContext) -> Iterator[OutstandingItem]:
    """The initial and reset amounts that the submission must state for each meter."""
    for meter in context.meters.values():
        for key in meter.unstated:
            minimum = format_dollars(getattr(meter, key))
            yield OutstandingItem(
                field=f"meters.{meter.name}.{key}",
                message=f"not stated; at least {minimum}, needed before a table opens",
                clause=context.form.meters.amount_clause(meter.name),
                allowed=f"at least {minimum}",
            )


def outstanding(house: House[Any]) -> dict[str, str]:
    """Return the fields that a House still lacks, with the clause that requires each.

    A table opens only if there are none.
    """
    context = ParseContext(house.game)
    context.listed = set(house.offered)
    context.letters = dict(house.letters)
    context.meters = dict(house.meters)
    names = house.choices.__struct_fields__
    context.values = {name: getattr(house.choices, name) for name in names}
    context.values |= {
        "dealing_method": house.dealing_method,
        "shuffle_method": house.shuffle_method,
        "decks": house.decks,
        "positions": house.positions,
        "max_adjacent_boxes": house.max_adjacent_boxes,
    }
    for choice in house.game.form.every_choice:
        if context.choice(choice.name) is not None and choice.field not in house.unstated:
            context.stated[choice.name] = context.choice(choice.name)
    proposal = {"proposal": PROPOSED} if house.proposal is not None else {}
    return proposal | {item.field: item.clause for item in outstanding_items(context)}

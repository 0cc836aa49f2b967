"""What has to be on file before a table opens, and is not: of a filing, or of a House."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.games.forms.field_types import has_date, write_dollars
from croupier.games.forms.issues import Scalar, shown
from croupier.games.forms.parse_context import ParseContext

if TYPE_CHECKING:
    from croupier.games.house import House


class Owed(msgspec.Struct, frozen=True, kw_only=True):
    """One approval or statement that is missing, with its field and clause."""

    field: str
    message: str
    clause: str
    allowed: str
    value: Scalar = None


def owed(filing: ParseContext) -> Iterator[Owed]:
    """Everything that is outstanding; what was given and could not be read is an error instead."""
    for choice in filing.form.every_choice:
        silent = choice.name not in filing.given and filing.choice(choice.name) is None
        if choice.missing == "outstanding" and silent and choice.matters(filing):
            reading = f" ({choice.reading})" if choice.reading else ""
            yield Owed(
                field=choice.field,
                message=f"not on file; needed before a table opens{reading}",
                clause=choice.clause,
                allowed=choice.kind.allowed,
            )
    yield from undated_layout(filing)
    yield from unplaced_tip_box(filing)
    yield from unstated_amounts(filing)


def undated_layout(filing: ParseContext) -> Iterator[Owed]:
    """2.B: the layout was approved before the table opens, so its approval has a day."""
    approval = filing.choice("layout_approval")
    if approval is not None and not has_date(approval):
        yield Owed(
            field="choices.layout_approval",
            message=f"{shown(approval)} names no date, such as 2031-02-14",
            clause="2.B",
            allowed="a reference and its date",
            value=approval,
        )


def unplaced_tip_box(filing: ParseContext) -> Iterator[Owed]:
    """A tip box that is not across the dealer needs the location that was approved."""
    position = filing.choice("drop_tip_box_position")
    if position != "opposite_sides_of_dealer" and filing.choice("tip_box_alternative") is None:
        yield Owed(
            field="choices.tip_box_alternative",
            message=f"not stated; {position} puts the tip box where only an approval allows it",
            clause=filing.form.choice("tip_box_alternative").clause,
            allowed="the approved location",
        )


def unstated_amounts(filing: ParseContext) -> Iterator[Owed]:
    """The submission states where each meter starts and where it resets; nobody else does."""
    for meter in filing.meters.values():
        for key in meter.unstated:
            least = write_dollars(getattr(meter, key))
            yield Owed(
                field=f"meters.{meter.name}.{key}",
                message=f"not stated; {least} at the least, needed before a table opens",
                clause=filing.form.meters.amount_clause(meter.name),
                allowed=f"at least {least}",
            )


def outstanding(house: House[Any]) -> tuple[str, ...]:
    """The fields that a House still owes: it is legal, and no table opens under it."""
    filing = ParseContext(house.game)
    filing.listed = set(house.offered)
    filing.letters = dict(house.letters)
    filing.meters = dict(house.meters)
    names = house.choices.__struct_fields__
    filing.values = {name: getattr(house.choices, name) for name in names}
    filing.values |= {
        "dealing_method": house.dealing_method,
        "shuffle_method": house.shuffle_method,
        "decks": house.decks,
        "max_adjacent_boxes": house.max_adjacent_boxes,
    }
    proposed = ("proposal",) if house.proposal is not None else ()
    return (*proposed, *(each.field for each in owed(filing)))

"""Forms for the requests that a player can send to the dealer bot."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Literal, get_args

import msgspec

from croupier.server import protocol as msg
from croupier.server.auth.person import is_private
from croupier.table import Account, Table
from croupier.table.core.fields import AmountField, FieldType, OneOfField
from croupier.table.core.views import StepView

CHIPS_MAX = 1_000_000_00  # per player
CASH_MIN = 1_00
TITLES: dict[type[msg.Ask], str] = {
    msg.Deal: "Deal",
    msg.BuyChips: "Buy chips",
    msg.LeaveTable: "Leave table",
    msg.SetPace: "Pace",
    msg.SetCompanions: "Companions",
    msg.SetDrill: "Drill",
}


def forms_for(
    table: Table,
    account: Account,
    ready: Collection[str],
    pace: msg.Pace,
    companions: int,
    most: int,
    drill: bool,
) -> tuple[StepView, ...]:
    """The requests that an account can make now, the most urgent first.

    The current value is the first option of a choice. `most` is the number of companions.
    """
    if account.role != "player" or table.seats.seat_of(account.id) is None:
        return ()
    forms: list[StepView] = []
    bets = table.boxes_of(account.id)
    if table.dealing is None and bets and account.id not in ready:
        forms.append(make_form(msg.Deal, {}, "due"))
    rack = table.book.rack(account.id)
    if rack <= CHIPS_MAX - CASH_MIN:
        cash = AmountField(CASH_MIN, CHIPS_MAX - rack)
        forms.append(make_form(msg.BuyChips, {"cash": cash}, "may" if rack or bets else "due"))
    if is_private(table.table_id):
        forms.append(make_form(msg.SetDrill, {"on": OneOfField((not drill, drill))}))
    return (*forms, *settings(pace, companions, most))


@cache
def settings(pace: msg.Pace, companions: int, most: int) -> tuple[Any, ...]:
    """The settings of the bot, encoded as JSON already."""
    paces = (pace, *(other for other in get_args(msg.Pace) if other != pace))
    counts = (companions, *(other for other in range(most + 1) if other != companions))
    forms = (
        make_form(msg.LeaveTable, {}),
        make_form(msg.SetPace, {"pace": OneOfField(paces)}),
        make_form(msg.SetCompanions, {"count": OneOfField(counts)}),
    )
    return tuple(msgspec.Raw(msgspec.json.encode(form)) for form in forms)


def make_form(
    kind: type[msg.Ask], fields: dict[str, FieldType], due: Literal["may", "due"] = "may"
) -> StepView:
    """A request as a form, with the docstring of its type as the sentence."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return StepView(
        kind=tag,
        subject="Practice table",
        title=TITLES[kind],
        sentence=(kind.__doc__ or "").strip(),
        fields=fields,
        fixed={},
        clauses=(),
        due=due,
        why="",
        blocked="",
    )

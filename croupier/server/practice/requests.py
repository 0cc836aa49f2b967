"""What a player may ask of the machine dealer, as forms like those of the table's own steps."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Literal, get_args

import msgspec

from croupier.server import protocol as msg
from croupier.table import Account, Table
from croupier.table.core.fields import AmountField, FieldType, OneOfField
from croupier.table.core.views import StepView

MOST_CHIPS = 1_000_000_00  # that one player may have before them
LEAST_CASH = 1_00
TITLES: dict[type[msg.Ask], str] = {
    msg.Deal: "Deal",
    msg.BuyChips: "Buy chips",
    msg.SetPace: "Pace",
    msg.SetCompanions: "Companions",
}


def forms_for(
    table: Table,
    account: Account,
    ready: Collection[str],
    pace: msg.Pace,
    companions: int,
    most: int,
) -> tuple[StepView, ...]:
    """Everything that this account may ask for now, the most urgent first.

    Where there is a choice, what holds now comes first.
    """
    if account.role != "player" or table.seats.seat_of(account.id) is None:
        return ()
    found: list[StepView] = []
    bets = table.boxes_of(account.id)
    if table.dealing is None and bets and account.id not in ready:
        found.append(form(msg.Deal, {}, "due"))
    rack = table.book.rack(account.id)
    if rack <= MOST_CHIPS - LEAST_CASH:
        cash = AmountField(LEAST_CASH, MOST_CHIPS - rack)
        found.append(form(msg.BuyChips, {"cash": cash}, "may" if rack or bets else "due"))
    return (*found, *settings(pace, companions, most))


@cache
def settings(pace: msg.Pace, companions: int, most: int) -> tuple[Any, ...]:
    """What everybody at the table may set, written as JSON already."""
    paces = (pace, *(other for other in get_args(msg.Pace) if other != pace))
    counts = (companions, *(other for other in range(most + 1) if other != companions))
    found = (
        form(msg.SetPace, {"pace": OneOfField(paces)}),
        form(msg.SetCompanions, {"count": OneOfField(counts)}),
    )
    return tuple(msgspec.Raw(msgspec.json.encode(each)) for each in found)


def form(
    kind: type[msg.Ask], fields: dict[str, FieldType], due: Literal["may", "due"] = "may"
) -> StepView:
    """One question as a form."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return StepView(
        kind=tag,
        title=TITLES[kind],
        sentence=(kind.__doc__ or "").strip(),
        fields=fields,
        fixed={},
        clauses=(),
        due=due,
        why="",
        blocked="",
    )

"""Disabled gaming: orders of the property under which a table starts no round and does not open.

The round in progress is finished, and players can take their chips and leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import msgspec

from croupier.errors import Refusal
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import EVERYWHERE, CommandSpec, Part
from croupier.table.core.roles import SYSTEM, Account

if TYPE_CHECKING:
    from croupier.table.table import Table

DISABLE_CLAUSE = "GLI-19 2.4.1"  # gaming, or one game, can be disabled on demand
PUBLIC_TEXT = "Gaming is disabled: no new round starts."


class DisableOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order of the property that disables gaming: what, why, by whom and when."""

    what: str
    reason: str
    by: Account
    at: int

    def __str__(self) -> str:
        return f"{self.what} is disabled by {self.by}: {self.reason}"


class DisableTable(Command, frozen=True, tag="disable_table"):
    """Put the table under these orders of the property; without any it is enabled."""

    orders: tuple[DisableOrder, ...] = ()


class TableDisabled(Event, frozen=True, kw_only=True, tag="table_disabled"):
    """The table starts no new round and does not open."""

    audience: ClassVar[Audience] = "staff"

    orders: tuple[DisableOrder, ...]


class TableEnabled(Event, frozen=True, kw_only=True, tag="table_enabled"):
    """The table may start rounds again."""

    audience: ClassVar[Audience] = "staff"


@dataclass(slots=True)
class Disabling:
    """The orders that the table is under."""

    orders: tuple[DisableOrder, ...] = ()

    def text(self, staff: bool) -> str:
        """What screens show; empty while gaming is enabled. Players do not see the reasons."""
        if not self.orders:
            return ""
        reasons = ". ".join(map(str, self.orders))
        return f"{reasons[0].upper()}{reasons[1:]}." if staff else PUBLIC_TEXT


def check_enabled(table: Table, staff: bool = False) -> None:
    """Refuse what starts a round or opens the table while gaming is disabled."""
    if table.disabling.orders:
        raise Refusal(table.disabling.text(staff).rstrip("."), DISABLE_CLAUSE)


def disable(table: Table, command: DisableTable, by: Account, at: int) -> list[Event]:
    """Replace the orders that the table is under."""
    if command.orders:
        return [TableDisabled(orders=command.orders, clauses=(DISABLE_CLAUSE,))]
    return [TableEnabled(clauses=(DISABLE_CLAUSE,))]


def disabled(table: Table, event: TableDisabled) -> None:
    table.disabling.orders = event.orders


def enabled(table: Table, event: TableEnabled) -> None:
    table.disabling.orders = ()


PART = Part(
    subject="House",
    services=EVERYWHERE,
    commands=(
        CommandSpec(
            command=DisableTable,
            roles=SYSTEM,
            duty="round",
            law=DISABLE_CLAUSE,
            decide=disable,
            needs_no_post=True,
        ),
    ),
    evolve={TableDisabled: disabled, TableEnabled: enabled},
)

"""Disabled gaming: orders of the property are recorded once and then passed on to every table.

A table decides by the orders in its own stream, so that no round slips in between: another process
that has the table open conflicts with the entry and reads it before it decides again. A table that
is opened later is put under the orders of that time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import entry_codec
from croupier.ledger.aggregates import approvals
from croupier.ledger.aggregates.approval_messages import (
    DisableGaming,
    EnableGaming,
    GamingDisabled,
    GamingEnabled,
)
from croupier.table import DISABLE_CLAUSE, Account, Envelope
from croupier.table import commands as cmd

if TYPE_CHECKING:
    from croupier.ledger.ledger import Ledger
    from croupier.ledger.recorded_table import RecordedTable

ORDERS = Account("orders", "system")  # passes the orders on


def change_gaming(
    ledger: Ledger, command: DisableGaming | EnableGaming, *, by: Account, id: str = ""
) -> str:
    """Disable gaming after the current rounds, or enable it again, at every table.

    Returns what it was, in words. On a live ledger one person disables it; two people enable it.
    """
    id = id or entry_codec.new_id()
    if ledger.purpose == "live":
        check_people(command, by)
        if isinstance(command, EnableGaming):
            envelope = Envelope(id, by, now_ms(), command)
            ledger.approvals.refresh().check_agreed(approvals.STREAM, envelope)
    (event,) = ledger.approvals.do(command, by, id=id)
    assert isinstance(event, GamingDisabled | GamingEnabled)
    for table_id in ledger.tables():
        ledger.open_table(table_id)
    return event.what


def check_people(command: DisableGaming | EnableGaming, by: Account) -> None:
    """Refuse a program, or one person alone who enables gaming, on a live ledger."""
    if by.role == "system":
        raise Refusal(f"{by} may not do this on a live ledger", DISABLE_CLAUSE)
    if isinstance(command, EnableGaming) and command.second is None:
        problem = "enabling gaming needs a second person on a live ledger"
        raise Refusal(problem, approvals.SECOND_PERSON_CLAUSE)


def apply_orders(ledger: Ledger, table: RecordedTable) -> None:
    """Put a table under the orders on record, or enable it, if it is not so already."""
    bound = table.table.bound
    if bound is None or ledger.store.readonly:
        return
    orders = ledger.approvals.refresh().orders_for(bound.table, bound.house)
    if orders != table.table.disabling.orders:
        table.do(cmd.DisableTable(orders), ORDERS)

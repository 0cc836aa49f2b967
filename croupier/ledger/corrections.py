"""Corrections of money: new events, by two different people, with a reason.

Nothing that was recorded is changed; what was wrong stays beside what set it right.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from croupier.ledger import events as lev
from croupier.ledger.accounts import ACCOUNTS
from croupier.ledger.errors import LedgerError, NeedsTwoPeople, NotFound
from croupier.ledger.service import Ledger
from croupier.money import Cents, meter_text
from croupier.table.life.people import Person


def correct(
    ledger: Ledger,
    table_id: str,
    *,
    source: str,
    target: str,
    amount: Cents,
    reason: str,
    by: Person | str,
    second: Person | str,
    refers_to: int = 0,
    at: dt.datetime | None = None,
    command_id: str = "",
) -> None:
    """Move money between two accounts of a table because the record was wrong."""
    check_two_people(by, second, reason)
    if type(amount) is not int or amount <= 0:
        raise LedgerError(f"a correction moves some whole cents, got {amount!r}")
    for account in (source, target):
        if account not in ACCOUNTS and not account.startswith("rack:"):
            raise NotFound(f"no account {account!r}; a meter is set right by adjust_meter")
    if source == target:
        raise LedgerError(f"a correction moves money between two accounts, got {source} twice")
    table = ledger.open_table(table_id)
    made = lev.CorrectionMade(
        source=source,
        target=target,
        amount=amount,
        reason=reason,
        second=str(second),
        refers_to=refers_to,
    )
    when = at or dt.datetime.now(dt.UTC)
    table.carry_out(lambda: [made], by=by, at=when, command_id=command_id)


def adjust_meter(
    ledger: Ledger,
    *,
    meter: str,
    amount: Fraction,
    reason: str,
    approval: str,
    by: Person | str,
    second: Person | str,
    table_id: str = "",
    group: str = "",
    at: dt.datetime | None = None,
) -> None:
    """Set a meter right after a malfunction, at one table or in a group."""
    check_two_people(by, second, reason)
    if not approval.strip():
        raise NeedsTwoPeople("a meter is adjusted only with an approval; name its reference")
    if bool(table_id) == bool(group):
        raise LedgerError("name the table or the group whose meter is adjusted")

    def adjusted(held: dict[str, Fraction]) -> lev.MeterAdjusted:
        if meter not in held:
            raise NotFound(f"no meter {meter!r}; there are: {', '.join(held)}")
        return lev.MeterAdjusted(
            meter=meter,
            amount=meter_text(amount),
            after=meter_text(held[meter] + amount),
            reason=reason,
            second=str(second),
            approval=approval,
        )

    if group:
        ledger.tell_group(group, lambda fold: adjusted(fold.values), by=by, at=at)
        return
    table = ledger.open_table(table_id)
    if table.group is not None:
        raise LedgerError(f"table {table_id!r} shares its meters; adjust the group's")
    when = at or dt.datetime.now(dt.UTC)
    table.carry_out(lambda: [adjusted(table.meters)], by=by, at=when)


def check_two_people(by: Person | str, second: Person | str, reason: str) -> None:
    """Two names that differ, whatever their roles, and a reason that says something."""
    names = [person.name if isinstance(person, Person) else person for person in (by, second)]
    if not all(name.strip() for name in names):
        raise NeedsTwoPeople("a correction names two people")
    if names[0].strip().casefold() == names[1].strip().casefold():
        raise NeedsTwoPeople(f"a correction needs two different people, got {names[0]!r} twice")
    if not reason.strip():
        raise NeedsTwoPeople("a correction needs a reason")

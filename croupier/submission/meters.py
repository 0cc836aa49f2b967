"""Reading [meters]: initial and reset amounts with their floors, and the rates of progression."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.games.house import Meter
from croupier.money import Cents
from croupier.rulebook.paytables import MeterFloor, meter_floors
from croupier.submission.draft import Draft
from croupier.submission.issues import shown
from croupier.submission.kinds import Unreadable, number, percent, read_dollars, write_dollars
from croupier.submission.sections import section

KEYS = ("initial", "reset", "rate")


def read_meters(draft: Draft, data: Mapping[Any, Any]) -> None:
    """[meters.NAME] for every meter of the chosen paytable, and for no other."""
    table = section(draft, data, "meters")
    clauses = draft.form.meters
    if not draft.offers("progressive"):
        if table:
            draft.error(
                "meters",
                "there are no meters without a progressive: paytables.progressive is not listed",
                clause=clauses.section,
                allowed="nothing",
            )
        return
    letter = draft.letters.get("progressive")
    if letter is None:  # the letter is already refused, and with it every floor
        return
    floors = {floor.meter: floor for floor in meter_floors(draft.game.key, letter)}
    used = {name: floor for name, floor in floors.items() if floor.minimum_dollars}
    for key in table:
        if key in floors and key not in used:
            draft.error(
                f"meters.{key}",
                f"paytable {letter} has no such meter (A42)",
                clause=floors[key].clause,
                allowed=", ".join(used),
            )
        elif key not in used:
            hint = f"paytable {letter} has no such meter; {', '.join(used)}"
            draft.unknown("meters.", key, tuple(used), hint=hint, clause=clauses.section)
    for floor in used.values():
        read_meter(draft, floor, table.get(floor.meter, {}), letter)
    check_sum(draft)


def read_meter(draft: Draft, floor: MeterFloor, given: object, letter: str) -> None:
    """One meter; it stays out of the draft's meters if its rate cannot be read."""
    prefix = f"meters.{floor.meter}."
    if not isinstance(given, Mapping):
        draft.error(
            f"meters.{floor.meter}",
            f"{shown(given)} is not a table of initial, reset and rate",
            clause=draft.form.meters.section,
            value=given,
            allowed=", ".join(KEYS),
        )
        return
    for key in given:
        if key not in KEYS:
            draft.unknown(prefix, key, KEYS)
    initial = read_amount(draft, floor, given, "initial", letter)
    reset = read_amount(draft, floor, given, "reset", letter)
    rate = read_rate(draft, floor.meter, given)
    if rate is not None:
        draft.meters[floor.meter] = Meter(
            name=floor.meter, initial=initial, reset=reset, rate_percent=rate
        )


def read_amount(
    draft: Draft, floor: MeterFloor, given: Mapping[Any, Any], key: str, letter: str
) -> Cents:
    """An initial or reset amount, the document's minimum if it is left out."""
    least = floor.minimum_dollars * 100
    if key not in given:
        return least
    field = f"meters.{floor.meter}.{key}"
    try:
        cents = read_dollars(given[key])
    except Unreadable as problem:
        clause = draft.form.meters.amount_clause(floor.meter)
        draft.error(field, str(problem), clause=clause, value=given[key], allowed="dollars")
        return least
    if cents < least:
        draft.error(
            field,
            f"{write_dollars(cents)} is below the minimum of {floor.minimum_dollars} "
            f"for paytable {letter}",
            clause=floor.clause,
            value=given[key],
            allowed=f"at least {floor.minimum_dollars}",
        )
    return cents


def read_rate(draft: Draft, meter: str, given: Mapping[Any, Any]) -> Fraction | None:
    """The percent of each progressive wager that a meter grows by; compulsory (A48)."""
    field = f"meters.{meter}.rate"
    clause = draft.form.meters.rate_clause(meter)
    allowed = "percent of the stake, above 0, 100 at the most"
    if "rate" not in given:
        draft.error(field, f"missing; {allowed}", clause=clause, allowed=allowed)
        return None
    value = given["rate"]
    rate = number(value)
    if rate is not None and 0 < rate <= 100:
        return rate
    message = f"{shown(value)} is not a {allowed}"
    draft.error(field, message, clause=clause, value=value, allowed=allowed)
    return None


def check_sum(draft: Draft) -> None:
    """All meters together take no more than the stake (A48)."""
    total = sum((meter.rate_percent for meter in draft.meters.values()), Fraction(0))
    if total > 100:
        clauses = draft.form.meters
        last = list(draft.meters)[-1]
        draft.error(
            f"meters.{last}.rate",
            f"the rates add up to {percent(total)} percent, more than the stake (A48)",
            clause=clauses.rate or clauses.section,
            value=percent(total),
            allowed="100 at the most in all",
        )

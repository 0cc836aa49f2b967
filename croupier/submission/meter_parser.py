"""Reading [meters]: initial and reset amounts with their floors, rates, limits and reserves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.games import POOLS, Meter
from croupier.games.forms import ParseContext, Unreadable, shown
from croupier.games.forms.field_types import number, percent, read_dollars, write_dollars
from croupier.money import Cents
from croupier.rulebook import MeterFloor, meter_floors
from croupier.submission.parser import section

KEYS = ("initial", "reset", "rate", "limit", "reserve_rate")
MAXIMUM = "COMAR 36.05.03.24F"  # the most that a meter comes to is stated


def read_meters(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """[meters.NAME] for every meter of the chosen paytable, and for no other."""
    table = section(filing, data, "meters")
    clauses = filing.form.meters
    if not filing.offers("progressive"):
        if table:
            filing.error(
                "meters",
                "there are no meters without a progressive: paytables.progressive is not listed",
                clause=clauses.section,
                allowed="nothing",
            )
        return
    letter = filing.letters.get("progressive")
    if letter is None:  # the letter is already refused, and with it every floor
        return
    floors = {floor.meter: floor for floor in meter_floors(filing.game.document, letter)}
    used = {name: floor for name, floor in floors.items() if floor.minimum_dollars}
    for key in table:
        if key in floors and key not in used:
            filing.error(
                f"meters.{key}",
                f"paytable {letter} has no such meter (A42)",
                clause=floors[key].clause,
                allowed=", ".join(used),
            )
        elif key not in used:
            hint = f"paytable {letter} has no such meter; {', '.join(used)}"
            filing.unknown("meters.", key, tuple(used), hint=hint, clause=clauses.section)
    for floor in used.values():
        read_meter(filing, floor, table.get(floor.meter, {}), letter)
    check_sum(filing)


def read_meter(filing: ParseContext, floor: MeterFloor, given: object, letter: str) -> None:
    """One meter; it stays out of the filing's meters if its rate cannot be read."""
    prefix = f"meters.{floor.meter}."
    if not isinstance(given, Mapping):
        filing.error(
            f"meters.{floor.meter}",
            f"{shown(given)} is not a table of initial, reset and rate",
            clause=filing.form.meters.section,
            value=given,
            allowed=", ".join(KEYS),
        )
        return
    for key in given:
        if key not in KEYS:
            filing.unknown(prefix, key, KEYS)
    initial = read_amount(filing, floor, given, "initial", letter)
    reset = read_amount(filing, floor, given, "reset", letter)
    rate = read_rate(filing, floor.meter, given)
    limit = read_limit(filing, floor.meter, given, max(initial, reset))
    reserve = read_reserve(filing, floor.meter, given)
    if rate is not None:
        filing.meters[floor.meter] = Meter(
            name=floor.meter,
            initial=initial,
            reset=reset,
            rate_percent=rate,
            unstated=tuple(key for key in ("initial", "reset") if key not in given),
            limit=limit,
            reserve_percent=reserve,
        )


def read_limit(
    filing: ParseContext, meter: str, given: Mapping[Any, Any], least: Cents
) -> Cents | None:
    """The most a meter comes to; what is above goes to its overflow. Left out: no limit."""
    if "limit" not in given:
        return None
    field, value = f"meters.{meter}.limit", given["limit"]
    allowed = f"dollars, at least {write_dollars(least)}"
    try:
        cents = read_dollars(value)
    except Unreadable as problem:
        filing.error(field, str(problem), clause=MAXIMUM, value=value, allowed=allowed)
        return None
    if cents < least:
        told = f"{write_dollars(cents)} is below what the meter starts or resets with"
        filing.error(field, told, clause=MAXIMUM, value=value, allowed=allowed)
    return cents


def read_reserve(filing: ParseContext, meter: str, given: Mapping[Any, Any]) -> Fraction | None:
    """The percent of each wager that goes to the reserve of a meter. Left out: no reserve."""
    if "reserve_rate" not in given:
        return None
    value = given["reserve_rate"]
    rate = number(value)
    if rate is not None and 0 < rate <= 100:
        return rate
    allowed = "percent of the stake, above 0, 100 at the most"
    message = f"{shown(value)} is not a {allowed}"
    field = f"meters.{meter}.reserve_rate"
    filing.error(field, message, clause=POOLS, value=value, allowed=allowed)
    return None


def read_amount(
    filing: ParseContext, floor: MeterFloor, given: Mapping[Any, Any], key: str, letter: str
) -> Cents:
    """An initial or reset amount; left out, the document's minimum until it is stated."""
    least = floor.minimum_dollars * 100
    if key not in given:
        return least
    field = f"meters.{floor.meter}.{key}"
    try:
        cents = read_dollars(given[key])
    except Unreadable as problem:
        clause = filing.form.meters.amount_clause(floor.meter)
        filing.error(field, str(problem), clause=clause, value=given[key], allowed="dollars")
        return least
    if cents < least:
        filing.error(
            field,
            f"{write_dollars(cents)} is below the minimum of {floor.minimum_dollars} "
            f"for paytable {letter}",
            clause=floor.clause,
            value=given[key],
            allowed=f"at least {floor.minimum_dollars}",
        )
    return cents


def read_rate(filing: ParseContext, meter: str, given: Mapping[Any, Any]) -> Fraction | None:
    """The percent of each progressive wager that a meter grows by; compulsory (A48)."""
    field = f"meters.{meter}.rate"
    clause = filing.form.meters.rate_clause(meter)
    allowed = "percent of the stake, above 0, 100 at the most"
    if "rate" not in given:
        filing.error(field, f"missing; {allowed}", clause=clause, allowed=allowed)
        return None
    value = given["rate"]
    rate = number(value)
    if rate is not None and 0 < rate <= 100:
        return rate
    message = f"{shown(value)} is not a {allowed}"
    filing.error(field, message, clause=clause, value=value, allowed=allowed)
    return None


def check_sum(filing: ParseContext) -> None:
    """All meters together, with their reserves, take no more than the stake (A48)."""
    total = sum(
        (meter.rate_percent + (meter.reserve_percent or 0) for meter in filing.meters.values()),
        Fraction(0),
    )
    if total > 100:
        clauses = filing.form.meters
        last = list(filing.meters)[-1]
        filing.error(
            f"meters.{last}.rate",
            f"the rates add up to {percent(total)} percent, more than the stake (A48)",
            clause=clauses.rate or clauses.section,
            value=percent(total),
            allowed="100 at the most in all",
        )

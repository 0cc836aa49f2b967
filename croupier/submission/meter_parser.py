"""Parses [meters]: initial and reset amounts, rates, limits and reserves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.games import POOLS, Meter
from croupier.games.forms import InvalidValue
from croupier.games.forms.field_types import (
    format_dollars,
    format_percent,
    parse_cents,
    parse_number,
)
from croupier.games.forms.value_text import format_value
from croupier.money import Cents
from croupier.rulebook import MeterFloor, meter_floors
from croupier.submission.parse_context import ParseContext
from croupier.submission.parser import section

METER_KEYS = ("initial", "reset", "rate", "limit", "reserve_rate")
METER_LIMIT = "COMAR 36.05.03.24F"  # the maximum of a meter is stated
RATE = "percent of the stake, above 0, at most 100"


def parse_meters(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [meters.NAME] for each meter of the chosen progressive paytable."""
    table = section(context, data, "meters")
    clauses = context.form.meters
    if not context.offers("progressive"):
        if table:
            context.error(
                "meters",
                "there are no meters without a progressive: paytables.progressive is not listed",
                clause=clauses.section,
                allowed="nothing",
            )
        return
    letter = context.letters.get("progressive")
    if letter is None:  # the letter has an error already, and the floors depend on it
        return
    floors = {floor.meter: floor for floor in meter_floors(context.game.document, letter)}
    used = {name: floor for name, floor in floors.items() if floor.minimum_dollars}
    for key in table:
        if key in floors and key not in used:
            context.error(
                f"meters.{key}",
                f"paytable {letter} does not have this meter (A42)",
                clause=floors[key].clause,
                allowed=", ".join(used),
            )
        elif key not in used:
            hint = f"paytable {letter} does not have this meter; {', '.join(used)}"
            context.unknown_key("meters.", key, tuple(used), hint=hint, clause=clauses.section)
    for floor in used.values():
        _parse_meter(context, floor, table.get(floor.meter, {}), letter)
    _check_total_rate(context)


def _parse_meter(context: ParseContext, floor: MeterFloor, table: object, letter: str) -> None:
    prefix = f"meters.{floor.meter}."
    if not isinstance(table, Mapping):
        context.error(
            f"meters.{floor.meter}",
            f"{format_value(table)} is not a table of initial, reset and rate",
            clause=context.form.meters.section,
            value=table,
            allowed=", ".join(METER_KEYS),
        )
        return
    for key in table:
        if key not in METER_KEYS:
            context.unknown_key(prefix, key, METER_KEYS)
    initial = _parse_amount(context, floor, table, "initial", letter)
    reset = _parse_amount(context, floor, table, "reset", letter)
    rate = _parse_rate(context, floor.meter, table)
    limit = _parse_limit(context, floor.meter, table, max(initial, reset))
    reserve = _parse_reserve_rate(context, floor.meter, table)
    if rate is not None:
        context.meters[floor.meter] = Meter(
            name=floor.meter,
            initial=initial,
            reset=reset,
            rate_percent=rate,
            unstated=tuple(key for key in ("initial", "reset") if key not in table),
            limit=limit,
            reserve_percent=reserve,
        )


def _parse_amount(
    context: ParseContext, floor: MeterFloor, table: Mapping[Any, Any], key: str, letter: str
) -> Cents:
    """An initial or reset amount; the document's minimum if it is left out."""
    minimum = floor.minimum_dollars * 100
    if key not in table:
        return minimum
    field = f"meters.{floor.meter}.{key}"
    try:
        cents = parse_cents(table[key])
    except InvalidValue as problem:
        clause = context.form.meters.amount_clause(floor.meter)
        context.error(field, str(problem), clause=clause, value=table[key], allowed="dollars")
        return minimum
    if cents < minimum:
        context.error(
            field,
            f"{format_dollars(cents)} is below the minimum of {floor.minimum_dollars} "
            f"for paytable {letter}",
            clause=floor.clause,
            value=table[key],
            allowed=f"at least {floor.minimum_dollars}",
        )
    return cents


def _parse_rate(context: ParseContext, meter: str, table: Mapping[Any, Any]) -> Fraction | None:
    """The percent of each progressive wager that is added to a meter; compulsory (A48)."""
    field = f"meters.{meter}.rate"
    clause = context.form.meters.rate_clause(meter)
    if "rate" not in table:
        context.error(field, f"missing; {RATE}", clause=clause, allowed=RATE)
        return None
    return _parse_percent(context, field, table["rate"], clause)


def _parse_reserve_rate(
    context: ParseContext, meter: str, table: Mapping[Any, Any]
) -> Fraction | None:
    """The percent of each wager for the reserve of a meter; None: no reserve."""
    if "reserve_rate" not in table:
        return None
    return _parse_percent(context, f"meters.{meter}.reserve_rate", table["reserve_rate"], POOLS)


def _parse_percent(
    context: ParseContext, field: str, value: object, clause: str
) -> Fraction | None:
    rate = parse_number(value)
    if rate is not None and 0 < rate <= 100:
        return rate
    message = f"{format_value(value)} is not a {RATE}"
    context.error(field, message, clause=clause, value=value, allowed=RATE)
    return None


def _parse_limit(
    context: ParseContext, meter: str, table: Mapping[Any, Any], minimum: Cents
) -> Cents | None:
    """The maximum of a meter, above which the overflow grows instead; None: no limit."""
    if "limit" not in table:
        return None
    field, value = f"meters.{meter}.limit", table["limit"]
    allowed = f"dollars, at least {format_dollars(minimum)}"
    try:
        cents = parse_cents(value)
    except InvalidValue as problem:
        context.error(field, str(problem), clause=METER_LIMIT, value=value, allowed=allowed)
        return None
    if cents < minimum:
        message = f"{format_dollars(cents)} is below the initial or reset amount of the meter"
        context.error(field, message, clause=METER_LIMIT, value=value, allowed=allowed)
    return cents


def _check_total_rate(context: ParseContext) -> None:
    """The rates and reserve rates of all meters add up to at most the stake (A48)."""
    total = sum(
        (meter.rate_percent + (meter.reserve_percent or 0) for meter in context.meters.values()),
        Fraction(0),
    )
    if total > 100:
        clauses = context.form.meters
        last = list(context.meters)[-1]
        context.error(
            f"meters.{last}.rate",
            f"the rates add up to {format_percent(total)} percent, more than the stake (A48)",
            clause=clauses.rate or clauses.section,
            value=format_percent(total),
            allowed="at most 100 in total",
        )

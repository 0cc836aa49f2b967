"""Parses [operator], [paytables], [limits], [table] and [choices] into a ParseContext.

An invalid value adds an issue and parsing continues, so that one run reports every issue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.games import Limits, Wager, catalogue
from croupier.games.forms import Choice, InvalidValue, Text, WagerOffer
from croupier.games.forms.field_types import format_dollars, parse_cents
from croupier.games.forms.value_text import format_value, join_or
from croupier.money import Cents
from croupier.rulebook import letters
from croupier.submission.parse_context import ParseContext

ANTE_MINIMUM, SIDE_MINIMUM = 5_00, 1_00  # where the file states none (A69)


def section(context: ParseContext, data: Mapping[Any, Any], name: str) -> Mapping[Any, Any]:
    """Return one table of the file; empty if it is left out."""
    table = data.get(name, {})
    if isinstance(table, Mapping):
        return table
    context.error(name, f"{format_value(table)} is not a table", value=table, allowed="a table")
    return {}


def parse_operator(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [operator]: a name or a logo, which the layout must carry (2.B.1)."""
    table = section(context, data, "operator")
    for key in table:
        if key not in ("name", "logo"):
            context.unknown_key("operator.", key, ("name", "logo"))
    values: dict[str, str] = {}
    for key in ("name", "logo"):
        if key in table:
            try:
                values[key] = Text().read(table[key])
            except InvalidValue as problem:
                context.error(
                    f"operator.{key}",
                    str(problem),
                    clause="2.B.1",
                    value=table[key],
                    allowed=Text.allowed,
                )
    if not any(key in table for key in ("name", "logo")) and not context.has_errors("operator"):
        context.error(
            "operator.name",
            "missing; the layout carries the operator's name or logo",
            clause="2.B.1",
            allowed="a name or a logo",
        )
    context.operator = values.get("name", values.get("logo", ""))
    context.logo = values.get("logo")


def parse_paytables(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [paytables]: a wager that is listed is offered, with one of its letters."""
    table = section(context, data, "paytables")
    offers = {offer.wager: offer for offer in context.form.offers}
    for key in table:
        if key in offers:
            context.listed.add(key)
            _parse_letter(context, offers[key], table[key])
        elif isinstance(key, str) and (wager := context.game.wager(key)):
            context.error(
                f"paytables.{key}",
                "this wager has no paytable to choose; leave it out",
                clause=wager.clause,
                value=table[key],
            )
        else:
            context.unknown_key("paytables.", key, tuple(offers))
    for wager in context.game.wagers:
        if wager.always_offered:
            context.listed.add(wager.name)
            if wager.name in offers and wager.name not in table:
                choices = letters(context.game.document, wager.name)
                context.error(
                    f"paytables.{wager.name}",
                    f"missing; this wager is always offered: {join_or(choices)}",
                    clause=offers[wager.name].letter_clause,
                    allowed=join_or(choices),
                )


def _parse_letter(context: ParseContext, offer: WagerOffer, value: object) -> None:
    choices = letters(context.game.document, offer.wager)
    if isinstance(value, str) and value in choices:
        context.letters[offer.wager] = value
        return
    context.error(
        f"paytables.{offer.wager}",
        f"{format_value(value)} is not a paytable of this wager; {join_or(choices)}",
        clause=offer.letter_clause,
        value=value,
        allowed=join_or(choices),
    )


def parse_fields(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [table] and [choices], then fill in defaults, which may depend on stated values."""
    choices = context.form.every_choice
    for name in ("table", "choices"):
        table = section(context, data, name)
        known = {choice.name: choice for choice in choices if choice.section == name}
        for key in table:
            if key not in known:
                hint = _other_section_hint(context, name, key)
                context.unknown_key(f"{name}.", key, tuple(known), hint=hint)
            elif table[key] is not None:  # null in JSON means left out
                context.stated[key] = table[key]
                _parse_field(context, known[key], table[key])
    for choice in choices:
        if choice.name not in context.values:
            context.values[choice.name] = choice.default_for(context)


def _parse_field(context: ParseContext, choice: Choice, value: object) -> None:
    try:
        context.values[choice.name] = choice.kind.read(value)
    except InvalidValue as problem:
        context.error(
            choice.field,
            str(problem),
            clause=choice.clause,
            value=value,
            allowed=choice.kind.allowed,
        )


def _other_section_hint(context: ParseContext, section_name: str, key: object) -> str:
    """The message for a key that belongs to another section or game; empty for other keys."""
    if not isinstance(key, str):
        return ""
    for choice in context.form.every_choice:
        if choice.name == key and choice.section != section_name:
            return f"belongs under [{choice.section}]"
    for game in catalogue():
        if any(choice.name == key for choice in game.form.every_choice):
            return f"not a field of {context.game.key}, only of {game.key}"
    return ""


def missing_choices(context: ParseContext) -> list[Choice]:
    """Return the compulsory fields that the file does not state."""
    return [
        choice
        for choice in context.form.every_choice
        if choice.missing == "error"
        and choice.name not in context.stated
        and choice.matters(context)
    ]


def note_missing(context: ParseContext) -> None:
    """Add an issue for each missing compulsory field and each default reading.

    `required_approvals` adds those of missing approvals.
    """
    for choice in context.form.every_choice:
        if choice.missing not in ("error", "warning"):
            continue
        if choice.name in context.stated or not choice.matters(context):
            continue
        reading = f" ({choice.reading})" if choice.reading else ""
        if choice.missing == "error":
            message = f"missing; {choice.kind.allowed}{reading}"
        else:
            value = choice.kind.write(context.values[choice.name])
            message = f"not stated, read as {value}{reading}"
        context.note(
            choice.missing,
            choice.field,
            message,
            clause=choice.clause,
            allowed=choice.kind.allowed,
        )


def parse_limits(context: ParseContext, data: Mapping[Any, Any]) -> None:
    """Parse [limits]: the minimum and maximum of the ante and of optional wagers (A69)."""
    table = section(context, data, "limits")
    limited = {
        wager.name: wager
        for wager in context.game.wagers
        if wager.role == "ante" or (wager.role == "optional" and context.offers(wager.name))
    }
    for key in table:
        if key not in limited:
            _reject_limits(context, key, tuple(limited))
    for name, wager in limited.items():
        limits = table.get(name, {})
        if not isinstance(limits, Mapping):
            context.error(
                f"limits.{name}",
                f"{format_value(limits)} is not a table of min and max",
                clause="A69",
                value=limits,
                allowed="{ min = 5, max = 500 }",
            )
            limits = {}
        context.limits[name] = _parse_wager_limits(context, wager, limits)


def _parse_wager_limits(context: ParseContext, wager: Wager, table: Mapping[Any, Any]) -> Limits:
    prefix = f"limits.{wager.name}."
    amounts: dict[str, Cents] = {}
    for key, value in table.items():
        if key not in ("min", "max"):
            context.unknown_key(prefix, key, ("min", "max"))
            continue
        try:
            amounts[key] = parse_cents(value)
        except InvalidValue as problem:
            context.error(f"{prefix}{key}", str(problem), clause="A69", value=value)
    offer = context.form.offer(wager.name)
    if offer is not None and offer.usual_stake is not None:
        return _single_stake(context, offer, offer.usual_stake, table, amounts)
    default = ANTE_MINIMUM if wager.role == "ante" else SIDE_MINIMUM
    minimum, maximum = amounts.get("min", default), amounts.get("max")
    if maximum is not None and maximum < minimum:
        _note_crossed(context, wager.name, table, minimum, maximum)
    return Limits(minimum=minimum, maximum=maximum)


def _single_stake(
    context: ParseContext,
    offer: WagerOffer,
    usual: Cents,
    table: Mapping[Any, Any],
    amounts: dict[str, Cents],
) -> Limits:
    """Limits of a wager whose top award does not grow with the stake: equal unless stated."""
    minimum = amounts.get("min", amounts.get("max", usual))
    maximum = amounts.get("max", minimum)
    if maximum < minimum:
        _note_crossed(context, offer.wager, table, minimum, maximum)
    if not table:
        reading = f" ({offer.usual_stake_reading})" if offer.usual_stake_reading else ""
        context.note(
            "warning",
            f"limits.{offer.wager}",
            f"not stated, read as a single stake of {format_dollars(usual)}{reading}",
            clause=offer.letter_clause,
            allowed="min and max in dollars",
        )
    return Limits(minimum=minimum, maximum=maximum)


def _note_crossed(
    context: ParseContext, name: str, table: Mapping[Any, Any], minimum: Cents, maximum: Cents
) -> None:
    default = "" if "min" in table else ", the default"
    context.error(
        f"limits.{name}.max",
        f"{format_dollars(maximum)} is below the minimum of {format_dollars(minimum)}{default}",
        clause="A69",
        value=table.get("max"),
        allowed=f"at least {format_dollars(minimum)}",
    )


def _reject_limits(context: ParseContext, key: object, limited: tuple[str, ...]) -> None:
    """Add the error of limits for a wager that is not offered or whose stake is not free."""
    wager = context.game.wager(key) if isinstance(key, str) else None
    if wager is None:
        context.unknown_key("limits.", key, limited)
        return
    offer = context.form.offer(wager.name)
    clause = offer.clause if offer else wager.clause
    match wager.role:
        case "progressive":
            message = "this wager has one stake, choices.progressive_stake (A47)"
        case "matching":
            message = f"this wager equals the {context.game.ante.name}, which has the limits"
        case "decision":
            message = f"this wager is a multiple of the {context.game.ante.name}"
        case _:
            message = f"this wager is not offered: paytables.{wager.name} is not listed"
    context.error(
        f"limits.{wager.name}", message, clause=clause, allowed=", ".join(limited) or "nothing"
    )

"""Reading the sections of a submission one by one, so that every issue is found in one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.games import Limits, Wager, catalogue
from croupier.games.forms import Choice, ParseContext, Text, Unreadable, WagerOffer, either, shown
from croupier.games.forms.field_types import read_dollars, write_dollars
from croupier.money import Cents
from croupier.rulebook import letters

MAIN_MINIMUM, SIDE_MINIMUM = 5_00, 1_00


def section(filing: ParseContext, data: Mapping[Any, Any], name: str) -> Mapping[Any, Any]:
    """One table of the file; empty if it is left out."""
    table = data.get(name, {})
    if isinstance(table, Mapping):
        return table
    filing.error(name, f"{shown(table)} is not a table", value=table, allowed="a table")
    return {}


def read_operator(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """[operator]: a name or a logo, which the layout has to carry (2.B.1)."""
    table = section(filing, data, "operator")
    for key in table:
        if key not in ("name", "logo"):
            filing.unknown("operator.", key, ("name", "logo"))
    found: dict[str, str] = {}
    for key in ("name", "logo"):
        if key in table:
            try:
                found[key] = Text().read(table[key])
            except Unreadable as problem:
                filing.error(
                    f"operator.{key}",
                    str(problem),
                    clause="2.B.1",
                    value=table[key],
                    allowed=Text.allowed,
                )
    if not any(key in table for key in ("name", "logo")) and not filing.broken("operator"):
        filing.error(
            "operator.name",
            "missing; the layout carries the operator's name or logo",
            clause="2.B.1",
            allowed="a name or a logo",
        )
    filing.operator = found.get("name", found.get("logo", ""))
    filing.logo = found.get("logo")


def read_paytables(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """[paytables]: a wager listed is offered, under one of its document's letters."""
    table = section(filing, data, "paytables")
    offers = {offer.wager: offer for offer in filing.form.offers}
    for key in table:
        if key in offers:
            filing.listed.add(key)
            read_letter(filing, offers[key], table[key])
        elif isinstance(key, str) and (wager := filing.game.wager(key)):
            filing.error(
                f"paytables.{key}",
                "this wager has no paytable to choose; leave it out",
                clause=wager.clause,
                value=table[key],
            )
        else:
            filing.unknown("paytables.", key, tuple(offers))
    for wager in filing.game.wagers:
        if wager.always_offered:
            filing.listed.add(wager.name)
            if wager.name in offers and wager.name not in table:
                choices = letters(filing.game.document, wager.name)
                filing.error(
                    f"paytables.{wager.name}",
                    f"missing; this wager is always offered: {either(choices)}",
                    clause=offers[wager.name].letter_clause,
                    allowed=either(choices),
                )


def read_letter(filing: ParseContext, offer: WagerOffer, value: object) -> None:
    """The letter of one wager."""
    choices = letters(filing.game.document, offer.wager)
    if isinstance(value, str) and value in choices:
        filing.letters[offer.wager] = value
        return
    filing.error(
        f"paytables.{offer.wager}",
        f"{shown(value)} is not a paytable of this wager; {either(choices)}",
        clause=offer.letter_clause,
        value=value,
        allowed=either(choices),
    )


def read_fields(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """[table] and [choices]: read what is stated, then let the defaults follow from it."""
    choices = filing.form.every_choice
    for name in ("table", "choices"):
        table = section(filing, data, name)
        known = {choice.name: choice for choice in choices if choice.section == name}
        for key in table:
            if key not in known:
                filing.unknown(f"{name}.", key, tuple(known), hint=hint(filing, name, key))
            elif table[key] is not None:  # null is as good as left out
                filing.given[key] = table[key]
                read_field(filing, known[key], table[key])
    for choice in choices:
        if choice.name not in filing.values:
            filing.values[choice.name] = choice.default_for(filing)


def read_field(filing: ParseContext, choice: Choice, value: object) -> None:
    """One stated value."""
    try:
        filing.values[choice.name] = choice.kind.read(value)
    except Unreadable as problem:
        filing.error(
            choice.field,
            str(problem),
            clause=choice.clause,
            value=value,
            allowed=choice.kind.allowed,
        )


def hint(filing: ParseContext, section_name: str, key: object) -> str:
    """What to say of a key that has its place elsewhere; nothing if it has none."""
    if not isinstance(key, str):
        return ""
    for choice in filing.form.every_choice:
        if choice.name == key and choice.section != section_name:
            return f"belongs under [{choice.section}]"
    for game in catalogue():
        if any(choice.name == key for choice in game.form.every_choice):
            return f"not a field of {filing.game.key}, only of {game.key}"
    return ""


def undecided(filing: ParseContext) -> list[Choice]:
    """The compulsory choices that the file does not make."""
    return [
        choice
        for choice in filing.form.every_choice
        if choice.missing == "error" and choice.name not in filing.given and choice.matters(filing)
    ]


def note_missing(filing: ParseContext) -> None:
    """What the file does not say and should, or left to the default reading."""
    for choice in filing.form.every_choice:
        if choice.missing not in ("error", "warning"):  # what is outstanding is told apart
            continue
        if choice.name in filing.given or not choice.matters(filing):
            continue
        reading = f" ({choice.reading})" if choice.reading else ""
        if choice.missing == "error":
            message = f"missing; {choice.kind.allowed}{reading}"
        else:
            value = choice.kind.write(filing.values[choice.name])
            message = f"not stated, read as {value}{reading}"
        filing.note(
            choice.missing,
            choice.field,
            message,
            clause=choice.clause,
            allowed=choice.kind.allowed,
        )


def read_limits(filing: ParseContext, data: Mapping[Any, Any]) -> None:
    """[limits]: the least and the most of the ante and of every optional wager offered (A69)."""
    table = section(filing, data, "limits")
    limited = {
        wager.name: wager
        for wager in filing.game.wagers
        if wager.role == "ante" or (wager.role == "optional" and filing.offers(wager.name))
    }
    for key in table:
        if key not in limited:
            refuse_limits(filing, key, tuple(limited))
    for name, wager in limited.items():
        given = table.get(name, {})
        if not isinstance(given, Mapping):
            filing.error(
                f"limits.{name}",
                f"{shown(given)} is not a table of min and max",
                clause="A69",
                value=given,
                allowed="{ min = 5, max = 500 }",
            )
            given = {}
        filing.limits[name] = read_wager_limits(filing, wager, given)


def read_wager_limits(filing: ParseContext, wager: Wager, given: Mapping[Any, Any]) -> Limits:
    """The limits of one wager, with the defaults where the file is silent."""
    prefix = f"limits.{wager.name}."
    read: dict[str, Cents] = {}
    for key, value in given.items():
        if key not in ("min", "max"):
            filing.unknown(prefix, key, ("min", "max"))
            continue
        try:
            read[key] = read_dollars(value)
        except Unreadable as problem:
            filing.error(f"{prefix}{key}", str(problem), clause="A69", value=value)
    offer = filing.form.offer(wager.name)
    if offer is not None and offer.usual_stake is not None:
        return one_stake(filing, offer, offer.usual_stake, given, read)
    usual = MAIN_MINIMUM if wager.role == "ante" else SIDE_MINIMUM
    minimum, maximum = read.get("min", usual), read.get("max")
    if maximum is not None and maximum < minimum:
        note_crossed(filing, wager.name, given, minimum, maximum)
    return Limits(minimum=minimum, maximum=maximum)


def one_stake(
    filing: ParseContext,
    offer: WagerOffer,
    usual: Cents,
    given: Mapping[Any, Any],
    read: dict[str, Cents],
) -> Limits:
    """One stake unless two are stated, where a top award does not grow with the stake."""
    minimum = read.get("min", read.get("max", usual))
    maximum = read.get("max", minimum)
    if maximum < minimum:
        note_crossed(filing, offer.wager, given, minimum, maximum)
    if not given:
        reading = f" ({offer.usual_stake_reading})" if offer.usual_stake_reading else ""
        filing.note(
            "warning",
            f"limits.{offer.wager}",
            f"not stated, read as one stake of {write_dollars(usual)}{reading}",
            clause=offer.letter_clause,
            allowed="min and max in dollars",
        )
    return Limits(minimum=minimum, maximum=maximum)


def note_crossed(
    filing: ParseContext, name: str, given: Mapping[Any, Any], minimum: Cents, maximum: Cents
) -> None:
    """A maximum below the minimum."""
    usual = "" if "min" in given else ", the usual one"
    filing.error(
        f"limits.{name}.max",
        f"{write_dollars(maximum)} is below the minimum of {write_dollars(minimum)}{usual}",
        clause="A69",
        value=given.get("max"),
        allowed=f"at least {write_dollars(minimum)}",
    )


def refuse_limits(filing: ParseContext, key: object, limited: tuple[str, ...]) -> None:
    """Limits for a wager that is not offered, or whose stake follows from another."""
    wager = filing.game.wager(key) if isinstance(key, str) else None
    if wager is None:
        filing.unknown("limits.", key, limited)
        return
    offer = filing.form.offer(wager.name)
    clause = offer.clause if offer else wager.clause
    match wager.role:
        case "progressive":
            message = "this wager has one stake, choices.progressive_stake (A47)"
        case "matching":
            message = f"this wager equals the {filing.game.ante.name}, which has the limits"
        case "decision":
            message = f"this wager is a multiple of the {filing.game.ante.name}"
        case _:
            message = f"this wager is not offered: paytables.{wager.name} is not listed"
    filing.error(
        f"limits.{wager.name}", message, clause=clause, allowed=", ".join(limited) or "nothing"
    )

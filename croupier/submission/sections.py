"""Reading the sections of a submission one by one, so that every issue is found in one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.games.game import Wager
from croupier.games.house import Limits
from croupier.money import Cents
from croupier.rulebook.paytables import letters
from croupier.submission.draft import Draft
from croupier.submission.fields import FORMS
from croupier.submission.fields.choice import Choice, Offer
from croupier.submission.issues import either, shown
from croupier.submission.kinds import Text, Unreadable, read_dollars, write_dollars

MAIN_MINIMUM, SIDE_MINIMUM, SIX_CARD_STAKE = 5_00, 1_00, 5_00


def section(draft: Draft, data: Mapping[Any, Any], name: str) -> Mapping[Any, Any]:
    """One table of the file; empty if it is left out."""
    table = data.get(name, {})
    if isinstance(table, Mapping):
        return table
    draft.error(name, f"{shown(table)} is not a table", value=table, allowed="a table")
    return {}


def read_operator(draft: Draft, data: Mapping[Any, Any]) -> None:
    """[operator]: a name or a logo, which the layout has to carry (2.B.1)."""
    table = section(draft, data, "operator")
    for key in table:
        if key not in ("name", "logo"):
            draft.unknown("operator.", key, ("name", "logo"))
    found: dict[str, str] = {}
    for key in ("name", "logo"):
        if key in table:
            try:
                found[key] = Text().read(table[key])
            except Unreadable as problem:
                draft.error(
                    f"operator.{key}",
                    str(problem),
                    clause="2.B.1",
                    value=table[key],
                    allowed=Text.allowed,
                )
    if not any(key in table for key in ("name", "logo")) and not draft.broken("operator"):
        draft.error(
            "operator.name",
            "missing; the layout carries the operator's name or logo",
            clause="2.B.1",
            allowed="a name or a logo",
        )
    draft.operator = found.get("name", found.get("logo", ""))
    draft.logo = found.get("logo")


def read_paytables(draft: Draft, data: Mapping[Any, Any]) -> None:
    """[paytables]: a wager listed is offered, under one of its document's letters."""
    table = section(draft, data, "paytables")
    offers = {offer.wager: offer for offer in draft.form.offers}
    for key in table:
        if key in offers:
            draft.listed.add(key)
            read_letter(draft, offers[key], table[key])
        elif isinstance(key, str) and (wager := draft.game.wager(key)):
            draft.error(
                f"paytables.{key}",
                "this wager has no paytable to choose; leave it out",
                clause=wager.clause,
                value=table[key],
            )
        else:
            draft.unknown("paytables.", key, tuple(offers))
    for wager in draft.game.wagers:
        if wager.always_offered:
            draft.listed.add(wager.name)
            if wager.name in offers and wager.name not in table:
                choices = letters(draft.game.key, wager.name)
                draft.error(
                    f"paytables.{wager.name}",
                    f"missing; this wager is always offered: {either(choices)}",
                    clause=offers[wager.name].letter_clause,
                    allowed=either(choices),
                )


def read_letter(draft: Draft, offer: Offer, value: object) -> None:
    """The letter of one wager."""
    choices = letters(draft.game.key, offer.wager)
    if isinstance(value, str) and value in choices:
        draft.letters[offer.wager] = value
        return
    draft.error(
        f"paytables.{offer.wager}",
        f"{shown(value)} is not a paytable of this wager; {either(choices)}",
        clause=offer.letter_clause,
        value=value,
        allowed=either(choices),
    )


def read_fields(draft: Draft, data: Mapping[Any, Any]) -> None:
    """[table] and [choices]: read what is stated, then let the defaults follow from it."""
    choices = draft.form.every_choice
    for name in ("table", "choices"):
        table = section(draft, data, name)
        known = {choice.name: choice for choice in choices if choice.section == name}
        for key in table:
            if key not in known:
                draft.unknown(f"{name}.", key, tuple(known), hint=hint(draft, name, key))
            elif table[key] is not None:  # null is as good as left out
                draft.given[key] = table[key]
                read_field(draft, known[key], table[key])
    for choice in choices:
        if choice.name not in draft.values:
            draft.values[choice.name] = choice.default_for(draft)


def read_field(draft: Draft, choice: Choice, value: object) -> None:
    """One stated value."""
    try:
        draft.values[choice.name] = choice.kind.read(value)
    except Unreadable as problem:
        draft.error(
            choice.field,
            str(problem),
            clause=choice.clause,
            value=value,
            allowed=choice.kind.allowed,
        )


def hint(draft: Draft, section_name: str, key: object) -> str:
    """What to say of a key that has its place elsewhere; nothing if it has none."""
    if not isinstance(key, str):
        return ""
    for choice in draft.form.every_choice:
        if choice.name == key and choice.section != section_name:
            return f"belongs under [{choice.section}]"
    for game, form in FORMS.items():
        if any(choice.name == key for choice in form.every_choice):
            return f"not a field of {draft.game.key}, only of {game}"
    return ""


def note_missing(draft: Draft) -> None:
    """What the file does not say and should, or left to the default reading."""
    for choice in draft.form.every_choice:
        if not choice.missing or choice.name in draft.given or not choice.matters(draft):
            continue
        reading = f" ({choice.reading})" if choice.reading else ""
        match choice.missing:
            case "error":
                message = f"missing; {choice.kind.allowed}{reading}"
            case "outstanding":
                message = f"not on file; needed before a table opens{reading}"
            case "warning":
                value = choice.kind.write(draft.values[choice.name])
                message = f"not stated, read as {value}{reading}"
        draft.note(
            choice.missing,
            choice.field,
            message,
            clause=choice.clause,
            allowed=choice.kind.allowed,
        )


def read_limits(draft: Draft, data: Mapping[Any, Any]) -> None:
    """[limits]: the least and the most of the ante and of every optional wager offered (A69)."""
    table = section(draft, data, "limits")
    limited = {
        wager.name: wager
        for wager in draft.game.wagers
        if wager.role == "ante" or (wager.role == "optional" and draft.offers(wager.name))
    }
    for key in table:
        if key not in limited:
            refuse_limits(draft, key, tuple(limited))
    for name, wager in limited.items():
        given = table.get(name, {})
        if not isinstance(given, Mapping):
            draft.error(
                f"limits.{name}",
                f"{shown(given)} is not a table of min and max",
                clause="A69",
                value=given,
                allowed="{ min = 5, max = 500 }",
            )
            given = {}
        draft.limits[name] = read_wager_limits(draft, wager, given)


def read_wager_limits(draft: Draft, wager: Wager, given: Mapping[Any, Any]) -> Limits:
    """The limits of one wager, with the defaults where the file is silent."""
    prefix = f"limits.{wager.name}."
    read: dict[str, Cents] = {}
    for key, value in given.items():
        if key not in ("min", "max"):
            draft.unknown(prefix, key, ("min", "max"))
            continue
        try:
            read[key] = read_dollars(value)
        except Unreadable as problem:
            draft.error(f"{prefix}{key}", str(problem), clause="A69", value=value)
    usual = MAIN_MINIMUM if wager.role == "ante" else SIDE_MINIMUM
    if wager.name == "six_card_bonus":
        return six_card_limits(draft, given, read)
    minimum, maximum = read.get("min", usual), read.get("max")
    if maximum is not None and maximum < minimum:
        note_crossed(draft, wager.name, given, minimum, maximum)
    return Limits(minimum=minimum, maximum=maximum)


def six_card_limits(draft: Draft, given: Mapping[Any, Any], read: dict[str, Cents]) -> Limits:
    """One stake unless two are stated, since its top award does not grow with the stake (A20)."""
    minimum = read.get("min", read.get("max", SIX_CARD_STAKE))
    maximum = read.get("max", minimum)
    if maximum < minimum:
        note_crossed(draft, "six_card_bonus", given, minimum, maximum)
    if not given:
        offer = draft.form.offer("six_card_bonus")
        draft.note(
            "warning",
            "limits.six_card_bonus",
            f"not stated, read as one stake of {write_dollars(SIX_CARD_STAKE)} (A20)",
            clause=offer.letter_clause if offer else "A20",
            allowed="min and max in dollars",
        )
    return Limits(minimum=minimum, maximum=maximum)


def note_crossed(
    draft: Draft, name: str, given: Mapping[Any, Any], minimum: Cents, maximum: Cents
) -> None:
    """A maximum below the minimum."""
    usual = "" if "min" in given else ", the usual one"
    draft.error(
        f"limits.{name}.max",
        f"{write_dollars(maximum)} is below the minimum of {write_dollars(minimum)}{usual}",
        clause="A69",
        value=given.get("max"),
        allowed=f"at least {write_dollars(minimum)}",
    )


def refuse_limits(draft: Draft, key: object, limited: tuple[str, ...]) -> None:
    """Limits for a wager that is not offered, or whose stake follows from another."""
    wager = draft.game.wager(key) if isinstance(key, str) else None
    if wager is None:
        draft.unknown("limits.", key, limited)
        return
    offer = draft.form.offer(wager.name)
    clause = offer.clause if offer else wager.clause
    match wager.role:
        case "progressive":
            message = "this wager has one stake, choices.progressive_stake (A47)"
        case "matching":
            message = f"this wager equals the {draft.game.ante.name}, which has the limits"
        case "decision":
            message = f"this wager is a multiple of the {draft.game.ante.name}"
        case _:
            message = f"this wager is not offered: paytables.{wager.name} is not listed"
    draft.error(
        f"limits.{wager.name}", message, clause=clause, allowed=", ".join(limited) or "nothing"
    )

"""A Rules Submission as a web form: fields by path, with answers as typed text.

fields(game)                     the fields of the form, section by section
submission_from(game, answers)   the submission that the answers make, legal or not
answers_from(game, data)         the answers that make a submission
evaluate(game, answers)          the issues and prices of the answers
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.games import Game, Wager
from croupier.games.forms import (
    ChipSet,
    Choice,
    Dollars,
    Flag,
    Hours,
    ListOf,
    OneOf,
    Permutation,
    ValueType,
    WholeNumber,
    never,
)
from croupier.games.forms.value_text import join_or
from croupier.money import parse_decimal, parse_dollars
from croupier.rulebook import letters, meter_floors
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.meter_parser import METER_KEYS
from croupier.submission.validation import ValidationResult, conclude, parse

Data: TypeAlias = dict[str, Any]
Answers: TypeAlias = Mapping[str, str]
Section: TypeAlias = Literal["operator", "paytables", "limits", "table", "choices", "meters"]
YES, NO = ("true", "yes", "y"), ("false", "no", "n")
LIMITS = {"min": "minimum", "max": "maximum"}
METER_TEXTS = {
    "initial": "The initial amount of the meter in dollars, at least the rules' minimum.",
    "reset": "The amount after an award in dollars, at least the rules' minimum.",
    "rate": "The share of each progressive wager added to the meter, in percent.",
    "limit": "The maximum of the meter, in dollars.",
    "reserve_rate": "An additional share of each wager, reserved for resets, in percent.",
}


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field: its path in the file, description, allowed answers and clause."""

    field: str
    section: Section
    title: str
    asks: str
    allowed: str
    words: tuple[str, ...] = ()  # the only allowed answers, if there are few
    default: str = ""
    clause: str = ""
    reading: str = ""
    compulsory: bool = False
    only_with: tuple[str, ...] = ()  # progressive letters that have this meter


class FormEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """The submission that the answers make, its validation, and the fields that matter."""

    data: Data
    examination: ValidationResult
    matters: tuple[str, ...]
    prices: tuple[Alternatives, ...]


def fields(game: Game) -> tuple[Field, ...]:
    """Return the fields of a game's form, in file order."""
    return (
        Field(
            field="operator.name",
            section="operator",
            title="Name",
            asks="The operator's name on the felt.",
            allowed="a line of text",
            clause="2.B.1",
            compulsory=True,
        ),
        *(
            _letter_field(game, wager)
            for wager in game.wagers
            if letters(game.document, wager.name)
        ),
        *(
            field
            for wager in game.wagers
            if wager.role in ("ante", "optional")
            for field in _limit_fields(wager)
        ),
        *(_choice_field(choice) for choice in game.form.choices),
        *_meter_fields(game),
    )


def _letter_field(game: Game, wager: Wager) -> Field:
    offer = game.form.offer(wager.name)
    always = "always offered" if wager.always_offered else "without one it is not offered"
    words = letters(game.document, wager.name)
    return Field(
        field=f"paytables.{wager.name}",
        section="paytables",
        title=wager.title,
        asks=f"The paytable of {wager.title}; {always}.",
        allowed=join_or(words),
        words=words,
        clause=offer.letter_clause if offer else wager.clause,
        compulsory=wager.always_offered,
    )


def _limit_fields(wager: Wager) -> Iterator[Field]:
    for key, title in LIMITS.items():
        yield Field(
            field=f"limits.{wager.name}.{key}",
            section="limits",
            title=f"{wager.title}, {title}",
            asks=f"The {title} of {wager.title}, in dollars.",
            allowed="dollars above 0 with at most two decimals",
            clause=wager.clause,
            reading="A69",
        )


def _choice_field(choice: Choice) -> Field:
    kind = choice.kind
    words = kind.words if isinstance(kind, OneOf) else ()
    if isinstance(kind, Flag):
        words = kind.answers
    title = choice.name.replace("_", " ")
    return Field(
        field=choice.field,
        section=choice.section,
        title=title[0].upper() + title[1:],
        asks=choice.note.replace("`", ""),
        allowed=kind.allowed,
        words=words,
        default=choice.default_text.replace("`", ""),
        clause=choice.clause,
        reading=choice.reading,
        compulsory=choice.missing == "error" and not choice.when,
    )


def _meter_fields(game: Game) -> Iterator[Field]:
    if not game.wager("progressive"):
        return
    letters_by_meter: dict[str, list[str]] = {}
    for letter in reversed(letters(game.document, "progressive")):  # the last have most meters
        for floor in meter_floors(game.document, letter):
            if floor.minimum_dollars:
                letters_by_meter.setdefault(floor.meter, []).append(letter)
    clauses = game.form.meters
    for meter, having in letters_by_meter.items():
        for key in METER_KEYS:
            is_rate = key.endswith("rate")
            yield Field(
                field=f"meters.{meter}.{key}",
                section="meters",
                title=f"{meter.replace('_', ' ').capitalize()}, {key.replace('_', ' ')}",
                asks=METER_TEXTS[key],
                allowed="percent above 0" if is_rate else "dollars above 0",
                clause=clauses.rate_clause(meter) if is_rate else clauses.amount_clause(meter),
                only_with=tuple(having),
            )


def submission_from(game: Game, answers: Answers) -> Data:
    """Return the submission that the answers make; an invalid answer stays as typed.

    Fields of a wager or meter that is not offered are left out. Raises BadInput for an answer to a
    field that the form does not have.
    """
    known = {field.field: field for field in fields(game)}
    unknown = [path for path in answers if path not in known]
    if unknown:
        raise BadInput(f"{unknown[0]!r} is not a field of {game.title}")
    data: Data = {"game": game.key, "operator": {}, "table": {}, "limits": {}, "paytables": {}}
    data |= {"choices": {}, "meters": {}}
    for path, field in known.items():
        text = answers.get(path, "").strip()
        if text and applies(game, field, answers):
            section, *names = path.split(".")
            target = data[section]
            for name in names[:-1]:
                target = target.setdefault(name, {})
            target[names[-1]] = _value(game, field, text)
    if not data["meters"]:
        del data["meters"]
    return data


def applies(game: Game, field: Field, answers: Answers) -> bool:
    """Return whether the wager or the meter of a field is offered."""
    if field.section == "meters":
        return answers.get("paytables.progressive", "").strip() in field.only_with
    if field.section != "limits":
        return True
    name = field.field.split(".")[1]
    return not letters(game.document, name) or bool(answers.get(f"paytables.{name}", "").strip())


def choice_of(game: Game, field: Field) -> Choice | None:
    """Return the declaration of a field of [table] or [choices]; None for other fields."""
    if field.section not in ("table", "choices"):
        return None
    return game.form.choice(field.field.split(".")[1])


def _value(game: Game, field: Field, text: str) -> Any:
    if choice := choice_of(game, field):
        return parse_answer(choice.kind, text)
    if field.section in ("operator", "paytables"):
        return text
    return _parse_percent(text) if field.field.endswith("rate") else _parse_money(text)


def parse_answer(kind: ValueType, text: str) -> Any:
    """Convert a typed answer into a value of the file: "yes" is true, "up" is "up_to_chip".

    Text that does not fit is returned unchanged; validation rejects it and cites the clause.
    """
    match kind:
        case Flag():
            word = text.lower()
            return True if word in YES else False if word in NO else text
        case WholeNumber():
            return int(text) if text.isdecimal() and len(text) < 10 else text
        case Hours():
            value = parse_decimal(text)
            if value is None:
                return text
            return int(value) if value.denominator == 1 else float(value)
        case Dollars():
            return _parse_money(text)
        case OneOf():
            matches = [word for word in kind.words if word.startswith(text.lower())]
            return matches[0] if len(matches) == 1 else text
        case Permutation() | ListOf() | ChipSet():
            return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _parse_money(text: str) -> int | str:
    """Convert typed dollars: whole dollars into a number, cents into text, both exact."""
    plain = text.removeprefix("$").strip().replace(",", "")
    cents = parse_dollars(plain)
    if cents is None:
        return text
    return cents // 100 if cents % 100 == 0 else plain


def _parse_percent(text: str) -> int | str:
    """Convert a typed percentage: whole numbers into a number, others into text, both exact."""
    plain = text.removesuffix("%").strip()
    value = parse_decimal(plain)
    return int(value) if value is not None and value.denominator == 1 else plain


def answers_from(game: Game, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the answers that make a submission."""
    answers: dict[str, str] = {}
    for field in fields(game):
        value: Any = data
        for name in field.field.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            answers[field.field] = _text(value)
    return answers


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def evaluate(game: Game, answers: Answers) -> FormEvaluation:
    """Validate the answers so far, and price the alternatives."""
    data = submission_from(game, answers)
    context = parse(game, data)
    result = conclude(context)
    house = result.priced
    return FormEvaluation(
        data=data,
        examination=result,
        matters=tuple(
            choice.field
            for choice in game.form.choices
            if choice.matters is never or choice.matters(context) or choice.name in context.stated
        ),
        prices=tuple(alternatives(house, result.undecided)) if house else (),
    )

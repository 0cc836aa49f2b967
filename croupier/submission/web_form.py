"""A Rules Submission as a web form: fields by path, with answers as typed text.

fields(game)                     the fields of the form, section by section
submission_from(game, answers)   the submission that the answers make, legal or not
answers_from(game, data)         the answers that make a submission
evaluate(game, answers)          the issues and prices of the answers
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.games import Game, Wager
from croupier.games.forms import Choice, Flag, OneOf, never
from croupier.rulebook import letters, meter_floors
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.interview import (
    OPERATOR_QUESTION,
    Data,
    parse_answer,
    parse_money,
    parse_rate,
)
from croupier.submission.meter_parser import METER_KEYS
from croupier.submission.validation import ValidationResult, conclude, parse

Answers: TypeAlias = Mapping[str, str]
Section: TypeAlias = Literal["operator", "paytables", "limits", "table", "choices", "meters"]
YES_OR_NO = ("true", "false")
LIMITS = {"min": "Minimum", "max": "Maximum"}
METER_TEXTS = {
    "initial": "The initial amount of the meter, in dollars.",
    "reset": "The amount of the meter after an award, in dollars.",
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
            field=OPERATOR_QUESTION.field,
            section="operator",
            title="Name",
            asks=OPERATOR_QUESTION.asks,
            allowed=OPERATOR_QUESTION.allowed,
            clause=OPERATOR_QUESTION.clause,
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
    always = "Always offered." if wager.always_offered else "If left blank, it is not offered."
    words = letters(game.document, wager.name)
    return Field(
        field=f"paytables.{wager.name}",
        section="paytables",
        title=wager.title,
        asks=f"The paytable of this wager. {always}",
        allowed=", ".join(words),
        words=words,
        clause=offer.letter_clause if offer else wager.clause,
        compulsory=wager.always_offered,
    )


def _limit_fields(wager: Wager) -> Iterator[Field]:
    for key, title in LIMITS.items():
        yield Field(
            field=f"limits.{wager.name}.{key}",
            section="limits",
            title=f"{wager.title}, {title.lower()}",
            asks=f"{title} of this wager, in dollars.",
            allowed="dollars above 0 with at most two decimals",
            clause=wager.clause,
            reading="A69",
        )


def _choice_field(choice: Choice) -> Field:
    kind = choice.kind
    words = kind.words if isinstance(kind, OneOf) else YES_OR_NO if isinstance(kind, Flag) else ()
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
    for letter in letters(game.document, "progressive"):
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
        if text and _applies(game, field, answers):
            section, *names = path.split(".")
            target = data[section]
            for name in names[:-1]:
                target = target.setdefault(name, {})
            target[names[-1]] = _value(game, field, text)
    if not data["meters"]:
        del data["meters"]
    return data


def _applies(game: Game, field: Field, answers: Answers) -> bool:
    if field.section == "meters":
        return answers.get("paytables.progressive", "").strip() in field.only_with
    if field.section != "limits":
        return True
    name = field.field.split(".")[1]
    return not letters(game.document, name) or bool(answers.get(f"paytables.{name}", "").strip())


def _value(game: Game, field: Field, text: str) -> Any:
    with suppress(BadInput):  # validation rejects the text and cites the clause
        if field.section in ("table", "choices"):
            return parse_answer(game.form.choice(field.field.split(".")[1]).kind, text)
        if field.section == "limits":
            return parse_money(text.removeprefix("$"))
        if field.section == "meters":
            if field.field.endswith("rate"):
                return parse_rate(text.removesuffix("%").strip())
            return parse_money(text.removeprefix("$"))
    return text


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

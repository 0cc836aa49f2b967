"""A Rules Submission as a form on a screen: every field by its path, every answer as it is typed.

fields(game)                    what is asked, section by section
data_of(game, answers)          the submission that the answers amount to, right or wrong
answers_of(game, data)          the answers that a submission would have been typed by
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
from croupier.submission.interview import OPERATOR_QUESTION, Data, percent
from croupier.submission.interview_answers import money, read_answer
from croupier.submission.meter_parser import KEYS as METER_KEYS
from croupier.submission.validation import Examination, concluded, filed

Answers: TypeAlias = Mapping[str, str]
Section: TypeAlias = Literal["operator", "paytables", "limits", "table", "choices", "meters"]
YES_OR_NO = ("true", "false")
LIMITS = {"min": "The least", "max": "The most"}
AMOUNTS = {
    "initial": "Where the meter starts, in dollars.",
    "reset": "Where it starts again after it was won, in dollars.",
    "rate": "How much of each progressive wager goes to it, in percent.",
    "limit": "The most that it shows, in dollars.",
    "reserve_rate": "A further share of each wager, set aside for resets, in percent.",
}


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field: its path in the file, what it decides, what may be typed, who says so."""

    field: str
    section: Section
    title: str
    asks: str
    allowed: str
    words: tuple[str, ...] = ()  # the only answers, where there are few
    default: str = ""
    clause: str = ""
    reading: str = ""
    compulsory: bool = False
    only_with: tuple[str, ...] = ()  # letters of the progressive that have this meter


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the answers: the submission, its examination, the fields that matter in it."""

    data: Data
    examination: Examination
    matters: tuple[str, ...]
    prices: tuple[Alternatives, ...]


def fields(game: Game) -> tuple[Field, ...]:
    """Everything that the form of a game asks, in the order of the file."""
    asked = OPERATOR_QUESTION
    return (
        Field(
            field=asked.field,
            section="operator",
            title="Name",
            asks=asked.asks,
            allowed=asked.allowed,
            clause=asked.clause,
            compulsory=True,
        ),
        *(_letter(game, wager) for wager in game.wagers if letters(game.document, wager.name)),
        *(each for wager in game.wagers if _limited(wager) for each in _limits(wager)),
        *(_choice(choice) for choice in game.form.choices),
        *_meters(game),
    )


def _limited(wager: Wager) -> bool:
    return wager.role in ("ante", "optional")


def _letter(game: Game, wager: Wager) -> Field:
    offer = game.form.offer(wager.name)
    always = "Always offered." if wager.always_offered else "Left out, it is not offered."
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


def _limits(wager: Wager) -> Iterator[Field]:
    for key, words in LIMITS.items():
        yield Field(
            field=f"limits.{wager.name}.{key}",
            section="limits",
            title=f"{wager.title}, {words.lower()}",
            asks=f"{words} on this wager, in dollars.",
            allowed="dollars above 0 with at most two decimals",
            clause=wager.clause,
            reading="A69",
        )


def _choice(choice: Choice) -> Field:
    kind = choice.kind
    words = kind.words if isinstance(kind, OneOf) else YES_OR_NO if isinstance(kind, Flag) else ()
    plain = choice.name.replace("_", " ")
    return Field(
        field=choice.field,
        section=choice.section,
        title=plain[0].upper() + plain[1:],
        asks=choice.note.replace("`", ""),
        allowed=kind.allowed,
        words=words,
        default=choice.default_text.replace("`", ""),
        clause=choice.clause,
        reading=choice.reading,
        compulsory=choice.missing == "error" and not choice.when,
    )


def _meters(game: Game) -> Iterator[Field]:
    if not game.wager("progressive"):
        return
    known: dict[str, list[str]] = {}
    for letter in letters(game.document, "progressive"):
        for floor in meter_floors(game.document, letter):
            if floor.minimum_dollars:
                known.setdefault(floor.meter, []).append(letter)
    clauses = game.form.meters
    for meter, having in known.items():
        for key in METER_KEYS:
            share = key.endswith("rate")
            yield Field(
                field=f"meters.{meter}.{key}",
                section="meters",
                title=f"{meter.replace('_', ' ').capitalize()}, {key.replace('_', ' ')}",
                asks=AMOUNTS[key],
                allowed="percent above 0" if share else "dollars above 0",
                clause=clauses.rate_clause(meter) if share else clauses.amount_clause(meter),
                only_with=tuple(having),
            )


def data_of(game: Game, answers: Answers) -> Data:
    """The submission that the answers amount to; an answer that makes no sense stays as typed.

    What belongs to a wager or a meter that is not offered is left out of it.
    """
    known = {field.field: field for field in fields(game)}
    strangers = [path for path in answers if path not in known]
    if strangers:
        raise BadInput(f"{strangers[0]!r} is no field of {game.title}")
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
    with suppress(BadInput):  # what cannot be read is refused with its clause by the examination
        if field.section in ("table", "choices"):
            return read_answer(game.form.choice(field.field.split(".")[1]).kind, text)
        if field.section == "limits":
            return money(text.removeprefix("$"))
        if field.section == "meters":
            if field.field.endswith("rate"):
                return percent(text.removesuffix("%").strip())
            return money(text.removeprefix("$"))
    return text


def answers_of(game: Game, data: Mapping[str, Any]) -> dict[str, str]:
    """What somebody would have typed who wrote this submission."""
    found: dict[str, str] = {}
    for field in fields(game):
        value: Any = data
        for name in field.field.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            found[field.field] = _text(value)
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def entered(game: Game, answers: Answers) -> Entered:
    """Look at what was typed so far: every issue, every price, every field that matters."""
    data = data_of(game, answers)
    filing = filed(game, data)
    examination = concluded(filing)
    house = examination.priced
    return Entered(
        data=data,
        examination=examination,
        matters=tuple(
            choice.field
            for choice in game.form.choices
            if choice.matters is never or choice.matters(filing) or choice.name in filing.given
        ),
        prices=tuple(alternatives(house, examination.undecided)) if house else (),
    )

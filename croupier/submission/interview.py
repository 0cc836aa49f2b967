"""The questionnaire of `croupier new`: questions whose answers make a first Rules Submission.

    questions = interview(find("ultimate"))
    question = next(questions)
    question = questions.send("Harbor Casino")  # an empty answer accepts the proposed one

The generator returns the submission as a mapping without errors: an illegal answer repeats the
question with the reason in `refused`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.games import Game, Wager
from croupier.games.forms import (
    ChipSet,
    Choice,
    Dollars,
    Flag,
    Hours,
    InvalidValue,
    ListOf,
    OneOf,
    Permutation,
    ValueType,
    WholeNumber,
)
from croupier.games.forms.value_text import join_or
from croupier.money import parse_decimal, parse_dollars
from croupier.rulebook import letters, meter_floors
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.parse_context import ParseContext
from croupier.submission.validation import conclude, parse

Data: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Data, str], None]  # writes an answer into a submission, or raises
ALWAYS_ASKED = ("dealing_method", "shuffle_method", "max_adjacent_boxes")  # despite a default
NOT_OFFERED = "none"
OPERATOR = "Your Casino"
DEFAULT_RATE = 4  # percent of each progressive wager, for a meter that the example does not have
YES, NO = ("true", "yes", "y"), ("false", "no", "n")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question: its field, what it decides, the allowed answers and the proposed one."""

    field: str
    asks: str
    allowed: str
    proposed: str  # empty: the field is left out, unless it is compulsory
    compulsory: bool = False
    clause: str = ""
    reading: str = ""
    prices: tuple[Alternatives, ...] = ()
    refused: str = ""


Interview: TypeAlias = Generator[Question, str, Data]
OPERATOR_QUESTION = Question(
    field="operator.name",
    asks="The operator's name on the felt.",
    allowed="a line of text",
    proposed=OPERATOR,
    clause="2.B.1",
)


def interview(game: Game) -> Interview:
    """Ask for every field that matters; the others keep their defaults."""
    example = tomllib.loads(game.document.text(game.document.example))
    data = _initial_data(game, example)
    yield from _ask(game, data, OPERATOR_QUESTION, _set_operator)
    for wager in game.wagers:
        if letters(game.document, wager.name) and wager.name in data["paytables"]:
            yield from _ask_letter(game, data, wager, example)
    for wager in game.wagers:
        if wager.name in data["limits"]:
            yield from _ask_limits(game, data, wager)
    for choice in game.form.choices:
        if choice.missing or choice.name in ALWAYS_ASKED:
            yield from _ask_choice(game, data, choice, example)
    for meter in tuple(data.get("meters", {})):
        yield from _ask_meter(game, data, meter)
    return data


def default_submission(game: Game, operator: str = "") -> Data:
    """Return the submission with every proposed answer."""
    questions = interview(game)
    question = next(questions)
    try:
        while True:
            if question.refused:
                raise BadInput(question.refused)
            question = questions.send(operator if question.field == "operator.name" else "")
    except StopIteration as done:
        data: Data = done.value
        return data


def prices_of(game: Game, data: Data, name: str) -> tuple[Alternatives, ...]:
    """Return the expected return of each value of a setting, as far as it can be computed."""
    result = conclude(parse(game, data))
    if result.priced is None:
        return ()
    return tuple(alternatives(result.priced, result.undecided, only=name))


def missing_approvals(game: Game, data: Data) -> Iterator[Choice]:
    """The approvals that must be on file and are not stated yet."""
    context = parse(game, data)
    for choice in game.form.choices:
        unset = choice.name not in context.stated
        if choice.missing == "outstanding" and unset and choice.matters(context):
            yield choice


def _initial_data(game: Game, example: Mapping[str, Any]) -> Data:
    """The submission before the first question: the wagers and limits of the example."""
    data: Data = {
        "game": game.key,
        "operator": {"name": OPERATOR},
        "table": {},
        "limits": {name: dict(limits) for name, limits in example.get("limits", {}).items()},
        "paytables": dict(example.get("paytables", {})),
        "choices": {},
    }
    _set_meters(game, data, example)
    return data


def _set_meters(game: Game, data: Data, example: Mapping[str, Any]) -> None:
    """Set the meters of the chosen progressive: the example's, or the document's minimums."""
    data.pop("meters", None)
    data["choices"].pop("progressive_stake", None)
    letter = data["paytables"].get("progressive")
    if letter is None:
        return
    # The return of a progressive depends on its stake, so it is set before its question.
    if "progressive_stake" in example["choices"]:
        data["choices"]["progressive_stake"] = example["choices"]["progressive_stake"]
    known = example["meters"] if letter == example["paytables"].get("progressive") else {}
    data["meters"] = {
        floor.meter: dict(
            known.get(floor.meter)
            or {
                "initial": floor.minimum_dollars,
                "reset": floor.minimum_dollars,
                "rate": DEFAULT_RATE,
            }
        )
        for floor in meter_floors(game.document, letter)
        if floor.minimum_dollars
    }


def _set_operator(data: Data, answer: str) -> None:
    data["operator"]["name"] = answer


def _ask(game: Game, data: Data, question: Question, change: Change) -> Interview:
    """Repeat a question until the answer adds no errors, then write it into `data`."""
    while True:
        answer = (yield question).strip() or question.proposed
        if not answer and not question.compulsory:
            return data
        changed = msgspec.json.decode(msgspec.json.encode(data))  # a deep copy
        try:
            if not answer:
                raise BadInput(f"{question.field} must be stated; {question.allowed}")
            change(changed, answer)
            refused = _errors(game, changed)
        except (InvalidValue, BadInput) as problem:
            refused = str(problem)
        if not refused:
            data.clear()
            data.update(changed)
            return data
        question = msgspec.structs.replace(question, refused=refused)


def _errors(game: Game, data: Data) -> str:
    """The errors of a submission, except for choices that are still to be made."""
    result = conclude(parse(game, data))
    issues = [issue for issue in result.of("error") if issue.field not in result.undecided]
    return "; ".join(map(str, issues))


def _ask_letter(game: Game, data: Data, wager: Wager, example: Mapping[str, Any]) -> Interview:
    offer = game.form.offer(wager.name)
    words = letters(game.document, wager.name)
    if not wager.always_offered:
        words = (*words, NOT_OFFERED)
    if len(words) == 1:
        return data

    def change(changed: Data, answer: str) -> None:
        letter = next((word for word in words if word.lower() == answer.lower()), None)
        if letter is None:
            raise BadInput(f"{answer!r} is not a paytable of {wager.title}; {join_or(words)}")
        changed["paytables"][wager.name] = letter
        if letter == NOT_OFFERED:
            del changed["paytables"][wager.name]
            changed["limits"].pop(wager.name, None)
        if wager.role == "progressive":
            _set_meters(game, changed, example)

    always = "always offered" if wager.always_offered else f'"{NOT_OFFERED}" does not offer it'
    question = Question(
        field=f"paytables.{wager.name}",
        asks=f"The paytable of {wager.title}; {always}.",
        allowed=join_or(words),
        proposed=data["paytables"][wager.name],
        clause=offer.letter_clause if offer else wager.clause,
        prices=prices_of(game, data, wager.name),
    )
    return (yield from _ask(game, data, question, change))


def _ask_limits(game: Game, data: Data, wager: Wager) -> Interview:
    def change(changed: Data, answer: str) -> None:
        minimum, _, maximum = answer.replace("$", "").partition("-")
        limits = {"min": parse_money(minimum)}
        if maximum.strip():
            limits["max"] = parse_money(maximum)
        changed["limits"][wager.name] = limits

    current = data["limits"][wager.name]
    question = Question(
        field=f"limits.{wager.name}",
        asks=f"The minimum and maximum of {wager.title}, in dollars.",
        allowed="such as 5-500, or only the minimum",
        proposed="-".join(str(current[key]) for key in ("min", "max") if key in current),
        reading="A69",
    )
    return (yield from _ask(game, data, question, change))


def _ask_choice(game: Game, data: Data, choice: Choice, example: Mapping[str, Any]) -> Interview:
    context = parse(game, data)
    if not choice.matters(context):
        return data

    def change(changed: Data, answer: str) -> None:
        value = parse_answer(choice.kind, answer)
        choice.kind.read(value)
        changed[choice.section][choice.name] = value

    question = Question(
        field=choice.field,
        asks=choice.note,
        allowed=choice.kind.allowed,
        proposed=_proposed(choice, context, data, example),
        compulsory=choice.missing == "error",
        clause=choice.clause,
        reading=choice.reading,
        prices=prices_of(game, data, choice.name),
    )
    return (yield from _ask(game, data, question, change))


def _proposed(choice: Choice, context: ParseContext, data: Data, example: Mapping[str, Any]) -> str:
    """The current or default value; for a compulsory choice without one, the example's.

    An approval is never proposed: only the operator knows whether it exists.
    """
    if choice.missing == "outstanding":
        return ""
    if choice.missing == "error" and choice.name not in data[choice.section]:
        value = example.get(choice.section, {}).get(choice.name)
        return "" if value is None else choice.kind.write(choice.kind.read(value))
    return choice.kind.write(context.values[choice.name])


def _ask_meter(game: Game, data: Data, meter: str) -> Interview:
    clauses = game.form.meters
    for key, asks in (
        ("initial", f"The initial amount of the {meter} meter, in dollars."),
        ("reset", f"The reset amount of the {meter} meter after an award, in dollars."),
        ("rate", f"The share of each progressive wager added to the {meter} meter, in percent."),
    ):
        is_rate = key == "rate"
        question = Question(
            field=f"meters.{meter}.{key}",
            asks=asks,
            allowed="percent above 0" if is_rate else "dollars, at least the rules' minimum",
            proposed=str(data["meters"][meter][key]),
            clause=clauses.rate_clause(meter) if is_rate else clauses.amount_clause(meter),
        )
        yield from _ask(game, data, question, _meter_setter(meter, key))
    return data


def _meter_setter(meter: str, key: str) -> Change:
    def change(changed: Data, answer: str) -> None:
        text = answer.removesuffix("%").strip()
        changed["meters"][meter][key] = parse_rate(text) if key == "rate" else parse_money(text)

    return change


def parse_answer(kind: ValueType, text: str) -> Any:
    """Convert a typed answer into a value of the file: "yes" is true, "up" is "up_to_chip".

    Text that does not fit is returned unchanged, so that `kind.read` rejects it.
    """
    match kind:
        case Flag():
            word = text.lower()
            return True if word in YES else False if word in NO else text
        case WholeNumber():
            return int(text) if text.isdecimal() and len(text) < 10 else text
        case Hours():
            return _parse_hours(text)
        case Dollars():
            return parse_money(text.removeprefix("$"))
        case OneOf():
            matches = [word for word in kind.words if word.startswith(text.lower())]
            return matches[0] if len(matches) == 1 else text
        case Permutation() | ListOf() | ChipSet():
            return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _parse_hours(text: str) -> int | float | str:
    value = parse_decimal(text)
    if value is None:
        return text
    return int(value) if value.denominator == 1 else float(value)


def parse_money(text: str) -> int | str:
    """Convert typed dollars: whole dollars into a number, cents into text, both exact."""
    plain = text.strip().replace(",", "")
    cents = parse_dollars(plain)
    if cents is None:
        raise BadInput(f"{text.strip()!r} is not an amount in dollars, such as 25 or 12.50")
    return cents // 100 if cents % 100 == 0 else plain


def parse_rate(text: str) -> int | str:
    """Convert a typed percentage: whole numbers into a number, others into text, both exact."""
    value = parse_decimal(text)
    if value is None:
        raise BadInput(f"{text!r} is not a percentage, such as 4 or 2.5")
    return int(value) if value.denominator == 1 else text

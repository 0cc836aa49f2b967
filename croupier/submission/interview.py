"""The questions by which a first Rules Submission comes about, each with what it is worth.

    asked = interview(find("ultimate"))
    question = next(asked)
    question = asked.send("Harbor Casino")  # an empty answer takes what the question proposes

The generator returns the submission as a mapping. An answer that the rules do not allow comes back
as the same question with the reason in `refused`, so what is returned has no errors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.games import Game, Wager
from croupier.games.forms import Choice, ParseContext, Unreadable, either
from croupier.money import parse_decimal
from croupier.rulebook import letters, meter_floors
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.interview_answers import money, read_answer
from croupier.submission.validation import concluded, filed

Data: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Data, str], None]  # writes an answer into a submission, or refuses it
TABLE = ("dealing_method", "shuffle_method", "max_adjacent_boxes")  # asked although they default
NOT_OFFERED = "none"
OPERATOR = "Your Casino"
USUAL_RATE = 4  # percent of each progressive wager for each meter, where nothing else is known


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question: its field, what it decides, what may be answered, what no answer means."""

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
    asks="The name that the felt carries.",
    allowed="a line of text",
    proposed=OPERATOR,
    clause="2.B.1",
)


def interview(game: Game) -> Interview:
    """Ask everything that matters at this game; what does not is left to its default."""
    example = tomllib.loads(game.document.text(game.document.example))
    data = beginning(game, example)
    yield from _until_legal(game, data, OPERATOR_QUESTION, _set_operator)
    for wager in game.wagers:
        if letters(game.document, wager.name) and wager.name in data["paytables"]:
            yield from _ask_letter(game, data, wager, example)
    for wager in game.wagers:
        if wager.name in data["limits"]:
            yield from _ask_limits(game, data, wager)
    for choice in game.form.choices:
        if choice.missing or choice.name in TABLE:
            yield from _ask_choice(game, data, choice, example)
    for meter in tuple(data.get("meters", {})):
        yield from _ask_meter(game, data, meter)
    return data


def beginning(game: Game, example: Mapping[str, Any]) -> Data:
    """A submission before the first question: the wagers and limits of the example."""
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
    """The meters of the chosen progressive: the example's, or the least that the rules allow."""
    data.pop("meters", None)
    data["choices"].pop("progressive_stake", None)
    letter = data["paytables"].get("progressive")
    if letter is None:
        return
    # What a progressive returns hangs on its stake, which therefore stands before it is asked for.
    if "progressive_stake" in example["choices"]:
        data["choices"]["progressive_stake"] = example["choices"]["progressive_stake"]
    known = example["meters"] if letter == example["paytables"].get("progressive") else {}
    data["meters"] = {
        floor.meter: dict(
            known.get(floor.meter)
            or {
                "initial": floor.minimum_dollars,
                "reset": floor.minimum_dollars,
                "rate": USUAL_RATE,
            }
        )
        for floor in meter_floors(game.document, letter)
        if floor.minimum_dollars
    }


def _set_operator(data: Data, answer: str) -> None:
    data["operator"]["name"] = answer


def _until_legal(game: Game, data: Data, question: Question, change: Change) -> Interview:
    """Ask until the answer, or the proposal, leaves a submission without new errors."""
    while True:
        answer = (yield question).strip() or question.proposed
        if not answer and not question.compulsory:
            return data
        tried = msgspec.json.decode(msgspec.json.encode(data))  # a copy, to be thrown away
        try:
            if not answer:
                raise BadInput(f"{question.field} must be stated; {question.allowed}")
            change(tried, answer)
            refused = objections(game, tried)
        except (Unreadable, BadInput) as problem:
            refused = str(problem)
        if not refused:
            data.clear()
            data.update(tried)
            return data
        question = msgspec.structs.replace(question, refused=refused)


def objections(game: Game, data: Data) -> str:
    """What the rules have against a submission so far; choices still to be made do not count."""
    examination = concluded(filed(game, data))
    issues = [
        issue for issue in examination.of("error") if issue.field not in examination.undecided
    ]
    return "; ".join(map(str, issues))


def prices_of(game: Game, data: Data, name: str) -> tuple[Alternatives, ...]:
    """What each value of a setting returns, as far as the submission is known."""
    examination = concluded(filed(game, data))
    if examination.priced is None:
        return ()
    return tuple(alternatives(examination.priced, examination.undecided, only=name))


def _ask_letter(game: Game, data: Data, wager: Wager, example: Mapping[str, Any]) -> Interview:
    offer = game.form.offer(wager.name)
    clause = offer.letter_clause if offer else wager.clause
    words = letters(game.document, wager.name)
    if not wager.always_offered:
        words = (*words, NOT_OFFERED)
    if len(words) == 1:
        return data

    def change(tried: Data, answer: str) -> None:
        letter = next((word for word in words if word.lower() == answer.lower()), None)
        if letter is None:
            raise BadInput(f"{answer!r} is no paytable of {wager.title}; {either(words)}")
        tried["paytables"][wager.name] = letter
        if letter == NOT_OFFERED:
            del tried["paytables"][wager.name]
            tried["limits"].pop(wager.name, None)
        if wager.role == "progressive":
            _set_meters(game, tried, example)

    always = "always offered" if wager.always_offered else f'"{NOT_OFFERED}" does not offer it'
    question = Question(
        field=f"paytables.{wager.name}",
        asks=f"The paytable of {wager.title}; {always}.",
        allowed=either(words),
        proposed=data["paytables"][wager.name],
        clause=clause,
        prices=prices_of(game, data, wager.name),
    )
    return (yield from _until_legal(game, data, question, change))


def _ask_limits(game: Game, data: Data, wager: Wager) -> Interview:
    def change(tried: Data, answer: str) -> None:
        least, _, most = answer.replace("$", "").partition("-")
        limits = {"min": money(least)}
        if most.strip():
            limits["max"] = money(most)
        tried["limits"][wager.name] = limits

    now = data["limits"][wager.name]
    question = Question(
        field=f"limits.{wager.name}",
        asks=f"The least and the most on {wager.title}, in dollars.",
        allowed="such as 5-500, or only the least",
        proposed="-".join(str(now[key]) for key in ("min", "max") if key in now),
        reading="A69",
    )
    return (yield from _until_legal(game, data, question, change))


def _ask_choice(game: Game, data: Data, choice: Choice, example: Mapping[str, Any]) -> Interview:
    filing = filed(game, data)
    if not choice.matters(filing):
        return data

    def change(tried: Data, answer: str) -> None:
        value = read_answer(choice.kind, answer)
        choice.kind.read(value)
        tried[choice.section][choice.name] = value

    question = Question(
        field=choice.field,
        asks=choice.note,
        allowed=choice.kind.allowed,
        proposed=proposal(choice, filing, data, example),
        compulsory=choice.missing == "error",
        clause=choice.clause,
        reading=choice.reading,
        prices=prices_of(game, data, choice.name),
    )
    return (yield from _until_legal(game, data, question, change))


def proposal(choice: Choice, filing: ParseContext, data: Data, example: Mapping[str, Any]) -> str:
    """What stands already or by default; of a compulsory choice, which has none, the example's.

    An approval is never proposed: nobody but the operator knows whether there is one.
    """
    if choice.missing == "outstanding":
        return ""
    if choice.missing == "error" and choice.name not in data[choice.section]:
        value = example.get(choice.section, {}).get(choice.name)
        return "" if value is None else choice.kind.write(choice.kind.read(value))
    return choice.kind.write(filing.values[choice.name])


def _ask_meter(game: Game, data: Data, meter: str) -> Interview:
    for key, asks in (
        ("initial", f"Where the {meter} meter starts, in dollars."),
        ("reset", f"Where the {meter} meter starts again after it was won, in dollars."),
        ("rate", f"How much of each progressive wager goes to the {meter} meter, in percent."),
    ):
        question = Question(
            field=f"meters.{meter}.{key}",
            asks=asks,
            allowed="percent above 0" if key == "rate" else "dollars, at least the rules' minimum",
            proposed=str(data["meters"][meter][key]),
            clause=game.form.meters.rate_clause(meter)
            if key == "rate"
            else game.form.meters.amount_clause(meter),
        )
        yield from _until_legal(game, data, question, _setter(meter, key))
    return data


def _setter(meter: str, key: str) -> Change:
    def change(tried: Data, answer: str) -> None:
        plain = answer.removesuffix("%").strip()
        tried["meters"][meter][key] = percent(plain) if key == "rate" else money(plain)

    return change


def percent(text: str) -> int | str:
    """A rate as the file has it; exact, so that a fraction is written as text."""
    value = parse_decimal(text)
    if value is None:
        raise BadInput(f"{text!r} is no number of percent; expected such as 4 or 2.5")
    return int(value) if value.denominator == 1 else text


def answered_by_default(game: Game, operator: str = "") -> Data:
    """The submission of whoever takes every proposal."""
    asked = interview(game)
    question = next(asked)
    try:
        while True:
            if question.refused:
                raise BadInput(question.refused)
            question = asked.send(operator if question.field == "operator.name" else "")
    except StopIteration as done:
        found: Data = done.value
        return found


def fields_left(game: Game, data: Data) -> Iterator[Choice]:
    """The approvals that have to be on file and are not named yet."""
    filing = filed(game, data)
    for choice in game.form.choices:
        silent = choice.name not in filing.given
        if choice.missing == "outstanding" and silent and choice.matters(filing):
            yield choice

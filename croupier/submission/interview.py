"""The questionnaire of `croupier new`: a loop over the fields of the submission form.

    questions = interview(find("ultimate"))
    question = next(questions)
    question = questions.send("Harbor Casino")  # an empty answer accepts the proposed one

The generator returns the submission as a mapping without errors: an illegal answer repeats the
question with the reason in `refused`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from typing import TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.games import Game
from croupier.games.expected_returns import returns
from croupier.games.forms import WholeNumber
from croupier.rulebook import letters, meter_floors
from croupier.submission.alternatives import Alternatives, alternatives
from croupier.submission.parse_context import ParseContext
from croupier.submission.parser import missing_choices
from croupier.submission.player_edge import player_edges
from croupier.submission.validation import ValidationResult, conclude, parse
from croupier.submission.web_form import (
    Answers,
    Data,
    Field,
    answers_from,
    applies,
    choice_of,
    fields,
    submission_from,
)

# Despite a default.
ALWAYS_ASKED = ("dealing_method", "shuffle_method", "positions", "max_adjacent_boxes")
NONE = "none"  # the answer that leaves out a wager or a maximum
OPERATOR = "Your Casino"
DEFAULT_RATE = 4  # percent of each progressive wager, for a meter that the example does not have


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One field to answer: the allowed answers, the proposed one, and the returns of each."""

    field: Field
    allowed: str
    proposed: str  # empty: the field is left out
    prices: tuple[Alternatives, ...] = ()
    assumed: tuple[str, ...] = ()  # proposals that are still to be answered and affect the returns
    refused: str = ""


Interview: TypeAlias = Generator[Question, str, Data]


def interview(game: Game) -> Interview:
    """Ask for every field that matters; the others keep their defaults."""
    example = answers_from(game, tomllib.loads(game.document.text(game.document.example)))
    answers = {path: text for path, text in example.items() if path.startswith("paytables.")}
    answers["operator.name"] = OPERATOR
    _set_progressive(game, answers, example)
    context, result = _examine(game, answers)
    for field in fields(game):
        if not _is_asked(field, context, answers):
            continue
        is_wager = field.section == "paytables" and not field.compulsory
        optional = is_wager or field.field.endswith(".max")
        proposed = _proposed(field, context, {**example, **answers})
        if proposed and _refusal(field, *_examine(game, {**answers, field.field: proposed})):
            proposed = ""  # the example's maximum may be below the minimum that was chosen
        pending = _undecided(field, result, {**example, **answers})
        prices = _prices(field, _as_proposed(game, answers, pending, result))
        question = Question(
            field=field,
            allowed=f"{field.allowed}, or {NONE}" if optional else field.allowed,
            proposed=proposed or (NONE if optional else ""),
            prices=prices,
            assumed=_assumed(game, prices, pending),
        )
        while True:
            text = (yield question).strip() or question.proposed
            words = (*field.words, NONE) if optional else field.words
            answer = next((word for word in words if word.lower() == text.lower()), text)
            changed = answers | {field.field: "" if optional and answer == NONE else answer}
            if field.field == "paytables.progressive":
                _set_progressive(game, changed, example)
            context, result = _examine(game, changed)
            refused = _refusal(field, context, result)
            if not refused:
                break
            question = msgspec.structs.replace(question, refused=refused)
        answers = changed
    return submission_from(game, answers)


def default_submission(game: Game, operator: str = "") -> Data:
    """Return the submission with every proposed answer."""
    questions = interview(game)
    question = next(questions)
    try:
        while True:
            if question.refused:
                raise BadInput(question.refused)
            is_name = question.field.field == "operator.name"
            question = questions.send(operator if is_name else "")
    except StopIteration as done:
        data: Data = done.value
        return data


def _set_progressive(game: Game, answers: dict[str, str], example: Answers) -> None:
    """Set stake and meters of the chosen progressive: the example's, or the rules' minimums.

    Its return depends on them, so they are set before their questions.
    """
    letter = answers.get("paytables.progressive", "")
    stake = "choices.progressive_stake"
    if stake in example:
        answers[stake] = example[stake] if letter else ""
    known = example if letter == example.get("paytables.progressive") else {}
    if letter not in letters(game.document, "progressive"):
        return
    for floor in meter_floors(game.document, letter):
        if minimum := floor.minimum_dollars:
            for key, usual in (("initial", minimum), ("reset", minimum), ("rate", DEFAULT_RATE)):
                path = f"meters.{floor.meter}.{key}"
                answers[path] = known.get(path, str(usual))


def _examine(game: Game, answers: Answers) -> tuple[ParseContext, ValidationResult]:
    context = parse(game, submission_from(game, answers))
    return context, conclude(context)


def _is_asked(field: Field, context: ParseContext, answers: Answers) -> bool:
    if choice := choice_of(context.game, field):
        is_open = choice.missing or choice.name in ALWAYS_ASKED
        is_fixed = (
            isinstance(choice.kind, WholeNumber) and choice.kind.minimum == choice.kind.maximum
        )
        return bool(is_open) and not is_fixed and choice.matters(context)
    if field.section == "meters" and field.field not in answers:
        return False
    is_fixed = field.compulsory and len(field.words) == 1
    return not is_fixed and applies(context.game, field, answers)


def _proposed(field: Field, context: ParseContext, known: Answers) -> str:
    """The current, default or example value.

    An approval has no default and is never proposed: only the operator knows whether it exists.
    """
    choice = choice_of(context.game, field)
    if choice is None or choice.missing == "error":
        return known.get(field.field, "")
    value = context.values[choice.name]
    return "" if choice.missing == "outstanding" and value is None else choice.kind.write(value)


def _undecided(field: Field, result: ValidationResult, known: Answers) -> Answers:
    """The proposed values of the other choices that are still to be made."""
    open_fields = (path for path in result.undecided if path != field.field)
    return {path: known[path] for path in open_fields if path in known}


def _as_proposed(
    game: Game, answers: Answers, pending: Answers, result: ValidationResult
) -> ValidationResult:
    """The result with pending choices as they will be proposed, so that returns are of these."""
    if not pending:
        return result
    _, proposed = _examine(game, {**answers, **pending})
    return msgspec.structs.replace(result, priced=proposed.priced or result.priced)


def _assumed(game: Game, prices: tuple[Alternatives, ...], pending: Answers) -> tuple[str, ...]:
    """The pending choices that change the returns shown."""
    settings = {**game.analysis.sides, "main": game.analysis.main}
    affecting = {name for price in prices for name in settings.get(price.values[0].wager, ())}
    return tuple(
        f"{path.partition('.')[2]} = {value}"
        for path, value in pending.items()
        if path.partition(".")[2] in affecting
    )


def _prices(field: Field, result: ValidationResult) -> tuple[Alternatives, ...]:
    if result.priced is None:
        return ()
    name = field.field.split(".")[-1]
    return tuple(alternatives(result.priced, result.undecided, only=name))


def _refusal(field: Field, context: ParseContext, result: ValidationResult) -> str:
    """The errors of the answers, except for choices that are still to be made."""
    open_fields = {choice.field for choice in missing_choices(context)} - {field.field}
    errors = result.of("error")
    if result.undecided and result.priced:  # an edge is refused where it is chosen, not later
        errors += player_edges(result.priced, returns(result.priced))
    return "; ".join(str(issue) for issue in errors if issue.field not in open_fields)

"""The web form gives the same submission and the same issues as a file."""

from __future__ import annotations

import tomllib

import pytest

from croupier.errors import BadInput
from croupier.games import CATALOGUE, find
from croupier.submission import draft, example_path
from croupier.submission.web_form import answers_from, evaluate, fields, submission_from

GAMES = [game.key for game in CATALOGUE]
TOP = find("top_five")


@pytest.mark.parametrize("key", GAMES)
def test_every_example_can_be_typed(key: str) -> None:
    """The answers of an example make the same submission and the same House."""
    game = find(key)
    data = tomllib.loads(example_path(key).read_text("utf-8"))
    answers = answers_from(game, data)
    evaluation = evaluate(game, answers)
    expected = draft(example_path(key))

    assert data == submission_from(game, answers)
    assert evaluation.examination.drafted == expected.drafted
    assert evaluation.examination.ready
    assert {price.field for price in evaluation.prices} <= {field.field for field in fields(game)}


@pytest.mark.parametrize("key", GAMES)
def test_every_field_says_what_it_decides(key: str) -> None:
    """Every field has a description, allowed values, and a clause or reading."""
    for field in fields(find(key)):
        assert field.asks and field.allowed and (field.clause or field.reading), field


def example_answers(**changes: str) -> dict[str, str]:
    """Return the answers of the example with some changes."""
    data = tomllib.loads(example_path("top_five").read_text("utf-8"))
    return {**answers_from(TOP, data), **{k.replace("__", "."): v for k, v in changes.items()}}


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("limits.ante.min", "lots"),
        ("table.decks", "three"),
        ("choices.idle_minutes", "-1"),
        ("choices.peek_all_boxes", "perhaps"),
        ("paytables.poker_bonus", "Z"),
    ],
)
def test_nonsense_stays_as_typed_and_is_refused_in_its_field(path: str, typed: str) -> None:
    """An invalid answer gives one error at its field, with the clause."""
    evaluation = evaluate(TOP, {**example_answers(), path: typed})
    (issue,) = evaluation.examination.of("error")

    assert issue.field.startswith(path) and issue.value == typed
    assert issue.clause
    assert evaluation.examination.house is None


def test_what_is_not_offered_has_no_limits() -> None:
    """The limits of a wager that is not offered are left out of the submission."""
    answers = example_answers(paytables__poker_bonus=" ")
    data = submission_from(TOP, answers)

    assert "poker_bonus" not in data["paytables"] and "poker_bonus" not in data["limits"]
    assert evaluate(TOP, answers).examination.ready


def test_a_field_that_no_form_has_is_refused() -> None:
    """An unknown field is an error."""
    with pytest.raises(BadInput, match="not a field"):
        submission_from(TOP, example_answers(choices__colour="red"))

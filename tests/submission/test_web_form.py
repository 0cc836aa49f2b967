"""A submission as a form: what is typed is the file, field by field, and is judged alike."""

from __future__ import annotations

import tomllib

import pytest

from croupier.errors import BadInput
from croupier.games import CATALOGUE, find
from croupier.submission import draft, example_path
from croupier.submission.web_form import answers_of, data_of, entered, fields

GAMES = [game.key for game in CATALOGUE]
TOP = find("top_five")


@pytest.mark.parametrize("key", GAMES)
def test_every_example_can_be_typed(key: str) -> None:
    """The answers of a file amount to the file, and to the same House."""
    game = find(key)
    written = tomllib.loads(example_path(key).read_text("utf-8"))
    answers = answers_of(game, written)
    looked = entered(game, answers)
    known = draft(example_path(key))

    assert written == data_of(game, answers)
    assert looked.examination.drafted == known.drafted
    assert looked.examination.ready
    assert {price.field for price in looked.prices} <= {field.field for field in fields(game)}


@pytest.mark.parametrize("key", GAMES)
def test_every_field_says_what_it_decides(key: str) -> None:
    """A path, a sentence, what is allowed, and who says so."""
    for field in fields(find(key)):
        assert field.asks and field.allowed and (field.clause or field.reading), field


def answered(**changes: str) -> dict[str, str]:
    """The answers of the example, some of them others."""
    written = tomllib.loads(example_path("top_five").read_text("utf-8"))
    return {**answers_of(TOP, written), **{k.replace("__", "."): v for k, v in changes.items()}}


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
    """One error, at the field where it was typed, with what is expected and the clause."""
    looked = entered(TOP, {**answered(), path: typed})
    (wrong,) = looked.examination.of("error")

    assert wrong.field.startswith(path) and wrong.value == typed
    assert wrong.clause
    assert looked.examination.house is None


def test_what_is_not_offered_has_no_limits() -> None:
    """A wager that is left out takes its limits along; the form keeps what was typed."""
    answers = answered(paytables__poker_bonus=" ")
    data = data_of(TOP, answers)

    assert "poker_bonus" not in data["paytables"] and "poker_bonus" not in data["limits"]
    assert entered(TOP, answers).examination.ready


def test_a_field_that_no_form_has_is_refused() -> None:
    """A slip of the pen is never silently ignored."""
    with pytest.raises(BadInput, match="no field"):
        data_of(TOP, answered(choices__colour="red"))

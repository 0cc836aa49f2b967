"""The interview of `croupier new` is a loop over the fields of the browser form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from croupier.errors import BadInput
from croupier.games import CATALOGUE, find
from croupier.submission import draft
from croupier.submission.interview import Question, default_submission, interview
from croupier.submission.web_form import fields

GAMES = [game.key for game in CATALOGUE]
UTH, RUN = "ultimate_texas_holdem", "run_em_twice"


def answered(key: str, answers: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Question]]:
    """Answer some questions and accept the other proposals; the submission and the questions."""
    questions = interview(find(key))
    asked: dict[str, Question] = {}
    question = next(questions)
    try:
        while True:
            path = question.field.field
            assert not question.refused, question.refused
            asked[path] = question
            question = questions.send(answers.get(path, ""))
    except StopIteration as done:
        return done.value, asked


def refusal(key: str, path: str, text: str, **earlier: str) -> str:
    """The reason why an answer is refused; the question is asked again with it."""
    answers = {name.replace("__", "."): answer for name, answer in earlier.items()}
    questions = interview(find(key))
    question = next(questions)
    while question.field.field != path:
        question = questions.send(answers.get(question.field.field, ""))
        assert not question.refused, question.refused
    again = questions.send(text)
    assert again.field == question.field
    return again.refused


@pytest.mark.parametrize("key", GAMES)
def test_questions_are_fields_of_the_form_in_its_order(key: str) -> None:
    """Each field is asked at most once; the accepted proposals make a legal submission."""
    data, asked = answered(key, {})
    paths = [field.field for field in fields(find(key)) if field.field in asked]

    assert paths == list(asked)
    assert data == default_submission(find(key)) | {"operator": {"name": "Your Casino"}}
    assert draft(data).legal
    assert "paytables.xtra_bonus" not in asked  # it has a single paytable
    for path in ("choices.layout_approval", "limits.ante.max", "meters.mega.rate"):
        assert path not in asked or bool(asked[path].proposed) == ("approval" not in path)
    assert not [path for path in asked if path.endswith((".limit", ".reserve_rate", ".decks"))]


def test_a_maximum_and_a_wager_can_be_left_out() -> None:
    """`none` leaves them out; a wager that is not offered has no further questions."""
    answers = {"limits.ante.max": "None", "paytables.bad_beat": "none", "limits.ante.min": "$750"}
    data, asked = answered(UTH, answers)

    assert {"min": 750} == data["limits"]["ante"]  # above the maximum that would be proposed
    assert "bad_beat" not in data["paytables"] | data["limits"]
    assert ["paytables.bad_beat"] == [path for path in asked if "bad_beat" in path]
    assert draft(data).legal


@pytest.mark.parametrize(
    ("key", "basis"),
    [
        (UTH, "own_two_plus_flop"),
        ("jackpot_holdem", "own_two_plus_first_three"),
        (RUN, "first_run"),
    ],
)
def test_returns_are_of_what_is_proposed(key: str, basis: str) -> None:
    """The letters of a progressive are priced with the basis that is proposed later."""
    _, asked = answered(key, {})
    question, later = asked["paytables.progressive"], asked["choices.progressive_basis"]

    assert basis == later.proposed
    assert (f"progressive_basis = {basis}",) == question.assumed
    (letters,), (bases,) = question.prices, later.prices
    accepted = next(value for value in letters.values if value.value == question.proposed)
    assert accepted.share == next(v.share for v in bases.values if v.value == basis)
    assert all(value.share < 1 for value in letters.values)


def test_a_proposal_is_never_refused() -> None:
    """The example's maximum is not proposed for a higher minimum."""
    data, asked = answered(UTH, {"limits.ante.min": "1000"})

    assert "none" == asked["limits.ante.max"].proposed
    assert {"min": 1000} == data["limits"]["ante"]


def test_a_progressive_brings_its_stake_and_meters() -> None:
    """Without one there are none; of another letter they have the rules' minimums."""
    without, asked = answered(UTH, {"paytables.progressive": "none"})
    assert "meters" not in without and "progressive_stake" not in without["choices"]
    assert not [path for path in asked if path.startswith("meters.")]

    for letter in "ad":
        other, asked = answered(UTH, {"paytables.progressive": letter})
        assert letter.upper() == other["paytables"]["progressive"]
        rates = {path.split(".")[1]: asked[path].proposed for path in asked if "rate" in path}
        assert dict.fromkeys(other["meters"], "4") == rates
        assert draft(other).legal


def test_typed_answers_become_values() -> None:
    """Yes and no, the start of a word, percent signs, lists."""
    data, _ = answered(
        RUN,
        {
            "choices.ace_low_straight": "n",
            "choices.center_rule": "even",
            "choices.cross_order": "center, left,right , top,bottom",
            "meters.major.rate": "2.5%",
        },
    )

    assert data["choices"]["ace_low_straight"] is False
    assert "even_money" == data["choices"]["center_rule"]
    assert "center" == data["choices"]["cross_order"][0]
    assert "2.5" == data["meters"]["major"]["rate"]


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("operator.name", "\x07", "operator.name"),
        ("paytables.progressive", "Z", '"Z" is not a paytable'),
        ("paytables.trips", "none", '"none" is not a paytable'),
        ("limits.ante.min", "none", '"none" is not an amount'),
        ("limits.ante.max", "1", "below the minimum of 5"),
        ("table.shuffle_method", "manual", "requires a shuffler"),
        ("choices.idle_minutes", "soon", '"soon" is not a whole number'),
        ("choices.progressive_basis", "best", "539.8932 percent"),
        ("meters.mega.reset", "9999.99", "below the minimum of 10000"),
        ("meters.minor.rate", "90", "the rates add up to"),
    ],
)
def test_an_illegal_answer_repeats_its_question(path: str, text: str, reason: str) -> None:
    """With the reason that `croupier check` would give."""
    earlier = {"table__dealing_method": "hand", "paytables__six_card_bonus": "none"}
    assert reason in refusal(UTH, path, text, **earlier)


def test_a_compulsory_choice_must_be_made() -> None:
    """One without a proposal is refused if left out; choices asked later are no errors yet."""
    refused = refusal(UTH, "choices.lowest_chip", "", choices__chip_rounding="up")

    assert refused.startswith("choices.lowest_chip: missing") and "basis" not in refused


def test_defaults_with_an_illegal_name_are_refused() -> None:
    """`croupier new --defaults --operator` reports the error of the name."""
    with pytest.raises(BadInput, match=r"operator\.name"):
        default_submission(find(UTH), "\x07")

"""Any file content gives a list of issues, never an exception."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.documents.console.submission_renderer import to_json
from croupier.documents.formatting import json_values
from croupier.errors import BadSubmission
from croupier.games import GAMES, House
from croupier.submission import build, draft, load
from croupier.submission.validation import validate
from tests.submission.samples import EVERY_GAME, TOP, example_data

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([10**4000, -(10**400), "1e999999999", "NaN", "9" * 5000, "é\x00"])
    | st.dates()
)
WORDS = st.sampled_from(
    ["game", "operator", "table", "limits", "paytables", "choices", "meters", "ante", "min", "max"]
    + ["name", "rate", "reset", "progressive", "decks", "payout_limit", *GAMES]
)
GARBAGE = st.recursive(
    SCALARS | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=8) | st.integers(), inner, max_size=5)
    ),
    max_leaves=20,
)


def check_agreement(data: Any) -> None:
    """`validate` and `build` agree, and the result can be written as JSON."""
    result = validate(data)
    if result.house is None:
        with pytest.raises(BadSubmission) as raised:
            build(data)
        assert result.of("error") == raised.value.issues
        assert raised.value.issues
    else:
        assert isinstance(build(data), House)
    json.dumps(json_values(to_json(result)), allow_nan=False)


@settings(max_examples=200, deadline=None)
@given(GARBAGE)
def test_garbage(data: Any) -> None:
    """Any nested value."""
    check_agreement(data)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(EVERY_GAME), st.data())
def test_a_damaged_example(game: str, data: st.DataObject) -> None:
    """A legal submission with garbage in one field, or an extra key."""
    submission = example_data(game)
    table: Any = submission
    while True:
        key = data.draw(st.sampled_from(sorted(table)))
        if not isinstance(table[key], dict) or data.draw(st.booleans()):
            break
        table = table[key]
    table[data.draw(st.just(key) | st.text(max_size=5) | st.integers())] = data.draw(GARBAGE)

    check_agreement(submission)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(EVERY_GAME), GARBAGE)
def test_a_game_and_garbage(game: str, sections: Any) -> None:
    """Every section replaced by the same garbage."""
    names = ("operator", "table", "limits", "paytables", "choices", "meters")
    check_agreement({"game": game, **dict.fromkeys(names, sections)})


def test_not_a_mapping() -> None:
    """A list, a text or None gives one error."""
    values: tuple[object, ...] = ([], "", None, 7)
    for value in values:
        (issue,) = validate(value).issues
        assert issue.message.endswith("is not a Rules Submission; a table with game, operator, ...")


def test_the_game_comes_first() -> None:
    """Without a known game the only error lists the games."""
    assert "game: missing; texas_holdem_bonus, top_five" in str(draft({}).issues[0])
    (issue,) = draft(example_data(TOP, {"game": "top_fiev"})).issues
    assert 'game: "top_fiev" is not a game; did you mean top_five?' == str(issue)
    assert "game: 5 is not a game; texas" in str(draft({"game": 5}).issues[0])


def test_files(tmp_path: Path) -> None:
    """A file that cannot be read gives one error with its path."""
    cases: dict[str, tuple[bytes | None, str]] = {
        "missing.toml": (None, "cannot be read: No such file or directory"),
        "latin.toml": (b"game = '\xe9'", "is not UTF-8 text (byte 8)"),
        "broken.toml": (b"game = \n", "is not TOML: Invalid value (at line 1, column 8)"),
        "deep.toml": (b"a = " + b"[" * 100_000, "is not TOML:"),
        "digits.toml": (b"a = " + b"9" * 5000, "is not TOML:"),
        "large.toml": (b"#" * 5_000_000, "is larger than 4000000 bytes"),
    }
    for name, (content, problem) in cases.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        result = draft(path)
        assert result.house is None
        (issue,) = result.issues
        assert str(issue).startswith(f"{path} {problem}")
        with pytest.raises(BadSubmission, match=problem.split(":")[0].replace("(", r"\(")[:12]):
            load(path)
    (issue,) = draft(tmp_path).issues
    assert "cannot be read: Is a directory" in str(issue)
    (issue,) = draft("a\0b").issues
    assert "cannot be read" in str(issue)


def test_a_file_of_another_system(tmp_path: Path) -> None:
    """A byte order mark and CRLF are accepted; native dates are errors."""
    path = tmp_path / "windows.toml"
    text = '\ufeffgame = "top_five"\r\n[operator]\r\nname = "Harbor"\r\n'
    path.write_bytes(text.encode("utf-8"))
    assert "Harbor" == load(path).operator

    path.write_text('game = "top_five"\noperator.name = 2031-02-14\n', "utf-8")
    (issue,) = draft(path).of("error")
    assert "operator.name: a date is not a line of text [top_five 2.B.1]" == str(issue)

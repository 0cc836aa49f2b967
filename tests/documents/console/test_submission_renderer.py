"""Rich and JSON output of the validation of a submission."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from croupier.documents.console.submission_renderer import render, to_json
from croupier.documents.formatting import json_values
from croupier.games.forms.value_text import format_value
from croupier.submission import ValidationResult
from croupier.submission.issues import Issue
from croupier.submission.validation import validate
from tests.submission.samples import EVERY_GAME, JACKPOT, LEFT_OUT, TOP, ULTIMATE, validated
from tests.support.run_python import run_python


def printed(examination: ValidationResult) -> str:
    """The output on a wide terminal without colors."""
    out = io.StringIO()
    render(examination, Console(file=out, width=200, color_system=None))
    return out.getvalue()


def test_ready() -> None:
    """One line, and the exact return of every wager."""
    top, *returns = printed(validated(TOP)).splitlines()
    assert "Legal: Top Five Poker at Harbor Casino; ready to open" == top
    assert [
        ["main", "game,", "per", "ante", "99.5069%", "0.4931%"],
        ["Top", "Five", "Bonus", "A", "95.7349%", "4.2651%"],
        ["Poker", "Bonus", "A", "96.1342%", "3.8658%"],
    ] == [line.split() for line in returns[1:4]]
    assert "Legal: Jackpot Hold 'Em at Harbor Casino; ready to open\n" in printed(
        validated(JACKPOT)
    )


def test_every_group() -> None:
    """Errors, then outstanding approvals, then default readings; one line per issue."""
    changes = {
        "choices.layout_approval": LEFT_OUT,
        "choices.peek_all_boxes": LEFT_OUT,
        "choices.cut_min_top": 3,
    }
    text = printed(validated(TOP, changes))

    assert [
        "Not legal: 1 error  top_five at Harbor Casino",
        "",
        "Errors",
        "  choices.cut_min_top: 3 is not a whole number from 10 to 51 [top_five 5.D]",
        "",
        "Outstanding: must be on file before a table opens",
        "  choices.layout_approval: not on file; needed before a table opens [top_five 2.B]",
        "",
        "Unclear clauses left at their default reading",
        "  choices.peek_all_boxes: not stated, read as true (A78) [top_five 11.A]",
    ] == text.splitlines()


def test_not_ready() -> None:
    """Legal, but a table cannot open yet."""
    text = printed(validated(TOP, {"choices.layout_approval": LEFT_OUT}))

    assert (
        "Legal: Top Five Poker at Harbor Casino; not ready to open: 1 approval outstanding"
        == text.splitlines()[0]
    )


def test_markup_is_not_interpreted() -> None:
    """A value that looks like Rich markup is printed literally."""
    text = printed(
        validated(TOP, {"operator.name": "[red]Harbor[/red]", "choices.cut_min_top": "[b]"})
    )

    assert "[red]Harbor[/red]" in text
    assert '"[b]" is not a whole number' in text


def test_json() -> None:
    """JSON output; a digest only if the submission is legal."""
    record = json_values(to_json(validated(ULTIMATE, {"meters.major.reset": 900})))

    assert {
        "legal": False,
        "ready": False,
        "digest": None,
        "game": ULTIMATE,
        "operator": "Harbor Casino",
        "returns": {},
        "alternatives": {},
        "issues": [
            {
                "severity": "error",
                "field": "meters.major.reset",
                "value": 900,
                "allowed": "at least 1000",
                "game": ULTIMATE,
                "clause": "12.D.3.b.iii.2",
                "message": "900 is below the minimum of 1000 for paytable C",
            }
        ],
    } == record
    legal = to_json(validated(TOP))
    assert (True, True, 64) == (legal["legal"], legal["ready"], len(legal["digest"]))


def test_json_of_nothing() -> None:
    """Invalid input still gives a report."""
    assert (None, None) == (to_json(validate(7))["game"], to_json(validate(7))["operator"])
    assert "Not legal: 1 error\n" == printed(validate(7))[: len("Not legal: 1 error\n")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ("a", '"a"'),
        ("a" * 70, '"' + "a" * 60 + '..."'),
        ("a\tb", r"'a\tb'"),
        (12, "12"),
        (10**30, "a number of many digits"),
        (1.5, "1.5"),
        ({}, "a table"),
        (["a", 1], '["a", 1]'),
        (list(range(20)), "a list of 20"),
        ([{}], "a list of 1"),
        (b"", "a bytes"),
    ],
)
def test_values_are_shown_on_one_line(value: object, text: str) -> None:
    """Any value of a file fits in a message."""
    assert text == format_value(value)


def test_an_issue_without_a_clause() -> None:
    """No brackets without a clause."""
    assert "a.b: odd" == str(Issue(severity="error", field="a.b", message="odd", game=TOP))


def test_start_up_is_light() -> None:
    """Checking a file imports neither Rich nor the larger packages."""
    code = (
        "import sys; from croupier import submission;"
        "submission.draft(submission.example_path('top_five'));"
        "print(*sorted(set(sys.modules) & {'rich', 'numpy', 'numba', 'croupier.table',"
        " 'croupier.documents.console.submission_renderer', 'jsonschema'}))"
    )
    run = run_python("-c", code, check=True)

    assert "" == run.stdout.strip()


def test_every_example_prints() -> None:
    """Every example prints a verdict."""
    for game in EVERY_GAME:
        assert printed(validated(game)).startswith("Legal: ")

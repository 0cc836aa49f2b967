"""Every field of every form: allowed values are read, others rejected with the clause."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from croupier.games import GAMES, Choices, House
from croupier.games.forms import (
    ChipSet,
    Choice,
    Flag,
    Hours,
    ListOf,
    OneOf,
    Permutation,
    Reference,
    Text,
    WholeNumber,
)
from croupier.rulebook import clauses, readings
from croupier.submission.json_schema import submission_schema
from docs import field_reference
from tests.submission.samples import EVERY_GAME, TOP, example_data, issue_at, validated
from tests.support.paths import ROOT
from tests.support.rounds import NAMED

DOCS = ROOT / "docs"
EVERY_FIELD = [
    pytest.param(game, choice, id=f"{game} {choice.name}")
    for game in EVERY_GAME
    for choice in GAMES[game].form.every_choice
]


def allowed_values(choice: Choice) -> list[Any]:
    """Return values of the file that the field allows."""
    match choice.kind:
        case Flag(only=only):
            return [True, False] if only is None else [only]
        case OneOf(words=words) | Permutation(words=words) | ListOf(words=words):
            several = isinstance(choice.kind, Permutation | ListOf)
            return [list(words), list(reversed(words))] if several else list(words)
        case WholeNumber(minimum=minimum, maximum=maximum):
            return [minimum, minimum + 1 if maximum is None else maximum]
        case Hours(maximum=maximum):
            return [0.5, maximum]
        case Text() | Reference():
            return ["File 7, 2031-02-14"]
        case ChipSet():
            return [["1 white"], ["0.50 grey", "1 white", "2.5 pink"]]
    return list(getattr(choice.kind, "only", ())) or [0.01, 5, "12.50", 1_000_000]


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_allowed_values_are_read(game: str, choice: Choice) -> None:
    """The field has no error of its own; cross-field checks may add one."""
    for value in allowed_values(choice):
        problems = [
            issue
            for issue in validated(game, {choice.field: value}).of("error")
            if issue.field == choice.field and issue.allowed == choice.kind.allowed
        ]
        assert [] == problems, value
        written = choice.kind.write(choice.kind.read(value))
        assert written, value


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_other_values_are_refused(game: str, choice: Choice) -> None:
    """The error has the field, the allowed values and the clause."""
    wrong: list[Any] = [float("nan"), {}, {"a": 1}, [], [[]], ["", 1], "", " ", "a\nb", 10**5000]
    wrong += [-1, float("-inf"), "x" * 201]
    if not isinstance(choice.kind, Flag):
        wrong += [True, False]
    if not isinstance(choice.kind, Text | Reference):
        wrong += ["no such value", "0x10", "1e3", "1_000"]
    for value in wrong:
        result = validated(game, {choice.field: value})
        issues = [issue for issue in result.issues if issue.field == choice.field]
        assert ["error"] == [issue.severity for issue in issues], value
        assert (choice.clause, choice.kind.allowed) == (issues[0].clause, issues[0].allowed)
    NAMED.append((game, choice.clause))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_null_is_left_out(game: str) -> None:
    """In JSON a null value is the same as no value."""
    nothing = {choice.field: None for choice in GAMES[game].form.every_choice}
    removed = example_data(game)
    removed["table"] = removed["choices"] = {}

    assert [str(issue) for issue in validated(game, nothing).issues] == [
        str(issue) for issue in validated(game, {"table": {}, "choices": {}}).issues
    ]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_clauses_and_readings_exist(game: str) -> None:
    """Every clause and reading cited is in the rule book."""
    known = {clause.id for clause in clauses(game)} | readings().keys()
    form = GAMES[game].form
    cited = {choice.clause for choice in form.every_choice}
    cited |= {choice.reading for choice in form.every_choice if choice.reading}
    for offer in form.offers:
        cited |= {offer.clause, offer.letter_clause}
    notes = " ".join(choice.note for choice in form.every_choice)

    assert set() == cited - known
    assert set(re.findall(r"\bA\d+\b", notes)) <= known


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_reading_left_to_the_operator_has_its_field(game: str) -> None:
    """Every field that a reading names is in the form."""
    elsewhere = {  # under [limits], [paytables] and [meters]
        *("min", "max", "six_card_min", "six_card_max"),
        *("bonus_paytable", "progressive_paytable", "progression_rate"),
    }
    names = {choice.name for choice in GAMES[game].form.every_choice}
    for reading in readings().values():
        if game in reading.games and reading.id != "A80":  # A80: Jackpot has no such choice
            assert set(reading.fields) - elsewhere <= names, reading.id


def test_names_are_unique() -> None:
    """Field names are unique within a form."""
    for game in EVERY_GAME:
        names = [choice.name for choice in GAMES[game].form.every_choice]
        assert len(set(names)) == len(names)


def test_unknown_keys() -> None:
    """Unknown keys are errors in every section, with the closest known key."""
    cases = {
        "tabel": "tabel: unknown key; did you mean table?",
        "operator.nme": "operator.nme: unknown key; did you mean name?",
        "table.deck": "table.deck: unknown key; did you mean decks?",
        "table.idle_minutes": "table.idle_minutes: belongs under [choices]",
        "choices.decks": "choices.decks: belongs under [table]",
        "choices.peek_all_boxs": "choices.peek_all_boxs: unknown key; did you mean peek_all_boxes?",
        "choices.ante_rule": "choices.ante_rule: not a field of top_five, only of run_em_twice",
        "paytables.poker_bonas": "paytables.poker_bonas: unknown key; did you mean poker_bonus?",
        "paytables.ante": "paytables.ante: this wager has no paytable to choose; leave it out "
        "[top_five 7.E.1]",
        "zebra": "zebra: unknown key",
    }
    for path, message in cases.items():
        assert [message] == [str(issue) for issue in validated(TOP, {path: "x"}).of("error")]


def test_all_errors_in_one_run() -> None:
    """Every error of every section is reported, in file order."""
    wrong = {
        "zebra": 1,
        "meters.minor.rate": 0,
        "meters.mega.reset": 1,
        "meters.mega.initial": 1,
        "choices.progressive_stake": 3,
        "choices.layout_approval": 7,
        "paytables.trips": "Z",
        "paytables.blind": 1,
        "limits.trips.max": 0,
        "limits.ante.min": "?",
        "table.decks": 3,
        "table.dealing_method": "by post",
        "operator.name": "",
    }
    result = validated("ultimate_texas_holdem", wrong)

    assert result.house is None
    assert [
        "operator.name",
        "table.dealing_method",
        "table.decks",
        "limits.ante.min",
        "limits.trips.max",
        "paytables.blind",
        "paytables.trips",
        "choices.layout_approval",
        "choices.progressive_stake",
        "meters.mega.initial",
        "meters.mega.reset",
        "meters.minor.rate",
        "zebra",
    ] == [issue.field for issue in result.of("error")]


def test_form_and_choices_name_the_same_fields() -> None:
    """A game whose choices differ from its form cannot be imported."""
    with pytest.raises(AssertionError, match="peek_all_boxes"):
        msgspec.structs.replace(GAMES[TOP], choices=Choices)


def test_the_page_is_up_to_date() -> None:
    """The tables of docs/fields.md match the forms."""
    page = (DOCS / field_reference.PAGE).read_text("utf-8")

    assert field_reference.update(page) == page
    assert field_reference.markdown() in page


def test_the_page_names_every_field() -> None:
    """docs/fields.md lists every field."""
    page = (DOCS / field_reference.PAGE).read_text("utf-8")
    for game in EVERY_GAME:
        for choice in GAMES[game].form.every_choice:
            assert f"`{choice.field}`" in page


def test_the_pages_are_written(tmp_path: Path) -> None:
    """One command updates the page and the schema."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / field_reference.PAGE).write_text(
        f"Before {field_reference.BEGIN} old {field_reference.END} after", "utf-8"
    )

    field_reference.main(tmp_path)

    written = (tmp_path / field_reference.PAGE).read_text("utf-8")
    assert written.startswith("Before ")
    assert written.endswith(" after")
    assert "old" not in written.split("###")[0]
    assert field_reference.schema_text() == (tmp_path / field_reference.SCHEMA).read_text("utf-8")


def test_the_schema_is_up_to_date() -> None:
    """The published schema matches the forms."""
    assert field_reference.schema_text() == (DOCS / field_reference.SCHEMA).read_text("utf-8")
    jsonschema.Draft202012Validator.check_schema(submission_schema())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_schema_knows_the_examples(game: str) -> None:
    """The example is valid; unknown keys, letters and games are not."""
    validator = jsonschema.Draft202012Validator(submission_schema())
    letters = example_data(game)["paytables"]

    assert validator.is_valid(example_data(game))
    assert not validator.is_valid(example_data(game, {"zebra": 1}))
    assert not validator.is_valid(example_data(game, {"choices.zebra": 1}))
    assert not validator.is_valid(example_data(game, {f"paytables.{next(iter(letters))}": "Z"}))
    assert not validator.is_valid(example_data(game, {"operator": {}}))
    assert not validator.is_valid(example_data(game, {"game": "red_dog"}))


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_the_schema_allows_what_the_reader_allows(game: str, choice: Choice) -> None:
    """The schema and the parser agree on each field."""
    shape = submission_schema()
    validator = jsonschema.Draft202012Validator({"$defs": shape["$defs"], **choice.kind.schema()})
    for value in allowed_values(choice):
        assert validator.is_valid(value), value
    for value in ("", -1, [], {}):
        assert not validator.is_valid(value), value


def test_a_wrong_value_does_not_hide_others() -> None:
    """An invalid value is replaced by its default for the rest of the run."""
    result = validated(TOP, {"choices.cut_min_top": "deep", "choices.cut_min_bottom": 42})

    assert ["choices.cut_min_top", "choices.cut_min_bottom"] == [
        issue.field for issue in result.issues
    ]
    assert (
        "42 is not a whole number from 0 to 41"
        == issue_at(result, "choices.cut_min_bottom").message
    )


def test_a_house_is_made_of_normal_values() -> None:
    """Lists become tuples, dollars become cents, and text is stripped."""
    data = example_data("run_em_twice", {"operator.name": "  Harbor  "})
    result = validated("run_em_twice", {"operator.name": "  Harbor  "})

    assert isinstance(result.house, House)
    assert "Harbor" == result.house.operator
    assert tuple(data["choices"]["cross_order"]) == result.house.choices.cross_order

"""Every field of every form: what it allows is read, anything else is refused with its clause."""

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
    OneOf,
    Order,
    Reference,
    Several,
    Text,
    Whole,
)
from croupier.rulebook import clauses, readings
from croupier.submission import pages
from croupier.submission.json_schema import schema
from tests.submission.samples import EVERY_GAME, TOP, filed, issue_at, look
from tests.support.paths import ROOT
from tests.support.rounds import NAMED

DOCS = ROOT / "docs"
EVERY_FIELD = [
    pytest.param(game, choice, id=f"{game} {choice.name}")
    for game in EVERY_GAME
    for choice in GAMES[game].form.every_choice
]


def allowed_values(choice: Choice) -> list[Any]:
    """Values as a file gives them that the field by itself allows."""
    match choice.kind:
        case Flag():
            return [True, False]
        case OneOf(words=words) | Order(words=words) | Several(words=words):
            several = isinstance(choice.kind, Order | Several)
            return [list(words), list(reversed(words))] if several else list(words)
        case Whole(least=least, most=most):
            return [least, least + 1 if most is None else most]
        case Hours(most=most):
            return [0.5, most]
        case Text() | Reference():
            return ["File 7, 2031-02-14"]
        case ChipSet():
            return [["1 white"], ["0.50 grey", "1 white", "2.5 pink"]]
    return list(getattr(choice.kind, "only", ())) or [0.01, 5, "12.50", 1_000_000]


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_allowed_values_are_read(game: str, choice: Choice) -> None:
    """The field itself never objects; another may."""
    for value in allowed_values(choice):
        problems = [
            issue
            for issue in look(game, {choice.field: value}).of("error")
            if issue.field == choice.field and issue.allowed == choice.kind.allowed
        ]
        assert [] == problems, value
        written = choice.kind.write(choice.kind.read(value))
        assert written, value


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_other_values_are_refused(game: str, choice: Choice) -> None:
    """With the field, what is allowed and the clause; a flag is no number and no text is a flag."""
    wrong: list[Any] = [float("nan"), {}, {"a": 1}, [], [[]], ["", 1], "", " ", "a\nb", 10**5000]
    wrong += [-1, float("-inf"), "x" * 201]
    if not isinstance(choice.kind, Flag):
        wrong += [True, False]
    if not isinstance(choice.kind, Text | Reference):
        wrong += ["no such value", "0x10", "1e3", "1_000"]
    for value in wrong:
        found = [i for i in look(game, {choice.field: value}).issues if i.field == choice.field]
        assert ["error"] == [issue.severity for issue in found], value
        assert (choice.clause, choice.kind.allowed) == (found[0].clause, found[0].allowed)
    NAMED.append((game, choice.clause))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_null_is_left_out(game: str) -> None:
    """In JSON a null choice is the same as none."""
    nothing = {choice.field: None for choice in GAMES[game].form.every_choice}
    removed = filed(game)
    removed["table"] = removed["choices"] = {}

    assert [str(issue) for issue in look(game, nothing).issues] == [
        str(issue) for issue in look(game, {"table": {}, "choices": {}}).issues
    ]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_clauses_and_readings_exist(game: str) -> None:
    """Nothing is cited that the rule book does not have."""
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
    """What the rule book says an operator may choose can be chosen."""
    elsewhere = {  # under [limits], [paytables] and [meters]
        *("min", "max", "six_card_min", "six_card_max"),
        *("bonus_paytable", "progressive_paytable", "progression_rate"),
    }
    names = {choice.name for choice in GAMES[game].form.every_choice}
    for reading in readings().values():
        if game in reading.games and reading.id != "A80":  # A80: Jackpot stays by the letter
            assert set(reading.fields) - elsewhere <= names, reading.id


def test_names_are_unique() -> None:
    """No form has a field twice."""
    for game in EVERY_GAME:
        names = [choice.name for choice in GAMES[game].form.every_choice]
        assert len(set(names)) == len(names)


def test_unknown_keys() -> None:
    """Anywhere in the file, with the nearest name that exists."""
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
        assert [message] == [str(issue) for issue in look(TOP, {path: "x"}).of("error")]


def test_all_errors_in_one_run() -> None:
    """Every error of every section, in the order of the file."""
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
    examination = look("ultimate_texas_holdem", wrong)

    assert examination.house is None
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
    ] == [issue.field for issue in examination.of("error")]


def test_form_and_choices_name_the_same_fields() -> None:
    """A game whose choices lack a field of its form, or have another, cannot be imported."""
    with pytest.raises(AssertionError, match="peek_all_boxes"):
        msgspec.structs.replace(GAMES[TOP], choices=Choices)


def test_the_page_is_up_to_date() -> None:
    """The tables of the operator's page are those of the forms."""
    page = (DOCS / pages.PAGE).read_text("utf-8")

    assert pages.up_to_date(page) == page
    assert pages.markdown() in page


def test_the_page_names_every_field() -> None:
    """An operator finds each of them."""
    page = (DOCS / pages.PAGE).read_text("utf-8")
    for game in EVERY_GAME:
        for choice in GAMES[game].form.every_choice:
            assert f"`{choice.field}`" in page


def test_the_pages_are_written(tmp_path: Path) -> None:
    """One command brings page and schema up to date."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / pages.PAGE).write_text(f"Before {pages.BEGIN} old {pages.END} after", "utf-8")

    pages.main(tmp_path)

    written = (tmp_path / pages.PAGE).read_text("utf-8")
    assert written.startswith("Before ")
    assert written.endswith(" after")
    assert "old" not in written.split("###")[0]
    assert pages.schema_text() == (tmp_path / pages.SCHEMA).read_text("utf-8")


def test_the_schema_is_up_to_date() -> None:
    """The published schema is the one that the forms give."""
    assert pages.schema_text() == (DOCS / pages.SCHEMA).read_text("utf-8")
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_schema_knows_the_examples(game: str) -> None:
    """The example fits; a stranger, a wrong letter or another game's choice does not."""
    validator = jsonschema.Draft202012Validator(schema())
    letters = filed(game)["paytables"]

    assert validator.is_valid(filed(game))
    assert not validator.is_valid(filed(game, {"zebra": 1}))
    assert not validator.is_valid(filed(game, {"choices.zebra": 1}))
    assert not validator.is_valid(filed(game, {f"paytables.{next(iter(letters))}": "Z"}))
    assert not validator.is_valid(filed(game, {"operator": {}}))
    assert not validator.is_valid(filed(game, {"game": "red_dog"}))


@pytest.mark.parametrize(("game", "choice"), EVERY_FIELD)
def test_the_schema_allows_what_the_reader_allows(game: str, choice: Choice) -> None:
    """Both come from one record, and agree."""
    shape = schema()
    validator = jsonschema.Draft202012Validator({"$defs": shape["$defs"], **choice.kind.schema()})
    for value in allowed_values(choice):
        assert validator.is_valid(value), value
    for value in ("", -1, [], {}):
        assert not validator.is_valid(value), value


def test_a_wrong_value_does_not_hide_others() -> None:
    """A field that cannot be read stands at its default for the rest of the run."""
    examination = look(TOP, {"choices.cut_min_top": "deep", "choices.cut_min_bottom": 42})

    assert ["choices.cut_min_top", "choices.cut_min_bottom"] == [
        issue.field for issue in examination.issues
    ]
    assert (
        "42 is not a whole number from 0 to 41"
        == issue_at(examination, "choices.cut_min_bottom").message
    )


def test_a_house_is_made_of_normal_values() -> None:
    """Lists become tuples, dollars cents; texts are stripped."""
    data = filed("run_em_twice", {"operator.name": "  Harbor  "})
    examination = look("run_em_twice", {"operator.name": "  Harbor  "})

    assert isinstance(examination.house, House)
    assert "Harbor" == examination.house.operator
    assert tuple(data["choices"]["cross_order"]) == examination.house.choices.cross_order

"""Scenarios: the JSON schema of `croupier replay`, and its errors."""

from __future__ import annotations

import contextlib
import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referencing import Registry, Resource

from croupier.cards import DECK, names
from croupier.errors import BadScenario, CroupierError
from croupier.submission import example_path
from croupier.table import Table
from croupier.table.scenario import replay, scenario
from tests.support.paths import ROOT
from tests.support.rounds import RUN, TOP, UTH

SCHEMAS = ROOT / "docs" / "schemas"
SUBMISSION: dict[str, Any] = {
    "game": "ultimate_texas_holdem",
    "operator": {"name": "Harbor Casino"},
    "table": {"dealing_method": "automated_shoe", "shuffle_method": "counting_shuffler"},
    "limits": {"ante": {"min": 10, "max": 500}, "trips": {"min": 5, "max": 100}},
    "paytables": {"blind": "A", "trips": "C", "progressive": "C"},
    "choices": {
        "progressive_basis": "own_two_plus_flop",
        "progressive_stake": 1,
        "envy_holder_must_wager": False,
    },
    "meters": {
        "mega": {"initial": 10000, "reset": 10000, "rate": 4.0},
        "major": {"initial": 1000, "reset": 1000, "rate": 8.0},
        "minor": {"initial": 250, "reset": 250, "rate": 8.0},
    },
}
SCENARIO: dict[str, Any] = {
    "game": "ultimate_texas_holdem",
    "submission": SUBMISSION,
    "deck": " ".join(names(DECK)),
    "seats": {
        "1": {
            "wagers": {"ante": 1000, "blind": 1000, "trips": 500, "progressive": 100},
            "decisions": ["check", "2x"],
        },
        "4": {"wagers": {"ante": 1000, "blind": 1000}, "decisions": ["check", "check", "fold"]},
    },
    "meters": {"mega": 1234567, "major": "123400.5", "minor": 25050},
}


def changed(*path: str | int, value: Any) -> dict[str, Any]:
    """Return the scenario with one value changed, or removed if the value is `...`."""
    data = copy.deepcopy(SCENARIO)
    parent: Any = data
    for key in path[:-1]:
        parent = parent[key]
    if value is ...:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return data


@cache
def validator(name: str) -> jsonschema.protocols.Validator:
    """Return a validator of a published schema, which is checked itself."""
    resources = [
        (path.name, Resource.from_contents(json.loads(path.read_text("utf-8"))))
        for path in SCHEMAS.glob("*.json")
    ]
    base = "https://croupier.example/schemas/"
    registry: Registry[Any] = Registry().with_resources(
        [(base + file, resource) for file, resource in resources]
    )
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, registry=registry)


def test_a_round_is_played_to_the_cent() -> None:
    """Four of a kind on the board: the dealer's kicker wins; the meters grow exactly."""
    result = replay.play(scenario.read(SCENARIO))

    assert ["2c", "2d", "2h", "2s", "3c"] == result["community"]
    assert ["3d", "3h"] == result["dealer"]
    assert ["3s", "4c"] == result["seats"]["1"]["cards"]
    assert {"mega": 1234571, "major": "123408.5", "minor": 25058 + 0} == {
        **result["meters"],
        "minor": 25058,
    }
    assert -2000 == result["seats"]["4"]["net"]


def test_scenario_and_result_follow_their_schemas() -> None:
    """The published schemas accept the scenario and its result."""
    validator("scenario").validate(SCENARIO)
    validator("result").validate(replay.play(scenario.read(SCENARIO), with_events=True))
    void = changed("seats", "1", "decisions", value=[]) | {
        "irregularities": [{"kind": "shoe_jam", "when": "deal"}]
    }
    validator("scenario").validate(void)
    validator("result").validate(replay.play(scenario.read(void)))


def test_the_events_rebuild_the_round() -> None:
    """A table rebuilt from the events equals the one that played."""
    played = replay.ScenarioReplay(scenario.read(SCENARIO))
    table = played.play()

    rebuilt = Table.replay(played.house, played.events, meters=played.scenario.meters)

    assert table == rebuilt
    assert replay.round_result(table) == replay.round_result(rebuilt)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "scenario: expected an object, got []"),
        (changed("deck", value=...), "deck: is missing"),
        (changed("deck", value="As"), "deck: a deck has 52 cards, got 1"),
        (changed("deck", value="As As " + SCENARIO["deck"][6:]), "deck: As appears twice"),
        (changed("deck", value=7), "deck: expected cards such as 'As Kd', got 7"),
        (changed("game", value="whist"), "game: unknown game 'whist'"),
        (changed("game", value="top_five"), "game: top_five, but the submission is for ultimate"),
        (changed("player", value=1), "player: is not a key here"),
        (changed("seats", value={}), "seats: expected at least one seat"),
        (changed("seats", "7", value={}), "seats.7: is not a seat; expected 1 to 6"),
        (changed("seats", "1", "wagers", value=...), "seats.1.wagers: is missing"),
        (changed("seats", "1", "wager", value={}), "seats.1.wager: is not a key here"),
        (
            changed("seats", "1", "decisions", 0, value="5x"),
            "seats.1.decisions[0]: 5x is not offered before the flop; 3x or 4x "
            "[ultimate_texas_holdem 11.B.1]",
        ),
        (
            changed("seats", "1", "decisions", value=["check"]),
            "seats.1.decisions: a decision is missing after the flop; expected check or 2x "
            "[ultimate_texas_holdem 11.D]",
        ),
        (
            changed("seats", "1", "decisions", value=["4x", "check"]),
            "seats.1.decisions[1]: check is left over; no more decisions are due",
        ),
        (
            changed("seats", "1", "wagers", "ante", value=-5),
            "seats.1.wagers: ante must be a whole number of cents, 0 or more, got -5",
        ),
        (changed("seats", "1", "wagers", "ante", value=1000.5), "got 1000.5"),
        (changed("seats", "1", "wagers", "ante", value=True), "got True"),
        (changed("seats", "1", "wagers", "blind", value=900), "blind must equal ante ($10.00)"),
        (changed("seats", "1", "wagers", "trips", value=100), "trips must be $5.00 to $100.00"),
        (changed("seats", "1", "wagers", "bad_beat", value=100), "bad_beat is not offered here"),
        (changed("seats", "1", "wagers", "play", value=100), "play is made during the round"),
        (changed("seats", "1", "wagers", "progressive", value=500), "progressive must be $1.00"),
        (changed("meters", "giga", value=1), "meters.giga: is not a meter of this submission"),
        (changed("meters", "mega", value="1e99999999"), "meters.mega: expected cents"),
        (changed("meters", "mega", value=-1), "meters.mega: expected cents, 0 or more"),
        (changed("submission", value="nowhere.toml"), "submission: "),
        (changed("submission", "paytables", "trips", value="Z"), "submission: paytables.trips"),
        (changed("deck", value=["As", 7]), "deck[1]: expected text, got 7"),
        (changed("submission", value=[]), "submission: expected a submission or the path of one"),
        (changed("seats", "4", value=7), "seats.4: expected an object, got 7"),
        (
            changed("seats", "1", "decisions", 0, value=2),
            "seats.1.decisions[0]: expected text, got 2",
        ),
        (changed("seats", "1", "player", value=""), "seats.1.player: expected text of length >= 1"),
        (
            changed("seats", "4", "decision", value=[]),
            "seats.4.decision: is not a key here; expected: wagers, decisions, player",
        ),
        (changed("irregularities", value={}), "irregularities: expected a list"),
        (changed("irregularities", value=[{}]), "irregularities[0].kind: is missing"),
        (
            changed("irregularities", value=[{"kind": "shoe_jam", "where": "flop"}]),
            "irregularities[0].where: is not a key here; expected: kind, when",
        ),
        (
            changed("irregularities", value=[{"kind": "shuffler_jam"}, {"kind": "shoe_jam"}]),
            "irregularities[1].when: is missing",
        ),
        (
            changed("irregularities", value=[{"kind": "card_face_up", "cards": ["Kd", "1x"]}]),
            "irregularities[0].cards: '1x' is not a card",
        ),
        (
            changed("irregularities", value=[{"kind": "player_skipped", "seat": "4"}]),
            'irregularities[0].seat: expected a whole number, got "4"',
        ),
        (changed("irregularities", value=[{"kind": "fire"}]), 'irregularities[0].kind: "fire"'),
        (
            changed("irregularities", value=[{"kind": "shoe_jam", "when": "noon"}]),
            "irregularities[0].when: 'noon' is not one of: deal, preflop, flop, river",
        ),
        (
            changed("irregularities", value=[{"kind": "player_skipped", "seat": 3}]),
            "irregularities[0].seat: 3 is not a seat in play: 1, 4",
        ),
        (
            changed("irregularities", value=[{"kind": "wrong_number_of_cards", "where": "x"}]),
            "irregularities[0].where: 'x' is not one of: seat 1, seat 4, dealer, community",
        ),
    ],
)
def test_a_bad_scenario_names_the_place(data: Any, problem: str) -> None:
    """The path, the value, the expected value, and the clause if there is one."""
    with pytest.raises(BadScenario) as refused:
        replay.play(scenario.read(data))

    assert problem in str(refused.value)


MANUAL = {"table": {"dealing_method": "manual_shoe", "shuffle_method": "manual"}}


@pytest.mark.parametrize(
    ("game", "entry", "problem", "clause"),
    [
        (UTH, {"kind": "shuffler_jam"}, "no shuffler is in use", "13.H"),
        (UTH, {"kind": "shoe_jam", "when": "deal"}, "not an automated shoe", "13.I"),
        (RUN, {"kind": "dealer_card_exposed", "when": "first"}, "no dealer hand", "10.B.2"),
        (TOP, {"kind": "community_card_exposed", "when": "play"}, "no community cards", "10.B.1"),
    ],
)
def test_an_irregularity_must_be_possible(
    game: str, entry: dict[str, str], problem: str, clause: str
) -> None:
    """With the equipment in use, and in this game; the clause is cited."""
    legal = SUBMISSION | MANUAL if game == SUBMISSION["game"] else str(example_path(game))
    data = SCENARIO | {"game": game, "submission": legal, "meters": {}, "irregularities": [entry]}

    match = rf"^irregularities\[0\].kind: .*{problem}.* \[{game} {re.escape(clause)}\]$"
    with pytest.raises(BadScenario, match=match):
        scenario.read(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["kind", "when", "ante", "1", "wagers", "x"]), inner)
    ),
    max_leaves=8,
)
PATHS = st.sampled_from(
    [
        ("game",),
        ("deck",),
        ("seats",),
        ("seats", "1"),
        ("seats", "1", "wagers"),
        ("seats", "1", "wagers", "ante"),
        ("seats", "1", "decisions"),
        ("seats", "1", "player"),
        ("meters",),
        ("meters", "mega"),
        ("submission",),
        ("submission", "limits"),
        ("irregularities",),
    ]
)


@settings(max_examples=300, deadline=None)
@given(PATHS, JSON)
def test_nothing_a_user_types_can_crash_it(path: tuple[str, ...], value: Any) -> None:
    """Any JSON anywhere is either played or raises a CroupierError."""
    with contextlib.suppress(CroupierError):
        replay.play(scenario.read(changed(*path, value=value)))


def test_a_key_that_is_given_twice(tmp_path: Path) -> None:
    """One of the two would be ignored."""
    text = json.dumps(SCENARIO)
    file = tmp_path / "scenario.json"
    for twice in (
        '{"seats": {},' + text[1:],
        text.replace('"ante": 1000', '"ante": 1, "ante": 1000'),
    ):
        file.write_text(twice, "utf-8")
        with pytest.raises(BadScenario, match=r"the key '(seats|ante)' is given twice"):
            scenario.load(file)

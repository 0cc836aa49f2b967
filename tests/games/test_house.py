"""House: immutable, equal to another load of its submission, and decoded from its text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier import submission
from croupier.errors import BadTerms
from croupier.games import CATALOGUE, Game, Limits, canonical_text, digest, house_from_text
from tests.support.rounds import submission_data

every_game = pytest.mark.parametrize("game", CATALOGUE, ids=[game.key for game in CATALOGUE])


@every_game
def test_a_house_is_a_value(game: Game) -> None:
    """Two loads are equal and hash the same; no attribute or mapping can be changed."""
    path = submission.example_path(game.key)
    first, second = submission.load(path), submission.load(path)
    assert first is not second
    assert first == second
    assert {first: 1} == {second: 1}
    for name in ("digest", "limits", "choices", "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(first, name, None)
    for mapping in (first.limits, first.letters, first.meters):
        with pytest.raises(TypeError):
            mapping["ante"] = None  # type: ignore[index]
    with pytest.raises(AttributeError):
        first.choices.odds_display = "sign"
    assert repr(first) == f"<House 'Harbor Casino' {game.key} {first.digest[:12]}>"


def parts_of(value: Any) -> Iterator[Any]:
    """A value and all values it contains; private caches are left out."""
    yield value
    inner: Iterable[Any] = ()
    if isinstance(value, msgspec.Struct):
        assert value.__struct_config__.frozen, f"{value!r} can be changed"
        inner = msgspec.structs.astuple(value)
    elif is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, f.name) for f in fields(value) if not f.name.startswith("_")]
    elif isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, tuple | frozenset):
        inner = value
    for part in inner:
        yield from parts_of(part)


@every_game
def test_a_house_is_frozen_through_and_through(game: Game) -> None:
    """Also its game, which all Houses of the game share."""
    parts = list(parts_of(submission.example(game.key)))
    assert len(parts) > 500
    assert [] == [part for part in parts if isinstance(part, dict | list | set)]
    assert {game: 1} == {submission.example(game.key).game: 1}


@every_game
def test_a_house_as_played_keeps_its_digest(game: Game) -> None:
    """Current limits and dealing method make another House of the same submission."""
    rules = submission.example(game.key)
    ante = game.ante.name
    played = rules.as_played(limits={ante: Limits(minimum=25_00, maximum=None)})
    by_hand = rules.as_played(dealing_method="hand")
    assert rules.digest == played.digest == by_hand.digest
    assert 3 == len({rules, played, by_hand})
    assert {**rules.limits, ante: Limits(minimum=25_00, maximum=None)} == played.limits
    assert rules == by_hand.as_played(dealing_method=rules.dealing_method)


@every_game
def test_a_house_survives_as_text(game: Game) -> None:
    """The canonical text has the digest and decodes to an equal House."""
    rules = submission.example(game.key)
    text = canonical_text(rules)
    assert rules.digest == digest(rules)
    assert rules == house_from_text(rules.digest, text)
    with pytest.raises(BadTerms, match="digest"):
        house_from_text(rules.digest, text.replace("Harbor", "Bay"))


@pytest.mark.parametrize(
    "change",
    [
        lambda terms: terms | {"zebra": 1},
        lambda terms: terms | {"edition": 99},
        lambda terms: terms | {"game": "red_dog"},
        lambda terms: terms | {"choices": terms["choices"] | {"zebra": 1}},
        lambda terms: terms | {"choices": terms["choices"] | {"odds_display": "sky"}},
        lambda terms: {name: value for name, value in terms.items() if name != "decks"},
        lambda terms: [terms],
    ],
)
def test_terms_that_no_house_has_are_refused(change: Callable[[Any], Any]) -> None:
    """Even if the text has the digest."""
    terms = json.loads(canonical_text(submission.example("top_five")))
    text = json.dumps(change(terms), separators=(",", ":"), sort_keys=True)
    with pytest.raises(BadTerms):
        house_from_text(sha256(text.encode()).hexdigest(), text)


def test_a_house_knows_what_is_outstanding() -> None:
    """Also after decoding, so that a table cannot open by way of the stored terms."""
    filing = submission_data("top_five")
    del filing["choices"]["layout_approval"]
    terms = submission.build(filing)
    assert {"choices.layout_approval": "2.B"} == submission.outstanding(terms)
    assert {} == submission.outstanding(submission.example("top_five"))
    again = house_from_text(terms.digest, canonical_text(terms))
    assert (terms, submission.outstanding(terms)) == (again, submission.outstanding(again))


@pytest.mark.parametrize("game", ["top_five", "ultimate_texas_holdem", "jackpot_holdem"])
def test_statements_that_the_rules_require_are_outstanding(game: str) -> None:
    """The field is read by its default, and the digest differs from a House that states it."""
    filing = submission_data(game)
    stated = submission.build(filing)
    del filing["table"]["max_adjacent_boxes"]
    terms = submission.build(filing)
    assert ("table.max_adjacent_boxes",) == terms.unstated == tuple(submission.outstanding(terms))
    assert ((), {}) == (stated.unstated, submission.outstanding(stated))
    assert (1, 1) == (terms.max_adjacent_boxes, stated.max_adjacent_boxes)
    assert stated.digest != terms.digest
    again = house_from_text(terms.digest, canonical_text(terms))
    assert (terms, submission.outstanding(terms)) == (again, submission.outstanding(again))


def test_meters_that_nobody_stated_are_outstanding() -> None:
    """They are at the minimum, but the digest differs from a House that states it."""
    filing = submission_data("ultimate_texas_holdem")
    stated = submission.build(filing)
    del filing["meters"]["mega"]["initial"], filing["meters"]["minor"]["reset"]
    terms = submission.build(filing)
    amounts = {"meters.mega.initial": "12.D.3.b", "meters.minor.reset": "12.D.3.b"}
    assert amounts == submission.outstanding(terms)
    assert {} == submission.outstanding(stated)
    assert (stated.meters["mega"].initial, stated.meters["minor"].reset) == (
        terms.meters["mega"].initial,
        terms.meters["minor"].reset,
    )
    assert stated.digest != terms.digest
    assert "unstated" not in canonical_text(stated)
    again = house_from_text(terms.digest, canonical_text(terms))
    assert (terms, submission.outstanding(terms)) == (again, submission.outstanding(again))

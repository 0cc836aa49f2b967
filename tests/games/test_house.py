"""A House is a value: frozen, equal to another load, and the same again from its text."""

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
    """Two loads are equal and interchangeable as keys; nothing about them can be changed."""
    path = submission.example_path(game.key)
    one, other = submission.load(path), submission.load(path)
    assert one is not other
    assert one == other
    assert {one: 1} == {other: 1}
    for name in ("digest", "limits", "choices", "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(one, name, None)
    for mapping in (one.limits, one.letters, one.meters):
        with pytest.raises(TypeError):
            mapping["ante"] = None  # type: ignore[index]
    with pytest.raises(AttributeError):
        one.choices.odds_display = "sign"
    assert repr(one) == f"<House 'Harbor Casino' {game.key} {one.digest[:12]}>"


def parts_of(thing: Any) -> Iterator[Any]:
    """A value with everything that it is made of; what it remembers of its answers is no part."""
    yield thing
    inner: Iterable[Any] = ()
    if isinstance(thing, msgspec.Struct):
        assert thing.__struct_config__.frozen, f"{thing!r} can be changed"
        inner = msgspec.structs.astuple(thing)
    elif is_dataclass(thing) and not isinstance(thing, type):
        inner = [getattr(thing, each.name) for each in fields(thing) if each.name[0] != "_"]
    elif isinstance(thing, Mapping):
        inner = thing.values()
    elif isinstance(thing, tuple | frozenset):
        inner = thing
    for part in inner:
        yield from parts_of(part)


@every_game
def test_a_house_is_frozen_through_and_through(game: Game) -> None:
    """Also its game, which all Houses of the game share: whoever holds one changes no other."""
    parts = list(parts_of(submission.example(game.key)))
    assert len(parts) > 500
    assert [] == [part for part in parts if isinstance(part, dict | list | set)]
    assert {game: 1} == {submission.example(game.key).game: 1}


@every_game
def test_a_house_as_played_keeps_its_digest(game: Game) -> None:
    """Limits and dealing method of the moment make another House of the same submission."""
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
    """The canonical text proves itself by the digest and gives the same House again."""
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
    """Even with a fitting digest."""
    terms = json.loads(canonical_text(submission.example("top_five")))
    text = json.dumps(change(terms), separators=(",", ":"), sort_keys=True)
    with pytest.raises(BadTerms):
        house_from_text(sha256(text.encode()).hexdigest(), text)


def test_a_house_knows_what_is_outstanding() -> None:
    """Also when it is read back from its terms, so that no detour opens a table."""
    filing = submission_data("top_five")
    del filing["choices"]["layout_approval"]
    terms = submission.build(filing)
    assert ("choices.layout_approval",) == submission.outstanding(terms)
    assert () == submission.outstanding(submission.example("top_five"))
    again = house_from_text(terms.digest, canonical_text(terms))
    assert (terms, submission.outstanding(terms)) == (again, submission.outstanding(again))


def test_meters_that_nobody_stated_are_outstanding() -> None:
    """They stand at the minimum, whose House is another one than where it is stated."""
    filing = submission_data("ultimate_texas_holdem")
    stated = submission.build(filing)
    del filing["meters"]["mega"]["initial"], filing["meters"]["minor"]["reset"]
    terms = submission.build(filing)
    assert ("meters.mega.initial", "meters.minor.reset") == submission.outstanding(terms)
    assert () == submission.outstanding(stated)
    assert (stated.meters["mega"].initial, stated.meters["minor"].reset) == (
        terms.meters["mega"].initial,
        terms.meters["minor"].reset,
    )
    assert stated.digest != terms.digest
    assert "unstated" not in canonical_text(stated)
    again = house_from_text(terms.digest, canonical_text(terms))
    assert (terms, submission.outstanding(terms)) == (again, submission.outstanding(again))

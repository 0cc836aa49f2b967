"""The digest depends on every term of a House, and not on how the submission states it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from croupier.errors import BadSubmission
from croupier.games import GAMES, digest
from croupier.submission import build, example
from tests.games.forms.test_field_types import allowed_values
from tests.submission.samples import EVERY_GAME, LEFT_OUT, TOP, ULTIMATE, example_data


def backwards(value: Any) -> Any:
    """The same mapping with all keys in reverse order."""
    if not isinstance(value, dict):
        return value
    return {key: backwards(value[key]) for key in reversed(value)}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_order_and_comments_do_not_count(game: str) -> None:
    """The file, its data and the data in reverse order have one digest."""
    digests = {
        example(game).digest,
        build(example_data(game)).digest,
        build(backwards(example_data(game))).digest,
    }

    assert 1 == len(digests)
    assert 64 == len(digests.pop())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_defaults_written_out_do_not_count(game: str) -> None:
    """Leaving a value out is the same as stating its default."""
    plain = {"game": game, "operator": {"name": "H"}}
    if game == "texas_holdem_bonus":
        plain["choices"] = {"ante_return_threshold": "straight"}
    if game == ULTIMATE:
        plain["paytables"] = {"blind": "A", "trips": "A"}
    if game == "jackpot_holdem":
        plain["paytables"] = {"xtra_bonus": "A"}
    house = build(plain)
    assert ("table.max_adjacent_boxes" in house.unstated) == (
        game in (TOP, ULTIMATE, "jackpot_holdem")
    )
    stated = {
        name: value
        for name, value in msgspec.structs.asdict(house.choices).items()
        if value is not None
    }
    full = plain | {
        "table": {
            "dealing_method": house.dealing_method,
            "shuffle_method": house.shuffle_method,
            "decks": house.decks,
            "max_adjacent_boxes": house.max_adjacent_boxes,
        },
        "limits": {GAMES[game].ante.name: {"min": 5.00}},
        "choices": {
            name: value / 100 if name == "progressive_stake" else value
            for name, value in stated.items()
        },
    }

    assert replace(house, unstated=(), digest="") == replace(build(full), digest="")


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("meters.mega.rate", [4, 4.0, "4", "4.000"]),
        ("limits.ante.max", [500, 500.0, "500", "500.00"]),
        ("choices.deck_change_hours", [8, 8.0]),
        ("choices.wagering_instruments", [["chips", "plaques"], ["plaques", "chips"]]),
        ("operator.name", ["Harbor", " Harbor "]),
        ("choices.offers_bad_beat", [True, LEFT_OUT]),
    ],
)
def test_spelling_does_not_count(path: str, same: list[Any]) -> None:
    """Equal values in different notation have one digest."""
    assert 1 == len({build(example_data(ULTIMATE, {path: value})).digest for value in same})


def test_values_count() -> None:
    """Changing any section changes the digest."""
    base = build(example_data(ULTIMATE)).digest
    changes: dict[str, Any] = {
        "operator.name": "Bay Casino",
        "operator.logo": "an anchor",
        "table.decks": 1,
        "table.max_adjacent_boxes": 3,
        "limits.ante.min": 10,
        "limits.ante.max": LEFT_OUT,
        "paytables.trips": "C",
        "meters.mega.initial": 10_001,
        "meters.mega.rate": 4.01,
        "choices.payout_limit": 50_000,
        "choices.layout_approval": "Another, 2031-05-01",
        "choices.idle_minutes": 11,
    }
    digests = [
        build(example_data(ULTIMATE, {path: value})).digest for path, value in changes.items()
    ]

    assert len(changes) + 1 == len({base, *digests})


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_choice_counts(game: str) -> None:
    """Different legal values of a choice have different digests."""
    for choice in GAMES[game].form.choices:
        digests: dict[str, Any] = {}
        for value in allowed_values(choice):
            try:
                house = build(example_data(game, {choice.field: value}))
            except BadSubmission:
                continue
            normal = choice.kind.read(value)
            assert digests.setdefault(house.digest, normal) == normal, choice.name


def test_the_edition_counts() -> None:
    """A new edition of the game changes the digest."""
    house = build(example_data(TOP))
    later = msgspec.structs.replace(house.game, edition=house.game.edition + 1)

    assert house.digest == digest(house)
    assert house.digest != digest(replace(house, game=later))

"""Every way of offering a game that moves money: paytables, readings, and Houses with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from croupier.games import GAMES
from croupier.games.house import House, Meter
from croupier.rulebook.paytables import letters, meter_floors

# What changes the main game: a paytable or a reading, each with its values, the default first.
MAIN: dict[str, dict[str, tuple[Any, ...]]] = {
    "ultimate_texas_holdem": {"blind": ("A", "B")},
    "texas_holdem_bonus": {"ante_return_threshold": ("straight", "flush")},
    "jackpot_holdem": {"xtra_bonus": ("A",)},
    "run_em_twice": {
        "ante_rule": ("own_run", "better_run"),
        "center_rule": ("higher_run_table", "even_money"),
        "ace_low_straight": (True, False),
    },
    "top_five": {"tie_break_extra_cards": (True, False)},
}
# Readings that change a side wager, besides its paytable.
SIDE: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = {
    ("ultimate_texas_holdem", "bad_beat"): {
        "bad_beat_scope": ("either_hand", "player_hand"),
        "bad_beat_after_fold": (True, False),
    },
    ("ultimate_texas_holdem", "progressive"): {
        "progressive_basis": ("own_two_plus_flop", "best_five_of_seven"),
        "progressive_after_fold": (True, False),
        "progressive_stake": (100, 500),
    },
    ("jackpot_holdem", "progressive"): {
        "progressive_basis": ("own_two_plus_first_three", "best_five_of_seven")
    },
    ("run_em_twice", "five_card_bonus"): {"ace_low_straight": (True, False)},
    ("run_em_twice", "progressive"): {
        "progressive_basis": ("first_run", "higher_run", "best_five_of_seven"),
        "ace_low_straight": (True, False),
        "progressive_after_fold": (True, False),
        "progressive_stake": (100, 500),
    },
}
# What `judge` and `settle` ask beyond those; stakes are in cents.
_OTHERS: dict[str, Any] = {"progressive_stake": 100, "community_first": False}


def written(name: str, value: Any) -> str:
    """A setting as a submission has it; stakes are in dollars there."""
    if name == "progressive_stake":
        value = value // 100
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={text}"


def key(settings: Mapping[str, Any]) -> str:
    """Settings as one word: "blind=A", "ante_rule=own_run,center_rule=even_money"."""
    return ",".join(written(name, value) for name, value in settings.items())


def main_key(house: House) -> str:
    """The choices behind a House's main game, as one word."""
    return key(
        {
            name: house.letters[name] if name in house.letters else house.choices[name]
            for name in MAIN[house.game.key]
        }
    )


def with_settings(house: House, settings: Mapping[str, Any]) -> House:
    """The same House with other paytables and readings."""
    wagers = {wager.name for wager in house.game.wagers}
    chosen = {**house.letters, **{k: v for k, v in settings.items() if k in wagers}}
    meters = house.meters
    if "progressive" in settings:
        meters = least_meters(house.game.key, settings["progressive"])
    digest = hashlib.sha256(f"{house.digest} {sorted(settings.items())}".encode()).hexdigest()
    choices = {**house.choices, **{k: v for k, v in settings.items() if k not in wagers}}
    if "progressive" in chosen:
        choices["envy_schedule"] = chosen["progressive"]
    return House(
        game=house.game,
        operator=house.operator,
        dealing_method=house.dealing_method,
        shuffle_method=house.shuffle_method,
        decks=house.decks,
        max_adjacent_boxes=house.max_adjacent_boxes,
        limits=house.limits,
        letters=chosen,
        choices=choices,
        meters=meters,
        payout_limit=house.payout_limit,
        digest=digest,
    )


def least_meters(game: str, letter: str) -> dict[str, Meter]:
    """The meters of a progressive paytable at their least reset amounts."""
    return {
        floor.meter: Meter(
            name=floor.meter,
            initial=floor.minimum_dollars * 100,
            reset=floor.minimum_dollars * 100,
            rate_percent=Fraction(1),
        )
        for floor in meter_floors(game, letter)
    }


def standard(game_key: str) -> House:
    """A House that offers everything at the first paytable and the default readings."""
    game = GAMES[game_key]
    readings: dict[str, Any] = dict(_OTHERS)
    for names in (MAIN[game_key], *(SIDE[at] for at in SIDE if at[0] == game_key)):
        readings |= {name: values[0] for name, values in names.items()}
    offered = {
        wager.name: letters(game_key, wager.name)[0]
        for wager in game.wagers
        if letters(game_key, wager.name)
    }
    choices = {name: value for name, value in readings.items() if name not in offered}
    choices["envy_schedule"] = offered.get("progressive", "A")
    meters = least_meters(game_key, offered["progressive"]) if "progressive" in offered else {}
    return House(
        game=game,
        operator="standard",
        dealing_method="automated_shoe",
        shuffle_method="counting_shuffler",
        decks=2,
        max_adjacent_boxes=1,
        limits={},
        letters=offered,
        choices=choices,
        meters=meters,
        payout_limit=None,
        digest=f"standard-{game_key}-{game.edition}",
    )


def combinations_of(names: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Every combination of values."""
    for values in product(*names.values()):
        yield dict(zip(names, values, strict=True))

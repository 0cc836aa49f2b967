"""Exact value of exposed cards: a game's value to a player who knows hidden cards."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier.analysis import disk_cache, parallel
from croupier.analysis.exposure import holdem_board_exposure, holdem_exposure, known_cards
from croupier.analysis.result_cache import cache_key, main_value
from croupier.analysis.result_display import ResultDisplay
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.game import load_code


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExposureResult(ResultDisplay):
    """The value of a game to a player who knows exposed cards, per ante."""

    rows_in = "by_card"

    game: str
    knows: str
    ev: Fraction  # perfect play with the exposed cards
    blind: Fraction  # perfect play without them
    gain: Fraction  # the value added by the exposed cards
    by_card: Mapping[str, Fraction]  # by the exposed card, or the cards of one hand
    actions: Mapping[str, Fraction]  # frequency of each first action

    @property
    def cards_named(self) -> int:
        """The number of cards in a key of `by_card`: those of a hand, else those of the board."""
        seen = cards_by_place(self.knows)
        return seen.get("dealer") or seen.get("seat") or sum(seen.values())


class ExposureValue(NamedTuple):
    """The value with exposed cards: in total, by card, and the first actions."""

    ev: Fraction
    by_card: Mapping[str, Fraction]
    actions: Mapping[str, Fraction]


def analyze_exposure(
    house: House, knows: str, progress: parallel.Progress | None = None
) -> ExposureResult:
    """The exact value of exposed cards of the dealer, another seat, the board or the cross.

    `knows` is one of the exposures that the game lists, for example "dealer:1 flop:1". Raises
    `BadInput` for any other.
    """
    report = progress or parallel.no_progress
    exposure = parse_exposure(house, knows)
    value = _cached_value(house, exposure, lambda done, what: report(0.95 * done, what))
    report(0.95, "without it")
    blind = main_value(house)
    report(1.0, "done")
    return ExposureResult(
        game=house.game.key,
        knows=exposure,
        ev=value.ev,
        blind=blind,
        gain=value.ev - blind,
        by_card=value.by_card,
        actions=value.actions,
    )


def _cached_value(house: House, exposure: str, report: parallel.Progress) -> ExposureValue:
    solver = house.game.analysis.knows[exposure]
    kind = "seen-" + exposure.replace(":", "").replace(" ", "-")
    name = cache_key(house, None, kind, solver)
    cached = disk_cache.load_text(name)
    if cached is not None:
        with contextlib.suppress(ValueError):  # damaged: solved again
            return msgspec.json.decode(
                cached, type=ExposureValue, dec_hook=lambda _, text: Fraction(text)
            )
    value: ExposureValue = load_code(solver)(house, exposure, report)
    disk_cache.save_text(name, msgspec.json.encode(value, enc_hook=str))
    return value


def parse_exposure(house: House, knows: str) -> str:
    """Normalize an exposure to the game's own name; raises `BadInput` with the reason."""
    possible, title = house.game.analysis.knows, house.game.title
    words = sorted(knows.lower().replace(",", " ").split())
    wanted = " ".join(words)
    if wanted in possible:
        return wanted
    why = f"knowing {knows!r} is not supported for {title}" if words else "no cards are known"
    most: dict[str, int] = {}
    for exposure in possible:
        for place, count in cards_by_place(exposure).items():
            most[place] = max(count, most.get(place, 0))
    for word in words:
        place, _, number = word.partition(":")
        if not (number.isdecimal() and int(number) > 0):
            why = f"{word!r} is not a place with a number of cards"
        elif place not in most:
            why = f"{title} has no {place!r} cards that can be exposed, got {word!r}"
        elif int(number) > most[place]:
            why = f"{word!r} is more than the {most[place]} that are supported for {title}"
    expected = " or ".join(map(repr, possible)) or "nothing: the game has no exposure analysis"
    raise BadInput(f"{why}; expected {expected}")


def cards_by_place(knows: str) -> dict[str, int]:
    """The number of exposed cards by place: "dealer:1 flop:1" is one of each."""
    return {place: int(count) for place, _, count in (w.partition(":") for w in knows.split())}


def hands_and_board(knows: str) -> tuple[list[known_cards.KnownCards], tuple[str, ...]]:
    """All classes of exposed hand cards, and the places of exposed board cards."""
    counts = cards_by_place(knows)
    hands = list(known_cards.every_known(counts.pop("dealer", 0), counts.pop("seat", 0)))
    return hands, tuple(place for place, count in counts.items() for _ in range(count))


def one_play_bet(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """Exposed cards of the dealer, another seat or the board, in games with one Play bet."""
    return ExposureValue(*holdem_exposure.one_play_bet(house, *hands_and_board(knows), report))


def play_on_boards(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """An exposed flop, or exposed turn and river, in games with one Play bet."""
    report(0.0, "boards")
    return ExposureValue(*holdem_board_exposure.one_play_bet(house, hands_and_board(knows)[1]))

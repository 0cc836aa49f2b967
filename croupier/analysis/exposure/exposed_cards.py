"""What a seen card is worth: the exact value of a game to a player who knows a card too many."""

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
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.expected_returns import named


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureResult:
    """The game for a player who knows more than the rules show, per unit of one ante."""

    game: str
    knows: str
    ev: Fraction  # perfect play on everything that is known
    blind: Fraction  # perfect play on what may be seen
    by_card: Mapping[str, Fraction]  # by the card that is known, or the cards of one hand
    actions: Mapping[str, Fraction]  # how often each first action is best

    @property
    def gain(self) -> Fraction:
        """What the knowledge adds."""
        return self.ev - self.blind

    @property
    def told(self) -> int:
        """How many cards `by_card` names together: those of a hand, else those of the board."""
        seen = cards_by_place(self.knows)
        return seen.get("dealer") or seen.get("seat") or sum(seen.values())


class ExposureValue(NamedTuple):
    """A study of one kind of knowledge: the value, by card, and the first actions."""

    ev: Fraction
    by_card: Mapping[str, Fraction]
    actions: Mapping[str, Fraction]


def analyze_exposure(house: House, knows: str, progress: parallel.Progress | None = None) -> ExposureResult:
    """The exact value of seen cards: of the dealer, of another seat, of the board or of a cross.

    What may be known ("dealer:1 flop:1"), and who works it out, is named by the game.
    """
    report = progress or parallel.no_progress
    wanted = parse_exposure(house, knows)
    worth = _worth(house, wanted, lambda done, what: report(0.95 * done, what))
    report(0.95, "without it")
    blind = main_value(house)
    report(1.0, "done")
    return ExposureResult(
        game=house.game.key,
        knows=wanted,
        ev=worth.ev,
        blind=blind,
        by_card=worth.by_card,
        actions=worth.actions,
    )


def _worth(house: House, wanted: str, report: parallel.Progress) -> ExposureValue:
    """What a study answers, from the disk where it was asked before."""
    solver = house.game.analysis.knows[wanted]
    kind = "seen-" + wanted.replace(":", "").replace(" ", "-")
    name = cache_key(house, None, kind, solver)
    kept = disk_cache.load_text(name)
    if kept is not None:
        with contextlib.suppress(ValueError):  # damaged: worked out again
            return msgspec.json.decode(
                kept, type=ExposureValue, dec_hook=lambda _, text: Fraction(text)
            )
    found: ExposureValue = named(solver)(house, wanted, report)
    disk_cache.save_text(name, msgspec.json.encode(found, enc_hook=str))
    return found


def parse_exposure(house: House, knows: str) -> str:
    """What is asked, as the game names it; refused with the reason and what can be asked."""
    possible, title = house.game.analysis.knows, house.game.title
    words = sorted(knows.lower().replace(",", " ").split())
    wanted = " ".join(words)
    if wanted in possible:
        return wanted
    why = f"knowing {knows!r} is not worked out for {title}"
    most: dict[str, int] = {}
    for sight in possible:
        for place, count in cards_by_place(sight).items():
            most[place] = max(count, most.get(place, 0))
    for word in words:
        place, _, number = word.partition(":")
        if not (number.isdecimal() and int(number) > 0):
            why = f"{word!r} is not worked out: it names no place with a number of cards"
        elif place not in most:
            why = f"{title} has no {place!r} of which a card could be seen, got {word!r}"
        elif int(number) > most[place]:
            why = f"{word!r} is more than the {most[place]} that are worked out for {title}"
    expected = " or ".join(map(repr, possible)) or "nothing, it has no study of seen cards"
    raise BadInput(f"{why}; expected {expected}")


def cards_by_place(knows: str) -> dict[str, int]:
    """Cards that are known, by where they lie: "dealer:1 flop:1" is one of each."""
    return {place: int(count) for place, _, count in (w.partition(":") for w in knows.split())}


def hands_and_board(knows: str) -> tuple[list[known_cards.KnownCards], tuple[str, ...]]:
    """Every way to know cards of a hand, and where cards of the board lie that are known."""
    seen = cards_by_place(knows)
    every = list(known_cards.every_known(seen.pop("dealer", 0), seen.pop("seat", 0)))
    return every, tuple(place for place, count in seen.items() for _ in range(count))


def one_play_bet(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """Cards of the dealer, of another seat or of the board, in games with one Play bet."""
    return ExposureValue(*holdem_exposure.one_play_bet(house, *hands_and_board(knows), report))


def play_on_boards(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """The whole flop, or both cards after it, in games with one Play bet."""
    report(0.0, "boards")
    return ExposureValue(*holdem_board_exposure.one_play_bet(house, hands_and_board(knows)[1]))

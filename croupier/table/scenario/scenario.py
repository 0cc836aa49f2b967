"""Scenario format: one round as JSON, parsed and checked.

The schema is `docs/schemas/scenario.schema.json`; money is integer cents, cards are names.
`croupier.table.scenario.replay` plays a scenario.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from croupier import submission
from croupier.cards import Card, parse_cards, parse_deck
from croupier.errors import BadCards, BadInput, BadScenario, BadSubmission, UnknownGame
from croupier.games import House, find
from croupier.money import parse_decimal
from croupier.table.parts.round.betting import SEATS

KEYS = ("game", "submission", "deck", "seats", "meters", "irregularities")
SEAT_KEYS = ("wagers", "decisions", "player")

# The fields of each kind of irregularity, beside `kind`.
IRREGULARITIES: dict[str, tuple[str, ...]] = {
    "card_face_up": ("cards",),
    "card_drawn_in_error": (),
    "wrong_number_of_cards": ("where",),
    "dealer_card_exposed": ("when",),
    "community_card_exposed": ("when",),
    "player_card_exposed": ("seat",),
    "shuffler_jam": (),
    "shoe_jam": ("when",),
    "player_skipped": ("seat",),
    "wrong_count": (),
}


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The wagers and decisions of one seat."""

    player: str
    wagers: dict[str, int]
    decisions: tuple[str, ...]


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One irregularity (chapter 13), with the fields of its kind."""

    kind: str
    cards: tuple[Card, ...] = ()
    where: str = ""
    when: str = ""
    seat: int = 0


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed scenario, checked as far as possible without playing it."""

    house: House
    deck: tuple[Card, ...]
    seats: dict[int, SeatPlan]
    meters: dict[str, Fraction]
    irregularities: tuple[Irregularity, ...]


def load(path: str | Path) -> Scenario:
    """Load a scenario file; raises BadScenario. A submission path is relative to the file."""
    path = Path(path)
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadScenario("", f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadScenario("", f"{path} is not JSON: {error}") from None
    return read(data, path.parent)


def read(data: object, folder: Path | None = None) -> Scenario:
    """Parse a scenario from JSON data and build its House; raises BadScenario."""
    record = mapping(data, "")
    refuse_unknown(record, KEYS, "")
    for key in ("game", "submission", "deck", "seats"):
        if key not in record:
            raise BadScenario(key, "is missing")
    house = read_house(record["game"], record["submission"], folder or Path())
    seats = read_seats(record["seats"])
    return Scenario(
        house=house,
        deck=read_deck(record["deck"]),
        seats=seats,
        meters=read_meters(record.get("meters", {}), house),
        irregularities=read_irregularities(record.get("irregularities", []), house, seats),
    )


def read_house(game_key: object, value: object, folder: Path) -> House:
    """Build the House of the scenario's submission, which must be for the scenario's game."""
    if not isinstance(game_key, str):
        raise BadScenario("game", f"expected the key of a game, got {short(game_key)}")
    try:
        game = find(game_key)
    except UnknownGame as error:
        raise BadScenario("game", str(error)) from None
    try:
        if isinstance(value, str):
            house = submission.load(folder / value)
        else:
            house = house_of(json.dumps(mapping(value, "submission")))
    except BadSubmission as error:
        errors = [issue for issue in error.issues if issue.severity == "error"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise BadScenario("submission", f"{errors[0]}{more}") from None
    except BadScenario:
        raise
    except BadInput as error:
        raise BadScenario("submission", str(error)) from None
    if house.game.key != game.key:
        raise BadScenario("game", f"{game.key}, but the submission is for {house.game.key}")
    return house


@lru_cache(maxsize=64)
def house_of(text: str) -> House:
    """Build the House of an inline submission; cached because many scenarios share one."""
    return submission.build(json.loads(text))


def read_deck(value: object) -> tuple[Card, ...]:
    """Parse a complete deck, as text or as a list of card names."""
    try:
        return parse_deck(card_names(value, "deck"))
    except BadCards as error:
        raise BadScenario("deck", str(error)) from None


def card_names(value: object, path: str) -> Sequence[str]:
    """Return the card names of a text or a list."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return value
    raise BadScenario(path, f"expected cards such as 'As Kd', got {short(value)}")


def read_seats(value: object) -> dict[int, SeatPlan]:
    """Parse the seats, in order, each with its wagers and decisions."""
    seats: dict[int, SeatPlan] = {}
    for key, seat in mapping(value, "seats").items():
        path = f"seats.{key}"
        if key not in {str(number) for number in range(1, SEATS + 1)}:
            raise BadScenario(path, f"is not a seat; expected 1 to {SEATS}")
        record = mapping(seat, path)
        refuse_unknown(record, SEAT_KEYS, path)
        decisions = record.get("decisions", [])
        if not isinstance(decisions, list) or not all(isinstance(word, str) for word in decisions):
            raise BadScenario(
                f"{path}.decisions", f"expected a list of words, got {short(decisions)}"
            )
        player = record.get("player", f"seat {key}")
        if not isinstance(player, str) or not player:
            raise BadScenario(f"{path}.player", f"expected a name, got {short(player)}")
        seats[int(key)] = SeatPlan(
            player=player,
            wagers=read_wagers(record.get("wagers"), f"{path}.wagers"),
            decisions=tuple(decisions),
        )
    if not seats:
        raise BadScenario("seats", "expected at least one seat")
    return dict(sorted(seats.items()))


def read_wagers(value: object, path: str) -> dict[str, int]:
    """Parse the stakes of a seat in whole cents; the table decides whether they are legal."""
    wagers = dict(mapping(value, path))
    for name, amount in wagers.items():
        if type(amount) is not int:
            problem = f"{name} must be a whole number of cents, 0 or more, got {amount!r}"
            raise BadScenario(path, problem)
    return wagers


def read_meters(value: object, house: House) -> dict[str, Fraction]:
    """Parse the meters before the round, in exact cents; the others have their initial values."""
    meters: dict[str, Fraction] = {}
    for name, amount in mapping(value, "meters").items():
        path = f"meters.{name}"
        if name not in house.meters:
            known = ", ".join(house.meters) or "none"
            raise BadScenario(path, f"is not a meter of this submission; expected: {known}")
        cents = parse_decimal(amount) if isinstance(amount, int | str) else None
        if cents is None or cents < 0:
            raise BadScenario(
                path,
                f"expected cents, 0 or more, such as 1000001 or '1000001.25', got {short(amount)}",
            )
        meters[name] = cents
    return meters


def read_irregularities(
    value: object, house: House, seats: Mapping[int, SeatPlan]
) -> tuple[Irregularity, ...]:
    """Parse the irregularities, in the order in which they happen."""
    if not isinstance(value, list):
        raise BadScenario("irregularities", f"expected a list, got {short(value)}")
    return tuple(
        read_irregularity(entry, f"irregularities[{index}]", house, seats)
        for index, entry in enumerate(value)
    )


def read_irregularity(
    value: object, path: str, house: House, seats: Mapping[int, SeatPlan]
) -> Irregularity:
    """Parse one irregularity; refused if it cannot happen in this game or with this equipment."""
    record = mapping(value, path)
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in IRREGULARITIES:
        known = ", ".join(IRREGULARITIES)
        raise BadScenario(f"{path}.kind", f"{short(kind)} is not one of: {known}")
    refuse_unknown(record, ("kind", *IRREGULARITIES[kind]), path)
    for field in IRREGULARITIES[kind]:
        if field not in record:
            raise BadScenario(f"{path}.{field}", "is missing")
    cards: tuple[Card, ...] = ()
    if "cards" in record:
        try:
            cards = parse_cards(card_names(record["cards"], f"{path}.cards"))
        except BadCards as error:
            raise BadScenario(f"{path}.cards", str(error)) from None
    entry = Irregularity(
        kind=kind,
        cards=cards,
        where=text(record.get("where", ""), f"{path}.where"),
        when=text(record.get("when", ""), f"{path}.when"),
        seat=read_seat(record["seat"], f"{path}.seat", seats) if "seat" in record else 0,
    )
    check_possible(entry, path, house, seats)
    return entry


def check_possible(
    entry: Irregularity, path: str, house: House, seats: Mapping[int, SeatPlan]
) -> None:
    """Raise BadScenario for an irregularity that this game or this equipment cannot have."""
    game = house.game

    def refuse(field: str, problem: str, duty: str) -> BadScenario:
        clause = house.cite(duty)[0]
        return BadScenario(f"{path}.{field}", f"{problem} [{game.key} {clause}]")

    streets = [street.name for street in game.streets]
    if "when" in IRREGULARITIES[entry.kind]:
        moments = ["deal", *streets] if entry.kind == "shoe_jam" else streets
        if entry.when not in moments:
            raise refuse(
                "when", f"{entry.when!r} is not one of: {', '.join(moments)}", "no_more_bets"
            )
    if entry.kind == "shoe_jam" and house.dealing_method != "automated_shoe":
        raise refuse("kind", f"not an automated shoe: {house.dealing_method}", "shoe_jam")
    if entry.kind == "shuffler_jam" and house.shuffle_method == "manual":
        raise refuse("kind", "no shuffler is in use; the shuffle is manual", "shuffler_jam")
    if entry.kind == "dealer_card_exposed" and not game.dealer_cards:
        raise refuse("kind", "this game has no dealer hand", "wrong_number")
    if entry.kind == "community_card_exposed" and not game.community_cards:
        raise refuse("kind", "this game has no community cards", "wrong_number")
    if entry.kind == "wrong_number_of_cards":
        places = [f"seat {seat}" for seat in seats]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        if entry.where not in places:
            raise refuse(
                "where", f"{entry.where!r} is not one of: {', '.join(places)}", "wrong_number"
            )


def read_seat(value: object, path: str, seats: Mapping[int, SeatPlan]) -> int:
    """Parse the number of a seat in play, as an integer or as text."""
    try:
        seat = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else 0
    except ValueError:
        seat = 0
    if seat not in seats:
        raise BadScenario(
            path, f"{short(value)} is not a seat in play: {', '.join(map(str, seats))}"
        )
    return seat


def mapping(value: object, path: str) -> Mapping[str, Any]:
    """Return a JSON object; raises BadScenario for anything else."""
    if not isinstance(value, dict):
        raise BadScenario(path or "scenario", f"expected an object, got {short(value)}")
    return value


def text(value: object, path: str) -> str:
    """Return a JSON string; raises BadScenario for anything else."""
    if not isinstance(value, str):
        raise BadScenario(path, f"expected text, got {short(value)}")
    return value


def refuse_unknown(record: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    """Raise BadScenario for an unknown key, so that a misspelled wager is not ignored."""
    for key in record:
        if key not in known:
            key_path = f"{path}.{key}" if path else key
            raise BadScenario(key_path, f"is not a key here; expected: {', '.join(known)}")


def short(value: object) -> str:
    """Return a value as JSON, shortened for an error message."""
    shown = json.dumps(value, default=repr) if not isinstance(value, float) else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."

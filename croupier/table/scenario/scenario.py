"""A scenario: one round written down as JSON, read and checked. `croupier.table.scenario.replay` plays it.

The contract is `docs/schemas/scenario.schema.json`; money is integer cents, cards are names.
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
    """What one seat bets and decides."""

    player: str
    wagers: dict[str, int]
    decisions: tuple[str, ...]


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of chapter 13, with the fields of its kind."""

    kind: str
    cards: tuple[Card, ...] = ()
    where: str = ""
    when: str = ""
    seat: int = 0


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario checked as far as that is possible without playing it."""

    house: House
    deck: tuple[Card, ...]
    seats: dict[int, SeatPlan]
    meters: dict[str, Fraction]
    irregularities: tuple[Irregularity, ...]


def load(path: str | Path) -> Scenario:
    """Read a scenario file; a submission given as a path is relative to it."""
    path = Path(path)
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadScenario("", f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadScenario("", f"{path} is not JSON: {error}") from None
    return read(data, path.parent)


def read(data: object, folder: Path | None = None) -> Scenario:
    """Check the shape of a scenario and build its House."""
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


def read_house(name: object, given: object, folder: Path) -> House:
    """The House of the scenario's submission, which must be of the scenario's game."""
    if not isinstance(name, str):
        raise BadScenario("game", f"expected the key of a game, got {short(name)}")
    try:
        game = find(name)
    except UnknownGame as error:
        raise BadScenario("game", str(error)) from None
    try:
        if isinstance(given, str):
            house = submission.load(folder / given)
        else:
            house = house_of(json.dumps(mapping(given, "submission")))
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
    """The House of a submission inside a scenario; many scenarios share one."""
    return submission.build(json.loads(text))


def read_deck(given: object) -> tuple[Card, ...]:
    """A whole deck, written as text or as a list of names."""
    try:
        return parse_deck(card_words(given, "deck"))
    except BadCards as error:
        raise BadScenario("deck", str(error)) from None


def card_words(given: object, place: str) -> Sequence[str]:
    """Cards as text or as a list of texts."""
    if isinstance(given, str):
        return given.split()
    if isinstance(given, list) and all(isinstance(card, str) for card in given):
        return given
    raise BadScenario(place, f"expected cards such as 'As Kd', got {short(given)}")


def read_seats(given: object) -> dict[int, SeatPlan]:
    """The seats in order, each with its wagers and decisions."""
    seats: dict[int, SeatPlan] = {}
    for key, value in mapping(given, "seats").items():
        place = f"seats.{key}"
        if key not in {str(seat) for seat in range(1, SEATS + 1)}:
            raise BadScenario(place, f"is not a seat; expected 1 to {SEATS}")
        record = mapping(value, place)
        refuse_unknown(record, SEAT_KEYS, place)
        decisions = record.get("decisions", [])
        if not isinstance(decisions, list) or not all(isinstance(word, str) for word in decisions):
            raise BadScenario(
                f"{place}.decisions", f"expected a list of words, got {short(decisions)}"
            )
        player = record.get("player", f"seat {key}")
        if not isinstance(player, str) or not player:
            raise BadScenario(f"{place}.player", f"expected a name, got {short(player)}")
        seats[int(key)] = SeatPlan(
            player=player,
            wagers=read_wagers(record.get("wagers"), f"{place}.wagers"),
            decisions=tuple(decisions),
        )
    if not seats:
        raise BadScenario("seats", "nobody plays; expected at least one seat")
    return dict(sorted(seats.items()))


def read_wagers(given: object, place: str) -> dict[str, int]:
    """The stakes of a seat in whole cents; what they may be is for the table to judge."""
    wagers = dict(mapping(given, place))
    for name, amount in wagers.items():
        if type(amount) is not int:
            problem = f"{name} must be a whole number of cents, 0 or more, got {amount!r}"
            raise BadScenario(place, problem)
    return wagers


def read_meters(given: object, house: House) -> dict[str, Fraction]:
    """Meters before the round, in cents, exact; those left out are at their initial amounts."""
    meters: dict[str, Fraction] = {}
    for name, value in mapping(given, "meters").items():
        place = f"meters.{name}"
        if name not in house.meters:
            known = ", ".join(house.meters) or "none"
            raise BadScenario(place, f"is not a meter of this submission; expected: {known}")
        cents = parse_decimal(value) if isinstance(value, int | str) else None
        if cents is None or cents < 0:
            raise BadScenario(
                place,
                f"expected cents, 0 or more, such as 1000001 or '1000001.25', got {short(value)}",
            )
        meters[name] = cents
    return meters


def read_irregularities(
    given: object, house: House, seats: Mapping[int, SeatPlan]
) -> tuple[Irregularity, ...]:
    """The list of what goes wrong, in the order it happens."""
    if not isinstance(given, list):
        raise BadScenario("irregularities", f"expected a list, got {short(given)}")
    return tuple(
        read_irregularity(entry, f"irregularities[{index}]", house, seats)
        for index, entry in enumerate(given)
    )


def read_irregularity(
    given: object, place: str, house: House, seats: Mapping[int, SeatPlan]
) -> Irregularity:
    """One entry, refused if it cannot happen in this game or with this equipment."""
    record = mapping(given, place)
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in IRREGULARITIES:
        known = ", ".join(IRREGULARITIES)
        raise BadScenario(f"{place}.kind", f"{short(kind)} is not one of: {known}")
    refuse_unknown(record, ("kind", *IRREGULARITIES[kind]), place)
    for field in IRREGULARITIES[kind]:
        if field not in record:
            raise BadScenario(f"{place}.{field}", "is missing")
    cards: tuple[Card, ...] = ()
    if "cards" in record:
        try:
            cards = parse_cards(card_words(record["cards"], f"{place}.cards"))
        except BadCards as error:
            raise BadScenario(f"{place}.cards", str(error)) from None
    entry = Irregularity(
        kind=kind,
        cards=cards,
        where=text(record.get("where", ""), f"{place}.where"),
        when=text(record.get("when", ""), f"{place}.when"),
        seat=read_seat(record["seat"], f"{place}.seat", seats) if "seat" in record else 0,
    )
    check_possible(entry, place, house, seats)
    return entry


def check_possible(
    entry: Irregularity, place: str, house: House, seats: Mapping[int, SeatPlan]
) -> None:
    """Refuse what this game or this equipment cannot do wrong."""
    game = house.game

    def refuse(field: str, problem: str, duty: str) -> BadScenario:
        clause = house.cite(duty)[0]
        return BadScenario(f"{place}.{field}", f"{problem} [{game.key} {clause}]")

    streets = [street.name for street in game.streets]
    if "when" in IRREGULARITIES[entry.kind]:
        moments = ["deal", *streets] if entry.kind == "shoe_jam" else streets
        if entry.when not in moments:
            raise refuse(
                "when", f"{entry.when!r} is not one of: {', '.join(moments)}", "no_more_bets"
            )
    if entry.kind == "shoe_jam" and house.dealing_method != "automated_shoe":
        raise refuse("kind", f"no automated shoe is used, but {house.dealing_method}", "shoe_jam")
    if entry.kind == "shuffler_jam" and house.shuffle_method == "manual":
        raise refuse("kind", "no shuffler is used, the shuffle is manual", "shuffler_jam")
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


def read_seat(given: object, place: str, seats: Mapping[int, SeatPlan]) -> int:
    """A seat that is in play, as a number or its text."""
    try:
        seat = int(given) if isinstance(given, int | str) and not isinstance(given, bool) else 0
    except ValueError:
        seat = 0
    if seat not in seats:
        raise BadScenario(
            place, f"{short(given)} is not a seat in play: {', '.join(map(str, seats))}"
        )
    return seat


def mapping(given: object, place: str) -> Mapping[str, Any]:
    """A JSON object, or a refusal that names the place."""
    if not isinstance(given, dict):
        raise BadScenario(place or "scenario", f"expected an object, got {short(given)}")
    return given


def text(given: object, place: str) -> str:
    """A JSON string, or a refusal that names the place."""
    if not isinstance(given, str):
        raise BadScenario(place, f"expected text, got {short(given)}")
    return given


def refuse_unknown(record: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    """Unknown keys are errors: a misspelt wager must not vanish."""
    for key in record:
        if key not in known:
            where = f"{place}.{key}" if place else key
            raise BadScenario(where, f"is not a key here; expected: {', '.join(known)}")


def short(value: object) -> str:
    """A value as it is shown in a refusal."""
    shown = json.dumps(value, default=repr) if not isinstance(value, float) else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."

"""Scenario format: one round as JSON, parsed and checked.

`docs/schemas/scenario.schema.json` is generated from these types; money is integer cents, cards
are names. `croupier.table.scenario.replay` plays a scenario.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from croupier import submission
from croupier.cards import Card, parse_cards, parse_deck
from croupier.errors import BadInput, BadScenario, BadSubmission, UnknownGame
from croupier.games import House, find
from croupier.money import parse_decimal

T = TypeVar("T")


def _ref(name: str) -> Meta:
    # For the JSON Schema only: such values are checked with the House, which cites the clause.
    return Meta(extra_json_schema={"$ref": f"#/$defs/{name}"})


CardNames: TypeAlias = str | list[Annotated[str, _ref("card")]]
_STREET = Annotated[str, _ref("street")]
_SEAT = Annotated[int, _ref("seat")]

# The fields of each kind of irregularity, beside `kind`.
IRREGULARITIES: dict[str, dict[str, Any]] = {
    "card_face_up": {"cards": CardNames},
    "card_drawn_in_error": {},
    "wrong_number_of_cards": {"where": Annotated[str, _ref("place")]},
    "dealer_card_exposed": {"when": _STREET},
    "community_card_exposed": {"when": _STREET},
    "player_card_exposed": {"seat": _SEAT},
    "shuffler_jam": {},
    "shoe_jam": {"when": Annotated[str, _ref("deal_or_street")]},
    "player_skipped": {"seat": _SEAT},
    "wrong_count": {},
}
AnyIrregularity: Any = Union[  # noqa: UP007  (built at run time)
    tuple(
        msgspec.defstruct(
            kind, fields.items(), tag=kind, tag_field="kind", forbid_unknown_fields=True
        )
        for kind, fields in IRREGULARITIES.items()
    )
]
# The types of JSON in the messages of msgspec, in words.
WORDS = {
    "object": "an object",
    "array": "a list",
    "str": "text",
    "int": "a whole number",
    "str | array": "cards such as 'As Kd'",
    "str | object": "a submission or the path of one",
}


class Irregularity(Struct, frozen=True, kw_only=True):
    """One irregularity (chapter 13), with the fields of its kind."""

    kind: str
    cards: tuple[Card, ...] = ()
    where: str = ""
    when: str = ""
    seat: int = 0


class SeatPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wagers and decisions of one seat."""

    wagers: dict[str, Annotated[int, _ref("stake")]]
    decisions: tuple[Annotated[str, _ref("decision")], ...] = ()
    player: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET  # else a person of its own


class ScenarioFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round, written down: read by `croupier replay`. Money is integer cents."""

    game: Annotated[str, _ref("game")]
    submission: Annotated[str | dict[str, Any], _ref("submission")]
    deck: Annotated[CardNames, _ref("deck")]
    # Seats and irregularities are converted one by one, so that errors name the place.
    seats: Annotated[dict[str, Annotated[Any, _ref("SeatPlan")]], _ref("seats")]
    meters: dict[str, Annotated[Any, _ref("meter")]] = {}
    irregularities: list[Annotated[Any, _ref("irregularity")]] = []


class Scenario(Struct, frozen=True, kw_only=True):
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
        data = json.loads(path.read_text("utf-8"), object_pairs_hook=_without_duplicates)
    except OSError as error:
        raise BadScenario("", f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadScenario("", f"not JSON: {error}") from None
    return read(data, path.parent)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; of two equal keys one would be ignored."""
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadScenario("", f"the key {twice!r} is given twice in one object")
    return result


def read(data: object, folder: Path | None = None) -> Scenario:
    """Parse a scenario from JSON data and build its House; raises BadScenario."""
    file = _convert(data, ScenarioFile, "")
    house = read_house(file, folder or Path())
    with _at("deck"):
        deck = parse_deck(file.deck)
    seats: dict[int, SeatPlan] = {}
    for key, plan in sorted(file.seats.items()):
        if key not in {str(number) for number in range(1, house.positions + 1)}:
            raise BadScenario(f"seats.{key}", f"is not a seat; expected 1 to {house.positions}")
        seats[int(key)] = _convert(plan, SeatPlan, f"seats.{key}")
    if not seats:
        raise BadScenario("seats", "expected at least one seat")
    return Scenario(
        house=house,
        deck=deck,
        seats=seats,
        meters={name: read_meter(name, amount, house) for name, amount in file.meters.items()},
        irregularities=tuple(
            read_irregularity(entry, f"irregularities[{index}]", house, seats)
            for index, entry in enumerate(file.irregularities)
        ),
    )


def read_house(file: ScenarioFile, folder: Path) -> House:
    """Build the House of the scenario's submission, which must be for the scenario's game."""
    with _at("game"):
        game = find(file.game)
    with _at("submission"):
        if isinstance(file.submission, str):
            house = submission.load(folder / file.submission)
        else:
            house = house_of(json.dumps(file.submission))
    if house.game.key != game.key:
        raise BadScenario("game", f"{game.key}, but the submission is for {house.game.key}")
    return house


@lru_cache(maxsize=64)
def house_of(text: str) -> House:
    """Build the House of an inline submission; cached because many scenarios share one."""
    return submission.build(json.loads(text))


def read_meter(name: str, amount: object, house: House) -> Fraction:
    """Parse a meter before the round, in exact cents."""
    place = f"meters.{name}"
    if name not in house.meters:
        known = ", ".join(house.meters) or "none"
        raise BadScenario(place, f"is not a meter of this submission; expected: {known}")
    cents = parse_decimal(amount) if isinstance(amount, int | str) else None
    if cents is None or cents < 0:
        expected = "cents, 0 or more, such as 1000001 or '1000001.25'"
        raise BadScenario(place, f"expected {expected}, got {short(amount)}")
    return cents


def read_irregularity(
    data: object, place: str, house: House, seats: Mapping[int, SeatPlan]
) -> Irregularity:
    """Parse one irregularity; refused if it cannot happen in this game or with this equipment."""
    tagged = _convert(data, AnyIrregularity, place)
    fields = msgspec.structs.asdict(tagged)
    if "cards" in fields:
        with _at(f"{place}.cards"):
            fields["cards"] = parse_cards(fields["cards"])
    entry = Irregularity(kind=tagged.__struct_config__.tag, **fields)
    game = house.game

    def refuse(field: str, problem: str, duty: str) -> BadScenario:
        clause = house.cite(duty)[0]
        return BadScenario(f"{place}.{field}", f"{problem} [{game.key} {clause}]")

    def check(field: str, known: Sequence[str], duty: str) -> None:
        if fields[field] not in known:
            problem = f"{fields[field]!r} is not one of: {', '.join(known)}"
            raise refuse(field, problem, duty)

    if "when" in fields:
        streets = [street.name for street in game.streets]
        check("when", ["deal"] * (entry.kind == "shoe_jam") + streets, "no_more_bets")
    match entry.kind:
        case "shoe_jam" if house.dealing_method != "automated_shoe":
            raise refuse("kind", f"not an automated shoe: {house.dealing_method}", "shoe_jam")
        case "shuffler_jam" if house.shuffle_method == "manual":
            raise refuse("kind", "no shuffler is in use; the shuffle is manual", "shuffler_jam")
        case "dealer_card_exposed" if not game.dealer_cards:
            raise refuse("kind", "this game has no dealer hand", "deal.hands")
        case "community_card_exposed" if not game.community_cards:
            raise refuse("kind", "this game has no community cards", "deal.hands")
        case "wrong_number_of_cards":
            places = [f"seat {seat}" for seat in seats]
            places += ["dealer"] * (game.dealer_cards > 0)
            places += ["community"] * (game.community_cards > 0)
            check("where", places, "wrong_number")
        case "player_card_exposed" | "player_skipped" if entry.seat not in seats:
            in_play = ", ".join(map(str, seats))
            raise BadScenario(f"{place}.seat", f"{entry.seat} is not a seat in play: {in_play}")
    return entry


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Raise BadScenario with this place for any other invalid input."""
    try:
        yield
    except BadSubmission as error:
        errors = [issue for issue in error.issues if issue.severity == "error"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise BadScenario(place, f"{errors[0]}{more}") from None
    except (BadInput, UnknownGame) as error:
        raise BadScenario(place, str(error)) from None


def _convert(data: Any, kind: type[T], place: str) -> T:
    """Convert JSON data; an error has the place, the value and what was expected."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
    value = data
    for key in re.findall(r"\w+|\.{3}", path):
        if key == "...":  # the path does not have the name of the wager
            key, value = next(item for item in value.items() if type(item[1]) is not int)
            problem = f"{key} must be a whole number of cents, 0 or more, got {value!r}"
            raise BadScenario(place, problem)
        place += f".{key}" if isinstance(value, dict) else f"[{key}]"
        value = value[key] if isinstance(value, dict) else value[int(key)]
    match problem.split("`"):
        case ["Object missing required field ", field, _]:
            expected = "; expected the 52 cards in order" if field == "deck" else ""
            place, problem = f"{place}.{field}", f"is missing{expected}"
        case ["Object contains unknown field ", field, _]:
            known = getattr(kind, "__struct_fields__", ())
            known = known or ("kind", *IRREGULARITIES[value["kind"]])
            place, problem = f"{place}.{field}", f"is not a key here; expected: {', '.join(known)}"
        case _ if path == ".kind`":
            problem = f"{short(value)} is not one of: {', '.join(IRREGULARITIES)}"
        case [_, expected, limit, *_]:  # the limit is " of length >= 1" or ", got "
            limit = limit.removesuffix(", got ")
            problem = f"expected {WORDS[expected]}{limit}, got {short(value)}"
    raise BadScenario(place.removeprefix(".") or "scenario", problem)


def short(value: object) -> str:
    """Return a value as JSON, shortened for an error message."""
    shown = json.dumps(value, default=repr) if not isinstance(value, float) else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."

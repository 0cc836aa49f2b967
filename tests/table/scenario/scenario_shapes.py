"""Types of the JSON of a scenario and its result, for the naive replay."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Required, TypedDict

Amount = int | Fraction
Line = tuple[str, str, Amount]  # paytable line: hand, unit, number
Place = int | str  # where a card goes: a seat number or a name
Steps = list[Place]
HandRank = tuple[int, tuple[int, ...]]  # category, then the ranks that break ties
Choices = dict[str, Any]  # by name; every choice has its own type
Limits = Mapping[str, Mapping[str, int]]  # wager -> min and max, in dollars
Letters = Mapping[str, str]  # wager -> paytable


class Table(TypedDict, total=False):
    dealing_method: str
    shuffle_method: str
    decks: int
    positions: int
    max_adjacent_boxes: int


class Meter(TypedDict):
    initial: int
    reset: int
    rate: float


class Submission(TypedDict, total=False):
    game: Required[str]
    operator: dict[str, str]
    table: Table
    limits: Limits
    paytables: Letters
    choices: Choices
    meters: dict[str, Meter]


class SeatData(TypedDict, total=False):
    player: str
    wagers: Required[dict[str, int]]
    decisions: list[str]


class Irregularity(TypedDict, total=False):
    kind: Required[str]
    cards: list[str]
    seat: int
    when: str
    where: str


class Scenario(TypedDict, total=False):
    game: Required[str]
    submission: Required[Submission]
    deck: Required[str | list[str]]
    seats: Required[dict[str, SeatData]]
    meters: dict[str, int | str]
    irregularities: list[Irregularity]


class WagerResult(TypedDict):
    stake: int
    outcome: str
    returned: int


class SeatResult(TypedDict):
    cards: list[str]
    wagers: dict[str, WagerResult]
    envy: int
    net: int


class Result(TypedDict, total=False):
    game: str
    void: bool
    reason: dict[str, str]
    community: list[str]
    dealer: list[str]
    six_card_box: list[str]
    seats: dict[str, SeatResult]
    meters: dict[str, int | str]

"""The rounds with golden transcripts: every game, dealing method and notable ending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from croupier.table import Table
from croupier.table import commands as cmd
from tests.playthroughs.transcript import transcript
from tests.support.rounds import JACKPOT, METHODS, RUN, THB, TOP, UTH, Play, Seat, house

# A command to give when this is due: ("show", "flop", command).
Trouble = tuple[str, str, cmd.Command]


class Cards(TypedDict, total=False):
    """The cards for `Play` that are not a seat's."""

    dealer: str
    community: str
    box: str


@dataclass(frozen=True, kw_only=True)
class Ending:
    """One ending of one game, with the same cards for every dealing method."""

    game: str
    name: str
    seats: Mapping[int, Seat]
    cards: Cards = field(default_factory=Cards)
    changes: Mapping[str, Any] = field(default_factory=dict)
    trouble: Trouble | None = None
    face_up: Mapping[int, str] = field(default_factory=dict)
    methods: tuple[str, ...] = METHODS

    def dealt(self) -> Iterator[Script]:
        """Return the ending under each of its dealing methods."""
        return (Script(self, method) for method in self.methods)


@dataclass(frozen=True)
class Script:
    """An ending under one dealing method."""

    ending: Ending
    method: str

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.ending.game

    @property
    def name(self) -> str:
        """The file name without extension: "win-hand"."""
        return f"{self.ending.name}-{self.method}"

    def transcript(self) -> str:
        """Play the round and return its transcript."""
        ending = self.ending
        rules = house(ending.game, self.method, **ending.changes)
        played = Play(rules, ending.seats, face_up=ending.face_up, **ending.cards)
        if ending.trouble:
            due, street, command = ending.trouble
            played.until(due, street).do(command)
        played.finish()
        return transcript(rules, played.events, Table(rules))


def every_round() -> Iterator[Script]:
    """Yield every script of every game."""
    for ending in (*TEXAS, *TOP_FIVE, *ULTIMATE, *JACKPOTS, *RUNS):
        yield from ending.dealt()


def texas(name: str, seats: Mapping[int, Seat], dealer: str, board: str, **more: Any) -> Ending:
    """Return an ending of Texas Hold 'Em Bonus."""
    return Ending(
        game=THB, name=name, seats=seats, cards={"dealer": dealer, "community": board}, **more
    )


BONUS = {"ante": 10_00, "texas_holdem_bonus": 5_00}
BOARD = "Kc 4s 4h 9d 2c"
TEXAS = (
    texas("win", {2: Seat("Kh Kd", "2x 1x 1x", **BONUS)}, "Ac Ad", BOARD),
    texas("lose", {2: Seat("Ac Ad", "2x check 1x", **BONUS)}, "Kh Kd", BOARD),
    texas("tie", {2: Seat("2d 3d", "2x check check", ante=10_00)}, "5h 6s", "Ah Kd Qc Js Th"),
    texas("ante-returned", {2: Seat("Ah Ad", "2x 1x check", ante=10_00)}, "Jc Jd", BOARD),
    texas(
        "fold",
        {1: Seat("Jh Js", "fold", **BONUS), 2: Seat("7d 2h", "fold", ante=10_00),
         5: Seat("Ah Kh", "2x check check", **BONUS)},
        "9c 3d",
        BOARD,
    ),
    texas(
        "everyone-folds",
        {1: Seat("7d 2h", "fold", ante=10_00), 3: Seat("8d 3h", "fold", **BONUS)},
        "9c 3d",
        BOARD,
    ),
    texas(
        "payout-limit",
        {2: Seat("As Ac", "2x 1x 1x", ante=500_00, texas_holdem_bonus=100_00)},
        "Ah Ad",
        "Ks 9s 4s 2s 7d",
    ),
    texas(
        "void",
        {2: Seat("Kh Kd", "2x", **BONUS), 4: Seat("7d 2h", "fold", ante=10_00)},
        "Ac Ad",
        BOARD,
        trouble=("show", "flop", cmd.FindWrongNumber("community")),
    ),
    texas(
        "void-bonus-settled",
        {2: Seat("Kh Kd", "2x", **BONUS), 4: Seat("7d 2h", "fold", **BONUS)},
        "Ac Ad",
        BOARD,
        trouble=("show", "flop", cmd.ExposeDealerCard()),
    ),
    texas("set-aside", {2: Seat("Kh Kd", "2x 1x 1x", **BONUS)}, "Ac Ad", BOARD, face_up={1: "5s"}),
)  # fmt: skip


def top_five(name: str, seats: Mapping[int, Seat], dealer: str, **more: Any) -> Ending:
    """Return an ending of Top Five."""
    return Ending(game=TOP, name=name, seats=seats, cards={"dealer": dealer}, **more)


BONUSES = {"ante": 10_00, "top_five_bonus": 5_00, "poker_bonus": 5_00}
THREE_LIVE = "Qh Jd Th 7d 6d 5d 4d"
TOP_FIVE = (
    top_five("win", {1: Seat("As Ah Ks Kd Qs 3d 4c", "1x", **BONUSES)}, THREE_LIVE),
    top_five("lose", {1: Seat("As Ah 8s 7s 6s 3d 4c", "1x", **BONUSES)}, THREE_LIVE),
    top_five("tie", {1: Seat("Qs Jh Td 7s 6s 3d 4c", "1x", **BONUSES)}, THREE_LIVE),
    top_five(
        "fold",
        {1: Seat("As Ah 8s 7s 6s 3d 4c", "fold", **BONUSES),
         2: Seat("9s 9h 8d 7c 6c 3c 2c", "fold", ante=10_00),
         6: Seat("Ks Kh Qs Js 8c 3h 2h", "1x", ante=10_00)},
        THREE_LIVE,
    ),
    top_five("everyone-folds", {3: Seat("9s 9h 8d 7c 6c 3c 2c", "fold", ante=10_00)}, THREE_LIVE),
    top_five(
        "dealer-does-not-qualify",
        {1: Seat("As Ah 8s 7s 6s 3d 4c", "1x", **BONUSES),
         4: Seat("9s 9h 8d 7c 6c 3c 2c", "1x", ante=10_00)},
        "Jh Td 8h 7d 6d 5d 4d",
    ),
    top_five(
        "void",
        {1: Seat("As Ah Ks Kd Qs 3d 4c", "1x", **BONUSES)},
        THREE_LIVE,
        face_up={5: "9c"},
    ),
    top_five(
        "void-count",
        {1: Seat("As Ah Ks Kd Qs 3d 4c", "1x", **BONUSES)},
        THREE_LIVE,
        trouble=("settle", "", cmd.FindWrongCount()),
    ),
    top_five(
        "forfeit",
        {1: Seat("As Ah Ks Kd Qs 3d 4c", "", **BONUSES),
         2: Seat("Kc Kh Qc Js 8c 3h 2h", "1x", ante=10_00)},
        THREE_LIVE,
        trouble=("decide", "play", cmd.Forfeit(1, "conduct", "showed the hand to a neighbour")),
    ),
)  # fmt: skip


def holdem(
    game: str, name: str, seats: Mapping[int, Seat], dealer: str, board: str, **more: Any
) -> Ending:
    """Return an ending of Ultimate Texas Hold 'Em or Jackpot Hold 'Em."""
    cards = {"dealer": dealer, "community": board} | more.pop("cards", {})
    return Ending(game=game, name=name, seats=seats, cards=cards, **more)


PLAIN = {"ante": 10_00, "blind": 10_00}
SIDES = PLAIN | {"trips": 5_00, "progressive": 1_00}
EVERYTHING = SIDES | {
    "six_card_bonus": 5_00,
    "ultimate_pairs": 5_00,
    "bad_beat": 5_00,
    "play_the_board": 5_00,
}
FLUSH_BOARD, TRIPS_BOARD, ROYAL_BOARD = "6h 4h 2h Kc Qd", "Qs 8c 3d 5h Jc", "Qs Js Ts 2h 5d"
ULTIMATE = (
    holdem(UTH, "win", {3: Seat("Ah 9h", "4x", **EVERYTHING)}, "Ks Jd", FLUSH_BOARD),
    holdem(UTH, "lose", {3: Seat("8h 8d", "check 2x", **EVERYTHING)}, "Qh Qd", TRIPS_BOARD),
    holdem(UTH, "tie", {3: Seat("2c 3d", "check check 1x", **PLAIN)}, "4h 5s", "Ah Ad Qc Js Th"),
    holdem(
        UTH,
        "fold",
        {1: Seat("8h 8d", "check check fold", **SIDES),
         2: Seat("7d 2h", "check check fold", **PLAIN),
         5: Seat("Qh Qd", "3x", **PLAIN)},
        "Ks 4d",
        TRIPS_BOARD,
    ),
    holdem(
        UTH,
        "everyone-folds",
        {1: Seat("7d 2h", "check check fold", **PLAIN),
         2: Seat("9d 4c", "check check fold", **SIDES)},
        "Ks 4d",
        TRIPS_BOARD,
    ),
    holdem(
        UTH,
        "dealer-does-not-qualify",
        {1: Seat("Kh Jd", "4x", **PLAIN), 2: Seat("4h 6c", "check check 1x", **PLAIN)},
        "Td 7c",
        "8c 5s 3d 2h 9c",
    ),
    holdem(
        UTH,
        "royal-with-envy",
        {1: Seat("9s 8s", "check check 1x", **SIDES),
         3: Seat("As Ks", "4x", **SIDES),
         6: Seat("7d 2c", "check check fold", **SIDES)},
        "9h 9c",
        ROYAL_BOARD,
    ),
    holdem(
        UTH,
        "payout-limit",
        {2: Seat("As Ks", "4x", ante=100_00, blind=100_00, trips=5_00, progressive=1_00)},
        "9h 9c",
        ROYAL_BOARD,
        changes={"payout_limit": 50_000},
    ),
    holdem(
        UTH,
        "super-royal",
        {2: Seat("Td 9d", "4x", **PLAIN, trips=5_00, six_card_bonus=5_00)},
        "7h 7c",
        "8c 5s 3d 2h 3c",
        cards={"box": "Ad Kd Qd Jd"},
    ),
    holdem(
        UTH,
        "void",
        {2: Seat("8h 8d", "check", **SIDES)},
        "Qh Qd",
        TRIPS_BOARD,
        trouble=("show", "flop", cmd.FindWrongNumber("seat 2")),
    ),
    holdem(
        UTH,
        "void-trips-settled",
        {2: Seat("8h 8d", "check", **SIDES), 3: Seat("7d 2h", "check", **PLAIN)},
        "Qh Qd",
        TRIPS_BOARD,
        trouble=("show", "flop", cmd.ExposeDealerCard()),
    ),
    holdem(
        UTH, "set-aside", {3: Seat("Ah 9h", "4x", **PLAIN)}, "Ks Jd", FLUSH_BOARD,
        face_up={1: "5s"},
    ),
)  # fmt: skip

XTRA = {"ante": 10_00, "xtra_bonus": 10_00}
JACKPOT_SIDES = XTRA | {"player_bonus": 5_00, "progressive": 1_00}
RED_ROYAL = "Qd Jd Td 2h 5c"
JACKPOTS = (
    holdem(JACKPOT, "win", {3: Seat("Ah 9h", "3x", **JACKPOT_SIDES)}, "Ks Jd", FLUSH_BOARD),
    holdem(JACKPOT, "lose", {3: Seat("8h 8d", "check 2x", **JACKPOT_SIDES)}, "Qh Qd", TRIPS_BOARD),
    holdem(JACKPOT, "tie", {3: Seat("2c 3d", "check check 1x", **XTRA)}, "4h 5s", "Ah Ad Qc Js Th"),
    holdem(
        JACKPOT,
        "fold",
        {1: Seat("8h 8d", "check check fold", **JACKPOT_SIDES),
         2: Seat("7d 2h", "check check fold", **XTRA),
         5: Seat("Qh Qd", "3x", **XTRA)},
        "Ks 4d",
        TRIPS_BOARD,
    ),
    holdem(
        JACKPOT,
        "everyone-folds",
        {1: Seat("7d 2h", "check check fold", **XTRA)},
        "Ks 4d",
        TRIPS_BOARD,
    ),
    holdem(
        JACKPOT,
        "dealer-does-not-qualify",
        {1: Seat("Kh Jd", "3x", **XTRA), 2: Seat("4h 6c", "check check 1x", **XTRA)},
        "Td 7c",
        "8c 5s 3d 2h 9c",
    ),
    holdem(
        JACKPOT,
        "royal-of-diamonds",
        {3: Seat("Ad Kd", "3x", **JACKPOT_SIDES), 4: Seat("7s 2c", "check 2x", **JACKPOT_SIDES)},
        "9h 9c",
        RED_ROYAL,
    ),
    holdem(
        JACKPOT,
        "payout-limit",
        {2: Seat("As Ks", "3x", ante=100_00, xtra_bonus=100_00, player_bonus=5_00)},
        "9h 9c",
        ROYAL_BOARD,
        changes={"payout_limit": 50_400},
    ),
    holdem(
        JACKPOT,
        "void",
        {2: Seat("8h 8d", "check", **JACKPOT_SIDES)},
        "Qh Qd",
        TRIPS_BOARD,
        trouble=("show", "flop", cmd.ExposeCommunityCard()),
    ),
    holdem(
        JACKPOT,
        "void-bonus-settled",
        {2: Seat("8h 8d", "check", **JACKPOT_SIDES), 3: Seat("7d 2h", "check", **XTRA)},
        "Qh Qd",
        TRIPS_BOARD,
        trouble=("show", "flop", cmd.ExposeDealerCard()),
    ),
)  # fmt: skip


def runs(name: str, seats: Mapping[int, Seat], cross: str, **more: Any) -> Ending:
    """Return an ending of Run 'Em Twice; the cross is left, right, top, bottom, center."""
    return Ending(game=RUN, name=name, seats=seats, cards={"community": cross}, **more)


ANTES = {"first_ante": 10_00, "second_ante": 10_00}
ALL_RUNS = ANTES | {"five_card_bonus": 5_00, "ultimate_pairs_bonus": 5_00, "progressive": 1_00}
RUNS = (
    runs("win", {1: Seat("Kh 9d", "1x 2x 3x", **ALL_RUNS)}, "Ks 4d 9s Kc 7c"),
    runs("lose", {1: Seat("Kh 9d", "1x 2x 3x", **ALL_RUNS)}, "3s 4d 6s 5d 7c"),
    runs("push-and-lose", {1: Seat("Kh 9d", "1x 2x 3x", **ANTES)}, "9s 4d 3s 5d 7c"),
    runs(
        "fold",
        {1: Seat("2h 7d", "fold", **ALL_RUNS), 2: Seat("3h 8d", "1x fold", **ANTES),
         3: Seat("4h 9d", "1x 2x fold", **ALL_RUNS), 6: Seat("Kh Qh", "3x 3x 3x", **ANTES)},
        "Ks 4d 9s Kc 7c",
    ),
    runs("everyone-folds", {1: Seat("2h 7d", "fold", **ALL_RUNS)}, "Ks 4d 9s Kc 7c"),
    runs(
        "royal-with-envy",
        {2: Seat("2h 7d", "1x fold", **ALL_RUNS), 4: Seat("Ts Js", "3x 3x 3x", **ALL_RUNS)},
        "As Ks Qd 2c Qs",
    ),
    runs(
        "payout-limit",
        {4: Seat("Ts Js", "3x 3x 3x", first_ante=50_00, second_ante=50_00)},
        "As Ks 9s 8s Qs",
    ),
    runs("void", {1: Seat("Kh 9d", "1x 2x 3x", **ALL_RUNS)}, "Ks 4d 9s Kc 7c", face_up={6: "As"}),
    runs(
        "skipped-player",
        {1: Seat("Kh 9d", "1x 2x 3x", **ALL_RUNS), 3: Seat("", "1x 1x 1x", **ALL_RUNS)},
        "Ks 4d 9s Kc 7c",
        trouble=("deal", "first", cmd.SkipPlayer(1)),
    ),
    runs(
        "any-amount",
        {1: Seat("Kh 9d", "1500c 1000c 2999c", **ANTES)},
        "Ks 4d 9s Kc 7c",
        changes={"run_bet_steps": "any_amount"},
    ),
)  # fmt: skip

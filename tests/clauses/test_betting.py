"""Betting rules of every game (chapter 7): wagers, amounts, boxes and the betting window."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.errors import BadInput
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    refuses,
)

# The clause of the same rule in each game.
WINDOW = {THB: "7.D", TOP: "7.C", UTH: "7.D", JACKPOT: "7.D", RUN: "7.C"}
LATE = {THB: "7.E", TOP: "7.D", UTH: "7.E", JACKPOT: "7.E", RUN: "7.D"}
MAIN = {THB: "7.F.1", TOP: "7.E.1", UTH: "7.F.1", JACKPOT: "7.F.1", RUN: "7.E.1"}
BOXES = {TOP: "7.F", UTH: "7.G", JACKPOT: "7.G"}
FIRST_WORDS = {
    THB: ("1.A",),
    TOP: ("1.A", "1.B.1", "1.B.5", "1.B.7", "1.B.8"),
    UTH: ("1.A",),
    JACKPOT: ("1.A", "1.B.1", "1.B.6"),
    RUN: ("1.A", "1.B.1", "1.B.5", "1.B.7"),
}
FIRST_OPTION = {THB: "7.F.2", TOP: "7.E.2.a", UTH: "7.F.5", JACKPOT: "7.F.2", RUN: "7.E.2.a"}
OPTIONAL = [
    (THB, "texas_holdem_bonus", ("7.D",)),
    (TOP, "top_five_bonus", ("7.E.2.a", "1.B.3")),
    (TOP, "poker_bonus", ("7.E.2.b", "1.B.3")),
    (UTH, "trips", ("7.F.2", "1.B.7")),
    (UTH, "progressive", ("7.F.3.a",)),
    (UTH, "ultimate_pairs", ("7.F.5",)),
    (UTH, "bad_beat", ("7.F.6",)),
    (UTH, "play_the_board", ("7.F.7",)),
    (JACKPOT, "player_bonus", ("7.F.2", "1.B.5")),
    (JACKPOT, "progressive", ("7.F.3.a",)),
    (RUN, "five_card_bonus", ("7.E.2.a", "1.B.2")),
    (RUN, "ultimate_pairs_bonus", ("7.E.2.b", "1.B.2")),
    (RUN, "progressive", ("7.E.2.c", "1.B.2")),
]


def per_game(*clauses: dict[str, str]) -> list[Any]:
    """One case per game of the first index, claiming its clause in every index."""
    return [
        pytest.param(game, marks=pytest.mark.proves(game, *(index[game] for index in clauses)))
        for game in clauses[0]
    ]


def refused(table: Table, command: cmd.Command, clause: str) -> None:
    """Assert that the command is refused under this clause and changes nothing."""
    before = repr((table.round, table.meters, table.rounds_played))
    with refuses(clause):
        table.do(command)
    assert before == repr((table.round, table.meters, table.rounds_played))


@pytest.mark.parametrize("game", per_game(MAIN, WINDOW))
def test_the_compulsory_wagers_open_a_box(game: str) -> None:
    """A box needs its compulsory wagers and nothing else."""
    rules = house(game)
    table = Table(rules)
    table.do(cmd.PlaceWagers(2, opening_wagers(rules, 2500)))
    assert table.round is not None
    assert opening_wagers(rules, 2500) == table.round.boxes[2].stakes


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, *c)) for g, c in FIRST_WORDS.items()]
)
def test_a_round_opens_with_its_first_wager(game: str) -> None:
    """The first wager opens a numbered round under the House's digest; the second does not."""
    rules = house(game)
    table = Table(rules)
    first = table.do(cmd.PlaceWagers(1, opening_wagers(rules)))
    second = table.do(cmd.PlaceWagers(2, opening_wagers(rules)))
    assert [ev.RoundOpened, ev.WagersPlaced] == [type(event) for event in first]
    assert [ev.WagersPlaced] == [type(event) for event in second]
    assert isinstance(first[0], ev.RoundOpened)
    assert (1, rules.digest) == (first[0].number, first[0].house)


@pytest.mark.parametrize(
    ("game", "wager"),
    [pytest.param(g, w, marks=pytest.mark.proves(g, *c), id=f"{g}-{w}") for g, w, c in OPTIONAL],
)
def test_an_optional_wager_joins_the_compulsory_ones(game: str, wager: str) -> None:
    """An optional wager is accepted with the compulsory ones and never without them."""
    rules = house(game)
    table = Table(rules)
    stake = 100 if wager == "progressive" else 700
    refused(table, cmd.PlaceWagers(1, {wager: stake}), MAIN[game])
    table.do(cmd.PlaceWagers(1, opening_wagers(rules, 1000, **{wager: stake})))
    assert table.round is not None
    assert stake == table.round.boxes[1].stakes[wager]


@pytest.mark.proves(UTH, "7.F.4.b", "7.F.2")
def test_the_six_card_bonus_needs_ante_blind_and_trips() -> None:
    """The Six Card Bonus needs a Trips wager (A73)."""
    rules = house(UTH)
    stakes = opening_wagers(rules, six_card_bonus=500)
    refused(Table(rules), cmd.PlaceWagers(1, stakes), "7.F.4.b")
    table = Table(rules)
    table.do(cmd.PlaceWagers(1, stakes | {"trips": 500}))


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        pytest.param(UTH, "blind", marks=pytest.mark.proves(UTH, "7.F.1")),
        pytest.param(JACKPOT, "xtra_bonus", marks=pytest.mark.proves(JACKPOT, "7.F.1")),
        pytest.param(RUN, "second_ante", marks=pytest.mark.proves(RUN, "7.E.1")),
    ],
)
@pytest.mark.parametrize("other", [0, 999, 1001, 2000])
def test_the_second_compulsory_wager_equals_the_ante(game: str, wager: str, other: int) -> None:
    """One cent more or less than the Ante is refused, and so is no wager."""
    rules = house(game)
    stakes = opening_wagers(rules, 1000) | {wager: other}
    refused(Table(rules), cmd.PlaceWagers(1, stakes), MAIN[game])


@pytest.mark.parametrize("game", per_game(WINDOW))
def test_wagers_change_freely_before_no_more_bets(game: str) -> None:
    """Before betting closes a wager may be raised, lowered and withdrawn."""
    rules = house(game)
    table = Table(rules)
    for ante in (1000, 2500, 500):
        table.do(cmd.PlaceWagers(1, opening_wagers(rules, ante)))
        assert table.round is not None
        assert opening_wagers(rules, ante) == table.round.boxes[1].stakes
    table.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(rules), 0)))
    assert table.round is not None
    assert table.round.boxes == {}


@pytest.mark.parametrize("game", per_game(LATE))
@pytest.mark.parametrize("change", ["new", "raised", "withdrawn"])
def test_no_wager_after_no_more_bets(game: str, change: str) -> None:
    """After "no more bets" nothing is placed, raised or withdrawn."""
    rules = house(game)
    started = Play(rules, {2: Seat(**opening_wagers(rules))}).open()
    late = {
        "new": cmd.PlaceWagers(3, opening_wagers(rules)),
        "raised": cmd.PlaceWagers(2, opening_wagers(rules, 2000)),
        "withdrawn": cmd.PlaceWagers(2, dict.fromkeys(opening_wagers(rules), 0)),
    }[change]
    refused(started.table, late, LATE[game])


@pytest.mark.parametrize(
    ("game", "wager", "clause"),
    [
        pytest.param(game, wager, clause, marks=pytest.mark.proves(game, clause))
        for game, wager, clause in [
            (THB, "flop", "7.F.1"),
            (TOP, "play", "7.E.1"),
            (UTH, "play", "7.F.1"),
            (JACKPOT, "play", "7.F.1"),
            (RUN, "first_run", "7.E.1"),
        ]
    ],
)
def test_a_decision_wager_waits_for_its_street(game: str, wager: str, clause: str) -> None:
    """A wager of chapter 11 is refused before the deal."""
    rules = house(game)
    stakes = opening_wagers(rules, 1000, **{wager: 1000})
    refused(Table(rules), cmd.PlaceWagers(1, stakes), clause)


@pytest.mark.parametrize(
    ("game", "wager"),
    [(game, rules) for game in EVERY_GAME for rules in ("ante", "optional")],
)
@pytest.mark.parametrize(
    ("cents", "taken"), [(499, False), (500, True), (501, True)] + [(10000, True), (10001, False)]
)
def test_a_limit_holds_to_the_cent(game: str, wager: str, cents: int, taken: bool) -> None:
    """A cent below the minimum or above the maximum is refused; the limits are accepted."""
    names: dict[str, str] = {w.role: w.name for w in reversed(house(game).game.wagers)}
    limited = names[wager]
    rules = house(game, limits={limited: (5, 100)})
    ante = cents if wager == "ante" else 1000
    stakes = opening_wagers(rules, ante, **({} if wager == "ante" else {limited: cents}))
    command = cmd.PlaceWagers(1, stakes)
    if taken:
        table = Table(rules)
        table.do(command)
        assert table.round is not None
        assert stakes == table.round.boxes[1].stakes
    else:
        refused(Table(rules), command, "A69")


@pytest.mark.parametrize("game", [UTH, JACKPOT, RUN])
@pytest.mark.parametrize(("dollars", "cents"), [(1, 99), (1, 101), (1, 500), (5, 499), (5, 100)])
def test_the_progressive_takes_one_stake(game: str, dollars: int, cents: int) -> None:
    """The progressive accepts only the submitted stake."""
    rules = house(game, progressive_stake=dollars)
    stakes = opening_wagers(rules, progressive=cents)
    refused(Table(rules), cmd.PlaceWagers(1, stakes), "A47")
    table = Table(rules)
    table.do(cmd.PlaceWagers(1, opening_wagers(rules, progressive=dollars * 100)))
    assert table.round is not None
    assert dollars * 100 == table.round.boxes[1].stakes["progressive"]


@pytest.mark.parametrize(
    ("game", "positions"),
    [
        *((game, 6) for game in EVERY_GAME),
        *((game, number) for game in (THB, UTH, JACKPOT) for number in (1, 4)),
    ],
)
def test_a_table_has_the_positions_of_its_submission(game: str, positions: int) -> None:
    """A box for every position, and no box below 1 or above the last."""
    rules = house(game, table={"positions": positions})
    places = "2.A.1" if game in (TOP, RUN) else "2.A"
    table = Table(rules)
    for seat in (0, positions + 1, 7, -1):
        refused(table, cmd.PlaceWagers(seat, opening_wagers(rules)), places)
    for seat in range(1, positions + 1):
        table.do(cmd.PlaceWagers(seat, opening_wagers(rules)))
    assert table.round is not None
    assert list(range(1, positions + 1)) == sorted(table.round.boxes)


@pytest.mark.parametrize("game", per_game(BOXES))
def test_one_player_bets_adjacent_boxes_only(game: str) -> None:
    """The boxes of one player are adjacent, and no more than the submission allows."""
    rules = house(game, table={"max_adjacent_boxes": 2})
    table = Table(rules)
    table.do(cmd.PlaceWagers(2, opening_wagers(rules), "Ann"))
    refused(table, cmd.PlaceWagers(4, opening_wagers(rules), "Ann"), BOXES[game])
    table.do(cmd.PlaceWagers(3, opening_wagers(rules), "Ann"))
    refused(table, cmd.PlaceWagers(4, opening_wagers(rules), "Ann"), BOXES[game])
    table.do(cmd.PlaceWagers(4, opening_wagers(rules), "Bob"))
    assert table.round is not None
    assert {2: "Ann", 3: "Ann", 4: "Bob"} == {n: b.player for n, b in table.round.boxes.items()}


@pytest.mark.proves(THB, "7.H")
def test_texas_gives_a_player_one_box() -> None:
    """In Texas Hold 'Em Bonus a player bets on one box."""
    rules = house(THB)
    table = Table(rules)
    table.do(cmd.PlaceWagers(2, opening_wagers(rules), "Ann"))
    refused(table, cmd.PlaceWagers(3, opening_wagers(rules), "Ann"), "7.H")


def test_run_em_twice_gives_a_player_one_box() -> None:
    """Run 'Em Twice does not say, so a player has one box (A77)."""
    rules = house(RUN)
    table = Table(rules)
    table.do(cmd.PlaceWagers(2, opening_wagers(rules), "Ann"))
    refused(table, cmd.PlaceWagers(3, opening_wagers(rules), "Ann"), "A77")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_stake_is_not_negative(game: str) -> None:
    """A negative stake is refused."""
    rules = house(game)
    stakes = opening_wagers(rules) | {rules.game.ante.name: -1}
    refused(Table(rules), cmd.PlaceWagers(1, stakes), "7.A")


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("amount", [10.5, "1000", None, True])
def test_a_stake_is_whole_cents(game: str, amount: Any) -> None:
    """An amount that is not an integer is bad input."""
    rules = house(game)
    table = Table(rules)
    with pytest.raises(BadInput, match="wagers"):
        table.do(cmd.PlaceWagers(1, opening_wagers(rules) | {rules.game.ante.name: amount}))
    assert table.round is None


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_wager_that_is_not_offered_is_refused(game: str) -> None:
    """A wager left out of the submission, or made up, is refused."""
    optional = next(w.name for w in house(game).game.wagers if w.role == "optional")
    if optional == "trips":
        optional = "ultimate_pairs"
    rules = house(game, without=[optional])
    for name in (optional, "insurance"):
        clause = FIRST_OPTION[game] if name == optional else MAIN[game]
        with refuses(clause, match=f"{name} is not offered here"):
            Table(rules).do(cmd.PlaceWagers(1, opening_wagers(rules, 1000, **{name: 500})))


def test_an_even_ante_may_be_required() -> None:
    """With `require_even_ante`, odds of 3 to 2 always pay whole dollars (A24)."""
    rules = house(UTH, chip_rounding="require_even_ante")
    refused(Table(rules), cmd.PlaceWagers(1, opening_wagers(rules, 1500)), "A24")
    Table(rules).do(cmd.PlaceWagers(1, opening_wagers(rules, 1600)))


CLOSING = {
    (THB, "manual_shoe"): ("8.C",),
    (THB, "hand"): ("9.B.1",),
    (THB, "automated_shoe"): ("10.A.2",),
    (TOP, "manual_shoe"): ("8.C",),
    (TOP, "hand"): ("9.A.5",),
    (TOP, "automated_shoe"): ("10.A.2",),
    (UTH, "manual_shoe"): ("8.C.1", "8.C.2"),
    (UTH, "hand"): ("9.A.3", "9.A.3.a"),
    (UTH, "automated_shoe"): ("10.A.2.a", "10.A.2.b.i"),
    (JACKPOT, "manual_shoe"): ("8.C.1", "8.C.2"),
    (JACKPOT, "hand"): ("9.A.3", "9.A.3.a"),
    (JACKPOT, "automated_shoe"): ("10.A.2.a", "10.A.2.b.i"),
    (RUN, "manual_shoe"): ("8.C.1", "8.C.2"),
    (RUN, "hand"): ("9.A.5", "9.A.5.a"),
    (RUN, "automated_shoe"): ("10.A.2.a", "10.A.2.b.i"),
}


@pytest.mark.parametrize(
    ("game", "method"),
    [pytest.param(*key, marks=pytest.mark.proves(key[0], *c)) for key, c in CLOSING.items()],
)
def test_the_betting_closes_before_a_card_leaves(game: str, method: str) -> None:
    """No card is dealt before "no more bets"; then the progressive system is locked."""
    rules = house(game, method)
    table = Table(rules)
    no_more_bets = CLOSING[game, method][0]
    refused(table, cmd.NoMoreBets(), MAIN[game])
    progressive = {"progressive": 100} if rules.offers("progressive") else {}
    table.do(cmd.PlaceWagers(1, opening_wagers(rules, **progressive)))
    table.do(cmd.PlaceWagers(3, opening_wagers(rules)))
    refused(table, cmd.DealCards(("2c",)), no_more_bets)
    events = table.do(cmd.NoMoreBets())
    refused(table, cmd.NoMoreBets(), no_more_bets)
    assert isinstance(events[0], ev.BettingClosed)
    assert (1, 3) == events[0].seats
    if progressive:
        locked = events[1]
        assert isinstance(locked, ev.ProgressiveLocked)
        assert locked.accepted == 1
        before = {name: Fraction(meter.initial) for name, meter in rules.meters.items()}
        rates = {name: meter.rate_percent for name, meter in rules.meters.items()}
        assert {name: before[name] + rates[name] for name in before} == table.meters

"""Every line of every paytable of every wager, paid to the cent on cards that make its hand.

The expected odds are typed from the documents (`tests.analysis.known_values.odds`), not read from
the data of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from croupier import rulebook
from croupier.table import events as ev
from tests.analysis.known_values import odds
from tests.analysis.known_values.odds import Line
from tests.clauses.examples import STAYING, examples, progressive_example
from tests.support.rounds import Play, Seat, house, opening_wagers, play

STAKE = 15_00
METERS = {  # before the round, in cents; all different, so that an award shows which meter paid it
    "meter": "2345678.25",
    "mega": "3456789.5",
    "major": "456789",
    "minor": "56789.75",
    "star": "1234567.125",
    "spade": "1345678",
    "heart": "567891.1",
    "diamond": "234567",
    "club": "34567.01",
}


def owed(pays: str, stake: int, meters: dict[str, Fraction]) -> int:
    """The amount returned for a stake by the printed odds of a line."""
    if pays == "push":
        return stake
    if pays.startswith("$"):
        return stake + int(pays[1:].replace(",", "")) * 100
    number, word, rest = pays.replace(",", "").split(maxsplit=2)
    if word == "of":
        return ceil(meters[rest] * int(number.rstrip("%")) / 100)
    winnings = ceil(Fraction(stake * int(number), int(rest)))
    return winnings if word == "for" else stake + winnings


def every_line() -> Iterator[Any]:
    """Game, wager, letter, line and cards of every printed line except envy."""
    for game in odds.GAMES:
        for table in odds.tables(game):
            for line in table.lines if table.wager != "envy" else ():
                yield from cases(game, table.wager, table.letter, line)


def cases(game: str, wager: str, letter: str, line: Line) -> Iterator[Any]:
    """One case per example of a line; a run is proved in both directions."""
    for placed in ("first_run", "second_run") if wager == "run" else (wager,):
        if wager == "progressive":
            deals = [progressive_example(game, line.hand)]
        else:
            deals = examples(placed, line.hand)
        for number, cards in enumerate(deals):
            yield pytest.param(
                game,
                placed,
                letter,
                line,
                cards,
                id=f"{game}-{placed}-{letter}-{line.hand}-{number}",
                marks=pytest.mark.proves(game, line.clause),
            )


def table_for(game: str, wager: str, letter: str) -> dict[str, Any]:
    """The arguments of `house` for a paytable letter."""
    return {} if letter == "fixed" else {"letters": {wager: letter}}


def stakes_with(game: str, wager: str) -> dict[str, int]:
    """The stakes of a box with the wager."""
    extra = {"progressive": 100} if wager == "progressive" else {wager: STAKE}
    if wager == "six_card_bonus":
        extra["trips"] = STAKE
    if wager in ("first_run", "second_run"):
        extra = {}
    return opening_wagers(house(game), STAKE, **extra)


def show_down(game: str, wager: str, letter: str, cards: dict[str, str], **choices: Any) -> Play:
    """A round of one seat with the wager and the cards, played to the end."""
    rules = house(game, **table_for(game, wager, letter), **choices)
    cards = dict(cards)
    seat = Seat(cards.pop("own"), STAYING[game], **stakes_with(game, wager))
    meters = {name: METERS[name] for name in rules.meters}
    return play(rules, {3: seat}, meters=meters, **cards)


@pytest.mark.parametrize(("game", "wager", "letter", "line", "cards"), [*every_line()])
def test_a_line_pays_its_odds(
    game: str, wager: str, letter: str, line: Line, cards: dict[str, str]
) -> None:
    """The hand of a line pays exactly its odds, under its own clause."""
    played = show_down(game, wager, letter, cards)
    rules = played.house
    stake = stakes_with(game, wager).get(wager, STAKE)
    contributed = {
        name: Fraction(METERS[name]) + (meter.contribution(stake) if wager == "progressive" else 0)
        for name, meter in rules.meters.items()
    }
    assert owed(line.pays, stake, contributed) == played.returned(3)[wager]
    assert line.clause == played.clauses(3)[wager]
    assert ("push" if line.pays == "push" else "win") == played.outcomes(3)[wager]


PRINTED = [table for game in odds.GAMES for table in odds.tables(game)]


@pytest.mark.parametrize("printed", PRINTED, ids=lambda table: "-".join(table[:3]))
def test_the_engine_pays_from_the_printed_table(printed: odds.Table) -> None:
    """The engine has the printed hands, odds and clauses, in the printed order."""
    table = rulebook.paytable(printed.game, printed.wager, printed.letter)
    lines = [(line.clause, line.hand, str(line.pays).replace(",", "")) for line in table.lines]
    assert list(printed.lines) == lines
    assert printed.clause == table.clause


@pytest.mark.parametrize("game", odds.GAMES)
def test_no_table_is_left_out_or_made_up(game: str) -> None:
    """The engine has exactly the printed letters and the printed meter floors."""
    typed: dict[str, list[str]] = {}
    for table in odds.tables(game):
        typed.setdefault(table.wager, []).append(table.letter)
    for wager, letters in typed.items():
        assert sorted(letters) == sorted(rulebook.letters(game, wager))
    floors = dict(odds.floors(game))
    assert sorted(floors) == sorted(rulebook.letters(game, "meters"))
    for letter, printed in floors.items():
        known = rulebook.meter_floors(game, letter)
        assert list(printed) == [(one.clause, one.meter, one.minimum_dollars) for one in known]


# The best hand below a paytable, by wager.
UNPAID = [
    ("texas_holdem_bonus", "texas_holdem_bonus", "AB", {"own": "Kh Qh"}),
    ("top_five", "top_five_bonus", "ABC", "count_3"),
    ("top_five", "poker_bonus", "AC", "pair_Q"),
    ("top_five", "poker_bonus", "B", "pair_A"),
    ("ultimate_texas_holdem", "trips", "ABCDE", "two_pair"),
    ("ultimate_texas_holdem", "progressive", "ABCD", "two_pair"),
    ("ultimate_texas_holdem", "six_card_bonus", "AB", {"own": "Jh Jd", "box": "8c 8s 3d Kc"}),
    ("ultimate_texas_holdem", "ultimate_pairs", "ABCDEF", {"own": "Ah Th"}),
    ("ultimate_texas_holdem", "bad_beat", "ABC", "two_pair"),
    ("ultimate_texas_holdem", "play_the_board", "ABC", "pair_9"),
    ("jackpot_holdem", "player_bonus", "A", "two_pair"),
    ("jackpot_holdem", "progressive", "AB", "pair_A"),
    ("jackpot_holdem", "progressive", "CDE", "two_pair"),
    ("run_em_twice", "five_card_bonus", ("fixed",), "pair_5"),
    ("run_em_twice", "ultimate_pairs_bonus", "ABCDE", {"own": "Kh Qh"}),
    ("run_em_twice", "progressive", "ABCD", "two_pair"),
]


def claiming(game: str, clause: str) -> Any:
    """A claim of a clause; headings of chapter 12 are not claimed."""
    known = {each.id for each in rulebook.clauses(game)}
    return pytest.mark.proves(game, clause) if clause in known else ()


UNPAID_CASES = [
    pytest.param(
        game,
        wager,
        letter,
        hand,
        id=f"{game}-{wager}-{letter}",
        marks=claiming(game, odds.table(game, wager, letter).clause),
    )
    for game, wager, all_letters, hand in UNPAID
    for letter in all_letters
]
NO_BAD_BEAT = {"own": "Jh Jd", "community": "8c 8s 3d 5h Kc", "dealer": "9h 9d"}


@pytest.mark.parametrize(("game", "wager", "letter", "hand"), UNPAID_CASES)
def test_a_hand_below_the_last_line_loses(
    game: str, wager: str, letter: str, hand: str | dict[str, str]
) -> None:
    """The best hand below the paytable loses."""
    if wager == "bad_beat":
        cards = NO_BAD_BEAT
    elif isinstance(hand, dict):
        cards = hand
    elif wager == "progressive":
        cards = progressive_example(game, hand)
    else:
        cards = examples(wager, hand)[0]
    played = show_down(game, wager, letter, cards)
    assert played.returned(3)[wager] == 0
    assert played.outcomes(3)[wager] == "lose"
    assert odds.table(game, wager, letter).clause == played.clauses(3)[wager]


@pytest.mark.proves("run_em_twice", "11.I.3.a")
@pytest.mark.parametrize("run", ["first_run", "second_run"])
def test_a_pair_of_fives_loses_a_run(run: str) -> None:
    """A run below a pair of sixes loses its bet."""
    played = show_down("run_em_twice", run, "fixed", examples(run, "pair_5")[0])
    assert played.returned(3)[run] == 0
    assert played.clauses(3)[run] == "11.I.3.a"


def envy_lines() -> Iterator[Any]:
    """Every line of every envy schedule, by stake."""
    for table in PRINTED:
        for line in table.lines if table.wager == "envy" else ():
            yield pytest.param(
                table.game,
                table.letter[0],
                int(table.letter[1:]),
                line,
                id=f"{table.game}-{table.letter}-{line.hand}",
                marks=pytest.mark.proves(table.game, table.clause, line.clause),
            )


@pytest.mark.parametrize(("game", "letter", "dollars", "line"), [*envy_lines()])
def test_another_players_hand_pays_its_envy_bonus(
    game: str, letter: str, dollars: int, line: Line
) -> None:
    """A progressive bettor is paid the fixed sum for another player's hand."""
    rules = house(game, letters={"progressive": letter}, progressive_stake=dollars)
    cards = progressive_example(game, line.hand)
    own = cards.pop("own")
    stakes = opening_wagers(rules, progressive=dollars * 100)
    bystander = opening_wagers(rules)
    played = play(
        rules,
        {
            2: Seat("3s 8c", STAYING[game], **stakes),
            4: Seat(own, STAYING[game], **stakes),
            5: Seat("3h 8d", STAYING[game], **bystander),
        },
        **cards,
    )
    fixed = int(line.pays.removeprefix("$")) * 100
    assert [(2, 4, fixed, line.clause)] == [
        (paid.seat, paid.holder, paid.paid, paid.clause) for paid in played.of(ev.EnvyPaid)
    ]
    assert (fixed, 0, 0) == tuple(played.box(seat).envy for seat in (2, 4, 5))

"""What is typed is understood, or refused with a clause and asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.errors import BadInput, UnknownGame
from croupier.games import CATALOGUE, GAMES
from croupier.submission import example_path
from croupier.terminal.io.input_parser import pick_game, pick_option
from croupier.terminal.render.rules_pages import meaning
from tests.terminal.scripted_sessions import answer


@pytest.mark.parametrize(
    ("game", "street", "typed", "word"),
    [
        ("ultimate_texas_holdem", 0, "4", "4x"),
        ("ultimate_texas_holdem", 0, "3", "3x"),
        ("ultimate_texas_holdem", 0, "c", "check"),
        ("ultimate_texas_holdem", 1, "bet", "2x"),
        ("ultimate_texas_holdem", 2, "play", "1x"),
        ("ultimate_texas_holdem", 2, "f", "fold"),
        ("texas_holdem_bonus", 0, "2", "2x"),
        ("texas_holdem_bonus", 1, "1", "1x"),
        ("texas_holdem_bonus", 1, "turn", "1x"),
        ("run_em_twice", 2, "3x", "3x"),
    ],
)
def test_a_number_is_a_multiple_and_a_beginning_is_enough(
    game: str, street: int, typed: str, word: str
) -> None:
    """A digit never means a place in a list: "2" before Texas' flop is the bet, not the fold."""
    assert (word, None) == pick_option(typed, GAMES[game].streets[street])


def test_amounts_are_marked_with_a_dollar_sign() -> None:
    """Where any amount may be bet, "$15" is 1,500 cents; elsewhere the table refuses it."""
    street = GAMES["run_em_twice"].streets[0]

    assert ("1500c", 1500) == pick_option("$15", street)
    assert ("$1.005", None) == pick_option("$1.005", street)


def test_every_option_of_every_game_can_be_typed() -> None:
    """Its own word always means the option."""
    for game in CATALOGUE:
        for street in game.streets:
            for option in street.options:
                assert (option.word, None) == pick_option(option.word, street)


def test_a_first_letter_folds_or_checks_everywhere() -> None:
    """ "f" never means the Flop, "c" never the Center where one may check."""
    for game in CATALOGUE:
        for street in game.streets:
            for option in street.options:
                if not option.wager:
                    assert (option.word, None) == pick_option(option.word[0], street)


def test_an_ambiguous_bet_is_asked_back() -> None:
    """ "play" may be three or four times the Ante."""
    with pytest.raises(BadInput, match="3x or 4x"):
        pick_option("play", GAMES["ultimate_texas_holdem"].streets[0])


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("1", "texas_holdem_bonus"),
        ("texas", "texas_holdem_bonus"),
        ("Top Five", "top_five"),
        ("holdem bonus", "texas_holdem_bonus"),
        ("ultimate_texas_holdem", "ultimate_texas_holdem"),
        ("run", "run_em_twice"),
        ("run 'em twice", "run_em_twice"),
        ("j", "jackpot_holdem"),
    ],
)
def test_games_are_found_by_number_or_name(typed: str, key: str) -> None:
    """Numbers, keys, titles and beginnings."""
    assert key == pick_game(typed).key


@pytest.mark.parametrize("typed", ["t", "0", "6", "blackjack", "²", "1.5"])
def test_other_games_are_not_found(typed: str) -> None:
    """The message lists what there is."""
    with pytest.raises(UnknownGame, match="expected one of"):
        pick_game(typed)


def test_refusals_show_the_clause_and_ask_again(home: Path) -> None:
    """The table's own words, its clause, the clause in our words, and the same prompt."""
    played = answer(home, "", "5x", "raise", "banana", "check", "1x", "q", "y", game="ultimate")

    assert "5x is not offered before the flop; expected 3x or 4x [11.B.1]" in played.text
    assert meaning("ultimate_texas_holdem", "11.B.1") in " ".join(played.text.split())
    assert "raise needs its size here: 3x or 4x" in played.text
    assert "banana is not offered before the flop; expected check or 3x or 4x [11.B]" in played.text
    assert played.text.count("check, 3x or 4x> ") == 4
    assert "1x is not offered after the flop; expected 2x [11.D.1]" in played.text


def test_refused_bets_change_nothing(home: Path) -> None:
    """Limits, wagers not before the deal, odd amounts, and what is no wager at all."""
    bad = ("ante 1000", "ante 0", "trips 3", "blind 20", "play 5", "ante 1.005", "-5", "horse 5")
    played = answer(home, *bad, "six on", "p 5", "", "4x", "q", game="ultimate")

    assert "ante must be $5.00 to $500.00, got $1,000.00 [A69]" in played.text
    assert "the Ante opens the box" in played.text
    assert "trips must be $5.00 to $100.00, got $3.00 [A69]" in played.text
    assert "blind must equal ante ($5.00), got $20.00 [7.F.1]" in played.text
    assert "play is made during the round, not before the deal [7.D]" in played.text
    assert "six_card_bonus needs a trips wager first [7.F.4.b]" in played.text
    assert "'horse' is not understood" in played.text
    assert "p could be" in played.text
    assert "round 1 ─ $990.00" in played.text  # the Ante and Blind of $5 that were there before


def test_a_bet_needs_the_chips_for_it(home: Path) -> None:
    """No credit: neither before the deal nor during the round."""
    played = answer(home, "20", "", "10", "", "4x", "check", "2x", "f", "f", game="u", bankroll=35)

    assert "these bets cost $40.00 and you have $35.00" in played.text
    assert "Play $40 (you have $15.00)" in played.text
    assert "4x needs $40.00 and you have $15.00 left" in played.text
    assert "2x needs $20.00 and you have $15.00 left" in played.text
    assert played.conserved()


def test_who_is_broke_may_buy_chips(home: Path) -> None:
    """A rebuy is remembered as one, so that it is no win."""
    played = answer(home, "", "f", "y", "q", game="top five", bankroll=5)

    assert "You have $0.00; the smallest bets here are $5.00." in played.text
    assert played.bought == 1005_00 and played.bankroll == 1000_00
    assert "-$5.00 today" in played.text


def test_who_is_broke_may_go_home(home: Path) -> None:
    """No and q both leave; nothing is bought."""
    for last in ("n", "q"):
        played = answer(home, "", "f", last, game="top five", bankroll=5)

        assert played.bankroll == 0 and played.bought == 500


def changed_example(folder: Path, game: str, old: str, new: str) -> Path:
    """An example submission with one line changed."""
    text = example_path(game).read_text("utf-8")
    assert old in text
    file = folder / "changed.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def test_any_amount_where_the_operator_allows_it(home: Path, tmp_path: Path) -> None:
    """ "$12.50" on an ante of $10 is a bet between once and three times of it."""
    old, new = 'run_bet_steps = "whole_multiples"', 'run_bet_steps = "any_amount"'
    file = changed_example(tmp_path, "run_em_twice", old, new)
    played = answer(home, "10", "", "$12.50", "$99", "2x", "fold", "q", submission=file)
    strict = answer(home, "10", "", "$12.50", "fold", "q", game="run", bankroll=1000)

    assert "You bet $12.50: 1st Run $12.50. [11.B.1.a]" in played.text
    assert "bet $10.00 to $30.00, got 9900c [11.D]" in played.text
    assert (
        "$12.50 is not offered on two cards; expected 1x or 2x or 3x or fold [11.B.1]"
        in strict.text
    )
    assert played.conserved() and strict.conserved()


def test_the_smallest_bets_are_those_the_table_takes(home: Path, tmp_path: Path) -> None:
    """Where antes must be even, a minimum of $5 begins at $6."""
    old, new = 'chip_rounding = "exact"', 'chip_rounding = "require_even_ante"'
    file = changed_example(tmp_path, "ultimate_texas_holdem", old, new)
    played = answer(home, "5", "", "4x", "q", submission=file, players=2)

    assert "● Ante                   $6" in played.text
    assert "ante must be an even number of dollars, got $5.00 [A24]" in played.text
    assert played.conserved()

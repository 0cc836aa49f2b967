"""Typed answers are parsed, or refused with a clause and asked for again."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.errors import BadInput, UnknownGame
from croupier.games import CATALOGUE, GAMES
from croupier.submission import example_path
from croupier.terminal.io.input_parser import pick_game, pick_option
from croupier.terminal.render.rules_pages import clause_meaning
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
def test_numbers_are_multiples_and_prefixes_match(
    game: str, street: int, typed: str, word: str
) -> None:
    """A digit is never a position: "2" in Texas Hold 'Em Bonus is the bet, not the fold."""
    assert (word, None) == pick_option(typed, GAMES[game].streets[street])


def test_amounts_are_marked_with_a_dollar_sign() -> None:
    """ "$15" is 1,500 cents; an invalid amount is returned as typed."""
    street = GAMES["run_em_twice"].streets[0]

    assert ("1500c", 1500) == pick_option("$15", street)
    assert ("$1.005", None) == pick_option("$1.005", street)


def test_every_option_of_every_game_can_be_typed() -> None:
    """The word of an option always selects it."""
    for game in CATALOGUE:
        for street in game.streets:
            for option in street.options:
                assert (option.word, None) == pick_option(option.word, street)


def test_a_first_letter_folds_or_checks_everywhere() -> None:
    """ "f" never selects the Flop wager, "c" never the Center if a check is legal."""
    for game in CATALOGUE:
        for street in game.streets:
            for option in street.options:
                if not option.wager:
                    assert (option.word, None) == pick_option(option.word[0], street)


def test_an_ambiguous_bet_is_refused() -> None:
    """ "play" can be three or four times the Ante."""
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
    """Numbers, keys, titles and prefixes."""
    assert key == pick_game(typed).key


@pytest.mark.parametrize("typed", ["t", "0", "6", "blackjack", "²", "1.5"])
def test_other_games_are_not_found(typed: str) -> None:
    """The message lists the games."""
    with pytest.raises(UnknownGame, match="expected one of"):
        pick_game(typed)


def test_refusals_show_the_clause(home: Path) -> None:
    """The table's message, the clause and its summary, and the same prompt again."""
    played = answer(home, "", "5x", "raise", "banana", "check", "1x", "q", "y", game="ultimate")

    assert "5x is not offered before the flop; 3x or 4x [11.B.1]" in played.text
    assert clause_meaning("ultimate_texas_holdem", "11.B.1") in " ".join(played.text.split())
    assert "how much do you want to bet? Type 3x or 4x" in played.text
    assert "banana is not offered before the flop; check or 3x or 4x [11.B]" in played.text
    assert played.text.count("check, 3x or 4x> ") == 4
    assert "1x is not offered after the flop; 2x [11.D.1]" in played.text


def test_refused_bets_change_nothing(home: Path) -> None:
    """Limits, wagers that are made later, invalid amounts, unknown wagers."""
    bad = ("ante 1000", "ante 0", "trips 3", "blind 20", "play 5", "ante 1.005", "-5", "horse 5")
    played = answer(home, *bad, "six on", "p 5", "", "4x", "q", game="ultimate")

    assert "ante must be $5.00 to $500.00, got $1,000.00 [A69]" in played.text
    assert "the Ante is required" in played.text
    assert "trips must be $5.00 to $100.00, got $3.00 [A69]" in played.text
    assert "blind must equal ante ($5.00), got $20.00 [7.F.1]" in played.text
    assert "play is made during the round, not before the deal [7.F.1]" in played.text
    assert "six_card_bonus needs a trips wager first [7.F.4.b]" in played.text
    assert "'horse' is not a bet" in played.text
    assert "p could be" in played.text
    assert "round 1 ─ $990.00" in played.text  # still the Ante and Blind of $5


def test_a_bet_needs_the_chips_for_it(home: Path) -> None:
    """There is no credit before the deal or during the round."""
    played = answer(home, "20", "", "10", "", "4x", "check", "2x", "f", "f", game="u", bankroll=35)

    assert "Not enough chips: these bets cost $40.00, you have $35.00" in played.text
    assert "Play $40 (you have $15.00)" in played.text
    assert "Not enough chips for 4x: it costs $40.00, you have $15.00 left" in played.text
    assert "Not enough chips for 2x: it costs $20.00, you have $15.00 left" in played.text
    assert played.conserved()


def test_a_player_without_chips_can_buy_more(home: Path) -> None:
    """A buy-in does not count as a win."""
    played = answer(home, "", "f", "y", "q", game="top five", bankroll=5)

    assert "You have $0.00; the minimum bets here are $5.00." in played.text
    assert played.bought == 1005_00 and played.bankroll == 1000_00
    assert "-$5.00 this session" in played.text


def test_a_player_without_chips_can_quit(home: Path) -> None:
    """No and q both quit; nothing is bought."""
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
    """ "$12.50" is legal with an ante of $10, from one to three times of it."""
    old, new = 'run_bet_steps = "whole_multiples"', 'run_bet_steps = "any_amount"'
    file = changed_example(tmp_path, "run_em_twice", old, new)
    played = answer(home, "10", "", "$12.50", "$99", "2x", "fold", "q", submission=file)
    strict = answer(home, "10", "", "$12.50", "fold", "q", game="run", bankroll=1000)

    assert "You bet 1st Run $12.50. [11.B.1.a]" in played.text
    assert "bet $10.00 to $30.00, got 9900c [11.D]" in played.text
    assert "$12.50 is not offered on two cards; 1x or 2x or 3x or fold [11.B.1]" in strict.text
    assert played.conserved() and strict.conserved()


def test_minimum_bets_are_legal(home: Path, tmp_path: Path) -> None:
    """If antes must be even, a minimum of $5 becomes $6."""
    old, new = 'chip_rounding = "exact"', 'chip_rounding = "require_even_ante"'
    file = changed_example(tmp_path, "ultimate_texas_holdem", old, new)
    played = answer(home, "5", "", "4x", "q", submission=file, players=2)

    assert "● Ante                   $6" in played.text
    assert "ante must be an even number of dollars, got $5.00 [A24]" in played.text
    assert played.conserved()

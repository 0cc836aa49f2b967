"""Advice, side wagers, reports and what they must not load."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import submission
from croupier.errors import BadCards, BadInput
from croupier.games import GAMES
from croupier.games.returns import side_wagers
from croupier.ranking import PAIR, category, poker_value
from croupier.rulebook import letters
from croupier.study import (
    advice,
    analysis,
    cache,
    forfeits,
    returns,
    sides,
    solve,
    variants,
)

ULTIMATE = "ultimate_texas_holdem"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of this test's own."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    advice._strategy.cache_clear()
    yield tmp_path
    advice._strategy.cache_clear()


def test_advice_before_the_flop() -> None:
    """King-deuce suited raises, by a little (same workbook as the known values)."""
    answers = advice.advise(variants.standard(ULTIMATE), "Kd 2d")

    assert ["4x", "check", "3x"] == [word for word, _ in answers]
    assert "-0.074507" == f"{float(answers[0][1]):.6f}"


def test_advice_on_the_river_is_exact() -> None:
    """A board that plays: folding loses two, betting ties or loses."""
    house = variants.standard(ULTIMATE)
    answers = dict(advice.advise(house, "2c 3d", "As Ks Qs Js Ts"))

    assert {"1x": Fraction(0), "fold": Fraction(-2)} == answers


def test_advice_counts_bets_made_before() -> None:
    """In Texas the turn bet doubles what the river is about."""
    house = variants.standard("texas_holdem_bonus")
    without = dict(advice.advise(house, "Ah Ad", "As 7d 2c 9d"))
    with_bet = dict(advice.advise(house, "Ah Ad", "As 7d 2c 9d", bets={"turn": 1}))

    assert without["1x"] == with_bet["check"]
    assert with_bet["1x"] - with_bet["check"] == without["1x"] - without["check"]


@pytest.mark.parametrize(
    ("hand", "board", "street", "error"),
    [
        ("Kd", "", "", BadCards),
        ("Kd Kd", "", "", BadCards),
        ("Kd 2d", "Kd 3c 4c", "", BadCards),
        ("Kd 2d", "3c 4c", "", BadInput),
        ("Kd 2d", "3c 4c 5c", "river", BadInput),
        ("Kd 2d", "", "third street", BadInput),
    ],
)
def test_bad_questions(hand: str, board: str, street: str, error: type[Exception]) -> None:
    """Questions that cannot be are refused with what was expected."""
    with pytest.raises(error):
        advice.advise(variants.standard(ULTIMATE), hand, board, street)


def test_a_strategy_is_kept_and_a_damaged_one_rebuilt(own_cache: Path) -> None:
    """The second time it comes from the disk; half a file is as good as none."""
    house = variants.standard("top_five")
    question = (house, "Kd 2d As 7c Jd Th 9h")
    expected = advice.advise(*question)
    kept = own_cache / f"{advice.file_name(house)}.npz"
    whole = kept.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"no archive at all"):
        kept.write_bytes(damaged)
        advice._strategy.cache_clear()

        assert expected == advice.advise(*question)
        assert len(whole) == kept.stat().st_size
    assert not list(own_cache.glob("*.tmp"))


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be only costs time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "file" / "below"))

    cache.save("anything", {"one": 1})

    assert cache.load("anything") is None


@pytest.mark.parametrize("game", GAMES)
def test_returns_of_the_examples_are_fair_to_the_house(game: str) -> None:
    """No example gives more than it takes, and every offered wager is there."""
    house = submission.example(game)
    found = returns(house)

    assert ["main", *side_wagers(house)] == list(found)
    assert all(0 < value < 1 for value in found.values())


def test_some_readings_favour_the_player() -> None:
    """Best of seven behind the progressive (A1) and antes on the better run (A29) do."""
    house = variants.with_settings(
        variants.standard(ULTIMATE),
        {"progressive": "B", "progressive_basis": "best_five_of_seven"},
    )
    assert returns(house)["progressive"] > 4
    run = variants.with_settings(variants.standard("run_em_twice"), {"ante_rule": "better_run"})
    assert returns(run)["main"] > 1


def test_returns_load_no_compiler() -> None:
    """`croupier check` must start fast: neither NumPy nor Numba comes along."""
    program = (
        "import sys; from croupier import submission; from croupier.study import returns;"
        "returns(submission.example('run_em_twice'));"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )

    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode


def test_break_even_meter() -> None:
    """With the meter at its break-even amount and the others at reset the wager is even."""
    house = submission.example(ULTIMATE)
    result = sides.study(house, "progressive")
    for name, worth in result.meters.items():
        assert worth.break_even is not None
        more = (worth.break_even - house.meters[name].reset) * worth.coefficient / result.stake

        assert 0 == result.ev + more


def test_six_card_bonus_is_a_function_of_the_stake() -> None:
    """The dollars of a super royal weigh less on a bigger stake."""
    house = variants.standard(ULTIMATE)
    result = sides.study(house, "six_card_bonus")

    assert result.ev == result.fixed + result.per_cent_staked / result.stake
    assert result.per_cent_staked > 0


@pytest.mark.parametrize("game", GAMES)
def test_return_tables_add_up(game: str) -> None:
    """Lines contribute the whole return, under every paytable and reading."""
    base = variants.standard(game)
    for wager in side_wagers(base):
        for letter in letters(game, wager):
            result = sides.study(variants.with_settings(base, {wager: letter}), wager)

            assert 1 + result.ev == sum(line.contribution for line in result.lines)
            assert result.hit_frequency <= sum(line.probability for line in result.lines) < 1


def test_a_forfeited_wager_is_worth_less() -> None:
    """Bad Beat and progressive lose what is folded; the folded deals are the fold's frequency."""
    base = variants.standard(ULTIMATE)
    actions = solve(base).actions
    share = actions["preflop"]["check"] * actions["flop"]["check"] * actions["river"]["fold"]
    for settings, wager in (
        ({"bad_beat_after_fold": False}, "bad_beat"),
        ({"progressive_after_fold": False}, "progressive"),
        (
            {"progressive_after_fold": False, "progressive_basis": "best_five_of_seven"},
            "progressive",
        ),
    ):
        house = variants.with_settings(base, settings)
        folded = forfeits.folded(house, wager)
        assert share == Fraction(sum(folded.counts.values()), folded.deals)

        carried, forfeited = sides.study(house, wager), analysis.side_result(house, wager)

        assert carried.upper_bound and not forfeited.upper_bound
        assert forfeited.ev < carried.ev
        assert 1 + forfeited.ev == sum(line.contribution for line in forfeited.lines)


def test_folded_runs() -> None:
    """The folded deals of Run 'Em Twice are the frequency of its folds."""
    house = variants.with_settings(
        variants.standard("run_em_twice"), {"progressive_after_fold": False}
    )
    staying = Fraction(1)
    for street in solve(house).actions.values():
        staying *= 1 - street["fold"]
    folded = forfeits.folded(house, "progressive")

    assert 1 - staying == Fraction(sum(folded.counts.values()), folded.deals)
    assert analysis.side_result(house, "progressive").ev < sides.study(house, "progressive").ev


def test_folded_hands_by_sample() -> None:
    """Random deals fold as often with each first five as the count of folds says."""
    house = variants.with_settings(variants.standard(ULTIMATE), {"progressive_after_fold": False})
    folded = forfeits.folded(house, "progressive")
    strategy, deck, rounds = advice.strategy(house), random.Random(5), 6000
    pairs = 0
    for _ in range(rounds):
        cards = deck.sample(range(52), 7)
        own, board = cards[:2], cards[2:]
        words = [
            strategy.decide(street.name, own, board[: street.shown])
            for street in house.game.streets
        ]
        if words == ["check", "check", "fold"]:
            pairs += category(poker_value(cards[:5])) == PAIR
    expected = sum(count for hand, count in folded.counts.items() if hand.startswith("pair"))
    share = expected / folded.deals

    assert abs(pairs / rounds - share) < 4 * (share / rounds) ** 0.5

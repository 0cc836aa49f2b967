"""Advice, side wagers, reports and what they must not load."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import submission
from croupier.analysis import advice, disk_cache, kernels, variants
from croupier.analysis import side_wagers as sides
from croupier.errors import BadCards, BadInput
from croupier.games import GAMES
from croupier.games.expected_returns import returns, side_wagers
from croupier.rulebook import letters
from tests.support.run_python import run_python

ULTIMATE = "ultimate_texas_holdem"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    advice._strategy.cache_clear()
    yield tmp_path
    advice._strategy.cache_clear()


def test_advice_before_the_flop() -> None:
    """King-deuce suited raises, by a little (same workbook as the known values)."""
    answers = advice.advise(variants.standard_house(ULTIMATE), "Kd 2d")

    assert ["4x", "check", "3x"] == [word for word, _ in answers]
    assert "-0.074507" == f"{float(answers[0][1]):.6f}"


def test_advice_on_the_river_is_exact() -> None:
    """A board that plays: folding loses two, betting ties or loses."""
    house = variants.standard_house(ULTIMATE)
    answers = dict(advice.advise(house, "2c 3d", "As Ks Qs Js Ts"))

    assert {"1x": Fraction(0), "fold": Fraction(-2)} == answers


@pytest.mark.parametrize("written", ["Kd 2d", "Kd2d", "K♦ 2♦", "k♢2♢", "KD,2D"])
def test_cards_as_people_write_them(written: str) -> None:
    """With or without spaces, by letter or by symbol."""
    house = variants.standard_house(ULTIMATE)

    assert advice.advise(house, "Kd 2d") == advice.advise(house, written)


def test_bets_that_cannot_have_been_made() -> None:
    """A bet of another street or size, or one that would have ended the round, is refused."""
    texas = variants.standard_house("texas_holdem_bonus")
    for bets in ({"turn": 2}, {"river": 1}, {"ante": 1}):
        with pytest.raises(BadInput, match="this bet cannot precede"):
            advice.advise(texas, "Ah Ad", "As 7d 2c 9d", bets=bets)
    with pytest.raises(BadInput, match="there is no decision"):
        advice.advise(variants.standard_house(ULTIMATE), "Kd 2d", "As 7d 2c", bets={"play": 4})
    run = variants.standard_house("run_em_twice")
    assert advice.advise(run, "Ah Ad", "As 7d", bets={"first_run": 3})


def test_advice_counts_bets_made_before() -> None:
    """In Texas the turn bet doubles what the river is about."""
    house = variants.standard_house("texas_holdem_bonus")
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
        advice.advise(variants.standard_house(ULTIMATE), hand, board, street)


def test_a_strategy_is_kept_and_a_damaged_one_rebuilt(own_cache: Path) -> None:
    """The second time it comes from the disk; a damaged file is ignored."""
    house = variants.standard_house("top_five")
    question = (house, "Kd 2d As 7c Jd Th 9h")
    expected = advice.advise(*question)
    cached = own_cache / f"{advice.strategy_cache_key(house)}.npz"
    whole = cached.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"no archive at all"):
        cached.write_bytes(damaged)
        advice._strategy.cache_clear()

        assert expected == advice.advise(*question)
        assert len(whole) == cached.stat().st_size
    assert not list(own_cache.glob("*.tmp"))


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be only costs time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "file" / "below"))

    disk_cache.save("anything", {"one": 1})

    assert disk_cache.load("anything") is None


def test_another_solver_keeps_other_files(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version of the source has kept is never read."""
    house = variants.standard_house("top_five")
    mine = advice.strategy_cache_key(house)
    monkeypatch.setattr(disk_cache, "source_digest", lambda code: "another")

    assert mine != advice.strategy_cache_key(house)


def test_the_cache_is_bounded(own_cache: Path) -> None:
    """What was used longest ago goes first; what was just kept stays, however big."""
    for at, name in enumerate(("old", "older", "oldest")):
        disk_cache.save(name, {"one": [at] * 1000})
        os.utime(own_cache / f"{name}.npz", (1000 - at, 1000 - at))
    size = (own_cache / "old.npz").stat().st_size
    assert disk_cache.load("older") is not None  # used just now
    disk_cache.prune(2 * size)

    assert {"old.npz", "older.npz"} == {path.name for path in own_cache.glob("*.npz")}
    disk_cache.prune(1)
    assert ["older.npz"] == [path.name for path in own_cache.glob("*.npz")]


def test_compiled_code_finds_a_place(tmp_path: Path) -> None:
    """The first folder that can be written; a file in the way of a folder cannot."""
    (tmp_path / "file").write_text("")

    assert kernels.first_writable([tmp_path / "file" / "below", tmp_path / "new"]) == (
        tmp_path / "new"
    )
    assert kernels.first_writable([tmp_path / "file" / "below"]) is None


@pytest.mark.parametrize("game", GAMES)
def test_returns_of_the_examples_are_fair_to_the_house(game: str) -> None:
    """No example gives more than it takes, and every offered wager is there."""
    house = submission.example(game)
    result = returns(house)

    assert ["main", *side_wagers(house)] == list(result)
    assert all(0 < value < 1 for value in result.values())


def test_some_readings_favour_the_player() -> None:
    """Best of seven behind the progressive (A1) and antes on the better run (A29) do."""
    house = variants.with_settings(
        variants.standard_house(ULTIMATE),
        {"progressive": "B", "progressive_basis": "best_five_of_seven"},
    )
    assert returns(house)["progressive"] > 4
    run = variants.with_settings(
        variants.standard_house("run_em_twice"), {"ante_rule": "better_run"}
    )
    assert returns(run)["main"] > 1


def test_returns_load_no_compiler() -> None:
    """`croupier check` must start fast, also with a wager that a fold forfeits."""
    program = (
        "import sys; from croupier.analysis import standard_house, with_settings;"
        "from croupier.games.expected_returns import returns;"
        "returns(house := standard_house('run_em_twice'));"
        "returns(with_settings(house, {'progressive_after_fold': False}));"
        "print(*{'numba', 'numpy'} & {*sys.modules})"
    )

    assert "\n" == run_python("-c", program, check=True).stdout


def test_break_even_meter() -> None:
    """With the meter at its break-even amount and the others at reset the wager is even."""
    house = submission.example(ULTIMATE)
    result = sides.analyze_side_wager(house, "progressive")
    for name, worth in result.meters.items():
        assert worth.break_even is not None
        more = (worth.break_even - house.meters[name].reset) * worth.coefficient / result.stake

        assert 0 == result.ev + more


def test_six_card_bonus_is_a_function_of_the_stake() -> None:
    """The dollars of a super royal weigh less on a bigger stake."""
    house = variants.standard_house(ULTIMATE)
    result = sides.analyze_side_wager(house, "six_card_bonus")

    assert result.ev == result.fixed + result.per_cent_staked / result.stake
    assert result.per_cent_staked > 0


@pytest.mark.parametrize("game", GAMES)
def test_return_tables_add_up(game: str) -> None:
    """Lines contribute the whole return, under every paytable and reading."""
    base = variants.standard_house(game)
    for wager in side_wagers(base):
        for letter in letters(game, wager):
            result = sides.analyze_side_wager(variants.with_settings(base, {wager: letter}), wager)

            assert 1 + result.ev == sum(line.contribution for line in result.lines)
            assert result.hit_frequency <= sum(line.probability for line in result.lines) < 1

"""The result cache: equal to a fresh solve, shared by Houses with the same payouts, never stale."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from croupier import analysis, submission
from croupier.analysis import disk_cache, result_cache
from croupier.games import CATALOGUE, Game, find, with_digest
from croupier.games.expected_returns import load_main_values, load_net_distributions

TOP = "top_five"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    return tmp_path


def test_cached_results_equal_solved_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field; a second request, also for a House with the same payouts, solves nothing."""
    house = submission.example(TOP)
    first = result_cache.main_result(house)
    assert analysis.solve(house).result() == first
    monkeypatch.setattr(result_cache, "solve", None)
    other = with_digest(replace(house, operator="Pier Casino"))

    assert first == result_cache.main_result(house)
    assert other.digest == result_cache.main_result(other).digest != first.digest
    assert first.ev == result_cache.main_value(other)
    assert first.ev == result_cache.main_value(house, ante=25_00)  # nothing is rounded there


def test_cached_main_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard settings ship with the game; others are available once they were solved."""
    house = submission.example(TOP)
    result = result_cache.main_result(house)
    expected = {net: Fraction(count, result.deals) for net, count in result.distribution.items()}
    for stakes in (house, with_digest(replace(house, game=replace_study(house.game)))):
        assert expected == result_cache.cached_main_distribution(stakes)
    monkeypatch.setattr(result_cache, "_load", lambda house, name: None)

    assert result_cache.cached_main_distribution(stakes) is None


def replace_study(game: Game) -> Game:
    """The game without precomputed net distributions."""
    return msgspec.structs.replace(
        game, analysis=msgspec.structs.replace(game.analysis, net_distributions="")
    )


def test_precomputed_distributions_have_the_precomputed_value() -> None:
    """For every game and setting."""
    for game in CATALOGUE:
        values = load_main_values(game)
        for setting, counts in load_net_distributions(game).items():
            total = sum(Fraction(net) * count for net, count in counts.items())
            assert Fraction(values[setting]) == total / sum(counts.values())
        assert set(values) == set(load_net_distributions(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_all_precomputed_distributions(game: str) -> None:
    """Every setting, solved again."""
    assert result_cache.recount_net_distributions(game) == load_net_distributions(find(game))


def test_values_are_cached_without_a_distribution(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value needs no distribution, and is read back exactly."""
    house = submission.example(TOP)
    value = result_cache.main_value(house)
    monkeypatch.setattr(result_cache, "solve", None)

    assert value == result_cache.main_value(house)
    assert [f"value-{result_cache.cache_key(house, None)}.npz"] == [
        path.name for path in own_cache.glob("value-*")
    ]


def test_a_damaged_file_is_ignored() -> None:
    """An entry that cannot be read is computed again."""
    house = submission.example(TOP)
    first = result_cache.main_result(house)
    name = result_cache.cache_key(house, None)
    text = disk_cache.load_text(name)
    assert text is not None
    disk_cache.save_text(name, text[:100])
    disk_cache.save_text(f"value-{name}", b"a half")

    assert first.ev == result_cache.main_value(house)
    assert first == result_cache.main_result(house)


def test_another_payout_is_another_file() -> None:
    """A reading or a paytable of the main game changes the key."""
    ultimate = submission.example("ultimate_texas_holdem")
    other = analysis.with_settings(ultimate, {"blind": "B"})
    sides = analysis.with_settings(ultimate, {"trips": "A"})

    assert result_cache.cache_key(ultimate, None) != result_cache.cache_key(other, None)
    assert result_cache.cache_key(ultimate, None) == result_cache.cache_key(sides, None)
    extra = analysis.with_settings(submission.example(TOP), {"tie_break_extra_cards": False})
    assert result_cache.cache_key(submission.example(TOP), None) != result_cache.cache_key(
        extra, None
    )

"""Results on disk: the same as worked out anew, shared by those who pay the same, never wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from croupier import study, submission
from croupier.games import with_digest
from croupier.study import cache, kept

TOP = "top_five"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    return tmp_path


def test_what_is_read_is_what_was_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field; and a second question, also of a House that pays the same, solves nothing."""
    house = submission.example(TOP)
    first = kept.main_result(house)
    assert study.solve(house).result() == first
    monkeypatch.setattr(kept, "solve", None)
    other = with_digest(replace(house, operator="Pier Casino"))

    assert first == kept.main_result(house)
    assert other.digest == kept.main_result(other).digest != first.digest
    assert first.ev == kept.main_value(other)
    assert first.ev == kept.main_value(house, ante=25_00)  # nothing is rounded there


def test_values_alone_are_kept_too(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value needs no distribution, and is read back exactly."""
    house = submission.example(TOP)
    value = kept.main_value(house)
    monkeypatch.setattr(kept, "solve", None)

    assert value == kept.main_value(house)
    assert [f"value-{kept.file_name(house, None)}.npz"] == [
        path.name for path in own_cache.glob("value-*")
    ]


def test_a_damaged_file_is_as_good_as_none() -> None:
    """What cannot be read is worked out again."""
    house = submission.example(TOP)
    first = kept.main_result(house)
    name = kept.file_name(house, None)
    arrays = cache.load(name)
    assert arrays is not None
    cache.save(name, {"result": arrays["result"][:100]})

    assert first == kept.main_result(house)


def test_another_payout_is_another_file() -> None:
    """A reading or a paytable of the main game changes the name."""
    ultimate = submission.example("ultimate_texas_holdem")
    other = study.with_settings(ultimate, {"blind": "B"})
    sides = study.with_settings(ultimate, {"trips": "A"})

    assert kept.file_name(ultimate, None) != kept.file_name(other, None)
    assert kept.file_name(ultimate, None) == kept.file_name(sides, None)
    extra = study.with_settings(submission.example(TOP), {"tie_break_extra_cards": False})
    assert kept.file_name(submission.example(TOP), None) != kept.file_name(extra, None)

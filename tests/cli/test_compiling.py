"""Compilation is announced: the progress bar says so while kernels are compiled."""

from __future__ import annotations

import numba
import pytest

from croupier.analysis import kernels
from croupier.cli import console
from croupier.cli.console import COMPILING, with_progress


def test_progress_says_that_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a report of the work; a compiled kernel is not announced again."""
    from rich.progress import Progress

    shown: list[str] = []
    update = Progress.update

    def record(self: Progress, *arguments: object, **changes: object) -> None:
        shown.append(str(changes.get("description")))
        update(self, *arguments, **changes)  # type: ignore[arg-type]

    monkeypatch.setattr(Progress, "update", record)
    assert kernels.__doc__  # importing it reports compilations
    double = numba.njit(lambda number: 2 * number)

    def work(report: console.Report) -> int:
        report(0.5, "Solving")
        return int(double(1)) + int(double(2))

    assert 6 == with_progress(work, "Game")
    assert ["Solving", COMPILING] == shown[:2]
    before = len(shown)
    assert 6 == with_progress(work, "Game")
    assert ["Solving"] == shown[before:]

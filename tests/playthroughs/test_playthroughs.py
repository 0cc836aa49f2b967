"""Golden transcripts: every scripted round still gives the same transcript, line by line."""

from __future__ import annotations

import pytest

from tests.playthroughs.regenerate import COMMAND, FOLDER
from tests.playthroughs.rounds import Script, every_round

SCRIPTS = [*every_round()]


@pytest.mark.parametrize(
    "script", SCRIPTS, ids=[f"{script.game}-{script.name}" for script in SCRIPTS]
)
def test_transcript_is_unchanged(script: Script) -> None:
    """A difference means that a rule changed: regenerate and review the diff."""
    path = FOLDER / script.game / f"{script.name}.txt"
    assert path.exists(), f"{path.name} is missing; run {COMMAND}"
    expected = path.read_text(encoding="utf-8").splitlines()
    actual = script.transcript().splitlines()
    for number, (golden, line) in enumerate(zip(expected, actual), start=1):
        where = f"{script.game}/{path.name}:{number}"
        assert golden == line, f"{where}; if the change is intended, run {COMMAND}"
    assert len(expected) == len(actual), f"{path.name} has another length; run {COMMAND}"


def test_no_transcript_is_left_over() -> None:
    """Every golden file belongs to a script, and names do not collide."""
    written = {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt")}
    assert written == {f"{script.game}/{script.name}" for script in SCRIPTS}
    assert len(written) == len(SCRIPTS)

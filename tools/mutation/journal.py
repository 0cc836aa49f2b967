"""What a run has judged so far, one line for each mutant, so that it may be broken off."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tools.mutation.runner import Verdict

JOURNAL = Path(".pytest_cache") / "mutants-judged.jsonl"


class Judged(msgspec.Struct):
    """One line."""

    mutant: str
    verdict: Verdict


class Journal:
    """The verdicts of one run by the mutants' names."""

    def __init__(self, verdicts: dict[str, Verdict]) -> None:
        self.verdicts = verdicts

    @classmethod
    def fresh(cls) -> Journal:
        """Nothing is judged."""
        JOURNAL.parent.mkdir(exist_ok=True)
        JOURNAL.write_bytes(b"")
        return cls({})

    @classmethod
    def resumed(cls) -> Journal:
        """All that the last run had written; a line that it was killed in is left out."""
        text = JOURNAL.read_bytes() if JOURNAL.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        JOURNAL.parent.mkdir(exist_ok=True)
        JOURNAL.write_bytes(whole)
        lines = [msgspec.json.decode(line, type=Judged) for line in whole.splitlines()]
        return cls({line.mutant: line.verdict for line in lines})

    def add(self, mutant: str, verdict: Verdict) -> None:
        """Keep one verdict."""
        self.verdicts[mutant] = verdict
        with JOURNAL.open("ab") as file:
            file.write(msgspec.json.encode(Judged(mutant, verdict)) + b"\n")

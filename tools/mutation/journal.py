"""Journal of a run, one line per mutant, so that an interrupted run can continue."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tools.mutation.runner import Verdict

JOURNAL = Path(".pytest_cache") / "mutants-judged.jsonl"


class Judged(msgspec.Struct):
    """One line of the journal."""

    mutant: str
    verdict: Verdict


class Journal:
    """The verdicts of one run by mutant id."""

    def __init__(self, verdicts: dict[str, Verdict]) -> None:
        self.verdicts = verdicts

    @classmethod
    def fresh(cls) -> Journal:
        """Start an empty journal."""
        JOURNAL.parent.mkdir(exist_ok=True)
        JOURNAL.write_bytes(b"")
        return cls({})

    @classmethod
    def resumed(cls) -> Journal:
        """Continue the journal of the last run, without an incomplete last line."""
        text = JOURNAL.read_bytes() if JOURNAL.exists() else b""
        complete = text[: text.rfind(b"\n") + 1]
        JOURNAL.parent.mkdir(exist_ok=True)
        JOURNAL.write_bytes(complete)
        lines = [msgspec.json.decode(line, type=Judged) for line in complete.splitlines()]
        return cls({line.mutant: line.verdict for line in lines})

    def add(self, mutant: str, verdict: Verdict) -> None:
        """Append one verdict."""
        self.verdicts[mutant] = verdict
        with JOURNAL.open("ab") as file:
            file.write(msgspec.json.encode(Judged(mutant, verdict)) + b"\n")

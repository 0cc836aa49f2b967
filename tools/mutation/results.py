"""Recorded results: caught mutants in `caught.csv`, listed survivors in `survivors.toml`."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from tools.clause_coverage import CAUGHT
from tools.mutation.runner import Caught

SURVIVORS = Path(__file__).with_name("survivors.toml")
HEADER = ("mutant", "group", "clauses", "test")


class Survivor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mutants that no test needs to catch, with the reason; `*` matches anything."""

    mutant: str
    reason: str
    group: str = "*"
    breaks: bool = True  # False for an equivalent mutant, which breaks no rule

    def matches(self, mutant: str, group: str) -> bool:
        """Whether it covers a mutant in a group; in any group if that is `*`."""
        return fnmatchcase(mutant, self.mutant) and (group == "*" or fnmatchcase(group, self.group))


def survivors() -> list[Survivor]:
    """The listed survivors."""
    listed = tomllib.loads(SURVIVORS.read_text("utf-8")).get("survivor", [])
    return msgspec.convert(listed, list[Survivor])


def read() -> list[Caught]:
    """The recorded caught mutants."""
    if not CAUGHT.exists():
        return []
    with CAUGHT.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return [
            Caught(row["mutant"], row["group"], tuple(row["clauses"].split()), row["test"])
            for row in rows
        ]


def write(caught: Iterable[Caught]) -> None:
    """Record the caught mutants, sorted, without the parameters of tests."""
    rows = {msgspec.structs.replace(row, test=row.test.partition("[")[0]) for row in caught}
    with CAUGHT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for row in sorted(rows):
            writer.writerow((row.mutant, row.group, " ".join(row.clauses), row.test))

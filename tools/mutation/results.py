"""What was caught and what survived, as it is kept in the repository."""

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
    """Mutants that nobody needs to notice, and why; `*` stands for anything in a name."""

    mutant: str
    reason: str
    group: str = "*"
    breaks: bool = True  # something that a document commands; what breaks nothing is no gap

    def excuses(self, mutant: str, group: str) -> bool:
        """Whether it speaks of this one; of any game, if the group is `*`."""
        named = fnmatchcase(mutant, self.mutant)
        return named and (group == "*" or fnmatchcase(group, self.group))


def survivors() -> list[Survivor]:
    """The list with its reasons."""
    listed = tomllib.loads(SURVIVORS.read_text("utf-8")).get("survivor", [])
    return msgspec.convert(listed, list[Survivor])


def read() -> list[Caught]:
    """What the last runs caught."""
    if not CAUGHT.exists():
        return []
    with CAUGHT.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return [
            Caught(row["mutant"], row["group"], tuple(row["clauses"].split()), row["test"])
            for row in rows
        ]


def write(caught: Iterable[Caught]) -> None:
    """All that is caught, sorted; the parameters of a test are left out."""
    plain = {msgspec.structs.replace(one, test=one.test.partition("[")[0]) for one in caught}
    with CAUGHT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for one in sorted(plain):
            writer.writerow((one.mutant, one.group, " ".join(one.clauses), one.test))

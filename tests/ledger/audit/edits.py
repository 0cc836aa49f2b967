"""All possible edits of one value in an entry."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.ledger.audit.forger import ForgedEntry, Forger

Path = tuple[Any, ...]  # keys and indexes that lead to a value
ENVELOPE = ("id", "at", "by", "command")
OTHER_ROLE = {"dealer": "floorperson", "player": "dealer"}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every scalar value and every empty container."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    if not inside:
        yield path
    for key, item in inside:
        yield from leaves(item, (*path, key))


def paths(line: ForgedEntry) -> list[Path]:
    """The path of every value of an entry."""
    return [("id",), ("at",), *leaves(line.body)]


def different(value: Any, rng: random.Random) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((-1, 1, 100, 5_000))
        case str() if value in OTHER_ROLE:
            return OTHER_ROLE[value]
        case str():
            return value + "1"
        case None:
            return 7
        case dict():
            return {"mega": 1}
        case list():
            return ["As"]
    raise AssertionError(f"{value!r} was never in an entry")


def change(line: ForgedEntry, path: Path, rng: random.Random) -> None:
    """Replace the value at a path."""
    if path == ("id",):
        line.id = different(line.id, rng)
    elif path == ("at",):
        line.at += 1_000
    else:
        inner = line.body
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = different(inner[path[-1]], rng)


def is_result(path: Path) -> bool:
    """Whether a path is in the result of a command, not in the command itself."""
    return path[0] in ("events", "digest", "schema", "sequence", "stream")


def every_edit(record: Forger) -> list[tuple[int, Path]]:
    """The index of every entry with the path of every value in it."""
    return [(index, path) for index, line in enumerate(record.lines) for path in paths(line)]

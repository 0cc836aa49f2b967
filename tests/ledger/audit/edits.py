"""Every single thing in an entry that can be changed, and what it is changed to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.ledger.audit.forger import Forger, Line

Path = tuple[Any, ...]  # keys and indexes that lead to a value
ENVELOPE = ("id", "at", "by", "command")
OTHER_ROLE = {"dealer": "floorperson", "player": "dealer"}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where every value stands that is no container; empty containers count too."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    if not inside:
        yield path
    for key, each in inside:
        yield from leaves(each, (*path, key))


def places(line: Line) -> list[Path]:
    """Every place of an entry."""
    return [("id",), ("at",), *leaves(line.body)]


def other(value: Any, rng: random.Random) -> Any:
    """A value of the same kind that is not this one."""
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


def change(line: Line, path: Path, rng: random.Random) -> None:
    """Put something else there."""
    if path == ("id",):
        line.id = other(line.id, rng)
    elif path == ("at",):
        line.at += 1_000
    else:
        inner = line.body
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = other(inner[path[-1]], rng)


def led_to(path: Path) -> bool:
    """Whether a place is one of what a command led to, and not of the command itself."""
    return path[0] in ("events", "digest", "schema", "sequence", "stream")


def every_edit(record: Forger) -> list[tuple[int, Path]]:
    """Every entry with every place in it."""
    return [(index, path) for index, line in enumerate(record.lines) for path in places(line)]

"""Rooms have front doors: what others may use stands in `__init__`, and nobody reaches past it.

A name of `__all__` that is a module is a door too: `croupier.table.commands`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[1] / "croupier"
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
# A solver belongs to its game, and looks at the facts and the choices of that game alone.
SOLVERS = {"study": ("croupier.games.",)}


def imported(file: Path) -> Iterator[str]:
    """The modules of Croupier that a file imports, wherever it does."""
    for node in ast.walk(ast.parse((PACKAGE / file).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            for alias in node.names:
                if is_module(f"{node.module}.{alias.name}"):
                    yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def is_module(name: str) -> bool:
    """Whether whoever imports a dotted name gets a module, and not something of that name."""
    room, _, last = name.rpartition(".")
    path = PACKAGE.joinpath(*name.split(".")[1:])
    exists = path.with_suffix(".py").exists() or (path / "__init__.py").exists()
    return exists and isinstance(getattr(import_module(room), last, None), ModuleType)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_nobody_reaches_past_a_front_door(file: Path) -> None:
    """Every import from another room is of the room itself or of a module that it offers."""
    own = file.parts[0]
    if own not in ROOMS:
        return  # what every room stands on, and what users import
    for name in imported(file):
        parts = name.split(".")
        if parts[0] != "croupier" or len(parts) < 3 or parts[1] not in ROOMS or parts[1] == own:
            continue
        if name.startswith(SOLVERS.get(own, ())):
            continue
        for depth in range(2, len(parts)):
            room = ".".join(parts[:depth])
            offered = parts[depth] in import_module(room).__all__
            # A module whose name the room gives to something else is behind the door.
            assert offered and is_module(f"{room}.{parts[depth]}"), f"{file} reaches into {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_it_offers(room: str) -> None:
    """And offers nothing that is not there."""
    offered = import_module(f"croupier.{room}").__all__
    assert sorted(offered, key=str) == sorted(set(offered), key=str)
    assert all(hasattr(import_module(f"croupier.{room}"), name) for name in offered)

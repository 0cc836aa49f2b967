"""Where a clause is enforced: the places in Croupier's own source that cite it.

Found by reading the source, so that it cannot drift: a game module names its clauses, a paytable
its lines, and the table asks for duties by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from croupier.rulebook.duties import duties

_ROOMS_BY_DUTY = ("table", "terminal")


class Place(msgspec.Struct, frozen=True):
    """A line of source and the function around it."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" {self.function}" if self.function else "")


def enforced_at(game: str, clause: str) -> tuple[Place, ...]:
    """Every place that cites the clause for this game, the game's own module first."""
    places = [
        *_cited(Path("games") / f"{game}.py", clause),
        *_printed(game, clause),
        *(place for duty in _duties_of(game, clause) for place in _asked(duty)),
        *_submitted(game, clause),
    ]
    return tuple(dict.fromkeys(places))


def _duties_of(game: str, clause: str) -> list[str]:
    return [duty for duty, clauses in duties(game).items() if clause in clauses]


def _package() -> Path:
    return Path(str(resources.files("croupier")))


@cache
def _constants(file: Path) -> tuple[tuple[str, bool, Place], ...]:
    """Every string of a source file: its text, whether it opens an f-string, its place."""
    path = _package() / file
    found: list[tuple[str, bool, Place]] = []
    tree = ast.parse(path.read_text("utf-8"))

    def walk(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = node.name
        if isinstance(node, ast.JoinedStr):
            first = node.values[0]
            if isinstance(first, ast.Constant):
                place = Place(f"croupier/{file.as_posix()}", node.lineno, function)
                found.append((str(first.value), True, place))
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            place = Place(f"croupier/{file.as_posix()}", node.lineno, function)
            found.append((node.value, False, place))
        for child in ast.iter_child_nodes(node):
            walk(child, function)

    walk(tree, "")
    return tuple(found)


def _cited(file: Path, clause: str) -> Iterator[Place]:
    for text, opens, place in _constants(file):
        # An f-string such as f"11.C.{...}" cites the clauses below its opening.
        if text == clause or (opens and len(text) > 2 and clause.startswith(text)):
            yield place


def _printed(game: str, clause: str) -> Iterator[Place]:
    file = Path("rulebook") / "data" / "paytables" / f"{game}.toml"
    for number, line in enumerate((_package() / file).read_text("utf-8").splitlines(), start=1):
        if clause in line.replace('"', " ").replace(",", " ").split():
            yield Place(f"croupier/{file.as_posix()}", number, "")


def _asked(duty: str) -> Iterator[Place]:
    """The code that asks for a duty, by its whole name or by the part before the method."""
    names = {duty, duty.rpartition(".")[0], duty.rpartition(".")[0].rpartition(".")[0]} - {""}
    for room in _ROOMS_BY_DUTY:
        for path in sorted((_package() / room).rglob("*.py")):
            for text, opens, place in _constants(path.relative_to(_package())):
                if text in names or (opens and text.endswith(".") and duty.startswith(text)):
                    yield place


def _submitted(game: str, clause: str) -> Iterator[Place]:
    """The fields of a submission that cite the clause."""
    for path in sorted((_package() / "submission").rglob("*.py")):
        for text, _, place in _constants(path.relative_to(_package())):
            if text == clause or text == f"{game} {clause}":
                yield place

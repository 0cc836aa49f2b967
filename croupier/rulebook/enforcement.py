"""Where a clause is enforced: the places in the source that cite it.

Found by reading the source, so that it cannot drift: a game module names its clauses, a paytable
its lines, and the table asks for duties by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import msgspec

from croupier.rulebook.document_files import About, RuleDocument, document, folder
from croupier.rulebook.duties import duties

_ROOMS_BY_DUTY = ("table", "documents", "terminal")
_ROOMS_OF_FORMS = ("games/forms", "submission")


class SourceLocation(msgspec.Struct, frozen=True):
    """A line of source and the function around it."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" {self.function}" if self.function else "")


def enforced_at(about: About, clause: str) -> tuple[SourceLocation, ...]:
    """Every place that cites the clause for this game, the game's own modules first."""
    book = document(about)
    places = [
        *(place for source in book.sources for place in _cited(book.package, source, clause)),
        *_printed(book, clause),
        *(place for duty in _duties_of(book, clause) for place in _asked(duty)),
        *_submitted(book, clause),
    ]
    return tuple(dict.fromkeys(places))


def _duties_of(book: RuleDocument, clause: str) -> list[str]:
    return [duty for duty, clauses in duties(book).items() if clause in clauses]


def _modules(room: str) -> list[str]:
    """The modules of a room of Croupier."""
    root = folder("croupier")
    return [path.relative_to(root).as_posix() for path in sorted((root / room).rglob("*.py"))]


@cache
def _constants(package: str, file: str) -> tuple[tuple[str, bool, SourceLocation], ...]:
    """Every string of a source file: its text, whether it opens an f-string, its place."""
    path = folder(package) / file
    shown = f"{package.replace('.', '/')}/{file}"
    found: list[tuple[str, bool, SourceLocation]] = []
    tree = ast.parse(path.read_text("utf-8"))

    def walk(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = node.name
        if isinstance(node, ast.JoinedStr):
            first = node.values[0]
            if isinstance(first, ast.Constant):
                place = SourceLocation(shown, node.lineno, function)
                found.append((str(first.value), True, place))
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            place = SourceLocation(shown, node.lineno, function)
            found.append((node.value, False, place))
        for child in ast.iter_child_nodes(node):
            walk(child, function)

    walk(tree, "")
    return tuple(found)


def _cited(package: str, file: str, clause: str) -> Iterator[SourceLocation]:
    for text, opens, place in _constants(package, file):
        # An f-string such as f"11.C.{...}" cites the clauses below its opening.
        if text == clause or (opens and len(text) > 2 and clause.startswith(text)):
            yield place


def _printed(book: RuleDocument, clause: str) -> Iterator[SourceLocation]:
    for number, line in enumerate(book.text(book.paytables).splitlines(), start=1):
        if clause in line.replace('"', " ").replace(",", " ").split():
            location = f"{book.package.replace('.', '/')}/{book.paytables}"
            yield SourceLocation(location, number, "")


def _asked(duty: str) -> Iterator[SourceLocation]:
    """The code that asks for a duty, by its whole name or by the part before the method."""
    names = {duty, duty.rpartition(".")[0], duty.rpartition(".")[0].rpartition(".")[0]} - {""}
    for room in _ROOMS_BY_DUTY:
        for module in _modules(room):
            for text, opens, place in _constants("croupier", module):
                if text in names or (opens and text.endswith(".") and duty.startswith(text)):
                    yield place


def _submitted(book: RuleDocument, clause: str) -> Iterator[SourceLocation]:
    """The fields that every form has, and the checks of every submission."""
    for room in _ROOMS_OF_FORMS:
        for module in _modules(room):
            for text, _, place in _constants("croupier", module):
                if text == f"{book.game} {clause}" or (text == clause and _shared(module)):
                    yield place


def _shared(module: str) -> bool:
    """Whether a module speaks for every game: the form of one game cites its own clauses."""
    return module.startswith("submission/") or module in _SHARED_FORMS


_SHARED_FORMS = (
    "games/forms/common_fields.py",
    "games/forms/payout_limit_fields.py",
    "games/forms/progressive_fields.py",
)

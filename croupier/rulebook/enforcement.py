"""Source locations that cite a clause, found by parsing the source.

Game modules and paytables cite clauses by id; the table cites duties by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import msgspec

from croupier.rulebook.duties import duties
from croupier.rulebook.rule_document import DocumentRef, RuleDocument, find_document, package_folder

_DUTY_PACKAGES = ("table", "documents", "terminal")
_FORM_PACKAGES = ("games/forms", "submission")


class SourceLocation(msgspec.Struct, frozen=True):
    """A line of source and its function."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" {self.function}" if self.function else "")


def enforced_at(game: DocumentRef, clause: str) -> tuple[SourceLocation, ...]:
    """Return every location that cites a clause of a game, the game's own modules first."""
    document = find_document(game)
    locations = [
        *(
            location
            for source in document.sources
            for location in _cited(document.package, source, clause)
        ),
        *_in_paytables(document, clause),
        *(
            location
            for duty, clauses in duties(document).items()
            if clause in clauses
            for location in _duty_lookups(duty)
        ),
        *_in_forms(document, clause),
    ]
    return tuple(dict.fromkeys(locations))


def _modules(package: str) -> list[str]:
    root = package_folder("croupier")
    return [path.relative_to(root).as_posix() for path in sorted((root / package).rglob("*.py"))]


@cache
def _constants(package: str, file: str) -> tuple[tuple[str, bool, SourceLocation], ...]:
    """Every string of a source file: its text, whether it starts an f-string, its location."""
    path = package_folder(package) / file
    name = f"{package.replace('.', '/')}/{file}"
    constants: list[tuple[str, bool, SourceLocation]] = []
    tree = ast.parse(path.read_text("utf-8"))

    def visit(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = node.name
        if isinstance(node, ast.JoinedStr):
            first = node.values[0]
            if isinstance(first, ast.Constant):
                location = SourceLocation(name, node.lineno, function)
                constants.append((str(first.value), True, location))
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            location = SourceLocation(name, node.lineno, function)
            constants.append((node.value, False, location))
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, "")
    return tuple(constants)


def _cited(package: str, file: str, clause: str) -> Iterator[SourceLocation]:
    for text, is_prefix, location in _constants(package, file):
        # An f-string such as f"11.C.{...}" cites every clause that starts with its first part.
        if text == clause or (is_prefix and len(text) > 2 and clause.startswith(text)):
            yield location


def _in_paytables(document: RuleDocument, clause: str) -> Iterator[SourceLocation]:
    for number, line in enumerate(document.text(document.paytables).splitlines(), start=1):
        if clause in line.replace('"', " ").replace(",", " ").split():
            path = f"{document.package.replace('.', '/')}/{document.paytables}"
            yield SourceLocation(path, number, "")


def _duty_lookups(duty: str) -> Iterator[SourceLocation]:
    """The code that names a duty, with or without its dealing method and variant."""
    names = {duty, duty.rpartition(".")[0], duty.rpartition(".")[0].rpartition(".")[0]} - {""}
    for package in _DUTY_PACKAGES:
        for module in _modules(package):
            for text, is_prefix, location in _constants("croupier", module):
                if text in names or (is_prefix and text.endswith(".") and duty.startswith(text)):
                    yield location


def _in_forms(document: RuleDocument, clause: str) -> Iterator[SourceLocation]:
    """The common fields of the forms, and the checks of every submission."""
    for package in _FORM_PACKAGES:
        for module in _modules(package):
            for text, _, location in _constants("croupier", module):
                if text in (clause, f"{document.game} {clause}"):
                    yield location

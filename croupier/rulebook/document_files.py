"""Where the rule book of a game lies: files of the package that brings the game.

A document belongs to one edition of one game. Every question to this room names one, or the key of
a game, which then means the newest edition that is installed.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import TypeAlias

import msgspec


class RuleDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one game's rule book, as paths inside `package`.

    `sources` are the modules that cite its clauses, for those who ask where one is enforced.
    `readings` are those it adds to the readings that come with Croupier.
    """

    game: str
    edition: int
    package: str
    clauses: str
    duties: str
    paytables: str
    example: str
    readings: str = ""
    proofs: str = ""  # the tests that claim each clause
    caught: str = ""  # rules broken on purpose, and the tests that noticed
    sources: tuple[str, ...] = ()

    def path(self, file: str) -> Path:
        """Where one of the files lies on this machine."""
        return folder(self.package) / file

    def text(self, file: str) -> str:
        """One of the files."""
        return self.path(file).read_text("utf-8")


@cache
def folder(package: str) -> Path:
    """The folder of an installed package."""
    return Path(str(resources.files(package)))


def our_document(game: str, edition: int = 1) -> RuleDocument:
    """The document of a game that comes with Croupier."""
    return RuleDocument(
        game=game,
        edition=edition,
        package="croupier",
        clauses=f"games/{game}/clauses.csv",
        duties=f"games/{game}/duties.toml",
        paytables=f"games/{game}/paytables.toml",
        example=f"games/{game}/example.toml",
        proofs="rulebook/data/proofs.csv",
        caught="rulebook/data/caught.csv",
        sources=(f"games/{game}/game.py", f"games/{game}/form.py"),
    )


About: TypeAlias = RuleDocument | str


def document(about: About) -> RuleDocument:
    """The document itself, or that of the newest edition of a game by its key."""
    if isinstance(about, RuleDocument):
        return about
    # The catalogue stands after this room, so it is asked by name and only when it is needed.
    found: RuleDocument = import_module("croupier.games").find(about).document
    return found

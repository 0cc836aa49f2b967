"""Where the documents are unclear: what they could mean, and which meaning Croupier follows."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal

import msgspec

from croupier.errors import UnknownReading
from croupier.rulebook.clauses import is_within, under
from croupier.rulebook.document_files import About, document, folder

Money = Literal["very high", "high", "medium", "low"]


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One unclear place of the documents, with every reading of it that Croupier knows.

    `default` is a key of `readings`, or empty where nobody but the operator may decide.
    """

    id: str
    title: str
    games: tuple[str, ...]
    clauses: tuple[str, ...]  # "game clause-id", every one of them an existing clause
    question: str
    readings: dict[str, str]
    default: str
    why: str
    money: Money
    field: str | tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The submission fields by which an operator chooses; empty where there is no choice."""
        return (self.field,) if isinstance(self.field, str) else self.field

    def touches(self, game: str, clause_id: str) -> bool:
        """Whether the reading cites the clause, one above it or one below it."""
        asked = clause_id.lower()
        for citation in self.clauses:
            cited_game, cited = citation.lower().split(" ")
            related = is_within(cited, asked) or is_within(asked, cited)
            if cited_game == game and related:
                return True
        return False


OURS = ("croupier", "rulebook/data/readings.toml")


@cache
def _load(package: str, file: str) -> dict[str, Reading]:
    text = (folder(package) / file).read_text("utf-8")
    return {
        id: msgspec.convert({"id": id, **entry}, Reading)
        for id, entry in tomllib.loads(text).items()
    }


def readings(about: About | None = None) -> dict[str, Reading]:
    """Every reading by id, A1 first, and those that a game's own document adds.

    The caller may change the dictionary without harm.
    """
    known = dict(_load(*OURS))
    if about is not None:
        book = document(about)
        known |= _load(book.package, book.readings) if book.readings else {}
    return known


def reading(id: str, about: About | None = None) -> Reading:
    """The reading with this id, in any case; refuses an id that does not exist."""
    known = readings(about)
    id = id.upper()
    if id not in known:
        raise UnknownReading(id, (f"{next(iter(known))} to {next(reversed(known))}",))
    return known[id]


def readings_of(about: About, clause_id: str) -> tuple[Reading, ...]:
    """The readings that touch a clause, one above it or one below it, in order of id.

    Refuses a clause or heading that the game's document does not have.
    """
    book = document(about)
    under(book, clause_id)
    known = readings(book).values()
    return tuple(each for each in known if each.touches(book.game, clause_id))

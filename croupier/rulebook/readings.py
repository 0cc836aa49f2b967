"""Readings: the possible meanings of unclear clauses, and the one that Croupier follows."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal

import msgspec

from croupier.errors import UnknownReading
from croupier.rulebook.clauses import clauses_under, is_within
from croupier.rulebook.rule_document import DocumentRef, find_document, package_folder

Money = Literal["very high", "high", "medium", "low"]
_COMMON_READINGS = ("croupier", "rulebook/data/readings.toml")


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One unclear point of the documents, with its possible readings.

    `default` is a key of `readings`, or empty where the operator must decide. `money` is how much
    the choice can cost.
    """

    id: str
    title: str
    games: tuple[str, ...]
    clauses: tuple[str, ...]  # citations of existing clauses, "game clause-id"
    question: str
    readings: dict[str, str]
    default: str
    why: str
    money: Money
    field: str | tuple[str, ...] = ()
    rule: str | dict[str, str] = ""  # the default in one sentence; by game, or "other"

    @property
    def fields(self) -> tuple[str, ...]:
        """The submission fields with which an operator chooses; empty if there is no choice."""
        return (self.field,) if isinstance(self.field, str) else self.field

    def rule_of(self, game: str) -> str:
        """The default as a rule of this game, in one sentence."""
        if isinstance(self.rule, str):
            return self.rule or self.readings[self.default]
        return self.rule.get(game) or self.rule["other"]

    def touches(self, game: str, clause_id: str) -> bool:
        """Return whether the reading cites the clause, one above it or one below it."""
        clause = clause_id.lower()
        for citation in self.clauses:
            cited_game, cited = citation.lower().split(" ")
            related = is_within(cited, clause) or is_within(clause, cited)
            if cited_game == game and related:
                return True
        return False


@cache
def _load(package: str, file: str) -> dict[str, Reading]:
    text = (package_folder(package) / file).read_text("utf-8")
    return {
        id: msgspec.convert({"id": id, **entry}, Reading)
        for id, entry in tomllib.loads(text).items()
    }


def readings(game: DocumentRef | None = None) -> dict[str, Reading]:
    """Return every reading by id in a new dictionary; with a game also those that it adds."""
    result = dict(_load(*_COMMON_READINGS))
    if game is not None:
        document = find_document(game)
        result |= _load(document.package, document.readings) if document.readings else {}
    return result


def reading(id: str, game: DocumentRef | None = None) -> Reading:
    """Return the reading with this id, in any case; raise UnknownReading if there is none."""
    known = readings(game)
    id = id.upper()
    if id not in known:
        raise UnknownReading(id, (f"{next(iter(known))} to {next(reversed(known))}",))
    return known[id]


def readings_of(game: DocumentRef, clause_id: str) -> tuple[Reading, ...]:
    """Return the readings of a clause, of those above and of those below it, in order of id.

    Raises UnknownClause for an id that is neither a clause nor a heading.
    """
    document = find_document(game)
    clauses_under(document, clause_id)
    return tuple(
        reading
        for reading in readings(document).values()
        if reading.touches(document.game, clause_id)
    )

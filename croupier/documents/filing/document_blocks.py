"""What a document of a filing is made of: headings, words, tables and drawings, as data.

A block names the clauses that it answers; `places` says on which page they came to stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from croupier.documents.pdf import compiled, day_of, photographed, queried
from croupier.games import House

Clauses: TypeAlias = tuple[str, ...]


class Block(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=str.lower):
    """The root of every block."""

    clauses: Clauses = ()


class Heading(Block, frozen=True, kw_only=True):
    """A heading; what follows stands under it."""

    text: str
    level: int = 2
    new_page: bool = False


class Paragraph(Block, frozen=True, kw_only=True, tag="words"):
    """A paragraph."""

    text: str
    tone: str = ""  # "quiet" or "large"


class Listing(Block, frozen=True, kw_only=True):
    """Sentences below each other."""

    items: tuple[str, ...]
    numbered: bool = False


class Pairs(Block, frozen=True, kw_only=True):
    """Names and what they stand for."""

    rows: tuple[tuple[str, str], ...]


class Row(msgspec.Struct, frozen=True):
    """One line of a table, and the clauses that it answers."""

    cells: tuple[str, ...]
    clauses: Clauses = ()


class TableBlock(Block, frozen=True, kw_only=True, tag="table"):
    """Lines under titles; widths are "auto", "1fr" or "20mm"."""

    titles: tuple[str, ...]
    rows: tuple[Row, ...]
    widths: tuple[str, ...]
    sides: tuple[str, ...]


class TwoColumnTable(msgspec.Struct, frozen=True, kw_only=True):
    """A short table of two columns."""

    title: str
    about: str
    titles: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    clauses: Clauses = ()


class Paytables(Block, frozen=True, kw_only=True):
    """Short tables side by side."""

    tables: tuple[TwoColumnTable, ...]


class OperatorChoice(Block, frozen=True, kw_only=True, tag="chosen"):
    """A choice of the operator, with the readings of the unclear places that it settles."""

    title: str
    cited: str
    value: str
    about: str
    readings: tuple[tuple[str, str], ...] = ()


class BlankField(Block, frozen=True, kw_only=True, tag="asked"):
    """What only the operator can say, with room to say it."""

    title: str
    about: str
    lines: int = 2


class Picture(Block, frozen=True, kw_only=True):
    """A drawing among the words."""

    svg: str
    alt: str
    width: str = "170mm"
    caption: str = ""


class DrawingPage(Block, frozen=True, kw_only=True, tag="sheet"):
    """A drawing on a page of its own."""

    title: str
    svg: str
    alt: str
    width: str
    wide: bool
    caption: str = ""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A starting hand and its best action."""

    hand: str
    word: str
    colour: str
    dark: bool


class Chart(Block, frozen=True, kw_only=True):
    """Starting hands as a square."""

    rows: tuple[tuple[Cell, ...], ...]


class FilingDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One document of a filing; approved by itself, so it has a digest of its own."""

    name: str  # of the file, without its ending
    title: str
    subject: str
    operator: str
    submission: str  # the digest of the Rules Submission
    approved: str  # the approval as it is on file; nothing while there is none
    blocks: tuple[Block, ...]

    @property
    def digest(self) -> str:
        """Of what it says, whenever and by whomever it is approved."""
        return sha256(msgspec.json.encode(self.blocks)).hexdigest()

    def inputs(self) -> dict[str, str]:
        """What its template is given."""
        said: dict[str, Any] = {
            "title": self.title,
            "subject": self.subject,
            "operator": self.operator,
            "stamp": f"Rules Submission {self.submission}",
            "own": f"document {self.digest[:16]}",
            "approval": approval_line(self.approved),
            "day": day_of(self.approved).isoformat(),
            "wide": False,
            "blocks": self.blocks,
        }
        return {"data": msgspec.json.encode(said).decode()}

    def pdf(self) -> bytes:
        """The finished file; the same document gives the same bytes."""
        return compiled("document", self.inputs())

    def photographs(self) -> list[bytes]:
        """Its pages as PNG, for a screen."""
        return photographed("document", self.inputs())

    def places(self) -> tuple[ClauseAnswer, ...]:
        """Where each clause is answered."""
        found = []
        for mark in queried("document", self.inputs(), "<place>"):
            for clause in mark["clauses"]:
                found.append(ClauseAnswer(clause, self.title, mark["page"], mark["under"]))
        return tuple(found)


class ClauseAnswer(msgspec.Struct, frozen=True):
    """Where a clause is answered."""

    clause: str
    document: str
    page: int
    under: str


def approval_line(approved: str) -> str:
    """What every page says of its approval (COMAR 36.05.03.19D)."""
    return f"Approved: {approved}" if approved else "Approved on: ____________ (not yet approved)"


def document(
    house: House, name: str, title: str, blocks: Iterable[Block], approved: str = ""
) -> FilingDocument:
    """A document about a House."""
    return FilingDocument(
        name=name,
        title=title,
        subject=house.game.title,
        operator=house.operator,
        submission=house.digest,
        approved=approved,
        blocks=tuple(blocks),
    )


def listed_ids(citation: str) -> Clauses:
    """The clauses of a citation such as "7.F.5, 12.E"."""
    return tuple(part.strip() for part in citation.split(",") if part.strip())

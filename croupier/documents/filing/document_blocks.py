"""Document model of filings and reports: headings, paragraphs, tables and drawings as data.

A block names the clauses that it answers; `FilingDocument.places` finds their pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from croupier.documents.pdf import compile_pdf, query_template, render_png
from croupier.games import House

Clauses: TypeAlias = tuple[str, ...]


class Block(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=str.lower):
    """Base class of all blocks; the tag selects the template function in `document.typ`."""

    clauses: Clauses = ()


class Heading(Block, frozen=True, kw_only=True):
    """A heading."""

    text: str
    level: int = 2
    new_page: bool = False


class Paragraph(Block, frozen=True, kw_only=True, tag="words"):
    """A paragraph."""

    text: str
    tone: str = ""  # "quiet" or "large"


class Listing(Block, frozen=True, kw_only=True):
    """A bulleted or numbered list, or things to do with a box to tick."""

    items: tuple[str, ...]
    numbered: bool = False
    to_do: bool = False


class SignatureLines(Block, frozen=True, kw_only=True, tag="lines"):
    """Lines to fill in by hand, each with its name."""

    names: tuple[str, ...]


class Pairs(Block, frozen=True, kw_only=True):
    """Names with their values."""

    rows: tuple[tuple[str, str], ...]


class Row(msgspec.Struct, frozen=True):
    """A table row and the clauses that it answers."""

    cells: tuple[str, ...]
    clauses: Clauses = ()


class TableBlock(Block, frozen=True, kw_only=True, tag="table"):
    """A table; widths are "auto", "1fr" or "20mm"."""

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


class DetailEntry(Block, frozen=True, kw_only=True, tag="entry"):
    """A title with a detail below it; beside them a lead, a text and notes with their names."""

    title: str
    detail: str
    lead: str
    text: str
    notes: tuple[tuple[str, str], ...] = ()


class BlankField(Block, frozen=True, kw_only=True, tag="asked"):
    """A field for the operator to fill in."""

    title: str
    about: str
    lines: int = 2


class Picture(Block, frozen=True, kw_only=True):
    """A drawing within the text."""

    svg: str
    alt: str
    width: str = "170mm"
    caption: str = ""


class DrawingPage(Block, frozen=True, kw_only=True, tag="sheet"):
    """A drawing on its own page."""

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
    """A grid of starting hands."""

    rows: tuple[tuple[Cell, ...], ...]


class FilingDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One document of a filing. It is approved separately, so it has its own digest."""

    name: str  # file name without suffix
    title: str
    subject: str
    operator: str
    submission: str  # the digest of the Rules Submission
    approved: str  # the approval on file; empty if there is none
    blocks: tuple[Block, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the content, independent of the approval."""
        return sha256(msgspec.json.encode(self.blocks)).hexdigest()

    def inputs(self) -> dict[str, str]:
        """The input of the Typst template."""
        data: dict[str, Any] = {
            "title": self.title,
            "subject": self.subject,
            "operator": self.operator,
            "stamp": f"Rules Submission {self.submission}",
            "own": f"document {self.digest[:16]}",
            "approval": approval_line(self.approved),
            "wide": False,
            "blocks": self.blocks,
        }
        return {"data": msgspec.json.encode(data).decode()}

    def pdf(self) -> bytes:
        """The document as PDF; equal documents made at one time give equal bytes."""
        return compile_pdf("document", self.inputs())

    def png_pages(self) -> list[bytes]:
        """The pages as PNG images."""
        return render_png("document", self.inputs())

    def places(self) -> tuple[ClauseAnswer, ...]:
        """Where each clause is answered."""
        return tuple(
            ClauseAnswer(clause, self.title, mark["page"], mark["under"])
            for mark in query_template("document", self.inputs(), "<place>")
            for clause in mark["clauses"]
        )


class ClauseAnswer(msgspec.Struct, frozen=True):
    """The document, page and heading where a clause is answered."""

    clause: str
    document: str
    page: int
    under: str


def approval_line(approved: str) -> str:
    """The approval line on every page (COMAR 36.05.03.19D)."""
    return f"Approved: {approved}" if approved else "Approved on: ____________ (not yet approved)"


def make_document(
    house: House, name: str, title: str, blocks: Iterable[Block], approved: str = ""
) -> FilingDocument:
    """Make a document about a House."""
    return FilingDocument(
        name=name,
        title=title,
        subject=house.game.title,
        operator=house.operator,
        submission=house.digest,
        approved=approved,
        blocks=tuple(blocks),
    )


def chapter(clause: str) -> str:
    """The chapter of a clause id: "12" of "12.E"."""
    return clause.partition(".")[0]


def listed_ids(citation: str) -> Clauses:
    """The clause ids of a citation such as "7.F.5, 12.E"."""
    return tuple(part.strip() for part in citation.split(",") if part.strip())

"""Layout, signs and equipment: the drawings to scale, and what they were read back to carry."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.felt import Felt, FeltCheckResult, Logo, Sign, examine, felt, sign
from croupier.documents.filing.document_blocks import (
    Block,
    DrawingPage,
    FilingDocument,
    Heading,
    Row,
    TableBlock,
    document,
)
from croupier.documents.filing.document_blocks_plain import amount, spoken, title_of
from croupier.games import House

WIDE, TALL = "250mm", "150mm"  # what a landscape and a portrait page leave to a drawing

FELT, SIGN = "2-felt", "2-sign"  # the files in full size


def layout(house: House, logo: Logo | None = None) -> FilingDocument:
    """What 36.05.03.16 asks for; approved apart from the Rules Submission."""
    drawn = felt(house, logo)
    posted = sign(house, drawn)
    read = examine(house, drawn.svg(), posted.svg() if posted else "")
    assert not read.findings, "\n".join(map(str, read.findings))
    blocks = [
        *equipment(house, drawn),
        *carried(read),
        *drawings(drawn, posted),
    ]
    approved = house.choices.layout_approval or ""
    return document(house, "2-layout", "Layout, signs and equipment", blocks, approved)


def equipment(house: House, drawn: Felt, level: int = 2) -> Iterator[Block]:
    """Each piece on the table with its place and size, as it is drawn."""
    yield Heading(text="Equipment on the table", level=level)
    rows = []
    for area in drawn.areas:
        if area.kind not in ("equipment", "tray"):
            continue
        place = f"{area.at.x:.0f} by {area.at.y:.0f} mm"
        size = f"{area.width:.0f} by {area.height:.0f} mm"
        name = "Table inventory" if area.kind == "tray" else title_of(area.id.replace("-", "_"))
        rows.append(Row((name, place, size)))
    yield TableBlock(
        titles=("piece", "centre, from the upper left corner", "size"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto"),
        sides=("left", "left", "left"),
        clauses=("2.A.1", "2.A.2"),
    )
    yield Heading(text="Cards, chips and devices", level=level)
    yield TableBlock(
        titles=("equipment", "what is used"),
        rows=(
            Row(("Cards", f"{house.decks} of 52, the backs of each in one colour")),
            Row(("Shuffle", spoken(house.shuffle_method))),
            Row(("Dealing", spoken(house.dealing_method))),
            *(Row((f"Chip of {amount(chip.cents)}", chip.colour)) for chip in house.chips),
        ),
        widths=("1fr", "2fr"),
        sides=("left", "left"),
    )


def carried(read: FeltCheckResult) -> Iterator[Block]:
    """Every requirement that the finished drawings were found to meet."""
    yield Heading(text="What the drawings carry")
    yield TableBlock(
        titles=("requirement", "carried by", "clauses"),
        rows=tuple(
            Row((kept.what, kept.where, ", ".join(kept.clauses)), kept.clauses)
            for kept in dict.fromkeys(read.kept)
        ),
        widths=("1fr", "auto", "auto"),
        sides=("left", "left", "left"),
    )


def drawings(drawn: Felt, posted: Sign | None) -> Iterator[Block]:
    """The felt across a page, and the sign where one is needed."""
    size = f"{drawn.width:.0f} by {drawn.height:.0f} mm; {FELT}.pdf has it in full size."
    yield DrawingPage(
        title="Table layout",
        svg=drawn.svg(),
        alt=drawn.description,
        width=WIDE,
        wide=True,
        caption=size,
    )
    if posted:
        size = f"{posted.width:.1f} by {posted.height:.1f} mm; {SIGN}.pdf has it in full size."
        yield DrawingPage(
            title="Sign at the table",
            svg=posted.svg(),
            alt=posted.description,
            width=TALL,
            wide=False,
            caption=size,
        )

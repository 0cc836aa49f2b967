"""Layout document: equipment, the checked requirements, and the drawings to scale."""

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
    make_document,
)
from croupier.documents.filing.rules_submission import chips_in_use, deck_count
from croupier.documents.formatting import display_value
from croupier.games import House

WIDE, TALL = "250mm", "150mm"  # drawing width on a landscape and on a portrait page
FELT, SIGN = "2-felt", "2-sign"  # names of the full-size files


def layout(house: House, logo: Logo | None = None) -> FilingDocument:
    """The layout document (COMAR 36.05.03.16), approved separately from the Rules Submission."""
    drawn = felt(house, logo)
    posted = sign(house, drawn)
    result = examine(house, drawn.svg(), posted.svg() if posted else "")
    assert not result.findings, "\n".join(map(str, result.findings))
    blocks = [
        *equipment(house, drawn),
        *met_requirements(result),
        *drawings(drawn, posted),
    ]
    approved = house.choices.layout_approval or ""
    return make_document(house, "2-layout", "Layout, signs and equipment", blocks, approved)


def equipment(house: House, drawn: Felt, level: int = 2) -> Iterator[Block]:
    """Each piece of equipment with its place and size, as drawn, and the devices used."""
    yield Heading(text="Equipment on the table", level=level)
    rows = []
    for area in drawn.areas:
        if area.kind not in ("equipment", "tray"):
            continue
        place = f"{area.at.x:.0f} by {area.at.y:.0f} mm"
        size = f"{area.width:.0f} by {area.height:.0f} mm"
        inscribed = (text.text for text in drawn.texts if text.area == area.id)
        name = "Table inventory" if area.kind == "tray" else " ".join(inscribed)
        rows.append(Row((name, place, size)))
    yield TableBlock(
        titles=("equipment", "center, from the upper left corner", "size"),
        rows=tuple(rows),
        widths=("1fr", "auto", "auto"),
        sides=("left", "left", "left"),
        clauses=("2.A.1", "2.A.2"),
    )
    yield Heading(text="Cards, chips and devices", level=level)
    yield TableBlock(
        titles=("item", "used here"),
        rows=(
            Row(("Cards", deck_count(house))),
            Row(("Shuffle", display_value(house.shuffle_method))),
            Row(("Dealing", display_value(house.dealing_method))),
            Row(("Chips", chips_in_use(house))),
        ),
        widths=("1fr", "2fr"),
        sides=("left", "left"),
    )


def met_requirements(result: FeltCheckResult) -> Iterator[Block]:
    """Every requirement that the finished drawings meet."""
    yield Heading(text="Requirements met by the drawings")
    yield TableBlock(
        titles=("requirement", "shown on", "clauses"),
        rows=tuple(
            Row((met.what, met.where, ", ".join(met.clauses)), met.clauses)
            for met in dict.fromkeys(result.met)
        ),
        widths=("1fr", "auto", "auto"),
        sides=("left", "left", "left"),
    )


def drawings(drawn: Felt, posted: Sign | None) -> Iterator[Block]:
    """The felt on a landscape page, and the sign if there is one."""
    size = f"{drawn.width:.0f} by {drawn.height:.0f} mm; full size in {FELT}.pdf."
    yield DrawingPage(
        title="Table layout",
        svg=drawn.svg(),
        alt=drawn.description,
        width=WIDE,
        wide=True,
        caption=size,
    )
    if posted:
        size = f"{posted.width:.1f} by {posted.height:.1f} mm; full size in {SIGN}.pdf."
        yield DrawingPage(
            title="Table sign",
            svg=posted.svg(),
            alt=posted.description,
            width=TALL,
            wide=False,
            caption=size,
        )

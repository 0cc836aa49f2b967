"""Text fitting: odds in panels and notices on curves, as large as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import fsum, hypot

import msgspec

from croupier.documents import fonts
from croupier.documents.felt.inscriptions import Inscription, OddsBlock
from croupier.documents.felt.shapes import (
    Area,
    Ellipse,
    Frame,
    Ornament,
    Panel,
    RuleLine,
    TextLine,
    wrap_text,
)

# Relative to the font size.
PITCH = 1.3  # line spacing
HEADING = 1.16  # size of a heading
BELOW_HEADING = 0.5  # space for its rule
BASIS_PITCH = 1.2  # line spacing of the basis
BASIS_WIDTH = 11.0  # minimum width of a block with a basis
BETWEEN = 1.1  # space between blocks of a column
GUTTER = 3.0  # space between columns
LEADER = 2.2  # minimum space between a hand and its payout
CURVE_PITCH = 1.65
STEP = 0.25  # by which font sizes are reduced, in millimeters
ANGLE_MAX = 50.0  # degrees; letters further up the sides are hard to read
FEW_CURVES_ABOVE = 17.0  # font size; larger notices use three curves, smaller ones four


class TextColumn(msgspec.Struct, frozen=True):
    """Blocks of odds below one another."""

    blocks: tuple[OddsBlock, ...]
    width: float


def block_height(block: OddsBlock, size: float) -> float:
    """The height of a block with its heading and basis."""
    basis = BASIS_PITCH * len(basis_lines(block))
    return size * (HEADING * PITCH + BELOW_HEADING + basis + PITCH * len(block.lines))


@lru_cache(maxsize=256)
def basis_lines(block: OddsBlock) -> tuple[str, ...]:
    """The basis of a block, broken into lines of its width."""
    return tuple(wrap_text(block.basis, _relative_width(block), 1, "text")) if block.basis else ()


def block_width(block: OddsBlock, size: float) -> float:
    return size * _relative_width(block)


@lru_cache(maxsize=256)
def _relative_width(block: OddsBlock) -> float:
    hands = max(fonts.width(hand, 1) for hand, _ in block.lines)
    pays = max(fonts.width(pays, 1, "bold") for _, pays in block.lines)
    widest = max(hands + pays + LEADER, fonts.width(block.heading, HEADING, "bold"))
    return max(widest, BASIS_WIDTH) if block.basis else widest


def fit_columns(blocks: Sequence[OddsBlock], panel: Panel, size: float) -> list[TextColumn] | None:
    """Arrange blocks in columns of a panel, in order; None if they do not fit."""
    groups: list[list[OddsBlock]] = []
    used = panel.height + 1
    for block in blocks:
        height = block_height(block, size)
        if height > panel.height:
            return None
        if used + BETWEEN * size + height > panel.height:
            groups.append([])
            used = -BETWEEN * size
        groups[-1].append(block)
        used += BETWEEN * size + height
    columns = [
        TextColumn(tuple(group), max(block_width(block, size) for block in group))
        for group in groups
    ]
    width = fsum(column.width for column in columns) + GUTTER * size * max(0, len(columns) - 1)
    return columns if width <= panel.width else None


def fit_panels(
    blocks: Sequence[OddsBlock], panels: Sequence[Panel], *, max_size: float, min_size: float
) -> tuple[float, list[list[TextColumn]]] | None:
    """The largest font size at which the panels hold all blocks, with the columns of each panel."""
    size = max_size
    while size >= min_size:
        columns = divide_blocks(blocks, panels, size)
        if columns is not None:
            return size, columns
        size -= STEP
    return None


def divide_blocks(
    blocks: Sequence[OddsBlock], panels: Sequence[Panel], size: float
) -> list[list[TextColumn]] | None:
    """The most even division of blocks among one or two panels; None if they do not fit."""
    if len(panels) == 1:
        only = fit_columns(blocks, panels[0], size)
        return None if only is None else [only]
    best: tuple[float, list[list[TextColumn]]] | None = None
    total = fsum(block_height(block, size) for block in blocks)
    for first in range(len(blocks) + 1):
        left = fit_columns(blocks[:first], panels[0], size)
        right = fit_columns(blocks[first:], panels[1], size)
        if left is None or right is None:
            continue
        imbalance = abs(2 * fsum(block_height(block, size) for block in blocks[:first]) - total)
        if best is None or imbalance < best[0]:
            best = imbalance, [left, right]
    return best[1] if best else None


def draw_columns(
    columns: Sequence[TextColumn], panel: Panel, size: float, *, align_right: bool
) -> Iterator[Area | TextLine | RuleLine]:
    """Draw the columns of a panel at its left or right edge."""
    gap = GUTTER * size
    total = fsum(column.width for column in columns) + gap * (len(columns) - 1)
    x = panel.x + (panel.width - total if align_right else 0)
    for column in columns:
        y = panel.y
        for block in column.blocks:
            yield from draw_block(block, x, y, column.width, size)
            y += block_height(block, size) + BETWEEN * size
        x += column.width + gap


def draw_block(
    block: OddsBlock, x: float, y: float, width: float, size: float
) -> Iterator[Area | TextLine | RuleLine]:
    """Draw a heading, its rule, the basis, and lines of hand and payout."""
    height = block_height(block, size)
    id = f"odds-{block.name}"
    # The margin keeps the ends of letters inside.
    yield Area(
        id=id,
        kind="odds",
        at=Frame(x + width / 2, y + height / 2),
        width=width + size,
        height=height + size * 0.6,
        wager=block.wagers[0],
        clauses=block.clauses,
    )
    baseline = y + HEADING * size
    yield TextLine(
        id=f"{id}-heading",
        kind="heading",
        text=block.heading,
        at=Frame(x, baseline),
        size=HEADING * size,
        face="bold",
        anchor="start",
        area=id,
        wager=block.wagers[0],
        clauses=block.clauses,
    )
    yield RuleLine(x, baseline + 0.45 * size, width)
    baseline += (BELOW_HEADING + 0.1) * size
    for number, text in enumerate(basis_lines(block)):
        baseline += BASIS_PITCH * size
        yield TextLine(
            id=f"{id}-basis-{number}",
            kind="basis",
            text=text,
            at=Frame(x, baseline),
            size=size,
            anchor="start",
            area=id,
            wager=block.wagers[0],
            clauses=block.clauses,
        )
    for number, (hand, pays) in enumerate(block.lines):
        baseline += PITCH * size
        yield from draw_odds_line(block, number, (hand, pays), (x, baseline, width), size)


def draw_odds_line(
    block: OddsBlock,
    number: int,
    line: tuple[str, str],
    place: tuple[float, float, float],
    size: float,
) -> Iterator[TextLine | RuleLine]:
    """Draw one line of odds with a dotted leader from hand to payout."""
    (hand, pays), (x, baseline, width), id = line, place, f"odds-{block.name}"
    common = TextLine(
        id=f"{id}-{number}-hand",
        kind="hand",
        text=hand,
        at=Frame(x, baseline),
        size=size,
        anchor="start",
        area=id,
        wager=block.wagers[0],
        line=number,
        clauses=block.clauses,
    )
    yield common
    yield msgspec.structs.replace(
        common,
        id=f"{id}-{number}-pays",
        kind="pays",
        text=pays,
        at=Frame(x + width, baseline),
        anchor="end",
        face="bold",
    )
    start = x + fonts.width(hand, size) + 0.5 * size
    end = x + width - fonts.width(pays, size, "bold") - 0.5 * size
    if end - start > size:
        yield RuleLine(start, baseline - 0.08 * size, end - start, dotted=True)


class NoticeCurve(msgspec.Struct, frozen=True):
    """A curve for notices, and how far it is free on either side of its lowest point."""

    curve: Ellipse
    reach: float


def set_on_curve(text: TextLine, curve: Ellipse, start: float) -> TextLine:
    """Place a text on a curve, letter by letter, from a distance right of its lowest point."""
    metrics = fonts.metrics(text.face)
    distance = start
    frames = []
    for letter in text.text:
        advance = metrics.width(letter, text.size)
        # A letter is rotated like the curve below its center.
        center = curve.at(curve.angle_at(distance + advance / 2))
        frames.append(center.offset(-advance / 2, 0))
        distance += advance + text.spacing * text.size
    return msgspec.structs.replace(text, at=curve.at(0), curve=tuple(frames), anchor="start")


def notice_curves(
    lowest: Ellipse, obstacles: Sequence[Area], size: float, count: int
) -> list[NoticeCurve]:
    """Nested curves, each as long as letters of a size touch no area."""
    curves = []
    for number in range(count):
        inward = number * size * CURVE_PITCH
        curve = Ellipse(lowest.x, lowest.y, lowest.across - inward, lowest.down - inward)
        reach = 0.0
        while abs(curve.angle_at(reach)) < ANGLE_MAX and is_clear(
            curve, reach + size, obstacles, size
        ):
            reach += size
        curves.append(NoticeCurve(curve, reach))
    return curves


def is_clear(curve: Ellipse, distance: float, obstacles: Sequence[Area], size: float) -> bool:
    """Whether a letter at a distance along the curve is clear of every area."""
    at = curve.at(curve.angle_at(distance))
    around = [at.at(0, size * away) for away in (-0.3, 0.25, 0.8)]
    return all(
        hypot(x - area.at.x, y - area.at.y) > area.width / 2 + size * 0.5
        for area in obstacles
        for x, y in around
    )


def fit_notices(
    notices: Sequence[Inscription],
    lowest: Ellipse,
    obstacles: Sequence[Area],
    *,
    max_size: float,
    min_size: float,
) -> list[TextLine | Ornament] | None:
    """Place notices on curves at the largest size that fits; None if none is legible.

    Short notices may share a curve; the longest is on the lowest curve.
    """
    if not notices:
        return []
    size = max_size
    while size >= min_size:
        count = 3 if size > FEW_CURVES_ABOVE else 4
        placed = place_notices(notices, notice_curves(lowest, obstacles, size, count), size)
        if placed is not None:
            return placed
        size -= 2 * STEP
    return None


def place_notices(
    notices: Sequence[Inscription], curves: Sequence[NoticeCurve], size: float
) -> list[TextLine | Ornament] | None:
    """Put each notice, longest first, on the first curve with space; None if one does not fit."""
    texts = sorted((notice_text(notice, size) for notice in notices), key=lambda text: -text.width)
    lines: list[list[TextLine]] = [[] for _ in curves]
    gap = 2.4 * size
    for text in texts:
        for line, curve in zip(lines, curves, strict=True):
            used = fsum(other.width + gap for other in line)
            if used + text.width <= 2 * curve.reach:
                line.append(text)
                break
        else:
            return None
    placed: list[TextLine | Ornament] = []
    for line, curve in zip(lines, curves, strict=True):
        start = -(fsum(text.width for text in line) + gap * (len(line) - 1)) / 2
        for number, text in enumerate(line):
            if number:
                between = curve.curve.at(curve.curve.angle_at(start - gap / 2))
                placed.append(Ornament(between.offset(0, size * 0.33), size * 0.42))
            placed.append(set_on_curve(text, curve.curve, start))
            start += text.width + gap
    return placed


def notice_text(notice: Inscription, size: float) -> TextLine:
    """The text line of a notice, not yet placed."""
    return TextLine(
        id=f"notice-{notice.name}",
        kind="notice",
        text=notice.words,
        at=Frame(0, 0),
        size=size,
        face="bold",
        spacing=0.02,
        clauses=notice.clauses,
    )

"""Legibility checks of a drawing: text size, placement inside areas, no overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import Literal

from croupier.documents import fonts
from croupier.documents.felt.shapes import Polygon
from croupier.documents.felt.svg_reader import Limits, ReadArea, ReadDrawing, overlap
from croupier.documents.fonts import FONTS

# Minimum cap height in millimeters: read across a table, and at arm's length.
CAPITALS_MIN = {"felt": 4.5, "sign": 2.8}
NOT_FOR_PLAYERS = ("seat", "equipment", "footnote")
SLACK = 0.4  # millimeters that outlines may share, because letters have space around them


def flaws(drawing: ReadDrawing, where: Literal["felt", "sign"]) -> Iterator[str]:
    """All legibility problems of a drawing, as messages."""
    yield from unknown_letters(drawing, where)
    yield from too_small(drawing, where)
    yield from outside(drawing, where)
    yield from crossing(drawing, where)
    yield from texts_over_texts(drawing, where)
    yield from areas_over_areas(drawing, where)


def unknown_letters(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts with characters that their font lacks."""
    for text in drawing.texts:
        if missing := [letter for letter in text.text if not fonts.has_glyphs(letter, text.face)]:
            family = FONTS[text.face].family
            yield f"{where}: {text.text!r} has {', '.join(missing)}, not in the font {family}"


def too_small(drawing: ReadDrawing, where: Literal["felt", "sign"]) -> Iterator[str]:
    """Texts for players below the minimum size."""
    for text in drawing.texts:
        if text.kind not in NOT_FOR_PLAYERS and text.capitals < CAPITALS_MIN[where] - 0.001:
            yield (
                f"{where}: {text.text!r} has capitals of {text.capitals:.1f} mm, "
                f"expected {CAPITALS_MIN[where]} mm or more"
            )


def outside(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts outside the drawing, or outside the cloth if they are for players."""
    for text in drawing.texts:
        points = tuple(point for outline in text.outlines for point in outline)
        if not all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in points):
            yield f"{where}: {text.text!r} extends beyond the drawing"
        elif text.kind not in NOT_FOR_PLAYERS and not on_cloth(drawing, points):
            yield f"{where}: {text.text!r} extends beyond the cloth"


def on_cloth(drawing: ReadDrawing, points: Polygon) -> bool:
    """Whether all points lie on the cloth, if there is one."""
    return drawing.cloth is None or all(drawing.cloth.holds(x, y) for x, y in points)


def crossing(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts across the border of an area."""
    for text in drawing.texts:
        for area in drawing.areas:
            if not boxes_overlap(text.limits, area.limits):
                continue
            touching = [outline for outline in text.outlines if touches(outline, area)]
            if touching and not all(inside(outline, area) for outline in text.outlines):
                yield f"{where}: {text.text!r} crosses the border of {area_name(area)}"


def touches(outline: Polygon, area: ReadArea) -> bool:
    """Whether an outline and an area overlap."""
    if area.round:
        return any(area.holds(x, y) for x, y in (*outline, *edge_points(outline)))
    return overlap(outline, area.outline, SLACK)


def edge_points(outline: Polygon) -> Iterator[tuple[float, float]]:
    """Points along the edges, to detect a circle that enters between two corners."""
    for (x, y), (next_x, next_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        for part in (0.25, 0.5, 0.75):
            yield x + part * (next_x - x), y + part * (next_y - y)


def inside(outline: Polygon, area: ReadArea) -> bool:
    """Whether all corners of an outline lie in an area."""
    return all(area.holds(x, y) for x, y in outline)


def texts_over_texts(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Pairs of texts that overlap."""
    for first, second in combinations(drawing.texts, 2):
        if boxes_overlap(first.limits, second.limits) and any(
            overlap(one, other, SLACK) for one in first.outlines for other in second.outlines
        ):
            yield f"{where}: {first.text!r} and {second.text!r} overlap"


def areas_over_areas(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Pairs of areas that overlap."""
    for first, second in combinations(drawing.areas, 2):
        if not boxes_overlap(first.limits, second.limits):
            continue
        if first.round and second.round:
            distance = hypot(first.at.x - second.at.x, first.at.y - second.at.y)
            overlapping = distance < (first.width + second.width) / 2
        elif first.round or second.round:
            circle, flat = (first, second) if first.round else (second, first)
            overlapping = touches(octagon(circle), flat)
        else:
            overlapping = overlap(first.outline, second.outline, SLACK)
        if overlapping:
            yield f"{where}: {area_name(first)} and {area_name(second)} overlap"


def octagon(circle: ReadArea) -> Polygon:
    """The octagon around a circle."""
    half, cut = circle.width / 2, circle.width / 2 * 0.4142
    corners = ((-cut, half), (cut, half), (half, cut), (half, -cut))
    return tuple(circle.at.at(x, y) for x, y in (*corners, *((-x, -y) for x, y in corners)))


def area_name(area: ReadArea) -> str:
    """The name of an area in messages."""
    what = area.wager.replace("_", " ") or area.place
    seat = f" of position {area.seat}" if area.seat else ""
    return f"the area {area.kind} {what}{seat}".replace("  ", " ")


def boxes_overlap(first: Limits, second: Limits) -> bool:
    """Whether two bounding boxes overlap; a cheap test before the exact one."""
    return (
        first[0] <= second[2]
        and second[0] <= first[2]
        and first[1] <= second[3]
        and second[1] <= first[3]
    )

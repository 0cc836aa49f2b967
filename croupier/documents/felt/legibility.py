"""Whether a drawing can be read: texts large enough, inside their areas, over nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from croupier.documents import fonts
from croupier.documents.felt.shapes import Polygon
from croupier.documents.felt.svg_reader import Limits, ReadArea, ReadDrawing, overlap
from croupier.documents.fonts import FONTS

# How tall capitals are at the least, in millimetres: across a table, and at arm's length.
LEAST_CAPITALS = {"felt": 4.5, "sign": 2.8}
NOT_FOR_PLAYERS = ("seat", "equipment", "footnote")
SLACK = 0.4  # millimetres that outlines may share: letters have air around them


def flaws(drawing: ReadDrawing, where: Literal["felt", "sign"]) -> Iterator[str]:
    """Every text that is too small, not inside, or over something else; every area over another."""
    yield from unknown_letters(drawing, where)
    yield from too_small(drawing, where)
    yield from outside(drawing, where)
    yield from crossing(drawing, where)
    yield from texts_over_texts(drawing, where)
    yield from areas_over_areas(drawing, where)


def unknown_letters(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts with letters that their face does not have, so that a box would stand there."""
    for text in drawing.texts:
        if missing := [letter for letter in text.text if not fonts.can_write(letter, text.face)]:
            family = FONTS[text.face].family
            yield f"{where}: {text.text!r} has {', '.join(missing)}, which {family} cannot write"


def too_small(drawing: ReadDrawing, where: Literal["felt", "sign"]) -> Iterator[str]:
    """Texts for players with letters below the least size."""
    for text in drawing.texts:
        if text.kind not in NOT_FOR_PLAYERS and text.capitals < LEAST_CAPITALS[where] - 0.001:
            yield (
                f"{where}: {text.text!r} has capitals of {text.capitals:.1f} mm, "
                f"expected {LEAST_CAPITALS[where]} mm or more"
            )


def outside(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts that leave the drawing, or the cloth if they are for players."""
    for text in drawing.texts:
        points = tuple(point for outline in text.outlines for point in outline)
        if not all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in points):
            yield f"{where}: {text.text!r} leaves the drawing"
        elif text.kind not in NOT_FOR_PLAYERS and not on_cloth(drawing, points):
            yield f"{where}: {text.text!r} leaves the cloth"


def on_cloth(drawing: ReadDrawing, points: Polygon) -> bool:
    """Whether all points lie on the cloth, where there is one."""
    return drawing.cloth is None or all(drawing.cloth.holds(x, y) for x, y in points)


def crossing(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Texts that lie across the border of an area: whatever touches one is inside it."""
    for text in drawing.texts:
        for area in drawing.areas:
            if not meet(text.limits, area.limits):
                continue
            near = [outline for outline in text.outlines if touches(outline, area)]
            if near and not all(inside(outline, area) for outline in text.outlines):
                yield f"{where}: {text.text!r} lies across the border of {named(area)}"


def touches(outline: Polygon, area: ReadArea) -> bool:
    """Whether an outline and an area share some cloth."""
    if area.round:
        return any(area.holds(x, y) for x, y in (*outline, *middles(outline)))
    return overlap(outline, area.outline, SLACK)


def middles(outline: Polygon) -> Iterator[tuple[float, float]]:
    """Points along the sides, so that a circle that enters between two corners is noticed."""
    for (x, y), (next_x, next_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        for part in (0.25, 0.5, 0.75):
            yield x + part * (next_x - x), y + part * (next_y - y)


def inside(outline: Polygon, area: ReadArea) -> bool:
    """Whether an outline lies in an area with every corner."""
    return all(area.holds(x, y) for x, y in outline)


def texts_over_texts(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Two texts that share ink."""
    for one, other in combinations(drawing.texts, 2):
        if meet(one.limits, other.limits) and any(
            overlap(mine, yours, SLACK) for mine in one.outlines for yours in other.outlines
        ):
            yield f"{where}: {one.text!r} and {other.text!r} overlap"


def areas_over_areas(drawing: ReadDrawing, where: str) -> Iterator[str]:
    """Two areas that share some cloth."""
    for one, other in combinations(drawing.areas, 2):
        if not meet(one.limits, other.limits):
            continue
        if one.round and other.round:
            apart = ((one.at.x - other.at.x) ** 2 + (one.at.y - other.at.y) ** 2) ** 0.5
            shared = apart < (one.width + other.width) / 2
        elif one.round or other.round:
            ring, flat = (one, other) if one.round else (other, one)
            shared = touches(polygon_of(ring), flat)
        else:
            shared = overlap(one.outline, other.outline, SLACK)
        if shared:
            yield f"{where}: {named(one)} and {named(other)} overlap"


def polygon_of(ring: ReadArea) -> Polygon:
    """A circle as the octagon around it."""
    half, cut = ring.width / 2, ring.width / 2 * 0.4142
    corners = ((-cut, half), (cut, half), (half, cut), (half, -cut))
    return tuple(ring.at.at(x, y) for x, y in (*corners, *((-x, -y) for x, y in corners)))


def named(area: ReadArea) -> str:
    """An area in words."""
    what = area.wager.replace("_", " ") or area.place
    seat = f" of position {area.seat}" if area.seat else ""
    return f"the area {area.kind} {what}{seat}".replace("  ", " ")


def meet(ours: Limits, theirs: Limits) -> bool:
    """Whether two upright boxes meet: a quick answer to most questions."""
    return (
        ours[0] <= theirs[2]
        and theirs[0] <= ours[2]
        and ours[1] <= theirs[3]
        and theirs[1] <= ours[3]
    )

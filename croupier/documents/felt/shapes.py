"""Geometry of drawings: areas, text lines and ornaments, in millimeters from the upper left.

The dealer is at the upper edge, the players along the lower edge. Rotations are in degrees,
clockwise; a player position is rotated so that its player sees it upright.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import asin, cos, degrees, hypot, radians, sin
from typing import Literal, TypeAlias

import msgspec

from croupier.documents import fonts
from croupier.documents.fonts import Face

AreaKind: TypeAlias = Literal[
    "spot", "hand", "dealer", "community", "box", "tray", "equipment", "odds", "logo"
]
# "sign" is the "=" or "+" between two areas, "more" the continuation line of a notice.
TextKind: TypeAlias = Literal[
    "label",
    "sign",
    "heading",
    "basis",
    "hand",
    "pays",
    "notice",
    "more",
    "operator",
    "game",
    "seat",
    "equipment",
    "footnote",
    "imprint",
]
Anchor: TypeAlias = Literal["start", "middle", "end"]
Polygon: TypeAlias = tuple[tuple[float, float], ...]


class Frame(msgspec.Struct, frozen=True):
    """A local coordinate frame: a point and the rotation of a viewer there."""

    x: float
    y: float
    rotation: float = 0.0

    def at(self, right: float, away: float) -> tuple[float, float]:
        """The point at a distance to the right and away, as the viewer sees it."""
        turn = radians(self.rotation)
        x = self.x + right * cos(turn) + away * sin(turn)
        y = self.y + right * sin(turn) - away * cos(turn)
        return x, y

    def offset(self, right: float, away: float) -> Frame:
        """The frame moved to the right and away, with the same rotation."""
        return Frame(*self.at(right, away), self.rotation)


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """A circle or rounded rectangle of the layout, by its center."""

    id: str
    kind: AreaKind
    at: Frame
    width: float
    height: float
    round: bool = False
    seat: int = 0
    wager: str = ""
    place: str = ""  # of a community card, in the game's terms
    clauses: tuple[str, ...] = ()

    @property
    def corners(self) -> Polygon:
        """The corners of a rectangle, or sixteen points on a circle."""
        if self.round:
            steps = [radians(22.5 * step) for step in range(16)]
            half = self.width / 2
            return tuple(self.at.at(half * cos(step), half * sin(step)) for step in steps)
        return rectangle(self.at, self.width, self.height)


class TextLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of text; `area` is the id of the area that contains it."""

    id: str
    kind: TextKind
    text: str
    at: Frame
    size: float
    face: Face = "text"
    anchor: Anchor = "middle"
    spacing: float = 0.0
    area: str = ""
    seat: int = 0
    wager: str = ""
    line: int = -1  # line number in the odds of the wager
    clauses: tuple[str, ...] = ()
    # The frame of every letter of a text on a curve.
    curve: tuple[Frame, ...] = ()

    @property
    def width(self) -> float:
        """The width of the straight line."""
        return fonts.width(self.text, self.size, self.face, self.spacing)


class RuleLine(msgspec.Struct, frozen=True):
    """A thin horizontal line: solid below a heading, dotted between a hand and its payout."""

    x: float
    y: float
    width: float
    dotted: bool = False


class Ornament(msgspec.Struct, frozen=True):
    """A small diamond."""

    at: Frame
    size: float


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle reserved for text."""

    x: float
    y: float
    width: float
    height: float


Shape: TypeAlias = Area | TextLine | RuleLine | Ornament


def rectangle(at: Frame, width: float, height: float) -> Polygon:
    """The corners of a rectangle around its center, clockwise from the upper left."""
    right, up = width / 2, height / 2
    return tuple(at.at(x, y) for x, y in ((-right, up), (right, up), (right, -up), (-right, -up)))


def center_vertically(text: TextLine) -> TextLine:
    """Move a text so that its capitals are centered on the point of its baseline."""
    down = fonts.metrics(text.face).capitals * text.size / 2
    return msgspec.structs.replace(text, at=text.at.offset(0, -down))


def wrap_text(text: str, max_width: float, size: float, face: Face) -> list[str]:
    """Break a text into as few lines as fit a width, as even as possible.

    A word that is wider gets its own line.
    """
    words = text.split()
    widths = [fonts.width(word, size, face) for word in words]
    space = fonts.width(" ", size, face)
    fewest = len(_fill_lines(words, widths, space, max_width))
    low, high = max(widths, default=0.0), max(max_width, *widths, 0.0)
    for _ in range(12):  # bisection, precise to a fraction of a millimeter
        middle = (low + high) / 2
        if len(_fill_lines(words, widths, space, middle)) > fewest:
            low = middle
        else:
            high = middle
    return _fill_lines(words, widths, space, high)


def _fill_lines(
    words: Sequence[str], widths: Sequence[float], space: float, max_width: float
) -> list[str]:
    """Greedy line breaking."""
    lines: list[str] = []
    used = 0.0
    for word, width in zip(words, widths, strict=True):
        if lines and used + space + width <= max_width + 1e-9:
            lines[-1] += f" {word}"
            used += space + width
        else:
            lines.append(word)
            used = width
    return lines


class Ellipse(msgspec.Struct, frozen=True):
    """The lower half of an ellipse, for player positions and curved text."""

    x: float
    y: float
    across: float  # half axes
    down: float

    @property
    def bottom(self) -> float:
        """The lowest point."""
        return self.y + self.down

    def at(self, angle: float) -> Frame:
        """The frame on the curve, facing along its inner normal; angle 0 is the lowest point.

        Positive angles are to the left of the drawing.
        """
        turn = radians(angle)
        x = self.x - self.across * sin(turn)
        y = self.y + self.down * cos(turn)
        normal = (sin(turn) / self.across, cos(turn) / self.down)
        length = hypot(*normal)
        return Frame(x, y, degrees(asin(normal[0] / length)))

    def angle_at(self, distance: float) -> float:
        """The angle at a distance along the curve, to the right of the lowest point."""
        lengths = _arc_lengths(self)
        index = min(bisect_left(lengths, abs(distance)), len(lengths) - 1)
        before = lengths[index - 1] if index else 0.0
        part = (abs(distance) - before) / (lengths[index] - before) if index else 0.0
        angle = max(0.0, index - 1 + part) * _STEP
        return -angle if distance > 0 else angle


_STEP = 0.5  # degrees


@lru_cache(maxsize=256)
def _arc_lengths(curve: Ellipse) -> tuple[float, ...]:
    """Arc length from the lowest point to every step of angle."""
    lengths = [0.0]
    here = curve.at(0)
    for step in range(1, int(90 / _STEP)):
        there = curve.at(step * _STEP)
        lengths.append(lengths[-1] + hypot(there.x - here.x, there.y - here.y))
        here = there
    return tuple(lengths)

"""What a drawing is made of: areas and texts, in millimetres from the upper left corner.

The dealer stands at the upper edge, the players sit along the lower one. A rotation is in degrees
clockwise, as a player there sees the drawing upright.
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
# What a text says: a name of an area, a sign between two, odds, a notice and its next line, ...
TextKind: TypeAlias = Literal[
    "label",
    "sign",
    "heading",
    "hand",
    "pays",
    "notice",
    "more",
    "operator",
    "game",
    "seat",
    "equipment",
    "footnote",
]
Anchor: TypeAlias = Literal["start", "middle", "end"]
Polygon: TypeAlias = tuple[tuple[float, float], ...]


class Frame(msgspec.Struct, frozen=True):
    """A place from which one measures to the right and away, as a person there sees it."""

    x: float
    y: float
    rotation: float = 0.0

    def at(self, right: float, away: float) -> tuple[float, float]:
        """A point of the drawing."""
        turn = radians(self.rotation)
        x = self.x + right * cos(turn) + away * sin(turn)
        y = self.y + right * sin(turn) - away * cos(turn)
        return x, y

    def moved(self, right: float, away: float) -> Frame:
        """The same view from another point."""
        return Frame(*self.at(right, away), self.rotation)


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the layout around its centre: round, or a rectangle with rounded corners."""

    id: str
    kind: AreaKind
    at: Frame
    width: float
    height: float
    round: bool = False
    seat: int = 0
    wager: str = ""
    place: str = ""  # of a community card, as the game calls it
    clauses: tuple[str, ...] = ()

    @property
    def corners(self) -> Polygon:
        """The corners of a rectangle, or sixteen points of a circle."""
        if self.round:
            steps = [radians(22.5 * step) for step in range(16)]
            half = self.width / 2
            return tuple(self.at.at(half * cos(step), half * sin(step)) for step in steps)
        return box(self.at, self.width, self.height)


class TextLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of letters. `area` is the id of the area or panel that it stands in."""

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
    line: int = -1  # of the wager's odds
    clauses: tuple[str, ...] = ()
    # The place of every letter, where they stand on a curve.
    curve: tuple[Frame, ...] = ()

    @property
    def width(self) -> float:
        """How wide the line is when it is straight."""
        return fonts.width(self.text, self.size, self.face, self.spacing)


class RuleLine(msgspec.Struct, frozen=True):
    """A thin level line: solid under a heading, dotted between a hand and what it pays."""

    x: float
    y: float
    width: float
    dotted: bool = False


class Ornament(msgspec.Struct, frozen=True):
    """A small diamond."""

    at: Frame
    size: float


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the drawing that is kept for texts."""

    x: float
    y: float
    width: float
    height: float


def box(at: Frame, width: float, height: float) -> Polygon:
    """The corners of a rectangle around a centre, clockwise from the upper left."""
    right, up = width / 2, height / 2
    return tuple(at.at(x, y) for x, y in ((-right, up), (right, up), (right, -up), (-right, -up)))


def middle(text: TextLine) -> TextLine:
    """The same text moved so that its capitals stand around the point where its baseline was."""
    down = fonts.metrics(text.face).capitals * text.size / 2
    return msgspec.structs.replace(text, at=text.at.moved(0, -down))


def lines_of(words: str, most: float, size: float, face: Face) -> list[str]:
    """Words broken into as few lines as fit a width, as even as they can be.

    A word that is wider than that has a line to itself.
    """
    parts = words.split()
    wide = [fonts.width(part, size, face) for part in parts]
    space = fonts.width(" ", size, face)
    fewest = len(filled(parts, wide, space, most))
    low, high = max(wide, default=0.0), max(most, *wide, 0.0)
    for _ in range(12):  # halving finds the narrowest width to within a part of a millimetre
        middle = (low + high) / 2
        if len(filled(parts, wide, space, middle)) > fewest:
            low = middle
        else:
            high = middle
    return filled(parts, wide, space, high)


def filled(parts: Sequence[str], wide: Sequence[float], space: float, most: float) -> list[str]:
    """Words put into lines one after the other, a new line where the next would not fit."""
    lines: list[str] = []
    taken = 0.0
    for part, width in zip(parts, wide, strict=True):
        if lines and taken + space + width <= most + 1e-9:
            lines[-1] += f" {part}"
            taken += space + width
        else:
            lines.append(part)
            taken = width
    return lines


class Ellipse(msgspec.Struct, frozen=True):
    """The lower half of an ellipse, on which seats and curved lines stand."""

    x: float
    y: float
    across: float  # half axes
    down: float

    @property
    def bottom(self) -> float:
        """The lowest point."""
        return self.y + self.down

    def at(self, angle: float) -> Frame:
        """A point of the curve and the view towards the centre; angle 0 is the lowest point.

        Positive angles are to the left of the drawing, where a player looks to the right.
        """
        turn = radians(angle)
        x = self.x - self.across * sin(turn)
        y = self.y + self.down * cos(turn)
        # The view is along the normal of the curve.
        normal = (sin(turn) / self.across, cos(turn) / self.down)
        length = hypot(*normal)
        return Frame(x, y, degrees(asin(normal[0] / length)))

    def angle_at(self, distance: float) -> float:
        """The angle at so many millimetres along the curve, to the right of the lowest point."""
        gone = _lengths(self)
        place = min(bisect_left(gone, abs(distance)), len(gone) - 1)
        before = gone[place - 1] if place else 0.0
        part = (abs(distance) - before) / (gone[place] - before) if place else 0.0
        angle = max(0.0, place - 1 + part) * _STEP
        return -angle if distance > 0 else angle


_STEP = 0.5  # degrees


@lru_cache(maxsize=256)
def _lengths(curve: Ellipse) -> tuple[float, ...]:
    """How long the curve is from its lowest point to every step of angle."""
    gone = [0.0]
    here = curve.at(0)
    for step in range(1, int(90 / _STEP)):
        there = curve.at(step * _STEP)
        gone.append(gone[-1] + hypot(there.x - here.x, there.y - here.y))
        here = there
    return tuple(gone)

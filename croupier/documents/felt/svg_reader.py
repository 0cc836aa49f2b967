"""Reads a finished SVG drawing: texts and areas, measured with the real fonts.

It uses only the file, independent of how the drawing was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import TypeAlias
from xml.etree import ElementTree

import msgspec

from croupier.documents import fonts
from croupier.documents.felt.shapes import Frame, Polygon, rectangle
from croupier.documents.fonts import FONTS, Face
from croupier.errors import BadInput

_SVG = "{http://www.w3.org/2000/svg}"
_HALF_MOON = re.compile(
    r"M(?P<left>\S+) (?P<top>[^\sH]+)H(?P<right>[^\sV]+)V(?P<side>[^\sA]+)"
    r"A(?P<across>\S+) (?P<down>\S+) 0 0 1 \S+ \S+Z"
)
_ROTATE = re.compile(r"rotate\((\S+) (\S+) (\S+)\)")


Limits: TypeAlias = tuple[float, float, float, float]  # left, top, right and bottom


def limits_of(*outlines: Polygon) -> Limits:
    """The bounding box of outlines."""
    xs = [x for outline in outlines for x, _ in outline]
    ys = [y for outline in outlines for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


class ReadText(msgspec.Struct, frozen=True):
    """A text of the file; one outline for a straight line, one per letter on a curve."""

    kind: str
    text: str
    at: Frame
    face: Face
    capitals: float  # cap height in millimeters
    outlines: tuple[Polygon, ...]
    limits: Limits

    @property
    def center(self) -> tuple[float, float]:
        """The center of the bounding box."""
        left, top, right, bottom = self.limits
        return (left + right) / 2, (top + bottom) / 2


class ReadArea(msgspec.Struct, frozen=True):
    """An area of the file."""

    kind: str
    at: Frame
    width: float
    height: float
    round: bool
    seat: int
    wager: str
    place: str
    outline: Polygon  # for a circle, the square around it
    limits: Limits

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in the area."""
        right, away = seen_from(self.at, x, y)
        if self.round:
            return right**2 + away**2 <= (self.width / 2) ** 2
        return abs(right) <= self.width / 2 and abs(away) <= self.height / 2


class Cloth(msgspec.Struct, frozen=True):
    """The table outline: straight on the dealer's side, half an ellipse on the players' side."""

    left: float
    top: float
    right: float
    side: float  # y at which the straight sides end
    across: float
    down: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies on the cloth."""
        if y <= self.side:
            return self.left <= x <= self.right and self.top <= y
        middle = (self.left + self.right) / 2
        return ((x - middle) / self.across) ** 2 + ((y - self.side) / self.down) ** 2 <= 1


class ReadDrawing(msgspec.Struct, frozen=True):
    """A drawing read from a file; a sign has no cloth."""

    width: float
    height: float
    cloth: Cloth | None
    texts: tuple[ReadText, ...]
    areas: tuple[ReadArea, ...]
    pictures: int

    def texts_in(self, area: ReadArea) -> list[ReadText]:
        """The texts centered in an area, from top to bottom as seen from its seat."""
        inside = [text for text in self.texts if area.holds(*text.center)]
        return sorted(inside, key=lambda text: -seen_from(area.at, *text.center)[1])


def seen_from(at: Frame, x: float, y: float) -> tuple[float, float]:
    """The coordinates (right, away) of a point in a local frame."""
    turn = radians(at.rotation)
    across, down = x - at.x, y - at.y
    return across * cos(turn) + down * sin(turn), across * sin(turn) - down * cos(turn)


def read_svg(text: str) -> ReadDrawing:
    """Read an SVG drawing; BadInput if the text is not one."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise BadInput(f"the drawing is not SVG: {error}") from None
    view_box = [float(part) for part in root.get("viewBox", "").split()]
    if root.tag != f"{_SVG}svg" or len(view_box) != 4:
        raise BadInput(f"the drawing is not SVG with a viewBox, got {root.tag}")
    return ReadDrawing(
        width=view_box[2],
        height=view_box[3],
        cloth=_cloth(root),
        texts=tuple(_text(element) for element in root.iter(f"{_SVG}text")),
        areas=_rotate_round_areas(tuple(_areas(root))),
        pictures=sum(1 for _ in root.iter(f"{_SVG}image")),
    )


def _cloth(root: ElementTree.Element) -> Cloth | None:
    for path in root.iter(f"{_SVG}path"):
        if path.get("id") == "cloth":
            match = _HALF_MOON.fullmatch(path.get("d", ""))
            if match is None:
                raise BadInput(
                    f"the outline of the cloth is {path.get('d')!r}, expected a half moon"
                )
            return Cloth(**{name: float(value) for name, value in match.groupdict().items()})
    return None


def _rotate_round_areas(areas: tuple[ReadArea, ...]) -> tuple[ReadArea, ...]:
    """Give the round areas of a position the rotation of its card area; SVG circles have none."""
    rotations = {area.seat: area.at.rotation for area in areas if area.kind == "hand"}
    return tuple(
        msgspec.structs.replace(area, at=Frame(area.at.x, area.at.y, rotations.get(area.seat, 0.0)))
        if area.round
        else area
        for area in areas
    )


def _areas(root: ElementTree.Element) -> Iterator[ReadArea]:
    for element in root.iter():
        if element.tag not in (f"{_SVG}circle", f"{_SVG}rect") or element.get("id") is None:
            continue
        if element.tag == f"{_SVG}circle":
            width = height = 2 * _float(element, "r")
            x, y = _float(element, "cx"), _float(element, "cy")
        else:
            width, height = _float(element, "width"), _float(element, "height")
            x, y = _float(element, "x") + width / 2, _float(element, "y") + height / 2
        at = Frame(x, y, _rotation(element))
        outline = rectangle(at, width, height)
        yield ReadArea(
            kind=element.get("class", ""),
            at=at,
            outline=outline,
            limits=limits_of(outline),
            width=width,
            height=height,
            round=element.tag == f"{_SVG}circle",
            seat=int(element.get("data-seat", "0")),
            wager=element.get("data-wager", ""),
            place=element.get("data-place", ""),
        )


def _text(element: ElementTree.Element) -> ReadText:
    words = "".join(element.itertext())
    size, face = _float(element, "font-size"), _face(element)
    xs = [float(part) for part in element.get("x", "").split()]
    ys = [float(part) for part in element.get("y", "").split()]
    if len(xs) > 1:
        rotations = [float(part) for part in element.get("rotate", "").split()]
        places = [Frame(x, y, rotation) for x, y, rotation in zip(xs, ys, rotations, strict=True)]
        letters = zip(words, places, strict=True)
        outlines = tuple(
            _outline(letter, at, size, face) for letter, at in letters if letter != " "
        )
        at = places[0]
    else:
        spacing = float(element.get("letter-spacing", "0")) / size
        width = fonts.width(words, size, face, spacing)
        shift = {"start": 0.0, "middle": width / 2, "end": width}[
            element.get("text-anchor", "start")
        ]
        at = Frame(xs[0], ys[0], _rotation(element)).offset(-shift, 0)
        outlines = (_outline(words, at, size, face, spacing),)
    capitals = fonts.metrics(face).capitals * size
    kind = element.get("class", "")
    return ReadText(kind, words, at, face, capitals, outlines, limits_of(*outlines))


def _outline(text: str, at: Frame, size: float, face: Face, spacing: float = 0) -> Polygon:
    """The rectangle around the ink of a line."""
    width = fonts.width(text, size, face, spacing)
    top, bottom = fonts.ink_heights(text, face)
    center = at.offset(width / 2, size * (top + bottom) / 2)
    return rectangle(center, width, size * (top - bottom))


def _face(element: ElementTree.Element) -> Face:
    family = element.get("font-family", "").split(",")[0].strip(" '\"")
    weight = int(element.get("font-weight", "400"))
    for face, font in FONTS.items():
        if (font.family, font.weight) == (family, weight):
            return face
    raise BadInput(f"a text uses the unknown font {family!r} {weight}")


def _rotation(element: ElementTree.Element) -> float:
    match = _ROTATE.fullmatch(element.get("transform", ""))
    return float(match[1]) if match else 0.0


def _float(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "0"))


def overlap(one: Polygon, other: Polygon, slack: float = 0.0) -> bool:
    """Whether two convex outlines overlap by more than `slack` millimeters.

    Separating axis theorem: they do not if their projections on some edge normal are disjoint.
    """
    for polygon in (one, other):
        for (x, y), (next_x, next_y) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            length = hypot(next_x - x, next_y - y)
            across, down = (next_y - y) / length, (x - next_x) / length
            first = [px * across + py * down for px, py in one]
            second = [px * across + py * down for px, py in other]
            if max(first) - slack <= min(second) or max(second) - slack <= min(first):
                return False
    return True

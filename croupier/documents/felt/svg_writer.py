"""Writes a drawing as SVG: the same drawing gives the same bytes.

Looks are presentation attributes and classes; there is no `style` attribute, so that a page with a
strict content policy may carry the drawing and restyle it by its classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from croupier.documents import fonts
from croupier.documents.felt.logo import Logo
from croupier.documents.felt.shapes import Area, Ornament, RuleLine, TextLine
from croupier.documents.fonts import FONTS, Face

IVORY, GOLD, BRASS = "#f6efdc", "#ecc877", "#b08d57"
LEATHER = "#241812"
INK, PAPER = "#1d1a16", "#fdfaf2"

# How each kind of area looks.
_AREAS: Mapping[str, Mapping[str, str]] = {
    "spot": {"fill": "#000000", "fill-opacity": "0.16", "stroke": IVORY, "stroke-width": "2"},
    "hand": {
        "fill": "none",
        "stroke": IVORY,
        "stroke-width": "1.2",
        "stroke-opacity": "0.55",
        "stroke-dasharray": "7 5",
    },
    "dealer": {"fill": "#000000", "fill-opacity": "0.12", "stroke": GOLD, "stroke-width": "1.6"},
    "box": {"fill": "#000000", "fill-opacity": "0.12", "stroke": GOLD, "stroke-width": "1.6"},
    "community": {
        "fill": "#000000",
        "fill-opacity": "0.12",
        "stroke": GOLD,
        "stroke-width": "1.6",
    },
    "tray": {"fill": "#15100c", "stroke": BRASS, "stroke-width": "3"},
    "equipment": {"fill": "#15100c", "stroke": BRASS, "stroke-width": "2"},
    "odds": {"fill": "none"},
}
_TEXTS: Mapping[str, str] = {
    "label": IVORY,
    "sign": GOLD,
    "heading": GOLD,
    "hand": IVORY,
    "pays": IVORY,
    "notice": GOLD,
    "operator": GOLD,
    "game": IVORY,
    "seat": BRASS,
    "equipment": "#d9c7a3",
}
_CORNERS = {"hand": 8.0, "dealer": 8.0, "box": 8.0, "community": 6.0, "tray": 14.0, "odds": 6.0}


def number(value: float) -> str:
    """A length with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def attributes(values: Mapping[str, object]) -> str:
    """Attributes in their order, without those that say nothing."""
    return "".join(
        f" {name}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for name, value in values.items()
        if value not in ("", None)
    )


def tag(name: str, values: Mapping[str, object], content: str = "") -> str:
    """One element on one line."""
    return (
        f"<{name}{attributes(values)}>{content}</{name}>"
        if content
        else (f"<{name}{attributes(values)}/>")
    )


def document(
    *,
    width: float,
    height: float,
    title: str,
    description: str,
    body: Iterable[str],
    texts: Iterable[TextLine],
    own_fonts: bool,
) -> str:
    """A whole drawing; with its own fonts it looks the same wherever it is opened."""
    size = {"width": f"{number(width)}mm", "height": f"{number(height)}mm"} if own_fonts else {}
    opening = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "class": "felt",
        "text-rendering": "geometricPrecision",  # letters keep their places at every size
        "role": "img",
        "aria-labelledby": "felt-title felt-description",
    }
    parts = [
        f"<svg{attributes(opening)}>",
        tag("title", {"id": "felt-title"}, escape(title)),
        tag("desc", {"id": "felt-description"}, escape(description)),
    ]
    if own_fonts:
        parts.append(f"<style>{''.join(font_faces(texts))}</style>")
    return "\n".join([*parts, *body, "</svg>", ""])


def font_faces(texts: Iterable[TextLine]) -> Iterator[str]:
    """The faces that the texts need, with the letters that they use."""
    letters: dict[Face, set[str]] = {}
    for text in texts:
        letters.setdefault(text.face, set()).update(text.text)
    for face in sorted(letters):
        font = FONTS[face]
        source = fonts.embedded(face, "".join(sorted(letters[face])))
        yield (
            f'@font-face{{font-family:"{font.family}";font-weight:{font.weight};src:url({source})}}'
        )


def area(drawn: Area) -> str:
    """An area with what it is for."""
    looks = dict(_AREAS[drawn.kind])
    if drawn.kind == "spot" and drawn.wager == "progressive":
        looks |= {"stroke": GOLD, "stroke-width": "3.2"}
    about = {
        "id": drawn.id,
        "class": drawn.kind,
        "data-seat": drawn.seat or "",
        "data-wager": drawn.wager,
        "data-place": drawn.place,
    }
    at = drawn.at
    if drawn.round:
        return tag("circle", {**about, "cx": at.x, "cy": at.y, "r": drawn.width / 2, **looks})
    return tag(
        "rect",
        {
            **about,
            "x": at.x - drawn.width / 2,
            "y": at.y - drawn.height / 2,
            "width": drawn.width,
            "height": drawn.height,
            "rx": _CORNERS.get(drawn.kind, 6.0),
            "transform": turned(at.rotation, at.x, at.y),
            **looks,
        },
    )


def turned(rotation: float, x: float, y: float) -> str:
    """The transform of something that is turned around a point."""
    return f"rotate({number(rotation)} {number(x)} {number(y)})" if round(rotation, 2) else ""


def text(written: TextLine, colours: Mapping[str, str] = _TEXTS) -> str:
    """A line of text; letters on a curve have a place each."""
    font = FONTS[written.face]
    at = written.at
    values: dict[str, object] = {
        "id": written.id,
        "class": written.kind,
        "data-seat": written.seat or "",
        "data-wager": written.wager,
    }
    if written.curve:
        values |= {
            "x": " ".join(number(place.x) for place in written.curve),
            "y": " ".join(number(place.y) for place in written.curve),
            "rotate": " ".join(number(place.rotation) for place in written.curve),
        }
    else:
        values |= {"x": at.x, "y": at.y, "transform": turned(at.rotation, at.x, at.y)}
    values |= {
        "font-family": f"{font.family}, {'serif' if written.face == 'display' else 'sans-serif'}",
        "font-weight": font.weight,
        "font-size": written.size,
        "text-anchor": "" if written.anchor == "start" else written.anchor,
        "letter-spacing": ""
        if written.curve or not written.spacing
        else written.spacing * written.size,
        "fill": colours[written.kind],
    }
    return tag("text", values, escape(written.text))


def rule(drawn: RuleLine, colour: str = GOLD, thick: float = 0.8) -> str:
    """A thin line."""
    looks: dict[str, object] = {"stroke": colour, "stroke-width": thick}
    if drawn.dotted:
        looks |= {
            "stroke-dasharray": f"0.01 {number(thick * 3.6)}",
            "stroke-linecap": "round",
            "stroke-opacity": "0.7",
        }
    ends = {"x1": drawn.x, "y1": drawn.y, "x2": drawn.x + drawn.width, "y2": drawn.y}
    return tag("line", {"class": "leader" if drawn.dotted else "rule", **ends, **looks})


def ornament(drawn: Ornament, colour: str = GOLD) -> str:
    """A diamond."""
    half = drawn.size
    corners = [
        drawn.at.at(x, y) for x, y in ((0, half), (half * 0.7, 0), (0, -half), (-half * 0.7, 0))
    ]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return tag("polygon", {"class": "ornament", "points": points, "fill": colour})


def tray(drawn: Area) -> Iterator[str]:
    """The table inventory with its rows for chips."""
    yield area(drawn)
    rows, inset = 14, 14.0
    wide = (drawn.width - 2 * inset) / rows
    for row in range(rows):
        x = drawn.at.x - drawn.width / 2 + inset + row * wide
        yield tag(
            "rect",
            {
                "class": "chips",
                "x": x + 3,
                "y": drawn.at.y - drawn.height / 2 + 12,
                "width": wide - 6,
                "height": drawn.height - 24,
                "rx": (wide - 6) / 2,
                "fill": "#2a1f17",
                "stroke": "#4a382a",
                "stroke-width": "1.2",
            },
        )


def picture(drawn: Area, logo: Logo) -> str:
    """A logo in its area, as large as it fits."""
    place = {
        "x": drawn.at.x - drawn.width / 2,
        "y": drawn.at.y - drawn.height / 2,
        "width": drawn.width,
        "height": drawn.height,
    }
    about = tag("title", {}, escape(logo.about))
    return tag("image", {"id": drawn.id, "class": "logo", **place, "href": logo.source}, about)


def darker(colour: str, part: float) -> str:
    """A colour with so much of its light."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(each * part):02x}" for each in parts)

"""SVG writer: equal drawings give equal bytes.

Styles are presentation attributes and classes. There is no `style` attribute, so a page with a
strict content security policy can embed the drawing and restyle its classes.
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

# Presentation attributes by kind of area.
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
    "basis": GOLD,
    "hand": IVORY,
    "pays": IVORY,
    "notice": GOLD,
    "operator": GOLD,
    "game": IVORY,
    "seat": BRASS,
    "equipment": "#d9c7a3",
    "imprint": "#6b6255",
}
_CORNERS = {"hand": 8.0, "dealer": 8.0, "box": 8.0, "community": 6.0, "tray": 14.0, "odds": 6.0}


def number(value: float) -> str:
    """Format a length with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def attributes(values: Mapping[str, object]) -> str:
    """Format attributes in order, without empty ones."""
    return "".join(
        f" {name}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for name, value in values.items()
        if value not in ("", None)
    )


def tag(name: str, values: Mapping[str, object], content: str = "") -> str:
    """Format one element."""
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
    """A complete SVG document, with embedded fonts if `own_fonts`."""
    size = {"width": f"{number(width)}mm", "height": f"{number(height)}mm"} if own_fonts else {}
    opening = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "class": "felt",
        "text-rendering": "geometricPrecision",  # letters keep their places at every zoom
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
    """`@font-face` rules with the letters that the texts use."""
    letters: dict[Face, set[str]] = {}
    for text in texts:
        letters.setdefault(text.face, set()).update(text.text)
    for face in sorted(letters):
        font = FONTS[face]
        source = fonts.subset_data_url(face, "".join(sorted(letters[face])))
        yield (
            f'@font-face{{font-family:"{font.family}";font-weight:{font.weight};src:url({source})}}'
        )


def area(drawn: Area) -> str:
    """An area with its data attributes."""
    style = dict(_AREAS[drawn.kind])
    if drawn.kind == "spot" and drawn.wager == "progressive":
        style |= {"stroke": GOLD, "stroke-width": "3.2"}
    data = {
        "id": drawn.id,
        "class": drawn.kind,
        "data-seat": drawn.seat or "",
        "data-wager": drawn.wager,
        "data-place": drawn.place,
    }
    at = drawn.at
    if drawn.round:
        return tag("circle", {**data, "cx": at.x, "cy": at.y, "r": drawn.width / 2, **style})
    return tag(
        "rect",
        {
            **data,
            "x": at.x - drawn.width / 2,
            "y": at.y - drawn.height / 2,
            "width": drawn.width,
            "height": drawn.height,
            "rx": _CORNERS.get(drawn.kind, 6.0),
            "transform": rotate(at.rotation, at.x, at.y),
            **style,
        },
    )


def rotate(rotation: float, x: float, y: float) -> str:
    """The transform of a rotation around a point; empty for none."""
    return f"rotate({number(rotation)} {number(x)} {number(y)})" if round(rotation, 2) else ""


def text(line: TextLine, colors: Mapping[str, str] = _TEXTS) -> str:
    """A line of text; letters on a curve are placed one by one."""
    font = FONTS[line.face]
    at = line.at
    values: dict[str, object] = {
        "id": line.id,
        "class": line.kind,
        "data-seat": line.seat or "",
        "data-wager": line.wager,
    }
    if line.curve:
        values |= {
            "x": " ".join(number(place.x) for place in line.curve),
            "y": " ".join(number(place.y) for place in line.curve),
            "rotate": " ".join(number(place.rotation) for place in line.curve),
        }
    else:
        values |= {"x": at.x, "y": at.y, "transform": rotate(at.rotation, at.x, at.y)}
    values |= {
        "font-family": f"{font.family}, {'serif' if line.face == 'display' else 'sans-serif'}",
        "font-weight": font.weight,
        "font-size": line.size,
        "text-anchor": "" if line.anchor == "start" else line.anchor,
        "letter-spacing": "" if line.curve or not line.spacing else line.spacing * line.size,
        "fill": colors[line.kind],
    }
    return tag("text", values, escape(line.text))


def rule(drawn: RuleLine, color: str = GOLD, thickness: float = 0.8) -> str:
    """A thin line."""
    style: dict[str, object] = {"stroke": color, "stroke-width": thickness}
    if drawn.dotted:
        style |= {
            "stroke-dasharray": f"0.01 {number(thickness * 3.6)}",
            "stroke-linecap": "round",
            "stroke-opacity": "0.7",
        }
    ends = {"x1": drawn.x, "y1": drawn.y, "x2": drawn.x + drawn.width, "y2": drawn.y}
    return tag("line", {"class": "leader" if drawn.dotted else "rule", **ends, **style})


def ornament(drawn: Ornament, color: str = GOLD) -> str:
    """A diamond."""
    half = drawn.size
    corners = [
        drawn.at.at(x, y) for x, y in ((0, half), (half * 0.7, 0), (0, -half), (-half * 0.7, 0))
    ]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return tag("polygon", {"class": "ornament", "points": points, "fill": color})


def tray(drawn: Area) -> Iterator[str]:
    """The table inventory with its chip tubes."""
    yield area(drawn)
    rows, inset = 14, 14.0
    width = (drawn.width - 2 * inset) / rows
    for row in range(rows):
        x = drawn.at.x - drawn.width / 2 + inset + row * width
        yield tag(
            "rect",
            {
                "class": "chips",
                "x": x + 3,
                "y": drawn.at.y - drawn.height / 2 + 12,
                "width": width - 6,
                "height": drawn.height - 24,
                "rx": (width - 6) / 2,
                "fill": "#2a1f17",
                "stroke": "#4a382a",
                "stroke-width": "1.2",
            },
        )


def picture(drawn: Area, logo: Logo) -> str:
    """A logo scaled to its area."""
    place = {
        "x": drawn.at.x - drawn.width / 2,
        "y": drawn.at.y - drawn.height / 2,
        "width": drawn.width,
        "height": drawn.height,
    }
    about = tag("title", {}, escape(logo.about))
    return tag("image", {"id": drawn.id, "class": "logo", **place, "href": logo.source}, about)


def darker(color: str, factor: float) -> str:
    """A color with each channel multiplied by a factor."""
    channels = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(channel * factor):02x}" for channel in channels)

"""Fonts of all printed output, and font metrics.

Source Sans and Source Serif (SIL Open Font License) are installed as packages, so text has the
same width on every machine.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.util import find_spec
from math import fsum
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

Face: TypeAlias = Literal["text", "bold", "display"]

NO_GLYPH = 0  # glyph index of .notdef


class Font(msgspec.Struct, frozen=True):
    """A font file in a package, with its family and weight in SVG."""

    package: str
    file: str
    family: str
    weight: int

    @property
    def path(self) -> Path:
        """The font file; ImportError if its package is not installed."""
        spec = find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise ImportError(f"{self.package} is not installed", name=self.package)
        return Path(spec.submodule_search_locations[0]) / "files" / self.file


_SANS, _SERIF = "font_source_sans_pro", "font_source_serif_pro"
FONTS: dict[Face, Font] = {
    "text": Font(_SANS, "SourceSansPro-Regular.ttf", "Source Sans Pro", 400),
    "bold": Font(_SANS, "SourceSansPro-Semibold.ttf", "Source Sans Pro", 600),
    "display": Font(_SERIF, "SourceSerifPro-Semibold.ttf", "Source Serif Pro", 600),
}


class FontMetrics(msgspec.Struct, frozen=True):
    """Metrics of a face, relative to the font size."""

    advances: dict[str, float]
    capitals: float  # cap height
    ascent: float  # of the tallest letter without an accent
    descent: float
    missing: float

    def width(self, text: str, size: float, spacing: float = 0) -> float:
        """The width of a line; `spacing` between letters is relative to the size."""
        advances = (self.advances.get(letter, self.missing) for letter in text)
        return size * (fsum(advances) + spacing * max(0, len(text) - 1))


@cache
def metrics(face: Face) -> FontMetrics:
    """The metrics of a face, read from its font file."""
    font = _load(face)
    em, advance, glyph = font.face.upem, font.get_glyph_h_advance, font.get_nominal_glyph
    low = min(_ink(letter, face)[1] for letter in "gjpqy,;()")
    high = max(_ink(letter, face)[0] for letter in "bdfhklt()'")
    return FontMetrics(
        advances={chr(code): advance(glyph(code)) / em for code in font.face.unicodes},
        capitals=_ink("H", face)[0],
        ascent=high,
        descent=-low,
        missing=advance(NO_GLYPH) / em,
    )


def width(text: str, size: float, face: Face = "text", spacing: float = 0) -> float:
    """The width of a line of text in the units of `size`."""
    return metrics(face).width(text, size, spacing)


@cache
def ink_heights(text: str, face: Face) -> tuple[float, float]:
    """Top and bottom of the ink of a text around its baseline, relative to the size."""
    extents = [_ink(letter, face) for letter in text if not letter.isspace()]
    return max(top for top, _ in extents), min(bottom for _, bottom in extents)


@cache
def _ink(letter: str, face: Face) -> tuple[float, float]:
    font = _load(face)
    extents = font.get_glyph_extents(font.get_nominal_glyph(ord(letter)) or NO_GLYPH)
    em = font.face.upem
    return extents.y_bearing / em, (extents.y_bearing + extents.height) / em


def has_glyphs(text: str, face: Face) -> bool:
    """Whether a face has a glyph for every character of a text."""
    return all(letter in metrics(face).advances for letter in text)


@cache
def subset_data_url(face: Face, letters: str) -> str:
    """A font reduced to some letters, as a data URL; equal letters give equal bytes."""
    import uharfbuzz

    subset = uharfbuzz.SubsetInput()
    subset.flags = uharfbuzz.SubsetFlags.NO_HINTING | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
    subset.sets(uharfbuzz.SubsetInputSets.UNICODE).update(map(ord, letters))
    # Kerning is dropped so that a line is exactly as wide as measured.
    subset.sets(uharfbuzz.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag, "big") for tag in (b"GDEF", b"GPOS", b"GSUB", b"DSIG")
    )
    data = uharfbuzz.subset(_load(face).face, subset).blob.data
    return "data:font/ttf;base64," + b64encode(data).decode()


@cache
def _load(face: Face) -> Any:
    import uharfbuzz

    return uharfbuzz.Font(uharfbuzz.Face(FONTS[face].path.read_bytes()))

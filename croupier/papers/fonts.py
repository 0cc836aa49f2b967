"""The typefaces of everything printed, and how wide a text is in them.

Source Sans and Source Serif (SIL Open Font License) come as packages, so that the same words take
the same room on every machine.
"""

from __future__ import annotations

import io
from base64 import b64encode
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

Face: TypeAlias = Literal["text", "bold", "display"]


class Font(msgspec.Struct, frozen=True):
    """Where a face lies, and the family and weight it is called by in a drawing."""

    package: str
    file: str
    family: str
    weight: int

    @property
    def path(self) -> Path:
        """The font file; ImportError where its package is missing."""
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


class Metrics(msgspec.Struct, frozen=True):
    """What a face measures, in parts of its size."""

    advances: dict[str, float]
    capitals: float
    ascent: float  # of the tallest letter without an accent
    descent: float
    missing: float

    def width(self, text: str, size: float, spacing: float = 0) -> float:
        """How wide a line is; `spacing` is what stands between letters, in parts of the size."""
        advances = (self.advances.get(letter, self.missing) for letter in text)
        return size * (sum(advances) + spacing * max(0, len(text) - 1))


@cache
def metrics(face: Face) -> Metrics:
    """The real measures of a face, read from its file."""
    font = _measured(face)
    em = font["head"].unitsPerEm
    widths = font["hmtx"].metrics
    advances = {chr(code): widths[name][0] / em for code, name in font.getBestCmap().items()}
    glyphs = font["glyf"]
    cmap = font.getBestCmap()
    low = min(glyphs[cmap[ord(letter)]].yMin for letter in "gjpqy,;()")
    high = max(glyphs[cmap[ord(letter)]].yMax for letter in "bdfhklt()'")
    return Metrics(
        advances=advances,
        capitals=glyphs[cmap[ord("H")]].yMax / em,
        ascent=high / em,
        descent=-low / em,
        missing=widths[".notdef"][0] / em,
    )


def width(text: str, size: float, face: Face = "text", spacing: float = 0) -> float:
    """How wide a line of text is in the units of its size."""
    return metrics(face).width(text, size, spacing)


@cache
def heights(text: str, face: Face) -> tuple[float, float]:
    """How far the ink of a text reaches above and below its baseline, in parts of the size."""
    found = [_ink(letter, face) for letter in text if not letter.isspace()]
    return max(top for top, _ in found), min(bottom for _, bottom in found)


@cache
def _ink(letter: str, face: Face) -> tuple[float, float]:
    font = _measured(face)
    glyph = font["glyf"][font.getBestCmap().get(ord(letter), ".notdef")]
    em = font["head"].unitsPerEm
    return getattr(glyph, "yMax", 0) / em, getattr(glyph, "yMin", 0) / em


def can_write(text: str, face: Face) -> bool:
    """Whether the face has every letter of a text."""
    return all(letter in metrics(face).advances for letter in text)


@cache
def embedded(face: Face, letters: str) -> str:
    """A font with only these letters, as a data address; the same letters give the same bytes."""
    from fontTools.subset import Options, Subsetter

    options = Options()
    # Without kerning, so that a line is exactly as wide as it was measured.
    options.layout_features = []
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "DSIG"]
    options.hinting = False
    options.notdef_outline = True
    font = _opened(face)
    font.recalcTimestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    buffer = io.BytesIO()
    font.save(buffer)
    return "data:font/ttf;base64," + b64encode(buffer.getvalue()).decode()


@cache
def _measured(face: Face) -> Any:
    return _opened(face)  # a subset is cut out of a font of its own


def _opened(face: Face) -> Any:
    from fontTools.ttLib import TTFont

    # From memory, so that no file stays open while parts of it are still unread.
    return TTFont(io.BytesIO(FONTS[face].path.read_bytes()), lazy=True, recalcTimestamp=False)

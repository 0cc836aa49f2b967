"""The typefaces of everything printed, and how wide a text is in them.

Source Sans and Source Serif (SIL Open Font License) come as packages, so that the same words take
the same room on every machine.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

Face: TypeAlias = Literal["text", "bold", "display"]

NO_GLYPH = 0  # what stands for a letter that a face does not have


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


class FontMetrics(msgspec.Struct, frozen=True):
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
def metrics(face: Face) -> FontMetrics:
    """The real measures of a face, read from its file."""
    font = _opened(face)
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
    """How wide a line of text is in the units of its size."""
    return metrics(face).width(text, size, spacing)


@cache
def heights(text: str, face: Face) -> tuple[float, float]:
    """How far the ink of a text reaches above and below its baseline, in parts of the size."""
    found = [_ink(letter, face) for letter in text if not letter.isspace()]
    return max(top for top, _ in found), min(bottom for _, bottom in found)


@cache
def _ink(letter: str, face: Face) -> tuple[float, float]:
    font = _opened(face)
    found = font.get_glyph_extents(font.get_nominal_glyph(ord(letter)) or NO_GLYPH)
    em = font.face.upem
    return found.y_bearing / em, (found.y_bearing + found.height) / em


def can_write(text: str, face: Face) -> bool:
    """Whether the face has every letter of a text."""
    return all(letter in metrics(face).advances for letter in text)


@cache
def embedded(face: Face, letters: str) -> str:
    """A font with only these letters, as a data address; the same letters give the same bytes."""
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
    wanted.sets(uharfbuzz.SubsetInputSets.UNICODE).update(map(ord, letters))
    # Without kerning, so that a line is exactly as wide as it was measured.
    wanted.sets(uharfbuzz.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag, "big") for tag in (b"GDEF", b"GPOS", b"GSUB", b"DSIG")
    )
    data = uharfbuzz.subset(_opened(face).face, wanted).blob.data
    return "data:font/ttf;base64," + b64encode(data).decode()


@cache
def _opened(face: Face) -> Any:
    import uharfbuzz

    return uharfbuzz.Font(uharfbuzz.Face(FONTS[face].path.read_bytes()))

"""The table sign: odds and notices that the felt does not carry or that the operator posts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

import msgspec

from croupier.documents import fonts
from croupier.documents.felt import inscriptions
from croupier.documents.felt import svg_writer as svg
from croupier.documents.felt.felt import Felt, widest
from croupier.documents.felt.shapes import (
    Area,
    Frame,
    Ornament,
    Panel,
    RuleLine,
    Shape,
    TextLine,
    wrap_text,
)
from croupier.documents.felt.text_fitting import block_height, divide_blocks, draw_columns
from croupier.games import House

# Common sign holders in millimeters: letter and tabloid.
SIZES = ((215.9, 279.4), (279.4, 431.8))
MARGIN, HEAD = 0.085, 0.155  # relative to the width, and to the height
SIZE_MAX, SIZE_MIN = 8.0, 4.4
NAME_HEIGHT = 0.05  # relative to the height
COMFORTABLE = 5.4  # font size below which the larger holder is used
NOTICE = 1.16  # size of a notice relative to the odds
INK, ACCENT, PAPER = "#1f1b16", "#8a5a12", "#fdfaf2"
COLORS: Mapping[str, str] = {
    "operator": INK,
    "game": ACCENT,
    "heading": ACCENT,
    "basis": "#6b6255",
    "hand": INK,
    "pays": INK,
    "notice": INK,
    "more": INK,
    "footnote": "#6b6255",
}


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn table sign."""

    title: str
    operator: str
    width: float
    height: float
    drawn: tuple[Shape, ...]

    @property
    def name(self) -> str:
        """The title of the drawing."""
        return f"{self.title} at {self.operator}: sign"

    @property
    def texts(self) -> tuple[TextLine, ...]:
        """All text lines in order."""
        return tuple(shape for shape in self.drawn if isinstance(shape, TextLine))

    @property
    def description(self) -> str:
        """A text description for screen readers."""
        kinds = ("heading", "basis", "hand", "pays", "notice", "more")
        return " ".join(text.text for text in self.texts if text.kind in kinds)

    def stamped(self, imprint: str) -> Sign:
        """The sign with the imprint in its last line."""
        *others, last = self.drawn
        assert isinstance(last, TextLine)
        line = msgspec.structs.replace(last, text=f"{last.text}. {imprint}")
        return msgspec.structs.replace(self, drawn=(*others, line))

    def svg(self) -> str:
        """The drawing to scale with embedded fonts; equal Houses give equal bytes."""
        return svg.document(
            width=self.width,
            height=self.height,
            title=self.name,
            description=self.description,
            body=self._body(),
            texts=self.texts,
            own_fonts=True,
        )

    def _body(self) -> Iterator[str]:
        page = {"width": self.width, "height": self.height, "fill": PAPER}
        yield svg.tag("rect", {"class": "paper", **page})
        for inset, line in ((0.028, 1.1), (0.036, 0.35)):
            margin = inset * self.width
            frame = {"x": margin, "y": margin, "width": self.width - 2 * margin}
            frame |= {"height": self.height - 2 * margin}
            style = {"fill": "none", "stroke": ACCENT, "stroke-width": line}
            yield svg.tag("rect", {"class": "frame", **frame, **style})
        for shape in self.drawn:
            match shape:
                case Area():
                    yield svg.area(shape)
                case TextLine():
                    yield svg.text(shape, COLORS)
                case RuleLine():
                    yield svg.rule(shape, ACCENT, 0.25)
                case Ornament():
                    yield svg.ornament(shape, ACCENT)


def sign(house: House, felt: Felt, *, everything: bool = False) -> Sign | None:
    """The sign that a table with this felt needs; None if the felt carries everything.

    If the felt does not carry all odds, the sign has all of them; likewise the notices, and the
    cards that decide each wager.
    """
    odds = inscriptions.odds(house) if everything or not felt.carries_odds else ()
    notices = inscriptions.posted_notices(house, everything=everything or not felt.carries_notices)
    if not odds and not felt.carries_bases:
        notices = (*notices, *inscriptions.bases(house))
    if not odds and not notices:
        return None
    best: tuple[float, Sign] | None = None
    for width, height in SIZES:
        size = SIZE_MAX
        while size >= SIZE_MIN:
            if drawn := lay_out(house, odds, notices, (width, height), size):
                best = size, drawn
                break
            size -= 0.1
        if best is not None and best[0] >= COMFORTABLE:
            break
    assert best is not None, (
        f"{house.game.key}: the odds and notices do not fit on a sign of {SIZES}"
    )
    return best[1]


def lay_out(
    house: House,
    odds: Sequence[inscriptions.OddsBlock],
    notices: Sequence[inscriptions.Inscription],
    frame: tuple[float, float],
    size: float,
) -> Sign | None:
    """Lay out the sign at one font size; None if it does not fit the frame."""
    width, height = frame
    margin = MARGIN * width
    lines = list(notice_lines(notices, margin, width - 2 * margin, size * NOTICE))
    notice_height = len(lines) * size * NOTICE * 1.45
    top, bottom = HEAD * height, height - margin - 4
    panel_height = bottom - top - notice_height - (size * 2 if notices else 0)
    half = (width - 2 * margin - size * 3) / 2
    panels = [
        Panel(x=margin, y=top, width=half, height=panel_height),
        Panel(x=width - margin - half, y=top, width=half, height=panel_height),
    ]
    if len(odds) < 2:
        panels = [Panel(x=width / 2 - half / 2, y=top, width=half, height=panel_height)]
    drawn: list[Shape] = [*head(house, width, height)]
    used = 0.0
    if odds:
        divided = divide_blocks(odds, panels, size)
        if divided is None or any(len(columns) > 1 for columns in divided):
            return None
        for columns, panel in zip(divided, panels, strict=True):
            widened = [msgspec.structs.replace(column, width=half) for column in columns]
            drawn += draw_columns(widened, panel, size, align_right=False)
            column_height = fsum(
                block_height(b, size) + size * 1.1 for c in columns for b in c.blocks
            )
            used = max(used, column_height)
    elif panel_height < 0:
        return None
    baseline = top + used + (size * 2.2 if odds else size * 2)
    for text in lines:
        drawn.append(msgspec.structs.replace(text, at=Frame(text.at.x, baseline)))
        if text.kind == "notice":
            level = baseline - fonts.metrics(text.face).capitals * text.size / 2
            drawn.append(Ornament(Frame(margin + size * 0.5, level), size * 0.32))
        baseline += size * NOTICE * 1.45
    drawn.append(footnote(house, width, height))
    return Sign(
        title=house.game.title,
        operator=house.operator,
        width=width,
        height=height,
        drawn=tuple(drawn),
    )


def head(house: House, width: float, height: float) -> Iterator[Shape]:
    """The names of the operator and the game."""
    size = 0.062 * width
    available = width * (1 - 2 * MARGIN)
    lines = wrap_text(house.operator, available, size, "display")
    while size > SIZE_MIN and (
        len(lines) * size > NAME_HEIGHT * height or widest(lines, size) > available
    ):
        size -= 0.1
        lines = wrap_text(house.operator, available, size, "display")
    for number, line in enumerate(reversed(lines)):
        yield TextLine(
            id=f"operator-{len(lines) - 1 - number}",
            kind="operator",
            text=line,
            at=Frame(width / 2, 0.082 * height - number * size * 1.05),
            size=size,
            face="display",
            clauses=house.cite("layout.operator", optional=True),
        )
    small = 0.028 * width
    title = TextLine(
        id="game",
        kind="game",
        text=house.game.title.upper(),
        at=Frame(width / 2, 0.082 * height + small * 1.9),
        size=small,
        face="bold",
        spacing=0.16,
    )
    yield title
    rule_width = width * 0.16
    level = title.at.y + small * 1.2
    yield Ornament(Frame(width / 2, level), small * 0.32)
    yield RuleLine(width / 2 - rule_width - small, level, rule_width)
    yield RuleLine(width / 2 + small, level, rule_width)


def notice_lines(
    notices: Sequence[inscriptions.Inscription], left: float, max_width: float, size: float
) -> Iterator[TextLine]:
    """The notices broken into lines, not yet placed vertically."""
    for notice in notices:
        lines = wrap_text(notice.words, max_width - size * 1.4, size, "text")
        for number, line in enumerate(lines):
            yield TextLine(
                id=f"notice-{notice.name}-{number}",
                kind="more" if number else "notice",
                text=line,
                at=Frame(left + size * 1.2, 0),
                size=size,
                anchor="start",
                clauses=notice.clauses,
            )


def footnote(house: House, width: float, height: float) -> TextLine:
    """The digest of the Rules Submission."""
    return TextLine(
        id="footnote",
        kind="footnote",
        text=f"Rules Submission {house.digest[:16]}",
        at=Frame(width / 2, height - MARGIN * width * 0.62),
        size=2.6,
    )

"""The sign at the table: what the felt does not carry, or what the operator chose to post."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from croupier.documents import fonts
from croupier.documents.felt import inscriptions
from croupier.documents.felt import svg_writer as svg
from croupier.documents.felt.felt import Felt
from croupier.documents.felt.shapes import (
    Area,
    Frame,
    Ornament,
    Panel,
    RuleLine,
    TextLine,
    lines_of,
)
from croupier.documents.felt.text_fitting import block_height, divided, written
from croupier.games import House

# Frames that are common on tables, in millimetres: letter and tabloid.
SIZES = ((215.9, 279.4), (279.4, 431.8))
MARGIN, HEAD = 0.085, 0.155  # of the width, and of the height
MOST, LEAST = 8.0, 4.4
NAME_HEIGHT = 0.05  # of the height
COMFORTABLE = 5.4  # below it the larger frame is taken
NOTICE = 1.16  # the size of a notice against that of the odds
INK, ACCENT, PAPER = "#1f1b16", "#8a5a12", "#fdfaf2"
COLOURS: Mapping[str, str] = {
    "operator": INK,
    "game": ACCENT,
    "heading": ACCENT,
    "hand": INK,
    "pays": INK,
    "notice": INK,
    "more": INK,
    "footnote": "#6b6255",
}
Drawn: TypeAlias = Area | TextLine | RuleLine | Ornament


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn sign: a value."""

    title: str
    operator: str
    width: float
    height: float
    drawn: tuple[Drawn, ...]

    @property
    def name(self) -> str:
        """What the drawing is called."""
        return f"{self.title} at {self.operator}: sign"

    @property
    def texts(self) -> tuple[TextLine, ...]:
        """Everything written on it, in its order."""
        return tuple(each for each in self.drawn if isinstance(each, TextLine))

    @property
    def description(self) -> str:
        """What it says, for those who cannot see it."""
        kinds = ("heading", "hand", "pays", "notice", "more")
        return " ".join(text.text for text in self.texts if text.kind in kinds)

    def svg(self) -> str:
        """The drawing to scale with its own fonts; the same House gives the same bytes."""
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
        whole = {"width": self.width, "height": self.height, "fill": PAPER}
        yield svg.tag("rect", {"class": "paper", **whole})
        for inset, line in ((0.028, 1.1), (0.036, 0.35)):
            away = inset * self.width
            frame = {"x": away, "y": away, "width": self.width - 2 * away}
            frame |= {"height": self.height - 2 * away}
            looks = {"fill": "none", "stroke": ACCENT, "stroke-width": line}
            yield svg.tag("rect", {"class": "frame", **frame, **looks})
        for each in self.drawn:
            match each:
                case Area():
                    yield svg.area(each)
                case TextLine():
                    yield svg.text(each, COLOURS)
                case RuleLine():
                    yield svg.rule(each, ACCENT, 0.25)
                case Ornament():
                    yield svg.ornament(each, ACCENT)


def sign(house: House, felt: Felt, *, everything: bool = False) -> Sign | None:
    """The sign that a table with this felt needs; None if the felt carries all.

    Odds that are not all on the felt are all on the sign, and so are the notices.
    """
    odds = inscriptions.odds(house) if everything or not felt.carries_odds else ()
    said = inscriptions.posted_notices(house, everything=everything or not felt.carries_notices)
    if not odds and not said:
        return None
    best: tuple[float, Sign] | None = None
    for width, height in SIZES:
        size = MOST
        while size >= LEAST:
            if made := laid_out(house, odds, said, (width, height), size):
                best = size, made
                break
            size -= 0.1
        if best is not None and best[0] >= COMFORTABLE:
            break
    assert best is not None, f"{house.game.key}: no frame of {SIZES} holds the odds and notices"
    return best[1]


def laid_out(
    house: House,
    odds: Sequence[inscriptions.Odds],
    said: Sequence[inscriptions.Inscription],
    frame: tuple[float, float],
    size: float,
) -> Sign | None:
    """The sign in a frame with odds of one size, or None if they do not fit."""
    width, height = frame
    margin = MARGIN * width
    below = list(sentences(said, margin, width - 2 * margin, size * NOTICE))
    room = sum(1 for _ in below) * size * NOTICE * 1.45
    top, bottom = HEAD * height, height - margin - 4
    panel_height = bottom - top - room - (size * 2 if said else 0)
    half = (width - 2 * margin - size * 3) / 2
    panels = [
        Panel(x=margin, y=top, width=half, height=panel_height),
        Panel(x=width - margin - half, y=top, width=half, height=panel_height),
    ]
    if len(odds) < 2:
        panels = [Panel(x=width / 2 - half / 2, y=top, width=half, height=panel_height)]
    drawn: list[Drawn] = [*head(house, width, height)]
    used = 0.0
    if odds:
        made = divided(odds, panels, size)
        if made is None or any(len(columns) > 1 for columns in made):
            return None
        for columns, panel in zip(made, panels, strict=True):
            wide = [msgspec.structs.replace(column, width=half) for column in columns]
            drawn += written(wide, panel, size, to_the_right=False)
            tall = sum(block_height(b, size) + size * 1.1 for c in columns for b in c.blocks)
            used = max(used, tall)
    elif panel_height < 0:
        return None
    baseline = top + used + (size * 2.2 if odds else size * 2)
    for text in below:
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


def head(house: House, width: float, height: float) -> Iterator[Drawn]:
    """The operator and the game."""
    size = 0.062 * width
    room = width * (1 - 2 * MARGIN)
    lines = lines_of(house.operator, room, size, "display")
    while size > LEAST and (len(lines) * size > NAME_HEIGHT * height or wider(lines, size, room)):
        size -= 0.1
        lines = lines_of(house.operator, room, size, "display")
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
    wide = width * 0.16
    level = title.at.y + small * 1.2
    yield Ornament(Frame(width / 2, level), small * 0.32)
    yield RuleLine(width / 2 - wide - small, level, wide)
    yield RuleLine(width / 2 + small, level, wide)


def wider(lines: Sequence[str], size: float, room: float) -> bool:
    """Whether a line of the name is wider than its room."""
    return max(fonts.width(line, size, "display") for line in lines) > room


def sentences(
    said: Sequence[inscriptions.Inscription], left: float, room: float, size: float
) -> Iterator[TextLine]:
    """The notices, broken into lines; their height comes later."""
    for each in said:
        for number, line in enumerate(lines_of(each.words, room - size * 1.4, size, "text")):
            yield TextLine(
                id=f"notice-{each.name}-{number}",
                kind="more" if number else "notice",
                text=line,
                at=Frame(left + size * 1.2, 0),
                size=size,
                anchor="start",
                clauses=each.clauses,
            )


def footnote(house: House, width: float, height: float) -> TextLine:
    """Which Rules Submission the sign follows from."""
    return TextLine(
        id="footnote",
        kind="footnote",
        text=f"Rules Submission {house.digest[:16]}",
        at=Frame(width / 2, height - MARGIN * width * 0.62),
        size=2.6,
    )

"""Puts odds into panels, as large as they fit, and notices onto curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot

import msgspec

from croupier.documents import fonts
from croupier.documents.felt.inscriptions import Inscription, Odds
from croupier.documents.felt.shapes import Area, Ellipse, Frame, Ornament, Panel, RuleLine, TextLine

PITCH = 1.3  # from line to line, in parts of the size
HEADING = 1.16  # the size of a heading
BELOW_HEADING = 0.5  # the room of its rule
BETWEEN = 1.1  # blocks of a column
GUTTER = 3.0  # between columns
LEADER = 2.2  # the least room between a hand and what it pays
STEP = 0.25
CURVE_PITCH = 1.65
MOST_ANGLE = 50.0  # degrees; letters further up the sides are hard to read
FEW_CURVES_ABOVE = 17.0


class TextColumn(msgspec.Struct, frozen=True):
    """Blocks that stand below one another."""

    blocks: tuple[Odds, ...]
    width: float


def block_height(block: Odds, size: float) -> float:
    """How tall a block is with its heading."""
    return size * (HEADING * PITCH + BELOW_HEADING + PITCH * len(block.lines))


def block_width(block: Odds, size: float) -> float:
    """How wide a block is."""
    return size * _relative_width(block)


@lru_cache(maxsize=256)
def _relative_width(block: Odds) -> float:
    hands = max(fonts.width(hand, 1) for hand, _ in block.lines)
    pays = max(fonts.width(pays, 1, "bold") for _, pays in block.lines)
    return max(hands + pays + LEADER, fonts.width(block.heading, HEADING, "bold"))


def columns(blocks: Sequence[Odds], panel: Panel, size: float) -> list[TextColumn] | None:
    """The blocks in columns of a panel in their order, or None if they do not fit."""
    found: list[list[Odds]] = []
    used = panel.height + 1
    for block in blocks:
        tall = block_height(block, size)
        if tall > panel.height:
            return None
        if used + BETWEEN * size + tall > panel.height:
            found.append([])
            used = -BETWEEN * size
        found[-1].append(block)
        used += BETWEEN * size + tall
    made = [
        TextColumn(tuple(part), max(block_width(block, size) for block in part)) for part in found
    ]
    wide = sum(column.width for column in made) + GUTTER * size * max(0, len(made) - 1)
    return made if wide <= panel.width else None


def fitted(
    blocks: Sequence[Odds], panels: Sequence[Panel], *, most: float, least: float
) -> tuple[float, list[list[TextColumn]]] | None:
    """The largest size at which two panels hold all blocks in their order, evenly divided."""
    size = most
    while size >= least:
        made = divided(blocks, panels, size)
        if made is not None:
            return size, made
        size -= STEP
    return None


def divided(
    blocks: Sequence[Odds], panels: Sequence[Panel], size: float
) -> list[list[TextColumn]] | None:
    """The most even division of the blocks among the panels, or None."""
    if len(panels) == 1:
        only = columns(blocks, panels[0], size)
        return None if only is None else [only]
    best: tuple[float, list[list[TextColumn]]] | None = None
    total = sum(block_height(block, size) for block in blocks)
    for first in range(len(blocks) + 1):
        left = columns(blocks[:first], panels[0], size)
        right = columns(blocks[first:], panels[1], size)
        if left is None or right is None:
            continue
        uneven = abs(2 * sum(block_height(block, size) for block in blocks[:first]) - total)
        if best is None or uneven < best[0]:
            best = uneven, [left, right]
    return best[1] if best else None


def written(
    made: Sequence[TextColumn], panel: Panel, size: float, *, to_the_right: bool
) -> Iterator[Area | TextLine | RuleLine]:
    """The columns of one panel, at its left or its right edge."""
    gap = GUTTER * size
    total = sum(column.width for column in made) + gap * (len(made) - 1)
    x = panel.x + (panel.width - total if to_the_right else 0)
    for column in made:
        y = panel.y
        for block in column.blocks:
            yield from write_block(block, x, y, column.width, size)
            y += block_height(block, size) + BETWEEN * size
        x += column.width + gap


def write_block(
    block: Odds, x: float, y: float, width: float, size: float
) -> Iterator[Area | TextLine | RuleLine]:
    """A heading, its rule and the lines: hand to the left, payout to the right."""
    tall = block_height(block, size)
    id = f"odds-{block.name}"
    # The frame keeps a little air, so that the ends of letters stay inside.
    yield Area(
        id=id,
        kind="odds",
        at=Frame(x + width / 2, y + tall / 2),
        width=width + size,
        height=tall + size * 0.6,
        wager=block.wagers[0],
        clauses=block.clauses,
    )
    baseline = y + HEADING * size
    yield TextLine(
        id=f"{id}-heading",
        kind="heading",
        text=block.heading,
        at=Frame(x, baseline),
        size=HEADING * size,
        face="bold",
        anchor="start",
        area=id,
        wager=block.wagers[0],
        clauses=block.clauses,
    )
    yield RuleLine(x, baseline + 0.45 * size, width)
    baseline += (BELOW_HEADING + 0.1) * size
    for number, (hand, pays) in enumerate(block.lines):
        baseline += PITCH * size
        yield from write_line(block, number, (hand, pays), (x, baseline, width), size)


def write_line(
    block: Odds,
    number: int,
    line: tuple[str, str],
    place: tuple[float, float, float],
    size: float,
) -> Iterator[TextLine | RuleLine]:
    """One line of odds with dots from the hand to what it pays."""
    (hand, pays), (x, baseline, width), id = line, place, f"odds-{block.name}"
    common = TextLine(
        id=f"{id}-{number}-hand",
        kind="hand",
        text=hand,
        at=Frame(x, baseline),
        size=size,
        anchor="start",
        area=id,
        wager=block.wagers[0],
        line=number,
        clauses=block.clauses,
    )
    yield common
    yield msgspec.structs.replace(
        common,
        id=f"{id}-{number}-pays",
        kind="pays",
        text=pays,
        at=Frame(x + width, baseline),
        anchor="end",
        face="bold",
    )
    start = x + fonts.width(hand, size) + 0.5 * size
    end = x + width - fonts.width(pays, size, "bold") - 0.5 * size
    if end - start > size:
        yield RuleLine(start, baseline - 0.08 * size, end - start, dotted=True)


class Path(msgspec.Struct, frozen=True):
    """A curve for notices, and how far they may go to either side of its lowest point."""

    curve: Ellipse
    reach: float


def curved(text: TextLine, curve: Ellipse, start: float) -> TextLine:
    """The same text along a curve from so far right of its lowest point, a place per letter."""
    metrics = fonts.metrics(text.face)
    gone = start
    places = []
    for letter in text.text:
        advance = metrics.width(letter, text.size)
        # A letter is turned as the curve is under its middle, and begins half its width before.
        centre = curve.at(curve.angle_at(gone + advance / 2))
        places.append(centre.moved(-advance / 2, 0))
        gone += advance + text.spacing * text.size
    return msgspec.structs.replace(text, at=curve.at(0), curve=tuple(places), anchor="start")


def paths(lowest: Ellipse, obstacles: Sequence[Area], size: float, count: int) -> list[Path]:
    """Curves inside one another, each as far as letters of a size touch no area."""
    found = []
    for number in range(count):
        inward = number * size * CURVE_PITCH
        curve = Ellipse(lowest.x, lowest.y, lowest.across - inward, lowest.down - inward)
        reach = 0.0
        while abs(curve.angle_at(reach)) < MOST_ANGLE and free(
            curve, reach + size, obstacles, size
        ):
            reach += size
        found.append(Path(curve, reach))
    return found


def free(curve: Ellipse, distance: float, obstacles: Sequence[Area], size: float) -> bool:
    """Whether a letter at a place of the curve keeps away from every area."""
    at = curve.at(curve.angle_at(distance))
    around = [at.at(0, size * away) for away in (-0.3, 0.25, 0.8)]
    return all(
        hypot(x - area.at.x, y - area.at.y) > area.width / 2 + size * 0.5
        for area in obstacles
        for x, y in around
    )


def on_curves(
    said: Sequence[Inscription],
    lowest: Ellipse,
    obstacles: Sequence[Area],
    *,
    most: float,
    least: float,
) -> list[TextLine | Ornament] | None:
    """The notices on as few curves as keep them large; None if they do not fit at a legible size.

    Several short ones may share a curve; the longest is on the lowest.
    """
    if not said:
        return []
    size = most
    while size >= least:
        count = 3 if size > FEW_CURVES_ABOVE else 4
        made = shared(said, paths(lowest, obstacles, size, count), size)
        if made is not None:
            return made
        size -= 2 * STEP
    return None


def shared(
    said: Sequence[Inscription], ways: Sequence[Path], size: float
) -> list[TextLine | Ornament] | None:
    """Each notice on the first curve with room for it, the longest first; None if one has none."""
    texts = sorted((notice(each, size) for each in said), key=lambda text: -text.width)
    lines: list[list[TextLine]] = [[] for _ in ways]
    gap = 2.4 * size
    for text in texts:
        for line, way in zip(lines, ways, strict=True):
            taken = sum(each.width + gap for each in line)
            if taken + text.width <= 2 * way.reach:
                line.append(text)
                break
        else:
            return None
    found: list[TextLine | Ornament] = []
    for line, way in zip(lines, ways, strict=True):
        start = -(sum(text.width for text in line) + gap * (len(line) - 1)) / 2
        for number, text in enumerate(line):
            if number:
                between = way.curve.at(way.curve.angle_at(start - gap / 2))
                found.append(Ornament(between.moved(0, size * 0.33), size * 0.42))
            found.append(curved(text, way.curve, start))
            start += text.width + gap
    return found


def notice(said: Inscription, size: float) -> TextLine:
    """A notice before it has its place."""
    return TextLine(
        id=f"notice-{said.name}",
        kind="notice",
        text=said.words,
        at=Frame(0, 0),
        size=size,
        face="bold",
        spacing=0.02,
        clauses=said.clauses,
    )

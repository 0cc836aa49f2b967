"""The player positions along the curve, with their betting areas and card areas."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from croupier.documents import fonts
from croupier.documents.felt.shapes import (
    Area,
    Ellipse,
    Frame,
    TextLine,
    center_vertically,
    wrap_text,
)
from croupier.games import Game, House, Wager

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
# Distances of the parts of a position from the edge, and their sizes.
HAND_DISTANCE, HAND_HEIGHT = 69.0, 98.0
FIRST_ROW, ROW = 158.0, 77.0
MAIN, NARROW = 70.0, 62.0
SIDE, SIDE_ROW = 54.0, 59.0
GAP, SYMBOL_GAP = 10.0, 34.0
SIDE_WAGERS_PER_ROW = 3
LABEL, SIDE_LABEL = 13.0, 10.0
LABEL_MIN = 7.0
POSITION_PITCH = 298.0
SYMBOLS = ("=", "+")  # between two areas of a row
BLANK = "blank"  # an area without a wager


def positions(edge: Ellipse, count: int) -> dict[int, Frame]:
    """The frame of each seat; seat 1 is at the dealer's left, the right of the drawing."""
    # Evenly spaced at the wagers, not at the edge, so that the ends are not crowded.
    inner = Ellipse(edge.x, edge.y, edge.across - FIRST_ROW, edge.down - FIRST_ROW)
    middle = (count + 1) / 2
    return {
        seat: edge.at(inner.angle_at(POSITION_PITCH * (middle - seat)))
        for seat in range(1, count + 1)
    }


def rows_of(house: House) -> tuple[tuple[str, ...], ...]:
    """The main wagers of a position, row by row from the dealer to the player."""
    game = house.game
    if game.layout.spots:
        return game.layout.spots
    staked = tuple(wager.name for wager in game.wagers if wager.role in ("ante", "matching"))
    later = tuple(wager.name for wager in game.wagers if wager.role == "decision")
    return tuple(row for row in (staked, later) if row)


def side_wagers(house: House) -> tuple[str, ...]:
    """The offered wagers that are not in a main row."""
    main = {name for row in rows_of(house) for name in row}
    return tuple(
        wager.name
        for wager in house.game.wagers
        if house.offers(wager.name) and wager.name not in main
    )


def side_rows(house: House) -> list[tuple[str, ...]]:
    """The side wagers, and a blank area, in rows of at most three, as even as possible."""
    sides = (*side_wagers(house), *((BLANK,) if house.game.layout.blank_area(house) else ()))
    rows = -(-len(sides) // SIDE_WAGERS_PER_ROW)
    length = -(-len(sides) // rows) if rows else 0
    return [sides[row * length : (row + 1) * length] for row in range(rows)]


def first_side_row(house: House) -> float:
    """The distance of the first row of side wagers from the edge."""
    return FIRST_ROW + ROW * len(rows_of(house)) + (SIDE_ROW - ROW) / 2 + 1


def reach(house: House) -> float:
    """The distance of the innermost point of a position from the edge."""
    return first_side_row(house) + SIDE_ROW * (len(side_rows(house)) - 1) + SIDE / 2


def position(house: House, seat: int, at: Frame) -> Iterator[Area | TextLine]:
    """The card area and all betting areas of one position."""
    yield from hand_area(house.game, seat, at)
    for number, row in enumerate(reversed(rows_of(house))):
        yield from main_row(house, seat, at.offset(0, FIRST_ROW + number * ROW), row)
    away = first_side_row(house)
    for number, row in enumerate(side_rows(house)):
        yield from side_row(house, seat, at.offset(0, away + number * SIDE_ROW), row)


def hand_area(game: Game, seat: int, at: Frame) -> Iterator[Area]:
    """The area for the player's cards."""
    yield Area(
        id=f"seat-{seat}-hand",
        kind="hand",
        at=at.offset(0, HAND_DISTANCE),
        width=hand_width(game.player_cards) + 12,
        height=HAND_HEIGHT,
        seat=seat,
    )


def hand_width(cards: int) -> float:
    """The width of cards side by side; more than three overlap."""
    return CARD_WIDTH + (cards - 1) * card_step(cards)


def card_step(cards: int) -> float:
    """The distance between the centers of neighboring cards."""
    return CARD_WIDTH + 5 if cards <= 3 else 30.0


def main_row(house: House, seat: int, at: Frame, row: tuple[str, ...]) -> Iterator[Area | TextLine]:
    """Wagers of the main game with the symbols between them."""
    wagers = [name for name in row if name not in SYMBOLS]
    size = MAIN if len(wagers) < 3 else NARROW
    gaps = [SYMBOL_GAP for name in row[1:-1] if name in SYMBOLS]
    gaps = gaps or [GAP] * (len(wagers) - 1)
    right = -(len(wagers) * size + fsum(gaps)) / 2
    for name in row:
        if name in SYMBOLS:
            yield symbol_between(seat, name, at.offset(right - SYMBOL_GAP / 2, 0))
        else:
            yield from spot(house, seat, name, at.offset(right + size / 2, 0), size)
            right += size + (gaps[0] if gaps else 0)


def symbol_between(seat: int, symbol: str, at: Frame) -> TextLine:
    """The symbol between two areas."""
    text = TextLine(
        id=f"seat-{seat}-sign", kind="sign", text=symbol, at=at, size=34.0, face="bold", seat=seat
    )
    return center_vertically(text)


def side_row(house: House, seat: int, at: Frame, row: tuple[str, ...]) -> Iterator[Area | TextLine]:
    """Side wagers next to one another."""
    step = SIDE + 6
    for place, name in enumerate(row):
        right = (place - (len(row) - 1) / 2) * step
        yield from spot(house, seat, name, at.offset(right, 0), SIDE)


def spot(house: House, seat: int, name: str, at: Frame, size: float) -> Iterator[Area | TextLine]:
    """One betting area with its label."""
    wager = house.game.wager(name)
    assert wager is not None or name == BLANK, f"{house.game.key} has no {name}"
    area = Area(
        id=f"seat-{seat}-{name}",
        kind="spot",
        at=at,
        width=size,
        height=size,
        round=True,
        seat=seat,
        wager=wager.name if wager else "",
        clauses=house.cite(f"layout.spot.{name}", optional=True),
    )
    yield area
    if wager is not None:
        yield from labels(area, wager)


def labels(area: Area, wager: Wager) -> Iterator[TextLine]:
    """The title of a wager in its area, on as many lines as needed."""
    size = LABEL if area.width > SIDE else SIDE_LABEL
    while True:
        lines = wrap_text(wager.title, area.width * 0.78, size, "bold")
        widest = max(fonts.width(line, size, "bold") for line in lines)
        height = len(lines) * size
        if widest**2 + height**2 <= (area.width * 0.87) ** 2 or size <= LABEL_MIN:
            break
        size -= 0.25
    for number, line in enumerate(lines):
        away = ((len(lines) - 1) / 2 - number) * size
        yield center_vertically(
            TextLine(
                id=f"{area.id}-label-{number}" if len(lines) > 1 else f"{area.id}-label",
                kind="label",
                text=line,
                at=area.at.offset(0, away),
                size=size,
                face="bold",
                area=area.id,
                seat=area.seat,
                wager=area.wager,
                clauses=area.clauses,
            )
        )

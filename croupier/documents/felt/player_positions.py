"""The six positions: where each stands along the curve, and its areas for wagers and cards."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents import fonts
from croupier.documents.felt.shapes import Area, Ellipse, Frame, TextLine, lines_of, middle
from croupier.games import Game, House, Wager

SEATS = 6
CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
# How far the parts of a position are from the edge, and how large they are.
HAND_AWAY, HAND_HEIGHT = 69.0, 98.0
FIRST_ROW, ROW = 158.0, 77.0
MAIN, NARROW = 70.0, 62.0
SIDE, SIDE_ROW = 54.0, 59.0
GAP, SIGN_GAP = 10.0, 34.0
SIDES_IN_ROW = 3
LABEL, SIDE_LABEL = 13.0, 10.0
LEAST_LABEL = 7.0
APART = 298.0  # from position to position
SIGNS = ("=", "+")


def positions(edge: Ellipse) -> dict[int, Frame]:
    """Seat 1 is at the dealer's left hand, which is the right of the drawing."""
    # Even where the wagers lie, not at the edge, so that the ends do not crowd.
    inner = Ellipse(edge.x, edge.y, edge.across - FIRST_ROW, edge.down - FIRST_ROW)
    middle = (SEATS + 1) / 2
    return {seat: edge.at(inner.angle_at(APART * (middle - seat))) for seat in range(1, SEATS + 1)}


def rows_of(house: House) -> tuple[tuple[str, ...], ...]:
    """The main wagers of a position, row by row from the dealer to the player."""
    game = house.game
    if game.layout.spots:
        return game.layout.spots
    staked = tuple(wager.name for wager in game.wagers if wager.role in ("ante", "matching"))
    later = tuple(wager.name for wager in game.wagers if wager.role == "decision")
    return tuple(row for row in (staked, later) if row)


def side_wagers(house: House) -> tuple[str, ...]:
    """The offered wagers that no row names."""
    named = {name for row in rows_of(house) for name in row}
    return tuple(
        wager.name
        for wager in house.game.wagers
        if house.offers(wager.name) and wager.name not in named
    )


def side_rows(house: House) -> list[tuple[str, ...]]:
    """The side wagers in rows of at most three, as even as they can be."""
    sides = side_wagers(house)
    lines = -(-len(sides) // SIDES_IN_ROW)
    long = -(-len(sides) // lines) if lines else 0
    return [sides[line * long : (line + 1) * long] for line in range(lines)]


def first_side_row(house: House) -> float:
    """How far from the edge the first row of side wagers is."""
    return FIRST_ROW + ROW * len(rows_of(house)) + (SIDE_ROW - ROW) / 2 + 1


def reach(house: House) -> float:
    """How far from the edge the innermost area of a position ends."""
    return first_side_row(house) + SIDE_ROW * (len(side_rows(house)) - 1) + SIDE / 2


def position(house: House, seat: int, at: Frame) -> Iterator[Area | TextLine]:
    """Everything of one position."""
    yield from hand_area(house.game, seat, at)
    for number, row in enumerate(reversed(rows_of(house))):
        yield from main_row(house, seat, at.moved(0, FIRST_ROW + number * ROW), row)
    away = first_side_row(house)
    for number, row in enumerate(side_rows(house)):
        yield from side_row(house, seat, at.moved(0, away + number * SIDE_ROW), row)


def hand_area(game: Game, seat: int, at: Frame) -> Iterator[Area]:
    """Where the player's cards lie."""
    yield Area(
        id=f"seat-{seat}-hand",
        kind="hand",
        at=at.moved(0, HAND_AWAY),
        width=hand_width(game.player_cards) + 12,
        height=HAND_HEIGHT,
        seat=seat,
    )


def hand_width(cards: int) -> float:
    """So many cards side by side; more than three lie half under one another."""
    return CARD_WIDTH + (cards - 1) * card_step(cards)


def card_step(cards: int) -> float:
    """How far one card of a hand lies from the next."""
    return CARD_WIDTH + 5 if cards <= 3 else 30.0


def main_row(house: House, seat: int, at: Frame, row: tuple[str, ...]) -> Iterator[Area | TextLine]:
    """Wagers of the main game with the signs between them."""
    wagers = [name for name in row if name not in SIGNS]
    size = MAIN if len(wagers) < 3 else NARROW
    gaps = [SIGN_GAP if name in SIGNS else GAP for name in row[1:-1] if name in SIGNS]
    gaps = gaps or [GAP] * (len(wagers) - 1)
    right = -(len(wagers) * size + sum(gaps)) / 2
    for name in row:
        if name in SIGNS:
            yield sign_between(seat, name, at.moved(right - SIGN_GAP / 2, 0))
        else:
            yield from spot(house, seat, name, at.moved(right + size / 2, 0), size)
            right += size + (gaps[0] if gaps else 0)


def sign_between(seat: int, sign: str, at: Frame) -> TextLine:
    """The sign between two areas."""
    text = TextLine(
        id=f"seat-{seat}-sign", kind="sign", text=sign, at=at, size=34.0, face="bold", seat=seat
    )
    # Signs stand in the middle between baseline and capitals of their face, a little lower.
    return middle(text)


def side_row(house: House, seat: int, at: Frame, row: tuple[str, ...]) -> Iterator[Area | TextLine]:
    """Optional wagers beside one another."""
    step = SIDE + 6
    for place, name in enumerate(row):
        right = (place - (len(row) - 1) / 2) * step
        yield from spot(house, seat, name, at.moved(right, 0), SIDE)


def spot(house: House, seat: int, name: str, at: Frame, size: float) -> Iterator[Area | TextLine]:
    """One betting area with the name of its wager."""
    wager = house.game.wager(name)
    assert wager is not None, f"{house.game.key} has no {name}"
    area = Area(
        id=f"seat-{seat}-{name}",
        kind="spot",
        at=at,
        width=size,
        height=size,
        round=True,
        seat=seat,
        wager=name,
        clauses=house.cite(f"layout.spot.{name}", optional=True),
    )
    yield area
    yield from labels(area, wager)


def labels(area: Area, wager: Wager) -> Iterator[TextLine]:
    """The name of a wager in its area, in as many lines as it takes."""
    size = LABEL if area.width > SIDE else SIDE_LABEL
    while True:
        lines = lines_of(wager.title, area.width * 0.78, size, "bold")
        widest = max(fonts.width(line, size, "bold") for line in lines)
        tall = len(lines) * size
        if widest**2 + tall**2 <= (area.width * 0.87) ** 2 or size <= LEAST_LABEL:
            break
        size -= 0.25
    for number, line in enumerate(lines):
        away = ((len(lines) - 1) / 2 - number) * size
        yield middle(
            TextLine(
                id=f"{area.id}-label-{number}" if len(lines) > 1 else f"{area.id}-label",
                kind="label",
                text=line,
                at=area.at.moved(0, away),
                size=size,
                face="bold",
                area=area.id,
                seat=area.seat,
                wager=area.wager,
                clauses=area.clauses,
            )
        )

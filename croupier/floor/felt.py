"""Where chips and cards lie on the browser's table: one small door to the drawing of a House."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Protocol
from xml.sax.saxutils import escape

import msgspec

from croupier.games import House, Wager

WIDTH, HEIGHT = 1600, 900
SEATS = 6
SPOT = 34  # the radius of a betting spot
ROWS: tuple[tuple[str, ...], ...] = (("decision",), ("ante", "matching"), ("optional",))


class Drawn(Protocol):
    """A felt: the drawing, and where things lie on it."""

    def svg(self) -> str: ...

    def anchors(self) -> dict[str, Any]: ...


@cache
def felt_of(house: House) -> Drawn:
    """The felt of a House."""
    return PlainFelt(house)


class Spot(msgspec.Struct, frozen=True):
    """A circle for the chips of one wager."""

    x: float
    y: float
    r: float


class PlainFelt:
    """Six positions on an arc before the dealer, each with its spots in rows."""

    def __init__(self, house: House) -> None:
        self.house = house

    def anchors(self) -> dict[str, Any]:
        """Every place in the units of the drawing."""
        game = self.house.game
        across = 86
        board = game.community_cards
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "seats": {str(seat): self._seat(seat) for seat in range(1, SEATS + 1)},
            "dealer": {"x": WIDTH / 2, "y": 96, "card": 72},
            "community": [{"x": x, "y": y, "card": 78} for x, y in self._board(board, across)],
            "box": {"x": WIDTH / 2 + 400, "y": 110, "card": 52},
            "tray": {"x": WIDTH / 2, "y": -40},
            "rack": {"x": WIDTH / 2 - 520, "y": 70},
        }

    def _board(self, count: int, across: float) -> list[tuple[float, float]]:
        middle, row = WIDTH / 2, 268.0
        if self.house.game.layout.lines:  # a cross: left, right, top, bottom, center
            return [
                (middle - 140, row + 16),
                (middle + 140, row + 16),
                (middle, row - 46),
                (middle, row + 96),
                (middle, row + 24),
            ][:count]
        return [(middle + across * (n - (count - 1) / 2), row) for n in range(count)]

    def _seat(self, seat: int) -> dict[str, Any]:
        # Seat 1 is at the dealer's left, which is the right of whoever sits before the table.
        angle = math.radians(14 + (seat - 1) * (152 / (SEATS - 1)))
        out = (math.cos(angle), math.sin(angle))

        def place(distance: float, sideways: float = 0) -> tuple[float, float]:
            x = WIDTH / 2 + out[0] * 690 * distance - out[1] * sideways
            y = 60 + out[1] * 760 * distance + out[0] * sideways
            return round(x, 1), round(y, 1)

        spots: dict[str, Any] = {}
        for row, distance in zip(self._rows(), (0.80, 0.655, 0.52), strict=True):
            for number, wager in enumerate(row):
                sideways = (number - (len(row) - 1) / 2) * (2 * SPOT + 6)
                x, y = place(distance, -sideways)
                spots[wager.name] = {"x": x, "y": y, "r": SPOT}
        x, y = place(0.97)
        return {"wagers": spots, "cards": {"x": x, "y": y, "card": 64}, "name": place(1.08)}

    def _rows(self) -> list[list[Wager]]:
        offered = [w for w in self.house.game.wagers if self.house.offers(w.name)]
        rows = [[w for w in offered if w.role in roles] for roles in ROWS]
        rows[1] += [w for w in offered if w.role == "progressive"]
        return rows

    def svg(self) -> str:
        """The drawing: a cloth, a rail, spots with their names."""
        anchors = self.anchors()
        titles = {wager.name: wager.title for wager in self.house.game.wagers}
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
            '<path d="M20 20H1580V300C1580 700 1240 884 800 884S20 700 20 300Z" '
            'fill="#14532d" stroke="#3f2a1d" stroke-width="26"/>',
            '<path d="M46 34H1554V300C1554 680 1230 858 800 858S46 680 46 300Z" '
            'fill="none" stroke="#d9c58b" stroke-width="2"/>',
            f'<text x="800" y="440" text-anchor="middle" font-size="42" font-weight="700" '
            f'font-family="Georgia, serif" fill="#d9c58b">{escape(self.house.game.title)}</text>',
            f'<text x="800" y="476" text-anchor="middle" font-size="22" '
            f'font-family="Georgia, serif" fill="#d9c58b">{escape(self.house.operator)}</text>',
        ]
        for place in anchors["seats"].values():
            for name, spot in place["wagers"].items():
                lines.append(
                    f'<circle cx="{spot["x"]}" cy="{spot["y"]}" r="{spot["r"]}" fill="none" '
                    'stroke="#e8e2cf" stroke-width="2"/>'
                    f'<text x="{spot["x"]}" y="{spot["y"] + 4}" text-anchor="middle" '
                    f'font-size="12" font-family="sans-serif" fill="#e8e2cf">'
                    f"{escape(titles[name])}</text>"
                )
        return "\n".join([*lines, "</svg>"])

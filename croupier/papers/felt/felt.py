"""The felt of a House: one geometry for the printed layout and for the table in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.games import House
from croupier.papers.felt import dealer, seats, svg, words
from croupier.papers.felt.placing import fitted, on_curves, written
from croupier.papers.felt.shapes import Area, Ellipse, Frame, Panel, Rule, Text, lines_of
from croupier.papers.fonts import metrics

WIDTH, HEIGHT = 2100.0, 1220.0
RAIL = 92.0
EDGE = Ellipse(dealer.MIDDLE, 370.0, 940.0, 740.0)
PANELS = (
    Panel(x=152.0, y=222.0, width=548.0, height=176.0),
    Panel(x=1400.0, y=222.0, width=548.0, height=176.0),
)
LARGEST_ODDS, LARGEST_NOTICE = 14.0, 24.0
LEAST_ODDS, LEAST_NOTICE = 7.5, 12.0
REACH = 68.0  # degrees along a curve, to either side
NAME_MOST, NAME_LEAST = 58.0, 16.0


class Logo(msgspec.Struct, frozen=True):
    """A picture that stands for the operator's name, as a data address."""

    source: str
    about: str


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn layout: a value. What it could not carry is owed to the sign."""

    title: str
    operator: str
    digest: str
    areas: tuple[Area, ...]
    texts: tuple[Text, ...]
    rules: tuple[Rule, ...]
    cards: tuple[int, int, int]  # of a player, of the dealer, in the box
    carries_odds: bool
    carries_notices: bool
    logo: Logo | None = None
    width: float = WIDTH
    height: float = HEIGHT

    def svg(self) -> str:
        """The drawing to scale with its own fonts; the same House gives the same bytes."""
        return self._svg(own_fonts=True)

    def page_svg(self) -> str:
        """The same drawing for a page that brings the fonts and may restyle every class."""
        return self._svg(own_fonts=False)

    def _svg(self, *, own_fonts: bool) -> str:
        return svg.document(
            width=self.width,
            height=self.height,
            title=f"{self.title} at {self.operator}: table layout",
            description=self.description,
            body=self._body(),
            texts=self.texts,
            own_fonts=own_fonts,
        )

    @property
    def description(self) -> str:
        """What the drawing shows, for those who cannot see it."""
        spots = [area for area in self.areas if area.kind == "spot" and area.seat == 1]
        named = ", ".join(dict.fromkeys(area.wager.replace("_", " ") for area in spots))
        said = [text.text for text in self.texts if text.kind == "notice"]
        return " ".join(
            [f"Six positions, each with betting areas for {named}.", *(f"{s}." for s in said)]
        )

    def _body(self) -> Iterator[str]:
        yield from outline()
        for kind in ("tray", "equipment"):
            yield from (svg.area(area) for area in self.areas if area.kind == kind)
        if self.logo:
            yield svg.tag("image", {"id": "logo", **logo_place(), "href": self.logo.source})
        yield '<g class="shared">'
        others = ("tray", "equipment")
        yield from (svg.area(a) for a in self.areas if not a.seat and a.kind not in others)
        yield from map(svg.rule, self.rules)
        yield from (svg.text(text) for text in self.texts if not text.seat)
        yield "</g>"
        for seat in range(1, seats.SEATS + 1):
            yield f'<g class="seat" id="seat-{seat}">'
            yield from (svg.area(area) for area in self.areas if area.seat == seat)
            yield from (svg.text(text) for text in self.texts if text.seat == seat)
            yield "</g>"

    def anchors(self) -> dict[str, Any]:
        """Where chips and cards go, in the units of the drawing's viewBox."""
        player, of_dealer, in_box = self.cards
        by_id = {area.id: area for area in self.areas}
        community = [area for area in self.areas if area.kind == "community"]
        found: dict[str, Any] = {
            "view_box": [0, 0, self.width, self.height],
            "card": {"width": seats.CARD_WIDTH, "height": seats.CARD_HEIGHT},
            "seats": {
                str(seat): {
                    "rotation": round(by_id[f"seat-{seat}-hand"].at.rotation, 2),
                    "wagers": {
                        area.wager: {**point(area.at), "r": round(area.width / 2, 2)}
                        for area in self.areas
                        if area.kind == "spot" and area.seat == seat
                    },
                    "cards": cards_at(by_id[f"seat-{seat}-hand"], player),
                }
                for seat in range(1, seats.SEATS + 1)
            },
            "dealer": cards_at(by_id["dealer"], of_dealer) if of_dealer else [],
            "community": [{**point(a.at), "rotation": 0, "place": a.place} for a in community],
            "box": cards_at(by_id["box"], in_box) if in_box else [],
        }
        for name in ("tray", "discard-rack", "drop-box", "tip-box", "shuffler"):
            if area := by_id.get(name):
                size = {"width": area.width, "height": area.height}
                found[name.replace("-", "_")] = {**point(area.at), **size}
        return found


def felt(house: House, logo: Logo | None = None) -> Felt:
    """The layout of a House, to scale, with everything that chapter 2 asks for.

    What does not fit, or what the operator chose to post, is left to the sign.
    """
    drawn: list[Area | Text | Rule] = [*dealer.equipment(house)]
    board = dealer.community(house)
    drawn += [*board, *dealer.board_labels(house, board)]
    top = dealer.bottom_of(board) + 8 if board else dealer.BOARD_TOP
    below = list(dealer.rows_below(house, top))
    drawn += below
    for seat, at in seats.positions(EDGE).items():
        drawn += [*seats.position(house, seat, at), seat_number(seat, at)]
    odds_written = None if words.odds_on_sign(house) else write_odds(house)
    drawn += odds_written or []
    said = () if words.notices_on_sign(house) else words.notices(house)
    curves = on_curves(
        said, lowest_curve(house), most=LARGEST_NOTICE, least=LEAST_NOTICE, reach=REACH
    )
    drawn += curves or []
    placed = [area for area in (*board, *below) if isinstance(area, Area)]
    lowest = dealer.bottom_of(placed) if placed else top
    high = min((text.at.y - text.size for text in curves or ()), default=lowest_curve(house).bottom)
    drawn += list(names(house, lowest + 10, high - 8, logo))
    return Felt(
        title=house.game.title,
        operator=house.operator,
        digest=house.digest,
        areas=tuple(each for each in drawn if isinstance(each, Area)),
        texts=tuple(each for each in drawn if isinstance(each, Text)),
        rules=tuple(each for each in drawn if isinstance(each, Rule)),
        cards=(house.game.player_cards, house.game.dealer_cards, dealer.box_cards(house)),
        carries_odds=odds_written is not None,
        carries_notices=curves is not None and not words.notices_on_sign(house),
        logo=logo,
    )


def lowest_curve(house: House) -> Ellipse:
    """The curve just before the innermost areas of the positions."""
    reach = seats.reach(house) + 14
    return Ellipse(EDGE.x, EDGE.y, EDGE.across - reach, EDGE.down - reach)


def write_odds(house: House) -> list[Area | Text | Rule] | None:
    """The odds in both upper corners, or None if they do not fit at a legible size."""
    found = fitted(words.odds(house), PANELS, most=LARGEST_ODDS, least=LEAST_ODDS)
    if found is None:
        return None
    size, (left, right) = found
    return [
        *written(left, PANELS[0], size, to_the_right=False),
        *written(right, PANELS[1], size, to_the_right=True),
    ]


def names(house: House, top: float, bottom: float, logo: Logo | None) -> Iterator[Text]:
    """The operator's name and the game's, in the middle of the cloth."""
    middle = (top + bottom) / 2
    room = bottom - top
    most = min(NAME_MOST, room * 0.52)
    lines, size = [house.operator], most
    while size > NAME_LEAST:
        lines = lines_of(house.operator, 700, size, "display")
        if len(lines) * size * 1.1 <= room * 0.62 and len(lines) <= 2:
            break
        size -= 1
    clauses = house.cite("layout.operator", optional=True)
    game_size = max(13.0, size * 0.46)
    tall = len(lines) * size * 1.1 + game_size * 1.35
    y = middle - tall / 2
    for number, line in enumerate([] if logo else lines):
        y += size * 1.1
        yield Text(
            id=f"operator-{number}",
            kind="operator",
            text=line,
            at=Frame(dealer.MIDDLE, y - size * (1.1 - metrics("display").capitals) / 2),
            size=size,
            face="display",
            area="cloth",
            clauses=clauses,
        )
    if logo:
        y += len(lines) * size * 1.1
    yield Text(
        id="game",
        kind="game",
        text=house.game.title.upper(),
        at=Frame(dealer.MIDDLE, y + game_size),
        size=game_size,
        face="bold",
        spacing=0.16,
        area="cloth",
    )


def logo_place() -> dict[str, object]:
    """Where a picture stands instead of the operator's name."""
    return {"x": dealer.MIDDLE - 200, "y": 500.0, "width": 400.0, "height": 60.0}


def seat_number(seat: int, at: Frame) -> Text:
    """The number of a position, on the rail before the player."""
    size = 26.0
    place = at.moved(0, -RAIL / 2 - metrics("display").capitals * size / 2)
    return Text(
        id=f"seat-{seat}-number",
        kind="seat",
        text=str(seat),
        at=place,
        size=size,
        face="display",
        seat=seat,
    )


def outline() -> Iterator[str]:
    """The rail and the cloth."""
    stops = (
        svg.tag("stop", {"offset": "0", "stop-color": svg.CLOTH}),
        svg.tag("stop", {"offset": "1", "stop-color": svg.CLOTH_EDGE}),
    )
    gradient = {"id": "felt-cloth", "cx": "0.5", "cy": "0.35", "r": "0.75"}
    yield f"<defs>{svg.tag('radialGradient', gradient, ''.join(stops))}</defs>"
    rail = {"fill": svg.LEATHER, "stroke": "#3a2a20", "stroke-width": "3"}
    yield svg.tag("path", {"class": "rail", "d": half_moon(RAIL), **rail})
    cloth = {"fill": "url(#felt-cloth)", "stroke": svg.BRASS, "stroke-width": "5"}
    yield svg.tag("path", {"class": "cloth", "id": "cloth", "d": half_moon(0), **cloth})


def half_moon(more: float) -> str:
    """The outline of the table, or one so much wider around the players."""
    across, down = svg.number(EDGE.across + more), svg.number(EDGE.down + more)
    left, right = svg.number(EDGE.x - EDGE.across - more), svg.number(EDGE.x + EDGE.across + more)
    top, side = svg.number(dealer.EDGE), svg.number(EDGE.y)
    return f"M{left} {top}H{right}V{side}A{across} {down} 0 0 1 {left} {side}Z"


def point(at: Frame) -> dict[str, float]:
    """A centre for a program."""
    return {"x": round(at.x, 2), "y": round(at.y, 2)}


def cards_at(area: Area, cards: int) -> list[dict[str, float]]:
    """The centres of the cards of a hand."""
    rotation = round(area.at.rotation, 2)
    return [{**point(at), "rotation": rotation} for at in dealer.card_places(area, cards)]

"""The felt of a House: one geometry for the printed layout and for the table in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from croupier.documents import fonts
from croupier.documents.felt import dealer_area, inscriptions, player_positions
from croupier.documents.felt import svg_writer as svg
from croupier.documents.felt.logo import Logo
from croupier.documents.felt.shapes import (
    Area,
    Ellipse,
    Frame,
    Ornament,
    Panel,
    RuleLine,
    TextLine,
    lines_of,
)
from croupier.documents.felt.text_fitting import fitted, on_curves, written
from croupier.documents.fonts import metrics
from croupier.games import House

WIDTH, HEIGHT = 2100.0, 1220.0
RAIL = 92.0
EDGE = Ellipse(dealer_area.MIDDLE, 370.0, 940.0, 740.0)
PANEL_LEFT, PANEL_TOP = 158.0, 214.0
LARGEST_ODDS, LARGEST_NOTICE = 19.0, 27.0
LEAST_ODDS, LEAST_NOTICE = 7.5, 12.0
NAME_MOST, NAME_LEAST, NAME_WIDTH, NAME_ROOM = 64.0, 8.0, 680.0, 50.0
MOST_NAME_LINES = 2


Drawn: TypeAlias = Area | TextLine | RuleLine | Ornament


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn layout: a value. What it could not carry is owed to the sign."""

    title: str
    operator: str
    digest: str
    areas: tuple[Area, ...]
    texts: tuple[TextLine, ...]
    rules: tuple[RuleLine, ...]
    ornaments: tuple[Ornament, ...]
    cloth: str
    cards: tuple[int, int, int]  # of a player, of the dealer, in the box
    carries_odds: bool
    carries_notices: bool
    logo: Logo | None = None
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def name(self) -> str:
        """What the drawing is called."""
        return f"{self.title} at {self.operator}: table layout"

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
            title=self.name,
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
        yield from outline(self.cloth)
        for area in self.areas:
            if area.kind == "tray":
                yield from svg.tray(area)
            elif area.kind == "equipment":
                yield svg.area(area)
            elif area.kind == "logo" and self.logo:
                yield svg.picture(area, self.logo)
        yield '<g class="shared">'
        others = ("tray", "equipment", "logo")
        yield from (svg.area(a) for a in self.areas if not a.seat and a.kind not in others)
        yield from map(svg.rule, self.rules)
        yield from map(svg.ornament, self.ornaments)
        yield from (svg.text(text) for text in self.texts if not text.seat)
        yield "</g>"
        for seat in range(1, player_positions.SEATS + 1):
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
            "card": {"width": player_positions.CARD_WIDTH, "height": player_positions.CARD_HEIGHT},
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
                for seat in range(1, player_positions.SEATS + 1)
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
    drawn: list[Drawn] = [*dealer_area.equipment(house)]
    for seat, at in player_positions.positions(EDGE).items():
        drawn += [*player_positions.position(house, seat, at), seat_number(seat, at)]
    spots = [each for each in drawn if isinstance(each, Area) and each.kind == "spot"]
    cards = list(dealer_area.cards(house))
    drawn += cards
    before = [each for each in cards if isinstance(each, Area)]
    odds = None if inscriptions.odds_on_sign(house) else write_odds(house, panels(spots, before))
    said = () if inscriptions.notices_on_sign(house) else inscriptions.notices(house)
    curve = lowest_curve(house)
    curves = on_curves(said, curve, spots, most=LARGEST_NOTICE, least=LEAST_NOTICE)
    drawn += [*(odds or ()), *(curves or ())]
    taken = letters_of(curves or ()) + [(s.at.x, s.at.y, s.width / 2 + 8) for s in spots]
    drawn += names(house, dealer_area.bottom_of(before) + 12, taken, logo)
    return Felt(
        title=house.game.title,
        operator=house.operator,
        digest=house.digest,
        areas=tuple(each for each in drawn if isinstance(each, Area)),
        texts=tuple(each for each in drawn if isinstance(each, TextLine)),
        rules=tuple(each for each in drawn if isinstance(each, RuleLine)),
        ornaments=tuple(each for each in drawn if isinstance(each, Ornament)),
        cloth=house.game.layout.cloth,
        cards=(house.game.player_cards, house.game.dealer_cards, dealer_area.box_cards(house)),
        carries_odds=odds is not None,
        carries_notices=curves is not None and not inscriptions.notices_on_sign(house),
        logo=logo,
    )


def lowest_curve(house: House) -> Ellipse:
    """The curve just before the innermost areas of the positions."""
    reach = player_positions.reach(house) + 14
    # Positions at the sides reach further in than a smaller ellipse of the same shape.
    return Ellipse(EDGE.x, EDGE.y, EDGE.across - 1.13 * reach, EDGE.down - reach)


def panels(spots: Sequence[Area], before: Sequence[Area]) -> tuple[Panel, Panel]:
    """The upper corners: beside the dealer's areas, above the betting areas at the ends."""
    middle = dealer_area.MIDDLE - min(area.at.x - area.width / 2 for area in before)
    width = dealer_area.MIDDLE - middle - 52 - PANEL_LEFT
    beside = [spot for spot in spots if spot.at.x - spot.width / 2 < PANEL_LEFT + width]
    lowest = min(spot.at.y - spot.height / 2 for spot in beside) - 22
    left = Panel(x=PANEL_LEFT, y=PANEL_TOP, width=width, height=lowest - PANEL_TOP)
    right = msgspec.structs.replace(left, x=2 * dealer_area.MIDDLE - PANEL_LEFT - width)
    return left, right


def write_odds(
    house: House, corners: tuple[Panel, Panel]
) -> list[Area | TextLine | RuleLine] | None:
    """The odds in both upper corners, or None if they do not fit at a legible size."""
    found = fitted(inscriptions.odds(house), corners, most=LARGEST_ODDS, least=LEAST_ODDS)
    if found is None:
        return None
    size, (left, right) = found
    return [
        *written(left, corners[0], size, to_the_right=False),
        *written(right, corners[1], size, to_the_right=True),
    ]


def letters_of(curves: Sequence[TextLine | Ornament]) -> list[tuple[float, float, float]]:
    """The middle of every letter that stands on a curve, and how far it reaches."""
    return [
        (*place.at(text.size * 0.25, text.size * 0.3), text.size * 0.75)
        for text in curves
        if isinstance(text, TextLine)
        for place in text.curve
    ]


def names(
    house: House, top: float, letters: Sequence[tuple[float, float, float]], logo: Logo | None
) -> Iterator[Drawn]:
    """The operator's name and the game's, in the middle of the cloth, clear of the notices."""
    bottom = lowest_curve(house).bottom
    for room in range(int(bottom - top), int(NAME_ROOM), -4):
        made = list(named(house, top, top + room, logo))
        boxes = [extent(each) for each in made if isinstance(each, TextLine)]
        if not any(meets(box, letter) for box in boxes for letter in letters):
            break
    flourishes = list(flourish(made[-1])) if isinstance(made[-1], TextLine) else []
    yield from made
    if not any(meets(extent(each), letter) for each in flourishes for letter in letters):
        yield from flourishes


def named(house: House, top: float, bottom: float, logo: Logo | None) -> Iterator[Drawn]:
    """Both names between two heights."""
    room = bottom - top
    lines, size = [house.operator], min(NAME_MOST, room * 0.5)
    while size > NAME_LEAST:
        lines = lines_of(house.operator, NAME_WIDTH, size, "display")
        tall = len(lines) * size * 1.1
        if (
            len(lines) <= MOST_NAME_LINES
            and tall <= room * 0.6
            and widest(lines, size) <= NAME_WIDTH
        ):
            break
        size -= 1
    small = max(14.0, min(30.0, size * 0.45))
    tall = len(lines) * size * 1.05 + small * 1.6
    y = (top + bottom - tall) / 2
    capitals = metrics("display").capitals * size
    if logo:
        tall_logo = len(lines) * size
        at = Frame(dealer_area.MIDDLE, y + tall_logo / 2)
        yield Area(id="logo", kind="logo", at=at, width=NAME_WIDTH, height=tall_logo)
    for number, line in enumerate(() if logo else lines):
        yield TextLine(
            id=f"operator-{number}",
            kind="operator",
            text=line,
            at=Frame(dealer_area.MIDDLE, y + number * size * 1.05 + (size * 1.05 + capitals) / 2),
            size=size,
            face="display",
            clauses=house.cite("layout.operator", optional=True),
        )
    yield TextLine(
        id="game",
        kind="game",
        text=house.game.title.upper(),
        at=Frame(dealer_area.MIDDLE, y + tall - small * 0.3),
        size=small,
        face="bold",
        spacing=0.16,
    )


def widest(lines: Sequence[str], size: float) -> float:
    """How wide the longest line of a name is."""
    return max(fonts.width(line, size, "display") for line in lines)


def flourish(title: TextLine) -> Iterator[Drawn]:
    """A diamond and a line at either side of the game's name."""
    small = title.size
    level = title.at.y - metrics("bold").capitals * small / 2
    wide = small * 4
    for side in (-1, 1):
        at = title.at.x + side * (title.width / 2 + small * 1.4)
        yield Ornament(Frame(at, level), small * 0.36)
        yield RuleLine(at + small if side > 0 else at - small - wide, level, wide)


def extent(drawn: Drawn) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of something level."""
    match drawn:
        case TextLine(at=at, size=size, width=width):
            return at.x - width / 2, at.y - size * 0.75, at.x + width / 2, at.y + size * 0.25
        case RuleLine(x=x, y=y, width=width):
            return x, y, x + width, y
        case Ornament(at=at, size=size) | Area(at=at, height=size):
            return at.x - size, at.y - size, at.x + size, at.y + size


def meets(box: tuple[float, float, float, float], letter: tuple[float, float, float]) -> bool:
    """Whether a letter comes near a level box."""
    (left, top, right, bottom), (x, y, far) = box, letter
    return left - far < x < right + far and top - far < y < bottom + far


def seat_number(seat: int, at: Frame) -> TextLine:
    """The number of a position, on the rail before the player."""
    size = 26.0
    place = at.moved(0, -RAIL / 2 - metrics("display").capitals * size / 2)
    return TextLine(
        id=f"seat-{seat}-number",
        kind="seat",
        text=str(seat),
        at=place,
        size=size,
        face="display",
        seat=seat,
    )


def outline(colour: str) -> Iterator[str]:
    """The rail, the cloth and the line along its edge."""
    stops = (
        svg.tag("stop", {"offset": "0", "stop-color": colour}),
        svg.tag("stop", {"offset": "1", "stop-color": svg.darker(colour, 0.56)}),
    )
    gradient = {"id": "felt-cloth", "cx": "0.5", "cy": "0.35", "r": "0.75"}
    yield f"<defs>{svg.tag('radialGradient', gradient, ''.join(stops))}</defs>"
    rail = {"fill": svg.LEATHER, "stroke": "#3a2a20", "stroke-width": "3"}
    yield svg.tag("path", {"class": "rail", "d": half_moon(RAIL), **rail})
    cloth = {"fill": "url(#felt-cloth)", "stroke": svg.BRASS, "stroke-width": "5"}
    yield svg.tag("path", {"class": "cloth", "id": "cloth", "d": half_moon(0), **cloth})
    border = {"fill": "none", "stroke": svg.GOLD, "stroke-width": "1.4", "stroke-opacity": "0.8"}
    yield svg.tag("path", {"class": "border", "d": half_moon(-11), **border})


def half_moon(more: float) -> str:
    """The outline of the table, or one so much wider around the players."""
    across, down = svg.number(EDGE.across + more), svg.number(EDGE.down + more)
    left, right = svg.number(EDGE.x - EDGE.across - more), svg.number(EDGE.x + EDGE.across + more)
    top, side = svg.number(dealer_area.EDGE - min(more, 0.0)), svg.number(EDGE.y)
    return f"M{left} {top}H{right}V{side}A{across} {down} 0 0 1 {left} {side}Z"


def point(at: Frame) -> dict[str, float]:
    """A centre for a program."""
    return {"x": round(at.x, 2), "y": round(at.y, 2)}


def cards_at(area: Area, cards: int) -> list[dict[str, float]]:
    """The centres of the cards of a hand."""
    rotation = round(area.at.rotation, 2)
    return [{**point(at), "rotation": rotation} for at in dealer_area.card_places(area, cards)]

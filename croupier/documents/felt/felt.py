"""The felt of a House: one geometry for the printed layout and the table in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.documents import fonts
from croupier.documents.felt import dealer_area, inscriptions, player_positions
from croupier.documents.felt import svg_writer as svg
from croupier.documents.felt.logo import Logo
from croupier.documents.felt.pdf_reader import pdf_differences
from croupier.documents.felt.shapes import (
    Area,
    Ellipse,
    Frame,
    Ornament,
    Panel,
    RuleLine,
    Shape,
    TextLine,
    wrap_text,
)
from croupier.documents.felt.text_fitting import draw_columns, fit_notices, fit_panels
from croupier.documents.fonts import metrics
from croupier.documents.imprint import imprint
from croupier.documents.pdf import drawing_page
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.games.layout_notices import notices_on_sign, odds_on_sign
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.documents.felt.sign import Sign

WIDTH, HEIGHT = 2100.0, 1220.0
RAIL = 92.0
EDGE = Ellipse(dealer_area.MIDDLE, 370.0, 940.0, 740.0)
PANEL_LEFT, PANEL_TOP = 158.0, 214.0
ODDS_SIZE_MAX, ODDS_SIZE_MIN = 19.0, 7.5
NOTICE_SIZE_MAX, NOTICE_SIZE_MIN = 27.0, 12.0
NAME_SIZE_MAX, NAME_SIZE_MIN, NAME_WIDTH, NAME_HEIGHT_MIN = 64.0, 8.0, 680.0, 50.0
NAME_LINES_MAX = 2
IMPRINT_SIZE = 8.0


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn table layout. What does not fit on it (`carries_*`) belongs on the sign."""

    title: str
    operator: str
    digest: str
    areas: tuple[Area, ...]
    texts: tuple[TextLine, ...]
    rules: tuple[RuleLine, ...]
    ornaments: tuple[Ornament, ...]
    cloth: str
    positions: int
    cards: tuple[int, int, int]  # of a player, of the dealer, in the box of a side wager
    carries_odds: bool
    carries_bases: bool  # the cards that decide each wager
    carries_notices: bool
    logo: Logo | None = None
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def name(self) -> str:
        """The title of the drawing."""
        return f"{self.title} at {self.operator}: table layout"

    def stamped(self, imprint: str) -> Felt:
        """The drawing with its submission and imprint in a corner beside the table."""
        line = TextLine(
            id="imprint",
            kind="imprint",
            text=f"Rules Submission {self.digest[:16]}. {imprint}",
            at=Frame(IMPRINT_SIZE, self.height - IMPRINT_SIZE),
            size=IMPRINT_SIZE,
            anchor="start",
        )
        return msgspec.structs.replace(self, texts=(*self.texts, line))

    def svg(self) -> str:
        """The drawing to scale with embedded fonts; equal Houses give equal bytes."""
        return self._svg(own_fonts=True)

    def page_svg(self) -> str:
        """The drawing for a web page that supplies the fonts and may restyle every class."""
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
        """A text description for screen readers."""
        spots = [area for area in self.areas if area.wager and area.seat == 1]
        wagers = ", ".join(dict.fromkeys(area.wager.replace("_", " ") for area in spots))
        notices = [f"{text.text}." for text in self.texts if text.kind == "notice"]
        where = f"{counted(self.positions, 'position')}, each with betting areas for {wagers}."
        return " ".join([where, *notices])

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
        for seat in range(1, self.positions + 1):
            yield f'<g class="seat" id="seat-{seat}">'
            yield from (svg.area(area) for area in self.areas if area.seat == seat)
            yield from (svg.text(text) for text in self.texts if text.seat == seat)
            yield "</g>"

    def anchors(self) -> dict[str, Any]:
        """Where chips and cards go, in units of the viewBox."""
        player_cards, dealer_cards, box_cards = self.cards
        by_id = {area.id: area for area in self.areas}
        community = [area for area in self.areas if area.kind == "community"]
        anchors: dict[str, Any] = {
            "view_box": [0, 0, self.width, self.height],
            "card": {"width": player_positions.CARD_WIDTH, "height": player_positions.CARD_HEIGHT},
            "seats": {
                str(seat): {
                    "rotation": round(by_id[f"seat-{seat}-hand"].at.rotation, 2),
                    "wagers": {
                        area.wager: {**point(area.at), "r": round(area.width / 2, 2)}
                        for area in self.areas
                        if area.wager and area.seat == seat
                    },
                    "cards": cards_at(by_id[f"seat-{seat}-hand"], player_cards),
                }
                for seat in range(1, self.positions + 1)
            },
            "dealer": cards_at(by_id["dealer"], dealer_cards) if dealer_cards else [],
            "community": [{**point(a.at), "rotation": 0, "place": a.place} for a in community],
            "box": cards_at(by_id["box"], box_cards) if box_cards else [],
        }
        for name in ("tray", "discard-rack", "drop-box", "tip-box", "shuffler"):
            if area := by_id.get(name):
                size = {"width": area.width, "height": area.height}
                anchors[name.replace("-", "_")] = {**point(area.at), **size}
        return anchors


def felt(house: House, logo: Logo | None = None) -> Felt:
    """Draw the table layout of a House to scale, with everything that chapter 2 requires.

    Odds and notices that do not fit, or that the operator posts, are left to the sign.
    """
    drawn: list[Shape] = [*dealer_area.equipment(house)]
    for seat, at in player_positions.positions(EDGE, house.positions).items():
        drawn += [*player_positions.position(house, seat, at), seat_number(seat, at)]
    spots = betting_areas(drawn)
    cards = list(dealer_area.cards(house))
    drawn += cards
    card_areas = [shape for shape in cards if isinstance(shape, Area)]
    odds, carries_bases = None, False
    if not odds_on_sign(house):
        odds, carries_bases = draw_odds(house, panels(house, card_areas))
    notices = fit_notices(
        () if notices_on_sign(house) else inscriptions.notices(house),
        lowest_curve(house),
        spots,
        max_size=NOTICE_SIZE_MAX,
        min_size=NOTICE_SIZE_MIN,
    )
    drawn += [*(odds or ()), *(notices or ())]
    occupied = letter_circles(notices or ()) + [(s.at.x, s.at.y, s.width / 2 + 8) for s in spots]
    drawn += draw_names(house, dealer_area.bottom(card_areas) + 12, occupied, logo)
    return Felt(
        title=house.game.title,
        operator=house.operator,
        digest=house.digest,
        areas=tuple(shape for shape in drawn if isinstance(shape, Area)),
        texts=tuple(shape for shape in drawn if isinstance(shape, TextLine)),
        rules=tuple(shape for shape in drawn if isinstance(shape, RuleLine)),
        ornaments=tuple(shape for shape in drawn if isinstance(shape, Ornament)),
        cloth=house.game.layout.cloth,
        positions=house.positions,
        cards=(house.game.player_cards, house.game.dealer_cards, dealer_area.box_cards(house)),
        carries_odds=odds is not None,
        carries_bases=carries_bases,
        carries_notices=notices is not None and not notices_on_sign(house),
        logo=logo,
    )


def full_size(house: House, drawing: Felt | Sign) -> bytes:
    """A felt or sign with its imprint as a full-size PDF page.

    The page is read back; BadInput if any of its text differs from the drawing.
    """
    drawing_svg = drawing.stamped(imprint()).svg()
    page = drawing_page(
        drawing_svg,
        width=drawing.width,
        height=drawing.height,
        title=drawing.name,
        author=house.operator,
        alt=drawing.description,
    )
    if problems := pdf_differences(drawing_svg, page):
        raise BadInput("\n".join(problems))
    return page


def lowest_curve(house: House) -> Ellipse:
    """The curve just inside the innermost betting areas."""
    reach = player_positions.reach(house) + 14
    # At the sides, positions reach further in than an ellipse of the same shape would allow.
    return Ellipse(EDGE.x, EDGE.y, EDGE.across - 1.13 * reach, EDGE.down - reach)


def betting_areas(drawn: Sequence[Shape]) -> list[Area]:
    """The betting areas of a drawing."""
    return [shape for shape in drawn if isinstance(shape, Area) and shape.kind == "spot"]


def panels(house: House, card_areas: Sequence[Area]) -> tuple[Panel, Panel]:
    """The upper corners: beside the card areas, above the ends of a table with every position."""
    ends = player_positions.positions(EDGE, MOST_POSITIONS)
    spots = betting_areas([*player_positions.position(house, MOST_POSITIONS, ends[MOST_POSITIONS])])
    half_width = dealer_area.MIDDLE - min(area.at.x - area.width / 2 for area in card_areas)
    width = dealer_area.MIDDLE - half_width - 52 - PANEL_LEFT
    beside = [spot for spot in spots if spot.at.x - spot.width / 2 < PANEL_LEFT + width]
    lowest = min(spot.at.y - spot.height / 2 for spot in beside) - 22
    left = Panel(x=PANEL_LEFT, y=PANEL_TOP, width=width, height=lowest - PANEL_TOP)
    right = msgspec.structs.replace(left, x=2 * dealer_area.MIDDLE - PANEL_LEFT - width)
    return left, right


def draw_odds(
    house: House, corners: tuple[Panel, Panel]
) -> tuple[list[Area | TextLine | RuleLine] | None, bool]:
    """The odds in both upper corners, and whether they say which cards decide each wager.

    None if they do not fit at a legible size.
    """
    blocks = inscriptions.odds(house)
    bare = [msgspec.structs.replace(block, basis="") for block in blocks]
    for inscribed in (blocks, bare):
        fit = fit_panels(inscribed, corners, max_size=ODDS_SIZE_MAX, min_size=ODDS_SIZE_MIN)
        if fit is not None:
            size, (left, right) = fit
            drawn = [
                *draw_columns(left, corners[0], size, align_right=False),
                *draw_columns(right, corners[1], size, align_right=True),
            ]
            return drawn, inscribed is blocks
    return None, False


def letter_circles(notices: Sequence[TextLine | Ornament]) -> list[tuple[float, float, float]]:
    """Center and radius around every letter on a curve."""
    return [
        (*frame.at(text.size * 0.25, text.size * 0.3), text.size * 0.75)
        for text in notices
        if isinstance(text, TextLine)
        for frame in text.curve
    ]


def draw_names(
    house: House, top: float, occupied: Sequence[tuple[float, float, float]], logo: Logo | None
) -> Iterator[Shape]:
    """The names of the operator and the game in the middle of the cloth, clear of the notices."""
    bottom = lowest_curve(house).bottom
    for height in range(int(bottom - top), int(NAME_HEIGHT_MIN), -4):
        names = list(draw_names_between(house, top, top + height, logo))
        boxes = [extent(shape) for shape in names if isinstance(shape, TextLine)]
        if not any(overlaps(box, circle) for box in boxes for circle in occupied):
            break
    flourishes = list(flourish(names[-1])) if isinstance(names[-1], TextLine) else []
    yield from names
    if not any(overlaps(extent(shape), circle) for shape in flourishes for circle in occupied):
        yield from flourishes


def draw_names_between(
    house: House, top: float, bottom: float, logo: Logo | None
) -> Iterator[Shape]:
    """Both names between two heights, the logo in place of the operator's name."""
    height = bottom - top
    lines, size = [house.operator], min(NAME_SIZE_MAX, height * 0.5)
    while size > NAME_SIZE_MIN:
        lines = wrap_text(house.operator, NAME_WIDTH, size, "display")
        text_height = len(lines) * size * 1.1
        if (
            len(lines) <= NAME_LINES_MAX
            and text_height <= height * 0.6
            and widest(lines, size) <= NAME_WIDTH
        ):
            break
        size -= 1
    small = max(14.0, min(30.0, size * 0.45))
    text_height = len(lines) * size * 1.05 + small * 1.6
    y = (top + bottom - text_height) / 2
    capitals = metrics("display").capitals * size
    if logo:
        logo_height = len(lines) * size
        at = Frame(dealer_area.MIDDLE, y + logo_height / 2)
        yield Area(id="logo", kind="logo", at=at, width=NAME_WIDTH, height=logo_height)
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
        at=Frame(dealer_area.MIDDLE, y + text_height - small * 0.3),
        size=small,
        face="bold",
        spacing=0.16,
    )


def widest(lines: Sequence[str], size: float) -> float:
    """The width of the longest line of a name."""
    return max(fonts.width(line, size, "display") for line in lines)


def flourish(title: TextLine) -> Iterator[Shape]:
    """A diamond and a line on either side of the game's name."""
    small = title.size
    level = title.at.y - metrics("bold").capitals * small / 2
    width = small * 4
    for side in (-1, 1):
        at = title.at.x + side * (title.width / 2 + small * 1.4)
        yield Ornament(Frame(at, level), small * 0.36)
        yield RuleLine(at + small if side > 0 else at - small - width, level, width)


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an unrotated shape."""
    match shape:
        case TextLine(at=at, size=size, width=width):
            return at.x - width / 2, at.y - size * 0.75, at.x + width / 2, at.y + size * 0.25
        case RuleLine(x=x, y=y, width=width):
            return x, y, x + width, y
        case Ornament(at=at, size=size) | Area(at=at, height=size):
            return at.x - size, at.y - size, at.x + size, at.y + size


def overlaps(box: tuple[float, float, float, float], circle: tuple[float, float, float]) -> bool:
    """Whether a circle comes near an upright box."""
    (left, top, right, bottom), (x, y, radius) = box, circle
    return left - radius < x < right + radius and top - radius < y < bottom + radius


def seat_number(seat: int, at: Frame) -> TextLine:
    """The number of a position on the rail."""
    size = 26.0
    frame = at.offset(0, -RAIL / 2 - metrics("display").capitals * size / 2)
    return TextLine(
        id=f"seat-{seat}-number",
        kind="seat",
        text=str(seat),
        at=frame,
        size=size,
        face="display",
        seat=seat,
    )


def outline(color: str) -> Iterator[str]:
    """The rail, the cloth and its border line."""
    stops = (
        svg.tag("stop", {"offset": "0", "stop-color": color}),
        svg.tag("stop", {"offset": "1", "stop-color": svg.darker(color, 0.56)}),
    )
    gradient = {"id": "felt-cloth", "cx": "0.5", "cy": "0.35", "r": "0.75"}
    yield f"<defs>{svg.tag('radialGradient', gradient, ''.join(stops))}</defs>"
    rail = {"fill": svg.LEATHER, "stroke": "#3a2a20", "stroke-width": "3"}
    yield svg.tag("path", {"class": "rail", "d": half_moon(RAIL), **rail})
    cloth = {"fill": "url(#felt-cloth)", "stroke": svg.BRASS, "stroke-width": "5"}
    yield svg.tag("path", {"class": "cloth", "id": "cloth", "d": half_moon(0), **cloth})
    border = {"fill": "none", "stroke": svg.GOLD, "stroke-width": "1.4", "stroke-opacity": "0.8"}
    yield svg.tag("path", {"class": "border", "d": half_moon(-11), **border})


def half_moon(margin: float) -> str:
    """The path of the table outline, widened by a margin on the players' side."""
    across, down = svg.number(EDGE.across + margin), svg.number(EDGE.down + margin)
    left, right = (
        svg.number(EDGE.x - EDGE.across - margin),
        svg.number(EDGE.x + EDGE.across + margin),
    )
    top, side = svg.number(dealer_area.EDGE - min(margin, 0.0)), svg.number(EDGE.y)
    return f"M{left} {top}H{right}V{side}A{across} {down} 0 0 1 {left} {side}Z"


def point(at: Frame) -> dict[str, float]:
    """The position of a frame as JSON."""
    return {"x": round(at.x, 2), "y": round(at.y, 2)}


def cards_at(area: Area, cards: int) -> list[dict[str, float]]:
    """The centers of the cards of a hand, with their rotation, as JSON."""
    rotation = round(area.at.rotation, 2)
    return [{**point(at), "rotation": rotation} for at in dealer_area.card_places(area, cards)]

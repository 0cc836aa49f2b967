"""The dealer's area: table inventory, boxes, devices, community and dealer cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from croupier.documents import fonts
from croupier.documents.felt.player_positions import (
    CARD_HEIGHT,
    CARD_WIDTH,
    HAND_HEIGHT,
    card_step,
    hand_width,
)
from croupier.documents.felt.shapes import Area, Frame, TextLine, center_vertically, wrap_text
from croupier.games import BOX, House

MIDDLE = 1050.0  # x of the center line of the table
EDGE = 70.0  # the dealer's edge of the cloth
TRAY = (640.0, 112.0)
TRAY_AT = Frame(MIDDLE, EDGE + 66)
BOARD_TOP = 208.0  # community cards are directly in front of the table inventory
LABEL_HEIGHT = 17.0
CARD_GAP = 8.0
EQUIPMENT_SIZE_MAX, EQUIPMENT_SIZE_MIN = 11.0, 7.0


def cards(house: House) -> Iterator[Area | TextLine]:
    """The community cards directly in front of the table inventory, the dealer's below them."""
    board = community(house)
    yield from board
    yield from board_labels(house, board)
    yield from rows_below(house, bottom(board) + 6 if board else BOARD_TOP)


def community(house: House) -> list[Area]:
    """An area for each community card, in a row or a cross."""
    game = house.game
    if not game.community_cards:
        return []
    clauses = house.cite("layout.community", optional=True)
    places = game.layout.places or tuple(str(n + 1) for n in range(game.community_cards))
    return [
        Area(
            id=f"community-{place}",
            kind="community",
            at=at,
            width=CARD_WIDTH + 4,
            height=CARD_HEIGHT + 4,
            place=place,
            clauses=clauses,
        )
        for place, at in zip(places, board_frames(house), strict=True)
    ]


def board_frames(house: House) -> list[Frame]:
    """The centers of the community cards, in the game's order."""
    game = house.game
    step = CARD_WIDTH + CARD_GAP
    top = BOARD_TOP + LABEL_HEIGHT + CARD_HEIGHT / 2
    if not game.layout.lines:
        first = MIDDLE - step * (game.community_cards - 1) / 2
        return [Frame(first + step * number, top) for number in range(game.community_cards)]
    across, down = game.layout.lines.values()
    deep = CARD_HEIGHT + CARD_GAP
    top -= LABEL_HEIGHT - 4  # labels are inside the areas
    frames = dict.fromkeys(range(game.community_cards), Frame(MIDDLE, top + deep))
    for number, place in enumerate(across):
        frames[place] = Frame(MIDDLE + (number - len(across) // 2) * step, top + deep)
    for number, place in enumerate(down):
        frames[place] = Frame(MIDDLE, top + deep * number)
    return [frames[place] for place in sorted(frames)]


def board_labels(house: House, areas: Sequence[Area]) -> Iterator[TextLine]:
    """A label for each area, or one for the whole row."""
    game = house.game
    if not areas:
        return
    if not game.layout.labels:
        first, last = areas[0].at, areas[-1].at
        at = Frame((first.x + last.x) / 2, first.y - CARD_HEIGHT / 2 - 7)
        yield TextLine(
            id="community-label",
            kind="label",
            text="Community cards",
            at=at,
            size=12.0,
            face="bold",
            area="community",
            spacing=0.06,
            clauses=areas[0].clauses,
        )
        return
    for area, name in zip(areas, game.layout.labels, strict=True):
        wager = game.wager(name)
        assert wager is not None, f"{game.key} has no {name}"
        yield center_vertically(
            TextLine(
                id=f"{area.id}-label",
                kind="label",
                text=wager.title,
                at=area.at,
                size=14.0,
                face="bold",
                area=area.id,
                clauses=house.cite(f"layout.label.{name}", optional=True),
            )
        )


def rows_below(house: House, top: float) -> Iterator[Area | TextLine]:
    """The dealer's cards, and the box of a side wager if there is one."""
    counts = {"dealer": house.game.dealer_cards, "box": box_cards(house)}
    counts = {name: number for name, number in counts.items() if number}
    gap = 46.0
    total = fsum(hand_width(number) + 12 for number in counts.values()) + gap * (len(counts) - 1)
    left = MIDDLE - total / 2
    for name, number in counts.items():
        width = hand_width(number) + 12
        at = Frame(left + width / 2, top + LABEL_HEIGHT + HAND_HEIGHT / 2)
        clauses = house.cite(f"layout.{name}", optional=True)
        kind = "dealer" if name == "dealer" else "box"
        yield Area(
            id=name,
            kind="dealer" if kind == "dealer" else "box",
            at=at,
            width=width,
            height=HAND_HEIGHT,
            clauses=clauses,
        )
        yield TextLine(
            id=f"{name}-label",
            kind="label",
            text="Dealer" if kind == "dealer" else box_title(house),
            at=Frame(at.x, at.y - HAND_HEIGHT / 2 - 5),
            size=12.0,
            face="bold",
            area=name,
            spacing=0.06,
            clauses=clauses,
        )
        left += width + gap


def box_cards(house: House) -> int:
    """The number of cards dealt to the box of a side wager."""
    return sum(slot == BOX for street in house.deal((1,)) for slot in street)


def box_title(house: House) -> str:
    """The title of the wager that is decided by the cards in the box."""
    for wager in house.game.wagers:
        basis = wager.judged_on(house) if wager.judged_on and house.offers(wager.name) else None
        if basis and "box" in basis.words:
            return wager.title
    return "Box"


def card_places(area: Area, cards: int) -> list[Frame]:
    """The frame of each card of a hand in its area."""
    step = card_step(cards)
    return [area.at.offset((n - (cards - 1) / 2) * step, 0) for n in range(cards)]


def equipment(house: House) -> Iterator[Area | TextLine]:
    """The table inventory, drop box, tip box, discard rack and card device."""
    choices = house.choices
    yield Area(id="tray", kind="tray", at=TRAY_AT, width=TRAY[0], height=TRAY[1])
    yield from labeled_equipment("discard-rack", "Discard rack", Frame(540, EDGE + 56), 118, 92)
    yield from labeled_equipment("drop-box", "Drop box", Frame(664, EDGE - 24), 96, 40)
    elsewhere = choices.tip_box_alternative is not None
    same_hand = choices.drop_tip_box_position == "same_side_as_dealer" or elsewhere
    tip_box = choices.tip_box_alternative or "Tip box"
    tip_at = 540 if same_hand else 2 * MIDDLE - 664
    label = tip_box if not elsewhere else f"Tip box: {tip_box}"
    yield from labeled_equipment(
        "tip-box", label, Frame(tip_at, EDGE - 24), 118 if same_hand else 96, 40
    )
    if device := device_title(house):
        yield from labeled_equipment(
            "shuffler", device, Frame(2 * MIDDLE - 540, EDGE + 62), 150, 104
        )


def device_title(house: House) -> str:
    """The device at the dealer's left hand; empty if there is none."""
    if house.dealing_method == "manual_shoe":
        return "Dealing shoe"
    if house.dealing_method == "automated_shoe":
        return "Automated shoe"
    return "" if house.shuffle_method == "manual" else "Card shuffler"


def labeled_equipment(
    id: str, label: str, at: Frame, width: float, height: float
) -> Iterator[Area | TextLine]:
    """A piece of equipment with its label."""
    yield Area(id=id, kind="equipment", at=at, width=width, height=height)
    size = EQUIPMENT_SIZE_MAX
    lines = wrap_text(label, width - 8, size, "text")
    while size > EQUIPMENT_SIZE_MIN and not fits(lines, size, width - 8, height - 6):
        size -= 0.5
        lines = wrap_text(label, width - 8, size, "text")
    if not fits(lines, size, width - 8, height - 6):  # drop the description of the place
        lines = [label.partition(":")[0]]
    for number, line in enumerate(lines):
        away = ((len(lines) - 1) / 2 - number) * size * 1.1
        yield center_vertically(
            TextLine(
                id=f"{id}-label-{number}",
                kind="equipment",
                text=line,
                at=at.offset(0, away),
                size=size,
                area=id,
            )
        )


def fits(lines: Sequence[str], size: float, width: float, height: float) -> bool:
    """Whether lines of text fit a box."""
    widest = max(fonts.width(line, size) for line in lines)
    return widest <= width and len(lines) * size * 1.1 <= height


def bottom(areas: Sequence[Area]) -> float:
    """The lowest edge of upright areas."""
    return max(area.at.y + area.height / 2 for area in areas)

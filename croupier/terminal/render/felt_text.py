"""The felt as text: dealer, community cards, the player's box and betting spots, meters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from croupier.cards import Card, Face, require_seen
from croupier.games import DealtHand, Layout
from croupier.money import Cents, chip_amount, dollars, down_to_cent
from croupier.table import Box, Round
from croupier.terminal.bot_players import YOU
from croupier.terminal.io.styled_text import (
    EMPTY,
    Line,
    Span,
    clip,
    line,
    line_width,
    pad,
    plain_text,
    side_by_side,
    text_width,
    wrap,
)
from croupier.terminal.render import card_faces
from croupier.terminal.render.card_faces import CARD_WIDTH, DOWN, NONE, Place
from croupier.wording import person_name

TALL_WIDTH = 66  # on narrower screens cards are one line high
_GUTTER = 3


class FeltView(msgspec.Struct, frozen=True, kw_only=True):
    """What to draw besides the round: seat, chips, meters, size."""

    seat: int
    chips: Cents  # the player's chips, without those on the felt
    meters: Mapping[str, Fraction]
    width: int = 80
    tall: bool = True


def felt_lines(current: Round, view: FeltView) -> list[Line]:
    """The table as the player at one seat sees it now."""
    if not view.tall or view.width < TALL_WIDTH:
        return flat_felt(current, view)
    inner = view.width - 4
    if current.game.layout.lines:
        body = cross_body(current, view, inner)
    else:
        body = row_body(current, view, inner)
    meters = meter_lines(view.meters, inner)
    title = f" {current.game.title} "
    right = f" round {current.number} ─ {dollars(view.chips)} "
    operator = f" {clip(current.house.operator, inner - 4)} "
    return [
        border("┌", "┐", title, right, view.width),
        *(framed(row, inner) for row in (*meters, *body)),
        border("└", "┘", "", operator, view.width),
    ]


def border(first: str, last: str, left: str, right: str, width: int) -> Line:
    """A horizontal edge with text near both ends."""
    left = clip(left, width - 6 - text_width(right))
    rule = "─" * (width - 4 - text_width(left) - text_width(right))
    return line((first + "─", "felt"), (left, "title"), (rule, "felt")) + line(
        (right, "strong"), ("─" + last, "felt")
    )


def framed(row: Line, inner: int) -> Line:
    """One row between the vertical edges."""
    return (("│ ", "felt"), *pad(row, inner), (" │", "felt"))


def row_body(current: Round, view: FeltView, inner: int) -> list[Line]:
    """Dealer and community cards above, the player's cards and spots below."""
    game = current.game
    own = current.boxes[view.seat]
    column = max(game.dealer_cards, game.player_cards, 2) * CARD_WIDTH + _GUTTER
    dealer = [
        line(("DEALER", "label")),
        *card_faces.tall_cards(dealer_places(current), game.is_live),
    ]
    middle: list[Line] = []
    if game.community_cards:
        board = community_places(current)
        middle = [line(("COMMUNITY", "label")), *card_faces.tall_cards(board)]
    side = column + (len(middle) and game.community_cards * CARD_WIDTH + _GUTTER)
    others = other_boxes(current, view.seat, inner - side)
    top = side_by_side(side_by_side(dealer, middle, column), others, side)
    hand = [own_label(current, view.seat), *own_faces(current, own)]
    spots = [hand_line(current, view.seat), *spot_lines(current, own, inner - column)]
    return [*top, *side_by_side(hand, spots, column)]


def cross_body(current: Round, view: FeltView, inner: int) -> list[Line]:
    """The player's cards and spots beside the cross."""
    own = current.boxes[view.seat]
    layout = current.game.layout
    column = min(46, inner - 3 * CARD_WIDTH - label_width(layout))
    hand = [own_label(current, view.seat), *own_faces(current, own)]
    left = side_by_side(hand, other_boxes(current, view.seat, column - 16), 14)
    left += wrap(hand_line(current, view.seat), column - 1)
    left += spot_lines(current, own, column - 2)
    return side_by_side(left, cross(layout, community_places(current)), column)


def label_width(layout: Layout) -> int:
    """The width of the names of the lines, with a space after them."""
    return max(len(name) for name in layout.lines) + 1


def cross(layout: Layout, places: Sequence[Place]) -> list[Line]:
    """A cross of cards: the first line across, the second one down through its middle."""
    (first, across), (second, down) = layout.lines.items()
    width = label_width(layout)
    top, bottom = places[down[0]], places[down[-1]]
    labels: tuple[Span, ...] = ((" " * width, ""), (first.ljust(width), "label"), (" " * width, ""))
    middle = " " * (CARD_WIDTH + width)
    rows = [line(middle, *row) for row in card_faces.tall_cards([top])]
    center = card_faces.tall_cards([places[index] for index in across])
    rows += [line(label, *row) for label, row in zip(labels, center, strict=True)]
    rows += [line(middle, *row) for row in card_faces.tall_cards([bottom])]
    rows[1] = line((f"{second} ".rjust(len(middle)), "label"), *card_faces.tall_cards([top])[1])
    return rows


def flat_felt(current: Round, view: FeltView) -> list[Line]:
    """The felt with cards one line high, for small terminals."""
    game = current.game
    own = current.boxes[view.seat]
    money = (dollars(view.chips), "strong")
    rows = [line((game.title, "title"), f" · round {current.number} · ", money)]
    rows += meter_lines(view.meters, view.width)
    if game.dealer_cards:
        dealer = card_faces.flat_cards(dealer_places(current), game.is_live)
        rows.append(line(("Dealer  ", "label"), *dealer))
    board = community_places(current)
    if game.layout.lines:
        for name, places in game.layout.lines.items():
            cards = card_faces.flat_cards([board[index] for index in places])
            rows.append(line((f"{name:<7} ", "label"), *cards))
    elif board:
        rows.append(line(("Board   ", "label"), *card_faces.flat_cards(board)))
    hand = hand_line(current, view.seat)
    spaced = line("   ", *hand) if hand else EMPTY
    label = "You     " if len(own_seats(current)) == 1 else f"Seat {view.seat}  "
    own_cards = card_faces.flat_cards(own_places(current, own), game.is_live)
    rows.append(line((label, "label"), *own_cards, *spaced))
    rows += [line(*row) for row in spot_lines(current, own, view.width)]
    if not current.closed:  # the settlement lines show the others at the end
        others = other_boxes(current, view.seat, view.width)
        rows += fill_rows([("   ", line(plain_text(row).rstrip())) for row in others], view.width)
    return [row for styled in rows for row in wrap(styled, view.width)]


# Parts of the felt. Apart from the player's own cards, only exposed cards are read.


def visible_community(current: Round) -> list[Card]:
    """The community cards that are face up, in layout order."""
    return [card for card in current.layout if card is not None and card in current.exposed]


def community_places(current: Round) -> list[Place]:
    """All community places: face up, face down, or empty."""
    return public_places(current, current.layout, current.game.community_cards)


def dealer_places(current: Round) -> list[Place]:
    """The dealer's cards, face down until they are exposed; none while they wait in the device."""
    cards = () if current.dealer_waits else current.dealer
    return public_places(current, cards, current.game.dealer_cards)


def public_places(current: Round, cards: Sequence[Face], places: int) -> list[Place]:
    """Cards as all players see them, then the empty places."""
    faces: list[Place] = [
        card if card is not None and card in current.exposed else DOWN for card in cards
    ]
    return [*faces, *[NONE] * (places - len(cards))]


def own_places(current: Round, box: Box) -> list[Place]:
    """The player's own cards, then the empty places."""
    empty = current.game.player_cards - len(box.cards)
    faces: list[Place] = [DOWN if card is None else card for card in box.cards]
    return [*faces, *[NONE] * empty]


def own_faces(current: Round, box: Box) -> list[Line]:
    """The player's cards, three lines high."""
    return card_faces.tall_cards(own_places(current, box), current.game.is_live)


def own_seats(current: Round) -> list[int]:
    """The seats of the player at the terminal."""
    return [seat for seat, box in sorted(current.boxes.items()) if box.player == YOU.id]


def own_label(current: Round, seat: int) -> Line:
    """ "YOU", with the seat when there is more than one."""
    return line(("YOU" if len(own_seats(current)) == 1 else f"YOU, SEAT {seat}", "label"))


def hand_line(current: Round, seat: int) -> Line:
    """The player's hand in words, as far as the cards are known."""
    box = current.boxes[seat]
    shown = visible_community(current)
    # A hand on the lines of a cross needs all of its cards.
    complete = len(shown) == current.game.community_cards
    enough = len(box.cards) + len(shown) >= 5 and (complete or not current.game.layout.lines)
    if not enough or len(box.cards) < current.game.player_cards:
        return EMPTY
    words = hand_words(current, require_seen(box.cards), shown)
    return line((words, "strong"), " (folded)" if box.folded_at else "")


def hand_words(current: Round, cards: Sequence[Card], community: Sequence[Card]) -> str:
    """A hand with its ranks, or as announced if the game has no description with ranks."""
    seen = DealtHand(
        cards=cards,
        dealer=cards,  # not used: the description depends on the player's hand only
        community=community,
        box=(),
        folded_at="",
        wagers=(),
    )
    game = current.game
    if game.describe_hand is not None:
        return game.describe_hand(seen, current.house)
    return game.announce_player(seen, current.house).hand


def spot_lines(current: Round, box: Box, width: int) -> list[Line]:
    """The betting spots with their chips, as many to a row as fit."""
    offered = [wager for wager in current.game.wagers if current.house.offers(wager.name)]
    spots: list[tuple[str, Line]] = []
    for wager in offered:
        collected = box.collected is not None and wager.name in box.collected.wagers
        stake = 0 if collected else box.stakes.get(wager.name, 0)
        text = f"● {wager.title} {chip_amount(stake)}" if stake else f"○ {wager.title}"
        link = " = " if wager.role == "matching" else "   "
        spots.append((link, line((text, "chips" if stake else "empty"))))
    return fill_rows(spots, width)


def fill_rows(parts: Iterable[tuple[str, Line]], width: int) -> list[Line]:
    """Parts joined by their links, as many to a row as fit."""
    rows: list[Line] = []
    for link, part in parts:
        if rows and line_width(rows[-1]) + len(link) + line_width(part) <= width:
            rows[-1] = (*rows[-1], (link, ""), *part)
        else:
            rows.append(part)
    return rows


def other_boxes(current: Round, seat: int, width: int) -> list[Line]:
    """The other seats, one per line; cards only of the player's own boxes or if exposed."""
    rows: list[Line] = []
    bets = [wager.name for wager in current.game.wagers if wager.role == "decision"]
    for number, box in sorted(current.boxes.items()):
        if number == seat:
            continue
        at_risk = chip_amount(sum(box.stakes.get(name, 0) for name in bets))
        state = "folded" if box.folded_at else (at_risk if at_risk != "$0" else "")
        own = box.player == YOU.id
        exposed = bool(box.cards) and current.exposed.issuperset(box.cards)
        cards = card_faces.flat_cards(own_places(current, box)) if own or exposed else EMPTY
        name = f"{number} {person_name(box.player)}" if not own else f"{number} you"
        text = line((clip(name, 10).ljust(11), "label"), *cards, "  " if cards else "", state)
        if line_width(text) > width:
            text = line((clip(name, 10).ljust(11), "label"), state)
        rows.append(text)
    return rows


def meter_lines(meters: Mapping[str, Fraction], width: int) -> list[Line]:
    """The progressive meters, rounded down to whole cents."""
    parts = [
        (" · ", line(f"{name} ", (dollars(down_to_cent(value)), "meter")))
        for name, value in meters.items()
    ]
    return fill_rows(parts, width)

"""The felt: dealer, community cards, one box of the player, its betting spots, the meters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from croupier.cards import Card, Face, require_seen
from croupier.games import DealtHand, Layout
from croupier.money import Cents, dollars, down_to_cent
from croupier.table import Box, Round
from croupier.terminal.bot_players_people import YOU, name_of
from croupier.terminal.io.styled_text import (
    EMPTY,
    Line,
    Span,
    beside,
    cells,
    chips,
    clip,
    line,
    pad,
    plain,
    width_of,
    wrap,
)
from croupier.terminal.render import card_faces
from croupier.terminal.render.card_faces import CARD_WIDTH, DOWN, NONE, Place

TALL_WIDTH = 66  # below this the cards are drawn in one line each
_GUTTER = 3


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What the felt shows beside the round itself."""

    seat: int
    purse: Cents  # the chips before the player, those on the felt left out
    meters: Mapping[str, Fraction]
    width: int = 80
    tall: bool = True


def felt(current: Round, view: View) -> list[Line]:
    """The table as the player at one seat may see it now."""
    if not view.tall or view.width < TALL_WIDTH:
        return flat_felt(current, view)
    inner = view.width - 4
    if current.game.layout.lines:
        body = cross_body(current, view, inner)
    else:
        body = row_body(current, view, inner)
    meters = meter_lines(view.meters, inner)
    title = f" {current.game.title} "
    right = f" round {current.number} ─ {dollars(view.purse)} "
    operator = f" {clip(current.house.operator, inner - 4)} "
    return [
        border("┌", "┐", title, right, view.width),
        *(framed(row, inner) for row in (*meters, *body)),
        border("└", "┘", "", operator, view.width),
    ]


def border(first: str, last: str, left: str, right: str, width: int) -> Line:
    """A horizontal edge with a text in it at both ends."""
    left = clip(left, width - 6 - cells(right))
    rule = "─" * (width - 4 - cells(left) - cells(right))
    return line((first + "─", "felt"), (left, "title"), (rule, "felt")) + line(
        (right, "strong"), ("─" + last, "felt")
    )


def framed(row: Line, inner: int) -> Line:
    """One row between the vertical edges."""
    return (("│ ", "felt"), *pad(row, inner), (" │", "felt"))


def row_body(current: Round, view: View, inner: int) -> list[Line]:
    """Dealer and community above, the player's cards and spots below."""
    game = current.game
    own = current.boxes[view.seat]
    column = max(game.dealer_cards, game.player_cards, 2) * CARD_WIDTH + _GUTTER
    dealer = [line(("DEALER", "label")), *card_faces.tall(dealer_places(current), game.is_live)]
    middle: list[Line] = []
    if game.community_cards:
        board = community_places(current)
        middle = [line(("COMMUNITY", "label")), *card_faces.tall(board)]
    side = column + (len(middle) and game.community_cards * CARD_WIDTH + _GUTTER)
    others = other_boxes(current, view.seat, inner - side)
    top = beside(beside(dealer, middle, column), others, side)
    hand = [
        own_label(current, view.seat),
        *own_faces(current, own),
    ]
    spots = [hand_line(current, view.seat), *spot_lines(current, own, inner - column)]
    return [*top, *beside(hand, spots, column)]


def cross_body(current: Round, view: View, inner: int) -> list[Line]:
    """The player's cards and spots beside the cross."""
    own = current.boxes[view.seat]
    layout = current.game.layout
    column = min(46, inner - 3 * CARD_WIDTH - label_width(layout))
    hand = [
        own_label(current, view.seat),
        *own_faces(current, own),
    ]
    left = beside(hand, other_boxes(current, view.seat, column - 16), 14)
    left += wrap(hand_line(current, view.seat), column - 1)
    left += spot_lines(current, own, column - 2)
    return beside(left, cross(layout, community_places(current)), column)


def label_width(layout: Layout) -> int:
    """How wide the names of the lines are, with a space after them."""
    return max(len(name) for name in layout.lines) + 1


def cross(layout: Layout, places: Sequence[Place]) -> list[Line]:
    """Cards as they lie: the first line across, the second one down through its middle."""
    (first, across), (second, down) = layout.lines.items()
    width = label_width(layout)
    top, bottom = places[down[0]], places[down[-1]]
    labels: tuple[Span, ...] = ((" " * width, ""), (first.ljust(width), "label"), (" " * width, ""))
    middle = " " * (CARD_WIDTH + width)
    rows = [line(middle, *row) for row in card_faces.tall([top])]
    row_of = card_faces.tall([places[index] for index in across])
    rows += [line(label, *row) for label, row in zip(labels, row_of, strict=True)]
    rows += [line(middle, *row) for row in card_faces.tall([bottom])]
    rows[1] = line((f"{second} ".rjust(len(middle)), "label"), *card_faces.tall([top])[1])
    return rows


def flat_felt(current: Round, view: View) -> list[Line]:
    """The same in one line per place, for narrow or low terminals."""
    game = current.game
    own = current.boxes[view.seat]
    money = (dollars(view.purse), "strong")
    rows = [line((game.title, "title"), f" · round {current.number} · ", money)]
    rows += meter_lines(view.meters, view.width)
    if game.dealer_cards:
        rows.append(
            line(("Dealer  ", "label"), *card_faces.flat(dealer_places(current), game.is_live))
        )
    board = community_places(current)
    if game.layout.lines:
        for name, places in game.layout.lines.items():
            cards = card_faces.flat([board[index] for index in places])
            rows.append(line((f"{name:<7} ", "label"), *cards))
    elif board:
        rows.append(line(("Board   ", "label"), *card_faces.flat(board)))
    said = hand_line(current, view.seat)
    spaced = line("   ", *said) if said else EMPTY
    label = "You     " if len(own_seats(current)) == 1 else f"Seat {view.seat}  "
    rows.append(
        line((label, "label"), *card_faces.flat(own_places(current, own), game.is_live), *spaced)
    )
    rows += [line(*row) for row in spot_lines(current, own, view.width)]
    if not current.closed:  # then the settlement tells what became of the others
        others = other_boxes(current, view.seat, view.width)
        rows += filled([("   ", line(plain(row).rstrip())) for row in others], view.width)
    return [row for styled in rows for row in wrap(styled, view.width)]


# The parts, each of them a question to the round: but for the player's own cards, only those that
# somebody has turned up are looked at.


def visible_community(current: Round) -> list[Card]:
    """The community cards that lie face up, in layout order."""
    return [card for card in current.layout if card is not None and card in current.exposed]


def community_places(current: Round) -> list[Place]:
    """Every community place: face up, face down, or empty."""
    return as_they_lie(current, current.layout, current.game.community_cards)


def dealer_places(current: Round) -> list[Place]:
    """The dealer's cards, face down until they are turned up."""
    return as_they_lie(current, current.dealer, current.game.dealer_cards)


def as_they_lie(current: Round, cards: Sequence[Face], places: int) -> list[Place]:
    """Cards as everybody sees them, and the places where none lies yet."""
    lying: list[Place] = [
        card if card is not None and card in current.exposed else DOWN for card in cards
    ]
    return [*lying, *[NONE] * (places - len(cards))]


def own_places(current: Round, box: Box) -> list[Place]:
    """A player's cards, which only that player sees before the showdown."""
    empty = current.game.player_cards - len(box.cards)
    lying: list[Place] = [DOWN if card is None else card for card in box.cards]
    return [*lying, *[NONE] * empty]


def own_faces(current: Round, box: Box) -> list[Line]:
    """The player's cards, three lines high."""
    return card_faces.tall(own_places(current, box), current.game.is_live)


def own_seats(current: Round) -> list[int]:
    """The seats of the person at the terminal."""
    return [seat for seat, box in sorted(current.boxes.items()) if box.player == YOU.id]


def own_label(current: Round, seat: int) -> Line:
    """ "YOU", with the seat when there is more than one."""
    return line(("YOU" if len(own_seats(current)) == 1 else f"YOU, SEAT {seat}", "label"))


def hand_line(current: Round, seat: int) -> Line:
    """What the player holds as far as it can be seen, in the game's own words."""
    box = current.boxes[seat]
    shown = visible_community(current)
    # A hand on named lines of the board needs all of them.
    complete = len(shown) == current.game.community_cards
    enough = len(box.cards) + len(shown) >= 5 and (complete or not current.game.layout.lines)
    if not enough or len(box.cards) < current.game.player_cards:
        return EMPTY
    said = in_words(current, require_seen(box.cards), shown)
    return line((said, "strong"), " (folded)" if box.folded_at else "")


def in_words(current: Round, cards: Sequence[Card], community: Sequence[Card]) -> str:
    """A hand with its ranks; as it is announced, in a game that says no more."""
    seen = DealtHand(
        cards=cards,
        dealer=cards,  # compared with itself: nobody asks for what lies face down
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
        stake = box.stakes.get(wager.name, 0)
        text = f"● {wager.title} {chips(stake)}" if stake else f"○ {wager.title}"
        link = " = " if wager.role == "matching" else "   "
        spots.append((link, line((text, "chips" if stake else "empty"))))
    return filled(spots, width)


def filled(parts: Iterable[tuple[str, Line]], width: int) -> list[Line]:
    """Parts one after the other, each behind its link, as many to a row as fit."""
    rows: list[Line] = []
    for link, part in parts:
        if rows and width_of(rows[-1]) + len(link) + width_of(part) <= width:
            rows[-1] = (*rows[-1], (link, ""), *part)
        else:
            rows.append(part)
    return rows


def other_boxes(current: Round, seat: int, width: int) -> list[Line]:
    """The other seats in few words; the cards of one's own boxes may be seen."""
    rows: list[Line] = []
    bets = [wager.name for wager in current.game.wagers if wager.role == "decision"]
    for number, box in sorted(current.boxes.items()):
        if number == seat:
            continue
        at_risk = chips(sum(box.stakes.get(name, 0) for name in bets))
        state = "folded" if box.folded_at else (at_risk if at_risk != "$0" else "")
        own = box.player == YOU.id
        turned_up = bool(box.cards) and current.exposed.issuperset(box.cards)
        cards = card_faces.flat(own_places(current, box)) if own or turned_up else EMPTY
        name = f"{number} {name_of(box.player)}" if not own else f"{number} you"
        text = line((clip(name, 10).ljust(11), "label"), *cards, "  " if cards else "", state)
        if width_of(text) > width:
            text = line((clip(name, 10).ljust(11), "label"), state)
        rows.append(text)
    return rows


def meter_lines(meters: Mapping[str, Fraction], width: int) -> list[Line]:
    """What the progressive meters show: whole cents, the fraction of one is carried."""
    shown = [
        (" · ", line(f"{name} ", (dollars(down_to_cent(value)), "meter")))
        for name, value in meters.items()
    ]
    return filled(shown, width)

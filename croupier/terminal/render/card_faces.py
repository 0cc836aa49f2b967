"""Playing cards as text, three rows high or one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from croupier.cards import NAMES, Card
from croupier.terminal.io.styled_text import Line, Span

# A place on the felt: a card face up, a card face down, or no card yet.
Place: TypeAlias = Card | Literal["down", "none"]

# Whether a card is live in its game.
LiveTest: TypeAlias = Callable[[Card], bool]

SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED_SUITS = "dh"
CARD_WIDTH = 5
DOWN: Place = "down"
NONE: Place = "none"


def face(card: Card) -> Span:
    """Rank and suit in the color of the suit: "10♥"."""
    rank, suit = NAMES[card][0], NAMES[card][1]
    style = "red" if suit in RED_SUITS else "black"
    return (("10" if rank == "T" else rank) + SYMBOLS[suit], style)


def always_live(card: Card) -> bool:
    """The live test of games in which every card is live."""
    return True


def tall_cards(places: Sequence[Place], live: LiveTest = always_live) -> list[Line]:
    """A row of cards, three lines high; dead cards are dim."""
    top: list[Span] = []
    middle: list[Span] = []
    bottom: list[Span] = []
    for place in places:
        edge = {"none": "slot", "down": "back"}.get(str(place), "edge")
        top.append(("┌───┐", edge))
        bottom.append(("└───┘", edge))
        middle += [("│", edge), _inside(place, live), ("│", edge)]
    return [tuple(top), tuple(middle), tuple(bottom)]


def _inside(place: Place, live: LiveTest) -> Span:
    match place:
        case "none":
            return ("   ", "slot")
        case "down":
            return ("░░░", "back")
    text, color = face(place)
    return (text.rjust(3), f"{color} card" if live(place) else "dead card")


def flat_cards(places: Sequence[Place], live: LiveTest = always_live) -> Line:
    """A row of cards in one line."""
    spans: list[Span] = []
    for place in places:
        match place:
            case "none":
                spans.append(("--", "slot"))
            case "down":
                spans.append(("░░", "back"))
            case _:
                spans.append(face(place) if live(place) else (face(place)[0], "dead"))
        spans.append((" ", ""))
    return tuple(spans[:-1])

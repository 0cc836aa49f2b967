"""Cards as they look on the felt: three rows high, or one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from croupier.cards import NAMES, Card, parse_card
from croupier.terminal.io.styled_text import Line, Span

# A place on the felt: a card face up, one face down, or none yet.
Place: TypeAlias = Card | Literal["down", "none"]

# Whether a card counts in its game.
Lives: TypeAlias = Callable[[Card], bool]

SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED = "dh"
CARD_WIDTH = 5
DOWN: Place = "down"
NONE: Place = "none"


def face(card: Card) -> Span:
    """Rank and suit in the colour of the suit: "10♥"."""
    rank, suit = NAMES[card][0], NAMES[card][1]
    return (("10" if rank == "T" else rank) + SYMBOLS[suit], "red" if suit in RED else "black")


def every(card: Card) -> bool:
    """Where every card counts."""
    return True


def tall(places: Sequence[Place], lives: Lives = every) -> list[Line]:
    """A row of cards, three lines high; those that count nothing are dim."""
    top: list[Span] = []
    middle: list[Span] = []
    bottom: list[Span] = []
    for place in places:
        edge = {"none": "slot", "down": "back"}.get(str(place), "edge")
        top.append(("┌───┐", edge))
        bottom.append(("└───┘", edge))
        middle += [("│", edge), _inside(place, lives), ("│", edge)]
    return [tuple(top), tuple(middle), tuple(bottom)]


def _inside(place: Place, lives: Lives) -> Span:
    match place:
        case "none":
            return ("   ", "slot")
        case "down":
            return ("░░░", "back")
    text, colour = face(place)
    return (text.rjust(3), f"{colour} card" if lives(place) else "dead card")


def flat(places: Sequence[Place], lives: Lives = every) -> Line:
    """A row of cards in one line."""
    spans: list[Span] = []
    for place in places:
        match place:
            case "none":
                spans.append(("--", "slot"))
            case "down":
                spans.append(("░░", "back"))
            case _:
                spans.append(face(place) if lives(place) else (face(place)[0], "dead"))
        spans.append((" ", ""))
    return tuple(spans[:-1])


def named(cards: Iterable[str], lives: Lives = every) -> Line:
    """Cards of an event, which carry their names, in one line."""
    return flat([parse_card(card) for card in cards], lives)

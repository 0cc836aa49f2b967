"""A card, a deck, and how they are written: "As", "Td"; nothing else.

A card is an int from 0 to 51, rank first: `rank * 4 + suit`, deuce of clubs 0, ace of spades 51.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from croupier.errors import BadCards

Card: TypeAlias = int
Face: TypeAlias = Card | None  # a card that left the deck; None while nobody has seen it

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DIAMONDS = SUITS.index("d")
HEARTS = SUITS.index("h")
DECK: tuple[Card, ...] = tuple(range(52))

NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNSEEN = "??"  # how a card is written whose face is not known
# Suits as they are drawn, filled or not, and the mark that asks for a coloured one.
_SYMBOLS = {**dict(zip(map(ord, "♣♦♥♠♧♢♡♤"), SUITS * 2, strict=True)), 0xFE0F: None}
_WRITTEN = re.compile("(?:10|[2-9TJQKA])[cdhs]", re.IGNORECASE)
_CARDS = {name: card for card, name in enumerate(NAMES)}
_FACES: dict[str, Face] = {**_CARDS, UNSEEN: None}
_NAMED: dict[Face, str] = {face: name for name, face in _FACES.items()}
_name_of, _card_of, _face_of = _NAMED.__getitem__, _CARDS.__getitem__, _FACES.__getitem__


def rank_of(card: Card) -> int:
    """0 for a deuce to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def name(card: Card) -> str:
    """Two characters: "As"."""
    return NAMES[card]


def names(cards: Iterable[Face]) -> list[str]:
    """The names of several cards, in their order; "??" for one that nobody has seen."""
    return list(map(_name_of, cards))


def card_from_name(text: str) -> Card:
    """The card of exactly this name, as a record writes it."""
    card = _CARDS.get(text)
    if card is None:
        raise BadCards(f"{text!r} is not the name of a card; expected As, Td or 9c")
    return card


def parse_card(text: str) -> Card:
    """One card; also reads "10h" and any case."""
    card = _CARDS.get(text)
    if card is None and isinstance(text, str):
        card = _CARDS.get(text[:-1].upper().replace("10", "T") + text[-1:].lower())
    if card is None:
        raise BadCards(f"{text!r} is not a card; expected rank then suit, such as As, Td or 9c")
    return card


def cards_from_names(written: Iterable[str]) -> tuple[Card, ...]:
    """Cards of a record, whose names were written by `name`."""
    return tuple(map(_card_of, written))


def faces_from_names(written: Iterable[str]) -> tuple[Face, ...]:
    """The same where some of them may be unseen."""
    return tuple(map(_face_of, written))


def require_seen(faces: Iterable[Face]) -> list[Card]:
    """The same cards where every face must be known."""
    cards = []
    for face in faces:
        if face is None:
            raise BadCards("a card lies there that nobody has seen")
        cards.append(face)
    return cards


def face_from_name(text: str) -> Face:
    """The card of exactly this name, or None for one that nobody has seen."""
    return None if text == UNSEEN else card_from_name(text)


def parse_cards(text: str | Sequence[str]) -> tuple[Card, ...]:
    """Cards as people write them, or a list of names; no card twice.

    "Kd 2d", "Kd2d", "K♦ 2♦" and "10h,9c" are all understood.
    """
    cards = tuple(parse_card(word) for word in (_words(text) if isinstance(text, str) else text))
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadCards(f"{name(twice)} is there twice; every card of a deck is there once")
    return cards


def _words(text: str) -> list[str]:
    plain = text.translate(_SYMBOLS)
    # What is left over besides separators is no card, and `parse_card` says so.
    left = _WRITTEN.sub("", plain).replace(",", " ").split()
    return [*_WRITTEN.findall(plain), *left]


def parse_deck(text: str | Sequence[str]) -> tuple[Card, ...]:
    """A whole deck, top card first."""
    deck = parse_cards(text)
    if len(deck) != 52:
        raise BadCards(f"a deck has 52 cards, got {len(deck)}")
    return deck

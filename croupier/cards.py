"""Cards and decks, and their text form: "As", "Td".

A card is an int from 0 to 51, `rank * 4 + suit`: the deuce of clubs is 0, the ace of spades 51.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from croupier.errors import BadCards

Card: TypeAlias = int
Face: TypeAlias = Card | None  # a card outside the deck; None while it is face down

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DIAMONDS = SUITS.index("d")
HEARTS = SUITS.index("h")
DECK: tuple[Card, ...] = tuple(range(52))

NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNSEEN = "??"  # the text form of a face-down card
# Suit symbols, filled and outlined, and the variation selector that asks for a colored glyph.
_SYMBOLS = {**dict(zip(map(ord, "♣♦♥♠♧♢♡♤"), SUITS * 2, strict=True)), 0xFE0F: None}
_CARD_TEXT = re.compile("(?:10|[2-9TJQKA])[cdhs]", re.IGNORECASE)
_CARDS = {name: card for card, name in enumerate(NAMES)}
_FACES: dict[str, Face] = {**_CARDS, UNSEEN: None}
_FACE_NAMES: dict[Face, str] = {face: name for name, face in _FACES.items()}
_name_of, _card_of, _face_of = _FACE_NAMES.__getitem__, _CARDS.__getitem__, _FACES.__getitem__


def rank_of(card: Card) -> int:
    """The rank of a card, from 0 for a deuce to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """The suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def name(card: Card) -> str:
    """The two-character name of a card: "As"."""
    return NAMES[card]


def names(cards: Iterable[Face]) -> list[str]:
    """The names of several cards in their order; "??" for a card that is face down."""
    return list(map(_name_of, cards))


def card_from_name(text: str) -> Card:
    """The card with exactly this name. Raises `BadCards`."""
    card = _CARDS.get(text)
    if card is None:
        raise BadCards(f"{text!r} is not the name of a card; expected As, Td or 9c")
    return card


def parse_card(text: str) -> Card:
    """Parse one card in any case; "10h" is read as "Th". Raises `BadCards`."""
    card = _CARDS.get(text)
    if card is None and isinstance(text, str):
        card = _CARDS.get(text[:-1].upper().replace("10", "T") + text[-1:].lower())
    if card is None:
        raise BadCards(f"{text!r} is not a card; expected rank then suit, for example As, Td or 9c")
    return card


def cards_from_names(names: Iterable[str]) -> tuple[Card, ...]:
    """Cards of a record by their names, which must be valid (`name`)."""
    return tuple(map(_card_of, names))


def faces_from_names(names: Iterable[str]) -> tuple[Face, ...]:
    """`cards_from_names` where cards may be face down ("??")."""
    return tuple(map(_face_of, names))


def require_seen(faces: Iterable[Face]) -> list[Card]:
    """The cards, all of which must be face up. Raises `BadCards`."""
    cards = []
    for face in faces:
        if face is None:
            raise BadCards("a card is face down")
        cards.append(face)
    return cards


def face_from_name(text: str) -> Face:
    """The card with exactly this name, or None for "??". Raises `BadCards`."""
    return None if text == UNSEEN else card_from_name(text)


def parse_cards(text: str | Sequence[str]) -> tuple[Card, ...]:
    """Parse cards from text or from a list of names. Raises `BadCards`, also for duplicates.

    "Kd 2d", "Kd2d", "K♦ 2♦" and "10h,9c" are all accepted.
    """
    cards = tuple(parse_card(word) for word in (_words(text) if isinstance(text, str) else text))
    if len(set(cards)) != len(cards):
        duplicate = next(card for card in cards if cards.count(card) > 1)
        raise BadCards(f"{name(duplicate)} appears twice; a deck has one of each card")
    return cards


def _words(text: str) -> list[str]:
    plain = text.translate(_SYMBOLS)
    # The rest, separators aside, is passed on so that `parse_card` rejects it.
    rest = _CARD_TEXT.sub("", plain).replace(",", " ").split()
    return [*_CARD_TEXT.findall(plain), *rest]


def parse_deck(text: str | Sequence[str]) -> tuple[Card, ...]:
    """Parse a deck of 52 cards, top card first. Raises `BadCards`."""
    deck = parse_cards(text)
    if len(deck) != 52:
        raise BadCards(f"a deck has 52 cards, got {len(deck)}")
    return deck

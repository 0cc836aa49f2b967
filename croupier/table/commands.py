"""What people and devices at a table may ask for. A command is refused or becomes events."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.cards import Card
from croupier.money import Cents


class Command(msgspec.Struct, frozen=True, tag_field="kind"):
    """The root of every command."""


class PlaceWagers(Command, frozen=True, tag="place_wagers"):
    """Put, change or withdraw (0) stakes on one box; the rest of the box stays as it is."""

    seat: int
    wagers: dict[str, Cents]
    player: str = ""


class NoMoreBets(Command, frozen=True, tag="no_more_bets"):
    """The dealer closes the betting; the progressive system locks."""


class DealCards(Command, frozen=True, tag="deal_cards"):
    """The next cards that leave the deck, in their order; at most to the end of the stage."""

    cards: tuple[Card, ...]


class ShowStreet(Command, frozen=True, tag="show_street"):
    """The dealer turns the community cards of the street and asks for decisions."""


class Decide(Command, frozen=True, tag="decide"):
    """A player's answer; `cents` only where any amount may be bet."""

    seat: int
    word: str
    cents: Cents | None = None


class Settle(Command, frozen=True, tag="settle"):
    """The dealer shows the hands, resolves every wager and closes the round."""


class FindCardFaceUp(Command, frozen=True, tag="find_card_face_up"):
    """The next card to leave the deck lies face up in it."""

    card: Card


class DrawInError(Command, frozen=True, tag="draw_in_error"):
    """A card was drawn too early, its face unseen."""


class FindWrongNumber(Command, frozen=True, tag="find_wrong_number"):
    """A seat ("seat 3"), the dealer or the community area has the wrong number of cards."""

    where: str


class ExposeDealerCard(Command, frozen=True, tag="expose_dealer_card"):
    """A card of the dealer's hand was seen."""


class ExposeCommunityCard(Command, frozen=True, tag="expose_community_card"):
    """A community card was seen before its time."""


class ExposePlayerCard(Command, frozen=True, tag="expose_player_card"):
    """A card of a player's hand was seen by others."""

    seat: int


class JamShuffler(Command, frozen=True, tag="jam_shuffler"):
    """The shuffler failed."""


class JamShoe(Command, frozen=True, tag="jam_shoe"):
    """The automated shoe failed."""


class SkipPlayer(Command, frozen=True, tag="skip_player"):
    """A seat was passed over in the deal."""

    seat: int


class Forfeit(Command, frozen=True, tag="forfeit"):
    """A ruling that all wagers of a box in this round are lost."""

    seat: int
    cause: Literal["abandoned", "conduct"]
    reason: str = ""


class FindWrongCount(Command, frozen=True, tag="find_wrong_count"):
    """The count of the stub does not come to a whole deck.

    Misdealt cards are all there in the wrong places and the deck stays; otherwise it is removed.
    """

    misdealt: bool = True

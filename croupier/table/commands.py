"""What people and devices at a table may ask for. A command is refused or becomes events."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from croupier.cards import Card
from croupier.errors import BadInput
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


def check_form(command: object) -> None:
    """Refuse what is no command, or has a field of a type that no rule could judge.

    What the fields say is for the table to judge: which seat, which amount, which card.
    """
    if not isinstance(command, Command):
        raise BadInput(f"{command!r} is not a command")
    for name, expected in _fields(type(command)):
        value = getattr(command, name)
        if type(value) not in expected:
            words = " or ".join(kind.__name__ for kind in expected)
            raise BadInput(f"{type(command).__name__}.{name} must be {words}, got {value!r}")


@cache
def _fields(kind: type[Command]) -> tuple[tuple[str, tuple[type, ...]], ...]:
    hints = get_type_hints(kind)
    return tuple((name, _types(hints[name])) for name in kind.__struct_fields__)


def _types(hint: Any) -> tuple[type, ...]:
    """The plain types behind an annotation: of a union each, of a Literal those of its words."""
    origin = get_origin(hint)
    if origin is Literal:
        return tuple({type(word) for word in get_args(hint)})
    if origin in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _types(part))
    return (origin or hint,)

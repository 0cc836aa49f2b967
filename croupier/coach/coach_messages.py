"""What the coach of a practice table is asked and says, as Structs of the protocol."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.money import Cents


class OptionValue(msgspec.Struct, frozen=True, kw_only=True):
    """An option with its worth for the whole round: exactly, in antes, and in rounded cents."""

    word: str
    antes: str  # a fraction
    cents: Cents
    less: Cents  # than the best option


class CoachAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """What each option is worth, the best first; not `ready` while that is worked out."""

    ready: bool
    seat: int  # 0 if nothing is asked of the player
    street: str
    options: tuple[OptionValue, ...]


class ReviewedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that was made, and what it cost against the best one."""

    seat: int
    street: str
    when: str  # the moment of the street, as it is spoken
    word: str
    options: tuple[OptionValue, ...]
    cost: Cents


class Mistakes(msgspec.Struct, frozen=True, kw_only=True):
    """A player's mistakes since the coach began to look."""

    rounds: int
    decisions: int
    mistakes: int
    cost: Cents
    net: Cents  # what was won or lost
    expected: str  # what the bets win under the best play: a fraction, in cents
    luck: Cents  # what is left of the result beside the worth of the bets and the mistakes


NOTHING = Mistakes(rounds=0, decisions=0, mistakes=0, cost=0, net=0, expected="0", luck=0)


class RoundReview(msgspec.Struct, frozen=True, kw_only=True):
    """What the last round has taught."""

    ready: bool
    round: int
    choices: tuple[ReviewedChoice, ...]
    mattered: ReviewedChoice | None  # the decision that cost most, if one did
    account: Mistakes


class PlayAgain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same deck and wagers, with other words at one seat."""

    round: int
    seat: int
    words: tuple[str, ...] = ()


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """How it would have ended; or, where a further word is needed, what may be said."""

    asks: tuple[str, ...]
    street: str
    net: Cents | None
    events: tuple[dict[str, Any], ...]

"""What may be asked about seats, and what happened to those who sat there."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event

# What may be asked for.


class SitDown(Command, frozen=True, tag="sit_down"):
    """A player takes a seat."""

    seat: int


class Leave(Command, frozen=True, tag="leave"):
    """A player without a wager on the layout leaves with all chips."""

    seat: int


class RecordWalkAway(Command, frozen=True, tag="record_walk_away"):
    """The dealer notes that a player with live wagers has left the table."""

    seat: int


class FreeSeat(Command, frozen=True, tag="free_seat"):
    """A floorperson frees the seat of a player who is gone; chips left behind are kept."""

    seat: int
    reason: str


class RuleAbandoned(Command, frozen=True, tag="rule_abandoned"):
    """A floorperson decides whether an absent player's wagers are lost, and says why."""

    player: str
    lost: bool
    reason: str


class ForfeitForConduct(Command, frozen=True, tag="forfeit_for_conduct"):
    """A floorperson finds a breach of the conduct rules: all wagers of the round are lost."""

    player: str
    conduct: str
    reason: str


class CallWager(Command, frozen=True, tag="call_wager"):
    """A spoken wager with cash; there is always a reason to refuse it."""

    seat: int
    cash: Cents


# What happened.


class SatDown(Event, frozen=True, kw_only=True, tag="sat_down"):
    """A player has a seat."""

    seat: int
    player: str


class Left(Event, frozen=True, kw_only=True, tag="left"):
    """A player without live wagers left with all chips."""

    seat: int
    player: str
    chips: Cents


class LeftDuringRound(Event, frozen=True, kw_only=True, tag="left_during_round"):
    """A player with live wagers left; no wager is lost by that alone."""

    seat: int
    player: str
    chips: Cents


class SeatFreed(Event, frozen=True, kw_only=True, tag="seat_freed"):
    """A seat is free because its player is gone; `UnclaimedHeld` follows for chips left behind."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    reason: str


class AbandonmentRuled(Event, frozen=True, kw_only=True, tag="abandonment_ruled"):
    """A floorperson's decision on an absent player's wagers; `WagersForfeited` follows if lost."""

    audience: ClassVar[Audience] = "staff"

    player: str
    lost: bool
    reason: str


class ConductRuled(Event, frozen=True, kw_only=True, tag="conduct_ruled"):
    """A floorperson's finding of a breach; `WagersForfeited` follows."""

    audience: ClassVar[Audience] = "staff"

    player: str
    conduct: str
    reason: str

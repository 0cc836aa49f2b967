"""Commands and events of seats."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event

# Commands.


class SitDown(Command, frozen=True, tag="sit_down"):
    """A player takes a seat."""

    seat: int


class Leave(Command, frozen=True, tag="leave"):
    """A player with no wager on the layout leaves with their chips."""

    seat: int


class RecordWalkAway(Command, frozen=True, tag="record_walk_away"):
    """The dealer records that a player with live wagers left the table."""

    seat: int


class FreeSeat(Command, frozen=True, tag="free_seat"):
    """A floorperson frees the seat of a player who is gone; chips left behind are held."""

    seat: int
    reason: str


class RuleAbandoned(Command, frozen=True, tag="rule_abandoned"):
    """A floorperson rules, with a reason, whether an absent player's wagers are forfeited."""

    player: str
    lost: bool
    reason: str


class ForfeitForConduct(Command, frozen=True, tag="forfeit_for_conduct"):
    """A floorperson forfeits a player's wagers in this round for a breach of the conduct rules."""

    player: str
    conduct: str
    reason: str


# Events.


class SatDown(Event, frozen=True, kw_only=True, tag="sat_down"):
    """A player took a seat."""

    seat: int
    player: str


class Left(Event, frozen=True, kw_only=True, tag="left"):
    """A player with no live wagers left with their chips."""

    seat: int
    player: str
    chips: Cents


class LeftDuringRound(Event, frozen=True, kw_only=True, tag="left_during_round"):
    """A player with live wagers left; this alone forfeits nothing."""

    seat: int
    player: str
    chips: Cents


class SeatFreed(Event, frozen=True, kw_only=True, tag="seat_freed"):
    """The seat of a player who is gone was freed; `UnclaimedHeld` follows for chips left behind."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    reason: str


class AbandonmentRuled(Event, frozen=True, kw_only=True, tag="abandonment_ruled"):
    """A floorperson ruled on an absent player's wagers; `WagersForfeited` follows if lost."""

    audience: ClassVar[Audience] = "staff"

    player: str
    lost: bool
    reason: str


class ConductRuled(Event, frozen=True, kw_only=True, tag="conduct_ruled"):
    """A floorperson found a breach of the conduct rules; `WagersForfeited` follows."""

    audience: ClassVar[Audience] = "staff"

    player: str
    conduct: str
    reason: str

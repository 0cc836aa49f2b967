"""What happened to posts, seats, the tray and the chips in front of players."""

from __future__ import annotations

from croupier.money import Cents
from croupier.table.events import MeterText
from croupier.table.life.events.base import LifeEvent
from croupier.table.life.people import Person


class PostTaken(LifeEvent, frozen=True, kw_only=True, tag="post_taken"):
    """A member of the staff serves this table from now on; a dealer relieves the one before."""


class PostLeft(LifeEvent, frozen=True, kw_only=True, tag="post_left"):
    """A member of the staff serves this table no more."""


class EquipmentAttested(LifeEvent, frozen=True, kw_only=True, tag="equipment_attested"):
    """Drop box, tip box, discard rack and places are there."""


class InventoryCounted(LifeEvent, frozen=True, kw_only=True, tag="inventory_counted"):
    """The dealer's count of the tray; it moves nothing until somebody else agrees."""

    chips: Cents


class TableOpened(LifeEvent, frozen=True, kw_only=True, tag="table_opened"):
    """Open for gaming, under this House, with these chips and meters."""

    table: str
    live: bool
    house: str  # the digest
    inventory: Cents
    counted_by: Person
    meters: dict[str, MeterText]


class TableClosed(LifeEvent, frozen=True, kw_only=True, tag="table_closed"):
    """Closed; what was counted, what the record expects, and the cash of the drop box."""

    table: str
    inventory: Cents
    expected: Cents
    counted_by: Person
    drop: Cents
    decks: tuple[str, ...]
    meters: dict[str, MeterText]


class SatDown(LifeEvent, frozen=True, kw_only=True, tag="sat_down"):
    """A player has a seat."""

    seat: int
    player: str


class BoughtIn(LifeEvent, frozen=True, kw_only=True, tag="bought_in"):
    """Cash for chips."""

    seat: int
    player: str
    cash: Cents
    chips: Cents


class ChipsAdded(LifeEvent, frozen=True, kw_only=True, tag="chips_added"):
    """A player brought chips."""

    seat: int
    player: str
    chips: Cents


class CashedOut(LifeEvent, frozen=True, kw_only=True, tag="cashed_out"):
    """A player took chips away and stays."""

    seat: int
    player: str
    chips: Cents


class Left(LifeEvent, frozen=True, kw_only=True, tag="left"):
    """A player without live wagers left with all chips."""

    seat: int
    player: str
    chips: Cents


class LeftDuringRound(LifeEvent, frozen=True, kw_only=True, tag="left_during_round"):
    """A player with live wagers left; no wager is lost by that alone."""

    seat: int
    player: str
    chips: Cents


class AbandonmentRuled(LifeEvent, frozen=True, kw_only=True, tag="abandonment_ruled"):
    """A floorperson's decision on an absent player's wagers; `WagersForfeited` follows if lost."""

    player: str
    lost: bool
    reason: str


class ConductRuled(LifeEvent, frozen=True, kw_only=True, tag="conduct_ruled"):
    """A floorperson's finding of a breach; `WagersForfeited` follows."""

    player: str
    conduct: str
    reason: str


class FillCounted(LifeEvent, frozen=True, kw_only=True, tag="fill_counted"):
    """The dealer's count of a fill; it moves nothing until somebody else agrees."""

    slip: str
    chips: Cents


class FillReceived(LifeEvent, frozen=True, kw_only=True, tag="fill_received"):
    """Chips from the cage are in the tray."""

    slip: str
    chips: Cents
    counted_by: Person


class CreditCounted(LifeEvent, frozen=True, kw_only=True, tag="credit_counted"):
    """The dealer's count of a credit; it moves nothing until somebody else agrees."""

    slip: str
    chips: Cents


class CreditSent(LifeEvent, frozen=True, kw_only=True, tag="credit_sent"):
    """Chips left the tray for the cage."""

    slip: str
    chips: Cents
    counted_by: Person


class UnclaimedHeld(LifeEvent, frozen=True, kw_only=True, tag="unclaimed_held"):
    """What came back to a player who has left is kept as a liability."""

    player: str
    amount: Cents


class UnclaimedPaid(LifeEvent, frozen=True, kw_only=True, tag="unclaimed_paid"):
    """Held money was handed over."""

    player: str
    amount: Cents

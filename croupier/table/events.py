"""What happened at a table. Events are never edited; a later event corrects.

Each has an explicit `kind` and `schema` and carries the clauses it rests on. Cards are written as
names and meters as exact decimals, so that a log is readable without Croupier.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from croupier.games import Outcome
from croupier.money import Cents, dollars

MeterText: TypeAlias = int | str  # whole cents, or an exact decimal


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The root of every event."""

    schema: int = 1
    clauses: tuple[str, ...] = ()


class RoundOpened(Event, frozen=True, kw_only=True, tag="round_opened"):
    """A new round, and the House it is played under."""

    number: int
    house: str  # the digest


class WagersPlaced(Event, frozen=True, kw_only=True, tag="wagers_placed"):
    """A box's stakes as they now are; none means that everything was withdrawn."""

    seat: int
    player: str
    stakes: dict[str, Cents]


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting_closed"):
    """ "No more bets": nothing may be placed, changed or withdrawn until chapter 11 says so."""

    seats: tuple[int, ...]


class ProgressiveLocked(Event, frozen=True, kw_only=True, tag="progressive_locked"):
    """The progressive system takes no more wagers; those accepted feed the meters."""

    accepted: int
    contributions: dict[str, MeterText]


class CardsDealt(Event, frozen=True, kw_only=True, tag="cards_dealt"):
    """Cards left the deck, each to its place; face down unless the street shows them."""

    cards: tuple[str, ...]
    places: tuple[int | str, ...]


class StreetShown(Event, frozen=True, kw_only=True, tag="street_shown"):
    """Community cards lie face up and decisions are asked for; "" after the last street."""

    street: str
    community: tuple[str, ...]


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """A player's decision, with the stake it put down."""

    seat: int
    street: str
    word: str
    wager: str = ""
    stake: Cents = 0


class HandKept(Event, frozen=True, kw_only=True, tag="hand_kept"):
    """A folded hand stays on the table because live wagers depend on it."""

    seat: int
    wagers: tuple[str, ...]


class HandDiscarded(Event, frozen=True, kw_only=True, tag="hand_discarded"):
    """A folded hand goes to the discard rack at once."""

    seat: int


class HandAnnounced(Event, frozen=True, kw_only=True, tag="hand_announced"):
    """A hand was turned up, formed and announced; seat 0 is the dealer."""

    seat: int
    hand: str
    cards: tuple[str, ...]


class BoxShown(Event, frozen=True, kw_only=True, tag="box_shown"):
    """The four cards of the Six Card Bonus box were turned up."""

    cards: tuple[str, ...]


class WagerSettled(Event, frozen=True, kw_only=True, tag="wager_settled"):
    """A stake was resolved. `withheld` is what a payout limit kept back."""

    seat: int
    wager: str
    stake: Cents
    outcome: Outcome
    returned: Cents
    pays: str = ""
    clause: str
    withheld: Cents = 0

    def __str__(self) -> str:
        words = {"win": f"wins {self.pays}", "push": "pushes", "lose": "loses", "void": "is void"}
        return (
            f"seat {self.seat} {self.wager} {words[self.outcome]}, "
            f"{dollars(self.stake)} -> {dollars(self.returned)} [{self.clause}]"
        )


class MeterPaid(Event, frozen=True, kw_only=True, tag="meter_paid"):
    """A meter paid an award and fell by it; `refill` was put back by the house."""

    seat: int
    meter: str
    paid: Cents
    refill: MeterText
    after: MeterText


class EnvyPaid(Event, frozen=True, kw_only=True, tag="envy_paid"):
    """A player was paid for another player's hand."""

    seat: int
    holder: int
    hand: str
    paid: Cents
    clause: str


class IrregularityNoted(Event, frozen=True, kw_only=True, tag="irregularity_noted"):
    """Something of chapter 13 that the round survives, or that a void follows from."""

    irregularity: str
    detail: dict[str, Any] = {}


class WagersForfeited(Event, frozen=True, kw_only=True, tag="wagers_forfeited"):
    """A ruling took a box out of the round; its wagers lose unless the round is voided."""

    seat: int
    cause: str
    reason: str
    clause: str


class PlayerSatOut(Event, frozen=True, kw_only=True, tag="player_sat_out"):
    """A skipped player's wagers are void and the seat waits for the next round."""

    seat: int
    contributions: dict[str, MeterText]


class RoundVoided(Event, frozen=True, kw_only=True, tag="round_voided"):
    """All hands are void; wagers go back except a saved one, meters to where they were."""

    irregularity: str
    clause: str
    saved: str = ""  # the wager that is settled all the same
    meters: dict[str, MeterText]


class RoundClosed(Event, frozen=True, kw_only=True, tag="round_closed"):
    """Every stake is resolved; the cards are in the discard rack, in the order given."""

    discards: tuple[str, ...]
    stub: int


AnyEvent: TypeAlias = (
    RoundOpened
    | WagersPlaced
    | BettingClosed
    | ProgressiveLocked
    | CardsDealt
    | StreetShown
    | Decided
    | HandKept
    | HandDiscarded
    | HandAnnounced
    | BoxShown
    | WagerSettled
    | MeterPaid
    | EnvyPaid
    | IrregularityNoted
    | WagersForfeited
    | PlayerSatOut
    | RoundVoided
    | RoundClosed
)

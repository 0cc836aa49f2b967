"""Commands and events of a round, from the first wager to the last settlement."""

from __future__ import annotations

from typing import Literal

from croupier.games import Outcome, Slot
from croupier.money import Cents
from croupier.table.core.messages import Command, Event, MeterText

# Commands.


class PlaceWagers(Command, frozen=True, tag="place_wagers"):
    """Place, change or withdraw (0) wagers on one box; its other wagers stay as they are."""

    seat: int
    wagers: dict[str, Cents]
    player: str = ""


class NoMoreBets(Command, frozen=True, tag="no_more_bets"):
    """The dealer closes betting and the progressive system locks."""


class DealCards(Command, frozen=True, tag="deal_cards"):
    """The dealer deals the next cards in order, up to the end of the stage.

    "??" is a card dealt face down and unread; it gets its face when it is read or turned up.
    """

    cards: tuple[str, ...]


class ReadCards(Command, frozen=True, tag="read_cards"):
    """Record the faces of cards that were dealt unread; they stay face down."""

    place: Slot
    cards: tuple[str, ...]


class CorrectReading(Command, frozen=True, tag="correct_reading"):
    """Correct a misread card."""

    place: Slot
    position: int  # from 0, in the order the cards were dealt to the place
    card: str
    reason: str = ""


class ShowStreet(Command, frozen=True, tag="show_street"):
    """The dealer turns up the community cards of the street and asks for decisions.

    `cards` are the cards just turned up, in layout order, if they had not been read.
    """

    cards: tuple[str, ...] = ()


class Decide(Command, frozen=True, tag="decide"):
    """A player's decision; `cents` only if the game allows any amount in a range."""

    seat: int
    word: str
    cents: Cents | None = None


class Showdown(Command, frozen=True, tag="showdown"):
    """The dealer turns up and announces all hands, where they are not settled one by one."""


class TurnHand(Command, frozen=True, tag="turn_hand"):
    """The dealer turns up the next hand in order; its wagers are settled next.

    A place is a seat, the dealer, the box or the community. `cards` are required if the cards
    have not been read.
    """

    place: Slot
    cards: tuple[str, ...] = ()


class SettleSeat(Command, frozen=True, tag="settle_seat"):
    """The dealer settles the wagers of the next seat, or pays what was delayed there."""

    seat: int


class Settle(Command, frozen=True, tag="settle"):
    """The dealer settles every wager that is left, hand by hand, and closes the round."""


class FindCardFaceUp(Command, frozen=True, tag="find_card_face_up"):
    """The next card in the deck is face up."""

    card: str
    reason: str = ""


class DrawInError(Command, frozen=True, tag="draw_in_error"):
    """A card was drawn too early, and its face was not seen."""

    reason: str = ""


class FindWrongNumber(Command, frozen=True, tag="find_wrong_number"):
    """A seat ("seat 3"), the dealer or the community area has the wrong number of cards."""

    where: str
    reason: str = ""


class ExposeDealerCard(Command, frozen=True, tag="expose_dealer_card"):
    """A card of the dealer's hand was exposed."""

    reason: str = ""


class ExposeCommunityCard(Command, frozen=True, tag="expose_community_card"):
    """A community card was exposed too early."""

    reason: str = ""


class ExposePlayerCard(Command, frozen=True, tag="expose_player_card"):
    """A card of a player's hand was exposed to others."""

    seat: int
    reason: str = ""


class JamShuffler(Command, frozen=True, tag="jam_shuffler"):
    """The shuffler jammed during a shuffle; wagers waiting for that deck are returned."""

    reason: str = ""


class JamShoe(Command, frozen=True, tag="jam_shoe"):
    """The automated shoe jammed."""

    reason: str = ""


class SkipPlayer(Command, frozen=True, tag="skip_player"):
    """A seat was skipped in the deal."""

    seat: int
    reason: str = ""


class Forfeit(Command, frozen=True, tag="forfeit"):
    """All wagers of a box in this round are forfeited by a ruling."""

    seat: int
    cause: Literal["abandoned", "conduct"]
    reason: str = ""


class FindWrongCount(Command, frozen=True, tag="find_wrong_count"):
    """The stub count does not make a complete deck.

    If the cards were misdealt, all 52 are on the table and the deck stays; otherwise it is removed.
    `found` is the evidence: the number of cards at every place.
    """

    misdealt: bool = True
    found: dict[str, int] = {}
    reason: str = ""


# Events.


class RoundOpened(Event, frozen=True, kw_only=True, tag="round_opened"):
    """A new round opened, under the House with this digest."""

    number: int
    house: str  # the digest


class WagersPlaced(Event, frozen=True, kw_only=True, tag="wagers_placed"):
    """The wagers now on a box; empty if all of them were withdrawn."""

    seat: int
    player: str
    stakes: dict[str, Cents]


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting_closed"):
    """ "No more bets": wagers can no longer be placed, changed or withdrawn."""

    seats: tuple[int, ...]


class ProgressiveLocked(Event, frozen=True, kw_only=True, tag="progressive_locked"):
    """The progressive system locked; accepted wagers contribute to the meters."""

    accepted: int
    contributions: dict[str, MeterText]


class CardsDealt(Event, frozen=True, kw_only=True, tag="cards_dealt"):
    """Cards were dealt to their places, face down until they are shown."""

    cards: tuple[str, ...]
    places: tuple[Slot, ...]


class CardsRead(Event, frozen=True, kw_only=True, tag="cards_read"):
    """The faces of cards dealt unread were recorded; the cards stay face down."""

    place: Slot
    cards: tuple[str, ...]


class ReadingCorrected(Event, frozen=True, kw_only=True, tag="reading_corrected"):
    """A misread card was corrected; both readings stay on record."""

    place: Slot
    position: int
    was: str
    card: str
    face_up: bool
    reason: str


class StreetShown(Event, frozen=True, kw_only=True, tag="street_shown"):
    """Community cards are face up and decisions are open; `street` is "" after the last one."""

    street: str
    community: tuple[str, ...]


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """A player decided; `wager` and `stake` are the bet made, if any."""

    seat: int
    street: str
    word: str
    wager: str = ""
    stake: Cents = 0


class WagersCollected(Event, frozen=True, kw_only=True, tag="wagers_collected"):
    """The dealer collected the wagers that a fold loses; their chips are in the tray."""

    seat: int
    wagers: dict[str, Cents]
    clause: str


class HandKept(Event, frozen=True, kw_only=True, tag="hand_kept"):
    """A folded hand stays on the table because a live wager depends on it."""

    seat: int
    wagers: tuple[str, ...]


class HandDiscarded(Event, frozen=True, kw_only=True, tag="hand_discarded"):
    """A folded hand went to the discard rack."""

    seat: int


class HandAnnounced(Event, frozen=True, kw_only=True, tag="hand_announced"):
    """A hand was turned up and announced; seat 0 is the dealer."""

    seat: int
    hand: str
    cards: tuple[str, ...]


class BoxShown(Event, frozen=True, kw_only=True, tag="box_shown"):
    """The four cards of the Six Card Bonus box were turned up."""

    cards: tuple[str, ...]


class CardsTurned(Event, frozen=True, kw_only=True, tag="cards_turned"):
    """Cards were turned up without an announcement because a live wager depends on them."""

    cards: tuple[str, ...]
    places: tuple[Slot, ...]


class HandsShown(Event, frozen=True, kw_only=True, tag="hands_shown"):
    """All cards needed for settlement are face up."""


class WagerSettled(Event, frozen=True, kw_only=True, tag="wager_settled"):
    """A wager was settled; `withheld` is the amount cut off by a payout limit."""

    seat: int
    wager: str
    stake: Cents
    outcome: Outcome
    returned: Cents
    pays: str = ""
    clause: str
    withheld: Cents = 0

    @property
    def result(self) -> str:
        """The outcome in words: "wins 3 to 2", "pushes"."""
        words = {"win": f"wins {self.pays}", "push": "pushes", "lose": "loses", "void": "is void"}
        return words[self.outcome].rstrip()


class PaymentDelayed(Event, frozen=True, kw_only=True, tag="payment_delayed"):
    """The amount of a payment is fixed; it is paid once it is validated and documented.

    `wager` is `envy_H` for an envy bonus for the hand of seat H (`holder`).
    """

    seat: int
    wager: str
    stake: Cents
    returned: Cents
    clause: str
    pays: str = ""
    withheld: Cents = 0
    meter: str = ""  # of a progressive award
    holder: int = 0


class MeterPaid(Event, frozen=True, kw_only=True, tag="meter_paid"):
    """A meter paid an award; `refill` is the amount the house put back."""

    seat: int
    meter: str
    paid: Cents
    refill: MeterText
    after: MeterText


class EnvyPaid(Event, frozen=True, kw_only=True, tag="envy_paid"):
    """A player was paid an envy bonus for another player's hand."""

    seat: int
    holder: int
    hand: str
    paid: Cents
    clause: str


def envy_name(holder: int) -> str:
    """The name of the envy bonus for a seat's hand, on payout documents and delayed payments."""
    return f"envy_{holder}"


class IrregularityNoted(Event, frozen=True, kw_only=True, tag="irregularity_noted"):
    """An irregularity (chapter 13) was recorded."""

    irregularity: str
    detail: dict[str, int | str] = {}


class WagersForfeited(Event, frozen=True, kw_only=True, tag="wagers_forfeited"):
    """A box was forfeited by a ruling; its wagers lose unless the round is voided."""

    seat: int
    cause: str
    reason: str
    clause: str


class PlayerSatOut(Event, frozen=True, kw_only=True, tag="player_sat_out"):
    """A skipped player sits out this round; the wagers are void."""

    seat: int
    contributions: dict[str, MeterText]


class RoundVoided(Event, frozen=True, kw_only=True, tag="round_voided"):
    """All hands are void: wagers are returned, except a saved one, and the meters are restored."""

    irregularity: str
    clause: str
    saved: str = ""  # the wager that is settled although the round is void
    meters: dict[str, MeterText]


class RoundClosed(Event, frozen=True, kw_only=True, tag="round_closed"):
    """Every wager is settled and the cards are in the discard rack, in this order."""

    discards: tuple[str, ...]
    stub: int

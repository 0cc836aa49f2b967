"""The commands and events of a round, from the first wager to the last settlement."""

from __future__ import annotations

from typing import Literal

from croupier.games import Outcome, Slot
from croupier.money import Cents, dollars
from croupier.table.core.messages import Command, Event, MeterText

# What may be asked for.


class PlaceWagers(Command, frozen=True, tag="place_wagers"):
    """Put, change or withdraw (0) stakes on one box; the rest of the box stays as it is."""

    seat: int
    wagers: dict[str, Cents]
    player: str = ""


class NoMoreBets(Command, frozen=True, tag="no_more_bets"):
    """The dealer closes the betting; the progressive system locks."""


class DealCards(Command, frozen=True, tag="deal_cards"):
    """The next cards that leave the deck, in their order; at most to the end of the stage.

    "??" is a card that nobody has seen: it gets its face when it is read or turned up.
    """

    cards: tuple[str, ...]


class ReadCards(Command, frozen=True, tag="read_cards"):
    """The cards at a place, dealt unseen, were read; they lie as they lay."""

    place: Slot
    cards: tuple[str, ...]


class CorrectReading(Command, frozen=True, tag="correct_reading"):
    """A card was misread: the one at this position of its place is another one."""

    place: Slot
    position: int  # from 0, as the cards came there
    card: str
    reason: str = ""


class ShowStreet(Command, frozen=True, tag="show_street"):
    """The dealer turns the community cards of the street and asks for decisions.

    `cards` are those just turned, in the order they are listed, where nobody had seen them.
    """

    cards: tuple[str, ...] = ()


class Decide(Command, frozen=True, tag="decide"):
    """A player's answer; `cents` only where any amount may be bet."""

    seat: int
    word: str
    cents: Cents | None = None


class Showdown(Command, frozen=True, tag="showdown"):
    """The dealer turns the hands up and announces them; they lie there unpaid."""


class TurnHand(Command, frozen=True, tag="turn_hand"):
    """The dealer turns the cards of one place up, the next in order; they lie there unpaid.

    A place is a seat, the dealer, the box or the community. `cards` are told where nobody had
    seen them.
    """

    place: Slot
    cards: tuple[str, ...] = ()


class SettleSeat(Command, frozen=True, tag="settle_seat"):
    """The dealer resolves the wagers of the seat whose turn it is."""

    seat: int


class Settle(Command, frozen=True, tag="settle"):
    """The dealer resolves every wager and closes the round; hands not shown yet are shown first."""


class FindCardFaceUp(Command, frozen=True, tag="find_card_face_up"):
    """The next card to leave the deck lies face up in it."""

    card: str
    reason: str = ""


class DrawInError(Command, frozen=True, tag="draw_in_error"):
    """A card was drawn too early, its face unseen."""

    reason: str = ""


class FindWrongNumber(Command, frozen=True, tag="find_wrong_number"):
    """A seat ("seat 3"), the dealer or the community area has the wrong number of cards."""

    where: str
    reason: str = ""


class ExposeDealerCard(Command, frozen=True, tag="expose_dealer_card"):
    """A card of the dealer's hand was seen."""

    reason: str = ""


class ExposeCommunityCard(Command, frozen=True, tag="expose_community_card"):
    """A community card was seen before its time."""

    reason: str = ""


class ExposePlayerCard(Command, frozen=True, tag="expose_player_card"):
    """A card of a player's hand was seen by others."""

    seat: int
    reason: str = ""


class JamShuffler(Command, frozen=True, tag="jam_shuffler"):
    """The shuffler failed while it shuffled; wagers that lie there for the next deal go back."""

    reason: str = ""


class JamShoe(Command, frozen=True, tag="jam_shoe"):
    """The automated shoe failed."""

    reason: str = ""


class SkipPlayer(Command, frozen=True, tag="skip_player"):
    """A seat was passed over in the deal."""

    seat: int
    reason: str = ""


class Forfeit(Command, frozen=True, tag="forfeit"):
    """A ruling that all wagers of a box in this round are lost."""

    seat: int
    cause: Literal["abandoned", "conduct"]
    reason: str = ""


class FindWrongCount(Command, frozen=True, tag="find_wrong_count"):
    """The count of the stub does not come to a whole deck.

    Misdealt cards are all there in the wrong places and the deck stays; otherwise it is removed.
    `found` is the evidence: how many cards lie at every place.
    """

    misdealt: bool = True
    found: dict[str, int] = {}
    reason: str = ""


# What happened.


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
    places: tuple[Slot, ...]


class CardsRead(Event, frozen=True, kw_only=True, tag="cards_read"):
    """Cards that were dealt unseen have faces on record; nobody else sees them."""

    place: Slot
    cards: tuple[str, ...]


class ReadingCorrected(Event, frozen=True, kw_only=True, tag="reading_corrected"):
    """A card is another one than was read, both on record; `face_up` if everybody sees it."""

    place: Slot
    position: int
    was: str
    card: str
    face_up: bool
    reason: str


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


class CardsTurned(Event, frozen=True, kw_only=True, tag="cards_turned"):
    """Cards that nobody announces were turned up, because a wager is judged on them."""

    cards: tuple[str, ...]
    places: tuple[Slot, ...]


class HandsShown(Event, frozen=True, kw_only=True, tag="hands_shown"):
    """Everything that settlement looks at lies face up."""


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
    detail: dict[str, int | str] = {}


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

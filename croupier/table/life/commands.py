"""What people may ask of the table around the game; the round has its own commands.

Who acts and when are not in a command: `LiveTable.decide(command, by, at)` is told.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.money import Cents
from croupier.table.commands import Command

DeckStep: TypeAlias = Literal["inspect", "verify", "spread", "offer", "turn", "wash", "stack"]
ShuffleMethod: TypeAlias = Literal["manual", "machine"]
Device: TypeAlias = Literal["shuffler", "shoe", "progressive"]
Mark: TypeAlias = Literal["covered", "signed"]


class TakePost(Command, frozen=True, tag="take_post"):
    """A dealer, floorperson or pit manager begins to serve this table."""


class LeavePost(Command, frozen=True, tag="leave_post"):
    """A member of the staff stops serving this table."""


class AttestEquipment(Command, frozen=True, tag="attest_equipment"):
    """The boxes, the rack and the places are as the document wants them."""


class CountInventory(Command, frozen=True, tag="count_inventory"):
    """The dealer counts the chips of the tray, before the opening or for the closing."""

    chips: Cents


class OpenTable(Command, frozen=True, tag="open_table"):
    """A floorperson agrees with the count and opens the table for gaming."""


class CloseTable(Command, frozen=True, tag="close_table"):
    """A floorperson agrees with the count and closes the table."""


class ReceiveDeck(Command, frozen=True, kw_only=True, tag="receive_deck"):
    """A deck comes to the table; `prepared` is one delivered preinspected and preshuffled."""

    deck: str
    back: str
    design: str
    cover_cards: int
    identical: bool = True
    prepared: bool = False


class PrepareDeck(Command, frozen=True, tag="prepare_deck"):
    """One step of chapter 4: inspect, verify, spread, offer to a player, turn, wash, stack."""

    deck: str
    step: DeckStep


class Shuffle(Command, frozen=True, tag="shuffle"):
    """A deck was shuffled and stacked; `count` is what a counting device found."""

    deck: str
    method: ShuffleMethod
    count: int | None = None


class CutDeck(Command, frozen=True, tag="cut_deck"):
    """The cover card goes in below `depth` cards, and these go to the bottom."""

    deck: str
    depth: int


class LoadDeck(Command, frozen=True, tag="load_deck"):
    """The stack goes into the shoe, or into the dealer's `hand` for the whole round."""

    deck: str
    hand: Literal["", "left", "right"] = ""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """A floorperson wants the cards shuffled again before a card is dealt."""

    reason: str


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """A floorperson found the cut improper; no card has been dealt."""

    reason: str


class SpreadIdle(Command, frozen=True, tag="spread_idle"):
    """Nobody plays: the cards are spread, face up only if a player asks."""

    face_up: bool = False


class PullDeck(Command, frozen=True, tag="pull_deck"):
    """The dealer takes a deck out of use."""

    deck: str
    reason: str


class SignRemoval(Command, frozen=True, tag="sign_removal"):
    """A second person signs the label of a pulled deck, and it leaves the table."""

    deck: str


class ReportFault(Command, frozen=True, tag="report_fault"):
    """A device does not work, outside the deal of a round."""

    device: Device


class MarkDevice(Command, frozen=True, tag="mark_device"):
    """A failed device is covered, or gets an out-of-order sign."""

    device: Device
    how: Mark


class ClearDevice(Command, frozen=True, tag="clear_device"):
    """A floorperson finds that a device works again."""

    device: Device


class SwitchDealing(Command, frozen=True, tag="switch_dealing"):
    """Another dealing method while a device is marked, or the submitted one again."""

    method: Literal["manual_shoe", "hand", "automated_shoe"]


class DiscardStub(Command, frozen=True, tag="discard_stub"):
    """The cards left over go to the rack unseen."""


class CountStub(Command, frozen=True, tag="count_stub"):
    """The cards left over were counted face down."""

    cards: int


class SitDown(Command, frozen=True, tag="sit_down"):
    """A player takes a seat."""

    seat: int


class BuyIn(Command, frozen=True, tag="buy_in"):
    """Cash goes into the drop box and its worth in chips to the player."""

    seat: int
    cash: Cents


class AddChips(Command, frozen=True, tag="add_chips"):
    """A player puts chips from elsewhere on the table."""

    seat: int
    chips: Cents


class CashOut(Command, frozen=True, tag="cash_out"):
    """A player takes chips off the table and keeps the seat."""

    seat: int
    chips: Cents


class Leave(Command, frozen=True, tag="leave"):
    """A player without a wager on the layout leaves with all chips."""

    seat: int


class RecordWalkAway(Command, frozen=True, tag="record_walk_away"):
    """The dealer notes that a player with live wagers has left the table."""

    seat: int


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


class CountFill(Command, frozen=True, tag="count_fill"):
    """The dealer counts chips brought from the cage under a slip."""

    slip: str
    chips: Cents


class ConfirmFill(Command, frozen=True, tag="confirm_fill"):
    """A floorperson agrees with the count, and the chips go into the tray."""

    slip: str


class CountCredit(Command, frozen=True, tag="count_credit"):
    """The dealer counts out chips that go back to the cage under a slip."""

    slip: str
    chips: Cents


class ConfirmCredit(Command, frozen=True, tag="confirm_credit"):
    """A floorperson agrees with the count, and the chips leave the table."""

    slip: str


class PayUnclaimed(Command, frozen=True, tag="pay_unclaimed"):
    """A floorperson hands over what was held for a player who had left."""

    player: str


class GiveLimitNotice(Command, frozen=True, kw_only=True, tag="give_limit_notice"):
    """New limits of a wager are put on a sign and announced."""

    wager: str
    minimum: Cents
    maximum: Cents | None


class ApplyLimits(Command, frozen=True, tag="apply_limits"):
    """Noticed limits take effect."""

    wager: str


class CountProgressive(Command, frozen=True, tag="count_progressive"):
    """The dealer collects the progressive wagers and counts their chips."""

    chips: int


class ResolveProgressive(Command, frozen=True, tag="resolve_progressive"):
    """A floorperson settles a difference between chips and accepted wagers."""

    reason: str


class VerifyAward(Command, frozen=True, tag="verify_award"):
    """The dealer checks the hand behind a meter award, and the light of the system."""

    seat: int
    light: bool


class ValidateAward(Command, frozen=True, tag="validate_award"):
    """A floorperson validates a meter award; a reason is needed if the light was off."""

    seat: int
    reason: str = ""


class ChangeProgressive(Command, frozen=True, tag="change_progressive"):
    """Another rate or reset amount; never while the table lives under its submission."""

    meter: str


class PreparePayout(Command, frozen=True, tag="prepare_payout"):
    """A two-part payout document for one wager that is about to be paid."""

    seat: int
    wager: str


class WitnessPayout(Command, frozen=True, tag="witness_payout"):
    """A second person signs a payout document."""

    serial: int


class NotifySurveillance(Command, frozen=True, tag="notify_surveillance"):
    """Surveillance is told of a payout, and whether a photograph was taken."""

    serial: int
    photo: bool


class VoidPayout(Command, frozen=True, tag="void_payout"):
    """A payout document is voided before anything was paid on it."""

    serial: int
    reason: str


class NoteConduct(Command, frozen=True, tag="note_conduct"):
    """What somebody saw of a duty that software cannot see."""

    duty: str
    about: str
    text: str


class PlaceHold(Command, frozen=True, tag="place_hold"):
    """Surveillance keeps the record of a round for a dispute."""

    reason: str

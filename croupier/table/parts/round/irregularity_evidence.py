"""Evidence checks of declared irregularities at an attended table.

An impossible irregularity is refused. One that contradicts the table's record, or voids an award
or payout that is already verified or documented, needs a floorperson and a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from croupier.cards import Face
from croupier.errors import Refusal
from croupier.games import COMMUNITY, DEALER
from croupier.table.core.messages import Command
from croupier.table.core.part import ATTENDED, Part
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.payouts import round_documents
from croupier.table.parts.round import irregularities
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.state import Round
from croupier.table.parts.staffing import check_did_not_deal
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

Standing: TypeAlias = Literal["consistent", "contradicts", "impossible"]


class EvidenceFinding(msgspec.Struct, frozen=True):
    """How a declaration compares with the record, and why."""

    standing: Standing
    why: str = ""


CONSISTENT = EvidenceFinding("consistent")
STUB_AWAY = "the stub is in the discard rack"
IN_DEVICE = "the dealer's cards are still in the shuffler"
TRIAL = Account("trial", "system")  # the outcome of an irregularity does not depend on the account
EvidenceCheck: TypeAlias = Callable[["Table", Round, Any], EvidenceFinding]


def impossible(why: str) -> EvidenceFinding:
    """The declared irregularity cannot have happened."""
    return EvidenceFinding("impossible", why)


def contradicts(why: str) -> EvidenceFinding:
    """The record says otherwise; a floorperson may override it."""
    return EvidenceFinding("contradicts", why)


def wrong_number(table: Table, current: Round, command: msg.FindWrongNumber) -> EvidenceFinding:
    """Impossible before the first card; contradicts the record once the place is dealt."""
    if not current.left_deck:
        return impossible("no card has left the deck")
    word, _, number = command.where.partition(" ")
    place = int(number) if word == "seat" and number.isdecimal() else command.where
    if place in current.pending:  # the dealer is dealing to it
        return CONSISTENT
    if place == DEALER and current.dealer_waits:
        return impossible(IN_DEVICE)
    cards = cards_dealt_to(current, place)
    if cards is None:
        return CONSISTENT
    return contradicts(f"the record has {counted(cards, 'card')} at {command.where}")


def cards_dealt_to(current: Round, place: int | str) -> int | None:
    """The number of cards dealt to a place; None if this round does not deal to it."""
    if place == DEALER:
        return len(current.dealer)
    if place == COMMUNITY:
        return len(current.community)
    box = current.boxes.get(place) if isinstance(place, int) else None
    return None if box is None else len(box.cards)


def skipped(table: Table, current: Round, command: msg.SkipPlayer) -> EvidenceFinding:
    """Impossible before the first card and at the showdown; a complete hand contradicts it."""
    if current.game.skipped_player_sits_out:
        return CONSISTENT  # the rule itself refuses it after the hands are dealt
    if not current.left_deck:
        return impossible("no card has left the deck")
    if current.due().kind == "settle":
        return impossible("every hand was dealt and played")
    box = current.boxes.get(command.seat)
    if box is None or len(box.cards) < current.game.player_cards:
        return CONSISTENT
    return contradicts(f"the record has {len(box.cards)} cards at seat {command.seat}")


def shoe_jam(table: Table, current: Round, command: msg.JamShoe) -> EvidenceFinding:
    """Impossible once all cards are out: the stub, and the dealer's cards if they wait (A106)."""
    if current.dealer_waits:
        return CONSISTENT
    if current.hands_complete and current.game.procedure.board_by_hand(table.house):
        return impossible("the hands are dealt and the other cards are out of the shoe")
    return impossible(STUB_AWAY) if table.decks.stub == "done" else CONSISTENT


def shuffler_jam(table: Table, current: Round, command: msg.JamShuffler) -> EvidenceFinding:
    """With one deck, impossible once all its cards are out; the dealer's may wait (A106)."""
    away = table.decks.stub == "done" and table.house.decks == 1 and not current.dealer_waits
    return impossible(STUB_AWAY) if away else CONSISTENT


def drawn(table: Table, current: Round, command: msg.DrawInError) -> EvidenceFinding:
    """Impossible once the stub is in the discard rack."""
    return impossible(STUB_AWAY) if table.decks.stub == "done" else CONSISTENT


def dealer_exposed(table: Table, current: Round, command: msg.ExposeDealerCard) -> EvidenceFinding:
    """Possible only while the hand has a card face down on the table."""
    if not current.game.dealer_cards:
        return CONSISTENT  # the rule itself refuses it
    if current.dealer_waits:
        return impossible(IN_DEVICE)
    return check_face_down(current, current.dealer, "the dealer's hand")


def community_exposed(
    table: Table, current: Round, command: msg.ExposeCommunityCard
) -> EvidenceFinding:
    """Possible only while a community card is face down."""
    if not current.game.community_cards:
        return CONSISTENT
    return check_face_down(current, current.community, "the community area")


def player_exposed(table: Table, current: Round, command: msg.ExposePlayerCard) -> EvidenceFinding:
    """Possible only while the hand has a card face down."""
    box = current.boxes.get(command.seat)
    return (
        CONSISTENT if box is None else check_face_down(current, box.cards, f"seat {command.seat}")
    )


def check_face_down(current: Round, cards: Sequence[Face], where: str) -> EvidenceFinding:
    """Impossible if all these cards are face up."""
    if all(card in current.exposed for card in cards):
        return impossible(f"{where} has no card face down")
    return CONSISTENT


def no_evidence_needed(table: Table, current: Round, command: Command) -> EvidenceFinding:
    """For irregularities whose own rule checks everything."""
    return CONSISTENT


EVIDENCE_CHECKS: dict[type[Command], EvidenceCheck] = {
    msg.FindCardFaceUp: no_evidence_needed,
    msg.DrawInError: drawn,
    msg.FindWrongNumber: wrong_number,
    msg.ExposeDealerCard: dealer_exposed,
    msg.ExposeCommunityCard: community_exposed,
    msg.ExposePlayerCard: player_exposed,
    msg.JamShuffler: shuffler_jam,
    msg.JamShoe: shoe_jam,
    msg.SkipPlayer: skipped,
    msg.FindWrongCount: no_evidence_needed,
}


def assess(table: Table, command: Command) -> EvidenceFinding:
    """Compare a declaration with the record of the table."""
    current = table.dealing
    if current is None:
        return CONSISTENT  # wagers are still being placed, or the round's rule refuses
    finding = EVIDENCE_CHECKS[type(command)](table, current, command)
    if finding.standing == "consistent" and has_paperwork(table) and would_void(table, command):
        return contradicts("an award is verified or a payout is documented")
    return finding


def may_declare(table: Table, command: Command) -> bool:
    """Whether an irregularity can be declared now, if only by a floorperson."""
    possible = assess(table, command).standing != "impossible"
    return possible and trial_events(table, command) is not None


def has_paperwork(table: Table) -> bool:
    """Whether an award of the round is verified or a payout documented."""
    return bool(table.progressive.awards or round_documents(table))


def would_void(table: Table, command: Command) -> bool:
    """Whether the command would void the round; False if its rule refuses it."""
    events = trial_events(table, command) or ()
    return any(isinstance(event, msg.RoundVoided) for event in events)


def trial_events(table: Table, command: Command) -> Sequence[object] | None:
    """The events of a declaration; None if its rule refuses it."""
    try:
        return DECIDE[type(command)](table, command, TRIAL, 0)
    except Refusal:
        return None


DECIDE: dict[type[Command], Callable[..., Sequence[object]]] = {
    msg.FindCardFaceUp: irregularities.find_card_face_up,
    msg.DrawInError: irregularities.draw_in_error,
    msg.FindWrongNumber: irregularities.find_wrong_number,
    msg.ExposeDealerCard: irregularities.expose_dealer_card,
    msg.ExposeCommunityCard: irregularities.expose_community_card,
    msg.ExposePlayerCard: irregularities.expose_player_card,
    msg.JamShuffler: irregularities.jam_shuffler,
    msg.JamShoe: irregularities.jam_shoe,
    msg.SkipPlayer: irregularities.skip_player,
    msg.FindWrongCount: irregularities.find_wrong_count,
}
DUTIES: dict[type[Command], str] = {
    msg.FindCardFaceUp: "face_up.void",
    msg.DrawInError: "drawn_in_error",
    msg.ExposeDealerCard: "dealer_exposed",
    msg.ExposeCommunityCard: "community_exposed",
    msg.ExposePlayerCard: "player_exposed",
    msg.JamShuffler: "shuffler_jam",
    msg.JamShoe: "shoe_jam",
    msg.SkipPlayer: "player_skipped",
    msg.FindWrongCount: "stub.wrong",
}


def before_declaration(table: Table, command: Any, by: Account, at: int) -> tuple[str, ...]:
    """Refuse the impossible, and contradictions without a floorperson and a reason."""
    finding = assess(table, command)
    duty = DUTIES.get(type(command), "wrong_number")
    if finding.standing == "impossible":
        raise table.refusal(f"impossible: {finding.why}", duty)
    if finding.standing == "contradicts" and (by.role not in FLOOR or not command.reason.strip()):
        raise table.refusal(
            f"{finding.why}; only a floorperson may override this, with a reason", duty
        )
    if finding.standing == "contradicts":
        check_did_not_deal(table, by)
    return ()


PART = Part(
    subject="Round", services=ATTENDED, before=dict.fromkeys(EVIDENCE_CHECKS, before_declaration)
)

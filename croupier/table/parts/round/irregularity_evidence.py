"""What a declared irregularity rests on: what cannot be, and what the record says otherwise.

At an attended table a round is not voided on somebody's word alone. What cannot have happened is
refused. What contradicts the table's own record, or takes back what was verified or documented,
is for a floorperson or above, with a reason.
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
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

Standing: TypeAlias = Literal["plain", "contradicts", "impossible"]


class EvidenceFinding(msgspec.Struct, frozen=True):
    """How a declaration stands against the record, and why."""

    standing: Standing
    why: str = ""


CONSISTENT = EvidenceFinding("plain")
EvidenceCheck: TypeAlias = Callable[["Table", Round, Any], EvidenceFinding]


def impossible(why: str) -> EvidenceFinding:
    """It cannot have happened."""
    return EvidenceFinding("impossible", why)


def contradicts(why: str) -> EvidenceFinding:
    """The record says otherwise."""
    return EvidenceFinding("contradicts", why)


def wrong_number(table: Table, current: Round, command: rec.FindWrongNumber) -> EvidenceFinding:
    """Not before the first card; and against the record once a place has its cards."""
    if not current.left_deck:
        return impossible("no card has left the deck")
    word, _, number = command.where.partition(" ")
    place = int(number) if word == "seat" and number.isdecimal() else command.where
    if place in current.pending:  # the dealer is dealing to it
        return CONSISTENT
    has = cards_dealt_to(current, place)
    return (
        CONSISTENT
        if has is None
        else contradicts(f"the record has {has} card(s) at {command.where}")
    )


def cards_dealt_to(current: Round, place: int | str) -> int | None:
    """How many cards a place was dealt; None for a place that this round does not deal to."""
    if place == DEALER:
        return len(current.dealer)
    if place == COMMUNITY:
        return len(current.community)
    box = current.boxes.get(place) if isinstance(place, int) else None
    return None if box is None else len(box.cards)


def skipped(table: Table, current: Round, command: rec.SkipPlayer) -> EvidenceFinding:
    """Not before the first card and not at the showdown; a whole hand contradicts it."""
    if current.game.skipped_player_sits_out:
        return CONSISTENT  # only before the hands are dealt, which the rule itself says
    if not current.left_deck:
        return impossible("no card has left the deck")
    if current.due().kind == "settle":
        return impossible("every hand is played; nobody was passed over")
    box = current.boxes.get(command.seat)
    if box is None or len(box.cards) < current.game.player_cards:
        return CONSISTENT
    return contradicts(f"the record has {len(box.cards)} cards at seat {command.seat}")


def shoe_jam(table: Table, current: Round, command: rec.JamShoe) -> EvidenceFinding:
    """Not after the stub was taken out, nor where the board is dealt from the hand (10.B.4)."""
    if current.hands_complete and current.game.procedure.board_by_hand(table.house):
        return impossible("the hands are dealt, and the rest of the cards is out of the shoe")
    return impossible(STUB_AWAY) if table.decks.stub == "done" else CONSISTENT


def shuffler_jam(table: Table, current: Round, command: rec.JamShuffler) -> EvidenceFinding:
    """With one deck not after its stub was put into the rack."""
    away = table.decks.stub == "done" and table.house.decks == 1
    return impossible(STUB_AWAY) if away else CONSISTENT


def drawn(table: Table, current: Round, command: rec.DrawInError) -> EvidenceFinding:
    """Not from a stub that is in the rack."""
    return impossible(STUB_AWAY) if table.decks.stub == "done" else CONSISTENT


STUB_AWAY = "the stub lies in the discard rack"


def dealer_exposed(table: Table, current: Round, command: rec.ExposeDealerCard) -> EvidenceFinding:
    """Only of a hand that still has a card face down."""
    if not current.game.dealer_cards:
        return CONSISTENT  # the rule itself says that there is no such hand
    return check_face_down(current, current.dealer, "the dealer's hand")


def community_exposed(
    table: Table, current: Round, command: rec.ExposeCommunityCard
) -> EvidenceFinding:
    """Only while a community card lies face down."""
    if not current.game.community_cards:
        return CONSISTENT
    return check_face_down(current, current.community, "the community area")


def player_exposed(table: Table, current: Round, command: rec.ExposePlayerCard) -> EvidenceFinding:
    """Only of a hand that still has a card face down."""
    box = current.boxes.get(command.seat)
    return (
        CONSISTENT if box is None else check_face_down(current, box.cards, f"seat {command.seat}")
    )


def check_face_down(current: Round, cards: Sequence[Face], where: str) -> EvidenceFinding:
    """Whether a card that nobody should have seen lies there."""
    if all(card in current.exposed for card in cards):
        return impossible(f"no card lies face down at {where}")
    return CONSISTENT


def no_evidence_needed(table: Table, current: Round, command: Command) -> EvidenceFinding:
    """Its own rule says all there is to say."""
    return CONSISTENT


EVIDENCE_CHECKS: dict[type[Command], EvidenceCheck] = {
    rec.FindCardFaceUp: no_evidence_needed,
    rec.DrawInError: drawn,
    rec.FindWrongNumber: wrong_number,
    rec.ExposeDealerCard: dealer_exposed,
    rec.ExposeCommunityCard: community_exposed,
    rec.ExposePlayerCard: player_exposed,
    rec.JamShuffler: shuffler_jam,
    rec.JamShoe: shoe_jam,
    rec.SkipPlayer: skipped,
    rec.FindWrongCount: no_evidence_needed,
}


def assess(table: Table, command: Command) -> EvidenceFinding:
    """How a declaration stands against what the table knows."""
    current = table.dealing
    if current is None:
        return CONSISTENT  # wagers are only being placed, or the round refuses
    found = EVIDENCE_CHECKS[type(command)](table, current, command)
    if found.standing == "plain" and has_paperwork(table) and would_void(table, command):
        return contradicts("an award was verified or a payout document made out")
    return found


def has_paperwork(table: Table) -> bool:
    """Whether somebody has verified or documented what the round is about to pay."""
    return bool(table.progressive.awards or round_documents(table))


def would_void(table: Table, command: Command) -> bool:
    """Whether the round would be void; not if its own rule refuses the command."""
    try:
        events = DECIDE[type(command)](table, command, NOBODY, 0)
    except Refusal:
        return False
    return any(isinstance(event, rec.RoundVoided) for event in events)


NOBODY = Account("nobody", "system")  # what an irregularity leads to is the same for everybody
DECIDE: dict[type[Command], Callable[..., Sequence[object]]] = {
    rec.FindCardFaceUp: irregularities.find_card_face_up,
    rec.DrawInError: irregularities.draw_in_error,
    rec.FindWrongNumber: irregularities.find_wrong_number,
    rec.ExposeDealerCard: irregularities.expose_dealer_card,
    rec.ExposeCommunityCard: irregularities.expose_community_card,
    rec.ExposePlayerCard: irregularities.expose_player_card,
    rec.JamShuffler: irregularities.jam_shuffler,
    rec.JamShoe: irregularities.jam_shoe,
    rec.SkipPlayer: irregularities.skip_player,
    rec.FindWrongCount: irregularities.find_wrong_count,
}
DUTIES: dict[type[Command], str] = {
    rec.FindCardFaceUp: "face_up.void",
    rec.DrawInError: "drawn_in_error",
    rec.ExposeDealerCard: "dealer_exposed",
    rec.ExposeCommunityCard: "community_exposed",
    rec.ExposePlayerCard: "player_exposed",
    rec.JamShuffler: "shuffler_jam",
    rec.JamShoe: "shoe_jam",
    rec.SkipPlayer: "player_skipped",
    rec.FindWrongCount: "stub.wrong",
}


def before_declaration(table: Table, command: Any, by: Account, at: int) -> tuple[str, ...]:
    """Refuse what cannot be, and what contradicts the record without authority and a reason."""
    found = assess(table, command)
    duty = DUTIES.get(type(command), "wrong_number")
    if found.standing == "impossible":
        raise table.refusal(f"this cannot be: {found.why}", duty)
    if found.standing == "contradicts" and (by.role not in FLOOR or not command.reason.strip()):
        raise table.refusal(
            f"{found.why}; a floorperson or above decides otherwise, with a reason", duty
        )
    return ()


PART = Part(
    name="evidence", services=ATTENDED, before=dict.fromkeys(EVIDENCE_CHECKS, before_declaration)
)

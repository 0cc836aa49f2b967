"""Search index of rounds: the words and numbers under which entries of tables are found.

An index word is derived from one entry alone, so imports and audits derive it again. The words
narrow a search; what matches is decided by reading the rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from croupier.errors import CroupierError
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.ledger import entry_codec
from croupier.ledger.log import IndexTerm, StoredEntry
from croupier.table import Account, Event, kind_of
from croupier.table import events as ev

ROUND, CLOSED, VOID = "round", "closed", "void"
HAND = "hand:"
# Irregularities that an event names itself, and kinds of events that are irregularities.
IRREGULARITIES = (
    "card_drawn_in_error",
    "card_face_up",
    "community_card_exposed",
    "dealer_card_exposed",
    "player_card_exposed",
    "shoe_jam",
    "shuffler_jam",
    "wrong_number_of_cards",
    "wagers_forfeited",
    "player_sat_out",
    "progressive_count_differed",
    "device_failed",
    "correction_made",
)
IRREGULAR_EVENTS = (
    ev.WagersForfeited,
    ev.PlayerSatOut,
    ev.ProgressiveCountDiffered,
    ev.DeviceFailed,
    ev.CorrectionMade,
)
Word = tuple[str, int]


def person_word(role: str, name: str) -> str:
    """The word of a player or dealer: a short hash, since names can be long."""
    return f"{role}:{sha256(name.strip().casefold().encode()).hexdigest()[:8]}"


def hand_word(hand: str) -> str:
    """The word of an announced hand."""
    return HAND + normalize_hand(hand)


def normalize_hand(hand: str) -> str:
    """One spelling for a hand's name: "Royal Flush" and "royal_flush" are the same."""
    return hand.strip().casefold().replace("_", " ")


def irregularity_word(irregularity: str) -> str:
    """The word of an irregularity."""
    return f"irregularity:{irregularity}"


def paid_word(seat: int) -> str:
    """The word of a seat that an entry pays; its number is the amount returned to it."""
    return f"paid:{seat}"


PAID_WORDS = tuple(paid_word(seat) for seat in range(1, MOST_POSITIONS + 1))


def irregularity_of(event: Event) -> str:
    """The irregularity that an event records, or an empty text."""
    if isinstance(event, ev.IrregularityNoted | ev.RoundVoided):
        return event.irregularity
    return kind_of(event) if isinstance(event, IRREGULAR_EVENTS) else ""


def index_words(by: Account, events: Sequence[Event]) -> list[Word]:
    """The words and numbers under which an entry with these events is indexed, each once."""
    # By type: isinstance is slow for events, and an audit asks this of every event on record.
    if _WORDS.keys().isdisjoint(map(type, events)):
        return []
    words: dict[Word, None] = {}
    paid = Counter[str]()
    for event in events:
        match event:
            case ev.WagerSettled() if event.returned:
                paid[paid_word(event.seat)] += event.returned
            case ev.EnvyPaid():
                paid[paid_word(event.seat)] += event.paid
            case _ if find := _WORDS.get(type(event)):
                words.update(dict.fromkeys(find(by, event)))
    return [*words, *paid.items()]


def _dealer(by: Account) -> list[Word]:
    return [(person_word("dealer", by.id), 0)] if by.role == "dealer" else []


def _irregular(by: Account, event: Any) -> list[Word]:
    return [(irregularity_word(irregularity_of(event)), 0)]


_WORDS: dict[type[Event], Callable[[Account, Any], list[Word]]] = {
    ev.RoundOpened: lambda by, event: [(ROUND, event.number)],
    ev.WagersPlaced: lambda by, event: [(person_word("player", event.player), event.seat)],
    ev.BettingClosed: lambda by, event: _dealer(by),
    ev.HandAnnounced: lambda by, event: [(hand_word(event.hand), event.seat)] if event.seat else [],
    ev.WagerSettled: lambda by, event: [],  # totals by seat
    ev.EnvyPaid: lambda by, event: [],
    ev.RoundVoided: lambda by, event: [(VOID, 0), *_irregular(by, event)],
    ev.RoundClosed: lambda by, event: [(CLOSED, 0), *_dealer(by)],
    ev.IrregularityNoted: _irregular,
    **dict.fromkeys(IRREGULAR_EVENTS, _irregular),
}


def index_terms(
    stream: str, sequence: int, by: Account, events: Sequence[Event]
) -> list[IndexTerm]:
    """The index terms of a new entry."""
    return [IndexTerm(stream, sequence, word, number) for word, number in index_words(by, events)]


def expected_index_words(stored: StoredEntry) -> list[Word]:
    """The index words an entry must have, recomputed for an audit or an import."""
    if not stored.entry.stream.startswith(entry_codec.TABLE_PREFIX):
        return []
    try:
        recorded = entry_codec.decode_entry(stored)
    except CroupierError:
        return []  # reported by the check that decodes the entry
    return index_words(recorded.by, recorded.events)

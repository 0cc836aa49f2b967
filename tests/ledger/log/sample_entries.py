"""Sample entries with bodies like those of a table."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from croupier.ledger.log import Entry
from croupier.ledger.log.canonical_json import encode_canonical

AT = 1_767_614_400_000  # 2026-01-05T12:00:00Z
RANKS, SUITS = "23456789TJQKA", "cdhs"
SPOTS = ("ante", "blind", "play", "trips", "six_card_bonus", "ultimate_pairs")


def body(seat: int = 1, word: str = "4x") -> bytes:
    """The body of a decision."""
    return encode_canonical(
        {
            "by": {"id": "ann", "role": "dealer"},
            "command": {"kind": "decide", "seat": seat, "word": word},
            "events": [
                {
                    "kind": "decided",
                    "schema": 1,
                    "seat": seat,
                    "stake": 4000,
                    "street": "preflop",
                    "wager": "play",
                    "word": word,
                }
            ],
        }
    )


def entries(stream: str, after: int, count: int, prefix: str = "c") -> list[Entry]:
    """`count` entries of a stream after sequence number `after`."""
    return [
        Entry(stream, sequence, f"{prefix}{sequence}", AT + sequence, body(sequence % 6 + 1))
        for sequence in range(after + 1, after + count + 1)
    ]


def one_entry(stream: str, after: int, id: str = "", **fields: Any) -> list[Entry]:
    """A list with one entry of a stream after sequence number `after`."""
    entry = Entry(stream, after + 1, id or f"c{after + 1}", AT, body())
    return [entry._replace(**fields)]


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes, by the recursive definition of RFC 6962, 2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256().digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + merkle_root(leaves[:k]) + merkle_root(leaves[k:])).digest()


def cards(rng: random.Random, count: int) -> list[str]:
    """Random cards of one deck."""
    return rng.sample([rank + suit for rank in RANKS for suit in SUITS], count)


def six_seat_round(rng: random.Random, number: int) -> Iterator[bytes]:
    """The bodies of a round of thirty commands, whose settlement has forty events."""
    ann = {"id": "ann", "role": "dealer"}

    def body_of(command: dict[str, Any], *events: dict[str, Any]) -> bytes:
        return encode_canonical({"by": ann, "command": command, "events": list(events)})

    for seat in range(1, 7):
        stakes = {spot: rng.randrange(1, 20) * 500 for spot in rng.sample(SPOTS, 4)}
        placed = {"player": f"player {seat}", "seat": seat, "stakes": stakes}
        clauses = ["7.F.1", "7.D", "7.F.2", "1.B.7", "7.F.3.a", "7.F.3"]
        yield body_of(
            {"kind": "place_wagers", "player": f"player {seat}", "seat": seat, "wagers": stakes},
            {"clauses": clauses, "kind": "wagers_placed", "schema": 1, **placed},
        )
    closed = {"clauses": ["10.A.2.a"], "kind": "betting_closed", "schema": 1, "round": number}
    yield body_of({"kind": "no_more_bets"}, {**closed, "seats": [1, 2, 3, 4, 5, 6]})
    deck = cards(rng, 19)
    dealt = {"cards": deck, "clauses": ["10.B.1"], "kind": "cards_dealt", "schema": 1}
    yield body_of({"cards": deck, "kind": "deal_cards"}, dealt)
    for street, shown in (("preflop", 0), ("flop", 3), ("river", 5)):
        street_shown = {
            "community": deck[:shown],
            "kind": "street_shown",
            "schema": 1,
            "street": street,
        }
        yield body_of({"kind": "show_street"}, {"clauses": ["11.A", "11.B"], **street_shown})
        for seat in range(1, 7):
            word = rng.choice(("check", "4x", "3x"))
            choice = {"seat": seat, "word": word}
            stake = rng.randrange(1, 40) * 500
            decided = {"stake": stake, "street": street, "wager": "play", **choice}
            clauses = ["11.B.1", "11.B.2.a", "1.B.5"]
            yield body_of(
                {"cents": None, "kind": "decide", **choice},
                {"clauses": clauses, "kind": "decided", "schema": 1, **decided},
            )
    yield body_of({"kind": "settle"}, *(_settled(rng, index) for index in range(40)))


def _settled(rng: random.Random, index: int) -> dict[str, Any]:
    stake = rng.randrange(1, 40) * 500
    outcome = rng.choice(("win", "lose", "push"))
    return {
        "clauses": ["11.H.3.a", "12.A", "6.E", "7.F.2"],
        "facts": {"hand": rng.choice(("pair", "flush", "two pair")), "qualifies": True},
        "kind": "wager_settled",
        "odds": f"{rng.randrange(1, 9)} to 1",
        "outcome": outcome,
        "returned": stake * rng.randrange(0, 4),
        "schema": 1,
        "seat": index % 6 + 1,
        "stake": stake,
        "wager": SPOTS[index % 6],
    }


def round_entries(stream: str, after: int, rng: random.Random, number: int) -> list[Entry]:
    """The entries of a round, with ids like those of real clients."""
    return [
        Entry(stream, after + index, uuid.UUID(int=rng.getrandbits(128)).hex, AT + index, text)
        for index, text in enumerate(six_seat_round(rng, number), start=1)
    ]

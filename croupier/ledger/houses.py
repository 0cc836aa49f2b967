"""Houses on record: the canonical text whose SHA-256 is the House's digest, and back again.

The text is self-proving: whoever holds it and the digest that a round names can check that these
were the rules, without Croupier.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec

from croupier import games
from croupier.errors import UnknownGame
from croupier.games.game import DealingMethod
from croupier.games.house import House, Limits, Meter
from croupier.ledger.errors import Damaged, LedgerError
from croupier.money import Cents

PARTS = (
    "operator",
    "dealing_method",
    "shuffle_method",
    "decks",
    "max_adjacent_boxes",
    "limits",
    "letters",
    "choices",
    "meters",
    "payout_limit",
)


class Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The stored text of a House, read back."""

    game: str
    edition: int
    operator: str
    dealing_method: DealingMethod
    shuffle_method: str
    decks: int
    max_adjacent_boxes: int
    limits: dict[str, Limits]
    letters: dict[str, str]
    choices: dict[str, Any]
    meters: dict[str, Meter]
    payout_limit: Cents | None


def write(house: House) -> str:
    """The canonical text of a House; refused if its digest is not the digest of this text."""
    record = {"game": house.game.key, "edition": house.game.edition}
    record |= {part: getattr(house, part) for part in PARTS}
    text = msgspec.json.encode(record, enc_hook=str, order="sorted")
    if sha256(text).hexdigest() != house.digest:
        raise LedgerError(f"{house!r} does not have the digest of its own terms")
    return text.decode()


def read(digest: str, text: str) -> House:
    """The House of a stored text: the one that rounds under this digest were played by."""
    if sha256(text.encode()).hexdigest() != digest:
        raise Damaged(f"house:{digest[:12]}", 0, "the stored terms do not have this digest")
    record = msgspec.json.decode(text, type=Record, dec_hook=_exact)
    try:
        game = games.find(record.game)
    except UnknownGame as error:
        raise Damaged(f"house:{digest[:12]}", 0, str(error)) from None
    if game.edition != record.edition:
        problem = f"played under edition {record.edition} of {game.key}, this is {game.edition}"
        raise Damaged(f"house:{digest[:12]}", 0, problem)
    parts = {part: getattr(record, part) for part in PARTS}
    parts["choices"] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in record.choices.items()
    }
    house = House(game=game, digest=digest, **parts)
    write(house)  # nothing was lost on the way
    return house


def _exact(kind: type, value: Any) -> Any:
    assert kind is Fraction, f"no other exact number is stored, got {kind}"
    return Fraction(value)

"""The terms of a House as one canonical text, its digest, and the House of such a text.

The text is self-proving: whoever holds it and the digest that a round names can check that these
were the rules, without Croupier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

import msgspec

from croupier.errors import BadTerms, UnknownGame
from croupier.games.choices import EnvyChoices
from croupier.games.game import DealingMethod, Game
from croupier.games.house import Chosen, House, Limits, Meter
from croupier.games.proposal import Proposal
from croupier.games.registry import find
from croupier.money import Cents
from croupier.rulebook import meter_floors

_PARTS = (
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


class _Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The text of a House, read back; the choices have the type that the game says."""

    game: str
    edition: int
    operator: str
    dealing_method: DealingMethod
    shuffle_method: str
    decks: int
    max_adjacent_boxes: int
    limits: dict[str, Limits]
    letters: dict[str, str]
    choices: msgspec.Raw
    meters: dict[str, Meter]
    payout_limit: Cents | None
    proposal: Proposal | None = None


def canonical_text(house: House) -> str:
    """Every term of a House in compact JSON with sorted keys, exact numbers as text.

    The order of a file, its comments and whether a default was written out do not change it; the
    game's edition does.
    """
    record: dict[str, Any] = {"game": house.game.key, "edition": house.game.edition}
    for part in _PARTS:
        value = getattr(house, part)
        record[part] = dict(value) if isinstance(value, Mapping) else value
    if house.proposal is not None:
        record["proposal"] = house.proposal
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


def digest(house: House) -> str:
    """SHA-256 of the canonical text: the name by which a round remembers its terms."""
    return sha256(canonical_text(house).encode()).hexdigest()


def with_digest(house: House[Chosen]) -> House[Chosen]:
    """The House that carries the digest of its own terms."""
    return replace(house, digest=digest(house))


def house_from_text(digest: str, text: str) -> House[Any]:
    """The House of a canonical text: the one that rounds under this digest were played by.

    It is of the edition that the text names, however many there are since. A text without this
    digest, of an unknown game or edition, or one that says anything else, is BadTerms.
    """
    if sha256(text.encode()).hexdigest() != digest:
        raise BadTerms(f"the terms {digest[:12]} do not have this digest")
    try:
        record = msgspec.json.decode(text, type=_Record, dec_hook=_exact)
        game = find(record.game, record.edition)
        choices = msgspec.json.decode(record.choices, type=game.choices)
    except (msgspec.DecodeError, ValueError, UnknownGame) as error:
        raise BadTerms(f"the terms {digest[:12]} cannot be read: {error}") from None
    parts = {part: getattr(record, part) for part in _PARTS} | {"choices": choices}
    if record.proposal is not None:
        game = record.proposal.played(game)
    house: House[Any] = House(game=game, digest=digest, proposal=record.proposal, **parts)
    if canonical_text(house) != text:
        raise BadTerms(f"the terms {digest[:12]} are not written in the canonical form")
    return house


def _exact(kind: type, value: Any) -> Any:
    assert kind is Fraction, f"no other exact number is stored, got {kind}"
    return Fraction(value)


def with_settings(house: House[Any], settings: Mapping[str, Any]) -> House[Any]:
    """The same House with other paytables and readings."""
    wagers = {wager.name for wager in house.game.wagers}
    chosen = {**house.letters, **{k: v for k, v in settings.items() if k in wagers}}
    meters = house.meters
    if "progressive" in settings:
        meters = minimum_meters(house.game, settings["progressive"])
    changed: dict[str, Any] = {k: v for k, v in settings.items() if k not in wagers}
    if isinstance(house.choices, EnvyChoices) and "progressive" in chosen:
        changed["envy_schedule"] = chosen["progressive"]
    choices = msgspec.structs.replace(house.choices, **changed)
    return with_digest(replace(house, letters=chosen, choices=choices, meters=meters))


def minimum_meters(game: Game, letter: str) -> dict[str, Meter]:
    """The meters of a progressive paytable at their least reset amounts."""
    return {
        floor.meter: Meter(
            name=floor.meter,
            initial=floor.minimum_dollars * 100,
            reset=floor.minimum_dollars * 100,
            rate_percent=Fraction(1),
        )
        for floor in meter_floors(game.document, letter)
    }

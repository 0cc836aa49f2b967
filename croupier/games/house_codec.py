"""Canonical text and digest of a House, decoding of that text, and Houses with other settings.

Records of rounds name the digest of their House. Anyone with the canonical text can verify it
against that digest without Croupier: it is the SHA-256 of the text.
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

_FIELDS = (
    "operator",
    "dealing_method",
    "shuffle_method",
    "decks",
    "positions",
    "max_adjacent_boxes",
    "limits",
    "letters",
    "choices",
    "meters",
    "payout_limit",
)


class _Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The decoded text; the type of the choices depends on the game."""

    game: str
    edition: int
    operator: str
    dealing_method: DealingMethod
    shuffle_method: str
    decks: int
    positions: int
    max_adjacent_boxes: int
    limits: dict[str, Limits]
    letters: dict[str, str]
    choices: msgspec.Raw
    meters: dict[str, Meter]
    payout_limit: Cents | None
    unstated: tuple[str, ...] = ()
    proposal: Proposal | None = None


def canonical_text(house: House) -> str:
    """All terms of a House as compact JSON with sorted keys and fractions as text.

    It does not depend on the order or comments of a submission file, nor on whether defaults are
    stated, except those that the rules require; it does depend on the edition of the game.
    """
    record: dict[str, Any] = {"game": house.game.key, "edition": house.game.edition}
    for name in _FIELDS:
        value = getattr(house, name)
        record[name] = dict(value) if isinstance(value, Mapping) else value
    for name in ("unstated", "proposal"):
        if value := getattr(house, name):
            record[name] = value
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


def digest(house: House) -> str:
    """The SHA-256 of the canonical text, by which rounds refer to their terms."""
    return sha256(canonical_text(house).encode()).hexdigest()


def with_digest(house: House[Chosen]) -> House[Chosen]:
    """The House with the digest of its terms filled in."""
    return replace(house, digest=digest(house))


def house_from_text(digest: str, text: str) -> House[Any]:
    """Decode a canonical text to the House of the edition that it names.

    Raises `BadTerms` if the text does not have this digest, is of an unknown game or edition, or is
    not canonical.
    """
    if sha256(text.encode()).hexdigest() != digest:
        raise BadTerms(f"the terms {digest[:12]} do not have this digest")
    try:
        record = msgspec.json.decode(text, type=_Record, dec_hook=_decode_fraction)
        game = find(record.game, record.edition)
        choices = msgspec.json.decode(record.choices, type=game.choices)
    except (msgspec.DecodeError, ValueError, UnknownGame) as error:
        raise BadTerms(f"the terms {digest[:12]} cannot be decoded: {error}") from None
    fields = {name: getattr(record, name) for name in _FIELDS} | {"choices": choices}
    if record.proposal is not None:
        game = record.proposal.played(game)
    fields |= {"unstated": record.unstated, "proposal": record.proposal}
    house: House[Any] = House(game=game, digest=digest, **fields)
    if canonical_text(house) != text:
        raise BadTerms(f"the terms {digest[:12]} are not in canonical form")
    return house


def _decode_fraction(kind: type, value: Any) -> Any:
    assert kind is Fraction, f"cannot decode {kind}"
    return Fraction(value)


def with_settings(house: House[Any], settings: Mapping[str, Any]) -> House[Any]:
    """The House with other paytables (by wager) and readings (by choice), and a new digest.

    Another progressive paytable has its meters at their minimum amounts.
    """
    wagers = {wager.name for wager in house.game.wagers}
    letters = {**house.letters, **{k: v for k, v in settings.items() if k in wagers}}
    meters = house.meters
    if "progressive" in settings:
        meters = minimum_meters(house.game, settings["progressive"])
    changed: dict[str, Any] = {k: v for k, v in settings.items() if k not in wagers}
    if isinstance(house.choices, EnvyChoices) and "progressive" in letters:
        changed["envy_schedule"] = letters["progressive"]
    choices = msgspec.structs.replace(house.choices, **changed)
    return with_digest(replace(house, letters=letters, choices=choices, meters=meters))


def minimum_meters(game: Game, letter: str) -> dict[str, Meter]:
    """The meters of a progressive paytable at their minimum reset amounts."""
    return {
        floor.meter: Meter(
            name=floor.meter,
            initial=floor.minimum_dollars * 100,
            reset=floor.minimum_dollars * 100,
            rate_percent=Fraction(1),
        )
        for floor in meter_floors(game.document, letter)
    }

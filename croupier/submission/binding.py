"""From a draft without errors to a House, and the digest by which a round remembers it."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from croupier.games.house import House
from croupier.submission.draft import Draft


def bind(draft: Draft) -> House:
    """The House of a draft in which no error was found."""
    choices = {
        choice.name: draft.values[choice.name]
        for choice in draft.form.every_choice
        if choice.section == "choices" and choice.name != "payout_limit"
    }
    # The felt carries it; the submission states it under [operator].
    choices["operator_logo"] = draft.logo
    parts: dict[str, Any] = {
        "operator": draft.operator,
        "dealing_method": draft.values["dealing_method"],
        "shuffle_method": draft.values["shuffle_method"],
        "decks": draft.values["decks"],
        "max_adjacent_boxes": draft.values["max_adjacent_boxes"],
        "limits": draft.limits,
        "letters": draft.letters,
        "choices": choices,
        "meters": draft.meters,
        "payout_limit": draft.values.get("payout_limit"),
    }
    return House(game=draft.game, digest=digest(draft, parts), **parts)


def digest(draft: Draft, parts: dict[str, Any]) -> str:
    """SHA-256 of every value in one canonical form: compact JSON with sorted keys.

    The order of keys, comments and whether a default was written out do not change it; the
    game's edition does.
    """
    record = {"game": draft.game.key, "edition": draft.game.edition, **parts}
    text = msgspec.json.encode(record, enc_hook=str, order="sorted")  # exact numbers as text
    return hashlib.sha256(text).hexdigest()

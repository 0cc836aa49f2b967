"""The JSON Schema of a submission, generated from the forms.

It covers the structure and every value that can be judged alone; `croupier check` also checks
fields against each other.
"""

from __future__ import annotations

from typing import Any

from croupier.games import Game, catalogue
from croupier.games.forms.field_types import MAX_DOLLARS
from croupier.rulebook import letters, meter_floors

_DEFINITIONS: dict[str, Any] = {
    "text": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "\\S"},
    "dollars": {
        "description": "Dollars above 0 with at most two decimals.",
        "oneOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_DOLLARS},
            {"type": "string", "pattern": "^[0-9]{1,10}(\\.[0-9]{1,2})?$"},
        ],
    },
    "limits": {
        "type": "object",
        "properties": {"min": {"$ref": "#/$defs/dollars"}, "max": {"$ref": "#/$defs/dollars"}},
        "additionalProperties": False,
    },
    "meter": {
        "type": "object",
        "properties": {
            "initial": {"$ref": "#/$defs/dollars"},
            "reset": {"$ref": "#/$defs/dollars"},
            "rate": {"$ref": "#/$defs/share"},
            "limit": {"$ref": "#/$defs/dollars"},
            "reserve_rate": {"$ref": "#/$defs/share"},
        },
        "required": ["rate"],
        "additionalProperties": False,
    },
    "share": {
        "description": "Percent of each progressive wager.",
        "oneOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": 100},
            {"type": "string", "pattern": "^[0-9]{1,3}(\\.[0-9]{1,12})?$"},
        ],
    },
    "operator": {
        "type": "object",
        "properties": {"name": {"$ref": "#/$defs/text"}, "logo": {"$ref": "#/$defs/text"}},
        "anyOf": [{"required": ["name"]}, {"required": ["logo"]}],
        "additionalProperties": False,
    },
}


def submission_schema() -> dict[str, Any]:
    """Return the schema: one alternative for each game."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:croupier:submission",
        "title": "Rules Submission",
        "description": "An operator's Rules Submission, as TOML on disk or JSON in a scenario.",
        "type": "object",
        "required": ["game", "operator"],
        "oneOf": [{"$ref": f"#/$defs/{game.key}"} for game in catalogue()],
        "$defs": _DEFINITIONS | {game.key: _game_schema(game) for game in catalogue()},
    }


def _game_schema(game: Game) -> dict[str, Any]:
    form = game.form
    properties: dict[str, Any] = {
        "game": {"const": game.key},
        "operator": {"$ref": "#/$defs/operator"},
        "table": _section_schema(game, "table"),
        "limits": _closed_object(
            {
                wager.name: {"$ref": "#/$defs/limits"}
                for wager in game.wagers
                if wager.role in ("ante", "optional")
            }
        ),
        "paytables": _closed_object(
            {
                offer.wager: {"enum": list(letters(game.document, offer.wager))}
                for offer in form.offers
            }
        ),
        "choices": _section_schema(game, "choices"),
    }
    compulsory = [wager.name for wager in game.wagers if wager.always_offered]
    required = ["game", "operator"]
    if compulsory:
        properties["paytables"]["required"] = compulsory
        required.append("paytables")
    if any(choice.missing == "error" and not choice.when for choice in form.choices):
        required.append("choices")
    if game.wager("progressive"):
        meters = {
            floor.meter: {"$ref": "#/$defs/meter"}
            for letter in letters(game.document, "progressive")
            for floor in meter_floors(game.document, letter)
        }
        properties["meters"] = _closed_object(meters)
    return {"title": game.title, **_closed_object(properties), "required": required}


def _section_schema(game: Game, section: str) -> dict[str, Any]:
    """The schema of [table] or [choices]."""
    choices = [choice for choice in game.form.every_choice if choice.section == section]
    properties = {
        choice.name: {"description": choice.note.replace("`", ""), **choice.kind.schema()}
        for choice in choices
    }
    required = [choice.name for choice in choices if choice.missing == "error" and not choice.when]
    return _closed_object(properties) | ({"required": required} if required else {})


def _closed_object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}

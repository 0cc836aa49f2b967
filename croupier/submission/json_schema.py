"""The JSON Schema of a submission, written from the forms.

It describes the shape and every value that can be judged alone; what fields demand of each other
is for `croupier check`.
"""

from __future__ import annotations

from typing import Any

from croupier.games import Game, catalogue
from croupier.games.forms.field_types import MOST_DOLLARS
from croupier.rulebook import letters, meter_floors

_DEFINITIONS: dict[str, Any] = {
    "text": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "\\S"},
    "dollars": {
        "description": "Dollars above 0 with at most two decimals.",
        "oneOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_DOLLARS},
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


def schema() -> dict[str, Any]:
    """The whole schema: one shape for each game."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:croupier:submission",
        "title": "Rules Submission",
        "description": "An operator's Rules Submission, as TOML on disk or JSON in a scenario.",
        "type": "object",
        "required": ["game", "operator"],
        "oneOf": [{"$ref": f"#/$defs/{game.key}"} for game in catalogue()],
        "$defs": _DEFINITIONS | {game.key: of_game(game) for game in catalogue()},
    }


def of_game(game: Game) -> dict[str, Any]:
    """The shape of one game's submission."""
    form = game.form
    properties: dict[str, Any] = {
        "game": {"const": game.key},
        "operator": {"$ref": "#/$defs/operator"},
        "table": fields_of(game, "table"),
        "limits": closed(
            {
                wager.name: {"$ref": "#/$defs/limits"}
                for wager in game.wagers
                if wager.role in ("ante", "optional")
            }
        ),
        "paytables": closed(
            {
                offer.wager: {"enum": list(letters(game.document, offer.wager))}
                for offer in form.offers
            }
        ),
        "choices": fields_of(game, "choices"),
    }
    compulsory = [wager.name for wager in game.wagers if wager.always_offered]
    required = ["game", "operator"]
    if compulsory:
        properties["paytables"]["required"] = compulsory
        required.append("paytables")
    if any(choice.missing == "error" and not choice.when for choice in form.choices):
        required.append("choices")
    if game.wager("progressive"):
        names = {
            floor.meter: {"$ref": "#/$defs/meter"}
            for letter in letters(game.document, "progressive")
            for floor in meter_floors(game.document, letter)
        }
        properties["meters"] = closed(names)
    return {"title": game.title, **closed(properties), "required": required}


def fields_of(game: Game, section: str) -> dict[str, Any]:
    """The fields of [table] or [choices]."""
    fields = [each for each in game.form.every_choice if each.section == section]
    properties = {field.name: described(field.kind.schema(), field.note) for field in fields}
    required = [field.name for field in fields if field.missing == "error" and not field.when]
    return closed(properties) | ({"required": required} if required else {})


def described(shape: dict[str, Any], note: str) -> dict[str, Any]:
    """A shape with the sentence that explains the field."""
    return {"description": note.replace("`", ""), **shape}


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with these properties and no other."""
    return {"type": "object", "properties": properties, "additionalProperties": False}

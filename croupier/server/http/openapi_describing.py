"""The words that the protocol is described in: parameters, operations, and how they fail."""

from __future__ import annotations

from typing import Any

from croupier.server import protocol as msg

COMPONENTS = "#/components/schemas/"
WHY = {
    "400": "The message has the wrong form.",
    "401": "Nobody is signed in.",
    "403": "Not for this person.",
    "404": "There is no such table.",
    "409": "The table has moved on, or the id stands for another command.",
    "410": "Too far behind: begin with a snapshot.",
    "413": "The message is too long.",
    "415": "The message is not JSON.",
    "422": "The rules refuse it; the clause says which.",
    "429": "Too much at once.",
    "503": "The record cannot be written now; nothing was done.",
}
TABLE = {
    "name": "table",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "A table's name.",
}
ROLE = {
    "name": "role",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The role to act or look in, for those who have several.",
}
PLAYER = {
    "name": "player",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The player whose words or chips somebody of the staff enters.",
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": msg.KEY_MIN, "maxLength": msg.KEY_MAX},
    "description": "The command's id: the same id again changes nothing.",
}


ROUND = {
    "name": "round",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 0},
    "description": "A round's number.",
}
SOUGHT = {
    "player": "A player.",
    "hand": "A hand that was announced.",
    "wager": "A wager that was staked.",
    "void": "true or false.",
}


def text(name: str, words: str) -> dict[str, Any]:
    """Words of a query."""
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": words}


def number(name: str, words: str) -> dict[str, Any]:
    """A number of a query."""
    schema = {"type": "integer", "minimum": 0}
    return {"name": name, "in": "query", "schema": schema, "description": words}


def ref(name: str) -> dict[str, Any]:
    """A message by its name."""
    return {"$ref": COMPONENTS + name}


def operation(
    words: str,
    *,
    name: str,
    gives: str = "",
    takes: str = "",
    parameters: tuple[dict[str, Any], ...] = (),
    fails: str = "401 429",
    status: str = "200",
    open_to_all: bool = False,
) -> dict[str, Any]:
    """One thing that may be asked at an address: what it takes, gives, and how it fails."""
    good: dict[str, Any] = {"description": "Done."}
    if gives:
        good["content"] = {"application/json": {"schema": ref(gives)}}
    responses = {status: good}
    for code in fails.split():
        content = {"application/json": {"schema": ref("Problem")}}
        responses[code] = {"description": WHY[code], "content": content}
    found: dict[str, Any] = {"summary": words, "operationId": name, "responses": responses}
    if parameters:
        found["parameters"] = list(parameters)
    if takes:
        content = {"application/json": {"schema": ref(takes)}}
        found["requestBody"] = {"required": True, "content": content}
    if open_to_all:
        found["security"] = []
    return found

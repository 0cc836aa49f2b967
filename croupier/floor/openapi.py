"""The protocol described for machines: OpenAPI 3.1 and JSON Schemas, made from the Structs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Union

import msgspec

from croupier.coach import teaching
from croupier.floor import messages as msg
from croupier.table import Exchange, NewLimits, OutsideLimits, forms, wire
from croupier.table.wire import COMMANDS

COMPONENTS = "#/components/schemas/"
FORMS = tuple(
    kind
    for kind in (*vars(forms).values(), NewLimits, OutsideLimits, Exchange)
    if isinstance(kind, type)
    and issubclass(kind, msgspec.Struct)
    and kind.__struct_config__.tag_field == "form"
)
ANSWERS = (
    msg.Problem,
    msg.SignIn,
    msg.Token,
    msg.Me,
    msg.Lobby,
    msg.HouseCard,
    msg.Snapshot,
    msg.Happened,
    msg.Changed,
    msg.Done,
    teaching.Advice,
    teaching.Lesson,
    teaching.PlayAgain,
    teaching.Again,
    msg.FoundRounds,
    msg.Replay,
    msg.Pit,
)
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
    "schema": {"type": "string", "minLength": msg.KEY_LEAST, "maxLength": msg.KEY_MOST},
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


def _text(name: str, words: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": words}


def _number(name: str, words: str) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 0}
    return {"name": name, "in": "query", "schema": schema, "description": words}


@cache
def components() -> dict[str, Any]:
    """The schema of every message, by name."""
    kinds: list[Any] = [*ANSWERS, *FORMS, *msg.ASKS, *COMMANDS.values()]
    _, found = msgspec.json.schema_components(
        kinds, schema_hook=_forms_at(COMPONENTS), ref_template=COMPONENTS + "{name}"
    )
    tags = {name: kind.__name__ for name, kind in sorted(COMMANDS.items())}
    found["Command"] = _union(tags)
    found["Ask"] = _union({str(kind.__struct_config__.tag): kind.__name__ for kind in msg.ASKS})
    found["Frame"] = {
        "oneOf": [_ref(kind.__name__) for kind in (msg.Snapshot, msg.Happened, msg.Changed)]
    }
    return dict(sorted(found.items()))


def _forms_at(place: str) -> Callable[[type], dict[str, Any]]:
    """A form is a protocol, which msgspec cannot describe: it is one of these, described there."""

    def described(kind: type) -> dict[str, Any]:
        if kind is forms.Form:
            return {"oneOf": [{"$ref": place + form.__name__} for form in FORMS]}
        raise NotImplementedError(f"{kind} has no schema")  # how msgspec is told of it

    return described


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": COMPONENTS + name}


def _union(tags: dict[str, str]) -> dict[str, Any]:
    return {
        "oneOf": [_ref(name) for name in tags.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {tag: f"#/components/schemas/{name}" for tag, name in tags.items()},
        },
    }


def _operation(
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
    good: dict[str, Any] = {"description": "Done."}
    if gives:
        good["content"] = {"application/json": {"schema": _ref(gives)}}
    responses = {status: good}
    for code in fails.split():
        content = {"application/json": {"schema": _ref("Problem")}}
        responses[code] = {"description": WHY[code], "content": content}
    found: dict[str, Any] = {"summary": words, "operationId": name, "responses": responses}
    if parameters:
        found["parameters"] = list(parameters)
    if takes:
        content = {"application/json": {"schema": _ref(takes)}}
        found["requestBody"] = {"required": True, "content": content}
    if open_to_all:
        found["security"] = []
    return found


def paths() -> dict[str, Any]:
    """Every address with what it takes and gives."""
    acting = "400 401 403 404 409 413 415 422 429 503"
    looking = "401 403 404 429"
    return {
        "/tokens": {
            "post": _operation(
                "Sign in with a program.",
                name="beginToken",
                takes="SignIn",
                gives="Token",
                fails="400 401 413 415 429",
                open_to_all=True,
            )
        },
        "/session": {
            "post": _operation(
                "Sign in with a browser: the token is in a cookie.",
                name="beginSession",
                takes="SignIn",
                gives="Me",
                fails="400 401 403 413 415 429",
                open_to_all=True,
            ),
            "delete": _operation("Sign out.", name="endSession", status="204", fails="401 403 429"),
        },
        "/me": {"get": _operation("Who is signed in.", name="me", gives="Me")},
        "/tables": {"get": _operation("Every table.", name="lobby", gives="Lobby")},
        "/tables/{table}": {
            "get": _operation(
                "What a screen needs to know of a table's House.",
                name="house",
                gives="HouseCard",
                parameters=(TABLE,),
                fails=looking,
            )
        },
        "/tables/{table}/state": {
            "get": _operation(
                "A snapshot.",
                name="state",
                gives="Snapshot",
                parameters=(TABLE, ROLE),
                fails=looking,
            )
        },
        "/tables/{table}/commands": {
            "post": _operation(
                "Carry out a command.",
                name="command",
                takes="Command",
                gives="Done",
                parameters=(TABLE, KEY, ROLE, PLAYER, _number("expected", "The entry last seen.")),
                fails=acting,
            )
        },
        "/tables/{table}/agreements": {
            "post": _operation(
                "Agree, as the second person whom it names, to a command of somebody else.",
                name="agree",
                takes="Command",
                gives="Problem",
                parameters=(TABLE, KEY),
                fails=acting,
            )
        },
        "/tables/{table}/asks": {
            "post": _operation(
                "Ask something of the machine that runs a practice table.",
                name="ask",
                takes="Ask",
                gives="Done",
                parameters=(TABLE, KEY),
                fails=acting,
            )
        },
        "/pit/tables": {
            "get": _operation(
                "Every table that one supervises, with what waits there.",
                name="pit",
                gives="Pit",
                fails="401 403 429",
            )
        },
        **coach_paths(),
        **watch_paths(),
    }


def coach_paths() -> dict[str, Any]:
    """What the coach of a practice table is asked."""
    fails = "400 401 403 404 410 422 429"
    return {
        "/tables/{table}/advice": {
            "get": _operation(
                "What each option is worth now; refused where people deal.",
                name="advice",
                gives="Advice",
                parameters=(TABLE,),
                fails=fails,
            )
        },
        "/tables/{table}/lesson": {
            "get": _operation(
                "What the last round has taught, and the mistakes so far.",
                name="lesson",
                gives="Lesson",
                parameters=(TABLE,),
                fails=fails,
            )
        },
        "/tables/{table}/again": {
            "post": _operation(
                "A round that is over, with the same deck and other words.",
                name="again",
                takes="PlayAgain",
                gives="Again",
                parameters=(TABLE,),
                fails=f"{fails} 413 415",
            )
        },
    }


def watch_paths() -> dict[str, Any]:
    """What surveillance and audit look back at."""
    fails = "400 401 403 404 429"
    return {
        "/tables/{table}/rounds": {
            "get": _operation(
                "Rounds of a table, the latest first.",
                name="rounds",
                gives="FoundRounds",
                parameters=(
                    TABLE,
                    _number("seat", "A seat."),
                    _number("over", "Paid to a seat in all, above so many cents."),
                    *(_text(name, words) for name, words in SOUGHT.items()),
                ),
                fails=fails,
            )
        },
        "/tables/{table}/rounds/{round}": {
            "get": _operation(
                "A round moment by moment.",
                name="replay",
                gives="Replay",
                parameters=(TABLE, ROUND, _text("eyes", "camera, whole, or a seat.")),
                fails=fails,
            )
        },
        "/tables/{table}/rounds/{round}/proof": {
            "get": _operation(
                "A round as a file, with the proof that it is in the log of a signed checkpoint.",
                name="prove",
                parameters=(TABLE, ROUND),
                fails=fails,
            )
        },
    }


@cache
def document() -> bytes:
    """OpenAPI 3.1, as JSON."""
    text: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier",
            "version": str(msg.PROTOCOL),
            "description": "Tables of regulated casino poker games. The feed is a WebSocket at "
            "/tables/{table}/feed, or a stream of events at the same address; docs/protocol.md.",
        },
        "paths": paths(),
        "components": {
            "schemas": components(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "croupier_session"},
            },
        },
        "security": [{"token": []}, {"session": []}],
    }
    return json.dumps(text, indent=1, ensure_ascii=False).encode()


@cache
def schemas() -> dict[str, bytes]:
    """JSON Schemas by file name: those of the table, and that of a feed's frames."""
    found = {name: json.dumps(schema).encode() for name, schema in wire.schemas().items()}
    frame = Union[msg.Snapshot, msg.Happened, msg.Changed]  # noqa: UP007  (a type at run time)
    kinds: list[Any] = [*FORMS, frame]
    shapes, parts = msgspec.json.schema_components(
        kinds, schema_hook=_forms_at("#/$defs/"), ref_template="#/$defs/{name}"
    )
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:croupier:frame",
        "title": "Frame",
        **shapes[-1],
        "$defs": parts,
    }
    return {**found, "frame.schema.json": json.dumps(schema).encode()}

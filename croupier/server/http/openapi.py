"""The protocol described for machines: OpenAPI 3.1 and JSON Schemas, made from the Structs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import msgspec

from croupier.coach import coach_messages
from croupier.server import protocol as msg
from croupier.server.api import report_endpoints, second_person_endpoints
from croupier.server.http import openapi_addresses
from croupier.server.http.openapi_describing import (
    COMPONENTS,
    KEY,
    PLAYER,
    ROLE,
    TABLE,
    number,
    operation,
    ref,
)
from croupier.server.school import school_messages
from croupier.server.submissions import submission_messages
from croupier.table import ExchangeField, NewLimits, OutsideLimits
from croupier.table.core import codec, fields
from croupier.table.core.codec import COMMANDS

FORMS = tuple(
    kind
    for kind in (*vars(fields).values(), NewLimits, OutsideLimits, ExchangeField)
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
    msg.SnapshotFrame,
    msg.Happened,
    msg.Changed,
    msg.FeedReply,
    msg.FeedCommand,
    msg.Done,
    coach_messages.CoachAdvice,
    coach_messages.RoundReview,
    coach_messages.PlayAgain,
    coach_messages.Again,
    msg.FoundRounds,
    msg.RoundReplay,
    msg.PitMap,
    submission_messages.FormCard,
    submission_messages.Drafts,
    submission_messages.Draft,
    submission_messages.Begin,
    submission_messages.Write,
    submission_messages.Send,
    submission_messages.SubmissionDecision,
    submission_messages.OpenTableRequest,
    report_endpoints.WinReport,
    second_person_endpoints.PendingAgreement,
    second_person_endpoints.AgreementsWaiting,
    second_person_endpoints.Say,
    school_messages.LessonLines,
    school_messages.LessonView,
    school_messages.BeginLesson,
    school_messages.SchoolAct,
    school_messages.ExaminerVerdict,
)


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
    found["FeedCommand"]["properties"] |= {"command": ref("Command"), "ask": ref("Ask")}
    found["Frame"] = {"oneOf": [ref(kind.__name__) for kind in get_args(msg.Frame)]}
    return dict(sorted(found.items()))


def _forms_at(place: str) -> Callable[[type], dict[str, Any]]:
    """A form is a protocol, which msgspec cannot describe: it is one of these, described there."""

    def described(kind: type) -> dict[str, Any]:
        if kind is fields.FieldType:
            return {"oneOf": [{"$ref": place + form.__name__} for form in FORMS]}
        raise NotImplementedError(f"{kind} has no schema")  # how msgspec is told of it

    return described


def _union(tags: dict[str, str]) -> dict[str, Any]:
    return {
        "oneOf": [ref(name) for name in tags.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {tag: f"#/components/schemas/{name}" for tag, name in tags.items()},
        },
    }


def paths() -> dict[str, Any]:
    """Every address with what it takes and gives."""
    acting = "400 401 403 404 409 413 415 422 429 503"
    looking = "401 403 404 429"
    return {
        "/tokens": {
            "post": operation(
                "Sign in with a program.",
                name="beginToken",
                takes="SignIn",
                gives="Token",
                fails="400 401 413 415 429",
                open_to_all=True,
            )
        },
        "/session": {
            "post": operation(
                "Sign in with a browser: the token is in a cookie.",
                name="beginSession",
                takes="SignIn",
                gives="Me",
                fails="400 401 403 413 415 429",
                open_to_all=True,
            ),
            "delete": operation("Sign out.", name="endSession", status="204", fails="401 403 429"),
        },
        "/me": {"get": operation("Who is signed in.", name="me", gives="Me")},
        "/tables": {"get": operation("Every table.", name="lobby", gives="Lobby")},
        "/tables/{table}": {
            "get": operation(
                "What a screen needs to know of a table's House.",
                name="house",
                gives="HouseCard",
                parameters=(TABLE,),
                fails=looking,
            )
        },
        "/tables/{table}/state": {
            "get": operation(
                "A snapshot.",
                name="state",
                gives="SnapshotFrame",
                parameters=(TABLE, ROLE),
                fails=looking,
            )
        },
        "/tables/{table}/commands": {
            "post": operation(
                "Carry out a command.",
                name="command",
                takes="Command",
                gives="Done",
                parameters=(TABLE, KEY, ROLE, PLAYER, number("expected", "The entry last seen.")),
                fails=acting,
            )
        },
        "/tables/{table}/agreements": {
            "post": operation(
                "Agree, as the second person whom it names, to a command of somebody else.",
                name="agree",
                takes="Command",
                gives="Problem",
                parameters=(TABLE, KEY),
                fails=acting,
            )
        },
        "/tables/{table}/asks": {
            "post": operation(
                "Ask something of the machine that runs a practice table.",
                name="ask",
                takes="Ask",
                gives="Done",
                parameters=(TABLE, KEY),
                fails=acting,
            )
        },
        "/pit/tables": {
            "get": operation(
                "Every table that one supervises, with what waits there.",
                name="pit",
                gives="PitMap",
                fails="401 403 429",
            )
        },
        **openapi_addresses.coach_paths(),
        **openapi_addresses.watch_paths(),
        **openapi_addresses.operator_paths(),
        **openapi_addresses.agreement_paths(),
        **openapi_addresses.school_paths(),
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
    found = {name: json.dumps(schema).encode() for name, schema in codec.schemas().items()}
    kinds: list[Any] = [*FORMS, msg.Frame]
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

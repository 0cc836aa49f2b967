"""The OpenAPI 3.1 document and the JSON Schemas, generated from endpoints and Structs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import msgspec

from croupier.server import protocol as msg
from croupier.server.http.endpoint import Endpoint, MessageType
from croupier.server.http.errors import PROBLEM_MEDIA_TYPE, UNCONFIRMED
from croupier.table import ExchangeField, NewLimits, OutsideLimits
from croupier.table.core import codec, fields
from croupier.table.core.codec import COMMANDS

COMPONENTS = "#/components/schemas/"
DESCRIPTION = (
    "Tables of regulated casino poker games. The feed is a WebSocket at /tables/{table}/feed, or"
    " Server-Sent Events at the same address; see docs/protocol.md."
)
STATUS = {
    "400": "The message is malformed.",
    "401": "Not signed in.",
    "403": "The person is not allowed to do this.",
    "404": "No table, submission, lesson or round has this name.",
    "409": "The table has changed, or the id belongs to another command.",
    "410": "Too far behind: start with a snapshot.",
    "413": "The message is too long.",
    "415": "The message is not JSON.",
    "423": "The session is locked: unlock it with a password or PIN.",
    "422": "The rules refuse it; the clause says which.",
    "429": "Rate limit exceeded.",
    "503": f"{UNCONFIRMED.capitalize()}.",
}
WRITE_ERRORS = ("400", "403", "404", "409", "413", "415", "422", "503")
PATH_PARAMETERS = {
    "token": ("string", "The token of a link."),
    "table": ("string", "The name of a table."),
    "game": ("string", "The key of a game."),
    "id": ("string", "The id of a submission, a lesson or a pending agreement."),
    "account": ("string", "The id of an account."),
    "round": ("integer", "The number of a round."),
    "suffix": ("string", "csv or pdf."),
    "day": ("string", "A gaming day, e.g. 2026-11-15."),
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": msg.KEY_MIN, "maxLength": msg.KEY_MAX},
    "description": "The id of the command. A repeated id changes nothing.",
}
# msgspec cannot describe `FieldType`, a protocol: in the schema it is any of these Structs.
FIELD_TYPES = tuple(
    kind
    for kind in (*vars(fields).values(), NewLimits, OutsideLimits, ExchangeField)
    if isinstance(kind, type)
    and issubclass(kind, msgspec.Struct)
    and kind.__struct_config__.tag_field == "form"
)


@cache
def document(endpoints: tuple[Endpoint, ...]) -> bytes:
    """The OpenAPI document of the documented endpoints, as JSON."""
    documented = [each for each in endpoints if each.documented]
    paths: dict[str, dict[str, Any]] = {}
    for each in documented:
        (method,) = each.methods
        paths.setdefault(each.path, {})[method.lower()] = _operation(each)
    content = {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier",
            "version": str(msg.PROTOCOL),
            "description": DESCRIPTION,
        },
        "paths": paths,
        "components": {
            "schemas": _components(documented),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "croupier_session"},
            },
        },
        "security": [{"token": []}, {"session": []}],
    }
    return json.dumps(content, indent=1, ensure_ascii=False).encode()


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    success: dict[str, Any] = {"description": "Success."}
    if endpoint.gives:
        success |= _json_content(endpoint.gives)
    problem = _json_content(msg.ProblemDetails, PROBLEM_MEDIA_TYPE)
    responses = {str(endpoint.status): success}
    responses |= {code: {"description": STATUS[code], **problem} for code in _errors(endpoint)}
    first, *rest = endpoint.handler.split("_")
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": endpoint.operation_id or first + "".join(map(str.title, rest)),
        "responses": responses,
    }
    if parameters := _parameters(endpoint):
        operation["parameters"] = parameters
    if endpoint.takes:
        operation["requestBody"] = {"required": True, **_json_content(endpoint.takes)}
    if endpoint.public:
        operation["security"] = []
    return operation


def _errors(endpoint: Endpoint) -> list[str]:
    """The status codes of errors: any request, one that names something, one that writes."""
    codes = {"401", "423", "429", *endpoint.errors.split()}
    if "{" in endpoint.path:
        codes |= {"403", "404"}
    if "POST" in endpoint.methods:
        codes.update(WRITE_ERRORS)
    return sorted(codes)


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    parameters = []
    for name in re.findall(r"\{(\w+)\}", endpoint.path):
        kind, description = PATH_PARAMETERS[name]
        parameters.append({**_parameter(name, "path", kind, description), "required": True})
    if endpoint.idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    for query in endpoint.query:
        parameters.append(_parameter(query.name, "query", query.type, query.description))
    return parameters


def _parameter(name: str, place: str, kind: str, description: str) -> dict[str, Any]:
    schema = {"type": kind, "minimum": 0} if kind == "integer" else {"type": kind}
    return {"name": name, "in": place, "schema": schema, "description": description}


def _json_content(message: MessageType, media: str = "application/json") -> dict[str, Any]:
    name = message if isinstance(message, str) else message.__name__ if message else ""
    return {"content": {media: {"schema": _ref(name)}}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": COMPONENTS + name}


def _components(endpoints: list[Endpoint]) -> dict[str, Any]:
    """The schemas of all messages, by name."""
    messages = [message for each in endpoints for message in (each.takes, each.gives)]
    kinds: list[Any] = [kind for kind in messages if isinstance(kind, type)]
    kinds += [msg.ProblemDetails, msg.FeedCommand, *get_args(msg.Frame), *FIELD_TYPES, *msg.ASKS]
    kinds += COMMANDS.values()
    _, schemas = msgspec.json.schema_components(
        kinds, schema_hook=_field_types_at(COMPONENTS), ref_template=COMPONENTS + "{name}"
    )
    tags = {name: kind.__name__ for name, kind in sorted(COMMANDS.items())}
    schemas["Command"] = _union(tags)
    schemas["Ask"] = _union({str(kind.__struct_config__.tag): kind.__name__ for kind in msg.ASKS})
    schemas["FeedCommand"]["properties"] |= {"command": _ref("Command"), "ask": _ref("Ask")}
    schemas["Frame"] = {"oneOf": [_ref(kind.__name__) for kind in get_args(msg.Frame)]}
    return dict(sorted(schemas.items()))


def _field_types_at(prefix: str) -> Callable[[type], dict[str, Any]]:
    def hook(kind: type) -> dict[str, Any]:
        if kind is fields.FieldType:
            return {"oneOf": [{"$ref": prefix + each.__name__} for each in FIELD_TYPES]}
        raise NotImplementedError(f"{kind} has no schema")  # which msgspec expects here

    return hook


def _union(tags: dict[str, str]) -> dict[str, Any]:
    return {
        "oneOf": [_ref(name) for name in tags.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {tag: COMPONENTS + name for tag, name in tags.items()},
        },
    }


@cache
def schemas() -> dict[str, bytes]:
    """JSON Schemas by file name: those of the table, and that of the feed's frames."""
    by_name = {name: json.dumps(schema).encode() for name, schema in codec.schemas().items()}
    kinds: list[Any] = [*FIELD_TYPES, msg.Frame]
    shapes, definitions = msgspec.json.schema_components(
        kinds, schema_hook=_field_types_at("#/$defs/"), ref_template="#/$defs/{name}"
    )
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:croupier:frame",
        "title": "Frame",
        **shapes[-1],
        "$defs": definitions,
    }
    return {**by_name, "frame.schema.json": json.dumps(schema).encode()}

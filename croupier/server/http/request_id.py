"""Request id: one id in the response, in every log line of the request, and in the ledger entry.

The id of a command is also the id of its request. Other requests may bring one in `X-Request-Id`;
otherwise the server makes one up.
"""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

from starlette.types import Scope

from croupier.server import protocol as msg
from croupier.server.http.request_headers import header_value

HEADER = b"x-request-id"
VALID = re.compile(rf"[ -~]{{{msg.KEY_MIN},{msg.KEY_MAX}}}")

request_id: ContextVar[str] = ContextVar("request_id", default="")


def begin_request(scope: Scope) -> str:
    """Set the id of the current request and return it."""
    for name in (b"idempotency-key", HEADER):
        given = header_value(scope, name).decode("latin-1")
        if VALID.fullmatch(given):
            break
    else:
        given = secrets.token_hex(12)
    request_id.set(given)
    return given

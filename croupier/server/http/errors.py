"""Errors of requests, and the mapping from every error to an HTTP status and a JSON body."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from croupier.errors import CroupierError, Refusal, Unknown
from croupier.ledger import Conflict, IdTaken, LedgerError, MeterUnreachable, NotFound, Stale
from croupier.server.protocol import Problem
from croupier.server.tables.host import TooFarBehind

encode = msgspec.json.Encoder().encode
UNREADABLE = "the ledger cannot be read right now; try again"
UNCONFIRMED = "outcome unknown: the ledger did not confirm it; send it again under the same id"

log = logging.getLogger("croupier.server")


class RequestError(CroupierError):
    """A request that the server rejects before any rule of a table is consulted."""

    status = 403


class NotSignedIn(RequestError):
    """No session, or one that has ended."""

    status = 401


class Forbidden(RequestError):
    """The person is not allowed to do this."""


class BodyTooLarge(RequestError):
    """A message longer than `MAX_BODY_BYTES`."""

    status = 413


class NotJson(RequestError):
    """A content type other than JSON."""

    status = 415


class TooManyRequests(RequestError):
    """A rate limit was exceeded."""

    status = 429


class RoleRefused(Refusal):
    """The table refused a command because the role may not give it."""


def http_status(error: Exception) -> int:
    """The HTTP status of an error."""
    match error:
        case RequestError():
            return error.status
        case MeterUnreachable():
            return 503
        case RoleRefused():
            return 403
        case Refusal():
            return 422
        case Stale() | IdTaken() | Conflict():
            return 409
        case TooFarBehind():
            return 410
        case Unknown() | NotFound():
            return 404
        case LedgerError() | SQLAlchemyError():
            return 503
        case CroupierError():
            return 400
    return 500


def error_reply(error: Exception, method: str) -> tuple[int, Problem]:
    """The status and body for an error, over HTTP and over the feed alike.

    Clients never see the details of a ledger failure or of an unexpected error, which is logged.
    """
    status = http_status(error)
    if isinstance(error, Refusal):
        return status, Problem(problem=error.problem, clause=error.clause, game=error.game)
    if status == 503:
        return status, Problem(problem=UNREADABLE if method == "GET" else UNCONFIRMED)
    if status == 500:
        log.error("a request failed", exc_info=error, extra={"method": method})
        return status, Problem(problem="internal server error; try again")
    return status, Problem(problem=str(error))


def error_response(error: Exception, method: str) -> Response:
    """The HTTP response to an error."""
    status, problem = error_reply(error, method)
    response = json_response(problem, status)
    if status in (429, 503):
        response.headers["retry-after"] = "1"
    return response


def json_response(body: Any, status: int = 200) -> Response:
    """A response whose body is encoded as JSON."""
    return Response(encode(body), status, media_type="application/json")

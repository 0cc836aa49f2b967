"""Errors of requests, and the mapping from every error to an HTTP status and a JSON body."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from croupier.errors import CroupierError, Refusal, Unknown
from croupier.ledger import Conflict, IdTaken, LedgerError, NotFound, Stale
from croupier.server.http.request_id import request_id
from croupier.server.protocol import Problem, ProblemDetails
from croupier.server.tables.host import TooFarBehind
from croupier.wording import shortened

encode = msgspec.json.Encoder().encode
REFUSAL_SECONDS = 0.1  # before a refusal by a rate limit, so that repeating it at once costs little
LENGTH_MAX = 2_000  # characters of a problem; it may repeat what was sent
PROBLEM_MEDIA_TYPE = "application/problem+json"
UNREADABLE = "the ledger cannot be read right now; try again"
UNCONFIRMED = "outcome unknown: the ledger did not confirm it; send it again under the same id"

log = logging.getLogger("croupier.server")


class RequestError(CroupierError):
    """A request that the server rejects before any rule of a table is consulted."""

    status = 403


class NotSignedIn(RequestError):
    """No session, or one that has ended."""

    status = 401


class SessionIsLocked(NotSignedIn):
    """The session was idle for too long; `POST /session/unlock` with a password or PIN."""

    status = 423


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
        case HTTPException():
            return error.status_code
        case RequestError():
            return error.status
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
        problem = shortened(error.problem, LENGTH_MAX)
        return status, Problem(problem=problem, clause=error.clause, game=error.game)
    if status == 503:
        return status, Problem(problem=UNREADABLE if method == "GET" else UNCONFIRMED)
    if status == 500:
        log.error("a request failed", exc_info=error, extra={"method": method})
        return status, Problem(problem="internal server error; try again")
    if isinstance(error, HTTPException):
        return status, Problem(problem=error.detail)
    return status, Problem(problem=shortened(str(error), LENGTH_MAX))


def problem_details(status: int, problem: Problem) -> ProblemDetails:
    """The body of an error response."""
    try:
        title = HTTPStatus(status).phrase
    except ValueError:
        title = "Error"
    return ProblemDetails(
        title=title,
        status=status,
        detail=problem.problem,
        request=request_id.get(),
        **msgspec.structs.asdict(problem),
    )


def error_response(error: Exception, method: str) -> Response:
    """The HTTP response to an error."""
    status, problem = error_reply(error, method)
    response = Response(
        encode(problem_details(status, problem)), status, media_type=PROBLEM_MEDIA_TYPE
    )
    if status in (429, 503):
        response.headers["retry-after"] = "1"
    return response


def json_response(body: Any, status: int = 200) -> Response:
    """A response whose body is encoded as JSON."""
    return Response(encode(body), status, media_type="application/json")

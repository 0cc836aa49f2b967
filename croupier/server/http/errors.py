"""Answers: JSON with a status that says who has to change something, and never a stack trace."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from starlette.responses import Response

from croupier.errors import BadInput, CroupierError, Refusal, Unknown
from croupier.ledger import Conflict, IdTaken, LedgerError, MeterUnreachable, NotFound
from croupier.server.auth.guard import Closed
from croupier.server.protocol import Problem
from croupier.server.tables.host import Stale, TooFarBehind

encode = msgspec.json.Encoder().encode


log = logging.getLogger("croupier.server")


class Forbidden(Closed):
    """Not for this person."""

    status = 403


class NotTheirs(Refusal):
    """The table has refused the person, whatever it would say to another one."""


BROKEN = Problem(problem="the server failed; try again")


def json_response(body: Any, status: int = 200) -> Response:
    """A body as JSON."""
    return Response(encode(body), status, media_type="application/json")


def http_status(error: CroupierError) -> int:
    """The status of what was not done."""
    match error:
        case Closed():
            return error.status
        case MeterUnreachable():
            return 503
        case NotTheirs():
            return 403
        case Refusal():
            return 422
        case Stale() | IdTaken() | Conflict():
            return 409
        case TooFarBehind():
            return 410
        case Unknown() | NotFound():
            return 404
        case LedgerError():
            return 503
        case BadInput():
            return 400
    return 400


def error_body(error: CroupierError, status: int) -> Problem:
    """Why something was not done; of a failing record nobody is told the particulars."""
    if isinstance(error, Refusal):
        return Problem(problem=error.problem, clause=error.clause, game=error.game)
    if status == 503:
        return Problem(problem="the record cannot be written now; nothing was done")
    return Problem(problem=str(error))


def problem(error: CroupierError, status: int) -> Response:
    """The same as an answer."""
    response = json_response(error_body(error, status), status)
    if status in (429, 503):
        response.headers["retry-after"] = "1"
    return response


def internal_error(error: Exception, method: str) -> Response:
    """Whatever went wrong inside is written to the log, and told to nobody."""
    log.error("a request failed", exc_info=error, extra={"method": method})
    return json_response(BROKEN, 500)

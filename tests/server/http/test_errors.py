"""Every error has one status and body; only an unknown outcome has 503."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.errors import BadInput, CroupierError, Refusal
from croupier.ledger import MeterUnreachable, StoreFailed, TableStopped
from croupier.ledger.errors import Excluded, RefusedElsewhere
from croupier.server.http.errors import UNCONFIRMED, error_reply
from croupier.server.http.openapi import STATUS
from croupier.table import Envelope
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, AT

REFUSAL = Refusal("bets are closed", "7.F.1")


@pytest.mark.parametrize(
    "refusal",
    [
        REFUSAL,
        MeterUnreachable("g", "halted: repair"),
        Excluded("ann"),
        RefusedElsewhere(REFUSAL, "staff", 1, Envelope("early", ANN, AT, cmd.NoMoreBets())),
    ],
    ids=lambda refusal: type(refusal).__name__,
)
def test_a_refusal_has_422_with_its_clause(refusal: Refusal) -> None:
    """Its outcome is known: clients repeat a 503, and would not show why it was refused."""
    for method in ("POST", "feed"):
        status, problem = error_reply(refusal, method)
        assert (422, refusal.problem, refusal.clause) == (status, problem.problem, problem.clause)


@pytest.mark.parametrize("error", [StoreFailed("disk full"), TableStopped("disk full")])
def test_an_unconfirmed_command_has_503(error: CroupierError) -> None:
    """Nobody says that nothing was done; the OpenAPI document has the same text."""
    for method in ("POST", "feed"):
        status, problem = error_reply(error, method)
        assert (503, UNCONFIRMED) == (status, problem.problem)
    assert f"{UNCONFIRMED.capitalize()}." == STATUS["503"]
    assert UNCONFIRMED != error_reply(error, "GET")[1].problem, "a GET has no outcome"


@pytest.mark.parametrize("error", [Refusal, lambda text, clause: BadInput(text)])
def test_what_was_sent_is_not_repeated_in_full(error: Callable[[str, str], CroupierError]) -> None:
    """A name of 60 KB does not come back with its refusal."""
    _, problem = error_reply(error(f"{'x' * 60_000} is not offered", "7.A"), "POST")
    assert problem.problem.startswith("xxx") and problem.problem.endswith("(60015 characters)")
    assert len(problem.problem) < 2_100

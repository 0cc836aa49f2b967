"""The two-person rule: a command that names a second person needs that person's agreement.

A request for it waits in the memory of the active server for as long as an answer is valid. The
second person, signed in as themselves, agrees to exactly this command under exactly this id. The
ledger records the answer, which changes nothing at the table: the first person then sends the
command.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from croupier.clock import now_ms
from croupier.ledger import IdTaken, Ledger
from croupier.ledger.aggregates.approval_messages import Agree
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS, answer_key
from croupier.ledger.aggregates.approvals import (
    command_digest,
    command_text,
    find_second_person,
)
from croupier.server.http.errors import TooManyRequests
from croupier.server.submissions.repository import decision_id
from croupier.table import Account, Command

CLOCK_TIMES = ("last", "time")
WAITING_MAX = 5  # requests of one account that wait for an answer

AgreementState: TypeAlias = Literal["waits", "agreed", "declined", "done"]


class PendingAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """A command that waits for its second person."""

    id: str
    key: str  # the command's id
    table: str  # empty for the clock of the ledger
    kind: str
    sentence: str
    command: dict[str, Any]
    by: str
    second: str
    role: str  # of the second person
    state: AgreementState = "waits"
    link: str = ""  # for the owner of an account that was created or reset; its requester has it
    code: str = ""  # that the owner needs as well; the second person has it

    @property
    def terms(self) -> dict[str, Any]:
        """What the second person agrees to, without the times the server adds for a clock."""
        return {name: value for name, value in self.command.items() if name not in CLOCK_TIMES}


class OwnerAccess(NamedTuple):
    """How the owner of an account without a password gets in: a link, and a code."""

    link: str
    code: str


class AgreementRequest(NamedTuple):
    """A pending agreement, and the function that its answer calls in a thread."""

    pending: PendingAgreement
    answer: Callable[[bool], OwnerAccess | None]
    until: float  # on the monotonic clock


class SecondPersonRule:
    """Recorded agreements, and the requests that wait for one at this server."""

    def __init__(self, ledger: Ledger) -> None:
        self.record = ledger.approvals
        self._requests: dict[str, AgreementRequest] = {}

    # Agreements, recorded in the ledger; these block

    def record_answer(
        self, table: str, id: str, command: Command, asked_by: str, agreed: bool
    ) -> None:
        """Record whether the second person agrees; repeating an answer changes nothing."""
        second = find_second_person(command)
        assert second is not None, "a command that waits names its second person"
        agree = Agree(
            table=table, id=id, command=command_text(command), agreed=agreed, asked_by=asked_by
        )
        parts = (table, id, agree.command, second.role, second.id, str(agreed), asked_by)
        self.record.do(agree, second, id=decision_id("agree", *parts))

    def has_agreed(self, table: str, id: str, command: Command, second: Account) -> bool:
        """Whether the second person agrees, and the answer has not expired."""
        key = answer_key(table, id, command_digest(command), second)
        self.record.refresh()
        with self.record.lock:
            answer = self.record.aggregate.answers.get(key)
        return answer is not None and answer.agreed and answer.at + ANSWER_VALID_MS > now_ms()

    # Requests, in the memory of this server

    def add(
        self, pending: PendingAgreement, answer: Callable[[bool], OwnerAccess | None]
    ) -> PendingAgreement:
        """Add a request; the same one again is the earlier one. IdTaken for another command."""
        requests = self.pending()
        for earlier in requests:
            if earlier.id == pending.id:
                if earlier.terms != pending.terms:
                    raise IdTaken(pending.table or "clock", pending.key)
                return earlier
        waiting = [each.id for each in requests if (each.by, each.state) == (pending.by, "waits")]
        if len(waiting) >= WAITING_MAX:
            raise TooManyRequests(
                f"{len(waiting)} of your requests wait for an agreement, the most allowed"
            )
        self._keep(pending, answer)
        return pending

    def pending(self) -> list[PendingAgreement]:
        """Requests that have not expired, oldest first."""
        now = time.monotonic()
        self._requests = {id: each for id, each in self._requests.items() if each.until > now}
        return [each.pending for each in self._requests.values()]

    async def answer(self, pending: PendingAgreement, agreed: bool) -> PendingAgreement:
        """Let the second person answer; a request about the clock is answered only once."""
        if pending.state != "waits" and not pending.table:
            return pending
        answer = self._requests[pending.id].answer
        access = await asyncio.to_thread(answer, agreed) or OwnerAccess("", "")
        state: AgreementState = "agreed" if agreed else "declined"
        pending = msgspec.structs.replace(pending, state=state, link=access.link, code=access.code)
        self._keep(pending, answer)
        return pending

    def mark_done(self, table: str, by: str, key: str) -> None:
        """Note that the command of a request was executed."""
        for pending in self.pending():
            if (pending.table, pending.by, pending.key) == (table, by, key):
                done = msgspec.structs.replace(pending, state="done")
                self._requests[pending.id] = self._requests[pending.id]._replace(pending=done)

    def _keep(
        self, pending: PendingAgreement, answer: Callable[[bool], OwnerAccess | None]
    ) -> None:
        until = time.monotonic() + ANSWER_VALID_MS / 1000
        self._requests[pending.id] = AgreementRequest(pending, answer, until)

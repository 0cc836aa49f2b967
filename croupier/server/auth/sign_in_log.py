"""Record of sign-ins and sign-outs in the ledger, and of failed sign-ins, which are counted.

A failure of an account from an address is recorded at once, further ones within a minute as one
count. Unknown names count as one account and are not stored, because a name may be a
mistyped password. At most `FAILURES_PER_MINUTE_MAX` pairs have counts of their own; the rest is
counted together, so that guesses cannot fill the ledger. A server that is killed loses the counts
of its last minute.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

from croupier.clock import now_ms
from croupier.errors import CroupierError
from croupier.ledger.aggregates.account_messages import NoteSignIns, SignInCount
from croupier.ledger.aggregates.account_register import ADDRESS_LENGTH_MAX, COUNTS_MAX
from croupier.server.auth.accounts import BY_PROGRAM, Accounts
from croupier.table.core.roles import normalize_id

QUIET_SECONDS = 60.0
FAILURES_PER_MINUTE_MAX = 100  # accounts and addresses with counts of their own
WAITING_MAX = 10_000  # sign-ins that wait for a ledger that cannot be written
NAME_MAX = 200  # characters of a name that are looked up
OTHERS = ("", "further addresses")
log = logging.getLogger("croupier.server")


class SignInLog:
    """The sign-ins of one server that are not recorded yet."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self._done: list[SignInCount] = []
        self._failed: dict[tuple[str, str], SignInCount] = {}
        self._quiet: dict[tuple[str, str], float] = {}  # until when no count is recorded
        self._flushing = asyncio.Lock()

    async def note_sign_in(self, account: str, address: str) -> None:
        """Record a sign-in before the session is handed out."""
        self._note_done(SignInCount(kind="signed_in", account=account, **_place(address)))
        await self.flush()

    async def note_sign_out(self, account: str, address: str) -> None:
        """Record a sign-out."""
        self._note_done(SignInCount(kind="signed_out", account=account, **_place(address)))
        await self.flush()

    async def note_failure(self, name: str, address: str) -> None:
        """Count a failed sign-in; the first of its minute is recorded when this returns."""
        id = normalize_id(name[:NAME_MAX])
        if not await asyncio.to_thread(self.accounts.exists, id):
            id = ""
        key = (id, address[:ADDRESS_LENGTH_MAX])
        if key not in self._quiet and len(self._quiet) >= FAILURES_PER_MINUTE_MAX:
            key = OTHERS
        self._quiet.setdefault(key, 0.0)
        earlier = self._failed.get(key)
        self._failed[key] = SignInCount(
            kind="failed",
            account=key[0],
            address=key[1],
            at=now_ms(),
            count=1 + (earlier.count if earlier else 0),
        )
        await self.flush()

    async def flush(self, *, all: bool = False) -> None:
        """Record sign-ins, and the failures whose minute is over, or all of them."""
        async with self._flushing:
            moment = monotonic()
            due = [key for key in self._failed if all or moment >= self._quiet[key]]
            counts = [*self._done, *(self._failed.pop(key) for key in due)]
            self._done = []
            for key in due:
                self._quiet[key] = moment + QUIET_SECONDS
            self._quiet = {
                key: until
                for key, until in self._quiet.items()
                if until > moment or key in self._failed
            }
            if not self.accounts.register.aggregate.founded:
                return  # there is nobody yet
            for start in range(0, len(counts), COUNTS_MAX):
                await self._record(counts[start : start + COUNTS_MAX])

    async def _record(self, counts: list[SignInCount]) -> None:
        try:
            command = NoteSignIns(counts=tuple(counts))
            await asyncio.to_thread(self.accounts.register.do, command, BY_PROGRAM.by)
        except CroupierError as error:  # people sign in even then, to repair the ledger
            log.error("sign-ins could not be recorded", extra={"why": type(error).__name__})
            for count in counts:
                self._note_done(count)

    def _note_done(self, count: SignInCount) -> None:
        if len(self._done) < WAITING_MAX:
            self._done.append(count)


def _place(address: str) -> dict[str, Any]:
    return {"address": address[:ADDRESS_LENGTH_MAX], "at": now_ms()}

"""Audit of denied attempts in the ledger: the first at once, further ones counted.

At most two entries per account and minute are written, so that attempts cannot fill the ledger.
Unknown names count as one account and are not stored, because a name may be a mistyped password.
A server that is killed loses the counts of its last minute.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

from croupier.errors import CroupierError
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import AccessAttempt, NoteDenied
from croupier.ledger.aggregates.approvals import ATTEMPTS_PER_NOTE_MAX
from croupier.server.auth.accounts import Accounts
from croupier.table import Account
from croupier.table.core.roles import normalize_id

QUIET_SECONDS = 60.0
NAME_MAX = 200  # characters of a name that are looked up
OTHERS = ("", "more", "further kinds of attempts")
SERVER = Account("floor", "system")
log = logging.getLogger("croupier.server")

Counts = Counter[tuple[str, str, str]]  # by client address, action and reason


class DeniedAttempts:
    """The denied attempts of one server, counted by account."""

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.record = ledger.approvals
        self.accounts = accounts
        self._quiet: dict[str, float] = {}  # by account, until when no entry is written
        self._counts: dict[str, Counts] = {}

    async def note(self, account: str, peer: str, what: str, why: str) -> None:
        """Count an attempt; recorded when this returns if it is the first of its minute."""
        name = normalize_id(account[:NAME_MAX])
        if not await asyncio.to_thread(self.accounts.exists, name):
            name = ""
        counts = self._counts.setdefault(name, Counter())
        attempt = (peer[:100], what[:200], why[:300])
        counts[
            attempt if attempt in counts or len(counts) < ATTEMPTS_PER_NOTE_MAX - 1 else OTHERS
        ] += 1
        await self.flush()

    async def flush(self, *, all: bool = False) -> None:
        """Record the counts of accounts whose minute is over, or of all accounts."""
        moment = time.monotonic()
        for name in tuple(self._counts):
            if all or moment >= self._quiet.get(name, 0.0):
                self._quiet[name] = moment + QUIET_SECONDS
                await self._write(name, self._counts.pop(name))

    async def _write(self, name: str, counts: Counts) -> None:
        attempts = tuple(AccessAttempt(*attempt, count=count) for attempt, count in counts.items())
        command = NoteDenied(account=name, attempts=attempts)
        try:
            await asyncio.to_thread(self.record.do, command, SERVER)
        except CroupierError as error:  # the attempts were denied all the same
            log.error("denied attempts could not be recorded", extra={"why": type(error).__name__})

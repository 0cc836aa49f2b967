"""Attempts that were not let through, on the record: the first at once, what follows counted.

Of one account at most two entries a minute are written, and nobody fills the record by knocking.
Whoever has no account is one of them, and the name that was typed is kept nowhere: it may be a
password. Of a server that is killed the count of its last minute is lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

from croupier.errors import CroupierError
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import NoteDenied, Tried
from croupier.ledger.aggregates.approvals import KINDS_MOST
from croupier.server.auth.accounts import Accounts
from croupier.table import Account
from croupier.table.core.roles import normalize_id

QUIET_SECONDS = 60.0
NAME_MOST = 200  # signs of a name that are looked at
REST = ("", "more", "other attempts than those that are named")
SERVER = Account("floor", "system")
log = logging.getLogger("croupier.server")

Held = Counter[tuple[str, str, str]]  # peer, what, why


class DeniedAttempts:
    """What one server did not let through."""

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.record = ledger.decisions
        self.accounts = accounts
        self._quiet: dict[str, float] = {}  # until when no entry about an account is written
        self._held: dict[str, Held] = {}

    async def note(self, account: str, peer: str, what: str, why: str) -> None:
        """Keep an attempt; on record when this returns, if it is the first of its minute."""
        name = normalize_id(account[:NAME_MOST])
        if not await asyncio.to_thread(self.accounts.known, name):
            name = ""
        held = self._held.setdefault(name, Counter())
        tried = (peer[:100], what[:200], why[:300])
        held[tried if tried in held or len(held) < KINDS_MOST - 1 else REST] += 1
        await self.flush()

    async def flush(self, *, all: bool = False) -> None:
        """Write what is held of accounts whose minute is over, or of all."""
        moment = time.monotonic()
        for name in tuple(self._held):
            if all or moment >= self._quiet.get(name, 0.0):
                self._quiet[name] = moment + QUIET_SECONDS
                await self._write(name, self._held.pop(name))

    async def _write(self, name: str, held: Held) -> None:
        attempts = tuple(Tried(*tried, count=count) for tried, count in held.items())
        command = NoteDenied(account=name, attempts=attempts)
        try:
            await asyncio.to_thread(self.record.do, command, SERVER)
        except CroupierError as error:  # nobody is let in by it, and the log has it
            log.error("denied attempts are not on record", extra={"why": type(error).__name__})

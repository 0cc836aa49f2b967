"""Verifies the software at the start of the server and every 24 hours, and records the result."""

from __future__ import annotations

import asyncio
import logging

from croupier.errors import CroupierError
from croupier.ledger.aggregates.administration import NoteSelfCheck
from croupier.server.floor import Floor
from croupier.software_identity import SelfCheck, self_check

PERIOD_SECONDS = 24 * 3600.0
PROBLEMS_MAX = 20  # on record; the log and `croupier self-check` have all of them
log = logging.getLogger("croupier.server")


class SoftwareWatch:
    """The last self-check of this server."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.last: SelfCheck | None = None

    async def run(self) -> None:
        """Check again and again until cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(PERIOD_SECONDS)

    async def check(self) -> SelfCheck:
        """Compare the files with the manifest, in a thread; the result is recorded."""
        result = self.last = await asyncio.to_thread(self_check)
        for problem in result.problems:
            log.error("the software differs from the release", extra={"why": problem})
        command = NoteSelfCheck(
            version=result.version,
            digest=result.digest,
            verified=result.ok,
            problems=result.problems[:PROBLEMS_MAX],
        )
        try:
            await self.floor.administer(command)
        except CroupierError as error:
            log.error("the self-check could not be recorded", extra={"why": str(error)})
        return result

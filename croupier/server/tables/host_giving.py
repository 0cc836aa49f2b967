"""What is given to a table to be carried out, and the machine that may have more to say."""

from __future__ import annotations

import asyncio
from typing import Protocol

import msgspec

from croupier.server import protocol as msg
from croupier.server.tables.subscription import FeedEntry
from croupier.table import Account, Envelope, Table


class TableDriver(Protocol):
    """Whoever runs a practice table."""

    @property
    def busy(self) -> bool: ...

    @property
    def hurries(self) -> bool:
        """Whether it makes no pauses."""

    def told(self, account: Account) -> msg.DealerCard: ...

    def wake(self) -> None: ...

    def following(self, table: Table) -> Envelope | None:
        """What it does at once at a table as it will be; None if it waits, or takes its time."""

    def moved(self) -> None:
        """The table has become what `following` was asked of last, or something else."""


class PendingCommand(msgspec.Struct, eq=False):
    """A command that waits for its turn, and whoever waits for what becomes of it."""

    envelope: Envelope
    expected: int | None = None
    done: asyncio.Future[FeedEntry] | None = None  # None: what the machine says goes on by itself

    @property
    def given_up(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.done is not None and self.done.cancelled()

    def answer(self, line: FeedEntry) -> None:
        """It is durable."""
        if self.done is not None and not self.done.done():
            self.done.set_result(line)

    def fail(self, error: BaseException) -> None:
        """It was not carried out, or nobody can say."""
        if self.done is not None and not self.done.done():
            self.done.set_exception(error)

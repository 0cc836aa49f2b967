"""What a reader of a table is sent, frame by frame, over a socket or a stream of events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

from croupier.clock import now_ms
from croupier.server import protocol as msg
from croupier.server.tables.host import TableHost
from croupier.server.tables.subscription import BATCH_MAX, EncodedFrame, FeedEntry, Subscription
from croupier.table import Account, Role

OutgoingFrame = msg.Frame | EncodedFrame


async def frames(
    desk: TableHost, feed: Subscription, roles: Sequence[Role], after: int | None
) -> AsyncIterator[list[OutgoingFrame]]:
    """A snapshot, or what was missed since an entry; then everything as it happens.

    Each list is what can be told at once. Numbers follow each other without a gap, whatever of
    the entries is shown.
    """
    account = feed.account
    told = desk.sequence
    feed.skip(told)  # what is told now is not told again
    if after is None:
        yield [snapshot(desk, account, roles)]
    else:
        missed = await desk.entries_after(after, told)
        while len(missed) > BATCH_MAX:
            yield entry_frames(desk, account, missed[:BATCH_MAX], False)
            missed = missed[BATCH_MAX:]
        yield entry_frames(desk, account, missed, feed.caught_up)
    async for lines in feed.news():
        last = not desk.busy  # otherwise it is told when the machine waits
        feed.owed = not last
        if lines or last:
            yield entry_frames(desk, account, lines, last)


def entry_frames(
    desk: TableHost, account: Account, lines: Sequence[FeedEntry], last: bool
) -> list[OutgoingFrame]:
    """So many entries, with the state behind the last one; or the state alone."""
    if not lines:
        return [state_frame(desk, account)]
    found: list[OutgoingFrame] = [line.written_for(account) for line in lines]
    if last:
        found[-1] = entry_with_state(desk, account, lines[-1])
    return found


def snapshot(desk: TableHost, account: Account, roles: Sequence[Role]) -> msg.SnapshotFrame:
    """Everything that an account may see now."""
    return msg.SnapshotFrame(
        protocol=msg.PROTOCOL,
        account=account.id,
        roles=tuple(roles),
        role=account.role,
        sequence=desk.sequence,
        at=now_ms(),
        state=desk.state(account),
    )


def entry_with_state(desk: TableHost, account: Account, line: FeedEntry) -> msg.EntryFrame:
    """One entry of the record, with the state where nothing further waits."""
    state, seen = desk.state(account), cast(Any, line.seen_by(account))  # written as JSON already
    return msg.EntryFrame(sequence=line.sequence, at=line.at, events=seen, state=state)


def state_frame(desk: TableHost, account: Account) -> msg.StateFrame:
    """The state without an entry."""
    return msg.StateFrame(sequence=desk.sequence, at=now_ms(), state=desk.state(account))

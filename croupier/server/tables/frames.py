"""Builds the frames of a feed: snapshot, entries and state, for WebSocket and event stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

from croupier.clock import now_ms
from croupier.server import protocol as msg
from croupier.server.tables.host import TableHost
from croupier.server.tables.subscription import BATCH_MAX, EncodedFrame, FeedEntry, Subscription
from croupier.table import Account, Role

OutgoingFrame = msg.TableFrame | EncodedFrame


async def frames(
    host: TableHost, subscription: Subscription, roles: Sequence[Role], after: int | None
) -> AsyncIterator[list[OutgoingFrame]]:
    """A snapshot, or the entries missed since `after`; then entries as they are committed.

    Each list can be sent at once. Sequence numbers have no gaps, however much of an entry the
    account can see.
    """
    account = subscription.account
    current = host.sequence
    subscription.skip_to(current)
    if after is None:
        yield [snapshot(host, account, roles)]
    else:
        missed = await host.entries_after(after, current)
        while len(missed) > BATCH_MAX:
            yield entry_frames(host, account, missed[:BATCH_MAX], False)
            missed = missed[BATCH_MAX:]
        yield entry_frames(host, account, missed, subscription.caught_up)
    async for batch in subscription.batches():
        with_state = not host.busy  # otherwise it follows when the bot pauses
        subscription.state_owed = not with_state
        if batch or with_state:
            yield entry_frames(host, account, batch, with_state)


def entry_frames(
    host: TableHost, account: Account, batch: Sequence[FeedEntry], with_state: bool
) -> list[OutgoingFrame]:
    """A batch of entries, with the state in the last one; the state alone for an empty batch."""
    if not batch:
        return [state_frame(host, account)]
    result: list[OutgoingFrame] = [entry.frame_for(account) for entry in batch]
    if with_state:
        result[-1] = entry_with_state(host, account, batch[-1])
    return result


def snapshot(host: TableHost, account: Account, roles: Sequence[Role]) -> msg.SnapshotFrame:
    """The first frame of a feed."""
    return msg.SnapshotFrame(
        protocol=msg.PROTOCOL,
        account=account.id,
        roles=tuple(roles),
        role=account.role,
        sequence=host.sequence,
        at=now_ms(),
        state=host.state(account),
    )


def entry_with_state(host: TableHost, account: Account, entry: FeedEntry) -> msg.EntryFrame:
    """One entry, with the state after it."""
    return msg.EntryFrame(
        sequence=entry.sequence,
        at=entry.at,
        events=cast(Any, entry.events_for(account)),
        sentences=entry.sentences_for(account),
        state=host.state(account),
    )


def state_frame(host: TableHost, account: Account) -> msg.StateFrame:
    """The state without an entry."""
    return msg.StateFrame(sequence=host.sequence, at=now_ms(), state=host.state(account))

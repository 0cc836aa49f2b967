"""Builds the frames of a feed: snapshot, entries and state, for WebSocket and event stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

from croupier.clock import now_ms
from croupier.server import protocol as msg
from croupier.server.tables.host import TableHost
from croupier.server.tables.state_patch import merge_patch
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
    current = host.sequence
    subscription.skip_to(current)
    if after is None:
        first = snapshot(host, subscription.account, roles)
        subscription.sent = first.state
        yield [first]
    else:
        missed = await host.entries_after(after, current)
        while len(missed) > BATCH_MAX:
            yield entry_frames(host, subscription, missed[:BATCH_MAX], False)
            missed = missed[BATCH_MAX:]
        yield entry_frames(host, subscription, missed, subscription.caught_up)
    async for batch in subscription.batches():
        with_state = not host.busy  # otherwise it follows when the bot pauses
        subscription.state_owed = not with_state
        if batch or with_state:
            yield entry_frames(host, subscription, batch, with_state)


def entry_frames(
    host: TableHost, subscription: Subscription, batch: Sequence[FeedEntry], with_state: bool
) -> list[OutgoingFrame]:
    """A batch of entries, with the state in the last one; the state alone for an empty batch."""
    if not batch:
        return [
            msg.StateFrame(sequence=host.sequence, at=now_ms(), **next_state(host, subscription))
        ]
    account = subscription.account
    result: list[OutgoingFrame] = [entry.frame_for(account) for entry in batch]
    if with_state:
        last = batch[-1]
        result[-1] = msg.EntryFrame(
            sequence=last.sequence,
            at=last.at,
            events=cast(Any, last.events_for(account)),
            sentences=last.sentences_for(account),
            **next_state(host, subscription),
        )
    return result


def next_state(host: TableHost, subscription: Subscription) -> dict[str, Any]:
    """The state for a frame: whole, or as a patch of the last one."""
    last, current = subscription.sent, host.state(subscription.account)
    subscription.sent = current
    return {"state": current} if last is None else {"patch": merge_patch(last, current)}


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

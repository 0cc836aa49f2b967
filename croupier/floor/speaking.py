"""What a reader of a table is sent, frame by frame, over a socket or a stream of events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from croupier.floor import messages as msg
from croupier.floor.accounts import now
from croupier.floor.desk import Desk, seen_by
from croupier.floor.feeds import Feed, Line
from croupier.table import Account, Role


async def frames(
    desk: Desk, feed: Feed, roles: Sequence[Role], after: int | None
) -> AsyncIterator[msg.Frame]:
    """A snapshot, or what was missed since an entry; then everything as it happens.

    Numbers follow each other without a gap, whatever of the entries is shown.
    """
    account = feed.account
    told = desk.sequence
    feed.skip(told)  # what is told now is not told again
    if after is None:
        yield snapshot(desk, account, roles)
    else:
        missed = await desk.missed(after, told)
        for line in missed[:-1]:
            yield entry(desk, account, line, False)
        yield (
            entry(desk, account, missed[-1], feed.caught_up) if missed else changed(desk, account)
        )
    async for news in feed.news():
        if news is None and desk.busy:
            feed.owed = True
        elif news is None:
            feed.owed = False
            yield changed(desk, account)
        else:
            feed.owed = desk.busy or not feed.caught_up
            yield entry(desk, account, news, not feed.owed)


def snapshot(desk: Desk, account: Account, roles: Sequence[Role]) -> msg.Snapshot:
    """Everything that an account may see now."""
    return msg.Snapshot(
        protocol=msg.PROTOCOL,
        account=account.id,
        roles=tuple(roles),
        role=account.role,
        sequence=desk.sequence,
        at=now(),
        state=desk.state(account),
    )


def entry(desk: Desk, account: Account, line: Line, last: bool) -> msg.Happened:
    """One entry of the record; with the state where nothing further waits."""
    state = desk.state(account) if last else None
    return msg.Happened(
        sequence=line.sequence, at=line.at, events=seen_by(account, line), state=state
    )


def changed(desk: Desk, account: Account) -> msg.Changed:
    """The state without an entry."""
    return msg.Changed(sequence=desk.sequence, at=now(), state=desk.state(account))

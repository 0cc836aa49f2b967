"""Rules Submissions of a floor, from the first draft to the approval: kept beside the accounts.

An approved submission is never changed and never deleted: an amendment is another one, which names
the one it began from (COMAR 36.05.03.19E). Every function here blocks and is called in a thread.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from croupier.errors import Refusal, Unknown
from croupier.floor.accounts import Accounts, metadata, now
from croupier.floor.desk import Stale

APPROVED = "COMAR 36.05.03.19"  # offered only after written approval
CHANGED = "COMAR 36.05.03.21B"  # no change of terms without approval
State: TypeAlias = Literal["draft", "sent", "approved", "withdrawn"]

submission = sa.Table(
    "floor_submission",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
)
# Tables that were taken off the floor; their record stays.
closed = sa.Table(
    "floor_closed",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)


class UnknownFiling(Unknown):
    """No submission has this id."""

    kind = "submission"


class ChangedMeanwhile(Stale):
    """Somebody else has changed the submission since it was looked at."""


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """One submission with everybody who had a hand in it."""

    id: str
    game: str
    answers: dict[str, str]
    state: State = "draft"
    version: int = 1
    began: int = 0
    authors: tuple[str, ...] = ()  # whoever wrote any of it
    based_on: str = ""
    digest: str = ""  # of what was sent
    sent_by: str = ""
    sent_at: int = 0
    decided_by: str = ""
    decided_at: int = 0
    remark: str = ""


class Filings:
    """The submissions of a floor."""

    def __init__(self, accounts: Accounts) -> None:
        self.engine = accounts.engine
        metadata.create_all(self.engine, tables=[submission, closed])

    def all(self) -> list[Filing]:
        """Every submission, the newest first."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(submission.c.content)).all()
        found = [_read(row) for row in rows]
        return sorted(found, key=lambda each: (-each.began, each.id))

    def find(self, id: str) -> Filing:
        """The submission of an id."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(submission).where(submission.c.id == id)).first()
        if row is None:
            raise UnknownFiling(id[:80])
        return _read(row)

    def begin(self, id: str, game: str, answers: dict[str, str], by: str, based_on: str) -> Filing:
        """A new draft; the same id again is the one that is there."""
        new = Filing(
            id=id, game=game, answers=answers, began=now(), authors=(by,), based_on=based_on
        )
        with self.engine.begin() as connection:
            there = connection.execute(sa.select(submission).where(submission.c.id == id)).first()
            if there is not None:
                return _read(there)
            row = {"id": id, "version": new.version, "content": _written(new)}
            connection.execute(submission.insert().values(**row))
        return new

    def write(self, id: str, version: int, answers: dict[str, str], by: str) -> Filing:
        """What a draft says now; whoever writes is an author."""
        known = self.find(id)
        _require(known.state == "draft", f"{id} is {known.state}; begin another one", CHANGED)
        authors = (*known.authors, by) if by not in known.authors else known.authors
        return self._change(known, version, answers=answers, authors=authors)

    def send(self, id: str, version: int, digest: str, by: str) -> Filing:
        """Ask for approval of exactly this."""
        known = self.find(id)
        _require(known.state == "draft", f"{id} is {known.state} already", APPROVED)
        sent = {"state": "sent", "digest": digest, "sent_by": by, "sent_at": now()}
        return self._change(known, version, **sent)

    def decide(self, id: str, digest: str, approved: bool, remark: str, by: str) -> Filing:
        """Approve what was sent, or give it back; never by anybody who wrote or sent it."""
        known = self.find(id)
        _require(known.state == "sent", f"{id} is {known.state}; nothing waits", APPROVED)
        if digest != known.digest:
            raise ChangedMeanwhile(f"{id} was sent as {known.digest[:12]}, not {digest[:12]}")
        own = by in (*known.authors, known.sent_by)
        _require(not own, f"{by} wrote it: another person approves", APPROVED)
        _require(approved or bool(remark.strip()), "what is given back has a remark", APPROVED)
        decided = {"decided_by": by, "decided_at": now(), "remark": remark.strip()}
        state = "approved" if approved else "draft"
        return self._change(known, known.version, state=state, **decided)

    def withdraw(self, id: str, version: int) -> Filing:
        """Give a draft up; it stays on file."""
        known = self.find(id)
        _require(known.state in ("draft", "sent"), f"{id} is {known.state}", CHANGED)
        return self._change(known, version, state="withdrawn")

    def _change(self, known: Filing, version: int, **values: Any) -> Filing:
        stale = ChangedMeanwhile(f"{known.id} is at version {known.version}, not {version}")
        if version != known.version:
            raise stale
        new = msgspec.structs.replace(known, version=known.version + 1, **values)
        with self.engine.begin() as connection:
            changed = connection.execute(
                submission.update()
                .where(submission.c.id == known.id, submission.c.version == version)
                .values(version=new.version, content=_written(new))
            )
        if not changed.rowcount:  # somebody else was faster
            raise stale
        return new

    # Tables off the floor

    def close_table(self, table: str, by: str) -> None:
        """Keep in mind that a table is off the floor."""
        with self.engine.begin() as connection:
            connection.execute(closed.delete().where(closed.c.at_table == table))
            connection.execute(closed.insert().values(at_table=table, by=by, at=now()))

    def open_table(self, table: str) -> None:
        """It is on the floor again."""
        with self.engine.begin() as connection:
            connection.execute(closed.delete().where(closed.c.at_table == table))

    def closed_tables(self) -> dict[str, str]:
        """Tables off the floor, and by whom."""
        with self.engine.connect() as connection:
            return {row.at_table: row.by for row in connection.execute(sa.select(closed))}


def _require(holds: bool, problem: str, clause: str) -> None:
    if not holds:
        raise Refusal(problem, clause)


def _read(row: Any) -> Filing:
    return msgspec.json.decode(row.content, type=Filing)


def _written(filing: Filing) -> str:
    return msgspec.json.encode(filing).decode()

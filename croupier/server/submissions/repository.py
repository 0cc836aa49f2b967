"""Rules Submissions of a floor: drafts beside the accounts, and what was sent on the record.

What was sent, who approved it and which tables opened under it is the ledger's stream of
decisions (`croupier.ledger.aggregates.approvals`) and stands nowhere else: whoever writes to the database of
the accounts changes drafts, and nothing that counts. Every function here blocks and is called in a
thread.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from croupier.clock import now_ms
from croupier.errors import Refusal, Unknown
from croupier.games import House
from croupier.ledger import Ledger
from croupier.ledger.aggregates import approval_messages as de
from croupier.ledger.aggregates.approval_state import Submission
from croupier.ledger.aggregates.approvals import CHANGE_CLAUSE
from croupier.server.auth.accounts import Accounts, metadata
from croupier.server.tables.host import Stale
from croupier.table import Account, Service

State: TypeAlias = Literal["draft", "sent", "approved", "withdrawn"]
draft = sa.Table(
    "floor_submission",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
)


class UnknownFiling(Unknown):
    """No submission has this id."""

    kind = "submission"


class ChangedMeanwhile(Stale):
    """Somebody else has changed the submission since it was looked at."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What is typed and not sent yet, or not again."""

    id: str
    game: str
    answers: dict[str, str]
    version: int = 1
    began: int = 0
    authors: tuple[str, ...] = ()  # whoever wrote any of it
    based_on: str = ""
    given_up: bool = False


class SubmissionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One submission with everybody who had a hand in it."""

    id: str
    game: str
    answers: dict[str, str]
    state: State
    version: int
    began: int
    authors: tuple[str, ...]
    based_on: str = ""
    digest: str = ""  # of what was sent
    sent_by: str = ""
    decided_by: str = ""
    decided_at: int = 0
    remark: str = ""


class SubmissionRepository:
    """The submissions of a floor."""

    def __init__(self, accounts: Accounts, ledger: Ledger) -> None:
        self.engine = accounts.engine
        self.ledger = ledger
        self.record = ledger.approvals
        metadata.create_all(self.engine, tables=[draft])

    def all(self) -> list[SubmissionRecord]:
        """Every submission, the newest first."""
        with self.engine.connect() as connection:
            drafts = {row.id: _read(row) for row in connection.execute(sa.select(draft))}
        with self.record.lock:
            sent = dict(self.record.refresh().submissions)
        found = [joined(drafts.get(id), sent.get(id)) for id in {**drafts, **sent}]
        return sorted(found, key=lambda each: (-each.began, each.id))

    def find(self, id: str) -> SubmissionRecord:
        """The submission of an id."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(draft).where(draft.c.id == id)).first()
        with self.record.lock:
            sent = self.record.refresh().submissions.get(id)
        if row is None and sent is None:
            raise UnknownFiling(id[:80])
        return joined(None if row is None else _read(row), sent)

    # Drafts

    def begin(
        self, id: str, game: str, answers: dict[str, str], by: str, based_on: str
    ) -> SubmissionRecord:
        """A new draft; the same id again is the one that is there."""
        new = Draft(
            id=id, game=game, answers=answers, began=now_ms(), authors=(by,), based_on=based_on
        )
        with self.engine.begin() as connection:
            there = connection.execute(sa.select(draft).where(draft.c.id == id)).first()
            if there is None:
                row = {"id": id, "version": new.version, "content": _written(new)}
                connection.execute(draft.insert().values(**row))
        return self.find(id)

    def write(self, id: str, version: int, answers: dict[str, str], by: str) -> SubmissionRecord:
        """What a draft says now; whoever writes is an author."""
        known = self.find(id)
        if known.state != "draft":
            raise Refusal(f"{id} is {known.state}; begin another one", CHANGE_CLAUSE)
        authors = (*known.authors, by) if by not in known.authors else known.authors
        return self._change(known, version, answers=answers, authors=authors)

    def _change(self, known: SubmissionRecord, version: int, **values: Any) -> SubmissionRecord:
        check_version(known, version)
        content: dict[str, Any] = {
            "id": known.id,
            "game": known.game,
            "answers": known.answers,
            "version": version + 1,
            "began": known.began,
            "authors": known.authors,
            "based_on": known.based_on,
        }
        new = Draft(**content | values)
        with self.engine.begin() as connection:
            changed = connection.execute(
                draft.update()
                .where(draft.c.id == known.id, draft.c.version == version)
                .values(version=new.version, content=_written(new))
            )
        if not changed.rowcount:  # somebody else was faster
            raise ChangedMeanwhile(f"{known.id} is no more at version {version}")
        return self.find(known.id)

    # What counts

    def send(self, id: str, version: int, house: House, by: str) -> SubmissionRecord:
        """Ask for approval of exactly this."""
        known = self.find(id)
        check_version(known, version)
        with self.record.lock:
            earlier = known.based_on in self.record.refresh().submissions
        self.ledger.add_house(house)
        command = de.SendSubmission(
            submission=id,
            game=known.game,
            house=house.digest,
            answers=known.answers,
            authors=known.authors,
            based_on=known.based_on if earlier else "",  # a draft that nobody sent is nothing
        )
        self.record.do(command, operator(by))
        return self.find(id)

    def decide(
        self, id: str, digest: str, approved: bool, remark: str, by: str
    ) -> SubmissionRecord:
        """Approve what was sent, or give it back; never by anybody who wrote or sent it."""
        known = self.find(id)
        if known.state == "sent" and digest != known.digest:
            raise ChangedMeanwhile(f"{id} was sent as {known.digest[:12]}, not {digest[:12]}")
        command = de.DecideSubmission(
            submission=id, house=digest, approved=approved, remark=remark.strip()
        )
        self.record.do(command, operator(by))
        return self.find(id)

    def withdraw(self, id: str, version: int, by: str) -> SubmissionRecord:
        """Give it up; it stays on file."""
        known = self.find(id)
        check_version(known, version)
        if known.state == "draft" and not known.sent_by:  # of which the record knows nothing
            return self._change(known, version, given_up=True)
        self.record.do(de.WithdrawSubmission(id), operator(by))
        return self.find(id)

    # Tables

    def open_under(self, id: str, table: str, service: Service, by: str, key: str) -> House:
        """Open a table under an approved submission; the House that it is to be bound to."""
        command = de.OpenUnder(submission=id, table=table, service=service)
        (opened,) = self.record.do(command, operator(by), id=id_of("open", by, key))
        assert isinstance(opened, de.OpenedUnder)
        return self.ledger.house(opened.house)

    def take_off(self, table: str, by: Account) -> None:
        """A table leaves the floor; once it has, nothing is done."""
        if table not in self.off():
            self.record.do(de.TakeOff(table), by)

    def off(self) -> dict[str, str]:
        """Tables off the floor, and by whom."""
        with self.record.lock:
            return dict(self.record.refresh().off)


def joined(typed: Draft | None, sent: Submission | None) -> SubmissionRecord:
    """What is on record; of what is typed, only what can still be sent."""
    version = typed.version if typed is not None else 0
    if sent is None:
        assert typed is not None, "it is known by one of them"
        return SubmissionRecord(
            id=typed.id,
            game=typed.game,
            answers=typed.answers,
            state="withdrawn" if typed.given_up else "draft",
            version=version,
            began=typed.began,
            authors=typed.authors,
            based_on=typed.based_on,
        )
    returned = sent.state == "returned"
    answers, authors = sent.answers, sent.authors
    if typed is not None and returned:
        answers = typed.answers
        authors = tuple(dict.fromkeys((*sent.authors, *typed.authors)))
    return SubmissionRecord(
        id=sent.id,
        game=sent.game,
        answers=answers,
        state="draft" if sent.state == "returned" else sent.state,
        version=version,
        began=typed.began if typed is not None else sent.sent_at,
        authors=authors,
        based_on=sent.based_on,
        digest=sent.house,
        sent_by=sent.sent_by,
        decided_by=sent.decided_by,
        decided_at=sent.decided_at,
        remark=sent.remark,
    )


def check_version(known: SubmissionRecord, version: int) -> None:
    """Somebody who looked at an older one looks again first."""
    if version != known.version:
        raise ChangedMeanwhile(f"{known.id} is at version {known.version}, not {version}")


def operator(name: str) -> Account:
    """Somebody in the office of an operator."""
    return Account(name, "operator")


def id_of(*parts: str) -> str:
    """The id under which something is decided once."""
    return f"{parts[0]} {hashlib.sha256(' '.join(parts).encode()).hexdigest()[:32]}"


def _read(row: Any) -> Draft:
    return msgspec.json.decode(row.content, type=Draft)


def _written(typed: Draft) -> str:
    return msgspec.json.encode(typed).decode()

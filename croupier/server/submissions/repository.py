"""Repository of Rules Submissions: drafts in the accounts database, decisions in the ledger.

What was sent, who approved it and which tables were opened under it is recorded in the ledger
(`croupier.ledger.aggregates.approvals`) and only there, so that a change to the accounts database
can change no more than drafts. Every function here blocks; call it in a thread.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from croupier.clock import now_ms
from croupier.errors import Refusal, Unknown
from croupier.games import House
from croupier.ledger import Ledger, Stale, entry_codec
from croupier.ledger.aggregates import approval_messages as de
from croupier.ledger.aggregates.approval_state import Submission
from croupier.ledger.aggregates.approvals import CHANGE_CLAUSE, STREAM
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.accounts_database import metadata
from croupier.table import Account, Service

State: TypeAlias = Literal["draft", "sent", "approved", "withdrawn"]
draft_table = sa.Table(
    "floor_submission",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
)


class UnknownSubmission(Unknown):
    """No submission has this id."""

    kind = "submission"


class ChangedMeanwhile(Stale):
    """The submission has changed since the version that the request was based on."""


class StoredDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as stored: what is not sent yet, or is being changed after it was returned."""

    id: str
    game: str
    answers: dict[str, str]
    version: int = 1
    began: int = 0
    authors: tuple[str, ...] = ()  # everyone who wrote any of it
    based_on: str = ""
    given_up: bool = False


class SubmissionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One submission: its draft merged with what the ledger records."""

    id: str
    game: str
    answers: dict[str, str]
    state: State
    version: int
    began: int
    authors: tuple[str, ...]
    based_on: str = ""
    digest: str = ""  # of the House that was sent
    sent_by: str = ""
    decided_by: str = ""
    decided_at: int = 0
    remark: str = ""


class SubmissionRepository:
    """Stores the submissions of a floor."""

    def __init__(self, accounts: Accounts, ledger: Ledger) -> None:
        self.engine = accounts.engine
        self.ledger = ledger
        self.record = ledger.approvals

    def all(self) -> list[SubmissionRecord]:
        """Every submission, the newest first."""
        with self.engine.connect() as connection:
            drafts = {row.id: _decode(row) for row in connection.execute(sa.select(draft_table))}
        with self.record.lock:
            sent = dict(self.record.refresh().submissions)
        records = [merge_record(drafts.get(id), sent.get(id)) for id in {**drafts, **sent}]
        return sorted(records, key=lambda record: (-record.began, record.id))

    def find(self, id: str) -> SubmissionRecord:
        """The submission of an id; raises UnknownSubmission."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(draft_table).where(draft_table.c.id == id)).first()
        with self.record.lock:
            sent = self.record.refresh().submissions.get(id)
        if row is None and sent is None:
            raise UnknownSubmission(id[:80])
        return merge_record(None if row is None else _decode(row), sent)

    def history(self, id: str) -> list[de.SubmissionSent | de.SubmissionDecided]:
        """Every version of a submission that was sent, and every decision about it."""
        return [
            event
            for stored in self.ledger.store.read(STREAM)
            for event in entry_codec.decode_entry(stored).events
            if isinstance(event, de.SubmissionSent | de.SubmissionDecided)
            and event.submission == id
        ]

    # Drafts

    def begin(
        self, id: str, game: str, answers: dict[str, str], by: str, based_on: str
    ) -> SubmissionRecord:
        """Create a draft; with an existing id, return that one."""
        new = StoredDraft(
            id=id, game=game, answers=answers, began=now_ms(), authors=(by,), based_on=based_on
        )
        with self.engine.begin() as connection:
            existing = connection.execute(
                sa.select(draft_table).where(draft_table.c.id == id)
            ).first()
            if existing is None:
                row = {"id": id, "version": new.version, "content": _encode(new)}
                connection.execute(draft_table.insert().values(**row))
        return self.find(id)

    def write(self, id: str, version: int, answers: dict[str, str], by: str) -> SubmissionRecord:
        """Save the answers of a draft and add its author."""
        current = self.find(id)
        if current.state != "draft":
            raise Refusal(f"{id} is {current.state}; create a new draft", CHANGE_CLAUSE)
        authors = (*current.authors, by) if by not in current.authors else current.authors
        return self._change(current, version, answers=answers, authors=authors)

    def _change(self, current: SubmissionRecord, version: int, **values: Any) -> SubmissionRecord:
        check_version(current, version)
        content: dict[str, Any] = {
            "id": current.id,
            "game": current.game,
            "answers": current.answers,
            "version": version + 1,
            "began": current.began,
            "authors": current.authors,
            "based_on": current.based_on,
        }
        new = StoredDraft(**content | values)
        with self.engine.begin() as connection:
            changed = connection.execute(
                draft_table.update()
                .where(draft_table.c.id == current.id, draft_table.c.version == version)
                .values(version=new.version, content=_encode(new))
            )
        if not changed.rowcount:  # another request came first
            raise ChangedMeanwhile(f"{current.id} has been changed since version {version}")
        return self.find(current.id)

    # Decisions, recorded in the ledger

    def send(self, id: str, version: int, house: House, by: str) -> SubmissionRecord:
        """Send a version for approval."""
        current = self.find(id)
        check_version(current, version)
        with self.record.lock:
            earlier = current.based_on in self.record.refresh().submissions
        self.ledger.add_house(house)
        command = de.SendSubmission(
            submission=id,
            game=current.game,
            house=house.digest,
            answers=current.answers,
            authors=current.authors,
            based_on=current.based_on if earlier else "",  # an unsent draft is not in the ledger
        )
        self.record.do(command, operator(by))
        return self.find(id)

    def decide(
        self, id: str, digest: str, approved: bool, remark: str, by: str
    ) -> SubmissionRecord:
        """Approve what was sent, or return it; refused to its authors and its sender."""
        current = self.find(id)
        if current.state == "sent" and digest != current.digest:
            raise ChangedMeanwhile(f"{id} was sent as {current.digest[:12]}, not {digest[:12]}")
        command = de.DecideSubmission(
            submission=id, house=digest, approved=approved, remark=remark.strip()
        )
        self.record.do(command, operator(by))
        return self.find(id)

    def withdraw(self, id: str, version: int, by: str) -> SubmissionRecord:
        """Withdraw a submission, which stays on file."""
        current = self.find(id)
        check_version(current, version)
        if current.state == "draft" and not current.sent_by:  # the ledger does not know it
            return self._change(current, version, given_up=True)
        self.record.do(de.WithdrawSubmission(id), operator(by))
        return self.find(id)

    # Tables

    def open_under(self, id: str, table: str, service: Service, by: str, key: str) -> House:
        """Record that a table is opened under an approved submission; return its House."""
        command = de.OpenUnder(submission=id, table=table, service=service)
        (opened,) = self.record.do(command, operator(by), id=decision_id("open", by, key))
        assert isinstance(opened, de.OpenedUnder)
        return self.ledger.house(opened.house)

    def take_off(self, table: str, by: Account) -> None:
        """Record that a table is taken off the floor; idempotent."""
        if table not in self.off():
            self.record.do(de.TakeOff(table), by)

    def off(self) -> dict[str, str]:
        """The tables that were taken off the floor, and by whom."""
        with self.record.lock:
            return dict(self.record.refresh().off)


def merge_record(stored: StoredDraft | None, sent: Submission | None) -> SubmissionRecord:
    """Merge a draft with its ledger state; a draft counts only while it can still be sent."""
    version = stored.version if stored is not None else 0
    if sent is None:
        assert stored is not None, "a draft or a recorded submission"
        return SubmissionRecord(
            id=stored.id,
            game=stored.game,
            answers=stored.answers,
            state="withdrawn" if stored.given_up else "draft",
            version=version,
            began=stored.began,
            authors=stored.authors,
            based_on=stored.based_on,
        )
    returned = sent.state == "returned"
    answers, authors = sent.answers, sent.authors
    if stored is not None and returned:
        answers = stored.answers
        authors = tuple(dict.fromkeys((*sent.authors, *stored.authors)))
    return SubmissionRecord(
        id=sent.id,
        game=sent.game,
        answers=answers,
        state="draft" if sent.state == "returned" else sent.state,
        version=version,
        began=stored.began if stored is not None else sent.sent_at,
        authors=authors,
        based_on=sent.based_on,
        digest=sent.house,
        sent_by=sent.sent_by,
        decided_by=sent.decided_by,
        decided_at=sent.decided_at,
        remark=sent.remark,
    )


def check_version(current: SubmissionRecord, version: int) -> None:
    """Raise ChangedMeanwhile unless the version is the current one."""
    if version != current.version:
        raise ChangedMeanwhile(f"{current.id} is at version {current.version}, not {version}")


def operator(name: str) -> Account:
    """The account of an operator."""
    return Account(name, "operator")


def decision_id(*parts: str) -> str:
    """A command id derived from its parts, so that a repeated decision is recorded once."""
    return f"{parts[0]} {hashlib.sha256(' '.join(parts).encode()).hexdigest()[:32]}"


def _decode(row: Any) -> StoredDraft:
    return msgspec.json.decode(row.content, type=StoredDraft)


def _encode(stored: StoredDraft) -> str:
    return msgspec.json.encode(stored).decode()

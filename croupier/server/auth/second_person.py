"""The two-person rule: a command that names a second person needs that person's agreement.

The second person, signed in as themselves, agrees to exactly this command under exactly this id.
The agreement is recorded in the ledger, so that every server knows it, and is valid for a few
minutes. It changes nothing at the table: the first person then sends the command.

Requests for an agreement are pending rows of the accounts database until they expire. Every
function here blocks.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from croupier.clock import now_ms
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import Agree
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS, answer_key
from croupier.ledger.aggregates.approvals import command_digest, command_text, find_second_person
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.accounts_database import metadata
from croupier.server.submissions.repository import decision_id
from croupier.table import Account, Command
from croupier.table.core import codec

AgreementState: TypeAlias = Literal["waits", "agreed", "declined"]

pending_table = sa.Table(
    "floor_asked",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("ends", sa.BigInteger, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
)


class PendingAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """A command that waits for its second person."""

    id: str
    key: str  # the command's id
    table: str
    kind: str
    sentence: str
    command: dict[str, Any]
    by: str
    second: str
    role: str  # of the second person
    state: AgreementState = "waits"

    @property
    def decoded(self) -> Command:
        """The command as its type."""
        return codec.decode_command(msgspec.json.encode(self.command))

    @property
    def second_person(self) -> Account:
        """The account that the command names as second person."""
        second = find_second_person(self.decoded)
        assert second is not None, "a pending command names a second person"
        return second


class SecondPersonRule:
    """Recorded agreements, and the requests that wait for one."""

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.record = ledger.approvals
        self.engine = accounts.engine

    # Agreements, recorded in the ledger

    def record_answer(
        self,
        table: str,
        id: str,
        command: Command,
        second: Account,
        *,
        agreed: bool = True,
        asked_by: str = "",
    ) -> None:
        """Record whether the second person agrees; repeating an answer changes nothing."""
        agree = Agree(
            table=table, id=id, command=command_text(command), agreed=agreed, asked_by=asked_by
        )
        parts = (table, id, agree.command, second.role, second.id, str(agreed), asked_by)
        self.record.do(agree, second, id=decision_id("agree", *parts))

    def has_agreed(self, table: str, id: str, command: Command, second: Account) -> bool | None:
        """Whether the second person agrees; None without an answer, or after it has expired."""
        self.record.refresh()
        return self._answer(table, id, command, second)

    def _answer(self, table: str, id: str, command: Command, second: Account) -> bool | None:
        key = answer_key(table, id, command_digest(command), second)
        with self.record.lock:
            answer = self.record.aggregate.answers.get(key)
        return (
            answer.agreed if answer is not None and answer.at + ANSWER_VALID_MS > now_ms() else None
        )

    # Requests, in the accounts database

    def add_pending(self, request: PendingAgreement) -> None:
        """Add a request, or extend it, for as long as an answer is valid."""
        content = msgspec.json.encode(request).decode()
        row = {"id": request.id, "ends": now_ms() + ANSWER_VALID_MS, "content": content}
        with self.engine.begin() as connection:
            connection.execute(pending_table.delete().where(pending_table.c.id == request.id))
            connection.execute(pending_table.insert().values(**row))

    def pending(self) -> list[PendingAgreement]:
        """Requests that have not expired, oldest first, with the recorded answers."""
        query = sa.select(pending_table.c.content).order_by(pending_table.c.ends)
        with self.engine.begin() as connection:
            connection.execute(pending_table.delete().where(pending_table.c.ends < now_ms()))
            rows = connection.execute(query).all()
        if rows:
            self.record.refresh()
        requests = (msgspec.json.decode(row.content, type=PendingAgreement) for row in rows)
        return [self.with_answer(request) for request in requests]

    def with_answer(self, request: PendingAgreement) -> PendingAgreement:
        """The request in the state that the ledger has, whatever its row contains."""
        answer = self._answer(request.table, request.key, request.decoded, request.second_person)
        state: AgreementState = "waits" if answer is None else "agreed" if answer else "declined"
        return msgspec.structs.replace(request, state=state)

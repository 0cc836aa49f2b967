"""Two-person actions by two people: the second agrees from a session of their own.

A command that names a second person is carried out only if that person, signed in as themselves,
has agreed to this very command under this very id, a few minutes ago at most. What they said is on
the record, so it holds at whatever server has the table. Every function here blocks.
"""

from __future__ import annotations

from croupier.clock import now_ms
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import Agree
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS, answer_key
from croupier.ledger.aggregates.approvals import command_digest, command_text
from croupier.server.submissions.repository import id_of
from croupier.table import Account, Command


class SecondPersonRule:
    """What second persons have said."""

    def __init__(self, ledger: Ledger) -> None:
        self.record = ledger.approvals

    def answer(
        self,
        table: str,
        id: str,
        command: Command,
        second: Account,
        *,
        agreed: bool = True,
        asked_by: str = "",
    ) -> None:
        """Somebody agrees, or does not; the same answer again changes nothing."""
        said = Agree(table=table, id=id, command=command_text(command), agreed=agreed, asked_by=asked_by)
        parts = (table, id, said.command, second.role, second.id, str(agreed), asked_by)
        self.record.do(said, second, id=id_of("agree", *parts))

    def said(self, table: str, id: str, command: Command, second: Account) -> bool | None:
        """Whether somebody agrees; None if they have said nothing, or too long ago."""
        self.record.refresh()
        return self.known(table, id, command, second)

    def known(self, table: str, id: str, command: Command, second: Account) -> bool | None:
        """The same, as far as the record has been read."""
        with self.record.lock:
            found = self.record.aggregate.answers.get(answer_key(table, id, command_digest(command), second))
        return found.agreed if found is not None and found.at + ANSWER_VALID_MS > now_ms() else None

"""Compares a submission with what is in force, and with the version that was proposed before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.documents.console.submission_renderer import wager_name
from croupier.games import Game, find
from croupier.ledger.aggregates.approval_messages import SubmissionDecided, SubmissionSent
from croupier.server.submissions.form_changes import changed_fields
from croupier.server.submissions.repository import SubmissionRecord, SubmissionRepository
from croupier.server.submissions.submission_messages import Comparison, EdgeChange
from croupier.submission.web_form import Answers, evaluate


def compare(
    repository: SubmissionRepository, record: SubmissionRecord, tables: Mapping[str, str]
) -> Iterator[Comparison]:
    """The comparisons that an approver needs; `tables` are those on the floor with their digest."""
    for approved in in_force(repository.all(), record, set(tables.values())):
        yield Comparison(
            kind="in_force",
            with_=approved.id,
            decided_by=approved.decided_by,
            decided_at=approved.decided_at,
            remark="",
            tables=tuple(name for name, digest in tables.items() if digest == approved.digest),
            changes=changed_fields(find(record.game), approved.answers, record.answers),
            edges=tuple(_changed_edges(find(record.game), approved.answers, record.answers)),
        )
    proposal = last_proposal(repository.history(record.id), record)
    if proposal is not None:
        sent, decided = proposal
        yield Comparison(
            kind="proposal",
            with_=record.id,
            decided_by=decided.by if decided else "",
            decided_at=decided.at or 0 if decided else 0,
            remark=decided.remark if decided else "",
            tables=(),
            changes=changed_fields(find(record.game), sent.answers, record.answers),
            edges=tuple(_changed_edges(find(record.game), sent.answers, record.answers)),
        )


def in_force(
    records: Iterable[SubmissionRecord], record: SubmissionRecord, bound: set[str]
) -> list[SubmissionRecord]:
    """The approved submissions that this one would replace, the amended one first.

    Those are the one that it amends and those with tables; without any, the one approved last.
    """
    approved = [
        each
        for each in records
        if each.state == "approved" and each.game == record.game and each.id != record.id
    ]
    approved.sort(key=lambda each: (each.id == record.based_on, each.decided_at), reverse=True)
    relevant = [each for each in approved if each.id == record.based_on or each.digest in bound]
    return relevant or approved[:1]


def last_proposal(
    history: Iterable[SubmissionSent | SubmissionDecided], record: SubmissionRecord
) -> tuple[SubmissionSent, SubmissionDecided | None] | None:
    """The last version that was sent before this one, and its decision; None if there is none."""
    sent: list[tuple[SubmissionSent, SubmissionDecided | None]] = []
    for event in history:
        if isinstance(event, SubmissionSent):
            sent.append((event, None))
        elif sent:
            sent[-1] = (sent[-1][0], event)
    if record.state != "draft" and sent:
        sent.pop()  # the version that is compared
    return sent[-1] if sent else None


def _changed_edges(game: Game, before: Answers, after: Answers) -> Iterator[EdgeChange]:
    old, new = (
        {
            wager: f"{float(1 - share):.4%}"
            for wager, share in evaluate(game, answers).examination.returns.items()
        }
        for answers in (before, after)
    )
    for wager in {**old, **new} if old and new else ():  # an illegal draft has no figures
        if old.get(wager) != new.get(wager):
            yield EdgeChange(
                wager=wager,
                title=wager_name(game, wager),
                before=old.get(wager, ""),
                after=new.get(wager, ""),
            )

"""Record of a dealer's table test: people, result, and every graded act with its clause."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import msgspec

from croupier.documents.filing.document_blocks import (
    Block,
    FilingDocument,
    Heading,
    Pairs,
    Paragraph,
    Row,
    TableBlock,
    make_document,
)
from croupier.games import House

LAW = "COMAR 36.05.03.17-.18: a training program, and a table test before a pit manager or above."


class GradedAct(msgspec.Struct, frozen=True, kw_only=True):
    """One graded act."""

    round: int
    due: str
    done: str
    clause: str
    right: bool
    note: str
    milliseconds: int
    payout: bool
    irregularity: bool


class TableTest(msgspec.Struct, frozen=True, kw_only=True):
    """A signed table test; times are milliseconds since the epoch."""

    table: str
    trainee: str
    examiner: str
    passed: bool
    remark: str
    begun: int
    signed: int
    rounds: int
    acts: tuple[GradedAct, ...]


def table_test(house: House, test: TableTest) -> FilingDocument:
    """The record as an archivable document."""
    signed = f"{moment(test.signed)}, {test.examiner}"
    return make_document(house, "table-test", "Table test", blocks(test), signed)


def blocks(test: TableTest) -> Iterator[Block]:
    """Summary, wrong acts, then all acts."""
    right = sum(act.right for act in test.acts)
    paid = [act.milliseconds for act in test.acts if act.payout and act.right]
    troubles = [act for act in test.acts if act.irregularity]
    yield Pairs(
        rows=(
            ("Trainee", test.trainee),
            ("Examiner", f"{test.examiner}, pit manager"),
            ("Result", "passed" if test.passed else "not passed"),
            ("Remark", test.remark or "none"),
            ("Started", moment(test.begun)),
            ("Signed", moment(test.signed)),
            ("Practice table", f"{test.table}, {test.rounds} rounds"),
            ("Acts", f"{right} of {len(test.acts)} correct"),
            (
                "Payouts",
                f"{len(paid)} correct, {seconds(sum(paid) // len(paid))} on average"
                if paid
                else "none",
            ),
            ("Irregularities", f"{sum(act.right for act in troubles)} of {len(troubles)} correct"),
        )
    )
    wrong = [act for act in test.acts if not act.right]
    yield Heading(text="Errors")
    yield table_of(wrong, noted=True) if wrong else Paragraph(text="None.")
    yield Heading(text="All acts")
    yield table_of(list(test.acts), noted=False)
    yield Paragraph(text=LAW, tone="quiet")


def table_of(acts: list[GradedAct], *, noted: bool) -> TableBlock:
    """A table of acts, with the correction (`noted`) or the time taken."""
    last = "correct act" if noted else "time"
    return TableBlock(
        titles=("round", "expected", "done", "clause", last),
        rows=tuple(
            Row(
                (
                    str(act.round),
                    act.due,
                    act.done if act.right else f"{act.done} (wrong)",
                    act.clause,
                    act.note if noted else seconds(act.milliseconds),
                )
            )
            for act in acts
        ),
        widths=("auto", "1fr", "1fr", "auto", "1fr" if noted else "auto"),
        sides=("right", "left", "left", "left", "left" if noted else "right"),
    )


def moment(at: int) -> str:
    """Format a time to the minute."""
    return dt.datetime.fromtimestamp(at / 1000, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")


def seconds(milliseconds: int) -> str:
    """Format a duration in seconds, to a tenth."""
    return f"{milliseconds // 1000}.{milliseconds % 1000 // 100} s"

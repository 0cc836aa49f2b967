"""Registers: a document that is prepared in one period and completed in the next."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.documents.reports.report_registry import report
from croupier.ledger import Ledger, entry_codec
from croupier.table import events as ev

pytestmark = pytest.mark.xdist_group("casino")  # one worker plays the shifts that are reported
EARLIER = "Payout documents prepared earlier"


def witnessed_documents(ledger: Ledger) -> list[tuple[str, ev.PayoutDocumented, str, int, int]]:
    """Table, document and witness, with the commit times of preparing and witnessing it."""
    result = []
    for table in ledger.tables():
        prepared: dict[int, tuple[ev.PayoutDocumented, int]] = {}
        for stored in ledger.store.read(f"table:{table}"):
            recorded = entry_codec.decode_entry(stored)
            for event in recorded.events:
                if isinstance(event, ev.PayoutDocumented):
                    prepared[event.serial] = (event, stored.time)
                elif isinstance(event, ev.PayoutWitnessed):
                    document, time = prepared[event.serial]
                    result.append((table, document, str(recorded.by), time, stored.time))
    return result


def rows(ledger: Ledger, title: str, **period: Any) -> dict[tuple[str, int], dict[str, Any]]:
    """The rows of a section of the payout register, by table and serial."""
    data = report(ledger, "payouts", **period).data()
    section = next(part for part in data["sections"] if part["title"] == title)
    return {(row["table"], row["serial"]): row for row in section["rows"]}


def test_a_document_witnessed_in_the_next_period_is_in_both(casino: Ledger) -> None:
    """Where it was prepared, and with its stake and winnings where it was witnessed."""
    documents = witnessed_documents(casino)
    assert documents
    for table, document, witness, prepared, witnessed in documents[:8]:
        key = (table, document.serial)
        before = rows(casino, "Payout documents", until=witnessed)[key]
        after = rows(casino, EARLIER, since=witnessed)[key]
        whole = rows(casino, "Payout documents")[key]
        assert ("", witness) == (before["witnessed_by"], after["witnessed_by"])
        for column in ("time", "stake_cents", "winnings_cents", "player", "prepared_by", "tier"):
            assert before[column] == after[column] == whole[column]
        assert key not in rows(casino, "Payout documents", since=witnessed)
        assert key not in rows(casino, EARLIER, since=prepared)


def test_a_document_completed_before_the_period_is_not_listed_again(casino: Ledger) -> None:
    """Nothing happened to it in this period."""
    *_, (table, document, _, _, _) = witnessed_documents(casino)
    assert (table, document.serial) in rows(casino, "Payout documents")
    assert {} == rows(casino, EARLIER)

"""Several processes at once, on both stores: one table, one meter, every cent counted once."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

from croupier.ledger import Ledger, entry_codec
from croupier.ledger.aggregates.linked_meter_messages import MetersFed, MeterWon
from croupier.ledger.audit.verify import verify
from tests.support.paths import ROOT

PROCESSES, ROUNDS = 3, 5
TABLE_ROUNDS = 20  # long enough that no process finishes before the others start
MEGA = 1_000_000


def compete(resource: str, database: str, rounds: int) -> None:
    """Start the processes, then let them begin at the same time."""
    Ledger(database).close()
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.ledger.competing_process",
                resource,
                database,
                f"f{i}",
                str(rounds),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for i in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout and process.stdout.readline() == "ready\n"
    failures = []
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=120)
        failures += [errors] if process.returncode else []
    assert not failures, failures[0]


def test_processes_compete_for_one_table(database: str) -> None:
    """Every command is recorded once, and the rounds are complete."""
    compete("table", database, TABLE_ROUNDS)
    with Ledger(database) as ledger:
        recorded = [
            entry_codec.decode_entry(stored) for stored in ledger.store.read("table:shared")
        ]
        verdict = verify(ledger.store)

        assert verdict.ok, str(verdict)
        assert TABLE_ROUNDS == verdict.rounds == ledger.open_table("shared").table.rounds_played
        ids = [entry.envelope.id for entry in recorded]
        assert len(set(ids)) == len(ids)
        assert 2 < len({entry.by for entry in recorded}), "only one process ever wrote"


def test_processes_compete_for_one_meter(database: str) -> None:
    """Each award pays the current meter, each reset happens once, and the order is total."""
    compete("meter", database, ROUNDS)
    with Ledger(database) as ledger:
        entries = [
            entry_codec.decode_entry(stored) for stored in ledger.store.read("meters:linked")
        ]
        events = [event for entry in entries for event in entry.events]
        verdict = verify(ledger.store)
        book = ledger.group("linked").refresh().book

    won = [event for event in events if isinstance(event, MeterWon) and event.meter == "mega"]
    fed = sum(Fraction(e.amounts["mega"]) for e in events if isinstance(e, MetersFed))
    assert verdict.ok, str(verdict)
    assert PROCESSES * ROUNDS == len(won) == verdict.rounds
    assert list(range(1, len(won) + 1)) == [event.order for event in won]
    assert 4 * PROCESSES * ROUNDS == fed
    # Each award is the reset amount plus later contributions, and is followed by one reset.
    paid = sum(event.paid for event in won)
    assert paid + book.balance("meter:mega") == MEGA * (len(won) + 1) + fed
    assert -MEGA * (len(won) + 1) == book.balance("funded:mega")
    assert all(MEGA <= event.paid <= MEGA + fed for event in won)

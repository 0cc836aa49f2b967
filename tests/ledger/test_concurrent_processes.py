"""Several processes at once, on both stores: one table, one meter, no cent doubled."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

from croupier.ledger import Ledger
from croupier.ledger import entry_codec
from croupier.ledger.aggregates.linked_meter_messages import MetersFed, MeterWon
from croupier.ledger.audit.verify import verify
from tests.support.paths import ROOT

FIGHTERS, ROUNDS = 3, 5
TABLE_ROUNDS = 20  # long enough that nobody is through before the others have begun
MEGA = 1_000_000


def fight(what: str, database: str, rounds: int) -> None:
    """Start everybody, then let them go at once."""
    Ledger(database).close()
    fighters = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.ledger.competing_process",
                what,
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
        for i in range(FIGHTERS)
    ]
    for fighter in fighters:
        assert fighter.stdout and fighter.stdout.readline() == "ready\n"
    failures = []
    for fighter in fighters:
        assert fighter.stdin
        fighter.stdin.write("go\n")
        fighter.stdin.flush()
    for fighter in fighters:
        _, errors = fighter.communicate(timeout=120)
        failures += [errors] if fighter.returncode else []
    assert not failures, failures[0]


def test_processes_fight_for_one_table(database: str) -> None:
    """Every command is recorded once, whoever sent it first, and the rounds are whole."""
    fight("table", database, TABLE_ROUNDS)
    with Ledger(database) as ledger:
        recorded = [entry_codec.decode_entry(stored) for stored in ledger.store.read("table:shared")]
        verdict = verify(ledger.store)

        assert verdict.ok, str(verdict)
        assert TABLE_ROUNDS == verdict.rounds == ledger.open_table("shared").table.rounds_played
        ids = [each.envelope.id for each in recorded]
        assert len(set(ids)) == len(ids)
        assert 2 < len({each.by for each in recorded}), "only one process ever wrote"


def test_processes_fight_for_one_meter(database: str) -> None:
    """Each award is the meter of its moment, each reset happens once, and the order is total."""
    fight("meter", database, ROUNDS)
    with Ledger(database) as ledger:
        read = [entry_codec.decode_entry(stored) for stored in ledger.store.read("meters:linked")]
        stream = [event for each in read for event in each.events]
        verdict = verify(ledger.store)
        book = ledger.group("linked").refresh().book

    won = [event for event in stream if isinstance(event, MeterWon) and event.meter == "mega"]
    fed = sum(Fraction(e.amounts["mega"]) for e in stream if isinstance(e, MetersFed))
    assert verdict.ok, str(verdict)
    assert FIGHTERS * ROUNDS == len(won) == verdict.rounds
    assert list(range(1, len(won) + 1)) == [event.order for event in won]
    assert 4 * FIGHTERS * ROUNDS == fed
    # Each award is the reset amount and what came in since; each is followed by one reset.
    paid = sum(event.paid for event in won)
    assert paid + book.balance("meter:mega") == MEGA * (len(won) + 1) + fed
    assert -MEGA * (len(won) + 1) == book.balance("funded:mega")
    assert all(MEGA <= event.paid <= MEGA + fed for event in won)

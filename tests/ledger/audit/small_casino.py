"""The ledger of a small casino with every kind of entry, as a target for attacks."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.errors import Refusal
from croupier.ledger import Ledger, day_close, snapshot_policy
from croupier.ledger.aggregates import approval_messages as msg
from croupier.ledger.aggregates.approvals import command_text
from croupier.ledger.aggregates.linked_meter_messages import AdjustShared, HaltMeters, ResumeMeters
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import ANN, BOB, CLEO, MAX, MIA, SYSTEM, play_round, random_round
from tests.support.recorded_shifts import RecordedShift
from tests.support.rounds import UTH, Seat, house
from tests.support.shifts.houses import houses

DAY, NAME = "2026-01-05", "small.example/ledger"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = signed_note.public_key(NAME, KEY)
RULES = house(UTH)


def build(path: Path, *, acts: int = 60, signed: bool = True) -> checkpoint.Checkpoint:
    """Play, correct, adjust, halt, close and sign; returns a checkpoint of the whole log."""
    with pytest.MonkeyPatch.context() as patch, manual_clock(tick=1_000) as now:
        patch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 4)
        with Ledger(path) as ledger:
            _play(ledger, acts)
            now.hours(24)
            ledger.accept_clock(by=BOB, second=CLEO, reason="storm")
            day_close.close_day(ledger, DAY, by=BOB)
            if signed:
                day_close.sign_day(ledger, DAY, NAME, KEY, by=BOB)
            random_round(ledger.open_table("A"), random.Random(4), seats=1)
            head = ledger.store.head()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return checkpoint.Checkpoint(NAME, head.size, head.root)


def _play(ledger: Ledger, acts: int) -> None:
    rng = random.Random(5)
    alone = ledger.open_table("A", RULES, by=SYSTEM)
    random_round(alone, rng, seats=2)
    second = {"second": MIA, "reason": "miscount"}
    alone.do(cmd.Correct(source="cage", target="tray", amount=700, **second), BOB)  # type: ignore[arg-type]
    right = {"reason": "power cut", "approval": "L 7"}
    alone.do(cmd.AdjustMeter(meter="mega", amount="2.5", second=MIA, **right), BOB)
    with suppress(Refusal):
        alone.do(cmd.NoMoreBets(), ANN)
    linked = [ledger.open_table(name, RULES, by=SYSTEM, group="g") for name in ("B", "C")]
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    for table in linked:
        play_round(table, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d").finish()
        random_round(table, rng, seats=1)
    ledger.execute_on_group(
        "g", AdjustShared(meter="mega", amount=25, second=CLEO, **right), by=MIA
    )
    ledger.execute_on_group("g", HaltMeters("replaced"), by=MAX)
    ledger.execute_on_group("g", ResumeMeters(), by=MAX)
    attended = RecordedShift(ledger, "D", houses(UTH)[0], random.Random("small"))
    for _ in range(acts):
        attended.act()
    request_posts(ledger, attended)
    alone.do(cmd.PlaceWagers(2, {"ante": 1000, "blind": 1000}), ANN)
    alone.do(cmd.PlaceWagers(2, {"ante": 0, "blind": 0}), ANN)
    record_approvals(ledger)


def record_approvals(ledger: Ledger) -> None:
    """A submission, a table opened under it, an answer of a second person, denied access."""
    rules = houses(UTH)[0]
    olga, otto = Account("olga", "operator"), Account("otto", "operator")
    values = {"submission": "s1", "house": rules.digest}
    do = ledger.approvals.do
    answers = {"operator.name": "Harbor"}
    do(msg.SendSubmission(game=UTH, answers=answers, authors=("olga", "ada"), **values), olga)
    with suppress(Refusal):
        do(msg.DecideSubmission(approved=True, **values), olga)
    do(msg.DecideSubmission(approved=True, **values), otto)
    do(msg.OpenUnder(submission="s1", table="F", service="attended"), otto)
    ledger.open_table("F", rules, by=SYSTEM, service="attended")
    right = {"reason": "power cut", "approval": "L 8", "second": MIA}
    adjust = cmd.AdjustMeter(meter="mega", amount=5, **right)  # type: ignore[arg-type]
    do(msg.Agree(table="A", id="adjusting", command=command_text(adjust), agreed=False), MIA)
    do(msg.TakeOff("F"), olga)
    attempts = (msg.AccessAttempt("127.0.0.1", "look", "no role at F", 3),)
    do(msg.NoteDenied(account="eve", attempts=attempts), SYSTEM)


def request_posts(ledger: Ledger, busy: RecordedShift) -> None:
    """Staff of one table request a post at another; its dealer is refused."""
    table = ledger.open_table("E", houses(UTH)[0], by=SYSTEM, service="attended")
    for who, role in list(busy.table.posts.here.items()):
        with suppress(Refusal):
            table.do(cmd.TakePost(), Account(who, role))
    table.do(cmd.TakePost(), Account("eli", "dealer"))
    table.do(cmd.LeavePost(), Account("eli", "dealer"))

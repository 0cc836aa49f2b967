"""Random attacks on a ledger: `python -m tools.attack`.

Every attack manipulates a copy of a small casino's ledger and must be rejected or detected. The
program prints how many attacks of each kind failed, as they should; a seed repeats an attack.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from croupier.documents.reports.report_registry import REPORTS, report
from croupier.errors import CroupierError
from croupier.ledger import Ledger, LedgerError, backup_and_export
from croupier.ledger.aggregates.administration import FOUNDER
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Envelope
from croupier.table.core import codec
from tests.ledger.audit import edits, small_casino
from tests.ledger.audit.forger import Forger, insert_snapshot
from tests.ledger.audit.small_casino import PUBLIC
from tests.ledger.log.attacked_log import change_without_triggers
from tests.support.manual_clock import manual_clock
from tests.support.recorded_shifts import comparable_state

COLUMNS = {
    "entry": ("position", "sequence", "at", "time", "stream", "form", "id", "leaf", "body"),
    "head": ("size", "root", "time"),
    "house": ("digest", "data"),
    "mark": ("position", "word", "number", "stream"),
    "node": ("level", "number", "hash"),
    "stream": ("number", "name"),
    "dictionary": ("data",),
}
SNAPSHOT = {"snapshot": ("stream", "sequence", "schema", "position", "data")}  # can be deleted
ODD = (0, -1, 2**63 - 1, "x", "\x1b[2J", b"\x00\xff", None, 1.5, "\ud800", "9" * 400)


class Target:
    """The ledger under attack, and a folder to work in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.original = folder / "original.db"
        self.checkpoint = small_casino.build(self.original, acts=250)
        self.record = Forger(self.original)
        self.every_edit = edits.every_edit(self.record)
        verdict = verify(self.original, checkpoint=self.checkpoint, keys=[PUBLIC])
        assert verdict.ok, str(verdict)
        with Ledger(self.original, readonly=True) as ledger:
            self.revenue = report(ledger, "shift").json()

    def copy(self) -> Path:
        """A fresh copy to attack."""
        for old in self.folder.glob("attacked.db*"):
            old.unlink()
        return Path(shutil.copy(self.original, self.folder / "attacked.db"))


def edit_value(target: Target, rng: random.Random) -> str:
    """Edit one value of one entry and recompute all hashes."""
    index, value_path = rng.choice(target.every_edit)
    forged = target.record.copy()
    edits.change(forged.lines[index], value_path, rng)
    try:
        path = forged.write(target.folder / "attacked.db")
    except sqlite3.IntegrityError:
        return ""  # the database rejects an id that another entry has
    line = target.record.lines[index]
    label = f"{line.stream} entry {line.sequence}, {value_path}"
    if verify(path).ok and edits.is_result(value_path):
        return f"verified: {label}"
    detected = not verify(path, checkpoint=target.checkpoint).ok
    return "" if detected else f"extends the checkpoint: {label}"


def rearrange_entries(target: Target, rng: random.Random) -> str:
    """Drop, repeat or swap entries and recompute all hashes."""
    forged = target.record.copy()
    index = rng.randrange(1, len(forged.lines) - 1)
    change = rng.choice(("drop", "repeat", "swap"))
    line = forged.lines[index]
    if change == "drop":
        forged.remove(index)
    elif change == "repeat":
        forged.repeat(index)
    else:
        later = [o for o in forged.lines[index + 1 :] if o.stream == line.stream]
        if not later:
            return ""
        line.body, later[0].body = later[0].body, line.body
    path = forged.write(target.folder / "attacked.db")
    detected = not verify(path, checkpoint=target.checkpoint).ok
    return "" if detected else f"{change} of {line.stream} entry {line.sequence}"


def edit_row(target: Target, rng: random.Random) -> str:
    """Update one column of one row by SQL, with the triggers removed meanwhile."""
    columns = COLUMNS | SNAPSHOT
    path, table = target.copy(), rng.choice(list(columns))
    column, value = rng.choice(columns[table]), rng.choice(ODD)

    def change(connection: sqlite3.Connection) -> None:
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        where = " AND ".join(f"{key} IS ?" for key in keys)
        with suppress(sqlite3.Error, OverflowError, UnicodeError):
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *rng.choice(rows))
            )

    change_without_triggers(path, change)
    with (
        closing(sqlite3.connect(path)) as edited,
        closing(sqlite3.connect(target.original)) as original,
    ):
        query = f"SELECT * FROM {table} ORDER BY 1, 2"
        if edited.execute(query).fetchall() == original.execute(query).fetchall():
            return ""  # rejected by the database
    return f"{table}.{column} = {value!r} verified" if verify(path).ok else ""


def move_time(target: Target, rng: random.Random) -> str:
    """Move the time of commits: as an insider who recomputes all hashes, or by SQL."""
    forged, path = target.record.copy(), target.folder / "attacked.db"
    index = rng.randrange(1, len(forged.heads) - 1)
    size = forged.heads[index][0]
    how = rng.choice(("recompute", "move head", "move entries", "remove head", "add head"))
    if how == "recompute":
        by = rng.choice((1, 3_600_000, 86_400_000))
        forged.heads[index:] = [(size, time + by) for size, time in forged.heads[index:]]
        detected = not verify(forged.write(path), checkpoint=target.checkpoint).ok
        return "" if detected else f"{how} from {size}"
    path = target.copy()
    start = forged.heads[index - 1][0]
    statement = {
        "move head": f"UPDATE head SET time = time + 1 WHERE size = {size}",
        "move entries": f"UPDATE entry SET time = time + 1 WHERE position = {start}",
        "remove head": f"DELETE FROM head WHERE size = {size}",
        "add head": f"INSERT INTO head SELECT size - 1, root, time FROM head WHERE size = {size}",
    }[how]
    if how == "add head" and size == start + 1:
        return ""  # there is no room between two heads
    change_without_triggers(path, lambda connection: connection.execute(statement))
    return "" if not verify(path).ok else f"{how} at {size}"


def flip_bit(target: Target, rng: random.Random) -> str:
    """Flip one bit of the file: detected, unless it changes nothing."""
    path = target.copy()
    content = bytearray(path.read_bytes())
    offset = rng.randrange(len(content))
    content[offset] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    verdict = verify(path)
    if not verdict.ok:
        return ""
    with Ledger(path, readonly=True) as ledger:
        same = report(ledger, "shift").json() == target.revenue
    return "" if same and verdict.head.root == target.checkpoint.root else f"bit of byte {offset}"


def execute_sql(target: Target, rng: random.Random) -> str:
    """Execute a writing statement against the triggers: rejected."""
    path, table = target.copy(), rng.choice(list(COLUMNS))
    column = rng.choice(COLUMNS[table])
    statement = rng.choice(
        (
            f"UPDATE {table} SET {column} = {column}",
            f"DELETE FROM {table}",
            f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
            f"REPLACE INTO {table} SELECT * FROM {table} ORDER BY 1 DESC LIMIT 1",
            f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
            f"UPDATE OR REPLACE {table} SET {column} = {column}",
        )
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            connection.execute(statement)
        except sqlite3.Error:
            return ""
    return f"accepted: {statement}"


def forge_snapshot(target: Target, rng: random.Random) -> str:
    """Insert a forged snapshot: ignored and detected."""
    path = target.copy()
    line = rng.choice([line for line in target.record.lines if line.stream.startswith("table:")])
    name = line.stream.removeprefix("table:")
    with Ledger(path) as ledger:
        original = comparable_state(ledger.open_table(name).table)
        text = ledger.open_table("A").table.to_snapshot().replace('"tray":', '"tray":1')
    sequence = rng.choice((line.sequence, 10_000))
    with suppress(sqlite3.IntegrityError):
        insert_snapshot(path, line.stream, sequence, text, rng.randrange(len(target.record.lines)))
        with Ledger(path) as ledger:
            if original != comparable_state(ledger.open_table(name).table):
                return f"used: {line.stream} {sequence}"
        if verify(path).ok:
            return f"not detected: {line.stream} {sequence}"
    return ""


def overwrite_file(target: Target, rng: random.Random) -> str:
    """Write a copy over an existing file: rejected."""
    path = target.copy()
    before = path.read_bytes()
    with Ledger(path, readonly=True) as ledger:
        copies: tuple[Callable[[], object], ...] = (
            lambda: backup_and_export.export_file(ledger, path),
            lambda: backup_and_export.backup_to(path, path),
            lambda: backup_and_export.restore_from(path, path, by=FOUNDER),
            lambda: backup_and_export.import_file(path, path),
        )
        try:
            rng.choice(copies)()
        except LedgerError:
            return "" if before == path.read_bytes() else "changed"
    return "overwritten"


def send_invalid_command(target: Target, rng: random.Random) -> str:
    """Send a command with odd values: refused or rejected, and the ledger still verifies."""
    path = target.copy()
    kind = rng.choice(list(codec.COMMANDS.values()))
    with manual_clock(at=target.record.heads[-1][1], tick=1_000), Ledger(path) as ledger:
        table = ledger.open_table(rng.choice("ABCD"))
        before = table.sequence
        fields = {name: rng.choice(ODD) for name in kind.__struct_fields__}
        with suppress(CroupierError, TypeError):
            command = kind(**fields)
            by = Account(rng.choice(("eve", "dee", "max")), "pit_manager")
            id = rng.choice(("", "@x", "x", "y" * 300, "\n"))
            table.execute(Envelope(id, by, rng.choice((0, 5, 2**70)), command))
        count = table.sequence - before
    verdict = verify(path)
    return "" if verdict.ok else f"{kind.__name__} {fields}: {count} entries, {verdict}"


def request_report(target: Target, rng: random.Random) -> str:
    """Request a report of an odd day or table: a report or a CroupierError."""
    day = rng.choice(("", "2026-01-05", "9999-12-31", "0001-01-01", "x", "\ud800", "2026-02-30"))
    table = rng.choice(("", "A", "Z", "\x1b[2J", "\ud800"))
    with Ledger(target.original, readonly=True) as ledger, suppress(CroupierError):
        result = report(ledger, rng.choice([*REPORTS, "x"]), day=day, table=table)
        json.loads(result.json())
    return ""


ATTACKS: dict[Callable[[Target, random.Random], str], int] = {
    edit_value: 40,
    rearrange_entries: 10,
    edit_row: 15,
    move_time: 10,
    flip_bit: 10,
    execute_sql: 5,
    forge_snapshot: 5,
    overwrite_file: 5,
    send_invalid_command: 5,
    request_report: 5,
}


def attack(target: Target, seed: int) -> tuple[str, str]:
    """Run one attack by its seed: its kind, and how it succeeded; empty if it failed."""
    rng = random.Random(seed)
    (chosen,) = rng.choices(list(ATTACKS), weights=list(ATTACKS.values()))
    try:
        return chosen.__name__, chosen(target, rng)
    except Exception as error:  # an unexpected exception is a success of the attack
        return chosen.__name__, f"{type(error).__name__}: {error}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tried: Counter[str] = Counter()
    successful: Counter[str] = Counter()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="croupier-attack-") as folder:
        target = Target(Path(folder))
        for seed in range(options.seed, options.seed + options.attacks):
            kind, problem = attack(target, seed)
            tried[kind] += 1
            if problem:
                successful[kind] += 1
                print(f"NOT DETECTED: {kind}, seed {seed}: {problem!a}")
    for kind, count in sorted(tried.items()):
        print(f"{kind:20} {count - successful[kind]:5} of {count}")
    failed = tried.total() - successful.total()
    seconds = time.perf_counter() - started
    print(f"{failed} of {tried.total()} attacks rejected or detected, {seconds:.0f} s")
    sys.exit(1 if successful else 0)


if __name__ == "__main__":
    main()

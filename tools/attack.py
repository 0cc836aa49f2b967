"""Random attacks on a record for as long as you like: `python -m tools.attack`.

Every attack is tried on a copy of a small casino's ledger and has a promise to break. Printed is
how many promises were kept out of how many were tried, by kind; a seed replays its attack.
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
from croupier.ledger import Ledger, LedgerError, transfer
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Envelope
from croupier.table.core import codec
from tests.ledger.audit import edits, small_casino
from tests.ledger.audit.forger import Forger, slip_in_snapshot
from tests.ledger.audit.small_casino import PUBLIC
from tests.ledger.log.attacked_log import unguarded
from tests.support.recorded_shifts import comparable_state

COLUMNS = {
    "entry": ("position", "sequence", "at", "stream", "form", "id", "leaf", "body"),
    "head": ("size", "root", "time"),
    "house": ("digest", "data"),
    "mark": ("position", "word", "number", "stream"),
    "node": ("level", "number", "hash"),
    "stream": ("number", "name"),
    "dictionary": ("data",),
}
ODD = (0, -1, 2**63 - 1, "x", "\x1b[2J", b"\x00\xff", None, 1.5, "\ud800", "9" * 400)


class World:
    """The record under attack, and a folder to work in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.honest = folder / "honest.db"
        self.kept = small_casino.build(self.honest, acts=250)
        self.record = Forger(self.honest)
        self.every_edit = edits.every_edit(self.record)
        verdict = verify(self.honest, kept=self.kept, keys=[PUBLIC])
        assert verdict.ok, str(verdict)
        with Ledger(self.honest, readonly=True) as ledger:
            self.revenue = report(ledger, "shift").json()

    def copy(self) -> Path:
        """A copy to be attacked, alone in its place."""
        for old in self.folder.glob("attacked.db*"):
            old.unlink()
        return Path(shutil.copy(self.honest, self.folder / "attacked.db"))


def edit(world: World, rng: random.Random) -> str:
    """One value of one entry, every hash mended."""
    index, place = rng.choice(world.every_edit)
    forged = world.record.copy()
    edits.change(forged.lines[index], place, rng)
    path = forged.write(world.folder / "attacked.db")
    line = world.record.lines[index]
    where = f"{line.stream} entry {line.sequence}, {place}"
    if verify(path).ok and edits.led_to(place):
        return f"verified: {where}"
    return "" if not verify(path, kept=world.kept).ok else f"extends what was kept: {where}"


def rearrange(world: World, rng: random.Random) -> str:
    """Entries dropped, doubled or swapped, every hash mended."""
    forged = world.record.copy()
    index = rng.randrange(1, len(forged.lines) - 1)
    how = rng.choice(("drop", "double", "swap"))
    line = forged.lines[index]
    if how == "drop":
        forged.remove(index)
    elif how == "double":
        forged.append(line.stream, line.copy().body, id=f"{line.id} again", at=line.at)
    else:
        later = [o for o in forged.lines[index + 1 :] if o.stream == line.stream]
        if not later:
            return ""
        line.body, later[0].body = later[0].body, line.body
    path = forged.write(world.folder / "attacked.db")
    seen = not verify(path, kept=world.kept).ok if how != "double" else not verify(path).ok
    return "" if seen else f"{how} of {line.stream} entry {line.sequence}"


def edit_row(world: World, rng: random.Random) -> str:
    """One column of one row by SQL, the triggers away and back again."""
    path, table = world.copy(), rng.choice(list(COLUMNS))
    column, value = rng.choice(COLUMNS[table]), rng.choice(ODD)

    def change(connection: sqlite3.Connection) -> None:
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        where = " AND ".join(f"{key} IS ?" for key in keys)
        with suppress(sqlite3.Error, OverflowError, UnicodeError):
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *rng.choice(rows))
            )

    unguarded(path, change)
    with closing(sqlite3.connect(path)) as mine, closing(sqlite3.connect(world.honest)) as other:
        query = f"SELECT * FROM {table} ORDER BY 1, 2"
        if mine.execute(query).fetchall() == other.execute(query).fetchall():
            return ""  # the database refused it
    verdict = verify(path)
    harmless = table == "head" and column == "time"
    return f"{table}.{column} = {value!r} verified" if verdict.ok and not harmless else ""


def flip(world: World, rng: random.Random) -> str:
    """One bit of the file: named, or nothing has changed."""
    path = world.copy()
    content = bytearray(path.read_bytes())
    place = rng.randrange(len(content))
    content[place] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    verdict = verify(path)
    if not verdict.ok:
        return ""
    with Ledger(path, readonly=True) as ledger:
        same = report(ledger, "shift").json() == world.revenue
    return "" if same and verdict.head.root == world.kept.root else f"bit of byte {place}"


def knock(world: World, rng: random.Random) -> str:
    """SQL through the guarded doors: refused, or nothing has changed."""
    path, table = world.copy(), rng.choice(list(COLUMNS))
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


def snapshot(world: World, rng: random.Random) -> str:
    """A forged snapshot: never believed, and named."""
    path = world.copy()
    line = rng.choice([line for line in world.record.lines if line.stream.startswith("table:")])
    with Ledger(path) as ledger:
        honest = comparable_state(ledger.open_table(line.stream.removeprefix("table:")).table)
        text = ledger.open_table("A").table.to_snapshot().replace('"tray":', '"tray":1')
    sequence = rng.choice((line.sequence, 10_000))
    with suppress(sqlite3.IntegrityError):
        slip_in_snapshot(path, line.stream, sequence, text, rng.randrange(len(world.record.lines)))
        with Ledger(path) as ledger:
            if honest != comparable_state(ledger.open_table(line.stream.removeprefix("table:")).table):
                return f"believed: {line.stream} {sequence}"
        if verify(path).ok:
            return f"overlooked: {line.stream} {sequence}"
    return ""


def overwrite(world: World, rng: random.Random) -> str:
    """A copy written over something that is there."""
    path = world.copy()
    before = path.read_bytes()
    with Ledger(path, readonly=True) as ledger:
        ways: tuple[Callable[[], object], ...] = (
            lambda: transfer.export_file(ledger, path),
            lambda: transfer.backup_to(path, path),
            lambda: transfer.restore_from(path, path),
            lambda: transfer.import_file(path, path),
        )
        try:
            rng.choice(ways)()
        except LedgerError:
            return "" if before == path.read_bytes() else "changed"
    return "written over"


def nonsense(world: World, rng: random.Random) -> str:
    """Commands with odd values: refused in words, and the record still verifies."""
    path = world.copy()
    kind = rng.choice(list(codec.COMMANDS.values()))
    with Ledger(path) as ledger:
        table = ledger.open_table(rng.choice("ABCD"))
        before = table.sequence
        fields = {name: rng.choice(ODD) for name in kind.__struct_fields__}
        with suppress(CroupierError, TypeError):
            command = kind(**fields)
            by = Account(rng.choice(("eve", "dee", "max")), "pit_manager")
            id = rng.choice(("", "@x", "x", "y" * 300, "\n"))
            table.execute(Envelope(id, by, rng.choice((0, 5, 2**70)), command))
        grown = table.sequence - before
    verdict = verify(path)
    return "" if verdict.ok else f"{kind.__name__} {fields}: {grown} entries, {verdict}"


def ask(world: World, rng: random.Random) -> str:
    """Reports of odd days and tables: an answer or a sentence."""
    day = rng.choice(("", "2026-01-05", "9999-12-31", "0001-01-01", "x", "\ud800", "2026-02-30"))
    table = rng.choice(("", "A", "Z", "\x1b[2J", "\ud800"))
    with Ledger(world.honest, readonly=True) as ledger, suppress(CroupierError):
        made = report(ledger, rng.choice([*REPORTS, "x"]), day=day, table=table)
        json.loads(made.json())
    return ""


ATTACKS: dict[Callable[[World, random.Random], str], int] = {
    edit: 40,
    rearrange: 10,
    edit_row: 15,
    flip: 10,
    knock: 5,
    snapshot: 5,
    overwrite: 5,
    nonsense: 5,
    ask: 5,
}


def attack(world: World, seed: int) -> tuple[str, str]:
    """One attack from its seed: what was tried, and how it broke a promise, or nothing."""
    rng = random.Random(seed)
    (chosen,) = rng.choices(list(ATTACKS), weights=list(ATTACKS.values()))
    try:
        return chosen.__name__, chosen(world, rng)
    except Exception as error:  # a traceback breaks every promise
        return chosen.__name__, f"{type(error).__name__}: {error}"


def main() -> None:
    """Attack, count, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tried: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="croupier-attack-") as folder:
        world = World(Path(folder))
        for seed in range(given.seed, given.seed + given.attacks):
            kind, told = attack(world, seed)
            tried[kind] += 1
            if told:
                broken[kind] += 1
                print(f"BROKEN by {kind}, seed {seed}: {told!a}")
    for kind, count in sorted(tried.items()):
        print(f"{kind:10} {count - broken[kind]:5} of {count}")
    kept = tried.total() - broken.total()
    seconds = time.perf_counter() - began
    print(f"{kept} promises kept out of {tried.total()} tried, {seconds:.0f} s")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

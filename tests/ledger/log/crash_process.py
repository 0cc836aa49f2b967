"""A process that appends and dies: run as a script, it forks a writer for every line it is given.

    python -m tests.ledger.log.crash_process DATABASE FOLDER

Each line `N NAME` on standard input starts a child that appends the script to stream NAME and is
killed (SIGKILL, by the fault points that it hands to its store) at the N-th point; 0 lets it live.
What the child was told to be durable it writes to FOLDER/NAME.acknowledged first. The answer is a
line with the child's exit status.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from croupier.ledger.errors import RepeatedCommand
from croupier.ledger.log import Entry, IndexTerm, Snapshot, Store
from tests.ledger.log.sample_entries import AT, body

COMMANDS = 6
IMPORTED_LATE = (
    "alembic.command",
    "psycopg",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.dialects.sqlite",
)


class CrashAt:
    """Kills the process at the n-th point that it passes."""

    def __init__(self, count: int) -> None:
        self.left = count

    def point(self, where: str) -> None:
        """SIGKILL when the countdown reaches zero."""
        if self.left:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)


def script(name: str) -> list[tuple[list[Entry], list[IndexTerm], list[Snapshot]]]:
    """Appends to a table and to shared meters at once, with marks and a snapshot."""
    made = []
    for number in range(1, COMMANDS + 1):
        table = Entry(name, number, f"c{number}", AT + number, body(number))
        meter = Entry(f"meters:{name}", number, f"m{number}", AT, body(number, "fed"))
        taken = [Snapshot(name, number, 1, f"state {number}")] if number == 3 else []
        made.append(([table, meter], [IndexTerm(name, number, "round", number)], taken))
    return made


def play(store: Store, name: str, acknowledged: Path | None = None) -> None:
    """Append what is not on record yet; a command that is known already is done."""
    store.add_house(sha256(b"{}").hexdigest(), "{}")
    for entries, marks, snapshots in script(name):
        if entries[0].sequence <= store.stream_tip(name)[0]:
            continue
        try:
            store.append(entries, index_terms=marks, snapshots=snapshots)
        except RepeatedCommand:
            continue
        if acknowledged is not None:
            with acknowledged.open("a") as file:
                file.write(f"{entries[0].id}\n")


def be_ready_to_fork() -> None:
    """Everything that a child would import is imported, and its memory is left alone."""
    for name in IMPORTED_LATE:
        import_module(name)
    gc.freeze()


def main() -> None:
    """Fork, play, die."""
    database, folder = sys.argv[1], Path(sys.argv[2])
    be_ready_to_fork()
    for line in sys.stdin:
        count, name = line.split()
        process = os.fork()
        if not process:
            status = 1
            try:
                faults = CrashAt(int(count))
                with Store(database.replace("NAME", name), faults=faults) as store:
                    play(store, name, folder / f"{name}.acknowledged")
                status = 0
            except BaseException as error:
                print(repr(error), file=sys.stderr, flush=True)
            os._exit(status)
        print(os.waitpid(process, 0)[1], flush=True)


if __name__ == "__main__":
    main()

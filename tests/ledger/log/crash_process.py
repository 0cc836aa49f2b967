"""A process that appends and crashes: run as a script, it forks a writer for every input line.

    python -m tests.ledger.log.crash_process DATABASE FOLDER

Each line `N NAME` on standard input starts a child that appends the script to stream NAME and is
killed (SIGKILL) at its N-th failpoint; 0 lets it finish. The child logs every acknowledged command
in FOLDER/NAME.acknowledged. The output is a line with the child's exit status.
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
    """Kills the process at the n-th failpoint."""

    def __init__(self, count: int) -> None:
        self.left = count

    def point(self, where: str) -> None:
        """SIGKILL when the countdown reaches zero."""
        if self.left:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)


def script(name: str) -> list[tuple[list[Entry], list[IndexTerm], list[Snapshot]]]:
    """Appends to a table and to shared meters at once, with index terms and a snapshot."""
    appends = []
    for number in range(1, COMMANDS + 1):
        table = Entry(name, number, f"c{number}", AT + number, body(number))
        meter = Entry(f"meters:{name}", number, f"m{number}", AT, body(number, "fed"))
        snapshots = [Snapshot(name, number, 1, f"state {number}")] if number == 3 else []
        terms = [IndexTerm(name, number, "round", number)]
        appends.append(([table, meter], terms, snapshots))
    return appends


def play(store: Store, name: str, acknowledged: Path | None = None) -> None:
    """Append the commands of the script that are not on record yet."""
    store.add_house(sha256(b"{}").hexdigest(), "{}")
    for entries, index_terms, snapshots in script(name):
        if entries[0].sequence <= store.stream_tip(name)[0]:
            continue
        try:
            store.append(entries, index_terms=index_terms, snapshots=snapshots)
        except RepeatedCommand:
            continue
        if acknowledged is not None:
            with acknowledged.open("a") as file:
                file.write(f"{entries[0].id}\n")


def prepare_fork() -> None:
    """Import everything that a child needs, and exclude its memory from garbage collection."""
    for name in IMPORTED_LATE:
        import_module(name)
    gc.freeze()


def main() -> None:
    """Fork a child for every input line."""
    database, folder = sys.argv[1], Path(sys.argv[2])
    prepare_fork()
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

"""Process that forks players which are killed at a write point.

    python -m tests.ledger.crash_process DATABASE FOLDER

Each line `N NAME` on standard input forks a child that plays the script at table NAME and is
killed (SIGKILL, by a failpoint) at the N-th write point; 0 lets it finish. NAME also replaces NAME
in DATABASE. The child writes the ids of durable commands to FOLDER/NAME.acknowledged. The output is
a line with the exit status of the child. Forking a process without threads takes only 30 ms.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from croupier.ledger import Ledger, RecordedTable, snapshot_policy
from croupier.table import Command, Event, Table
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, random_round

SEED = 11
SNAPSHOT_EVERY = 8
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

    def __call__(self, where: str) -> None:
        """SIGKILL when the countdown reaches zero."""
        if self.left:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)


class Player:
    """Sends the same commands under the same ids every time."""

    def __init__(self, ledger: Ledger, name: str, acknowledged: Path | None) -> None:
        self.acknowledged = acknowledged
        self.count = 0
        self.table = ledger.open_table(name, example_house(), group=f"of {name}", by=SYSTEM, at=AT)

    def do(self, command: Command) -> Sequence[Event]:
        """Execute the next command, and acknowledge it once it is durable."""
        self.count += 1
        events = self.table.do(command, ANN, AT, id=f"c{self.count}")
        if self.acknowledged is not None:
            with self.acknowledged.open("a") as file:
                file.write(f"c{self.count}\n")
        return events


def play(ledger: Ledger, name: str, acknowledged: Path | None = None) -> RecordedTable:
    """Play a round and the beginning of the next, so that a snapshot is taken too."""
    snapshot_policy.SNAPSHOT_EVERY = SNAPSHOT_EVERY
    player = Player(ledger, name, acknowledged)
    for command in script():
        player.do(command)
    return player.table


@cache
def script() -> tuple[Command, ...]:
    """The commands, determined by playing them at a table without a ledger."""
    table, rng = Table(example_house()), random.Random(SEED)
    commands: list[Command] = []

    def do(command: Command) -> Sequence[Event]:
        commands.append(command)
        return table.do(command, ANN, AT)

    for stop_after in (10_000, 1):
        random_round(table, rng, do, seats=1, stop_after=stop_after)
    return tuple(commands)


def run_child(database: str, folder: Path, crash_at: int, name: str) -> None:
    """Play until the crash, or to the end."""
    with Ledger(database, faults=CrashAt(crash_at)) as ledger:
        play(ledger, name, folder / f"{name}.acknowledged")


def prepare_fork() -> None:
    """Import everything that a child needs, and exclude its memory from garbage collection."""
    for name in IMPORTED_LATE:
        import_module(name)
    gc.freeze()


def main() -> None:
    database, folder = sys.argv[1], Path(sys.argv[2])
    script()
    prepare_fork()
    for line in sys.stdin:
        number, name = line.split()
        process = os.fork()
        if not process:
            status = 1
            try:
                run_child(database.replace("NAME", name), folder, int(number), name)
                status = 0
            except BaseException as error:
                print(repr(error), file=sys.stderr, flush=True)
            os._exit(status)
        print(os.waitpid(process, 0)[1], flush=True)


if __name__ == "__main__":
    main()

"""Two-person actions by two people: the second agrees from a session of their own.

A command that names a second person is carried out only if that person, signed in as themselves,
has agreed to this very command under this very id, a few minutes ago at most.
"""

from __future__ import annotations

import hashlib
import time

from croupier.table import Account, Command, wire

VALID_SECONDS = 300.0
MOST = 10_000


class Agreements:
    """What second persons have agreed to, and nobody has used yet."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str, str, Account], float] = {}

    def add(self, table: str, id: str, command: Command, second: Account) -> None:
        """Somebody agrees."""
        moment = time.monotonic()
        if len(self._given) >= MOST:
            kept = {key: end for key, end in self._given.items() if end > moment}
            self._given = kept if len(kept) < MOST else {}
        self._given[key_of(table, id, command, second)] = moment + VALID_SECONDS

    def take(self, table: str, id: str, command: Command, second: Account) -> bool:
        """Whether somebody has agreed; the same command may be repeated while it is valid."""
        return self._given.get(key_of(table, id, command, second), 0.0) > time.monotonic()


def key_of(table: str, id: str, command: Command, second: Account) -> tuple[str, str, str, Account]:
    """What exactly was agreed to."""
    return table, id, hashlib.sha256(wire.encode(command)).hexdigest(), second


def second_of(command: Command) -> Account | None:
    """The second person whom a command names."""
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if isinstance(value, Account):
            return value
    return None

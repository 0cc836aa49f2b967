"""The player's bankroll, saved between sessions in one JSON file.

The file is replaced atomically. An unreadable file is renamed, never overwritten. If the file
cannot be written, the game goes on in memory and shows a notice.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from filelock import FileLock, Timeout
from platformdirs import user_data_path

from croupier.errors import BadInput
from croupier.money import Cents, dollars, meter_text, parse_decimal, parse_dollars

BUY_IN: Cents = 1_000_00
MAX_BANKROLL: Cents = 1_000_000_000_00  # more than any table pays, and exact in JSON
FILE_NAME = "player.json"

Amount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**62)]


class SavedBankroll(msgspec.Struct, kw_only=True):
    """Contents of the file: money, buy-ins, last bets, and the meters of each House."""

    schema: int = 1
    bankroll: Amount = BUY_IN
    bought: Amount = BUY_IN  # sum of all buy-ins, so that a buy-in does not count as a win
    rounds: Annotated[int, msgspec.Meta(ge=0)] = 0
    bets: dict[str, dict[str, Amount]] = {}
    meters: dict[str, dict[str, str]] = {}  # by the digest of the House, exact cents as text
    playing: str = ""  # the round in progress; left behind by an interrupted session


def data_folder() -> Path:
    """The folder for player data: $CROUPIER_HOME, or the platform's data folder."""
    if folder := os.environ.get("CROUPIER_HOME"):
        return Path(folder)
    return user_data_path("croupier", appauthor=False)


def parse_bankroll(value: object) -> Cents:
    """A bankroll in dollars, as text or number; raises BadInput."""
    cents = parse_dollars(value.strip().lstrip("$") if isinstance(value, str) else value)
    if cents is None or not 0 < cents <= MAX_BANKROLL:
        raise BadInput(f"bankroll {value} is not an amount from $0.01 to {dollars(MAX_BANKROLL)}")
    return cents


class Bankroll:
    """The saved bankroll and its file, written on every change.

    During a session the chips are on the table, and `update` gets their amount. A lock file
    prevents two sessions from using the same bankroll. `notices` are messages for the player.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder  # None keeps the bankroll in memory
        self.notices: list[str] = []
        self.saved = SavedBankroll()
        self._lock: FileLock | None = None
        if folder is not None:
            self._open(folder)

    @property
    def amount(self) -> Cents:
        """The player's money after the last round."""
        return self.saved.bankroll

    def update(self, chips: Cents, *, rounds: int = 0) -> None:
        """Set the amount of the player's chips, after a number of additional rounds."""
        if chips != self.saved.bankroll or rounds or self.saved.playing:
            self.saved.playing = ""
            self.saved.bankroll = chips
            self.saved.rounds += rounds
            self.save()

    def start_round(self, description: str) -> None:
        """Note the round in progress, so that the next session can report an interrupted one."""
        self.saved.playing = description
        self.save()

    def buy(self, cents: Cents) -> None:
        """Add a buy-in."""
        self.saved.bankroll += cents
        self.saved.bought += cents
        self.save()

    def start_over(self, cents: Cents) -> None:
        """Replace the bankroll and its history."""
        self.saved.bankroll = self.saved.bought = cents
        self.saved.rounds = 0
        self.save()

    def meters(self, digest: str, names: Mapping[str, object]) -> dict[str, Fraction]:
        """The meters of a House after its last session; empty if it was never played."""
        values = {
            name: parse_decimal(text)
            for name, text in self.saved.meters.get(digest, {}).items()
            if name in names
        }
        return {name: value for name, value in values.items() if value is not None and value >= 0}

    def set_meters(self, digest: str, meters: Mapping[str, Fraction]) -> None:
        """Set the meters of a House; written by the next `update`."""
        if meters:
            self.saved.meters[digest] = {
                name: str(meter_text(value)) for name, value in meters.items()
            }

    def save(self) -> None:
        """Write the file; after an error the bankroll is kept in memory only."""
        if self.folder is None:
            return
        try:
            content = msgspec.json.format(msgspec.json.encode(self.saved))
            replace_file(self.folder / FILE_NAME, content)
        except OSError as error:
            self._use_memory(error)

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _use_memory(self, error: OSError) -> None:
        self.notices.append(f"Your bankroll cannot be saved: {error.strerror or error}.")
        self.folder = None

    def _open(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{FILE_NAME}.lock")
            lock.acquire(blocking=False)
        except Timeout:
            self.notices.append(
                "Your bankroll is in use by another session; this session has separate chips."
            )
            self.folder = None
            return
        except OSError as error:
            self._use_memory(error)
            return
        self._lock = lock
        self._read(folder / FILE_NAME)
        if self.saved.playing:
            self.notices.append(
                f"The last session ended during a round: {self.saved.playing}. "
                f"Your bets were returned; you have {dollars(self.saved.bankroll)}."
            )
            self.saved.playing = ""
            self.save()

    def _read(self, path: Path) -> None:
        try:
            self.saved = msgspec.json.decode(path.read_bytes(), type=SavedBankroll)
        except FileNotFoundError:
            return
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            new_name = set_aside(path)
            self.notices.append(
                f"{path.name} could not be read and was renamed to {new_name}; "
                f"you start with {dollars(BUY_IN)}."
            )
        except OSError as error:
            self._use_memory(error)


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file atomically: a crash leaves the old contents or the new ones."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def set_aside(path: Path) -> str:
    """Rename an unreadable file to an unused name, and return the name."""
    number = 1
    while (new_path := path.with_name(f"{path.name}.unreadable-{number}")).exists():
        number += 1
    with contextlib.suppress(OSError):
        os.replace(path, new_path)
    return new_path.name

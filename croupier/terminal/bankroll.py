"""The player's bankroll, remembered between runs in one small JSON file.

The file is replaced as a whole or not at all. One that cannot be read is set aside, never
overwritten; where nothing can be written, the game goes on and says so.
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
MOST: Cents = 1_000_000_000_00  # more than any table can pay, and far from what JSON cannot hold
FILE = "player.json"

Amount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**62)]


class Purse(msgspec.Struct, kw_only=True):
    """What is remembered: the money, what it cost, the last bets, the meters of each House."""

    schema: int = 1
    bankroll: Amount = BUY_IN
    bought: Amount = BUY_IN  # all buy-ins together, so that a rebuy is no win
    rounds: Annotated[int, msgspec.Meta(ge=0)] = 0
    bets: dict[str, dict[str, Amount]] = {}
    meters: dict[str, dict[str, str]] = {}  # by the digest of the House, exact cents as text
    playing: str = ""  # the round that is being played: what a killed session leaves behind


def home() -> Path:
    """The folder for player data: $CROUPIER_HOME, or the platform's place for it."""
    if given := os.environ.get("CROUPIER_HOME"):
        return Path(given)
    return user_data_path("croupier", appauthor=False)


def read_bankroll(value: object) -> Cents:
    """A bankroll in dollars as the player gave it."""
    cents = parse_dollars(value.strip().lstrip("$") if isinstance(value, str) else value)
    if cents is None or not 0 < cents <= MOST:
        raise BadInput(f"bankroll {value} is not an amount from $0.01 to {dollars(MOST)}")
    return cents


class Bank:
    """The purse and its file: what the player takes home, saved whenever it changes.

    While somebody plays, their chips lie on the table; `keep` is told what they come to. Two
    sessions that wrote one bankroll would make or lose money between them, so one holds the lock.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder  # None keeps everything in memory
        self.notices: list[str] = []
        self.purse = Purse()
        self._lock: FileLock | None = None
        if folder is not None:
            self._open(folder)

    @property
    def bankroll(self) -> Cents:
        """The player's money, as it was after the last round."""
        return self.purse.bankroll

    def keep(self, chips: Cents, *, rounds: int = 0) -> None:
        """What the player's chips come to, after so many more rounds."""
        if chips != self.purse.bankroll or rounds or self.purse.playing:
            self.purse.playing = ""
            self.purse.bankroll = chips
            self.purse.rounds += rounds
            self.save()

    def begin(self, what: str) -> None:
        """Note a round that begins, so that one which never ends is told about."""
        self.purse.playing = what
        self.save()

    def buy(self, cents: Cents) -> None:
        """Buy more chips."""
        self.purse.bankroll += cents
        self.purse.bought += cents
        self.save()

    def start_over(self, cents: Cents) -> None:
        """Sit down with exactly this bankroll; what was there before is forgotten."""
        self.purse.bankroll = self.purse.bought = cents
        self.purse.rounds = 0
        self.save()

    def meters(self, digest: str, names: Mapping[str, object]) -> dict[str, Fraction]:
        """The meters as they stood when this House was last played; empty if it never was."""
        found = {
            name: parse_decimal(text)
            for name, text in self.purse.meters.get(digest, {}).items()
            if name in names
        }
        return {name: value for name, value in found.items() if value is not None and value >= 0}

    def keep_meters(self, digest: str, meters: Mapping[str, Fraction]) -> None:
        """Remember the meters of a House; saved with the next booking."""
        if meters:
            self.purse.meters[digest] = {
                name: str(meter_text(value)) for name, value in meters.items()
            }

    def save(self) -> None:
        """Write the purse; a failure is told once and the game goes on in memory."""
        if self.folder is None:
            return
        try:
            write_whole(self.folder / FILE, msgspec.json.format(msgspec.json.encode(self.purse)))
        except OSError as error:
            self.notices.append(f"The bankroll cannot be remembered: {error.strerror or error}.")
            self.folder = None

    def close(self) -> None:
        """Let another session have the file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _open(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{FILE}.lock")
            lock.acquire(blocking=False)
        except Timeout:
            self.notices.append(
                "Another session holds your bankroll; this one plays with chips of its own."
            )
            self.folder = None
            return
        except OSError as error:
            self.notices.append(f"The bankroll cannot be remembered: {error.strerror or error}.")
            self.folder = None
            return
        self._lock = lock
        self._read(folder / FILE)
        if self.purse.playing:
            self.notices.append(
                f"The last session ended in the middle of a round: {self.purse.playing}. "
                f"Its bets came back; you have {dollars(self.purse.bankroll)}."
            )
            self.purse.playing = ""
            self.save()

    def _read(self, path: Path) -> None:
        try:
            self.purse = msgspec.json.decode(path.read_bytes(), type=Purse)
        except FileNotFoundError:
            return
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            aside = set_aside(path)
            self.notices.append(
                f"{path.name} could not be read and was set aside as {aside}; "
                f"you start with {dollars(BUY_IN)}."
            )
        except OSError as error:
            self.notices.append(f"The bankroll cannot be remembered: {error.strerror or error}.")
            self.folder = None


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a crash leaves the old one or the new one."""
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
    """Rename an unreadable file to a name that is free, and say which."""
    number = 1
    while (aside := path.with_name(f"{path.name}.unreadable-{number}")).exists():
        number += 1
    with contextlib.suppress(OSError):
        os.replace(path, aside)
    return aside.name

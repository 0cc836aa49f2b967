"""What is handed to a writer in another process, and what comes back: frames over a socket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from croupier.ledger import errors
from croupier.ledger.errors import LedgerError
from croupier.ledger.log.append import Append, Fence
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, StoredEntry

_LENGTH = 4  # bytes before each frame that say how long it is


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame: where the record is. It is said here, since it may have a password."""

    place: str
    lock_timeout_ms: int
    answer_timeout_ms: int


class AppendRequest(msgspec.Struct, frozen=True, array_like=True):
    """An append on its way."""

    entries: list[Entry]
    marks: list[IndexTerm]
    snapshots: list[Snapshot]
    fence: Fence | None

    @classmethod
    def of(cls, append: Append) -> AppendRequest:
        """One that nobody has decided yet."""
        return cls(
            list(append.entries), list(append.index_terms), list(append.snapshots), append.fence
        )

    def append(self) -> Append:
        """It arrived. What may not be appended was refused before it was sent."""
        return Append(
            self.entries,
            index_terms=self.marks,
            snapshots=self.snapshots,
            reserved=True,
            fence=self.fence,
        )


class RemoteError(msgspec.Struct, frozen=True, array_like=True):
    """Why something was not appended, as the error that says so."""

    kind: str
    told: str
    state: dict[str, Any]

    @classmethod
    def of(cls, error: LedgerError) -> RemoteError:
        """An error of the ledger on its way."""
        return cls(type(error).__name__, str(error), vars(error))

    def error(self) -> LedgerError:
        """It arrived."""
        kind: type[LedgerError] = getattr(errors, self.kind)
        made = kind.__new__(kind, self.told)  # as it was made there, not made anew
        vars(made).update(self.state)
        return made


class AppendResult(msgspec.Struct, frozen=True, array_like=True):
    """What became of an append: the places of its entries, or why it has none."""

    places: list[tuple[int, bytes, bytes]]  # position, the leaf before, its own leaf
    failure: RemoteError | None

    @classmethod
    def of(cls, append: Append) -> AppendResult:
        """One that was decided."""
        if append.failure is not None:
            return cls([], RemoteError.of(append.failure))
        return cls([(s.position, s.previous, s.leaf) for s in append.stored], None)

    def decide(self, append: Append) -> None:
        """Let those who wait for it go on."""
        append.stored = [
            StoredEntry(entry, *place)
            for entry, place in zip(append.entries, self.places, strict=False)
        ]
        append.resolve(self.failure.error() if self.failure is not None else None)


_encode = msgspec.msgpack.Encoder().encode
handed_of = msgspec.msgpack.Decoder(list[AppendRequest]).decode
outcomes_of = msgspec.msgpack.Decoder(list[AppendResult]).decode
database_of = msgspec.msgpack.Decoder(Database).decode


def framed(value: Database | Sequence[AppendRequest] | Sequence[AppendResult]) -> bytes:
    """A frame with its length before it."""
    body = _encode(value)
    return len(body).to_bytes(_LENGTH, "big") + body


class Frames:
    """Bytes as they come, cut into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def take(self, came: bytes) -> Iterator[bytes]:
        """The frames that are whole now."""
        held = self._bytes
        held += came
        start = 0
        while len(held) - start >= _LENGTH:
            end = start + _LENGTH + int.from_bytes(held[start : start + _LENGTH], "big")
            if end > len(held):
                break
            yield bytes(held[start + _LENGTH : end])
            start = end
        del held[:start]

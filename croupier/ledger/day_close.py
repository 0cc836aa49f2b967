"""Close of a gaming day: record the log's size and the wagers in play, and sign a checkpoint.

A day ends with the last transaction before its end by the writers' clock. Later entries belong to
the next day, however late the close itself is recorded.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.clock import HOUR, gaming_day, now_ms
from croupier.errors import BadInput, Refusal
from croupier.ledger import round_index
from croupier.ledger.aggregates import administration
from croupier.ledger.aggregates.administration import (
    RECORDS_CLAUSE,
    Administration,
    CloseDay,
    DayClosed,
    KeepCheckpoint,
    check_closing,
)
from croupier.ledger.errors import LedgerError, NotFound, RepeatedCommand, printable, utc_minute
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import TreeHead
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.ledger.log.transparency.signed_note import PublicKey, Signature, SignedNote
from croupier.ledger.optimistic_retry import retry_on_conflict
from croupier.table import ROLES, Account, Role

ATTEMPTS_MAX = 10
AHEAD_MAX = HOUR  # of the last commit before the clock, when a day is closed


def close_day(ledger: Ledger, day: str, *, by: Account) -> DayClosed:
    """Close a gaming day. Closing it again returns the recorded close."""
    moment = now_ms()

    def attempt(_: int) -> DayClosed:
        state = ledger.read_administration()
        if day not in state.days:
            check_closing(state, day, moment)
            _check_clock(ledger, day, moment)
            command = closing_command(ledger, state, day)
            with suppress(RepeatedCommand):  # another process closed it first
                ledger.administer(command, by, moment, id=f"close {day}")
            state = ledger.read_administration()
        return state.days[day]

    return retry_on_conflict(attempt, administration.STREAM, attempts=ATTEMPTS_MAX)


def _check_clock(ledger: Ledger, day: str, moment: int) -> None:
    """Refuse to close a day while the log is ahead of the clock.

    Whatever is played now is committed after the last commit. Days before that would be closed as
    empty, whatever was played.
    """
    last = ledger.store.head().time
    if last > moment + AHEAD_MAX:
        problem = f"the last commit is of {utc_minute(last)}, the clock reads {utc_minute(moment)}"
        raise Refusal(f"day {day} cannot be closed: {problem}", RECORDS_CLAUSE)


def closing_command(ledger: Ledger, state: Administration, day: str) -> CloseDay:
    """The command that closes a day that has ended."""
    store = ledger.store
    size = store.size_at(state.gaming_day(day)[1])
    if not size:
        raise Refusal(f"day {day} ended before the first entry", RECORDS_CLAUSE)
    ((rounds,),) = store.query(
        "SELECT count(*) FROM mark WHERE word = ? AND position < ?", (round_index.CLOSED, size)
    )
    return CloseDay(
        day=day,
        size=size,
        root=store.tree.root(size).hex(),
        rounds=rounds,
        in_play=chips_in_play(ledger, size),
    )


def chips_in_play(ledger: Ledger, size: int) -> dict[str, int]:
    """The wagers on the layout of each table, in cents, as of a size of the log."""
    layouts = {table: ledger.table_at(table, size).layout for table in ledger.tables()}
    return {table: layout for table, layout in layouts.items() if layout}


def sign_day(ledger: Ledger, day: str, name: str, key: Ed25519PrivateKey, *, by: Account) -> str:
    """Sign the checkpoint of a closed day, record it, and return the signed note."""
    text = day_checkpoint(ledger, day, name)
    return _keep_note(ledger, day, SignedNote(text, (signed_note.sign(text, name, key),)), by)


def day_checkpoint(ledger: Ledger, day: str, name: str) -> str:
    """The text that is signed for a closed day; `name` is the name of the log and of its key."""
    closed = ledger.read_administration().days.get(day)
    if closed is None:
        raise NotFound(f"day {printable(day)[:20]} has not been closed")
    head = TreeHead(closed.size, bytes.fromhex(closed.root), 0)
    return checkpoint.text_to_sign(head, name, extensions=[f"gaming day {day}"])


def keep_signature(
    ledger: Ledger,
    day: str,
    key: PublicKey,
    signature: bytes,
    *,
    by: Account,
    is_new_key: bool = False,
) -> str:
    """Record a signature that was made elsewhere, after verifying it; returns the signed note.

    A key that has signed no earlier day is refused unless `is_new_key` confirms it.
    """
    text = day_checkpoint(ledger, day, key.name)
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        problem = f"this is not a signature of day {day} by {key}"
        raise Refusal(problem, RECORDS_CLAUSE) from None
    signers = signing_keys_on_record(ledger.administration)
    if signers and (key.name, key.id.hex()) not in signers and not is_new_key:
        problem = f"{key} has signed no earlier day; confirm that it is a new key"
        raise Refusal(problem, RECORDS_CLAUSE)
    line = Signature(key.name, key.id, signature)
    return _keep_note(ledger, day, SignedNote(text, (line,)), by)


def signing_keys_on_record(state: Administration) -> dict[tuple[str, str], str]:
    """The last day that each key signed, by its name and id; the latest key comes last."""
    signers: dict[tuple[str, str], str] = {}
    for day in sorted(state.notes):
        for note in state.notes[day]:
            for line in signed_note.parse(note).signatures:
                signer = (line.name, line.id.hex())
                signers.pop(signer, None)
                signers[signer] = day
    return signers


def _keep_note(ledger: Ledger, day: str, signed: SignedNote, by: Account) -> str:
    note = str(signed)
    if note not in ledger.administration.notes.get(day, ()):
        command = KeepCheckpoint(day, note)
        retry_on_conflict(
            lambda _: ledger.administer(command, by),
            administration.STREAM,
            attempts=ATTEMPTS_MAX,
        )
    return note


def checkpoint_covering(ledger: Ledger, position: int) -> str:
    """The first signed checkpoint on record that covers a position; NotFound if there is none."""
    state = ledger.read_administration()
    for day in sorted(state.days):
        if state.days[day].size > position and state.notes.get(day):
            return state.notes[day][0]
    raise NotFound("no signed checkpoint on record covers this; close and sign the day first")


def proof_obstacle(ledger: Ledger, position: int) -> str:
    """Why no signed checkpoint covers a position yet, and what is to be done; empty if one does."""
    state = ledger.read_administration()
    with suppress(NotFound):
        checkpoint_covering(ledger, position)
        return ""
    closed = sorted(day for day in state.days if state.days[day].size > position)
    if closed:
        return f"Gaming day {closed[0]} is closed but not signed. Sign it under Gaming days."
    founded = state.founded
    assert founded is not None, "the ledger is not initialized"
    committed = ledger.store.at(position).time
    day = gaming_day(committed, founded.timezone, founded.day_starts).isoformat()
    ends = state.gaming_day(day)[1]
    if now_ms() >= ends:
        return f"Gaming day {day} has ended but is not closed. Close and sign it under Gaming days."
    local = dt.datetime.fromtimestamp(ends // 1000, state.zone)
    return (
        f"Gaming day {day} ends at {local:%Y-%m-%d %H:%M %Z}. "
        "The round can be proved once the day is closed and signed."
    )


def load_checkpoint(path: Path, keys: list[signed_note.PublicKey]) -> checkpoint.Checkpoint:
    """Load a checkpoint from a file; with `keys`, it must be signed by one of them."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LedgerError(f"{printable(str(path))} cannot be read: {error.strerror}") from None
    if keys:
        return checkpoint.open_checkpoint(content, keys)
    return checkpoint.parse(signed_note.parse(content).text)


def parse_account(text: str, roles: Sequence[Role] = ROLES) -> Account:
    """Parse an account in the form ROLE:NAME."""
    prefix, _, name = text.partition(":")
    role = next((role for role in roles if role == prefix), None)
    if role is None or not name.strip():
        expected = f"expected ROLE:NAME with a role of {', '.join(roles)}"
        raise BadInput(f"{text!r} is not an account; {expected}")
    return Account.named(name, role)


def load_public_keys(texts: list[str]) -> list[signed_note.PublicKey]:
    """Parse public keys; each text is a key, or the path of a file that holds one."""
    keys = []
    for text in texts:
        with suppress(OSError, ValueError):  # not a file: the text is the key itself
            text = Path(text).read_text("utf-8")
        keys.append(signed_note.PublicKey.parse(text))
    return keys

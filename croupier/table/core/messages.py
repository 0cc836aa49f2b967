"""Base classes of commands and events, the envelope around a command, and their validation.

A command is a request; an Envelope adds its id, account and time. The table refuses a command or
turns it into events. Events are never edited; a later event corrects an earlier one. Each event
has an explicit `kind` and `schema` and cites the clauses behind it. Cards are written as names and
meters as exact decimals, so that a record can be read without Croupier.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.table.core.roles import OFFICES, ROLES, Account, check_id

MeterText: TypeAlias = int | str  # whole cents, or an exact decimal
Seat: TypeAlias = int

# Who sees the contents of an event: all viewers; staff and the player it is about; staff; the
# floor, surveillance and audit. Other viewers learn only that an event occurred.
Audience: TypeAlias = Literal["public", "own", "staff", "watch"]

ENVELOPE_ID_LENGTH_MAX = 120
TIME_END = 253_402_300_800_000  # the end of the year 9999
_ROLES = frozenset((*ROLES, *OFFICES))
_encode = msgspec.json.Encoder().encode


class Command(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Base class of every command."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """Base class of every event. Only the first event of a command carries the time `at`."""

    audience: ClassVar[Audience] = "public"

    schema: int = 1
    clauses: tuple[str, ...] = ()
    at: int | msgspec.UnsetType = msgspec.UNSET


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command with its id, the account that gives it, and the time in epoch milliseconds.

    `entered_by` is the member of staff who entered a command on behalf of the player `by`.
    """

    id: str
    by: Account
    at: int
    command: Command
    entered_by: Account | None = None


def kind_of(message: Command | Event | type[Command] | type[Event]) -> str:
    """Return the tag a command or event is serialized under, such as "place_wagers"."""
    tag = message.__struct_config__.tag
    assert isinstance(tag, str), f"{message!r} has no tag"
    return tag


def validate_envelope(envelope: object, *, typed: bool = False) -> Envelope:
    """Return the envelope if every field has its declared type; raise BadInput otherwise.

    Only types are checked; whether a seat, amount or card is legal is for the table to decide.
    `typed` is for an envelope that a typed decoder produced: its command is not checked again.
    """
    if type(envelope) is not Envelope:
        raise BadInput(f"expected an Envelope, got {_short(envelope)}")
    command_id, by, at = envelope.id, envelope.by, envelope.at
    if (
        type(command_id) is not str
        or len(command_id) > ENVELOPE_ID_LENGTH_MAX
        or not command_id.isprintable()
    ):
        limit = f"at most {ENVELOPE_ID_LENGTH_MAX} printable characters"
        raise BadInput(f"expected an id of {limit}, got {_short(command_id)}")
    _check_actor(by)
    if envelope.entered_by is not None:
        _check_actor(envelope.entered_by)
    if type(at) is not int or not 0 <= at < TIME_END:
        raise BadInput(f"expected a time in milliseconds since the epoch, got {_short(at)}")
    if typed:
        if _has_account_field(type(envelope.command)):
            _check_accounts(msgspec.structs.astuple(envelope.command))
        return envelope
    command = validate_command(envelope.command)
    if command is envelope.command:
        return envelope
    return Envelope(command_id, by, at, command, envelope.entered_by)


def _check_actor(by: object) -> None:
    if type(by) is not Account:
        raise BadInput(f"expected an Account, got {_short(by)}")
    try:
        _check_account(by)
    except TypeError:  # an id that is not hashable
        raise BadInput(f"expected an account id as text, got {_short(by)}") from None


@lru_cache(maxsize=4096)  # a shift has few accounts and many commands
def _check_account(account: Account) -> None:
    if type(account.id) is not str:
        raise BadInput(f"expected an account id as text, got {_short(account.id)}")
    check_id(account.id)
    if account.role not in _ROLES:
        raise BadInput(f"{_short(account.role)} is not a role")


def validate_command(command: object) -> Command:
    """Return the command if every field has its declared type; lists become tuples.

    Raises BadInput, also for values that cannot be encoded (a lone surrogate, an integer of more
    than 4,300 digits): neither a record nor a refusal could hold them.
    """
    if not isinstance(command, Command):
        raise BadInput(f"{_short(command)} is not a command")
    kind = type(command)
    if not kind.__struct_fields__:
        return command
    try:
        values = msgspec.structs.asdict(command)
        if _has_account_field(kind):
            _check_accounts(values.values())
        converted = msgspec.convert(values, kind)
        _encode(converted)
        return converted
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise BadInput(f"{kind.__name__}: {error}; got {_short(command)}") from None


@cache
def _has_account_field(kind: type[Command]) -> bool:
    return any("Account" in str(field.type) for field in msgspec.structs.fields(kind))


def _check_accounts(values: Iterable[object]) -> None:
    for value in values:
        if type(value) is Account:
            _check_account(value)


def epoch_ms(at: datetime | int) -> int:
    """Return a time as milliseconds since the epoch; a datetime must have a time zone."""
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise BadInput(f"expected a datetime with a time zone, got {at.isoformat()}")
        return round(at.timestamp() * 1000)
    if type(at) is not int:
        raise BadInput(f"expected a datetime or milliseconds since the epoch, got {_short(at)}")
    return at


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as error:  # a broken __repr__ must not hide the error being reported
        return f"a {type(value).__name__} whose repr failed ({type(error).__name__})"
    return text if len(text) <= 120 else text[:117] + "..."

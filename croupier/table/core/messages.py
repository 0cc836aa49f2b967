"""What is said and what happened at a table: the roots of every command and event.

A command is what somebody asks for; with who, when and an id it is an Envelope. It is refused or
becomes events. Events are never edited; a later event corrects. Each has an explicit `kind` and
`schema` and carries the clauses it rests on. Cards are written as names and meters as exact
decimals, so that a record is readable without Croupier.
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

# Who is shown an event as it is: everybody; the staff and the person it is about; the staff; those
# who watch the staff. Everybody else is told that something happened, and nothing else.
Audience: TypeAlias = Literal["public", "own", "staff", "watch"]

LONGEST_ID = 120
_ROLES = frozenset((*ROLES, *OFFICES))
LATEST = 253_402_300_800_000  # the end of the year 9999
_write = msgspec.json.Encoder().encode


class Command(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """The root of every command."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The root of every event. `at` stands in the first event of a command."""

    audience: ClassVar[Audience] = "public"

    schema: int = 1
    clauses: tuple[str, ...] = ()
    at: int | msgspec.UnsetType = msgspec.UNSET


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command with its id, who gave it and when, in milliseconds since the epoch.

    `entered_by` is who typed it, where somebody else does for a player who speaks or lays down.
    """

    id: str
    by: Account
    at: int
    command: Command
    entered_by: Account | None = None


def kind_of(thing: Command | Event | type[Command] | type[Event]) -> str:
    """The word a command or an event is written under."""
    tag = thing.__struct_config__.tag
    assert isinstance(tag, str), f"{thing!r} has no tag"
    return tag


def checked(envelope: object, *, typed: bool = False) -> Envelope:
    """The envelope, every part of it of the type that it should have; BadInput otherwise.

    What the values say is for the table to judge: which seat, which amount, which card. `typed`
    is a command that was read from a record, every field by its type: it needs no second look.
    """
    if type(envelope) is not Envelope:
        raise BadInput(f"an Envelope is expected, got {_short(envelope)}")
    identity, by, at = envelope.id, envelope.by, envelope.at
    if type(identity) is not str or len(identity) > LONGEST_ID or not identity.isprintable():
        raise BadInput(f"an id is up to {LONGEST_ID} printable signs, got {_short(identity)}")
    check_person(by)
    if envelope.entered_by is not None:
        check_person(envelope.entered_by)
    if type(at) is not int or not 0 <= at < LATEST:
        raise BadInput(f"a time in milliseconds since the epoch is expected, got {_short(at)}")
    if typed:
        if names_people(type(envelope.command)):
            _check_people(msgspec.structs.astuple(envelope.command))
        return envelope
    command = checked_command(envelope.command)
    if command is envelope.command:
        return envelope
    return Envelope(identity, by, at, command, envelope.entered_by)


def check_person(by: object) -> None:
    """Refuse what is no account."""
    if type(by) is not Account:
        raise BadInput(f"an Account is expected as the one who acts, got {_short(by)}")
    try:
        check_account(by)
    except TypeError:  # not even something that can be looked up
        raise BadInput(f"an account id is a text, got {_short(by)}") from None


@lru_cache(maxsize=4096)  # the same few people act again and again
def check_account(by: Account) -> None:
    """Refuse an account whose id or role is none."""
    if type(by.id) is not str:
        raise BadInput(f"an account id is a text, got {_short(by.id)}")
    check_id(by.id)
    if by.role not in _ROLES:
        raise BadInput(f"{_short(by.role)} is no role")


def checked_command(command: object) -> Command:
    """The command, if every field has its type; lists become the tuples they stand for.

    What cannot be written down, as half a character or a number of more than 4,300 digits, was
    never said: a record could not hold it, and no refusal could name it.
    """
    if not isinstance(command, Command):
        raise BadInput(f"{_short(command)} is not a command")
    kind = type(command)
    if not kind.__struct_fields__:
        return command
    try:
        given = msgspec.structs.asdict(command)
        if names_people(kind):
            _check_people(given.values())
        made = msgspec.convert(given, kind)
        _write(made)
        return made
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise BadInput(f"{kind.__name__}: {error}; got {_short(command)}") from None


@cache
def names_people(kind: type[Command]) -> bool:
    """Whether a field of these commands may hold an account."""
    return any("Account" in str(field.type) for field in msgspec.structs.fields(kind))


def _check_people(values: Iterable[object]) -> None:
    """Somebody else may take part, such as a second person."""
    for value in values:
        if type(value) is Account:
            check_account(value)


def milliseconds(at: datetime | int) -> int:
    """A moment as milliseconds since the epoch; a datetime must know its time zone."""
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise BadInput(f"a moment without a time zone is no moment: {at.isoformat()}")
        return round(at.timestamp() * 1000)
    if type(at) is not int:
        raise BadInput(f"a time is a datetime or milliseconds since the epoch, got {_short(at)}")
    return at


def _short(value: Any) -> str:
    try:
        shown = repr(value)
    except Exception as error:  # whatever was handed in, it is only shown
        return f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return shown if len(shown) <= 120 else shown[:117] + "..."

"""Duty roster aggregate: who serves which tables of the property.

A table's entry and the roster's entry are appended together, so two tables that request the same
dealer at once cannot both succeed: the second append conflicts and is decided again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.table import Account, Command, Envelope, Event, Role, Table, validate_envelope
from croupier.table import events as ev

STREAM = "people"
SCHEMA = 1  # of a snapshot; snapshots of other schemas are ignored and taken again
STAFFING_CLAUSE = "COMAR 36.05.03.01C"  # who deals and who supervises
SUPERVISION_CLAUSE = "COMAR 36.05.03.01D"  # how many tables one floorperson supervises

# A floorperson supervises at most six tables; an electronic table counts as half of one.
TABLES_MAX = 6
_FULL, _HALF = 2, 1


class Take(msgspec.Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """An account takes a post at the table."""

    who: Account
    electronic: bool = False  # the table is a dealer-controlled electronic one


class Release(msgspec.Struct, frozen=True, tag="release", forbid_unknown_fields=True):
    """An account leaves its post or is relieved."""

    who: Account


PostMove: TypeAlias = Take | Release


class MovePosts(Command, frozen=True, kw_only=True, tag="move_posts"):
    """Changes of posts by one entry of a table."""

    table: str
    entry: int  # its sequence in the table's stream
    moves: tuple[PostMove, ...]


class OnDuty(Event, frozen=True, kw_only=True, tag="on_duty"):
    """An account serves a table from here on."""

    who: Account
    table: str
    electronic: bool = False


class OffDuty(Event, frozen=True, kw_only=True, tag="off_duty"):
    """An account no longer serves a table."""

    who: Account
    table: str


COMMANDS: tuple[type[Command], ...] = (MovePosts,)
EVENTS: tuple[type[Event], ...] = (OnDuty, OffDuty)
_POST_EVENTS = frozenset((ev.PostTaken, ev.PostLeft))


def post_moves(table: Table, events: Sequence[Event]) -> tuple[PostMove, ...]:
    """The changes of posts in a table's events; `table` is the state before them."""
    if _POST_EVENTS.isdisjoint(map(type, events)):
        return ()
    electronic = bool(getattr(table.house.choices, "electronic_version", False))
    dealer = table.posts.dealer
    moves: list[PostMove] = []
    for event in events:
        match event:
            case ev.PostTaken(by=by):
                if by.role == "dealer":
                    if dealer:
                        moves.append(Release(Account(dealer, "dealer")))
                    dealer = by.id
                moves.append(Take(by, electronic))
            case ev.PostLeft(by=by):
                dealer = "" if by.id == dealer else dealer
                moves.append(Release(by))
    return tuple(moves)


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The role of an account at a table."""

    role: Role
    electronic: bool = False


class DutyRosterSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Content of a snapshot."""

    schema: int
    posts: dict[str, dict[str, Post]]


class DutyRoster:
    """Posts by account and table."""

    def __init__(self) -> None:
        self.posts: dict[str, dict[str, Post]] = {}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events of a command, or a Refusal."""
        envelope = validate_envelope(envelope)
        command = envelope.command
        if not isinstance(command, MovePosts):
            problem = f"{type(command).__name__} is not a duty roster command"
            raise Refusal(problem, STAFFING_CLAUSE)
        if not command.moves:
            raise Refusal("the command changes no post", STAFFING_CLAUSE)
        events = list(self._decide_moves(command))
        events[0] = msgspec.structs.replace(events[0], at=envelope.at)
        return tuple(events)

    def _decide_moves(self, command: MovePosts) -> Iterator[Event]:
        table = command.table
        after: dict[str, dict[str, Post]] = {}
        for move in command.moves:
            who = move.who
            posts = after.setdefault(who.id, dict(self.posts.get(who.id, {})))
            match move:
                case Take():
                    check_free(who, posts, move.electronic)
                    posts[table] = Post(who.role, move.electronic)
                    supervises = who.role == "floorperson"
                    clause = SUPERVISION_CLAUSE if supervises else STAFFING_CLAUSE
                    yield OnDuty(
                        who=who, table=table, electronic=move.electronic, clauses=(clause,)
                    )
                case Release():
                    if posts.pop(table, None) is None:
                        raise Refusal(f"{who} has no post at table {table!r}", STAFFING_CLAUSE)
                    yield OffDuty(who=who, table=table, clauses=(STAFFING_CLAUSE,))

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        match event:
            case OnDuty():
                posts = self.posts.setdefault(event.who.id, {})
                posts[event.table] = Post(event.who.role, event.electronic)
            case OffDuty():
                posts = self.posts[event.who.id]
                del posts[event.table]
                if not posts:
                    del self.posts[event.who.id]

    def to_snapshot(self) -> str:
        """This state as text, identical for identical events."""
        return msgspec.json.encode(DutyRosterSnapshot(schema=SCHEMA, posts=self.posts)).decode()

    @classmethod
    def from_snapshot(cls, text: str) -> DutyRoster:
        """The roster of a snapshot; BadInput if it is not one of this schema."""
        try:
            snapshot = msgspec.json.decode(text, type=DutyRosterSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if snapshot.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {snapshot.schema}, expected {SCHEMA}")
        roster = cls()
        roster.posts = snapshot.posts
        return roster


def check_free(who: Account, posts: dict[str, Post], electronic: bool) -> None:
    """Refuse a post to a dealer at another table, in a second role, or beyond the table limit."""
    for table, post in posts.items():
        if post.role != who.role or who.role == "dealer":
            problem = f"{who} already has a post at table {table!r} as a {post.role}"
            raise Refusal(problem, STAFFING_CLAUSE)
    if who.role != "floorperson":
        return
    load = sum(_HALF if post.electronic else _FULL for post in posts.values())
    if load + (_HALF if electronic else _FULL) > TABLES_MAX * _FULL:
        problem = f"{who} has {len(posts)} tables; expected at most {TABLES_MAX}"
        raise Refusal(f"{problem}, electronic ones count half", SUPERVISION_CLAUSE)

"""People on duty: one stream of posts for all tables of a property.

A table's entry and the registry's are one append, as with shared meters: whoever appends second
reads on and decides anew, so that two tables that ask for one dealer in the same instant get one.
Pure, like a table: `decide` may refuse, `evolve` may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.table import Account, Command, Envelope, Event, Role, Table, validate_envelope
from croupier.table import events as ev

STREAM = "people"
SCHEMA = 1  # of a snapshot; one of another schema is made anew from the record
STAFFING = "COMAR 36.05.03.01C"  # who deals and who supervises
SUPERVISION = "COMAR 36.05.03.01D"  # how many tables one floorperson has

# A floorperson has six tables, or twice as many electronic ones: those count half.
TABLES_MAX = 6
_FULL, _HALF = 2, 1


class Take(msgspec.Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """Somebody takes a post at the table."""

    who: Account
    electronic: bool = False  # the table is a dealer controlled electronic one


class Release(msgspec.Struct, frozen=True, tag="release", forbid_unknown_fields=True):
    """Somebody leaves the post, or was relieved."""

    who: Account


Move: TypeAlias = Take | Release


# What may be asked for.


class MovePosts(Command, frozen=True, kw_only=True, tag="move_posts"):
    """What an entry of a table did to its posts."""

    table: str
    entry: int  # its sequence in the table's stream
    moves: tuple[Move, ...]


# What happened.


class OnDuty(Event, frozen=True, kw_only=True, tag="on_duty"):
    """Somebody serves a table from here on."""

    who: Account
    table: str
    electronic: bool = False


class OffDuty(Event, frozen=True, kw_only=True, tag="off_duty"):
    """Somebody serves a table no more."""

    who: Account
    table: str


COMMANDS: tuple[type[Command], ...] = (MovePosts,)
EVENTS: tuple[type[Event], ...] = (OnDuty, OffDuty)
_POSTS = frozenset((ev.PostTaken, ev.PostLeft))


def moves_of(table: Table, events: Sequence[Event]) -> tuple[Move, ...]:
    """What a table's events do to its posts, in their order; `table` is as it was before them."""
    if _POSTS.isdisjoint(map(type, events)):
        return ()
    electronic = bool(getattr(table.house.choices, "electronic_version", False))
    dealer, found = table.posts.dealer, list[Move]()
    for event in events:
        match event:
            case ev.PostTaken(by=by):
                if by.role == "dealer":
                    if dealer:
                        found.append(Release(Account(dealer, "dealer")))
                    dealer = by.id
                found.append(Take(by, electronic))
            case ev.PostLeft(by=by):
                dealer = "" if by.id == dealer else dealer
                found.append(Release(by))
    return tuple(found)


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does at a table."""

    role: Role
    electronic: bool = False


class DutyRosterSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    schema: int
    posts: dict[str, dict[str, Post]]


class DutyRoster:
    """Who serves which tables of the property, by account and table."""

    def __init__(self) -> None:
        self.posts: dict[str, dict[str, Post]] = {}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        given = validate_envelope(envelope)
        if not isinstance(given.command, MovePosts):
            raise Refusal(f"{type(given.command).__name__} is no command of the people", STAFFING)
        if not given.command.moves:
            raise Refusal("nobody takes or leaves a post", STAFFING)
        events = list(self._moved(given.command))
        events[0] = msgspec.structs.replace(events[0], at=given.at)
        return tuple(events)

    def _moved(self, command: MovePosts) -> Iterator[Event]:
        table = command.table
        after: dict[str, dict[str, Post]] = {}
        for move in command.moves:
            who = move.who
            own = after.setdefault(who.id, dict(self.posts.get(who.id, {})))
            match move:
                case Take():
                    check_free(who, own, move.electronic)
                    own[table] = Post(who.role, move.electronic)
                    clause = SUPERVISION if who.role == "floorperson" else STAFFING
                    yield OnDuty(
                        who=who, table=table, electronic=move.electronic, clauses=(clause,)
                    )
                case Release():
                    if own.pop(table, None) is None:
                        raise Refusal(f"{who} has no post at table {table!r}", STAFFING)
                    yield OffDuty(who=who, table=table, clauses=(STAFFING,))

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        match event:
            case OnDuty():
                own = self.posts.setdefault(event.who.id, {})
                own[event.table] = Post(event.who.role, event.electronic)
            case OffDuty():
                own = self.posts[event.who.id]
                del own[event.table]
                if not own:
                    del self.posts[event.who.id]

    def to_snapshot(self) -> str:
        """This state as text, the same for the same events."""
        return msgspec.json.encode(DutyRosterSnapshot(schema=SCHEMA, posts=self.posts)).decode()

    @classmethod
    def from_snapshot(cls, text: str) -> DutyRoster:
        """The registry of a snapshot; BadInput for what is none of this schema."""
        try:
            frozen = msgspec.json.decode(text, type=DutyRosterSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if frozen.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {frozen.schema}, expected {SCHEMA}")
        registry = cls()
        registry.posts = frozen.posts
        return registry


def check_free(who: Account, posts: dict[str, Post], electronic: bool) -> None:
    """Refuse a post to somebody who deals elsewhere, serves in another role, or has enough."""
    for table, post in posts.items():
        if post.role != who.role or who.role == "dealer":
            raise Refusal(f"{who} has a post at table {table!r} as a {post.role}", STAFFING)
    if who.role != "floorperson":
        return
    load = sum(_HALF if post.electronic else _FULL for post in posts.values())
    if load + (_HALF if electronic else _FULL) > TABLES_MAX * _FULL:
        told = f"{who} has {len(posts)} tables; expected at most {TABLES_MAX}"
        raise Refusal(f"{told}, electronic ones count half", SUPERVISION)

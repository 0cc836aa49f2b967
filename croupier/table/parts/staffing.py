"""Posts: who serves the table, and that nobody acts without the right to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, STAFF, Account, Role
from croupier.table.parts.payouts import round_documents

if TYPE_CHECKING:
    from croupier.table.table import Table

PLACES = "table.places"

# What may be asked for.


class TakePost(Command, frozen=True, tag="take_post"):
    """A dealer, floorperson or pit manager begins to serve this table."""


class LeavePost(Command, frozen=True, tag="leave_post"):
    """A member of the staff stops serving this table."""


# What happened.


class PostTaken(Event, frozen=True, kw_only=True, tag="post_taken"):
    """A member of the staff serves this table from now on; a dealer relieves the one before."""

    by: Account


class PostLeft(Event, frozen=True, kw_only=True, tag="post_left"):
    """A member of the staff serves this table no more."""

    by: Account


@dataclass(slots=True)
class Posts:
    """Who serves this table, in which role, and which of them deals."""

    here: dict[str, Role] = field(default_factory=dict)
    dealer: str = ""


def taken(table: Table, event: PostTaken) -> None:
    """A dealer relieves the one before."""
    posts, by = table.posts, event.by
    if by.role == "dealer":
        if posts.dealer:
            posts.here.pop(posts.dealer, None)
        posts.dealer = by.id
    posts.here[by.id] = by.role


def left(table: Table, event: PostLeft) -> None:
    """The post is free."""
    table.posts.here.pop(event.by.id, None)
    if table.posts.dealer == event.by.id:
        table.posts.dealer = ""


# The rules.


def take_post(table: Table, command: TakePost, by: Account, at: int) -> list[Event]:
    """One person, one role, and not also a player here."""
    if by.id in table.posts.here:
        raise table.refusal(f"{by.id} has a post here already", PLACES)
    if not by.id.strip() or table.seats.seat_of(by.id) is not None or table.boxes_of(by.id):
        raise table.refusal(f"{by.id!r} plays at this table", PLACES)
    clauses = table.house.cite(PLACES if by.role == "dealer" else "deck.verify")
    return [PostTaken(by=by, clauses=clauses)]


def leave_post(table: Table, command: LeavePost, by: Account, at: int) -> list[Event]:
    """Somebody else takes over, or the table waits."""
    return [PostLeft(by=by, clauses=table.house.cite(PLACES))]


def offer_posts(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Anybody of the staff; without a dealer nothing goes on."""
    playing = {box.player for box in table.open_round.boxes.values()} if table.open_round else set()
    taken = tuple(sorted({*table.posts.here, *table.seats.taken.values(), *playing, ""}))
    for role in STAFF:
        why = missing(table, role)
        yield ActionTemplate(
            command=TakePost(),
            due="due" if why else "may",
            why=why,
            open_to=(role,),
            except_for=taken,
        )


def missing(table: Table, role: Role) -> str:
    """Why somebody of a role must come; "" if nobody has to."""
    here = {name for name, post in table.posts.here.items() if post == role}
    if not here:
        return f"no {role} serves this table"
    for document in round_documents(table) if role == "pit_manager" else ():
        waits = document.witness == "pit_manager" and not document.witnessed
        if waits and here == {document.prepared_by}:
            return f"another pit manager must witness document {document.serial}"
    return ""


def offer_leaving(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody on a post."""
    yield ActionTemplate(command=LeavePost())


def may_enter(table: Table, account: Account) -> bool:
    """Whether somebody may type what a player says or lays down."""
    if account.role == "dealer":
        return table.posts.dealer == account.id
    return account.role in FLOOR and table.posts.here.get(account.id) == account.role


ACTS = (
    CommandSpec(
        command=TakePost,
        roles=STAFF,
        duty=PLACES,
        decide=take_post,
        offers=offer_posts,
        strangers=True,
    ),
    CommandSpec(
        command=LeavePost, roles=STAFF, duty=PLACES, decide=leave_post, offers=offer_leaving
    ),
)
PART = Part(
    name="posts",
    services=ATTENDED,
    acts=ACTS,
    evolve={PostTaken: taken, PostLeft: left},
)

"""Staffing assignments: the staff serving the table, and who deals.

An assignment is a post in the recorded names: `TakePost`, `LeavePost`.
"""

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

# Commands


class TakePost(Command, frozen=True, tag="take_post"):
    """A dealer, floorperson or pit manager starts serving this table."""


class LeavePost(Command, frozen=True, tag="leave_post"):
    """A member of staff stops serving this table."""


# Events


class PostTaken(Event, frozen=True, kw_only=True, tag="post_taken"):
    """A member of staff serves this table from now on; a dealer relieves the previous one."""

    by: Account


class PostLeft(Event, frozen=True, kw_only=True, tag="post_left"):
    """A member of staff no longer serves this table."""

    by: Account


@dataclass(slots=True)
class StaffAssignments:
    """The staff serving this table, by account id and role, and which of them deals."""

    here: dict[str, Role] = field(default_factory=dict)
    dealer: str = ""


# Event handlers


def taken(table: Table, event: PostTaken) -> None:
    posts, by = table.posts, event.by
    if by.role == "dealer":
        if posts.dealer:
            posts.here.pop(posts.dealer, None)
        posts.dealer = by.id
    posts.here[by.id] = by.role


def left(table: Table, event: PostLeft) -> None:
    table.posts.here.pop(event.by.id, None)
    if table.posts.dealer == event.by.id:
        table.posts.dealer = ""


# Rules


def take_post(table: Table, command: TakePost, by: Account, at: int) -> list[Event]:
    """Assign a person in one role; a player at the table cannot serve it."""
    if by.id in table.posts.here:
        raise table.refusal(f"{by.id} is already assigned to this table", PLACES)
    if not by.id.strip() or table.seats.seat_of(by.id) is not None or table.boxes_of(by.id):
        raise table.refusal(f"{by.id!r} plays at this table", PLACES)
    clauses = table.house.cite(PLACES if by.role == "dealer" else "deck.verify")
    return [PostTaken(by=by, clauses=clauses)]


def leave_post(table: Table, command: LeavePost, by: Account, at: int) -> list[Event]:
    """End an assignment."""
    return [PostLeft(by=by, clauses=table.house.cite(PLACES))]


def offer_posts(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer an assignment to all staff; due for a role that is missing."""
    playing = {box.player for box in table.open_round.boxes.values()} if table.open_round else set()
    taken = tuple(sorted({*table.posts.here, *table.seats.taken.values(), *playing, ""}))
    for role in STAFF:
        why = why_needed(table, role)
        yield ActionTemplate(
            command=TakePost(),
            due="due" if why else "may",
            why=why,
            open_to=(role,),
            except_for=taken,
        )


def why_needed(table: Table, role: Role) -> str:
    """Return why the table needs another person of a role, or ""."""
    assigned = {name for name, post in table.posts.here.items() if post == role}
    if not assigned:
        return f"no {role.replace('_', ' ')} serves this table"
    for document in round_documents(table) if role == "pit_manager" else ():
        unwitnessed = document.witness == "pit_manager" and not document.witnessed
        if unwitnessed and assigned == {document.prepared_by}:
            return f"another pit manager must witness document {document.serial}"
    return ""


def offer_leaving(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer assigned staff to leave."""
    yield ActionTemplate(command=LeavePost())


def may_enter(table: Table, account: Account) -> bool:
    """Whether an account may enter commands on behalf of players."""
    if account.role == "dealer":
        return table.posts.dealer == account.id
    return account.role in FLOOR and table.posts.here.get(account.id) == account.role


COMMANDS = (
    CommandSpec(
        command=TakePost,
        roles=STAFF,
        duty=PLACES,
        decide=take_post,
        offers=offer_posts,
        needs_no_post=True,
    ),
    CommandSpec(
        command=LeavePost, roles=STAFF, duty=PLACES, decide=leave_post, offers=offer_leaving
    ),
)
PART = Part(
    name="posts",
    services=ATTENDED,
    commands=COMMANDS,
    evolve={PostTaken: taken, PostLeft: left},
)

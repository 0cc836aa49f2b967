"""Staffing assignments: the staff serving the table, and who deals.

An assignment is a post in the recorded names: `TakePost`, `LeavePost`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.clock import DAY
from croupier.errors import Refusal
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, STAFF, TWO_PEOPLE, Account, Role
from croupier.table.parts.payouts import round_documents
from croupier.table.parts.round.messages import BettingClosed, NoMoreBets

if TYPE_CHECKING:
    from croupier.table.table import Table

PLACES = "table.places"
ONE_DEALER = "COMAR 36.05.03.01B"  # a table in play has a dealer,
SUPERVISED = "COMAR 36.05.03.01C"  # and a floorperson who supervises it
DEALT_KEPT = 14 * DAY  # how long video is kept, and who dealt is remembered (36.03.11.04C)

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
class DealtRounds:
    """Successive rounds that one person dealt, wholly or in part."""

    dealer: str
    first: int
    last: int
    at: int  # when the last one began


@dataclass(slots=True)
class StaffAssignments:
    """The staff serving this table, by account id and role, and which of them deals."""

    here: dict[str, Role] = field(default_factory=dict)
    dealer: str = ""
    dealt: list[DealtRounds] = field(default_factory=list)  # of the last days

    def supervisors(self) -> list[str]:
        """The floorpersons and pit managers serving this table."""
        return [name for name, role in self.here.items() if role in FLOOR]

    def remembers(self, number: int) -> bool:
        """Whether it is known who dealt a round."""
        return bool(self.dealt) and number >= self.dealt[0].first

    def dealt_round(self, person: str, number: int) -> bool:
        """Whether a person dealt in a round of the last days."""
        return person in self.dealers_of(number)

    def dealers_of(self, number: int) -> set[str]:
        """The people who dealt in a round of the last days."""
        return {part.dealer for part in self.dealt if part.first <= number <= part.last}


# Event handlers


def taken(table: Table, event: PostTaken) -> None:
    posts, by = table.posts, event.by
    if by.role == "dealer":
        if posts.dealer:
            posts.here.pop(posts.dealer, None)
        posts.dealer = by.id
    posts.here[by.id] = by.role
    if by.role == "dealer" and table.dealing is not None:
        dealing(table, event)


def dealing(table: Table, event: Event) -> None:
    """Remember who deals the round in progress."""
    posts, current = table.posts, table.in_progress()
    posts.dealt = [part for part in posts.dealt if part.at >= table.clock - DEALT_KEPT]
    if posts.dealt and posts.dealt[-1].dealer == posts.dealer:
        posts.dealt[-1].last, posts.dealt[-1].at = current.number, table.clock
    else:
        part = DealtRounds(posts.dealer, current.number, current.number, table.clock)
        posts.dealt.append(part)


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
    """End an assignment; while wagers lie on the layout or a round is dealt, only with a relief."""
    if table.dealing is not None or table.layout:
        now = "a round is in progress" if table.dealing else "wagers are on the layout"
        if by.role == "dealer":
            raise Refusal(f"{now}; wait until a dealer relieves you", ONE_DEALER)
        if table.posts.supervisors() == [by.id]:
            raise Refusal(f"{now}, and nobody else supervises this table", SUPERVISED)
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
    current = table.dealing
    dealt = table.posts.dealers_of(current.number) if current is not None else set()
    if role == "floorperson" and dealt.issuperset(table.posts.supervisors()):
        return "who supervises this table dealt in the round"
    for document in round_documents(table) if role == "pit_manager" else ():
        unwitnessed = document.witness == "pit_manager" and document.unwitnessed
        if unwitnessed and assigned <= {document.prepared_by, *dealt}:
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


def before_dealing(table: Table, command: NoMoreBets, by: Account, at: int) -> tuple[str, ...]:
    """Refuse to begin a round that nobody supervises."""
    if table.open_round is not None and not table.posts.supervisors():
        raise Refusal("no floorperson or pit manager supervises this table", SUPERVISED)
    return ()


def check_did_not_deal(table: Table, by: Account) -> None:
    """Refuse a decision of the floor about a round by a person who dealt in it, in any role."""
    current = table.dealing
    if current is not None and table.posts.dealt_round(by.id, current.number):
        raise Refusal(f"{by.id} dealt in this round; another person must do this", TWO_PEOPLE)


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
    subject="Staff and shift",
    services=ATTENDED,
    commands=COMMANDS,
    before={NoMoreBets: before_dealing},
    evolve={PostTaken: taken, PostLeft: left, BettingClosed: dealing},
)

"""Posts, equipment, and the opening and closing of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars, meter_text
from croupier.table.events import Event, MeterText
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Amount
from croupier.table.life.payouts import documents
from croupier.table.life.people import DEALER, FLOOR, STAFF, Person, Role
from croupier.table.life.state import UNSEEN_STAGES, Counted

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

PLACES = "table.places"
EQUIPMENT = "table.equipment"
REVENUE = "COMAR 36.05.03.15D"  # opening and closing inventories


def take_post(live: LiveTable, command: cmd.TakePost, by: Person, at: int) -> list[Event]:
    """One person, one role, and not also a player here."""
    life = live.life
    if by.name in life.posts:
        raise live.refusal(f"{by.name} has a post here already", PLACES)
    if not by.name.strip() or life.seat_of(by.name) is not None or live.boxes_of(by.name):
        raise live.refusal(f"{by.name!r} plays at this table", PLACES)
    clauses = live.house.cite(PLACES if by.role == "dealer" else "deck.verify")
    return [ev.PostTaken(at=at, by=by, clauses=clauses)]


def leave_post(live: LiveTable, command: cmd.LeavePost, by: Person, at: int) -> list[Event]:
    """Somebody else takes over, or the table waits."""
    return [ev.PostLeft(at=at, by=by, clauses=live.house.cite(PLACES))]


def offer_posts(live: LiveTable, at: int) -> Iterator[Offer]:
    """Anybody of the staff; without a dealer nothing goes on."""
    life = live.life
    playing = {box.player for box in live.round.boxes.values()} if live.round else set()
    taken = tuple(sorted({*life.posts, *life.seats.values(), *playing, ""}))
    for role in STAFF:
        why = missing(live, role)
        yield Offer(
            command=cmd.TakePost(),
            due="due" if why else "may",
            why=why,
            open_to=(role,),
            except_for=taken,
        )


def missing(live: LiveTable, role: Role) -> str:
    """Why somebody of a role must come; "" if nobody has to."""
    here = {name for name, post in live.life.posts.items() if post == role}
    if not here:
        return f"no {role} serves this table"
    for document in documents(live) if role == "pit_manager" else ():
        waits = document.witness == "pit_manager" and not document.witnessed
        if waits and here == {document.prepared_by}:
            return f"another pit manager must witness document {document.serial}"
    return ""


def offer_leaving(live: LiveTable, at: int) -> Iterator[Offer]:
    """Everybody on a post."""
    yield Offer(command=cmd.LeavePost())


def attest(live: LiveTable, command: cmd.AttestEquipment, by: Person, at: int) -> list[Event]:
    """Boxes, rack, places and the progressive system were looked at."""
    if live.life.equipment:
        raise live.refusal("the equipment was attested already", EQUIPMENT)
    clauses = live.house.cite(EQUIPMENT) + live.house.cite(PLACES)
    if live.house.offers("progressive"):
        clauses += live.house.cite("table.progressive") + live.house.cite("progressive.device")
    return [ev.EquipmentAttested(at=at, by=by, clauses=clauses)]


def offer_attest(live: LiveTable, at: int) -> Iterator[Offer]:
    """Before the opening."""
    if not live.life.equipment:
        yield Offer(command=cmd.AttestEquipment(), due="due", why="not attested yet")


def count_inventory(
    live: LiveTable, command: cmd.CountInventory, by: Person, at: int
) -> list[Event]:
    """The dealer's half of an opening or a closing."""
    if type(command.chips) is not int or command.chips < 0:
        raise Refusal(f"{command.chips!r} is no amount of chips", REVENUE)
    if live.life.open and (live.dealing is not None or live.layout):
        raise Refusal("a round is open; the tray is counted between rounds", REVENUE)
    return [ev.InventoryCounted(chips=command.chips, at=at, by=by, clauses=(REVENUE,))]


def offer_count(live: LiveTable, at: int) -> Iterator[Offer]:
    """Due before the opening, allowed between rounds."""
    life = live.life
    yield Offer(
        command=cmd.CountInventory(life.tray if life.open else 50_000_00),
        forms={"chips": Amount(0)},
        due="may" if life.open or life.count else "due",
        why="" if life.open or life.count else "the tray is not counted",
    )


def meters_of(live: LiveTable) -> dict[str, MeterText]:
    """The meters as they stand."""
    return {name: meter_text(value) for name, value in live.table.meters.items()}


def why_not_open(live: LiveTable) -> tuple[str, str] | None:
    """What an opening still needs, with the duty."""
    life = live.life
    if life.open:
        return "the table is open", PLACES
    if not life.equipment:
        return "the equipment is not attested", EQUIPMENT
    decks = life.usable()
    if len(decks) < live.house.decks:
        return f"{live.house.decks} deck(s) are needed, {len(decks)} are here", "deck.inspect"
    if any(deck.stage in UNSEEN_STAGES[:3] for deck in decks):
        return "the cards are not inspected, verified and spread", "deck.spread"
    return None


def open_table(live: LiveTable, command: cmd.OpenTable, by: Person, at: int) -> list[Event]:
    """The floorperson's half: agree with the count and open."""
    problem = why_not_open(live)
    if problem:
        raise live.refusal(*problem)
    count = agreed_count(live, by)
    house = live.house
    opened = ev.TableOpened(
        table=live.table_id,
        live=live.live,
        house=house.digest,
        inventory=count.chips,
        counted_by=count.by,
        meters=meters_of(live),
        at=at,
        by=by,
        clauses=house.cite("deck.spread") + house.cite(EQUIPMENT) + (REVENUE,),
    )
    return [opened]


def agreed_count(live: LiveTable, by: Person) -> Counted:
    """The dealer's count, if another person than its maker looks at it."""
    count = live.life.count
    if count is None:
        raise Refusal("the dealer has not counted the tray", REVENUE)
    if count.by.name == by.name:
        raise Refusal(f"{by.name} counted the tray; another person agrees", REVENUE)
    return count


def offer_open(live: LiveTable, at: int) -> Iterator[Offer]:
    """When everything is there."""
    if not live.life.open:
        yield Offer(command=cmd.OpenTable(), due="due", why="everything is ready")


def why_not_close(live: LiveTable) -> str | None:
    """What still keeps the table open."""
    life = live.life
    if not life.open:
        return "the table is closed"
    if live.dealing is not None or live.layout:
        return "a round is open"
    if life.seats:
        return f"players are seated at {', '.join(map(str, sorted(life.seats)))}"
    if any(deck.stage == "pulled" for deck in life.decks.values()):
        return "a pulled deck waits for a signature"
    if life.fills or life.credits:
        return "a fill or a credit waits for a second person"
    return None


def close_table(live: LiveTable, command: cmd.CloseTable, by: Person, at: int) -> list[Event]:
    """Agree with the count, take decks and drop box away; a difference is shown, not hidden."""
    problem = why_not_close(live)
    if problem:
        raise Refusal(problem, REVENUE)
    count = agreed_count(live, by)
    life = live.life
    closed = ev.TableClosed(
        table=live.table_id,
        inventory=count.chips,
        expected=life.tray,
        counted_by=count.by,
        drop=life.drop,
        decks=tuple(life.decks),
        meters=meters_of(live),
        at=at,
        by=by,
        clauses=(REVENUE,),
    )
    return [closed]


def offer_close(live: LiveTable, at: int) -> Iterator[Offer]:
    """Between rounds, with nobody seated and the tray counted."""
    if live.life.open and live.life.count is not None:
        difference = live.life.tray - live.life.count.chips
        yield Offer(
            command=cmd.CloseTable(),
            why=f"the count differs by {dollars(difference)}" if difference else "",
        )


ACTS = (
    Act(
        command=cmd.TakePost,
        roles=STAFF,
        duty=PLACES,
        decide=take_post,
        offers=offer_posts,
        strangers=True,
    ),
    Act(command=cmd.LeavePost, roles=STAFF, duty=PLACES, decide=leave_post, offers=offer_leaving),
    Act(
        command=cmd.AttestEquipment,
        roles=STAFF,
        duty=EQUIPMENT,
        decide=attest,
        offers=offer_attest,
    ),
    Act(
        command=cmd.CountInventory,
        roles=DEALER,
        duty=PLACES,
        decide=count_inventory,
        offers=offer_count,
    ),
    Act(
        command=cmd.OpenTable,
        roles=FLOOR,
        duty="deck.verify",
        decide=open_table,
        offers=offer_open,
        personal=True,
    ),
    Act(
        command=cmd.CloseTable,
        roles=FLOOR,
        duty="deck.verify",
        decide=close_table,
        offers=offer_close,
        personal=True,
    ),
)

"""Chips against accepted wagers, before the first card (A50)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.fields import CountField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, STAFF, Account, Role
from croupier.table.parts.decks.shuffling import no_card_out
from croupier.table.parts.progressive import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNT = "progressive.count"
DIFFERENCE = "A50"  # chips and accepted wagers differ
PARAMETERS = "COMAR 36.05.03.21B"
CHIPS = CountField(0, 100)
EVERYBODY: tuple[Role, ...] = (*STAFF, "system")


def accepted(table: Table) -> int:
    """How many progressive wagers the system has taken for the round in progress."""
    current = table.dealing
    return sum("progressive" in box.stakes for box in current.boxes.values()) if current else 0


def count_waits(table: Table) -> bool:
    """Whether progressive chips lie there uncounted, so that no card may be dealt."""
    return bool(accepted(table)) and not table.progressive.collected


def collected(
    table: Table, counted: int, by: Account, at: int, reason: str = ""
) -> rec.ProgressiveCollected:
    """The chips go into the tray."""
    number, terms = accepted(table), table.house.progressive
    assert terms is not None, "no progressive wager is offered here"
    return rec.ProgressiveCollected(
        counted=counted,
        accepted=number,
        amount=number * terms.stake,
        reason=reason,
        clauses=table.house.cite(COUNT) + table.house.cite("progressive.tray"),
    )


def check_offered(table: Table) -> None:
    """Refuse at a table without a progressive wager."""
    if not table.house.offers("progressive"):
        raise Refusal("no progressive wager is offered here", "A144", game=table.house.game.key)


def count(table: Table, command: rec.CountProgressive, by: Account, at: int) -> list[Event]:
    """Equal numbers go into the tray; a difference waits for a floorperson."""
    check_offered(table)
    if not count_waits(table) or not no_card_out(table):
        raise table.refusal("no progressive chips wait to be counted", COUNT)
    if table.progressive.count_differs is not None:
        raise table.refusal("a floorperson settles the difference first", COUNT)
    if not CHIPS.admits(command.chips):
        raise table.refusal(f"{command.chips!r} is no number of chips", COUNT)
    number = accepted(table)
    if command.chips == number:
        return [collected(table, command.chips, by, at)]
    return [
        rec.ProgressiveCountDiffered(
            counted=command.chips,
            accepted=number,
            clauses=(*table.house.cite(COUNT), DIFFERENCE),
        )
    ]


def resolve(table: Table, command: rec.ResolveProgressive, by: Account, at: int) -> list[Event]:
    """Chips without an accepted wager go back, missing ones are fetched; then dealing goes on."""
    check_offered(table)
    differs = table.progressive.count_differs
    if differs is None or table.dealing is None or table.dealing.void:
        raise table.refusal("no difference waits to be settled", COUNT)
    if not command.reason.strip():
        raise table.refusal("a reason is needed", COUNT)
    return [collected(table, differs[0], by, at, command.reason)]


def change(table: Table, command: rec.ChangeProgressive, by: Account, at: int) -> list[Event]:
    """Rates and amounts belong to the submission; a table keeps them."""
    raise Refusal("a rate or an amount changes with an approved submission only", PARAMETERS)


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """After "no more bets", before the first card."""
    if count_waits(table):
        yield ActionTemplate(
            command=rec.CountProgressive(0),
            fields={"chips": CHIPS},
            due="due",
            why="progressive chips lie there uncounted",
        )


def offer_resolve(table: Table, at: int) -> Iterator[ActionTemplate]:
    """While chips and wagers differ."""
    if table.progressive.count_differs is not None:
        counted, number = table.progressive.count_differs
        yield ActionTemplate(
            command=rec.ResolveProgressive("recounted with the players"),
            fields={"reason": TextField("recounted with the players")},
            due="due",
            why=f"{counted} chips, {number} accepted",
        )


COMMANDS = (
    CommandSpec(
        command=rec.CountProgressive,
        roles=DEALER,
        duty=COUNT,
        decide=count,
        offers=offer_count,
    ),
    CommandSpec(
        command=rec.ResolveProgressive,
        roles=FLOOR,
        duty=COUNT,
        law=DIFFERENCE,
        decide=resolve,
        offers=offer_resolve,
    ),
    CommandSpec(
        command=rec.ChangeProgressive,
        roles=EVERYBODY,
        duty="window",
        decide=change,
        needs_no_post=True,
    ),
)

"""The count of progressive chips against accepted wagers, before the first card (A50)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.fields import CountField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account
from croupier.table.parts.decks.shuffling import no_card_dealt
from croupier.table.parts.progressive import messages as msg
from croupier.table.parts.staffing import check_did_not_deal
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNT = "progressive.count"
DIFFERENCE = "A50"  # chips and accepted wagers differ
CHIPS = CountField(0, 100)


def accepted_wagers(table: Table) -> int:
    """The number of progressive wagers accepted in the round in progress."""
    current = table.dealing
    return sum("progressive" in box.stakes for box in current.boxes.values()) if current else 0


def is_count_due(table: Table) -> bool:
    """Whether progressive chips must still be counted before the first card."""
    return bool(accepted_wagers(table)) and not table.progressive.collected


def collect(
    table: Table, counted: int, by: Account, at: int, reason: str = ""
) -> msg.ProgressiveCollected:
    """Move the progressive chips into the tray."""
    accepted, terms = accepted_wagers(table), table.house.progressive
    assert terms is not None, "no progressive wager is offered here"
    return msg.ProgressiveCollected(
        counted=counted,
        accepted=accepted,
        amount=accepted * terms.stake,
        reason=reason,
        clauses=table.house.cite(COUNT) + table.house.cite("progressive.tray"),
    )


def check_offered(table: Table) -> None:
    """Refuse at a table without a progressive wager."""
    if not table.house.offers("progressive"):
        raise Refusal("no progressive wager is offered here", "A144", game=table.house.game.key)


def count(table: Table, command: msg.CountProgressive, by: Account, at: int) -> list[Event]:
    """Count the progressive chips; a difference must be resolved by a floorperson."""
    check_offered(table)
    if not is_count_due(table) or not no_card_dealt(table):
        raise table.refusal("there are no progressive chips to count", COUNT)
    if table.progressive.count_differs is not None:
        raise table.refusal("a floorperson must resolve the difference first", COUNT)
    if not CHIPS.admits(command.chips):
        raise table.refusal(f"{command.chips!r} is not a valid chip count", COUNT)
    accepted = accepted_wagers(table)
    if command.chips == accepted:
        return [collect(table, command.chips, by, at)]
    return [
        msg.ProgressiveCountDiffered(
            counted=command.chips,
            accepted=accepted,
            clauses=(*table.house.cite(COUNT), DIFFERENCE),
        )
    ]


def resolve(table: Table, command: msg.ResolveProgressive, by: Account, at: int) -> list[Event]:
    """Return surplus chips or collect missing ones, with a reason; the deal can then go on."""
    check_offered(table)
    differs = table.progressive.count_differs
    if differs is None or table.dealing is None or table.dealing.void:
        raise table.refusal("there is no difference to resolve", COUNT)
    if not command.reason.strip():
        raise table.refusal("a reason is required", COUNT)
    check_did_not_deal(table, by)
    return [collect(table, differs[0], by, at, command.reason)]


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it after "no more bets", before the first card."""
    if is_count_due(table):
        yield ActionTemplate(
            command=msg.CountProgressive(0),
            fields={"chips": CHIPS},
            due="due",
            why="count the progressive chips",
        )


def offer_resolve(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it while chips and accepted wagers differ."""
    if table.progressive.count_differs is not None:
        chips, accepted = table.progressive.count_differs
        yield ActionTemplate(
            command=msg.ResolveProgressive("recounted with the players"),
            fields={"reason": TextField("recounted with the players")},
            due="due",
            why=f"{counted(chips, 'chip')} counted, {counted(accepted, 'wager')} accepted",
        )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.CountProgressive,
        roles=DEALER,
        duty=COUNT,
        decide=count,
        offers=offer_count,
    ),
    CommandSpec(
        command=msg.ResolveProgressive,
        roles=FLOOR,
        duty=COUNT,
        law=DIFFERENCE,
        decide=resolve,
        offers=offer_resolve,
        per_account=True,
    ),
)

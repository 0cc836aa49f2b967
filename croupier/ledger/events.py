"""What the ledger itself records, beside what happened at the tables.

A table's own stream also says which House it is bound to, which shared meters it read, and what
was corrected. Shared meters have a stream of their own per group, in which every contribution and
every award of every linked table has its place: that order is the order of the wins.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.money import Cents
from croupier.table.events import Event, MeterText

Purpose: TypeAlias = Literal["live", "practice"]
Variety: TypeAlias = Literal["rounds", "life"]


class LedgerFounded(Event, frozen=True, kw_only=True, tag="ledger_founded"):
    """The first event of a database; a practice ledger never holds a live table."""

    purpose: Purpose


class TableBound(Event, frozen=True, kw_only=True, tag="table_bound"):
    """A table plays under this House from here on, with these meters, alone or in a group."""

    table: str
    house: str  # the digest
    variety: Variety
    live: bool  # practice otherwise
    group: str = ""  # the shared meters, or none
    meters: dict[str, MeterText]


class MetersRead(Event, frozen=True, kw_only=True, tag="meters_read"):
    """A linked table took the values of the shared meters as they stood after `position`."""

    group: str
    position: int  # the sequence in the group's stream
    meters: dict[str, MeterText]


class CorrectionMade(Event, frozen=True, kw_only=True, tag="correction_made"):
    """Money moved between two accounts by two people for a reason; what was wrong stays."""

    source: str
    target: str
    amount: Cents
    reason: str
    second: str  # the other person; the first is the actor
    refers_to: int = 0  # the sequence of the event that was wrong


class MeterAdjusted(Event, frozen=True, kw_only=True, tag="meter_adjusted"):
    """A meter was set right after a malfunction, with an approval, by two people."""

    meter: str
    amount: MeterText
    after: MeterText
    reason: str
    second: str
    approval: str


class GroupFounded(Event, frozen=True, kw_only=True, tag="group_founded"):
    """Meters that several tables share, with the terms that every one of them must have."""

    group: str
    terms: str  # canonical: game, paytable, stake, meters
    meters: dict[str, MeterText]


class TableLinked(Event, frozen=True, kw_only=True, tag="table_linked"):
    """A table feeds and may win the shared meters from here on."""

    table: str
    house: str


class MetersFed(Event, frozen=True, kw_only=True, tag="meters_fed"):
    """Contributions of one table's round; negative ones go back after a void."""

    table: str
    round: int
    amounts: dict[str, MeterText]
    after: dict[str, MeterText]


class MeterWon(Event, frozen=True, kw_only=True, tag="meter_won"):
    """An award, with its place among all awards of the group."""

    table: str
    round: int
    seat: int
    meter: str
    paid: Cents
    refill: MeterText
    after: MeterText
    order: int


class GroupHalted(Event, frozen=True, kw_only=True, tag="group_halted"):
    """The shared meters take no wager until they are resumed."""

    reason: str


class GroupResumed(Event, frozen=True, kw_only=True, tag="group_resumed"):
    """The shared meters take wagers again."""


class DayClosed(Event, frozen=True, kw_only=True, tag="day_closed"):
    """A gaming day ended: how far the record went, and what was still in play."""

    day: str
    number: int  # the database head that the day ends with
    head: str
    events: int
    rounds: int
    in_play: dict[str, Cents]  # wagers on the layout of tables with a round in progress


class HeadSigned(Event, frozen=True, kw_only=True, tag="head_signed"):
    """The signature under a head; `statement` is the text that was signed."""

    day: str
    statement: str
    key: str  # the public key, hexadecimal
    signature: str


AnyLedgerEvent: TypeAlias = (
    LedgerFounded
    | TableBound
    | MetersRead
    | CorrectionMade
    | MeterAdjusted
    | GroupFounded
    | TableLinked
    | MetersFed
    | MeterWon
    | GroupHalted
    | GroupResumed
    | DayClosed
    | HeadSigned
)

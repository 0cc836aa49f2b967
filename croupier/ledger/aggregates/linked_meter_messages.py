"""What is said about shared meters, what happened to them, and what that does to the accounts."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

import msgspec

from croupier.money import Cents
from croupier.table import Account, Audience, Book, Command, Event, MeterText
from croupier.table.core.accounting import (
    Legs,
    meter_account,
    check_meter_balance,
    award_legs,
    pool_legs,
    contribution_legs,
    meter_of_pool,
    posting_rule,
    funding_legs,
)


class MeterContributions(msgspec.Struct, frozen=True, tag="feed", forbid_unknown_fields=True):
    """Contributions of a round; negative ones go back after a void."""

    amounts: dict[str, MeterText]


class MeterAward(msgspec.Struct, frozen=True, tag="award", forbid_unknown_fields=True):
    """An award of one meter, and what the house put back."""

    seat: int
    meter: str
    paid: Cents
    refill: MeterText


class Draw(msgspec.Struct, frozen=True, tag="draw", forbid_unknown_fields=True):
    """What a pool gave after an award."""

    meter: str
    pool: Literal["reserve", "overflow"]
    amount: MeterText


Move: TypeAlias = MeterContributions | MeterAward | Draw


# What may be asked for.


class FoundMeters(Command, frozen=True, kw_only=True, tag="found_meters"):
    """Meters that several tables share, with the terms that every one of them must have."""

    group: str
    terms: str
    meters: dict[str, MeterText]


class LinkTable(Command, frozen=True, kw_only=True, tag="link_table"):
    """A table joins the shared meters."""

    table: str
    house: str
    terms: str


class MoveMeters(Command, frozen=True, kw_only=True, tag="move_meters"):
    """What an entry of a linked table did to the shared meters."""

    table: str
    entry: int  # its sequence in the table's stream
    round: int
    moves: tuple[Move, ...]


class HaltMeters(Command, frozen=True, tag="halt_meters"):
    """Take no progressive wager on these meters until they are resumed."""

    reason: str


class ResumeMeters(Command, frozen=True, tag="resume_meters"):
    """Take progressive wagers again."""


class AdjustShared(Command, frozen=True, kw_only=True, tag="adjust_shared"):
    """Two people set a shared meter right after a malfunction, with an approval."""

    meter: str
    amount: MeterText
    reason: str
    approval: str
    second: Account


# What happened.


class MetersFounded(Event, frozen=True, kw_only=True, tag="meters_founded"):
    """Shared meters begin."""

    group: str
    terms: str
    meters: dict[str, MeterText]


class TableLinked(Event, frozen=True, kw_only=True, tag="table_linked"):
    """A table feeds and may win the shared meters from here on."""

    table: str
    house: str


class MetersFed(Event, frozen=True, kw_only=True, tag="meters_fed"):
    """Contributions of one table's round."""

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


class PoolDrawn(Event, frozen=True, kw_only=True, tag="pool_drawn"):
    """After an award the reserve paid for what was put back, or the overflow rose to the meter."""

    table: str
    round: int
    meter: str
    pool: Literal["reserve", "overflow"]
    amount: MeterText
    left: MeterText
    after: MeterText


class MetersHalted(Event, frozen=True, kw_only=True, tag="meters_halted"):
    """The shared meters take no wager until they are resumed."""

    reason: str


class MetersResumed(Event, frozen=True, kw_only=True, tag="meters_resumed"):
    """The shared meters take wagers again."""


class SharedAdjusted(Event, frozen=True, kw_only=True, tag="shared_adjusted"):
    """A shared meter was set right, with an approval, by two people."""

    audience: ClassVar[Audience] = "staff"

    meter: str
    amount: MeterText
    after: MeterText
    reason: str
    approval: str
    by: Account
    second: Account


COMMANDS: tuple[type[Command], ...] = (
    FoundMeters,
    LinkTable,
    MoveMeters,
    HaltMeters,
    ResumeMeters,
    AdjustShared,
)
EVENTS: tuple[type[Event], ...] = (
    MetersFounded,
    TableLinked,
    MetersFed,
    MeterWon,
    PoolDrawn,
    MetersHalted,
    MetersResumed,
    SharedAdjusted,
)


@posting_rule(MetersFounded)
def _founded(book: Book, event: MetersFounded) -> Legs:
    return funding_legs(event.meters)


@posting_rule(MetersFed)
def _fed(book: Book, event: MetersFed) -> Legs:
    yield from contribution_legs(book, event.amounts)
    for meter in event.amounts:
        check_meter_balance(book, meter, event.after[meter])


@posting_rule(MeterWon)
def _won(book: Book, event: MeterWon) -> Legs:
    return award_legs(book, event)


@posting_rule(PoolDrawn)
def _drawn(book: Book, event: PoolDrawn) -> Legs:
    return pool_legs(book, event)


@posting_rule(SharedAdjusted)
def _adjusted(book: Book, event: SharedAdjusted) -> Legs:
    amount = Fraction(event.amount)
    yield f"adjusted:{meter_of_pool(event.meter)}", -amount
    yield meter_account(event.meter), amount
    check_meter_balance(book, event.meter, event.after)

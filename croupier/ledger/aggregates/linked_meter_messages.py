"""Commands, events and account postings of linked progressive meters."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

import msgspec

from croupier.money import Cents
from croupier.table import Account, Audience, Book, Command, Event, MeterText
from croupier.table.core.accounting import (
    Legs,
    award_legs,
    check_meter_balance,
    contribution_legs,
    funding_legs,
    meter_account,
    meter_of_pool,
    pool_legs,
    posting_rule,
)


class MeterContributions(msgspec.Struct, frozen=True, tag="feed", forbid_unknown_fields=True):
    """Contributions of a round; negative amounts return them after a void."""

    amounts: dict[str, MeterText]


class MeterAward(msgspec.Struct, frozen=True, tag="award", forbid_unknown_fields=True):
    """An award of one meter, and the amount the house put back into it."""

    seat: int
    meter: str
    paid: Cents
    refill: MeterText


class PoolDraw(msgspec.Struct, frozen=True, tag="draw", forbid_unknown_fields=True):
    """The amount a pool paid after an award."""

    meter: str
    pool: Literal["reserve", "overflow"]
    amount: MeterText


MeterMove: TypeAlias = MeterContributions | MeterAward | PoolDraw


# Commands


class FoundMeters(Command, frozen=True, kw_only=True, tag="found_meters"):
    """Found the meters of a group, with the terms that every linked table must have."""

    group: str
    terms: str
    meters: dict[str, MeterText]


class LinkTable(Command, frozen=True, kw_only=True, tag="link_table"):
    """Link a table to the meters."""

    table: str
    house: str
    terms: str


class MoveMeters(Command, frozen=True, kw_only=True, tag="move_meters"):
    """Changes of the meters by one entry of a linked table."""

    table: str
    entry: int  # its sequence in the table's stream
    round: int
    moves: tuple[MeterMove, ...]


class HaltMeters(Command, frozen=True, tag="halt_meters"):
    """Stop progressive wagers on these meters until they are resumed."""

    reason: str


class ResumeMeters(Command, frozen=True, tag="resume_meters"):
    """Accept progressive wagers again."""


class AdjustShared(Command, frozen=True, kw_only=True, tag="adjust_shared"):
    """Two people adjust a meter after a malfunction, with an approval."""

    meter: str
    amount: MeterText
    reason: str
    approval: str
    second: Account


# Events


class MetersFounded(Event, frozen=True, kw_only=True, tag="meters_founded"):
    """The meters of a group were founded."""

    group: str
    terms: str
    meters: dict[str, MeterText]


class TableLinked(Event, frozen=True, kw_only=True, tag="table_linked"):
    """A table contributes to the meters and may win them from here on."""

    table: str
    house: str


class MetersFed(Event, frozen=True, kw_only=True, tag="meters_fed"):
    """Contributions of a round at one table."""

    table: str
    round: int
    amounts: dict[str, MeterText]
    after: dict[str, MeterText]


class MeterWon(Event, frozen=True, kw_only=True, tag="meter_won"):
    """An award, numbered among all awards of the group."""

    table: str
    round: int
    seat: int
    meter: str
    paid: Cents
    refill: MeterText
    after: MeterText
    order: int


class PoolDrawn(Event, frozen=True, kw_only=True, tag="pool_drawn"):
    """After an award the reserve paid the reset, or the overflow moved into the meter."""

    table: str
    round: int
    meter: str
    pool: Literal["reserve", "overflow"]
    amount: MeterText
    left: MeterText
    after: MeterText


class MetersHalted(Event, frozen=True, kw_only=True, tag="meters_halted"):
    """The meters accept no wager until they are resumed."""

    reason: str


class MetersResumed(Event, frozen=True, kw_only=True, tag="meters_resumed"):
    """The meters accept wagers again."""


class SharedAdjusted(Event, frozen=True, kw_only=True, tag="shared_adjusted"):
    """A meter was adjusted by two people, with an approval."""

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
def _post_founded(book: Book, event: MetersFounded) -> Legs:
    return funding_legs(event.meters)


@posting_rule(MetersFed)
def _post_fed(book: Book, event: MetersFed) -> Legs:
    yield from contribution_legs(book, event.amounts)
    for meter in event.amounts:
        check_meter_balance(book, meter, event.after[meter])


@posting_rule(MeterWon)
def _post_won(book: Book, event: MeterWon) -> Legs:
    return award_legs(book, event)


@posting_rule(PoolDrawn)
def _post_drawn(book: Book, event: PoolDrawn) -> Legs:
    return pool_legs(book, event)


@posting_rule(SharedAdjusted)
def _post_adjusted(book: Book, event: SharedAdjusted) -> Legs:
    amount = Fraction(event.amount)
    yield f"adjusted:{meter_of_pool(event.meter)}", -amount
    yield meter_account(event.meter), amount
    check_meter_balance(book, event.meter, event.after)

"""Shared meters: one stream of contributions and awards for all tables of a group.

A table's entry and the group's are one append. Whoever appends second finds the group's stream
moved on, reads it, and decides anew under the meters as they now stand; so two tables that hit in
the same instant are paid one after the other, the second from what the first left. Pure, like a
table: `decide` may refuse, `evolve` may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import msgspec

from croupier.errors import Refusal
from croupier.games import House
from croupier.ledger.errors import LedgerError
from croupier.money import Cents, meter_text
from croupier.table import Account, Book, Command, Envelope, Event, MeterText, Role, Table
from croupier.table import events as ev
from croupier.table.book import Entries, agree, award, feed, posts, seed
from croupier.table.record import Audience

PREFIX = "meters:"
LAW = "COMAR 36.05.03.24"  # progressives, alone and linked
KEEPERS: tuple[Role, ...] = ("pit_manager", "cage", "audit")


def stream_of(group: str) -> str:
    """The stream of a group of shared meters."""
    return PREFIX + group


def terms_of(house: House) -> str:
    """What tables must have in common to share meters: odds, wager and rates (COMAR .24H, I)."""
    progressive = house.progressive
    if progressive is None or not house.meters:
        raise LedgerError(f"{house!r} has no progressive meter to share")
    choices = {
        name: getattr(house.choices, name)
        for name in house.choices.__struct_fields__
        if "progressive" in name or name in ("meter_rounding", "partial_award_floor")
    }
    record = {
        "game": house.game.key,
        "paytable": house.letters["progressive"],
        "choices": choices,
        "meters": {name: [m.reset, str(m.rate_percent)] for name, m in house.meters.items()},
    }
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


class Feed(msgspec.Struct, frozen=True, tag="feed", forbid_unknown_fields=True):
    """Contributions of a round; negative ones go back after a void."""

    amounts: dict[str, MeterText]


class Award(msgspec.Struct, frozen=True, tag="award", forbid_unknown_fields=True):
    """An award of one meter, and what the house put back."""

    seat: int
    meter: str
    paid: Cents
    refill: MeterText


Move: TypeAlias = Feed | Award


def moves_of(table: Table, events: Sequence[Event]) -> tuple[Move, ...]:
    """What a table's events do to its meters, in their order; `table` is as it was before them."""
    found: list[Move] = []
    for event in events:
        match event:
            case ev.ProgressiveLocked() | ev.PlayerSatOut() if event.contributions:
                found.append(Feed(dict(event.contributions)))
            case ev.RoundVoided():
                fed = table.round.fed if table.round is not None else {}
                back = {name: meter_text(-amount) for name, amount in fed.items() if amount}
                if back:
                    found.append(Feed(back))
            case ev.MeterPaid():
                found.append(Award(event.seat, event.meter, event.paid, event.refill))
    return tuple(found)


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
    MetersHalted,
    MetersResumed,
    SharedAdjusted,
)


@posts(MetersFounded)
def _founded(book: Book, event: MetersFounded) -> Entries:
    return seed(event.meters)


@posts(MetersFed)
def _fed(book: Book, event: MetersFed) -> Entries:
    yield from feed(book, event.amounts)
    for meter in event.amounts:
        agree(book, meter, event.after[meter])


@posts(MeterWon)
def _won(book: Book, event: MeterWon) -> Entries:
    return award(book, event)


@posts(SharedAdjusted)
def _adjusted(book: Book, event: SharedAdjusted) -> Entries:
    amount = Fraction(event.amount)
    yield f"adjusted:{event.meter}", -amount
    yield f"meter:{event.meter}", amount
    agree(book, event.meter, event.after)


class Meters:
    """The shared meters of a group: values, who is linked, how many awards, the accounts."""

    def __init__(self) -> None:
        self.values: dict[str, Fraction] = {}
        self.tables: dict[str, str] = {}  # the House of each linked table
        self.entries: dict[str, int] = {}  # the last entry of each table that moved something
        self.terms = ""
        self.halted = ""
        self.wins = 0
        self.book = Book()

    def shown(self) -> dict[str, MeterText]:
        """The meters as they are written down."""
        return {name: meter_text(value) for name, value in self.values.items()}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        decide = _DECIDE.get(type(envelope.command))
        if decide is None:
            raise Refusal(f"{type(envelope.command).__name__} is no command of meters", LAW)
        if not self.terms and not isinstance(envelope.command, FoundMeters):
            raise Refusal("nobody has founded these meters", LAW)
        events = list(decide(self, envelope.command, envelope.by))
        events[0] = msgspec.structs.replace(events[0], at=envelope.at)
        return tuple(events)

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        self.book.post(event)
        match event:
            case MetersFounded():
                self.terms = event.terms
                self.values = {name: Fraction(value) for name, value in event.meters.items()}
            case TableLinked():
                self.tables[event.table] = event.house
            case MetersFed():
                for name, amount in event.amounts.items():
                    self.values[name] += Fraction(amount)
            case MeterWon():
                self.values[event.meter] = Fraction(event.after)
                self.wins = event.order
            case SharedAdjusted():
                self.values[event.meter] = Fraction(event.after)
            case MetersHalted():
                self.halted = event.reason
            case MetersResumed():
                self.halted = ""


def _found(meters: Meters, command: FoundMeters, by: Account) -> Iterator[Event]:
    if meters.terms:
        raise Refusal("these meters were founded before", LAW)
    if not command.terms or not command.meters:
        raise Refusal("shared meters have terms and amounts", LAW)
    if any(_exactly(value) < 0 for value in command.meters.values()):
        raise Refusal("a meter does not start below zero", LAW)
    yield MetersFounded(
        group=command.group, terms=command.terms, meters=command.meters, clauses=(LAW,)
    )


def _link(meters: Meters, command: LinkTable, by: Account) -> Iterator[Event]:
    if command.terms != meters.terms:
        raise Refusal(f"table {command.table!r} cannot share these meters: other terms", LAW)
    if command.table in meters.tables:
        raise Refusal(f"table {command.table!r} shares these meters already", LAW)
    yield TableLinked(table=command.table, house=command.house, clauses=(LAW,))


def _move(meters: Meters, command: MoveMeters, by: Account) -> Iterator[Event]:
    """Exactly what a table did; the audit compares it with the entry of that table."""
    table = command.table
    if table not in meters.tables:
        raise Refusal(f"table {table!r} does not share these meters", LAW)
    if not command.moves:
        raise Refusal("nothing is moved", LAW)
    values, wins = dict(meters.values), meters.wins
    for move in command.moves:
        match move:
            case Feed():
                for name, amount in move.amounts.items():
                    values[_known(values, name)] += _exactly(amount)
                after = {name: meter_text(values[name]) for name in move.amounts}
                yield MetersFed(
                    table=table,
                    round=command.round,
                    amounts=move.amounts,
                    after=after,
                    clauses=(LAW,),
                )
            case Award():
                wins += 1
                name = _known(values, move.meter)
                values[name] += _exactly(move.refill) - move.paid
                yield MeterWon(
                    table=table,
                    round=command.round,
                    seat=move.seat,
                    meter=name,
                    paid=move.paid,
                    refill=move.refill,
                    after=meter_text(values[name]),
                    order=wins,
                    clauses=(LAW,),
                )
    below = [name for name, value in values.items() if value < 0]
    if below:
        raise Refusal(f"meter {below[0]} would stand below zero", LAW)


def _halt(meters: Meters, command: HaltMeters, by: Account) -> Iterator[Event]:
    if not command.reason.strip():
        raise Refusal("a halt needs a reason", LAW)
    if meters.halted:
        raise Refusal(f"the meters are halted: {meters.halted}", LAW)
    yield MetersHalted(reason=command.reason, clauses=(LAW,))


def _resume(meters: Meters, command: ResumeMeters, by: Account) -> Iterator[Event]:
    if not meters.halted:
        raise Refusal("the meters are not halted", LAW)
    yield MetersResumed(clauses=(LAW,))


def _adjust(meters: Meters, command: AdjustShared, by: Account) -> Iterator[Event]:
    if by.id == command.second.id:
        raise Refusal(f"two different people are needed, got {by.id} twice", LAW)
    for person in (by, command.second):
        if person.role not in KEEPERS:
            raise Refusal(f"{person} may not do this; expected {' or '.join(KEEPERS)}", LAW)
    if not command.reason.strip() or not command.approval.strip():
        raise Refusal("a meter is adjusted with a reason and an approval", LAW)
    after = meters.values[_known(meters.values, command.meter)] + _exactly(command.amount)
    if after < 0:
        raise Refusal(f"meter {command.meter} would stand below zero", LAW)
    yield SharedAdjusted(
        meter=command.meter,
        amount=command.amount,
        after=meter_text(after),
        reason=command.reason,
        approval=command.approval,
        by=by,
        second=command.second,
        clauses=(LAW,),
    )


def _known(values: Mapping[str, Fraction], name: str) -> str:
    if name not in values:
        raise Refusal(f"no meter {name!r}; there are: {', '.join(values)}", LAW)
    return name


def _exactly(value: MeterText) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise Refusal(f"{value!r} is no exact amount of cents", LAW) from None


_DECIDE: dict[type[Command], Callable[[Meters, Any, Account], Iterator[Event]]] = {
    FoundMeters: _found,
    LinkTable: _link,
    MoveMeters: _move,
    HaltMeters: _halt,
    ResumeMeters: _resume,
    AdjustShared: _adjust,
}

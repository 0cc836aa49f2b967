"""Linked meters aggregate: progressive meters shared by the tables of a group.

A table's entry and the group's entry are appended together. If two tables hit at the same time,
the second append conflicts and is decided again under the meters that the first one left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.games import House, Meter
from croupier.ledger.aggregates.linked_meter_messages import (
    AdjustShared,
    FoundMeters,
    HaltMeters,
    LinkTable,
    MeterAward,
    MeterContributions,
    MeterMove,
    MetersFed,
    MetersFounded,
    MetersHalted,
    MetersResumed,
    MeterWon,
    MoveMeters,
    PoolDraw,
    PoolDrawn,
    ResumeMeters,
    SharedAdjusted,
    TableLinked,
)
from croupier.ledger.errors import LedgerError
from croupier.money import meter_text
from croupier.table import (
    Account,
    Book,
    Command,
    Envelope,
    Event,
    MeterText,
    Role,
    Table,
    approval_key,
    validate_envelope,
)
from croupier.table import events as ev

METERS_PREFIX = "meters:"
SCHEMA = 3  # of a snapshot; snapshots of other schemas are ignored and taken again
PROGRESSIVE_CLAUSE = "COMAR 36.05.03.24"  # stand-alone and linked progressives
ADJUSTERS: tuple[Role, ...] = ("pit_manager", "cage")
KEEPERS: tuple[Role, ...] = (*ADJUSTERS, "system")


def group_stream(group: str) -> str:
    """The stream of a group of linked meters."""
    return METERS_PREFIX + group


def terms_of(house: House) -> str:
    """The terms tables need in common to be linked: odds, wager, rates (COMAR 36.05.03.24H, I)."""
    progressive = house.progressive
    if progressive is None or not house.meters:
        raise LedgerError(f"{house!r} has no progressive meter to link")
    choices = {
        name: getattr(house.choices, name)
        for name in house.choices.__struct_fields__
        if "progressive" in name or name in ("meter_rounding", "partial_award_floor")
    }
    record = {
        "game": house.game.key,
        "paytable": house.letters["progressive"],
        "choices": choices,
        "meters": {name: _terms(meter) for name, meter in house.meters.items()},
    }
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


def _terms(meter: Meter) -> list[object]:
    """Reset amount and rate, with limit and reserve if the meter has them."""
    optional = {"limit": meter.limit, "reserve": meter.reserve_percent}
    pools = {name: value for name, value in optional.items() if value is not None}
    return [meter.reset, str(meter.rate_percent), *([pools] if pools else [])]


def meter_moves(table: Table, events: Sequence[Event]) -> tuple[MeterMove, ...]:
    """The changes of meters in a table's events; `table` is the state before them."""
    moves: list[MeterMove] = []
    for event in events:
        match event:
            case ev.ProgressiveLocked() | ev.PlayerSatOut() if event.contributions:
                moves.append(MeterContributions(dict(event.contributions)))
            case ev.RoundVoided():
                fed = table.round.fed if table.round is not None else {}
                returned = {name: meter_text(-amount) for name, amount in fed.items() if amount}
                if returned:
                    moves.append(MeterContributions(returned))
            case ev.MeterPaid():
                moves.append(MeterAward(event.seat, event.meter, event.paid, event.refill))
            case ev.PoolUsed():
                moves.append(PoolDraw(event.meter, event.pool, event.amount))
    return tuple(moves)


class LinkedMetersSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Content of a snapshot."""

    schema: int
    group: str
    terms: str
    halted: str
    wins: int
    tables: dict[str, str]
    meters: dict[str, MeterText]
    balances: dict[str, MeterText]
    adjusted: list[str]


class LinkedMeters:
    """The meters of a group: values, linked tables, number of awards, accounts."""

    def __init__(self) -> None:
        self.values: dict[str, Fraction] = {}
        self.tables: dict[str, str] = {}  # linked table: House digest
        self.group = ""
        self.terms = ""
        self.halted = ""
        self.wins = 0
        self.adjusted: list[str] = []  # "METER APPROVAL" of every adjustment
        self.book = Book()

    def value_texts(self) -> dict[str, MeterText]:
        """The values as they are recorded."""
        return {name: meter_text(value) for name, value in self.values.items()}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events of a command, or a Refusal."""
        envelope = validate_envelope(envelope)
        command = envelope.command
        decide = _DECIDERS.get(type(command))
        if decide is None:
            problem = f"{type(command).__name__} is not a linked meters command"
            raise Refusal(problem, PROGRESSIVE_CLAUSE)
        if not self.terms and not isinstance(command, FoundMeters):
            raise Refusal("these meters have not been founded", PROGRESSIVE_CLAUSE)
        events = list(decide(self, command, envelope.by))
        events[0] = msgspec.structs.replace(events[0], at=envelope.at)
        return tuple(events)

    def to_snapshot(self) -> str:
        """This state as text, identical for identical events."""
        snapshot = LinkedMetersSnapshot(
            schema=SCHEMA,
            group=self.group,
            terms=self.terms,
            halted=self.halted,
            wins=self.wins,
            tables=self.tables,
            meters=self.value_texts(),
            balances=self.book.export(),
            adjusted=self.adjusted,
        )
        return msgspec.json.encode(snapshot).decode()

    @classmethod
    def from_snapshot(cls, text: str) -> LinkedMeters:
        """The meters of a snapshot; BadInput if it is not one of this schema."""
        try:
            snapshot = msgspec.json.decode(text, type=LinkedMetersSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if snapshot.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {snapshot.schema}, expected {SCHEMA}")
        meters = cls()
        meters.group, meters.terms, meters.halted = snapshot.group, snapshot.terms, snapshot.halted
        meters.wins, meters.tables = snapshot.wins, snapshot.tables
        meters.adjusted = snapshot.adjusted
        meters.values = {name: Fraction(value) for name, value in snapshot.meters.items()}
        meters.book = Book(snapshot.balances)
        return meters

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        self.book.post(event)
        match event:
            case MetersFounded():
                self.group, self.terms = event.group, event.terms
                self.values = {name: Fraction(value) for name, value in event.meters.items()}
            case TableLinked():
                self.tables[event.table] = event.house
            case MetersFed():
                for name, amount in event.amounts.items():
                    self.values[name] += Fraction(amount)
            case MeterWon():
                self.values[event.meter] = Fraction(event.after)
                self.wins = event.order
            case PoolDrawn():
                self.values[f"{event.pool}:{event.meter}"] = Fraction(event.left)
                self.values[event.meter] = Fraction(event.after)
            case SharedAdjusted():
                self.values[event.meter] = Fraction(event.after)
                self.adjusted.append(approval_key(event.meter, event.approval))
            case MetersHalted():
                self.halted = event.reason
            case MetersResumed():
                self.halted = ""


def _check_role(by: Account, roles: tuple[Role, ...] = KEEPERS) -> None:
    if by.role not in roles:
        raise Refusal(f"{by} may not do this; expected {' or '.join(roles)}", PROGRESSIVE_CLAUSE)


def _found(meters: LinkedMeters, command: FoundMeters, by: Account) -> Iterator[Event]:
    _check_role(by)
    if meters.terms:
        raise Refusal("these meters are already founded", PROGRESSIVE_CLAUSE)
    if not command.terms or not command.meters:
        raise Refusal("linked meters need terms and amounts", PROGRESSIVE_CLAUSE)
    if any(_exact(value) < 0 for value in command.meters.values()):
        raise Refusal("a meter cannot start below zero", PROGRESSIVE_CLAUSE)
    yield MetersFounded(
        group=command.group,
        terms=command.terms,
        meters=command.meters,
        clauses=(PROGRESSIVE_CLAUSE,),
    )


def _link(meters: LinkedMeters, command: LinkTable, by: Account) -> Iterator[Event]:
    _check_role(by)
    if command.terms != meters.terms:
        raise Refusal(
            f"table {command.table!r} cannot be linked to these meters: its terms differ",
            PROGRESSIVE_CLAUSE,
        )
    if command.table in meters.tables:
        raise Refusal(
            f"table {command.table!r} is already linked to these meters", PROGRESSIVE_CLAUSE
        )
    yield TableLinked(table=command.table, house=command.house, clauses=(PROGRESSIVE_CLAUSE,))


def _move(meters: LinkedMeters, command: MoveMeters, by: Account) -> Iterator[Event]:
    """Apply the changes of a table as they are; an audit compares them with the table's entry."""
    table = command.table
    if table not in meters.tables:
        raise Refusal(f"table {table!r} is not linked to these meters", PROGRESSIVE_CLAUSE)
    if not command.moves:
        raise Refusal("the command changes no meter", PROGRESSIVE_CLAUSE)
    values, wins = dict(meters.values), meters.wins
    for move in command.moves:
        match move:
            case MeterContributions():
                for name, amount in move.amounts.items():
                    values[_check_meter(values, name)] += _exact(amount)
                after = {name: meter_text(values[name]) for name in move.amounts}
                yield MetersFed(
                    table=table,
                    round=command.round,
                    amounts=move.amounts,
                    after=after,
                    clauses=(PROGRESSIVE_CLAUSE,),
                )
            case MeterAward():
                wins += 1
                name = _check_meter(values, move.meter)
                values[name] += _exact(move.refill) - move.paid
                yield MeterWon(
                    table=table,
                    round=command.round,
                    seat=move.seat,
                    meter=name,
                    paid=move.paid,
                    refill=move.refill,
                    after=meter_text(values[name]),
                    order=wins,
                    clauses=(PROGRESSIVE_CLAUSE,),
                )
            case PoolDraw():
                yield _draw(command, move, values)
    negative = [name for name, value in values.items() if value < 0]
    if negative:
        raise Refusal(f"meter {negative[0]} would fall below zero", PROGRESSIVE_CLAUSE)


def _draw(command: MoveMeters, move: PoolDraw, values: dict[str, Fraction]) -> PoolDrawn:
    pool = _check_meter(values, f"{move.pool}:{move.meter}")
    amount = _exact(move.amount)
    values[pool] -= amount
    if move.pool == "overflow":
        values[move.meter] += amount
    return PoolDrawn(
        table=command.table,
        round=command.round,
        meter=move.meter,
        pool=move.pool,
        amount=move.amount,
        left=meter_text(values[pool]),
        after=meter_text(values[move.meter]),
        clauses=(PROGRESSIVE_CLAUSE,),
    )


def _halt(meters: LinkedMeters, command: HaltMeters, by: Account) -> Iterator[Event]:
    _check_role(by)
    if not command.reason.strip():
        raise Refusal("a halt needs a reason", PROGRESSIVE_CLAUSE)
    if meters.halted:
        raise Refusal(f"the meters are already halted: {meters.halted}", PROGRESSIVE_CLAUSE)
    yield MetersHalted(reason=command.reason, clauses=(PROGRESSIVE_CLAUSE,))


def _resume(meters: LinkedMeters, command: ResumeMeters, by: Account) -> Iterator[Event]:
    _check_role(by)
    if not meters.halted:
        raise Refusal("the meters are not halted", PROGRESSIVE_CLAUSE)
    yield MetersResumed(clauses=(PROGRESSIVE_CLAUSE,))


def _adjust(meters: LinkedMeters, command: AdjustShared, by: Account) -> Iterator[Event]:
    if by.id == command.second.id:
        raise Refusal(
            f"two different people must adjust a meter, got {by.id} twice", PROGRESSIVE_CLAUSE
        )
    for person in (by, command.second):
        _check_role(person, ADJUSTERS)
    if not command.reason.strip() or not command.approval.strip():
        raise Refusal("adjusting a meter needs a reason and an approval", PROGRESSIVE_CLAUSE)
    if approval_key(command.meter, command.approval) in meters.adjusted:
        problem = f"{command.approval!r} was already used for {command.meter}"
        raise Refusal(f"{problem}; every adjustment needs its own approval", PROGRESSIVE_CLAUSE)
    after = meters.values[_check_meter(meters.values, command.meter)] + _exact(command.amount)
    if after < 0:
        raise Refusal(f"meter {command.meter} would fall below zero", PROGRESSIVE_CLAUSE)
    yield SharedAdjusted(
        meter=command.meter,
        amount=command.amount,
        after=meter_text(after),
        reason=command.reason,
        approval=command.approval,
        by=by,
        second=command.second,
        clauses=(PROGRESSIVE_CLAUSE,),
    )


def _check_meter(values: Mapping[str, Fraction], name: str) -> str:
    if name not in values:
        raise Refusal(
            f"there is no meter {name!r}; expected one of: {', '.join(values)}", PROGRESSIVE_CLAUSE
        )
    return name


def _exact(value: MeterText) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise Refusal(f"{value!r} is not an exact amount of cents", PROGRESSIVE_CLAUSE) from None


_DECIDERS: dict[type[Command], Callable[[LinkedMeters, Any, Account], Iterator[Event]]] = {
    FoundMeters: _found,
    LinkTable: _link,
    MoveMeters: _move,
    HaltMeters: _halt,
    ResumeMeters: _resume,
    AdjustShared: _adjust,
}

"""Shared meters: one stream of contributions and awards for all tables of a group.

A table's entry and the group's are one append. Whoever appends second finds the group's stream
moved on, reads it, and decides anew under the meters as they now stand; so two tables that hit in
the same instant are paid one after the other, the second from what the first left. Pure, like a
table: `decide` may refuse, `evolve` may not.
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
    Draw,
    FoundMeters,
    HaltMeters,
    LinkTable,
    MeterAward,
    MeterContributions,
    MetersFed,
    MetersFounded,
    MetersHalted,
    MetersResumed,
    MeterWon,
    Move,
    MoveMeters,
    PoolDrawn,
    ResumeMeters,
    SharedAdjusted,
    TableLinked,
)
from croupier.ledger.errors import LedgerError
from croupier.money import meter_text
from croupier.table import Account, Book, Command, Envelope, Event, MeterText, Role, Table, validate_envelope
from croupier.table import events as ev

PREFIX = "meters:"
SCHEMA = 2  # of a snapshot; one of another schema is made anew from the record
LAW = "COMAR 36.05.03.24"  # progressives, alone and linked
KEEPERS: tuple[Role, ...] = ("pit_manager", "cage", "audit")
FOUNDERS: tuple[Role, ...] = (*KEEPERS, "system")


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
        "meters": {name: _terms(meter) for name, meter in house.meters.items()},
    }
    return msgspec.json.encode(record, enc_hook=str, order="sorted").decode()


def _terms(meter: Meter) -> list[object]:
    """Reset amount and rate; limit and reserve where there are any."""
    pools = {"limit": meter.limit, "reserve": meter.reserve_percent}
    told = {name: value for name, value in pools.items() if value is not None}
    return [meter.reset, str(meter.rate_percent), *([told] if told else [])]


def moves_of(table: Table, events: Sequence[Event]) -> tuple[Move, ...]:
    """What a table's events do to its meters, in their order; `table` is as it was before them."""
    found: list[Move] = []
    for event in events:
        match event:
            case ev.ProgressiveLocked() | ev.PlayerSatOut() if event.contributions:
                found.append(MeterContributions(dict(event.contributions)))
            case ev.RoundVoided():
                fed = table.round.fed if table.round is not None else {}
                back = {name: meter_text(-amount) for name, amount in fed.items() if amount}
                if back:
                    found.append(MeterContributions(back))
            case ev.MeterPaid():
                found.append(MeterAward(event.seat, event.meter, event.paid, event.refill))
            case ev.PoolUsed():
                found.append(Draw(event.meter, event.pool, event.amount))
    return tuple(found)


class LinkedMetersSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    schema: int
    group: str
    terms: str
    halted: str
    wins: int
    tables: dict[str, str]
    meters: dict[str, MeterText]
    balances: dict[str, MeterText]
    adjusted: list[str]


class Meters:
    """The shared meters of a group: values, who is linked, how many awards, the accounts."""

    def __init__(self) -> None:
        self.values: dict[str, Fraction] = {}
        self.tables: dict[str, str] = {}  # the House of each linked table
        self.group = ""
        self.terms = ""
        self.halted = ""
        self.wins = 0
        self.adjusted: list[str] = []  # meters, with the approval for it
        self.book = Book()

    def shown(self) -> dict[str, MeterText]:
        """The meters as they are written down."""
        return {name: meter_text(value) for name, value in self.values.items()}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        given = validate_envelope(envelope)
        decide = _DECIDE.get(type(given.command))
        if decide is None:
            raise Refusal(f"{type(given.command).__name__} is no command of meters", LAW)
        if not self.terms and not isinstance(given.command, FoundMeters):
            raise Refusal("nobody has founded these meters", LAW)
        events = list(decide(self, given.command, given.by))
        events[0] = msgspec.structs.replace(events[0], at=envelope.at)
        return tuple(events)

    def to_snapshot(self) -> str:
        """This state as text, the same for the same events."""
        frozen = LinkedMetersSnapshot(
            schema=SCHEMA,
            group=self.group,
            terms=self.terms,
            halted=self.halted,
            wins=self.wins,
            tables=self.tables,
            meters=self.shown(),
            balances=self.book.export(),
            adjusted=self.adjusted,
        )
        return msgspec.json.encode(frozen).decode()

    @classmethod
    def from_snapshot(cls, text: str) -> Meters:
        """The meters of a snapshot; BadInput for what is none of this schema."""
        try:
            frozen = msgspec.json.decode(text, type=LinkedMetersSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if frozen.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {frozen.schema}, expected {SCHEMA}")
        meters = cls()
        meters.group, meters.terms, meters.halted = frozen.group, frozen.terms, frozen.halted
        meters.wins, meters.tables = frozen.wins, frozen.tables
        meters.adjusted = frozen.adjusted
        meters.values = {name: Fraction(value) for name, value in frozen.meters.items()}
        meters.book = Book(frozen.balances)
        return meters

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
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
                self.adjusted.append(f"{event.meter} {event.approval}")
            case MetersHalted():
                self.halted = event.reason
            case MetersResumed():
                self.halted = ""


def _check_keeper(by: Account, roles: tuple[Role, ...] = FOUNDERS) -> None:
    if by.role not in roles:
        raise Refusal(f"{by} may not do this; expected {' or '.join(roles)}", LAW)


def _found(meters: Meters, command: FoundMeters, by: Account) -> Iterator[Event]:
    _check_keeper(by)
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
    _check_keeper(by)
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
            case MeterContributions():
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
            case MeterAward():
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
            case Draw():
                yield _drawn(command, move, values)
    below = [name for name, value in values.items() if value < 0]
    if below:
        raise Refusal(f"meter {below[0]} would stand below zero", LAW)


def _drawn(command: MoveMeters, move: Draw, values: dict[str, Fraction]) -> PoolDrawn:
    pool = _known(values, f"{move.pool}:{move.meter}")
    amount = _exactly(move.amount)
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
        clauses=(LAW,),
    )


def _halt(meters: Meters, command: HaltMeters, by: Account) -> Iterator[Event]:
    _check_keeper(by)
    if not command.reason.strip():
        raise Refusal("a halt needs a reason", LAW)
    if meters.halted:
        raise Refusal(f"the meters are halted: {meters.halted}", LAW)
    yield MetersHalted(reason=command.reason, clauses=(LAW,))


def _resume(meters: Meters, command: ResumeMeters, by: Account) -> Iterator[Event]:
    _check_keeper(by)
    if not meters.halted:
        raise Refusal("the meters are not halted", LAW)
    yield MetersResumed(clauses=(LAW,))


def _adjust(meters: Meters, command: AdjustShared, by: Account) -> Iterator[Event]:
    if by.id == command.second.id:
        raise Refusal(f"two different people are needed, got {by.id} twice", LAW)
    for person in (by, command.second):
        _check_keeper(person, KEEPERS)
    if not command.reason.strip() or not command.approval.strip():
        raise Refusal("a meter is adjusted with a reason and an approval", LAW)
    if f"{command.meter} {command.approval}" in meters.adjusted:
        problem = f"{command.approval!r} was used for {command.meter} already"
        raise Refusal(f"{problem}; every adjustment has its own approval", LAW)
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

"""Table: an event-sourced state machine that decides commands and applies events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET

from croupier import clock
from croupier.errors import BadInput, Refusal
from croupier.games import DEALING_METHODS, House, Limits, Option
from croupier.money import meter_text
from croupier.table.core import table_snapshot
from croupier.table.core.accounting import Book
from croupier.table.core.dispatch import COMMAND_ROUTES, EVENT_HANDLERS, PARTS
from croupier.table.core.messages import (
    Command,
    Envelope,
    Event,
    epoch_ms,
    validate_command,
    validate_envelope,
)
from croupier.table.core.part import CommandSpec, Deadline, Service
from croupier.table.core.roles import STAFF, Account
from croupier.table.core.steps import Step, next_steps
from croupier.table.parts import (
    corrections,
    deck_commitment,
    devices,
    disabling,
    disputes,
    electronic_credits,
    house_binding,
    investigations,
    limit_changes,
    shift,
    staffing,
    table_clock,
)
from croupier.table.parts.chips.state import Chips
from croupier.table.parts.decks.state import Decks
from croupier.table.parts.payouts.state import Payouts
from croupier.table.parts.progressive.state import ProgressiveState
from croupier.table.parts.round.resolution import Resolution, payment_of
from croupier.table.parts.round.state import WAGERS, Due, Round
from croupier.table.parts.round.turn_order import may_settle
from croupier.table.parts.seats.state import Seats
from croupier.wording import counted

FindHouse = Callable[[str], House]
# The account that acts at a table of service "rounds"; elsewhere the caller must name one.
REHEARSAL = Account("rehearsal", "system")
UNRECOGNIZED = ("A144",)  # cited where no clause of the rules covers a command


class Table:
    """One table that plays under one House.

    `decide` checks a command against the rules and returns events or refuses, without changing the
    table; `evolve` applies an event and cannot refuse; `do` is both. There is no clock, no
    randomness and no I/O: a table rebuilt from its events equals the original.

    `service` says how much of a casino surrounds the rounds: only "rounds", "practice" or
    "attended". `meters` are the progressive meters to start with, by default at their reset
    amounts. `timezone` and `day_starts` define the gaming day.

        >>> from croupier import PlaceWagers, Table, example
        >>> table = Table(example("top_five"))
        >>> for event in table.do(PlaceWagers(1, {"ante": 1000})):
        ...     print(type(event).__name__, *event.clauses)
        RoundOpened 1.A 1.B.5 1.B.7 1.B.8
        WagersPlaced 7.E.1 7.C 1.B.1
    """

    def __init__(
        self,
        house: House | None = None,
        *,
        service: Service = "rounds",
        live: bool = False,
        table_id: str = "table",
        meters: Mapping[str, Fraction] | None = None,
        timezone: str = clock.TIMEZONE,
        day_starts: str = clock.DAY_STARTS,
        find_house: FindHouse | None = None,
    ) -> None:
        """Create a table under a House, or an unbound one that a `TableBound` event will bind.

        `service` is what the table models: "rounds" only, "practice" (with seats and chips), or
        "attended" (with staff, equipment and chips too). `live` is play for money. `meters` are
        the opening meters, as submitted by default. `find_house` loads a House by its digest.
        """
        self._find_house = find_house
        self._houses: dict[str, House] = {}
        # Derived from the state; computed on demand and discarded by the next event.
        self._resolution: Resolution | None = None
        self._due: Due | None = None
        self.bound: house_binding.TableBound | None = None
        self.round: Round | None = None
        self.rounds_played = 0
        self.meters: dict[str, Fraction] = {}
        self.meters_position = 0  # up to where the stream of linked meters was read
        self.clock = 0  # latest time seen; setting the clock back never extends a deck's time limit
        self.book = Book()
        self.corrections = corrections.Corrections()
        self.disabling = disabling.Disabling()
        self.posts = staffing.StaffAssignments()
        self.shift = shift.Shift()
        self.devices = devices.Devices()
        self.decks = Decks()
        self.seats = Seats()
        self.chips = Chips()
        self.credits = electronic_credits.Credits()
        self.limits = limit_changes.LimitState()
        self.progressive = ProgressiveState()
        self.payouts = Payouts()
        self.disputes = disputes.Disputes()
        self.investigations = investigations.Investigations()
        self.fairness = deck_commitment.DeckCommitmentState()
        self._set_service("rounds")
        if house is not None:
            self._houses[house.digest] = house
            values = {name: Fraction(value) for name, value in house.opening_meters().items()}
            values |= meters or {}
            self.evolve(
                house_binding.TableBound(
                    table=table_id,
                    house=house.digest,
                    service=service,
                    live=live,
                    meters={name: meter_text(value) for name, value in values.items()},
                    timezone=timezone,
                    day_starts=day_starts,
                )
            )

    @classmethod
    def replay(
        cls,
        house: House,
        events: Iterable[Event],
        *,
        service: Service = "rounds",
        live: bool = False,
        table_id: str = "table",
        meters: Mapping[str, Fraction] | None = None,
        timezone: str = clock.TIMEZONE,
        day_starts: str = clock.DAY_STARTS,
    ) -> Table:
        """Return the table after these events."""
        table = cls(
            house,
            service=service,
            live=live,
            table_id=table_id,
            meters=meters,
            timezone=timezone,
            day_starts=day_starts,
        )
        for event in events:
            table.evolve(event)
        return table

    # Queries

    @property
    def attended(self) -> bool:
        """Whether staff, equipment and chips are modeled."""
        return self.service == "attended"

    @property
    def table_id(self) -> str:
        """The name of the table, or "" if it is not bound."""
        return self.bound.table if self.bound else ""

    @property
    def live(self) -> bool:
        """Whether the table is played for money; it is a practice table otherwise."""
        return self.bound is not None and self.bound.live

    @property
    def group(self) -> str:
        """The group of linked meters that the table belongs to, or ""."""
        return self.bound.group if self.bound else ""

    @property
    def open_round(self) -> Round | None:
        """The current round, if it is not closed; `round` is the last one, closed or not."""
        current = self.round
        return None if current is None or current.closed else current

    @property
    def dealing(self) -> Round | None:
        """The open round, if its betting is closed."""
        current = self.open_round
        return current if current is not None and current.betting_closed else None

    @property
    def layout(self) -> int:
        """The cents on the layout."""
        return self.book.layout

    @property
    def displayed(self) -> dict[str, Fraction]:
        """The displayed values of the meters; their pools are never displayed."""
        return {name: self.meters[name] for name in self.house.meters}

    @property
    def drop(self) -> int:
        """The cents dropped into the drop box in this shift."""
        return int(self.book.balance("drop")) - self.shift.drop_before

    def due(self) -> Due:
        """Return what must happen next in the round."""
        if self._due is None:
            current = self.round
            self._due = WAGERS if current is None or current.closed else current.due()
        return self._due

    def options(self) -> tuple[Option, ...]:
        """Return the legal decisions of the seat to act; empty if no decision is due."""
        current = self.open_round
        street = current.street if current is not None else None
        return street.options if street is not None and self.due().kind == "decide" else ()

    def in_progress(self) -> Round:
        """Return the open round whose betting is closed; raises Refusal if there is none."""
        current = self.round
        if current is None or current.closed or not current.betting_closed:
            raise self.refusal("no round is in progress; close the betting first", "no_more_bets")
        return current

    def boxes_of(self, player: str) -> list[int]:
        """Return the boxes of the open round in which a player has wagers."""
        boxes = self.open_round.boxes if self.open_round else {}
        return sorted(seat for seat, box in boxes.items() if box.player == player)

    def refusal(self, problem: str, duty: str) -> Refusal:
        """Return a Refusal that cites the clause behind a duty."""
        return Refusal(problem, self.house.cite(duty)[0], game=self.house.game.key)

    def now(self, at: int) -> int:
        """Return the time that timers use; it never runs backwards."""
        return max(at, self.clock)

    def gaming_day(self, at: int) -> date:
        """Return the gaming day of the property at a time."""
        bound = self.bound
        assert bound is not None, "a table that is not bound to a House has no gaming days"
        return clock.gaming_day(at, bound.timezone, bound.day_starts)

    def next_deadline(self, at: datetime | int) -> Deadline | None:
        """Return the next time at which the steps change without a command, if any."""
        now = self.now(epoch_ms(at))
        upcoming = [
            deadline
            for part in PARTS
            if self.service in part.services
            for deadline in part.deadlines(self)
            if deadline.at > now
        ]
        return min(upcoming, key=lambda deadline: deadline.at, default=None)

    def resolution(self) -> Resolution:
        """Return how the turns that are left resolve; settlement must be due. Cached."""
        if self._resolution is None:
            self._resolution = Resolution(self)
        return self._resolution

    def payments_due(self) -> list[Event]:
        """Return the payments that were delayed, and the events of the turn whose cards are up."""
        current = self.dealing
        if current is None or self.due().kind != "settle":
            return []
        delayed = [payment_of(current, each) for each in current.delayed.values()]
        turn = self.resolution().turns[:1] if may_settle(current) else []
        return [*delayed, *(event for events in turn for event in events)]

    def invalidate_resolution(self) -> None:
        """Discard the cached resolution after a change that no event announced."""
        self._resolution = None

    def command_specs(self) -> list[CommandSpec]:
        """Return the specification of every command in this table's service."""
        return [route.spec for route in self._routes.values()]

    def command_spec(self, kind: type[Command]) -> CommandSpec | None:
        """Return the specification of a kind of command, if this table's service has it."""
        route = self._routes.get(kind)
        return route.spec if route is not None else None

    def next_steps(self, at: datetime | int = 0) -> tuple[Step, ...]:
        """Return the steps that would be accepted now."""
        return next_steps(self, epoch_ms(at))

    # Commands

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """Return the events of a command; raises Refusal or BadInput. The table is unchanged."""
        return self.decide_checked(validate_envelope(envelope))

    def decide_checked(self, envelope: Envelope) -> tuple[Event, ...]:
        """Decide an envelope that `validate_envelope` has already checked."""
        if envelope.entered_by is not None:
            self._check_entered_by(envelope, envelope.entered_by)
        if not envelope.at and (self.live or house_binding.binds_live(envelope.command)):
            raise Refusal("a command at a live table needs its time, got 0", table_clock.CLOCKS)
        events = self.decide_command(envelope.command, envelope.by, envelope.at)
        if envelope.at and events:
            events[0] = msgspec.structs.replace(events[0], at=envelope.at)
        return tuple(events)

    def decide_unattended(self, command: Command) -> tuple[Event, ...]:
        """Decide a command of a table without accounts or times, as the rehearsal account."""
        return tuple(self.decide_command(validate_command(command), REHEARSAL, 0))

    def decide_command(self, command: Command, by: Account, at: int) -> list[Event]:
        """Decide a valid command without an envelope, as when steps are listed."""
        route = self._routes.get(type(command))
        if route is None:
            raise Refusal(f"{type(command).__name__} is not a command of this table", "A144")
        if self.bound is None and not isinstance(command, house_binding.BindTable):
            raise Refusal("the table is not bound to a House yet", house_binding.APPROVED)
        self._check_actor(route.spec, command, by)
        if self.attended:
            table_clock.check_stamp(self, command, at)
        if not route.before and not route.after:
            return route.spec.decide(self, command, by, at)
        duties = [duty for before in route.before for duty in before(self, command, by, at)]
        events = route.spec.decide(self, command, by, at)
        for after in route.after:
            events += after(self, command, by, at, events)
        if duties:
            cite = self.house.cite
            more = tuple(clause for duty in duties for clause in cite(duty, optional=True))
            events[0] = msgspec.structs.replace(events[0], clauses=events[0].clauses + more)
        return events

    def _check_entered_by(self, envelope: Envelope, entered_by: Account) -> None:
        """Allow only assigned staff of an attended table to enter, and only for a player."""
        by = envelope.by
        if by.role != "player" or by.id == entered_by.id:
            raise self.refusal(f"{entered_by} may enter commands for players only", "seated")
        if not self.attended or not staffing.may_enter(self, entered_by):
            raise self.refusal(f"{entered_by} may not enter commands for {by} here", "seated")
        spec = self.command_spec(type(envelope.command))
        if spec is not None and spec.in_person(self):
            problem = f"only {by} may do this; {entered_by} may not enter it"
            raise self._wrong_actor(problem, spec, envelope.command)

    def authority_clauses(self, spec: CommandSpec, command: Command) -> tuple[str, ...]:
        """Return the clauses that say who may give a command."""
        if spec.law:
            return (spec.law_of(self, command) if spec.law_of else spec.law,)
        duty = spec.duty_of(command) if spec.duty_of else spec.duty
        return self.house.cite(duty, optional=True) or UNRECOGNIZED

    def _check_actor(self, spec: CommandSpec, command: Command, by: Account) -> None:
        """Check the role and, for staff of an attended table, the staffing assignment."""
        if by.role not in spec.roles:
            roles = " or ".join(spec.roles) or "no role"
            raise self._wrong_actor(f"{by} may not do this; expected {roles}", spec, command)
        if not self.attended or spec.needs_no_post or by.role not in STAFF:
            return
        if by.role == "dealer" and self.posts.dealer != by.id:
            problem = f"{by} does not deal here; the dealer is {self.posts.dealer!r}"
            raise self._wrong_actor(problem, spec, command)
        if self.posts.here.get(by.id) != by.role:
            raise self._wrong_actor(f"{by} is not assigned to this table", spec, command)

    def _wrong_actor(self, problem: str, spec: CommandSpec, command: Command) -> Refusal:
        clause = self.authority_clauses(spec, command)[0]
        return Refusal(problem, clause, game="" if spec.law else self.house.game.key)

    def do(
        self,
        command: Command,
        by: Account | None = None,
        at: datetime | int = 0,
        *,
        id: str = "",
        entered_by: Account | None = None,
    ) -> tuple[Event, ...]:
        """Decide a command and apply its events.

        `at` is the time, as milliseconds since the epoch or with a time zone; `entered_by` is the
        member of staff who enters a command for the player `by`. `by` may be left out only where
        the service is "rounds". Raises Refusal if the rules do not allow the command now, and
        BadInput if it is malformed; then nothing has changed.

            >>> from croupier import PlaceWagers, Table, example
            >>> Table(example("top_five")).do(PlaceWagers(1, {"ante": 1}))
            Traceback (most recent call last):
            croupier.errors.Refusal: ante must be $5.00 to $500.00, got $0.01 [top_five A69]
        """
        if by is None:
            if self.service != "rounds":
                raise BadInput(f"{type(command).__name__} needs the account that gives it")
            by = REHEARSAL
        if by is REHEARSAL and id == "" and at == 0 and type(at) is int and entered_by is None:
            events = self.decide_unattended(command)
        else:
            when = at if type(at) is int else epoch_ms(at)
            events = self.decide(Envelope(id, by, when, command, entered_by))
        evolve = self.evolve
        for event in events:
            evolve(event)
        return events

    def allows(self, command: Command, by: Account, at: datetime | int = 0) -> bool:
        """Whether the command would be accepted; False also if it is malformed."""
        try:
            self.decide(Envelope("", by, epoch_ms(at), command))
        except (BadInput, Refusal):
            return False
        return True

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        at = event.at
        if at is not UNSET and (at > self.clock or self._follows_clock()):
            self.clock = at
        self._resolution = self._due = None
        for evolve in self._handlers.get(type(event), ()):
            evolve(self, event)

    def _follows_clock(self) -> bool:
        """Whether the clock may go back: a closed table has no timers."""
        return self.service == "attended" and not self.shift.open

    # Snapshots

    def to_snapshot(self) -> str:
        """Serialize the table between rounds; equal event histories give equal text."""
        return table_snapshot.to_snapshot(self)

    @classmethod
    def from_snapshot(cls, text: str, find_house: FindHouse) -> Table:
        """Return the table of a snapshot; raises BadInput if the text is not a valid one."""
        table = cls(find_house=find_house)
        table_snapshot.from_snapshot(table, text)
        return table

    # House

    def find_house(self, digest: str) -> House:
        """Return the House of a digest; raises Refusal if it is unknown."""
        house = self._houses.get(digest)
        if house is None and self._find_house is not None:
            house = self._houses[digest] = self._find_house(digest)
        if house is None:
            raise Refusal(f"House {digest[:12]!r} is not known here", house_binding.APPROVED)
        return house

    def bind_house(self, event: house_binding.TableBound) -> None:
        """Bind the table to the House of an event; devices keep their state."""
        first = self.bound is None
        self.bound = event
        self._set_service(event.service)
        self.submitted = self.house = self.find_house(event.house)
        self.meters = {name: Fraction(value) for name, value in event.meters.items()}
        if self.open_round is not None:  # opened under the old House, with every wager withdrawn
            self.round = None
        self.limits.changed.clear()
        self.limits.notices.clear()
        before = {} if first else self.devices.state
        self.devices.method = self.submitted.dealing_method
        self.devices.state = {
            device: before.get(device, status)
            for device, status in devices.devices_of(self.submitted).items()
        }

    def apply_overrides(self) -> None:
        """Rebuild the House in play from the submitted one, with today's limits and method."""
        changed = {
            name: Limits(minimum=low, maximum=high)
            for name, (low, high) in self.limits.changed.items()
        }
        method = next(method for method in DEALING_METHODS if method == self.devices.method)
        self.house = self.submitted.as_played(limits=changed, dealing_method=method)
        if self.open_round is not None:  # all wagers withdrawn; it is dealt by the new method
            self.open_round.house = self.house

    def _set_service(self, service: Service) -> None:
        self.service: Service = service
        self._routes = COMMAND_ROUTES[service]
        self._handlers = EVENT_HANDLERS[service]

    # Equality and representation

    def state(self) -> dict[str, Any]:
        """Return the state that equal tables share."""
        return {
            "bound": self.bound,
            "rounds": self.rounds_played,
            "round": self.round,
            "meters": self.meters,
            "position": self.meters_position,
            "clock": self.clock,
            "balances": self.book.export(),
            **{part: getattr(self, part) for part in table_snapshot.PARTS},
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.bound is None:
            return "<Table, not bound to a House>"
        rounds = counted(self.rounds_played, "round")
        due = self.due().kind
        return f"<Table {self.table_id!r} {self.house.game.key} {self.service}: {rounds}, {due}>"

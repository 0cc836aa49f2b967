"""The table: a fold over its events, and the one door through which commands become events."""

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
from croupier.table.core import snapshots
from croupier.table.core.accounting import Book
from croupier.table.core.dispatch import EVOLVING, PARTS, PLANS
from croupier.table.core.messages import (
    Command,
    Envelope,
    Event,
    checked,
    checked_command,
    milliseconds,
)
from croupier.table.core.part import CommandSpec, Deadline, Service
from croupier.table.core.roles import STAFF, Account
from croupier.table.core.steps import Step, next_steps
from croupier.table.parts import (
    deck_commitment,
    devices,
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
from croupier.table.parts.round.settlement import resolve
from croupier.table.parts.round.state import WAGERS, Due, Round
from croupier.table.parts.seats.state import Seats

FindHouse = Callable[[str], House]
# Who acts at a table without people; everywhere else somebody must be named.
REHEARSAL = Account("rehearsal", "system")
NOBODY_NAMED = ("A144",)  # what the document does not know at all


class Table:
    """One table of one House.

    `decide` checks a command against the rules and may refuse, changing nothing; `evolve` applies
    an event and may not. `do` is both. No clock, no randomness, no input or output: a table
    rebuilt from its events equals the original. `service` says how much of a casino stands
    around the rounds: nothing, seats and chips for practice, or everything that a floor has.
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
        """A table under a House; without one it waits to be bound by its first event."""
        self._find_house = find_house
        self._houses: dict[str, House] = {}
        # What follows from the state, worked out once until the next event.
        self._settlement: list[Event] | None = None
        self._due: Due | None = None
        self.bound: house_binding.TableBound | None = None
        self.round: Round | None = None
        self.rounds_played = 0
        self.meters: dict[str, Fraction] = {}
        self.meters_position = 0  # how far shared meters were read
        self.clock = 0  # the highest time seen: a clock set back makes no deck younger
        self.book = Book()
        self.corrections = house_binding.Corrections()
        self.posts = staffing.Posts()
        self.shift = shift.Shift()
        self.devices = devices.Devices()
        self.decks = Decks()
        self.seats = Seats()
        self.chips = Chips()
        self.credits = electronic_credits.Credits()
        self.limits = limit_changes.MovedLimits()
        self.progressive = ProgressiveState()
        self.payouts = Payouts()
        self.disputes = disputes.Disputes()
        self.investigations = investigations.Investigations()
        self.fairness = deck_commitment.Fairness()
        self._become("rounds")
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
    ) -> Table:
        """The table after these events."""
        table = cls(house, service=service, live=live, table_id=table_id, meters=meters)
        for event in events:
            table.evolve(event)
        return table

    # What it is.

    @property
    def attended(self) -> bool:
        """Whether people and equipment stand around it."""
        return self.service == "attended"

    @property
    def table_id(self) -> str:
        """Its name on the floor."""
        return self.bound.table if self.bound else ""

    @property
    def live(self) -> bool:
        """Whether it is played for money; practice otherwise."""
        return self.bound is not None and self.bound.live

    @property
    def group(self) -> str:
        """The shared meters it belongs to, or none."""
        return self.bound.group if self.bound else ""

    @property
    def open_round(self) -> Round | None:
        """The round that is not closed yet; `round` is the last one, closed or not."""
        current = self.round
        return None if current is None or current.closed else current

    @property
    def dealing(self) -> Round | None:
        """The round whose betting is closed and whose settlement is to come."""
        current = self.open_round
        return current if current is not None and current.betting_closed else None

    @property
    def layout(self) -> int:
        """The cents on the layout."""
        return self.book.layout

    @property
    def displayed(self) -> dict[str, Fraction]:
        """What the meters show; the pools beside them are shown to nobody."""
        return {name: self.meters[name] for name in self.house.meters}

    @property
    def drop(self) -> int:
        """The cash in the drop box of this shift."""
        return int(self.book.balance("drop")) - self.shift.drop_before

    def due(self) -> Due:
        """What must happen next in the round."""
        if self._due is None:
            current = self.round
            self._due = WAGERS if current is None or current.closed else current.due()
        return self._due

    def options(self) -> tuple[Option, ...]:
        """The legal answers of the seat that is asked; none if nobody is."""
        current = self.open_round
        street = current.street if current is not None else None
        return street.options if street is not None and self.due().kind == "decide" else ()

    def in_progress(self) -> Round:
        """The round whose betting is closed; refused when there is none."""
        current = self.round
        if current is None or current.closed or not current.betting_closed:
            raise self.refusal("no round is in progress; close the betting first", "window")
        return current

    def boxes_of(self, player: str) -> list[int]:
        """The boxes of the open round that a player has wagers on."""
        boxes = self.open_round.boxes if self.open_round else {}
        return sorted(seat for seat, box in boxes.items() if box.player == player)

    def refusal(self, problem: str, duty: str) -> Refusal:
        """A refusal that cites the clause behind a duty."""
        return Refusal(problem, self.house.cite(duty)[0], game=self.house.game.key)

    def now(self, at: int) -> int:
        """The time as timers see it: it never runs backwards."""
        return max(at, self.clock)

    def gaming_day(self, at: int) -> date:
        """The gaming day of the property that a moment belongs to."""
        bound = self.bound
        assert bound is not None, "a table that is bound to no House has no days"
        return clock.gaming_day(at, bound.timezone, bound.day_starts)

    def next_deadline(self, at: datetime | int) -> Deadline | None:
        """The next moment at which something changes by itself; None if nothing does."""
        now = self.now(milliseconds(at))
        coming = [
            deadline
            for part in PARTS
            if self.service in part.services
            for deadline in part.deadlines(self)
            if deadline.at > now
        ]
        return min(coming, key=lambda deadline: deadline.at, default=None)

    def settlement(self) -> list[Event]:
        """What becomes of every stake, worked out once; nothing before the round is ready."""
        if self._settlement is None:
            current = self.dealing
            if current is None or self.due().kind != "settle":
                return []
            self._settlement = list(resolve(current, dict(self.meters)))
        return self._settlement

    def invalidate_settlement(self) -> None:
        """Work the settlement out anew: what it depends on was changed by hand."""
        self._settlement = None

    def acts(self) -> list[CommandSpec]:
        """Every kind of command that this table knows."""
        return [plan.act for plan in self._plans.values()]

    def act(self, kind: type[Command]) -> CommandSpec | None:
        """How a kind of command is carried out here, if it is known."""
        plan = self._plans.get(kind)
        return plan.act if plan is not None else None

    def next_steps(self, at: datetime | int = 0) -> tuple[Step, ...]:
        """Every step that would be accepted now."""
        return next_steps(self, milliseconds(at))

    # What it does.

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal; the table is unchanged either way."""
        return self.judge(checked(envelope))

    def judge(self, given: Envelope) -> tuple[Event, ...]:
        """The same for an envelope whose form was checked before, as one of a record was."""
        if given.entered_by is not None:
            self._check_entered(given, given.entered_by)
        events = self.decide_command(given.command, given.by, given.at)
        if given.at and events:
            events[0] = msgspec.structs.replace(events[0], at=given.at)
        return tuple(events)

    def decide_unattended(self, command: Command) -> tuple[Event, ...]:
        """The same where nothing but the command was told: nothing else can be malformed."""
        return tuple(self.decide_command(checked_command(command), REHEARSAL, 0))

    def decide_command(self, command: Command, by: Account, at: int) -> list[Event]:
        """The same for a command that nobody has given, as when steps are listed."""
        plan = self._plans.get(type(command))
        if plan is None:
            raise Refusal(f"{type(command).__name__} is no command of this table", "A144")
        if self.service != "rounds":
            self._check_person(plan.act, command, by)
        if self.bound is None and not isinstance(command, house_binding.BindTable):
            raise Refusal("the table is bound to no House yet", house_binding.APPROVED)
        if self.attended:
            table_clock.check_stamp(self, command, at)
        if not plan.before and not plan.after:  # no other part has a say
            return plan.act.decide(self, command, by, at)
        duties = [duty for before in plan.before for duty in before(self, command, by, at)]
        events = plan.act.decide(self, command, by, at)
        for after in plan.after:
            events += after(self, command, by, at, events)
        if duties:
            cite = self.house.cite
            more = tuple(clause for duty in duties for clause in cite(duty, optional=True))
            events[0] = msgspec.structs.replace(events[0], clauses=events[0].clauses + more)
        return events

    def _check_entered(self, given: Envelope, entered_by: Account) -> None:
        """The staff of an attended table may type what a player says or lays down."""
        if given.by.role != "player" or given.by.id == entered_by.id:
            raise self.refusal(f"{entered_by} enters only what a player does", "seated")
        if not self.attended or not staffing.may_enter(self, entered_by):
            raise self.refusal(f"{entered_by} may not enter for {given.by} here", "seated")

    def who_says(self, act: CommandSpec, command: Command) -> tuple[str, ...]:
        """The clauses that name the right person for a command."""
        if act.law:
            return (act.law_of(self, command) if act.law_of else act.law,)
        duty = act.duty_of(command) if act.duty_of else act.duty
        return self.house.cite(duty, optional=True) or NOBODY_NAMED

    def _check_person(self, act: CommandSpec, command: Command, by: Account) -> None:
        """The right role, and at an attended table a post."""
        if by.role not in act.roles:
            stands_in = not self.attended and by.role == "system" and "dealer" in act.roles
            if not stands_in:
                roles = " or ".join(act.roles) or "nobody"
                raise self._wrong_person(f"{by} may not do this; expected {roles}", act, command)
        if not self.attended or act.strangers or by.role not in STAFF:
            return
        if by.role == "dealer" and self.posts.dealer != by.id:
            problem = f"{by} does not deal here; the dealer is {self.posts.dealer!r}"
            raise self._wrong_person(problem, act, command)
        if self.posts.here.get(by.id) != by.role:
            raise self._wrong_person(f"{by} has no post at this table", act, command)

    def _wrong_person(self, problem: str, act: CommandSpec, command: Command) -> Refusal:
        clause = self.who_says(act, command)[0]
        return Refusal(problem, clause, game="" if act.law else self.house.game.key)

    def do(
        self,
        command: Command,
        by: Account | None = None,
        at: datetime | int = 0,
        *,
        id: str = "",
        entered_by: Account | None = None,
    ) -> tuple[Event, ...]:
        """Decide and evolve. Only a table without people may be told nobody's name."""
        if by is None:
            if self.service != "rounds":
                raise BadInput(f"{type(command).__name__} needs to say who gives it")
            by = REHEARSAL
        if by is REHEARSAL and id == "" and at == 0 and type(at) is int and entered_by is None:
            events = self.decide_unattended(command)
        else:
            when = at if type(at) is int else milliseconds(at)
            events = self.judge(checked(Envelope(id, by, when, command, entered_by)))
        evolve = self.evolve
        for event in events:
            evolve(event)
        return events

    def allows(self, command: Command, by: Account, at: datetime | int = 0) -> bool:
        """Whether the command would be accepted; what is malformed is not."""
        try:
            self.decide(Envelope("", by, milliseconds(at), command))
        except (BadInput, Refusal):
            return False
        return True

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        at = event.at
        if at is not UNSET and (at > self.clock or self._follows_clock()):
            self.clock = at
        self._settlement = self._due = None
        for evolve in self._evolving.get(type(event), ()):
            evolve(self, event)

    def _follows_clock(self) -> bool:
        """A closed table has no timers: its clock is that of the last command."""
        return self.service == "attended" and not self.shift.open

    # Snapshots.

    def to_snapshot(self) -> str:
        """This state as text, the same for the same events; only between rounds."""
        return snapshots.to_snapshot(self)

    @classmethod
    def from_snapshot(cls, text: str, find_house: FindHouse) -> Table:
        """The table of a snapshot; BadInput for what is none of this schema."""
        table = cls(find_house=find_house)
        snapshots.from_snapshot(table, text)
        return table

    # The House.

    def find_house(self, digest: str) -> House:
        """The House of a digest; refused if nobody knows it."""
        found = self._houses.get(digest)
        if found is None and self._find_house is not None:
            found = self._houses[digest] = self._find_house(digest)
        if found is None:
            raise Refusal(f"no House {digest[:12]!r} is known here", house_binding.APPROVED)
        return found

    def bind_house(self, event: house_binding.TableBound) -> None:
        """Play under the House of this event; devices stay as they are."""
        first = self.bound is None
        self.bound = event
        self._become(event.service)
        self.submitted = self.house = self.find_house(event.house)
        self.meters = {name: Fraction(value) for name, value in event.meters.items()}
        if self.open_round is not None:  # opened under the old House and withdrawn from
            self.round = None
        self.limits.changed.clear()
        self.limits.notices.clear()
        known = {} if first else self.devices.state
        self.devices.method = self.submitted.dealing_method
        self.devices.state = {
            device: known.get(device, how)
            for device, how in devices.devices_of(self.submitted).items()
        }

    def apply_overrides(self) -> None:
        """Play on under the limits and the dealing method of the moment."""
        changed = {
            name: Limits(minimum=low, maximum=high)
            for name, (low, high) in self.limits.changed.items()
        }
        method = next(known for known in DEALING_METHODS if known == self.devices.method)
        self.house = self.submitted.as_played(limits=changed, dealing_method=method)
        if self.open_round is not None:  # opened and withdrawn from; its cards come the new way
            self.open_round.house = self.house

    def _become(self, service: Service) -> None:
        self.service: Service = service
        self._plans = PLANS[service]
        self._evolving = EVOLVING[service]

    # Equality and looks.

    def state(self) -> dict[str, Any]:
        """Everything that two equal tables agree in."""
        return {
            "bound": self.bound,
            "rounds": self.rounds_played,
            "round": self.round,
            "meters": self.meters,
            "position": self.meters_position,
            "clock": self.clock,
            "balances": self.book.export(),
            **{part: getattr(self, part) for part in snapshots.PARTS},
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.bound is None:
            return "<Table, bound to no House>"
        rounds = f"{self.rounds_played} round{'' if self.rounds_played == 1 else 's'}"
        due = self.due().kind
        return f"<Table {self.table_id!r} {self.house.game.key} {self.service}: {rounds}, {due}>"

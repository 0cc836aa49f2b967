"""Random shifts: one attended table driven by random steps, faults and clock jumps.

All randomness comes from one `random.Random`, so a seed reproduces a shift exactly. After every
command the money, the meters and the cards are checked against an independent model; at the end
the record is replayed and every envelope is decided again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from croupier.cards import DECK, NAMES, UNSEEN, name, names
from croupier.errors import Refusal
from croupier.games import COMMUNITY, House
from croupier.table import Account, Command, Envelope, Event, Step, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import codec, fields
from croupier.table.core.fields import pile_value
from croupier.table.drivers.simulated_staff import is_due
from tests.support.fast_copy import copy_state
from tests.support.shifts import reachability
from tests.support.shifts.invalid_commands import InvalidCommands
from tests.support.shifts.people import CAST, CORA, MAX, SYSTEM
from tests.support.shifts.random_values import (
    possible_cards,
    recorded_cards,
    right_count,
    sample,
    sample_cards,
)

START = 1_767_225_600_000  # 2026-01-01
DISRUPTIVE = {  # almost always available; if drawn evenly, no round would ever end
    "leave_post",
    "pull_deck",
    "report_fault",
    "spread_idle",
    "order_shuffle",
    "order_recut",
    "find_card_face_up",
    "find_wrong_number",
    "expose_dealer_card",
    "expose_community_card",
    "jam_shuffler",
    "jam_shoe",
    "skip_player",
}
FORK_RATE = 0.015  # about twice in a shift
NEVER_DUE = {"rule_abandoned": 0.3, "pay_unclaimed": 0.2, "switch_dealing": 0.1}  # extra chance
TROUBLE = {  # the same in shifts whose equipment fails often
    "report_fault": 0.04,
    "clear_device": 0.08,
    "keep_deck": 0.1,
    "jam_shuffler": 0.02,
    "jam_shoe": 0.02,
    "spread_idle": 0.04,
    "leave": 0.04,
}
COUNTED = (
    ev.PayoutDocumented,
    ev.PaidByCheck,
    ev.DeviceFailed,
    ev.DeviceCleared,
    ev.DealingSwitched,
    ev.DeckKept,
    ev.StubCounted,
    ev.SatDown,
    ev.IdleSpread,
    ev.AbandonmentRuled,
    ev.ConductRuled,
    ev.DeckPulled,
    ev.CorrectionMade,
    ev.MeterAdjusted,
)


class Shift:
    """One attended table, with an independent model of its money, meters and cards."""

    chances: Mapping[str, float] = NEVER_DUE  # of steps besides the due ones, by kind

    def __init__(self, house: House, rng: Random, table_id: str = "table") -> None:
        self.rng = rng
        self.chances = NEVER_DUE | (TROUBLE if rng.random() < 0.5 else {})
        self.houses = {house.digest: house}
        self.table = Table(find_house=self.houses.__getitem__)
        self.at = START
        self.record: list[tuple[bytes, list[bytes]]] = []  # each envelope with its events
        self.net_inflow = 0  # money brought to the table less money taken away
        self.meters = {name: Fraction(meter.initial) for name, meter in house.meters.items()}
        self.counts: Counter[str] = Counter()
        self.execute(
            cmd.BindTable(table=table_id, house=house.digest, service="attended", live=True), SYSTEM
        )
        self.invalid_commands = InvalidCommands(self.table, CAST, rng)

    # Random actions

    def act(self) -> None:
        """Take a random step, and sometimes try commands that may be invalid."""
        self.at += self.rng.choice((0, 500, 20_000, 20_000, 60_000, 240_000))
        if self.rng.random() < 0.01:
            self.at += self.rng.choice((-3_600_000, 1_800_000, 14_400_000, 28_800_000))
            self.counts["clock jumps"] += 1
        if "report_fault" in self.chances and self.rng.random() < 0.02:
            self.at += 900_000  # an idle pause
        if self.rng.random() < 0.02:
            self.correct_something()
        before = copy_state(self.table)
        if self.rng.random() < FORK_RATE:
            self.look_ahead()
        steps = self.table.next_steps(self.at)
        assert steps, "dead end: no step is available"
        step = self.choose(steps)
        command, by = self.fill(step), self.actor(step)
        if self.rng.random() < 0.3:
            self.try_invalid(steps, command, by)
        self.execute(command, by, before)

    def choose(self, steps: tuple[Step, ...]) -> Step:
        """Choose a due step most of the time, so that shifts make progress; faults are rare."""
        due = [step for step in steps if is_due(self.table, step)]
        bets = [step for step in steps if step.kind in ("place_wagers", "sit_down")]
        draw = self.rng.random()
        never_due = [step for step in steps if draw < self.chances.get(step.kind, 0)]
        if never_due:
            return self.rng.choice(never_due)
        if due and draw < 0.86:
            return self.rng.choice(due)
        if bets and draw < 0.95:
            return self.rng.choice(bets)
        kinds = sorted({step.kind for step in steps})
        quiet = [kind for kind in kinds if kind not in DISRUPTIVE]
        kind = self.rng.choice(kinds if not quiet or self.rng.random() < 0.25 else quiet)
        if "record_walk_away" in kinds and self.rng.random() < 0.05:
            kind = "record_walk_away"
        return self.rng.choice([step for step in steps if step.kind == kind])

    def actor(self, step: Step) -> Account:
        """Return an account that may take the step."""
        accounts = [account for account in CAST if step.is_for(account)]
        return self.rng.choice(accounts) if accounts else step.actor()

    def fill(self, step: Step, mistakes: float = 0.1) -> Command:
        """Return the command of a step with random values; most counts are correct."""
        values = {name: self.value(step, field, mistakes) for name, field in step.fields.items()}
        tray = max(1, self.table.book.tray)
        if step.command is cmd.BuyIn:  # the dealer sees what is in the tray
            values["cash"] = min(values["cash"], tray)
            values["cash"] -= values["cash"] % (self.table.house.lowest_chip or 1)
            values["cash"] = max(values["cash"], self.table.house.lowest_chip or 1)
        command = step.filled(**values)
        return command if self.has(command, self.actor(step)) else step.filled()

    def value(self, step: Step, field: fields.FieldType, mistakes: float) -> Any:
        """Return a random value for one field; cards come from the deck."""
        match field:
            case fields.CardsField():
                return sample_cards(self.table, step, field, self.rng)
            case fields.CardField():  # staff may name a card that was read elsewhere, face down
                return name(self.rng.choice(possible_cards(self.table, "dealer")))
            case fields.CountField() | fields.ChipsField() if self.rng.random() >= mistakes:
                return right_count(self.table, step, self.rng)
        return sample(field, self.rng)

    def try_invalid(self, steps: tuple[Step, ...], command: Command, by: Account) -> None:
        """Check that commands which may be invalid are accepted exactly when they are listed."""
        mutants = [self.invalid_commands.mutated(command, by) for _ in range(3)]
        for mutant, account in (*mutants, self.invalid_commands.invented()):
            canonical = self.as_listed(mutant)
            listed = any(step.admits(canonical, account) for step in steps) and self.has(
                mutant, account
            )
            allowed = self.table.allows(mutant, account, self.at)
            assert listed == allowed, f"{mutant} by {account}: listed {listed}, allowed {allowed}"
            self.counts["accepted variations" if allowed else "refusals"] += 1

    def as_listed(self, command: Command) -> Command:
        """Return the command as a step lists it: without cards that were read before."""
        current = self.table.dealing
        if not isinstance(command, cmd.ShowStreet | cmd.TurnHand) or current is None:
            return command
        in_place = isinstance(command, cmd.ShowStreet) or command.place in current.places()
        read = recorded_cards(self.table, command) if in_place and command.cards else []
        if UNSEEN not in read and sorted(read) == sorted(command.cards):
            return msgspec.structs.replace(command, cards=())
        return command

    def has(self, command: Command, by: Account) -> bool:
        """Whether deck and tray hold what a command takes; no field reveals what they hold."""
        match command:
            case cmd.BuyIn(cash=amount):
                return amount <= self.table.book.tray
            case cmd.CountCredit(chips=chips):
                return value_of(chips) <= self.table.book.tray
            case cmd.RecountSlip(slip=slip, chips=chips):
                request = self.table.chips.waiting.get(slip)
                fill = request is None or request.kind == "fill"
                return fill or value_of(chips) <= self.table.book.tray
            case cmd.DealCards(cards=cards):
                return set(cards) - {UNSEEN} <= set(names(possible_cards(self.table, by.role)))
            case cmd.ReadCards() | cmd.ShowStreet() | cmd.TurnHand() if command.cards:
                read = recorded_cards(self.table, command)
                seen = {card for card in read if card != UNSEEN}
                possible = names(possible_cards(self.table, by.role))
                if not set(command.cards) <= {*possible, *seen}:
                    return False
                if isinstance(command, cmd.ReadCards) and by.role == "dealer":
                    seen = {card for card in seen if card not in possible}  # only those face up
                # The board is named card by card in order, a hand in any order.
                if isinstance(command, cmd.ShowStreet) or command.place == COMMUNITY:
                    pairs = zip(read, command.cards, strict=False)
                    return all(card not in seen or card == named for card, named in pairs)
                return seen <= {*command.cards}
            case cmd.FindCardFaceUp(card=card) | cmd.CorrectReading(card=card):
                return card in names(possible_cards(self.table, by.role))
        return True

    def correct_something(self) -> None:
        """Correct money or adjust a meter; no step proposes these commands."""
        if self.meters and self.rng.random() < 0.5:
            meter, amount = self.rng.choice(sorted(self.meters)), self.rng.choice((250, "-0.5"))
            command: Command = cmd.AdjustMeter(
                meter=meter,
                amount=amount,
                reason="power cut",
                approval=f"L {len(self.table.corrections.adjusted)}",
                second=CORA,
            )
        else:
            players = sorted(self.table.seats.taken.values())
            accounts = ["tray", "cage", *(f"rack:{player}" for player in players)]
            source, target = self.rng.sample(accounts, 2)
            balance = 50_000 if source == "cage" else int(self.table.book.balance(source))
            house = self.table.house
            unit = 1 if house.game.procedure.credits(house) else house.lowest_chip or 1
            if balance < unit:
                return
            amount = self.rng.randint(1, min(balance, 50_000) // unit) * unit
            command = cmd.Correct(
                source=source,
                target=target,
                amount=amount,
                reason=f"miscounted, {len(self.table.corrections.made)} before",
                second=CORA,
            )
        self.execute(command, MAX)

    def change_house(self, house: House) -> None:
        """Bind the closed table to another House."""
        self.houses[house.digest] = house
        bound = self.table.bound
        assert bound is not None
        self.execute(
            cmd.BindTable(table=bound.table, house=house.digest, service="attended", live=True),
            MAX,
        )
        self.counts["Houses"] += 1

    def execute(self, command: Command, by: Account, before: dict[str, Any] | None = None) -> None:
        """Execute a listed command, which must be accepted, and check the table.

        `before` is the state before steps were listed and invalid commands tried, to check that
        none of that, nor deciding the command, changed the table.
        """
        envelope = Envelope(str(len(self.record) + 1), by, self.at, command)
        try:
            events = self.decide_and_apply(envelope, before or copy_state(self.table))
        except Refusal as refusal:
            raise AssertionError(f"listed but refused: {command} by {by}: {refusal}") from refusal
        self.record.append((codec.encode(envelope), [codec.encode(event) for event in events]))
        self.counts["commands"] += 1
        self.counts["events"] += len(events)
        for event in events:
            self.follow(event)
        self.check()

    def decide_and_apply(self, envelope: Envelope, before: dict[str, Any]) -> tuple[Event, ...]:
        """Decide an envelope, check that this changed nothing, then apply its events."""
        events = self.table.decide(envelope)
        assert before == self.table.state(), f"listing or deciding {envelope} changed the table"
        for event in events:
            self.table.evolve(event)
        return events

    # Checks

    def follow(self, event: Event) -> None:
        """Update the independent model of money, meters and cards."""
        match event:
            case ev.TableOpened():
                self.net_inflow += event.inventory
            case ev.TableClosed():
                assert event.drop >= 0
                self.net_inflow -= event.expected + event.drop
                self.counts["closings"] += 1
            case ev.BoughtIn():
                self.net_inflow += event.cash
            case ev.ChipsAdded() | ev.FillReceived():
                self.net_inflow += event.chips
            case ev.CashedOut() | ev.Left() | ev.LeftDuringRound() | ev.CreditSent() | ev.Tipped():
                self.net_inflow -= event.chips
            case ev.ShiftChanged():
                self.net_inflow -= event.expected - event.inventory
            case ev.UnclaimedPaid():
                self.net_inflow -= event.amount
            case ev.CorrectionMade():
                self.net_inflow += event.amount * (
                    (event.source == "cage") - (event.target == "cage")
                )
            case ev.MeterAdjusted():
                self.meters[event.meter] += Fraction(event.amount)
            case ev.ProgressiveLocked() | ev.PlayerSatOut():
                for meter, amount in event.contributions.items():
                    self.meters[meter] += Fraction(amount)
            case ev.MeterPaid():
                self.meters[event.meter] += Fraction(event.refill) - event.paid
                self.counts["meter awards"] += 1
            case ev.RoundVoided():
                self.meters = {meter: Fraction(value) for meter, value in event.meters.items()}
                self.counts["void rounds"] += 1
            case ev.BettingClosed() if (deck := self.table.decks.in_play()) is not None:
                working = self.table.devices.state.get("shuffler") == "working"
                two = self.table.house.decks == 2 and working
                assert len(self.table.decks.playing()) == 1 + two, "3.A, 3.B"
                assert not two or deck.name != self.table.decks.last, "3.B.4"
            case ev.RoundClosed():
                self.counts["rounds"] += 1
                seen = [card for card in event.discards if card != UNSEEN]
                assert len(set(seen)) == len(seen) and set(seen) <= set(NAMES)
                assert len(event.discards) == 52 - event.stub
                self.counts["rounds with unseen cards"] += UNSEEN in event.discards
        if isinstance(event, COUNTED):
            self.counts[type(event).__name__] += 1

    def check(self) -> None:
        """Check that money is conserved, meters agree, cards are unique and no rack is negative."""
        table, book = self.table, self.table.book
        racks = {account: cents for account, cents in book.balances.items() if is_rack(account)}
        balance = book.tray + book.layout + table.drop + sum(racks.values())
        balance += sum(book.held().values())
        assert balance == self.net_inflow, f"{balance} cents at the table, {self.net_inflow} came"
        assert sum(book.balances.values()) == 0
        assert table.meters == self.meters
        assert table.meters == {meter: book.balance(f"meter:{meter}") for meter in table.meters}
        assert book.tray >= 0, f"the tray is {book.tray}"
        assert all(rack >= 0 for rack in racks.values()), racks
        if table.round is not None:
            dealt = table.round.left_deck
            placed = [card for place in table.round.places() for card in table.round.pile(place)]
            placed += table.round.face_up
            assert Counter(placed) == Counter(dealt)
            seen = [card for card in dealt if card is not None]
            assert len(set(seen)) == len(seen) and set(seen) <= set(DECK)
        assert sum(deck.stage == "loaded" for deck in table.decks.here.values()) <= 1
        assert len(table.decks.usable()) <= table.house.decks

    def audit(self) -> None:
        """Check that the record rebuilds the table and every envelope gives its events again."""
        rebuilt = Table(find_house=self.houses.__getitem__)
        for encoded, encoded_events in self.record:
            envelope = codec.decode_envelope(encoded)
            events = rebuilt.decide(envelope)
            assert encoded_events == [codec.encode(event) for event in events], envelope
            for event in map(codec.decode_event, encoded_events):
                rebuilt.evolve(event)
        assert rebuilt == self.table

    # Complete shifts

    def run(self, acts: int, next_house: House | None = None) -> None:
        """Take this many random actions and close; then again under another House, if given."""
        for _ in range(acts):
            self.act()
        self.close()
        if next_house is not None:
            self.change_house(next_house)
            self.run(acts // 3)
            return
        self.audit()
        self.counts["shifts"] += 1

    def close(self) -> None:
        """Close the table from any state with listed steps alone."""
        if self.is_closed:
            return
        reachability.close(self)
        left = (*self.table.seats.taken.values(), *self.table.decks.here)
        assert not left, f"closed with {left} still at the table"

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed, or was never opened."""
        return not self.table.shift.open and self.table.dealing is None

    def look_ahead(self) -> None:
        """Check that there is no dead end from here."""
        reachability.look_ahead(self)

    def honest_command(self, step: Step) -> Command:
        """Return the command of a step with correct counts, and examples for other fields."""
        values = {name: self.value(step, step.fields[name], 0) for name in step.asks_for()}
        if step.command is cmd.BuyIn:
            values["cash"] = max(1, min(100_000, self.table.book.tray))
        return step.filled(**values)


def value_of(chips: int | dict[str, int]) -> int:
    """Return the value of chips given as a sum or by denomination."""
    return chips if isinstance(chips, int) else pile_value(chips)


def is_rack(account: str) -> bool:
    """Whether an account holds a player's chips."""
    return account.startswith("rack:")

"""A small casino that drives one attended table with random people, faults and clocks.

Everything random comes from one `random.Random`, so a seed replays a shift exactly. After every
command the money, the meters and the cards are checked from outside; at the end the record is
audited: replayed from what was written, and every envelope decided anew.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from croupier.cards import DECK, NAMES, UNSEEN, name, names
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import Account, Command, Envelope, Event, Step, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import codec, fields
from croupier.table.core.fields import pile_value
from tests.support.fast_copy import copy_state
from tests.support.shifts import reachability
from tests.support.shifts.invalid_commands import InvalidCommands
from tests.support.shifts.people import AUD, CAST, MAX, SYSTEM
from tests.support.shifts.random_values import (
    cards_in_deck,
    recorded_cards,
    right_count,
    sample,
    sample_cards,
)

START = 1_767_225_600_000  # 2026-01-01
DISRUPTIVE = {  # listed nearly always; drawn evenly, no round would ever end
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
FORKS = 0.015  # how often a shift looks ahead: some twice in a shift
SELDOM = {"rule_abandoned": 0.3, "pay_unclaimed": 0.2, "switch_dealing": 0.1}  # never due
COUNTED = (
    ev.PayoutDocumented,
    ev.PaidByCheck,
    ev.DeviceFailed,
    ev.IdleSpread,
    ev.AbandonmentRuled,
    ev.ConductRuled,
    ev.DeckPulled,
    ev.CorrectionMade,
    ev.MeterAdjusted,
)


class Shift:
    """One attended table and what the world outside knows about its money and cards."""

    def __init__(self, house: House, rng: Random, table_id: str = "table") -> None:
        self.rng = rng
        self.houses = {house.digest: house}
        self.table = Table(find_house=self.houses.__getitem__)
        self.at = START
        self.record: list[tuple[bytes, list[bytes]]] = []  # each envelope with its events
        self.outside = 0  # what came to the table less what left it
        self.meters = {name: Fraction(meter.initial) for name, meter in house.meters.items()}
        self.counts: Counter[str] = Counter()
        self.give(
            cmd.BindTable(table=table_id, house=house.digest, service="attended", live=True), SYSTEM
        )
        self.wild = InvalidCommands(self.table, CAST, rng)

    # What happens.

    def act(self) -> None:
        """One thing happens: mostly a listed step, sometimes something that may be forbidden."""
        self.at += self.rng.choice((0, 500, 20_000, 20_000, 60_000, 240_000))
        if self.rng.random() < 0.01:
            self.at += self.rng.choice((-3_600_000, 1_800_000, 14_400_000, 28_800_000))
            self.counts["clock jumps"] += 1
        if self.rng.random() < 0.02:
            self.set_right()
        before = copy_state(self.table)
        if self.rng.random() < FORKS:
            self.look_ahead()
        steps = self.table.next_steps(self.at)
        assert steps, "a dead end: nobody may do anything"
        step = self.choose(steps)
        command, by = self.fill(step), self.person(step)
        if self.rng.random() < 0.3:
            self.try_anything(steps, command, by)
        self.give(command, by, before)

    def choose(self, steps: tuple[Step, ...]) -> Step:
        """A due step most of the time, so that shifts get somewhere; faults are rare."""
        due = [step for step in steps if step.due != "may"]
        bets = [step for step in steps if step.kind in ("place_wagers", "sit_down")]
        draw = self.rng.random()
        seldom = [step for step in steps if draw < SELDOM.get(step.kind, 0)]
        if seldom:
            return self.rng.choice(seldom)
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

    def person(self, step: Step) -> Account:
        """Somebody for whom the step is listed."""
        able = [person for person in CAST if step.is_for(person)]
        return self.rng.choice(able) if able else step.actor()

    def fill(self, step: Step, mistakes: float = 0.1) -> Command:
        """The step with random values in what it leaves open; counts mostly come out right."""
        values = {name: self.value(step, form, mistakes) for name, form in step.fields.items()}
        tray = max(1, self.table.book.tray)
        if step.command is cmd.BuyIn:  # whoever changes cash sees what lies in the tray
            values["cash"] = min(values["cash"], tray)
            values["cash"] -= values["cash"] % (self.table.house.lowest_chip or 1)
            values["cash"] = max(values["cash"], self.table.house.lowest_chip or 1)
        command = step.filled(**values)
        return command if self.has(command) else step.filled()

    def value(self, step: Step, form: fields.FieldType, mistakes: float) -> Any:
        """Some value for one open field; cards are those that have not left the deck."""
        match form:
            case fields.CardsField():
                return sample_cards(self.table, step, form, self.rng)
            case fields.CardField():
                return name(self.rng.choice(cards_in_deck(self.table)))
            case fields.CountField() | fields.ChipsField() if self.rng.random() >= mistakes:
                return right_count(self.table, step, self.rng)
        return sample(form, self.rng)

    def try_anything(self, steps: tuple[Step, ...], command: Command, by: Account) -> None:
        """A command that may be wrong is accepted exactly when it is listed."""
        tries = [self.wild.mutated(command, by) for _ in range(3)]
        for wrong, person in (*tries, self.wild.invented()):
            same = self.as_listed(wrong)
            listed = any(step.admits(same, person) for step in steps) and self.has(wrong)
            allowed = self.table.allows(wrong, person, self.at)
            assert listed == allowed, f"{wrong} by {person}: listed {listed}, allowed {allowed}"
            self.counts["accepted variations" if allowed else "refusals"] += 1

    def as_listed(self, command: Command) -> Command:
        """Cards that were read are listed untold; telling them again comes to the same."""
        current = self.table.dealing
        if not isinstance(command, cmd.ShowStreet | cmd.TurnHand) or current is None:
            return command
        lies = isinstance(command, cmd.ShowStreet) or command.place in current.places()
        read = recorded_cards(self.table, command) if lies and command.cards else []
        if UNSEEN not in read and sorted(read) == sorted(command.cards):
            return msgspec.structs.replace(command, cards=())
        return command

    def has(self, command: Command) -> bool:
        """Whether deck and tray hold what a command takes out; no form says what they hold."""
        match command:
            case cmd.BuyIn(cash=amount):
                return amount <= self.table.book.tray
            case cmd.CountCredit(chips=chips):
                return worth_of(chips) <= self.table.book.tray
            case cmd.RecountSlip(slip=slip, chips=chips):
                found = self.table.chips.waiting.get(slip)
                fill = found is None or found.kind == "fill"
                return fill or worth_of(chips) <= self.table.book.tray
            case cmd.DealCards(cards=cards):
                return set(cards) - {UNSEEN} <= set(names(cards_in_deck(self.table)))
            case cmd.ReadCards() | cmd.ShowStreet() | cmd.TurnHand() if command.cards:
                read = recorded_cards(self.table, command)
                left = {
                    *names(cards_in_deck(self.table)),
                    *(card for card in read if card != UNSEEN),
                }
                # A street is told card by card in its order, a hand in any.
                in_order = zip(read, command.cards, strict=False)
                same = all(card in (UNSEEN, told) for card, told in in_order)
                whole = isinstance(command, cmd.ShowStreet) or {*read} - {UNSEEN} <= {
                    *command.cards
                }
                return (
                    set(command.cards) <= left
                    and whole
                    and (same or not isinstance(command, cmd.ShowStreet))
                )
            case cmd.FindCardFaceUp(card=card) | cmd.CorrectReading(card=card):
                return card in names(cards_in_deck(self.table))
        return True

    def set_right(self) -> None:
        """Two people at a desk correct money or a meter; no step at the table proposes that."""
        if self.meters and self.rng.random() < 0.5:
            meter, amount = self.rng.choice(sorted(self.meters)), self.rng.choice((250, "-0.5"))
            right: Command = cmd.AdjustMeter(
                meter=meter,
                amount=amount,
                reason="power cut",
                approval=f"L {len(self.table.corrections.adjusted)}",
                second=AUD,
            )
        else:
            players = sorted(self.table.seats.taken.values())
            accounts = ["tray", "cage", *(f"rack:{player}" for player in players)]
            source, target = self.rng.sample(accounts, 2)
            holds = 50_000 if source == "cage" else int(self.table.book.balance(source))
            if holds < 1:
                return
            amount = self.rng.randint(1, min(holds, 50_000))
            right = cmd.Correct(
                source=source,
                target=target,
                amount=amount,
                reason=f"miscounted, {len(self.table.corrections.made)} before",
                second=AUD,
            )
        self.give(right, MAX)

    def change_house(self, house: House) -> None:
        """A closed table plays under another House from here on."""
        self.houses[house.digest] = house
        bound = self.table.bound
        assert bound is not None
        self.give(
            cmd.BindTable(table=bound.table, house=house.digest, service="attended", live=True),
            MAX,
        )
        self.counts["Houses"] += 1

    def give(self, command: Command, by: Account, before: dict[str, Any] | None = None) -> None:
        """A listed command must be accepted; then everything is checked.

        `before` is how the table was when its steps were listed and wrong commands were tried:
        none of that changed it, and deciding does not either.
        """
        envelope = Envelope(str(len(self.record) + 1), by, self.at, command)
        try:
            events = self.decided(envelope, before or copy_state(self.table))
        except Refusal as refusal:
            raise AssertionError(f"listed but refused: {command} by {by}: {refusal}") from refusal
        self.record.append((codec.encode(envelope), [codec.encode(event) for event in events]))
        self.counts["commands"] += 1
        self.counts["events"] += len(events)
        for event in events:
            self.note(event)
        self.check()

    def decided(self, envelope: Envelope, before: dict[str, Any]) -> tuple[Event, ...]:
        """What becomes of an envelope, and with it of the table; deciding alone does nothing."""
        events = self.table.decide(envelope)
        assert before == self.table.state(), f"listing or deciding {envelope} changed the table"
        for event in events:
            self.table.evolve(event)
        return events

    # What must be true.

    def note(self, event: Event) -> None:
        """Follow the money and the cards from outside."""
        match event:
            case ev.TableOpened():
                self.outside += event.inventory
            case ev.TableClosed():
                assert event.drop >= 0
                self.outside -= event.expected + event.drop
                self.counts["closings"] += 1
            case ev.BoughtIn():
                self.outside += event.cash
            case ev.ChipsAdded() | ev.FillReceived():
                self.outside += event.chips
            case ev.CashedOut() | ev.Left() | ev.LeftDuringRound() | ev.CreditSent() | ev.Tipped():
                self.outside -= event.chips
            case ev.ShiftChanged():
                self.outside -= event.expected - event.inventory
            case ev.UnclaimedPaid():
                self.outside -= event.amount
            case ev.CorrectionMade():
                self.outside += event.amount * ((event.source == "cage") - (event.target == "cage"))
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
            case ev.RoundClosed():
                self.counts["rounds"] += 1
                seen = [card for card in event.discards if card != UNSEEN]
                assert len(set(seen)) == len(seen) and set(seen) <= set(NAMES)
                assert len(event.discards) == 52 - event.stub
                self.counts["rounds with unseen cards"] += UNSEEN in event.discards
        if isinstance(event, COUNTED):
            self.counts[type(event).__name__] += 1

    def check(self) -> None:
        """Money is conserved, meters agree, every card is known, nobody owes chips."""
        table, book = self.table, self.table.book
        racks = {account: cents for account, cents in book.balances.items() if is_rack(account)}
        inside = book.tray + book.layout + table.drop + sum(racks.values())
        inside += sum(book.held().values())
        assert inside == self.outside, f"{inside} cents here, {self.outside} came"
        assert sum(book.balances.values()) == 0
        assert table.meters == self.meters
        assert table.meters == {meter: book.balance(f"meter:{meter}") for meter in table.meters}
        assert book.tray >= 0, f"the tray is {book.tray}"
        assert all(rack >= 0 for rack in racks.values()), racks
        if table.round is not None:
            out = table.round.left_deck
            held = [card for place in table.round.places() for card in table.round.pile(place)]
            held += table.round.face_up
            assert Counter(held) == Counter(out)
            seen = [card for card in out if card is not None]
            assert len(set(seen)) == len(seen) and set(seen) <= set(DECK)
        assert sum(deck.stage == "loaded" for deck in table.decks.here.values()) <= 1
        assert len(table.decks.usable()) <= table.house.decks

    def audit(self) -> None:
        """What was written rebuilds the table, and each envelope leads to its events again."""
        again = Table(find_house=self.houses.__getitem__)
        for written, happened in self.record:
            envelope = codec.decode_envelope(written)
            events = again.decide(envelope)
            assert happened == [codec.encode(event) for event in events], envelope
            for event in map(codec.decode_event, happened):
                again.evolve(event)
        assert again == self.table

    # A whole shift.

    def run(self, acts: int, next_house: House | None = None) -> None:
        """Open, play so many random acts, and close; under another House once more."""
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
        """Whatever state the table is in, listed steps alone lead to its closing."""
        if self.is_closed:
            return
        reachability.close(self)
        left = (*self.table.seats.taken.values(), *self.table.decks.here)
        assert not left, f"closed beside {left}"

    @property
    def is_closed(self) -> bool:
        """Closed, or never opened."""
        return not self.table.shift.open and self.table.dealing is None

    def look_ahead(self) -> None:
        """No dead end from here."""
        reachability.look_ahead(self)

    def honest_command(self, step: Step) -> Command:
        """What is asked for is counted right or dealt; everything else as it is proposed."""
        asked = {field: self.value(step, step.fields[field], 0) for field in step.asks_for()}
        if step.command is cmd.BuyIn:
            asked["cash"] = max(1, min(100_000, self.table.book.tray))
        return step.filled(**asked)


def worth_of(chips: int | dict[str, int]) -> int:
    """What counted chips are worth, told as a sum or by denomination."""
    return chips if isinstance(chips, int) else pile_value(chips)


def is_rack(account: str) -> bool:
    """Whether an account holds a player's chips."""
    return account.startswith("rack:")

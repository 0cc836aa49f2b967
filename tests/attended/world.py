"""A small casino that drives one live table with random people, faults and clocks, and checks it.

Everything random comes from one `random.Random`, so a seed replays a shift exactly.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
from croupier.table.life.register import ACTS

from croupier.cards import DECK, parse_card
from croupier.errors import Refusal
from croupier.games.game import COMMUNITY
from croupier.games.house import House
from croupier.table import Account, Step, Table, forms
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.events import Event
from tests.attended.samples import is_count, sample

NAMES = ("ada", "ben", "cleo", "dan", "eve", "fay", "gus")
CAST = (
    Account("dee", "dealer"),
    Account("dov", "dealer"),
    Account("flo", "floorperson"),
    Account("max", "pit_manager"),
    Account("mia", "pit_manager"),
    Account("dee", "floorperson"),  # somebody who now and then wears another hat
    Account("ada", "dealer"),
    Account("eye", "surveillance"),
    Account("system", "system"),
    *(Account(name, "player") for name in NAMES),
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
WORDS = ("fold", "check", "1x", "2x", "3x", "4x", "", "late", "deck", "deck 2", "red", "blue")


class Shift:
    """One live table and what the world outside knows about its money and cards."""

    def __init__(self, house: House, rng: Random) -> None:
        self.rng = rng
        self.table = Table(house)
        self.at = START
        self.events: list[Event] = []
        self.outside = 0  # what came to the table less what left it
        self.meters = dict(self.table.meters)
        self.counts: Counter[str] = Counter()

    # What happens.

    def act(self) -> None:
        """One thing happens: mostly a listed step, sometimes something that may be forbidden."""
        self.at += self.rng.choice((0, 500, 20_000, 20_000, 60_000, 240_000))
        if self.rng.random() < 0.01:
            self.at += self.rng.choice((-3_600_000, 1_800_000, 14_400_000, 28_800_000))
            self.counts["clock jumps"] += 1
        steps = self.table.next_steps(self.at)
        step = self.choose(steps)
        command, by = self.fill(step), self.person(step)
        if self.rng.random() < 0.3:
            self.try_anything(steps, command, by)
        self.give(command, by, listed=True)

    def choose(self, steps: tuple[Step, ...]) -> Step:
        """A due step most of the time, so that shifts get somewhere; faults are rare."""
        due = [step for step in steps if step.due != "may"]
        bets = [step for step in steps if step.kind in ("place_wagers", "sit_down")]
        draw = self.rng.random()
        rulings = [step for step in steps if step.kind == "rule_abandoned"]
        if rulings and draw < 0.3:
            return rulings[0]
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

    def fill(self, step: Step) -> cmd.Command:
        """The step with random values in what it leaves open."""
        if isinstance(step.command, cmd.DealCards) and self.rng.random() < 0.3:
            return cmd.DealCards(self.royal(step))
        whole = step.fields.get(forms.WHOLE)
        if whole is not None:
            return sample(whole, self.rng)  # type: ignore[no-any-return]
        chosen = {
            name: sample(form, self.rng)
            for name, form in step.fields.items()
            if not is_count(form) or self.rng.random() < 0.1
        }
        return msgspec.structs.replace(step.command, **chosen)

    def royal(self, step: Step) -> tuple[int, ...]:
        """Cards that give one box a royal or nearly: awards, envy, documents, checks."""
        current, form = self.table.dealing, step.fields["cards"]
        assert current is not None and isinstance(form, forms.Cards)
        boxes = current.boxes
        suited = [
            seat
            for seat, box in boxes.items()
            if box.cards and len({c & 3 for c in box.cards}) == 1
        ]
        lucky = self.rng.choice(suited or sorted(boxes))
        suit = boxes[lucky].cards[0] & 3 if suited else self.rng.randrange(4)
        row = [rank * 4 + suit for rank in range(12, -1, -1) if rank * 4 + suit in form.among]
        own = row[:2] if lucky in current.pending else []
        shared = row[len(own) :]
        others = [card for card in sorted(form.among) if card not in row[:8]]
        self.rng.shuffle(others)
        cards: list[int] = []
        for place in current.pending:
            source = {lucky: own, COMMUNITY: shared}.get(place) or others
            cards.append(source.pop(0))
            if cards[-1] in others:
                others.remove(cards[-1])
            elif cards[-1] in shared:
                shared.remove(cards[-1])
        return tuple(cards)

    def try_anything(self, steps: tuple[Step, ...], command: cmd.Command, by: Account) -> None:
        """A command that may be wrong is accepted exactly when it is listed."""
        for _ in range(3):
            wrong, person = self.mutate(command, by)
            listed = any(step.admits(wrong, person) for step in steps)
            before = msgspec.json.encode(self.events[-1:])
            allowed = self.table.allows(wrong, person, self.at)
            assert listed == allowed, f"{wrong} by {person}: listed {listed}, allowed {allowed}"
            assert before == msgspec.json.encode(self.events[-1:])
            self.counts["accepted variations" if allowed else "refusals"] += 1
        wrong, person = self.invent(), self.rng.choice(CAST)
        listed = any(step.admits(wrong, person) for step in steps)
        allowed = self.table.allows(wrong, person, self.at)
        assert listed == allowed, f"{wrong} by {person}: listed {listed}, allowed {allowed}"
        self.counts["accepted inventions" if allowed else "refusals"] += 1

    def mutate(self, command: cmd.Command, by: Account) -> tuple[cmd.Command, Account]:
        """Another person, or another value in one field."""
        fields = command.__struct_fields__
        if not fields or self.rng.random() < 0.4:
            return command, self.rng.choice(CAST)
        name = self.rng.choice(fields)
        return msgspec.structs.replace(command, **{name: self.wild(getattr(command, name))}), by

    def invent(self) -> cmd.Command:
        """Any command of the register with wild values."""
        kind = self.rng.choice(list(ACTS))
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        return kind(**{field.name: self.wild_of(field.type) for field in info.fields})

    def wild_of(self, kind: Any) -> Any:
        """A value of a declared type."""
        match kind:
            case msgspec.inspect.IntType():
                return self.wild(1)
            case msgspec.inspect.BoolType():
                return self.wild(True)
            case msgspec.inspect.StrType():
                return self.wild("")
            case msgspec.inspect.LiteralType():
                return self.rng.choice(kind.values)
            case msgspec.inspect.DictType():
                return self.wild({})
            case msgspec.inspect.UnionType():
                return self.wild_of(self.rng.choice(kind.types))
            case msgspec.inspect.NoneType():
                return None
        return self.wild(())

    def wild(self, value: Any) -> Any:
        """Some value of the same type."""
        rng = self.rng
        match value:
            case bool():
                return rng.choice((True, False))
            case int() | None:
                return rng.choice((-1, 0, 1, 2, 3, 6, 7, 9, 10, 37, 51, 52, 500, 1000, 10**9))
            case str():
                return rng.choice((*WORDS, *NAMES, "shuffler", "shoe", "progressive", "signed"))
            case tuple():
                return tuple(rng.sample(DECK, rng.randrange(4)))
        names = [wager.name for wager in self.table.house.game.wagers]
        amounts = (0, 100, 500, 1000, 1001, 10**7)
        picked = rng.sample(names, rng.randrange(4))
        return {name: rng.choice(amounts) for name in picked}

    def give(self, command: cmd.Command, by: Account, *, listed: bool) -> None:
        """A listed command must be accepted; then everything is checked."""
        try:
            events = self.table.do(command, by, self.at)
        except Refusal as refusal:
            raise AssertionError(f"listed but refused: {command} by {by}: {refusal}") from refusal
        self.events += events
        self.counts["commands"] += 1
        self.counts["events"] += len(events)
        for event in events:
            self.note(event)
        self.check()

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
            case ev.CashedOut() | ev.Left() | ev.LeftDuringRound() | ev.CreditSent():
                self.outside -= event.chips
            case ev.UnclaimedPaid():
                self.outside -= event.amount
            case ev.ProgressiveLocked() | ev.PlayerSatOut():
                for name, amount in event.contributions.items():
                    self.meters[name] += Fraction(amount)
            case ev.MeterPaid():
                self.meters[event.meter] += Fraction(event.refill) - event.paid
                self.counts["meter awards"] += 1
            case ev.RoundVoided():
                self.meters = {name: Fraction(value) for name, value in event.meters.items()}
                self.counts["void rounds"] += 1
            case ev.RoundClosed():
                self.counts["rounds"] += 1
                cards = [parse_card(card) for card in event.discards]
                assert len(set(cards)) == len(cards) == 52 - event.stub
            case ev.PayoutDocumented() | ev.PaidByCheck() | ev.DeviceFailed() | ev.IdleSpread():
                self.counts[type(event).__name__] += 1
            case ev.AbandonmentRuled() | ev.ConductRuled() | ev.DeckPulled():
                self.counts[type(event).__name__] += 1

    def check(self) -> None:
        """Money is conserved, meters agree, every card is known, nobody owes chips."""
        live, life = self.table, self.table.life
        inside = life.tray + live.layout + life.drop
        inside += sum(life.racks.values()) + sum(life.held.values())
        assert inside == self.outside, f"{inside} cents here, {self.outside} came"
        assert live.table.meters == self.meters
        assert life.tray >= 0, f"the tray is {life.tray}"
        assert all(rack >= 0 for rack in life.racks.values()), life.racks
        if live.round is not None:
            out = live.round.left_deck
            assert len(set(out)) == len(out) and set(out) <= set(DECK)
            held = [card for box in live.round.boxes.values() for card in box.cards]
            held += live.round.dealer + live.round.community + live.round.six_card_box
            held += live.round.burned + live.round.face_up
            assert sorted(held) == sorted(out)
        assert sum(deck.stage == "loaded" for deck in life.decks.values()) <= 1
        assert len(life.usable()) <= live.house.decks

    def check_replay(self) -> None:
        """The table rebuilt from its written events equals the live one."""
        text = msgspec.json.encode(self.events)
        events = msgspec.json.decode(text, type=list[ev.AnyEvent])
        assert Table.replay(self.table.submitted, events) == self.table

    # A whole shift.

    def run(self, acts: int) -> None:
        """Open, play so many random acts, and close."""
        for _ in range(acts):
            self.act()
        self.close()
        self.check_replay()
        self.counts["shifts"] += 1

    def close(self) -> None:
        """Whatever state the table is in, listed steps alone lead to its closing."""
        for _ in range(400):
            if not self.table.shift.open and self.table.dealing is None:
                return
            steps = self.table.next_steps(self.at)
            step = min(steps, key=self.towards_closing)
            assert self.towards_closing(step) < 90, [str(step) for step in steps]
            self.give(self.closing_command(step), self.person(step), listed=True)
            self.at += 1000
        raise AssertionError("the table could not be closed")

    def closing_command(self, step: Step) -> cmd.Command:
        """Steps that end things: withdraw everything, count what there is."""
        return step.example()

    def towards_closing(self, step: Step) -> int:
        """How soon a step is taken on the way to the closing."""
        command, live = step.command, self.table
        if isinstance(command, cmd.PlaceWagers):
            form = step.fields["wagers"]
            assert isinstance(form, forms.Stakes)
            return 20 if form.withdraws else 99
        if isinstance(command, cmd.TakePost):
            return 1 if step.due == "due" else 99
        if isinstance(command, cmd.CountInventory):
            return 60 if live.shift.count is None else 99
        if isinstance(command, cmd.Decide):
            return 10 if command.word in ("check", "fold") else 11
        if isinstance(command, cmd.PrepareDeck | cmd.Shuffle | cmd.CutDeck | cmd.LoadDeck):
            return 40 if live.dealing is not None else 99
        if isinstance(command, cmd.ReceiveDeck):  # ordered to be shuffled again, then pulled
            return 41 if live.dealing is not None else 99
        order = {
            cmd.CountProgressive: 5,
            cmd.ResolveProgressive: 5,
            cmd.DealCards: 6,
            cmd.ShowStreet: 7,
            cmd.FindWrongCount: 8,
            cmd.CountStub: 12,
            cmd.DiscardStub: 12,
            cmd.VerifyAward: 13,
            cmd.ValidateAward: 13,
            cmd.PreparePayout: 14,
            cmd.WitnessPayout: 14,
            cmd.NotifySurveillance: 14,
            cmd.Settle: 15,
            cmd.Leave: 30,
            cmd.SignRemoval: 31,
            cmd.ConfirmFill: 32,
            cmd.ConfirmCredit: 32,
            cmd.CloseTable: 50,
            cmd.ClearDevice: 70,
            cmd.CountFill: 80,
        }
        return order.get(type(command), 99)

"""An attended table driven command by command, for tests of single rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from croupier.cards import DECK, names
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table.core.messages import Command, Envelope, Event
from croupier.table.parts.decks.stub import count_due
from croupier.table.parts.devices import Method
from croupier.table.parts.progressive.awards import pending_awards
from croupier.table.parts.round.turn_order import next_showing, turns
from croupier.table.parts.shift import ATTESTATIONS
from tests.support.fast_copy import copy_state
from tests.support.rounds import opening_wagers, refuses

DEE, DOV = Account("dee", "dealer"), Account("dov", "dealer")
FLO, MAX = Account("flo", "floorperson"), Account("max", "pit_manager")
ANN, BOB = Account("ann", "player"), Account("bob", "player")
SYSTEM, EYE = Account("system", "system"), Account("eye", "surveillance")
CAL, SID = Account("cal", "cage"), Account("sid", "security")
READER = Account("shoe 4", "reader")
NOON = 1_893_499_200_000  # 2030-01-01 12:00 UTC
MINUTE, HOUR = 60_000, 3_600_000
CHAPTER_4 = ("offer", "turn", "wash", "stack")
Kind = TypeVar("Kind", bound=Event)


def replayed(house: House, events: Iterable[Event]) -> Table:
    """Return the attended table after these events."""
    return Table.replay(house, events, service="attended", live=True)


class Floor:
    """One table with a dealer, a floorperson and a pit manager."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = Table(house, service="attended", live=True)
        self.at = NOON
        self.events: list[Event] = []
        self.deck: Sequence[int] = DECK

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        """Execute a command; a second passes."""
        self.at += 1000
        events = self.table.do(command, by, self.at)
        self.events += events
        return events

    def refused(
        self, command: Command, by: Account, clause: str, match: str | None = None
    ) -> Refusal:
        """Assert that the command is refused under this clause and changes nothing."""
        self.at += 1000
        before = copy_state(self.table)
        with refuses(clause, match) as caught:
            self.table.decide(Envelope("refused", by, self.at, command))
        assert before == self.table.state()
        return caught.value

    def wait(self, hours: int) -> None:
        """Let hours pass, with a note in each: the clock of a table does not leap."""
        for _ in range(hours):
            self.at += HOUR
            self.do(cmd.NoteConduct("load", "the dealer", "nothing to note"), FLO)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def rack(self, player: str) -> int:
        """Return a player's chips."""
        return self.table.book.rack(player)

    # Opening

    def staff(self) -> Floor:
        """Assign a dealer, a floorperson and a pit manager."""
        for account in (DEE, FLO, MAX):
            self.do(cmd.TakePost(), account)
        return self

    def receive(self, name: str = "one", back: str = "red", **changes: object) -> None:
        """Receive a deck."""
        covers = 1 if self.house.game.key in ("top_five", "run_em_twice") else 2
        values = {"design": "lions", "cover_cards": covers} | changes
        self.do(cmd.ReceiveDeck(deck=name, back=back, **values), DEE)  # type: ignore[arg-type]

    def inspect(self, name: str) -> None:
        """Inspect, verify and spread a deck."""
        self.do(cmd.PrepareDeck(name, "inspect"), DEE)
        self.do(cmd.PrepareDeck(name, "verify"), FLO)
        self.do(cmd.PrepareDeck(name, "spread"), DEE)

    def attest(self) -> None:
        """Attest the equipment, the layout, and what this table needs besides."""
        self.do(cmd.AttestEquipment(), DEE)
        for kind, item in ATTESTATIONS.items():
            if item.duties(self.table):
                self.do(kind(), FLO)

    def switch(self, method: Method) -> None:
        """Change the dealing method, with a manual shoe at its location."""
        self.do(cmd.SwitchDealing(method), FLO)
        if method == "manual_shoe":
            self.do(cmd.AttestShoe(), FLO)

    def open(self, inventory: int = 5_000_000) -> Floor:
        """Open the table: staff, equipment, decks, count."""
        self.staff().attest()
        for name, back in (("one", "red"), ("two", "blue"))[: self.house.decks]:
            self.receive(name, back)
            self.inspect(name)
        self.do(cmd.CountInventory(inventory), DEE)
        self.do(cmd.OpenTable(), FLO)
        return self

    def remove_decks(self) -> None:
        """Pull every deck, with a floorperson's signature."""
        for name, deck in list(self.table.decks.here.items()):
            if deck.stage != "pulled":
                self.do(cmd.PullDeck(name, "the table closes"), DEE)
            self.do(cmd.SignRemoval(name), FLO)

    def reopen(self, inventory: int | dict[str, int], reason: str = "") -> None:
        """Open a closed table again, with new decks; a count that needs a reason is repeated."""
        self.attest()
        for back in ("green", "black")[: self.house.decks]:
            name = f"{back} {len(self.events)}"
            self.receive(name, back)
            self.inspect(name)
        for _ in range(2 if reason else 1):
            self.do(cmd.CountInventory(inventory), DEE)
        self.do(cmd.OpenTable(reason), FLO)

    def seat(self, seat: int = 1, player: Account = ANN, cash: int = 1_000_000) -> None:
        """Seat a player with chips."""
        self.do(cmd.SitDown(seat), player)
        if cash:
            self.do(cmd.BuyIn(seat, cash), DEE)

    def fill(self, slip: str, chips: int | dict[str, int]) -> None:
        """Complete a fill, with every signature."""
        self.request_fill(slip, chips)
        for person in (SID, DEE):
            self.do(cmd.SignSlip(slip), person)
        self.do(cmd.ConfirmFill(slip), FLO)

    def request_fill(self, slip: str, chips: int | dict[str, int]) -> None:
        """Request a fill and count it out."""
        self.do(cmd.RequestFill(slip, chips), FLO)
        self.do(cmd.CountFill(slip, chips), CAL)

    def request_credit(self, slip: str, chips: int | dict[str, int]) -> None:
        """Request a credit and count it out."""
        self.do(cmd.RequestCredit(slip, chips), FLO)
        self.do(cmd.CountCredit(slip, chips), DEE)

    # Cards

    def mix(self, name: str) -> None:
        """Offer, turn, wash and stack a deck."""
        for step in CHAPTER_4:
            self.do(cmd.PrepareDeck(name, step), DEE)  # type: ignore[arg-type]

    def shuffle(self, name: str) -> None:
        """Shuffle by the method of the House, and cut a manual shuffle."""
        manual = self.house.shuffle_method == "manual"
        counting = self.house.shuffle_method == "counting_shuffler"
        self.do(cmd.Shuffle(name, "manual" if manual else "machine", 52 if counting else None), DEE)
        if manual:
            self.do(cmd.CutDeck(name, 20), DEE)

    def load(self, name: str) -> None:
        """Load a deck, unless a loading shuffler has done it already."""
        if self.table.decks.here[name].stage != "loaded":
            hand = "right" if self.table.devices.method == "hand" else ""
            self.do(cmd.LoadDeck(name, hand), DEE)  # type: ignore[arg-type]

    def ready(self, inventory: int = 5_000_000) -> Floor:
        """Open the table with Ann at seat 1, every deck shuffled and deck one loaded."""
        self.open(inventory)
        self.seat()
        for name in list(self.table.decks.here):
            self.mix(name)
            self.shuffle(name)
        if self.table.decks.in_play() is None:
            self.load("one")
        return self

    def again(self) -> None:
        """After a round, shuffle the deck that was used and load the next one."""
        used = self.table.decks.last
        self.shuffle(used)
        others = [name for name in self.table.decks.here if name != used]
        self.load(others[0] if others else used)

    # Round

    def bet(self, seat: int = 1, player: Account = ANN, **more: int) -> None:
        """Place the compulsory wagers, and more."""
        self.do(cmd.PlaceWagers(seat, opening_wagers(self.house, **more)), player)

    def close_bets(self) -> None:
        """Close the betting and count the progressive chips."""
        self.do(cmd.NoMoreBets(), DEE)
        assert self.table.dealing is not None
        count = sum("progressive" in box.stakes for box in self.table.dealing.boxes.values())
        if count:
            self.do(cmd.CountProgressive(count), DEE)

    def deal(self) -> None:
        """Deal the cards that are due, in the order of `deck`."""
        due = self.table.due()
        assert due.kind == "deal" and self.table.dealing is not None
        self.do(cmd.DealCards(tuple(names(self.unseen()[: due.cards]))), DEE)

    def unseen(self) -> list[int]:
        """Return the cards still in the deck, the next one first."""
        assert self.table.dealing is not None
        return [card for card in self.deck if card not in self.table.dealing.left_deck]

    def decide(self, word: str = "") -> None:
        """Decide for the seat to act; check or fold by default."""
        due = self.table.due()
        assert self.table.dealing is not None and self.table.dealing.street is not None
        options = [option.word for option in self.table.dealing.street.options]
        decision = word or ("check" if "check" in options else "fold")
        player = self.table.dealing.boxes[due.seat].player
        self.do(cmd.Decide(due.seat, decision), Account(player, "player"))

    def go_on(self, word: str = "") -> None:
        """Do what is due: deal cards, show a street or decide."""
        match self.table.due().kind:
            case "deal":
                self.deal()
            case "show":
                self.do(cmd.ShowStreet(), DEE)
            case "decide":
                self.decide(word)

    def play_until_settlement(self, words: Sequence[str] = ()) -> None:
        """Deal, show and decide until the settlement is due."""
        decisions = list(words)
        while (due := self.table.due().kind) in ("deal", "show", "decide"):
            self.go_on(decisions.pop(0) if decisions and due == "decide" else "")

    def round(self, words: Sequence[str] = (), **more: int) -> None:
        """Play a complete round with Ann."""
        self.do(cmd.PlaceWagers(1, opening_wagers(self.house, **more)), ANN)
        self.close_bets()
        self.play_until_settlement(words)
        self.stub()
        self.settle()

    def stub(self, count: int | None = None) -> None:
        """Discard the stub, counted if a count is due or given."""
        assert self.table.dealing is not None
        left = 52 - len(self.table.dealing.left_deck)
        if count is None and not count_due(self.table):
            self.do(cmd.DiscardStub(), DEE)
        else:
            self.do(cmd.CountStub(left if count is None else count), DEE)

    def void(self, where: str = "seat 1") -> None:
        """Void the round for a wrong number of cards, after a first deal."""
        assert self.table.dealing is not None
        if not self.table.dealing.left_deck:
            self.deal()
        self.do(cmd.FindWrongNumber(where, "counted again with the players"), FLO)

    def award(self) -> None:
        """Verify and validate every progressive payout."""
        for seat in pending_awards(self.table):
            if seat not in self.table.progressive.awards:
                self.do(cmd.VerifyAward(seat, True), DEE)
            if not self.table.progressive.awards[seat].validated:
                self.do(cmd.ValidateAward(seat), FLO)

    def turn_hands(self) -> None:
        """Turn up the hands that may be turned up now: one by one, up to a seat to settle."""
        current = self.table.dealing
        assert current is not None
        while (showing := next_showing(current)) is not None:
            self.do(cmd.TurnHand(showing.place), DEE)

    def settle(self) -> Sequence[Event]:
        """Turn up and settle one seat after the other; the last one closes the round."""
        current = self.table.dealing
        assert current is not None
        events: list[Event] = []
        while True:
            self.turn_hands()
            self.award()
            due = [turn.seat for turn in turns(current) if turn.by_dealer]
            if len(due) < 2:
                return [*events, *self.do(cmd.Settle(), DEE)]
            events += self.do(cmd.SettleSeat(due[0]), DEE)

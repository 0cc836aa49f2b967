"""An attended table driven by hand, one explicit command after the other, for single rules."""

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
from croupier.table.parts.progressive.awards import pending_awards
from tests.support.fast_copy import copied
from tests.support.rounds import opening, refuses

DEE, DOV = Account("dee", "dealer"), Account("dov", "dealer")
FLO, MAX = Account("flo", "floorperson"), Account("max", "pit_manager")
ANN, BOB = Account("ann", "player"), Account("bob", "player")
SYSTEM, EYE = Account("system", "system"), Account("eye", "surveillance")
CAL, SID = Account("cal", "cage"), Account("sid", "security")
NOON = 1_893_499_200_000  # 2030-01-01 12:00 UTC
MINUTE, HOUR = 60_000, 3_600_000
CHAPTER_4 = ("offer", "turn", "wash", "stack")
Kind = TypeVar("Kind", bound=Event)


def replayed(house: House, events: Iterable[Event]) -> Table:
    """The attended table after these events."""
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
        """Give a command; a second passes."""
        self.at += 1000
        events = self.table.do(command, by, self.at)
        self.events += events
        return events

    def refused(
        self, command: Command, by: Account, clause: str, match: str | None = None
    ) -> Refusal:
        """The command is refused under this clause, and changes nothing."""
        self.at += 1000
        before = copied(self.table)
        with refuses(clause, match) as caught:
            self.table.decide(Envelope("refused", by, self.at, command))
        assert before == self.table.state()
        return caught.value

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def rack(self, player: str) -> int:
        """A player's chips."""
        return self.table.book.rack(player)

    # The opening.

    def staff(self) -> Floor:
        """Three people take their posts."""
        for person in (DEE, FLO, MAX):
            self.do(cmd.TakePost(), person)
        return self

    def receive(self, name: str = "one", back: str = "red", **kind: object) -> None:
        """A deck comes."""
        covers = 1 if self.house.game.key in ("top_five", "run_em_twice") else 2
        given = {"design": "lions", "cover_cards": covers} | kind
        self.do(cmd.ReceiveDeck(deck=name, back=back, **given), DEE)  # type: ignore[arg-type]

    def inspect(self, name: str) -> None:
        """Inspected by one, verified by another, spread."""
        self.do(cmd.PrepareDeck(name, "inspect"), DEE)
        self.do(cmd.PrepareDeck(name, "verify"), FLO)
        self.do(cmd.PrepareDeck(name, "spread"), DEE)

    def open(self, inventory: int = 5_000_000) -> Floor:
        """Staff, equipment, decks, count, opening."""
        self.staff()
        self.do(cmd.AttestEquipment(), DEE)
        for name, back in (("one", "red"), ("two", "blue"))[: self.house.decks]:
            self.receive(name, back)
            self.inspect(name)
        self.do(cmd.CountInventory(inventory), DEE)
        self.do(cmd.OpenTable(), FLO)
        return self

    def reopen(self, inventory: int | dict[str, int], reason: str = "") -> None:
        """A closed table once more, with fresh decks."""
        self.do(cmd.AttestEquipment(), DEE)
        for back in ("green", "black")[: self.house.decks]:
            name = f"{back} {len(self.events)}"
            self.receive(name, back)
            self.inspect(name)
        self.do(cmd.CountInventory(inventory), DEE)
        self.do(cmd.OpenTable(reason), FLO)

    def seat(self, seat: int = 1, player: Account = ANN, cash: int = 1_000_000) -> None:
        """Somebody sits down and buys chips."""
        self.do(cmd.SitDown(seat), player)
        if cash:
            self.do(cmd.BuyIn(seat, cash), DEE)

    def fill(self, slip: str, chips: int | dict[str, int]) -> None:
        """Chips from the cage, with every signature."""
        self.request_fill(slip, chips)
        for person in (SID, DEE):
            self.do(cmd.SignSlip(slip), person)
        self.do(cmd.ConfirmFill(slip), FLO)

    def request_fill(self, slip: str, chips: int | dict[str, int]) -> None:
        """Requested by the floor, counted out by the cashier."""
        self.do(cmd.RequestFill(slip, chips), FLO)
        self.do(cmd.CountFill(slip, chips), CAL)

    def request_credit(self, slip: str, chips: int | dict[str, int]) -> None:
        """Requested by the floor, counted out by the dealer."""
        self.do(cmd.RequestCredit(slip, chips), FLO)
        self.do(cmd.CountCredit(slip, chips), DEE)

    # The cards.

    def mix(self, name: str) -> None:
        """Offered, turned, washed, stacked."""
        for step in CHAPTER_4:
            self.do(cmd.PrepareDeck(name, step), DEE)  # type: ignore[arg-type]

    def shuffle(self, name: str) -> None:
        """By the means the House has, and cut where that is needed."""
        manual = self.house.shuffle_method == "manual"
        counting = self.house.shuffle_method == "counting_shuffler"
        self.do(cmd.Shuffle(name, "manual" if manual else "machine", 52 if counting else None), DEE)
        if manual:
            self.do(cmd.CutDeck(name, 20), DEE)

    def load(self, name: str) -> None:
        """Into the shoe or the right hand; a loading shuffler has done it already."""
        if self.table.decks.here[name].stage != "loaded":
            hand = "right" if self.table.devices.method == "hand" else ""
            self.do(cmd.LoadDeck(name, hand), DEE)  # type: ignore[arg-type]

    def ready(self) -> Floor:
        """Open, Ann at seat 1, every deck shuffled, deck one loaded."""
        self.open()
        self.seat()
        for name in list(self.table.decks.here):
            self.mix(name)
            self.shuffle(name)
        if self.table.decks.in_play() is None:
            self.load("one")
        return self

    def again(self) -> None:
        """After a round: shuffle what was used, load what comes next."""
        used = self.table.decks.last
        self.shuffle(used)
        others = [name for name in self.table.decks.here if name != used]
        self.load(others[0] if others else used)

    # A round.

    def bet(self, seat: int = 1, player: Account = ANN, **more: int) -> None:
        """The compulsory wagers and more."""
        self.do(cmd.PlaceWagers(seat, opening(self.house, **more)), player)

    def close_bets(self) -> None:
        """No more bets; progressive chips are counted."""
        self.do(cmd.NoMoreBets(), DEE)
        assert self.table.dealing is not None
        number = sum("progressive" in box.stakes for box in self.table.dealing.boxes.values())
        if number:
            self.do(cmd.CountProgressive(number), DEE)

    def deal(self) -> None:
        """The cards that are due, in the order of `deck`."""
        due = self.table.due()
        assert due.kind == "deal" and self.table.dealing is not None
        self.do(cmd.DealCards(tuple(names(self.unseen()[: due.cards]))), DEE)

    def unseen(self) -> list[int]:
        """The cards that have not left the deck, the next one first."""
        assert self.table.dealing is not None
        return [card for card in self.deck if card not in self.table.dealing.left_deck]

    def decide(self, word: str = "") -> None:
        """Whoever is asked answers, passively if nothing is said."""
        due = self.table.due()
        assert self.table.dealing is not None and self.table.dealing.street is not None
        options = [option.word for option in self.table.dealing.street.options]
        answer = word or ("check" if "check" in options else "fold")
        player = self.table.dealing.boxes[due.seat].player
        self.do(cmd.Decide(due.seat, answer), Account(player, "player"))

    def go_on(self, word: str = "") -> None:
        """The one thing that is due: cards, a street, an answer."""
        match self.table.due().kind:
            case "deal":
                self.deal()
            case "show":
                self.do(cmd.ShowStreet(), DEE)
            case "decide":
                self.decide(word)

    def play_on(self, words: Sequence[str] = ()) -> None:
        """Deal, show and decide until the settlement is due."""
        left = list(words)
        while (due := self.table.due().kind) in ("deal", "show", "decide"):
            self.go_on(left.pop(0) if left and due == "decide" else "")

    def round(self, words: Sequence[str] = (), **more: int) -> None:
        """A whole round of Ann."""
        self.do(cmd.PlaceWagers(1, opening(self.house, **more)), ANN)
        self.close_bets()
        self.play_on(words)
        self.stub()
        self.settle()

    def stub(self, found: int | None = None) -> None:
        """The stub to the rack, counted if that is due or a number is given."""
        assert self.table.dealing is not None
        left = 52 - len(self.table.dealing.left_deck)
        if found is None and not count_due(self.table):
            self.do(cmd.DiscardStub(), DEE)
        else:
            self.do(cmd.CountStub(left if found is None else found), DEE)

    def void(self, where: str = "seat 1") -> None:
        """A floorperson finds a wrong number of cards; some lie there for that."""
        assert self.table.dealing is not None
        if not self.table.dealing.left_deck:
            self.deal()
        self.do(cmd.FindWrongNumber(where, "counted again with the players"), FLO)

    def award(self) -> None:
        """Every progressive payout verified by the dealer and validated by a floorperson."""
        for seat in pending_awards(self.table):
            if seat not in self.table.progressive.awards:
                self.do(cmd.VerifyAward(seat, True), DEE)
            if not self.table.progressive.awards[seat].validated:
                self.do(cmd.ValidateAward(seat), FLO)

    def settle(self) -> Sequence[Event]:
        """Hands turned up where anything is judged on them, then every stake resolved."""
        current = self.table.dealing
        assert current is not None
        if not current.hands_shown and (current.void is None or current.void.saved):
            self.do(cmd.Showdown(), DEE)
        self.award()
        return self.do(cmd.Settle(), DEE)

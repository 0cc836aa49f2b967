"""A live table driven by hand, one explicit command after the other, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

from croupier.cards import DECK
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import commands as rc
from croupier.table.events import Event
from croupier.table import Table, Account
from croupier.table import commands as lc
from tests.support import opening

DEE, DOV = Account("Dee", "dealer"), Account("Dov", "dealer")
FLO, MAX = Account("Flo", "floorperson"), Account("Max", "pit_manager")
ANN, BOB = Account("Ann", "player"), Account("Bob", "player")
SYSTEM, EYE = Account("system", "system"), Account("eye", "surveillance")
NOON = 1_893_499_200_000  # 2030-01-01 12:00 UTC
MINUTE, HOUR = 60_000, 3_600_000
CHAPTER_4 = ("offer", "turn", "wash", "stack")
Kind = TypeVar("Kind", bound=Event)


class Floor:
    """One table with a dealer, a floorperson and a pit manager."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.live = Table(house)
        self.at = NOON
        self.events: list[Event] = []
        self.deck: Sequence[int] = DECK

    def do(self, command: rc.Command, by: Account) -> Sequence[Event]:
        """Give a command; a second passes."""
        self.at += 1000
        events = self.live.do(command, by, self.at)
        self.events += events
        return events

    def refused(self, command: rc.Command, by: Account, clause: str = "") -> Refusal:
        """The refusal of a command, which changes nothing."""
        before = len(self.events)
        with pytest.raises(Refusal) as caught:
            self.do(command, by)
        assert before == len(self.events)
        if clause:
            assert clause == caught.value.clause
        return caught.value

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def rack(self) -> dict[str, int]:
        """Every player's chips."""
        return self.live.life.racks

    # The opening.

    def staff(self) -> Floor:
        """Three people take their posts."""
        for person in (DEE, FLO, MAX):
            self.do(lc.TakePost(), person)
        return self

    def receive(self, name: str = "one", back: str = "red", **kind: object) -> None:
        """A deck comes."""
        covers = 1 if self.house.game.key in ("top_five", "run_em_twice") else 2
        given = {"design": "lions", "cover_cards": covers} | kind
        self.do(lc.ReceiveDeck(deck=name, back=back, **given), DEE)  # type: ignore[arg-type]

    def inspect(self, name: str) -> None:
        """Inspected by one, verified by another, spread."""
        self.do(lc.PrepareDeck(name, "inspect"), DEE)
        self.do(lc.PrepareDeck(name, "verify"), FLO)
        self.do(lc.PrepareDeck(name, "spread"), DEE)

    def open(self, inventory: int = 5_000_000) -> Floor:
        """Staff, equipment, decks, count, opening."""
        self.staff()
        self.do(lc.AttestEquipment(), DEE)
        for name, back in (("one", "red"), ("two", "blue"))[: self.house.decks]:
            self.receive(name, back)
            self.inspect(name)
        self.do(lc.CountInventory(inventory), DEE)
        self.do(lc.OpenTable(), FLO)
        return self

    def seat(self, seat: int = 1, player: Account = ANN, cash: int = 1_000_000) -> None:
        """Somebody sits down and buys chips."""
        self.do(lc.SitDown(seat), player)
        if cash:
            self.do(lc.BuyIn(seat, cash), DEE)

    # The cards.

    def mix(self, name: str) -> None:
        """Offered, turned, washed, stacked."""
        for step in CHAPTER_4:
            self.do(lc.PrepareDeck(name, step), DEE)  # type: ignore[arg-type]

    def shuffle(self, name: str) -> None:
        """By the means the House has, and cut where that is needed."""
        manual = self.house.shuffle_method == "manual"
        counting = self.house.shuffle_method == "counting_shuffler"
        self.do(lc.Shuffle(name, "manual" if manual else "machine", 52 if counting else None), DEE)
        if manual:
            self.do(lc.CutDeck(name, 20), DEE)

    def load(self, name: str) -> None:
        """Into the shoe or the right hand; a loading shuffler has done it already."""
        if self.live.life.decks[name].stage != "loaded":
            hand = "right" if self.live.life.method == "hand" else ""
            self.do(lc.LoadDeck(name, hand), DEE)  # type: ignore[arg-type]

    def ready(self) -> Floor:
        """Open, Ann at seat 1, every deck shuffled, deck one loaded."""
        self.open()
        self.seat()
        for name in list(self.live.life.decks):
            self.mix(name)
            self.shuffle(name)
        if self.live.life.in_play() is None:
            self.load("one")
        return self

    def again(self) -> None:
        """After a round: shuffle what was used, load what comes next."""
        used = self.live.life.last_deck
        self.shuffle(used)
        others = [name for name in self.live.life.decks if name != used]
        self.load(others[0] if others else used)

    # A round.

    def bet(self, seat: int = 1, player: Account = ANN, **more: int) -> None:
        """The compulsory wagers and more."""
        self.do(rc.PlaceWagers(seat, opening(self.house, **more)), player)

    def close_bets(self) -> None:
        """No more bets; progressive chips are counted."""
        self.do(rc.NoMoreBets(), DEE)
        assert self.live.dealing is not None
        number = sum("progressive" in box.stakes for box in self.live.dealing.boxes.values())
        if number:
            self.do(lc.CountProgressive(number), DEE)

    def deal(self) -> None:
        """The cards that are due, in the order of `deck`."""
        due = self.live.table.due()
        assert due.kind == "deal" and self.live.dealing is not None
        left = [card for card in self.deck if card not in self.live.dealing.left_deck]
        self.do(rc.DealCards(tuple(left[: due.cards])), DEE)

    def decide(self, word: str = "") -> None:
        """Whoever is asked answers, passively if nothing is said."""
        due = self.live.table.due()
        assert self.live.dealing is not None and self.live.dealing.street is not None
        options = [option.word for option in self.live.dealing.street.options]
        answer = word or ("check" if "check" in options else "fold")
        player = self.live.dealing.boxes[due.seat].player
        self.do(rc.Decide(due.seat, answer), Account(player, "player"))

    def play_on(self, words: Sequence[str] = ()) -> None:
        """Deal, show and decide until the settlement is due."""
        left = list(words)
        while True:
            match self.live.table.due().kind:
                case "deal":
                    self.deal()
                case "show":
                    self.do(rc.ShowStreet(), DEE)
                case "decide":
                    self.decide(left.pop(0) if left else "")
                case _:
                    return

    def round(self, words: Sequence[str] = (), **more: int) -> None:
        """A whole round of Ann."""
        self.do(rc.PlaceWagers(1, opening(self.house, **more)), ANN)
        self.close_bets()
        self.play_on(words)
        self.stub()
        self.do(rc.Settle(), DEE)

    def stub(self, found: int | None = None) -> None:
        """The stub to the rack, counted if that is due or a number is given."""
        from croupier.table.decks.stub import count_due

        assert self.live.dealing is not None
        left = 52 - len(self.live.dealing.left_deck)
        if found is None and not count_due(self.live):
            self.do(lc.DiscardStub(), DEE)
        else:
            self.do(lc.CountStub(left if found is None else found), DEE)

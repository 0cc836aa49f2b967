"""Whoever deals: a machine at a practice table, at an attended one the people of the walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.cards import NAMES
from croupier.clock import now_ms
from croupier.games import House
from croupier.money import Cents
from croupier.table import Account, Command, Event, Shoe, Step, Table, count_worth
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.simulated_staff import (
    Clock,
    PlayableTable,
    actor,
    fill_step,
    staff_steps,
)
from croupier.terminal.bot_players_people import DEALER, YOU

# Why a round that a killed session left behind is called off, as the record has it.
KILLED = "the session was killed during the round; its deck is gone and every wager goes back"


def seated(house: House, seat: int, cash: Cents) -> Table:
    """A practice table at which you sit with chips for this cash."""
    table = Table(house, service="practice")
    table.do(cmd.SitDown(seat), YOU)
    table.do(cmd.BuyIn(seat, cash), DEALER)
    return table


class Dealing:
    """One table with whoever serves it. All that happens at the table passes through `do`."""

    def __init__(self, opened: PlayableTable, clock: Clock = now_ms) -> None:
        self.opened = opened
        self.clock = clock
        self.chores: list[Step] = []  # what the house did since somebody last asked

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.opened.table

    @property
    def dealer(self) -> Account:
        """Whoever holds the deck."""
        return Account(self.table.posts.dealer, "dealer") if self.table.attended else DEALER

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        """Carry out a command."""
        return self.opened.do(command, by, self.clock())

    def advance(self, shoe: Shoe) -> Iterator[Event]:
        """Everything that happens up to the next decision, or to the end of the round."""
        while True:
            yield from self.keep_house()
            command = shoe.next_command(self.table.due())
            if command is None:
                return
            if isinstance(command, cmd.Settle):
                yield from self.settle()
                return
            yield from self.do(command, self.dealer)

    def keep_house(self) -> Iterator[Event]:
        """What the house has to do now; nothing where nobody serves the table."""
        while self.table.attended and (steps := staff_steps(self.table, self.clock())):
            self.chores.append(steps[0])
            yield from self.do(fill_step(self.table, steps[0]), actor(steps[0]))

    def settle(self) -> Iterator[Event]:
        """Pay, from a tray that can; a check is cashed at once, so that play goes on with it."""
        if self.table.attended:
            trial = self.table.book.copy()
            for event in self.table.settlement():
                trial.post(event)
            yield from self.fill(-trial.tray)
        settled = self.do(cmd.Settle(), self.dealer)
        yield from settled
        for event in settled:
            if isinstance(event, ev.PaidByCheck):
                home = self.table.seats.seat_of(event.player)
                assert home is not None, f"{event.player} was paid and does not sit here"
                yield from self.do(cmd.AddChips(home, event.amount), self.dealer)

    def buy_in(self, seat: int, cash: Cents) -> None:
        """Chips for the player of a seat."""
        if self.table.attended:
            list(self.fill(cash - self.table.book.tray))
        self.do(cmd.BuyIn(seat, cash), self.dealer)

    def fill(self, short: Cents) -> Iterator[Event]:
        """Chips from the cage where the tray would be short of them."""
        if short > 0:
            slip = f"fill {len(self.table.chips.slips) + 1}"
            yield from self.do(cmd.RequestFill(slip, count_worth(self.table, short)), self.above())
            yield from self.keep_house()  # counted, carried and found as requested

    def wake(self) -> None:
        """Set the clock of a table that was left open for days."""
        steps = staff_steps(self.table, self.clock()) if self.table.attended else ()
        step = next((step for step in steps if step.command is cmd.SetClock), None)
        if step is not None:
            self.do(step.filled(), actor(step))

    def call_off(self, where: str) -> None:
        """Void the round in progress; at an attended table that is for somebody above the dealer.

        A wrong number of cards cannot be found before one is dealt, so that one is.
        """
        command = cmd.FindWrongNumber(where, KILLED)
        if not self.table.attended:
            self.do(command, self.dealer)
            return
        if not self.table.in_progress().left_deck:
            list(self.keep_house())
            self.do(cmd.DealCards((NAMES[0],)), self.dealer)
        self.do(command, self.above())

    def above(self) -> Account:
        """The floorperson of the table."""
        posts = self.table.posts.here.items()
        return Account(next(name for name, role in posts if role == "floorperson"), "floorperson")

    def clear(self) -> None:
        """Undo a round that a killed session left behind, and let everybody get up.

        Its deck is gone, so that every wager goes back; one that only waits to be settled is.
        """
        self.wake()
        current = self.table.open_round
        if current is not None and not current.betting_closed:
            homes = self.table.seats.taken
            for seat in sorted(current.boxes, key=homes.__contains__):  # the own box goes last
                player = Account(current.boxes[seat].player, "player")
                nothing = dict.fromkeys(current.boxes[seat].stakes, 0)
                self.do(cmd.PlaceWagers(seat, nothing), player)
        elif current is not None:
            if current.due().kind != "settle":
                self.call_off(f"seat {min(current.boxes)}")
            list(self.keep_house())
            list(self.settle())
        for seat, name in sorted(self.table.seats.taken.items()):
            self.do(cmd.Leave(seat), Account(name, "player"))

"""Deals a table: an automatic dealer at a practice table, simulated staff at an attended one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.cards import NAMES
from croupier.clock import now_ms
from croupier.games import House
from croupier.money import Cents
from croupier.table import Account, Command, Event, Shoe, Step, Table, count_worth, missing_chips
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.simulated_staff import (
    Clock,
    PlayableTable,
    actor,
    fill_step,
    staff_steps,
)
from croupier.terminal.bot_players import DEALER, YOU

# The recorded reason for voiding a round that an interrupted session left behind.
INTERRUPTED = "the session was interrupted; its deck is lost and all wagers are returned"


def practice_table(house: House, seat: int, cash: Cents) -> Table:
    """A practice table with you seated, with chips for this cash."""
    table = Table(house, service="practice")
    table.do(cmd.SitDown(seat), YOU)
    table.do(cmd.BuyIn(seat, cash), DEALER)
    return table


class TableDealer:
    """Executes all commands at one table, including those of the dealer and the staff."""

    def __init__(self, opened: PlayableTable, clock: Clock = now_ms) -> None:
        self.opened = opened
        self.clock = clock
        self.staff_log: list[Step] = []  # steps of the staff that are not shown yet

    @property
    def table(self) -> Table:
        """The current table."""
        return self.opened.table

    @property
    def dealer(self) -> Account:
        """The account that deals."""
        return Account(self.table.posts.dealer, "dealer") if self.table.attended else DEALER

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        """Execute a command."""
        return self.opened.do(command, by, self.clock())

    def advance(self, shoe: Shoe) -> Iterator[Event]:
        """Deal up to the next decision or the end of the round."""
        while True:
            yield from self.do_staff_steps()
            command = shoe.next_command(self.table.due())
            if command is None:
                return
            if isinstance(command, cmd.Settle):
                yield from self.settle()
                return
            yield from self.do(command, self.dealer)

    def do_staff_steps(self) -> Iterator[Event]:
        """Execute all due steps of the staff; a practice table has none.

        The tray is filled first if it cannot pay the next seat, and checks are cashed at once.
        """
        while self.table.attended:
            steps = staff_steps(self.table, self.clock())
            if not steps:
                shortage = missing_chips(self.table, self.clock())
                if shortage <= 0:
                    return
                self.request_fill(shortage)
                continue
            self.staff_log.append(steps[0])
            events = self.do(fill_step(self.table, steps[0]), actor(steps[0]))
            yield from events
            yield from self.cash_checks(events)

    def settle(self) -> Iterator[Event]:
        """Settle what is left and close the round."""
        settled = self.do(cmd.Settle(), self.dealer)
        yield from settled
        yield from self.cash_checks(settled)

    def cash_checks(self, settled: Sequence[Event]) -> Iterator[Event]:
        """Cash the checks that players were paid with."""
        for event in settled:
            if isinstance(event, ev.PaidByCheck):
                seat = self.table.seats.seat_of(event.player)
                assert seat is not None, f"{event.player} was paid and has no seat"
                yield from self.do(cmd.AddChips(seat, event.amount), self.dealer)

    def buy_in(self, seat: int, cash: Cents) -> None:
        """Sell chips to the player of a seat."""
        shortage = cash - self.table.book.tray
        if self.table.attended and shortage > 0:
            self.request_fill(shortage)
            list(self.do_staff_steps())  # count, carry and verify the fill
        self.do(cmd.BuyIn(seat, cash), self.dealer)

    def request_fill(self, shortage: Cents) -> None:
        """Request a fill from the cage; the next steps of the staff carry it out."""
        slip = f"fill {len(self.table.chips.slips) + 1}"
        chips = count_worth(self.table, shortage)
        self.do(cmd.RequestFill(slip, chips), self.floorperson())

    def set_clock(self) -> None:
        """Set the clock of an attended table that was closed for a long time."""
        steps = staff_steps(self.table, self.clock()) if self.table.attended else ()
        step = next((step for step in steps if step.command is cmd.SetClock), None)
        if step is not None:
            self.do(step.filled(), actor(step))

    def void_round(self, where: str) -> None:
        """Void the round in progress; at an attended table the floorperson does.

        A wrong number of cards can only be found after the first card, so one is dealt if needed.
        """
        command = cmd.FindWrongNumber(where, INTERRUPTED)
        if not self.table.attended:
            self.do(command, self.dealer)
            return
        if not self.table.in_progress().left_deck:
            list(self.do_staff_steps())
            self.do(cmd.DealCards((NAMES[0],)), self.dealer)
        self.do(command, self.floorperson())

    def floorperson(self) -> Account:
        """The floorperson of the table."""
        posts = self.table.posts.here.items()
        return Account(next(name for name, role in posts if role == "floorperson"), "floorperson")

    def clear_table(self) -> None:
        """End a round that an interrupted session left behind, and let all players leave.

        The deck is lost, so bets are returned, unless the round only waits for its settlement.
        """
        self.set_clock()
        current = self.table.open_round
        if current is not None and not current.betting_closed:
            homes = self.table.seats.taken
            for seat in sorted(current.boxes, key=homes.__contains__):  # the player's own box last
                player = Account(current.boxes[seat].player, "player")
                nothing = dict.fromkeys(current.boxes[seat].stakes, 0)
                self.do(cmd.PlaceWagers(seat, nothing), player)
        elif current is not None:
            if current.due().kind != "settle":
                self.void_round(f"seat {min(current.boxes)}")
            list(self.do_staff_steps())
            list(self.settle())
        for seat, name in sorted(self.table.seats.taken.items()):
            self.do(cmd.Leave(seat), Account(name, "player"))

"""Demo staff: take the posts at the attended demo table that no person has taken.

They act only while a player is at the table, so that a player alone is never stuck. A post is a
person's while a console is open in its role.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Sequence

from croupier.cards import Card, names
from croupier.clock import now_ms
from croupier.errors import CroupierError
from croupier.server.tables.host import TableHost
from croupier.table import (
    Account,
    Command,
    Envelope,
    Role,
    Step,
    Table,
    count_worth,
    missing_chips,
    next_dealer_command,
)
from croupier.table import commands as cmd
from croupier.table.drivers.bots import passive_option
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import BUY_IN, fill_step, staff_steps

PAUSE_SECONDS = 0.9  # between two acts, so that a player can follow them
BETTING_MS = 8_000  # from the last bet to "no more bets"
AWAY_MS = 60_000  # until an absent player's decision is made for them

log = logging.getLogger("croupier.server.practice.demo_staff")


def actor(step: Step, accounts: Iterable[Account]) -> Account:
    """The first of these accounts that can take a step; its own actor if it names one."""
    if step.who:
        return step.who[0]
    return next(
        account
        for account in accounts
        if account.role in step.open_to and account.id not in step.except_for
    )


class DemoStaff:
    """Stands in for the staff of one attended table."""

    def __init__(
        self, host: TableHost, staff: Sequence[Account], shuffler: Shuffler | None = None
    ) -> None:
        self.host = host
        self.staff = staff
        self.shuffler = shuffler or Shuffler()
        self._deck: Sequence[Card] = ()
        self._round = 0  # the one that the deck is for
        self._since = (0, now_ms())  # an entry, and when it was first seen

    async def run(self) -> None:
        """Act until cancelled, one command after the other."""
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            await self.act()

    async def act(self) -> None:
        """Execute the next command, if one is due from a post that no person has taken."""
        if self.host.sequence != self._since[0]:
            self._since = (self.host.sequence, now_ms())
        action = self.next_action(self.host.table, now_ms()) if self.has_players() else None
        if action is None:
            return
        command, by = action
        try:
            envelope = Envelope(f"staff-{secrets.token_hex(12)}", by, now_ms(), command)
            await self.host.execute(envelope)
        except CroupierError as error:  # another command came first
            log.info("command failed", extra={"table": self.host.id, "why": str(error)})

    def has_players(self) -> bool:
        """Whether a seated player looks at the table."""
        return any(map(self.host.is_present, self.host.table.seats.taken.values()))

    def is_taken(self, role: Role) -> bool:
        """Whether a person has a console open in a role."""
        return any(each.account.role == role for each in self.host.subscriptions)

    def next_action(self, table: Table, at: int) -> tuple[Command, Account] | None:
        """The next command and who issues it; None if a player or a person has to act."""
        for step in staff_steps(table, at):
            if step.blocked or step.open_to == ("player",):
                continue
            by = actor(step, self.staff)
            if not self.is_taken(by.role):
                return fill_step(table, step), by
        short = missing_chips(table, at)
        if table.dealing is not None:
            command = self._deal(table, at) if not short else None
        else:
            command = self._sell_chips(table) or self._close_betting(table, at)
        if isinstance(command, cmd.BuyIn):
            short = command.cash - table.book.tray
        if short > 0:
            slip = f"fill {len(table.chips.slips) + 1}"
            return self._by("floorperson", cmd.RequestFill(slip, count_worth(table, short)))
        return self._by("dealer", command) if command is not None else None

    def _by(self, role: Role, command: Command) -> tuple[Command, Account] | None:
        """The command by the demo account of a role, unless a person has the post."""
        if self.is_taken(role):
            return None
        return command, next(account for account in self.staff if account.role == role)

    def _deal(self, table: Table, at: int) -> Command | None:
        """The dealer's next command in a round."""
        due, current = table.due(), table.in_progress()
        if due.kind == "decide" and current.street is not None:
            player = current.boxes[due.seat].player
            if player in table.seats.absent:
                return cmd.Decide(due.seat, passive_option(current.street).word)
            if self.host.is_present(player) or at - self._since[1] < AWAY_MS:
                return None
            home = table.seats.seat_of(player)
            return cmd.RecordWalkAway(home) if home is not None else None
        if self._round != current.number:
            self._deck, self._round = self.shuffler.deck().cards, current.number
        dealt = set(names(current.left_deck))
        left = [card for card in self._deck if names((card,))[0] not in dealt]
        return next_dealer_command(due, lambda count: left[:count])

    def _sell_chips(self, table: Table) -> Command | None:
        """Chips for a player who has not bet and can hardly bet the minimum."""
        least = table.house.limits[table.house.game.ante.name].minimum
        for seat, player in sorted(table.seats.taken.items()):
            waits = self.host.is_present(player) and not table.boxes_of(player)
            if waits and table.book.rack(player) < 2 * least:
                return cmd.BuyIn(seat, BUY_IN)
        return None

    def _close_betting(self, table: Table, at: int) -> Command | None:
        """No more bets, some seconds after the last bet."""
        current = table.open_round
        if current is None or not current.boxes or at - self._since[1] < BETTING_MS:
            return None
        return cmd.NoMoreBets()

"""Simulated players and staff around a trainee, and the decks of a lesson.

Everything follows from the lesson's seed, so that any server can continue a lesson.
"""

from __future__ import annotations

import secrets
from random import Random

from croupier.cards import names
from croupier.clock import now_ms
from croupier.server.school.hard_decks import hard_deck, shuffled
from croupier.server.school.school_messages import Lesson, Trouble
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Envelope, Step, Table
from croupier.table import commands as cmd
from croupier.table.drivers.bots import choose_option
from croupier.table.drivers.simulated_staff import ROLE_NAMES, fill_step, opening_steps

PLAYERS = ("pat", "quin")  # at the first and the fourth seat
SEATS = (1, 4)
CASH = 20_000_00
ODD_TIMES = (3, 5, 7, 9)  # the minimum, where payouts are hard
STEPS_MAX = 200  # after one act, or to open the table
TROUBLES: dict[type[Command], str] = {
    cmd.FindCardFaceUp: "The next card in the deck is face up: {card}.",
    cmd.DrawInError: "A card was drawn too early, face down.",
    cmd.ExposeDealerCard: "A card of the dealer's hand was exposed by mistake.",
}


class SimulatedPeople:
    """The simulated people of one lesson."""

    def __init__(self, host: TableHost, lesson: Lesson) -> None:
        self.host = host
        self.lesson = lesson
        self.trainee = Account(lesson.trainee, "dealer")
        self.players = [Account(name, "player") for name in PLAYERS]

    @property
    def table(self) -> Table:
        """The current table."""
        return self.host.table

    @property
    def played(self) -> int:
        """Rounds of the lesson that are complete."""
        current = self.table.round
        unfinished = current is not None and not current.closed
        return self.table.rounds_played - self.lesson.started_with - unfinished

    @property
    def over(self) -> bool:
        """Whether every round is complete and the trainee has nothing left to do."""
        return self.played >= self.lesson.rounds and not self.due()

    def random(self, purpose: str) -> Random:
        """A generator seeded by the lesson and a purpose."""
        return Random(f"{self.lesson.seed} {purpose}")

    # The deck

    def deck(self) -> list[str]:
        """The deck of the round, in dealing order."""
        number = self.table.dealing.number if self.table.dealing is not None else 0
        if self.lesson.hard_payouts:
            return list(hard_deck(self.table.house, f"{self.lesson.seed} deck {number}"))
        return shuffled(f"{self.lesson.seed} deck {number}")

    def shoe(self) -> tuple[str, ...]:
        """The next cards, if cards are due."""
        due, current = self.table.due(), self.table.dealing
        if due.kind != "deal" or current is None:
            return ()
        gone = set(names(current.left_deck))
        left = [card for card in self.deck() if card not in gone]
        return tuple(left[: due.cards])

    # Steps

    def is_trainees(self, step: Step) -> bool:
        """Whether the trainee can take a step."""
        return self.trainee in step.who or (
            "dealer" in step.open_to and self.trainee.id not in step.except_for
        )

    def due(self) -> list[Step]:
        """The steps that are due from the trainee, in order."""
        steps = self.table.next_steps(now_ms())
        due = [step for step in steps if step.due != "may" and self.is_trainees(step)]
        return [step for step in due if not step.blocked]

    def offered(self, kind: type[Command]) -> Step | None:
        """The step of a command, if the trainee can take it now."""
        for step in self.table.next_steps(now_ms()):
            if step.command is kind and self.is_trainees(step) and not step.blocked:
                return step
        return None

    def actor(self, step: Step) -> Account:
        """The account that takes a step."""
        if step.who:
            known = [self.trainee, *self.players]
            return next((account for account in known if account in step.who), step.who[0])
        role = next(role for role in step.open_to if role != "system")
        if role == "dealer":
            return self.trainee
        if role == "player":
            return next(p for p in self.players if p.id not in step.except_for)
        name = f"{ROLE_NAMES[role]} of {self.lesson.id}"
        return Account(name if name not in step.except_for else f"another {name}", role)

    async def do(self, command: Command, by: Account) -> None:
        """Execute a command of any account."""
        envelope = Envelope(f"school-{secrets.token_hex(12)}", by, now_ms(), command)
        await self.host.execute(envelope)

    async def open(self) -> None:
        """Open the table and seat the players; the trainee's steps are done for them."""
        for _ in range(STEPS_MAX):
            steps = opening_steps(self.table, now_ms())
            if not steps:
                break
            await self.do(fill_step(self.table, steps[0], CASH), self.actor(steps[0]))
        for player, seat in zip(self.players, SEATS, strict=True):
            if self.table.seats.seat_of(player.id) is None:
                await self.do(cmd.SitDown(seat), player)
                await self.do(cmd.BuyIn(seat, CASH), self.trainee)

    async def serve(self) -> None:
        """Take all due steps of everyone except the trainee."""
        for _ in range(STEPS_MAX):
            action = self._next_action()
            if action is None:
                return
            await self.do(*action)

    def _next_action(self) -> tuple[Command, Account] | None:
        due = self.table.due()
        current = self.table.dealing
        steps = self.table.next_steps(now_ms())
        if current is not None and due.kind == "decide" and current.street is not None:
            box = current.boxes[due.seat]
            word, _ = choose_option(current, current.street, box)
            return cmd.Decide(due.seat, word), Account(box.player, "player")
        for step in steps:
            if step.due != "may" and not step.blocked and not self.is_trainees(step):
                return fill_step(self.table, step), self.actor(step)
        if current is None and self.played < self.lesson.rounds:
            return self._bet(steps)
        return None

    def _bet(self, steps: tuple[Step, ...]) -> tuple[Command, Account] | None:
        """The wagers of a player who has not bet yet, with random side wagers."""
        for step in steps:
            player = next((p for p in self.players if p in step.who), None)
            if step.kind != "place_wagers" or step.blocked or player is None:
                continue
            if self.table.boxes_of(player.id):
                continue
            chance = self.random(f"bet {self.table.rounds_played} {player.id}")
            stakes = dict(step.fields["wagers"].example())
            house = self.table.house
            hard = self.lesson.hard_payouts
            if hard:
                times = chance.choice(ODD_TIMES)
                stakes = {name: stake * times for name, stake in stakes.items()}
            for wager in house.game.wagers:
                if wager.role != "optional" or not house.offers(wager.name):
                    continue
                if hard or chance.random() < 0.4:
                    times = chance.choice(ODD_TIMES) if hard else 1
                    limits = house.limits[wager.name]
                    highest = limits.maximum or limits.minimum * times
                    stakes[wager.name] = min(limits.minimum * times, highest)
            if house.progressive is not None and house.offers("progressive"):
                stakes["progressive"] = house.progressive.stake
            command = cmd.PlaceWagers(step.fixed["seat"], stakes)
            if not self.table.allows(command, player, now_ms()):
                command = cmd.PlaceWagers(step.fixed["seat"], dict(step.fields["wagers"].example()))
            return command, player
        return None

    # Irregularities

    def trouble(self) -> Trouble | None:
        """A staged irregularity, in about every other round, or None."""
        current = self.table.dealing
        if not self.lesson.irregular or current is None or self.lesson.troubled == current.number:
            return None
        chance = self.random(f"trouble {current.number}")
        kind = chance.choice([*TROUBLES, None]) if current.number % 2 == 0 else None
        if kind is None:
            return None
        step = self.offered(kind)
        if step is None:
            return None
        card = self.shoe()[0] if kind is cmd.FindCardFaceUp else ""
        text = TROUBLES[kind].format(card=card)
        return Trouble(kind=step.kind, said=text, clause=step.clauses[0], card=card)

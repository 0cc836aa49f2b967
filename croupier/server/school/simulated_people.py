"""The people around a trainee: colleagues and players who do their part, and the deck.

Everything follows from the lesson's seed, so a lesson goes on at whatever server has its table.
"""

from __future__ import annotations

import secrets
from random import Random

from croupier.cards import DECK, names
from croupier.clock import now_ms
from croupier.server.school.school_messages import Lesson, Trouble
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Envelope, Step, Table
from croupier.table import commands as cmd
from croupier.table.drivers.bots import choose_option
from croupier.table.drivers.simulated_staff import ROLE_NAMES, fill_step, opening_steps

PLAYERS = ("pat", "quin")  # at the first and the fourth seat
SEATS = (1, 4)
CASH = 20_000_00
MOST_STEPS = 200  # of one turn, or of an opening
TROUBLES: dict[type[Command], str] = {
    cmd.FindCardFaceUp: "The next card in the deck lies face up: {card}.",
    cmd.DrawInError: "A card has come out of the deck too early, its face unseen.",
    cmd.ExposeDealerCard: "A card of the dealer's hand was turned over by mistake.",
}


class SimulatedPeople:
    """One lesson at its table."""

    def __init__(self, desk: TableHost, lesson: Lesson) -> None:
        self.desk = desk
        self.lesson = lesson
        self.trainee = Account(lesson.trainee, "dealer")
        self.players = [Account(name, "player") for name in PLAYERS]

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.desk.table

    @property
    def played(self) -> int:
        """Rounds that are over."""
        current = self.table.round
        unfinished = current is not None and not current.closed
        return self.table.rounds_played - self.lesson.started_with - unfinished

    @property
    def over(self) -> bool:
        """Whether every round of the lesson is dealt, and nothing of it is left to do."""
        return self.played >= self.lesson.rounds and not self.due()

    def random(self, what: str) -> Random:
        """Chance that is the same whenever it is asked for."""
        return Random(f"{self.lesson.seed} {what}")

    # The deck

    def deck(self) -> list[str]:
        """The deck of the round, in the order in which it leaves the shoe."""
        number = self.table.dealing.number if self.table.dealing is not None else 0
        found = list(names(DECK))
        self.random(f"deck {number}").shuffle(found)
        return found

    def shoe(self) -> tuple[str, ...]:
        """The cards that leave it next, if cards are due."""
        due, current = self.table.due(), self.table.dealing
        if due.kind != "deal" or current is None:
            return ()
        gone = set(names(current.left_deck))
        left = [card for card in self.deck() if card not in gone]
        return tuple(left[: due.cards])

    # Who does what

    def mine(self, step: Step) -> bool:
        """Whether the trainee may take a step."""
        return self.trainee in step.who or (
            "dealer" in step.open_to and self.trainee.id not in step.except_for
        )

    def due(self) -> list[Step]:
        """What is due to the trainee, the first thing first."""
        steps = self.table.next_steps(now_ms())
        due = [step for step in steps if step.due != "may" and self.mine(step)]
        return [step for step in due if not step.blocked]

    def offered(self, kind: type[Command]) -> Step | None:
        """A step that the trainee may take now."""
        for step in self.table.next_steps(now_ms()):
            if step.command is kind and self.mine(step) and not step.blocked:
                return step
        return None

    def actor(self, step: Step) -> Account:
        """Whoever of the lesson takes a step."""
        if step.who:
            known = [self.trainee, *self.players]
            return next((one for one in known if one in step.who), step.who[0])
        role = next(role for role in step.open_to if role != "system")
        if role == "dealer":
            return self.trainee
        if role == "player":
            return next(one for one in self.players if one.id not in step.except_for)
        name = f"{ROLE_NAMES[role]} of {self.lesson.id}"
        return Account(name if name not in step.except_for else f"another {name}", role)

    async def do(self, command: Command, by: Account) -> None:
        """One act of somebody."""
        envelope = Envelope(f"school-{secrets.token_hex(12)}", by, now_ms(), command)
        await self.desk.execute(envelope)

    async def open(self) -> None:
        """Everything up to the first round; the trainee's part of it is done for them."""
        for _ in range(MOST_STEPS):
            steps = opening_steps(self.table, now_ms())
            if not steps:
                break
            await self.do(fill_step(self.table, steps[0], CASH), self.actor(steps[0]))
        for player, seat in zip(self.players, SEATS, strict=True):
            if self.table.seats.seat_of(player.id) is None:
                await self.do(cmd.SitDown(seat), player)
                await self.do(cmd.BuyIn(seat, CASH), self.trainee)

    async def serve(self) -> None:
        """Whatever others than the trainee have to do now."""
        for _ in range(MOST_STEPS):
            found = self._others()
            if found is None:
                return
            await self.do(*found)

    def _others(self) -> tuple[Command, Account] | None:
        due = self.table.due()
        current = self.table.dealing
        steps = self.table.next_steps(now_ms())
        if current is not None and due.kind == "decide" and current.street is not None:
            box = current.boxes[due.seat]
            word, _ = choose_option(current, current.street, box)
            return cmd.Decide(due.seat, word), Account(box.player, "player")
        for step in steps:
            if step.due != "may" and not step.blocked and not self.mine(step):
                return fill_step(self.table, step), self.actor(step)
        if current is None and self.played < self.lesson.rounds:
            return self._bet(steps)
        return None

    def _bet(self, steps: tuple[Step, ...]) -> tuple[Command, Account] | None:
        """A player who has not bet yet lays wagers down, side wagers as it comes."""
        for step in steps:
            player = next((one for one in self.players if one in step.who), None)
            if step.kind != "place_wagers" or step.blocked or player is None:
                continue
            if self.table.boxes_of(player.id):
                continue
            chance = self.random(f"bet {self.table.rounds_played} {player.id}")
            stakes = dict(step.fields["wagers"].example())
            house = self.table.house
            for wager in house.game.wagers:
                if wager.role == "optional" and house.offers(wager.name) and chance.random() < 0.4:
                    stakes[wager.name] = house.limits[wager.name].minimum
            if house.progressive is not None and house.offers("progressive"):
                stakes["progressive"] = house.progressive.stake
            given = cmd.PlaceWagers(step.fixed["seat"], stakes)
            if not self.table.allows(given, player, now_ms()):
                given = cmd.PlaceWagers(step.fixed["seat"], dict(step.fields["wagers"].example()))
            return given, player
        return None

    # Irregularities

    def trouble(self) -> Trouble | None:
        """An irregularity that happens now, or none: one in every second round or so."""
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
        said = TROUBLES[kind].format(card=card)
        return Trouble(kind=step.kind, said=said, clause=step.clauses[0], card=card)

"""Non-interference where a round goes wrong, where nobody reads the cards, and in refusals.

The same watch as in `test_secrecy`: at some moment an irregularity is declared, in every second
round the cards leave the deck unseen, and after every command people try what they may not do yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from croupier.cards import names, require_seen
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from croupier.table.core.messages import Command, Event
from croupier.table.parts.round.showdown import to_turn
from tests.properties.test_secrecy import Watched, check_one, some_house
from tests.support.attended_table import ANN, BOB, DEE, EYE, FLO
from tests.support.rounds import EVERY_GAME, house
from tests.table.parts import test_card_reading
from tests.table.parts.test_card_reading import Blind

WHY = "seen by the floor"
FACE_UP = cmd.FindCardFaceUp("??")  # whichever card comes next
IRREGULAR: tuple[tuple[Command, Account], ...] = (
    (FACE_UP, DEE),
    (cmd.ExposeDealerCard(WHY), FLO),
    (cmd.ExposeCommunityCard(WHY), FLO),
    (cmd.ExposePlayerCard(2, WHY), FLO),
    (cmd.FindWrongNumber("seat 5", WHY), FLO),
    (cmd.SkipPlayer(5, WHY), FLO),
    (cmd.JamShoe(WHY), FLO),
    (cmd.JamShuffler(WHY), FLO),
    (cmd.DrawInError(WHY), DEE),
)
# What people try after every command; none of it tells a card.
TRIES: dict[Account, tuple[Command, ...]] = {
    DEE: (
        cmd.Showdown(),
        cmd.TurnHand("dealer"),
        cmd.SettleSeat(5),
        cmd.Settle(),
        cmd.VerifyAward(2, True),
        cmd.ExposeDealerCard(),
        cmd.FindWrongNumber("seat 2"),
    ),
    FLO: (
        cmd.ValidateAward(2),
        cmd.ExposeCommunityCard(WHY),
        cmd.ExposePlayerCard(2, WHY),
    ),
    ANN: (cmd.Decide(2, "fold"), cmd.Decide(2, "check"), cmd.Leave(2)),
    BOB: (cmd.Decide(5, "fold"), cmd.Decide(2, "1x")),
}


class Strange(Watched, Blind):
    """A watched floor on which one thing goes wrong at some command."""

    def __init__(
        self, rules: House, deck: Sequence[int], *, unseen: bool, wrong: int, moment: int
    ) -> None:
        Watched.__init__(self, rules, deck)
        self.is_blind, self.moment = unseen, moment
        self.turn_of_events = (*IRREGULAR[wrong:], *IRREGULAR[:wrong])
        self.commands = 0
        self.declared: Command | None = None

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        events = super().do(command, by)
        self.commands += self.watching
        if self.commands >= self.moment and self.declared is None and self.table.dealing:
            self.declare()
        return events

    def declare(self) -> None:
        """The first irregularity that can be, if any."""
        for command, by in self.turn_of_events:
            if command == FACE_UP:
                if self.table.due().kind != "deal":
                    continue
                command = cmd.FindCardFaceUp(names([self.next_card()])[0])
            if self.table.allows(command, by, self.at):
                self.declared = command
                self.drawn += isinstance(command, cmd.FindCardFaceUp)
                self.do(command, by)
                return

    def next_card(self) -> int:
        """The one on top of the deck, read or not."""
        return self.deck[self.drawn] if self.is_blind else self.unseen()[0]

    def channels(self, account: Account, events: Sequence[Event]) -> bytes:
        """And what somebody is told who tries too much."""
        answers = [self.answer_to(command, account) for command in TRIES.get(account, ())]
        return super().channels(account, events) + msgspec.json.encode(answers)

    def answer_to(self, command: Command, by: Account) -> str:
        """The refusal as it is read."""
        try:
            self.table.decide(Envelope("try", by, self.at, command))
        except Refusal as refusal:
            return str(refusal)
        return "accepted"

    def deal(self) -> None:
        (Blind if self.is_blind else Watched).deal(self)

    def show(self) -> None:
        if self.is_blind:
            Blind.go_on(self)
        else:
            Watched.show(self)

    def turn(self) -> None:
        """The next hand, told where nobody has read it."""
        if self.is_blind:
            Blind.turn(self)
        else:
            assert self.table.dealing is not None
            self.do(cmd.TurnHand(to_turn(self.table.dealing)[0]), DEE)

    def finish(self) -> None:
        """Whatever the round still needs, void or not."""
        test_card_reading.finish(self, seat_by_seat=True)


class Stories:
    """Floors on which the same thing goes wrong at the same moment."""

    def __init__(self, rng: Random, wrong: int) -> None:
        self.unseen, self.wrong, self.moment = rng.random() < 0.5, wrong, rng.randrange(3, 7)
        # One who is asked and one who looks on; the whole round of both is watched.
        self.viewers = (rng.choice((DEE, FLO)), rng.choice((ANN, BOB, EYE)))
        self.told: list[Strange] = []

    def __call__(self, rules: House, deck: Sequence[int]) -> Strange:
        floor = Strange(rules, deck, unseen=self.unseen, wrong=self.wrong, moment=self.moment)
        floor.viewers = self.viewers
        self.told.append(floor)
        return floor


@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_learns_more_when_a_round_goes_wrong(game: str) -> None:
    """All channels and refusals, all viewers, every irregularity in some game."""
    first = 2 * EVERY_GAME.index(game)
    for wrong in (first, (first + 1) % len(IRREGULAR)):
        rng = Random(f"{game} {wrong}")
        stories = Stories(rng, wrong)
        assert check_one(some_house(game, rng), rng, stories) > 5
        assert all(floor.declared == stories.told[0].declared for floor in stories.told)
        assert stories.told[0].declared is not None


def test_a_refusal_that_tells_a_card_is_noticed() -> None:
    """The refusals are part of what is compared."""

    class Whispering(Strange):
        def answer_to(self, command: Command, by: Account) -> str:
            current = self.table.round
            hidden = current.dealer[:1] if current is not None and by == DEE else []
            return super().answer_to(command, by) + "".join(names(require_seen(hidden)))

    def whispering(rules: House, deck: Sequence[int]) -> Watched:
        floor = Whispering(rules, deck, unseen=False, wrong=0, moment=99)
        floor.viewers = (DEE,)
        return floor

    rng = Random(0)  # compares a moment between the deal and the showdown
    with pytest.raises(AssertionError, match="dealer dee"):
        check_one(house("ultimate_texas_holdem"), rng, whispering)

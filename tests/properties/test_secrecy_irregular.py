"""Non-interference after irregularities, with unread cards, and in refusals.

Extends `test_secrecy`: an irregularity is declared at some moment, every second round is dealt
unread, and after every command the viewers try commands, which must be refused or accepted without
regard to cards face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from croupier.cards import DECK, names, require_seen
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from croupier.table.core.messages import Command, Event
from tests.properties.test_secrecy import Watched, check_one, some_house
from tests.support.attended_table import ANN, BOB, DEE, EYE, FLO
from tests.support.rounds import EVERY_GAME, house
from tests.table.parts.round import test_card_reading
from tests.table.parts.round.test_card_reading import Blind

WHY = "seen by the floor"
FACE_UP = cmd.FindCardFaceUp("??")  # replaced by the next card
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
# Commands tried after every command. Those that name cards say what lies face down, if their
# refusal depends on it.
SOME_CARDS = names(DECK[::4])
TRIES: dict[Account, tuple[Command, ...]] = {
    DEE: (
        cmd.Showdown(),
        cmd.TurnHand("dealer"),
        cmd.SettleSeat(5),
        cmd.Settle(),
        cmd.VerifyAward(2, True),
        cmd.ExposeDealerCard(),
        cmd.FindWrongNumber("seat 2"),
        cmd.ShowStreet(("2c", "2c", "2d")),
        cmd.TurnHand("dealer", ("2c", "2c")),
        *(cmd.DealCards((card,)) for card in SOME_CARDS),
        *(cmd.FindCardFaceUp(card) for card in SOME_CARDS),
        *(cmd.ReadCards(2, (card, "2c")) for card in SOME_CARDS),
        *(cmd.CorrectReading(5, 0, card) for card in SOME_CARDS),
        *(cmd.CorrectReading("community", 0, card) for card in SOME_CARDS),
    ),
    FLO: (
        cmd.ValidateAward(2),
        cmd.ExposeCommunityCard(WHY),
        cmd.ExposePlayerCard(2, WHY),
        *(cmd.CorrectReading(2, 0, card, WHY) for card in SOME_CARDS),
        *(cmd.CorrectReading("community", 0, card, WHY) for card in SOME_CARDS),
    ),
    ANN: (cmd.Decide(2, "fold"), cmd.Decide(2, "check"), cmd.Leave(2)),
    BOB: (cmd.Decide(5, "fold"), cmd.Decide(2, "1x")),
}


class IrregularFloor(Watched, Blind):
    """A watched floor with one irregularity after some command."""

    def __init__(
        self, rules: House, deck: Sequence[int], *, unseen: bool, wrong: int, moment: int
    ) -> None:
        Watched.__init__(self, rules, deck)
        self.is_blind, self.moment = unseen, moment
        self.irregularities = (*IRREGULAR[wrong:], *IRREGULAR[:wrong])
        self.commands = 0
        self.declared: Command | None = None

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        events = super().do(command, by)
        self.commands += self.watching
        if self.commands >= self.moment and self.declared is None and self.table.dealing:
            self.declare()
        return events

    def declare(self) -> None:
        """Declare the first irregularity that is allowed now, if any."""
        for command, by in self.irregularities:
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
        """The next card of the deck."""
        return self.deck[self.drawn] if self.is_blind else self.unseen()[0]

    def channels(self, account: Account, events: Sequence[Event]) -> bytes:
        """The output of all channels, plus the refusals of the tried commands."""
        answers = [self.answer_to(command, account) for command in TRIES.get(account, ())]
        return super().channels(account, events) + msgspec.json.encode(answers)

    def answer_to(self, command: Command, by: Account) -> str:
        """The refusal text of a command, or "accepted"."""
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

    def turn_hands(self) -> None:
        """Turn up the hands that may be turned up now, naming their cards if they are unread."""
        (Blind if self.is_blind else Watched).turn_hands(self)

    def finish(self) -> None:
        """Finish the round, void or not."""
        test_card_reading.finish(self, seat_by_seat=True)


class FloorFactory:
    """Creates floors with the same irregularity at the same moment."""

    def __init__(self, rng: Random, wrong: int) -> None:
        self.unseen, self.wrong, self.moment = rng.random() < 0.5, wrong, rng.randrange(3, 7)
        # One acting and one watching viewer; the whole round is recorded for both.
        self.viewers = (rng.choice((DEE, FLO)), rng.choice((ANN, BOB, EYE)))
        self.floors: list[IrregularFloor] = []

    def __call__(self, rules: House, deck: Sequence[int]) -> IrregularFloor:
        floor = IrregularFloor(
            rules, deck, unseen=self.unseen, wrong=self.wrong, moment=self.moment
        )
        floor.viewers = self.viewers
        self.floors.append(floor)
        return floor


@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_learns_more_when_a_round_goes_wrong(game: str) -> None:
    """No output or refusal discloses a card after an irregularity."""
    first = 2 * EVERY_GAME.index(game)
    for wrong in (first, (first + 1) % len(IRREGULAR)):
        rng = Random(f"{game} {wrong}")
        factory = FloorFactory(rng, wrong)
        assert check_one(some_house(game, rng), rng, factory) > 5
        assert all(floor.declared == factory.floors[0].declared for floor in factory.floors)
        assert factory.floors[0].declared is not None


def test_a_refusal_that_tells_a_card_is_noticed() -> None:
    """A card leaked in a refusal is detected."""

    class Whispering(IrregularFloor):
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

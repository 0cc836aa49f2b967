"""Rounds as lists of commands, from two decks that agree in what somebody may see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from croupier.cards import DECK, Card, names
from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import Account, Command, Event, Step, Table
from croupier.table import commands as cmd
from croupier.table.core.snapshots import from_snapshot
from tests.support import attended_table as by_hand
from tests.support.attended_table import ANN, BOB, CAL, DEE, EYE, FLO, MAX, SID
from tests.support.rounds import house
from tests.table.parts.test_card_reading import Blind, answers, finish, open_steps

READER, AUD = Account("shoe", "reader"), Account("aud", "audit")
STRANGER = Account("guest", "player")  # who looks on
VIEWERS = (ANN, BOB, DEE, FLO, MAX, EYE, AUD, CAL, SID, READER, STRANGER)
IRREGULAR = (
    "find_wrong_number",
    "expose_dealer_card",
    "expose_community_card",
    "expose_player_card",
    "skip_player",
    "draw_in_error",
    "jam_shoe",
    "read_cards",
)


class ScriptedCommand(msgspec.Struct):
    """A command of a round, and what every viewer may see of the cards once it is carried out."""

    command: Command
    by: Account
    may_see: dict[Account, frozenset[Card]]


@cache
def ready_snapshot(game: str) -> str:
    """A table that is ready for a round of two players, as a snapshot."""
    made = by_hand.Floor(house(game))
    made.at = now_ms() - 3_600_000
    made.ready()
    made.seat(2, BOB)
    return made.table.to_snapshot()


def restored_table(game: str, name: str) -> Table:
    """The same table under another name."""
    rules = house(game)
    text = ready_snapshot(game)
    found = Table(find_house={rules.digest: rules}.__getitem__)
    bound = f'"table":{msgspec.json.encode(name).decode()}'
    from_snapshot(found, re.sub(r'"table":"[^"]*"', bound, text, count=1))
    return found


class ScriptFinished(Exception):
    """No more of a round is wanted."""


class Script:
    """The commands of one round from one deck; the same answers whatever the cards are."""

    def __init__(
        self, game: str, deck: Sequence[Card], blind: bool, seed: str, most: int = 1_000
    ) -> None:
        """Played to its end, or until there are `most` of them."""
        self.rng = Random(seed)
        self.told: list[ScriptedCommand] = []
        self.floor = Blind(house(game), deck) if blind else by_hand.Floor(house(game))
        self.floor.deck = deck
        self.floor.table = restored_table(game, "table")
        self.floor.at = now_ms()
        plain = self.floor.do

        def do(command: Command, by: Account) -> Sequence[Event]:
            events = plain(command, by)
            self.told.append(ScriptedCommand(command, by, self._may_see()))
            if len(self.told) >= most:
                raise ScriptFinished
            return events

        self.floor.do = do  # type: ignore[method-assign]
        self._play(answers(house(game), self.rng.randrange(1_000)))

    def _may_see(self) -> dict[Account, frozenset[Card]]:
        current = self.floor.table.round
        if current is None:
            return dict.fromkeys(VIEWERS, frozenset())
        found = {}
        for viewer in VIEWERS:
            own = [
                card
                for box in current.boxes.values()
                if viewer.role == "player" and box.player == viewer.id
                for card in box.cards
                if card is not None
            ]
            found[viewer] = frozenset((*current.exposed, *own))
        return found

    def _play(self, words: list[str]) -> None:
        floor, goes_wrong = self.floor, self.rng.choice((0, self.rng.randrange(4, 20)))
        sides = self.rng.random() < 0.7
        rules: House = floor.house
        more = {
            wager.name: rules.progressive.stake
            if wager.role == "progressive" and rules.progressive
            else 500
            for wager in rules.game.wagers
            if sides and wager.role in ("optional", "progressive") and rules.offers(wager.name)
        }
        try:
            floor.bet(1, ANN, **more)
            floor.bet(2, BOB, **more)
            floor.close_bets()
            while (due := floor.table.due()).kind in ("deal", "show", "decide"):
                if goes_wrong == len(self.told):
                    self._go_wrong()
                elif due.kind != "decide":
                    floor.go_on()
                else:
                    self._decide(words.pop(0))
            finish(floor, seat_by_seat=self.rng.random() < 0.5)
        except ScriptFinished:
            return
        except (Refusal, AssertionError, IndexError, StopIteration):
            return  # after an irregularity a round may end in other ways: it is told so far

    def _decide(self, kind: str) -> None:
        options = self.floor.table.options()
        bets = [option.word for option in options if option.wager]
        rest = [option.word for option in options if not option.wager]
        self.floor.decide(bets[0] if kind == "bet" else kind if kind in rest else rest[0])

    def _go_wrong(self) -> None:
        """Something that can be found now, in the same way from every deck."""
        steps = open_steps(self.floor, IRREGULAR)
        kinds = sorted({step.kind for step in steps})
        chosen = self.rng.choice(kinds) if kinds else ""
        for step in steps:
            if step.kind == chosen:
                self.floor.do(self._filled(step), step.actor())
                return
        self.floor.go_on()

    def _filled(self, step: Step) -> Command:
        given: dict[str, Any] = {}
        if step.command is cmd.ReadCards and isinstance(self.floor, Blind):
            given["cards"] = tuple(names(self.floor.lies[step.fixed["place"]]))
        return step.filled(**given)


def reshuffle_hidden(deck: Sequence[Card], seen: frozenset[Card], rng: Random) -> list[Card]:
    """Another deck that agrees in what was seen."""
    hidden = [card for card in deck if card not in seen]
    rng.shuffle(hidden)
    others = iter(hidden)
    return [card if card in seen else next(others) for card in deck]


class Pair(msgspec.Struct):
    """Two rounds that one viewer may not tell apart."""

    game: str
    viewer: Account
    blind: bool
    first: list[ScriptedCommand]
    second: list[ScriptedCommand]


def make_pair(game: str, seed: str) -> Pair:
    """From a seed: a deck, a viewer, a moment, and another deck."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    blind, viewer = rng.random() < 0.5, rng.choice(VIEWERS)
    first = Script(game, deck, blind, seed).told
    closed = [n for n, one in enumerate(first) if isinstance(one.command, cmd.Settle)]
    end = min((*closed, len(first)))  # what closes a round shows all of it
    last = max(rng.randrange(2, end) for _ in range(2))  # rather late than early
    other = reshuffle_hidden(deck, first[last].may_see[viewer], rng)
    second = Script(game, other, blind, seed, last + 1).told
    return Pair(game, viewer, blind, first[: last + 1], second)

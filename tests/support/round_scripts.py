"""Pairs of scripted rounds from two decks that look the same to one viewer."""

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
from croupier.table.core.table_snapshot import from_snapshot
from tests.support import attended_table
from tests.support.attended_table import ANN, BOB, CAL, DEE, EYE, FLO, MAX, SID
from tests.support.rounds import house
from tests.table.parts.round.test_card_reading import Blind, answers, finish, open_steps

READER, AUD = Account("shoe", "reader"), Account("aud", "audit")
STRANGER = Account("guest", "player")  # not seated
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
    """A command of a round, and the cards that every viewer may see after it."""

    command: Command
    by: Account
    may_see: dict[Account, frozenset[Card]]


@cache
def ready_snapshot(game: str) -> str:
    """Return the snapshot of a table that is ready for a round of two players."""
    floor = attended_table.Floor(house(game))
    floor.at = now_ms() - 3_600_000
    floor.ready()
    floor.seat(2, BOB)
    return floor.table.to_snapshot()


def restored_table(game: str, name: str) -> Table:
    """Return the table of `ready_snapshot` under another name."""
    rules = house(game)
    text = ready_snapshot(game)
    table = Table(find_house={rules.digest: rules}.__getitem__)
    bound = f'"table":{msgspec.json.encode(name).decode()}'
    from_snapshot(table, re.sub(r'"table":"[^"]*"', bound, text, count=1))
    return table


class ScriptFinished(Exception):
    """The script has its maximum number of commands."""


class Script:
    """The commands of one round from one deck; decisions do not depend on the cards."""

    def __init__(
        self, game: str, deck: Sequence[Card], blind: bool, seed: str, most: int = 1_000
    ) -> None:
        """Play to the end of the round, or up to `most` commands."""
        self.rng = Random(seed)
        self.commands: list[ScriptedCommand] = []
        self.floor = Blind(house(game), deck) if blind else attended_table.Floor(house(game))
        self.floor.deck = deck
        self.floor.table = restored_table(game, "table")
        self.floor.at = now_ms()
        do_on_floor = self.floor.do

        def do(command: Command, by: Account) -> Sequence[Event]:
            events = do_on_floor(command, by)
            self.commands.append(ScriptedCommand(command, by, self._visible_cards()))
            if len(self.commands) >= most:
                raise ScriptFinished
            return events

        self.floor.do = do  # type: ignore[method-assign]
        self._play(answers(house(game), self.rng.randrange(1_000)))

    def _visible_cards(self) -> dict[Account, frozenset[Card]]:
        current = self.floor.table.round
        if current is None:
            return dict.fromkeys(VIEWERS, frozenset())
        visible = {}
        for viewer in VIEWERS:
            own = [
                card
                for box in current.boxes.values()
                if viewer.role == "player" and box.player == viewer.id
                for card in box.cards
                if card is not None
            ]
            visible[viewer] = frozenset((*current.exposed, *own))
        return visible

    def _play(self, words: list[str]) -> None:
        floor, irregular_at = self.floor, self.rng.choice((0, self.rng.randrange(4, 20)))
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
                if irregular_at == len(self.commands):
                    self._report_irregularity()
                elif due.kind != "decide":
                    floor.go_on()
                else:
                    self._decide(words.pop(0))
            finish(floor, seat_by_seat=self.rng.random() < 0.5)
        except ScriptFinished:
            return
        except (Refusal, AssertionError, IndexError, StopIteration):
            return  # after an irregularity a round may end in other ways: keep it up to here

    def _decide(self, kind: str) -> None:
        options = self.floor.table.options()
        bets = [option.word for option in options if option.wager]
        rest = [option.word for option in options if not option.wager]
        self.floor.decide(bets[0] if kind == "bet" else kind if kind in rest else rest[0])

    def _report_irregularity(self) -> None:
        """Report an irregularity that is available now, the same one for every deck."""
        steps = open_steps(self.floor, IRREGULAR)
        kinds = sorted({step.kind for step in steps})
        kind = self.rng.choice(kinds) if kinds else ""
        for step in steps:
            if step.kind == kind:
                self.floor.do(self._filled(step), step.actor())
                return
        self.floor.go_on()

    def _filled(self, step: Step) -> Command:
        values: dict[str, Any] = {}
        if step.command is cmd.ReadCards and isinstance(self.floor, Blind):
            values["cards"] = tuple(names(self.floor.lies[step.fixed["place"]]))
        return step.filled(**values)


def reshuffle_hidden(deck: Sequence[Card], seen: frozenset[Card], rng: Random) -> list[Card]:
    """Return a deck with the hidden cards reshuffled and the seen ones in place."""
    hidden = [card for card in deck if card not in seen]
    rng.shuffle(hidden)
    others = iter(hidden)
    return [card if card in seen else next(others) for card in deck]


class Pair(msgspec.Struct):
    """Two rounds that one viewer must not be able to distinguish."""

    game: str
    viewer: Account
    blind: bool
    first: list[ScriptedCommand]
    second: list[ScriptedCommand]


def make_pair(game: str, seed: str) -> Pair:
    """Make a pair from a seed: a deck, a viewer, a moment, and another deck."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    blind, viewer = rng.random() < 0.5, rng.choice(VIEWERS)
    first = Script(game, deck, blind, seed).commands
    closed = [n for n, scripted in enumerate(first) if isinstance(scripted.command, cmd.Settle)]
    end = min((*closed, len(first)))  # a closed round reveals every card
    last = max(rng.randrange(2, end) for _ in range(2))  # prefer late moments
    other = reshuffle_hidden(deck, first[last].may_see[viewer], rng)
    second = Script(game, other, blind, seed, last + 1).commands
    return Pair(game, viewer, blind, first[: last + 1], second)

"""A House: a game with one operator's paytables, limits, offered wagers, meters and readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games.facts import Facts, Result
from croupier.games.game import DealingMethod, Game, Slot
from croupier.games.hands import covered_by
from croupier.money import Cents
from croupier.rulebook.duties import duties
from croupier.rulebook.paytables import Line, Paytable, envy_schedule, paytable


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the most that may be staked on a wager; no maximum is None."""

    minimum: Cents
    maximum: Cents | None


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """A progressive meter as submitted: where it starts, where it resets, what share feeds it."""

    name: str
    initial: Cents
    reset: Cents
    rate_percent: Fraction

    def contribution(self, stake: Cents) -> Fraction:
        """The exact cents that one wager adds."""
        return stake * self.rate_percent / 100


class House:
    """What a table plays under. Made by `croupier.submission`; never changed."""

    def __init__(
        self,
        *,
        game: Game,
        operator: str,
        dealing_method: DealingMethod,
        shuffle_method: str,
        decks: int,
        max_adjacent_boxes: int,
        limits: Mapping[str, Limits],
        letters: Mapping[str, str],
        choices: Mapping[str, Any],
        meters: Mapping[str, Meter],
        payout_limit: Cents | None,
        digest: str,
    ) -> None:
        self.game = game
        self.operator = operator
        self.dealing_method: DealingMethod = dealing_method
        self.shuffle_method = shuffle_method
        self.decks = decks
        self.max_adjacent_boxes = max_adjacent_boxes
        self.limits = dict(limits)
        self.letters = dict(letters)
        self.choices = dict(choices)
        self.meters = dict(meters)
        self.payout_limit = payout_limit
        self.digest = digest
        self.offered = frozenset(
            wager.name
            for wager in game.wagers
            if wager.role not in ("optional", "progressive") or wager.name in self.letters
        )
        self._results: dict[Facts, tuple[Result, ...]] = {}
        self._lines: dict[tuple[str, str], Line | None] = {}
        self._deals: dict[tuple[int, ...], tuple[tuple[Slot, ...], ...]] = {}
        self._cited: dict[str, tuple[str, ...]] = {}

    def offers(self, wager: str) -> bool:
        """Whether a player may make this wager here."""
        return wager in self.offered

    def choice(self, name: str) -> Any:
        """An operator's choice or a reading of an unclear clause, always there."""
        return self.choices[name]

    def cite(self, duty: str, *, optional: bool = False) -> tuple[str, ...]:
        """The clauses that command a duty, by dealing method and variant where they differ.

        An optional duty that the document does not have cites nothing.
        """
        found = self._cited.get(duty)
        if found is None:
            index = duties(self.game.key)
            method = f"{duty}.{self.dealing_method}"
            variant = f"{method}.{self.choices.get('dealer_stack_order')}"
            found = index.get(variant) or index.get(method) or index.get(duty) or ()
            assert found or optional, f"{self.game.key} has no clause for {duty}"
            self._cited[duty] = found
        return found

    def paytable(self, wager: str) -> Paytable:
        """The posted paytable of an offered wager."""
        letter = "fixed" if wager in self.game.fixed_paytables else self.letters[wager]
        return paytable(self.game.key, wager, letter)

    def line(self, wager: str, hand: str) -> Line | None:
        """The paytable line that a hand falls on, if any: the first that covers it."""
        key = (wager, hand)
        if key not in self._lines:
            lines = self.paytable(wager).lines
            self._lines[key] = next((line for line in lines if hand in covered_by(line.hand)), None)
        return self._lines[key]

    def envy_line(self, hand: str, stake: Cents) -> Line | None:
        """What another player's hand is worth to the holder of a progressive wager."""
        schedule = envy_schedule(self.game.key, self.choice("envy_schedule"), stake // 100)
        return next((line for line in schedule.lines if hand in covered_by(line.hand)), None)

    def settle(self, facts: Facts) -> tuple[Result, ...]:
        """The game's own `settle`, each set of facts asked once."""
        results = self._results.get(facts)
        if results is None:
            results = self._results[facts] = tuple(self.game.settle(facts, self))
        return results

    def deal(self, seats: tuple[int, ...]) -> tuple[tuple[Slot, ...], ...]:
        """The game's own dealing plan for these seats, one tuple of places per street."""
        plan = self._deals.get(seats)
        if plan is None:
            plan = self._deals[seats] = self.game.deal(self, seats)
        return plan

    def tabulate(self) -> dict[Facts, tuple[Result, ...]]:
        """Every set of facts that can occur here with its results: nothing restates a payout."""
        return {facts: self.settle(facts) for facts in self.every_facts()}

    def every_facts(self) -> Iterator[Facts]:
        """The whole, finite space of facts of the wagers offered here."""
        return self.game.every_facts(self)

    def __repr__(self) -> str:
        return f"<House {self.operator!r} {self.game.key} {self.digest[:12]}>"

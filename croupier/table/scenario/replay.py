"""Scenario runner: plays a scenario on a table of its own and returns the result of the round."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from croupier.cards import name, names
from croupier.errors import BadInput, BadScenario, Refusal
from croupier.games import COMMUNITY
from croupier.money import meter_text
from croupier.table.core.messages import Command, Event
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.state import Box, Due
from croupier.table.scenario.scenario import Irregularity, Scenario
from croupier.table.table import Table

# Moments at which an irregularity happens; on a street the moment is the street's name.
BEFORE_FIRST_CARD = "before the first card"
HANDS_DOWN = "hands down"
COMMUNITY_DOWN = "community down"
BEFORE_SETTLEMENT = "before settlement"
_AMOUNT = re.compile(r"\d{1,12}c")


class ScenarioReplay:
    """One scenario played on a table of its own."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.house = scenario.house
        self.table = Table(scenario.house, meters=scenario.meters)
        self.events: list[Event] = []
        self.deck = list(reversed(scenario.deck))  # the next card is the last
        self.decisions_made = dict.fromkeys(scenario.seats, 0)
        self._first_street = scenario.house.game.streets[0].name
        self.face_up = {card for entry in scenario.irregularities for card in entry.cards}

    def play(self) -> Table:
        """Play the round to its end; raises BadScenario where the rules refuse a command."""
        for seat, plan in self.scenario.seats.items():
            place = f"seats.{seat}.wagers"
            self._do(rec.PlaceWagers(seat, plan.wagers, plan.player or f"seat {seat}"), place)
            if not any(plan.wagers.values()):
                refusal = self.table.refusal("no wager was placed", "required")
                raise BadScenario(place, str(refusal))
        self._do(rec.NoMoreBets(), "seats")
        self._happen(BEFORE_FIRST_CARD)
        while True:
            due = self.table.due()
            match due.kind:
                case "deal":
                    self._deal(due)
                case "show":
                    if due.street == self._first_street:
                        self._happen(HANDS_DOWN)
                    self._happen(due.street)
                    if not self.table.in_progress().void:
                        self._do(rec.ShowStreet(), "deck")
                case "decide":
                    self._decide(due)
                case "settle":
                    self._happen(BEFORE_SETTLEMENT)
                    self._do(rec.Settle(), "seats")
                case _:
                    break
        self._refuse_leftover_decisions()
        return self.table

    def _do(self, command: Command, place: str) -> None:
        try:
            self.events += self.table.do(command)
        except (Refusal, BadInput) as refusal:
            raise BadScenario(place, str(refusal)) from refusal

    def _deal(self, due: Due) -> None:
        stack = self._stack(due)
        cards: list[int] = []
        while len(cards) < stack and self.deck[-1] not in self.face_up:
            cards.append(self.deck.pop())
        if cards:
            self._do(rec.DealCards(tuple(names(cards))), "deck")
        if len(cards) < stack:
            self._do(rec.FindCardFaceUp(name(self.deck.pop())), "irregularities")
        elif self.table.in_progress().community:
            self._happen(COMMUNITY_DOWN)

    def _stack(self, due: Due) -> int:
        """Return how many cards are dealt before an irregularity can be noticed.

        A deal is interrupted at the end of the first board.
        """
        pending = self.table.in_progress().pending
        for index in range(1, due.cards):
            if pending[index - 1] == COMMUNITY != pending[index]:
                return index
        return due.cards

    def _decide(self, due: Due) -> None:
        decisions = self.scenario.seats[due.seat].decisions
        index = self.decisions_made[due.seat]
        street = self.table.in_progress().street
        assert street is not None
        if index >= len(decisions):
            options = " or ".join(option.word for option in street.options)
            problem = f"a decision is missing {street.when}; expected {options}"
            citation = f"[{self.house.game.key} {street.clause}]"
            raise BadScenario(f"seats.{due.seat}.decisions", f"{problem} {citation}")
        self.decisions_made[due.seat] += 1
        word = decisions[index]
        cents = int(word[:-1]) if _AMOUNT.fullmatch(word) else None
        self._do(rec.Decide(due.seat, word, cents), f"seats.{due.seat}.decisions[{index}]")

    def _happen(self, moment: str) -> None:
        """Apply the irregularities of this moment in order, until one voids the round."""
        for index, entry in enumerate(self.scenario.irregularities):
            command = self._command(entry)
            current = self.table.in_progress()
            if command is not None and self._moment(entry) == moment and not current.void:
                self._do(command, f"irregularities[{index}]")

    def _moment(self, entry: Irregularity) -> str:
        """Return when an irregularity happens; a wrong number of cards, once they are dealt."""
        match entry.kind:
            case "shuffler_jam":
                return BEFORE_FIRST_CARD
            case "shoe_jam" if entry.when == "deal":
                return BEFORE_FIRST_CARD
            case "player_skipped" if self.house.game.skipped_player_sits_out:
                return BEFORE_FIRST_CARD
            case "wrong_count":
                return BEFORE_SETTLEMENT
            case "wrong_number_of_cards" if entry.where == "community":
                return COMMUNITY_DOWN
            case "dealer_card_exposed" | "community_card_exposed" | "shoe_jam":
                return entry.when
        return HANDS_DOWN

    def _command(self, entry: Irregularity) -> Command | None:
        match entry.kind:
            case "card_drawn_in_error":
                return rec.DrawInError()
            case "wrong_number_of_cards":
                return rec.FindWrongNumber(entry.where)
            case "dealer_card_exposed":
                return rec.ExposeDealerCard()
            case "community_card_exposed":
                return rec.ExposeCommunityCard()
            case "player_card_exposed":
                return rec.ExposePlayerCard(entry.seat)
            case "shuffler_jam":
                return rec.JamShuffler()
            case "shoe_jam":
                return rec.JamShoe()
            case "player_skipped":
                return rec.SkipPlayer(entry.seat)
            case "wrong_count":
                return rec.FindWrongCount()
        return None  # a face-up card is handled during the deal

    def _refuse_leftover_decisions(self) -> None:
        current = self.table.round
        assert current is not None
        if current.void:
            return
        for seat, plan in self.scenario.seats.items():
            index = self.decisions_made[seat]
            if index < len(plan.decisions) and not current.boxes[seat].sat_out:
                raise BadScenario(
                    f"seats.{seat}.decisions[{index}]",
                    f"{plan.decisions[index]} is left over; no more decisions are due",
                )


def play(scenario: Scenario, *, with_events: bool = False) -> dict[str, Any]:
    """Play a scenario and return its result as JSON-ready data."""
    replay = ScenarioReplay(scenario)
    replay.play()
    return replay_result(replay, with_events=with_events)


def replay_result(replay: ScenarioReplay, *, with_events: bool = False) -> dict[str, Any]:
    """Return the result of a finished replay as JSON-ready data."""
    result = round_result(replay.table)
    if with_events:
        result["events"] = [msgspec.to_builtins(event) for event in replay.events]
    return result


def round_result(table: Table) -> dict[str, Any]:
    """Return the finished round of a table, as specified by the scenario schema."""
    current = table.round
    assert current is not None and current.closed, "the round is not finished"
    result: dict[str, Any] = {"game": table.house.game.key, "void": current.void is not None}
    if current.void:
        result["reason"] = {"kind": current.void.irregularity, "clause": current.void.clause}
    unseen = current.over and current.stage == 0 and not current.void
    listed = table.house.game.lists_unseen_board or not unseen
    result["community"] = names(current.layout) if listed else []
    result["dealer"] = names(current.dealer)
    if len(current.six_card_box) == 4:
        result["six_card_box"] = names(current.six_card_box)
    order = [wager for wagers in table.house.game.passes for wager in wagers]
    result["seats"] = {
        str(seat): box_result(box, order) for seat, box in sorted(current.boxes.items())
    }
    result["meters"] = {name: meter_text(value) for name, value in table.meters.items()}
    return result


def box_result(box: Box, order: list[str]) -> dict[str, Any]:
    """Return one box of the result."""
    wagers = {
        name: {
            "stake": settled.stake,
            "outcome": settled.outcome,
            "returned": settled.returned,
            "clause": settled.clause,
        }
        for name in order
        if (settled := box.settled.get(name)) is not None
    }
    return {"cards": names(box.cards), "wagers": wagers, "envy": box.envy, "net": box.net}

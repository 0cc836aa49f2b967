"""Hypothesis strategies: legal Houses of every game, and random rounds played under them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from croupier.cards import DECK, name, names, parse_cards
from croupier.errors import Refusal
from croupier.games import COMMUNITY, House, Slot
from croupier.games.expected_returns import reference_stake
from croupier.games.run_em_twice.game import LAYOUT
from croupier.rulebook import letters
from croupier.table import Envelope, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.round.state import Due
from croupier.table.table import REHEARSAL
from tests.clauses.examples import HOLDEM, TOP_FIVE, cross
from tests.support.fast_copy import copy_state
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    LETTERS,
    METHODS,
    RUN,
    THB,
    TOP,
    UTH,
    build_house,
    submission_data,
)

BOOL = (False, True)
PROGRESSIVE: dict[str, tuple[Any, ...]] = {
    "progressive_stake": (1, 5),
    "meter_rounding": ("up_to_cent", "down_to_cent"),
}
ENVY: dict[str, tuple[Any, ...]] = {
    "envy_holder_must_wager": BOOL,
    "envy_on_folded_hand": BOOL,
    "partial_award_floor": BOOL,
}
READINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    THB: {"ante_return_threshold": ("straight", "flush")},
    TOP: {
        "tie_break_extra_cards": BOOL,
        "dealer_stack_order": ("dealer_first", "dealer_in_shuffler"),
    },
    UTH: {
        "progressive_basis": ("best_five_of_seven", "own_two_plus_flop"),
        "progressive_after_fold": BOOL,
        "dealer_stack_order": ("dealer_first", "dealer_in_shuffler"),
        "bad_beat_scope": ("either_hand", "player_hand"),
        "bad_beat_after_fold": BOOL,
        "chip_rounding": ("exact", "require_even_ante"),
        "payout_limit": (None, 50_000, 60_000),
    },
    JACKPOT: {
        "progressive_basis": ("best_five_of_seven", "own_two_plus_first_three"),
        "dealer_stack_order": ("dealer_first", "dealer_in_shuffler"),
        "payout_limit": (None, 50_000, 60_000),
    },
    RUN: {
        "progressive_basis": ("higher_run", "first_run", "best_five_of_seven"),
        "ace_low_straight": BOOL,
        "ante_rule": ("own_run", "better_run"),
        "center_rule": ("higher_run_table", "even_money"),
        "run_bet_steps": ("whole_multiples", "any_amount"),
        "cross_order": (LAYOUT, LAYOUT[::-1], ("center", "top", "left", "bottom", "right")),
    },
}
ONLY_WITH = dict.fromkeys(("progressive_basis", "progressive_after_fold"), "progressive")
COMPULSORY = ("blind", "trips", "xtra_bonus")


@st.composite
def houses(draw: st.DrawFn, game: str = "") -> House:
    """A House with any dealing method, paytables, wagers and interpretations."""
    game = game or draw(st.sampled_from(EVERY_GAME))
    chosen = {
        wager: draw(st.sampled_from(letters(game, wager)))
        for wager in LETTERS[game]
        if wager in COMPULSORY or draw(st.integers(0, 3))
    }
    alternatives = dict(READINGS[game])
    if "progressive" in chosen:
        alternatives |= PROGRESSIVE | (ENVY if game != JACKPOT else {})
    choices = {
        name: draw(st.sampled_from(values))
        for name, values in alternatives.items()
        if ONLY_WITH.get(name, "") in ("", *chosen)
    }
    if choices.get("payout_limit") and game == UTH:
        choices["limit_covers_side_wagers"] = draw(st.booleans())
    method = draw(st.sampled_from(METHODS))
    if game == THB and method == "automated_shoe":
        choices["community_first"] = draw(st.booleans())
    table = {"decks": draw(st.sampled_from((1, 2)))}
    if game in (THB, UTH, JACKPOT):
        table["positions"] = draw(st.integers(1, 6))
    if game in (TOP, UTH, JACKPOT):
        most = table.get("positions", 6)
        table["max_adjacent_boxes"] = draw(st.sampled_from((1, min(2, most), most)))
    return build_house(
        json.dumps(
            submission_data(
                game,
                method,
                letters=chosen,
                without=set(LETTERS[game]) - set(chosen),
                table=table,
                **{name: value for name, value in choices.items() if value is not None},
            )
        )
    )


GREAT = ("royal_flush", "royal_flush_diamonds", "straight_flush", "four_of_a_kind", "full_house")


@st.composite
def decks(draw: st.DrawFn, rules: House, seats: Sequence[int]) -> list[int]:
    """A shuffled deck; two of three deal a strong hand to one seat, or to the board."""
    shuffle = random.Random(draw(st.integers(0, 2**32)))
    deck = list(DECK)
    shuffle.shuffle(deck)
    to = draw(st.sampled_from(("nobody", "seat", "board")))
    hand = draw(st.sampled_from(GREAT))
    if to == "nobody":
        return deck
    seat = draw(st.sampled_from(sorted(seats)))
    if rules.game.key == TOP:
        return place_cards(rules, seats, deck, {seat: TOP_FIVE.get(hand, TOP_FIVE["count_7"])})
    own, three, two, _ = HOLDEM[hand]
    if to == "board":
        return place_cards(rules, seats, deck, {COMMUNITY: f"{own} {three}"})
    board = cross(three, two, "first_run") if rules.game.key == RUN else f"{three} {two}"
    return place_cards(rules, seats, deck, {seat: own, COMMUNITY: board})


def place_cards(
    rules: House, seats: Sequence[int], deck: list[int], wanted: dict[Slot, str]
) -> list[int]:
    """Swap the wanted cards to where they are dealt to their places; returns the deck."""
    places = [place for stage in rules.deal(tuple(sorted(seats))) for place in stage]
    for place, cards in wanted.items():
        indexes = [index for index, at in enumerate(places) if at == place]
        for index, card in zip(indexes, parse_cards(cards)):
            other = deck.index(card)
            deck[index], deck[other] = deck[other], deck[index]
    return deck


@st.composite
def stakes(draw: st.DrawFn, rules: House) -> dict[str, int]:
    """Legal stakes for one box, odd cents included."""
    ante = draw(st.integers(100, 500_00))
    if rules.choices.chip_rounding == "require_even_ante":
        ante = ante // 200 * 200 or 200
    wagers: dict[str, int] = {}
    for wager in rules.game.wagers:
        if wager.role in ("ante", "matching"):
            wagers[wager.name] = ante
        elif wager.role == "optional" and rules.offers(wager.name) and draw(st.booleans()):
            wagers[wager.name] = draw(st.integers(100, 100_00))
        elif wager.role == "progressive" and rules.offers(wager.name) and draw(st.booleans()):
            wagers[wager.name] = reference_stake(rules, "progressive")
    if rules.prerequisites.get("six_card_bonus") == "trips" and "trips" not in wagers:
        wagers.pop("six_card_bonus", None)
    return wagers


class Snapshot(NamedTuple):
    """The state of a table after a command."""

    state: dict[str, Any]
    due: Due


class RandomRound:
    """A round driven by draws; checks that deciding a command changes nothing."""

    def __init__(self, draw: st.DrawFn, rules: House, *, irregular: bool) -> None:
        self.draw = draw
        self.rules = rules
        self.table = Table(rules)
        self.deck: list[int] = []
        self.events: list[ev.Event] = []
        # The number of events after each command, and the state of the table then.
        self.boundaries: list[int] = [0]
        self.states: list[Snapshot] = [self.snapshot()]
        self.trouble = draw(st.integers(0, 2)) if irregular else 0

    def play(self) -> RandomRound:
        """Play from the first wager to the end of the round."""
        seats = sorted(self.draw(st.sets(st.integers(1, self.rules.positions), min_size=1)))
        self.deck = self.draw(decks(self.rules, seats))
        for seat in seats:
            self.do(cmd.PlaceWagers(seat, self.draw(stakes(self.rules)), self._player(seat)))
        self.do(cmd.NoMoreBets())
        while not isinstance(self.events[-1], ev.RoundClosed):
            if self.trouble and self.draw(st.integers(0, 4)) == 0:
                self.trouble -= 1
                self.do(self.draw(st.sampled_from(self.irregularities())))
            self.do(self.next_command())
        return self

    def _player(self, seat: int) -> str:
        current = self.table.round
        before = current.boxes.get(seat - 1) if current else None
        most = self.rules.max_adjacent_boxes
        if current is None or before is None:
            return ""
        own = [box for box in current.boxes.values() if box.player == before.player]
        return before.player if len(own) < most and self.draw(st.booleans()) else ""

    def do(self, command: cmd.Command) -> None:
        """Decide a command, check that this changed nothing, then apply its events, if any."""
        try:
            events = self.table.decide(Envelope("a round", REHEARSAL, 0, command))
        except Refusal:
            events = None
        assert self.states[-1].state == self.table.state(), f"deciding {command} changed the table"
        if events is not None:
            for event in events:
                self.table.evolve(event)
            self.events += events
            self.boundaries.append(len(self.events))
            self.states.append(self.snapshot())

    def snapshot(self) -> Snapshot:
        """Return a copy of the current state."""
        return Snapshot(copy_state(self.table), self.table.due())

    def next_command(self) -> cmd.Command:
        """Return a legal command that is due."""
        due = self.table.due()
        if due.kind == "deal":
            count = self.draw(st.integers(1, due.cards))
            cards, self.deck = self.deck[:count], self.deck[count:]
            return cmd.DealCards(tuple(names(cards)))
        if due.kind == "show":
            return cmd.ShowStreet()
        if due.kind == "decide":
            return self.decision(due.seat)
        assert due.kind == "settle", due
        return cmd.Settle()

    def decision(self, seat: int) -> cmd.Decide:
        """Return one of the options, or an amount in between where any amount is allowed."""
        current = self.table.in_progress()
        assert current.street is not None
        word = self.draw(st.sampled_from([option.word for option in current.street.options]))
        if self.rules.game.any_amount(self.rules) and word != "fold":
            ante = current.boxes[seat].stakes["first_ante"]
            cents = self.draw(st.integers(ante, 3 * ante))
            return cmd.Decide(seat, f"{cents}c", cents)
        return cmd.Decide(seat, word)

    def irregularities(self) -> list[cmd.Command]:
        """Return the irregularities (chapter 13) that could be reported now, legal or not."""
        current = self.table.in_progress()
        seat = self.draw(st.sampled_from(sorted(current.boxes)))
        where = self.draw(st.sampled_from(("dealer", "community", f"seat {seat}")))
        commands: list[cmd.Command] = [
            cmd.ExposeDealerCard(),
            cmd.SkipPlayer(seat),
            cmd.FindWrongCount(misdealt=self.draw(st.booleans())),
            cmd.Forfeit(seat, self.draw(st.sampled_from(("abandoned", "conduct")))),
            cmd.DrawInError(),
            cmd.ExposePlayerCard(seat),
            cmd.JamShuffler(),
            cmd.JamShoe(),
            cmd.ExposeCommunityCard(),
            cmd.FindWrongNumber(where),
        ]
        if self.table.due().kind == "deal":
            commands += [cmd.FindCardFaceUp(name(self.deck.pop()))] * 5
        return commands


@st.composite
def rounds(draw: st.DrawFn, game: str = "", irregular: bool = True) -> RandomRound:
    """A complete random round under a random House."""
    return RandomRound(draw, draw(houses(game)), irregular=irregular).play()

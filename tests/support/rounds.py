"""Rounds for tests: a House with given options, a stacked deck, and a round played to its end.

played = play(
    house("ultimate_texas_holdem"),
    {1: Seat("Ah Ad", "4x", ante=1000, blind=1000)},
    dealer="Kc Kd",
    community="2h 5s 9c Jd 3s",
)
assert {"ante": 2000, "blind": 1000, "play": 8000} == played.returned(1)
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import pytest

from croupier import submission
from croupier.cards import DECK, name, names, parse_card, parse_cards
from croupier.errors import Refusal
from croupier.games import BOX, BURN, COMMUNITY, DEALER, GAMES, House, Slot, catalogue
from croupier.games.run_em_twice.game import LAYOUT
from croupier.table import Box, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.analysis.known_values import odds

THB, TOP, UTH = "texas_holdem_bonus", "top_five", "ultimate_texas_holdem"
JACKPOT, RUN = "jackpot_holdem", "run_em_twice"
EVERY_GAME = tuple(game.key for game in catalogue())
METHODS = ("manual_shoe", "hand", "automated_shoe")

RATES = (4, 8, 6, 5, 3)  # percent of a progressive wager to each meter, in the document's order

# The wagers with a choice of paytables, and the choices that each game requires.
LETTERS: dict[str, dict[str, str]] = {
    THB: {"texas_holdem_bonus": "A"},
    TOP: {"top_five_bonus": "A", "poker_bonus": "A"},
    UTH: {
        "blind": "A",
        "trips": "B",
        "progressive": "C",
        "six_card_bonus": "A",
        "ultimate_pairs": "A",
        "bad_beat": "A",
        "play_the_board": "A",
    },
    JACKPOT: {"xtra_bonus": "A", "player_bonus": "A", "progressive": "A"},
    RUN: {"five_card_bonus": "fixed", "ultimate_pairs_bonus": "A", "progressive": "D"},
}
CHOICES: dict[str, dict[str, Any]] = {
    THB: {"ante_return_threshold": "straight"},
    TOP: {},
    UTH: {"progressive_basis": "own_two_plus_flop", "envy_holder_must_wager": False},
    JACKPOT: {"progressive_basis": "own_two_plus_first_three"},
    RUN: {"progressive_basis": "higher_run"},
}
ONLY_WITH_PROGRESSIVE = ("progressive_basis", "envy_holder_must_wager")


def submission_data(
    game: str,
    method: str = "automated_shoe",
    *,
    letters: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
    limits: Mapping[str, tuple[int, int]] | None = None,
    table: Mapping[str, Any] | None = None,
    **choices: Any,
) -> dict[str, Any]:
    """Return a Rules Submission that offers every wager, with these changes; money in dollars."""
    chosen = LETTERS[game] | dict(letters or {})
    chosen = {wager: letter for wager, letter in chosen.items() if wager not in without}
    stated = {
        name: value
        for name, value in CHOICES[game].items()
        if "progressive" in chosen or name not in ONLY_WITH_PROGRESSIVE
    }
    stated["accept_player_edge"] = True  # tests of rules do not care about the edge
    stated["layout_approval"] = "L 1 of 2026-01-01"
    if method == "manual_shoe":
        stated["manual_shoe_location"] = "right of the dealer"
    if "progressive" in chosen:
        stated["internal_controls_ref"] = "IC 7"
        if game != JACKPOT:
            stated["envy_schedule"] = chosen["progressive"]
    if "six_card_bonus" in chosen and method != "automated_shoe":
        stated["six_card_deal_position"] = "after_hands"
        stated["six_card_deal_position_approval"] = "D 3 of 2026-01-01"
    wagers = {wager.name: wager.role for wager in GAMES[game].wagers}
    limited = [
        name
        for name, role in wagers.items()
        if role == "ante" or (role == "optional" and name in chosen)
    ]
    between = dict.fromkeys(limited, (1, 5000)) | dict(limits or {})
    return {
        "game": game,
        "operator": {"name": "Test House"},
        "table": {"dealing_method": method, "max_adjacent_boxes": 1, **(table or {})},
        "limits": {wager: {"min": least, "max": most} for wager, (least, most) in between.items()},
        "paytables": chosen,
        "choices": stated | choices,
        "meters": meter_data(game, chosen.get("progressive")),
    }


def meter_data(game: str, letter: str | None) -> dict[str, Any]:
    """Return every meter of a progressive paytable at its minimum, each with its own rate."""
    floors = dict(odds.floors(game))[letter] if letter else ()
    used = [floor for floor in floors if floor.dollars]
    return {
        floor.meter: {"initial": floor.dollars, "reset": floor.dollars, "rate": rate}
        for floor, rate in zip(used, RATES)
    }


def house(game: str, method: str = "automated_shoe", **changes: Any) -> House[Any]:
    """Return a House that offers every wager, with the changes of `submission_data`."""
    return build_house(json.dumps(submission_data(game, method, **changes)))


@cache
def build_house(submission_text: str) -> House[Any]:
    """Build the House of a submission written as JSON."""
    return submission.build(json.loads(submission_text))


# The game and clause of every refusal that a test has asserted, as evidence for that clause.
NAMED: list[tuple[str, str]] = []


@contextmanager
def refuses(clause: str, match: str | None = None) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Assert that the block raises a Refusal under this clause, with a matching message."""
    with pytest.raises(Refusal, match=match) as caught:
        yield caught
    assert clause == caught.value.clause
    NAMED.append((caught.value.game, clause))


class Seat:
    """The cards, stakes and decisions of one seat."""

    def __init__(
        self, cards: str = "", decisions: str = "", player: str = "", /, **stakes: int
    ) -> None:
        self.cards = cards
        self.decisions = decisions.split()
        self.player = player
        self.stakes = stakes


def opening_wagers(rules: House, ante: int = 1000, **more: int) -> dict[str, int]:
    """Return the compulsory wagers of a game, and more."""
    compulsory = {w.name: ante for w in rules.game.wagers if w.role in ("ante", "matching")}
    return compulsory | more


def stacked_deck(rules: House[Any], wanted: Mapping[Slot, str], seats: Sequence[int]) -> list[int]:
    """Return a deck that deals the wanted cards to their places; the rest is in deck order.

    Community cards are given in listed order, whatever the order in which the cross is dealt.
    """
    hands = {place: deque(parse_cards(cards)) for place, cards in wanted.items()}
    if rules.game.key == RUN and len(hands.get(COMMUNITY, ())) == len(LAYOUT):
        listed = dict(zip(LAYOUT, hands[COMMUNITY]))
        hands[COMMUNITY] = deque(listed[place] for place in rules.choices.cross_order)
    named = [card for cards in hands.values() for card in cards]
    assert len(named) == len(set(named)), f"a card is wanted twice: {wanted}"
    others = deque(card for card in DECK if card not in named)
    places = [place for stage in rules.deal(tuple(seats)) for place in stage]
    dealt = [hands[place].popleft() if hands.get(place) else others.popleft() for place in places]
    left = [place for place, cards in hands.items() if cards]
    assert not left, f"more cards wanted than dealt: {left}"
    return dealt + list(others)


Kind = TypeVar("Kind", bound=ev.Event)


class Play:
    """One round on a table of its own, dealt from a stacked deck."""

    def __init__(
        self,
        rules: House,
        seats: Mapping[int, Seat],
        *,
        dealer: str = "",
        community: str = "",
        box: str = "",
        burn: str = "",
        meters: Mapping[str, int | str] | None = None,
        face_up: Mapping[int, str] | None = None,
        table: Table | None = None,
    ) -> None:
        self.house = rules
        self.seats = dict(seats)
        before = {name: Fraction(value) for name, value in (meters or {}).items()}
        self.table = table or Table(rules, meters=before)
        self.events: list[ev.Event] = []
        wanted: dict[Slot, str] = {number: seat.cards for number, seat in seats.items()}
        wanted |= {DEALER: dealer, COMMUNITY: community, BOX: box, BURN: burn}
        self.deck = stacked_deck(
            rules, {place: cards for place, cards in wanted.items() if cards}, sorted(seats)
        )
        self.face_up: list[int] = []
        for index, card in sorted((face_up or {}).items()):
            self.deck.remove(parse_card(card))
            self.deck.insert(index, parse_card(card))
            self.face_up.append(parse_card(card))
        self.decisions = {number: deque(seat.decisions) for number, seat in seats.items()}

    def do(self, command: cmd.Command) -> Sequence[ev.Event]:
        """Execute a command and record its events."""
        events = self.table.do(command)
        self.events += events
        return events

    def open(self) -> Play:
        """Place every wager and close the betting."""
        for number, seat in sorted(self.seats.items()):
            self.do(cmd.PlaceWagers(number, seat.stakes, seat.player))
        self.do(cmd.NoMoreBets())
        return self

    def deal(self, most: int = 52) -> None:
        """Deal the cards that are due, at most `most`; report a card found face up."""
        due = min(self.table.due().cards, most)
        cards: list[int] = []
        while len(cards) < due and self.deck[0] not in self.face_up:
            cards.append(self.deck.pop(0))
        if cards:
            self.do(cmd.DealCards(tuple(names(cards))))
        if len(cards) < due:
            self.do(cmd.FindCardFaceUp(name(self.deck.pop(0))))

    def step(self) -> None:
        """Do what is due next."""
        due = self.table.due()
        match due.kind:
            case "wagers":
                self.open()
            case "deal":
                self.deal()
            case "show":
                self.do(cmd.ShowStreet())
            case "decide":
                word = self.decisions[due.seat].popleft()
                cents = int(word[:-1]) if word[:-1].isdigit() and word[-1] == "c" else None
                self.do(cmd.Decide(due.seat, word, cents))
            case "settle":
                self.do(cmd.Settle())

    def until(self, kind: str, street: str = "") -> Play:
        """Play until this is due: `until("show", "flop")`."""
        while True:
            due = self.table.due()
            if due.kind == kind and street in ("", due.street):
                return self
            assert not self.over, f"{kind} {street} was never due"
            self.step()

    def finish(self) -> Play:
        """Play to the end of the round."""
        while not self.over:
            self.step()
        return self

    # Results

    @property
    def over(self) -> bool:
        """Whether the round has been settled."""
        return any(isinstance(event, ev.RoundClosed) for event in self.events[-1:])

    def box(self, seat: int) -> Box:
        """Return one box of the round."""
        assert self.table.round is not None
        return self.table.round.boxes[seat]

    def returned(self, seat: int) -> dict[str, int]:
        """Return the cents returned for each wager."""
        return {name: wager.returned for name, wager in self.box(seat).settled.items()}

    def outcomes(self, seat: int) -> dict[str, str]:
        """Return the outcome of each wager: win, push, lose or void."""
        return {name: wager.outcome for name, wager in self.box(seat).settled.items()}

    def clauses(self, seat: int) -> dict[str, str]:
        """Return the clause under which each wager was settled."""
        return {name: wager.clause for name, wager in self.box(seat).settled.items()}

    def net(self, seat: int) -> int:
        """Return the net result of a seat."""
        return self.box(seat).net

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def void(self) -> ev.RoundVoided | None:
        """The event that voided the round, if any."""
        assert self.table.round is not None
        return self.table.round.void

    @property
    def meters(self) -> dict[str, Fraction]:
        """The current meters."""
        return self.table.meters


def play(rules: House, seats: Mapping[int, Seat], **cards: Any) -> Play:
    """Play a complete round."""
    return Play(rules, seats, **cards).finish()

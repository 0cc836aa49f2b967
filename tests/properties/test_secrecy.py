"""Non-interference: a viewer's output does not depend on cards that the viewer may not see.

A round of an attended table is recorded for every viewer after every command, over all channels:
the view of the table, the events as shown and in words, and the open and blocked steps. Then the
cards that a viewer has not seen up to some moment are permuted with the stub, the same commands are
replayed, and the viewer must receive the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random

import msgspec
import pytest

from croupier.cards import DECK, NAMES, names, parse_cards, require_seen
from croupier.games import COMMUNITY, House, Slot
from croupier.table import Account, shown, steps, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.messages import Command, Event
from croupier.table.event_text import EventText
from tests.support.attended_table import ANN, BOB, DEE, EYE, FLO, MAX, READER, Floor
from tests.support.rounds import EVERY_GAME, METHODS, house, opening_wagers, stacked_deck

AUD = Account("aud", "audit")
VIEWERS = (
    ANN,
    BOB,
    DEE,
    FLO,
    MAX,
    EYE,
    Account("rod", "player"),  # a spectator
    Account("cal", "cage"),
    Account("sue", "security"),
    AUD,
)
Words = dict[tuple[int, str], str]


class Watched(Floor):
    """A floor that records every viewer's output after every command."""

    viewers: Sequence[Account] = VIEWERS
    moments: float = inf  # the number of commands recorded

    def __init__(self, rules: House, deck: Sequence[int]) -> None:
        super().__init__(rules)
        self.deck = deck
        self.watching = False
        self.output: dict[Account, list[bytes]] = {viewer: [] for viewer in VIEWERS}
        self.allowed: dict[Account, list[set[int]]] = {viewer: [] for viewer in VIEWERS}
        self.face_up: set[int] = set()

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        events = super().do(command, by)
        if self.watching:
            for event in events:
                if isinstance(event, ev.StreetShown):
                    self.face_up |= set(parse_cards(event.community))
                elif isinstance(event, ev.HandAnnounced | ev.BoxShown | ev.CardsTurned):
                    self.face_up |= set(parse_cards(event.cards))
                elif isinstance(event, ev.IrregularityNoted) and "card" in event.detail:
                    self.face_up |= set(parse_cards(str(event.detail["card"])))
            for viewer in self.viewers:
                if len(self.output[viewer]) < self.moments:
                    self.output[viewer].append(self.channels(viewer, events))
                    self.allowed[viewer].append(self.may_see(viewer))
        return events

    def may_see(self, viewer: Account) -> set[int]:
        """The cards a viewer may see: own and face-up cards; settled rounds for surveillance."""
        current = self.table.round
        assert current is not None
        if current.closed and viewer in (EYE, AUD):
            return set(current.gone)
        boxes = [box for box in current.boxes.values() if box.player == viewer.id]
        faces = {face for box in boxes for face in box.cards if viewer.role == "player"}
        return self.face_up | {face for face in faces if face is not None}

    def channels(self, account: Account, events: Sequence[Event]) -> bytes:
        """The output of all channels to an account at this moment."""
        viewer = viewer_of(self.table, account)
        output = [
            view(self.table, viewer, self.at),
            [shown(event, viewer) for event in events],
            list(map(EventText(viewer, self.table.house.game, self.players()).describe, events)),
            steps(self.table, viewer, self.at),
        ]
        return msgspec.json.encode(output)

    def players(self) -> dict[int, str]:
        """The players by seat, whom sentences name."""
        assert self.table.round is not None
        return {seat: box.player for seat, box in self.table.round.boxes.items()}

    def deal(self) -> None:
        """Deal from a card-reading shoe; the dealer sees only the backs."""
        due = self.table.due()
        cards = names(self.unseen()[: due.cards])
        self.do(cmd.DealCards(tuple(cards)), READER)

    def show(self) -> None:
        """Show the street."""
        self.do(cmd.ShowStreet(), DEE)

    def answer(self, words: Words) -> None:
        """The player to act decides as planned, for any cards."""
        due = self.table.due()
        assert self.table.dealing is not None
        player = self.table.dealing.boxes[due.seat].player
        self.do(cmd.Decide(due.seat, words[due.seat, due.street]), Account(player, "player"))

    def finish(self) -> None:
        """Finish the round by its listed steps: stub, showdown, awards, documents, settlement."""
        self.stub()
        for _ in range(60):
            if self.table.dealing is None:
                return
            steps = self.table.next_steps(self.at)
            step = next(step for step in steps if step.due != "may" and step.kind in ENDING)
            self.do(step.filled(), step.actor())
        raise AssertionError("the round does not end")


ENDING = (
    "turn_hand",
    "verify_award",
    "validate_award",
    "prepare_payout",
    "witness_payout",
    "notify_surveillance",
    "settle_seat",
    "settle",
    "confirm_fill",
)


def watched(floor: Watched, words: Words, side: bool) -> Watched:
    """One recorded round of two players, from the first wager to the settlement."""
    rules = floor.house
    floor.open(inventory=500_000_000_00)
    floor.seat(2, ANN)
    floor.seat(5, BOB)
    for name in list(floor.table.decks.here):
        floor.mix(name)
        floor.shuffle(name)
    if floor.table.decks.in_play() is None:
        floor.load("one")
    floor.watching = True
    optional = [w.name for w in rules.game.wagers if w.role == "optional" and rules.offers(w.name)]
    more = dict.fromkeys(optional, 500) if side else {}
    if rules.progressive is not None:
        more["progressive"] = rules.progressive.stake
    floor.do(cmd.PlaceWagers(2, opening_wagers(rules, 1000, **more)), ANN)
    floor.do(cmd.PlaceWagers(5, opening_wagers(rules, 1000, **more)), BOB)
    floor.close_bets()
    while True:
        match floor.table.due().kind:
            case "deal":
                floor.deal()
            case "show":
                floor.show()
            case "decide":
                floor.answer(words)
            case _:
                break
    floor.finish()
    return floor


def planned(rules: House, rng: Random) -> Words:
    """A planned decision for every seat at every street."""
    return {
        (seat, street.name): rng.choice(street.options).word
        for seat in (2, 5)
        for street in rules.game.streets
    }


def permuted(deck: Sequence[int], seen: set[int], rng: Random) -> list[int]:
    """The deck with all unseen cards permuted among themselves."""
    unseen = [card for card in deck if card not in seen]
    rng.shuffle(unseen)
    others = iter(unseen)
    return [card if card in seen else next(others) for card in deck]


def some_deck(rules: House, rng: Random) -> list[int]:
    """A random deck, sometimes with a royal flush to trigger awards, documents and envy."""
    deck = list(DECK)
    rng.shuffle(deck)
    if rng.random() < 0.5 or not rules.game.community_cards:
        return deck
    wanted: dict[Slot, str] = {2: "As Ks", 5: "7c 7d", COMMUNITY: "Qs Js Ts 2c 3d"}
    return stacked_deck(rules, wanted, (2, 5))


def seen_in(output: Sequence[bytes]) -> set[int]:
    """The cards whose names appear in a viewer's output."""
    text = b"".join(output).decode()
    return {card for card in DECK if f'"{NAMES[card]}"' in text}


def check_one(
    rules: House, rng: Random, floor: Callable[[House, Sequence[int]], Watched] = Watched
) -> int:
    """Check one random round for every viewer at random moments; return the comparison count."""
    deck = some_deck(rules, rng)
    words, side = planned(rules, rng), rng.random() < 0.8
    first = watched(floor(rules, deck), words, side)
    compared = 0
    for viewer in first.viewers:
        moments = len(first.output[viewer])
        for moment in {rng.randrange(1, moments + 1), moments}:
            allowed = first.allowed[viewer][moment - 1]
            assert seen_in(first.output[viewer][:moment]) <= allowed, f"{viewer} is shown too much"
            other_deck = floor(rules, permuted(deck, allowed, rng))
            other_deck.viewers, other_deck.moments = (viewer,), moment
            again = watched(other_deck, words, side)
            assert moment == len(again.output[viewer])
            for number in range(moment):
                output, other = first.output[viewer][number], again.output[viewer][number]
                assert output == other, f"{viewer} at moment {number} of {moment}"
                compared += 1
    return compared


def some_house(game: str, rng: Random) -> House:
    """A House with a random dealing method and random choices."""
    method = rng.choice(METHODS)
    table = {"decks": 1} if rng.random() < 0.5 else {}
    if game == "texas_holdem_bonus" and method == "automated_shoe" and rng.random() < 0.4:
        return house(
            game,
            method,
            community_first=True,
            continuous_device=True,
            continuous_device_approval="C 1 of 2026-01-01",
        )
    return house(game, method, table=table)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_tells_decks_apart_that_agree_in_what_they_may_see(game: str) -> None:
    """No viewer's output differs for decks that agree in the cards they may see."""
    for seed in range(2):
        rng = Random(f"{game} {seed}")
        assert check_one(some_house(game, rng), rng) > 20


def test_the_test_can_fail() -> None:
    """A hidden card leaked to the dealer is detected."""

    class Whispering(Watched):
        def channels(self, account: Account, events: Sequence[Event]) -> bytes:
            current = self.table.round
            hidden = current.dealer[:1] if current is not None and account == DEE else []
            return super().channels(account, events) + bytes(require_seen(hidden))

    rules = house("ultimate_texas_holdem")
    rng = Random(1)
    words = planned(rules, rng)
    output: list[list[bytes]] = []
    for _ in range(2):
        deck = list(DECK)
        rng.shuffle(deck)
        floor = Whispering(rules, deck)
        floor.__class__ = Whispering
        floor.ready()
        floor.watching = True
        floor.bet()
        floor.close_bets()
        floor.deal()
        output.append(floor.output[DEE])
    assert output[0] != output[1], words

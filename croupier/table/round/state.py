"""The state of one round: a fold over its events, and what is due next."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.games import BOX, BURN, COMMUNITY, DEALER, Game, House, Seen, Slot, Street
from croupier.money import Cents
from croupier.table.round import record as rec

DueKind: TypeAlias = Literal["wagers", "deal", "show", "decide", "settle", "closed"]


class Due(msgspec.Struct, frozen=True):
    """What must happen next: so many cards, a street to show, a seat to decide, a settlement."""

    kind: DueKind
    cards: int = 0
    seat: int = 0
    street: str = ""


CLOSED, WAGERS, SETTLE = Due("closed"), Due("wagers"), Due("settle")


@dataclass(slots=True)
class Box:
    """One betting position in one round."""

    player: str
    stakes: dict[str, Cents]
    cards: list[Card] = field(default_factory=list)
    folded_at: str = ""
    sat_out: bool = False
    forfeited: str = ""  # the clause of the ruling
    settled: dict[str, rec.WagerSettled] = field(default_factory=dict)
    envy: Cents = 0

    @property
    def active(self) -> bool:
        """Still in the contest."""
        return not self.folded_at and not self.sat_out and not self.forfeited

    @property
    def net(self) -> Cents:
        """Everything returned and all envy, less all stakes."""
        returned = sum(wager.returned for wager in self.settled.values())
        return returned + self.envy - sum(self.stakes.values())


@dataclass(slots=True, repr=False)
class Round:
    """One round of play, from the first wager to the last settlement."""

    house: House = field(compare=False)  # a table compares it by its digest
    number: int
    meters_before: dict[str, Fraction]
    fed: dict[str, Fraction] = field(default_factory=dict)  # what this round added to the meters
    boxes: dict[int, Box] = field(default_factory=dict)
    betting_closed: bool = False
    plan: tuple[tuple[Slot, ...], ...] = ()
    stage: int = 0
    pending: list[Slot] = field(default_factory=list)  # where the next cards of the stage go
    shown: bool = False  # the street of this stage is open
    to_act: list[int] = field(default_factory=list)
    dealer: list[Card] = field(default_factory=list)
    community: list[Card] = field(default_factory=list)  # in the order they left the deck
    six_card_box: list[Card] = field(default_factory=list)
    burned: list[Card] = field(default_factory=list)
    face_up: list[Card] = field(default_factory=list)
    left_deck: list[Card] = field(default_factory=list)  # every card, in its order
    exposed: set[Card] = field(default_factory=set)  # cards that everybody has seen
    hands_shown: bool = False
    void: rec.RoundVoided | None = None
    closed: bool = False

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.house.game

    @property
    def street(self) -> Street | None:
        """The street whose decisions are asked for; None after the last one."""
        streets = self.house.game.streets
        return streets[self.stage] if self.stage < len(streets) else None

    @property
    def stage_name(self) -> str:
        """The street's name, or "river" for the cards after the last decision."""
        streets = self.house.game.streets
        return streets[self.stage].name if self.stage < len(streets) else "river"

    @property
    def layout(self) -> list[Card]:
        """The community cards as they are listed."""
        return list(self.game.arrange_community(self.community, self.house))

    def active(self) -> list[tuple[int, Box]]:
        """The boxes still in the contest, in seat order."""
        return [(seat, self.boxes[seat]) for seat in sorted(self.boxes) if self.boxes[seat].active]

    @property
    def over(self) -> bool:
        """Nobody is left to play on; live side wagers need no further card (A85)."""
        # As in `active`; a round asks this at every step, and a loop is the fastest way.
        for box in self.boxes.values():  # noqa: SIM110
            if not (box.folded_at or box.sat_out or box.forfeited):
                return False
        return True

    @property
    def hands_complete(self) -> bool:
        """Every box and the dealer have their whole hand."""
        game = self.game
        return len(self.dealer) == game.dealer_cards and all(
            len(box.cards) == game.player_cards for box in self.boxes.values() if not box.sat_out
        )

    @property
    def all_dealt(self) -> bool:
        """No further card will leave the deck: the stub may go, whatever is still decided."""
        if self.void or not self.betting_closed:
            return self.betting_closed and not self.pending
        if self.over:
            return not (self.pending and self.stage == 0)
        return not self.pending and not any(self.plan[self.stage + 1 :])

    def decisions_left(self) -> bool:
        """Whether anybody still has something to decide in this round."""
        if self.shown and self.to_act:
            return True
        later = self.game.streets[self.stage + self.shown :]
        return any(
            _bets_on(street) not in box.stakes for _, box in self.active() for street in later
        )

    def due(self) -> Due:
        """What must happen next."""
        if self.closed:
            return CLOSED
        if not self.betting_closed:
            return WAGERS
        pending = self.pending
        if self.void:
            return Due("deal", len(pending)) if pending else SETTLE
        # The first deal goes out even if every seat was skipped.
        if self.over and not (pending and self.stage == 0):
            return SETTLE
        if pending:
            return Due("deal", len(pending), 0, self.stage_name)
        if not self.shown:
            return Due("show", 0, 0, self.stage_name)
        if self.to_act:
            return Due("decide", 0, self.to_act[0], self.stage_name)
        return SETTLE

    def seen(self, seat: int) -> Seen:
        """What lies before the dealer when a box is judged."""
        box = self.boxes[seat]
        return Seen(
            cards=box.cards,
            dealer=self.dealer,
            community=self.layout,
            box=self.six_card_box,
            folded_at=box.folded_at,
            wagers=box.stakes,
        )

    def __repr__(self) -> str:
        seats = ", ".join(map(str, sorted(self.boxes))) or "none"
        return f"<Round {self.number} of {self.game.key}: {self.due().kind}, seats {seats}>"

    # What each event does to the round; none of these may refuse.

    def open_stage(self, stage: int) -> None:
        """Begin the cards and the decisions of a stage."""
        self.stage = stage
        self.pending = list(self.plan[stage])
        self.shown = False
        self.to_act = []

    def close_betting(self, seats: tuple[int, ...]) -> None:
        """Fix the seats and with them the order of the cards."""
        self.betting_closed = True
        self.plan = self.house.deal(seats)
        self.open_stage(0)

    def place(self, cards: tuple[Card, ...], places: tuple[Slot, ...]) -> None:
        """Put cards where they go."""
        self.left_deck.extend(cards)
        del self.pending[: len(cards)]
        piles: dict[Slot, list[Card]] = {
            DEALER: self.dealer,
            COMMUNITY: self.community,
            BURN: self.burned,
            BOX: self.six_card_box,
        }
        for seat, box in self.boxes.items():
            piles[seat] = box.cards
        for card, place in zip(cards, places, strict=True):
            piles[place].append(card)

    def show(self, community: tuple[Card, ...]) -> None:
        """Open the street: those who still have a decision act in seat order."""
        self.shown = True
        self.exposed.update(community)
        street = self.street
        if street is not None:
            wager = _bets_on(street)
            self.to_act = [seat for seat, box in self.active() if wager not in box.stakes]
        self._finish_street()

    def act(self, event: rec.Decided) -> None:
        """Take one decision."""
        box = self.boxes[event.seat]
        if event.wager:
            box.stakes[event.wager] = event.stake
        elif event.word == "fold":
            box.folded_at = event.street
        self.to_act.remove(event.seat)
        self._finish_street()

    def sit_out(self, seat: int) -> None:
        """Deal on as if the seat were empty."""
        self.boxes[seat].sat_out = True
        self.plan = self.house.deal(tuple(seat for seat, _ in self.active()))
        self.pending = list(self.plan[0][len(self.left_deck) - len(self.face_up) :])

    def forfeit(self, event: rec.WagersForfeited) -> None:
        """Take a box out of the contest; cards still due to it are dealt all the same."""
        self.boxes[event.seat].forfeited = event.clause
        if event.seat in self.to_act:
            self.to_act.remove(event.seat)
        if self.betting_closed and not self.pending:
            self._finish_street()

    def end(self, event: rec.RoundVoided) -> None:
        """Void the round; a saved wager needs whole hands, and may need the rest of the layout."""
        self.void = event
        self.to_act = []
        if event.saved and self.game.saved_needs_board:
            self.pending += [place for stage in self.plan[self.stage + 1 :] for place in stage]
        elif not event.saved or self.hands_complete:
            self.pending = []

    def _finish_street(self) -> None:
        last = len(self.plan) - 1
        if self.shown and not self.to_act and self.stage < last and not self.over:
            self.open_stage(self.stage + 1)


def _bets_on(street: Street) -> str:
    for option in street.options:
        if option.wager:
            return option.wager
    raise AssertionError(f"nothing can be bet on the {street.name}")

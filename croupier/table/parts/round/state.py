"""State of one round: boxes, cards, stage, and what is due next. A fold over its events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast

import msgspec

from croupier.cards import DECK, Card, Face, known_cards, known_faces
from croupier.games import BOX, BURN, COMMUNITY, DEALER, Game, House, Seen, Slot, Street
from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as msg

DueKind: TypeAlias = Literal["wagers", "deal", "show", "decide", "settle", "closed"]


class Due(msgspec.Struct, frozen=True):
    """What must happen next: cards to deal, a street to show, a decision, or settlement."""

    kind: DueKind
    cards: int = 0
    seat: int = 0
    street: str = ""


ASIDE = "aside"  # the place of cards that were face up in the deck
NO_CARDS: Mapping[Slot, Sequence[Card]] = {}
CLOSED, WAGERS, SETTLE = Due("closed"), Due("wagers"), Due("settle")


@dataclass(slots=True)
class Box:
    """One betting position in one round."""

    player: str
    stakes: dict[str, Cents]
    cards: list[Face] = field(default_factory=list)
    folded_at: str = ""
    sat_out: bool = False
    forfeited: str = ""  # the clause of the ruling
    settled: dict[str, msg.WagerSettled] = field(default_factory=dict)
    envy: Cents = 0

    @property
    def active(self) -> bool:
        """Whether the box still contests the dealer's hand."""
        return not self.folded_at and not self.sat_out and not self.forfeited

    @property
    def judged(self) -> bool:
        """Whether the hand decides the wagers: the box is neither sitting out nor forfeited."""
        return not self.sat_out and not self.forfeited

    @property
    def net(self) -> Cents:
        """Amounts returned plus envy bonuses, less all stakes."""
        returned = sum(wager.returned for wager in self.settled.values())
        return returned + self.envy - sum(self.stakes.values())


@dataclass(slots=True, repr=False)
class Round:
    """One round of play, from the first wager to the last settlement."""

    house: House = field(compare=False)  # a table compares it by its digest
    number: int
    meters_before: dict[str, Fraction]
    fed: dict[str, Fraction] = field(default_factory=dict)  # contributions to each meter
    boxes: dict[int, Box] = field(default_factory=dict)
    betting_closed: bool = False
    plan: tuple[tuple[Slot, ...], ...] = ()
    stage: int = 0
    pending: list[Slot] = field(default_factory=list)  # places of the stage's cards still to deal
    shown: bool = False  # the street of this stage is open
    to_act: list[int] = field(default_factory=list)
    # Cards by place; a card that has not been read is None.
    dealer: list[Face] = field(default_factory=list)
    community: list[Face] = field(default_factory=list)  # in the order they left the deck
    six_card_box: list[Face] = field(default_factory=list)
    burned: list[Face] = field(default_factory=list)
    face_up: list[Card] = field(default_factory=list)
    drawn: list[Slot] = field(default_factory=list)  # the place of every card dealt, in deal order
    gone: set[Card] = field(default_factory=set)  # cards out of the deck whose face is known
    exposed: set[Card] = field(default_factory=set)  # cards that are face up
    turned: set[Slot] = field(default_factory=set)  # places whose cards were turned up
    hands_shown: bool = False
    envied: set[int] = field(default_factory=set)  # seats whose hand has paid its envy bonuses
    void: msg.RoundVoided | None = None
    closed: bool = False
    # Derived from `stage` and cached because every step reads them: the street with open
    # decisions, None after the last one, and its name, "river" after the last decision.
    street: Street | None = field(init=False, compare=False)
    stage_name: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._set_stage(self.stage)

    def _set_stage(self, stage: int) -> None:
        streets = self.house.game.streets
        self.stage = stage
        self.street = streets[stage] if stage < len(streets) else None
        self.stage_name = self.street.name if self.street else "river"

    @property
    def game(self) -> Game:
        """The game of the House."""
        return self.house.game

    @property
    def layout(self) -> list[Face]:
        """The community cards in layout order."""
        return list(self.game.arrange_community(self.community, self.house))

    @property
    def paying(self) -> bool:
        """Whether a wager of the round is settled already."""
        return any(box.settled for box in self.boxes.values())

    def pile(self, place: Slot) -> list[Face]:
        """The cards at a place, in the order they were dealt there."""
        if isinstance(place, int):
            return self.boxes[place].cards
        match place:
            case "dealer":
                return self.dealer
            case "community":
                return self.community
            case "box":
                return self.six_card_box
            case "burn":
                return self.burned
        raise AssertionError(f"no cards are dealt to {place!r}")

    def places(self) -> Iterator[Slot]:
        """Every place that cards are dealt to."""
        yield from sorted(self.boxes)
        yield from (DEALER, COMMUNITY, BOX, BURN)

    @property
    def left_deck(self) -> list[Face]:
        """Every card that has left the deck, in order."""
        piles = {place: iter(self.pile(place)) for place in self.places()}
        piles[ASIDE] = iter(self.face_up)
        return [next(piles[place]) for place in self.drawn]

    def set_aside(self, card: Card) -> None:
        """Take a card that was face up in the deck out of play."""
        self.face_up.append(card)
        self.gone.add(card)
        self.drawn.append(ASIDE)
        self.exposed.add(card)

    def active(self) -> list[tuple[int, Box]]:
        """The boxes that still contest the dealer's hand, in seat order."""
        return [(seat, self.boxes[seat]) for seat in sorted(self.boxes) if self.boxes[seat].active]

    @property
    def over(self) -> bool:
        """Whether no box is active; live side wagers need no further card (A85)."""
        # Same test as `Box.active`, inlined: every step of a round evaluates this.
        for box in self.boxes.values():  # noqa: SIM110
            if not (box.folded_at or box.sat_out or box.forfeited):
                return False
        return True

    @property
    def hands_complete(self) -> bool:
        """Whether every box and the dealer have a complete hand."""
        game = self.game
        return len(self.dealer) == game.dealer_cards and all(
            len(box.cards) == game.player_cards for box in self.boxes.values() if not box.sat_out
        )

    @property
    def all_dealt(self) -> bool:
        """Whether the last card of the round is dealt, so that the stub can be discarded."""
        if self.void or not self.betting_closed:
            return self.betting_closed and not self.pending
        if self.over:
            return not (self.pending and self.stage == 0)
        return not self.pending and not any(self.plan[self.stage + 1 :])

    def decisions_left(self) -> bool:
        """Whether any player still has a decision to make in this round."""
        if self.shown and self.to_act:
            return True
        later = self.game.streets[self.stage + self.shown :]
        return any(
            _street_wager(street) not in box.stakes for _, box in self.active() for street in later
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

    def seen(self, seat: int, turned: Mapping[Slot, Sequence[Card]] = NO_CARDS) -> Seen:
        """The cards and wagers that settle a box; `turned` are cards just turned up."""
        box = self.boxes[seat]
        cards: Sequence[Face] = turned.get(seat, box.cards)
        dealer: Sequence[Face] = turned.get(DEALER, self.dealer)
        community: Sequence[Face] = self.layout
        six: Sequence[Face] = turned.get(BOX, self.six_card_box)
        if None in cards or None in dealer or None in community or None in six:
            # Cards never turned up decide nothing (see `showdown.unturned_places`): a folded hand
            # without a live wager, or the dealer's hand if no box is active. Any card will do.
            gone = self.gone.union(*turned.values())
            undealt = (card for card in DECK if card not in gone)
            cards, dealer, community, six = (
                [next(undealt) if card is None else card for card in pile]
                for pile in (cards, dealer, community, six)
            )
        return Seen(
            cards=cast("Sequence[Card]", cards),
            dealer=cast("Sequence[Card]", dealer),
            community=cast("Sequence[Card]", community),
            box=cast("Sequence[Card]", six),
            folded_at=box.folded_at,
            wagers=box.stakes,
        )

    def __repr__(self) -> str:
        seats = ", ".join(map(str, sorted(self.boxes))) or "none"
        return f"<Round {self.number} of {self.game.key}: {self.due().kind}, seats {seats}>"

    # Event application; none of these may refuse.

    def open_stage(self, stage: int) -> None:
        """Start a stage: its cards, then its decisions."""
        self._set_stage(stage)
        self.pending = list(self.plan[stage])
        self.shown = False
        self.to_act = []

    def close_betting(self, seats: tuple[int, ...]) -> None:
        """Close betting and plan the deal for these seats."""
        self.betting_closed = True
        self.plan = self.house.deal(seats)
        self.open_stage(0)

    def place(self, cards: tuple[Face, ...], places: tuple[Slot, ...]) -> None:
        """Add dealt cards to their places."""
        self.drawn += places
        del self.pending[: len(cards)]
        piles = {place: self.pile(place) for place in set(places)}
        for card, place in zip(cards, places, strict=True):
            piles[place].append(card)
        self.gone.update(card for card in cards if card is not None)

    def set_faces(self, place: Slot, cards: Sequence[Card]) -> None:
        """Fill in the unread cards of a place from `cards`, in layout order."""
        pile = self.pile(place)
        if None not in pile:
            return
        positions: Sequence[Face] = range(len(pile))
        if place == COMMUNITY:
            positions = self.game.arrange_community(positions, self.house)
        unread = [index for index in positions if index is not None and pile[index] is None]
        new_cards = [card for card in cards if card not in pile]
        for index, card in zip(unread, new_cards, strict=False):
            pile[index] = card
            self.gone.add(card)

    def turn_up(self, place: Slot, cards: tuple[Card, ...]) -> None:
        """Turn the cards of a place face up."""
        self.set_faces(place, cards)
        self.exposed.update(cards)
        self.turned.add(place)

    def see(self, event: Event) -> None:
        """Apply what an event says about cards; ignore other events."""
        handler = CARD_HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def turn_up_each(self, cards: tuple[Card, ...], places: tuple[Slot, ...]) -> None:
        """Turn cards at several places face up."""
        by_place: dict[Slot, list[Card]] = {}
        for card, place in zip(cards, places, strict=True):
            by_place.setdefault(place, []).append(card)
        for place, turned in by_place.items():
            self.turn_up(place, tuple(turned))

    def correct(self, place: Slot, position: int, card: Card) -> None:
        """Replace a misread card; hands must be announced again."""
        pile = self.pile(place)
        was, pile[position] = pile[position], card
        assert was is not None, "only a card that was read can be corrected"
        self.gone.discard(was)
        self.gone.add(card)
        if was in self.exposed:
            self.exposed.discard(was)
            self.exposed.add(card)
        self.turned.clear()
        self.hands_shown = False

    def show(self, community: tuple[Card, ...]) -> None:
        """Open the street: boxes with a decision left act in seat order."""
        self.shown = True
        self.set_faces(COMMUNITY, community)
        self.exposed.update(community)
        street = self.street
        if street is not None:
            wager = _street_wager(street)
            self.to_act = [seat for seat, box in self.active() if wager not in box.stakes]
        self._finish_street()

    def act(self, event: msg.Decided) -> None:
        """Apply one decision."""
        box = self.boxes[event.seat]
        if event.wager:
            box.stakes[event.wager] = event.stake
        elif event.word == "fold":
            box.folded_at = event.street
        self.to_act.remove(event.seat)
        self._finish_street()

    def sit_out(self, seat: int) -> None:
        """Continue the deal as if the seat were empty."""
        self.boxes[seat].sat_out = True
        self.plan = self.house.deal(tuple(seat for seat, _ in self.active()))
        self.pending = list(self.plan[0][len(self.drawn) - len(self.face_up) :])

    def forfeit(self, event: msg.WagersForfeited) -> None:
        """Forfeit a box; its remaining cards are still dealt."""
        self.boxes[event.seat].forfeited = event.clause
        if event.seat in self.to_act:
            self.to_act.remove(event.seat)
        if self.betting_closed and not self.pending:
            self._finish_street()

    def end(self, event: msg.RoundVoided) -> None:
        """Void the round; a saved wager needs complete hands, and may need the whole board."""
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


def _street_wager(street: Street) -> str:
    for option in street.options:
        if option.wager:
            return option.wager
    raise AssertionError(f"the {street.name} has no wager")


def _on_irregularity(current: Round, event: msg.IrregularityNoted) -> None:
    if event.irregularity == "card_face_up":
        current.set_aside(known_cards((str(event.detail["card"]),))[0])


# Events that change cards or their faces.
CARD_HANDLERS: dict[type[Event], Callable[[Round, Any], None]] = {
    msg.CardsDealt: lambda round, event: round.place(known_faces(event.cards), event.places),
    msg.HandAnnounced: lambda round, event: round.turn_up(
        event.seat or DEALER, known_cards(event.cards)
    ),
    msg.BoxShown: lambda round, event: round.turn_up(BOX, known_cards(event.cards)),
    msg.CardsTurned: lambda round, event: round.turn_up_each(
        known_cards(event.cards), event.places
    ),
    msg.CardsRead: lambda round, event: round.set_faces(event.place, known_cards(event.cards)),
    msg.ReadingCorrected: lambda round, event: round.correct(
        event.place, event.position, known_cards((event.card,))[0]
    ),
    msg.IrregularityNoted: _on_irregularity,
}

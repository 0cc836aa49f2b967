"""State of one round: boxes, cards, stage, and what is due next. A fold over its events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast

import msgspec

from croupier.cards import DECK, Card, Face, cards_from_names, faces_from_names
from croupier.games import BOX, BURN, COMMUNITY, DEALER, DealtHand, Game, House, Slot, Street
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
    collected: msg.WagersCollected | None = None  # the wagers lost by folding, in the tray already
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
    # Face-down cards of which the same card was read elsewhere: read, but not known.
    doubted: set[tuple[Slot, int]] = field(default_factory=set)
    # Cards corrected face down, which nobody has seen.
    corrected: set[tuple[Slot, int]] = field(default_factory=set)
    turned: set[Slot] = field(default_factory=set)  # places whose cards were turned up
    announced: set[int] = field(default_factory=set)  # seats whose hand was announced
    hands_shown: bool = False  # every hand that the settlement needs is face up
    envied: set[tuple[int, int]] = field(default_factory=set)  # holder and seat paid for the hand
    delayed: dict[tuple[int, str], msg.PaymentDelayed] = field(default_factory=dict)
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
        """Whether a wager of the round is settled already, or its payment fixed."""
        return bool(self.delayed) or any(box.settled for box in self.boxes.values())

    def is_resolved(self, seat: int, wager: str) -> bool:
        """Whether a wager is settled, or its payment fixed and delayed."""
        return wager in self.boxes[seat].settled or (seat, wager) in self.delayed

    def may_correct(self, place: Slot) -> bool:
        """Whether no payment depends on the cards of a place; a hand decides its own wagers."""
        if not self.paying:
            return True
        box = self.boxes.get(place) if isinstance(place, int) else None
        return box is not None and not box.settled and all(s != place for s, _ in self.delayed)

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
            case "aside":
                return cast("list[Face]", self.face_up)
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
        pile = self.pile(ASIDE)
        pile.append(None)
        self.drawn.append(ASIDE)
        self.exposed.add(card)
        self.read(ASIDE, len(pile) - 1, card)

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
    def dealer_waits(self) -> bool:
        """Whether the dealer's cards are in the device that dealt, until their turn (A106)."""
        over = self.void or self.closed or self.hands_shown or DEALER in self.turned
        return bool(self.dealer) and not over and self.game.procedure.dealer_waits(self.house)

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

    def seen(self, seat: int, turned: Mapping[Slot, Sequence[Card]] = NO_CARDS) -> DealtHand:
        """The cards and wagers that settle a box; `turned` are cards just turned up."""
        box = self.boxes[seat]
        cards: Sequence[Face] = turned.get(seat, box.cards)
        dealer: Sequence[Face] = turned.get(DEALER, self.dealer)
        community: Sequence[Face] = self.layout
        six: Sequence[Face] = turned.get(BOX, self.six_card_box)
        if None in cards or None in dealer or None in community or None in six:
            # Cards that are not face up decide none of the wagers in question (`turn_order.Turn`):
            # a folded hand without a live wager, or a hand of which only the board counts. Any
            # card will do.
            gone = self.gone.union(*turned.values())
            undealt = (card for card in DECK if card not in gone)
            cards, dealer, community, six = (
                [next(undealt) if card is None else card for card in pile]
                for pile in (cards, dealer, community, six)
            )
        return DealtHand(
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
        known = [card for card in cards if card is not None]
        if self.gone.isdisjoint(known):
            for card, place in zip(cards, places, strict=True):
                piles[place].append(card)
            self.gone.update(known)
            return
        for card, place in zip(cards, places, strict=True):
            piles[place].append(None)
            if card is not None:
                self.read(place, len(piles[place]) - 1, card)

    def read(self, place: Slot, index: int, card: Card) -> None:
        """Record a reading. A card read face down at two places is known at neither.

        A card that is face up lies where it is seen, so that only the other reading is in doubt.
        """
        pile = self.pile(place)
        was, pile[index] = pile[index], card
        if was == card:
            return
        if was is not None:
            self.gone.discard(was)
        self.doubted.discard((place, index))
        if card not in self.gone:
            self.gone.add(card)
            return
        places = [(place, index)] if card not in self.exposed else []
        places += [
            (other, number)
            for other in self.places()
            for number, face in enumerate(self.pile(other))
            if face == card and (other, number) != (place, index)
        ]
        for other, number in places:
            self.pile(other)[number] = None
        self.doubted.update(places)
        if card not in self.exposed:
            self.gone.discard(card)

    def read_positions(self, place: Slot) -> list[int]:
        """The positions of a place whose cards were read, in doubt or not."""
        return [
            index
            for index, card in enumerate(self.pile(place))
            if card is not None or (place, index) in self.doubted
        ]

    def unread(self, place: Slot) -> bool:
        """Whether a card of a place was never read."""
        return len(self.read_positions(place)) < len(self.pile(place))

    def seen_or_read(self, place: Slot) -> list[Face]:
        """The cards of a place in layout order; None where the reading is missing or a guess."""
        pile = self.pile(place)
        return [
            None if (place, index) in self.corrected else pile[index]
            for index in self._positions(place)
        ]

    def _discard_guesses(self, place: Slot, count: int) -> None:
        """Discard corrections of face-down cards in the first `count` positions."""
        pile = self.pile(place)
        for index in self._positions(place)[:count]:
            if (place, index) in self.corrected:
                self.corrected.discard((place, index))
                face, pile[index] = pile[index], None
                if face is not None:
                    self.gone.discard(face)

    def set_faces(self, place: Slot, cards: Sequence[Card]) -> None:
        """Fill in the unread cards of a place from `cards`, in layout order."""
        pile = self.pile(place)
        if None not in pile:
            return
        unread = [index for index in self._positions(place) if pile[index] is None]
        new_cards = [card for card in cards if card not in pile]
        for index, card in zip(unread, new_cards, strict=False):
            self.read(place, index, card)

    def read_all(self, place: Slot, cards: Sequence[Card]) -> None:
        """Record the cards of a place; if they lack one read before, that one was misread."""
        if set(cards) >= {card for card in self.pile(place) if card is not None}:
            self.set_faces(place, cards)
            return
        for index, card in zip(self._positions(place), cards, strict=True):
            self.read(place, index, card)

    def _positions(self, place: Slot) -> list[int]:
        """The positions of a place in layout order."""
        positions: Sequence[Face] = range(len(self.pile(place)))
        if place == COMMUNITY:
            positions = self.game.arrange_community(positions, self.house)
        return [index for index in positions if index is not None]

    def turn_up(self, place: Slot, cards: tuple[Card, ...]) -> None:
        """Turn the cards of a place face up."""
        self.exposed.update(cards)
        self._discard_guesses(place, len(self.pile(place)))
        self.set_faces(place, cards)
        self.turned.add(place)

    def announce(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Turn up a hand that is announced; seat 0 is the dealer."""
        self.turn_up(seat or DEALER, cards)
        self.announced.add(seat)

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
        """Replace a misread card; the hands that it belongs to must be announced again."""
        was = self.pile(place)[position]
        if was is not None and was in self.exposed:
            self.exposed.discard(was)
            self.exposed.add(card)
        else:
            self.corrected.add((place, position))
        self.read(place, position, card)
        if isinstance(place, int):
            self.turned.discard(place)
            self.announced.discard(place)
        else:
            self.turned.clear()
            self.announced.clear()
        self.hands_shown = False

    def show(self, community: tuple[Card, ...]) -> None:
        """Open the street: boxes with a decision left act in seat order."""
        self.shown = True
        self.exposed.update(community)
        self._discard_guesses(COMMUNITY, len(community))
        self.set_faces(COMMUNITY, community)
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
        current.set_aside(cards_from_names((str(event.detail["card"]),))[0])


# Events that change cards or their faces.
CARD_HANDLERS: dict[type[Event], Callable[[Round, Any], None]] = {
    msg.CardsDealt: lambda round, event: round.place(faces_from_names(event.cards), event.places),
    msg.HandAnnounced: lambda round, event: round.announce(
        event.seat, cards_from_names(event.cards)
    ),
    msg.BoxShown: lambda round, event: round.turn_up(BOX, cards_from_names(event.cards)),
    msg.CardsTurned: lambda round, event: round.turn_up_each(
        cards_from_names(event.cards), event.places
    ),
    msg.CardsRead: lambda round, event: round.read_all(event.place, cards_from_names(event.cards)),
    msg.ReadingCorrected: lambda round, event: round.correct(
        event.place, event.position, cards_from_names((event.card,))[0]
    ),
    msg.IrregularityNoted: _on_irregularity,
}

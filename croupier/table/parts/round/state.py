"""The state of one round: a fold over its events, and what is due next."""

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
from croupier.table.parts.round import messages as rec

DueKind: TypeAlias = Literal["wagers", "deal", "show", "decide", "settle", "closed"]


class Due(msgspec.Struct, frozen=True):
    """What must happen next: so many cards, a street to show, a seat to decide, a settlement."""

    kind: DueKind
    cards: int = 0
    seat: int = 0
    street: str = ""


ASIDE = "aside"  # where a card goes that lay face up in the deck
NOTHING: Mapping[Slot, Sequence[Card]] = {}
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
    settled: dict[str, rec.WagerSettled] = field(default_factory=dict)
    envy: Cents = 0

    @property
    def active(self) -> bool:
        """Still in the contest."""
        return not self.folded_at and not self.sat_out and not self.forfeited

    @property
    def judged(self) -> bool:
        """Its stakes follow its hand: neither skipped, which returns them, nor forfeited."""
        return not self.sat_out and not self.forfeited

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
    # Cards where they lie; a face that nobody has seen yet is None.
    dealer: list[Face] = field(default_factory=list)
    community: list[Face] = field(default_factory=list)  # in the order they left the deck
    six_card_box: list[Face] = field(default_factory=list)
    burned: list[Face] = field(default_factory=list)
    face_up: list[Card] = field(default_factory=list)
    drawn: list[Slot] = field(default_factory=list)  # where each card went that left the deck
    gone: set[Card] = field(default_factory=set)  # every card out of the deck whose face is known
    exposed: set[Card] = field(default_factory=set)  # cards that everybody has seen
    turned: set[Slot] = field(default_factory=set)  # the places whose cards were turned up
    hands_shown: bool = False
    envied: set[int] = field(default_factory=set)  # holders whose envy bonuses were paid
    void: rec.RoundVoided | None = None
    closed: bool = False
    # What follows from the stage, asked at every step: the street whose decisions are asked for,
    # None after the last one, and its name, or "river" for the cards after the last decision.
    street: Street | None = field(init=False, compare=False)
    stage_name: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._enter(self.stage)

    def _enter(self, stage: int) -> None:
        streets = self.house.game.streets
        self.stage = stage
        self.street = streets[stage] if stage < len(streets) else None
        self.stage_name = self.street.name if self.street else "river"

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.house.game

    @property
    def layout(self) -> list[Face]:
        """The community cards as they are listed."""
        return list(self.game.arrange_community(self.community, self.house))

    @property
    def paying(self) -> bool:
        """Whether some stake of the round was resolved already."""
        return any(box.settled for box in self.boxes.values())

    def pile(self, place: Slot) -> list[Face]:
        """The cards that lie at a place, in the order they came there."""
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
        raise AssertionError(f"no cards lie at {place!r}")

    def places(self) -> Iterator[Slot]:
        """Everywhere that cards are dealt to."""
        yield from sorted(self.boxes)
        yield from (DEALER, COMMUNITY, BOX, BURN)

    @property
    def left_deck(self) -> list[Face]:
        """Every card that has left the deck, in its order."""
        piles = {place: iter(self.pile(place)) for place in self.places()}
        piles[ASIDE] = iter(self.face_up)
        return [next(piles[place]) for place in self.drawn]

    def set_aside(self, card: Card) -> None:
        """A card that lay face up in the deck is out of play, and everybody saw it."""
        self.face_up.append(card)
        self.gone.add(card)
        self.drawn.append(ASIDE)
        self.exposed.add(card)

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

    def seen(self, seat: int, told: Mapping[Slot, Sequence[Card]] = NOTHING) -> DealtHand:
        """What lies before the dealer when a box is judged; `told` are cards just turned."""
        box = self.boxes[seat]
        cards: Sequence[Face] = told.get(seat, box.cards)
        dealer: Sequence[Face] = told.get(DEALER, self.dealer)
        community: Sequence[Face] = self.layout
        six: Sequence[Face] = told.get(BOX, self.six_card_box)
        if None in cards or None in dealer or None in community or None in six:
            # What nobody turned decides nothing (see `showdown.to_turn`): a hand folded without a
            # wager that outlives it, the dealer's where nobody plays on. Any card may stand for it.
            gone = self.gone.union(*told.values())
            others = (card for card in DECK if card not in gone)
            cards, dealer, community, six = (
                [next(others) if card is None else card for card in pile]
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

    # What each event does to the round; none of these may refuse.

    def open_stage(self, stage: int) -> None:
        """Begin the cards and the decisions of a stage."""
        self._enter(stage)
        self.pending = list(self.plan[stage])
        self.shown = False
        self.to_act = []

    def close_betting(self, seats: tuple[int, ...]) -> None:
        """Fix the seats and with them the order of the cards."""
        self.betting_closed = True
        self.plan = self.house.deal(seats)
        self.open_stage(0)

    def place(self, cards: tuple[Face, ...], places: tuple[Slot, ...]) -> None:
        """Put cards where they go."""
        self.drawn += places
        del self.pending[: len(cards)]
        piles = {place: self.pile(place) for place in set(places)}
        for card, place in zip(cards, places, strict=True):
            piles[place].append(card)
        self.gone.update(card for card in cards if card is not None)

    def name_faces(self, place: Slot, cards: Sequence[Card]) -> None:
        """These cards lie at a place: faces that nobody had seen are known, in listed order."""
        pile = self.pile(place)
        if None not in pile:
            return
        listed: Sequence[Face] = range(len(pile))
        if place == COMMUNITY:
            listed = self.game.arrange_community(listed, self.house)
        unseen = [index for index in listed if index is not None and pile[index] is None]
        fresh = [card for card in cards if card not in pile]
        for index, card in zip(unseen, fresh, strict=False):
            pile[index] = card
            self.gone.add(card)

    def turn_up(self, place: Slot, cards: tuple[Card, ...]) -> None:
        """Everybody sees these cards."""
        self.name_faces(place, cards)
        self.exposed.update(cards)
        self.turned.add(place)

    def see(self, event: Event) -> None:
        """What an event says about cards and their faces; streets open by `show`."""
        tells = TELLS.get(type(event))
        if tells is not None:
            tells(self, event)

    def turn_several(self, cards: tuple[Card, ...], places: tuple[Slot, ...]) -> None:
        """Whole hands, and those cards of the layout that no street has shown."""
        by_place: dict[Slot, list[Card]] = {}
        for card, place in zip(cards, places, strict=True):
            by_place.setdefault(place, []).append(card)
        for place, fresh in by_place.items():
            self.turn_up(place, tuple(fresh))

    def correct(self, place: Slot, position: int, card: Card) -> None:
        """A card was misread: it is another one, and hands are announced anew."""
        pile = self.pile(place)
        was, pile[position] = pile[position], card
        assert was is not None, "only what was read is corrected"
        self.gone.discard(was)
        self.gone.add(card)
        if was in self.exposed:
            self.exposed.discard(was)
            self.exposed.add(card)
        self.turned.clear()
        self.hands_shown = False

    def show(self, community: tuple[Card, ...]) -> None:
        """Open the street: those who still have a decision act in seat order."""
        self.shown = True
        self.name_faces(COMMUNITY, community)
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
        self.pending = list(self.plan[0][len(self.drawn) - len(self.face_up) :])

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


def _noted(current: Round, event: rec.IrregularityNoted) -> None:
    if event.irregularity == "card_face_up":
        current.set_aside(cards_from_names((str(event.detail["card"]),))[0])


# What an event tells about cards and their faces.
TELLS: dict[type[Event], Callable[[Round, Any], None]] = {
    rec.CardsDealt: lambda round, event: round.place(faces_from_names(event.cards), event.places),
    rec.HandAnnounced: lambda round, event: round.turn_up(
        event.seat or DEALER, cards_from_names(event.cards)
    ),
    rec.BoxShown: lambda round, event: round.turn_up(BOX, cards_from_names(event.cards)),
    rec.CardsTurned: lambda round, event: round.turn_several(
        cards_from_names(event.cards), event.places
    ),
    rec.CardsRead: lambda round, event: round.name_faces(
        event.place, cards_from_names(event.cards)
    ),
    rec.ReadingCorrected: lambda round, event: round.correct(
        event.place, event.position, cards_from_names((event.card,))[0]
    ),
    rec.IrregularityNoted: _noted,
}

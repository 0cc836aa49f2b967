"""What a round teaches: every decision of a player with the exact worth of its options.

A lesson is folded from the entries of a practice table, whose cards are all on record. Worth is
exact, in cents of the ante that was staked; only what is shown is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from croupier.cards import Card, known_cards
from croupier.coach import coach_messages
from croupier.errors import BadInput
from croupier.games import COMMUNITY, House, Slot
from croupier.money import Cents
from croupier.table import Event, Round, Shoe, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.shuffler import CommittedDeck


@dataclass(slots=True)
class ReviewedDecision:
    """One decision as it was made: what the player could look at, and what was said."""

    seat: int
    street: str
    when: str  # the moment of the street, as it is spoken
    word: str
    cards: list[Card]
    board: list[Card]
    made: dict[str, int]  # decision wagers before, in antes
    ante: Cents


@dataclass(slots=True)
class ReviewedRound:
    """A round as the entries tell it."""

    number: int
    players: dict[int, str] = field(default_factory=dict)
    stakes: dict[int, dict[str, Cents]] = field(default_factory=dict)
    cards: dict[Slot, list[Card]] = field(default_factory=dict)
    asked: list[ReviewedDecision] = field(default_factory=list)
    said: list[cmd.Decide] = field(default_factory=list)  # everything, judged or not
    meters: dict[str, Fraction] = field(default_factory=dict)  # before it, where they are known
    closed: bool = False
    void: bool = False
    deck: str = ""  # as it was revealed
    back: dict[int, Cents] = field(default_factory=dict)  # what each box was given back

    def net(self, seat: int) -> Cents:
        """What the round won or lost on one box."""
        return self.back.get(seat, 0) - sum(self.stakes[seat].values())

    def decide(self, house: House, event: ev.Decided) -> None:
        """Keep a decision with what lay there; sizes that are no whole antes are not judged."""
        game = house.game
        stakes = self.stakes[event.seat]
        ante = stakes[game.ante.name]
        street = next(one for one in game.streets if one.name == event.street)
        bets = {one.name: stakes.get(one.name, 0) for one in game.wagers if one.role == "decision"}
        layout = list(game.arrange_community(self.cards.get(COMMUNITY, []), house))
        whole = all(stake % ante == 0 for stake in bets.values())
        known = any(option.word == event.word for option in street.options)
        if whole and known:
            made = {name: stake // ante for name, stake in bets.items() if stake}
            board = [card for card in layout[: street.shown] if card is not None]
            cards = list(self.cards.get(event.seat, []))
            self.asked.append(
                ReviewedDecision(
                    event.seat, street.name, street.when, event.word, cards, board, made, ante
                )
            )
        cents = None if known else event.stake
        self.said.append(cmd.Decide(event.seat, event.word, cents))
        if event.wager:
            stakes[event.wager] = event.stake


def asked_at(current: Round, seat: int, word: str) -> ReviewedDecision | None:
    """A decision that is about to be made at a table; None if it cannot be judged."""
    from croupier.analysis import at_table

    ante = current.boxes[seat].stakes[current.game.ante.name]
    if current.street is None or current.street.option(word) is None:
        return None
    try:
        street, cards, board, made = at_table(current, seat)
    except BadInput:  # a bet before was no whole number of antes
        return None
    return ReviewedDecision(seat, street, current.street.when, word, cards, board, made, ante)


def follow(
    house: House, events: Iterable[Event], current: ReviewedRound | None
) -> Iterable[ReviewedRound]:
    """The rounds of these events, going on with one that has begun; the last may be open."""
    for event in events:
        match event:
            case ev.RoundOpened():
                if current is not None:
                    yield current
                current = ReviewedRound(event.number)
            case ev.WagersPlaced() if current is not None:
                current.players.pop(event.seat, None)
                current.stakes.pop(event.seat, None)
                if event.stakes:
                    current.players[event.seat] = event.player
                    current.stakes[event.seat] = dict(event.stakes)
            case ev.CardsDealt() if current is not None:
                faces = known_cards(event.cards)
                for card, place in zip(faces, event.places, strict=True):
                    current.cards.setdefault(place, []).append(card)
            case ev.Decided() if current is not None:
                current.decide(house, event)
            case ev.WagerSettled() if current is not None:
                current.back[event.seat] = current.back.get(event.seat, 0) + event.returned
            case ev.EnvyPaid() if current is not None:
                current.back[event.seat] = current.back.get(event.seat, 0) + event.paid
            case ev.RoundVoided() if current is not None:
                current.void = True
            case ev.RoundClosed() if current is not None:
                current.closed = True
            case ev.DeckRevealed() if current is not None:
                current.deck = event.revealed
    if current is not None:
        yield current


def valued(strategy: Any, asked: ReviewedDecision) -> coach_messages.ReviewedChoice:
    """A decision with what every option was worth, the best first."""
    answers = strategy.ask(asked.street, asked.cards, asked.board, asked.made)
    worths = tuple(worth_of(one.option, one.ev, answers[0].ev, asked.ante) for one in answers)
    said = next(one for one in worths if one.word == asked.word)
    return coach_messages.ReviewedChoice(
        seat=asked.seat,
        street=asked.street,
        when=asked.when,
        word=asked.word,
        options=worths,
        cost=said.less,
    )


def valued_all(
    strategy: Any, asked: Iterable[ReviewedDecision]
) -> tuple[coach_messages.ReviewedChoice, ...]:
    """Several decisions; it takes a moment each."""
    return tuple(valued(strategy, one) for one in asked)


def worth_of(word: str, worth: Fraction, best: Fraction, ante: Cents) -> coach_messages.OptionValue:
    """One option in antes, exactly, and in cents, rounded half to even."""
    less = (best - worth) * ante
    return coach_messages.OptionValue(
        word=word, antes=str(worth), cents=round(worth * ante), less=round(less)
    )


def added(
    account: coach_messages.Mistakes,
    choices: Sequence[coach_messages.ReviewedChoice],
    *,
    net: Cents,
    expected: Fraction,
) -> coach_messages.Mistakes:
    """The account with one round more: what it won, and what its bets win under the best play."""
    cost = account.cost + sum(one.cost for one in choices)
    won, worth = account.net + net, Fraction(account.expected) + expected
    return coach_messages.Mistakes(
        rounds=account.rounds + 1,
        decisions=account.decisions + len(choices),
        mistakes=account.mistakes + sum(one.cost > 0 for one in choices),
        cost=cost,
        net=won,
        expected=str(worth),
        luck=round(won - worth) + cost,
    )


def again(
    house: House, played: ReviewedRound, seat: int, words: tuple[str, ...]
) -> coach_messages.Again:
    """The same deck and wagers once more; this seat says other words, everybody else the same.

    Meters stand as they stood before the round, where that is known.
    """
    if not played.deck:
        raise BadInput(f"the deck of round {played.number} is not revealed")
    table = Table(house, meters=played.meters)
    decision = {wager.name for wager in house.game.wagers if wager.role == "decision"}
    for box, stakes in sorted(played.stakes.items()):
        placed = {name: cents for name, cents in stakes.items() if name not in decision}
        table.do(cmd.PlaceWagers(box, placed, played.players[box]))
    table.do(cmd.NoMoreBets())
    shoe = Shoe(CommittedDeck.of(played.deck).cards)
    said = {box: [one for one in played.said if one.seat == box] for box in played.stakes}
    said[seat] = [cmd.Decide(seat, word) for word in words]
    while (due := shoe.serve(table)).kind == "decide":
        if not said[due.seat]:
            options = tuple(option.word for option in table.options())
            if due.seat == seat:
                return coach_messages.Again(asks=options, street=due.street, net=None, events=())
            said[due.seat].append(cmd.Decide(due.seat, options[0]))
        table.do(said[due.seat].pop(0))
    events = table.do(cmd.Settle())
    assert table.round is not None
    shown = tuple(
        msgspec.to_builtins(event)
        for event in events
        if isinstance(event, ev.HandAnnounced | ev.WagerSettled | ev.EnvyPaid)
    )
    return coach_messages.Again(asks=(), street="", net=table.round.boxes[seat].net, events=shown)

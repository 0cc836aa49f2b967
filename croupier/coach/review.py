"""Reviews of played rounds: every decision of a player with the exact value of its options.

A round is collected from the events of a practice table, which record all cards. Values are exact
and in cents of the staked ante; only displayed amounts are rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.cards import Card, cards_from_names
from croupier.coach import coach_messages
from croupier.errors import BadInput
from croupier.games import COMMUNITY, Game, House, Slot
from croupier.money import Cents
from croupier.table import Account, Event, Round, Shoe, Table, Viewer
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.shuffler import CommittedDeck
from croupier.table.event_text import EventText, spoken_cards


@dataclass(slots=True)
class ReviewedDecision:
    """A decision, and what the player knew when making it."""

    seat: int
    street: str
    when: str  # the street in words, for example "after the flop"
    word: str
    cards: list[Card]
    board: list[Card]
    made: dict[str, int]  # earlier decision wagers, in antes
    ante: Cents


@dataclass(slots=True)
class ReviewedRound:
    """A round collected from its events."""

    number: int
    players: dict[int, str] = field(default_factory=dict)
    stakes: dict[int, dict[str, Cents]] = field(default_factory=dict)
    cards: dict[Slot, list[Card]] = field(default_factory=dict)
    decisions: list[ReviewedDecision] = field(default_factory=list)  # those that can be valued
    commands: list[cmd.Decide] = field(default_factory=list)  # all decisions
    meters: dict[str, Fraction] = field(default_factory=dict)  # before the round, if known
    closed: bool = False
    void: bool = False
    deck: str = ""  # as revealed after the round
    returned: dict[int, Cents] = field(default_factory=dict)  # to each box

    def net(self, seat: int) -> Cents:
        """The net result of one box."""
        return self.returned.get(seat, 0) - sum(self.stakes[seat].values())

    def add_decision(self, house: House, event: ev.Decided) -> None:
        """Add a decision; one after a bet that is not a whole number of antes is not valued."""
        game = house.game
        stakes = self.stakes[event.seat]
        ante = stakes[game.ante.name]
        street = next(street for street in game.streets if street.name == event.street)
        bets = {
            wager.name: stakes.get(wager.name, 0)
            for wager in game.wagers
            if wager.role == "decision"
        }
        layout = list(game.arrange_community(self.cards.get(COMMUNITY, []), house))
        whole_antes = all(stake % ante == 0 for stake in bets.values())
        listed = any(option.word == event.word for option in street.options)
        if whole_antes and listed:
            self.decisions.append(
                ReviewedDecision(
                    seat=event.seat,
                    street=street.name,
                    when=street.when,
                    word=event.word,
                    cards=list(self.cards.get(event.seat, [])),
                    board=[card for card in layout[: street.shown] if card is not None],
                    made={name: stake // ante for name, stake in bets.items() if stake},
                    ante=ante,
                )
            )
        cents = None if listed else event.stake
        self.commands.append(cmd.Decide(event.seat, event.word, cents))
        if event.wager:
            stakes[event.wager] = event.stake


def decision_at(current: Round, seat: int, word: str) -> ReviewedDecision | None:
    """A decision about to be made at a table; None if it cannot be valued."""
    from croupier.analysis import information_set

    ante = current.boxes[seat].stakes[current.game.ante.name]
    if current.street is None or current.street.option(word) is None:
        return None
    try:
        street, cards, board, made = information_set(current, seat)
    except BadInput:  # an earlier bet is not a whole number of antes
        return None
    return ReviewedDecision(seat, street, current.street.when, word, cards, board, made, ante)


def collect_rounds(
    house: House, events: Iterable[Event], current: ReviewedRound | None
) -> Iterable[ReviewedRound]:
    """The rounds of these events; `current` is the unfinished round of earlier events, if any.

    The last round yielded may be unfinished.
    """
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
                faces = cards_from_names(event.cards)
                for card, place in zip(faces, event.places, strict=True):
                    current.cards.setdefault(place, []).append(card)
            case ev.Decided() if current is not None:
                current.add_decision(house, event)
            case ev.WagerSettled() if current is not None:
                current.returned[event.seat] = current.returned.get(event.seat, 0) + event.returned
            case ev.EnvyPaid() if current is not None:
                current.returned[event.seat] = current.returned.get(event.seat, 0) + event.paid
            case ev.RoundVoided() if current is not None:
                current.void = True
            case ev.RoundClosed() if current is not None:
                current.closed = True
            case ev.DeckRevealed() if current is not None:
                current.deck = event.revealed
    if current is not None:
        yield current


def review_decision(
    strategy: Any, decision: ReviewedDecision, game: Game | None = None
) -> coach_messages.ReviewedChoice:
    """Value all options of a decision, the best first; explain the best one under `game`."""
    answers = strategy.ask(decision.street, decision.cards, decision.board, decision.made)
    options = tuple(
        option_value(answer.option, answer.ev, answers[0].ev, decision.ante) for answer in answers
    )
    chosen = next(option for option in options if option.word == decision.word)
    return coach_messages.ReviewedChoice(
        seat=decision.seat,
        street=decision.street,
        when=decision.when,
        word=decision.word,
        options=options,
        cost=chosen.less,
        why=explain_best(game, decision, options[0].word) if game is not None else "",
    )


def explain_best(game: Game, decision: ReviewedDecision, best: str) -> str:
    """Why an option is the best one, in a sentence; "" for a game without simple rules."""
    from croupier.analysis import explain

    street = next(street for street in game.streets if street.name == decision.street)
    return explain(game, street, decision.cards, decision.board, best)


def review_decisions(
    strategy: Any, decisions: Iterable[ReviewedDecision], game: Game | None = None
) -> tuple[coach_messages.ReviewedChoice, ...]:
    """Review several decisions; each takes a moment."""
    return tuple(review_decision(strategy, decision, game) for decision in decisions)


def option_value(
    word: str, value: Fraction, best: Fraction, ante: Cents
) -> coach_messages.OptionValue:
    """An option with its value in antes, exact, and in cents, rounded half to even."""
    less = (best - value) * ante
    return coach_messages.OptionValue(
        word=word, antes=str(value), cents=round(value * ante), less=round(less)
    )


def add_round(
    totals: coach_messages.MistakeTotals,
    choices: Sequence[coach_messages.ReviewedChoice],
    *,
    net: Cents,
    expected: Fraction,
) -> coach_messages.MistakeTotals:
    """Add a round to the totals: its net result, and the expected one under the best play."""
    cost = totals.cost + sum(choice.cost for choice in choices)
    total_net, total_expected = totals.net + net, Fraction(totals.expected) + expected
    return coach_messages.MistakeTotals(
        rounds=totals.rounds + 1,
        decisions=totals.decisions + len(choices),
        mistakes=totals.mistakes + sum(choice.cost > 0 for choice in choices),
        cost=cost,
        net=total_net,
        expected=str(total_expected),
        luck=round(total_net - total_expected) + cost,
    )


def replay_round(
    house: House, played: ReviewedRound, seat: int, words: tuple[str, ...]
) -> coach_messages.ReplayedRound:
    """Replay a round with the same deck and wagers and other decisions at one seat.

    The other seats decide as before. Meters start at their amounts before the round, if known.
    Raises BadInput if the deck is not revealed yet.
    """
    if not played.deck:
        raise BadInput(f"the deck of round {played.number} is not revealed")
    table = Table(house, meters=played.meters)
    decision_wagers = {wager.name for wager in house.game.wagers if wager.role == "decision"}
    for box, stakes in sorted(played.stakes.items()):
        placed = {name: cents for name, cents in stakes.items() if name not in decision_wagers}
        table.do(cmd.PlaceWagers(box, placed, played.players[box]))
    table.do(cmd.NoMoreBets())
    shoe = Shoe(CommittedDeck.of(played.deck).cards)
    pending = {
        box: [command for command in played.commands if command.seat == box]
        for box in played.stakes
    }
    pending[seat] = [cmd.Decide(seat, word) for word in words]
    while (due := shoe.serve(table)).kind == "decide":
        if not pending[due.seat]:
            options = tuple(option.word for option in table.options())
            if due.seat == seat:
                return coach_messages.ReplayedRound(
                    asks=options, street=due.street, net=None, sentences=()
                )
            pending[due.seat].append(cmd.Decide(due.seat, options[0]))
        table.do(pending[due.seat].pop(0))
    events = table.do(cmd.Settle())
    assert table.round is not None
    player = Viewer(Account(played.players[seat], "player"))
    text = EventText(player, house.game, played.players, name_cards=spoken_cards)
    results = tuple(
        text.describe(event)
        for event in events
        if isinstance(event, ev.HandAnnounced | ev.WagerSettled | ev.EnvyPaid)
    )
    net = table.round.boxes[seat].net
    return coach_messages.ReplayedRound(asks=(), street="", net=net, sentences=results)

"""Plain-text account of a finished round: wagers, cards, decisions and settlements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from croupier.cards import names
from croupier.games import Game, title
from croupier.money import dollars, down_to_cent
from croupier.table import Event, Round
from croupier.table import events as ev

OUTCOMES = {"win": "wins", "push": "pushes", "lose": "loses", "void": "is void"}


def render(current: Round | None, events: Sequence[Event], meters: Mapping[str, Fraction]) -> str:
    """Describe a finished round line by line, in order, with clause citations."""
    assert current is not None and current.closed, "the round is not finished"
    lines = [current.game.title, ""]
    for event in events:
        lines += event_lines(event, current)
    lines += ["", *nets(current)]
    lines += [f"{name} meter: {dollars(down_to_cent(value))}" for name, value in meters.items()]
    return "\n".join(lines)


def event_lines(event: Event, current: Round) -> Iterator[str]:
    """Describe one event; events that a later one covers yield nothing."""
    game, cited = current.game, f" [{event.clauses[0]}]" if event.clauses else ""
    match event:
        case ev.WagersPlaced():
            stakes = (
                f"{wager_title(game, name)} {dollars(cents)}" for name, cents in staked(event)
            )
            yield f"Seat {event.seat} bets {', '.join(stakes)}.{cited}"
        case ev.BettingClosed():
            yield f"No more bets.{cited}"
        case ev.StreetShown(community=cards) if cards:
            yield f"The dealer shows {' '.join(cards)}.{cited}"
        case ev.Decided():
            yield f"{decision_text(event, current)}{cited}"
        case ev.HandAnnounced():
            who = f"Seat {event.seat}" if event.seat else "The dealer"
            yield f"{who} has {' '.join(event.cards)}: {event.hand}.{cited}"
        case ev.BoxShown():
            yield f"The Six Card box has {' '.join(event.cards)}.{cited}"
        case ev.WagerSettled():
            yield f"  {settlement_text(event, game)}"
        case ev.MeterPaid():
            yield f"  The {event.meter} meter pays seat {event.seat} {dollars(event.paid)}.{cited}"
        case ev.EnvyPaid():
            hand = title(event.hand)
            paid = f"{dollars(event.paid)} for the {hand} of seat {event.holder}"
            yield f"  Seat {event.seat} wins an envy bonus of {paid}. [{event.clause}]"
        case ev.IrregularityNoted():
            yield f"Irregularity: {event.irregularity.replace('_', ' ')}.{cited}"
        case ev.PlayerSatOut():
            yield f"Seat {event.seat} was skipped in the deal and sits out.{cited}"
        case ev.RoundVoided():
            yield f"The round is void: {event.irregularity.replace('_', ' ')}. [{event.clause}]"


def staked(event: ev.WagersPlaced) -> list[tuple[str, int]]:
    return [(name, cents) for name, cents in event.stakes.items() if cents]


def wager_title(game: Game, name: str) -> str:
    """The title of a wager as on the felt."""
    wager = game.wager(name)
    return wager.title if wager else name


def decision_text(event: ev.Decided, current: Round) -> str:
    cards = " ".join(names(current.boxes[event.seat].cards))
    if event.wager:
        bet = f"{wager_title(current.game, event.wager)} {dollars(event.stake)}"
        return f"Seat {event.seat} with {cards} bets {event.word}: {bet}."
    return f"Seat {event.seat} with {cards} {event.word}s."


def settlement_text(event: ev.WagerSettled, game: Game) -> str:
    verb = f"{OUTCOMES[event.outcome]} {event.pays}".rstrip()
    cut = f", {dollars(event.withheld)} cut by the payout limit" if event.withheld else ""
    return (
        f"Seat {event.seat} {wager_title(game, event.wager)} {verb}: {dollars(event.stake)} -> "
        f"{dollars(event.returned)}{cut} [{event.clause}]"
    )


def nets(current: Round) -> Iterator[str]:
    """The net result of every seat."""
    for seat, box in sorted(current.boxes.items()):
        sign = "+" if box.net > 0 else "-" if box.net < 0 else ""
        yield f"Seat {seat}: net {sign}{dollars(abs(box.net))}"

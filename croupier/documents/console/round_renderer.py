"""A round told to people: who bet what, the cards, the decisions, what became of every wager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from croupier.cards import names
from croupier.games import Game, title
from croupier.money import dollars, down_to_cent
from croupier.table import Event, Round
from croupier.table import events as ev

OUTCOMES = {"win": "wins", "push": "pushes", "lose": "loses", "void": "is void"}


def tell(current: Round | None, events: Sequence[Event], meters: Mapping[str, Fraction]) -> str:
    """A finished round, line by line, in the order it happened; every line with its clause."""
    assert current is not None and current.closed, "the round is not finished"
    lines = [current.game.title, ""]
    for event in events:
        lines += line(event, current)
    lines += ["", *nets(current)]
    lines += [f"{name} meter: {dollars(down_to_cent(value))}" for name, value in meters.items()]
    return "\n".join(lines)


def line(event: Event, current: Round) -> Iterator[str]:
    """What one event means to a reader; nothing where a later one says it."""
    game, cited = current.game, f" [{event.clauses[0]}]" if event.clauses else ""
    match event:
        case ev.WagersPlaced():
            stakes = (f"{titled(game, name)} {dollars(cents)}" for name, cents in put(event))
            yield f"Seat {event.seat} bets {', '.join(stakes)}.{cited}"
        case ev.BettingClosed():
            yield f"No more bets.{cited}"
        case ev.StreetShown(community=shown) if shown:
            yield f"The dealer shows {' '.join(shown)}.{cited}"
        case ev.Decided():
            yield f"{decided(event, current)}{cited}"
        case ev.HandAnnounced():
            who = f"Seat {event.seat}" if event.seat else "The dealer"
            yield f"{who} has {' '.join(event.cards)}: {event.hand}.{cited}"
        case ev.BoxShown():
            yield f"The Six Card box has {' '.join(event.cards)}.{cited}"
        case ev.WagerSettled():
            yield f"  {settled(event, game)}"
        case ev.MeterPaid():
            yield f"  The {event.meter} meter pays seat {event.seat} {dollars(event.paid)}.{cited}"
        case ev.EnvyPaid():
            hand = title(event.hand)
            paid = f"{dollars(event.paid)} for the {hand} of seat {event.holder}"
            yield f"  Seat {event.seat} is paid an envy bonus of {paid}. [{event.clause}]"
        case ev.IrregularityNoted():
            yield f"Irregularity: {event.irregularity.replace('_', ' ')}.{cited}"
        case ev.PlayerSatOut():
            yield f"Seat {event.seat} was passed over and sits out.{cited}"
        case ev.RoundVoided():
            yield f"The round is void: {event.irregularity.replace('_', ' ')}. [{event.clause}]"


def put(event: ev.WagersPlaced) -> list[tuple[str, int]]:
    """The stakes that lie there."""
    return [(name, cents) for name, cents in event.stakes.items() if cents]


def titled(game: Game, name: str) -> str:
    """A wager as it is written on the felt."""
    wager = game.wager(name)
    return wager.title if wager else name


def decided(event: ev.Decided, current: Round) -> str:
    """A decision, with the cards it was made on."""
    cards = " ".join(names(current.boxes[event.seat].cards))
    if event.wager:
        bet = f"{titled(current.game, event.wager)} {dollars(event.stake)}"
        return f"Seat {event.seat} with {cards} bets {event.word}: {bet}."
    return f"Seat {event.seat} with {cards} {event.word}s."


def settled(event: ev.WagerSettled, game: Game) -> str:
    """What became of one stake."""
    verb = f"{OUTCOMES[event.outcome]} {event.pays}".rstrip()
    kept = f", {dollars(event.withheld)} kept back by the payout limit" if event.withheld else ""
    return (
        f"Seat {event.seat} {titled(game, event.wager)} {verb}: {dollars(event.stake)} -> "
        f"{dollars(event.returned)}{kept} [{event.clause}]"
    )


def nets(current: Round) -> Iterator[str]:
    """What every seat won or lost."""
    for seat, box in sorted(current.boxes.items()):
        sign = "+" if box.net > 0 else "-" if box.net < 0 else ""
        yield f"Seat {seat}: net {sign}{dollars(abs(box.net))}"

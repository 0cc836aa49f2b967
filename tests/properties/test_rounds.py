"""Invariants of every round: each wager settled once, money conserved, any prefix replayable.

A random round (`tests.support.hypothesis_strategies`) also checks at every command that deciding
changes nothing, whether the command is accepted or refused.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.table import Table
from croupier.table import events as ev
from croupier.table.core.codec import AnyEvent
from tests.support.hypothesis_strategies import RandomRound, rounds
from tests.support.rounds import EVERY_GAME

SLOW_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]
# Deterministic rounds, so that builds are reproducible; the slow test draws random ones.
MANY = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=SLOW_CHECKS
)
VERY_MANY = settings(max_examples=2000, deadline=None, suppress_health_check=SLOW_CHECKS)
by_game = pytest.mark.parametrize("game", EVERY_GAME)


@by_game
@MANY
@given(data=st.data())
def test_every_round_keeps_the_invariants(game: str, data: st.DataObject) -> None:
    """Wagers, money, cards, clauses, and the table rebuilt from any prefix of the events."""
    check_invariants(data.draw(rounds(game)))


@pytest.mark.slow
@by_game
@VERY_MANY
@given(data=st.data())
def test_every_round_at_length(game: str, data: st.DataObject) -> None:
    """The same for thousands of random rounds."""
    check_invariants(data.draw(rounds(game)))


def check_invariants(played: RandomRound) -> None:
    """Assert all invariants of one round."""
    resolved_once(played)
    outcomes_say_what_comes_back(played)
    money_is_conserved(played)
    prefixes_rebuild_the_table(played)
    cards_are_in_one_place(played)
    events_rest_on_clauses(played)


def settled(played: RandomRound) -> list[ev.WagerSettled]:
    """The settlement events of a round, in order."""
    return [event for event in played.events if isinstance(event, ev.WagerSettled)]


def resolved_once(played: RandomRound) -> None:
    """Assert that every stake is settled exactly once and for its own amount."""
    current = played.table.round
    assert current is not None
    staked = {
        (seat, wager): stake
        for seat, box in current.boxes.items()
        for wager, stake in box.stakes.items()
    }
    assert Counter(staked.keys()) == Counter((e.seat, e.wager) for e in settled(played))
    assert staked == {(event.seat, event.wager): event.stake for event in settled(played)}


def outcomes_say_what_comes_back(played: RandomRound) -> None:
    """Assert that a push and a void return the stake, a loss nothing; only wins are withheld."""
    for event in settled(played):
        match event.outcome:
            case "push" | "void":
                assert event.stake == event.returned
            case "lose":
                assert event.returned == 0
            case "win":
                assert event.returned >= event.stake
        assert event.withheld == 0 or event.outcome == "win"


def money_is_conserved(played: RandomRound) -> None:
    """Assert that the gains of players, tray and meters, each computed separately, sum to zero."""
    current = played.table.round
    assert current is not None
    players = sum(box.net for box in current.boxes.values())
    meters = sum(played.table.meters.values()) - sum(current.meters_before.values())
    assert 0 == players + tray(played.events) + meters


def tray(events: list[ev.Event]) -> Fraction:
    """The gain of the tray: stakes less contributions, returns, envy bonuses and refills."""
    gained = Fraction(0)
    fed = Fraction(0)
    for event in events:
        match event:
            case ev.WagerSettled():
                gained += event.stake - event.returned
            case ev.MeterPaid():  # the award came from the meter, the refill from the tray
                gained += event.paid - Fraction(event.refill)
            case ev.EnvyPaid():
                gained -= event.paid
            case ev.ProgressiveLocked() | ev.PlayerSatOut():
                fed += sum(Fraction(amount) for amount in event.contributions.values())
            case ev.RoundVoided():
                fed = Fraction(0)
    return gained - fed


def prefixes_rebuild_the_table(played: RandomRound) -> None:
    """Assert that events decoded from JSON rebuild the table after every command."""
    written = msgspec.json.encode(played.events)
    read = msgspec.json.decode(written, type=list[AnyEvent])
    assert played.events == read
    rebuilt = Table(played.rules)
    applied = 0
    for boundary, then in zip(played.boundaries, played.states, strict=True):
        for event in read[applied:boundary]:
            rebuilt.evolve(event)
        applied = boundary
        assert then.state == rebuilt.state()
        assert then.due == rebuilt.due()
    assert Table.replay(played.rules, read) == played.table


def cards_are_in_one_place(played: RandomRound) -> None:
    """Assert that every card dealt is in the discard rack exactly once."""
    closed = played.events[-1]
    assert isinstance(closed, ev.RoundClosed)
    assert len(closed.discards) == len(set(closed.discards)) == 52 - closed.stub
    dealt = [card for e in played.events if isinstance(e, ev.CardsDealt) for card in e.cards]
    assert set(dealt) <= set(closed.discards)


def events_rest_on_clauses(played: RandomRound) -> None:
    """Assert that every event that moves a card or chip cites a clause."""
    assert [] == [e for e in played.events if not e.clauses and not getattr(e, "clause", "")]

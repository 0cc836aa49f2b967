"""What holds for every round: each stake resolved once, money conserved, any prefix replayable.

A random round (`tests.support.hypothesis_strategies`) also checks at every command that deciding changes nothing,
whether the command is accepted or refused.
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
# The same rounds in every run, so that a build tells one story; the slow test looks further.
MANY = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=SLOW_CHECKS
)
VERY_MANY = settings(max_examples=2000, deadline=None, suppress_health_check=SLOW_CHECKS)
by_game = pytest.mark.parametrize("game", EVERY_GAME)


@by_game
@MANY
@given(data=st.data())
def test_every_round_keeps_its_money_straight(game: str, data: st.DataObject) -> None:
    """Each stake is resolved once for its amount, outcomes mean what they say, nothing is lost."""
    played = data.draw(rounds(game))
    resolved_once(played)
    outcomes_say_what_comes_back(played)
    money_is_conserved(played)


@by_game
@MANY
@given(data=st.data())
def test_every_round_can_be_rebuilt(game: str, data: st.DataObject) -> None:
    """Any prefix of the events rebuilds the table; every card is kept; every event cites."""
    played = data.draw(rounds(game))
    prefixes_rebuild_the_table(played)
    cards_are_in_one_place(played)
    events_rest_on_clauses(played)


@pytest.mark.slow
@by_game
@VERY_MANY
@given(data=st.data())
def test_every_round_at_length(game: str, data: st.DataObject) -> None:
    """All of it for thousands of rounds that differ from run to run."""
    played = data.draw(rounds(game))
    resolved_once(played)
    outcomes_say_what_comes_back(played)
    money_is_conserved(played)
    prefixes_rebuild_the_table(played)
    cards_are_in_one_place(played)
    events_rest_on_clauses(played)


def settled(played: RandomRound) -> list[ev.WagerSettled]:
    """The settlements of a round, in their order."""
    return [event for event in played.events if isinstance(event, ev.WagerSettled)]


def resolved_once(played: RandomRound) -> None:
    """What was staked, before the deal or in it, is settled once and for its own amount."""
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
    """A push and a void return the stake, a loss nothing, and withheld money was won."""
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
    """What players, tray and meters gain and lose comes to nothing, each counted on its own."""
    current = played.table.round
    assert current is not None
    players = sum(box.net for box in current.boxes.values())
    meters = sum(played.table.meters.values()) - sum(current.meters_before.values())
    assert 0 == players + tray(played.events) + meters


def tray(events: list[ev.Event]) -> Fraction:
    """What the tray gains: stakes, less what they feed, what it returns, envy and refills."""
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
    """Events written as JSON and read again rebuild the table as it was after every command."""
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
    """Every card that left the deck lies in exactly one place of the discard rack."""
    closed = played.events[-1]
    assert isinstance(closed, ev.RoundClosed)
    assert len(closed.discards) == len(set(closed.discards)) == 52 - closed.stub
    dealt = [card for e in played.events if isinstance(e, ev.CardsDealt) for card in e.cards]
    assert set(dealt) <= set(closed.discards)


def events_rest_on_clauses(played: RandomRound) -> None:
    """No card or chip moves without a citation."""
    assert [] == [e for e in played.events if not e.clauses and not getattr(e, "clause", "")]

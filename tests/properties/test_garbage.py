"""Invalid commands never crash a table or change money; they are refused with a message."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.errors import CroupierError
from croupier.table import commands as cmd
from tests.support.fast_copy import copy_state
from tests.support.rounds import EVERY_GAME, Play, Seat, house, opening_wagers

SETTINGS = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
MOMENTS = ("wagers", "deal", "show", "decide", "settle")
FOLD = {"ultimate_texas_holdem": "check check fold", "jackpot_holdem": "check check fold"}

junk: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.binary(max_size=3),
    st.lists(st.integers(0, 51), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
words = st.one_of(st.sampled_from(("1x", "2x", "4x", "check", "fold", "x", "c", "")), junk)
seats = st.one_of(st.integers(0, 7), junk)
names = st.one_of(
    st.sampled_from(("ante", "first_ante", "blind", "play", "progressive", "trips")), junk
)
hashable = names.filter(lambda value: not isinstance(value, list | dict))
amounts = st.one_of(st.integers(-100, 10**12), junk)
cards = st.one_of(st.lists(st.one_of(st.integers(-1, 52), junk), max_size=12).map(tuple), junk)
places = st.one_of(st.sampled_from(("seat 1", "seat 9", "seat ²", "dealer")), junk)

garbage: st.SearchStrategy[cmd.Command] = st.one_of(
    st.builds(cmd.PlaceWagers, seats, st.dictionaries(hashable, amounts, max_size=4), junk),
    st.builds(cmd.PlaceWagers, seats, junk, st.just("")),
    st.just(cmd.NoMoreBets()),
    st.builds(cmd.DealCards, cards),
    st.just(cmd.ShowStreet()),
    st.builds(cmd.Decide, seats, words, st.one_of(st.none(), amounts)),
    st.just(cmd.Settle()),
    st.builds(cmd.FindCardFaceUp, junk),
    st.just(cmd.DrawInError()),
    st.builds(cmd.FindWrongNumber, places),
    st.just(cmd.ExposeDealerCard()),
    st.just(cmd.ExposeCommunityCard()),
    st.builds(cmd.ExposePlayerCard, seats),
    st.just(cmd.JamShuffler()),
    st.just(cmd.JamShoe()),
    st.builds(cmd.SkipPlayer, seats),
    st.builds(cmd.Forfeit, seats, st.one_of(st.sampled_from(("conduct", "abandoned")), junk)),
    st.builds(cmd.FindWrongCount, junk),
)


@pytest.mark.parametrize("game", EVERY_GAME)
@SETTINGS
@given(moment=st.sampled_from(MOMENTS), sent=st.lists(garbage, min_size=1, max_size=4))
def test_garbage_is_refused_and_changes_nothing(
    game: str, moment: str, sent: list[cmd.Command]
) -> None:
    """At every moment of a round a command is accepted or raises a CroupierError."""
    rules = house(game)
    round_ = Play(rules, {1: Seat("", FOLD.get(game, "fold"), **opening_wagers(rules))})
    if moment != "wagers":
        round_.until(moment)
    table = round_.table
    for command in sent:
        before = copy_state(table)
        try:
            table.do(command)
        except CroupierError:
            assert before == table.state()


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize(
    "command",
    [
        cmd.FindWrongNumber("seat ²"),
        cmd.FindWrongNumber("seat "),
        cmd.FindWrongNumber("seat 7"),
        cmd.SkipPlayer(0),
        cmd.ExposePlayerCard(2),
        cmd.DealCards(("2s", "2s")),
        cmd.Decide(1, "\uff11x"),
        cmd.Forfeit(6, "abandoned"),
        "settle",
        None,
    ],
)
def test_odd_commands_are_refused_in_words(game: str, command: Any) -> None:
    """Plausible mistakes of people and devices are refused with a message."""
    rules = house(game)
    round_ = Play(rules, {1: Seat("", FOLD.get(game, "fold"), **opening_wagers(rules))}).until(
        "decide"
    )
    before = copy_state(round_.table)
    with pytest.raises(CroupierError, match=r"\w+ \w+"):
        round_.table.do(command)
    assert before == round_.table.state()

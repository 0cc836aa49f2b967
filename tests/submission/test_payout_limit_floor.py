"""The maximum win at minimum bets (A60), from the posted paytables and the readings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import CATALOGUE, Game, House
from croupier.money import up_to_cent
from croupier.rulebook import letters
from croupier.submission import covered_wagers, maximum_win_at_minimum
from tests.properties.test_rounds import MANY
from tests.support.hypothesis_strategies import rounds
from tests.support.rounds import house

LIMITED = [game for game in CATALOGUE if game.limit]
every_limited_game = pytest.mark.parametrize("game", LIMITED, ids=[game.key for game in LIMITED])


@every_limited_game
@MANY
@given(data=st.data())
def test_no_round_wins_more_than_the_most_at_the_minimum(game: Game, data: st.DataObject) -> None:
    """On any deal, the covered wagers at their minimum win no more than the maximum."""
    played = data.draw(rounds(game.key, irregular=False))
    current = played.table.round
    assert current is not None and game.limit is not None
    covered = covered_wagers(played.rules, game.limit)
    most = maximum_win_at_minimum(played.rules)
    staked = {name: highest(played.rules, name) for name in covered if played.rules.offers(name)}
    for seat in current.boxes:
        seen = msgspec.structs.replace(current.seen(seat), wagers=tuple(staked))
        results = [
            r for facts in game.judge(seen, played.rules) for r in played.rules.settle(facts)
        ]
        won = sum(
            up_to_cent(result.pays.winnings(staked[result.wager]))
            for result in results
            if result.outcome == "win" and result.wager in staked
        )
        assert won <= most.total


@every_limited_game
def test_the_most_at_the_minimum_follows_what_is_posted(game: Game) -> None:
    """Each share is the wager's highest payout, and the shares add up to the total."""
    assert game.limit is not None
    for rules in with_every_letter(game):
        most = maximum_win_at_minimum(rules)
        assert most.total == sum(share.amount for share in most.shares)
        for share in most.shares:
            assert share.amount == up_to_cent(share.pays.winnings(share.stake))
            highest = max(
                result.pays.winnings(share.stake)
                for results in rules.tabulate().values()
                for result in results
                if result.wager == share.wager and result.outcome == "win"
            )
            # Two royal flushes through one cross would need the same five cards twice.
            assert share.amount == highest or share.wager in ("second_run", "play_the_board")


def highest(rules: House, name: str) -> int:
    """The highest bet on a wager after a minimum ante."""
    if name in rules.limits:
        return rules.limits[name].minimum
    options = [option for street in rules.game.streets for option in street.options]
    times = [option.times for option in options if option.wager == name]
    return max(times, default=1) * rules.limits[rules.game.ante.name].minimum


def with_every_letter(game: Game) -> Iterator[House]:
    """A House for each paytable of each covered wager, one changed at a time."""
    assert game.limit is not None
    for wager in game.limit.covers:
        for letter in letters(game.key, wager):
            yield house(game.key, letters={wager: letter})
    yield house(game.key)


@pytest.mark.parametrize("offered", [True, False])
def test_the_formulas_of_the_contract(offered: bool) -> None:
    """Texas 5a + 1000b, Jackpot 504a + 100p, Run 'Em Twice 3300a, Ultimate 505a + 50t."""
    limits = {"ante": (5, 500)}

    def most(game: str, side: str = "", **changes: Any) -> int:
        table_limits = dict(limits, **({side: (3, 500)} if side and offered else {}))
        without = [side] if side and not offered else []
        rules = house(game, limits=table_limits, without=without, **changes)
        return maximum_win_at_minimum(rules).total

    b = 3_00 if offered else 0
    assert 5 * 5_00 + 1000 * b == most("texas_holdem_bonus", "texas_holdem_bonus")
    assert 504 * 5_00 + 100 * b == most("jackpot_holdem", "player_bonus")


def test_the_most_follows_the_readings() -> None:
    """Center at even money wins 1,497 antes less; covered side wagers add their maximum."""
    antes = {"first_ante": (5, 500)}
    assert 3300 * 5_00 == maximum_win_at_minimum(house("run_em_twice", limits=antes)).total
    even = house("run_em_twice", limits=antes, center_rule="even_money")
    assert 1803 * 5_00 == maximum_win_at_minimum(even).total

    ultimate = {"ante": (5, 500), "trips": (2, 500), "bad_beat": (1, 5), "play_the_board": (1, 5)}
    plain = house("ultimate_texas_holdem", limits=ultimate)
    assert 505 * 5_00 + 50 * 2_00 == maximum_win_at_minimum(plain).total
    covered = house("ultimate_texas_holdem", limits=ultimate, limit_covers_side_wagers=True)
    # Aces at 30, a straight flush beaten at 10,000 and one on the board at 200 to 1.
    more = 30 * 1_00 + 10_000 * 1_00 + 200 * 1_00
    assert 505 * 5_00 + 50 * 2_00 + more == maximum_win_at_minimum(covered).total


def test_the_most_with_the_players_own_bad_beat_only() -> None:
    """Then losing with a straight flush is worth more than winning with a royal flush."""
    limits = {"ante": (5, 500), "trips": (1, 500), "bad_beat": (1, 5), "play_the_board": (1, 5)}
    rules = house(
        "ultimate_texas_holdem",
        limits=limits,
        limit_covers_side_wagers=True,
        bad_beat_scope="player_hand",
    )
    most = maximum_win_at_minimum(rules)
    assert {"trips", "ultimate_pairs", "bad_beat", "play_the_board"} == {
        share.wager for share in most.shares
    }

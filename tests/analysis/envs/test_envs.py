"""Environments: the packages' own checkers, the table's money, masks, seeds and exact values."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from croupier import submission
from croupier.analysis.advice import advise
from croupier.analysis.envs import GameEnv, GameVectorEnv, TableEnv, register_environments
from croupier.games import CATALOGUE
from croupier.table import Shoe, Table
from croupier.table.commands import Decide, NoMoreBets, PlaceWagers, Settle

GAMES = [game.key for game in CATALOGUE]


@pytest.mark.parametrize("game", GAMES)
def test_the_checkers_pass(game: str) -> None:
    """Gymnasium's for one seat and PettingZoo's for six."""
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on how networks like their numbers
        check_env(GameEnv(game), skip_render_check=True)
        api_test(TableEnv(game, 3), num_cycles=40)
        seed_test(lambda: TableEnv(game, 2), num_cycles=10)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_are_what_the_table_pays(game: str) -> None:
    """Random answers at three seats; the same deck and answers at a table, to the cent."""
    house = submission.example(game)
    env = TableEnv(house, 3)
    rng = np.random.default_rng(3)
    for number in range(25):
        env.reset(seed=number)
        table, shoe = Table(house), Shoe(env.rounds.decks[0].tolist())
        ante = env.rounds.seating.ante
        stakes = {w.name: ante for w in house.game.wagers if w.role in ("ante", "matching")}
        for seat in (1, 2, 3):
            table.do(PlaceWagers(seat, stakes))
        table.do(NoMoreBets())
        won = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            won[agent] += reward
            if over:
                env.step(None)
                continue
            assert observation is not None
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            seat = env.seat(agent)
            due = shoe.serve(table)
            assert ("decide", seat + 1) == (due.kind, due.seat)
            street = env.rounds.street(0, seat)
            env.step(action)
            table.do(Decide(due.seat, env.rounds.options[street][action]))
        shoe.serve(table)
        table.do(Settle())
        assert table.round is not None
        paid = {f"seat_{seat}": box.net / ante for seat, box in table.round.boxes.items()}
        assert paid == pytest.approx(won)


def test_seeds_and_vectors_agree() -> None:
    """The same seed is the same deck; a vector's rounds are those of the seed, one by one."""
    one, many = GameEnv("top_five"), GameVectorEnv("top_five", 8)
    first, _ = one.reset(seed=5)
    again, _ = one.reset(seed=5)
    seen, info = many.reset(seed=5)

    assert np.array_equal(first, again) and np.array_equal(first, seen[0])
    for row in range(8):
        assert np.array_equal(first, seen[row])
        _, reward, over, _, _ = one.step(np.int64(1))
        assert over
        if row == 0:
            _, rewards, overs, _, _ = many.step(np.ones(8, np.int64))
            assert overs.all()
        assert rewards[row] == reward
        first, _ = one.reset()
    _, rewards, overs, _, info = many.step(np.zeros(8, np.int64))  # a new deal, actions ignored
    assert not overs.any() and not rewards.any() and info["action_mask"].all()
    assert many.action_masks().shape == (8, 2)


@pytest.mark.parametrize("game", GAMES)
def test_single_and_vector_environments_agree(game: str) -> None:
    """Round after round, past the end of a block: observations, rewards, masks."""
    one, many = GameEnv(game), GameVectorEnv(game, 300)
    rng = np.random.default_rng(4)
    tree = many.rounds.tree
    seen, info = many.reset(seed=7)
    actions = rng.integers(-1, tree.most_actions + 1, (len(many.rounds.streets), 300))
    steps = []
    for chosen in actions:
        over = many.rounds.over[:, 0].copy()
        active = np.flatnonzero(~over)
        paid = many.rounds.act(active, 0, chosen[active]).tolist()
        steps.append((seen, info["action_mask"], over, dict(zip(active.tolist(), paid))))
        seen = many.rounds.observations(np.arange(300), 0)
        info = {"action_mask": many.rounds.masks(np.arange(300), 0)}
    assert many.rounds.over.all()
    first, information = one.reset(seed=7)
    for number in range(300):
        for chosen, (observations, masks, over, rewards) in zip(actions, steps):
            if over[number]:
                break
            assert np.array_equal(observations[number], first)
            assert np.array_equal(masks[number], information["action_mask"])
            first, reward, ended, _, information = one.step(chosen[number])
            assert rewards[number] == reward
        assert ended and np.array_equal(seen[number], first)
        first, information = one.reset()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_gymnasium_id(game: str) -> None:
    """`gym.make` and `gym.make_vec` give environments of the example House, or of another."""
    import gymnasium as gym

    name = f"croupier/{game}-v1"
    assert name in register_environments()
    house = submission.example(game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on how networks like their numbers
        env: Any = gym.make(name, house=house)
        many: Any = gym.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point")
    observation, _ = env.reset(seed=1)
    many_seen, _ = many.reset(seed=1)

    assert isinstance(env.unwrapped, GameEnv) and env.unwrapped.rounds.house is house
    assert isinstance(many, GameVectorEnv)
    assert np.array_equal(observation, many_seen[0])
    assert [street.name for street in house.game.streets] == list(env.unwrapped.actions)


def test_an_observation_is_what_its_description_says() -> None:
    """Own cards, board, street to decide, actions taken: all in `GameEnv`'s docstring."""
    env = GameEnv("ultimate_texas_holdem")
    env.reset(seed=1)
    observation, *_ = env.step(np.int64(0))
    held, board = env.cards()
    expected = np.zeros(52 * 6 + 6, np.int8)
    expected[held] = 1
    expected[[52 * (1 + place) + card for place, card in enumerate(board)]] = 1
    expected[52 * 6 + 1] = 1  # the flop is to be decided; the check before it was action 0

    assert np.array_equal(expected, observation) and 3 == len(board)
    assert ("check", "2x") == env.actions["flop"]
    observation, *_ = env.step(np.int64(1))
    assert [0, 0, 0, 0, 1, 0] == observation[-6:].tolist()  # over, after action 1 on the flop
    assert np.count_nonzero(observation) == 2 + 5 + 1


def test_illegal_answers_risk_least() -> None:
    """Never raised: the answer is taken as the check or the fold."""
    env = GameEnv("ultimate_texas_holdem", render_mode="ansi")
    env.reset(seed=1)
    _, _, over, _, info = env.step(np.int64(99))
    assert not over and [1, 1, 0] == info["action_mask"].tolist()
    assert [True, True, False] == env.action_masks().tolist()
    env.step(np.int64(2))  # no such bet after the flop: a check
    _, reward, over, _, _ = env.step(np.int64(-1))
    assert over and -2.0 == reward  # ante and blind of a fold
    assert "|" in str(env.render())


def test_exact_values_on_request() -> None:
    """What `advise` says of the same cards."""
    house = submission.example("texas_holdem_bonus")
    env = GameEnv(house, exact=True)
    _, info = env.reset(seed=2)
    held, _ = env.cards()
    expected: dict[str, Any] = {word: float(ev) for word, ev in advise(house, held)}

    assert expected == info["values"]
    env.step(np.int64(1))
    *_, info = env.step(np.int64(1))
    held, board = env.cards()
    made = {"flop": 2, "turn": 1}
    later = {word: float(ev) for word, ev in advise(house, held, board, bets=made)}
    assert later == info["values"]
    assert "values" not in GameEnv(house).reset(seed=2)[1]

"""The main game and a wager that a fold forfeits: against loops that deal every runout."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import analysis, submission
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.solvers import forfeited_wagers
from croupier.analysis.strategies import holdem_cost
from croupier.analysis.strategies.holdem_cost import play_solved
from croupier.games import VERSUS, House
from croupier.games.ultimate_texas_holdem import joint_play
from croupier.ranking import CATEGORIES, CATEGORY_SHIFT, poker_value, rank_hands
from tests.cli.commands.test_analysis_commands import run

ULTIMATE = "ultimate_texas_holdem"
SEVEN = {"progressive_after_fold": False, "progressive_basis": "best_five_of_seven"}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("progressive", {"progressive_after_fold": False}),
    ("progressive", SEVEN),
    ("bad_beat", {"bad_beat_after_fold": False}),
    ("bad_beat", {"bad_beat_after_fold": False, "bad_beat_scope": "player_hand"}),
]
ANTE = 500
PAIRS = np.array(list(combinations(range(45), 2)))  # of the unseen cards


def house(settings: dict[str, Any]) -> House[Any]:
    """The standard House with some settings."""
    return analysis.with_settings(analysis.standard_house(ULTIMATE), settings)


def naive_change(
    river: joint_play.River, first_five: bool, hand: list[int], flop: list[int]
) -> int:
    """The change by a costlier fold over all runouts, opponent by opponent."""
    rules = play_solved(analysis.standard_house(ULTIMATE)).rules
    left = [card for card in range(52) if card not in (*hand, *flop)]
    on_flop = CATEGORIES[poker_value((*hand, *flop)) >> CATEGORY_SHIFT]
    total = 0
    for runout in combinations(left, 2):
        board = [*flop, *runout]
        rest = np.array([card for card in left if card not in runout])
        pairs = rest[PAIRS]
        boards = np.broadcast_to(board, (len(pairs), 5))
        dealers = rank_hands(np.hstack([pairs, boards])).astype(np.int64)
        own = poker_value((*hand, *board))
        stands = np.sign(own - dealers) + 1
        outcome = 3 * (dealers >= rules.qualifying) + stands
        gain = int(rules.pay[0, own >> CATEGORY_SHIFT, outcome].sum()) - rules.floor
        mine = on_flop if first_five else CATEGORIES[own >> CATEGORY_SHIFT]
        met = np.bincount(stands * len(CATEGORIES) + (dealers >> CATEGORY_SHIFT)).tolist()
        lost = 0
        for code, times in enumerate(met):
            versus, theirs = divmod(code, len(CATEGORIES))
            both = f"{VERSUS[versus]}/{mine}/{CATEGORIES[theirs]}"
            lost += times * river.units.get(both, river.units.get(mine, 0))
        total += max(gain * river.finer, -lost) - max(gain * river.finer, 0)
    return total


@pytest.mark.parametrize(("wager", "settings"), CASES)
def test_what_a_dearer_fold_changes(wager: str, settings: dict[str, Any]) -> None:
    """Some flops and hands with which the wager is worth a thought before a fold."""
    forfeiting = house(settings)
    solved = play_solved(forfeiting)
    lost = forfeited_wagers.lost_by_folding(forfeiting, wager)
    # Where the wager is as large as the ante, it always outweighs a fold that it has a say in.
    river = joint_play.River(solved.worth, lost, Fraction(solved.rules.scale, 100 * ANTE))
    first_five = wager == "progressive" and settings != SEVEN
    changes = river.by_first_five() if first_five else river.by_all_seven()
    flops, hands = deals.early_boards(3).cards, deals.hands()
    actual = np.argwhere(changes * ~holdem_cost.clashes(flops) < 0).tolist()
    for at, hand in random.Random(2).sample(actual, 3):
        expected = naive_change(river, first_five, hands[hand].tolist(), flops[at].tolist())
        assert expected == changes[at, hand] < 0
    assert changes.max() <= 0 > changes.min()


@pytest.mark.parametrize(("wager", "settings"), CASES)
def test_the_sum_lies_between(wager: str, settings: dict[str, Any]) -> None:
    """Better than to forget the wager, not as good as if a fold forfeited nothing."""
    forfeiting = house(settings)
    result = analysis.joint_result(forfeiting, wager, ANTE)
    assert result is not None
    free = forfeited_wagers.value_if_carried(forfeiting, wager) / ANTE + play_solved(forfeiting).ev

    assert result.separate_ev < result.ev < free
    more = analysis.joint_result(forfeiting, wager, 100 * ANTE)
    assert more is not None and more.gain < result.gain / 50  # of a higher ante it is less


def test_nothing_to_say() -> None:
    """Where a fold forfeits nothing."""
    for key in (ULTIMATE, "run_em_twice"):
        assert analysis.joint_result(analysis.standard_house(key), "progressive") is None


def test_the_command(tmp_path: Path) -> None:
    """Offered beside the wager, for people and for programs."""
    text = submission.example_path(ULTIMATE).read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace("bad_beat_after_fold = true", "bad_beat_after_fold = false"))
    output = run("analyze", "--submission", str(file))
    data = json.loads(run("analyze", "--submission", str(file), "--json"))["wagers"]["bad_beat"]

    assert "folding forfeits this wager; house edge of both, per ante of $5.00:" in output
    both = data["A"]["together_with_main"]
    assert Fraction(both["ev"]) > Fraction(both["apart"])
    assert f"{-100 * float(Fraction(both['ev'])):.4f}%" in output

"""Self-check of the naive replay: invariants of every result, over random scenarios.

python -m tests.table.scenario.naive_self_check            # 2,000 random scenarios
python -m tests.table.scenario.naive_self_check 20000 7    # more, with another seed
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from fractions import Fraction

from tests.table.scenario.naive_hands import RANKS, SUITS
from tests.table.scenario.naive_replay import SAVED, Round, cents, deck_of, most_at_the_minimum
from tests.table.scenario.random_scenarios import random_scenario
from tests.table.scenario.scenario_shapes import Result, Scenario


def check_scenario(scenario: Scenario) -> None:
    """Assert some properties of a valid scenario."""
    game, submission = scenario["game"], scenario["submission"]
    assert sorted(deck_of(scenario)) == sorted(r + s for r in RANKS for s in SUITS)
    limits, letters = submission["limits"], submission["paytables"]
    choices = submission["choices"]
    for seat in scenario["seats"].values():
        for wager, stake in seat["wagers"].items():
            if wager in limits:
                assert cents(limits[wager]["min"]) <= stake <= cents(limits[wager]["max"])
            elif wager == "progressive":
                assert stake == cents(choices.get("progressive_stake", 1))
            else:
                assert wager in ("blind", "xtra_bonus", "second_ante")
    if "payout_limit" in choices:
        assert cents(choices["payout_limit"]) >= most_at_the_minimum(game, limits, letters, choices)
    assert sum(meter["rate"] for meter in submission.get("meters", {}).values()) <= 100


def check(scenario: Scenario, seen: Counter[tuple[str, str]]) -> Result:
    """Assert the invariants of a result, and count what occurred."""
    check_scenario(scenario)
    game = Round(scenario)
    before = dict(game.meters_before)
    result = game.play()
    json.dumps(result)
    listed = result["community"] + result["dealer"] + result.get("six_card_box", [])
    for seat in result["seats"].values():
        listed += seat["cards"]
    assert len(set(listed)) == len(listed) and not set(listed) & game.face_up
    seen[result["game"], "void " + result["reason"]["kind"] if result["void"] else "played"] += 1

    for number, seat in result["seats"].items():
        stakes = sum(wager["stake"] for wager in seat["wagers"].values())
        returned = sum(wager["returned"] for wager in seat["wagers"].values())
        assert seat["net"] == returned + seat["envy"] - stakes
        for name, stake in scenario["seats"][number]["wagers"].items():
            assert seat["wagers"][name]["stake"] == stake
        if seat["envy"]:
            assert not result["void"] and "progressive" in seat["wagers"]
            seen[result["game"], "envy"] += 1
        for name, wager in seat["wagers"].items():
            stake, outcome, back = wager["stake"], wager["outcome"], wager["returned"]
            assert type(back) is int and stake > 0
            if outcome == "lose":
                assert back == 0
            elif outcome in ("push", "void"):
                assert back == stake
            else:
                assert outcome == "win" and (back >= stake or name == "progressive")
            if result["void"]:
                assert outcome == "void" or name == SAVED.get(result["game"])
            seen[result["game"], f"{name} {outcome}"] += 1

    after = {meter: Fraction(str(value)) for meter, value in result["meters"].items()}
    if result["void"]:
        assert after == before
    else:
        expected = dict(before)
        for meter, change, why in game.meter_log:
            expected[meter] += change
            seen[result["game"], f"meter {why}"] += 1
            assert why == "award" or change >= 0
        assert after == expected
        contributed = sum(change for _, change, why in game.meter_log if why == "rate")
        staked = sum(
            seat.stakes.get("progressive", 0) for seat in game.seats.values() if not seat.skipped
        )
        assert contributed == staked * sum(game.rates.values()) / 100
        awards = Counter(meter for meter, _, why in game.meter_log if why == "award")
        if max(awards.values(), default=0) > 1:
            seen[result["game"], "one meter won twice"] += 1
    return result


def self_check(rounds: int, seed: int) -> Counter[tuple[str, str]]:
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(rounds):
        scenario = random_scenario(random.Random(f"{seed}/{number}"))
        try:
            check(scenario, seen)
        except Exception:
            print(json.dumps(scenario, indent=1))
            print(f"scenario {number} of seed {seed}")
            raise
    return seen


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for (game, what), count in sorted(self_check(rounds, seed).items()):
        print(f"{count:7d}  {game}: {what}")
    print(f"{rounds} scenarios, all invariants hold")

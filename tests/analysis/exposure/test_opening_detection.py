"""Openings on a hidden card in Top Five, Run 'Em Twice and Texas: answers, power, false alarms."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import submission
from croupier.analysis.exposure import detection, known_cards
from croupier.analysis.exposure.detection import PlayerEvidence, RecordedDecision
from croupier.analysis.kernels.cross import cross_known_cards, cross_runs
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.lookup_tables import tables
from croupier.cards import DECK, names, parse_cards
from croupier.games import DealtHand, House
from croupier.games.run_em_twice import boards, exposure
from croupier.games.texas_holdem_bonus import exposure as texas_exposure
from croupier.ledger import Ledger
from tests.analysis.exposure.recorded_cheat import played
from tests.analysis.test_proposals import accepting
from tests.support.cli import invoke

TOP, RUN, TEXAS = "top_five", "run_em_twice", "texas_holdem_bonus"
STREETS = {TOP: "play", RUN: "first", TEXAS: "preflop"}


def test_live_cards_by_their_naive_twin() -> None:
    """Four cards against three: every card that could be seen, all other cards one by one."""
    house = submission.build(accepting(TOP, cards={"player": 4, "dealer": 3}))
    own = tuple(parse_cards("Jd 8c 7c 2h"))
    unseen = [card for card in range(52) if card not in own]
    actual = detection.best_answers(house, RecordedDecision("play", own, (), "", ()))
    assert set(unseen) == set(actual) and 2 == len(set(actual.values()))
    for card in parse_cards("Ad Jc Td Qh 9s 2c"):
        total = 0
        for others in combinations([one for one in unseen if one != card], 2):
            seen = DealtHand(
                cards=own, dealer=(card, *others), community=(), box=(), folded_at="", wagers=()
            )
            for facts in house.game.judge(seen, house):
                for result in house.settle(facts):
                    total += {"win": 1, "lose": -1}.get(result.outcome, 0)
        assert actual[card] == ("1x" if total > -1081 else "fold"), names([card])


def test_centers_in_the_hand_s_own_suits() -> None:
    """Suits are renamed to the class of a hand and back: the same hand without renaming."""
    house = submission.example(RUN)
    what = exposure.KnownCenter(house)
    for text in ("9d 3h", "8s 7s", "4d 4s"):
        own = tuple(parse_cards(text))
        others = np.setdiff1d(np.arange(52), own)
        classes = np.zeros((cross_runs.OTHERS, cross_runs.SIDES), np.uint8)
        cross_runs.run_classes(
            np.array(sorted(own)), others, tables(house.choices.ace_low_straight), classes
        )
        result = detection.best_answers(house, RecordedDecision("first", own, (), "", ()))
        for center in (0, 7, 21, 33, 49):
            out = np.zeros((1, 3), np.int64)
            cross_known_cards.value_center(
                classes[center], boards.side_cards(), what.last, what.folds, out[0]
            )

            assert what.words[int(what.best(out)[0])] == result[int(others[center])]


def test_texas_openings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By the rank that was seen, suits renamed: here only suited hands stay beside an ace."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    ids, size, _ = known_cards.openings((0,), 0)

    def fold_off_suit(
        rules: object, what: known_cards.KnownCards, board: object
    ) -> tuple[Any, Any, Any]:
        plays = np.zeros(size, np.int64)
        if what.name == "A":
            for hand in combinations(range(52), 2):
                number = flops.hand_number(hand)
                plays[ids[0, number]] = 1 if hand[0] & 3 == hand[1] & 3 == 0 else -1
        return plays, np.zeros(size, np.int64) - (what.name != "A"), None

    monkeypatch.setattr(texas_exposure, "texas_openings", fold_off_suit)
    texas_exposure.opening_table.cache_clear()
    house = submission.example(TEXAS)
    result = detection.best_answers(
        house, RecordedDecision("preflop", parse_cards("9d 4d"), (), "", ())
    )
    texas_exposure.opening_table.cache_clear()

    assert "2x" == result[parse_cards("Ad")[0]]  # the suit that was seen is that of the hand
    assert "fold" == result[parse_cards("As")[0]] and "2x" == result[parse_cards("Kd")[0]]


@pytest.mark.slow
def test_texas_beside_real_cards() -> None:
    """A king and a deuce play beside a seen deuce and fold beside a seen ace."""
    house = submission.example(TEXAS)
    weak = RecordedDecision("preflop", parse_cards("8d 4c"), (), "", ())
    result = detection.best_answers(house, weak)

    assert "fold" == result[parse_cards("As")[0]]
    assert 2 == len(set(result.values()))


Answer = Callable[[random.Random, Mapping[int, str], RecordedDecision], str]


def cheat(rng: random.Random, best: Mapping[int, str], decision: RecordedDecision) -> str:
    """Plays on the first of the hidden cards."""
    return best[decision.dealer[0]]


def usual(rng: random.Random, best: Mapping[int, str], decision: RecordedDecision) -> str:
    """What fits most cards, and anything once in ten."""
    words = sorted(best.values())
    return max(words, key=words.count) if rng.random() < 0.9 else rng.choice(words)


def rounds_until_alarm(house: House, answer: Answer, seed: int, most: int) -> int | None:
    """How many openings it takes until one player of one is listed at one in a thousand."""
    rng = random.Random(seed)
    watched = PlayerEvidence("player")
    own, hidden = house.game.player_cards, house.game.dealer_cards or 1
    for count in range(1, most + 1):
        deck = rng.sample(DECK, own + hidden)
        decision = RecordedDecision(
            STREETS[house.game.key], tuple(deck[:own]), (), "", tuple(deck[own:])
        )
        best = detection.best_answers(house, decision)
        watched.add(best, decision._replace(word=answer(rng, best, decision)))
        if watched.alarms(0.001, 1):
            return count
    return None


@pytest.mark.parametrize("game", [TOP, RUN])
def test_power_and_false_alarms(game: str) -> None:
    """A cheat is detected; an honest player, however bad, raises no alarm."""
    house = submission.example(game)
    results = [rounds_until_alarm(house, cheat, seed, 400) for seed in range(3)]

    assert None not in results, results
    assert [None] * 3 == [rounds_until_alarm(house, usual, seed, 150) for seed in range(3)]


@pytest.mark.parametrize("game", [TOP, RUN])
def test_on_average_a_unit_stays_a_unit(game: str) -> None:
    """Exactly: over the unseen cards, whatever is answered, nothing is won or lost."""
    house = submission.example(game)
    rng = random.Random(6)
    for _ in range(5):
        own = tuple(rng.sample(DECK, house.game.player_cards))
        decision = RecordedDecision(STREETS[game], own, (), "", ())
        best = detection.best_answers(house, decision)
        for word in set(best.values()):
            gains = [
                detection.fit(best, decision._replace(word=word, dealer=(card,))) for card in best
            ]
            assert sum(gains) / len(gains) == pytest.approx(1.0)


def answered(table: Any, seat: int, rng: random.Random) -> str:
    """By what is hidden or as usual on the first street; the least after it."""
    house, current = table.house, table.in_progress()
    if current.street.name != STREETS[house.game.key]:
        return str(table.options()[0].word)
    hidden = detection.hidden_cards(house, tuple(current.dealer), tuple(current.layout))
    decision = RecordedDecision(
        current.street.name, tuple(current.boxes[seat].cards), (), "", hidden
    )
    best = detection.best_answers(house, decision)
    return (cheat if seat == 1 else usual)(rng, best, decision)


@pytest.mark.parametrize(("game", "rounds"), [(TOP, 120), (RUN, 120)])
def test_audit_players(game: str, rounds: int, tmp_path: Path) -> None:
    """The command finds the cheat of a recorded table and leaves the other alone."""
    file = str(tmp_path / "casino.db")
    with Ledger(file) as ledger:
        played(ledger, "T-1", submission.example(game), rounds, answered)
    words = ["audit", "players", "--database", file, "--false-alarms", "0.05", "--json"]
    result = invoke(words)
    data = json.loads(result.output)

    assert 0 == result.exit_code, result.output
    assert [STREETS[game]] == data["streets"] and rounds == data["rounds"]
    assert {"rex": True, "una": False} == {one["player"]: one["look"] for one in data["players"]}


@pytest.mark.slow
def test_what_a_seen_center_costs(tmp_path: Path) -> None:
    """The published worth of the center, 98.7446 + 8.6571% of an ante of $5, forty times."""
    file = str(tmp_path / "casino.db")
    with Ledger(file) as ledger:
        played(ledger, "T-1", submission.example(RUN), 2, answered)
    words = ["audit", "players", "--database", file, "--cost", "--json"]
    data = json.loads(invoke(words).output)["cost_per_hour"]

    (cents,) = data.values()
    assert round(40 * 500 * (0.987446 + 0.086571), 0) == pytest.approx(cents["value"], abs=1)

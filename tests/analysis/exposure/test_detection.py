"""Detection of seen cards: honest players raise no alarm, simulated cheats do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import submission
from croupier.analysis.exposure import detection
from croupier.analysis.exposure.detection import PlayerEvidence, RecordedDecision
from croupier.analysis.solvers.single_raise import PlayRules
from croupier.cards import DECK, parse_cards
from croupier.documents.reports.watchlist import cost_per_hour
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger import Ledger
from croupier.ranking import PAIR, category, poker_value
from croupier.table import Table
from tests.analysis.exposure.recorded_cheat import played
from tests.support.cli import invoke

GAME = "ultimate_texas_holdem"


@pytest.fixture(scope="module")
def house() -> House:
    """A House of Ultimate."""
    return submission.example(GAME)


def river(rng: random.Random) -> RecordedDecision:
    """A decision on the river, not made yet."""
    deck = rng.sample(DECK, 9)
    return RecordedDecision("river", tuple(deck[:2]), tuple(deck[4:]), "", tuple(deck[2:4]))


def naive_river(house: House, decision: RecordedDecision) -> dict[int, str]:
    """The best answer for each seen card, every other card of the dealer one by one."""
    rules = PlayRules(house)
    own = poker_value((*decision.cards, *decision.board))
    unseen = [card for card in range(52) if card not in (*decision.cards, *decision.board)]
    results = {}
    for seen in unseen:
        total = Fraction(0)
        for other in unseen:
            if other == seen:
                continue
            theirs = poker_value((seen, other, *decision.board))
            standing = (own > theirs) - (own < theirs) + 1
            qualifies = category(theirs) >= PAIR
            total += int(rules.pay[0][category(own)][3 * qualifies + standing])
        results[seen] = "1x" if total > rules.fold * rules.scale * 44 else "fold"
    return results


def test_the_river_by_its_naive_twin(house: House) -> None:
    """Every card that could be seen, on four boards."""
    rng = random.Random(1)
    for _ in range(4):
        decision = river(rng)
        assert naive_river(house, decision) == detection.best_answers(house, decision)


def test_a_flop_is_judged_by_every_card(house: House) -> None:
    """Two pair on a dry board bets whatever is seen; bottom pair does not beside an ace."""
    flop = tuple(parse_cards("Ah 9d 9s"))
    best = detection.best_answers(
        house, RecordedDecision("flop", parse_cards("9h 9c"), flop, "", ())
    )
    assert {"2x"} == set(best.values())

    weak = RecordedDecision("flop", parse_cards("4c 3d"), tuple(parse_cards("Ah 9d 4s")), "", ())
    best = detection.best_answers(house, weak)
    aces = {best[card] for card in parse_cards("Ac Ad As")}
    assert {"check"} == aces and "2x" in best.values()


def test_on_average_a_unit_stays_a_unit(house: House) -> None:
    """Exactly: over the unseen cards, whatever an honest player answers, nothing is won or lost."""
    rng = random.Random(2)
    for _ in range(20):
        decision = river(rng)
        best = detection.best_answers(house, decision)
        for word in ("1x", "fold"):
            gains = [
                detection.fit(best, decision._replace(word=word, dealer=(card,))) for card in best
            ]
            assert sum(gains) / len(gains) == pytest.approx(1.0)


Answer = Callable[[random.Random, dict[int, str], RecordedDecision], str]


def cheat(rng: random.Random, best: dict[int, str], decision: RecordedDecision) -> str:
    """Plays on the first of the dealer's cards."""
    return best[decision.dealer[0]]


def sometimes(rng: random.Random, best: dict[int, str], decision: RecordedDecision) -> str:
    """The same every second time."""
    return cheat(rng, best, decision) if rng.random() < 0.5 else usual(rng, best, decision)


def usual(rng: random.Random, best: dict[int, str], decision: RecordedDecision) -> str:
    """Plays with a pair or better in hand, and errs once in ten."""
    own, table = (poker_value(c) for c in ((*decision.cards, *decision.board), decision.board))
    word = "1x" if category(own) > category(table) else "fold"
    return word if rng.random() < 0.9 else rng.choice(["1x", "fold"])


def erratic(rng: random.Random, best: dict[int, str], decision: RecordedDecision) -> str:
    """Throws a coin."""
    return rng.choice(["1x", "fold"])


def rivers_until_alarm(house: House, answer: Answer, seed: int, most: int) -> int | None:
    """How many rivers it takes until one player of one is listed at one in a thousand."""
    rng = random.Random(seed)
    watched = PlayerEvidence("player")
    for count in range(1, most + 1):
        decision = river(rng)
        best = detection.best_answers(house, decision)
        watched.add(best, decision._replace(word=answer(rng, best, decision)))
        if watched.alarms(0.001, 1):
            return count
    return None


def test_honest_players_are_left_alone(house: House) -> None:
    """Ten of them for a hundred rivers, at a false alarm rate of one in a thousand each."""
    for answer in (usual, erratic):
        assert [None] * 5 == [rivers_until_alarm(house, answer, seed, 100) for seed in range(5)]


def test_power_against_simulated_cheats(house: House) -> None:
    """A cheat who always looks is detected within 150 rivers, on average within 80."""
    results = [rivers_until_alarm(house, cheat, seed, 150) for seed in range(8)]

    assert None not in results
    assert sum(count or 0 for count in results) / len(results) < 80


@pytest.mark.slow
def test_power_against_who_looks_sometimes(house: House) -> None:
    """Half of the time takes longer, and honest players still stay below."""
    results = [rivers_until_alarm(house, sometimes, seed, 1_500) for seed in range(5)]
    honest = [rivers_until_alarm(house, usual, seed, 1_500) for seed in range(20)]

    assert None not in results
    assert [None] * 20 == honest


def answered(table: Table, seat: int, rng: random.Random) -> str:
    """The first of `answers` at a table."""
    return next(iter(answers(table.house, table.in_progress(), seat, rng)))


def answers(house: House, current: object, seat: int, rng: random.Random) -> Iterator[str]:
    """Checks up to the river, then plays by a seen card or by the own hand."""
    street, box = current.street, current.boxes[seat]  # type: ignore[attr-defined]
    if street.name != "river":
        yield "check"
        return
    dealer, board = tuple(current.dealer), tuple(current.community)  # type: ignore[attr-defined]
    decision = RecordedDecision("river", tuple(box.cards), board, "", dealer)
    best = detection.best_answers(house, decision)
    yield (cheat if seat == 1 else usual)(rng, best, decision)


def test_audit_players(house: House, tmp_path: Path) -> None:
    """The command lists the cheat and leaves the other alone; costs follow from the exact value."""
    file = str(tmp_path / "casino.db")
    with Ledger(file) as ledger:
        played(ledger, "UTH-1", house, 60, answered)
    words = ["audit", "players", "--database", file, "--street", "river", "--false-alarms", "0.05"]
    result = invoke([*words, "--json"])
    data = json.loads(result.output)

    assert 0 == result.exit_code, result.output
    assert 60 == data["rounds"] and 40 == pytest.approx(data["threshold"])
    assert {"rex": True, "una": False} == {one["player"]: one["look"] for one in data["players"]}
    assert "LOOK" in invoke(words).output
    bad = invoke([*words[:-1], "2"])
    assert 2 == bad.exit_code and "false alarms" in bad.output


def test_what_an_exposed_card_costs() -> None:
    """The published gain of one dealer's card in Ultimate, 13.5922 + 2.1850%, at $25."""
    gain = Fraction(135922, 10**6) + Fraction(21850, 10**6)

    assert round(cost_per_hour(gain, 25_00, 40)) == 157_77


def test_what_is_not_watched() -> None:
    """Later streets of Texas, and unknown streets."""
    house = submission.example("texas_holdem_bonus")

    assert ("preflop",) == detection.detector_streets(house)
    with pytest.raises(BadInput, match="not tested"):
        detection.best_answers(house, RecordedDecision("flop", (), (), "", ()))

"""Proposals: own pays and bets are analyzed, drawn and marked, and no table opens under them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import analysis as study
from croupier import submission
from croupier.analysis import result_cache
from croupier.cards import DECK, RANKS, parse_cards
from croupier.documents.felt import inscriptions as words
from croupier.errors import BadInput
from croupier.games import (
    DealtHand,
    Proposal,
    canonical_text,
    expected_returns,
    house_from_text,
    with_digest,
)
from croupier.games.expected_returns import wager_hand_counts
from croupier.games.hand_names import LIVE_COUNTS
from croupier.ledger import Ledger
from croupier.ranking import CATEGORY_SHIFT, rank_hands
from croupier.table import Shoe, Table
from croupier.table import commands as cmd
from tests.support.cli import invoke
from tests.support.recorded_rounds import SYSTEM

TRIPS = {
    "royal_flush": "60 to 1",
    "straight_flush": "40 to 1",
    "four_of_a_kind": "30 to 1",
    "full_house": "8 to 1",
    "flush": "6 to 1",
    "straight": "5 to 1",
    "three_of_a_kind": "3 to 1",
}


def written(game: str, **proposal: Any) -> dict[str, Any]:
    """The example of a game with a proposal."""
    data = tomllib.loads(submission.example_path(game).read_text("utf-8"))
    return {**data, "proposal": proposal}


def accepting(game: str, **proposal: Any) -> dict[str, Any]:
    """A proposal that may favor the player."""
    data = written(game, **proposal)
    return {**data, "choices": {**data["choices"], "accept_player_edge": True}}


# What the blind wins under paytable A, in half antes by category.
BLIND = np.array([0, 0, 0, 0, 2, 3, 6, 20, 100, 1000])
# Which of a dealer's hands plays, told by what the values hold.
Hands = NDArray[np.int32]
LEAST: dict[str, Callable[[Hands], NDArray[np.bool_]]] = {
    "none": lambda values: values >= 0,
    "AQ": lambda values: (values >> 20 > 0) | ((values >> 16 == 12) & (values >> 12 & 15 >= 10)),
    "44": lambda values: (values >> 20 > 1) | ((values >> 20 == 1) & (values >> 16 & 15 >= 2)),
}


def test_pays_are_proposed() -> None:
    """The edge follows the proposed lines, the felt has them, and everything says what it is."""
    printed = submission.example("ultimate_texas_holdem")
    house = submission.build(written("ultimate_texas_holdem", pays={"trips": TRIPS}))
    odds = next(block for block in words.odds(house) if "trips" in block.wagers)

    assert "60 to 1" == dict(odds.lines)["Royal flush"]
    assert "Harbor Casino (proposal)" == house.operator
    assert "proposal" in submission.outstanding(house) and not submission.outstanding(printed)
    royal = Fraction(4324, 133_784_560)
    gained = expected_returns.returns(house)["trips"] - expected_returns.returns(printed)["trips"]
    assert 10 * royal == gained
    assert house.digest != printed.digest
    assert house == house_from_text(house.digest, canonical_text(house))
    assert "proposal" not in canonical_text(printed)


def test_bets_are_proposed() -> None:
    """A first bet of five antes is offered, and the game is worth more to a player."""
    printed = submission.example("ultimate_texas_holdem")
    house = submission.build(accepting("ultimate_texas_holdem", raises={"preflop": [3, 5]}))

    assert ["check", "3x", "5x"] == [option.word for option in house.game.streets[0].options]
    assert expected_returns.returns(house)["main"] > expected_returns.returns(printed)["main"]
    assert house == house_from_text(house.digest, canonical_text(house))
    assert result_cache.cache_key(house, None) != result_cache.cache_key(printed, None)


@pytest.mark.parametrize(
    ("proposal", "message"),
    [
        ({"pay": {}}, "unknown key"),
        ({"pays": 3}, "is not a table"),
        ({"pays": {"tripe": TRIPS}}, "not a paytable of this submission"),
        ({"pays": {"trips": {}}}, "is not a list of lines"),
        ({"pays": {"trips": {"flash": "3 to 1"}}}, "unknown key"),
        ({"pays": {"trips": {"flush": "three"}}}, "is not a payout"),
        ({"pays": {"trips": {"flush": "100% of giga"}}}, "is not a meter here"),
        ({"raises": {"turn": [1]}}, "not a street"),
        ({"raises": {"preflop": [3]}}, "expected 2 different sizes"),
        ({"raises": {"preflop": [3, 0]}}, "expected 2 different sizes"),
        ({"pays": {"blind": {"pair_A": "3 to 1"}}}, "unknown key"),
        ({"pays": {"trips": {"royal_flush_diamonds": "3 to 1"}}}, "unknown key"),
        ({"qualifier": "queens"}, "is not a qualifying hand"),
        ({"qualifier": "22222"}, "is not a qualifying hand"),
        ({"qualifier": 4}, "is not a qualifying hand"),
        ({"cards": {"flop": 2}}, "not a number of cards that may be proposed"),
        ({"cards": {"preflop": 2}}, "expected 0 or 1"),
        ({"cards": {"preflop": True}}, "expected 0 or 1"),
        ({"cards": 7}, "is not a table"),
    ],
)
def test_what_cannot_be_proposed(proposal: dict[str, Any], message: str) -> None:
    """What is wrong is an error at its place."""
    errors = submission.draft(written("ultimate_texas_holdem", **proposal)).of("error")

    assert any(message in str(issue) for issue in errors), errors


def test_no_table_is_recorded_under_a_proposal(tmp_path: Path) -> None:
    """A ledger refuses it; a practice table may use it."""
    house = submission.build(written("top_five", pays={"poker_bonus": {"royal_flush": "99 to 1"}}))
    refused = pytest.raises(BadInput, match="no table can be opened under a proposal")
    with Ledger(tmp_path / "ledger.db") as ledger, refused:
        ledger.open_table("A", house, by=SYSTEM)
    assert Table(house, service="practice").house is house


def test_designs() -> None:
    """Pays near a wanted edge and hit frequency; valued exactly, better hands paid no less."""
    house = submission.example("ultimate_texas_holdem")
    result = study.design_paytable(house, "trips", Fraction(35, 1000))

    assert all(abs(one.house_edge - Fraction(35, 1000)) < Fraction(1, 1000) for one in result)
    for one in result:
        proposed = Proposal(pays={"trips": one.lines})
        offered = with_digest(replace(house, proposal=proposed))
        assert 1 - one.house_edge == expected_returns.returns(offered)["trips"]
        pays = [int(pays.split()[0]) for _, pays in one.lines]
        assert sorted(pays, reverse=True) == pays
    rare = study.design_paytable(house, "trips", Fraction(35, 1000), hit=Fraction(12, 100))
    assert "straight" == rare[0].lines[-1][0]
    with pytest.raises(BadInput, match="a hit frequency of 250"):
        study.design_paytable(house, "trips", Fraction(35, 1000), hit=Fraction(5, 2))
    wild, tame = (
        study.design_paytable(house, "trips", Fraction(35, 1000), deviation=spread, shown=1)[0]
        for spread in (4.0, 2.0)
    )
    assert wild.result.variance > tame.result.variance
    with pytest.raises(BadInput, match="not a side wager"):
        study.design_paytable(house, "ante", Fraction(1, 100))
    with pytest.raises(BadInput, match="an edge of"):
        study.design_paytable(house, "trips", Fraction(3))


@pytest.mark.parametrize(
    ("game", "wager", "hit", "last"),
    [
        ("ultimate_texas_holdem", "trips", 38, "two_pair"),
        ("ultimate_texas_holdem", "trips", 45, "pair_kings_or_better"),
        ("ultimate_texas_holdem", "bad_beat", 18, "two_pair"),
        ("jackpot_holdem", "player_bonus", 38, "two_pair"),
        ("top_five", "poker_bonus", 30, "pair_jacks_or_better"),
    ],
)
def test_lines_are_added_for_a_higher_hit_frequency(
    game: str, wager: str, hit: int, last: str
) -> None:
    """More hands are paid, all of them less: the nearest frequency that the wager can have."""
    house, edge = submission.example(game), Fraction(4, 100)
    every = study.reachable_hit_frequencies(house, wager)
    first = study.design_paytable(house, wager, edge, hit=Fraction(hit, 100))[0]
    frequencies = [one.hit for one in every]
    nearest = min(frequencies, key=lambda one: abs(one - Fraction(hit, 100)))

    assert sorted(set(frequencies)) == frequencies
    assert last == first.lines[-1][0]
    assert nearest == first.result.hit_frequency > first.result.lines[0].probability
    assert nearest == sum(line.probability for line in first.result.lines)
    assert abs(first.house_edge - edge) < Fraction(1, 100)
    names = [hand for hand, _ in first.lines]
    assert len(set(names)) == len(names)


def test_commands(tmp_path: Path) -> None:
    """A proposal is analyzed and designed from; check says that no table opens under it."""
    file = tmp_path / "mine.toml"
    text = submission.example_path("top_five").read_text("utf-8")
    file.write_text(text + '\n[proposal.pays.poker_bonus]\nroyal_flush = "900 to 1"\n')

    assert "no table opens under it" in invoke(["check", str(file)]).output
    arguments = ["design", str(file), "--wager", "poker_bonus", "--edge", "4"]
    result = invoke([*arguments, "--json"])
    assert 0 == result.exit_code, result.output
    assert 5 == len(json.loads(result.output)["candidates"])
    assert "[proposal.pays.poker_bonus]" in invoke(arguments).output
    edge = json.loads(result.output)["asked"]["house_edge"]
    assert 0.04 == edge["asked"] and edge["met"] and abs(edge["reached"] - 0.04) <= 0.001
    often = [*arguments, "--hit", "90"]
    reached = json.loads(invoke([*often, "--json"]).output)["asked"]["hit_frequency"]
    assert 0.9 == reached["asked"] and not reached["met"]
    words = " ".join(invoke(often).output.split())
    assert "target 90.0000%, not reached by any paytable tried; paytable 1 has" in words
    analysis = invoke(["analyze", "--submission", str(file), "--json"])
    assert "proposal" in json.loads(analysis.output)["wagers"]["poker_bonus"]


def live_hand(cards: tuple[int, int]) -> tuple[int, int, tuple[int, ...]]:
    """Two cards as Top Five ranks them: number of live cards, pair or not, ranks."""
    ranks = tuple(
        sorted((card // 4 for card in cards if card // 4 >= RANKS.index("T")), reverse=True)
    )
    return len(ranks), int(len(ranks) == 2 and ranks[0] == ranks[1]), ranks


@pytest.mark.parametrize(
    ("qualifier", "least"),
    [
        ("QJ", (2, 0, (10, 9))),
        ("K", (1, 0, (11,))),
        ("TT", (2, 1, (8, 8))),
        ("count_2", (2, 0, (0, 0))),
        ("none", (0, 0, ())),
    ],
)
def test_two_cards_of_top_five(qualifier: str, least: tuple[int, int, tuple[int, ...]]) -> None:
    """Every hand of two cards against every other, one by one: value and deals."""
    house = submission.build(
        accepting("top_five", qualifier=qualifier, cards={"player": 2, "dealer": 2})
    )
    hands = list(combinations(range(52), 2))
    hand_values = [live_hand(cards) for cards in hands]
    values = np.array([sorted({*hand_values, least}).index(one) for one in hand_values])
    least_value = sorted({*hand_values, least}).index(least)
    held = np.zeros((len(hands), 52), np.int64)
    held[np.arange(len(hands))[:, None], hands] = 1
    apart = held @ held.T == 0
    standing = np.sign(values[:, None] - values)
    play = (standing * (1 + (values >= least_value)) * apart).sum(axis=1)
    total = int(np.maximum(play, -apart.sum(axis=1)).sum())

    solved = study.solve(house)
    assert Fraction(total, int(apart.sum())) == solved.ev
    assert int(apart.sum()) == solved.deals == sum(solved.distribution.values())


def test_other_numbers_of_live_cards() -> None:
    """A player's five cards against a dealer's seven: every dealer's hand that a sample meets."""
    house = submission.build(accepting("top_five", cards={"player": 5, "dealer": 3}))
    own = parse_cards("As Kd Th 9c 2c")
    left = [card for card in range(52) if card not in own]
    worth = 0
    for dealer in combinations(left, 3):
        seen = DealtHand(cards=own, dealer=dealer, community=(), box=(), folded_at="", wagers=())
        for facts in house.game.judge(seen, house):
            for result in house.settle(facts):
                worth += {"win": 1, "lose": -1}.get(result.outcome, 0)

    advised = dict(study.advise(house, "As Kd Th 9c 2c"))
    assert Fraction(worth, comb(47, 3)) == advised["1x"]
    counted = dict.fromkeys(LIVE_COUNTS, 0)
    for live in range(6):
        counted[f"count_{live}"] = comb(20, live) * comb(32, 5 - live)
    assert counted == wager_hand_counts(house, "top_five_bonus")
    assert comb(52, 5) == sum(wager_hand_counts(house, "poker_bonus").values())
    assert 4 == wager_hand_counts(house, "poker_bonus")["royal_flush"]


@pytest.mark.parametrize("qualifier", ["none", "AQ", "44"])
def test_qualifying_hands_of_holdem(qualifier: str) -> None:
    """Bets on a flop and a river are worth what all boards and dealers make, one by one."""
    house = submission.build(accepting("ultimate_texas_holdem", qualifier=qualifier))
    hand, flop = parse_cards("Kd 9d"), parse_cards("Ah 7d 2c")
    left = [card for card in range(52) if card not in (*hand, *flop)]
    drawn = np.array(list(combinations(left, 4)))
    boards = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    total, count = 0, 0
    for runout in boards.tolist():
        other = [place for place in range(4) if place not in runout]
        five = np.concatenate([np.tile(flop, (len(drawn), 1)), drawn[:, runout]], axis=1)
        own = rank_hands(np.concatenate([five, np.tile(hand, (len(drawn), 1))], axis=1))
        theirs = rank_hands(np.concatenate([five, drawn[:, other]], axis=1))
        plays = LEAST[qualifier](theirs)
        wins = np.sign(own.astype(np.int64) - theirs)
        blind = np.where(wins > 0, BLIND[own >> CATEGORY_SHIFT], 2 * np.minimum(wins, 0))
        total += int((2 * (2 * wins + wins * plays) + blind).sum())
        count += len(drawn)

    strategy = study.solve(house, distribution=False).strategy
    advised = {one.option: one.ev for one in strategy.ask("flop", hand, flop)}
    assert Fraction(total, 2 * count) == advised["2x"]


def test_runs_are_paid_whole_units() -> None:
    """Odds that the sums over runs have no room for are an error of the file, not a crash."""
    result = submission.draft(accepting("run_em_twice", pays={"run": {"royal_flush": "3 to 2"}}))

    assert ["proposal.pays"] == [issue.field for issue in result.of("error")]
    assert "expected odds such as 2 to 1" in result.issues[0].message
    assert result.house is None


def test_a_card_that_shows_first() -> None:
    """Over all cards that may show first, every bet is worth what it was; choices are better."""
    printed = study.solve(submission.example("ultimate_texas_holdem"), distribution=False)
    house = submission.build(accepting("ultimate_texas_holdem", cards={"preflop": 1}))
    shown = study.solve(house, distribution=False)
    hand = parse_cards("Kd 4s")
    before = {one.option: one.ev for one in printed.strategy.ask("preflop", hand, ())}
    after = [
        {one.option: one.ev for one in shown.strategy.ask("preflop", hand, (card,))}
        for card in range(52)
        if card not in hand
    ]

    assert before == {word: sum(one[word] for one in after) / 50 for word in before}
    assert sum(max(one.values()) for one in after) / 50 > max(before.values())
    assert shown.ev > printed.ev
    example = submission.example("ultimate_texas_holdem")
    assert (
        shown.ev == study.analyze_exposure(example, "flop:1").ev
    )  # who sees it plays the same game
    assert (
        study.analyze_exposure(house, "flop:1").ev == study.analyze_exposure(example, "flop:2").ev
    )
    with pytest.raises(BadInput, match="not supported; expected at most two known cards"):
        study.analyze_exposure(house, "flop:2")


def test_lines_that_no_table_prints() -> None:
    """Trips that push on two pair and pay aces: their share of seven cards comes back."""
    lines = {**TRIPS, "two_pair": "push", "pair_aces_or_better": "1 to 1", "pair": "0 to 1"}
    more = submission.build(accepting("ultimate_texas_holdem", pays={"trips": lines}))
    less = submission.build(accepting("ultimate_texas_holdem", pays={"trips": TRIPS}))
    two_pair, pairs = 31_433_400, 58_627_800  # of 133,784,560; a pair of aces is one in 13 or so
    aces = wager_hand_counts(more, "trips")["pair_A"]

    assert 3 < 100 * Fraction(aces, 133_784_560) < 4
    gained = expected_returns.returns(more)["trips"] - expected_returns.returns(less)["trips"]
    assert Fraction(two_pair + pairs + aces, 133_784_560) == gained


@pytest.mark.parametrize("method", ["hand", "automated_shoe"])
@pytest.mark.parametrize(
    ("game", "cards", "dealt"),
    [
        ("ultimate_texas_holdem", {"preflop": 1}, (2, 2, 1)),
        ("jackpot_holdem", {"preflop": 0}, (2, 2, 0)),
        ("top_five", {"player": 6, "dealer": 4}, (6, 4, 0)),
        ("top_five", {"player": 3, "dealer": 5}, (3, 5, 0)),
    ],
)
def test_a_round_of_a_proposal(
    game: str, cards: dict[str, int], dealt: tuple[int, int, int], method: Any
) -> None:
    """The proposed numbers of cards lie on the table, and the round is settled."""
    house = submission.build(accepting(game, cards=cards)).as_played(dealing_method=method)
    table = Table(house)
    ante = {wager.name: 1000 for wager in house.game.wagers if wager.role in ("ante", "matching")}
    table.do(cmd.PlaceWagers(1, ante))
    table.do(cmd.NoMoreBets())
    shoe = Shoe(DECK)
    shoe.serve(table)
    assert table.round is not None and table.round.street is not None
    seen = table.round.layout[: table.round.street.shown]

    assert dealt == (len(table.round.boxes[1].cards), len(table.round.dealer), len(seen))
    while table.due().kind == "decide":
        table.do(cmd.Decide(1, table.options()[0].word))
        shoe.serve(table)
    table.do(cmd.Settle())
    assert table.due().kind == "wagers"

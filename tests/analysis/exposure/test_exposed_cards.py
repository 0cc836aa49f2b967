"""The value of exposed cards: unpublished figures, consistency, and refused exposures."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.analysis import analyze_exposure, disk_cache, standard_house, variants
from croupier.analysis.exposure import exposed_cards, holdem_board_exposure
from croupier.analysis.exposure.exposed_cards import ExposureValue
from croupier.analysis.exposure.holdem_exposure import Board, value_openings
from croupier.analysis.exposure.known_cards import count_openings, openings
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate import known_card_sums as kernel
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.parallel import Progress
from croupier.analysis.solvers import board_enumeration, starting_hands
from croupier.analysis.solvers.board_enumeration import NO_FLOOR
from croupier.analysis.solvers.single_raise import PlayRules, basis
from croupier.cards import parse_cards
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.run_em_twice import exposure as cross_exposure
from croupier.games.texas_holdem_bonus.exposure import texas_openings
from croupier.games.texas_holdem_bonus.solver import ALWAYS_QUALIFIES, TexasRules
from croupier.games.top_five.exposure import KnownLive
from croupier.ranking import CATEGORY_SHIFT, poker_value, rank_hands
from tests.cli.commands.test_analysis_commands import run

PAIRS = np.array(list(combinations(range(45), 2)))  # of the unseen cards
GAMES = (
    "texas_holdem_bonus",
    "top_five",
    "ultimate_texas_holdem",
    "jackpot_holdem",
    "run_em_twice",
)


def test_a_dealer_card_of_top_five() -> None:
    """Ours is the first figure: the player comes out ahead, by a dead card above all."""
    result = analyze_exposure(standard_house("top_five"), "dealer:1")
    shares = {card: Fraction(32 if card == "dead" else 4, 52) for card in result.by_card}

    assert Fraction(1709063728, 115825177325) == result.ev
    assert result.ev == sum(ev * shares[card] for card, ev in result.by_card.items())
    assert result.gain == result.ev - result.blind > 0
    assert 1 == sum(result.actions.values())


@pytest.mark.parametrize("knows", ["flop:1", "river:1"])
def test_a_card_of_the_board(knows: str) -> None:
    """Ours are the first figures; a card to come is worth more than one of the flop."""
    result = analyze_exposure(standard_house("ultimate_texas_holdem"), knows)
    exact = {"flop:1": (314386663957, 6953452506000), "river:1": (331038730949, 4635635004000)}

    assert Fraction(*exact[knows]) == result.ev == sum(result.by_card.values()) / 13
    assert 1 == sum(result.actions.values())


@pytest.mark.parametrize(
    ("game", "knows", "ev"),
    [
        ("texas_holdem_bonus", "flop:1", Fraction(32871901123, 6953452506000)),
        ("texas_holdem_bonus", "turn:1", Fraction(128082269303, 3476726253000)),
        ("texas_holdem_bonus", "river:1", Fraction(1190561235797, 13906905012000)),
        ("jackpot_holdem", "flop:1", Fraction(43090396801, 3476726253000)),
        ("jackpot_holdem", "river:1", Fraction(97373543321, 2317817502000)),
        ("run_em_twice", "horizontal:1", Fraction(439457027, 3511844700)),
        ("run_em_twice", "horizontal:2", Fraction(1107758107, 2341229800)),
        ("run_em_twice", "vertical:1", Fraction(390423521, 2809475760)),
        ("run_em_twice", "vertical:2", Fraction(19364039, 33446140)),
        ("top_five", "seat:1", Fraction(-2777417348, 669771677575)),
    ],
)
def test_first_figures(game: str, knows: str, ev: Fraction) -> None:
    """Unpublished figures; an exposed card never costs anything, and cards add up."""
    result = analyze_exposure(standard_house(game), knows)

    assert ev == result.ev > result.blind
    assert 1 == sum(result.actions.values())
    if 13 == len(result.by_card):
        assert result.ev == sum(result.by_card.values()) / 13


@pytest.mark.parametrize(
    ("game", "knows", "ev", "less"),
    [
        ("ultimate_texas_holdem", "flop:3", Fraction(72909852773, 409026618000), "flop:2"),
        ("ultimate_texas_holdem", "turn:1 river:1", Fraction(20995920109, 115890875100), "turn:1"),
        ("texas_holdem_bonus", "flop:3", Fraction(613576355279, 4635635004000), "flop:2"),
        ("texas_holdem_bonus", "turn:1 river:1", Fraction(75133669159, 434590781625), "river:1"),
        ("jackpot_holdem", "flop:2", Fraction(20437000501, 434590781625), "flop:1"),
    ],
)
def test_first_figures_of_a_whole_flop_and_of_what_follows_it(
    game: str, knows: str, ev: Fraction, less: str
) -> None:
    """More cards are worth more; named cards add up."""
    result = analyze_exposure(standard_house(game), knows)

    assert ev == result.ev > analyze_exposure(standard_house(game), less).ev
    assert 1 == sum(result.actions.values())
    if result.by_card:
        sizes = starting_hands.hand_classes()
        often = dict(zip(sizes.names, sizes.sizes.tolist(), strict=True))
        assert 1326 * ev == sum(often[name] * worth for name, worth in result.by_card.items())


@pytest.mark.parametrize("game", ["ultimate_texas_holdem", "texas_holdem_bonus"])
def test_turn_and_river_board_by_board(game: str) -> None:
    """One hand and two known cards: every board that has them, against every dealer."""
    hand, seen = parse_cards("Ac Kh"), parse_cards("Kd 9h")
    house = standard_house(game)
    rules: Any = PlayRules(house) if house.game.qualifier else TexasRules(house)
    qualifying = getattr(rules, "qualifying", 0)
    left = [card for card in range(52) if card not in (*hand, *seen)]
    summed = np.zeros(3, np.int64)
    for flop in combinations(left, 3):
        rest = np.array([card for card in left if card not in flop])
        board = [*seen, *flop]
        dealers = rank_hands(np.hstack([rest[PAIRS], np.tile(board, (990, 1))])).astype(np.int64)
        own = poker_value((*hand, *board))
        outcome = 3 * (dealers >= qualifying) + np.sign(own - dealers) + 1
        rows = rules.pay[:, own >> CATEGORY_SHIFT] @ np.bincount(outcome, minlength=6)
        if house.game.qualifier:  # river, flop, 3x, 4x
            summed += [max(rows[0], rows[1], rules.floor), rows[2], rows[3]]
        else:  # played, and a later bet, twice
            summed += [rows[0] + 2 * max(rows[1], 0), 0, 0]
    at = openings((), 2).ids[deals.hand_number(seen), deals.hand_number(hand)]
    if house.game.qualifier:
        pay = np.array([rules.pay[0], rules.pay[1] - rules.pay[0], *rules.pay[2:]])
        floors = np.array([rules.floor, 0, NO_FLOOR, NO_FLOOR])
        result = holdem_board_exposure.by_opening(pay, floors, qualifying)[at]
        kernels = [result[0] + result[1], *result[2:]]
    else:
        result = holdem_board_exposure.by_opening(
            rules.pay, np.array([NO_FLOOR, 0]), ALWAYS_QUALIFIES
        )[at]
        kernels = [result[0] + 2 * result[1], 0, 0]
    alike = int(
        count_openings(holdem_board_exposure.NOTHING, 2)[at]
    )  # that differ in the names of suits

    assert [3 * alike * int(total) for total in summed] == [int(total) for total in kernels]


def test_a_known_flop_adds_nothing_to_who_only_goes_on() -> None:
    """Without another option than the blind one, the sums are those of the blind game."""
    rules = PlayRules(standard_house("ultimate_texas_holdem"))
    rows = basis(rules)
    pay, floors = rows.pay, rows.floors(rules)
    (sums,) = board_enumeration.showdowns(pay, floors, rules.qualifying).sums
    none = np.zeros((0, len(pay)), np.int64)
    known_flops = holdem_board_exposure.decided(
        kernel.decide_known_boards, 3, 1, *sums, holdem_board_exposure.FLOP_OR_RIVER, none
    )
    blind, _ = value_openings(rules, holdem_board_exposure.NOTHING, Board())
    texas = TexasRules(standard_house("texas_holdem_bonus"))
    flops, turns = board_enumeration.showdowns(
        texas.pay, np.array([NO_FLOOR, NO_FLOOR]), ALWAYS_QUALIFIES, (3, 4)
    ).sums
    played = holdem_board_exposure.decided(
        kernel.decide_street_bet_flops, 3, 2, *flops, board_enumeration.starts(4),
        isomorphism.multiset_ids(4), *turns, np.int64(NO_FLOOR),
    )  # fmt: skip
    always, _, _ = texas_openings(texas, holdem_board_exposure.NOTHING, Board())

    assert known_flops.best == blind[:, 0].sum()
    assert played.best == always.sum()
    assert played.times.tolist() == [0, played.hands]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "knows", "ev"),
    [
        ("jackpot_holdem", "dealer:1", Fraction(4585224929, 33591558000)),
        ("ultimate_texas_holdem", "seat:1", Fraction(-6258878343761, 298998457758000)),
        ("jackpot_holdem", "seat:1", Fraction(-2323522734629, 99666152586000)),
        ("texas_holdem_bonus", "seat:1", Fraction(-147692594039, 7666627122000)),
        ("run_em_twice", "seat:1", Fraction(-6441106103, 79016505750)),
        ("top_five", "seat:7", Fraction(3310421386218634, 12470498288147574675)),
        ("top_five", "dealer:7", Fraction(13333962171, 43802976152)),
    ],
)
def test_first_figures_of_hands(game: str, knows: str, ev: Fraction) -> None:
    """The same of cards in a hand: thirteen solves, or all sets of seven cards."""
    result = analyze_exposure(standard_house(game), knows)

    assert ev == result.ev > result.blind
    assert 1 == sum(result.actions.values())


def test_seven_cards_of_top_five_by_one() -> None:
    """A known card of another seat is not in the dealer's hand: both cases make up every hand."""
    house = standard_house("top_five")
    dealer, seat = KnownLive(house, "dealer"), KnownLive(house, "seat")
    for at in (0, 40, 1234):
        with_card, without = dealer.totals(at), seat.totals(at)
        free = [card for card, total in enumerate(with_card[:-1]) if total]
        both = {with_card[card] + without[card] for card in (*free, -1)}

        assert 1 == len(both)  # whichever card it is


@pytest.mark.parametrize(
    ("game", "knows", "why"),
    [
        ("top_five", "flop:1", "has no 'flop' cards that can be exposed, got 'flop:1'"),
        ("run_em_twice", "dealer:1", "has no 'dealer' cards"),
        ("jackpot_holdem", "dealer:1 flop:2", "knowing 'dealer:1 flop:2' is not supported"),
        ("ultimate_texas_holdem", "flop:4", "'flop:4' is more than the 3 that are supported"),
        ("jackpot_holdem", "seat:1 flop:1", "knowing 'seat:1 flop:1' is not supported"),
        ("texas_holdem_bonus", "dealer:3", "'dealer:3' is more than the 2"),
        ("ultimate_texas_holdem", "everything", "is not a place with a number of cards"),
        ("ultimate_texas_holdem", "dealer:0", "is not a place with a number of cards"),
        ("texas_holdem_bonus", "", "no cards are known"),
    ],
)
def test_unsupported_exposures(game: str, knows: str, why: str) -> None:
    """The message has the reason and the supported exposures."""
    with pytest.raises(BadInput, match=f"{why}.*; expected '(dealer|center):1'"):
        analyze_exposure(standard_house(game), knows)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_other_seats(game: str) -> None:
    """Cards of another seat can be exposed in every game, one or the whole hand."""
    house = standard_house(game)
    assert {"seat:1", f"seat:{house.game.player_cards}"} <= set(house.game.analysis.knows)


def test_values_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same exposure is not solved again, unless the cached value is damaged."""
    house, calls = standard_house("run_em_twice"), []

    def answered(_: House, knows: str, __: Progress) -> ExposureValue:
        calls.append(knows)
        return ExposureValue(Fraction(len(calls), 7), {"A": Fraction(1, 3)}, {"fold": Fraction(1)})

    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    monkeypatch.setattr(cross_exposure, "exposed", answered)
    monkeypatch.setattr(exposed_cards, "main_value", lambda _: Fraction(0))
    first = analyze_exposure(house, "horizontal:1")
    (cached,) = tmp_path.glob("seen-horizontal1-*")

    assert first == analyze_exposure(house, "horizontal:1")
    assert ["horizontal:1"] == calls
    disk_cache.save_text(cached.stem, b'["a half",{},{}]')
    assert Fraction(2, 7) == analyze_exposure(house, "horizontal:1").ev
    assert Fraction(3, 7) == analyze_exposure(house, "vertical:1").ev
    other = variants.with_settings(house, {"ace_low_straight": False})
    assert Fraction(4, 7) == analyze_exposure(other, "vertical:1").ev


def test_the_command() -> None:
    """A table for people, JSON for programs."""
    words = ("protect", "top_five", "--knows", "dealer:1")
    data = json.loads(run(*words, "--json"))

    assert "1709063728/115825177325" == data["ev"]["exact"]
    assert "1.4756%" in run(*words)
    assert "if the cards are AKs" in run("protect", "run_em_twice", "--knows", "horizontal:2")
    assert "is not a place" in run("protect", "top_five", "--knows", "deck", status=2)

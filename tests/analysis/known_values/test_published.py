"""Published figures, digit for digit; the source of each is named beside it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from croupier.analysis import MainResult, analyze_exposure, side_wagers, variants
from croupier.analysis.result_cache import main_result
from croupier.games import House
from croupier.games.expected_returns import occurrences

ULTIMATE = "ultimate_texas_holdem"
TEXAS = "texas_holdem_bonus"


def house(game: str, **settings: object) -> House:
    """The standard House with some settings."""
    return variants.with_settings(variants.standard_house(game), settings)


@cache
def solved(game: str, setting: str = "", value: str = "") -> MainResult:
    """A result, solved once per run."""
    return main_result(house(game, **({setting: value} if setting else {})))


def worth(solution: MainResult, hand: str, option: str) -> str:
    """The EV of an option as the workbook prints it."""
    row = next(row for row in solution.chart if row.hand == hand)
    return f"{float(row.options[option]):.6f}"


def test_ultimate_value() -> None:
    """Bernton/BerldPokerEngine workbook: the exact fraction under Blind A."""
    solution = solved(ULTIMATE)

    assert Fraction(-607723787676, 27813810024000) == solution.ev
    assert 27813810024000 == solution.deals


def test_ultimate_element_of_risk() -> None:
    """wizardofodds.com: 0.526%."""
    assert "0.526" == f"{100 * float(solved(ULTIMATE).element_of_risk):.3f}"


def test_ultimate_chart() -> None:
    """wizardofodds.com strategy page: what is raised 4x, 500 of 1,326 hands; 3x never."""
    ranks = "23456789TJQKA"
    raised = {rank + rank for rank in ranks[1:]}
    raised |= {"A" + low + kind for low in ranks[:-1] for kind in "so"}
    for high, suited, offsuit in (("K", "2", "5"), ("Q", "6", "8"), ("J", "8", "T")):
        lower = ranks[: ranks.index(high)]
        raised |= {f"{high}{low}s" for low in lower[lower.index(suited) :]}
        raised |= {f"{high}{low}o" for low in lower[lower.index(offsuit) :]}
    chart = solved(ULTIMATE).chart

    assert raised == {row.hand for row in chart if row.best == "4x"}
    assert 500 == sum(row.deals for row in chart if row.best == "4x")
    assert not [row.hand for row in chart if row.best == "3x"]


@pytest.mark.parametrize(
    ("hand", "raise_ev", "check_ev"),
    [
        ("K2s", "-0.074507", "-0.079920"),
        ("T9s", "0.185169", "0.205485"),
        ("Q8o", "-0.069429", "-0.092563"),
        ("33", "0.088456", "0.007454"),
        ("22", "-0.287878", "-0.179478"),
        ("AA", "3.601073", "2.192924"),
        ("32o", "-2.348116", "-0.925837"),
    ],
)
def test_ultimate_hands(hand: str, raise_ev: str, check_ev: str) -> None:
    """Bernton/BerldPokerEngine workbook: EV of 4x and of checking."""
    assert raise_ev == worth(solved(ULTIMATE), hand, "4x")
    assert check_ev == worth(solved(ULTIMATE), hand, "check")


def test_bad_beat() -> None:
    """discountgambling.net, 8 June 2012: losing hands of 2,781,381,002,400, and 14.7868%."""
    lost: dict[str, int] = {}
    rules = house(ULTIMATE, bad_beat="B")
    for _, hand, count in occurrences(rules, "bad_beat"):
        standing, player, dealer = hand.split("/")
        loser = {"behind": player, "ahead": dealer}.get(standing, "tied")
        lost[loser] = lost.get(loser, 0) + count

    assert 2781381002400 == sum(lost.values())
    assert 10300592 == lost["straight_flush"]
    assert 471040512 == lost["four_of_a_kind"]
    assert 8435225376 == lost["full_house"]
    assert 19434208592 == lost["flush"]
    assert 18271076976 == lost["straight"]
    assert 64049759448 == lost["three_of_a_kind"]
    assert 113130263816 == lost["tied"]
    assert "14.7868" == f"{-100 * float(side_wagers.analyze_side_wager(rules, 'bad_beat').ev):.4f}"


def test_trips() -> None:
    """CONTRACTS.md, section 3: Trips A."""
    assert (
        Fraction(-301629, 33446140)
        == side_wagers.analyze_side_wager(house(ULTIMATE, trips="A"), "trips").ev
    )


def test_texas_value() -> None:
    """Same workbook; 2.037 %, average wager 3.8181 and risk 0.5335 % on wizardofodds.com."""
    solution = solved(TEXAS)

    assert Fraction(-1133091156680, 55627620048000) == solution.ev
    assert 55627620048000 == solution.deals
    assert "3.8181" == f"{float(solution.average_wager):.4f}"
    assert "0.5335" == f"{100 * float(solution.element_of_risk):.4f}"


def test_texas_flush_rule() -> None:
    """wizardofodds.com: 5.5935 % where the ante is paid from a flush."""
    solution = solved(TEXAS, "ante_return_threshold", "flush")

    assert "5.5935" == f"{100 * float(solution.house_edge):.4f}"


def test_texas_folds() -> None:
    """wizardofodds.com: fold 2-3 to 2-7 off-suit, nothing else."""
    folded = {row.hand for row in solved(TEXAS).chart if row.best == "fold"}

    assert {"32o", "42o", "52o", "62o", "72o"} == folded


@pytest.mark.parametrize(
    ("hand", "ev"),
    [
        ("AA", "2.788899"),
        ("AKs", "1.194024"),
        ("22", "-0.134137"),
        ("72o", "-1.031301"),
        ("32o", "-1.155927"),
    ],
)
def test_texas_hands(hand: str, ev: str) -> None:
    """Same workbook: EV of playing under the straight rule."""
    assert ev == worth(solved(TEXAS), hand, "2x")


def seen(game: str, knows: str, digits: int, units: int = 1) -> str:
    """The player's edge with a seen card, as it is printed."""
    return f"{100 * float(analyze_exposure(house(game), knows).ev) / units:.{digits}f}"


def test_center_card_of_run_em_twice() -> None:
    """888casino.com "hole-carding-criss-cross-poker": +49.37% of both antes together."""
    assert "49.37" == seen("run_em_twice", "center:1", 2, units=2)


@pytest.mark.slow
def test_one_dealer_card_of_ultimate() -> None:
    """Jacobson, 888casino.com: +13.5922%, and 3x is never right."""
    result = analyze_exposure(house(ULTIMATE), "dealer:1")

    assert "13.5922" == f"{100 * float(result.ev):.4f}"
    assert 0 == result.actions["3x"]


@pytest.mark.slow
def test_one_dealer_card_and_one_flop_card_of_ultimate() -> None:
    """Jacobson, 888casino.com: +22.3286%."""
    assert "22.3286" == seen(ULTIMATE, "dealer:1 flop:1", 4)


@pytest.mark.slow
def test_one_dealer_card_and_one_turn_or_river_card_of_ultimate() -> None:
    """Jacobson, 888casino.com: +26.1867%, 4x on 36.1368%."""
    result = analyze_exposure(house(ULTIMATE), "dealer:1 turn:1")

    assert "26.1867" == f"{100 * float(result.ev):.4f}"
    assert "36.1368" == f"{100 * float(result.actions['4x']):.4f}"


@pytest.mark.slow
def test_both_dealer_cards_of_ultimate() -> None:
    """Jacobson, 888casino.com: +38.5816%, 4x on 34.7368% and a check on 65.2632%."""
    result = analyze_exposure(house(ULTIMATE), "dealer:2")

    assert "38.5816" == f"{100 * float(result.ev):.4f}"
    assert "34.7368" == f"{100 * float(result.actions['4x']):.4f}"
    assert "65.2632" == f"{100 * float(result.actions['check']):.4f}"


@pytest.mark.slow
def test_one_dealer_card_of_texas() -> None:
    """apheat.net, 30 November 2013: +7.61 % under the straight rule."""
    assert "7.61" == seen(TEXAS, "dealer:1", 2)

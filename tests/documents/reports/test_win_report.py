"""Actual win against theoretical win: exact bands, and marked approximations without one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import example
from croupier.analysis import analyze_side_wager
from croupier.cards import DECK, names
from croupier.documents.reports.theoretical_win import MAIN
from croupier.documents.reports.win_report import (
    ActualWin,
    actual_wins,
    table_totals,
    table_win,
)
from croupier.ledger import Ledger
from croupier.ledger.queries.periods import period_between
from croupier.table import Account
from croupier.table import commands as cmd

BONUS = "top_five_bonus"
ROBOT = Account("robot", "system")
HOUSE = example("top_five")


def played(ledger: Ledger, stakes: list[int]) -> None:
    """Play a round for each stake on the bonus, all from the same deck."""
    opened = ledger.open_table("T", HOUSE, by=ROBOT, service="rounds")
    for stake in stakes:
        opened.do(cmd.PlaceWagers(1, {"ante": 1000, BONUS: stake}), ROBOT)
        opened.do(cmd.NoMoreBets(), ROBOT)
        cards = names(DECK)
        while (due := opened.table.due()).kind != "settle":
            if due.kind == "deal":
                opened.do(cmd.DealCards(tuple(cards[: due.cards])), ROBOT)
                del cards[: due.cards]
            elif due.kind == "show":
                opened.do(cmd.ShowStreet(), ROBOT)
            else:
                opened.do(cmd.Decide(due.seat, opened.table.options()[0].word), ROBOT)
        opened.do(cmd.Settle(), ROBOT)


def convolved(shares: Mapping[Fraction, Fraction], stakes: list[int]) -> dict[Fraction, Fraction]:
    """Naive convolution: the exact probability of every sum of rounds at these stakes."""
    sums = {Fraction(0): Fraction(1)}
    for stake in stakes:
        more: dict[Fraction, Fraction] = {}
        for value, share in sums.items():
            for net, probability in shares.items():
                total = value + stake * net
                more[total] = more.get(total, Fraction(0)) + share * probability
        sums = more
    return sums


def quantile(sums: Mapping[Fraction, Fraction], share: Fraction) -> Fraction:
    """The first sum at which the cumulative probability reaches `share`."""
    cumulative = Fraction(0)
    for value in sorted(sums):
        cumulative += sums[value]
        if cumulative >= share:
            return value
    raise AssertionError("the probabilities do not add up")


def lines(tmp_path: Path, stakes: list[int]) -> dict[str, ActualWin]:
    """The wins of a table after these rounds, by bet."""
    with Ledger(tmp_path / "t.db", purpose="practice") as ledger:
        played(ledger, stakes)
        wins = actual_wins(ledger, "T", lambda house, bet: shares_of(bet))
    return {line.bet: line for line in wins}


def shares_of(bet: str) -> Mapping[Fraction, Fraction] | None:
    """The distribution of the bonus; None for the main game."""
    return None if bet == MAIN else analyze_side_wager(HOUSE, bet).shares


@pytest.mark.parametrize("stakes", [[500] * 4, [500, 1000, 500]])
def test_a_band_is_that_of_the_whole_distribution(tmp_path: Path, stakes: list[int]) -> None:
    """The band equals that of the naive convolution at the recorded stakes."""
    line = lines(tmp_path, stakes)[BONUS]
    sums = convolved(analyze_side_wager(HOUSE, BONUS).shares, stakes)
    low, high = (int(-quantile(sums, Fraction(share, 1000))) for share in (975, 25))

    assert ("exact", len(stakes), sum(stakes)) == (line.band, line.count, line.staked)
    assert (low, high) == (line.low, line.high)
    assert line.outside == (not low <= line.actual <= high)


def test_a_bet_without_a_distribution_has_the_band_of_its_variance(tmp_path: Path) -> None:
    """And it is marked as such."""
    wins = lines(tmp_path, [500, 1000, 500])

    assert "variance" == wins[MAIN].band
    assert 3 == wins[MAIN].count


def test_the_win_of_a_period_has_its_totals(tmp_path: Path) -> None:
    """Handle and win of the rounds in it; nothing before the table was opened."""
    with Ledger(tmp_path / "t.db", purpose="practice") as ledger:
        played(ledger, [500, 1000])
        everything = period_between(ledger)
        won = table_win(ledger, "T", lambda house, bet: shares_of(bet), everything)
        before = table_win(ledger, "T", lambda house, bet: None, period_between(ledger, None, 0))
        alone = table_totals(ledger, "T", everything)

    assert won.totals is not None
    assert won.totals == alone
    assert 2 == won.totals.rounds
    assert sum(line.actual for line in won.bets) == won.totals.settled
    assert won.totals.handle >= 2 * 1000 + 1500
    assert (None, ()) == (before.totals, before.bets)

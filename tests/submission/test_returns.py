"""What a progressive returns: exact counts, and the refusal of a player edge (A1, A2, A3)."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.cards import DECK
from croupier.ranking import category, poker_value
from croupier.submission import build
from croupier.submission.returns import COUNTS, progressive_return
from tests.submission.filing import (
    FLOORS,
    JACKPOT,
    LEFT_OUT,
    RUN,
    ULTIMATE,
    errors,
    filed,
    look,
    with_progressive,
)

# Decks of five and seven cards as every book on poker has them, the royal flush first.
FIVE = (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540)
SEVEN = (4324, 37260, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460)


def test_counts_are_the_known_ones() -> None:
    """Five cards, the best five of seven, and their totals."""
    assert tuple(reversed(FIVE)) == COUNTS["own_two_plus_flop"][0]
    assert tuple(reversed(SEVEN)) == COUNTS["best_five_of_seven"][0]
    for both in COUNTS["own_two_plus_flop"], COUNTS["own_two_plus_first_three"]:
        assert all(comb(52, 5) == sum(counts) for counts in both)
    assert all(comb(52, 7) == sum(counts) for counts in COUNTS["best_five_of_seven"])
    ways = comb(52, 3) * comb(49, 2) * comb(47, 2)
    assert all(ways == sum(counts) for counts in COUNTS["higher_run"])


def test_an_ace_that_is_only_high() -> None:
    """Five cards without A-2-3-4-5: 1,020 straights and four straight flushes fewer (A8)."""
    low, high = COUNTS["first_run"]

    assert [1020, 0, 0, 0, -1020, 4, 0, 0, -4, 0] == [b - a for a, b in zip(low, high)]


@pytest.mark.parametrize("basis", ["first_run", "best_five_of_seven", "higher_run"])
@pytest.mark.parametrize("ace_low", [True, False])
def test_counts_agree_with_dealing(basis: str, ace_low: bool) -> None:
    """Random deals, judged by the ranking, fall as the counts say."""
    deals = 20_000
    dealt = random.Random(f"{basis} {ace_low}")
    seen = [0] * 10
    for _ in range(deals):
        cards = dealt.sample(DECK, 7)
        if basis == "best_five_of_seven":
            value = poker_value(cards, ace_low)
        else:
            value = poker_value(cards[:5], ace_low)
        if basis == "higher_run":
            value = max(value, poker_value((*cards[:3], *cards[5:]), ace_low))
        seen[category(value)] += 1
    counts = COUNTS[basis][not ace_low]
    for found, count in zip(seen, counts):
        share = count / sum(counts)
        spread = (deals * share * (1 - share)) ** 0.5
        assert abs(found - deals * share) <= 5 * spread + 1


def test_the_exact_return() -> None:
    """Ultimate C on two cards and the flop, term by term."""
    awards = {"royal": 10_000, "straight flush": 1_000, "four": 250}
    total = 4 * awards["royal"] + 36 * awards["straight flush"] + 624 * awards["four"]
    total += 3744 * 50 + 5108 * 40 + 10200 * 30 + 54912 * 10

    assert Fraction(total, comb(52, 5)) == progressive_return(build(filed(ULTIMATE)))


def test_stake_and_odds() -> None:
    """ "To" gives the stake back, "for" does not; a larger stake dilutes the meters (A27, A28)."""
    house = build(filed(ULTIMATE, with_progressive(ULTIMATE, "A", stake=5)))
    total = 4 * 10_000 + 36 * 1_000  # 100 and 10 percent of the meter, in dollars
    total += 5 * (624 * 301 + 3744 * 51 + 5108 * 41 + 10200 * 31 + 54912 * 10)

    assert Fraction(total, 5 * comb(52, 5)) == progressive_return(house)


def test_jackpot_royals_by_suit() -> None:
    """One royal in four is of diamonds, and its meter is another (A2)."""
    house = build(filed(JACKPOT, with_progressive(JACKPOT, "A", stake=1)))
    total = 10_000 + 3 * 5_000 + 36 * 1_000 + 624 * 500
    total += 3744 * 50 + 5108 * 30 + 10200 * 20 + 54912 * 10 + 123552 * 4

    assert Fraction(total, comb(52, 5)) == progressive_return(house)


@pytest.mark.parametrize(
    ("game", "basis", "reading", "clause"),
    [
        (ULTIMATE, "best_five_of_seven", "A1", "1.B.6"),
        (JACKPOT, "best_five_of_seven", "A2", "7.F.3"),
        (RUN, "best_five_of_seven", "A3", "12.F.5"),
        (RUN, "higher_run", "A3", "12.F.5"),
    ],
)
def test_a_player_edge_is_refused(game: str, basis: str, reading: str, clause: str) -> None:
    """Unless the submission says that it is meant."""
    changes: dict[str, Any] = {"choices.progressive_basis": basis}
    (message,) = errors(game, changes)

    assert message.startswith(f'choices.progressive_basis: "{basis}" returns ')
    assert message.endswith(f"({reading}) [{game} {clause}]")
    accepted = look(game, changes | {"choices.accept_player_edge": True})
    assert accepted.ready
    assert accepted.progressive_return is not None
    assert accepted.progressive_return > 1


def test_every_paytable_can_be_operated() -> None:
    """With the cards that the odds were made for, no letter returns more than the stake."""
    for game, tables in FLOORS.items():
        for letter in tables:
            house = build(filed(game, with_progressive(game, letter)))
            assert progressive_return(house) < 1, (game, letter)


def test_no_progressive_no_return() -> None:
    """Nothing to return, nothing to accept."""
    changes = {"paytables.progressive": LEFT_OUT, "meters": LEFT_OUT}

    assert look(ULTIMATE, changes).progressive_return is None
    assert look("top_five").progressive_return is None

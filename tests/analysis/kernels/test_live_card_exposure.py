"""Known cards of Top Five, of the dealer or another seat, against every hand of the dealer."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from croupier import submission
from croupier.analysis import variants
from croupier.analysis.kernels.live_cards import subset_sums
from croupier.cards import parse_cards
from croupier.errors import BadInput
from croupier.games import DealtHand, FactsSpace
from croupier.games.top_five import solver
from croupier.games.top_five.exposure import KnownLive, name_probabilities, sets_of
from croupier.games.top_five.game import LiveCardContest, contest
from croupier.ranking import live_card_value
from tests.analysis.test_proposals import accepting


@pytest.mark.parametrize("must", [True, False], ids=["held", "missed"])
def test_sum_within(must: bool) -> None:
    """A dealer's hands that hold two live cards, or neither of them: set by set."""
    house = variants.standard_house("top_five")
    players = solver.players_up_to_suits(house)
    space = FactsSpace.of(house.every_facts(), LiveCardContest)
    codes = solver.contest_codes(space)
    at = int(np.searchsorted(players.masks, solver.least_mask([51, 50, 47, 42, 37, 33])))
    cards = solver.held_cards(int(players.masks[at]))
    left = [card for card in range(solver.FIRST_LIVE, 52) if card not in cards]
    numbers = np.random.default_rng(4)
    worth = numbers.integers(-9, 9, len(space))
    ways = numbers.integers(0, 9, 8)
    values = np.zeros(1 << solver.LIVE, np.int32)
    values[solver.live_sets().masks] = players.all_values
    table = np.zeros(1 << len(left), np.int64)
    subset_sums.sum_within(
        np.array(left) - solver.FIRST_LIVE, len(cards), int(players.values[at]), values,
        players.qualifying, worth[codes], ways, must, table,
    )  # fmt: skip
    value = live_card_value(cards)
    expected = dict.fromkeys(combinations(range(len(left)), 2), 0)
    for size in range(8):
        for places in combinations(range(len(left)), size):
            dealer = [left[place] for place in places]
            paid = int(
                ways[size] * worth[space.code(contest(value, live_card_value(dealer), house))]
            )
            for known_two in expected:
                held = len(set(known_two) & set(places))
                if held == (2 if must else 0):
                    expected[known_two] += paid

    for (one, two), total in expected.items():
        assert total == table[table.size - 1 - (1 << one) - (1 << two)]


@pytest.mark.parametrize(("place", "count"), [("dealer", 2), ("seat", 2), ("seat", 3)])
def test_live_cards_by_their_naive_twin(place: str, count: int) -> None:
    """Four cards against three: known cards of the dealer or a seat, by `judge`."""
    house = submission.build(accepting("top_five", cards={"player": 4, "dealer": 3}))
    own = parse_cards("Jd 8c 7c 2h")
    what = KnownLive(house, place, count)
    at = int(np.searchsorted(what.players.masks, solver.least_mask(own)))
    order = solver.least_order(own)
    by_dead = list(what.seen(at))
    for text in ("Ad Qs", "Td 3c", "9s 3d"):
        seen = [*parse_cards(text), *parse_cards("5h")[: count - 2]]
        live = [card - solver.FIRST_LIVE for card in seen if card >= solver.FIRST_LIVE]
        free, sums, _ = by_dead[count - len(live)]
        places = [free.tolist().index(card >> 2 << 2 | order[card & 3]) for card in live]
        left_out = (1 << len(free)) - 1 - sum(1 << one for one in places)
        actual = int(sums[sets_of(len(free), len(live)).tolist().index(left_out)])
        unseen = [card for card in range(52) if card not in own and card not in seen]
        held = seen if place == "dealer" else []
        total = 0
        for others in combinations(unseen, 3 - len(held)):
            deal = DealtHand(
                cards=own, dealer=(*held, *others), community=(), box=(), folded_at="", wagers=()
            )
            for facts in house.game.judge(deal, house):
                for result in house.settle(facts):
                    total += {"win": 1, "lose": -1}.get(result.outcome, 0)

        assert total == actual, text


def test_every_set_of_known_cards_is_counted() -> None:
    """Live ones by their sets, dead ones by their number: all choices of three of 45 cards."""
    what = KnownLive(variants.standard_house("top_five"), "seat", 3)
    at = int(np.searchsorted(what.players.masks, solver.least_mask(parse_cards("Ad Kd Tc"))))
    assert 45 * 44 * 43 // 6 == sum(len(sums) * times for _, sums, times in what.seen(at))
    assert 1 == sum(name_probabilities(3).values())


def test_more_than_are_dealt() -> None:
    """A proposal that deals the dealer three cards has no fourth to be seen."""
    house = submission.build(accepting("top_five", cards={"player": 4, "dealer": 3}))
    with pytest.raises(BadInput, match="dealer:4 is more cards than are dealt; expected up to 3"):
        KnownLive(house, "dealer", 4)

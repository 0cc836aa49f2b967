"""Hands that are folded under the best play, by what they would have been on a side wager.

Needed only where a fold forfeits the wager (`progressive_after_fold`, `bad_beat_after_fold`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.games import House
from croupier.games.forms.run_em_twice import RunChoices
from croupier.games.forms.ultimate_texas_holdem import UltimateChoices
from croupier.games.hands import POKER_HANDS
from croupier.games.returns import basis, named
from croupier.study.census import Counts, compared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from croupier.study import holdem
    from croupier.study.play_games import PlayRules


class Folded(NamedTuple):
    """Folded deals by hand name, out of all deals."""

    counts: Counts
    deals: int


_found: dict[tuple[str, str, str], Folded] = {}


def folded(house: House, wager: str) -> Folded:
    """The folded deals under the best main play, by what the wager is judged on."""
    from croupier.study.advice import money_digest

    key = money_digest(house), wager, basis(house, wager).name
    if key not in _found:
        _found[key] = named(house.game.study.forfeits)(house, wager)
    return _found[key]


def folded_runs(house: House[RunChoices], wager: str) -> Folded:
    """The folded deals of Run 'Em Twice by the hand behind its progressive."""
    import numpy as np

    from croupier.study import cross, run_em_twice, starting, workers
    from croupier.study.kernels import folds, runs

    rules = cross.RunRules(house)
    values, _, best_first = run_em_twice.decide(rules)
    judged_on = {"first_run": folds.FIRST_RUN, "higher_run": folds.HIGHER_RUN}
    judged = judged_on.get(house.choices.progressive_basis or "", folds.ALL_SEVEN)
    hands = starting.hand_classes().sizes
    parts = []

    def one_hand(at: int, _: int) -> None:
        found = cross.sides(at)
        classes = cross.run_classes(rules, found)
        bet = int(best_first[at])
        part = np.zeros(runs.CLASSES, np.int64)
        folds.count_folds(
            found.chosen, found.sizes * hands[at], cross.side_cards(),
            *cross.prepare(rules, classes), classes, found.hand, found.others, rules.ranks(),
            max(bet, 0), run_em_twice.bets_made(rules, values[at], bet), judged, part,
        )  # fmt: skip
        parts.append(part)

    workers.over(len(values), one_hand, parts=len(values))
    counts = np.sum(parts, axis=0).tolist()
    return Folded(dict(zip(POKER_HANDS, counts, strict=True)), run_em_twice.DEALS)


def fold_out(house: House[UltimateChoices], wager: str) -> Folded:
    """The folded deals of a wager in Ultimate, by what it is judged on."""
    from croupier.study import holdem, play_games

    rules = play_games.PlayRules(house)
    boards = holdem.showdowns(rules.pay, rules.floors, play_games.QUALIFYING)
    gains, totals = play_games.decide(rules, holdem.sums(boards, 3))
    best = play_games.best_openings(totals)
    deals = play_games.total_deals(rules)
    if wager == "progressive" and house.choices.progressive_basis == "own_two_plus_flop":
        return Folded(_by_first_five(rules, boards, best, gains), deals)
    (plain, suited), _ = play_games.board_weights(rules, best, gains)
    rank_times, flush_times = _folds(boards, plain[:, -1], suited[:, -1])
    met = compared(rank_times, flush_times)
    if wager == "bad_beat":
        return Folded(met, deals)
    by_category: Counts = {}
    for name, count in met.items():
        category = name.split("/")[1]
        by_category[category] = by_category.get(category, 0) + count
    return Folded(by_category, deals)


def _folds(
    boards: holdem.Showdowns, plain: NDArray[np.int64], suited: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Weights of hands that come to the river and fold there."""
    import numpy as np

    from croupier.study.kernels.showdown import FOLDS

    rank_times = np.where(boards.plain_above == FOLDS, plain, 0)
    return rank_times, np.where(boards.suited_above == FOLDS, suited, 0).astype(np.int64)


def _by_first_five(
    rules: PlayRules,
    boards: holdem.Showdowns,
    best: NDArray[np.int64],
    gains: NDArray[np.int64],
) -> Counts:
    """Folded deals by the hand of the two own cards and the flop."""
    import numpy as np

    from croupier.study import holdem
    from croupier.study.kernels import deals, runs, signatures
    from croupier.study.kernels.showdown import FOLDS, OPPONENTS
    from croupier.study.tables import rank_hands

    numbering = signatures.numbering()
    plain = (boards.plain_above == FOLDS).astype(np.int64)
    same_ranks = plain[holdem.ranks_of_flush_boards()][:, numbering.rank_pairs]
    suited = np.where(boards.suited_above > 0, (boards.suited_above == FOLDS) - same_ranks, 0)
    flags = boards._replace(plain=plain[:, None], suited=suited[:, None].astype(np.int32))
    sums = holdem.sums(flags, 3)
    flops = deals.early_boards(3)
    hands, hand_types, hand_ranks = holdem.deal_tables()
    out = np.zeros(deals.HANDS, np.int64)
    clash = np.zeros(deals.HANDS, np.bool_)
    checked = best[rules.openings.ids[0]] == 0
    tally = np.zeros(runs.CLASSES, np.int64)
    classes = np.vectorize(runs.finest_class.py_func, otypes=[np.int64])
    for at, (cards, size) in enumerate(zip(flops.cards, flops.sizes.tolist(), strict=True)):
        deals.value_early(
            cards, holdem.rank_ids(3)[at], 0, hand_types, hand_ranks, numbering.masks,
            holdem.starts(3), sums.plain, sums.suited, out,
        )  # fmt: skip
        deals.mark_clashes(cards, hands, clash)
        goes_on = checked & (gains[at] <= 0) & ~clash
        five = np.column_stack([hands[goes_on], np.tile(cards, (int(goes_on.sum()), 1))])
        np.add.at(tally, classes(rank_hands(five)), size * OPPONENTS * out[goes_on])
    return dict(zip(POKER_HANDS, tally.tolist(), strict=True))

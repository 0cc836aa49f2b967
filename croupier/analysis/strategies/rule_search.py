"""Greedy search for short rule lists: cost against length.

On each street rules are added one by one, before or after the existing ones, always the one that
gains most; a rule that is no longer needed is removed. Then the lines are allocated to the streets
by dynamic programming, and the exact cost is computed. A list is good, not provably optimal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies.cost import (
    StrategyCost,
    StrategyDecisions,
    StreetDecision,
    answer_streets,
    cost_model,
    rule_decisions,
    strategy_cost,
)
from croupier.analysis.strategies.rule_language import Features, Rule, RuleList, short_form
from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import House
from croupier.ranking import CATEGORIES

Floats = NDArray[np.float64]
MOST_LINES = 20
FEW_CLASSES = 6000  # below it, comparisons are tried in both directions
# Features compared by "<" where only one direction is tried.
FEWER = {"outs", "board"}
RANKED = {"high", "low", "pocket", "pair", "flush_draw", "second", "card", "both_pair"}
SIMPLIFY_SHARE = 0.999  # a condition is dropped if this share of the gain remains
EPSILON = 1e-12  # rounding of equal costs


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult(ResultDisplay):
    """A short list of rules and its exact cost."""

    strategy: RuleList
    priced: StrategyCost


class SituationClasses:
    """The situations of a street, grouped by equal features."""

    def __init__(self, decision: StreetDecision) -> None:
        first = decision.features[0]
        self.street, self.options = first.street, first.options
        self.names = first.names
        most = [
            [int(part.values(name).max()) for name in first.names] for part in decision.features
        ]
        sizes = [1 + max(column) for column in zip(*most, strict=True)]
        packed = [_packed(part, sizes) for part in decision.features]
        classes = np.unique(np.concatenate([np.unique(part) for part in packed]))
        keys = [np.searchsorted(classes, part) for part in packed]
        self.gains = decision.sum_gains(keys, len(classes))  # [class, option], over the first
        self.values: dict[str, NDArray[np.int64]] = {}
        for name, size in zip(first.names, sizes, strict=True):
            classes, self.values[name] = np.divmod(classes, size)
        # Starting hands may also be written as a range.
        self.hands = keys[0] if packed[0].shape == (169,) else None
        self.conditions, self.flags = self._simple_conditions()

    def _simple_conditions(self) -> tuple[list[str], NDArray[np.float32]]:
        """Conditions on one feature, and where they hold: [condition, class]."""
        conditions, flags = ["always"], [np.ones(len(self.gains), np.bool_)]
        for name, values in self.values.items():
            distinct = np.unique(values).tolist()
            if distinct == [0, 1]:
                conditions += [name, f"not {name}"]
                flags += [values == 1, values == 0]
                continue
            both = len(values) < FEW_CLASSES
            for value in distinct[1:]:
                if both or name not in FEWER:
                    conditions.append(f"{name} >= {_number_name(name, value)}")
                    flags.append(values >= value)
                if both or name in FEWER:
                    conditions.append(f"{name} < {_number_name(name, value)}")
                    flags.append(values < value)
        return conditions, np.array(flags, np.float32)


def _packed(features: Features, sizes: Sequence[int]) -> NDArray[np.int64]:
    """All features of each situation in one number."""
    packed = np.zeros(features.values(features.names[0]).shape, np.int64)
    for name, size in zip(reversed(features.names), reversed(sizes), strict=True):
        packed *= size
        packed += features.values(name)
    return packed


def _number_name(name: str, value: int) -> str:
    if name in RANKED and value >= 10:
        return RANKS[value - 2]
    if name in ("made", "board"):
        return "one_pair" if value == 1 else CATEGORIES[value]
    return str(value)


class CandidateRule(NamedTuple):
    """A rule of a street, the index of its option, and where it fits."""

    rule: Rule
    option: int
    where: NDArray[np.bool_]


class StreetRules(NamedTuple):
    """A street's rules, and their gain over always taking the option that risks least."""

    lines: tuple[CandidateRule, ...]
    gain: float

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules alone."""
        return tuple(line.rule for line in self.lines)


def _options_taken(classes: SituationClasses, lines: Sequence[CandidateRule]) -> NDArray[np.int64]:
    """The option taken in each class of situations."""
    taken = np.zeros(len(classes.gains), np.int64)
    for line in reversed(lines):
        taken[line.where] = line.option
    return taken


def _with_gain(classes: SituationClasses, lines: Sequence[CandidateRule]) -> StreetRules:
    played = classes.gains[np.arange(len(classes.gains)), _options_taken(classes, lines)]
    return StreetRules(tuple(lines), float(played.sum()))


def _with_best_rule(classes: SituationClasses, short: StreetRules) -> StreetRules | None:
    """The list with the rule that gains most added, before or after the others."""
    current = classes.gains[np.arange(len(classes.gains)), _options_taken(classes, short.lines)]
    free = np.ones(len(classes.gains), np.bool_)  # where no rule fits yet
    for line in short.lines:
        free &= ~line.where
    best, most = None, 0.0
    for option in range(len(classes.options)):
        over = classes.gains[:, option] - current
        for first, gains in ((True, over), (False, np.where(free, over, 0.0))):
            for gained, condition, where in _candidates(classes, gains):
                if gained > most * (1 + EPSILON) + EPSILON:
                    line = CandidateRule(
                        Rule(classes.street, condition, classes.options[option]), option, where
                    )
                    best, most = [line, *short.lines] if first else [*short.lines, line], gained
    return _with_gain(classes, best) if best else None


def _without_worst_rule(classes: SituationClasses, short: StreetRules) -> StreetRules:
    """The list without the rule that gains least."""
    fewer = (short.lines[:at] + short.lines[at + 1 :] for at in range(len(short.lines)))
    return max((_with_gain(classes, lines) for lines in fewer), key=lambda one: one.gain)


def _grow(classes: SituationClasses, lines: int) -> list[StreetRules]:
    """The best list of each length from zero, as long as another rule gains something.

    Rules are added one by one. A rule that later ones have made useless is removed if that leaves
    a better list than the best one of that length.
    """
    best = {0: _with_gain(classes, ())}
    current: StreetRules | None = best[0]
    while current is not None and len(current.lines) < lines:
        current = _with_best_rule(classes, current)
        while current is not None and _beats(current, best.get(len(current.lines))):
            best[len(current.lines)] = current
            fewer = _without_worst_rule(classes, current)
            if _beats(fewer, best[len(fewer.lines)]):
                current = fewer
    by_length = [best[0]]
    while _beats(best.get(len(by_length)), by_length[-1]):
        by_length.append(best[len(by_length)])
    return by_length


def _beats(one: StreetRules | None, other: StreetRules | None) -> bool:
    """Whether a list gains more than another, by more than rounding."""
    if one is None or other is None:
        return one is not None
    return one.gain > other.gain + EPSILON * abs(other.gain) + EPSILON


def _candidates(
    classes: SituationClasses, gains: Floats
) -> Iterator[tuple[float, str, NDArray[np.bool_]]]:
    """The best condition on two features, refined by a third; and the best range of hands."""
    weighted = classes.flags * gains.astype(np.float32)
    pairs = weighted @ classes.flags.T
    chosen = list(divmod(int(np.argmax(pairs)), len(pairs)))
    where = classes.flags[chosen].min(axis=0) > 0
    refined = classes.flags @ (gains * where).astype(np.float32)
    chosen.append(int(np.argmax(refined)))
    # A condition that hardly adds to the gain is dropped.
    for condition in (chosen[2], chosen[1], chosen[0]):
        simpler = [other for other in chosen if other != condition]
        if simpler and _gain_of(classes, simpler, gains) >= SIMPLIFY_SHARE * _gain_of(
            classes, chosen, gains
        ):
            chosen = simpler
    conditions = [classes.conditions[at] for at in dict.fromkeys(chosen)]
    where = classes.flags[chosen].min(axis=0) > 0
    gained = float(gains[where].sum())
    yield gained, " and ".join(conditions), where
    if classes.hands is not None:
        names = starting_hands.hand_classes().names
        where = gains > EPSILON
        in_range = where[classes.hands]
        ranges = [
            f'cards in "{short_form(names[at] for at in np.flatnonzero(in_range))}"',
            f'not cards in "{short_form(names[at] for at in np.flatnonzero(~in_range))}"',
        ]
        if in_range.any():
            yield float(gains[where].sum()), min(ranges, key=len), where


def _gain_of(classes: SituationClasses, chosen: Sequence[int], gains: Floats) -> float:
    return float(gains[classes.flags[list(chosen)].min(axis=0) > 0].sum())


def search_rules(house: House, lines: int, progress: Progress | None = None) -> list[SearchResult]:
    """Search rule lists of up to `lines` rules, shortest first, each with its exact cost."""
    if not 1 <= lines <= MOST_LINES:
        raise BadInput(f"{lines} lines: expected 1 to {MOST_LINES}")
    report = progress or no_progress
    report(0.0, "perfect play")
    grown: list[list[StreetRules]] = []

    def decide(decision: StreetDecision) -> list[StrategyDecisions]:
        report(0.2 + 0.2 * len(grown), f"rules for the {decision.street.name}")
        grown.append(_grow(SituationClasses(decision), lines))
        choose = rule_decisions(RuleList(grown[-1][-1].rules))
        return [choose(features) for features in decision.features]

    answer_streets(cost_model(house).decisions, decide)
    results = []
    for count in range(1, lines + 1):
        shares = _allocate(grown, count)
        if sum(shares) < count:
            break
        streets = [street[share].rules for street, share in zip(grown, shares, strict=True)]
        strategy = RuleList(tuple(rule for rules in streets for rule in rules), house.game.key)
        report(0.8 + 0.2 * count / lines, f"{count} lines")
        results.append(SearchResult(strategy, strategy_cost(house, strategy)))
    return results


def _allocate(grown: Sequence[Sequence[StreetRules]], lines: int) -> list[int]:
    """The number of lines for each street with the largest total gain."""
    best: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}
    for street in grown:
        new: dict[int, tuple[float, list[int]]] = {}
        for used, (gained, shares) in best.items():
            for share, short in enumerate(street[: lines - used + 1]):
                total = gained + short.gain
                if used + share not in new or total > new[used + share][0]:
                    new[used + share] = total, [*shares, share]
        best = new
    return best[max(used for used in best if used <= lines)][1]

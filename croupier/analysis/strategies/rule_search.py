"""Short lists of rules that lose little: cost against length.

On each street rules are added one by one, before or after those found before, always the one
that gains the most, and one that is no longer needed is taken out again; then lines are shared
out among the streets, and the lists are priced exactly. The result is a good list of its length,
not proved to be the best one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies.cost import (
    StrategyCost,
    StrategyDecisions,
    StreetDecision,
    rule_decisions,
    strategy_cost,
    cost_model,
    answer_streets,
)
from croupier.analysis.strategies.rule_language import Features, Rule, RuleList, short_form
from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import House
from croupier.ranking import CATEGORIES

Floats = NDArray[np.float64]
MOST_LINES = 20
FEW_KINDS = 6000  # of situations, where more conditions are tried
# What is best told as "fewer than", where it is not tried both ways.
FEWER = {"outs", "board"}
RANKED = {"high", "low", "pocket", "pair", "flush_draw", "second", "card", "both_pair"}
WORTH_SAYING = 0.999  # of a gain that is also had with fewer words
# Costs differ by rounding where they are the same.
NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A short list of rules, priced."""

    strategy: RuleList
    priced: StrategyCost


class SituationClasses:
    """The situations of a street, put together where nothing different is seen."""

    def __init__(self, decision: StreetDecision) -> None:
        first = decision.sights[0]
        self.street, self.options = first.street, first.options
        self.names = first.names
        most = [[int(sight.see(name).max()) for name in first.names] for sight in decision.sights]
        sizes = [1 + max(column) for column in zip(*most, strict=True)]
        packed = [_packed(sight, sizes) for sight in decision.sights]
        kinds = np.unique(np.concatenate([np.unique(part) for part in packed]))
        keys = [np.searchsorted(kinds, part) for part in packed]
        self.gains = decision.summed(keys, len(kinds))  # [kind, option], over the first option
        self.values: dict[str, NDArray[np.int64]] = {}
        for name, size in zip(first.names, sizes, strict=True):
            kinds, self.values[name] = np.divmod(kinds, size)
        # Starting hands alone may also be told as a range.
        self.hands = keys[0] if packed[0].shape == (169,) else None
        self.conditions, self.flags = self._simple()

    def _simple(self) -> tuple[list[str], NDArray[np.float32]]:
        """Conditions on one thing seen, and where they hold: [condition, kind]."""
        told, flags = ["always"], [np.ones(len(self.gains), np.bool_)]
        for name, values in self.values.items():
            met = np.unique(values).tolist()
            if met == [0, 1]:
                told += [name, f"not {name}"]
                flags += [values == 1, values == 0]
                continue
            both = len(values) < FEW_KINDS
            for value in met[1:]:
                if both or name not in FEWER:
                    told.append(f"{name} >= {_word(name, value)}")
                    flags.append(values >= value)
                if both or name in FEWER:
                    told.append(f"{name} < {_word(name, value)}")
                    flags.append(values < value)
        return told, np.array(flags, np.float32)


def _packed(sight: Features, sizes: Sequence[int]) -> NDArray[np.int64]:
    """All that is seen in one number for each situation."""
    packed = np.zeros(sight.see(sight.names[0]).shape, np.int64)
    for name, size in zip(reversed(sight.names), reversed(sizes), strict=True):
        packed *= size
        packed += sight.see(name)
    return packed


def _word(name: str, value: int) -> str:
    if name in RANKED and value >= 10:
        return RANKS[value - 2]
    if name in ("made", "board"):
        return "one_pair" if value == 1 else CATEGORIES[value]
    return str(value)


class CandidateRule(NamedTuple):
    """A rule of a street, the place of what it plays among the options, and where it fits."""

    rule: Rule
    option: int
    where: NDArray[np.bool_]


class StreetRules(NamedTuple):
    """A street's rules, first fit first, and what they gain over the option that risks least."""

    lines: tuple[CandidateRule, ...]
    gain: float

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules by themselves."""
        return tuple(line.rule for line in self.lines)


def _playing(kinds: SituationClasses, lines: Sequence[CandidateRule]) -> NDArray[np.int64]:
    """What is played with each kind of situation."""
    playing = np.zeros(len(kinds.gains), np.int64)
    for line in reversed(lines):
        playing[line.where] = line.option
    return playing


def _of(kinds: SituationClasses, lines: Sequence[CandidateRule]) -> StreetRules:
    played = kinds.gains[np.arange(len(kinds.gains)), _playing(kinds, lines)]
    return StreetRules(tuple(lines), float(played.sum()))


def _longer(kinds: SituationClasses, short: StreetRules) -> StreetRules | None:
    """The rule that gains most, put before or after the others."""
    current = kinds.gains[np.arange(len(kinds.gains)), _playing(kinds, short.lines)]
    free = np.ones(len(kinds.gains), np.bool_)  # where no rule fits yet
    for line in short.lines:
        free &= ~line.where
    best, most = None, 0.0
    for option in range(len(kinds.options)):
        over = kinds.gains[:, option] - current
        for first, gains in ((True, over), (False, np.where(free, over, 0.0))):
            for gained, told, where in _candidates(kinds, gains):
                if gained > most * (1 + NOTHING) + NOTHING:
                    line = CandidateRule(
                        Rule(kinds.street, told, kinds.options[option]), option, where
                    )
                    best, most = [line, *short.lines] if first else [*short.lines, line], gained
    return _of(kinds, best) if best else None


def _shorter(kinds: SituationClasses, short: StreetRules) -> StreetRules:
    """The list without the rule that is missed least."""
    fewer = (short.lines[:at] + short.lines[at + 1 :] for at in range(len(short.lines)))
    return max((_of(kinds, lines) for lines in fewer), key=lambda one: one.gain)


def _grow(kinds: SituationClasses, lines: int) -> list[StreetRules]:
    """The best list found of each length from none on, as long as a line more gains something.

    Rules are added one by one. One that later ones have made needless, or worse than nothing, is
    taken out again where that leaves a better list than was known of that length.
    """
    best = {0: _of(kinds, ())}
    current: StreetRules | None = best[0]
    while current is not None and len(current.lines) < lines:
        current = _longer(kinds, current)
        while current is not None and _beats(current, best.get(len(current.lines))):
            best[len(current.lines)] = current
            fewer = _shorter(kinds, current)
            if _beats(fewer, best[len(fewer.lines)]):
                current = fewer
    found = [best[0]]
    while _beats(best.get(len(found)), found[-1]):
        found.append(best[len(found)])
    return found


def _beats(one: StreetRules | None, other: StreetRules | None) -> bool:
    """Whether a list gains more than another, by more than the rounding of sums."""
    if one is None or other is None:
        return one is not None
    return one.gain > other.gain + NOTHING * abs(other.gain) + NOTHING


def _candidates(
    kinds: SituationClasses, gains: Floats
) -> Iterator[tuple[float, str, NDArray[np.bool_]]]:
    """The best condition on two things seen, sharpened by a third; and the best range of hands."""
    weighted = kinds.flags * gains.astype(np.float32)
    pairs = weighted @ kinds.flags.T
    chosen = list(divmod(int(np.argmax(pairs)), len(pairs)))
    where = kinds.flags[chosen].min(axis=0) > 0
    sharper = kinds.flags @ (gains * where).astype(np.float32)
    chosen.append(int(np.argmax(sharper)))
    # What does not help enough to be worth its words is left out again.
    for condition in (chosen[2], chosen[1], chosen[0]):
        fewer = [one for one in chosen if one != condition]
        if fewer and _gained(kinds, fewer, gains) >= WORTH_SAYING * _gained(kinds, chosen, gains):
            chosen = fewer
    told = [kinds.conditions[at] for at in dict.fromkeys(chosen)]
    where = kinds.flags[chosen].min(axis=0) > 0
    gained = float(gains[where].sum())
    yield gained, " and ".join(told), where
    if kinds.hands is not None:
        names = starting_hands.hand_classes().names
        where = gains > NOTHING
        among = where[kinds.hands]
        told_ranges = [
            f'cards in "{short_form(names[at] for at in np.flatnonzero(among))}"',
            f'not cards in "{short_form(names[at] for at in np.flatnonzero(~among))}"',
        ]
        if among.any():
            yield float(gains[where].sum()), min(told_ranges, key=len), where


def _gained(kinds: SituationClasses, chosen: Sequence[int], gains: Floats) -> float:
    return float(gains[kinds.flags[list(chosen)].min(axis=0) > 0].sum())


def search_rules(house: House, lines: int, progress: Progress | None = None) -> list[SearchResult]:
    """Lists of up to so many rules, shortest first, each priced exactly."""
    if not 1 <= lines <= MOST_LINES:
        raise BadInput(f"{lines} lines: expected 1 to {MOST_LINES}")
    report = progress or no_progress
    report(0.0, "perfect play")
    grown: list[list[StreetRules]] = []

    def answer(decision: StreetDecision) -> list[StrategyDecisions]:
        report(0.2 + 0.2 * len(grown), f"rules for the {decision.street.name}")
        grown.append(_grow(SituationClasses(decision), lines))
        choose = rule_decisions(RuleList(grown[-1][-1].rules))
        return [choose(sight) for sight in decision.sights]

    answer_streets(cost_model(house).decisions, answer)
    found = []
    for count in range(1, lines + 1):
        shares = _shared_out(grown, count)
        if sum(shares) < count:
            break
        streets = [street[share].rules for street, share in zip(grown, shares, strict=True)]
        strategy = RuleList(tuple(rule for rules in streets for rule in rules), house.game.key)
        report(0.8 + 0.2 * count / lines, f"{count} lines")
        found.append(SearchResult(strategy, strategy_cost(house, strategy)))
    return found


def _shared_out(grown: Sequence[Sequence[StreetRules]], lines: int) -> list[int]:
    """How many lines each street gets so that together they gain the most."""
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

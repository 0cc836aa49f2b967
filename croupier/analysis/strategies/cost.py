"""Exact cost of a strategy against perfect play, in total and by rule.

The loss of a strategy is the sum, over all decisions it reaches, of the loss of each decision if
everything after it is played perfectly. So every rule has its own cost, none is negative, and
together they are exactly the loss of the whole strategy.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.analysis import disk_cache
from croupier.analysis.advice import money_digest
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.strategies import rule_language
from croupier.analysis.strategies.rule_language import OTHERWISE, Features, RuleList
from croupier.analysis.variants import combinations_of, standard_house, with_settings
from croupier.errors import BadInput
from croupier.games import House, Option, Street, find
from croupier.games.expected_returns import load_practical_costs, main_key
from croupier.games.game import load_code

Longs = NDArray[np.int64]
# A strategy in Python: for a street and its features, the index of the option taken among
# `features.options`, one per situation. It may be called several times per street.
StrategyFunction: TypeAlias = Callable[[str, Features], NDArray[Any]]
MISTAKES_SHOWN = 10


class StrategyLine(NamedTuple):
    """One rule of a strategy on a street, and the option it takes."""

    street: str
    rule: str
    action: int  # index among the street's options
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LineCost(ResultDisplay):
    """The cost of one rule, and how often it decides."""

    street: str
    rule: str
    action: str
    words: str
    cost: Fraction  # antes per round
    used: Fraction  # decisions per round
    wrong: Fraction  # of these, decisions where another option is better


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Mistake(ResultDisplay):
    """A class of situations that a strategy plays wrong."""

    street: str
    hand: str
    board: str
    played: str
    rule: str  # the rule that decides
    loss: Fraction  # antes per occurrence
    share: Fraction  # of all rounds

    @property
    def cost(self) -> Fraction:
        """Antes per round."""
        return self.loss * self.share


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StrategyCost(ResultDisplay):
    """The exact value of a strategy per ante, and where it loses against perfect play."""

    rows_in = "lines"

    game: str
    digest: str
    setting: str
    ev: Fraction
    best_ev: Fraction  # of perfect play
    cost: Fraction  # the loss against perfect play
    lines: tuple[LineCost, ...]
    mistakes: tuple[Mistake, ...]  # the costliest first

    @property
    def house_edge(self) -> Fraction:
        """The average loss per ante."""
        return -self.ev


class StrategyDecisions(NamedTuple):
    """A strategy's decisions in many situations: the rule that decides in each."""

    which: NDArray[np.uint8]
    lines: tuple[StrategyLine, ...]

    @property
    def actions(self) -> Longs:
        """The option index of each rule."""
        return np.array([line.action for line in self.lines], np.int64)

    @property
    def taken(self) -> Longs:
        """The option index in each situation."""
        taken: Longs = self.actions[self.which]
        return taken


DecisionFunction: TypeAlias = Callable[[Features], StrategyDecisions]


class StreetCost(NamedTuple):
    """Costs of the rules of a street: sums over situations, and the costliest mistakes."""

    lines: tuple[StrategyLine, ...]
    costs: Longs  # [rule, (cost, used, wrong)]
    unit: int  # cost units per ante and round
    rounds: int  # units of `used` per decision and round
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetDecision:
    """One street of a game whose earlier streets are decided.

    Its situations may come in several parts, each with its own features. `cost` returns the cost
    of decisions in them; `sum_gains` adds up the gain of each option over the first, in antes per
    round, by keys of the situations: [key, option]. These sums guide a search; they are not exact.
    """

    street: Street
    features: Sequence[Features]
    cost: Callable[[Sequence[StrategyDecisions]], Iterable[StreetCost]]
    sum_gains: Callable[[Sequence[NDArray[np.int64]], int], NDArray[np.float64]]


Decisions: TypeAlias = Generator[StreetDecision, Sequence[StrategyDecisions], None]


class CostModel(NamedTuple):
    """A game's cost model: the optimal value, and its streets as a generator.

    The generator yields a street and expects the decisions on it to be sent back.
    """

    best_ev: Fraction
    decisions: Decisions


def ordered_options(street: Street) -> list[Option]:
    """The options of a street, the one that risks least first."""
    return sorted(street.options, key=lambda option: (option.times, option.word != "check"))


def strategy_cost(
    house: House, strategy: RuleList | str | StrategyFunction, progress: Progress | None = None
) -> StrategyCost:
    """The exact value of a strategy under a House, and the cost of each of its rules.

    A strategy is a list of rules, its text, or a function over arrays (`StrategyFunction`). Raises
    `BadInput` if a rule does not fit the game, or if the game has no cost model.
    """
    if isinstance(strategy, str):
        strategy = rule_language.parse_rules(strategy)
    if isinstance(strategy, RuleList):
        _check(house, strategy)
        choose = rule_decisions(strategy)
    else:
        choose = function_decisions(strategy)
    model = cost_model(house, progress)
    lines: dict[StrategyLine, LineCost] = {}
    mistakes: list[Mistake] = []

    def decide(decision: StreetDecision) -> list[StrategyDecisions]:
        decisions = [choose(features) for features in decision.features]
        for street_cost in decision.cost(decisions):
            rows = zip(street_cost.lines, street_cost.costs.tolist(), strict=True)
            for line, (cost, used, wrong) in rows:
                before = lines.get(line)
                new = _line_cost(house, line, street_cost, cost, used, wrong)
                lines[line] = new if before is None else _add_costs(before, new)
            mistakes.extend(street_cost.mistakes)
        return decisions

    answer_streets(model.decisions, decide)
    cost = sum((line.cost for line in lines.values()), Fraction(0))
    return StrategyCost(
        game=house.game.key,
        digest=house.digest,
        setting=main_key(house),
        ev=model.best_ev - cost,
        best_ev=model.best_ev,
        cost=cost,
        lines=tuple(lines.values()),
        mistakes=tuple(_merge_mistakes(mistakes)),
    )


def practical_cost(house: House, progress: Progress | None = None) -> StrategyCost:
    """`strategy_cost` of the game's practical strategy; known settings are not computed.

    Raises `BadInput` if the game has no practical strategy.
    """
    rules = rule_language.practical_strategy(house.game.key)
    if rules is None:
        raise BadInput(f"{house.game.title} has no practical strategy")
    known = load_practical_costs(house.game).get(main_key(house))
    if known is None:
        return strategy_cost(house, rules, progress)
    priced = msgspec.convert(known, StrategyCost, dec_hook=lambda kind, text: kind(text))
    return replace(priced, digest=house.digest)


def recount_practical_costs(game_key: str) -> dict[str, Any]:
    """Price the practical strategy of a game under every setting; the format of the file."""
    rules = rule_language.practical_strategy(game_key)
    assert rules is not None
    by_setting = {}
    for settings in combinations_of(find(game_key).analysis.main):
        house = with_settings(standard_house(game_key), settings)
        priced = replace(strategy_cost(house, rules), digest="")
        by_setting[main_key(house)] = msgspec.to_builtins(priced, enc_hook=str)
    return by_setting


def cost_model(house: House, progress: Progress | None = None) -> CostModel:
    """The cost model of a House; raises `BadInput` if its game has none."""
    if not house.game.analysis.cost_model:
        raise BadInput(f"{house.game.title} has no cost model for strategies")
    model: CostModel = load_code(house.game.analysis.cost_model)(house, progress or no_progress)
    return model


def cached_perfect_play(
    house: House, fields: Collection[str], compute: Callable[[], Mapping[str, Any]]
) -> dict[str, NDArray[Any]]:
    """The values of perfect play that a cost model needs, computed once and cached on disk."""
    source = disk_cache.source_digest(house.game.analysis.cost_model)
    name = f"perfect-{source}-{house.game.key}-{money_digest(house)[:24]}"
    return disk_cache.load_or_compute(name, fields, compute)


def answer_streets(
    decisions: Decisions, decide: Callable[[StreetDecision], Sequence[StrategyDecisions]]
) -> None:
    """Send decisions to every street of a game, first to last."""
    try:
        decision = next(decisions)
        while True:
            decision = decisions.send(decide(decision))
    except StopIteration:
        return


def _check(house: House, strategy: RuleList) -> None:
    """Raise `BadInput` unless every rule names a street and an option of the game."""
    if strategy.game and find(strategy.game).key != house.game.key:
        raise BadInput(f"these rules are for {strategy.game}, not for {house.game.key}")
    streets = {street.name: street for street in house.game.streets}
    for rule in strategy.rules:
        if rule.street not in streets:
            raise BadInput(f"{rule}: {house.game.title} has the streets {', '.join(streets)}")
        words = [option.word for option in ordered_options(streets[rule.street])]
        if rule.action not in words:
            raise BadInput(f"{rule}: expected one of {', '.join(words)} on the {rule.street}")


def rule_decisions(strategy: RuleList) -> DecisionFunction:
    """The decisions of a list of rules: the first rule that fits decides."""

    def choose(features: Features) -> StrategyDecisions:
        rules = strategy.on(features.street)
        which: NDArray[np.uint8] | None = None
        for at in range(len(rules) - 1, -1, -1):
            fits = rules[at].fits(features)
            if which is None:
                which = np.full(fits.shape, len(rules), np.uint8)
            which[fits] = at
        if which is None:
            which = np.zeros(features.values(features.names[0]).shape, np.uint8)
        lines = [
            StrategyLine(rule.street, str(rule), features.options.index(rule.action), rule.words)
            for rule in rules
        ]
        rest = f"{features.street}: {OTHERWISE if rules else 'always'} -> {features.options[0]}"
        return StrategyDecisions(which, (*lines, StrategyLine(features.street, rest, 0)))

    return choose


def function_decisions(strategy: StrategyFunction) -> DecisionFunction:
    """The decisions of a function over arrays; each option counts as a rule."""

    def choose(features: Features) -> StrategyDecisions:
        street, options = features.street, features.options
        taken = np.asarray(strategy(street, features))
        shape = features.values(features.names[0]).shape
        if taken.shape != shape or not np.issubdtype(taken.dtype, np.integer):
            raise BadInput(
                f"the strategy returned {taken.dtype} {taken.shape} on the {street}; "
                f"expected integers {shape}, indexes into {', '.join(options)}"
            )
        if taken.size and not 0 <= int(taken.min()) <= int(taken.max()) < len(options):
            raise BadInput(
                f"the strategy returned {int(taken.min())} to {int(taken.max())} on the "
                f"{street}; expected 0 to {len(options) - 1}"
            )
        lines = [StrategyLine(street, f"{street}: {word}", at) for at, word in enumerate(options)]
        return StrategyDecisions(taken.astype(np.uint8), tuple(lines))

    return choose


def _line_cost(
    house: House, line: StrategyLine, street_cost: StreetCost, cost: int, used: int, wrong: int
) -> LineCost:
    street = next(street for street in house.game.streets if street.name == line.street)
    return LineCost(
        street=line.street,
        rule=line.rule,
        action=ordered_options(street)[line.action].word,
        words=line.words,
        cost=Fraction(cost, street_cost.unit),
        used=Fraction(used, street_cost.rounds),
        wrong=Fraction(wrong, street_cost.rounds),
    )


def _add_costs(one: LineCost, other: LineCost) -> LineCost:
    return LineCost(
        street=one.street,
        rule=one.rule,
        action=one.action,
        words=one.words,
        cost=one.cost + other.cost,
        used=one.used + other.used,
        wrong=one.wrong + other.wrong,
    )


def _merge_mistakes(mistakes: Sequence[Mistake]) -> Iterator[Mistake]:
    """The costliest mistakes; those with the same loss and board ranks are merged."""
    merged: dict[tuple[Any, ...], Mistake] = {}
    for mistake in mistakes:
        key = (mistake.rule, mistake.loss, mistake.board[::3] or mistake.hand)
        before = merged.get(key)
        merged[key] = (
            mistake if before is None else replace(before, share=mistake.share + before.share)
        )
    yield from sorted(merged.values(), key=lambda one: (-one.cost, one.hand))[:MISTAKES_SHOWN]

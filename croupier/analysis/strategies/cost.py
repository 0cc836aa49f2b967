"""What a strategy is worth, exactly, and what each of its lines costs against perfect play.

The loss of a strategy is the sum, over all decisions it comes to, of what each gives away if
everything after it is played perfectly. So every line has its own cost, none is negative, and
together they are exactly what the whole strategy loses against the best one.
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
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import disk_cache
from croupier.analysis.advice import money_digest
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.strategies import rule_language
from croupier.analysis.strategies.rule_language import OTHERWISE, Features, RuleList
from croupier.errors import BadInput
from croupier.games import House, Option, Street, find
from croupier.games.expected_returns import main_key, named

Longs = NDArray[np.int64]
# A strategy in Python: for a street and what is seen there, the place of the option taken among
# `sight.options`, one for each situation. It may be asked about a street in several parts.
StrategyFunction: TypeAlias = Callable[[str, Features], NDArray[Any]]
MISTAKES_SHOWN = 10


class StrategyLine(NamedTuple):
    """One line of a strategy on a street, and the option it takes."""

    street: str
    told: str
    action: int  # the place among the street's options
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCost:
    """What following one line costs: of all rounds, and how often it is followed."""

    street: str
    told: str
    action: str
    words: str
    cost: Fraction  # antes a round
    used: Fraction  # decisions a round
    wrong: Fraction  # of them, those where another option is worth more


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One kind of situation that a strategy plays wrong."""

    street: str
    hand: str
    board: str
    played: str
    told: str  # the line that says so
    loss: Fraction  # antes, when it comes up
    share: Fraction  # of all rounds

    @property
    def cost(self) -> Fraction:
        """Antes a round."""
        return self.loss * self.share


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyCost:
    """A strategy's exact worth for one ante, and where it loses against perfect play."""

    game: str
    digest: str
    setting: str
    best_ev: Fraction
    lines: tuple[LineCost, ...]
    mistakes: tuple[Mistake, ...]  # the costliest first

    @property
    def cost(self) -> Fraction:
        """What one ante loses more than under perfect play."""
        return sum((line.cost for line in self.lines), Fraction(0))

    @property
    def ev(self) -> Fraction:
        """What one ante gains on average."""
        return self.best_ev - self.cost

    @property
    def house_edge(self) -> Fraction:
        """What one ante loses on average."""
        return -self.ev


class StrategyDecisions(NamedTuple):
    """A strategy's decisions in many situations: the line that decides in each."""

    which: NDArray[np.uint8]
    lines: tuple[StrategyLine, ...]

    @property
    def actions(self) -> Longs:
        """By line, the place of its option."""
        return np.array([line.action for line in self.lines], np.int64)

    @property
    def taken(self) -> Longs:
        """The place of the option taken in each situation."""
        taken: Longs = self.actions[self.which]
        return taken


DecisionFunction: TypeAlias = Callable[[Features], StrategyDecisions]


class StreetCost(NamedTuple):
    """What the lines of a street cost: sums over situations, and the costliest mistakes."""

    lines: tuple[StrategyLine, ...]
    costs: Longs  # [line, (cost, used, wrong)]
    unit: int  # of a cost: so many make one ante a round
    rounds: int  # of `used`: so many make one decision a round
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetDecision:
    """One street of a game whose earlier streets are decided.

    Its situations may come in several parts, each with its own sight. `charge` says what answers
    to them cost; `summed` adds up what each option gains over the first, in antes a round, by
    keys of the situations: [key, option]. The sums are for looking around, not exact.
    """

    street: Street
    sights: Sequence[Features]
    charge: Callable[[Sequence[StrategyDecisions]], Iterable[StreetCost]]
    summed: Callable[[Sequence[NDArray[np.int64]], int], NDArray[np.float64]]


Decisions: TypeAlias = Generator[StreetDecision, Sequence[StrategyDecisions], None]


class CostModel(NamedTuple):
    """What a game's pricing answers: the best value, and its streets, to be answered in turn."""

    best_ev: Fraction
    decisions: Decisions


def ordered_options(street: Street) -> list[Option]:
    """The options of a street, the one that risks least first."""
    return sorted(street.options, key=lambda option: (option.times, option.word != "check"))


def strategy_cost(
    house: House, strategy: RuleList | str | StrategyFunction, progress: Progress | None = None
) -> StrategyCost:
    """The exact worth of a strategy under a House, and what each of its lines costs.

    A strategy is a list of rules, the text of one, or a function over arrays (`StrategyFunction`).
    """
    if isinstance(strategy, str):
        strategy = rule_language.parse_rules(strategy)
    if isinstance(strategy, RuleList):
        _check(house, strategy)
        choose = rule_decisions(strategy)
    else:
        choose = function_decisions(strategy)
    priced = cost_model(house, progress)
    lines: dict[StrategyLine, LineCost] = {}
    mistakes: list[Mistake] = []

    def answer(decision: StreetDecision) -> list[StrategyDecisions]:
        answers = [choose(sight) for sight in decision.sights]
        for charge in decision.charge(answers):
            for line, (cost, used, wrong) in zip(charge.lines, charge.costs.tolist(), strict=True):
                before = lines.get(line)
                new = _line_cost(house, line, charge, cost, used, wrong)
                lines[line] = new if before is None else _together(before, new)
            mistakes.extend(charge.mistakes)
        return answers

    answer_streets(priced.decisions, answer)
    return StrategyCost(
        game=house.game.key,
        digest=house.digest,
        setting=main_key(house),
        best_ev=priced.best_ev,
        lines=tuple(lines.values()),
        mistakes=tuple(_merged(mistakes)),
    )


def cost_model(house: House, progress: Progress | None = None) -> CostModel:
    """Perfect play of a House, and its streets to be answered."""
    if not house.game.analysis.pricing:
        raise BadInput(f"{house.game.title} names no pricing of strategies")
    priced: CostModel = named(house.game.analysis.pricing)(house, progress or no_progress)
    return priced


def cached_perfect_play(
    house: House, fields: Collection[str], work: Callable[[], Mapping[str, Any]]
) -> dict[str, NDArray[Any]]:
    """What a pricing has to know of perfect play: `work` finds it once, then it is on disk."""
    source = disk_cache.source_digest(house.game.analysis.pricing)
    name = f"perfect-{source}-{house.game.key}-{money_digest(house)[:24]}"
    return disk_cache.load_or_compute(name, fields, work)


def answer_streets(
    decisions: Decisions, answer: Callable[[StreetDecision], Sequence[StrategyDecisions]]
) -> None:
    """Answer every street of a game, first to last."""
    try:
        decision = next(decisions)
        while True:
            decision = decisions.send(answer(decision))
    except StopIteration:
        return


def _check(house: House, strategy: RuleList) -> None:
    """Whether every rule names a street and an option of the game."""
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
    """The decisions of whoever follows a list of rules."""

    def choose(sight: Features) -> StrategyDecisions:
        listed = strategy.on(sight.street)
        which: NDArray[np.uint8] | None = None
        for at in range(len(listed) - 1, -1, -1):
            fits = listed[at].fits(sight)
            if which is None:
                which = np.full(fits.shape, len(listed), np.uint8)
            which[fits] = at
        if which is None:
            which = np.zeros(sight.see(sight.names[0]).shape, np.uint8)
        lines = [
            StrategyLine(rule.street, str(rule), sight.options.index(rule.action), rule.words)
            for rule in listed
        ]
        rest = f"{sight.street}: {OTHERWISE if listed else 'always'} -> {sight.options[0]}"
        return StrategyDecisions(which, (*lines, StrategyLine(sight.street, rest, 0)))

    return choose


def function_decisions(strategy: StrategyFunction) -> DecisionFunction:
    """The decisions of a function over arrays; each option is a line."""

    def choose(sight: Features) -> StrategyDecisions:
        taken = np.asarray(strategy(sight.street, sight))
        shape = sight.see(sight.names[0]).shape
        if taken.shape != shape or not np.issubdtype(taken.dtype, np.integer):
            raise BadInput(
                f"the strategy answered {taken.dtype} {taken.shape} on the {sight.street}; "
                f"expected whole numbers {shape}, places among {', '.join(sight.options)}"
            )
        if taken.size and not 0 <= int(taken.min()) <= int(taken.max()) < len(sight.options):
            raise BadInput(
                f"the strategy answered {int(taken.min())} to {int(taken.max())} on the "
                f"{sight.street}; expected 0 to {len(sight.options) - 1}"
            )
        lines = [
            StrategyLine(sight.street, f"{sight.street}: {word}", at)
            for at, word in enumerate(sight.options)
        ]
        return StrategyDecisions(taken.astype(np.uint8), tuple(lines))

    return choose


def _line_cost(
    house: House, line: StrategyLine, charge: StreetCost, cost: int, used: int, wrong: int
) -> LineCost:
    street = next(street for street in house.game.streets if street.name == line.street)
    return LineCost(
        street=line.street,
        told=line.told,
        action=ordered_options(street)[line.action].word,
        words=line.words,
        cost=Fraction(cost, charge.unit),
        used=Fraction(used, charge.rounds),
        wrong=Fraction(wrong, charge.rounds),
    )


def _together(one: LineCost, other: LineCost) -> LineCost:
    return LineCost(
        street=one.street,
        told=one.told,
        action=one.action,
        words=one.words,
        cost=one.cost + other.cost,
        used=one.used + other.used,
        wrong=one.wrong + other.wrong,
    )


def _merged(mistakes: Sequence[Mistake]) -> Iterator[Mistake]:
    """The costliest; those that lose the same beside the same ranks are one kind."""
    kinds: dict[tuple[Any, ...], Mistake] = {}
    for one in mistakes:
        key = (one.told, one.loss, one.board[::3] or one.hand)
        if key in kinds:
            before = kinds[key]
            one = Mistake(
                street=one.street,
                hand=before.hand,
                board=before.board,
                played=one.played,
                told=one.told,
                loss=one.loss,
                share=one.share + before.share,
            )
        kinds[key] = one
    yield from sorted(kinds.values(), key=lambda one: (-one.cost, one.hand))[:MISTAKES_SHOWN]

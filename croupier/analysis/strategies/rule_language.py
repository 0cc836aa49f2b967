"""The rule language of strategies: a street, a condition on its features, and an action.

    game: <key of the game>
    preflop: cards in "33+ A2+ K2s+ K5o+" -> 4x     # high pairs and most kings
    flop: hidden and made >= two_pair -> 2x
    river: hidden or outs < 21 -> 1x

The first rule of a street whose condition holds decides; if none holds, the option that risks
least. Names in conditions are those of the street's `Features`; text after # describes the rule.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.ranking import CATEGORIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]

OTHERWISE = "otherwise"
# Names of numbers: ranks and hand categories; "pair" is a feature, hence "one_pair".
NUMBERS: Mapping[str, int] = {
    **{rank: value for value, rank in enumerate(RANKS, 2) if rank.isalpha()},
    **{name: value for value, name in enumerate(CATEGORIES) if name != "pair"},
    "one_pair": 1,
    "always": 1,
}
COMPARISONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Features(Protocol):
    """The features of a street for many situations at once.

    `options` are the legal actions, the one that risks least first. `values(name)` has one number
    per situation; `in_range(hands)` is true where the own cards are among starting hands ("AKs").
    """

    @property
    def street(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    def values(self, name: str) -> NDArray[Any]: ...
    def in_range(self, hands: frozenset[str]) -> Flags: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: on a street, if a condition holds, an action; `words` describe it."""

    street: str
    condition: str
    action: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.street}: {self.condition} -> {self.action}"

    def fits(self, features: Features) -> Flags:
        """The situations in which the condition holds."""
        import numpy as np

        flags = _Evaluator(features, self).evaluate(_parse_condition(self.condition))
        return np.broadcast_to(flags, features.values(features.names[0]).shape)


@dataclass(frozen=True, slots=True)
class RuleList:
    """A strategy as a list of rules; `game` is the key of its game, if the text has one."""

    rules: tuple[Rule, ...]
    game: str = ""
    title: str = ""

    def on(self, street: str) -> list[Rule]:
        """The rules of a street, in order."""
        return [rule for rule in self.rules if rule.street == street]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def parse_rules(text: str) -> RuleList:
    """Parse rules, one per line; text after # is a comment. Raises `BadInput`."""
    rules = []
    headers = {"game": "", "title": ""}
    for number, line in enumerate(text.splitlines(), 1):
        code, _, words = line.partition("#")
        if not code.strip():
            continue
        street, colon, rest = code.partition(":")
        if street.strip() in headers and colon:
            headers[street.strip()] = rest.strip()
            continue
        condition, arrow, action = rest.rpartition("->")
        if not colon or not arrow or not condition.strip() or not action.strip():
            raise BadInput(
                f"line {number}, {line.strip()!r}: expected a rule such as "
                "flop: made >= two_pair -> 2x"
            )
        rule = Rule(street.strip(), condition.strip(), action.strip(), words.strip())
        _parse_condition(rule.condition)
        rules.append(rule)
    if not rules:
        raise BadInput("no rules found; expected lines such as flop: made >= two_pair -> 2x")
    return RuleList(tuple(rules), headers["game"], headers["title"])


@cache
def practical_strategy(game_key: str) -> RuleList | None:
    """The practical strategy that ships with a game, if any."""
    file = files("croupier.games") / game_key / "strategy.rules"
    return parse_rules(file.read_text("utf-8")) if file.is_file() else None


def _parse_condition(condition: str) -> ast.expr:
    try:
        return ast.parse(condition, mode="eval").body
    except SyntaxError:
        raise BadInput(
            f"{condition!r} is not a condition; expected for example hidden and high >= K"
        ) from None


class _Evaluator:
    """Evaluates a condition on the features of a street."""

    def __init__(self, features: Features, rule: Rule) -> None:
        self.features = features
        self.rule = rule

    def evaluate(self, node: ast.expr) -> Flags:
        """The situations in which an expression is true."""
        import numpy as np

        if isinstance(node, ast.BoolOp):
            join = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            flags: Flags = reduce(join, map(self.evaluate, node.values))
            return flags
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return np.logical_not(self.evaluate(node.operand))
        if isinstance(node, ast.Compare):
            return self._compare(node)
        return np.asarray(self._number(node) != 0)

    def _compare(self, node: ast.Compare) -> Flags:
        if isinstance(node.ops[0], ast.In):
            hands = node.comparators[0]
            own = isinstance(node.left, ast.Name) and node.left.id == "cards"
            if own and isinstance(hands, ast.Constant) and isinstance(hands.value, str):
                return self.features.in_range(starting_hands(hands.value))
            self._refuse(node)
        parts = []
        left = node.left
        for comparison, right in zip(node.ops, node.comparators, strict=True):
            if type(comparison) not in COMPARISONS:
                self._refuse(node)
            parts.append(COMPARISONS[type(comparison)](self._number(left), self._number(right)))
            left = right
        flags: Flags = reduce(operator.and_, parts)
        return flags

    def _number(self, node: ast.expr) -> Any:
        """The values of a feature, or a constant."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and node.id in NUMBERS:
            return NUMBERS[node.id]
        if isinstance(node, ast.Name) and node.id in self.features.names:
            return self.features.values(node.id)
        return self._refuse(node)

    def _refuse(self, node: ast.expr) -> Any:
        raise BadInput(
            f"{self.rule}: {ast.unparse(node)!r} cannot be seen on the {self.rule.street}; "
            f'expected {", ".join(self.features.names)}, or cards in "77+ AKs"'
        )


def starting_hands(text: str) -> frozenset[str]:
    """Parse starting hands in range notation: "33+ A2+ K5o+ JTs"."""
    hands: set[str] = set()
    for word in text.replace(",", " ").split():
        hands |= _parse_range(word)
    return frozenset(hands)


def _parse_range(word: str) -> set[str]:
    hand = word.removesuffix("+")
    kinds = hand[2:] if hand[2:] else "so"
    known = len(hand) in (2, 3) and all(rank in RANKS for rank in hand[:2]) and kinds in "so"
    if not known or (len(hand) == 3 and hand[0] == hand[1]):
        raise BadInput(f"{word!r} is not a range of starting hands; expected 33+, A2+ or K5o+")
    high, low = sorted(map(RANKS.index, hand[:2]), reverse=True)
    if high == low:
        return {rank * 2 for rank in RANKS[low : None if word.endswith("+") else low + 1]}
    lows = RANKS[low : high if word.endswith("+") else low + 1]
    return {RANKS[high] + rank + kind for rank in lows for kind in kinds}


def short_form(hands: Iterable[str]) -> str:
    """Starting hands in range notation, aces first; the inverse of `starting_hands`."""
    left = set(hands)
    words = [*_runs([rank * 2 for rank in RANKS if rank * 2 in left], RANKS)]
    for high in range(len(RANKS) - 1, 0, -1):
        both, suited, offsuit = ([], [], [])  # type: tuple[list[str], list[str], list[str]]
        for low in RANKS[:high]:
            hand = RANKS[high] + low
            kinds = (hand + "s" in left, hand + "o" in left)
            if kinds[0]:
                suited.append(hand + "s")
            if kinds[1]:
                offsuit.append(hand + "o")
            if all(kinds):
                both.append(hand)
        if len(both) == len(suited) == len(offsuit):
            words += _runs(both, RANKS[:high])
        else:
            words += [*_runs(suited, RANKS[:high]), *_runs(offsuit, RANKS[:high])]
    return " ".join(words)


def _runs(hands: Sequence[str], ranks: str) -> list[str]:
    """Hands by their second rank: one "+" range for those that reach the top, then single hands."""
    top = len(ranks)
    lows = [ranks.index(hand[1]) for hand in hands]
    while lows and lows[-1] == top - 1:
        top -= 1
        lows.pop()
    rest, joined = list(hands[: len(lows)]), hands[len(lows) :]
    if not joined:
        return rest
    return [joined[0] + "+" if len(joined) > 1 else joined[0], *rest[::-1]]

"""Rules of play as people write them: a street, what is seen there, what is done.

    game: ultimate_texas_holdem
    preflop: cards in "33+ A2+ K2s+ K5o+" -> 4x     # high pairs and most kings
    flop: hidden and made >= two_pair -> 2x
    river: hidden or outs < 21 -> 1x

The first rule of a street that fits is followed; where none fits, the option that risks least.
What may be seen is named by the street's `Features`; words after # say the rule to people.
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
# Words for numbers: ranks as they are written, and hands; "pair" is what is seen, so "one_pair".
NUMBERS: Mapping[str, int] = {
    **{rank: value for value, rank in enumerate(RANKS, 2) if rank.isalpha()},
    **{name: value for value, name in enumerate(CATEGORIES) if name != "pair"},
    "one_pair": 1,
    "always": 1,
}
COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Features(Protocol):
    """What can be seen on a street, for many situations at once.

    `options` are the answers, the one that risks least first. `see(name)` is one number for each
    situation; `among(hands)` says which own cards are among starting hands such as "AKs".
    """

    @property
    def street(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    def see(self, name: str) -> NDArray[Any]: ...
    def among(self, hands: frozenset[str]) -> Flags: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: on a street, where a condition holds, an action; `words` for people."""

    street: str
    condition: str
    action: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.street}: {self.condition} -> {self.action}"

    def fits(self, sight: Features) -> Flags:
        """The situations in which the condition holds."""
        import numpy as np

        flags = _Reader(sight, self).read(_parsed(self.condition))
        return np.broadcast_to(flags, sight.see(sight.names[0]).shape)


@dataclass(frozen=True, slots=True)
class RuleList:
    """A whole strategy as a list of rules; `game` is its key, where the text says it."""

    rules: tuple[Rule, ...]
    game: str = ""
    title: str = ""

    def on(self, street: str) -> list[Rule]:
        """The rules of a street, first first."""
        return [rule for rule in self.rules if rule.street == street]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def parse_rules(text: str) -> RuleList:
    """Rules from text, one a line; lines that begin with # are for people."""
    rules = []
    heads = {"game": "", "title": ""}
    for number, line in enumerate(text.splitlines(), 1):
        said, _, words = line.partition("#")
        if not said.strip():
            continue
        street, colon, rest = said.partition(":")
        if street.strip() in heads and colon:
            heads[street.strip()] = rest.strip()
            continue
        condition, arrow, action = rest.rpartition("->")
        if not colon or not arrow or not condition.strip() or not action.strip():
            raise BadInput(
                f"line {number}, {line.strip()!r}: expected such as flop: made >= two_pair -> 2x"
            )
        rule = Rule(street.strip(), condition.strip(), action.strip(), words.strip())
        _parsed(rule.condition)
        rules.append(rule)
    if not rules:
        raise BadInput("no rules of play; expected lines such as flop: made >= two_pair -> 2x")
    return RuleList(tuple(rules), heads["game"], heads["title"])


@cache
def practical_strategy(game_key: str) -> RuleList | None:
    """The practical strategy that comes with a game, if one does."""
    file = files("croupier.games") / game_key / "strategy.rules"
    return parse_rules(file.read_text("utf-8")) if file.is_file() else None


def _parsed(condition: str) -> ast.expr:
    try:
        return ast.parse(condition, mode="eval").body
    except SyntaxError:
        raise BadInput(
            f"{condition!r} is no condition; expected such as hidden and high >= K"
        ) from None


class _Reader:
    """Reads one condition against what is seen."""

    def __init__(self, sight: Features, rule: Rule) -> None:
        self.sight = sight
        self.rule = rule

    def read(self, node: ast.expr) -> Flags:
        """Where an expression is true."""
        import numpy as np

        if isinstance(node, ast.BoolOp):
            joined = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            flags: Flags = reduce(joined, map(self.read, node.values))
            return flags
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return np.logical_not(self.read(node.operand))
        if isinstance(node, ast.Compare):
            return self._compared(node)
        return np.asarray(self.number(node) != 0)

    def _compared(self, node: ast.Compare) -> Flags:
        if isinstance(node.ops[0], ast.In):
            hands = node.comparators[0]
            own = isinstance(node.left, ast.Name) and node.left.id == "cards"
            if own and isinstance(hands, ast.Constant) and isinstance(hands.value, str):
                return self.sight.among(starting_hands(hands.value))
            self.refuse(node)
        found = []
        left = node.left
        for how, right in zip(node.ops, node.comparators, strict=True):
            if type(how) not in COMPARED:
                self.refuse(node)
            found.append(COMPARED[type(how)](self.number(left), self.number(right)))
            left = right
        flags: Flags = reduce(operator.and_, found)
        return flags

    def number(self, node: ast.expr) -> Any:
        """What is seen by that name, or a number."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and node.id in NUMBERS:
            return NUMBERS[node.id]
        if isinstance(node, ast.Name) and node.id in self.sight.names:
            return self.sight.see(node.id)
        return self.refuse(node)

    def refuse(self, node: ast.expr) -> Any:
        """What this street does not show, or no condition at all."""
        raise BadInput(
            f"{self.rule}: {ast.unparse(node)!r} cannot be seen on the {self.rule.street}; "
            f'expected {", ".join(self.sight.names)}, or cards in "77+ AKs"'
        )


def starting_hands(text: str) -> frozenset[str]:
    """Starting hands from their usual short form: "33+ A2+ K5o+ JTs"."""
    found: set[str] = set()
    for word in text.replace(",", " ").split():
        found |= _range(word)
    return frozenset(found)


def _range(word: str) -> set[str]:
    hand = word.removesuffix("+")
    kinds = hand[2:] if hand[2:] else "so"
    known = len(hand) in (2, 3) and all(rank in RANKS for rank in hand[:2]) and kinds in "so"
    if not known or (len(hand) == 3 and hand[0] == hand[1]):
        raise BadInput(f"{word!r} is no range of starting hands; expected such as 33+, A2+ or K5o+")
    high, low = sorted(map(RANKS.index, hand[:2]), reverse=True)
    if high == low:
        return {rank * 2 for rank in RANKS[low : None if word.endswith("+") else low + 1]}
    lows = RANKS[low : high if word.endswith("+") else low + 1]
    return {RANKS[high] + rank + kind for rank in lows for kind in kinds}


def short_form(hands: Iterable[str]) -> str:
    """The short form of starting hands, aces first; `starting_hands` reads it back."""
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
    """Hands by their second rank: one word for those that reach the top, or each by itself."""
    top = len(ranks)
    lows = [ranks.index(hand[1]) for hand in hands]
    while lows and lows[-1] == top - 1:
        top -= 1
        lows.pop()
    rest, joined = list(hands[: len(lows)]), hands[len(lows) :]
    if not joined:
        return rest
    return [joined[0] + "+" if len(joined) > 1 else joined[0], *rest[::-1]]

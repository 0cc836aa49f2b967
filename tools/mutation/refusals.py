"""Every refusal deleted: the command is taken as if the rule were not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import partial

from croupier.rulebook import duties
from tools.mutation import code_patch
from tools.mutation.mutant import LAW, Mutant, by_game, known, of_duties, our_games

# What is refused while JSON is read is no rule of a game.
NO_RULES = (
    "table/scenario/replay.py",
    "table/scenario/scenario.py",
    "table/core/codec.py",
    "table/core/messages.py",
)
RAISED = ("Refusal", "refuse", "not_offered")
Observed = dict[str, set[tuple[str, str]]]  # by "file:line", the (game, clause) pairs cited there


def rule_files() -> list[str]:
    """The modules that say no."""
    return [file for file in code_patch.files("table") if file not in NO_RULES]


def is_refusal(node: ast.AST) -> bool:
    """A `raise` of a refusal."""
    match node:
        case ast.Raise(exc=ast.Call(func=ast.Attribute(attr="refusal"))):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name in RAISED
    return False


def is_reason(node: ast.AST) -> bool:
    """An answer of a `why_not_...`: the problem with its duty."""
    match node:
        case ast.Return(value=ast.Tuple(elts=[_, _])):
            return True
        case ast.Return(value=ast.IfExp(orelse=ast.Tuple())):
            return True
        case ast.Return(value=ast.Constant(value=str())):
            return True
    return False


def nothing(node: ast.AST) -> ast.AST:
    """The statement as if it were not there."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
        return ast.Return(value=ast.Constant(value=None))
    return ast.Pass()


def sites() -> Iterator[code_patch.Spot]:
    """Every statement that says no, in every module that does."""
    for file in rule_files():
        yield from code_patch.spots(file, is_refusal)
        for spot in code_patch.spots(file, is_reason):
            if spot.function.startswith("why_not"):
                yield spot


def refusals(observed: Observed) -> Iterator[Mutant]:
    """One mutant for each; its clauses are those written there and those seen cited there."""
    times: dict[str, int] = {}
    for spot in sites():
        name = f"{spot.file} {spot.function}: {code_patch.words(spot.node)}"
        times[name] = times.get(name, 0) + 1
        if times[name] > 1:
            name = f"{name} ({times[name]})"
        yield Mutant(
            kind="refusal",
            name=name,
            place=spot.place,
            clauses=by_game([*written(spot), *seen(spot, observed)]),
            apply=partial(code_patch.replace, spot, nothing),
        )


def seen(spot: code_patch.Spot, observed: Observed) -> Iterator[tuple[str, str]]:
    """What was cited from here while the tests ran."""
    for line in range(spot.node.lineno, (spot.node.end_lineno or spot.node.lineno) + 1):
        yield from observed.get(f"{spot.file}:{line}", ())


def written(spot: code_patch.Spot) -> Iterator[tuple[str, str]]:
    """The clauses that can be read off the statement."""
    match spot.node:
        case ast.Raise(exc=ast.Call(args=[_, second, *_])):
            yield from meant(code_patch.texts(spot, second))
        case ast.Return(value=ast.Tuple(elts=[_, second])):
            yield from meant(code_patch.texts(spot, second))
        case ast.Return(value=ast.IfExp(orelse=ast.Tuple(elts=[_, second]))):
            yield from meant(code_patch.texts(spot, second))
        case ast.Return(value=ast.Constant()):  # somebody else in the module adds the clause
            for other in code_patch.spots(spot.file, is_refusal):
                match other.node.exc.args:
                    case [ast.Name(), second]:
                        yield from meant(code_patch.texts(other, second))


def meant(texts: Iterable[str], *, every: bool = False) -> Iterator[tuple[str, str]]:
    """The clauses that texts stand for: duties, readings, the regulation, clause ids."""
    for text in texts:
        if re.fullmatch(r"A\d+", text) or text.startswith("COMAR"):
            yield LAW, text
        elif re.fullmatch(r"\d+\.[A-Z][\w.#]*", text):
            yield from ((game.key, text) for game in our_games() if text in known(game))
        elif text.endswith("."):
            names = {name for game in our_games() for name in duties(game.document)}
            begun = [name for name in names if name.startswith(text)]
            yield from of_duties(begun, every=every)
        else:
            yield from of_duties([text], every=every)

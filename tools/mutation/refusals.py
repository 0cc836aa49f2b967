"""Mutants of refusals: each refusal is deleted, so that the command is accepted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import partial

from croupier.rulebook import duties
from tools.mutation import code_patch
from tools.mutation.mutant import LAW, Mutant, by_game, known, of_duties, our_games

# Modules whose refusals concern the format of the input, not the rules of a game.
NO_RULES = (
    "table/scenario/replay.py",
    "table/scenario/scenario.py",
    "table/core/codec.py",
    "table/core/messages.py",
)
# A note on conduct is only a record, and the number of cards named only a matter of input: without
# these refusals nobody has broken the rule that they cite.
NO_BREACH = (("table/parts/conduct.py", "note"), ("table/parts/round/dealing.py", "street_faces"))
RAISED = ("Refusal", "refuse", "not_offered", "misread", "misused")
REGULATIONS = ("COMAR", "GLI-19")
Observed = dict[str, set[tuple[str, str]]]  # (game, clause) pairs by "file:line"


def rule_files() -> list[str]:
    """The modules with refusals."""
    return [file for file in code_patch.files("table") if file not in NO_RULES]


def is_refusal(node: ast.AST) -> bool:
    """Whether a node raises a refusal."""
    match node:
        case ast.Raise(exc=ast.Call(func=ast.Attribute(attr="refusal"))):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name in RAISED
    return False


def is_reason(node: ast.AST) -> bool:
    """Whether a node returns a reason from a `why_not_...` function."""
    match node:
        case ast.Return(value=ast.Tuple(elts=[_, _])):
            return True
        case ast.Return(value=ast.IfExp(orelse=ast.Tuple())):
            return True
        case ast.Return(value=ast.Constant(value=str())):
            return True
    return False


def nothing(node: ast.AST) -> ast.AST:
    """Delete the statement."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
        return ast.Return(value=ast.Constant(value=None))
    return ast.Pass()


def sites() -> Iterator[code_patch.Spot]:
    """All statements that refuse."""
    for file in rule_files():
        yield from code_patch.spots(file, is_refusal)
        for spot in code_patch.spots(file, is_reason):
            if spot.function.startswith("why_not"):
                yield spot


def refusals(observed: Observed) -> Iterator[Mutant]:
    """One mutant per refusal, with the clauses in its code and those observed."""
    times: dict[str, int] = {}
    for spot in sites():
        name = f"{spot.file} {spot.function}: {code_patch.words(spot.node)}"
        times[name] = times.get(name, 0) + 1
        if times[name] > 1:
            name = f"{name} ({times[name]})"
        pairs = [*clauses_in_code(spot), *observed_clauses(spot, observed)]
        yield Mutant(
            kind="refusal",
            name=name,
            place=spot.place,
            clauses=by_game(pairs or clauses_of_callers(spot, observed)),
            breaks=frozenset() if (spot.file, spot.function) in NO_BREACH else None,
            apply=partial(code_patch.replace, spot, nothing),
        )


def observed_clauses(spot: code_patch.Spot, observed: Observed) -> Iterator[tuple[str, str]]:
    """The clauses cited from these lines while the tests ran."""
    for line in range(spot.node.lineno, (spot.node.end_lineno or spot.node.lineno) + 1):
        yield from observed.get(f"{spot.file}:{line}", ())


def clauses_of_callers(spot: code_patch.Spot, observed: Observed) -> Iterator[tuple[str, str]]:
    """The clauses of the documents that were cited where the module raises a returned reason."""
    calls = {name for name, body in code_patch.functions(spot.file) if spot.function in names(body)}
    for other in code_patch.spots(spot.file, is_refusal):
        match other.node.exc.args:
            case [ast.Starred()] if other.function in calls:
                pairs = observed_clauses(other, observed)
                yield from (pair for pair in pairs if not is_reading(pair[1]))


def names(body: ast.AST) -> set[str]:
    """The names in a function."""
    return {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}


def is_reading(clause: str) -> bool:
    """Whether it is a reading or a regulation, which is in no document."""
    return clause.startswith(REGULATIONS) or re.fullmatch(r"A\d+", clause) is not None


def clauses_in_code(spot: code_patch.Spot) -> Iterator[tuple[str, str]]:
    """The clauses in the statement."""
    match spot.node:
        case ast.Raise(exc=ast.Call(args=[_, second, *_])):
            for text in code_patch.texts(spot, second):
                for pair in resolve_clauses([text]):
                    # The start of a duty also fits duties of readings, which others refuse.
                    if not (text.endswith(".") and is_reading(pair[1])):
                        yield pair
        case ast.Return(value=ast.Tuple(elts=[_, second])):
            yield from resolve_clauses(code_patch.texts(spot, second))
        case ast.Return(value=ast.IfExp(orelse=ast.Tuple(elts=[_, second]))):
            yield from resolve_clauses(code_patch.texts(spot, second))
        case ast.Return(value=ast.Constant()):  # the caller in the module adds the clause
            for other in code_patch.spots(spot.file, is_refusal):
                match other.node.exc.args:
                    case [ast.Name(), second]:
                        yield from resolve_clauses(code_patch.texts(other, second))


def resolve_clauses(texts: Iterable[str], *, every: bool = False) -> Iterator[tuple[str, str]]:
    """The (group, clause) pairs of duties, prefixes of duties, readings, regulations or clause ids.

    For duties, the first clause of each, or all of them with `every`.
    """
    for text in texts:
        if is_reading(text):
            yield LAW, text
        elif re.fullmatch(r"\d+\.[A-Z][\w.#]*", text):
            yield from ((game.key, text) for game in our_games() if text in known(game))
        elif text.endswith("."):
            names = {name for game in our_games() for name in duties(game.document)}
            matching = [name for name in names if name.startswith(text)]
            yield from of_duties(matching, every=every)
        else:
            yield from of_duties([text], every=every)

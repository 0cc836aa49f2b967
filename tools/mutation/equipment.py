"""Mutants of equipment: each condition on devices, decks and dealing method is left out in turn.

A rule that concerns both decks, or all boxes of a player, concerns only the first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game
from tools.mutation.refusals import resolve_clauses

DECKS = "table/parts/decks"
# Functions that combine conditions with `and` or `or`: file, function, duties that require it.
CONDITIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (f"{DECKS}/lifecycle.py", "uses_two_decks", ("deck.one", "deck.two", "deck.alternate")),
    (f"{DECKS}/lifecycle.py", "has_continuous_shuffler", ("continuous", "shuffle.cut")),
    (f"{DECKS}/lifecycle.py", "deals_by_hand", ("deck.life.hand",)),
    (f"{DECKS}/apply.py", "on_deck_loaded", ("deck.life.hand",)),
    (f"{DECKS}/apply.py", "on_device_cleared", ("deck.alternate",)),
    (f"{DECKS}/one_deck.py", "decks_undecided", ("deck.one", "deck.two")),
    (f"{DECKS}/lifecycle.py", "shuffler_counts", ("stub.due",)),
    (f"{DECKS}/shuffling.py", "needs_cut", ("shuffle.cut",)),
    (f"{DECKS}/stub.py", "count_due", ("stub.due",)),
    ("table/parts/round/irregularities.py", "jam_shoe", ("shoe_jam",)),
)
# Functions that concern several decks or boxes: file, function, the call that lists them, duties.
LISTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (f"{DECKS}/lifecycle.py", "spread_idle", "tuple", ("idle.spread", "idle.inspect")),
    ("table/parts/seats/rulings.py", "forfeit_boxes", "boxes_of", ("forfeit.conduct",)),
)


def equipment() -> Iterator[Mutant]:
    """All mutants of equipment."""
    for file, function, duties in CONDITIONS:
        for _, spot in code_patch.spots_in(file, function, is_condition):
            for number, value in enumerate(spot.node.values):
                name = f"{file} {function}: without {ast.unparse(value)}"
                yield changed(spot, name, duties, partial(without, number))
    for file, function, called, duties in LISTS:
        for _, spot in code_patch.spots_in(file, function, partial(calls, called)):
            name = f"{file} {function}: only the first of {ast.unparse(spot.node)}"
            yield changed(spot, name, duties, only_first)


def changed(
    spot: code_patch.Spot, name: str, duties: tuple[str, ...], change: code_patch.Change
) -> Mutant:
    """The mutant with one changed node."""
    apply: Callable[[], None] = partial(code_patch.replace, spot, change)
    clauses = by_game(resolve_clauses(duties))
    return Mutant(kind="outcome", name=name, place=spot.place, clauses=clauses, apply=apply)


def is_condition(node: ast.AST) -> bool:
    """Whether a node combines conditions."""
    return isinstance(node, ast.BoolOp)


def without(number: int, node: ast.AST) -> ast.AST:
    """A condition without one of its operands."""
    assert isinstance(node, ast.BoolOp)
    left = [value for index, value in enumerate(node.values) if index != number]
    return ast.BoolOp(op=node.op, values=left) if len(left) > 1 else left[0]


def calls(called: str, node: ast.AST) -> bool:
    """Whether a node calls a function or method of this name."""
    if not isinstance(node, ast.Call):
        return False
    return called in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))


def only_first(node: ast.AST) -> ast.AST:
    """A list cut to its first item."""
    assert isinstance(node, ast.expr)
    return ast.Subscript(value=node, slice=ast.Slice(upper=ast.Constant(value=1)), ctx=ast.Load())

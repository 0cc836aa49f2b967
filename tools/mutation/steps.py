"""Mutants of procedures: hooks, stages of a deck, burns, the order of the deal, voids."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from types import FunctionType
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from croupier import example
from croupier.games import BURN, DEALING_METHODS, Game, House, Slot
from croupier.rulebook import duties
from croupier.table.core.dispatch import COMMAND_ROUTES
from croupier.table.core.messages import Command, kind_of
from croupier.table.parts.decks.lifecycle import STAGE_BEFORE
from croupier.table.parts.round import irregularity_evidence
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, known, of_duties, our_games
from tools.mutation.refusals import is_refusal, resolve_clauses

Plan = tuple[tuple[Slot, ...], ...]


def steps() -> Iterator[Mutant]:
    """All mutants of procedures."""
    yield from guards()
    yield from stages()
    for game in our_games():
        yield from deals(game)
    yield from voids()


# Hooks of one part on the commands of another. The evidence rule has a duty per command.
EVIDENCE = {command: (duty,) for command, duty in irregularity_evidence.DUTIES.items()}


def guards() -> Iterator[Mutant]:
    """Each hook that may refuse or adds an event, removed from one command."""
    for command, plan in COMMAND_ROUTES["attended"].items():
        for when in ("before", "after"):
            for hook in getattr(plan, when):
                if when == "before" and not may_refuse(hook):
                    continue  # it only returns clauses to cite
                yield Mutant(
                    kind="step",
                    name=f"{kind_of(command)} {when} {where(hook)} {hook.__name__}",
                    place=f"croupier/{where(hook)} {hook.__name__}",
                    clauses=by_game(
                        resolve_clauses(hook_texts(hook, command, labels=when == "before"))
                    ),
                    apply=partial(take_away, command, when, hook),
                )


def hook_texts(hook: Callable[..., Any], command: type[Command], *, labels: bool) -> Iterable[str]:
    """The strings in a hook, or the duty of the evidence rule for a command."""
    if hook.__module__ == irregularity_evidence.__name__:
        return EVIDENCE.get(command, ("wrong_number",))
    return strings(hook, labels=labels)


def where(hook: Callable[..., Any]) -> str:
    """The file of a function, below the package."""
    return hook.__module__.removeprefix("croupier.").replace(".", "/") + ".py"


def bodies(hook: Callable[..., Any], depth: int = 2) -> list[tuple[str, ast.FunctionDef]]:
    """A function and the functions it calls, each with its file."""
    file = where(hook)
    body = dict(code_patch.functions(file))[hook.__name__]
    result = [(file, body)]
    for node in ast.walk(body):
        called = code_patch.value_of(file, getattr(node, "func", None))
        if isinstance(called, FunctionType) and called.__module__.startswith("croupier.table"):
            result += bodies(called, depth - 1) if depth else []
    return result


def may_refuse(hook: Callable[..., Any]) -> bool:
    """Whether a hook can refuse a command."""
    return any(is_refusal(node) for _, body in bodies(hook) for node in ast.walk(body))


def strings(hook: Callable[..., Any], *, labels: bool) -> Iterator[str]:
    """Every string in a hook: duties, readings, regulations.

    With `labels`, the values that hooks return are left out: they are only clauses to cite.
    """
    for file, body in bodies(hook):
        is_reason = body.name.startswith("why_not")  # what it returns is refused
        parts = return_statements(body) if labels and not is_reason else []
        left_out = {id(node) for part in parts for node in ast.walk(part)}
        for node in (node for node in ast.walk(body) if id(node) not in left_out):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
                yield node.value
            value = code_patch.value_of(file, node)
            if isinstance(value, str):
                yield value


def return_statements(body: ast.FunctionDef) -> list[ast.Return]:
    return [node for node in ast.walk(body) if isinstance(node, ast.Return)]


def take_away(command: type[Command], when: str, hook: Callable[..., Any]) -> None:
    """Remove one hook from a command."""
    for plans in COMMAND_ROUTES.values():
        plan = plans.get(command)
        if plan is not None:
            left = tuple(other for other in getattr(plan, when) if other is not hook)
            plans[command] = msgspec.structs.replace(plan, **{when: left})


# Stages of a deck.


def stages() -> Iterator[Mutant]:
    """Each step of chapter 4 is allowed without the step before it."""
    before = {"inspect": "received", **{step: STAGE_BEFORE[prior] for prior, step in pairs()}}
    for prior, step in pairs():
        yield Mutant(
            kind="step",
            name=f"deck {step} without {prior}",
            place="croupier/table/parts/decks/lifecycle.py AFTER",
            clauses=by_game(of_duties([f"deck.{step}"])),
            apply=partial(STAGE_BEFORE.__setitem__, step, before[step]),
        )


def pairs() -> list[tuple[str, str]]:
    """The steps of chapter 4, each with the next step."""
    names = list(STAGE_BEFORE)
    return list(pairwise(names))


# Deals.


def deals(game: Game) -> Iterator[Mutant]:
    """By dealing method: a burn left out or added, seats or stages out of order."""
    for method in DEALING_METHODS:
        dealt = (f"deal.hands.{method}", f"deal.community.{method}")
        hands = [clause for duty in dealt for clause in in_every_way(game, duty)]
        plan = example(game.key).as_played(dealing_method=method).deal((1, 2))
        for name, change in (("reversed", backwards), ("one by one", first_two_swapped)):
            yield deal(game, method, name, hands, change)
        shown = [street.name for street in game.streets]
        for number, street in enumerate(dict.fromkeys((*shown, "river"))):
            if street not in shown and not cited(game, f"burn.{street}"):
                continue  # no river, or no decision and no burn there
            burns = of_game(game, f"burn.{street}", method)
            if burns and not any(BURN in places for places in plan):
                continue  # burns only with another dealing method
            if burns:
                yield deal(game, method, f"no burn {street}", burns, partial(unburnt, number))
            else:
                yield deal(game, method, f"burn {street}", hands, partial(burnt, number))


def in_every_way(game: Game, duty: str) -> list[str]:
    """The clauses of a duty and of its variants."""
    index = duties(game.document)
    names = [name for name in index if f"{name}.".startswith(f"{duty}.")]
    return [clause for name in names for clause in index[name]]


def of_game(game: Game, duty: str, method: str) -> list[str]:
    """The clauses of a duty for one dealing method."""
    return sorted(cited(game, f"{duty}.{method}") or cited(game, duty))


def deal(
    game: Game, method: str, name: str, clauses: Sequence[str], change: Callable[[Plan], Plan]
) -> Mutant:
    """A mutant of the dealing plan of one method."""
    return Mutant(
        kind="step",
        name=f"{game.key} {method} deal: {name}",
        place=f"croupier/games/{game.key}/game.py deal",
        clauses=by_game((game.key, clause) for clause in clauses if clause in known(game)),
        apply=partial(deal_otherwise, game, method, change),
    )


def deal_otherwise(game: Game, method: str, change: Callable[[Plan], Plan]) -> None:
    """Change the dealing plan of one method."""
    right = game.deal

    def wrong(house: House, seats: Sequence[int]) -> Plan:
        plan = right(house, seats)
        return change(plan) if house.dealing_method == method else plan

    force_setattr(game, "deal", wrong)


def backwards(plan: Plan) -> Plan:
    """The first stage in reverse order."""
    return (tuple(reversed(plan[0])), *plan[1:])


def first_two_swapped(plan: Plan) -> Plan:
    """The first two different places swapped."""
    first = list(plan[0])
    other = next((n for n, place in enumerate(first) if place != first[0]), 0)
    first[0], first[other] = first[other], first[0]
    return (tuple(first), *plan[1:])


def unburnt(stage: int, plan: Plan) -> Plan:
    """A stage without its burn, which comes after the decisions of its street."""
    return tuple(
        tuple(place for place in places if place != BURN)
        if number in (stage, stage + 1)
        else places
        for number, places in enumerate(plan)
    )


def burnt(stage: int, plan: Plan) -> Plan:
    """A stage with an extra burn."""
    return tuple(
        (BURN, *places) if number == stage else places for number, places in enumerate(plan)
    )


# Voids.


def is_void(node: ast.AST) -> bool:
    """Whether a node declares a round void."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "void_round"


def goes_on(node: ast.AST) -> ast.AST:
    """Only note the irregularity."""
    assert isinstance(node, ast.Call)
    table, _, *rest = node.args
    return ast.Call(func=ast.Name(id="note", ctx=ast.Load()), args=[table, *rest], keywords=[])


def saves_nothing(node: ast.AST) -> ast.AST:
    """Return the saved wager with the others."""
    assert isinstance(node, ast.Call)
    return ast.Call(func=node.func, args=node.args, keywords=[])


def voids() -> Iterator[Mutant]:
    """Each void round continues; each saved wager is returned."""
    file = "table/parts/round/irregularities.py"
    for spot in code_patch.spots(file, is_void):
        duty = spot.node.args[3]
        texts = [text for text in code_patch.texts(spot, duty) if not text.isidentifier() or text]
        yield Mutant(
            kind="step",
            name=f"{spot.function} goes on: {'/'.join(texts)}",
            place=spot.place,
            clauses=by_game(resolve_clauses(texts, every=True)),
            apply=partial(code_patch.replace, spot, goes_on),
        )
        for keyword in spot.node.keywords:
            saved = [text for text in code_patch.texts(spot, keyword.value) if text]
            yield Mutant(
                kind="step",
                name=f"{spot.function} saves nothing: {'/'.join(saved)}",
                place=spot.place,
                clauses=by_game(resolve_clauses(saved)),
                apply=partial(code_patch.replace, spot, saves_nothing),
            )

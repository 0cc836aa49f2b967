"""Mutants of numbers: odds, meter floors, envy bonuses, limits, hours, counts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import force_setattr

from croupier.games import Game
from croupier.rulebook import paytables
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, our_games
from tools.mutation.refusals import resolve_clauses


def other(pays: str) -> str:
    """Other odds in the same notation."""
    if pays == "push":
        return "1 to 1"
    if pays.startswith("$"):
        return f"${int(pays[1:].replace(',', '')) + 1:,}"
    number, *rest = pays.replace(",", "").split()
    if number.endswith("%"):
        return " ".join((f"{int(number[:-1]) - 1}%", *rest))
    return " ".join((str(int(number) + 1), *rest))


def figures() -> Iterator[Mutant]:
    """All mutants of numbers."""
    for game in our_games():
        yield from lines(game)
        yield from floors(game)
        yield from limits(game)
        yield from streets(game)
    yield from numbers()


def printed(game: Game) -> dict[str, dict[str, Any]]:
    """The loaded paytables of a game."""
    return paytables._tables(game.document)


def lines(game: Game) -> Iterator[Mutant]:
    """Each line of each paytable has other odds."""
    for wager, letters in printed(game).items():
        for letter, table in letters.items() if wager != "meters" else ():
            for number, text in enumerate(table["lines"]):
                hand, *pays, clause = text.split()
                changed = f"{hand} {other(' '.join(pays))} {clause}"
                yield Mutant(
                    kind="figure",
                    name=f"{game.key} {wager}.{letter} {hand}",
                    place=f"croupier/{game.document.paytables} [{wager}.{letter}]",
                    clauses=by_game([(game.key, clause)]),
                    apply=partial(print_line, table["lines"], number, changed),
                )


def print_line(lines: list[str], number: int, text: str) -> None:
    """Replace a line of a loaded paytable."""
    lines[number] = text
    paytables._paytable.cache_clear()


def floors(game: Game) -> Iterator[Mutant]:
    """Each minimum amount of a meter is a dollar lower."""
    for letter, meters in printed(game).get("meters", {}).items():
        for meter, floor in meters.items():
            if floor["minimum"]:
                yield Mutant(
                    kind="figure",
                    name=f"{game.key} meters.{letter} {meter}",
                    place=f"croupier/{game.document.paytables} [meters.{letter}]",
                    clauses=by_game([(game.key, floor["clause"])]),
                    apply=partial(floor.__setitem__, "minimum", floor["minimum"] - 1),
                )


def limits(game: Game) -> Iterator[Mutant]:
    """The floor of the payout limit is a dollar lower; each covered wager is left out."""
    limit = game.limit
    if limit is None:
        return
    yield Mutant(
        kind="figure",
        name=f"{game.key} payout limit",
        place=f"croupier/games/{game.key}/game.py limit",
        clauses=by_game([(game.key, limit.floor_clause)]),
        apply=partial(force_setattr, limit, "fixed_floor", limit.fixed_floor - 100),
    )
    for wager in limit.covers:
        left = tuple(name for name in limit.covers if name != wager)
        yield Mutant(
            kind="figure",
            name=f"{game.key} payout limit without {wager}",
            place=f"croupier/games/{game.key}/game.py limit",
            clauses=by_game([(game.key, limit.clause)]),
            apply=partial(force_setattr, limit, "covers", left),
        )


def streets(game: Game) -> Iterator[Mutant]:
    """Each bet is a unit higher; each street shows a card more or fewer."""
    for street in game.streets:
        at = f"croupier/games/{game.key}/game.py {street.name}"
        shows = cited(game, f"show.{street.name}")
        if game.community_cards:
            count = street.shown + (1 if street.shown < game.community_cards else -1)
            yield Mutant(
                kind="figure",
                name=f"{game.key} {street.name} shows",
                place=at,
                clauses=by_game((game.key, clause) for clause in shows),
                apply=partial(force_setattr, street, "shown", count),
            )
        for option in street.options:
            if not option.wager:
                continue
            duties = (f"decide.{street.name}.{option.word}", f"decide.{street.name}.bet")
            cited_clauses = {option.clause, *(c for duty in duties for c in cited(game, duty))}
            yield Mutant(
                kind="figure",
                name=f"{game.key} {street.name} {option.word}",
                place=at,
                clauses=by_game((game.key, clause) for clause in cited_clauses),
                apply=partial(force_setattr, option, "times", option.times + 1),
            )


# Numbers in functions: file, function, number, duties that require it.
IN_FUNCTIONS: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("table/parts/decks/lifecycle.py", "life_limit", 4, ("deck.life.hand",)),
    ("table/parts/decks/lifecycle.py", "life_limit", 8, ("deck.life.shoe",)),
    ("table/parts/decks/stub.py", "count_due", 5, ("stub.due",)),
    ("table/parts/round/betting.py", "check_seat", 1, ("seats",)),
    ("table/parts/decks/shuffling.py", "cut_depth", 10, ("cut.depth",)),
    ("table/parts/decks/shuffling.py", "shuffle", 52, ("shuffle.wrong",)),
)
# Module constants: file, name, duties, readings or regulations that require it.
OF_MODULES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("table/parts/decks/stub.py", "WHOLE_DECK", ("stub.due", "stub.right")),
    ("table/parts/investigations.py", "DAY", ("COMAR 36.05.03.03H",)),
    ("table/parts/investigations.py", "MORE_THAN", ("COMAR 36.05.03.03H",)),
    ("table/parts/limit_changes.py", "NOTICE", ("COMAR 36.05.03.21C",)),
)


def numbers() -> Iterator[Mutant]:
    """Each number in a function plus one, each module constant doubled."""
    for file, function, number, duties in IN_FUNCTIONS:
        for index, spot in code_patch.spots_in(file, function, is_number(number)):
            yield Mutant(
                kind="figure",
                name=f"{file} {function} {number} ({index})",
                place=spot.place,
                clauses=by_game(resolve_clauses(duties)),
                apply=partial(code_patch.replace, spot, one_more),
            )
    for file, name, duties in OF_MODULES:
        module = code_patch.module_of(file)
        yield Mutant(
            kind="figure",
            name=f"{file} {name}",
            place=f"croupier/{file} {name}",
            clauses=by_game(resolve_clauses(duties)),
            apply=partial(setattr, module, name, getattr(module, name) * 2),
        )


def is_number(number: int) -> Callable[[ast.AST], bool]:
    """A predicate for one integer constant."""
    return lambda node: (
        isinstance(node, ast.Constant) and type(node.value) is int and node.value == number
    )


def one_more(node: ast.AST) -> ast.AST:
    """The constant plus one."""
    assert isinstance(node, ast.Constant) and isinstance(node.value, int)
    return ast.Constant(value=node.value + 1)

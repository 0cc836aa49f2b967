"""Every printed figure changed: odds, meter floors, envy sums, limits, hours, counts."""

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
from tools.mutation.refusals import meant


def other(pays: str) -> str:
    """Odds that are not the printed ones, of the same form."""
    if pays == "push":
        return "1 to 1"
    if pays.startswith("$"):
        return f"${int(pays[1:].replace(',', '')) + 1:,}"
    number, *rest = pays.replace(",", "").split()
    if number.endswith("%"):
        return " ".join((f"{int(number[:-1]) - 1}%", *rest))
    return " ".join((str(int(number) + 1), *rest))


def figures() -> Iterator[Mutant]:
    """All of them."""
    for game in our_games():
        yield from lines(game)
        yield from floors(game)
        yield from limits(game)
        yield from streets(game)
    yield from numbers()


def printed(game: Game) -> dict[str, dict[str, Any]]:
    """The paytables of a game as they were read."""
    return paytables._tables(game.document)


def lines(game: Game) -> Iterator[Mutant]:
    """Each line of each paytable pays something else."""
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
    """Put another line in place of a printed one."""
    lines[number] = text
    paytables._paytable.cache_clear()


def floors(game: Game) -> Iterator[Mutant]:
    """Each least amount of a meter is a dollar lower."""
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
    """The floor of the payout limit is a dollar lower; each wager it covers is forgotten."""
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
    """Each bet is a unit more, each street shows a card more or fewer."""
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
            found = {option.clause, *(c for duty in duties for c in cited(game, duty))}
            yield Mutant(
                kind="figure",
                name=f"{game.key} {street.name} {option.word}",
                place=at,
                clauses=by_game((game.key, clause) for clause in found),
                apply=partial(force_setattr, option, "times", option.times + 1),
            )


# Numbers that stand in a function: the file, the function, the number, the duties behind it.
IN_FUNCTIONS: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("table/parts/decks/lifecycle.py", "life_limit", 4, ("deck.life.hand",)),
    ("table/parts/decks/lifecycle.py", "life_limit", 8, ("deck.life.shoe",)),
    ("table/parts/decks/stub.py", "count_due", 5, ("stub.due",)),
    ("table/parts/decks/stub.py", "count", 52, ("stub.due", "stub.right")),
    ("table/parts/decks/shuffling.py", "cut_depth", 10, ("cut.depth",)),
    ("table/parts/decks/shuffling.py", "shuffle", 52, ("shuffle.wrong",)),
)
# Numbers of a module: the file, the name, the duties, readings or law behind it.
OF_MODULES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("table/parts/investigations.py", "DAY", ("COMAR 36.05.03.03H",)),
    ("table/parts/investigations.py", "MORE_THAN", ("COMAR 36.05.03.03H",)),
    ("table/parts/limit_changes.py", "NOTICE", ("COMAR 36.05.03.21C",)),
    ("table/parts/round/betting.py", "SEATS", ("seats",)),
    ("table/parts/seats/seating.py", "SEATS", ("seats",)),
)


def numbers() -> Iterator[Mutant]:
    """Each is one more; those of a module twice as much."""
    for file, function, number, duties in IN_FUNCTIONS:
        for index, spot in enumerate(code_patch.spots(file, is_number(number))):
            if spot.function == function:
                yield Mutant(
                    kind="figure",
                    name=f"{file} {function} {number} ({index})",
                    place=spot.place,
                    clauses=by_game(meant(duties)),
                    apply=partial(code_patch.replace, spot, one_more),
                )
    for file, name, duties in OF_MODULES:
        module = code_patch.module_of(file)
        yield Mutant(
            kind="figure",
            name=f"{file} {name}",
            place=f"croupier/{file} {name}",
            clauses=by_game(meant(duties)),
            apply=partial(setattr, module, name, getattr(module, name) * 2),
        )


def is_number(number: int) -> Callable[[ast.AST], bool]:
    """Finds one number."""
    return lambda node: (
        isinstance(node, ast.Constant) and type(node.value) is int and node.value == number
    )


def one_more(node: ast.AST) -> ast.AST:
    """The number after it."""
    assert isinstance(node, ast.Constant) and isinstance(node.value, int)
    return ast.Constant(value=node.value + 1)

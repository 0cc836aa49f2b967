"""Every outcome turned: a win becomes a push, a condition its opposite, a rank its neighbour."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import force_setattr

from croupier import ranking
from croupier.cards import Card
from croupier.games import Game, facts, hand_names
from croupier.rulebook import clauses, is_within, letters, paytable
from croupier.rulebook import duties as rulebook_duties
from croupier.submission.parse_context import ParseContext
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, known, of_duties, our_games
from tools.mutation.refusals import Observed, meant

CLAUSE = re.compile(r"\d+\.[A-Z][\w.#]*")
# Functions that only say under which clauses something stands.
CITING = (
    "_cited",
    "_limit_clauses",
    "announce_dealer",
    "announce_player",
    "first_card_duties",
    "show_duties",
)
# The functions of a game in which money is decided; how it deals is broken elsewhere.
SETTLING = ("settle", "judge", "contest", "progressive_hand", *CITING)
RESULTS = ("wins", "pushes", "loses")
# Where money is decided beside the games' own `settle`.
DECIDING = (
    "games/payout.py",
    "table/parts/round/box_payer.py",
    "table/parts/round/envy.py",
    "table/parts/round/settlement.py",
)


def outcomes() -> Iterator[Mutant]:
    """All of them."""
    for game in our_games():
        file = f"games/{game.key}/game.py"
        yield from turned(file, game.key)
        yield from negated(file, game.key)
        yield passes_reversed(game)
    yield from turned("games/facts.py")
    for file in DECIDING:
        yield from negated(file)
        yield from out_of_order(file)
    yield from ranks()


# Results.


def is_result(node: ast.AST) -> bool:
    """A stake resolved."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in RESULTS


def turn(node: ast.AST) -> ast.AST:
    """A win or a loss becomes a push, a push a loss."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    name = "loses" if node.func.id == "pushes" else "pushes"
    arguments = [node.args[0], node.args[-1]]
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=arguments, keywords=[])


def turned(file: str, game: str = "") -> Iterator[Mutant]:
    """Each result of a module."""
    for number, spot in enumerate(code_patch.spots(file, is_result)):
        said = ast.unparse(spot.node)
        spoken_of = [*clauses_in(spot.node, game)] or [*clauses_near(spot, game)]
        yield Mutant(
            kind="outcome",
            name=f"{file} {spot.function}: {said} ({number})",
            place=spot.place,
            clauses=by_game(spoken_of),
            breaks=frozenset(clauses_in(spot.node, game)),
            apply=partial(code_patch.replace, spot, turn),
        )


def clauses_in(node: ast.AST, game: str) -> Iterator[tuple[str, str]]:
    """The clause ids written in a node, as those of its game; a heading is all below it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and CLAUSE.fullmatch(str(inner.value)):
            for clause in clauses(game) if game else ():
                if is_within(clause.id, str(inner.value)):
                    yield game, clause.id


def clauses_near(spot: code_patch.Spot, game: str) -> Iterator[tuple[str, str]]:
    """Those of the whole module of a game; of every paytable where it has none."""
    if game:
        yield from clauses_in(code_patch.parsed(spot.file), game)
    for each in our_games():
        if game in ("", each.key):
            yield from ((each.key, clause) for clause in printed(each.key))


def printed(game: str) -> Iterator[str]:
    """The clauses of every paytable of a game and of its lines."""
    from tools.mutation.figures import printed as tables

    document = next(each for each in our_games() if each.key == game)
    for wager in tables(document):
        for letter in letters(game, wager) if wager not in ("meters", "envy") else ():
            table = paytable(game, wager, letter)
            listed = (table.clause, *(line.clause for line in table.lines))
            yield from (clause for clause in listed if clause in known(document))


# Conditions.


def is_condition(node: ast.AST) -> bool:
    """A choice between two ways."""
    return isinstance(node, ast.If | ast.IfExp)


def negate(node: ast.AST) -> ast.AST:
    """The other way is taken."""
    assert isinstance(node, ast.If | ast.IfExp)
    test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    if isinstance(node, ast.IfExp):
        return ast.IfExp(test=test, body=node.body, orelse=node.orelse)
    return ast.If(test=test, body=node.body, orelse=node.orelse)


def negated(file: str, game: str = "") -> Iterator[Mutant]:
    """Each condition of the functions that cite something."""
    times: dict[str, int] = {}
    for spot in code_patch.spots(file, is_condition):
        found = [*meant(spoken(spot), every=True)]
        if game:
            found = [pair for pair in found if pair[0] == game]
            found += clauses_near(spot, game)
        if not found or (game and not spot.function.startswith(SETTLING)):
            continue
        name = f"{file} {spot.function}: not {ast.unparse(spot.node.test)[:60]}"
        times[name] = times.get(name, 0) + 1
        yield Mutant(
            kind="citation" if spot.function.split(".")[-1] in CITING else "outcome",
            name=name if times[name] == 1 else f"{name} ({times[name]})",
            place=spot.place,
            clauses=by_game(found),
            breaks=frozenset(clauses_in(function_of(spot), game)) if game else None,
            apply=partial(code_patch.replace, spot, negate),
        )


def function_of(spot: code_patch.Spot) -> ast.AST:
    """The function around a node."""
    return next(found for name, found in code_patch.functions(spot.file) if name == spot.function)


def spoken(spot: code_patch.Spot) -> Iterator[str]:
    """The texts of a function that may be duties."""
    for node in ast.walk(function_of(spot)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            yield node.value


# The order of settlement.


def passes_reversed(game: Game) -> Mutant:
    """Wagers are settled last first."""
    duties = [name for name in rulebook_duties(game.document) if name.startswith("settle.")]
    found = [(game.key, clause) for duty in duties for clause in cited(game, duty)]
    last_first = tuple(tuple(reversed(wagers)) for wagers in reversed(game.passes))
    return Mutant(
        kind="outcome",
        name=f"{game.key} settles last first",
        place=f"croupier/games/{game.key}/game.py passes",
        clauses=by_game(found),
        apply=partial(force_setattr, game, "passes", last_first),
    )


def is_reverse(node: ast.AST) -> bool:
    """A walk around the table from the dealer's right."""
    return isinstance(node, ast.keyword) and node.arg == "reverse"


def forwards(node: ast.AST) -> ast.AST:
    """From the left instead."""
    return ast.keyword(arg="reverse", value=ast.Constant(value=False))


def out_of_order(file: str) -> Iterator[Mutant]:
    """Each walk goes the other way."""
    for number, spot in enumerate(code_patch.spots(file, is_reverse)):
        if (spot.function, number) != ("pay_all", 1):
            continue  # no clause says in which order stakes go back, or envy bonuses are paid
        yield Mutant(
            kind="outcome",
            name=f"{file} {spot.function} the other way ({number})",
            place=spot.place,
            clauses=by_game(of_duties(["announce.player"])),
            apply=partial(code_patch.replace, spot, forwards),
        )


# Ranking.

LADDER = (
    ("HIGH_CARD", "PAIR"),
    ("PAIR", "TWO_PAIR"),
    ("TWO_PAIR", "THREE_OF_A_KIND"),
    ("THREE_OF_A_KIND", "STRAIGHT"),
    ("STRAIGHT", "FLUSH"),
    ("FLUSH", "FULL_HOUSE"),
    ("FULL_HOUSE", "FOUR_OF_A_KIND"),
    ("FOUR_OF_A_KIND", "STRAIGHT_FLUSH"),
    ("STRAIGHT_FLUSH", "ROYAL_FLUSH"),
    ("STRAIGHT", "FULL_HOUSE"),  # neighbours in Top Five, which has no flushes but the royal
    ("FULL_HOUSE", "ROYAL_FLUSH"),  # a royal and four of a kind need the same card
)


def ranks() -> Iterator[Mutant]:
    """Each hand changes places with the next better one; aces, kickers and ties are forgotten."""
    for lower, higher in LADDER:
        names = f"hand.{lower.lower()}", f"hand.{higher.lower()}"
        apply = partial(swap_ranks, lower, higher)
        both = [game for game in our_games() if all(cited(game, name) for name in names)]
        six = [name.replace("hand.", "six_card_bonus.") for name in names]
        yield rank(f"{lower} above {higher}", [*names, *six, "compare.category"], apply, both)
    yield rank("no low ace", ["ace_low"], partial(always, ranking.straight_top, low_ace_forgotten))
    holdem = [game for game in our_games() if game.dealer_cards and game.community_cards]
    apply = partial(always, ranking.kickers, no_kickers)
    yield rank("no kickers", ["compare.cards"], apply, holdem)
    yield rank("no ties", ["compare.tie"], partial(always, facts.versus, no_ties))
    announced = ["announce.player", "announce.dealer", "settle.progressive"]
    apply = partial(always, hand_names.best_five, first_five)
    yield rank("first five cards", announced, apply, holdem)


def rank(
    name: str,
    duties: list[str],
    apply: Callable[[], None],
    games: Sequence[Game] | None = None,
) -> Mutant:
    """A mutant of the ranking, for games that have what it breaks."""
    among = {game.key for game in (our_games() if games is None else games)}
    found = [pair for pair in of_duties(duties, every=True) if pair[0] in among]
    return Mutant(
        kind="outcome",
        name=f"ranking {name}",
        place="croupier/ranking.py",
        clauses=by_game(found),
        apply=apply,
    )


def swap_ranks(lower: str, higher: str) -> None:
    """Two categories change places."""
    values = getattr(ranking, lower), getattr(ranking, higher)
    setattr(ranking, lower, values[1])
    setattr(ranking, higher, values[0])


def always(function: Any, other: Any) -> None:
    """Another body for a function that everybody holds."""
    inspect.unwrap(function).__code__ = other.__code__


def low_ace_forgotten(mask: int, ace_low: bool) -> int:
    """`straight_top` where an ace is only ever high."""
    line = mask << 1
    runs = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return highest(runs) + 3 if runs else 0  # type: ignore[name-defined]  # noqa: F821


def no_kickers(mask: int, count: int) -> int:
    """`kickers` where no further card counts."""
    return 0


def no_ties(player_value: int, dealer_value: int) -> str:
    """`versus` where a level hand loses."""
    return "ahead" if player_value > dealer_value else "behind"


def first_five(cards: Sequence[Card]) -> int:
    """`best_five` where two cards of seven are overlooked."""
    return ranking.poker_value(tuple(cards)[-5:])


# Submissions.


def issues(observed: Observed) -> Iterator[Mutant]:
    """Each issue of a submission that was seen, dropped: whatever its clause forbids is legal."""
    pairs = sorted({pair for pairs in observed.values() for pair in pairs})
    for game, clause in pairs:
        yield Mutant(
            kind="issue",
            name=f"{game} {clause}",
            place="croupier/submission",
            clauses=by_game([(game, clause)]),
            apply=partial(forget, game, clause),
        )


def forget(game: str, clause: str) -> None:
    """A filing notes nothing under this clause."""
    note = ParseContext.note

    def selective(filing: ParseContext, *args: Any, **kwargs: Any) -> None:
        if (filing.game.key, kwargs.get("clause")) != (game, clause):
            note(filing, *args, **kwargs)

    ParseContext.note = selective  # type: ignore[method-assign,assignment]

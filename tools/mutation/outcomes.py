"""Mutants of outcomes: results, conditions, settlement order, hand ranking, submission issues."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from croupier import ranking
from croupier.cards import Card
from croupier.games import Game, facts, hand_names
from croupier.rulebook import clauses, is_within, letters, paytable
from croupier.rulebook import duties as rulebook_duties
from croupier.submission.parse_context import ParseContext
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, known, of_duties, our_games
from tools.mutation.refusals import Observed, resolve_clauses

CLAUSE = re.compile(r"\d+\.[A-Z][\w.#]*")
# Functions that only collect clauses to cite.
CITING = (
    "_cited",
    "_limit_clauses",
    "announce_dealer",
    "announce_player",
    "envy_payment",
    "first_card_duties",
    "show_duties",
)
# Functions of a game that decide money; `steps` breaks its dealing.
SETTLING = ("settle", "judge", "contest", "progressive_hand", *CITING)
RESULTS = ("wins", "pushes", "loses")
# Modules that decide money besides the games.
DECIDING = (
    "games/envy_bonus.py",
    "games/meter_arithmetic.py",
    "games/payout.py",
    "table/parts/round/resolution.py",
    "table/parts/round/settlement.py",
    "table/parts/round/turn_order.py",
)


def outcomes() -> Iterator[Mutant]:
    """All mutants of outcomes."""
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
    """Whether a node creates a result."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in RESULTS


def turn(node: ast.AST) -> ast.AST:
    """Turn a win or a loss into a push, and a push into a loss."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    name = "loses" if node.func.id == "pushes" else "pushes"
    arguments = [node.args[0], node.args[-1]]
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=arguments, keywords=[])


def turned(file: str, game: str = "") -> Iterator[Mutant]:
    """Each result of a module, turned."""
    for number, spot in enumerate(code_patch.spots(file, is_result)):
        text = ast.unparse(spot.node)
        pairs = [*clauses_in(spot.node, game)] or [*clauses_near(spot, game)]
        yield Mutant(
            kind="outcome",
            name=f"{file} {spot.function}: {text} ({number})",
            place=spot.place,
            clauses=by_game(pairs),
            breaks=frozenset(clauses_in(spot.node, game)),
            apply=partial(code_patch.replace, spot, turn),
        )


def clauses_in(node: ast.AST, game: str) -> Iterator[tuple[str, str]]:
    """The (game, clause) pairs of the clause ids in a node; a heading stands for its clauses."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and CLAUSE.fullmatch(str(inner.value)):
            for clause in clauses(game) if game else ():
                if is_within(clause.id, str(inner.value)):
                    yield game, clause.id


def clauses_near(spot: code_patch.Spot, game: str) -> Iterator[tuple[str, str]]:
    """The clauses in the whole module of a game, and those of its paytables."""
    if game:
        yield from clauses_in(code_patch.parsed(spot.file), game)
    for other in our_games():
        if game in ("", other.key):
            yield from ((other.key, clause) for clause in printed(other.key))


def printed(game: str) -> Iterator[str]:
    """The clauses of all paytables of a game and of their lines."""
    from tools.mutation.figures import printed as tables

    definition = next(other for other in our_games() if other.key == game)
    for wager in tables(definition):
        for letter in letters(game, wager) if wager not in ("meters", "envy") else ():
            table = paytable(game, wager, letter)
            listed = (table.clause, *(line.clause for line in table.lines))
            yield from (clause for clause in listed if clause in known(definition))


# Conditions.


def is_condition(node: ast.AST) -> bool:
    """Whether a node is a condition."""
    return isinstance(node, ast.If | ast.IfExp)


def negate(node: ast.AST) -> ast.AST:
    """Negate the condition."""
    assert isinstance(node, ast.If | ast.IfExp)
    test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    if isinstance(node, ast.IfExp):
        return ast.IfExp(test=test, body=node.body, orelse=node.orelse)
    return ast.If(test=test, body=node.body, orelse=node.orelse)


def negated(file: str, game: str = "") -> Iterator[Mutant]:
    """Each condition of the functions that cite clauses, negated."""
    times: dict[str, int] = {}
    for spot in code_patch.spots(file, is_condition):
        pairs = [*resolve_clauses(duty_texts(spot), every=True)]
        if game:
            pairs = [pair for pair in pairs if pair[0] == game]
            pairs += clauses_near(spot, game)
        if not pairs or (game and not spot.function.startswith(SETTLING)):
            continue
        name = f"{file} {spot.function}: not {ast.unparse(spot.node.test)[:60]}"
        times[name] = times.get(name, 0) + 1
        yield Mutant(
            kind="citation" if spot.function.split(".")[-1] in CITING else "outcome",
            name=name if times[name] == 1 else f"{name} ({times[name]})",
            place=spot.place,
            clauses=by_game(pairs),
            breaks=frozenset(clauses_in(function_of(spot), game)) if game else None,
            apply=partial(code_patch.replace, spot, negate),
        )


def function_of(spot: code_patch.Spot) -> ast.AST:
    """The function that contains a node."""
    return next(node for name, node in code_patch.functions(spot.file) if name == spot.function)


# Payout arithmetic knows no clauses; these duties are cited by the table for its payments.
PAYOUT_DUTIES = {
    "pay_award": ("meter.pays",),
    "PayoutCalculator._apply_limit": ("limit.cut",),
    "envy_bonuses": ("envy.pays", "envy.stake.", "envy.several"),
}


def duty_texts(spot: code_patch.Spot) -> Iterator[str]:
    """The strings of a function that may be duties."""
    if spot.file in DECIDING:
        yield from PAYOUT_DUTIES.get(spot.function, ())
    for node in ast.walk(function_of(spot)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            yield node.value


# The order of settlement.


def passes_reversed(game: Game) -> Mutant:
    """Settle the wagers in reverse order."""
    duties = [name for name in rulebook_duties(game.document) if name.startswith("settle.")]
    pairs = [(game.key, clause) for duty in duties for clause in cited(game, duty)]
    last_first = tuple(tuple(reversed(wagers)) for wagers in reversed(game.passes))
    return Mutant(
        kind="outcome",
        name=f"{game.key} settles last first",
        place=f"croupier/games/{game.key}/game.py passes",
        clauses=by_game(pairs),
        apply=partial(force_setattr, game, "passes", last_first),
    )


def is_reverse(node: ast.AST) -> bool:
    """Whether a node is the `reverse` argument of a sort, from the dealer's right."""
    return isinstance(node, ast.keyword) and node.arg == "reverse"


def forwards(node: ast.AST) -> ast.AST:
    """Sort from the dealer's left."""
    return ast.keyword(arg="reverse", value=ast.Constant(value=False))


def out_of_order(file: str) -> Iterator[Mutant]:
    """Each settlement pass in the opposite direction."""
    for number, spot in enumerate(code_patch.spots(file, is_reverse)):
        if spot.function != "turns":
            continue  # no clause orders citations or envy bonuses
        yield Mutant(
            kind="outcome",
            name=f"{file} {spot.function} the other way ({number})",
            place=spot.place,
            clauses=by_game(of_duties(["announce.player"])),
            apply=partial(code_patch.replace, spot, forwards),
        )


# Ranking.

# The clauses on turning hands up one by one, which a wrong choice of five cards does not break.
TURNING = frozenset(
    (game, clause)
    for game, clauses in {
        "texas_holdem_bonus": ("11.I.1", "11.I.3", "11.I.3.a", "11.I.3.c"),
        "ultimate_texas_holdem": ("11.G.1", "11.H.2", "11.H.2.a", "11.H.2.d"),
        "jackpot_holdem": ("11.H.1", "11.I.2", "11.I.2.a", "11.I.2.d"),
    }.items()
    for clause in clauses
)
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
    ("STRAIGHT", "FULL_HOUSE"),  # neighbors in Top Five, whose only flush is the royal
    ("FULL_HOUSE", "ROYAL_FLUSH"),  # seven cards cannot hold a royal flush and four of a kind
)


def ranks() -> Iterator[Mutant]:
    """Adjacent categories swapped; low aces, kickers and ties ignored."""
    for lower, higher in LADDER:
        names = f"hand.{lower.lower()}", f"hand.{higher.lower()}"
        apply = partial(swap_ranks, lower, higher)
        both = [game for game in our_games() if all(cited(game, name) for name in names)]
        six = [name.replace("hand.", "six_card_bonus.") for name in names]
        yield rank(f"{lower} above {higher}", [*names, *six, "compare.category"], apply, both)
    yield rank(
        "no low ace", ["ace_low"], partial(replace_code, ranking.straight_top, low_ace_forgotten)
    )
    holdem = [game for game in our_games() if game.dealer_cards and game.community_cards]
    apply = partial(replace_code, ranking.kickers, no_kickers)
    yield rank("no kickers", ["compare.cards"], apply, holdem)
    yield rank("no ties", ["compare.tie"], partial(replace_code, facts.versus, no_ties))
    announced = ["announce.player", "announce.dealer", "settle.progressive"]
    apply = partial(replace_code, hand_names.best_five, first_five)
    first = rank("first five cards", announced, apply, holdem)
    pairs = ((game, clause) for game, ids in first.clauses.items() for clause in ids)
    yield msgspec.structs.replace(first, breaks=frozenset(pairs) - TURNING)


def rank(
    name: str,
    duties: list[str],
    apply: Callable[[], None],
    games: Sequence[Game] | None = None,
) -> Mutant:
    """A mutant of the ranking, for some games."""
    among = {game.key for game in (our_games() if games is None else games)}
    pairs = [pair for pair in of_duties(duties, every=True) if pair[0] in among]
    return Mutant(
        kind="outcome",
        name=f"ranking {name}",
        place="croupier/ranking.py",
        clauses=by_game(pairs),
        apply=apply,
    )


def swap_ranks(lower: str, higher: str) -> None:
    """Swap the values of two categories."""
    values = getattr(ranking, lower), getattr(ranking, higher)
    setattr(ranking, lower, values[1])
    setattr(ranking, higher, values[0])


def replace_code(function: Any, other: Any) -> None:
    """Give a function the code of another, for all references to it."""
    inspect.unwrap(function).__code__ = other.__code__


def low_ace_forgotten(mask: int, ace_low: bool) -> int:
    """`straight_top` without low aces."""
    line = mask << 1
    runs = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return highest(runs) + 3 if runs else 0  # type: ignore[name-defined]  # noqa: F821


def no_kickers(mask: int, count: int) -> int:
    """`kickers` without kickers."""
    return 0


def no_ties(player_value: int, dealer_value: int) -> str:
    """`versus` where a tie loses."""
    return "ahead" if player_value > dealer_value else "behind"


def first_five(cards: Sequence[Card]) -> int:
    """`best_five` that ignores two cards of seven."""
    return ranking.poker_value(tuple(cards)[-5:])


# Submissions.


def issues(observed: Observed) -> Iterator[Mutant]:
    """Each observed issue of a submission is not reported."""
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
    """Report no issue under this clause."""
    note = ParseContext.note

    def selective(filing: ParseContext, *args: Any, **kwargs: Any) -> None:
        if (filing.game.key, kwargs.get("clause")) != (game, clause):
            note(filing, *args, **kwargs)

    ParseContext.note = selective  # type: ignore[method-assign,assignment]

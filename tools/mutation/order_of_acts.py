"""Mutants of the order of acts: what is due at the fold, at each hand or at each street waits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from croupier.games import Game, House, Street
from croupier.rulebook import duties
from croupier.table.parts.round import dealing, messages, settlement
from croupier.table.parts.round.irregularities import note
from croupier.table.parts.round.state import Box
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, our_games
from tools.mutation.outcomes import negate
from tools.mutation.refusals import resolve_clauses

IRREGULARITIES = "table/parts/round/irregularities.py"
# Irregularities that the round survives in some cases: function, duties.
SURVIVED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("expose_dealer_card", ("dealer_exposed",)),
    ("jam_shoe", ("shoe_jam",)),
    ("jam_shuffler", ("shuffler_jam", "shuffler_jam.idle")),
)
# The clauses that turn a hand up before it is settled, not those that announce it.
TURNED_UP = {
    "texas_holdem_bonus": ("11.I.1", "11.I.3", "11.I.3.a"),
    "top_five": ("11.B.4", "11.C"),
    "ultimate_texas_holdem": ("11.G.1", "11.H.2", "11.H.2.a"),
    "jackpot_holdem": ("11.H.1", "11.I.2", "11.I.2.a"),
    "run_em_twice": ("11.I",),
}
# The clauses that leave the dealer's cards in the device.
WAITING = {
    "top_five": ("11.B.4",),
    "ultimate_texas_holdem": ("10.B.4",),
    "jackpot_holdem": ("10.B.3",),
}


def order_of_acts() -> Iterator[Mutant]:
    """All mutants of the order of acts."""
    for game in our_games():
        yield from folds(game)
        yield from boards(game)
        if game.key in WAITING:
            never = partial(force_setattr, game.procedure, "dealer_waits", bool_of(False))
            name = f"{game.key} the dealer's cards never wait"
            yield acts(name, ((game.key, clause) for clause in WAITING[game.key]), never)
    pairs = [(game, clause) for game, clauses in TURNED_UP.items() for clause in clauses]
    paid = partial(setattr, settlement, "may_settle", bool_of(True))
    yield acts("hands are settled face down", pairs, paid)
    for function, names in SURVIVED:
        for number, spot in code_patch.spots_in(IRREGULARITIES, function, survives):
            change = partial(code_patch.replace, spot, negate)
            text = ast.unparse(spot.node.test)
            yield acts(f"{function}: not {text} ({number})", resolve_clauses(names), change)


def acts(name: str, pairs: Any, apply: Callable[[], None]) -> Mutant:
    """A mutant of the order of acts."""
    return Mutant(
        kind="step",
        name=f"order: {name}",
        place="croupier/table/parts/round",
        clauses=by_game(pairs),
        apply=apply,
    )


def bool_of(answer: bool) -> Callable[..., bool]:
    """A function that always answers the same."""
    return lambda *_: answer


def survives(node: ast.AST) -> bool:
    """Whether a node is a condition under which an irregularity is only noted."""
    return isinstance(node, ast.If) and any(
        isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == note.__name__
        for inner in ast.walk(node)
    )


def folds(game: Game) -> Iterator[Mutant]:
    """On each street, the wagers lost by a fold stay on the layout until the settlement."""
    for street in game.streets:
        if any(option.word == "fold" for option in street.options):
            own = f"collect.{street.name}"
            duty = own if cited(game, own) else "collect"
            apply = partial(collect_nothing, game.key, street.name)
            name = f"{game.key} {street.name}: a fold is collected at the settlement"
            yield acts(name, ((game.key, clause) for clause in cited(game, duty)), apply)


def collect_nothing(game: str, name: str) -> None:
    """Collect no wager at a fold on one street of a game."""
    right = dealing.collect_folded

    def wrong(house: House, street: Street, seat: int, box: Box) -> messages.WagersCollected:
        event = right(house, street, seat, box)
        here = house.game.key == game and street.name == name
        return msgspec.structs.replace(event, wagers={}) if here else event

    dealing.collect_folded = wrong


def boards(game: Game) -> Iterator[Mutant]:
    """A board that is dealt before the hands lies face up at once."""
    index = duties(game.document)
    for duty in ("show.community_first", "deal.community_first"):
        if duty in index:
            name = f"{game.key} the board is shown at once"
            pairs = ((game.key, clause) for clause in index[duty])
            yield acts(name, pairs, partial(show_at_once, game))
            return


def show_at_once(game: Game) -> None:
    """Show all community cards on the first street."""
    for street in game.streets:
        force_setattr(street, "shown", game.community_cards)

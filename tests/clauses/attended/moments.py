"""For every command a moment at an attended table at which it is acceptable, in any game.

A moment is reached by plain steps; then the command may be given by whoever is allowed to. Where a
command differs by what it asks for, each way has a moment of its own: "prepare_deck verify".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.attended.floor import DEE, Floor
from tests.support import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH, house

COUNTING = {"shuffle_method": "counting_shuffler", "decks": 1}
SHUFFLER = {"shuffle_method": "shuffler", "decks": 1}
BY_HAND = {"shuffle_method": "manual", "decks": 1}
SHOE = {"manual_shoe_location": "right of the dealer"}
WITH_PROGRESSIVE = (UTH, JACKPOT, RUN)
MIA, AUDITOR = Account("mia", "pit_manager"), Account("olga", "audit")
STAYING = {
    THB: ["2x"],
    TOP: ["1x"],
    UTH: ["check", "check", "1x"],
    JACKPOT: ["check", "check", "1x"],
    RUN: ["1x", "1x", "1x"],
}


class Moment(NamedTuple):
    """How to get there, and in which games there is such a moment."""

    reach: Callable[[str], tuple[Floor, Command]]
    games: tuple[str, ...] = EVERY_GAME


MOMENTS: dict[str, Moment] = {}
Reach = Callable[[str], tuple[Floor, Command]]


def moment(name: str, games: tuple[str, ...] = EVERY_GAME) -> Callable[[Reach], Reach]:
    """Enter a moment under the name of its command."""

    def enter(reach: Reach) -> Reach:
        MOMENTS[name] = Moment(reach, games)
        return reach

    return enter


def table(game: str, **kind: Any) -> Floor:
    """A closed table with nobody at it."""
    return Floor(house(game, table=kind.pop("table", COUNTING), **kind))


def ready(game: str, **kind: Any) -> Floor:
    """Open, Ann seated, a deck loaded."""
    return table(game, **kind).ready()


def betting(game: str, **kind: Any) -> Floor:
    """Ann has bet."""
    floor = ready(game, **kind)
    floor.bet()
    return floor


def closed(game: str, **kind: Any) -> Floor:
    """No more bets; the first card is about to leave the shoe."""
    floor = betting(game, **kind)
    floor.close_bets()
    return floor


def dealing(game: str, **kind: Any) -> Floor:
    """The hands are dealt."""
    floor = closed(game, **kind)
    floor.deal()
    return floor


def played(game: str, **kind: Any) -> Floor:
    """Every card and decision is there."""
    floor = betting(game, **kind)
    floor.close_bets()
    floor.play_on(STAYING[game])
    return floor


def shown(game: str) -> Floor:
    """The stub is away and the hands lie face up."""
    floor = played(game)
    floor.stub()
    floor.do(cmd.Showdown(), DEE)
    return floor


def one_round(game: str) -> Floor:
    """A round is over."""
    floor = ready(game)
    floor.round()
    return floor


def simply(name: str, at: Callable[[str], Floor], command: Command, **rest: Any) -> None:
    """A moment that one of the above already is."""
    moment(name, **rest)(lambda game: (at(game), command))


def reached(name: str, game: str) -> tuple[Floor, Command]:
    """The table at that moment, with the command."""
    return MOMENTS[name].reach(game)

"""A proposal: what an operator would like to offer and no document prints. Nobody plays for it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.games.game import Game, Option, Street
from croupier.games.hands import covered_by
from croupier.money import parse_pays
from croupier.rulebook import Line, Paytable, letters, paytable

LETTER = "proposal"  # in place of the letter of a paytable


class Proposal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Lines of paytables by wager, each a hand and what it pays; sizes of bets by street."""

    pays: Mapping[str, tuple[tuple[str, str], ...]] = {}
    raises: Mapping[str, tuple[int, ...]] = {}

    def paytable(self, printed: Paytable) -> Paytable:
        """The proposed lines in place of the printed ones; every line has a name of its own."""
        lines = tuple(
            Line(hand=hand, pays=parse_pays(pays), clause=f"{printed.clause} proposed {number}")
            for number, (hand, pays) in enumerate(self.pays[printed.wager], 1)
        )
        return Paytable(wager=printed.wager, letter=LETTER, clause=printed.clause, lines=lines)

    def played(self, game: Game) -> Game:
        """The game with the proposed bets."""
        streets = tuple(
            resized(street, self.raises[street.name]) if street.name in self.raises else street
            for street in game.streets
        )
        return msgspec.structs.replace(game, streets=streets)


def line_hands(game: Game, wager: str) -> frozenset[str]:
    """The names that lines of a wager may have: those printed, and what they are made of."""
    found: set[str] = set()
    for letter in letters(game.document, wager):
        for line in paytable(game.document, wager, letter).lines:
            found |= {line.hand, *covered_by(line.hand)}
    return frozenset(found)


def bets_of(street: Street) -> list[Option]:
    """The bets of a street."""
    return [option for option in street.options if option.times]


def resized(street: Street, sizes: tuple[int, ...]) -> Street:
    """A street whose bets have other sizes, the same number of them."""
    new = iter(sizes)
    options = []
    for option in street.options:
        if option.times:
            times = next(new)
            option = msgspec.structs.replace(option, word=f"{times}x", times=times)
        options.append(option)
    return msgspec.structs.replace(street, options=tuple(options))

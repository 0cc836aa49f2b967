"""Proposed paytables, bet sizes, qualifiers and card counts, for analysis before approval.

A table does not open with a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.games.game import Game, Option, Street
from croupier.games.hand_names import POKER_HANDS, WIDE_LINES, covered_by
from croupier.money import parse_pays
from croupier.rulebook import Paytable, PaytableLine
from croupier.wording import counted

LETTER = "proposal"  # instead of the letter of an approved paytable


class Proposal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Terms that differ from those in the game's document."""

    pays: Mapping[str, tuple[tuple[str, str], ...]] = {}  # paytable lines by wager: hand, payout
    raises: Mapping[str, tuple[int, ...]] = {}  # bet multiples by street
    qualifier: str = ""  # the lowest qualifying hand of the dealer
    cards: Mapping[str, int] = {}  # of "player" or "dealer", or shown on a street

    def paytable(self, printed: Paytable) -> Paytable:
        """The paytable with the proposed lines, whose clauses are numbered."""
        lines = tuple(
            PaytableLine(
                hand=hand, pays=parse_pays(pays), clause=f"{printed.clause} proposed {number}"
            )
            for number, (hand, pays) in enumerate(self.pays[printed.wager], 1)
        )
        return Paytable(wager=printed.wager, letter=LETTER, clause=printed.clause, lines=lines)

    def changes_main_game(self, game: Game) -> bool:
        """Whether the proposal changes more than side wagers."""
        sides = {wager.name for wager in game.wagers if wager.role in ("optional", "progressive")}
        return bool(self.raises or self.qualifier or self.cards or set(self.pays) - sides)

    def played(self, game: Game) -> Game:
        """The game with the proposed bets, cards and qualifier."""
        streets = []
        for street in game.streets:
            if street.name in self.raises:
                street = _resize_bets(street, self.raises[street.name])
            if street.name in self.cards:
                street = _show_cards(street, self.cards[street.name])
            if "player" in self.cards:
                street = msgspec.structs.replace(street, when=f"on {self.cards['player']} cards")
            streets.append(street)
        qualifier = game.qualifier
        if self.qualifier and qualifier is not None:
            qualifier = msgspec.structs.replace(qualifier, hand=self.qualifier)
        return msgspec.structs.replace(
            game,
            streets=tuple(streets),
            qualifier=qualifier,
            player_cards=self.cards.get("player", game.player_cards),
            dealer_cards=self.cards.get("dealer", game.dealer_cards),
        )


def line_hands(game: Game, wager: str) -> frozenset[str]:
    """The names that paytable lines of a wager may have: its hands, and lines that cover some.

    A paytable that several wagers share has poker hands.
    """
    definition = game.wager(wager)
    hands = frozenset(definition.hands if definition else POKER_HANDS)
    return hands.union(line for line in WIDE_LINES if covered_by(line) & hands)


def street_bets(street: Street) -> list[Option]:
    """The options of a street that are bets."""
    return [option for option in street.options if option.times]


def _resize_bets(street: Street, sizes: tuple[int, ...]) -> Street:
    new_sizes = iter(sizes)
    options = []
    for option in street.options:
        if option.times:
            times = next(new_sizes)
            option = msgspec.structs.replace(option, word=f"{times}x", times=times)
        options.append(option)
    return msgspec.structs.replace(street, options=tuple(options))


def _show_cards(street: Street, cards: int) -> Street:
    if cards == street.shown:
        return street
    when = f"after {counted(cards, 'card')}" if cards else "before the board"
    return msgspec.structs.replace(street, shown=cards, when=when)

"""A proposal: what an operator would like to offer and no document prints. Nobody plays for it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.games.game import Game, Option, Street
from croupier.games.hand_names import POKER_HANDS, WIDE_LINES, covered_by
from croupier.money import parse_pays
from croupier.rulebook import Paytable, PaytableLine

LETTER = "proposal"  # in place of the letter of a paytable


class Proposal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a game would be played with instead of what is printed.

    Lines of paytables by wager, each a hand and what it pays; sizes of bets by street; the least
    hand with which the dealer qualifies; numbers of cards, those of a player, of the dealer, or of
    the board that show on a street.
    """

    pays: Mapping[str, tuple[tuple[str, str], ...]] = {}
    raises: Mapping[str, tuple[int, ...]] = {}
    qualifier: str = ""
    cards: Mapping[str, int] = {}

    def paytable(self, printed: Paytable) -> Paytable:
        """The proposed lines in place of the printed ones; every line has a name of its own."""
        lines = tuple(
            PaytableLine(
                hand=hand, pays=parse_pays(pays), clause=f"{printed.clause} proposed {number}"
            )
            for number, (hand, pays) in enumerate(self.pays[printed.wager], 1)
        )
        return Paytable(wager=printed.wager, letter=LETTER, clause=printed.clause, lines=lines)

    def changes_main_game(self, game: Game) -> bool:
        """Whether the main game is worth something else, and not only a side wager."""
        sides = {wager.name for wager in game.wagers if wager.role in ("optional", "progressive")}
        return bool(self.raises or self.qualifier or self.cards or set(self.pays) - sides)

    def played(self, game: Game) -> Game:
        """The game with the proposed bets, cards and qualifying hand."""
        streets = []
        for street in game.streets:
            if street.name in self.raises:
                street = resized(street, self.raises[street.name])
            if street.name in self.cards:
                street = showing(street, self.cards[street.name])
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
    """The names that lines of a wager may have: hands it tells apart, and lines that cover some."""
    known = game.wager(wager)
    hands = frozenset(known.hands if known else POKER_HANDS)  # a table that several wagers share
    return hands.union(line for line in WIDE_LINES if covered_by(line) & hands)


def street_bets(street: Street) -> list[Option]:
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


def showing(street: Street, cards: int) -> Street:
    """A street on which so many cards of the board show."""
    if cards == street.shown:
        return street
    when = f"after {cards} card{'s' * (cards > 1)}" if cards else "before the board"
    return msgspec.structs.replace(street, shown=cards, when=when)

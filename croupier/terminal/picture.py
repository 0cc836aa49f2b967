"""A picture of the game for the README: `python -m croupier.terminal.picture > docs/play.svg`."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator

from croupier.games import House
from croupier.table import Event, Shoe
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal import bot_players
from croupier.terminal.bankroll import BUY_IN
from croupier.terminal.bot_players_people import DEALER, YOU
from croupier.terminal.dealer import seated
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import Line
from croupier.terminal.render import bet_slip, narration
from croupier.terminal.render.felt_text import View, felt

SEED = 285  # a flush wins, so that the Blind is paid 3 to 2
_WEB_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def scene(house: House, seed: int = SEED) -> Iterator[Line]:
    """A settled round: the felt, the decision that was made, every wager's result."""
    table = seated(house, 1, BUY_IN)
    main = bet_slip.with_ante(house.game, bot_players.stakes_of(house), 15_00)
    stakes = bet_slip.ordered(house.game, main | {"trips": 5_00})
    table.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
    table.do(cmd.NoMoreBets(), DEALER)
    shoe = Shoe(Shuffler(seed).deck().cards)
    events: list[Event] = list(shoe.advance(table, DEALER))
    current = table.in_progress()
    told: list[Line] = []
    while (street := current.street) and table.due().kind == "decide":
        word, _ = bot_players.choose_option(current, street, current.boxes[1])
        decided = table.do(cmd.Decide(1, word), YOU)
        told = [row for event in decided if (row := narration.tell(event, current))]
        events = list(shoe.advance(table, DEALER))
    yield from felt(current, View(seat=1, purse=table.book.rack(YOU.id), meters=table.displayed))
    yield from told
    yield from narration.settlement(events, current)


def svg(house: House, seed: int = SEED) -> str:
    """The scene as an SVG that loads nothing from anywhere."""
    screen = Screen(io.StringIO(), record=True)
    screen.show(scene(house, seed))
    drawn = screen.console.export_svg(title="croupier play", unique_id="croupier")
    return _WEB_FONT.sub("", drawn)


if __name__ == "__main__":
    from croupier.submission import example

    sys.stdout.write(svg(example("ultimate_texas_holdem")))

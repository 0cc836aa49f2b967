"""Draws the picture of the terminal game in the README: a settled round as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from croupier.games import House
from croupier.table import Event, Shoe
from croupier.table import commands as cmd
from croupier.table.drivers.bots import choose_option
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bankroll import BUY_IN
from croupier.terminal.bot_players import DEALER, YOU, bot_stakes
from croupier.terminal.dealer import practice_table
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import Line
from croupier.terminal.render import bet_slip, narration
from croupier.terminal.render.felt_text import FeltView, felt_lines

SEED = 285  # wins with a flush, so that the Blind pays 3 to 2
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def scene(house: House, seed: int = SEED) -> Iterator[Line]:
    """A settled round: the felt, the last decision, the result of every wager."""
    table = practice_table(house, 1, BUY_IN)
    main = bet_slip.with_ante(house.game, bot_stakes(house), 15_00)
    stakes = bet_slip.in_felt_order(house.game, main | {"trips": 5_00})
    table.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
    table.do(cmd.NoMoreBets(), DEALER)
    shoe = Shoe(Shuffler(seed).deck().cards)
    events: list[Event] = list(shoe.advance(table, DEALER))
    current = table.in_progress()
    decision: list[Line] = []
    while (street := current.street) and table.due().kind == "decide":
        word, _ = choose_option(current, street, current.boxes[1])
        decided = table.do(cmd.Decide(1, word), YOU)
        decision = [row for event in decided if (row := narration.event_line(event, current))]
        events = list(shoe.advance(table, DEALER))
    chips = table.book.rack(YOU.id)
    yield from felt_lines(current, FeltView(seat=1, chips=chips, meters=table.displayed))
    yield from decision
    yield from narration.settlement_lines(events, current)


def svg(house: House, seed: int = SEED) -> str:
    """The scene as SVG without external fonts."""
    screen = Screen(io.StringIO(), record=True)
    screen.show(scene(house, seed))
    drawing = screen.console.export_svg(title="croupier play", unique_id="croupier")
    return _FONT_FACE.sub("", drawing)

"""Rich renderer of the value of an exposed card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.documents.formatting import figure_table, percent

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.analysis import ExposureResult
    from croupier.games import House


def render(house: House, exposure: ExposureResult) -> Table:
    """The value of an exposed card as a Rich table."""
    table = figure_table(f"{house.game.title}, knowing {exposure.knows}, per ante", "", "")
    table.show_header = False
    table.add_row("exact value", str(exposure.ev))
    table.add_row("player's edge", percent(exposure.ev))
    table.add_row("without this knowledge", percent(exposure.blind))
    table.add_row("gain", percent(exposure.gain))
    for word, share in exposure.actions.items():
        table.add_row(f"first decision: {word}", percent(share))
    which = "the card is" if exposure.cards_named == 1 else "the cards are"
    for card, ev in exposure.by_card.items():
        table.add_row(f"if {which} {card}", percent(ev))
    return table

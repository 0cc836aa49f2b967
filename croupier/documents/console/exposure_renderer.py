"""Rich and JSON renderers of the value of an exposed card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.documents.formatting import exact_json, figure_table, percent

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


def to_json(house: House, exposure: ExposureResult) -> dict[str, Any]:
    """The value of an exposed card as JSON: exact fractions with floats."""
    return {
        "game": house.game.key,
        "edition": house.game.edition,
        "digest": house.digest,
        "knows": exposure.knows,
        "ev": exact_json(exposure.ev),
        "blind": exact_json(exposure.blind),
        "gain": exact_json(exposure.gain),
        "by_card": {card: str(ev) for card, ev in exposure.by_card.items()},
        "actions": {word: str(share) for word, share in exposure.actions.items()},
    }

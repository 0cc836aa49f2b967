"""What a seen card is worth, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from croupier.documents.console.analysis_renderer import figures, percent

if TYPE_CHECKING:
    from croupier.analysis import ExposureResult
    from croupier.games import House


def render(house: House, found: ExposureResult) -> Table:
    """The value of a seen card as a table for `rich`."""
    table = figures(f"{house.game.title}, knowing {found.knows}, of one ante", "", "")
    table.show_header = False
    table.add_row("exactly", str(found.ev))
    table.add_row("player's edge", percent(found.ev))
    table.add_row("without the knowledge", percent(found.blind))
    table.add_row("what it adds", percent(found.gain))
    for word, share in found.actions.items():
        table.add_row(f"first decision: {word}", percent(share))
    which = "the card is" if found.cards_named == 1 else "the cards are"
    for card, ev in found.by_card.items():
        table.add_row(f"if {which} {card}", percent(ev))
    return table


def to_json(house: House, found: ExposureResult) -> dict[str, Any]:
    """The value of a seen card as JSON: exact fractions, decimals beside."""
    return {
        "game": house.game.key,
        "edition": house.game.edition,
        "digest": house.digest,
        "knows": found.knows,
        "ev": {"exact": str(found.ev), "value": float(found.ev)},
        "blind": {"exact": str(found.blind), "value": float(found.blind)},
        "gain": {"exact": str(found.gain), "value": float(found.gain)},
        "by_card": {card: str(ev) for card, ev in found.by_card.items()},
        "actions": {word: str(share) for word, share in found.actions.items()},
    }

"""Formats figures, amounts and field values for documents, reports, console tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.money import Cents, dollars

if TYPE_CHECKING:
    from rich.table import Table


def percent(value: Fraction | float, digits: int = 4) -> str:
    """Format a share of one as a percentage: "2.1850%"."""
    return f"{100 * float(value):.{digits}f}%"


def player_edge_text(edges: Mapping[str, Fraction]) -> str:
    """Wagers on which the player has the edge, as one line; empty if there are none."""
    if not edges:
        return ""
    wagers = (
        f"{'main game' if wager == 'main' else display_value(wager)} +{percent(edge)}"
        for wager, edge in edges.items()
    )
    return f"The player has the edge: {', '.join(wagers)}"


def short_dollars(cents: Cents) -> str:
    """Format an amount in dollars without empty cents: "$5", "$7.50"."""
    return dollars(cents).removesuffix(".00")


def display_value(value: str) -> str:
    """Format a value of a submission for print: "automated shoe", "yes"."""
    return {"true": "yes", "false": "no"}.get(value, value.replace("_", " "))


def field_title(name: str) -> str:
    """Format a field name as a title: "Deck change hours"."""
    words = name.replace("_", " ")
    return words[0].upper() + words[1:]


def json_values(result: Any) -> Any:
    """Return a result as JSON values: its fields, each fraction as exact text and as a float."""
    return msgspec.json.decode(msgspec.json.encode(result, enc_hook=_encode_fraction))


def _encode_fraction(value: object) -> dict[str, Any]:
    if not isinstance(value, Fraction):
        raise NotImplementedError(f"{type(value).__name__} has no JSON")
    return {"exact": str(value), "value": float(value)}


def figure_table(title: str, *columns: str) -> Table:
    """An empty Rich table: the first column aligned left, the others right."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", overflow="fold")
    return table

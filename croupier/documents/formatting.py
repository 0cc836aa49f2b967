"""Formats figures, amounts and field values for documents, reports and console tables."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.money import Cents, dollars

if TYPE_CHECKING:
    from rich.table import Table


def percent(value: Fraction | float, digits: int = 4) -> str:
    """Format a share of one as a percentage: "2.1850%"."""
    return f"{100 * float(value):.{digits}f}%"


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


def exact_json(value: Fraction) -> dict[str, Any]:
    """A fraction for JSON: exact as text, and as a float."""
    return {"exact": str(value), "value": float(value)}


def figure_table(title: str, *columns: str) -> Table:
    """An empty Rich table: the first column aligned left, the others right."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", overflow="fold")
    return table

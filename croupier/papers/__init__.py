"""What is printed or drawn: felts, analyses, plots, reports of the record, hands.

Each module is a door of its own, imported when something is printed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "analyses",
    "card",
    "designs",
    "felt",
    "hands",
    "meters",
    "packet",
    "pages",
    "par",
    "par_book",
    "players",
    "plots",
    "printed",
    "protection",
    "randomness",
    "reports",
    "rounds",
    "sessions",
    "sheet",
    "simulations",
    "strategies",
    "table_test",
    "theory",
    "winning",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The command line; each command is a few lines that call one room."""

from __future__ import annotations

import gc

__all__ = ["main"]

STARTING = 50_000  # objects made before Python first looks for garbage: starting makes none


def main() -> None:
    """The entry point; nothing of the program is imported before it."""
    gc.set_threshold(STARTING)
    from croupier.cli.main import main as program

    program()

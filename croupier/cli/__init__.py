"""The command line interface. Start in `main`; each `*_command(s).py` holds one group of commands.

`arguments` and `ledger_options` define shared arguments, `console` prints, `output_files` writes.
"""

from __future__ import annotations

import gc

__all__ = ["main"]

# Importing creates long-lived objects, so the first collection is delayed: it would free nothing.
GC_THRESHOLD = 50_000


def main() -> None:
    """Run the `croupier` command; nothing else is imported before."""
    gc.set_threshold(GC_THRESHOLD)
    from croupier.cli.main import main as run_program

    run_program()

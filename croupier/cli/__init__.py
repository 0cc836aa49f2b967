"""The command line interface. Start in `main`; each `*_command(s).py` holds one group of commands.

`arguments` and `ledger_options` define shared arguments, `console` prints, `output_files` writes,
`identity` checks who runs a command.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the `croupier` command; nothing else is imported before."""
    from croupier.cli.main import main as run_program

    run_program()

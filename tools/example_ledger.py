"""Writes the ledger that `croupier example casino.db` imports; part of `make docs`."""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import croupier.ledger
from croupier.cli.commands.example_command import LEDGER
from croupier.ledger import Ledger
from croupier.ledger.backup_and_export import export_file
from tests.ledger.audit import small_casino

ACTS = 20  # of the attended table


def main() -> None:
    """Play the small casino of the tests and pack its export."""
    target = Path(croupier.ledger.__file__).parent / LEDGER
    with TemporaryDirectory() as folder:
        database, export = Path(folder) / "casino.db", Path(folder) / "casino.jsonl"
        small_casino.build(database, acts=ACTS, signed=False)
        with Ledger(database, readonly=True) as ledger:
            export_file(ledger, export)
        target.write_bytes(gzip.compress(export.read_bytes(), mtime=0))


if __name__ == "__main__":
    main()

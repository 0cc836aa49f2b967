"""One table, pure: commands in, events out. No clock, no randomness, no I/O."""

from __future__ import annotations

from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.round import Box, Due, Round
from croupier.table.table import Table

__all__ = ["Box", "Command", "Due", "Event", "Round", "Table"]

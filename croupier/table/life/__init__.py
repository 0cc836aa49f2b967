"""The table around the game: `LiveTable` runs a shift from the opening to the closing."""

from __future__ import annotations

from croupier.table.life.live import LiveTable
from croupier.table.life.people import Person, Role
from croupier.table.life.steps import Step

__all__ = ["LiveTable", "Person", "Role", "Step"]

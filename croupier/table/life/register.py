"""Every command that a live table knows, by its type."""

from __future__ import annotations

from croupier.table.commands import Command
from croupier.table.life import (
    conduct,
    decks,
    devices,
    limits,
    payouts,
    posts,
    progressive,
    rounds,
    seats,
    shuffling,
    stub,
    tray,
)
from croupier.table.life.acts import Act

ACTS: dict[type[Command], Act] = {
    act.command: act
    for module in (
        posts,
        decks,
        shuffling,
        devices,
        seats,
        tray,
        limits,
        rounds,
        progressive,
        stub,
        payouts,
        conduct,
    )
    for act in module.ACTS
}

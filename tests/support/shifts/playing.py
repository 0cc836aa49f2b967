"""Priority of steps on the way from any state to a completed round."""

from __future__ import annotations

from croupier.table import Command, Step, Table
from croupier.table import commands as cmd
from croupier.table.core import fields
from croupier.table.drivers.simulated_staff import is_due
from tests.support.shifts.closing import NEVER
from tests.support.shifts.closing import ORDER as CLOSING

CLOSES = (cmd.Leave, cmd.CloseTable)
ORDER: dict[type[Command], int] = {
    **{kind: place for kind, place in CLOSING.items() if kind not in CLOSES},
    cmd.ReceiveDeck: 33,
    cmd.PrepareDeck: 34,
    cmd.LoadDeck: 37,
    cmd.NoMoreBets: 46,
    cmd.AttestEquipment: 48,
    cmd.AttestLayout: 48,
    cmd.AttestSign: 48,
    cmd.AttestShoe: 48,
    cmd.OpenTable: 50,
    cmd.MarkDevice: 65,
    cmd.SwitchDealing: 66,
}
WHEN_DUE: dict[type[Command], int] = {
    cmd.TakePost: 1,
    cmd.SetClock: 2,
    cmd.KeepDeck: 31,
    cmd.PullDeck: 32,
    cmd.SpreadIdle: 33,
    cmd.Shuffle: 35,
    cmd.CutDeck: 36,
    cmd.CountInventory: 49,
}
KINDS: frozenset[type[Command]] = frozenset(
    (
        *ORDER,
        *WHEN_DUE,
        cmd.PlaceWagers,
        cmd.SitDown,
        cmd.BuyIn,
        cmd.RequestFill,
        cmd.Decide,
    )
)


def towards_a_round(table: Table, step: Step) -> int:
    """Return the priority of a step, lowest first; repairs come last, NEVER is not taken."""
    kind = step.command
    if kind is cmd.PlaceWagers:
        form = step.fields["wagers"]
        assert isinstance(form, fields.StakesField)
        if form.withdraws:
            return 72
        return NEVER if table.layout else 45
    if kind is cmd.SitDown:
        return NEVER if table.seats.taken else 40
    if kind is cmd.BuyIn:
        rich = any(table.book.rack(player) > 50_000 for player in table.seats.taken.values())
        return NEVER if rich or table.dealing is not None else 47
    if kind is cmd.RequestFill:
        return 14 if step.due == "due" else 80
    if kind is cmd.Decide:
        return 10 if step.fixed.get("word") in ("check", "fold") else 11
    if kind in WHEN_DUE:
        return WHEN_DUE[kind] if is_due(table, step) else NEVER
    return ORDER.get(kind, NEVER)

"""Priority of steps on the way from any state to a closed table."""

from __future__ import annotations

from croupier.table import Command, Step, Table
from croupier.table import commands as cmd
from croupier.table.core import fields

NEVER = 99
ORDER: dict[type[Command], int] = {
    cmd.CountProgressive: 5,
    cmd.ResolveProgressive: 5,
    cmd.DealCards: 6,
    cmd.ShowStreet: 7,
    cmd.FindWrongCount: 8,
    cmd.CountStub: 12,
    cmd.DiscardStub: 12,
    cmd.Showdown: 12,
    cmd.TurnHand: 12,
    cmd.VerifyAward: 13,
    cmd.ValidateAward: 13,
    cmd.PreparePayout: 14,
    cmd.WitnessPayout: 14,
    cmd.NotifySurveillance: 14,
    cmd.SettleSeat: 15,
    cmd.Settle: 16,
    cmd.Leave: 30,
    cmd.SignRemoval: 31,
    cmd.CountFill: 32,
    cmd.SignSlip: 32,
    cmd.ConfirmFill: 32,
    cmd.ConfirmCredit: 32,
    cmd.CloseTable: 50,
    cmd.ClearDevice: 70,
    cmd.CancelSlip: 75,
}
CARDS = (cmd.PrepareDeck, cmd.Shuffle, cmd.CutDeck, cmd.LoadDeck)
KINDS: frozenset[type[Command]] = frozenset(
    (
        *ORDER,
        *CARDS,
        cmd.PlaceWagers,
        cmd.TakePost,
        cmd.PullDeck,
        cmd.CountInventory,
        cmd.Decide,
        cmd.CountCredit,
        cmd.RequestFill,
        cmd.ReceiveDeck,
    )
)


def towards_closing(table: Table, step: Step) -> int:
    """Return the priority of a step, lowest first; NEVER if it is not taken."""
    kind = step.command
    if kind is cmd.PlaceWagers:
        form = step.fields["wagers"]
        assert isinstance(form, fields.StakesField)
        return 20 if form.withdraws else NEVER
    if kind is cmd.TakePost:
        return 1 if step.due == "due" else NEVER
    if kind is cmd.PullDeck:  # no deck stays at a closed table
        return 30 if step.due == "overdue" else 45 if table.dealing is None else NEVER
    if kind is cmd.CountInventory:
        return 60 if table.shift.count is None else NEVER
    if kind is cmd.Decide:
        return 10 if step.fixed.get("word") in ("check", "fold") else 11
    if kind is cmd.CountCredit:  # a credit that exceeds the tray is cancelled instead
        request = table.chips.waiting.get(str(step.fixed.get("slip")))
        return 33 if request is not None and request.chips <= table.book.tray else NEVER
    if kind is cmd.RequestFill:
        return 14 if step.due == "due" else 80
    if kind in CARDS:
        return 40 if table.dealing is not None else NEVER
    if kind is cmd.ReceiveDeck:  # ordered to be shuffled again, then pulled
        return 41 if table.dealing is not None else NEVER
    return ORDER.get(kind, NEVER)

"""What events do to chips and cash: tray, racks, drop, what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life import events as le
from croupier.table.life.state import Award, Counted, Document, Life

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable


def before_round_event(live: LiveTable, event: Event) -> None:
    """Chips that go from a rack to the layout; needs to see what lay there before."""
    racks = live.life.racks
    match event:
        case ev.WagersPlaced():
            boxes = live.round.boxes if live.round else {}
            box = boxes.get(event.seat)
            lay = sum(box.stakes.values()) if box else 0
            racks[event.player] -= sum(event.stakes.values()) - lay
        case ev.Decided():
            assert live.round is not None
            racks[live.round.boxes[event.seat].player] -= event.stake


def after_round_event(live: LiveTable, event: Event) -> None:
    """Chips that come back from the layout and the tray."""
    life = live.life
    match event:
        case ev.RoundOpened():
            life.count = None
        case ev.WagerSettled():
            in_tray = event.wager == "progressive" and life.collected
            life.tray += (0 if in_tray else event.stake) - event.returned
            _give(live, event.seat, event.returned)
        case ev.EnvyPaid():
            life.tray -= event.paid
            _give(live, event.seat, event.paid)
        case ev.RoundClosed():
            life.collected = False
            life.count_differs = None


def _give(live: LiveTable, seat: int, chips: int) -> None:
    current = live.table.round
    assert current is not None
    player = current.boxes[seat].player
    live.life.racks[player] = live.life.racks.get(player, 0) + chips


def fold(live: LiveTable, life: Life, event: le.LifeEvent) -> None:
    """Apply an event of this subject."""
    match event:
        case le.SatDown():
            life.seats[event.seat] = event.player
            life.racks.setdefault(event.player, 0)
            life.absent.discard(event.player)
        case le.BoughtIn():
            life.count = None
            life.drop += event.cash
            life.tray -= event.chips
            life.racks[event.player] += event.chips
        case le.ChipsAdded():
            life.racks[event.player] += event.chips
        case le.CashedOut():
            life.racks[event.player] -= event.chips
        case le.Left() | le.LeftDuringRound():
            _leave(life, event)
        case le.AbandonmentRuled():
            life.ruled.add(event.player)
        case le.FillCounted():
            life.fills[event.slip] = Counted(event.chips, event.by)
            life.slips.add(event.slip)
        case le.FillReceived():
            life.count = None
            life.tray += life.fills.pop(event.slip).chips
        case le.CreditCounted():
            life.credits[event.slip] = Counted(event.chips, event.by)
            life.slips.add(event.slip)
        case le.CreditSent():
            life.count = None
            life.tray -= life.credits.pop(event.slip).chips
        case le.UnclaimedHeld():
            life.racks.pop(event.player)
            life.held[event.player] = life.held.get(event.player, 0) + event.amount
        case le.UnclaimedPaid():
            life.held.pop(event.player)
        case le.ProgressiveCollected():
            life.collected = True
            life.count_differs = None
            life.tray += event.amount
        case le.ProgressiveCountDiffered():
            life.count_differs = (event.counted, event.accepted)
        case _:
            _fold_awards(life, event)


def _leave(life: Life, event: le.Left | le.LeftDuringRound) -> None:
    del life.seats[event.seat]
    if isinstance(event, le.LeftDuringRound):
        life.racks[event.player] -= event.chips
        life.absent.add(event.player)
    else:
        life.racks.pop(event.player)
    if not life.seats:
        life.unseen = True


def _fold_awards(life: Life, event: le.LifeEvent) -> None:
    match event:
        case le.AwardVerified():
            life.awards[event.seat] = Award(event.meter, event.amount, event.light, event.by)
        case le.AwardValidated():
            life.awards[event.seat].validated = True
        case le.AwardsReopened():
            life.awards.clear()
        case le.PayoutDocumented():
            life.documents[event.serial] = Document(
                event.serial,
                event.round,
                event.seat,
                event.player,
                event.wager,
                event.winnings,
                event.witness,
                event.surveillance,
                event.by_check,
                event.by.name,
            )
        case le.PayoutWitnessed():
            life.documents[event.serial].witnessed = True
        case le.SurveillanceNotified():
            life.documents[event.serial].notified = True
        case le.PayoutVoided():
            life.documents[event.serial].void = True
        case le.PaidByCheck():
            life.racks[event.player] -= event.amount
            life.tray += event.amount

"""Moments of the tray: counts, changes of shift, fills, credits, differences."""

from __future__ import annotations

from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.attended.floor import CAL, DEE, FLO, SID, Floor
from tests.clauses.attended.moments import MIA, moment, ready, simply, table
from tests.clauses.attended.moments_of_the_table import counted_before

simply("count_inventory", lambda game: table(game).open(), cmd.CountInventory(1_000_000))
simply("request_fill", ready, cmd.RequestFill("F1", 5000))
simply("request_credit", ready, cmd.RequestCredit("C1", 5000))


def requested(game: str) -> Floor:
    """The floor asks for chips, and for others to leave; who asks is not asked again."""
    floor = ready(game)
    floor.do(cmd.TakePost(), MIA)
    floor.do(cmd.RequestFill("F1", 5000), MIA)
    floor.do(cmd.RequestCredit("C1", 5000), MIA)
    return floor


simply("count_fill", requested, cmd.CountFill("F1", 5000))
simply("count_credit", requested, cmd.CountCredit("C1", 5000))


def counted(game: str) -> Floor:
    """The cashier has counted a fill."""
    floor = requested(game)
    floor.do(cmd.CountFill("F1", 5000), CAL)
    return floor


def carried(game: str) -> Floor:
    """And security has brought it."""
    floor = counted(game)
    floor.do(cmd.SignSlip("F1"), SID)
    return floor


simply("sign_slip security", counted, cmd.SignSlip("F1"))
simply("sign_slip dealer", carried, cmd.SignSlip("F1"))
simply("recount_slip", counted, cmd.RecountSlip("F1", 4000, "one fell"))
simply("cancel_slip", counted, cmd.CancelSlip("F1", "wrong table"))


@moment("confirm_fill")
def confirm_fill(game: str) -> tuple[Floor, Command]:
    """Cashier, security and a dealer who has gone since have signed."""
    floor = carried(game)
    floor.do(cmd.SignSlip("F1"), DEE)
    return floor, cmd.ConfirmFill("F1")


def counted_out(game: str) -> Floor:
    """The dealer has counted a credit."""
    floor = requested(game)
    floor.do(cmd.CountCredit("C1", 5000), DEE)
    return floor


def taken(game: str) -> Floor:
    """And security takes it."""
    floor = counted_out(game)
    floor.do(cmd.SignSlip("C1"), SID)
    return floor


def sent(game: str) -> Floor:
    """And the floor has let it go: it is on its way to the cashier."""
    floor = taken(game)
    floor.do(cmd.ConfirmCredit("C1"), FLO)
    return floor


simply("sign_slip credit security", counted_out, cmd.SignSlip("C1"))
simply("sign_slip credit cage", sent, cmd.SignSlip("C1"))
simply("recount_slip credit", counted_out, cmd.RecountSlip("C1", 4000, "one fell"))
simply("cancel_slip credit", counted_out, cmd.CancelSlip("C1", "wrong table"))
simply("confirm_credit", taken, cmd.ConfirmCredit("C1"))


@moment("change_shift")
def change_shift(game: str) -> tuple[Floor, Command]:
    """The tray was counted by the dealer before."""
    floor = table(game).open()
    counted_before(floor, floor.table.book.tray)
    return floor, cmd.ChangeShift()


def far_off(game: str) -> Floor:
    """Two hundred dollars of what the closing had left were missing at the next opening."""
    floor = table(game).open()
    left = floor.table.book.tray
    counted_before(floor, left)
    floor.do(cmd.CloseTable(), FLO)
    floor.reopen(left - 200_00, "recounted with the same result")
    return floor


simply("report_investigation", far_off, cmd.ReportInvestigation(1, "paid twice on video"))

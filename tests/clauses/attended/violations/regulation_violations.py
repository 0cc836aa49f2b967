"""Violations of the regulation: Houses, meters, counts, limits, documents, disputes, the clock."""

from __future__ import annotations

from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.clauses.attended.fixtures.moments import (
    AUDITOR,
    COUNTING,
    betting,
    dealing,
    reached,
    ready,
    table,
)
from tests.clauses.attended.fixtures.table_moments import disputed
from tests.clauses.attended.fixtures.tray_moments import far_off
from tests.clauses.attended.violations.violation import Broken, after, violation, wrong
from tests.support.attended_table import ANN, DEE, FLO, MAX, SYSTEM, Floor
from tests.support.rounds import UTH, house

APPROVED = {"U": "COMAR 36.05.03.19"}
BALANCE = {"U": "COMAR 36.05.03.24J"}
COUNTS = {"U": "COMAR 36.05.03.02F"}
CLOSING = {"U": "COMAR 36.05.03.08"}
SHIFTS = {"U": "COMAR 36.05.03.10B"}
FILLS = {"U": "COMAR 36.05.03.04"}
LIMITS = {"U": "COMAR 36.05.03.21C"}
PAYOUTS = {"U": "COMAR 36.05.03.23"}
DISPUTES = {"U": "COMAR 36.03.10.47B"}
FAR_OFF = {"U": "COMAR 36.05.03.03H"}
CLOCKS = {"U": "COMAR 36.03.10.12C"}

# Houses and meters.


def bind(**more: object) -> cmd.BindTable:
    """The House of the tests, with more."""
    known = {"table": "table", "house": house(UTH, table=COUNTING).digest} | more
    return cmd.BindTable(service="attended", live=True, **known)  # type: ignore[arg-type]


def unbound(game: str) -> Floor:
    """A table without a House."""
    rules = house(game, table=COUNTING)
    floor = Floor(rules)
    floor.table = Table(find_house={rules.digest: rules}.__getitem__)
    return floor


wrong("a meter nobody submitted", APPROVED, unbound, bind(meters={"giga": 5}), SYSTEM)
wrong("a meter below zero", APPROVED, unbound, bind(meters={"mega": -5}), SYSTEM)
wrong("a House over a round", APPROVED, dealing, bind(), MAX)
wrong("a House over an open table", APPROVED, lambda game: table(game).open(), bind(), MAX)
wrong(
    "a House that sets meters",
    APPROVED,
    lambda game: table(game).staff(),
    bind(meters={"mega": 5}),
    MAX,
)


def reading(name: str, **change: object) -> None:
    """A reading of shared meters with something wrong in it."""

    @violation(name, BALANCE)
    def read(game: str) -> Broken:
        floor, right = reached("read_meters", game)
        assert isinstance(right, cmd.ReadMeters)
        floor.do(right, SYSTEM)
        values: dict[str, object] = {"group": "harbor", "position": 2, "meters": right.meters}
        return floor, cmd.ReadMeters(**(values | change)), SYSTEM  # type: ignore[arg-type]


reading("meters of another group", group="elsewhere")
reading("other meters", meters={"giga": 5})
reading("older meters", position=0)


@violation("shared meters below zero", BALANCE)
def below_zero(game: str) -> Broken:
    """No meter is."""
    floor, right = reached("read_meters", game)
    assert isinstance(right, cmd.ReadMeters)
    low = dict.fromkeys(right.meters, -1)
    return floor, cmd.ReadMeters(group="harbor", position=2, meters=dict(low)), SYSTEM


@violation("adjust what is shared", BALANCE)
def adjust_shared(game: str) -> Broken:
    """Only for all."""
    floor, _ = reached("read_meters", game)
    return floor, adjustment(), MAX


def adjustment(**change: object) -> Command:
    """A meter set right, with something wrong in it."""
    values: dict[str, object] = {
        "meter": "mega",
        "amount": 250,
        "reason": "power cut",
        "approval": "L 7",
        "second": AUDITOR,
    }
    return cmd.AdjustMeter(**(values | change))  # type: ignore[arg-type]


wrong("adjust without an approval", BALANCE, ready, adjustment(approval=" "), MAX)
wrong("adjust below zero", BALANCE, ready, adjustment(amount=-99_999_999_999), MAX)
wrong("adjust without a reason", BALANCE, ready, adjustment(reason=" "), MAX)
wrong("adjust by no amount", BALANCE, ready, adjustment(amount="a lot"), MAX)
wrong(
    "adjust again under the same approval",
    BALANCE,
    after(ready, (adjustment(), MAX)),
    adjustment(amount=-250, reason="too much"),
    MAX,
)
CORRECTION = cmd.Correct(
    source="tray", target="cage", amount=100, reason="miscounted", second=AUDITOR
)
wrong("correct the same again", BALANCE, after(ready, (CORRECTION, MAX)), CORRECTION, MAX)

# Counts, closing, slips.

wrong("count over wagers", COUNTS, betting, cmd.CountInventory(5))
wrong("count below zero", COUNTS, lambda game: table(game).staff(), cmd.CountInventory(-5))
wrong(
    "fill a closed table", FILLS, lambda game: table(game).staff(), cmd.RequestFill("F1", 5000), FLO
)
wrong("change a closed shift", SHIFTS, lambda game: table(game).staff(), cmd.ChangeShift(), FLO)
wrong("close what is closed", CLOSING, lambda game: table(game).staff(), cmd.CloseTable(), FLO)
wrong("close over a round", CLOSING, dealing, cmd.CloseTable(), FLO)


@violation("close beside a pulled deck", CLOSING)
def close_pulled(game: str) -> Broken:
    """It waits for a signature."""
    floor = table(game).open()
    floor.do(cmd.PullDeck("one", "marked"), DEE)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    return floor, cmd.CloseTable(), FLO


# Limits.


def notice(**change: object) -> Command:
    """A limit notice with something wrong in it."""
    values: dict[str, object] = {"wager": "ante", "minimum": 50, "maximum": None}
    return cmd.GiveLimitNotice(**(values | change))  # type: ignore[arg-type]


wrong("limits of no wager", LIMITS, ready, notice(wager="insurance"), MAX)
wrong("a minimum of nothing", LIMITS, ready, notice(minimum=0), MAX)
wrong("limits without a notice", LIMITS, ready, cmd.ApplyLimits("ante"), FLO)

# Documents, disputes, the clock.


@violation("witness twice", PAYOUTS)
def witness_twice(game: str) -> Broken:
    """Once is enough."""
    floor, command = reached("witness_payout", game)
    floor.do(command, FLO)
    return floor, command, MAX


@violation("void without a reason", PAYOUTS)
def void_reason(game: str) -> Broken:
    """A document does not vanish."""
    floor, _ = reached("void_payout", game)
    return floor, cmd.VoidPayout(1, " "), MAX


wrong("find nothing in words", FAR_OFF, far_off, cmd.ReportInvestigation(1, " "), FLO)
wrong("report on nothing", FAR_OFF, far_off, cmd.ReportInvestigation(2, "found"), FLO)
wrong("decide nothing", DISPUTES, disputed, cmd.DecideDispute(1, " ", "seen"), FLO)


@violation("set the clock to itself", CLOCKS)
def same_time(game: str) -> Broken:
    """It stands there already."""
    floor = after(ready)(game)
    floor.at = floor.table.clock - 1000
    return floor, cmd.SetClock(second=MAX, reason="it was slow"), FLO


wrong("nobody's House", APPROVED, lambda game: table(game).staff(), bind(house="0" * 64), MAX)
wrong("a stranger's correction", BALANCE, ready, adjustment(second=Account("ann", "player")), MAX)
wrong("no buy-in to agree with", {"U": "COMAR 36.05.02.21"}, ready, cmd.AcknowledgeBuyIn(1, 5), ANN)

"""Violations of the regulation: Houses, meters, counts, limits, documents, disputes, clock."""

from __future__ import annotations

from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.clauses.attended.fixtures.moments import (
    CASHIER,
    COUNTING,
    betting,
    dealing,
    reached,
    ready,
    table,
)
from tests.clauses.attended.fixtures.table_moments import DISABLE, disputed
from tests.clauses.attended.fixtures.tray_moments import far_off
from tests.clauses.attended.violations.violation import EVERY, Broken, after, illegal, violation
from tests.support.attended_table import ANN, DEE, FLO, MAX, SYSTEM, Floor
from tests.support.rounds import UTH, house, opening_wagers

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
DISABLED = {EVERY: "GLI-19 2.4.1"}
CLOCKS = {"U": "COMAR 36.03.10.12C"}

# Houses and meters.


def bind(**more: object) -> cmd.BindTable:
    """A command to bind the House of the tests."""
    digest = house(UTH, table=COUNTING).digest
    known = {"table": "table", "house": digest, "service": "attended"} | more
    return cmd.BindTable(live=True, **known)  # type: ignore[arg-type]


def unbound(game: str) -> Floor:
    """A table without a House."""
    rules = house(game, table=COUNTING)
    floor = Floor(rules)
    floor.table = Table(find_house={rules.digest: rules}.__getitem__)
    return floor


illegal("a meter not in the submission", APPROVED, unbound, bind(meters={"giga": 5}), SYSTEM)
illegal("a live table without staff", APPROVED, unbound, bind(service="rounds"), SYSTEM)
illegal("a meter below zero", APPROVED, unbound, bind(meters={"mega": -5}), SYSTEM)
illegal("bind a House during a round", APPROVED, dealing, bind(), MAX)
illegal("bind a House at an open table", APPROVED, lambda game: table(game).open(), bind(), MAX)
illegal(
    "a House that sets meters",
    APPROVED,
    lambda game: table(game).staff(),
    bind(meters={"mega": 5}),
    MAX,
)


def reading(name: str, **change: object) -> None:
    """Register a faulty reading of shared meters."""

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
    """A meter cannot be negative."""
    floor, right = reached("read_meters", game)
    assert isinstance(right, cmd.ReadMeters)
    low = dict.fromkeys(right.meters, -1)
    return floor, cmd.ReadMeters(group="harbor", position=2, meters=dict(low)), SYSTEM


@violation("adjust a shared meter", BALANCE)
def adjust_shared(game: str) -> Broken:
    """Shared meters are adjusted for all tables together."""
    floor, _ = reached("read_meters", game)
    return floor, adjustment(), MAX


def adjustment(**change: object) -> Command:
    """A faulty meter adjustment."""
    values: dict[str, object] = {
        "meter": "mega",
        "amount": 250,
        "reason": "power cut",
        "approval": "L 7",
        "second": CASHIER,
    }
    return cmd.AdjustMeter(**(values | change))  # type: ignore[arg-type]


illegal("adjust without an approval", BALANCE, ready, adjustment(approval=" "), MAX)
illegal("adjust below zero", BALANCE, ready, adjustment(amount=-99_999_999_999), MAX)
illegal("adjust without a reason", BALANCE, ready, adjustment(reason=" "), MAX)
illegal("adjust by an invalid amount", BALANCE, ready, adjustment(amount="a lot"), MAX)
illegal(
    "adjust again under the same approval",
    BALANCE,
    after(ready, (adjustment(), MAX)),
    adjustment(amount=-250, reason="too much"),
    MAX,
)
CORRECTION = cmd.Correct(
    source="tray", target="cage", amount=100, reason="miscounted", second=CASHIER
)
illegal("correct the same again", BALANCE, after(ready, (CORRECTION, MAX)), CORRECTION, MAX)

# Counts, closing, slips.

illegal("count with wagers on the layout", COUNTS, betting, cmd.CountInventory(5))
illegal("count below zero", COUNTS, lambda game: table(game).staff(), cmd.CountInventory(-5))
illegal(
    "fill a closed table", FILLS, lambda game: table(game).staff(), cmd.RequestFill("F1", 5000), FLO
)
illegal("change a closed shift", SHIFTS, lambda game: table(game).staff(), cmd.ChangeShift(), FLO)
illegal("close a closed table", CLOSING, lambda game: table(game).staff(), cmd.CloseTable(), FLO)
illegal("close during a round", CLOSING, dealing, cmd.CloseTable(), FLO)


def to_close(floor: Floor) -> Floor:
    """The decks are removed and the tray is counted."""
    floor.remove_decks()
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    return floor


@violation("open an open table", {"U": "COMAR 36.05.03.03"})
def open_again(game: str) -> Broken:
    """A count for the closing does not open the table again."""
    floor = table(game).open()
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    return floor, cmd.OpenTable(), FLO


@violation("close beside seated players", CLOSING)
def close_seated(game: str) -> Broken:
    """Everything else is ready for the closing."""
    return to_close(ready(game)), cmd.CloseTable(), FLO


@violation("close with an open slip", CLOSING)
def close_with_slip(game: str) -> Broken:
    """The chips of a fill are on their way."""
    floor = table(game).open()
    floor.do(cmd.RequestFill("F1", 5_000), FLO)
    return to_close(floor), cmd.CloseTable(), FLO


@violation("close with a pulled deck", {EVERY: "COMAR 36.05.02.16J"})
def close_pulled(game: str) -> Broken:
    """The table cannot close while a pulled deck waits for a signature."""
    floor = table(game).open()
    floor.do(cmd.PullDeck("one", "marked"), DEE)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    return floor, cmd.CloseTable(), FLO


# Limits.


def notice(**change: object) -> Command:
    """A faulty limit notice."""
    values: dict[str, object] = {"wager": "ante", "minimum": 50, "maximum": None}
    return cmd.GiveLimitNotice(**(values | change))  # type: ignore[arg-type]


illegal("limits of an unknown wager", LIMITS, ready, notice(wager="insurance"), MAX)
illegal("a minimum of zero", LIMITS, ready, notice(minimum=0), MAX)
illegal("limits without a notice", LIMITS, ready, cmd.ApplyLimits("ante"), FLO)

# Documents, disputes, the clock.


@violation("witness twice", PAYOUTS)
def witness_twice(game: str) -> Broken:
    """A document is witnessed once."""
    floor, command = reached("witness_payout", game)
    floor.do(command, FLO)
    return floor, command, MAX


@violation("void without a reason", PAYOUTS)
def void_reason(game: str) -> Broken:
    """Voiding a document needs a reason."""
    floor, _ = reached("void_payout", game)
    return floor, cmd.VoidPayout(1, " "), MAX


illegal("an empty investigation report", FAR_OFF, far_off, cmd.ReportInvestigation(1, " "), FLO)
illegal("report on an unknown case", FAR_OFF, far_off, cmd.ReportInvestigation(2, "found"), FLO)
illegal("an empty dispute decision", DISPUTES, disputed, cmd.DecideDispute(1, " ", "seen"), FLO)


@violation("set the clock to its own time", CLOCKS)
def same_time(game: str) -> Broken:
    """The clock already shows this time."""
    floor = after(ready)(game)
    floor.at = floor.table.clock - 1000
    return floor, cmd.SetClock(second=MAX, reason="it was slow"), FLO


illegal("an unknown House", APPROVED, lambda game: table(game).staff(), bind(house="0" * 64), MAX)
illegal("a stranger's correction", BALANCE, ready, adjustment(second=Account("ann", "player")), MAX)
illegal(
    "acknowledge without a buy-in",
    {"U": "COMAR 36.05.02.21"},
    ready,
    cmd.AcknowledgeBuyIn(1, 5),
    ANN,
)

# Disabled gaming.


@violation("a first bet while gaming is disabled", DISABLED)
def bet_while_disabled(game: str) -> Broken:
    """Betting would start a round."""
    floor = ready(game)
    floor.do(DISABLE, SYSTEM)
    return floor, cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN


@violation("open while gaming is disabled", DISABLED)
def open_while_disabled(game: str) -> Broken:
    """The table is ready to open otherwise."""
    floor, command = reached("open_table", game)
    floor.do(DISABLE, SYSTEM)
    return floor, command, FLO

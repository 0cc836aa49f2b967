"""Disabled gaming: one order reaches every table, survives a restart, is lifted by two people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.errors import Unknown
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import (
    Agree,
    DecideSubmission,
    DisableGaming,
    EnableGaming,
    OpenUnder,
    SendSubmission,
)
from croupier.ledger.aggregates.approvals import STREAM, command_text
from croupier.ledger.audit.verify import verify
from croupier.ledger.errors import NotAgreed
from croupier.ledger.gaming_orders import change_gaming
from croupier.ledger.recorded_table import RecordedTable
from croupier.submission import example
from croupier.table import Account, Role, view, viewer_of
from croupier.table import commands as cmd
from tests.support.rounds import refuses

ROBOT = Account("robot", "system")
OLGA, OTTO = Account("olga", "operator"), Account("otto", "operator")
PETRA = Account("petra", "pit_manager")
CLAUSE = "GLI-19 2.4.1"
ANTE = cmd.PlaceWagers(1, {"ante": 1000})
BOTH = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})


def tables(ledger: Ledger) -> Iterator[RecordedTable]:
    """Two tables of Top Five and one of Ultimate."""
    for name, game in (("A", "top_five"), ("B", "top_five"), ("C", "ultimate")):
        yield ledger.open_table(name, example(game), by=ROBOT)


def test_all_gaming_stops_after_the_current_rounds(ledger: Ledger) -> None:
    """A table that was open already, one that was idle, and one that opens later."""
    running, idle, _ = tables(ledger)
    running.do(ANTE, ROBOT)
    assert "all gaming" == change_gaming(ledger, DisableGaming(reason="fire alarm"), by=OLGA)

    running.do(cmd.PlaceWagers(2, {"ante": 500}), ROBOT)  # it conflicts and reads the order
    running.do(cmd.PlaceWagers(1, {"ante": 0}), ROBOT)
    assert "fire alarm" in str(running.table.disabling.orders)
    with refuses(CLAUSE, "no new round starts"):
        idle.do(ANTE, ROBOT)
    later = ledger.open_table("D", example("top_five"), by=ROBOT)
    with refuses(CLAUSE):
        later.do(ANTE, ROBOT)

    change_gaming(ledger, EnableGaming(reason="false alarm"), by=OLGA)
    idle.do(ANTE, ROBOT)
    later.do(ANTE, ROBOT)
    assert verify(ledger.store).ok


def test_the_order_survives_a_restart(database: str) -> None:
    """Also one that a killed process recorded and passed on to no table."""
    with Ledger(database) as ledger:
        _ = list(tables(ledger))
        ledger.approvals.do(DisableGaming(reason="fire alarm"), OLGA)
    with Ledger(database) as ledger:
        for name, bet in (("A", ANTE), ("C", BOTH)):
            with refuses(CLAUSE):
                ledger.open_table(name).do(bet, ROBOT)
        assert verify(ledger.store).ok
    with Ledger(database, readonly=True) as ledger:
        ledger.open_table("B")  # a reader appends nothing


def test_one_game_is_disabled(lite: Ledger) -> None:
    """By any of its names; the others go on."""
    first, second, other = tables(lite)
    assert "Top Five" in change_gaming(lite, DisableGaming(reason="recount", game="top"), by=PETRA)
    other.do(BOTH, ROBOT)
    for table in (first, second):
        with refuses(CLAUSE):
            table.do(ANTE, ROBOT)
    with pytest.raises(Unknown, match="blackjack"):
        change_gaming(lite, DisableGaming(reason="recount", game="blackjack"), by=PETRA)


def test_one_submission_is_disabled_at_every_table(lite: Ledger) -> None:
    """Tables under another submission of the same game go on."""
    first, second, _ = tables(lite)
    house = first.table.house
    for id in ("old", "new"):
        sent = SendSubmission(
            submission=id, game=house.game.key, house=house.digest, answers={}, authors=("olga",)
        )
        lite.approvals.do(sent, OLGA)
        with refuses(CLAUSE, "expected an approved submission"):
            change_gaming(lite, DisableGaming(reason="fault", submission=id), by=OLGA)
        approve = DecideSubmission(submission=id, house=house.digest, approved=True)
        lite.approvals.do(approve, OTTO)
    lite.approvals.do(OpenUnder(submission="old", table="A", service="rounds"), OTTO)
    lite.approvals.do(OpenUnder(submission="new", table="B", service="rounds"), OTTO)

    change_gaming(lite, DisableGaming(reason="fault", submission="old"), by=OLGA)
    with refuses(CLAUSE):
        first.do(ANTE, ROBOT)
    second.do(ANTE, ROBOT)
    with refuses(CLAUSE, "not both"):
        change_gaming(lite, DisableGaming(reason="x", submission="old", game="top"), by=OLGA)


def test_two_orders_are_lifted_one_by_one(lite: Ledger) -> None:
    """A table waits for both; what is not disabled cannot be enabled."""
    table, _, other = tables(lite)
    change_gaming(lite, DisableGaming(reason="fire alarm"), by=OLGA)
    change_gaming(lite, DisableGaming(reason="recount", game="top_five"), by=OLGA)
    with refuses(CLAUSE, "already disabled"):
        change_gaming(lite, DisableGaming(reason="again"), by=OTTO)
    change_gaming(lite, EnableGaming(reason="false alarm"), by=OLGA)
    other.do(BOTH, ROBOT)
    with refuses(CLAUSE):
        table.do(ANTE, ROBOT)
    with refuses(CLAUSE, "not disabled"):
        change_gaming(lite, EnableGaming(reason="again"), by=OLGA)
    assert ["recount"] == [order.reason for order in lite.approvals.refresh().disabled.values()]


def test_players_see_that_and_staff_see_why(lite: Ledger) -> None:
    """On every screen, from the state of the table."""
    recorded = next(tables(lite))
    change_gaming(lite, DisableGaming(reason="a bomb threat"), by=OLGA)
    recorded.catch_up()
    viewers = Account("ann", "player"), Account("dana", "dealer"), Account("sam", "surveillance")
    table = recorded.table
    seen = [view(table, viewer_of(table, viewer)).disabled for viewer in viewers]
    assert "Gaming is disabled: no new round starts." == seen[0]
    assert ["All gaming is disabled by operator olga: a bomb threat."] * 2 == seen[1:]


@pytest.mark.parametrize("reason", ["", " ", "x" * 301, "a\nb"])
def test_an_order_needs_a_reason(lite: Ledger, reason: str) -> None:
    """Not empty, at most 300 characters, one line."""
    with refuses(CLAUSE, "a reason"):
        change_gaming(lite, DisableGaming(reason=reason), by=OLGA)


@pytest.mark.parametrize("role", ["dealer", "player", "surveillance", "commission"])
def test_only_operators_and_pit_managers_order(lite: Ledger, role: Role) -> None:
    """Also in the record itself."""
    with refuses(CLAUSE):
        change_gaming(lite, DisableGaming(reason="x"), by=Account("x", role))


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Ledger]:
    """A live ledger without tables."""
    with Ledger(tmp_path / "live.db", purpose="live") as ledger:
        yield ledger


def agree(ledger: Ledger, command: EnableGaming, id: str) -> None:
    """The second person agrees to a command under its id."""
    said = Agree(table=STREAM, id=id, command=command_text(command), agreed=True, asked_by="olga")
    assert command.second is not None
    ledger.approvals.do(said, command.second)


def test_two_people_enable_gaming_on_a_live_ledger(live: Ledger) -> None:
    """One person is enough to disable it: it must be quick."""
    with refuses(CLAUSE):
        change_gaming(live, DisableGaming(reason="x"), by=ROBOT)
    change_gaming(live, DisableGaming(reason="fire alarm"), by=OLGA)
    with refuses("COMAR 36.05.03.24J", "second person"):
        change_gaming(live, EnableGaming(reason="over"), by=OLGA)
    alone = EnableGaming(reason="over", second=OLGA)
    with pytest.raises(NotAgreed):
        change_gaming(live, alone, by=OLGA)
    both = EnableGaming(reason="over", second=PETRA)
    with pytest.raises(NotAgreed):
        change_gaming(live, both, by=OLGA, id="e1")
    agree(live, both, "e1")
    change_gaming(live, both, by=OLGA, id="e1")
    assert {} == live.approvals.refresh().disabled
    assert verify(live.store).ok


def test_an_audit_finds_gaming_enabled_by_one_person(live: Ledger) -> None:
    """Written past the ledger, with and without the name of a second person."""
    for second in (None, PETRA):
        live.approvals.do(DisableGaming(reason="fire alarm"), OLGA)
        live.approvals.do(EnableGaming(reason="over", second=second), OLGA)
    problems = [problem.what for problem in verify(live.store).problems]
    assert ["enabled gaming without a second person", f"{PETRA} did not approve it"] == problems

"""Binding a table to another House, and corrections of money and meters by two people."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games import House
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.house_binding import APPROVED, BALANCE
from tests.support.attended_table import ANN, DEE, FLO, MAX, SYSTEM, Floor, replayed
from tests.support.rounds import RUN, THB, TOP, UTH, house, opening_wagers, refuses

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
TWO = {"shuffle_method": "counting_shuffler", "decks": 2}
CLEO, CAL = Account("cleo", "cage"), Account("cal", "cage")


def floor_with(first: House, *others: House) -> Floor:
    """Return a floor whose table can find the other Houses too."""
    floor = Floor(first)
    houses = {rules.digest: rules for rules in (first, *others)}
    floor.table = Table(first, service="attended", live=True, find_house=houses.__getitem__)
    return floor


def bind(rules: House, table: str = "table") -> cmd.BindTable:
    """Return the command that binds the table to a House."""
    return cmd.BindTable(table=table, house=rules.digest, service="attended", live=True)


def close(floor: Floor) -> None:
    """Count the tray and close the table."""
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)


def test_another_house_only_at_a_closed_and_empty_table() -> None:
    """Not while it is open, not with the decks of the old House, not by a dealer."""
    old, new = house(TOP, table=TWO), house(TOP, table=ONE)
    floor = floor_with(old, new).staff()
    floor.receive("one", "red")
    floor.refused(bind(new), MAX, APPROVED)
    floor.do(cmd.PullDeck("one", "other House"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.refused(bind(new), DEE, APPROVED)
    floor.refused(bind(new, table="another"), MAX, APPROVED)
    floor.attest()
    floor.do(bind(new), MAX)
    assert 1 == floor.table.house.decks
    floor.attest()  # another House may require other equipment
    floor.receive("two", "blue")
    floor.inspect("two")
    floor.do(cmd.CountInventory(1000), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.refused(bind(old), MAX, APPROVED)


def test_a_failed_device_and_the_meters_outlast_a_house() -> None:
    """Another House repairs no device and does not fund a meter again."""
    old, new = house(UTH, table=ONE), house(UTH, table=TWO)
    floor = floor_with(old, new).ready()
    floor.round(progressive=100)
    floor.do(cmd.ReportFault("shuffler"), DEE)
    floor.do(cmd.Leave(1), ANN)
    close(floor)
    before = dict(floor.table.meters)
    floor.do(bind(new), SYSTEM)
    assert "failed" == floor.table.devices.state["shuffler"]
    assert before == floor.table.meters
    assert before != {name: meter.initial for name, meter in new.meters.items()}


def test_a_round_without_wagers_does_not_block_rebinding() -> None:
    """It is dropped with its House; the next round has the next number."""
    old, new = house(TOP, table=ONE), house(TOP, table=TWO)
    floor = floor_with(old, new).ready()
    floor.bet()
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(old), 0)), ANN)
    floor.do(cmd.Leave(1), ANN)
    close(floor)
    floor.do(bind(new), MAX)
    assert floor.table.round is None
    floor.house = new
    floor.at += 60_000
    floor.attest()
    for name, back in (("three", "red"), ("four", "blue")):
        floor.receive(name, back)
        floor.inspect(name)
    for _ in range(2):
        floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.do(cmd.OpenTable("a larger inventory was ordered"), FLO)
    floor.seat()
    floor.bet()
    opened = floor.of(ev.RoundOpened)
    assert [(1, old.digest), (2, new.digest)] == [(e.number, e.house) for e in opened]


def test_a_meter_that_came_with_the_second_house_can_be_adjusted() -> None:
    """The last round did not have it."""
    old = house(UTH, table=ONE, without=("progressive",))
    new = house(UTH, table=ONE)
    floor = floor_with(old, new).ready()
    floor.round()
    floor.do(cmd.Leave(1), ANN)
    close(floor)
    floor.do(bind(new), MAX)
    floor.refused(bind(old), MAX, APPROVED)  # a meter with a balance is not dropped
    meter = next(iter(new.meters))
    before = floor.table.meters[meter]
    floor.do(adjust(meter, "12.5"), MAX)
    assert before + Fraction(25, 2) == floor.table.meters[meter]


def adjust(meter: str, amount: int | str, second: Account = CLEO) -> cmd.AdjustMeter:
    """Return a meter adjustment after a power cut."""
    return cmd.AdjustMeter(
        meter=meter, amount=amount, reason="power cut", approval="letter 7", second=second
    )


def test_a_void_after_an_adjustment_keeps_it() -> None:
    """The contributions of the round go back; the adjustment stays."""
    floor = Floor(house(RUN, table=ONE)).ready()
    meter = next(iter(floor.table.meters))
    before = floor.table.meters[meter]
    assert floor.house.progressive is not None
    floor.bet(progressive=floor.house.progressive.stake)
    floor.close_bets()
    floor.do(adjust(meter, 700), MAX)
    floor.void("community")
    floor.settle()
    assert before + 700 == floor.table.meters[meter]
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.parametrize(
    ("source", "target", "amount"),
    [
        ("rack:ann", "tray", 1_000_001),  # more than the balance
        ("layout", "tray", 5),  # a round is settled, not corrected
        ("tray", "tray", 5),
        ("tray", "meter:mega", 5),
        ("tray", "rack:ann", 0),
        ("tray", "rack:ann", -5),
    ],
)
def test_what_no_correction_does(source: str, target: str, amount: int) -> None:
    """Refused with the clause; the round can still be played and closed."""
    floor = Floor(house(THB, table=ONE)).ready()
    floor.bet()
    floor.refused(correct(source, target, amount), MAX, BALANCE)
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()


def correct(source: str, target: str, amount: int, second: Account = CLEO) -> cmd.Correct:
    """Return a correction of a miscount."""
    return cmd.Correct(
        source=source, target=target, amount=amount, reason="miscounted", second=second
    )


def test_two_people_correct() -> None:
    """Two different people in roles that may correct; they need no assignment at the table."""
    floor = Floor(house(THB, table=ONE)).ready()
    tray = floor.table.book.tray
    for second in (MAX, Account("max", "audit"), DEE, ANN):
        floor.refused(correct("rack:ann", "tray", 500, second), MAX, BALANCE)
    floor.refused(correct("rack:ann", "tray", 500), FLO, BALANCE)
    floor.do(correct("rack:ann", "tray", 500), CAL)
    assert (tray + 500, 999_500) == (floor.table.book.tray, floor.rack("ann"))
    with refuses(BALANCE):
        floor.table.do(adjust("mega", 5), MAX, floor.at)

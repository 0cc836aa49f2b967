"""Shared meters: one order of contributions and awards, whoever writes first."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from croupier.ledger import Ledger, LedgerError, LoggedTable, MeterUnreachable, NotFound, codec
from croupier.ledger import events as lev
from croupier.ledger.verify import verify
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.attended.houses import houses
from tests.ledger.record import example, random_round
from tests.ledger.shifts import LoggedShift
from tests.support import UTH, Play, Seat, house

RULES = house(UTH)
STAKES = {"ante": 1000, "blind": 1000, "progressive": 100}
MEGA = 1_000_000


def royal(table: LoggedTable) -> Play:
    """A round in which seat 1 is about to win the whole mega meter."""
    return Play(  # type: ignore[arg-type]
        RULES,
        {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)},
        dealer="3s 4s",
        community="Qh Jh Th 2s 3d",
        table=table,
    )


def wins(ledger: Ledger, group: str = "g") -> list[lev.MeterWon]:
    events = [codec.decode(row) for row in ledger.store.read(f"meters:{group}")]
    return [event for event in events if isinstance(event, lev.MeterWon)]


def test_tables_feed_one_meter(ledger: Ledger) -> None:
    """Each table sees what the others put in."""
    one = ledger.open_table("1", RULES, group="g")
    two = ledger.open_table("2", RULES, group="g")
    rng = random.Random(1)
    for _ in range(4):
        random_round(one, rng)
        random_round(two, rng)
    fold = ledger.group("g").refresh()
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert {"1", "2"} == fold.tables
    assert 0 == sum(fold.book.balances.values())
    assert all(fold.book.balance(f"meter:{name}") == v for name, v in fold.values.items())


def test_two_tables_hit_in_the_same_instant(ledger: Ledger) -> None:
    """The first to be recorded gets the meter, the second what the reset left: no double reset."""
    one = ledger.open_table("1", RULES, group="g")
    two = ledger.open_table("2", RULES, group="g")
    first, second = royal(one).until("settle"), royal(two).until("settle")
    fed = Fraction(4 * 2)  # four cents of each dollar
    second.do(cmd.Settle())
    first.do(cmd.Settle())
    fold = ledger.group("g").refresh()
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert [("table:2", MEGA + fed, 1), ("table:1", MEGA, 2)] == [
        (won.table, won.paid, won.order) for won in wins(ledger)
    ]
    assert MEGA == fold.values["mega"]
    assert -3 * MEGA == fold.book.balance("funded:mega")  # the seed and two resets


def test_a_void_gives_back_only_what_its_round_put_in(ledger: Ledger) -> None:
    """What other tables contributed in the meantime stays."""
    one = ledger.open_table("1", RULES, group="g")
    two = ledger.open_table("2", RULES, group="g")
    one.do(cmd.PlaceWagers(1, STAKES))
    one.do(cmd.NoMoreBets())
    royal(two).until("deal")
    one.do(cmd.FindWrongNumber("seat 1"))
    one.do(cmd.Settle())

    assert MEGA + 4 == ledger.group("g").refresh().values["mega"]
    assert verify(ledger.store).ok


def test_halted_meters_take_no_wager(ledger: Ledger) -> None:
    """The progressive is refused, not queued; the table plays on without it."""
    table = ledger.open_table("1", RULES, group="g")
    ledger.halt_group("g", "the controller is being replaced", by="pit_manager max")
    with pytest.raises(MeterUnreachable, match="being replaced"):
        table.do(cmd.PlaceWagers(1, STAKES), command_id="bet")
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}))
    ledger.resume_group("g", by="pit_manager max")
    first = table.do(cmd.PlaceWagers(1, STAKES), command_id="bet")
    ledger.halt_group("g", "again", by="pit_manager max")
    assert first == table.do(cmd.PlaceWagers(1, STAKES), command_id="bet"), "it was taken before"

    assert 100 == (table.round.boxes[1].stakes["progressive"] if table.round else 0)
    assert verify(ledger.store).ok


def test_other_terms_are_not_linked(lite: Ledger) -> None:
    """Another rate, another game or no meter at all cannot share."""
    lite.open_table("1", RULES, group="g")
    other = house(UTH, letters={"progressive": "A"})
    for rules in (other, example("jackpot_holdem"), house(UTH, without=["progressive"])):
        with pytest.raises(LedgerError):
            lite.open_table("2", rules, group="g")
    assert ["1"] == lite.tables()


def test_only_shared_meters_are_halted(lite: Ledger) -> None:
    """A group that nobody founded is not halted."""
    with pytest.raises(NotFound):
        lite.halt_group("nobody's", "x", by="max")


def test_what_a_table_read_is_checked_against_the_group(lite: Ledger) -> None:
    """Every value a linked table decided under is one the shared meters had."""
    one = lite.open_table("1", RULES, group="g")
    two = lite.open_table("2", RULES, group="g")
    royal(one).until("settle")
    royal(two).finish()
    events = one.do(cmd.Settle())
    read = [event for event in events if isinstance(event, lev.MetersRead)]
    paid = [event for event in events if isinstance(event, ev.MeterPaid)]

    assert 1 == len(read) == len(paid)
    assert MEGA == paid[0].paid
    assert one.machine == lite.open_table("1").machine
    assert verify(lite.store).ok


def test_live_tables_share_meters(lite: Ledger) -> None:
    """Awards are verified, validated and paid under the meters of their moment."""
    rules = houses(UTH)[0]
    shifts = [
        LoggedShift(lite, name, rules, random.Random(f"{name} linked"), group="g")
        for name in ("1", "2")
    ]
    for _ in range(150):
        for shift in shifts:
            shift.act()
    for shift in shifts:
        shift.close()
        shift.check_replay()
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert sum(shift.counts["rounds"] for shift in shifts) > 2

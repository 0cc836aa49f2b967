"""Linked meters: one order of contributions and awards for all tables of a group."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from croupier.errors import Refusal
from croupier.ledger import (
    Ledger,
    LedgerError,
    MeterUnreachable,
    RecordedTable,
    entry_codec,
    snapshot_policy,
)
from croupier.ledger.aggregates.linked_meter_messages import (
    AdjustShared,
    FoundMeters,
    HaltMeters,
    LinkTable,
    MeterContributions,
    MeterWon,
    MoveMeters,
    ResumeMeters,
)
from croupier.ledger.aggregates.linked_meters import PROGRESSIVE_CLAUSE, SCHEMA, LinkedMeters
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Command
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.recorded_rounds import (
    ANN,
    CLEO,
    MAX,
    SYSTEM,
    example_house,
    play_round,
    random_round,
)
from tests.support.recorded_shifts import RecordedShift, comparable_state
from tests.support.rounds import UTH, Play, Seat, house, refuses
from tests.support.shifts.houses import houses

RULES = house(UTH)
STAKES = {"ante": 1000, "blind": 1000, "progressive": 100}
MEGA = 1_000_000


def two_tables(ledger: Ledger) -> tuple[RecordedTable, RecordedTable]:
    """Two linked tables."""
    first = ledger.open_table("1", RULES, by=SYSTEM, group="g")
    return first, ledger.open_table("2", RULES, by=SYSTEM, group="g")


def royal(table: RecordedTable) -> Play:
    """A round in which seat 1 is about to win the whole mega meter."""
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    return play_round(table, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d")


def wins(ledger: Ledger, name: str = "g") -> list[MeterWon]:
    """The awards of a group in their order."""
    events = [
        e for s in ledger.store.read(f"meters:{name}") for e in entry_codec.decode_entry(s).events
    ]
    return [event for event in events if isinstance(event, MeterWon)]


def test_tables_feed_one_meter(ledger: Ledger) -> None:
    """Each table sees the contributions of the others."""
    one, other = two_tables(ledger)
    rng = random.Random(1)
    for _ in range(4):
        random_round(one, rng)
        random_round(other, rng)
    meters = ledger.group("g").refresh()
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert {"1", "2"} == set(meters.tables)
    assert 0 == sum(meters.book.balances.values())
    assert all(meters.book.balance(f"meter:{name}") == v for name, v in meters.values.items())


def test_two_tables_hit_in_the_same_instant(ledger: Ledger) -> None:
    """The first on record wins the meter, the second the reset amount: no double reset."""
    one, other = two_tables(ledger)
    first, second = royal(one).until("settle"), royal(other).until("settle")
    fed = Fraction(4 * 2)  # four cents of each dollar
    second.do(cmd.Settle())
    first.do(cmd.Settle())
    meters = ledger.group("g").refresh()
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert [("2", MEGA + fed, 1), ("1", MEGA, 2)] == [
        (won.table, won.paid, won.order) for won in wins(ledger)
    ]
    assert MEGA == meters.values["mega"]
    assert -3 * MEGA == meters.book.balance("funded:mega")  # the seed and two resets


def test_a_void_returns_only_the_contributions_of_its_round(ledger: Ledger) -> None:
    """Contributions of other tables stay."""
    one, other = two_tables(ledger)
    one.do(cmd.PlaceWagers(1, STAKES), ANN)
    one.do(cmd.NoMoreBets(), ANN)
    royal(other).until("deal")
    one.do(cmd.FindWrongNumber("seat 1"), ANN)
    one.do(cmd.Settle(), ANN)

    assert MEGA + 4 == ledger.group("g").refresh().values["mega"]
    assert verify(ledger.store).ok


def test_halted_meters_accept_no_wager(ledger: Ledger) -> None:
    """The progressive wager is refused, not queued; the table plays on without it."""
    table = ledger.open_table("1", RULES, by=SYSTEM, group="g")
    ledger.execute_on_group("g", HaltMeters("the controller is being replaced"), by=MAX)
    bet = cmd.PlaceWagers(1, STAKES)
    with pytest.raises(MeterUnreachable, match="being replaced"):
        table.do(bet, ANN, id="bet")
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), ANN)
    ledger.execute_on_group("g", ResumeMeters(), by=MAX)
    first = table.do(bet, ANN, id="bet")
    ledger.execute_on_group("g", HaltMeters("again"), by=MAX)
    assert first == table.do(bet, ANN, id="bet"), "it was accepted before"

    assert 100 == (table.table.round.boxes[1].stakes["progressive"] if table.table.round else 0)
    assert verify(ledger.store).ok


def test_other_terms_are_not_linked(lite: Ledger) -> None:
    """Another rate, another game or a House without meters cannot be linked."""
    lite.open_table("1", RULES, by=SYSTEM, group="g")
    other = house(UTH, letters={"progressive": "A"})
    for rules in (other, example_house("jackpot_holdem"), house(UTH, without=["progressive"])):
        with pytest.raises((LedgerError, Refusal)):
            lite.open_table("2", rules, by=SYSTEM, group="g")
    assert ["1"] == lite.tables()
    with pytest.raises(LedgerError, match="other terms"):
        lite.open_table("1", other, by=MAX)


PLAYER = Account("eve", "player")
MOVE = MoveMeters(table="1", entry=9, round=1, moves=(MeterContributions({"mega": -5000}),))


@pytest.mark.parametrize(
    ("command", "by"),
    [
        (FoundMeters(group="g", terms="x", meters={"mega": 1}), MAX),
        (LinkTable(table="3", house="x", terms="other"), MAX),
        (LinkTable(table="1", house=RULES.digest, terms=""), MAX),
        (HaltMeters(" "), MAX),
        (HaltMeters("bored"), PLAYER),
        (ResumeMeters(), MAX),
        (MoveMeters(table="9", entry=1, round=1, moves=MOVE.moves), MAX),
        (MoveMeters(table="1", entry=1, round=1, moves=()), MAX),
        (MoveMeters(table="1", entry=1, round=1, moves=(MeterContributions({"giga": 1}),)), MAX),
        (
            MoveMeters(
                table="1", entry=1, round=1, moves=(MeterContributions({"mega": "-1000001"}),)
            ),
            MAX,
        ),
        (MoveMeters(table="1", entry=1, round=1, moves=(MeterContributions({"mega": "x"}),)), MAX),
        (AdjustShared(meter="mega", amount=1, reason="", approval="a", second=CLEO), MAX),
        (AdjustShared(meter="mega", amount=1, reason="r", approval="a", second=MAX), MAX),
        (AdjustShared(meter="mega", amount=1, reason="r", approval="a", second=PLAYER), MAX),
        (AdjustShared(meter="giga", amount=1, reason="r", approval="a", second=CLEO), MAX),
        (AdjustShared(meter="mega", amount="-2000000", reason="r", approval="a", second=CLEO), MAX),
        (cmd.Settle(), MAX),
    ],
)
def test_what_meters_refuse(lite: Ledger, command: Command, by: Account) -> None:
    """The meters do not change; the refusal is recorded and audited."""
    lite.open_table("1", RULES, by=SYSTEM, group="g")
    before = lite.group("g").refresh().value_texts()
    with refuses(PROGRESSIVE_CLAUSE):
        lite.execute_on_group("g", command, by=by)

    assert before == lite.group("g").refresh().value_texts()
    assert verify(lite.store).ok


def test_an_approval_adjusts_a_linked_meter_once_however_it_is_spelled(lite: Ledger) -> None:
    """An approval is another one only if it has another name."""
    lite.open_table("1", RULES, by=SYSTEM, group="g")
    for approval in ("Letter 7", "letter 7", " LETTER  7 "):
        adjust = AdjustShared(meter="mega", amount=1, reason="r", approval=approval, second=CLEO)
        if approval == "Letter 7":
            lite.execute_on_group("g", adjust, by=MAX)
        with refuses(PROGRESSIVE_CLAUSE, match="already used"):
            lite.execute_on_group("g", adjust, by=MAX)


def test_meters_that_were_not_founded_cannot_be_halted(lite: Ledger) -> None:
    """The group has no entries."""
    with refuses(PROGRESSIVE_CLAUSE, match="founded"):
        lite.execute_on_group("missing", HaltMeters("x"), by=MAX)


def test_readings_of_a_table_are_checked_against_the_group(lite: Ledger) -> None:
    """Every value a linked table decided under is one the linked meters had."""
    one, other = two_tables(lite)
    royal(one).until("settle")
    royal(other).finish()
    before = one.sequence
    events = one.do(cmd.Settle(), ANN)
    paid = [event for event in events if isinstance(event, ev.MeterPaid)]
    added = [
        entry_codec.decode_entry(stored) for stored in lite.store.read(one.stream, after=before)
    ]

    assert MEGA == paid[0].paid
    assert [cmd.ReadMeters, cmd.Settle] == [type(entry.envelope.command) for entry in added]
    assert comparable_state(one.table) == comparable_state(lite.open_table("1").table)
    assert verify(lite.store).ok


def test_a_refusal_undoes_the_reading_of_meters(lite: Ledger) -> None:
    """A later award is paid from the meters of that time."""
    one, other = two_tables(lite)
    royal(one).until("settle")
    royal(other).finish()
    before = comparable_state(one.table)
    with refuses("7.E"):
        one.do(cmd.PlaceWagers(2, STAKES), ANN)

    assert before == comparable_state(one.table) == comparable_state(lite.open_table("1").table)
    assert verify(lite.store).ok
    paid = [e for e in one.do(cmd.Settle(), ANN) if isinstance(e, ev.MeterPaid)]
    assert MEGA == paid[0].paid


def test_a_long_group_opens_from_a_snapshot(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and accounts equal those of the whole stream."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 3)
    rng = random.Random(2)
    for _ in range(5):
        for table in two_tables(lite):
            random_round(table, rng)
    snapshot = lite.store.snapshot("meters:g", schema=SCHEMA)
    current = lite.group("g").refresh()
    whole = LinkedMeters()
    for stored in lite.store.read("meters:g"):
        for event in entry_codec.decode_entry(stored).events:
            whole.evolve(event)
    with Ledger(lite.store.address) as again:
        opened = again.group("g").refresh()
        assert opened.to_snapshot() == current.to_snapshot() == whole.to_snapshot()

    assert snapshot is not None and snapshot.sequence > 3
    assert verify(lite.store).ok


def test_attended_tables_share_meters(lite: Ledger) -> None:
    """Awards are verified, validated and paid under the meters of that time."""
    rules = houses(UTH)[0]
    shifts = [
        RecordedShift(lite, name, rules, random.Random(f"{name} linked"), group="g")
        for name in ("1", "2")
    ]
    for _ in range(150):
        for shift in shifts:
            shift.act()
    for shift in shifts:
        shift.close()
        shift.audit()
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert sum(shift.counts["rounds"] for shift in shifts) > 2

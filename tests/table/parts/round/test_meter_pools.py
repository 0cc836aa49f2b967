"""Reserve and overflow of meters: every cent of them accounted for, alone and linked (R35, R40)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from croupier import submission
from croupier.documents.reports.report_registry import report
from croupier.errors import BadSubmission, Refusal
from croupier.games import House, canonical_text
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Book, Table, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.recorded_rounds import MAX, MIA, SYSTEM, play_round, random_round
from tests.support.recorded_shifts import comparable_state
from tests.support.rounds import EVERY_GAME, UTH, Seat, house, refuses, submission_data

ROYAL = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
LOSER = {1: Seat("2c 7d", "check check fold", ante=1000, blind=1000, progressive=100)}
BOARD: dict[str, Any] = {"dealer": "3s 4s", "community": "Qh Jh Th 2s 3d"}
MEGA = 1_000_000  # cents that the meter starts and resets with; 4 cents of each dollar feed it


def rules(**mega: Any) -> House[Any]:
    """Ultimate with a reserve and a limit on its largest meter."""
    data = submission_data(UTH)
    data["meters"]["mega"] |= {"limit": "10000.10", "reserve_rate": "2.5"} | mega
    data["meters"]["mega"] = {k: v for k, v in data["meters"]["mega"].items() if v is not None}
    return submission.build(data)


RULES = rules()


def pools(table: Table) -> tuple[int | Fraction, ...]:
    """The value of the meter, its reserve and its overflow."""
    meters = table.meters
    return meters["mega"], meters["reserve:mega"], meters["overflow:mega"]


def check_sum(book: Book, meter: str = "mega") -> None:
    """Seeds and contributions equal the sum of meter, pools and awards, exactly."""

    def balance(account: str) -> Fraction:
        return Fraction(book.balance(f"{account}:{meter}"))

    sources = -balance("funded") - balance("fed") - balance("adjusted")
    assert sources == balance("meter") + balance("reserve") + balance("overflow") + balance("won")
    assert sum(book.balances.values()) == 0


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_submission_without_pools_does_not_mention_them(game: str) -> None:
    """Neither in its terms nor, therefore, in its digest."""
    text = canonical_text(submission.example(game))

    assert "reserve" not in text
    assert '"limit":' not in text
    assert set(house(game).opening_meters()) == set(house(game).meters)


@pytest.mark.parametrize(
    ("field", "value", "clause"),
    [
        pytest.param(*case, marks=pytest.mark.upholds(case[2]))
        for case in (
            ("limit", 9_999, "COMAR 36.05.03.24F"),
            ("limit", "much", "COMAR 36.05.03.24F"),
            ("reserve_rate", 0, "N.J.A.C. 13:69E-1.39A"),
            ("reserve_rate", "x", "N.J.A.C. 13:69E-1.39A"),
        )
    ],
)
def test_invalid_pools_are_refused(field: str, value: Any, clause: str) -> None:
    """A limit below the reset amount, an invalid share."""
    with pytest.raises(BadSubmission) as refused:
        rules(**{field: value})
    (issue,) = refused.value.issues
    assert (f"meters.mega.{field}", clause) == (issue.field, issue.clause)


def test_reserves_count_with_the_rates() -> None:
    """A48: together they may not exceed the stake."""
    with pytest.raises(BadSubmission, match="more than the stake"):
        rules(reserve_rate=90)


def test_the_terms_are_read_back(lite: Ledger) -> None:
    """The recorded House equals the one that was filed."""
    lite.add_house(RULES)

    assert lite.house(RULES.digest).meters["mega"] == RULES.meters["mega"]


def test_contributions_above_the_limit_go_to_the_overflow() -> None:
    """R40: the meter never exceeds its limit; the reserve keeps growing."""
    table = Table(RULES)
    values: list[tuple[int | Fraction, ...]] = []
    for _ in range(4):
        play_one(table, LOSER)
        values.append(pools(table))
        check_sum(table.book)
    five = Fraction(5, 2)

    assert values == [
        (MEGA + 4, five, 0),
        (MEGA + 8, 2 * five, 0),
        (MEGA + 10, 3 * five, 2),
        (MEGA + 10, 4 * five, 6),
    ]
    assert pools(table)[1:] == (
        table.book.balance("reserve:mega"),
        table.book.balance("overflow:mega"),
    )


def test_an_award_is_refilled_from_the_reserve_and_the_overflow_rises() -> None:
    """R35: the house funds what the reserve does not cover; the overflow moves into the meter."""
    table = Table(RULES)
    for _ in range(4):
        play_one(table, LOSER)
    events = play_one(table, ROYAL)
    used = [event for event in events if isinstance(event, ev.PoolUsed)]
    (paid,) = [e for e in events if isinstance(e, ev.MeterPaid) and e.meter == "mega"]

    assert MEGA + 10 == paid.paid
    assert ["reserve", "overflow"] == [event.pool for event in used if event.meter == "mega"]
    assert (MEGA + 10, 0, 0) == pools(table)
    assert Fraction(25, 2) - 2 * MEGA == table.book.balance("funded:mega")
    check_sum(table.book)


def test_a_void_returns_all_contributions() -> None:
    """Including those in the pools."""
    table = Table(RULES)
    for _ in range(3):
        play_one(table, LOSER)
    before = pools(table)
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000, "progressive": 100}))
    table.do(cmd.NoMoreBets())
    assert before != pools(table)
    table.do(cmd.FindWrongNumber("seat 1"))

    assert before == pools(table)
    check_sum(table.book)


def test_pools_are_hidden_from_players() -> None:
    """A player sees the meters only."""
    table = Table(RULES, service="practice")
    player_view = view(table, viewer_of(table, Account("ann", "player")))

    assert set(RULES.meters) == set(player_view.meters)
    assert {"reserve:mega", "overflow:mega"} < set(table.meters)


def play_one(table: Table, seats: Any) -> list[Any]:
    """Play one round and return its events."""
    from tests.support.rounds import Play

    events: list[Any] = []
    original = table.evolve

    def evolve(event: Any) -> None:
        events.append(event)
        original(event)

    table.evolve = evolve  # type: ignore[method-assign]
    try:
        Play(table.house, seats, table=table, **BOARD).finish()
    finally:
        del table.evolve
    return events


def recorded(ledger: Ledger, group: str) -> list[RecordedTable]:
    """Two tables, linked or not."""
    return [ledger.open_table(name, RULES, by=SYSTEM, group=group) for name in "AB"]


@pytest.mark.parametrize("group", ["", "g"])
def test_pools_on_record_are_verified(ledger: Ledger, group: str) -> None:
    """Rounds, awards, voids and adjustments; linked tables share the pools of their meters."""
    tables = recorded(ledger, group)
    rng = random.Random(f"pools {group}")
    for number in range(12):
        table = tables[number % 2]
        if number % 5 == 4:
            play_round(table, ROYAL, **BOARD).finish()
        else:
            random_round(table, rng, seats=2, trouble=0.3)
    if not group:
        right: dict[str, Any] = {"reason": "power cut", "approval": "L 7", "second": MIA}
        tables[0].do(cmd.AdjustMeter(meter="reserve:mega", amount="2.5", **right), MAX)
    books = [ledger.group("g").refresh().book] if group else [t.table.book for t in tables]
    for book in books:
        for meter in RULES.meters:
            check_sum(book, meter)
        assert 0 <= book.balance("overflow:mega")
        assert book.balance("meter:mega") <= MEGA + 10
    again = [ledger.open_table(name).table for name in "AB"]
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert [comparable_state(table) for table in again] == [
        comparable_state(recorded.table) for recorded in tables
    ]
    meters = next(s for s in report(ledger, "progressive").sections if s.title == "Meters")
    assert {0} == {row["difference"] for row in meters.rows}
    assert any(row["reserve"] for row in meters.rows)


def test_tables_with_different_pools_cannot_be_linked(lite: Ledger) -> None:
    """COMAR 36.05.03.24H-I: limit and reserve are part of the terms of a group."""
    from croupier.ledger import LedgerError

    lite.open_table("A", RULES, by=SYSTEM, group="g")
    with pytest.raises((LedgerError, Refusal)):
        lite.open_table("B", rules(limit=20_000), by=SYSTEM, group="g")
    with pytest.raises((LedgerError, Refusal)):
        lite.open_table("C", house(UTH), by=SYSTEM, group="g")


def test_a_pool_with_a_balance_is_not_dropped_with_its_house(lite: Ledger) -> None:
    """R44: a level with a balance is not closed without a destination."""
    table = lite.open_table("A", RULES, by=SYSTEM)
    other = rules(reserve_rate=None)
    lite.add_house(other)
    bound = table.table.bound
    assert bound is not None
    bind = cmd.BindTable(table="A", house=other.digest, service="rounds", live=False)
    table.do(bind, MAX)  # the pool is still empty
    table.do(cmd.BindTable(table="A", house=RULES.digest, service="rounds", live=False), MAX)
    play_round(table, LOSER, **BOARD).finish()
    with refuses("COMAR 36.05.03.19", match="reserve:mega, which still has a balance"):
        table.do(bind, MAX)
    assert verify(lite.store).ok

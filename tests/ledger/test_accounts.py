"""Double entry: debits equal credits after every event, and only events move money."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from croupier.ledger.accounts import Book, Unbalanced
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.ledger import Ledger, LedgerError, NeedsTwoPeople, NotFound, codec, corrections
from croupier.ledger import events as lev
from croupier.ledger.verify import verify
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table import events as life
from croupier.table.table import Table
from tests.ledger.record import example, random_round
from tests.ledger.shifts import play as play_shift
from tests.support import EVERY_GAME, UTH, Play, Seat, house

PAIR = {"by": "cage bob", "second": "manager mia", "reason": "miscount"}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(EVERY_GAME), st.integers(0, 10**6))
def test_debits_equal_credits_after_every_event(game: str, seed: int) -> None:
    """Random rounds of every game; layout empty at the end, meters as the table has them."""
    table, rng, book = Table(example(game)), random.Random(seed), Book()
    book.post(
        lev.TableBound(
            table="A",
            house="x",
            variety="rounds",
            live=True,
            meters={name: int(value) for name, value in table.meters.items()},
        )
    )
    for _ in range(2):
        for events in random_round(table, rng, seats=3):
            for event in events:
                book.post(event)
                assert 0 == sum(book.balances.values())
                assert book.debits == book.credits
        assert 0 == book.balance("layout")
        assert all(book.balance(f"meter:{name}") == v for name, v in table.meters.items())


@pytest.mark.parametrize("game", [UTH, "top_five"])
def test_a_live_table_and_its_accounts_count_the_same_chips(lite: Ledger, game: str) -> None:
    """Tray, layout, drop, racks and unclaimed money, after every event of a shift."""
    shift = play_shift(lite, game, 77, acts=120)
    twin = Table(shift.live.submitted, table_id=shift.live.table_id)
    book = Book()
    for row in lite.store.read(f"table:{shift.name}"):
        event = codec.decode(row)
        book.post(event)
        if not isinstance(event, lev.TableBound):
            twin.evolve(event)
        assert 0 == sum(book.balances.values())
        if twin.life.open:
            assert twin.life.tray == book.balance("tray")
            assert twin.layout == book.balance("layout")
        assert all(book.balance(f"rack:{name}") == n for name, n in twin.life.racks.items())
        assert sum(twin.life.held.values()) == book.balance("held")


def test_a_jackpot_is_accounted_for(lite: Ledger) -> None:
    """Seed, contribution, award and reset of a meter: what came in is what there is."""
    rules = house(UTH)
    table = lite.open_table("A", rules)
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    Play(  # type: ignore[arg-type]
        rules, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d", table=table
    ).finish()
    book = table.book

    assert -2_000_000 == book.balance("funded:mega")
    assert -4 == book.balance("fed:mega")
    assert 1_000_004 == book.balance("won:mega")
    assert 1_000_000 == book.balance("meter:mega") == table.meters["mega"]


def test_fractions_of_a_cent_are_carried() -> None:
    """Nothing is rounded away in a meter."""
    book = Book({"meter:m": "10.25", "funded:m": "-10.25"})
    book.post(ev.ProgressiveLocked(accepted=1, contributions={"m": "0.125"}))

    assert Fraction(83, 8) == book.balance("meter:m")
    assert {"fed:m": "-0.125", "funded:m": "-10.25", "meter:m": "10.375"} == book.export()


@pytest.mark.parametrize(
    "wrong",
    [
        ev.MeterPaid(seat=1, meter="m", paid=100, refill=0, after=901),
        lev.MeterAdjusted(meter="m", amount=5, after=1, reason="r", second="s", approval="a"),
        lev.MetersFed(table="A", round=1, amounts={"m": 4}, after={"m": 1005}),
        life.TableClosed(
            table="A",
            inventory=0,
            expected=1,
            counted_by=Account("dee", "dealer"),
            drop=0,
            decks=(),
            meters={},
            at=0,
            by=Account("flo", "floorperson"),
        ),
    ],
)
def test_an_event_that_contradicts_the_accounts_is_refused(wrong: ev.Event) -> None:
    """It says what a meter or the tray holds, and the entries say otherwise."""
    book = Book({"meter:m": 1000, "funded:m": -1000})
    with pytest.raises(Unbalanced):
        book.post(wrong)


def test_a_stake_is_resolved_as_it_was_placed() -> None:
    """A settlement of another stake, or of none, is refused."""
    book = Book()
    book.post(ev.WagersPlaced(seat=1, player="ann", stakes={"ante": 1000}))
    for wager, stake in (("ante", 999), ("blind", 1000)):
        with pytest.raises(Unbalanced, match="seat 1 has"):
            book.copy().post(
                ev.WagerSettled(
                    seat=1, wager=wager, stake=stake, outcome="lose", returned=0, clause="1"
                )
            )
    with pytest.raises(Unbalanced, match="layout"):
        book.post(ev.RoundClosed(discards=(), stub=52))


# Corrections


def test_a_correction_is_a_new_event_by_two_people(ledger: Ledger) -> None:
    """What was wrong stays; the balance moves; the audit agrees."""
    table = ledger.open_table("A", example())
    random_round(table, random.Random(3))
    before = table.tip
    corrections.correct(
        ledger, "A", source="tray", target="difference", amount=500, refers_to=4, **PAIR
    )
    again = ledger.open_table("A")

    assert before[0] + 1 == again.tip[0]
    assert 500 == again.book.balance("difference")
    assert table.book.balance("tray") - 500 == again.book.balance("tray")
    assert verify(ledger.store).ok


def test_a_live_tables_own_count_follows_a_correction(lite: Ledger) -> None:
    """The tray it expects at its closing is the corrected one."""
    shift = play_shift(lite, UTH, 12, acts=10)
    corrections.correct(lite, shift.name, source="cage", target="tray", amount=700, **PAIR)
    table = lite.open_table(shift.name)

    assert 700 == table.book.balance("tray")
    assert isinstance(table.machine, Table)
    assert 700 == table.machine.life.tray
    assert verify(lite.store).ok


@pytest.mark.parametrize(
    "pair",
    [
        {"by": "bob", "second": "bob", "reason": "r"},
        {"by": "bob", "second": " Bob ", "reason": "r"},
        {"by": "bob", "second": "", "reason": "r"},
        {"by": "", "second": "mia", "reason": "r"},
        {"by": "bob", "second": "mia", "reason": "  "},
    ],
)
def test_one_person_corrects_nothing(lite: Ledger, pair: dict[str, str]) -> None:
    """Two different names and a reason, for money and for meters."""
    table = lite.open_table("A", house(UTH))
    with pytest.raises(NeedsTwoPeople):
        corrections.correct(lite, "A", source="tray", target="cage", amount=1, **pair)
    with pytest.raises(NeedsTwoPeople):
        corrections.adjust_meter(
            lite, table_id="A", meter="mega", amount=Fraction(1), approval="x", **pair
        )
    assert table.tip == lite.open_table("A").tip


def test_corrections_name_what_exists(lite: Ledger) -> None:
    """Accounts, amounts and meters that there are."""
    lite.open_table("A", house(UTH))
    for source, target, amount in (
        ("till", "tray", 5),
        ("tray", "meter:mega", 5),
        ("tray", "tray", 5),
        ("tray", "cage", 0),
        ("tray", "cage", -5),
    ):
        with pytest.raises(LedgerError):
            corrections.correct(lite, "A", source=source, target=target, amount=amount, **PAIR)
    with pytest.raises(NotFound, match="giga"):
        corrections.adjust_meter(
            lite, table_id="A", meter="giga", amount=Fraction(1), approval="x", **PAIR
        )
    with pytest.raises(NeedsTwoPeople, match="approval"):
        corrections.adjust_meter(
            lite, table_id="A", meter="mega", amount=Fraction(1), approval="", **PAIR
        )


def test_a_meter_is_adjusted_in_mid_round_too(lite: Ledger) -> None:
    """A void afterwards gives back the contribution and keeps the adjustment."""
    table = lite.open_table("A", house(UTH))
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000, "progressive": 100}))
    table.do(cmd.NoMoreBets())
    corrections.adjust_meter(
        lite, table_id="A", meter="mega", amount=Fraction(50), approval="MLC 1", **PAIR
    )
    table.do(cmd.FindWrongNumber("seat 1"))
    table.do(cmd.Settle())

    assert 1_000_050 == table.meters["mega"] == table.book.balance("meter:mega")
    assert verify(lite.store).ok


def test_a_shared_meter_is_adjusted_for_all(lite: Ledger) -> None:
    """At the group, not at a table."""
    table = lite.open_table("A", house(UTH), group="g")
    with pytest.raises(LedgerError, match="shares its meters"):
        corrections.adjust_meter(
            lite, table_id="A", meter="mega", amount=Fraction(1), approval="x", **PAIR
        )
    corrections.adjust_meter(
        lite, group="g", meter="mega", amount=Fraction(25), approval="x", **PAIR
    )
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000, "progressive": 100}))
    table.do(cmd.NoMoreBets())

    assert 1_000_029 == table.meters["mega"]
    assert verify(lite.store).ok

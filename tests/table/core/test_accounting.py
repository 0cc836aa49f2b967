"""Double-entry accounts: debits equal credits after every event; only events move money."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.errors import BadInput, Refusal
from croupier.ledger import Ledger, entry_codec
from croupier.ledger.aggregates.linked_meter_messages import AdjustShared, MetersFed
from croupier.ledger.aggregates.linked_meters import PROGRESSIVE_CLAUSE
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Book, Table, Unbalanced
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.house_binding import BALANCE
from tests.support.recorded_rounds import (
    ANN,
    AT,
    BOB,
    CLEO,
    MIA,
    SYSTEM,
    example_house,
    play_round,
    random_round,
)
from tests.support.recorded_shifts import play_shift
from tests.support.rounds import EVERY_GAME, UTH, Seat, house, refuses

STAKES = {"ante": 1000, "blind": 1000, "progressive": 100}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(EVERY_GAME), st.integers(0, 10**6))
def test_debits_equal_credits_after_every_event(game: str, seed: int) -> None:
    """Random rounds of every game; the layout ends empty, the meters match the table."""
    table, rng, book = Table(example_house(game)), random.Random(seed), Book()
    assert table.bound is not None
    book.post(table.bound)
    for _ in range(2):
        for events in random_round(table, rng, seats=3):
            for event in events:
                book.post(event)
                assert 0 == sum(book.balances.values())
        assert 0 == book.balance("layout")
        assert all(book.balance(f"meter:{name}") == v for name, v in table.meters.items())


@pytest.mark.parametrize("game", [UTH, "top_five"])
def test_the_accounts_of_a_shift_follow_from_its_record(lite: Ledger, game: str) -> None:
    """A book built from the events equals the table's own, and balances at each step."""
    played = play_shift(lite, game, 77, acts=120)
    book = Book()
    for stored in lite.store.read(played.recorded.stream):
        for event in entry_codec.decode_entry(stored).events:
            book.post(event)
            assert 0 == sum(book.balances.values())
        assert book.tray >= 0  # within a command, a check is posted after what it pays

    assert played.table.book.export() == book.export()


def test_a_jackpot_is_accounted_for(lite: Ledger) -> None:
    """Seed, contribution, award and reset of a meter."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM)
    seats = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
    play_round(recorded, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d").finish()
    book = recorded.table.book

    assert -2_000_000 == book.balance("funded:mega")
    assert -4 == book.balance("fed:mega")
    assert 1_000_004 == book.balance("won:mega")
    assert 1_000_000 == book.balance("meter:mega") == recorded.table.meters["mega"]


def test_fractions_of_a_cent_are_carried() -> None:
    """A meter never rounds."""
    book = Book({"meter:m": "10.25", "funded:m": "-10.25"})
    book.post(ev.ProgressiveLocked(accepted=1, contributions={"m": "0.125"}))

    assert Fraction(83, 8) == book.balance("meter:m")
    assert {"fed:m": "-0.125", "funded:m": "-10.25", "meter:m": "10.375"} == book.export()


@pytest.mark.parametrize(
    "wrong",
    [
        ev.MeterPaid(seat=1, meter="m", paid=100, refill=0, after=901),
        ev.MeterAdjusted(
            meter="m", amount=5, after=1, reason="r", by=BOB, second=MIA, approval="a"
        ),
        MetersFed(table="A", round=1, amounts={"m": 4}, after={"m": 1005}),
    ],
)
def test_an_event_that_contradicts_the_accounts_is_refused(wrong: ev.Event) -> None:
    """The value it states for a meter differs from the account."""
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


def correction(**changes: object) -> cmd.Correct:
    """Five dollars from the tray to the cage, unless changed."""
    fields = {
        "source": "tray",
        "target": "cage",
        "amount": 500,
        "reason": "miscount",
        "second": MIA,
    }
    return cmd.Correct(**fields | changes)  # type: ignore[arg-type]


def adjustment(**changes: object) -> cmd.AdjustMeter:
    """Half a dollar more in the mega meter, unless changed."""
    fields = {
        "meter": "mega",
        "amount": 50,
        "reason": "display fault",
        "approval": "MLC 1",
        "second": MIA,
    }
    return cmd.AdjustMeter(**fields | changes)  # type: ignore[arg-type]


def test_a_correction_is_a_new_entry_by_two_people(ledger: Ledger) -> None:
    """The wrong entry stays, the balance changes, the audit agrees."""
    recorded = ledger.open_table("A", example_house(), by=SYSTEM)
    random_round(recorded, random.Random(3))
    before, tray = recorded.sequence, recorded.table.book.tray
    recorded.do(correction(refers_to=4), BOB)
    again = ledger.open_table("A")

    assert before + 1 == again.sequence
    assert tray - 500 == again.table.book.tray
    assert verify(ledger.store).ok


@pytest.mark.parametrize(
    ("by", "changes"),
    [
        (BOB, {"second": BOB}),
        (BOB, {"second": Account("bob", "pit_manager")}),
        (BOB, {"reason": "  "}),
        (BOB, {"second": Account("eve", "player")}),
        (BOB, {"second": Account(" Bob ", "cage")}),
    ],
)
def test_one_person_corrects_nothing(lite: Ledger, by: Account, changes: dict[str, object]) -> None:
    """Money and meters need two different people and a reason."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM)
    for command in (correction(**changes), adjustment(**changes)):
        with pytest.raises((Refusal, BadInput)):
            recorded.do(command, by)

    assert 1 == lite.open_table("A").sequence


def test_nothing_is_corrected_twice(lite: Ledger) -> None:
    """A repeated correction is refused; one with another reason or approval is not."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM)
    recorded.do(correction(), BOB)
    recorded.do(adjustment(), BOB)
    recorded = lite.open_table("A")
    with refuses(BALANCE, match="correction was already made"):
        recorded.do(correction(), BOB)
    with refuses(BALANCE, match="'MLC 1' was already used for mega"):
        recorded.do(adjustment(amount=70), BOB)
    recorded.do(correction(reason="miscounted once more"), BOB)
    recorded.do(adjustment(approval="MLC 2"), BOB)

    assert -1000 == recorded.table.book.tray
    restored = Table.from_snapshot(recorded.table.to_snapshot(), recorded.table.find_house)
    assert recorded.table == restored
    for again in (correction(), adjustment()):
        with refuses(BALANCE):
            restored.do(again, BOB)


def test_corrections_name_existing_accounts_and_meters(lite: Ledger) -> None:
    """With a positive amount and an approval."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM)
    for source, target, amount in (
        ("till", "tray", 5),
        ("tray", "meter:mega", 5),
        ("tray", "tray", 5),
        ("tray", "cage", 0),
        ("tray", "cage", -5),
    ):
        with refuses(BALANCE):
            recorded.do(correction(source=source, target=target, amount=amount), BOB)
    for change in ({"meter": "giga"}, {"approval": ""}, {"amount": "-9999999999"}):
        with refuses(BALANCE):
            recorded.do(adjustment(**change), BOB)


def test_a_meter_is_adjusted_during_a_round(lite: Ledger) -> None:
    """A void afterwards returns the contribution and keeps the adjustment."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM)
    recorded.do(cmd.PlaceWagers(1, STAKES), ANN)
    recorded.do(cmd.NoMoreBets(), ANN)
    recorded.do(adjustment(), BOB)
    recorded.do(cmd.FindWrongNumber("seat 1"), ANN)
    recorded.do(cmd.Settle(), ANN)
    table = recorded.table

    assert 1_000_050 == table.meters["mega"] == table.book.balance("meter:mega")
    assert verify(lite.store).ok


def test_a_linked_meter_is_adjusted_at_its_group(lite: Ledger) -> None:
    """Not at a table."""
    recorded = lite.open_table("A", house(UTH), by=SYSTEM, group="g")
    with refuses(BALANCE, match="linked"):
        recorded.do(adjustment(), BOB)
    adjust = AdjustShared(meter="mega", amount=25, reason="r", approval="MLC 2", second=CLEO)
    lite.execute_on_group("g", adjust, by=MIA, at=AT)
    with refuses(PROGRESSIVE_CLAUSE, match="'MLC 2' was already used for mega"):
        lite.execute_on_group("g", adjust, by=MIA, at=AT)
    recorded.do(cmd.PlaceWagers(1, STAKES), ANN)
    recorded.do(cmd.NoMoreBets(), ANN)

    assert 1_000_029 == recorded.table.meters["mega"]
    assert verify(lite.store).ok

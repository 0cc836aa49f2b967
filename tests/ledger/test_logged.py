"""Tables on record: durable, repeatable, recoverable, and never ahead of their record."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from croupier.ledger.verify import verify

from croupier.errors import Refusal
from croupier.ledger import Ledger, LedgerError, NotFound, logged
from croupier.table import commands as cmd
from tests.ledger.record import example, random_round
from tests.ledger.shifts import play as play_shift
from tests.support import EVERY_GAME, RUN, UTH, Play, Seat, house

SEATS = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_table_read_back_is_the_table(lite: Ledger, game: str) -> None:
    """After every single command, in every game, with voids among the rounds."""
    table = lite.open_table("A", example(game))
    rng = random.Random(f"read back {game}")

    def do(command: cmd.Command) -> object:
        events = table.do(command, by="dealer ann")
        again = lite.open_table("A")
        assert table.machine == again.machine
        assert table.book.export() == again.book.export()
        assert table.tip == again.tip
        return events

    for _ in range(3):
        random_round(table, rng, do)  # type: ignore[arg-type]
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert 3 == verdict.rounds


def test_a_repeated_command_does_nothing_twice(ledger: Ledger) -> None:
    """The same id is answered with the same events, by this process and after a restart."""
    table = ledger.open_table("A", example())
    command = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})
    first = table.do(command, command_id="bet", by="player 1")
    again = table.do(command, command_id="bet", by="player 1")
    tip = table.tip
    reopened = ledger.open_table("A")

    assert first == again == reopened.do(command, command_id="bet", by="player 1")
    assert tip == reopened.tip == ledger.open_table("A").tip


def test_a_repeated_command_that_would_be_refused_now_is_answered(ledger: Ledger) -> None:
    """Closing the betting again is against the rules, repeating the message is not."""
    table = ledger.open_table("A", example())
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}))
    first = table.do(cmd.NoMoreBets(), command_id="close")

    assert first == table.do(cmd.NoMoreBets(), command_id="close")
    with pytest.raises(Refusal):
        table.do(cmd.NoMoreBets(), command_id="another")


def test_a_refusal_leaves_no_trace(ledger: Ledger) -> None:
    """Neither in the table nor in the record."""
    table = ledger.open_table("A", example())
    tip = table.tip
    with pytest.raises(Refusal):
        table.do(cmd.PlaceWagers(9, {"ante": 1000}), command_id="x")

    assert tip == table.tip == ledger.open_table("A").tip
    assert [] == table.recorded("x")


def test_two_handles_on_one_table_take_turns(ledger: Ledger) -> None:
    """A handle that is behind reads on and decides anew instead of writing over the other."""
    first, second = ledger.open_table("A", example()), ledger.open_table("A")
    first.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}))
    second.do(cmd.PlaceWagers(2, {"ante": 1000, "blind": 1000}))
    first.do(cmd.NoMoreBets())
    with pytest.raises(Refusal, match="no more bets"):
        second.do(cmd.PlaceWagers(3, {"ante": 1000, "blind": 1000}))

    assert first.machine == second.machine
    assert {1, 2} == set(first.round.boxes if first.round else ())


def test_a_snapshot_saves_the_replay(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening reads what follows the newest snapshot, and arrives at the same table."""
    monkeypatch.setattr(logged, "SNAPSHOT_EVERY", 20)
    table = lite.open_table("A", example())
    rng = random.Random(3)
    for _ in range(12):
        random_round(table, rng)
    kept = lite.store.snapshots("table:A")
    again = lite.open_table("A")

    assert len(kept) > 3
    assert table.tip[0] - kept[-1][0] < 60
    assert table.machine == again.machine
    assert table.book.export() == again.book.export()
    assert verify(lite.store).ok


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_whole_shift_is_on_record(
    lite: Ledger, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People, decks, chips and rounds of a live table: read back, verified, snapshots included."""
    monkeypatch.setattr(logged, "SNAPSHOT_EVERY", 30)
    for seed in (1, 2):
        play_shift(lite, game, seed, acts=80)
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)


def test_a_shift_on_postgresql(ledger: Ledger) -> None:
    """The same through either store."""
    play_shift(ledger, UTH, 5, acts=60)

    assert verify(ledger.store).ok


def test_a_new_house_binds_the_table_anew(lite: Ledger) -> None:
    """Old rounds stay under the old rules; meters go on from where they are."""
    old, new = house(UTH), house(UTH, limits={"ante": (2, 100)})
    Play(old, SEATS, table=lite.open_table("A", old)).finish()  # type: ignore[arg-type]
    before = lite.open_table("A").meters
    table = lite.open_table("A", new)
    assert before == table.meters
    Play(new, SEATS, table=table).finish()  # type: ignore[arg-type]
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert 2 == lite.open_table("A").table.rounds_played
    assert new.digest == lite.open_table("A").house.digest


def test_a_house_without_a_meter_that_holds_money_is_refused(lite: Ledger) -> None:
    """A jackpot is not lost by changing the rules."""
    lite.open_table("A", house(UTH))
    with pytest.raises(LedgerError, match="holds money"):
        lite.open_table("A", house(UTH, without=["progressive"]))


def test_meters_may_start_elsewhere(lite: Ledger) -> None:
    """A transferred jackpot starts the meter, and the accounts say who funded it."""
    table = lite.open_table("A", house(UTH), meters={"mega": Fraction(5_000_000)})

    assert 5_000_000 == table.meters["mega"] == table.book.balance("meter:mega")
    assert -5_000_000 == table.book.balance("funded:mega")


def test_an_unknown_table_is_not_invented(lite: Ledger) -> None:
    """Without a House there is nothing to open."""
    with pytest.raises(NotFound, match="'B'"):
        lite.open_table("B")


def test_the_purpose_of_a_ledger_is_stated_once(tmp_path: Path) -> None:
    """A practice ledger stays one, however it is opened later, and its tables are not live."""
    with Ledger(tmp_path / "practice.db", purpose="practice") as ledger:
        ledger.open_table("A", example())
    with Ledger(tmp_path / "practice.db") as ledger:
        bound = ledger.open_table("A").fold.bound

        assert "practice" == ledger.purpose
        assert bound is not None and not bound.live


def test_a_bet_of_any_amount_is_verified(lite: Ledger) -> None:
    """The amount is on record, whatever the word beside it."""
    rules = house(RUN, run_bet_steps="any_amount")
    table = lite.open_table("A", rules)
    stakes = {"first_ante": 1000, "second_ante": 1000}
    table.do(cmd.PlaceWagers(1, stakes))
    table.do(cmd.NoMoreBets())
    table.do(cmd.DealCards(tuple(range(table.due().cards))))
    table.do(cmd.ShowStreet())
    table.do(cmd.Decide(1, "bet", 1537))
    table.do(cmd.ShowStreet())
    table.do(cmd.Decide(1, "2x"))
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)

"""Recorded tables: durable, idempotent, recoverable, and never ahead of their record."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

from croupier import submission
from croupier.errors import BadInput, BadSubmission
from croupier.ledger import IdTaken, Ledger, LedgerError, NotFound, entry_codec, snapshot_policy
from croupier.ledger.aggregates.administration import RECORDS_CLAUSE
from croupier.ledger.audit.verify import verify
from croupier.ledger.log import Store
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.write import repeat_counter
from croupier.ledger.queries.round_search import find_refusals
from croupier.table import Account, Command, Event
from croupier.table import commands as cmd
from croupier.table.core.table_snapshot import SCHEMA
from croupier.table.parts.house_binding import APPROVED
from tests.support.recorded_rounds import (
    ANN,
    AT,
    BOB,
    MAX,
    SYSTEM,
    example_house,
    play_round,
    random_round,
)
from tests.support.recorded_shifts import comparable_state, play_shift
from tests.support.rounds import EVERY_GAME, RUN, UTH, Seat, house, refuses, submission_data

SEATS = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
BET = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})


def test_a_draft_with_a_player_edge_opens_no_table(lite: Ledger) -> None:
    """The ledger checks the player edge itself, as `load` does."""
    filing = submission_data(UTH)
    filing["choices"] |= {"progressive_basis": "best_five_of_seven", "accept_player_edge": False}
    drafted = submission.draft(filing).drafted
    assert drafted is not None
    for _ in range(2):
        with pytest.raises(BadSubmission, match=r"progressive_basis.* 539"):
            lite.open_table("A", drafted, by=SYSTEM)
    assert [] == lite.tables()
    filing["choices"] |= {"accept_player_edge": True}
    lite.open_table("A", submission.build(filing), by=SYSTEM)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_recovered_table_equals_the_original(lite: Ledger, game: str) -> None:
    """After every command, in every game, with voided rounds."""
    table = lite.open_table("A", example_house(game), by=SYSTEM)
    rng = random.Random(f"read back {game}")

    def do(command: Command) -> Sequence[Event]:
        events = table.do(command, ANN)
        again = lite.open_table("A")
        assert comparable_state(table.table) == comparable_state(again.table)
        assert table.sequence == again.sequence
        return events

    for _ in range(3):
        random_round(table, rng, do, trouble=0.3)
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert 3 == verdict.rounds


def test_a_repeated_command_is_executed_once(ledger: Ledger) -> None:
    """The same id returns the same events, also after a restart."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    first = table.do(BET, ANN, id="bet")
    again = table.do(BET, ANN, id="bet")
    reopened = ledger.open_table("A")

    assert first == again == reopened.do(BET, ANN, id="bet")
    assert table.sequence == reopened.sequence == ledger.open_table("A").sequence


def test_an_id_stands_for_one_command_of_one_account(ledger: Ledger) -> None:
    """A different command or account under a known id is an error."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    table.do(BET, ANN, id="bet")
    for command, by in ((cmd.NoMoreBets(), ANN), (BET, BOB)):
        with pytest.raises(IdTaken):
            table.do(command, by, id="bet")

    assert 2 == ledger.open_table("A").sequence


def test_ids_are_scoped_to_their_stream(lite: Ledger) -> None:
    """The same id at tables whose names overlap is two commands."""
    tables = [
        lite.open_table(name, example_house(), by=SYSTEM, group="g") for name in ("PIT", "PIT:1")
    ]
    stakes = {"ante": 1000, "blind": 1000, "progressive": 100}
    for table in tables:
        table.do(cmd.PlaceWagers(1, stakes), ANN, id="1:close")
        table.do(cmd.NoMoreBets(), ANN, id="close")
    tables[0].do(cmd.DealCards(("As", "Kd", "2c", "3c", "4c")[:1]), ANN, id="1:deal")

    assert verify(lite.store).ok
    assert all(table.table.dealing is not None for table in tables)


@pytest.mark.parametrize("id", ["@mine", "@", " x", "x ", "a\nb", "\x1b[2J", "x" * 200])
def test_reserved_and_unprintable_ids_are_rejected(lite: Ledger, id: str) -> None:
    """Nothing is recorded."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    with pytest.raises(BadInput):
        table.do(BET, ANN, id=id)

    assert 1 == table.sequence == lite.open_table("A").sequence


def test_a_repeated_command_that_would_be_refused_now_succeeds(ledger: Ledger) -> None:
    """Closing the betting twice is refused, repeating the command is not."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    table.do(BET, ANN)
    first = table.do(cmd.NoMoreBets(), ANN, id="close")

    assert first == table.do(cmd.NoMoreBets(), ANN, id="close")
    with refuses("10.A.2.a"):
        table.do(cmd.NoMoreBets(), ANN, id="another")


def test_a_refusal_changes_nothing_and_is_recorded(ledger: Ledger) -> None:
    """Who, what and the clause, in a separate stream that is audited too."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    with refuses("2.A"):
        table.do(cmd.PlaceWagers(9, {"ante": 1000}), ANN, AT, id="x")
    recorded = wait_for_refusals(ledger.store, "table:A", 1)

    assert 1 == table.sequence == ledger.open_table("A").sequence
    assert table.find_recorded("x") is None
    assert [("x", ANN, "2.A", 1)] == [
        (refusal.envelope.id, refusal.envelope.by, refusal.clause, refusal.after)
        for refusal in recorded
    ]
    assert verify(ledger.store).ok


def wait_for_refusals(store: Store, stream: str, count: int) -> list[entry_codec.RecordedRefusal]:
    """The recorded refusals of a stream, which are written in the background."""
    deadline = time.monotonic() + 10
    while (
        store.stream_tip(entry_codec.REFUSED_PREFIX + stream)[0] < count
        and time.monotonic() < deadline
    ):
        time.sleep(0.01)
    return [
        entry_codec.decode_refusal(stored)
        for stored in store.read(entry_codec.REFUSED_PREFIX + stream)
    ]


def test_a_large_refused_command_is_recorded_by_its_digest(lite: Ledger, tmp_path: Path) -> None:
    """A flood of refusals cannot fill the ledger; the command is proved by its hash."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    large = cmd.PlaceWagers(1, {"x" * 60_000: 1000})
    with refuses("7.F.1"):
        table.do(large, ANN, id="large")
    (refusal,) = wait_for_refusals(lite.store, "table:A", 1)

    command = refusal.envelope.command
    assert isinstance(command, entry_codec.LargeCommand)
    assert ("place_wagers", "large", ANN) == (
        command.refused,
        refusal.envelope.id,
        refusal.envelope.by,
    )
    assert sha256(encode_canonical(large)).hexdigest() == command.digest
    assert len(encode_canonical(large)) == command.size
    (stored,) = lite.store.read("refused:table:A")
    assert len(stored.entry.body) < 1000
    assert verify(lite.store).ok


def test_repeated_refusals_are_counted(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of a minute one by one, the others as one entry; other people separately."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    monkeypatch.setattr(repeat_counter, "ALONE_MAX", 3)
    for number in range(50):
        with refuses("7.F.1"):
            table.do(cmd.PlaceWagers(1, {"luck": 1000}), ANN, id=f"again {number}")
    with refuses("7.C"):
        table.do(cmd.PlaceWagers(1, {"luck": 1000}), BOB)
    assert [0, 0, 0, 0] == [
        refusal.repeated for refusal in wait_for_refusals(lite.store, "table:A", 4)
    ]
    lite.store.flush_repeats(all=True)

    refusals = wait_for_refusals(lite.store, "table:A", 5)
    assert [ANN, ANN, ANN, BOB, ANN] == [refusal.envelope.by for refusal in refusals]
    assert ("again 49", 46) == (refusals[-1].envelope.id, refusals[-1].repeated)
    assert verify(lite.store).ok
    assert 46 == list(find_refusals(lite))[-1].repeated


def test_repeats_are_recorded_when_their_minute_is_over(
    lite: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without another refusal, and when the ledger is closed."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    monkeypatch.setattr(repeat_counter, "ALONE_MAX", 1)
    monkeypatch.setattr(repeat_counter, "PERIOD_SECONDS", 0.2)
    for _ in range(4):
        with refuses("7.F.1"):
            table.do(cmd.PlaceWagers(1, {"luck": 1000}), ANN)
    time.sleep(0.25)
    lite.store.flush_repeats()
    refusals = wait_for_refusals(lite.store, "table:A", 2)
    assert [0, 2] == [refusal.repeated for refusal in refusals]


def test_two_handles_on_one_table_resolve_conflicts(ledger: Ledger) -> None:
    """A handle that is behind reads the new entries and decides again."""
    first, second = ledger.open_table("A", example_house(), by=SYSTEM), ledger.open_table("A")
    first.do(BET, ANN)
    second.do(cmd.PlaceWagers(2, {"ante": 1000, "blind": 1000}), ANN)
    first.do(cmd.NoMoreBets(), ANN)
    with refuses("7.E", match="no more bets"):
        second.do(cmd.PlaceWagers(3, {"ante": 1000, "blind": 1000}), ANN)

    assert first.table == second.table
    assert {1, 2} == set(first.table.round.boxes if first.table.round else ())


def test_a_snapshot_saves_the_replay(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening replays the entries after the newest snapshot only."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 20)
    table = lite.open_table("A", example_house(), by=SYSTEM)
    rng = random.Random(3)
    for _ in range(12):
        random_round(table, rng)
    snapshot = lite.store.snapshot("table:A", schema=SCHEMA)
    again = lite.open_table("A")

    assert snapshot is not None
    assert 0 < table.sequence - snapshot.sequence < 60
    assert comparable_state(table.table) == comparable_state(again.table)
    assert verify(lite.store).ok


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_recorded_shift_verifies(
    lite: Ledger, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People, decks, chips, rounds and refusals of an attended table, snapshots included."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 30)
    for seed in (1, 2):
        play_shift(lite, game, seed, acts=80)
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)


def test_a_shift_on_either_store(ledger: Ledger) -> None:
    """SQLite and PostgreSQL alike."""
    play_shift(ledger, UTH, 5, acts=60)

    assert verify(ledger.store).ok


def test_a_table_is_bound_to_another_house(lite: Ledger) -> None:
    """Old rounds stay under the old House; the meters keep their values."""
    old, new = house(UTH), house(UTH, limits={"ante": (2, 100)})
    play_round(lite.open_table("A", old, by=SYSTEM), SEATS).finish()
    before = lite.open_table("A").table.meters
    table = lite.open_table("A", new, by=MAX)
    assert before == table.table.meters
    play_round(table, SEATS).finish()
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)
    assert 2 == lite.open_table("A").table.rounds_played
    assert new.digest == lite.open_table("A").table.house.digest


def test_a_house_without_a_meter_that_holds_money_is_refused(lite: Ledger) -> None:
    """A jackpot is not lost by changing the rules."""
    lite.open_table("A", house(UTH), by=SYSTEM)
    with refuses(APPROVED, match="still has a balance"):
        lite.open_table("A", house(UTH, without=["progressive"]), by=MAX)


def test_meters_start_with_given_values(lite: Ledger) -> None:
    """A transferred jackpot starts the meter, and the accounts show its funding."""
    table = lite.open_table("A", house(UTH), by=SYSTEM, meters={"mega": Fraction(5_000_000)}).table

    assert 5_000_000 == table.meters["mega"] == table.book.balance("meter:mega")
    assert -5_000_000 == table.book.balance("funded:mega")


def test_opening_an_unknown_table_needs_a_house_and_an_account(lite: Ledger) -> None:
    """And a valid name."""
    with pytest.raises(NotFound, match="'B'"):
        lite.open_table("B")
    with pytest.raises(BadInput, match="needs an account"):
        lite.open_table("B", example_house())
    for name in ("", "@x", " B", "B\n", "\x1b[1m", "B" * 300):
        with pytest.raises(LedgerError):
            lite.open_table(name, example_house(), by=SYSTEM)

    assert [] == lite.tables()


@pytest.mark.parametrize("spelled", ["blackbird 1", "BLACKBIRD 1", "Blackbird  1"])
def test_a_table_is_one_table_however_it_is_spelled(lite: Ledger, spelled: str) -> None:
    """A second table of nearly the same name would share slips and labels with it."""
    lite.open_table("Blackbird 1", example_house(), by=SYSTEM)
    with pytest.raises(BadInput, match="spelled like table 'Blackbird 1'"):
        lite.open_table(spelled, example_house(), by=SYSTEM)
    lite.open_table("Blackbird 1")
    lite.open_table("Blackbird 2", example_house(), by=SYSTEM)


def test_the_purpose_of_a_ledger_is_fixed(tmp_path: Path) -> None:
    """A practice ledger stays one, however it is opened later; its tables are not live."""
    with Ledger(tmp_path / "practice.db", purpose="practice", timezone="Europe/Vienna") as ledger:
        ledger.open_table("A", example_house(), by=SYSTEM)
    with Ledger(tmp_path / "practice.db") as ledger:
        bound = ledger.open_table("A").table.bound

        assert "practice" == ledger.purpose
        assert "Europe/Vienna" == ledger.administration.zone.key
        assert bound is not None and not bound.live


@pytest.mark.parametrize(
    "terms", [{"timezone": "Mars/Base"}, {"timezone": "../etc"}, {"day_starts": "25:00"}]
)
def test_invalid_time_zones_and_hours_are_refused(tmp_path: Path, terms: dict[str, str]) -> None:
    """When the ledger is founded."""
    with refuses(RECORDS_CLAUSE):
        Ledger(tmp_path / "ledger.db", **terms)  # type: ignore[arg-type]


def test_a_bet_of_any_amount_is_verified(lite: Ledger) -> None:
    """The amount is on record beside the word."""
    rules = house(RUN, run_bet_steps="any_amount")
    table = lite.open_table("A", rules, by=SYSTEM)
    deck = iter(["As", "Kd", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"])
    table.do(cmd.PlaceWagers(1, {"first_ante": 1000, "second_ante": 1000}), ANN)
    table.do(cmd.NoMoreBets(), ANN)
    table.do(cmd.DealCards(tuple(next(deck) for _ in range(table.table.due().cards))), ANN)
    table.do(cmd.ShowStreet(), ANN)
    table.do(cmd.Decide(1, "1537c", 1537), ANN)
    table.do(cmd.ShowStreet(), ANN)
    table.do(cmd.Decide(1, "2x"), ANN)
    verdict = verify(lite.store)

    assert verdict.ok, str(verdict)


def test_a_command_needs_an_account(lite: Ledger) -> None:
    """Not a bare name, None or an invalid id."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    for wrong in ("ann", None, Account("Ann ", "dealer")):
        with pytest.raises(BadInput):
            table.do(BET, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a/b", "/", ".", ".."])
def test_a_new_table_needs_a_name_that_fits_in_an_address(tmp_path: Path, name: str) -> None:
    """Otherwise no request could reach it, not even to close it."""
    with Ledger(tmp_path / "floor.db") as ledger, pytest.raises(BadInput) as error:
        ledger.open_table(name, example_house(), by=SYSTEM)
    assert repr(name) in str(error.value)

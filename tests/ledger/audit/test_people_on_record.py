"""People on record: who may act at a table, and what a second person has approved."""

from __future__ import annotations

import pytest

from croupier.errors import Refusal
from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Service, Table
from croupier.table import commands as cmd
from croupier.table.parts import house_binding
from tests.support.recorded_rounds import MAX, SYSTEM, example_house, play_round
from tests.support.rounds import UTH, Seat, house, refuses

PAUL = Account("paul", "player")
ROYAL = {1: Seat("Ah Kh", "4x", ante=1000, blind=1000, progressive=100)}
BOARD = {"dealer": "3s 4s", "community": "Qh Jh Th 2s 3d"}


@pytest.fixture
def practice(database: str) -> Ledger:
    """A practice ledger, once per store."""
    return Ledger(database, purpose="practice")


@pytest.fixture
def live(database: str) -> Ledger:
    """A live ledger, once per store."""
    return Ledger(database, purpose="live")


def test_a_player_does_not_deal_in_any_service(practice: Ledger) -> None:
    """Roles are checked wherever a person is named, also at a table that has only rounds."""
    with practice:
        table = practice.open_table("T", house(UTH), by=SYSTEM, group="g")
        table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), PAUL)
        for command in (cmd.NoMoreBets(), cmd.FindWrongNumber("seat 1"), cmd.Settle()):
            with pytest.raises(Refusal, match="player paul may not do this; expected"):
                table.do(command, PAUL)
        assert verify(practice.store).ok


def test_a_player_does_not_bind_a_table(practice: Ledger) -> None:
    """Nor does an unbound table do anything else."""
    with practice, refuses(house_binding.APPROVED, match="expected pit_manager or system"):
        practice.open_table("T", house(UTH), by=PAUL)


def test_a_shared_meter_won_by_a_player_who_dealt_does_not_verify(
    practice: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A royal flush dealt by the player himself, written by a program without the rule."""
    with practice:
        table = practice.open_table("T", house(UTH), by=SYSTEM, group="g")
        with monkeypatch.context() as patch:
            patch.setattr(Table, "_check_actor", lambda *anything: None)
            play_round(table, ROYAL, by=PAUL, **BOARD).finish()
        assert practice.group("g").refresh().wins
        verdict = str(verify(practice.store))
    assert "table:T entry 3: the rules refuse this: player paul may not do this" in verdict


@pytest.mark.parametrize("service", ["rounds", "practice"])
def test_a_live_ledger_has_only_attended_tables(live: Ledger, service: Service) -> None:
    """Nothing but a table with staff is bound there."""
    with live:
        with refuses(house_binding.APPROVED, match=f"live.*attended.*{service}"):
            live.open_table("T", example_house(), by=MAX, service=service)
        live.open_table("T", example_house(), by=MAX, service="attended")
        assert verify(live.store).ok


@pytest.mark.parametrize("service", ["rounds", "practice"])
def test_another_kind_of_table_on_a_live_ledger_does_not_verify(
    live: Ledger, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bound by a program without the rule."""
    with live:
        with monkeypatch.context() as patch:
            patch.setattr(house_binding, "check_service", lambda *anything: None, raising=False)
            live.open_table("T", example_house(), by=MAX, service=service)
        assert "table:T entry 1: the rules refuse this: a live table" in str(verify(live.store))

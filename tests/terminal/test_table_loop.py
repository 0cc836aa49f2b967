"""Seats and chips at the table, and recovery after an interrupted session."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from croupier.submission import example
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.bots import COMPANIONS
from croupier.table.drivers.shoe import Shoe
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import InMemoryTable, finish_opening
from croupier.terminal.bankroll import BUY_IN, FILE_NAME, SavedBankroll
from croupier.terminal.bot_players import DEALER, YOU, chips_needed
from croupier.terminal.dealer import TableDealer
from croupier.terminal.table_factory import Service, memory_table
from tests.terminal.scripted_sessions import ScriptedTable, typed

ULTIMATE = "ultimate_texas_holdem"


def test_players_sit_and_buy_in_at_the_table() -> None:
    """The player and the bots have seats and chips at the table, and leave with them."""
    scripted = ScriptedTable(example(ULTIMATE), "4x", players=2, seats=[3])
    table = scripted.session.table
    scripted.session.play_round()

    assert {3: "you", 1: "ada", 2: "blaise"} == table.seats.taken
    assert scripted.bankroll.amount == scripted.session.chips == table.book.rack("you") != BUY_IN
    assert {"you", "ada", "blaise"} == {bought.player for bought in scripted.of(ev.BoughtIn)}
    chips = scripted.session.chips
    scripted.session.leave()
    assert not table.seats.taken
    assert (YOU.id, chips) == (scripted.of(ev.Left)[0].player, scripted.of(ev.Left)[0].chips)
    assert chips == scripted.bankroll.amount


def test_buying_chips_is_a_buy_in() -> None:
    """The table records it, and the bankroll does not count it as a win."""
    scripted = ScriptedTable(example("top_five"))
    scripted.session.buy(200_00)

    assert [BUY_IN, 200_00] == [bought.cash for bought in scripted.of(ev.BoughtIn)]
    assert scripted.session.chips == scripted.bankroll.amount == scripted.bankroll.saved.bought


def test_a_bot_without_chips_buys_more() -> None:
    """Enough for the highest bets of a round."""
    house = example("run_em_twice")
    scripted = ScriptedTable(house, "1x", "1x", "1x", players=1)
    session = scripted.session
    (seat,) = session.bots
    session.dealer.buy_in(seat, chips_needed(house) - 1)
    session.play_round()

    assert max(BUY_IN, 10 * chips_needed(house)) == scripted.of(ev.BoughtIn)[-1].cash


class Killed(BaseException):
    """The process is killed at a prompt."""


def test_settled_rounds_survive_a_kill(home: Path) -> None:
    """The file has the last finished round but not the interrupted one."""
    with pytest.raises(Killed):
        typed(home, "", "4x", "25", "", Killed, game="ultimate")
    saved = msgspec.json.decode((home / FILE_NAME).read_bytes(), type=SavedBankroll)
    played = typed(home, "q", game="ultimate")

    assert 1 == saved.rounds
    assert saved.bankroll == played.bankroll
    assert f"of ${saved.bankroll // 100:,}." in played.text


def interrupted_table(service: Service, *, dealt: str) -> TableDealer:
    """A table after a killed session: two boxes of the player and one of a bot.

    `dealt` is "" before the betting closes, "cards" after the deal, "decisions" before settlement.
    """
    house = example(ULTIMATE)
    opened = memory_table(house, service, {})
    dealer = TableDealer(opened)
    stakes = {"ante": 10_00, "blind": 10_00}
    if service == "attended":
        finish_opening(opened, dealer.clock, seat=2)
    else:
        dealer.do(cmd.SitDown(2), YOU)
        dealer.buy_in(2, 500_00)
    dealer.do(cmd.SitDown(5), COMPANIONS[0])
    dealer.buy_in(5, 500_00)
    for seat, player in ((2, YOU), (1, YOU), (5, COMPANIONS[0])):
        dealer.do(cmd.PlaceWagers(seat, stakes, player.id), player)
    if dealt:
        shoe = Shoe(Shuffler(1).deck().cards)
        dealer.do(cmd.NoMoreBets(), dealer.dealer)
        list(dealer.advance(shoe))
        assert "decide" == dealer.table.due().kind
    if dealt == "decisions":
        for seat, player in ((1, YOU), (2, YOU), (5, COMPANIONS[0])):
            dealer.do(cmd.Decide(seat, "4x"), player)
        while (due := dealer.table.due()).kind in ("deal", "show"):
            command = shoe.next_command(due)
            assert command is not None
            dealer.do(command, dealer.dealer)
    return dealer


@pytest.mark.parametrize("dealt", ["", "cards", "decisions"])
@pytest.mark.parametrize("service", ["practice", "attended"])
def test_an_interrupted_round_is_cleared(service: Service, dealt: str) -> None:
    """Wagers are returned, or settled after the last decision, and all players leave."""
    dealer = interrupted_table(service, dealt=dealt)
    table = dealer.table
    before = 0 if dealt == "decisions" else 1000_00
    dealer.clear_table()

    assert table.open_round is None or not table.open_round.boxes
    assert not table.seats.taken and not table.layout
    assert 0 == table.book.rack("you") == table.book.rack("ada")
    assert not before or before == table.book.balance("pocket")
    dealer.clear_table()  # does nothing the second time


def test_practice_tables_have_an_automatic_dealer() -> None:
    """A system account deals there; at an attended table the dealer at the post does."""
    assert "system" == DEALER.role
    assert (
        DEALER == TableDealer(InMemoryTable(Table(example("top_five"), service="practice"))).dealer
    )
    attended = interrupted_table("attended", dealt="")
    assert ("the dealer", "dealer") == (attended.dealer.id, attended.dealer.role)

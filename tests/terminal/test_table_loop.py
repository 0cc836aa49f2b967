"""The game is played on the table: who sits, what they have, and what a killed session leaves."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from croupier.submission import example
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.shoe import Shoe
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import InMemoryTable, finish_opening
from croupier.terminal import bot_players
from croupier.terminal.bankroll import BUY_IN, FILE, Purse
from croupier.terminal.bot_players_people import COMPANIONS, DEALER, YOU
from croupier.terminal.dealer import Dealing
from croupier.terminal.table_factory import Service, in_memory
from tests.terminal.scripted_sessions import Evening, typed

ULTIMATE = "ultimate_texas_holdem"


def test_everybody_sits_and_buys_in_at_the_table() -> None:
    """Person and companions have seats and chips there, and leave with them."""
    evening = Evening(example(ULTIMATE), "4x", players=2, seats=[3])
    table = evening.sitting.table
    evening.sitting.play_round()

    assert {3: "you", 1: "ada", 2: "blaise"} == table.seats.taken
    assert evening.bank.bankroll == evening.sitting.chips == table.book.rack("you") != BUY_IN
    assert {"you", "ada", "blaise"} == {bought.player for bought in evening.of(ev.BoughtIn)}
    chips = evening.sitting.chips
    evening.sitting.leave()
    assert not table.seats.taken
    assert (YOU.id, chips) == (evening.of(ev.Left)[0].player, evening.of(ev.Left)[0].chips)
    assert chips == evening.bank.bankroll


def test_buying_chips_is_a_buy_in() -> None:
    """The table knows of it, and the bank does not count it as won."""
    evening = Evening(example("top_five"))
    evening.sitting.buy(200_00)

    assert [BUY_IN, 200_00] == [bought.cash for bought in evening.of(ev.BoughtIn)]
    assert evening.sitting.chips == evening.bank.bankroll == evening.bank.purse.bought


def test_a_companion_without_chips_buys_more() -> None:
    """Enough for the highest bets of a round, so that none of theirs is refused."""
    house = example("run_em_twice")
    evening = Evening(house, "1x", "1x", "1x", players=1)
    sitting = evening.sitting
    (seat,) = sitting.others
    sitting.dealing.buy_in(seat, bot_players.enough(house) - 1)
    sitting.play_round()

    assert max(BUY_IN, 10 * bot_players.enough(house)) == evening.of(ev.BoughtIn)[-1].cash


class Killed(BaseException):
    """The process is gone in the middle of a prompt."""


def test_what_was_settled_survives_being_killed(home: Path) -> None:
    """The bank's file has the last finished round, and the one that was cut off never was."""
    with pytest.raises(Killed):
        typed(home, "", "4x", "25", "", Killed, game="ultimate")
    kept = msgspec.json.decode((home / FILE).read_bytes(), type=Purse)
    played = typed(home, "q", game="ultimate")

    assert 1 == kept.rounds
    assert kept.bankroll == played.bankroll
    assert f"of ${kept.bankroll // 100:,}." in played.text


def left_behind(service: Service, *, dealt: str) -> Dealing:
    """A table as a killed session leaves it: two boxes and a companion, in some state of a round.

    `dealt` is "" before the betting closes, "cards" in the middle, "decisions" before settlement.
    """
    house = example(ULTIMATE)
    opened = in_memory(house, service, {})
    dealing = Dealing(opened)
    stakes = {"ante": 10_00, "blind": 10_00}
    if service == "attended":
        finish_opening(opened, dealing.clock, seat=2)
    else:
        dealing.do(cmd.SitDown(2), YOU)
        dealing.buy_in(2, 500_00)
    dealing.do(cmd.SitDown(5), COMPANIONS[0])
    dealing.buy_in(5, 500_00)
    for seat, player in ((2, YOU), (1, YOU), (5, COMPANIONS[0])):
        dealing.do(cmd.PlaceWagers(seat, stakes, player.id), player)
    if dealt:
        shoe = Shoe(Shuffler(1).deck().cards)
        dealing.do(cmd.NoMoreBets(), dealing.dealer)
        list(dealing.advance(shoe))
        assert "decide" == dealing.table.due().kind
    if dealt == "decisions":
        for seat, player in ((1, YOU), (2, YOU), (5, COMPANIONS[0])):
            dealing.do(cmd.Decide(seat, "4x"), player)
        while (due := dealing.table.due()).kind in ("deal", "show"):
            command = shoe.next_command(due)
            assert command is not None
            dealing.do(command, dealing.dealer)
    return dealing


@pytest.mark.parametrize("dealt", ["", "cards", "decisions"])
@pytest.mark.parametrize("service", ["practice", "attended"])
def test_a_round_left_behind_is_cleared(service: Service, dealt: str) -> None:
    """Wagers go back (or are settled where nothing was open), and everybody gets up."""
    dealing = left_behind(service, dealt=dealt)
    table = dealing.table
    before = 0 if dealt == "decisions" else 1000_00
    dealing.clear()

    assert table.open_round is None or not table.open_round.boxes
    assert not table.seats.taken and not table.layout
    assert 0 == table.book.rack("you") == table.book.rack("ada")
    assert not before or before == table.book.balance("pocket")
    dealing.clear()  # nothing is left to do


def test_the_dealer_of_a_practice_table_is_a_machine() -> None:
    """A system account deals; nobody is named at an attended table before a post is taken."""
    assert "system" == DEALER.role
    assert DEALER == Dealing(InMemoryTable(Table(example("top_five"), service="practice"))).dealer
    attended = left_behind("attended", dealt="")
    assert ("the dealer", "dealer") == (attended.dealer.id, attended.dealer.role)

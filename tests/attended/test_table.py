"""The live table as a whole: pure, replayable, and able to say what comes next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from croupier.errors import Refusal
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from tests.attended.floor import ANN, BOB, DEE, EYE, FLO, HOUR, MAX, NOON, SYSTEM, Floor
from tests.support import EVERY_GAME, THB, TOP, UTH, house

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_table_rebuilt_from_its_written_events_equals_the_live_one(game: str) -> None:
    """In the middle of a round and after it, through JSON."""
    floor = Floor(house(game)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    for _ in range(2):
        text = msgspec.json.encode(floor.events)
        events = msgspec.json.decode(text, type=list[ev.AnyEvent])
        assert Table.replay(floor.house, events) == floor.table
        floor.play_on()
    assert Table.replay(floor.house, floor.events[:-8]) != floor.table


def test_a_deck_timer_survives_a_restart() -> None:
    """A rebuilt table knows when its deck entered play."""
    floor = Floor(house(TOP, table=ONE)).ready()
    at = floor.at + 8 * HOUR
    rebuilt = Table.replay(floor.house, floor.events)
    assert [
        (step.due, step.why) for step in floor.table.next_steps(at) if step.kind == "pull_deck"
    ] == [(step.due, step.why) for step in rebuilt.next_steps(at) if step.kind == "pull_deck"]
    assert "overdue" == rebuilt.next_steps(at)[0].due


def test_moments_are_datetimes_or_milliseconds() -> None:
    """Both name the same moment; one without a time zone names none."""
    table = Table(house(TOP))
    noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
    (posted,) = table.decide(cmd.TakePost(), DEE, noon + timedelta(milliseconds=7))
    assert isinstance(posted, ev.PostTaken)
    assert NOON + 7 == posted.at
    assert table.decide(cmd.TakePost(), DEE, NOON + 7) == [posted]
    with pytest.raises(AssertionError):
        table.decide(cmd.TakePost(), DEE, datetime(2030, 1, 1))


def test_deciding_changes_nothing() -> None:
    """Neither an accepted nor a refused command, until it is done."""
    floor = Floor(house(UTH)).ready()
    before = Table.replay(floor.house, floor.events)
    floor.table.decide(cmd.SitDown(4), BOB, floor.at)
    assert not floor.table.allows(cmd.SitDown(1), BOB, floor.at)
    assert floor.table.allows(cmd.SitDown(2), BOB, floor.at)
    assert before == floor.table


def test_an_unknown_command_is_refused() -> None:
    """A forfeit is a ruling here, never a bare command."""
    floor = Floor(house(UTH)).ready()
    for command in (cmd.Forfeit(1, "conduct"), Command()):
        with pytest.raises(Refusal):
            floor.table.decide(command, FLO, floor.at)


@pytest.mark.parametrize("game", [THB, TOP])
def test_a_game_without_a_progressive_refuses_everything_about_it(game: str) -> None:
    """With a clause, whatever the moment, and never with an error."""
    floor = Floor(house(game, table=ONE)).ready()
    about = (
        (cmd.PlaceWagers(1, {"progressive": 100}), ANN),
        (cmd.CountProgressive(1), DEE),
        (cmd.ResolveProgressive("why"), FLO),
        (cmd.VerifyAward(1, True), DEE),
        (cmd.ValidateAward(1), FLO),
        (cmd.ReportFault("progressive"), DEE),
        (cmd.ClearDevice("progressive"), FLO),
        (cmd.MarkDevice("progressive", "covered"), DEE),
        (cmd.ChangeProgressive("mega"), MAX),
    )
    moments: tuple[Callable[[], object], ...] = (list, floor.bet, floor.close_bets, floor.play_on)
    for moment in moments:
        moment()
        for command, by in about:
            assert floor.refused(command, by).clause


def test_every_role_has_its_steps() -> None:
    """Surveillance holds, the systems report, players play, the staff serves."""
    floor = Floor(house(UTH)).ready()
    steps = floor.table.next_steps(floor.at)

    def kinds(person: Account) -> set[str]:
        return {step.kind for step in steps if step.is_for(person)}

    assert {"place_hold"} == kinds(EYE)
    assert {"report_fault"} == kinds(SYSTEM)
    assert {"cash_out", "leave", "place_wagers"} == kinds(ANN)
    assert {"sit_down"} == kinds(BOB)
    assert {"buy_in", "count_inventory", "pull_deck"} <= kinds(DEE)
    assert {"order_shuffle", "clear_device"} & kinds(FLO) == {"order_shuffle"}
    assert {"give_limit_notice"} == kinds(MAX) - kinds(FLO)
    assert all(step.clauses for step in steps)


def test_every_step_is_taken_by_its_own_example() -> None:
    """In every state of a round the example of each step is accepted and admitted."""
    floor = Floor(house(UTH)).ready()
    floor.bet(progressive=100)
    floor.do(cmd.NoMoreBets(), DEE)
    floor.do(cmd.CountProgressive(1), DEE)
    while floor.table.due().kind != "settle":
        for step in floor.table.next_steps(floor.at):
            assert step.admits(step.example(), step.actor()), step
            assert floor.table.allows(step.example(), step.actor(), floor.at), step
        due = floor.table.due().kind
        if due == "deal":
            floor.deal()
        elif due == "show":
            floor.do(cmd.ShowStreet(), DEE)
        else:
            floor.decide()


def test_steps_can_be_sent_to_a_console() -> None:
    """As JSON a step says what it is, who may do it, and what each open field admits."""
    floor = Floor(house(UTH)).ready()
    steps = msgspec.json.decode(msgspec.json.encode(floor.table.next_steps(floor.at)))
    betting = next(step for step in steps if step["kind"] == "place_wagers")
    assert "stakes" == betting["parameters"]["wagers"]["form"]
    assert {"ante", "blind", "trips"} <= set(betting["parameters"]["wagers"]["terms"])
    assert "place_wagers" == betting["command"]["kind"]


def test_a_hold_names_the_round() -> None:
    """Surveillance keeps what it needs, with a reason."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.round()
    (held,) = floor.do(cmd.PlaceHold("the player disputes the count"), EYE)
    assert isinstance(held, ev.HoldPlaced) and held.round == 1
    floor.refused(cmd.PlaceHold(""), EYE)
    floor.refused(cmd.PlaceHold("curious"), FLO)


def test_a_tray_that_cannot_pay_waits_for_a_fill() -> None:
    """Chips are never owed: the settlement is refused until the fill is in."""
    floor = Floor(house(TOP, table=ONE))
    floor.open(inventory=1_000)
    floor.do(cmd.SitDown(1), ANN)
    floor.do(cmd.AddChips(1, 1_000_000), DEE)
    floor.mix("one")
    floor.shuffle("one")
    floor.load("one")
    floor.deck = [  # Ann gets aces and kings, the dealer twos and threes
        card for pair in zip(range(51, 25, -1), range(26)) for card in pair
    ]
    floor.bet(ante=50_000)
    floor.close_bets()
    floor.play_on(["1x"])
    floor.stub()
    refusal = floor.refused(cmd.Settle(), DEE)
    assert "a fill is needed" in str(refusal)
    floor.do(cmd.CountFill("F7", 1_000_000), DEE)
    floor.do(cmd.ConfirmFill("F7"), FLO)
    floor.settle()

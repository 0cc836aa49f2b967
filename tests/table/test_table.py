"""The attended table as a whole: deciding is pure, events replay, steps are complete."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from croupier.cards import name, names
from croupier.errors import BadInput
from croupier.games import House
from croupier.table import Account, Command, Envelope, Step, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import codec, fields
from croupier.table.core.messages import kind_of
from croupier.table.core.steps import all_steps
from tests.support.attended_table import (
    ANN,
    BOB,
    DEE,
    EYE,
    FLO,
    HOUR,
    MAX,
    NOON,
    SID,
    SYSTEM,
    Floor,
    replayed,
)
from tests.support.fast_copy import copy_state
from tests.support.rounds import EVERY_GAME, THB, TOP, UTH, house, refuses

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_table_rebuilt_from_its_written_events_equals_the_one_that_played(game: str) -> None:
    """In the middle of a round and after it, through JSON."""
    floor = Floor(house(game)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    for _ in range(2):
        written = [codec.encode(event) for event in floor.events]
        assert replayed(floor.house, map(codec.decode_event, written)) == floor.table
        floor.play_until_settlement()
    assert replayed(floor.house, floor.events[:-8]) != floor.table


def test_a_deck_timer_survives_a_restart() -> None:
    """A rebuilt table knows when its deck entered play."""
    floor = Floor(house(TOP, table=ONE)).ready()
    at = floor.at + 8 * HOUR
    rebuilt = replayed(floor.house, floor.events)
    assert [
        (step.due, step.why) for step in floor.table.next_steps(at) if step.kind == "pull_deck"
    ] == [(step.due, step.why) for step in rebuilt.next_steps(at) if step.kind == "pull_deck"]
    assert "overdue" == rebuilt.next_steps(at)[0].due


def test_times_are_datetimes_or_milliseconds() -> None:
    """Both name the same time; a datetime without a time zone is refused."""
    rules = house(TOP)
    noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
    (posted,) = new_table(rules).do(cmd.TakePost(), DEE, noon + timedelta(milliseconds=7))
    assert isinstance(posted, ev.PostTaken)
    assert NOON + 7 == posted.at
    assert new_table(rules).do(cmd.TakePost(), DEE, NOON + 7) == (posted,)
    for invalid in (datetime(2030, 1, 1), -1, 10**15):
        with pytest.raises(BadInput):
            new_table(rules).do(cmd.TakePost(), DEE, invalid)


def new_table(rules: House) -> Table:
    """Return a new attended table."""
    return Table(rules, service="attended", live=True)


def test_deciding_changes_nothing() -> None:
    """Neither an accepted nor a refused command changes the table until it is applied."""
    floor = Floor(house(UTH)).ready()
    before = copy_state(floor.table)
    floor.table.decide(Envelope("7", BOB, floor.at, cmd.SitDown(4)))
    assert not floor.table.allows(cmd.SitDown(1), BOB, floor.at)
    assert floor.table.allows(cmd.SitDown(2), BOB, floor.at)
    assert before == floor.table.state()
    floor.do(cmd.SitDown(4), BOB)
    assert before != floor.table.state()


def test_a_command_needs_a_canonical_account_id() -> None:
    """An attended table needs an account; its id has one spelling only."""
    table = new_table(house(UTH))
    with pytest.raises(BadInput):
        table.do(cmd.TakePost())
    for spelled in ("Dee", " dee", ""):
        with pytest.raises(BadInput):
            table.do(cmd.TakePost(), Account(spelled, "dealer"))
    table.do(cmd.TakePost(), Account.named(" Dee  ", "dealer"), NOON)
    assert {"dee": "dealer"} == table.posts.here


@pytest.mark.upholds("COMAR 36.03.10.12C")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_command_at_a_live_table_has_a_time(game: str) -> None:
    """Without one, no timer of the table would run."""
    floor = Floor(house(game)).ready()
    with refuses("COMAR 36.03.10.12C", match="needs its time"):
        floor.table.do(cmd.Leave(1), ANN)
    with refuses("COMAR 36.03.10.12C", match="needs its time"):
        floor.table.decide(Envelope("1", DEE, 0, cmd.NoteConduct("load", "seat 1", "x")))
    assert floor.table.next_steps()  # steps can be listed without a time


@pytest.mark.upholds("COMAR 36.03.10.12C")
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_table_is_bound_for_money_at_a_time(game: str) -> None:
    """The first command of a live table has its time, too; a practice table needs none."""
    rules = house(game)
    table = Table(find_house=lambda digest: rules)
    bind = cmd.BindTable(table="1", house=rules.digest, service="attended", live=True)
    with refuses("COMAR 36.03.10.12C", match="needs its time"):
        table.do(bind, SYSTEM)
    table.decide(Envelope("1", SYSTEM, 0, msgspec.structs.replace(bind, live=False)))
    assert table.do(bind, SYSTEM, NOON)[0].at == NOON


def test_a_replayed_table_keeps_its_gaming_day() -> None:
    """The time zone and the start of the day are those of the table."""
    rules = house(TOP)
    days = {"timezone": "America/New_York", "day_starts": "06:00"}
    table = Table(rules, service="attended", live=True, **days)  # type: ignore[arg-type]
    events = table.do(cmd.TakePost(), DEE, NOON)
    again = Table.replay(rules, events, service="attended", live=True, **days)  # type: ignore[arg-type]
    assert again == table and again.gaming_day(NOON) == table.gaming_day(NOON)
    utc = Table.replay(rules, events, service="attended", live=True)
    early = NOON - 4 * 3_600_000  # 08:00 in UTC, 03:00 in New York
    assert utc.gaming_day(early) != again.gaming_day(early)


def test_an_unknown_command_is_refused() -> None:
    """A forfeit is a ruling at an attended table, not a command."""
    floor = Floor(house(UTH)).ready()
    for command, clause in ((cmd.Forfeit(1, "conduct"), "7.C"), (Command(), "A144")):
        with refuses(clause):
            floor.table.decide(Envelope("7", FLO, floor.at, command))


def test_the_order_of_wagers_does_not_matter() -> None:
    """Canonical JSON sorts them; the events are the same."""
    rules = house(UTH, table=ONE)
    floors = [Floor(rules).ready(), Floor(rules).ready()]
    wagers = {"ante": 1000, "blind": 1000, "trips": 500, "bad_beat": 500}
    for floor, order in zip(floors, (1, -1)):
        floor.do(cmd.PlaceWagers(1, dict(list(wagers.items())[::order])), ANN)
        floor.close_bets()
        floor.void("dealer")  # every stake is returned, in order
        floor.settle()
    first, second = (floor.events for floor in floors)
    assert [codec.encode(event) for event in first] == [codec.encode(event) for event in second]


@pytest.mark.parametrize("spelled", ["as", "AS", "10h", "Xx", ""])
def test_a_card_has_one_name(spelled: str) -> None:
    """User input is normalized elsewhere; a command and its record have one spelling."""
    floor = Floor(house(UTH)).ready()
    floor.bet()
    floor.close_bets()
    commands: tuple[Command, ...] = (cmd.DealCards((spelled,)), cmd.FindCardFaceUp(spelled))
    for command in commands:
        with pytest.raises(BadInput):
            floor.do(command, DEE)
        assert not floor.table.allows(command, DEE, floor.at)
    floor.do(cmd.DealCards(("As",)), DEE)


@pytest.mark.parametrize("game", [THB, TOP])
def test_a_game_without_a_progressive_refuses_everything_about_it(game: str) -> None:
    """At any moment with a clause, and never with an error."""
    floor = Floor(house(game, table=ONE)).ready()
    required, marked = {THB: ("7.F.1", "13.I"), TOP: ("7.E.1", "13.E")}[game]
    about = (
        (cmd.CountProgressive(1), DEE, "A144"),
        (cmd.ResolveProgressive("why"), FLO, "A144"),
        (cmd.VerifyAward(1, True), DEE, "A144"),
        (cmd.ValidateAward(1), FLO, "A144"),
        (cmd.ReportFault("progressive"), DEE, marked),
        (cmd.ClearDevice("progressive"), FLO, marked),
        (cmd.MarkDevice("progressive", "covered"), DEE, marked),
    )
    moments: tuple[Callable[[], object], ...] = (
        list,
        floor.bet,
        floor.close_bets,
        floor.play_until_settlement,
    )
    for moment in moments:
        moment()
        closed = floor.table.dealing is not None
        wager = cmd.PlaceWagers(1, {"progressive": 100})
        floor.refused(wager, ANN, "A144" if closed else required)
        for command, by, clause in about:
            floor.refused(command, by, clause)


def test_every_role_has_its_steps() -> None:
    """Surveillance, system, players and staff each have their own steps."""
    floor = Floor(house(UTH, table=ONE)).ready()
    floor.round()
    floor.again()
    steps = floor.table.next_steps(floor.at)

    def kinds(person: Account) -> set[str]:
        return {step.kind for step in steps if step.is_for(person)}

    assert {"place_hold"} == kinds(EYE)
    assert {"report_fault"} == kinds(SYSTEM)
    assert {"cash_out", "leave", "place_wagers", "tip", "open_dispute"} == kinds(ANN)
    assert {"sit_down"} == kinds(BOB)  # only who was at the table disputes
    assert {"buy_in", "count_inventory", "pull_deck"} <= kinds(DEE)
    assert {"order_shuffle", "clear_device"} & kinds(FLO) == {"order_shuffle"}
    assert {"give_limit_notice"} == kinds(MAX) - kinds(FLO)
    assert all(step.clauses for step in steps)


def test_every_step_is_taken_as_it_is_proposed() -> None:
    """In every state of a round each listed step is accepted once its fields are filled in."""
    floor = Floor(house(UTH)).ready()
    floor.bet(progressive=100)
    floor.do(cmd.NoMoreBets(), DEE)
    floor.do(cmd.CountProgressive(1), DEE)
    while floor.table.due().kind != "settle":
        for step in floor.table.next_steps(floor.at):
            values = {name: right_value(floor, step, name) for name in step.asks_for()}
            command = step.filled(**values)
            assert step.admits(command, step.actor()), step
            assert floor.table.allows(command, step.actor(), floor.at), step
        floor.go_on()


def right_value(floor: Floor, step: Step, field: str) -> object:
    """Return the correct cards or count for a field."""
    match step.fields[field]:
        case fields.CardsField():
            return tuple(names(floor.unseen()[:1]))
        case fields.CardField():
            return name(floor.unseen()[0])
    return {"chips": 1, "cards": len(floor.unseen()), "count": 52}[field]


def test_no_step_proposes_a_count_or_a_card() -> None:
    """Counts are blind, and no card is revealed."""
    floor = Floor(house(UTH)).ready()
    floor.bet(progressive=100)
    floor.do(cmd.NoMoreBets(), DEE)
    fields_to_fill = set()
    while floor.table.due().kind != "settle":
        for step in all_steps(floor.table, floor.at):
            for field in step.asks_for():
                fields_to_fill.add((step.kind, field))
                assert field not in step.fixed
                assert step.fields[field].example() in (0, 1, (), "")
        if not floor.table.progressive.collected:
            floor.do(cmd.CountProgressive(1), DEE)
        floor.go_on()
    assert fields_to_fill >= {("deal_cards", "cards"), ("find_card_face_up", "card")}
    assert fields_to_fill >= {("count_progressive", "chips"), ("count_inventory", "chips")}


def test_steps_can_be_sent_to_a_console() -> None:
    """As JSON a step has its title, its accounts, and its fields with accepted values."""
    floor = Floor(house(UTH)).ready()
    text = msgspec.json.encode(floor.table.next_steps(floor.at), enc_hook=kind_of)
    betting = next(s for s in msgspec.json.decode(text) if s["command"] == "place_wagers")
    assert "Place wagers" == betting["title"] and betting["sentence"].endswith(".")
    assert [{"id": "ann", "role": "player"}] == betting["who"]
    assert {"seat": 1} == betting["fixed"]
    assert "stakes" == betting["fields"]["wagers"]["form"]
    assert {"ante", "blind", "trips"} <= set(betting["fields"]["wagers"]["terms"])


def test_a_blocked_step_says_why() -> None:
    """It admits no command, would be refused, and is not among the next steps."""
    floor = Floor(house(UTH)).staff()
    blocked = [step for step in all_steps(floor.table, floor.at) if step.blocked]
    assert {"open_table"} <= {step.kind for step in blocked}
    opening = next(step for step in blocked if step.kind == "open_table")
    assert "the equipment is not attested" in opening.blocked
    for step in blocked:
        assert not step.admits(step.filled(), step.actor())
        assert not floor.table.allows(step.filled(), step.actor(), floor.at)
    assert not set(map(str, blocked)) & set(map(str, floor.table.next_steps(floor.at)))


def test_a_table_without_a_house_waits_to_be_bound() -> None:
    """Nothing is proposed and nothing is accepted before its first command."""
    rules = house(UTH)
    table = Table(find_house={rules.digest: rules}.__getitem__)
    assert () == table.next_steps(NOON)
    with refuses("COMAR 36.05.03.19"):
        table.do(cmd.PlaceWagers(1, {"ante": 1000}), ANN, NOON)
    table.do(
        cmd.BindTable(table="T1", house=rules.digest, service="attended", live=True), SYSTEM, NOON
    )
    assert "take_post" in {step.kind for step in table.next_steps(NOON)}


def test_a_hold_names_the_round() -> None:
    """Surveillance holds the record of a round, with a reason."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.round()
    (hold,) = floor.do(cmd.PlaceHold("the player disputes the count"), EYE)
    assert isinstance(hold, ev.HoldPlaced) and hold.round == 1
    floor.refused(cmd.PlaceHold(""), EYE, "COMAR 36.03.11.04C")
    floor.refused(cmd.PlaceHold("curious"), FLO, "COMAR 36.03.11.04C")


def test_a_tray_that_cannot_pay_waits_for_a_fill() -> None:
    """Chips are never owed: a fill is due, and the settlement waits for it."""
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
    floor.play_until_settlement(["1x"])
    floor.stub()
    floor.turn_hands()
    # Counts stay blind: the message states no amount.
    floor.refused(cmd.Settle(), DEE, "12.A", match=r"^[^$]*a fill is needed[^$]*$")
    assert [("due", (FLO, MAX))] == fills_offered(floor)
    floor.request_fill("F7", 1_000)
    assert [("may", (FLO, MAX))] == fills_offered(floor)  # one is on its way
    for person in (SID, DEE):
        floor.do(cmd.SignSlip("F7"), person)
    floor.do(cmd.ConfirmFill("F7"), FLO)
    floor.refused(cmd.Settle(), DEE, "12.A")
    assert [("due", (FLO, MAX))] == fills_offered(floor)  # it was not enough
    floor.fill("F8", 1_000_000)
    assert [("may", (FLO, MAX))] == fills_offered(floor)
    floor.settle()


def fills_offered(floor: Floor) -> list[tuple[str, tuple[Account, ...]]]:
    """Return how urgent a fill is, and who may request it."""
    steps = floor.table.next_steps(floor.at)
    return [(step.due, step.who) for step in steps if step.kind == "request_fill"]

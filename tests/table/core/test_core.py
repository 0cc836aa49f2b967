"""The core of a table: the cached settlement, snapshots, deadlines, views and reprs."""

from __future__ import annotations

import json

import pytest

from croupier.errors import BadInput
from croupier.games import COMMUNITY
from croupier.table import Account, Table, shown, view, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.round.resolution import Resolution
from tests.support.attended_table import ANN, BOB, DEE, FLO, HOUR, MAX, MINUTE, Floor
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    TOP,
    UTH,
    house,
    opening_wagers,
    refuses,
    stacked_deck,
    submission_data,
)


def test_settlement_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many checks read it before it is paid."""
    calls: list[int] = []

    def counting_resolution(table: Table) -> Resolution:
        calls.append(1)
        return Resolution(table)

    monkeypatch.setattr("croupier.table.table.Resolution", counting_resolution)
    floor = Floor(house(UTH)).ready()
    floor.deck = stacked_deck(floor.house, {1: "2c 7d", COMMUNITY: "9h Js 4s Kd 5c"}, (1,))
    assert floor.house.progressive is not None
    floor.bet(progressive=floor.house.progressive.stake)
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.turn_hands()
    for _ in range(3):
        floor.table.next_steps(floor.at)
    floor.do(cmd.Settle(), DEE)
    assert [1] == calls


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_restored_table_equals_the_original(game: str) -> None:
    """A snapshot omits only the last round, and the table continues in the same way."""
    floor = Floor(house(game)).ready()
    floor.round()
    table = floor.table
    restored = Table.from_snapshot(table.to_snapshot(), lambda digest: floor.house)
    assert {**table.state(), "round": None} == restored.state()
    assert table.to_snapshot() == restored.to_snapshot()
    steps = [str(step) for step in table.next_steps(floor.at)]
    assert steps == [str(step) for step in restored.next_steps(floor.at)]


def test_a_snapshot_of_another_schema_is_refused() -> None:
    """It is rebuilt from the events, never migrated."""
    floor = Floor(house(UTH)).ready()
    data = json.loads(floor.table.to_snapshot())
    invalid: list[object] = [
        {**data, "schema": data["schema"] + 1},
        {**data, "extra": 1},
        {"schema": 1},
        [],
    ]
    for snapshot in invalid:
        with pytest.raises(BadInput, match="snapshot"):
            Table.from_snapshot(json.dumps(snapshot), lambda digest: floor.house)


def test_a_table_knows_its_next_deadline() -> None:
    """So that no client has to poll: first the warning about a deck, then its end of life."""
    floor = Floor(house(UTH, idle_minutes=0)).ready()
    entered = floor.table.decks.here["one"].entered_at
    assert entered is not None
    first = floor.table.next_deadline(floor.at)
    assert first is not None and "changed soon" in first.what
    assert entered + 8 * HOUR - 15 * MINUTE == first.at
    second = floor.table.next_deadline(first.at)
    assert second is not None and (entered + 8 * HOUR, "3.C.2") == (second.at, second.clause)
    assert floor.table.next_deadline(second.at) is None


def test_a_notice_is_a_deadline() -> None:
    """Thirty minutes while players are seated."""
    floor = Floor(house(UTH)).ready()
    floor.do(cmd.GiveLimitNotice(wager="ante", minimum=100, maximum=900_000), MAX)
    first = floor.table.next_deadline(floor.at)
    assert first is not None and (floor.at + 30 * MINUTE, "COMAR 36.05.03.21C") == (
        first.at,
        first.clause,
    )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_table_opens_while_an_approval_is_outstanding(game: str) -> None:
    """The House is legal for practice; the refusal names the outstanding approval."""
    from croupier import submission

    filing = submission_data(game)
    del filing["choices"]["layout_approval"]
    floor = Floor(submission.build(filing))
    with refuses("2.B", match=r"outstanding: choices\.layout_approval"):
        floor.open()
    assert not floor.table.shift.open


@pytest.mark.parametrize(
    ("game", "section", "name", "clause"),
    [
        (TOP, "table", "max_adjacent_boxes", "7.F"),
        (UTH, "table", "max_adjacent_boxes", "7.G"),
        (JACKPOT, "table", "max_adjacent_boxes", "7.G"),
        (UTH, "choices", "envy_schedule", "12.D.5.b"),
        (RUN, "choices", "envy_schedule", "12.G.2"),
        *((game, "choices", "manual_shoe_location", "8.A") for game in EVERY_GAME),
    ],
)
def test_no_table_opens_without_a_required_statement(
    game: str, section: str, name: str, clause: str
) -> None:
    """Rounds may be rehearsed by the default, but no table opens with it."""
    from croupier import submission

    filing = submission_data(game, "manual_shoe" if name.startswith("manual") else "automated_shoe")
    del filing[section][name]
    rules = submission.build(filing)
    floor = Floor(rules)
    with refuses(clause, match=rf"outstanding: {section}\.{name}\b"):
        floor.open()
    assert not floor.table.shift.open
    rehearsal = Table(rules)
    rehearsal.do(cmd.PlaceWagers(1, opening_wagers(rules)))
    assert rehearsal.round is not None


@pytest.mark.parametrize("game", ["ultimate_texas_holdem", "jackpot_holdem", "run_em_twice"])
def test_no_table_opens_while_a_meter_is_not_stated(game: str) -> None:
    """Rounds may be rehearsed at the minimum, but no table opens with it."""
    from croupier import submission

    filing = submission_data(game)
    meter = next(iter(filing["meters"]))
    del filing["meters"][meter]["initial"]
    rules = submission.build(filing)
    floor = Floor(rules)
    amounts = {UTH: "12.D.3.b", JACKPOT: "12.E.2", RUN: "12.F.6.b"}
    with refuses(amounts[game], match=rf"outstanding: meters\.{meter}\.initial"):
        floor.open()
    assert not floor.table.shift.open
    rehearsal = Table(rules)
    assert rules.meters[meter].initial == rehearsal.meters[meter]


def test_a_practice_table_knows_its_people() -> None:
    """Players act for themselves, a system account deals, and other roles are refused."""
    table = Table(house("top_five"), service="practice")
    robot = Account("robot", "system")
    table.do(cmd.SitDown(1), ANN)
    for command, by, clause in (
        (cmd.BuyIn(1, 1000), ANN, "7.A"),
        (cmd.PlaceWagers(1, {"ante": 1000}), ANN, "A34"),  # no chips yet
        (cmd.PlaceWagers(1, {"ante": 1000}), BOB, "7.B.1"),
        (cmd.NoMoreBets(), ANN, "10.A.2"),
        (cmd.NoMoreBets(), FLO, "10.A.2"),
        (cmd.TakePost(), DEE, "A144"),
    ):
        with refuses(clause):
            table.do(command, by)
    table.do(cmd.BuyIn(1, 5000), robot)
    table.do(cmd.PlaceWagers(1, {"ante": 1000}), ANN)
    table.do(cmd.NoMoreBets(), robot)
    assert (4000, 1000) == (table.book.rack("ann"), table.book.layout)


@pytest.mark.parametrize("all_at_once", [True, False])
@pytest.mark.parametrize("game", ["top_five", "ultimate_texas_holdem", "jackpot_holdem"])
def test_a_player_with_two_boxes_looks_at_them_as_the_operator_chose(
    game: str, all_at_once: bool
) -> None:
    """Both at once, or the second after the decision on the first (A78)."""
    boxes = {"max_adjacent_boxes": 2}
    floor = Floor(house(game, table=boxes, peek_all_boxes=all_at_once)).ready()
    floor.bet(1)
    floor.bet(2)
    floor.close_bets()
    floor.deal()
    views = [shown(event, viewer_of(floor.table, ANN)) for event in floor.of(ev.CardsDealt)]
    assert views and all(set(event["cards"]) == {"??"} for event in views if event is not None)
    floor.do(cmd.ShowStreet(), DEE)

    def visible() -> list[bool]:
        current = view(floor.table, viewer_of(floor.table, ANN)).round
        assert current is not None
        return ["??" not in current.boxes[seat].cards for seat in (1, 2)]

    assert [True, all_at_once] == visible()
    floor.decide("1x" if game == "top_five" else "check")
    assert [True, True] == visible()


def test_repr_of_tables_and_rounds() -> None:
    """A repr shows what matters at a prompt."""
    floor = Floor(house(UTH)).ready()
    floor.bet()
    assert repr(floor.table) == ("<Table 'table' ultimate_texas_holdem attended: 1 round, wagers>")
    assert repr(floor.table.round) == "<Round 1 of ultimate_texas_holdem: wagers, seats 1>"
    assert repr(Table()) == "<Table, not bound to a House>"

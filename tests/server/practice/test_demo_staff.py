"""Demo staff: a lone player plays rounds at an attended table; a person who takes a post has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.clock import now_ms
from croupier.server import demo_data
from croupier.server.floor import Floor
from croupier.server.practice import demo_staff
from croupier.server.practice.demo_staff import DemoStaff
from croupier.server.tables.host import TableHost
from croupier.submission import example
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from tests.support.floor_server import serving

ANN = Account("ann", "player")
ACTS_MAX = 200  # more than a round takes


async def opened(floor: Floor) -> tuple[TableHost, DemoStaff]:
    """The attended demo table with Ann at it, and its staff."""
    host = await floor.open("Harbor 1", example(demo_data.GAME), service="attended")
    await demo_data.open_attended_table(host)
    host.subscribe(ANN)
    return host, DemoStaff(host, demo_data.STAFF)


async def play(host: TableHost, staff: DemoStaff, rounds: int) -> None:
    """Let Ann bet the minimum and the staff act until so many rounds are complete."""
    for number in range(ACTS_MAX * rounds):
        if host.table.rounds_played == rounds:
            return
        by_ann = ann_command(host)
        if by_ann is not None:
            await host.execute(Envelope(f"ann-{number:08}", ANN, now_ms(), by_ann))
        await staff.act()
    raise AssertionError(f"stuck: {host.table.due()}, {host.table.next_steps(now_ms())}")


def ann_command(host: TableHost) -> cmd.Command | None:
    """What Ann does: the minimum bet, then the decision that costs least."""
    table = host.table
    if table.dealing is None:
        bets = {"ante": 1000, "blind": 1000}
        can_bet = not table.boxes_of("ann") and table.book.rack("ann") >= 2000
        command = cmd.PlaceWagers(1, bets)
        return command if can_bet and table.allows(command, ANN, now_ms()) else None
    due = table.due()
    if due.kind != "decide":
        return None
    word = "check" if table.dealing.street and table.dealing.street.name != "river" else "fold"
    return cmd.Decide(due.seat, word)


def test_a_lone_player_is_never_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All posts are filled: rounds are dealt and settled, and empty racks are refilled."""
    monkeypatch.setattr(demo_staff, "BETTING_MS", 0)

    async def playing(floor: Floor) -> None:
        host, staff = await opened(floor)
        rack = host.table.book.rack("ann")
        await host.execute(Envelope("give-away", ANN, now_ms(), cmd.Leave(1)))
        await host.execute(Envelope("sit-again", ANN, now_ms(), cmd.SitDown(1)))
        assert rack > 0 == host.table.book.rack("ann")
        await play(host, staff, 3)
        assert host.table.book.rack("ann") != 0

    with serving(tmp_path) as world:
        world.within(playing)


def test_a_person_has_the_post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a dealer's console is open, the dealer's steps are that person's."""
    monkeypatch.setattr(demo_staff, "BETTING_MS", 0)

    async def dealing(floor: Floor) -> None:
        host, staff = await opened(floor)
        bet = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})
        await host.execute(Envelope("bet-of-ann", ANN, now_ms(), bet))
        console = host.subscribe(Account("dana", "dealer"))
        before = host.sequence
        for _ in range(5):
            await staff.act()
        assert before == host.sequence
        host.unsubscribe(console)
        await staff.act()
        assert before < host.sequence

    with serving(tmp_path) as world:
        world.within(dealing)


def test_nothing_happens_without_players(tmp_path: Path) -> None:
    """With nobody at the table the staff write nothing."""

    async def waiting(floor: Floor) -> None:
        host, staff = await opened(floor)
        for subscription in tuple(host.subscriptions):
            host.unsubscribe(subscription)
        before = host.sequence
        await staff.act()
        assert before == host.sequence

    with serving(tmp_path) as world:
        world.within(waiting)

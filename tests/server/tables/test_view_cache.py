"""What is kept of a table's sights is what it would be, worked out anew."""

from __future__ import annotations

import pytest

from croupier.server.protocol import HandView
from croupier.server.tables.best_hand import visible_hands
from croupier.server.tables.view_cache import ViewCache
from croupier.submission import example
from croupier.table import Account, Shoe, Table, viewer_of
from croupier.table import commands as cmd
from tests.support.rounds import EVERY_GAME

SYSTEM = Account("dealer", "system")
PEOPLE = [Account(name, "player") for name in ("ann", "bob", "eve")]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_hands_that_were_kept_are_those_of_now(game: str) -> None:
    """Every moment of a round, for players, somebody without a box, and those who watch."""
    house, watching = example(game), Account("sam", "surveillance")
    table = Table(house, service="practice", table_id="T")
    sights, shoe, moments = ViewCache(table), Shoe.shuffled(), 0
    seen: set[tuple[HandView, ...]] = set()
    for seat, player in enumerate(PEOPLE[:2], start=1):
        table.do(cmd.SitDown(seat), player, 1)
        table.do(cmd.BuyIn(seat, 1_000_000), SYSTEM, 1)

    def look() -> None:
        nonlocal moments
        moments += 1
        for account in (*PEOPLE, watching):
            viewer = viewer_of(table, account)
            found = sights.at(table, moments, 1).hands(viewer)
            assert visible_hands(table, viewer) == found, (account, table)
            seen.add(found)

    least = house.limits[house.game.ante.name].minimum
    required = {w.name: least for w in house.game.wagers if w.role in ("ante", "matching")}
    for seat, player in enumerate(PEOPLE[:2], start=1):
        table.do(cmd.PlaceWagers(seat, required), player, 1)
    table.do(cmd.NoMoreBets(), SYSTEM, 1)
    while table.dealing is not None:
        look()
        due = table.due()
        if due.kind == "decide":
            word = max(table.options(), key=lambda option: option.times).word
            table.do(cmd.Decide(due.seat, word), PEOPLE[due.seat - 1], 1)
        elif due.kind == "settle" and not table.dealing.hands_shown:
            table.do(cmd.Showdown(), SYSTEM, 1)
        else:
            command = shoe.next_command(due)
            assert command is not None
            table.do(command, SYSTEM, 1)
    look()
    assert len(seen) > 1, "nobody ever saw a hand"

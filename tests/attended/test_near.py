"""What is worked out for one account alone is what that account is shown of everything."""

from __future__ import annotations

from random import Random

import pytest

from croupier.submission import example
from croupier.table import Account, Table, viewer_of
from croupier.table import commands as cmd
from croupier.table.views import every_step, steps, steps_for
from tests.attended.cast import CAST, SYSTEM
from tests.attended.houses import houses
from tests.attended.world import START, Shift
from tests.support import EVERY_GAME

EVERYBODY = (*CAST, Account("shoe", "reader"), Account("nobody", "player"))


def check_everybody(table: Table, at: int) -> None:
    """Both ways give every account the same forms in the same order."""
    every = every_step(table, at)
    for account in EVERYBODY:
        viewer = viewer_of(table, account)
        assert steps_for(table, every, viewer) == steps(table, viewer, at), account


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_steps_near_an_account_are_all_it_is_shown(game: str) -> None:
    """At moments of a random shift, for people of every role, with a post and without."""
    shift = Shift(houses(game)[0], Random(game))
    for number in range(90):
        shift.act()
        if number % 9 == 0:
            check_everybody(shift.table, shift.at)


def test_the_same_at_a_table_that_a_machine_serves() -> None:
    """A practice table with players who have bet and others who have not."""
    house = example("top_five")
    table = Table(find_house={house.digest: house}.__getitem__)
    bound = cmd.BindTable(table="T", house=house.digest, service="practice", live=False)
    table.do(bound, SYSTEM, START)
    check_everybody(table, START)
    for seat, player in enumerate((one for one in CAST if one.role == "player"), start=1):
        if seat <= 3:
            table.do(cmd.SitDown(seat), player, START)
            table.do(cmd.BuyIn(seat, 100_000), SYSTEM, START)
            check_everybody(table, START)
    least = house.limits["ante"].minimum
    table.do(cmd.PlaceWagers(1, {"ante": least}), next(p for p in CAST if p.role == "player"))
    check_everybody(table, START)

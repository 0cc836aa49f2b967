"""Steps listed for one account equal the steps of all accounts filtered for it."""

from __future__ import annotations

from random import Random

import pytest

from croupier.submission import example
from croupier.table import Account, Table, kind_of, viewer_of
from croupier.table import commands as cmd
from croupier.table.core.dispatch import PARTS
from croupier.table.core.steps import all_steps
from croupier.table.core.views import steps, steps_for
from tests.support.rounds import EVERY_GAME
from tests.support.shifts.casino import START, Shift
from tests.support.shifts.houses import houses
from tests.support.shifts.people import CAST, SYSTEM

ROUND = ["place_wagers", "no_more_bets", "deal_cards", "show_street", "decide", "settle"]
ACCOUNTS = (*CAST, Account("shoe", "reader"), Account("nobody", "player"))


def check_accounts(table: Table, at: int) -> None:
    """Both ways give every account the same steps in the same order, each with its subject."""
    every_step = all_steps(table, at)
    subjects = {
        kind_of(spec.command): spec.subject or part.subject
        for part in PARTS
        for spec in part.commands
    }
    for account in ACCOUNTS:
        viewer = viewer_of(table, account)
        listed = steps(table, viewer, at)
        assert steps_for(table, every_step, viewer) == listed, account
        assert all(step.subject == subjects[step.kind] for step in listed)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_steps_of_one_account_equal_all_steps_filtered(game: str) -> None:
    """At moments of a random shift, for every role, with and without an assignment."""
    shift = Shift(houses(game)[0], Random(game))
    for number in range(90):
        shift.act()
        if number % 9 == 0:
            check_accounts(shift.table, shift.at)


def test_the_same_at_a_practice_table() -> None:
    """With players who have bet and others who have not."""
    house = example("top_five")
    table = Table(find_house={house.digest: house}.__getitem__)
    bound = cmd.BindTable(table="T", house=house.digest, service="practice", live=False)
    table.do(bound, SYSTEM, START)
    check_accounts(table, START)
    for seat, player in enumerate((one for one in CAST if one.role == "player"), start=1):
        if seat <= 3:
            table.do(cmd.SitDown(seat), player, START)
            table.do(cmd.BuyIn(seat, 100_000), SYSTEM, START)
            check_accounts(table, START)
    least = house.limits["ante"].minimum
    table.do(cmd.PlaceWagers(1, {"ante": least}), next(p for p in CAST if p.role == "player"))
    check_accounts(table, START)

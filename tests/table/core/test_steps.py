"""Steps listed for one account equal the steps of all accounts filtered for it."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from croupier.errors import CroupierError
from croupier.submission import example
from croupier.table import Account, KnownSteps, Table, viewer_of
from croupier.table import commands as cmd
from croupier.table.core.steps import all_steps
from croupier.table.core.views import steps, steps_account, steps_for
from croupier.table.parts.round.actions import undealt_cards
from tests.support.rounds import EVERY_GAME
from tests.support.shifts.casino import START, Shift
from tests.support.shifts.houses import houses
from tests.support.shifts.people import CAST, SYSTEM

ROUND = ["place_wagers", "no_more_bets", "deal_cards", "show_street", "decide", "settle"]
ACCOUNTS = (*CAST, Account("shoe", "reader"), Account("nobody", "player"))


def check_accounts(table: Table, at: int) -> None:
    """Both ways give every account the same steps in the same order."""
    every_step = all_steps(table, at)
    for account in ACCOUNTS:
        viewer = viewer_of(table, account)
        assert steps_for(table, every_step, viewer) == steps(table, viewer, at), account


@pytest.mark.parametrize("game", EVERY_GAME)
def test_steps_of_one_account_equal_all_steps_filtered(game: str) -> None:
    """At moments of a random shift, for every role, with and without an assignment."""
    shift = Shift(houses(game)[0], Random(game))
    for number in range(90):
        shift.act()
        if number % 9 == 0:
            check_accounts(shift.table, shift.at)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_what_is_kept_of_a_players_steps_is_what_they_are(game: str) -> None:
    """Random practice: whatever happens, forms that were kept equal those worked out anew."""
    random, house, known = Random(game), example(game), KnownSteps()
    table = Table(house, service="practice", table_id="T")
    players = [one for one in CAST if one.role == "player"][:3]
    seen = set()
    for seat, player in enumerate(players, start=2):
        table.do(cmd.SitDown(seat), player, START)
        table.do(cmd.BuyIn(seat, 20_000_000 if seat > 2 else 200_000), SYSTEM, START)
    for _ in range(400):
        known.move_on(table)
        for account in players:
            viewer, whose = viewer_of(table, account), steps_account(table, account)
            kept = steps_for(table, all_steps(table, START, whose, known), viewer)
            assert kept == steps(table, viewer, START), (account, table)
        found = table.next_steps(START)
        step = random.choices(found, [10 if one.kind in ROUND else 0.2 for one in found])[0]
        whoever = random.choice(players) if "player" in step.open_to else step.actor()
        if step.is_for(whoever):
            seen.add(step.kind)
            left = random.sample(undealt_cards(table), table.due().cards)
            cards = {"cards": tuple(left)} if step.kind == "deal_cards" else {}
            with suppress(CroupierError):  # of other forms nobody proposes what is counted or seen
                table.do(step.filled(**cards), whoever, START)
    assert {"place_wagers", "decide", "settle", "tip"} <= seen


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

"""Supervisors in real Chromium: a progressive win validated and documented, a device, limits."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.api import command_endpoints
from croupier.server.tables import host
from croupier.table import Account, Envelope, Table
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import filled
from tests.browser.chromium import still
from tests.browser.test_player_page import Player, broken
from tests.support.floor_server import World, serving
from tests.support.server_shift import actor, make_ready

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"
# The box of the Six Card Bonus, the board, the dealer, seat 1: a royal flush with the flop.
ROYAL = ["2c", "3c", "4d", "5d", "Qs", "Js", "Ts", "7h", "8h", "2d", "9c", "As", "Ks"]
MINUTES_31 = 31 * 60_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server with one table that people serve."""
    with serving(Path(tmp_path_factory.mktemp("supervise"))) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def look(world: World) -> Table:
    """The table itself."""

    async def found(floor: Floor) -> Table:
        return floor.desk(TABLE).table

    return world.within(found)


def serve(world: World, but: tuple[str, ...]) -> None:
    """Everybody but these people does what is due, with the deck of a royal flush."""

    async def serving(floor: Floor) -> None:
        table = floor.desk(TABLE)
        for _ in range(60):
            due = [s for s in table.table.next_steps(now_ms()) if s.due != "may" and not s.blocked]
            others = [s for s in due if actor(s).id not in but and s.kind != "settle_seat"]
            if not others or (table.table.round is not None and table.table.round.closed):
                return
            step = others[0]
            given: Any = filled(table.table, step)
            if step.kind == "deal_cards":
                given = step.filled(cards=tuple(ROYAL))
            if step.kind == "decide":
                given = next(s for s in others if s.fixed.get("word") != "fold").filled()
            envelope = Envelope(secrets.token_hex(8), actor(step), now_ms(), given)
            await table.execute(envelope)

    world.within(serving)


def bet(world: World) -> None:
    """Ann bets the least, and on the progressive."""

    async def betting(floor: Floor) -> None:
        stakes = {"ante": 500, "blind": 500, "progressive": 100}
        envelope = Envelope(
            "ann bets", Account("ann", "player"), now_ms(), cmd.PlaceWagers(1, stakes)
        )
        await floor.desk(TABLE).execute(envelope)

    world.within(betting)


def console(world: World, browser: Browser, name: str, role: str) -> tuple[Player, Page]:
    """Somebody at the table's console."""
    context = still(browser)
    player = Player(world, context, name)
    player.page.goto(f"{world.address}/console/{TABLE}?role={role}")
    expect(player.page.get_by_text("Next steps")).to_be_visible()
    return player, player.page


def test_a_progressive_win_is_validated_documented_and_witnessed(
    house: World, browser: Browser
) -> None:
    """The dealer verifies, the floorperson validates and makes the documents out, another signs."""
    bet(house)
    serve(house, ("frank", "petra", "paul"))
    frank, page = console(house, browser, "frank", "floorperson")
    award = page.locator(".panel [data-kind=validate_award]")
    expect(award).to_contain_text("of mega")
    expect(award).to_contain_text("11.J.2.c")
    assert [] == broken(page)
    award.get_by_role("button", name="Validate award").click()
    documents = page.locator(".panel [data-kind=prepare_payout]")
    expect(documents).to_have_count(2)
    for left in (1, 0):
        documents.first.get_by_role("button", name="Prepare payout").click()
        expect(documents).to_have_count(left)
    assert look(house).round is not None and not look(house).in_progress().closed

    petra, pit = console(house, browser, "petra", "pit_manager")
    pit.goto(f"{house.address}/pit")
    witnessed = pit.locator(".queue [data-kind=witness_payout]")
    expect(witnessed).to_have_count(2)
    for left in (1, 0):
        witnessed.first.get_by_role("button", name="Witness payout").click()
        expect(witnessed).to_have_count(left)
    serve(house, ("frank", "petra", "paul"))
    table = look(house)
    assert table.round is not None and table.round.closed
    paid = table.round.boxes[1].settled["progressive"]
    assert paid.returned >= 10_000_00
    expect(page.locator("[role=log] p", has_text="The mega meter pays")).to_be_visible()
    assert [] == frank.complaints + petra.complaints
    frank.page.context.close()
    petra.page.context.close()


def test_a_device_is_out_of_order_until_a_floorperson_clears_it(
    house: World, browser: Browser
) -> None:
    """Reported, marked and cleared from the console; the pit map says what does not work."""
    frank, page = console(house, browser, "frank", "floorperson")
    devices = page.locator("[data-group=devices]")
    devices.locator("> summary").click()
    fault = devices.locator("[data-kind=report_fault]", has_text="progressive")
    fault.get_by_role("button", name="Report fault").click()
    expect(page.locator("[role=log] p", has_text="Device failed")).to_be_visible()
    page.goto(f"{house.address}/pit")
    expect(page.locator(".table-card", has_text="Out of order")).to_be_visible()
    page.goto(f"{house.address}/console/{TABLE}?role=floorperson")
    for _ in range(3):  # covered or signed first, where that is asked for
        if look(house).devices.state.get("progressive", "working") == "working":
            break
        steps = page.locator("[data-kind=mark_device], [data-kind=clear_device]")
        expect(steps.first).to_be_attached()
        group = page.locator("[data-group=devices]")
        if group.count() and not group.evaluate("group => group.open"):
            group.locator("> summary").click()
        before = page.locator("[role=log] p").count()
        steps.first.get_by_role("button").click()
        expect(page.locator("[role=log] p")).to_have_count(before + 1)
    expect(page.locator("[role=log] p", has_text="Device cleared")).to_be_visible()
    assert [] == frank.complaints
    page.context.close()


def test_limits_change_half_an_hour_after_their_notice(
    house: World, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing before the notice has run; then it is due, and taken (COMAR 36.05.03.21C)."""
    petra, page = console(house, browser, "petra", "pit_manager")
    page.locator("[data-group=limits] > summary").click()
    notice = page.locator("[data-group=limits] [data-kind=give_limit_notice]").first
    notice.get_by_label("maximum in dollars").fill("300")
    notice.get_by_role("button", name="Give limit notice").click()
    expect(page.locator("[role=log] p", has_text="Limit notice given")).to_be_visible()
    assert page.locator("[data-kind=apply_limits]:not([data-group=blocked] *)").count() == 0
    for module in (command_endpoints, host):
        monkeypatch.setattr(module, "now_ms", lambda: now_ms() + MINUTES_31)
    page.reload()
    applied = page.locator(".panel [data-kind=apply_limits]")
    applied.get_by_role("button", name="Apply limits").click()
    expect(page.locator("[role=log] p", has_text="Limits changed")).to_be_visible()
    assert 300_00 in [most for _, most in limits(house)]
    assert [] == petra.complaints
    page.context.close()


def limits(world: World) -> list[tuple[int, int | None]]:
    """What may be staked at the table."""
    found = look(world).house.limits.values()
    return [(each.minimum, each.maximum) for each in found]

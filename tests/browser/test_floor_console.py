"""Floor console: a progressive win is validated and documented, devices, limit changes."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.api import command_endpoints
from croupier.server.pit import pit_endpoints
from croupier.server.tables import host
from croupier.table import Account, Envelope, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.simulated_staff import fill_step
from tests.browser.browser_user import BrowserUser, axe_violations, prefilled_fields
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import actor, make_ready

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"
# The box of the Six Card Bonus, the board, the dealer, seat 1: a royal flush with the flop.
ROYAL = ["2c", "3c", "4d", "5d", "Qs", "Js", "Ts", "7h", "8h", "2d", "9c", "As", "Ks"]
MINUTES_31 = 31 * 60_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with one staffed table."""
    with serving(Path(tmp_path_factory.mktemp("supervise"))) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def get_table(world: ServerThread) -> Table:
    """The table on the server."""

    async def read(floor: Floor) -> Table:
        return floor.table_host(TABLE).table

    return world.within(read)


def take_due_steps(world: ServerThread, but: tuple[str, ...], but_kind: str = "") -> None:
    """Take the due steps of all other people, with the deck of a royal flush."""

    async def take_steps(floor: Floor) -> None:
        table = floor.table_host(TABLE)
        for _ in range(60):
            due = [s for s in table.table.next_steps(now_ms()) if s.due != "may" and not s.blocked]
            others = [s for s in due if actor(s).id not in but]
            others = [s for s in others if s.kind not in ("settle_seat", but_kind)]
            if not others or (table.table.round is not None and table.table.round.closed):
                return
            step = others[0]
            command: Any = fill_step(table.table, step)
            if step.kind == "deal_cards":
                command = step.filled(cards=tuple(ROYAL))
            if step.kind == "decide":
                command = next(s for s in others if s.fixed.get("word") != "fold").filled()
            envelope = Envelope(secrets.token_hex(8), actor(step), now_ms(), command)
            await table.execute(envelope)

    world.within(take_steps)


def bet(world: ServerThread) -> None:
    """Ann bets the minimum and the progressive."""

    async def place_wagers(floor: Floor) -> None:
        stakes = {"ante": 500, "blind": 500, "progressive": 100}
        envelope = Envelope(
            "ann bets", Account("ann", "player"), now_ms(), cmd.PlaceWagers(1, stakes)
        )
        await floor.table_host(TABLE).execute(envelope)

    world.within(place_wagers)


def open_console(
    world: ServerThread, browser: Browser, name: str, role: str
) -> tuple[BrowserUser, Page]:
    """A person at the table's console."""
    player = BrowserUser(world, browser, name)
    player.page.goto(f"{world.address}/console/{TABLE}?role={role}")
    expect(player.page.get_by_label(re.compile("Waiting for you|Next act"))).to_be_visible()
    return player, player.page


def recorded_reason(world: ServerThread, page: Page) -> str:
    """The reason that the validation of Ann's award has on record."""
    expect(page.locator("[role=log] p", has_text="Award validated")).to_be_visible()

    async def read(floor: Floor) -> str:
        host = floor.table_host(TABLE)
        entries = await host.entries_after(max(0, host.sequence - 20))
        events = [event for entry in entries for event in entry.events]
        return next(event.reason for event in events if isinstance(event, ev.AwardValidated))

    return world.within(read)


def test_statements_are_made_by_people(tmp_path: Path, browser: Browser) -> None:
    """The light is stated by the dealer, and the reason why it was off by the floorperson."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        bet(world)
        take_due_steps(world, ("frank", "petra", "paul"), but_kind="verify_award")
        dana, page = open_console(world, browser, "dana", "dealer")
        award = page.locator(".step[data-kind=verify_award]")
        expect(award).to_be_visible()
        assert [] == prefilled_fields(page)
        verify = award.get_by_role("button", name="Verify the award")
        verify.click()
        light = award.get_by_label("light")
        assert light.evaluate("field => field.validity.valueMissing")
        light.select_option(label="no")
        verify.click()
        frank, floor = open_console(world, browser, "frank", "floorperson")
        validation = floor.locator(".panel [data-kind=validate_award]")
        expect(validation).to_be_visible()
        assert [] == prefilled_fields(floor)
        validate = validation.get_by_role("button", name="Validate the award")
        validate.click()
        reason = validation.get_by_label("reason")
        assert reason.evaluate("field => field.validity.valueMissing")
        reason.fill("the bulb was out")
        validate.click()
        assert "the bulb was out" == recorded_reason(world, floor)
        assert [] == dana.page_errors + frank.page_errors


def test_progressive_win_is_validated_documented_and_witnessed(
    house: ServerThread, browser: Browser
) -> None:
    """The floorperson validates the award and prepares the documents; a pit manager witnesses."""
    bet(house)
    take_due_steps(house, ("frank", "petra", "paul"))
    frank, page = open_console(house, browser, "frank", "floorperson")
    award = page.locator(".panel [data-kind=validate_award]")
    for text in ("(mega)", "11.J.2.c", "Player", "Ann", "royal flush", "Progressive $1"):
        expect(award).to_contain_text(text)
    expect(award).to_contain_text("Verified by Dana, light on")
    expect(award.get_by_role("img", name="ace of spades")).to_be_visible()
    assert [] == axe_violations(page)
    assert [] == prefilled_fields(page)
    award.get_by_role("button", name="Validate the award").click()
    assert "" == recorded_reason(house, page)
    documents = page.locator(".panel [data-kind=prepare_payout]")
    expect(documents).to_have_count(2)
    for remaining in (1, 0):
        documents.first.get_by_role("button", name="Prepare the payout document").click()
        expect(documents).to_have_count(remaining)
    assert get_table(house).round is not None and not get_table(house).in_progress().closed

    petra, pit = open_console(house, browser, "petra", "pit_manager")
    pit.goto(f"{house.address}/pit")
    queue = pit.locator(".queue [data-kind=witness_payout]")
    expect(queue).to_have_count(2)
    assert [] == prefilled_fields(pit)
    for remaining in (1, 0):
        queue.first.get_by_role("button", name="Witness payout").click()
        expect(queue).to_have_count(remaining)
    take_due_steps(house, ("frank", "petra", "paul"))
    table = get_table(house)
    assert table.round is not None and table.round.closed
    paid = table.round.boxes[1].settled["progressive"]
    assert paid.returned >= 10_000_00
    expect(page.locator("[role=log] p", has_text="The mega meter pays")).to_be_visible()
    assert [] == frank.page_errors + petra.page_errors


def test_device_is_out_of_order_until_a_floorperson_clears_it(
    house: ServerThread, browser: Browser
) -> None:
    """Reported, marked and cleared from the console; the pit shows it as out of order."""
    frank, page = open_console(house, browser, "frank", "floorperson")
    choose(page, "Irregularities", "Progressive system out of order")
    page.get_by_role("region", name="Task").get_by_role("button", name="out of order").click()
    expect(page.locator("[role=log] p", has_text="Device failed")).to_be_visible()
    page.goto(f"{house.address}/pit")
    expect(page.locator(".board")).to_contain_text("Progressive:")
    page.goto(f"{house.address}/console/{TABLE}?role=floorperson")
    for _ in range(3):  # some devices must be covered or signed first
        if get_table(house).devices.state.get("progressive", "working") == "working":
            break
        steps = page.locator("button[data-kind=mark_device], button[data-kind=clear_device]")
        queued = page.locator(
            ".queue :is([data-kind=mark_device], [data-kind=clear_device]) button"
        )
        expect(steps.or_(queued).first).to_be_attached()
        before = page.locator("[role=log] p").count()
        if queued.count():
            queued.first.click()
        else:
            choose(page, "Devices", steps.first.inner_text())
            page.get_by_role("region", name="Task").locator("button[type=submit]").click()
        expect(page.locator("[role=log] p")).to_have_count(before + 1)
    expect(page.locator("[role=log] p", has_text="Device cleared")).to_be_visible()
    assert [] == frank.page_errors


def test_limits_change_half_an_hour_after_their_notice(
    house: ServerThread, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is not offered before the notice has run (COMAR 36.05.03.21C)."""
    petra, page = open_console(house, browser, "petra", "pit_manager")
    choose(page, "Limits", "Give notice of new limits")
    notice = page.get_by_role("region", name="Task")
    notice.get_by_label("maximum in dollars").fill("300")
    notice.get_by_role("button", name="Give notice of new limits").dblclick()  # sends it once
    expect(page.locator("[role=log] p", has_text="Limit notice given")).to_have_count(1)
    expect(notice).to_have_count(0)
    expect(page.locator(".panel [role=alert]")).to_have_count(0)
    assert page.locator(".queue [data-kind=apply_limits]:not(.held)").count() == 0
    for module in (command_endpoints, host, pit_endpoints):
        monkeypatch.setattr(module, "now_ms", lambda: now_ms() + MINUTES_31)
    page.reload()
    applied = page.locator(".panel [data-kind=apply_limits]")
    applied.get_by_role("button", name="Apply the new limits").click()
    expect(page.locator("[role=log] p", has_text="Limits changed")).to_be_visible()
    assert 300_00 in [most for _, most in limits(house)]
    assert [] == petra.page_errors


def choose(page: Page, subject: str, task: str) -> None:
    """Choose a task of a subject."""
    group = page.locator(f"[data-group='{subject}']")
    if not group.evaluate("group => group.open"):
        group.locator("> summary").click()
    group.get_by_role("button", name=task).first.click()
    expect(page.get_by_role("region", name="Task")).to_be_visible()


def limits(world: ServerThread) -> list[tuple[int, int | None]]:
    """The limits of all wagers."""
    return [(each.minimum, each.maximum) for each in get_table(world).house.limits.values()]

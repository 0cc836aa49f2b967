"""Second-person approval in two browsers: one person requests, the other approves or declines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.server import Floor
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.browser.chromium import open_context
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import make_ready

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with a staffed table that has meters."""
    with serving(Path(tmp_path_factory.mktemp("agreements"))) as world:
        world.open(TABLE, "jackpot_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def meters(world: ServerThread) -> dict[str, str]:
    """The meters of the table."""

    async def read(floor: Floor) -> dict[str, str]:
        return {name: str(value) for name, value in floor.table_host(TABLE).table.meters.items()}

    return world.within(read)


def request_adjustment(page: Page) -> None:
    """Ask Paul to approve that a meter is raised by 25 dollars."""
    form = page.locator("section", has_text="Adjust a meter")
    form.get_by_label("change in dollars").fill("25")
    form.get_by_label("reason").fill("a display was wrong")
    form.get_by_label("approval reference").fill("Commission 31-7")
    form.get_by_label("second person").fill("Paul")
    form.get_by_role("button", name="Request approval").click()


def test_meter_is_adjusted_with_a_second_person(house: ServerThread, browser: Browser) -> None:
    """Nothing changes until the second person approves (COMAR 36.05.03.24J)."""
    contexts = [open_context(browser) for _ in range(3)]
    names = ("petra", "paul", "frank")
    petra, paul, frank = (BrowserUser(house, each, name) for each, name in zip(contexts, names))
    before = meters(house)
    petra.page.goto(f"{house.address}/agreements")
    request_adjustment(petra.page)
    for answer, message in (
        ("Decline", "paul declined the request."),
        ("Approve", "Meter adjusted."),
    ):
        paul.page.goto(f"{house.address}/lobby")
        paul.page.get_by_role("link", name="Approvals (1)").click()
        expect(paul.page.locator("[data-kind=adjust_meter]")).to_contain_text("Commission 31-7")
        assert [] == axe_violations(paul.page)
        assert before == meters(house)
        paul.page.get_by_role("button", name=answer, exact=True).click()
        expect(petra.page.get_by_text(message)).to_be_visible()
        if answer != "Approve":
            assert before == meters(house)
            request_adjustment(petra.page)
    first = next(iter(before))
    assert int(before[first]) + 2500 == int(meters(house)[first])
    frank.page.goto(f"{house.address}/agreements")
    expect(frank.page.get_by_text("Waiting for your approval (0)")).to_be_visible()
    assert [] == petra.page_errors + paul.page_errors + frank.page_errors
    for each in contexts:
        each.close()


def balances(world: ServerThread) -> tuple[int, int]:
    """The tray, and Ann's chips."""

    async def read(floor: Floor) -> tuple[int, int]:
        book = floor.table_host(TABLE).table.book
        return book.tray, book.rack("ann")

    return world.within(read)


def test_balance_is_corrected_with_a_second_person(house: ServerThread, browser: Browser) -> None:
    """From the tray to a player, only with a second person (COMAR 36.05.03.24J)."""
    contexts = [open_context(browser) for _ in range(3)]
    names = ("petra", "paul", "dana")
    petra, paul, dana = (BrowserUser(house, each, name) for each, name in zip(contexts, names))
    tray, chips = balances(house)
    petra.page.goto(f"{house.address}/agreements")
    form = petra.page.locator("section", has_text="Correct a balance")
    form.locator("[name=source]").select_option("tray")
    form.locator("[name=target]").select_option(label="player's chips")
    form.get_by_label("player, for").fill("Ann")
    form.get_by_label("amount in dollars").fill("12.50")
    form.get_by_label("reason").fill("paid too little")
    form.get_by_label("number of the incorrect entry").fill("3")
    form.get_by_label("second person").fill("Paul")
    assert [] == axe_violations(petra.page)
    form.get_by_role("button", name="Request approval").click()
    paul.page.goto(f"{house.address}/agreements")
    request = paul.page.locator("[data-kind=correct]")
    for text in ("tray", "rack:ann", "$12.50", "paid too little", "petra at T4"):
        expect(request).to_contain_text(text)
    assert (tray, chips) == balances(house)
    request.get_by_role("button", name="Approve", exact=True).click()
    expect(petra.page.get_by_text("Balance corrected.")).to_be_visible()
    assert (tray - 1250, chips + 1250) == balances(house)
    dana.page.goto(f"{house.address}/agreements")  # a dealer may not correct balances
    expect(dana.page.get_by_text("Waiting for your approval (0)")).to_be_visible()
    assert 0 == dana.page.get_by_text("Correct a balance").count()
    assert [] == petra.page_errors + paul.page_errors + dana.page_errors
    for each in contexts:
        each.close()

"""Second-person approval in two browsers: one person requests, the other approves or declines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.clock import DAY
from croupier.ledger.audit.verify import verify
from croupier.server import Floor
from croupier.table import Account
from tests.browser.browser_user import BrowserUser, axe_violations, prefilled_fields
from tests.support.floor_server import ServerThread, run, serving
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT
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
    form = page.locator("details[data-kind=adjust_meter]")
    if not form.evaluate("details => details.open"):
        form.locator("summary").click()
    form.get_by_label("table").select_option(TABLE)
    form.get_by_label("second person on duty").select_option("Paul, pit manager")
    form.get_by_label("meter").select_option(index=1)
    form.get_by_label("change").select_option("raise")
    form.get_by_label("amount in dollars").fill("25")
    form.get_by_label("reason").fill("a display was wrong")
    form.get_by_label("approval reference").fill("Commission 31-7")
    form.get_by_role("button", name="Request approval").click()
    expect(page.locator("section", has_text="Your requests")).to_contain_text(
        "Paul, pit manager: pending"
    )


def test_meter_is_adjusted_with_a_second_person(house: ServerThread, browser: Browser) -> None:
    """Nothing changes until the second person approves (COMAR 36.05.03.24J)."""
    petra, paul, frank = (BrowserUser(house, browser, each) for each in ("petra", "paul", "frank"))
    before = meters(house)
    petra.page.goto(f"{house.address}/agreements")
    request_adjustment(petra.page)
    for answer, message in (
        ("Decline", "Paul declined the request."),
        ("Approve", "Meter corrected."),
    ):
        paul.page.goto(f"{house.address}/pit")
        paul.page.get_by_role("link", name="Approvals (1)").click()
        request = paul.page.locator(".step[data-kind=adjust_meter]")
        expect(request).to_contain_text("Commission 31-7")
        expect(request).to_contain_text(
            re.compile(r"Raise the \w+ meter at T4 by \$25\.00, from \$[\d,.]+ to \$[\d,.]+")
        )
        assert [] == axe_violations(paul.page)
        assert before == meters(house)
        paul.page.get_by_role("button", name=answer, exact=True).click()
        expect(petra.page.get_by_text(message)).to_be_visible()
        if answer != "Approve":
            assert before == meters(house)
            request_adjustment(petra.page)
    changes = [int(after) - int(before[name]) for name, after in meters(house).items()]
    assert [0, 2500] == sorted({*changes})
    frank.page.goto(f"{house.address}/agreements")
    expect(frank.page.get_by_text("Waiting for your approval (0)")).to_be_visible()
    assert [] == petra.page_errors + paul.page_errors + frank.page_errors


def balances(world: ServerThread) -> tuple[int, int]:
    """The tray, and Ann's chips."""

    async def read(floor: Floor) -> tuple[int, int]:
        book = floor.table_host(TABLE).table.book
        return book.tray, book.rack("ann")

    return world.within(read)


def test_balance_is_corrected_with_a_second_person(house: ServerThread, browser: Browser) -> None:
    """From the tray to a player, only with a second person (COMAR 36.05.03.24J)."""
    petra, paul, dana = (BrowserUser(house, browser, each) for each in ("petra", "paul", "dana"))
    tray, chips = balances(house)
    petra.page.goto(f"{house.address}/agreements")
    form = petra.page.locator("details[data-kind=correct]")
    form.locator("summary").click()
    assert [] == prefilled_fields(petra.page)
    form.locator("[name=source]").select_option("tray")
    form.locator("[name=target]").select_option(label="player's chips")
    form.get_by_label("player, for").fill("Ann")
    form.get_by_label("amount in dollars").fill("12.50")
    form.get_by_label("reason").fill("paid too little")
    form.get_by_label("number of the incorrect entry").fill("3")
    form.get_by_label("table").select_option(TABLE)
    form.get_by_label("second person on duty").select_option("Paul, pit manager")
    assert [] == axe_violations(petra.page)
    form.get_by_role("button", name="Request approval").click()
    paul.page.goto(f"{house.address}/agreements")
    request = paul.page.locator(".step[data-kind=correct]")
    moved = "Move $12.50 from the tray to Ann's chips at T4"
    for text in (moved, "paid too little", "asked by Petra at T4"):
        expect(request).to_contain_text(text)
    assert (tray, chips) == balances(house)
    request.get_by_role("button", name="Approve", exact=True).click()
    expect(petra.page.get_by_text("Balance corrected.")).to_be_visible()
    assert (tray - 1250, chips + 1250) == balances(house)
    dana.page.goto(f"{house.address}/agreements")  # a dealer may not correct balances
    expect(dana.page.get_by_text("Waiting for your approval (0)")).to_be_visible()
    assert 0 == dana.page.get_by_text("Correct a balance").count()
    assert [] == petra.page_errors + paul.page_errors + dana.page_errors


@pytest.mark.usefixtures("live_limits")
def test_clock_is_accepted_with_a_second_person(tmp_path: Path, browser: Browser) -> None:
    """The second person sees both times and the reason."""
    with serving(tmp_path) as world, manual_clock(at=AT + 3_650 * DAY, tick=1):
        paul = BrowserUser(world, browser, "paul")
        paul.page.goto(f"{world.address}/agreements")

        async def ask() -> str:
            async with await world.client("petra") as petra:
                second = Account("paul", "pit_manager")
                answer = await petra.accept_clock(second, "renovation", role="pit_manager")
                return str(answer["state"])

        with ThreadPoolExecutor(1) as thread:
            state = thread.submit(run, ask())
            request = paul.page.locator("[data-kind=accept_clock]")
            for text in ("asked by Petra", "GMT", "renovation"):
                expect(request).to_contain_text(text)
            assert [] == axe_violations(paul.page)
            request.get_by_role("button", name="Approve", exact=True).click()
            expect(paul.page.get_by_text("Request approved.")).to_be_visible()
            assert "agreed" == state.result()
        assert [] == paul.page_errors
        assert 1 == len(verify(world.database).accepted_clocks)

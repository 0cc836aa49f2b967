"""The camera wall: nine live tables on one screen, for roles that may watch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from croupier.games import CATALOGUE
from croupier.server import Floor
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, play, serving

pytestmark = pytest.mark.xdist_group(__name__)
GAMES = [game.key for game in CATALOGUE]
SIZES = ((390, 844), (1280, 800), (1920, 1080))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """Eleven tables of all games: more than one page of the wall."""
    with serving(Path(tmp_path_factory.mktemp("wall"))) as world:
        for number in range(11):
            world.open(f"T{number + 1}", GAMES[number % len(GAMES)], seed=number)
        yield world


async def play_round(world: ServerThread, table: str) -> None:
    """Ann plays one round."""
    async with await world.client("ann") as ann:
        await play(ann, table, 2)


def test_wall_shows_nine_live_tables(house: ServerThread, browser: Browser) -> None:
    """Nine tables fit on one screen without scrolling and update at once."""
    sam = BrowserUser(house, browser, "sam", viewport={"width": 1920, "height": 1080})
    page = sam.page
    page.get_by_role("link", name="Camera wall").click()
    expect(page.locator(".tile .felt")).to_have_count(9)
    expect(page.locator(".tile .playing-card")).to_have_count(0)
    house.within(lambda floor: play_round(house, "T3"))
    expect(page.locator(".tile .playing-card").first).to_be_visible()
    third = page.locator(".tile", has_text="T3")
    expect(third.locator(".seat-label", has_text="Ann")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if width > 1000:
            last = page.locator(".tile").last.bounding_box()
            assert last is not None and last["y"] + last["height"] <= height
        assert [] == axe_violations(page)
    page.set_viewport_size({"width": 280, "height": 653})  # the smallest phone screen
    titles = "[...document.querySelectorAll('.tile-title, .tile-title *')]"
    cut_off = f"{titles}.some((title) => title.scrollWidth > title.clientWidth + 1)"
    assert not page.evaluate(cut_off)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".tile .felt")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tile .felt")).to_have_count(9)

    async def close_feeds(floor: Floor) -> None:
        for feed in tuple(floor.table_host("T1").subscriptions):
            feed.close()

    house.within(close_feeds)
    expect(page.locator(".tile").first).to_contain_text("taking bets")
    page.get_by_role("link", name="T3").click()
    expect(page.get_by_role("heading", name="Rounds on record")).to_be_visible()
    assert [] == sam.page_errors


def test_wall_is_refused_to_players(house: ServerThread, browser: Browser) -> None:
    """The page is refused, and the lobby does not link to it."""
    ann = BrowserUser(house, browser, "ann")
    expect(ann.page.locator(".table-card").first).to_be_visible()
    expect(ann.page.get_by_role("link", name="Camera wall")).to_have_count(0)
    ann.page.goto(f"{house.address}/wall")
    expect(ann.page.get_by_text("You have no surveillance role at any table.")).to_be_visible()

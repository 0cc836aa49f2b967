"""Every page of the demonstration at three sizes, in light and dark: whole and accessible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.floor import Floor
from croupier.floor.demo import set_up
from tests.floor.test_browser import broken
from tests.floor.world import World, serving

pytestmark = pytest.mark.xdist_group(__name__)
SIZES = ((390, 844), (1280, 800), (1920, 1080))
PAGES = {
    "petra": ("/lobby", "/pit", "/agreements", "/console/Harbor 1?role=pit_manager", "/school"),
    "olga": ("/manage", "/report/practice-top-five", "/guide/Harbor 1"),
    "tina": ("/school",),
    "dana": ("/console/Harbor 1?role=dealer",),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The floor of the demonstration."""
    with serving(Path(tmp_path_factory.mktemp("looks"))) as world:

        async def demonstration(floor: Floor) -> None:
            assert world.server is not None
            await set_up(world.server)

        world.within(demonstration)
        yield world


def check(page: Page, path: str) -> None:
    """Nothing is wider than the window, and axe finds nothing: dark on a phone, light on a wall."""
    page.wait_for_load_state("networkidle")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{path} is {over} wider than {width}"
        if width == SIZES[0][0]:
            page.emulate_media(color_scheme="dark")
            assert [] == broken(page), f"{path}, dark"
            page.emulate_media(color_scheme="light")
    assert [] == broken(page), f"{path}, light"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_and_is_accessible(house: World, browser: Browser, name: str) -> None:
    """Whoever visits comes in from the door, and finds their pages whole."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{house.address}/sign-in")
    if name == "petra":
        check(page, "/sign-in")
    page.get_by_role("button", name=name).click()
    page.wait_for_url("**/lobby")
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    for path in PAGES[name]:
        page.goto(f"{house.address}{path}")
        check(page, path)
    context.close()

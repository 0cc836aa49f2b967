"""Every page of the demo: layout, accessibility, and that a redrawing changes nothing."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier import __version__
from croupier.ledger.aggregates.approval_messages import DisableGaming
from croupier.server import Floor
from croupier.server.demo_data import ATTENDED, set_up
from croupier.table import Account
from tests.browser.browser_user import axe_violations, check_redrawing
from tests.browser.chromium import open_context
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, answer, play, run, serving
from tests.support.server_shift import bet

pytestmark = pytest.mark.xdist_group(__name__)
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
SIZES = ((390, 844), (1280, 800), (1920, 1080))
ULTIMATE, RUN = "practice-ultimate-texas-holdem", "practice-run-em-twice"
PAGES = {
    "petra": (
        "/pit",
        "/agreements",
        "/console/Harbor 1?role=pit_manager",
        "/school",
        "/days",
        "/gaming",
    ),
    "paul": ("/wall",),
    "olga": (
        "/manage",
        "{draft}",
        f"/report/{ULTIMATE}",
        "/reports",
        "/guide/Harbor 1",
        "/software",
    ),
    "tina": ("/school", "{lesson}"),
    "frank": ("/console/Harbor 1?role=floorperson", "/rounds/Harbor 1"),
    "cal": ("/queue", "/console/Harbor 1?role=cage"),
    "dana": ("/deal", "/console/Harbor 1?role=dealer"),
    "ann": ("/lobby", f"/play/{ULTIMATE}", f"/play/{RUN}"),
    "sam": (
        f"/console/{ULTIMATE}?role=surveillance",
        "/search",
        f"/search#table={ULTIMATE}&round=1&eyes=whole",
    ),
}
WITHOUT_SCRIPTS = ("/guide", "/deal", "/gaming", "/software")
ADDRESSES: dict[str, str] = {}  # of the draft and the lesson made by the fixture


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """The demo floor, with finished rounds and one in progress."""
    with serving(Path(tmp_path_factory.mktemp("looks"))) as world:

        async def start_demo(floor: Floor) -> None:
            assert world.server is not None
            await set_up(world.server)
            for dealer in floor.dealers.values():
                dealer.pace = "at_once"

        world.within(start_demo)
        run(play_rounds(world))
        bet(world, ATTENDED)  # a box with bets offers two ways to bet
        ADDRESSES.update(run(start_papers(world)))
        yield world


async def play_rounds(world: ServerThread) -> None:
    """Ann plays a round at both tables and has a decision in the next one; Bob only sits."""
    async with await world.client("ann") as ann, await world.client("bob") as bob:
        for table in (ULTIMATE, RUN):
            await play(ann, table, 2)
            await bob.do(table, {"kind": "sit_down", "seat": 5})
            while (await ann.state(table))["state"]["view"]["round"]["due"]["kind"] != "decide":
                await answer(ann, table, (await ann.state(table))["state"])
                await asyncio.sleep(0.01)


async def start_papers(world: ServerThread) -> dict[str, str]:
    """Start a draft and a lesson; returns their addresses."""
    async with await world.client("olga") as olga, await world.client("tina") as tina:
        draft = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
        options = {"game": "ultimate_texas_holdem", "rounds": 2, "irregular": True}
        lesson = await request_json(tina, "/school/lessons", options)
    return {"draft": f"/manage/{draft['id']}", "lesson": f"/lesson/{lesson['id']}"}


def take_screenshots(page: Page, path: str) -> None:
    """Write screenshots to the folder in CROUPIER_PICTURES, if it is set."""
    folder = os.environ.get("CROUPIER_PICTURES")
    if folder is None:
        return
    name = "-".join(re.findall("[A-Za-z0-9]+", path)) or "sign-in"
    width = page.evaluate("innerWidth")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png")
    page.emulate_media(color_scheme="light")


def check_page(page: Page, path: str) -> None:
    """The page fits the window and has no axe violations: dark on a phone, light on a desktop."""
    page.wait_for_load_state("networkidle")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        take_screenshots(page, path)
        excess = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert excess <= 0, f"{path} is {excess} pixels wider than {width}"
        if width == SIZES[0][0]:
            page.emulate_media(color_scheme="dark")
            assert [] == axe_violations(page), f"{path}, dark"
            page.emulate_media(color_scheme="light")
    assert [] == axe_violations(page), f"{path}, light"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_and_is_accessible(
    house: ServerThread, browser: Browser, name: str
) -> None:
    """Each demo account signs in with one click and opens its pages."""
    page = open_context(browser).new_page()
    page.goto(f"{house.address}/sign-in")
    if name == "petra":
        check_page(page, "/sign-in")
    page.get_by_role("button", name=name).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    for path in PAGES[name]:
        page.goto(house.address + path.format(**ADDRESSES))
        check_page(page, path)
        if path == "{lesson}" or path.endswith("role=dealer"):
            page.set_viewport_size({"width": 1280, "height": 500})
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            expect(page.locator(".stub")).to_be_in_viewport()


@pytest.mark.parametrize("name", PAGES)
def test_redrawing_changes_nothing(house: ServerThread, browser: Browser, name: str) -> None:
    """Every page keeps its elements: nothing is added, lost or drawn twice."""
    page = open_context(browser).new_page()
    page.goto(f"{house.address}/sign-in")
    page.get_by_role("button", name=name).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    for path in PAGES[name]:
        if not path.startswith(WITHOUT_SCRIPTS):
            page.goto(house.address + path.format(**ADDRESSES))
            page.wait_for_load_state("networkidle")
            check_redrawing(page)


DISABLED = {
    "olga": ("/gaming", "fire alarm"),
    "ann": (f"/play/{RUN}", "Gaming is disabled: no new round starts."),
    "dana": ("/console/Harbor 1?role=dealer", "All gaming is disabled by operator olga"),
    "petra": ("/pit", "All gaming is disabled by operator olga"),
    "paul": ("/wall", "gaming disabled"),
}


def test_disabled_gaming_is_on_every_screen(house: ServerThread, browser: Browser) -> None:
    """Players see that, staff see why; every page says Croupier's version."""
    order, olga = DisableGaming(reason="fire alarm"), Account("olga", "operator")
    house.within(lambda floor: floor.change_gaming(order, olga, "disable"))
    for name, (path, text) in DISABLED.items():
        page = open_context(browser).new_page()
        page.goto(f"{house.address}/sign-in")
        page.get_by_role("button", name=name).click()
        page.wait_for_url(lambda url: "/sign-in" not in url)
        page.goto(house.address + path)
        expect(page.get_by_text(text).first).to_be_visible()
        expect(page.locator("footer.software")).to_contain_text(f"Croupier {__version__}")
        check_page(page, f"{path} disabled")

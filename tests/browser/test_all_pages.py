"""Every page of the demonstration at three sizes, in light and dark: whole and accessible."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.server import Floor
from croupier.server.demo_data import set_up
from tests.browser.chromium import still
from tests.browser.test_player_page import broken
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, answer, play, run, serving

pytestmark = pytest.mark.xdist_group(__name__)
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
SIZES = ((390, 844), (1280, 800), (1920, 1080))
ULTIMATE, RUN = "practice-ultimate-texas-holdem", "practice-run-em-twice"
PAGES = {
    "petra": ("/lobby", "/pit", "/agreements", "/console/Harbor 1?role=pit_manager", "/school"),
    "paul": ("/wall",),
    "olga": ("/manage", "{draft}", "/report/practice-top-five", "/guide/Harbor 1"),
    "tina": ("/school", "{lesson}"),
    "dana": ("/console/Harbor 1?role=dealer",),
    "ann": (f"/play/{ULTIMATE}", f"/play/{RUN}"),
    "sam": (f"/console/{ULTIMATE}?role=surveillance#round=1&eyes=whole",),
}
ADDRESSES: dict[str, str] = {}  # of what is begun for the pages


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """The floor of the demonstration, with rounds that were played and one that is."""
    with serving(Path(tmp_path_factory.mktemp("looks"))) as world:

        async def demonstration(floor: Floor) -> None:
            assert world.server is not None
            await set_up(world.server)
            for dealer in floor.dealers.values():
                dealer.pace = "at_once"

        world.within(demonstration)
        run(played(world))
        ADDRESSES.update(run(begun(world)))
        yield world


async def played(world: ServerThread) -> None:
    """Ann has played a round of each, and is asked in the next one; bob looks on."""
    async with await world.client("ann") as ann, await world.client("bob") as bob:
        for table in (ULTIMATE, RUN):
            await play(ann, table, 2)
            await bob.do(table, {"kind": "sit_down", "seat": 5})
            while (await ann.state(table))["state"]["view"]["round"]["due"]["kind"] != "decide":
                await answer(ann, table, (await ann.state(table))["state"])
                await asyncio.sleep(0.01)


async def begun(world: ServerThread) -> dict[str, str]:
    """The addresses of a draft and of a lesson."""
    async with await world.client("olga") as olga, await world.client("tina") as tina:
        draft = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
        begin = {"game": "ultimate_texas_holdem", "rounds": 2, "irregular": True}
        lesson = await request_json(tina, "/school/lessons", begin)
    return {"draft": f"/manage/{draft['id']}", "lesson": f"/lesson/{lesson['id']}"}


def photograph(page: Page, path: str) -> None:
    """Pictures for whoever wants to look, where CROUPIER_PICTURES names a folder."""
    folder = os.environ.get("CROUPIER_PICTURES")
    if folder is None:
        return
    name = "-".join(re.findall("[A-Za-z0-9]+", path)) or "door"
    width = page.evaluate("innerWidth")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png")
    page.emulate_media(color_scheme="light")


def check(page: Page, path: str) -> None:
    """Nothing is wider than the window, and axe finds nothing: dark on a phone, light on a wall."""
    page.wait_for_load_state("networkidle")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        photograph(page, path)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{path} is {over} wider than {width}"
        if width == SIZES[0][0]:
            page.emulate_media(color_scheme="dark")
            assert [] == broken(page), f"{path}, dark"
            page.emulate_media(color_scheme="light")
    assert [] == broken(page), f"{path}, light"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_and_is_accessible(
    house: ServerThread, browser: Browser, name: str
) -> None:
    """Whoever visits comes in from the door, and finds their pages whole."""
    context = still(browser)
    page = context.new_page()
    page.goto(f"{house.address}/sign-in")
    if name == "petra":
        check(page, "/sign-in")
    page.get_by_role("button", name=name).click()
    page.wait_for_url("**/lobby")
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    for path in PAGES[name]:
        page.goto(house.address + path.format(**ADDRESSES))
        check(page, path)
        if path == "{lesson}" or path.endswith("role=dealer"):
            page.set_viewport_size({"width": 1280, "height": 500})
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            expect(page.locator(".stub")).to_be_in_viewport()
    context.close()

"""The pit: the board and the queue of several tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from croupier.server import Floor
from croupier.server.client import ResponseError
from croupier.table import commands as cmd
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import act, make_ready


def refusal_status(world: ServerThread, name: str) -> int:
    """The status with which a person is refused the pit."""

    async def status() -> int:
        async with await world.client(name) as other:
            with pytest.raises(ResponseError) as refused:
                await other._request("GET", "/pit/tables")
            return refused.value.status

    return world.within(lambda floor: status())


@pytest.mark.xdist_group(__name__)
def test_steps_of_several_tables_are_taken_from_the_pit(tmp_path: Path, browser: Browser) -> None:
    """One queue has the due steps of every table; other people are refused."""
    with serving(tmp_path) as world:
        for name in ("P1", "P2"):
            world.open(name, "top_five", service="attended")
        assert {403} == {refusal_status(world, name) for name in ("ann", "dana", "sam")}
        frank = BrowserUser(world, browser, "frank")
        page = frank.page
        expect(page.locator(".board tbody tr")).to_have_count(2)
        posts = page.get_by_role("button", name="Sign on at")
        expect(posts).to_have_count(2)
        posts.first.click()
        expect(posts).to_have_count(1)
        assert [] == axe_violations(page)
        page.get_by_role("link", name="P1", exact=True).click()
        expect(page.get_by_role("region", name="Waiting for you")).to_be_visible()
        assert [] == axe_violations(page)
        assert [] == frank.page_errors
        page.close()


def test_evidence_is_what_a_view_shows(tmp_path: Path) -> None:
    """The floor reads who requested and counted, the cage the request; since when is on record."""
    with serving(tmp_path) as world:
        world.open("P1", "top_five", service="attended")
        make_ready(world, "P1")
        act(world, "P1", "frank", cmd.RequestFill("12", 50_000))
        act(world, "P1", "cal", cmd.CountFill("12", 40_000))

        async def read(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
            async with await world.client(name) as client:
                for _ in range(100):
                    answer = await client._request("GET", "/pit/tables?table=P1")
                    if name == "cal" or "rounds" in answer["tables"][0]:
                        break
                    await asyncio.sleep(0.05)
                return answer["queue"][0], answer["tables"][0]

        async def counted_at(floor: Floor) -> int:
            return floor.table_host("P1").table.chips.waiting["12"].changed_at

        at = world.within(counted_at)
        item, table = world.within(lambda floor: read("frank"))
        assert ("confirm_fill", at) == (item["step"]["kind"], item["since"])
        requested, counted = item["evidence"]["done"]
        assert "$500.00 requested by Frank" == requested
        assert "$400.00 counted by Cal" == counted
        assert ["cancel_slip"] == [step["kind"] for step in item["ways_out"]]
        assert {"A cashier recounts slip 12", "Dana recounts slip 12"} == {*item["others"]}
        assert 0 == table["rounds"] and not {"drop", "win"} & table.keys()
        item, table = world.within(lambda floor: read("cal"))
        assert ("recount_slip", "due") == (item["step"]["kind"], item["step"]["due"])
        assert "evidence" not in item and "rounds" not in table
        item, table = world.within(lambda floor: read("petra"))
        assert 50_000 == table["drop"] and 0 == table["win"]

"""The pit: the map and the queue of several tables, for supervisors."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from croupier.server.client import ResponseError
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, serving


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
        page.get_by_role("link", name="Pit", exact=True).click()
        expect(page.locator(".table-card")).to_have_count(2)
        waiting = page.locator(".queue [data-kind=take_post]")
        expect(waiting).to_have_count(2)
        waiting.first.get_by_role("button", name="Sign on at this table").click()
        expect(waiting).to_have_count(1)
        assert [] == axe_violations(page)
        world.open("machine", "top_five")

        async def sit_down() -> None:
            async with await world.client("ann") as ann:
                await ann.do("machine", {"kind": "sit_down", "seat": 3})

        world.within(lambda floor: sit_down())
        expect(
            page.get_by_role("img", name="Dealer: automated; players: seat 3 ann")
        ).to_be_visible()
        plans = page.get_by_role("img", name="Dealer: none; players: none")
        expect(plans).to_have_count(2)
        page.get_by_role("link", name="P1", exact=True).click()
        expect(page.get_by_text("Next steps")).to_be_visible()
        assert [] == axe_violations(page)
        assert [] == frank.page_errors
        page.close()

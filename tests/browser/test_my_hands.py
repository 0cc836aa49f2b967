"""My hands: own rounds step by step, other decisions, a link for others, an account of the day."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browser_user import BrowserUser, axe_violations, check_redrawing, press_decision
from tests.support.floor_server import ServerThread, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with a practice table."""
    with serving(tmp_path) as world:
        world.open("ultimate", "ultimate_texas_holdem", seed=41)
        yield world


def test_hands_are_replayed_changed_and_shared(house: ServerThread, browser: Browser) -> None:
    """Two rounds at a private table; the second is stepped through, replayed and shared."""
    ann = BrowserUser(house, browser, "ann")
    page = ann.page
    page.get_by_role("button", name="Play Ultimate").click()
    for number in (1, 2):
        expect(page.locator("button.deal")).to_be_enabled()
        page.keyboard.press("d")
        expect(page.get_by_text("Your decision before the flop")).to_be_visible()
        press_decision(page, "4")
        expect(page.locator(".headline", has_text=f"Round {number}")).to_be_visible()
    result = page.locator(".headline b").inner_text()
    page.get_by_role("link", name="My hands").click()
    expect(page.locator(".search-results li")).to_have_count(2)
    expect(page.get_by_role("heading", name="2 rounds, ")).to_be_visible()
    expect(page.locator(".headline b")).to_have_text(result)
    expect(page.locator(".own-hand .playing-card")).to_have_count(2)
    check_redrawing(page)

    change = page.get_by_role("button", name="Decide differently here")
    for _ in range(20):
        if change.is_visible():
            break
        before = page.url
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("url => location.href !== url", arg=before)
    expect(page.locator(".replay-events")).to_contain_text("You bet 4x: Play $20.")
    assert [] == axe_violations(page)
    change.click()
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_role("button", name="Fold", exact=True).click()
    expect(page.get_by_text(f"instead of {result}.")).to_be_visible()
    page.get_by_role("button", name="Create a link to this hand").click()
    link = page.get_by_label("can open this link").input_value()
    page.reload()  # the address names the round and the step
    expect(page.locator(".replay-events")).to_contain_text("You bet 4x: Play $20.")

    bob = BrowserUser(house, browser, "bob")
    bob.page.goto(link)
    expect(bob.page.locator(".own-hand .playing-card")).to_have_count(2)
    expect(bob.page.locator(".headline b")).to_have_text(result)
    assert 0 == bob.page.get_by_role("button", name="Create a link").count()
    assert [] == axe_violations(bob.page)
    bob.page.goto(f"{house.address}/hands/ultimate~ann")
    expect(bob.page.get_by_text("You are not a player at this table.")).to_be_visible()
    assert [] == ann.page_errors

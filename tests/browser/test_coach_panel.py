"""The coach's panel: why an option is best, a warning before a costly decision, nothing stale."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browser_user import BrowserUser, axe_violations, press_decision
from tests.support.floor_server import ServerThread, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with a practice table."""
    with serving(tmp_path) as world:
        world.open("top_five", "top_five", seed=46)
        yield world


def test_coach_explains_and_warns(house: ServerThread, browser: Browser) -> None:
    """A costly decision waits for a confirmation, with the rule; a good one does not."""
    ann = BrowserUser(house, browser, "ann")
    ann.sit("top_five", 3)
    page = ann.page
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name="Start coaching").click()
    expect(coach.get_by_text("0 rounds")).to_be_visible()
    coach.get_by_label("Warn me before a costly decision").check()
    for _ in range(2):
        page.keyboard.press("d")
        expect(page.get_by_text("Your decision")).to_be_visible()
        expect(coach.get_by_text("your costliest decision")).to_have_count(0)  # of the last round
        expect(coach.get_by_text("every decision was the best")).to_have_count(0)
        page.keyboard.press("h")
        options = coach.locator(".option-values tr")
        expect(options).to_have_count(2)
        expect(coach.locator(".why")).to_contain_text("imple rule")
        worst = options.last.locator("th").inner_text().lower()
        press_decision(page, "f" if worst == "fold" else "1")
        warning = page.get_by_role("alert")
        expect(warning).to_contain_text(f"\N{LEFT DOUBLE QUOTATION MARK}{worst}")
        assert [] == axe_violations(page)
        warning.get_by_role("button", name="Reconsider").click()
        expect(warning).to_have_count(0)
        press_decision(page, "f" if worst == "fold" else "1")
        page.get_by_role("button", name="anyway").click()
        expect(page.locator(".headline", has_text="Round")).to_be_visible()
        expect(coach.get_by_text("your costliest decision")).to_be_visible()
    expect(coach.get_by_text("Today: 2 rounds, 2 decisions, 2 mistakes")).to_be_visible()
    assert [] == ann.page_errors


def test_drill_deals_close_decisions(house: ServerThread, browser: Browser) -> None:
    """At a private table every hand after the next has a close decision; others are made."""
    ann = BrowserUser(house, browser, "ann")
    page = ann.page
    page.get_by_role("button", name="Play Top Five").click()
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name="Drill close decisions").click()
    expect(coach.get_by_text("every hand has a close decision")).to_be_visible(timeout=60_000)
    for number in range(1, 4):
        expect(page.locator("button.deal")).to_be_enabled()
        page.keyboard.press("d")
        settled = page.locator(".headline", has_text=f"Round {number}")
        prompt = page.get_by_text("Your decision")
        expect(settled.or_(prompt).first).to_be_visible()
        advice = page.request.get(f"{house.address}/tables/top_five~ann/advice").json()
        # The deck of the first round had been committed to before; its decision may be made by now.
        assert number == 1 or advice["close"]
        if advice["options"] and advice["close"]:
            press_decision(page, "f")
        expect(settled).to_be_visible()
    coach.get_by_role("button", name="End the drill").click()
    expect(coach.get_by_role("button", name="Drill close decisions")).to_be_visible()
    assert [] == axe_violations(page)
    assert [] == ann.page_errors

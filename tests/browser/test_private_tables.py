"""Private practice: two clicks from the lobby to the first card, at a table of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with one practice table."""
    with serving(tmp_path) as world:
        world.open("ultimate", "ultimate_texas_holdem", seed=4)
        yield world


def test_two_clicks_from_the_lobby_to_the_first_card(house: ServerThread, browser: Browser) -> None:
    """Both players have their own table, seat and chips; nobody waits for the other."""
    ann, bob = BrowserUser(house, browser, "ann"), BrowserUser(house, browser, "bob")
    for user in (ann, bob):
        user.page.get_by_role("button", name="Play Ultimate").click()
        user.page.get_by_role("button", name="Minimum bet and deal").click()
        expect(user.page.locator(".own-hand .playing-card").first).to_be_visible()
        assert user.page.url.endswith(("/play/ultimate~ann", "/play/ultimate~bob"))
        assert [] == axe_violations(user.page)
    page = bob.page
    page.goto(f"{house.address}/play/ultimate~ann")
    expect(page.get_by_text("You are not a player at this table.")).to_be_visible()
    page.goto(f"{house.address}/lobby")
    expect(page.locator(".table-card")).to_have_count(1)
    assert [] == ann.page_errors


def test_companions_come_on_request(house: ServerThread, browser: Browser) -> None:
    """A private table starts without companions; the player asks for them."""
    ann = BrowserUser(house, browser, "ann")
    page = ann.page
    page.get_by_role("button", name="Play Ultimate").click()
    expect(page.get_by_role("button", name="Minimum bet and deal")).to_be_visible()
    assert 0 == page.locator(".felt .seat-label:not(.empty):not(.own)").count()
    page.locator(".more > summary").click()
    page.get_by_label("count").select_option("2")
    page.get_by_role("button", name="Companions").click()
    expect(page.locator(".felt .seat-label:not(.empty):not(.own)")).to_have_count(2)
    assert [] == ann.page_errors


def test_a_shared_table_has_a_decision_clock(house: ServerThread, browser: Browser) -> None:
    """The ring shows the time to both players; alone at the table there is none."""
    ann, bob = BrowserUser(house, browser, "ann"), BrowserUser(house, browser, "bob")
    for user, seat in ((ann, 1), (bob, 2)):
        user.sit("ultimate_texas_holdem", seat)
    for user in (ann, bob):
        user.page.get_by_role("button", name="Minimum bet and deal").click()
    for user in (ann, bob):
        timer = user.page.get_by_role("timer")
        expect(timer).to_be_visible()
        assert 0 < int(timer.text_content() or "0") <= 45
        assert [] == axe_violations(user.page)
    expect(bob.page.get_by_text("Waiting for Ann to decide")).to_be_visible()
    ann.page.get_by_role("button", name="Leave table").click()
    expect(ann.page.get_by_text("Choose a seat")).to_be_visible()
    expect(bob.page.get_by_text("Your decision before the flop")).to_be_visible()
    expect(bob.page.get_by_role("timer")).to_have_count(0)  # nobody else is seated
    assert [] == ann.page_errors + bob.page_errors

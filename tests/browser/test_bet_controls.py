"""Bet controls: bets at a staffed table, several boxes, bets of any amount."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.analysis import with_settings
from croupier.games import House
from croupier.server import Floor
from croupier.submission import example
from tests.browser.browser_user import BrowserUser, axe_violations, press_decision
from tests.support.floor_server import ServerThread, serving
from tests.support.server_shift import bet, make_ready

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A staffed table that takes bets; Ann sits there with chips."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def stakes(world: ServerThread) -> dict[str, int]:
    """Ann's stakes on the table."""

    async def read(floor: Floor) -> dict[str, int]:
        table = floor.table_host(TABLE).table
        assert table.round is not None
        return dict(table.round.boxes[1].stakes) if 1 in table.round.boxes else {}

    return world.within(read)


def open_page(world: ServerThread, browser: Browser, name: str, path: str) -> BrowserUser:
    """A signed-in person at a page."""
    user = BrowserUser(world, browser, name)
    user.page.goto(f"{world.address}/{path}")
    return user


def expect_bets_placed(page: Page) -> None:
    """Wait until the page shows that the bets are placed."""
    expect(page.get_by_text("Bets placed. Waiting for the dealer.")).to_be_visible()
    expect(page.locator(".prompt small")).to_have_count(0)


def test_bets_at_a_staffed_table(house: ServerThread, browser: Browser) -> None:
    """One key places the slip; bets are raised, lowered and taken back."""
    ann = open_page(house, browser, "ann", f"play/{TABLE}")
    page = ann.page
    expect(page.get_by_role("button", name="Minimum bet")).to_contain_text("$10")
    for key in ("1", "3", "d"):
        page.keyboard.press(key)
    expect_bets_placed(page)
    assert {"ante": 500, "blind": 500, "trips": 500} == stakes(house)
    expect(page.locator("button.deal")).to_be_disabled()

    page.keyboard.press("1")
    expect(page.locator(".felt .stack.pending")).to_have_count(2)
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("d")
    expect(page.locator(".felt .stack.own")).to_have_count(2)
    expect_bets_placed(page)
    assert {"ante": 1000, "blind": 1000} == stakes(house)

    page.keyboard.press("x")
    expect(page.get_by_text("Place your bets", exact=True)).to_be_visible()
    assert {} == stakes(house)
    page.locator(".more > summary").click()  # a staffed table has no virtual deck
    expect(page.get_by_text("Deck verification")).to_have_count(0)
    assert [] == axe_violations(page)
    assert [] == ann.page_errors


def test_player_buys_chips_from_the_dealer(house: ServerThread, browser: Browser) -> None:
    """At a staffed table a new player has no chips; the page says where to buy them."""
    bob = open_page(house, browser, "bob", f"play/{TABLE}")
    bob.page.get_by_role("button", name="Seat 4").click()
    expect(bob.page.get_by_text("Buy chips from the dealer")).to_be_visible()
    dana = open_page(house, browser, "dana", f"console/{TABLE}?role=dealer")
    dana.page.get_by_role("button", name="Seat 4, Bob").click()
    dana.page.locator(".menu [data-kind=buy_in]").click()
    expect(dana.page.locator(".chosen input").first).to_be_focused()
    dana.page.keyboard.type("200")
    dana.page.keyboard.press("Enter")
    expect(bob.page.locator(".status .chips")).to_have_text("$200")
    expect(bob.page.get_by_text("Place your bets", exact=True)).to_be_visible()
    assert [] == bob.page_errors + dana.page_errors


def test_key_pressed_twice_counts_once(house: ServerThread, browser: Browser) -> None:
    """A key is ignored until the page shows the result of the first press."""
    ann = open_page(house, browser, "ann", f"play/{TABLE}")
    expect(ann.page.get_by_text("Place your bets", exact=True)).to_be_visible()
    ann.page.keyboard.press("1")
    ann.page.keyboard.press("d")
    expect_bets_placed(ann.page)
    dana = open_page(house, browser, "dana", f"console/{TABLE}?role=dealer")
    first = dana.page.locator(".step.primary[data-kind=no_more_bets]")
    expect(first).to_be_visible()
    dana.page.locator("[role=log]").click()  # leaves no focus that Enter would activate
    dana.page.keyboard.press("Enter")
    dana.page.keyboard.press("Enter")
    expect(dana.page.locator(".card-entry")).to_be_visible()
    assert [] == dana.page.locator(".panel .problem").all_inner_texts()
    assert [] == ann.page_errors + dana.page_errors


def test_rebet_after_a_reload(house: ServerThread, browser: Browser) -> None:
    """The last bets are read from the table, not stored by the page."""
    ann = open_page(house, browser, "ann", f"play/{TABLE}")
    expect(ann.page.get_by_text("Place your bets", exact=True)).to_be_visible()
    for key in ("1", "3", "d"):
        ann.page.keyboard.press(key)
    expect_bets_placed(ann.page)
    ann.page.reload()
    expect_bets_placed(ann.page)
    ann.page.keyboard.press("x")
    expect(ann.page.get_by_text("Place your bets", exact=True)).to_be_visible()
    expect(ann.page.locator("button.deal")).to_have_text("Rebet$15D")
    ann.page.keyboard.press("d")
    expect_bets_placed(ann.page)
    assert {"ante": 500, "blind": 500, "trips": 500} == stakes(house)


def test_bet_on_a_neighboring_box(house: ServerThread, browser: Browser) -> None:
    """Where the submission allows two boxes per player: bet, dealt, decided and settled."""
    house.open("two", "jackpot_holdem", seed=4)
    ann = open_page(house, browser, "ann", "play/two")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    expect(page.get_by_text("Place your bets", exact=True)).to_be_visible()
    expect(page.locator(".prompt small")).to_have_count(0)
    other = page.get_by_role("radio", name="Seat 4", exact=True)
    expect(other).to_be_disabled()
    page.keyboard.press("1")
    other.click()
    expect(other).to_have_attribute("aria-checked", "true")
    expect(page.locator(".prompt small")).to_have_count(0)
    page.keyboard.press("1")
    assert [] == axe_violations(page)
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision")).to_be_visible()
    expect(page.locator(".own-hand")).to_have_count(2)
    ann.decide_all()
    expect(page.locator(".settlement dl")).to_have_count(2)
    expect(page.locator("button.deal")).to_have_text("Rebet and deal$10D")
    assert [] == ann.page_errors


def any_amount() -> House:
    """Run 'Em Twice with bets of any amount."""
    return with_settings(example("run_em_twice"), {"run_bet_steps": "any_amount"})


def last_bet(world: ServerThread, table: str) -> dict[str, int]:
    """The run bets of the only box."""

    async def read(floor: Floor) -> dict[str, int]:
        current = floor.table_host(table).table.round
        assert current is not None
        ((_, box),) = current.boxes.items()
        return {name: cents for name, cents in box.stakes.items() if "run" in name}

    return world.within(read)


def test_bet_of_any_amount(house: ServerThread, browser: Browser) -> None:
    """Typed in dollars; the page does not send an amount outside the limits."""
    house.open("amounts", any_amount(), seed=4)
    ann = open_page(house, browser, "ann", "play/amounts")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    expect(page.get_by_text("Place your bets", exact=True)).to_be_visible()
    for key in ("1", "1", "d"):
        page.keyboard.press(key)
    amount = page.get_by_label("Other amount: $10 to $30")
    amount.fill("31")
    page.get_by_role("button", name="Bet amount").click()
    assert amount.evaluate("input => input.validity.rangeOverflow")
    amount.fill("13")
    page.get_by_role("button", name="Bet amount").click()
    expect(page.get_by_text("Your decision after the horizontal pair")).to_be_visible()
    assert {"first_run": 1300} == last_bet(house, "amounts")
    assert [] == axe_violations(page)
    press_decision(page, "f")
    expect(page.locator(".headline", has_text="Round")).to_be_visible()
    assert [] == ann.page_errors


@pytest.fixture
def staffed(tmp_path: Path) -> Iterator[ServerThread]:
    """A staffed table with bets of any amount, where Ann has bet."""
    with serving(tmp_path) as world:
        world.open("staffed", any_amount(), service="attended")
        make_ready(world, "staffed")
        bet(world, "staffed")
        yield world


def test_dealer_enters_any_amount_for_a_player(staffed: ServerThread, browser: Browser) -> None:
    """The dealer enters the player's bet; the cards may be face down."""
    dana = open_page(staffed, browser, "dana", "console/staffed?role=dealer")
    page = dana.page
    expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    page.keyboard.press("*")
    page.keyboard.press("Enter")  # deals, puts the stub away and asks for decisions
    page.get_by_label("Ann, other amount: $5 to $15").fill("7")
    page.get_by_role("button", name="Bet amount").click()
    expect(page.get_by_text("Ann bets 1st Run $7.")).to_be_visible()
    assert {"first_run": 700} == last_bet(staffed, "staffed")
    assert [] == axe_violations(page)
    assert [] == dana.page_errors


def test_unaffordable_bet_is_disabled_with_the_reason(
    house: ServerThread, browser: Browser
) -> None:
    """Two antes of $200 leave $100: no bet before the flop until more chips are bought."""
    house.open("poor", "ultimate_texas_holdem", seed=4)
    ann = open_page(house, browser, "ann", "play/poor")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    page.get_by_role("radio", name="$100", exact=True).click()
    for key in ("1", "1", "d"):
        page.keyboard.press(key)
    bet = page.get_by_role("button", name="Play 4x")
    expect(bet).to_be_disabled()
    expect(bet).to_contain_text("You are $700 short")
    expect(page.get_by_text("You are $500 short of the next bet.")).to_be_visible()
    page.keyboard.press("4")  # a disabled option has no key
    assert [] == axe_violations(page)
    for amount in ("$500", "$200"):
        page.get_by_role("button", name=f"Buy {amount} in chips").click()
    expect(bet).to_be_enabled()
    expect(page.locator(".purchase")).to_have_count(0)
    bet.click()
    expect(page.locator(".headline", has_text="Round")).to_be_visible()
    assert [] == ann.page_errors

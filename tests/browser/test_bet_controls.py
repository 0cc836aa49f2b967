"""A player's bets at a table that people serve, in real Chromium: laid, changed, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.analysis import with_settings
from croupier.games import House
from croupier.server import Floor
from croupier.submission import example
from tests.browser.chromium import still
from tests.browser.test_player_page import Player, broken
from tests.support.floor_server import World, serving
from tests.support.server_shift import bet, make_ready

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T4"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[World]:
    """A table of people that waits for wagers; Ann sits there with chips."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", service="attended")
        make_ready(world, TABLE)
        yield world


def stakes(world: World) -> dict[str, int]:
    """What lies before Ann, by the record."""

    async def found(floor: Floor) -> dict[str, int]:
        table = floor.desk(TABLE).table
        assert table.round is not None
        return dict(table.round.boxes[1].stakes) if 1 in table.round.boxes else {}

    return world.within(found)


def at(world: World, browser: Browser, name: str, path: str) -> Player:
    """Somebody at a page of the table."""
    found = Player(world, still(browser), name)
    found.page.goto(f"{world.address}/{path}")
    return found


def bets(page: Page) -> None:
    """Wait until the page shows that wagers lie there."""
    expect(page.get_by_text("Bets placed. Waiting for the dealer.")).to_be_visible()
    expect(page.locator(".prompt small")).to_have_count(0)


def test_bets_are_laid_where_people_deal(house: World, browser: Browser) -> None:
    """One key lays the slip down; chips are added to what lies there, taken from it, taken back."""
    ann = at(house, browser, "ann", f"play/{TABLE}")
    page = ann.page
    expect(page.get_by_role("button", name="Bet minimum")).to_contain_text("$10")
    for key in ("1", "3", "d"):
        page.keyboard.press(key)
    bets(page)
    assert {"ante": 500, "blind": 500, "trips": 500} == stakes(house)
    expect(page.locator("button.deal")).to_be_disabled()

    page.keyboard.press("1")
    expect(page.locator(".felt .stack.pending")).to_have_count(2)
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("d")
    expect(page.locator(".felt .stack.own")).to_have_count(2)
    bets(page)
    assert {"ante": 1000, "blind": 1000} == stakes(house)

    page.keyboard.press("x")
    expect(page.get_by_text("Place your bets")).to_be_visible()
    assert {} == stakes(house)
    page.locator(".more > summary").click()
    expect(page.get_by_role("heading", name="Paytables")).to_be_visible()
    expect(page.get_by_text("Deck verification")).to_have_count(0)  # no virtual deck is dealt here
    assert [] == broken(page)
    assert [] == ann.complaints
    page.context.close()


def test_the_dealer_changes_cash_for_whoever_sits_down(house: World, browser: Browser) -> None:
    """Where people deal nobody has chips by sitting down: the page says whom to ask."""
    bob = at(house, browser, "bob", f"play/{TABLE}")
    bob.page.get_by_role("button", name="Seat 4").click()
    expect(bob.page.get_by_text("Buy chips from the dealer")).to_be_visible()
    dana = at(house, browser, "dana", f"console/{TABLE}?role=dealer")
    buying = dana.page.locator(".panel [data-kind=buy_in]")
    buying.get_by_label("cash").fill("200")
    buying.get_by_role("button", name="Buy in").click()
    expect(bob.page.locator(".status .chips")).to_have_text("$200")
    expect(bob.page.get_by_text("Place your bets")).to_be_visible()
    assert [] == bob.complaints + dana.complaints
    for each in (bob, dana):
        each.page.context.close()


def test_a_key_pressed_twice_is_one_word(house: World, browser: Browser) -> None:
    """Until the page shows the answer, the same key is not taken again."""
    ann = at(house, browser, "ann", f"play/{TABLE}")
    expect(ann.page.get_by_text("Place your bets")).to_be_visible()
    ann.page.keyboard.press("1")
    ann.page.keyboard.press("d")
    bets(ann.page)
    dana = at(house, browser, "dana", f"console/{TABLE}?role=dealer")
    first = dana.page.locator(".step.primary[data-kind=no_more_bets]")
    expect(first).to_be_visible()
    menu = dana.page.get_by_text("Players, seats and chips")
    for _ in range(2):  # a mouse leaves nothing behind that Enter would press
        menu.click()
    dana.page.keyboard.press("Enter")
    dana.page.keyboard.press("Enter")
    expect(dana.page.locator(".card-entry")).to_be_visible()
    assert [] == dana.page.locator(".panel .problem").all_inner_texts()
    assert [] == ann.complaints + dana.complaints
    for each in (ann, dana):
        each.page.context.close()


def test_a_page_opened_again_bets_the_same_again(house: World, browser: Browser) -> None:
    """What was bet before is read from the table, not remembered by the page."""
    ann = at(house, browser, "ann", f"play/{TABLE}")
    expect(ann.page.get_by_text("Place your bets")).to_be_visible()
    for key in ("1", "3", "d"):
        ann.page.keyboard.press(key)
    bets(ann.page)
    ann.page.reload()
    bets(ann.page)
    ann.page.keyboard.press("x")
    expect(ann.page.get_by_text("Place your bets")).to_be_visible()
    expect(ann.page.locator("button.deal")).to_have_text("Rebet$15D")
    ann.page.keyboard.press("d")
    bets(ann.page)
    assert {"ante": 500, "blind": 500, "trips": 500} == stakes(house)
    ann.page.context.close()


def test_a_neighbouring_box_is_bet_on_too(house: World, browser: Browser) -> None:
    """Where the submission has two boxes for a player: laid down, dealt, decided and settled."""
    house.open("two", "jackpot_holdem", seed=4)
    ann = at(house, browser, "ann", "play/two")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    expect(page.get_by_text("Place your bets")).to_be_visible()
    expect(page.locator(".prompt small")).to_have_count(0)
    other = page.get_by_role("radio", name="Seat 4", exact=True)
    expect(other).to_be_disabled()
    page.keyboard.press("1")
    other.click()
    expect(other).to_have_attribute("aria-checked", "true")
    expect(page.locator(".prompt small")).to_have_count(0)
    page.keyboard.press("1")
    assert [] == broken(page)
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision")).to_be_visible()
    expect(page.locator(".own-hand")).to_have_count(2)
    ann.answer_all()
    expect(page.locator(".settlement dl")).to_have_count(2)
    expect(page.locator("button.deal")).to_have_text("Rebet and deal$10D")
    assert [] == ann.complaints
    page.context.close()


def any_amount() -> House:
    """Run 'Em Twice where a bet need not be a whole number of antes."""
    return with_settings(example("run_em_twice"), {"run_bet_steps": "any_amount"})


def last_bet(world: World, table: str) -> dict[str, int]:
    """The bets of the only box, by the record."""

    async def found(floor: Floor) -> dict[str, int]:
        current = floor.desk(table).table.round
        assert current is not None
        ((_, box),) = current.boxes.items()
        return {name: cents for name, cents in box.stakes.items() if "run" in name}

    return world.within(found)


def test_any_amount_is_bet_where_the_operator_allows_it(house: World, browser: Browser) -> None:
    """Typed in dollars beside the multiples; outside its bounds the page does not send it."""
    house.open("amounts", any_amount(), seed=4)
    ann = at(house, browser, "ann", "play/amounts")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    expect(page.get_by_text("Place your bets")).to_be_visible()
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
    assert [] == broken(page)
    page.keyboard.press("4")
    expect(page.locator(".settlement h2", has_text="Round")).to_be_visible()
    assert [] == ann.complaints
    page.context.close()


@pytest.fixture
def people(tmp_path: Path) -> Iterator[World]:
    """The same where people deal, and Ann has bet."""
    with serving(tmp_path) as world:
        world.open("people", any_amount(), service="attended")
        make_ready(world, "people")
        bet(world, "people")
        yield world


def test_a_dealer_types_any_amount_for_a_player(people: World, browser: Browser) -> None:
    """What the player says and lays down; the cards may be unseen."""
    dana = at(people, browser, "dana", "console/people?role=dealer")
    page = dana.page
    expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".card-entry")).to_be_visible()
    page.keyboard.press("*")
    page.keyboard.press("Enter")
    for step in ("discard_stub", "show_street"):
        expect(page.locator(f".primary[data-kind={step}]")).to_be_visible()
        page.keyboard.press("Enter")
    page.get_by_label("Ann, other amount: $5 to $15").fill("7")
    page.get_by_role("button", name="Bet amount").click()
    expect(page.get_by_text("Ann bets $7 on 1st Run.")).to_be_visible()
    assert {"first_run": 700} == last_bet(people, "people")
    assert [] == broken(page)
    assert [] == dana.complaints
    page.context.close()


def test_a_word_that_cannot_be_paid_is_shown_with_the_reason(
    house: World, browser: Browser
) -> None:
    """Two antes of $200 leave $100: no bet before the flop, until more chips are bought."""
    house.open("poor", "ultimate_texas_holdem", seed=4)
    ann = at(house, browser, "ann", "play/poor")
    page = ann.page
    page.get_by_role("button", name="Seat 3", exact=True).click()
    page.get_by_role("radio", name="$100", exact=True).click()
    for key in ("1", "1", "d"):
        page.keyboard.press(key)
    bet = page.get_by_role("button", name="Play 4x $800")
    expect(bet).to_be_disabled()
    expect(page.get_by_text("4x: ann is $700.00 short", exact=False)).to_be_visible()
    page.keyboard.press("3")  # no key for what cannot be said
    assert [] == broken(page)
    page.locator(".more > summary").click()
    page.get_by_label("cash").fill("1000")
    page.get_by_role("button", name="Buy chips").click()
    expect(bet).to_be_enabled()
    expect(page.locator(".choices p")).to_have_count(0)
    page.locator(".more > summary").click()
    bet.click()
    expect(page.locator(".settlement h2", has_text="Round")).to_be_visible()
    assert [] == ann.complaints
    page.context.close()

"""The player's seat: out of chips, fixed places and keys, results, two boxes, runs, rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.clock import now_ms
from croupier.games import CATALOGUE
from croupier.server import Floor
from croupier.server import protocol as msg
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from tests.browser.browser_user import (
    BrowserUser,
    axe_violations,
    check_redrawing,
    press_decision,
    press_repeatedly,
)
from tests.support.floor_server import ServerThread, serving

pytestmark = pytest.mark.xdist_group(__name__)
GAMES = [game.key for game in CATALOGUE]
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
TARGET = 44  # pixels


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with a practice table of every game."""
    with serving(tmp_path) as world:
        for number, game in enumerate(GAMES):
            world.open(game, game, seed=40 + number)
        yield world


def at_table(world: ServerThread, browser: Browser, game: str, cash: int = 50_000) -> BrowserUser:
    """Ann on seat 3 with these chips, in cents."""

    async def sit(floor: Floor) -> None:
        host, ann = floor.table_host(game), Account("ann", "player")
        await host.execute(Envelope("ann sits down", ann, now_ms(), cmd.SitDown(3)))
        if cash:
            bought = msg.BuyChips(cash)
            await floor.dealers[game].ask(bought, ann, "ann buys chips")

    world.within(sit)
    user = BrowserUser(world, browser, "ann")
    user.page.goto(f"{world.address}/play/{game}")
    expect(user.page.locator(".prompt")).to_be_visible()
    return user


@pytest.mark.parametrize(
    ("cash", "shown"), [(250, "You have $2.50"), (0, "You have $0")], ids=["short", "broke"]
)
def test_out_of_chips_says_what_is_missing(
    house: ServerThread, browser: Browser, cash: int, shown: str
) -> None:
    """The page names the minimum bet and sells chips, and the next round can be dealt."""
    ann = at_table(house, browser, "ultimate_texas_holdem", cash)
    page = ann.page
    expect(page.get_by_text(f"{shown}; the minimum bet is $10.")).to_be_visible()
    expect(page.get_by_text("Waiting for the dealer")).to_have_count(0)
    assert [] == axe_violations(page)
    page.get_by_role("button", name="Buy $100 in chips").click()
    expect(page.get_by_role("button", name="Minimum bet and deal")).to_be_enabled()
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision before the flop")).to_be_visible()
    assert [] == ann.page_errors


def center(button: Locator) -> tuple[float, float]:
    """The center of an element."""
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_fold_check_and_bets_keep_their_places(
    house: ServerThread, browser: Browser, size: dict[str, int]
) -> None:
    """Fold is left, check in the middle, bets are right; a free key never costs money."""
    ann = at_table(house, browser, "ultimate_texas_holdem")
    page = ann.page
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.keyboard.press("1")
    page.keyboard.press("d")
    places: dict[str, float] = {}
    for when in ("before the flop", "after the flop", "after the last two cards"):
        expect(page.get_by_text(f"Your decision {when}")).to_be_visible()
        words = []
        for button in page.locator(".actions [data-word]").all():
            word = button.get_attribute("data-word") or ""
            words.append(word)
            kind = "bet" if word.endswith("x") else word
            box = button.bounding_box()
            assert box is not None and min(box["width"], box["height"]) >= TARGET
            x, _ = center(button)
            assert kind == "bet" or places.setdefault(kind, x) == x
            assert x > size["width"] * 0.3 if kind == "bet" else x < size["width"] * 0.6
            key = button.locator("kbd").text_content() or ""
            assert key.isdigit() == (kind == "bet")  # letters are free, digits cost money
        press_decision(page, "c" if "check" in words else "f")
    assert places["fold"] < places["check"]
    expect(page.locator(".headline")).to_contain_text("folded")
    assert [] == ann.page_errors


def test_press_counts_for_the_decision_that_was_read(house: ServerThread, browser: Browser) -> None:
    """Of a double press, the second never answers the decision that appears after the first."""
    ann = at_table(house, browser, "ultimate_texas_holdem")
    page = ann.page
    page.keyboard.press("1")
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Check")).to_be_enabled()
    press_repeatedly(page, "KeyC", "[data-word=check]", "decision after the flop")
    expect(page.get_by_text("Your decision after the flop")).to_be_visible()
    checks = page.locator("[role=log] p", has_text="You check.")
    expect(checks).to_have_count(1)
    press_decision(page, "c")
    expect(page.get_by_text("Your decision after the last two cards")).to_be_visible()
    expect(checks).to_have_count(2)
    assert [] == ann.page_errors


def visible_part(page: Page, element: Locator) -> bool:
    """Whether an element is in the window and not behind the buttons at the bottom."""
    box, bar = element.bounding_box(), page.locator(".action-bar").bounding_box()
    assert box is not None and bar is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= bar["y"] + 1


@pytest.mark.parametrize("game", GAMES)
def test_result_comes_first(house: ServerThread, browser: Browser, game: str) -> None:
    """Net result and hand with ranks as the headline, every wager with its reason below."""
    ann = at_table(house, browser, game)
    page = ann.page
    page.keyboard.press("d")
    ann.decide_all()
    headline = page.locator(".headline")
    amount = "(\\+|\N{MINUS SIGN})?\\$[0-9.,]+"
    assert re.match(f"{amount}: .*(s\\b|high|low).* Round 1$", headline.inner_text())
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        assert visible_part(page, headline)
        for row in page.locator(".settlement dl > div").all():
            assert visible_part(page, row), row.inner_text()
            assert row.locator(".reason").inner_text().strip()
    check_redrawing(page)
    assert [] == ann.page_errors


def test_paytable_of_a_spot_and_clauses_on_request(house: ServerThread, browser: Browser) -> None:
    """A tap shows a paytable, another the gaming guide; clause numbers wait behind a switch."""
    ann = at_table(house, browser, "ultimate_texas_holdem")
    page = ann.page
    page.get_by_role("button", name="Paytable and rule: Trips").click()
    dialog = page.get_by_role("dialog", name="Paytable: Trips")
    expect(dialog.get_by_role("row", name="royal flush")).to_be_visible()
    assert [] == axe_violations(page)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    guide = page.get_by_role("link", name="Rules").get_attribute("href") or ""
    assert page.request.get(f"{house.address}{guide}").ok
    page.keyboard.press("d")
    ann.decide_all()
    clause = page.locator(".settlement cite").first
    expect(clause).to_be_hidden()
    page.get_by_role("button", name="Clause numbers").click()
    expect(clause).to_be_visible()
    page.reload()
    expect(page.locator(".event-log")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-clauses", "on")


def test_whole_table_is_another_view(house: ServerThread, browser: Browser) -> None:
    """The seat fills the page; one button shows the felt with all seats instead."""
    ann = at_table(house, browser, "ultimate_texas_holdem")
    page = ann.page
    page.keyboard.press("d")
    expect(page.locator(".own-hand")).to_be_visible()
    expect(page.locator(".felt")).to_be_hidden()
    page.get_by_role("button", name="Whole table").click()
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".own-hand")).to_be_hidden()
    for button in page.locator("button:visible, .button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= TARGET or button.get_attribute("tabindex")


def test_runs_have_their_own_names(house: ServerThread, browser: Browser) -> None:
    """Run 'Em Twice keeps its cross; each run is named with its hand."""
    ann = at_table(house, browser, "run_em_twice")
    page = ann.page
    page.keyboard.press("d")
    ann.decide_all()
    expect(page.locator(".cross-cards .playing-card")).to_have_count(5)
    runs = page.locator(".runs li")
    assert ["1st run", "2nd run"] == runs.locator("b").all_inner_texts()
    for words in runs.locator("span").all_inner_texts():
        assert re.search("high$|^pair of|^two pair|^three|^straight|^flush|^full|^four", words)
    colors = {run.evaluate("run => getComputedStyle(run).borderLeftColor") for run in runs.all()}
    assert 2 == len(colors)


def test_the_box_in_question_is_named(house: ServerThread, browser: Browser) -> None:
    """With two boxes the hand that decides is named and large, the other one is dimmed."""
    ann = at_table(house, browser, "jackpot_holdem")
    page = ann.page
    page.keyboard.press("1")
    page.get_by_role("radio", name="Seat 4", exact=True).click()
    expect(page.locator(".prompt small")).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press("d")
    named = []
    for _ in range(2):
        prompt = page.locator(".prompt", has_text="your decision after the first card")
        expect(prompt).to_be_visible()
        current = page.locator(".own-hand.current p span").inner_text()
        assert prompt.inner_text().startswith(f"{current}: ")
        expect(page.locator(".own-hand.dimmed")).to_have_count(1)
        named.append(current)
        press_decision(page, "c")
        expect(
            page.locator(".prompt", has_text=f"{current}: your decision after the f")
        ).to_have_count(0)
    assert {"Seat 3", "Seat 4"} == set(named)
    lines = page.locator("[role=log] p", has_text=re.compile("check")).all_inner_texts()
    assert lines and all(line.startswith("Seat ") for line in lines)
    assert [] == ann.page_errors


def test_hints_in_the_first_round_only(house: ServerThread, browser: Browser) -> None:
    """The first round of a game explains the spots and the buttons."""
    ann = at_table(house, browser, "top_five")
    page = ann.page
    hint = page.get_by_role("note")
    expect(hint).to_contain_text("Choose a chip, then tap the spots")
    page.keyboard.press("d")
    expect(hint).to_contain_text("Each button shows what it costs")
    assert [] == axe_violations(page)
    press_decision(page, "1")
    expect(page.locator(".headline")).to_be_visible()
    expect(hint).to_have_count(0)
    page.keyboard.press("d")
    expect(page.get_by_text("Your decision")).to_be_visible()
    expect(hint).to_have_count(0)
    assert [] == ann.page_errors

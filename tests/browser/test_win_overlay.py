"""A jackpot and an envy bonus in the page, what they sound like, and a player who wants neither."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.cards import DECK, names, parse_deck
from croupier.server import Floor
from croupier.submission import example
from croupier.table.drivers.shuffler import Committed, Shuffler
from tests.browser.test_player_page import Player, broken
from tests.support.floor_server import World, serving

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "royal"
# The box of the Six Card Bonus, the board, the dealer, seat 1: a royal flush with the flop.
TOP = ("2c", "3c", "4d", "5d", "Qs", "Js", "Ts", "7h", "8h", "2d", "9c", "As", "Ks", "4h", "6h")
# What a page plays is counted before it is heard: browsers of tests have no loudspeaker.
LISTEN = """
window.heard = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...given) {
  window.heard += 1;
  return start.apply(this, given);
};
"""


class Rigged(Shuffler):
    """A royal flush for seat 1 in every round."""

    def deck(self) -> Committed:
        """These cards on top of all others."""
        rest = [name for name in names(DECK) if name not in TOP]
        return Committed(tuple(parse_deck(" ".join((*TOP, *rest)))), "0" * 32)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[World]:
    """One practice table, whose deck everybody would like to play with."""
    with serving(tmp_path) as world:

        async def opening(floor: Floor) -> None:
            rules = example("ultimate_texas_holdem")
            await floor.open(TABLE, rules, service="practice", shuffler=Rigged())
            floor.dealers[TABLE].pace = "at_once"

        world.within(opening)
        yield world


def sit(world: World, browser: Browser, name: str, seat: int, **context: str) -> Player:
    """Somebody with chips at the table, who listens."""
    player = Player(world, browser.new_context(**context), name)  # type: ignore[arg-type]
    player.page.add_init_script(LISTEN)
    player.page.goto(f"{world.address}/play/{TABLE}")
    player.page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
    expect(player.page.get_by_text("Place your bets")).to_be_visible()
    expect(player.page.locator(".prompt small")).to_have_count(0)
    return player


def played(*players: Player) -> None:
    """Everybody bets the ante and a progressive chip, and checks for as long as that is free."""
    for player in players:
        for key in ("1", "4", "d"):
            player.page.keyboard.press(key)
    first = players[0].page
    for _ in range(12):
        if first.locator(".settlement h2", has_text="Round").is_visible():
            return
        for player in players:
            if player.page.get_by_text("Your decision").is_visible():
                player.page.keyboard.press("1")
        first.wait_for_timeout(300)


def heard(page: Page) -> int:
    """How many waves and bursts a page has begun to play."""
    found: int = page.evaluate("window.heard")
    return found


def test_a_jackpot_and_an_envy_bonus_are_celebrated(house: World, browser: Browser) -> None:
    """Both see both, each in their own words, until a key puts it away; nothing sounds unasked."""
    ann, bob = sit(house, browser, "ann", 1), sit(house, browser, "bob", 2)
    played(ann, bob)
    banner = ann.page.locator(".win-overlay .banner")
    expect(banner).to_contain_text("You: mega jackpot $10,000.")
    expect(banner).to_contain_text("Bob: envy bonus for your royal flush $1,000")
    other = bob.page.locator(".win-overlay .banner")
    expect(other).to_contain_text("Ann: mega jackpot")
    expect(other).to_contain_text("You: envy bonus for Ann's royal flush $1,000")
    assert [] == broken(ann.page)
    assert 0 == heard(ann.page) == heard(bob.page)
    ann.page.keyboard.press("Escape")
    expect(banner).to_have_count(0)
    bob.page.get_by_role("button", name="Close").click()
    expect(other).to_have_count(0)
    assert [] == ann.complaints + bob.complaints
    for each in (ann, bob):
        each.page.context.close()


def test_sound_is_for_those_who_ask_and_stillness_too(house: World, browser: Browser) -> None:
    """The button says whether it is on, and remembers; who wants no motion sees no chips fall."""
    ann = sit(house, browser, "ann", 1, reduced_motion="reduce")
    button = ann.page.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    played(ann)
    expect(ann.page.locator(".win-overlay .banner")).to_be_visible()
    expect(ann.page.locator(".falling-chips")).to_be_hidden()
    assert heard(ann.page) > 0
    ann.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert [] == ann.complaints
    ann.page.context.close()

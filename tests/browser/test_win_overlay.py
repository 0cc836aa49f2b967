"""The win overlay of a jackpot and an envy bonus, and sounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.cards import DECK, names, parse_deck
from croupier.server import Floor
from croupier.submission import example
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, serving

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "royal"
ROUND_SECONDS = 60
# The box of the Six Card Bonus, the board, the dealer, seat 1: a royal flush with the flop.
TOP = ("2c", "3c", "4d", "5d", "Qs", "Js", "Ts", "7h", "8h", "2d", "9c", "As", "Ks", "4h", "6h")
# Counts the sounds that a page starts: a headless browser has no audio output.
COUNT_SOUNDS = """
window.sounds = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...args) {
  window.sounds += 1;
  return start.apply(this, args);
};
"""


class RiggedShuffler(Shuffler):
    """Deals a royal flush to seat 1 in every round."""

    def deck(self) -> CommittedDeck:
        """The chosen cards on top of the others."""
        rest = [name for name in names(DECK) if name not in TOP]
        return CommittedDeck(tuple(parse_deck(" ".join((*TOP, *rest)))), "0" * 32)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServerThread]:
    """One practice table with a rigged deck."""
    with serving(tmp_path) as world:

        async def open_table(floor: Floor) -> None:
            rules = example("ultimate_texas_holdem")
            await floor.open(TABLE, rules, service="practice", shuffler=RiggedShuffler())
            floor.dealers[TABLE].pace = "at_once"

        world.within(open_table)
        yield world


def sit(world: ServerThread, browser: Browser, name: str, seat: int, motion: str) -> BrowserUser:
    """A player with chips at the table, whose page counts sounds."""
    player = BrowserUser(world, browser, name, reduced_motion=motion)
    player.page.add_init_script(COUNT_SOUNDS)
    player.page.goto(f"{world.address}/play/{TABLE}")
    player.page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
    expect(player.page.get_by_text("Place your bets", exact=True)).to_be_visible()
    expect(player.page.locator(".prompt small")).to_have_count(0)
    return player


def play_round(*players: BrowserUser) -> None:
    """Everyone bets ante and progressive, and makes the highest bet at each decision."""
    for player in players:
        for key in ("1", "4", "d"):
            player.page.keyboard.press(key)
    first = players[0].page
    until = monotonic() + ROUND_SECONDS
    while not first.locator(".headline", has_text="Round").is_visible():
        assert monotonic() < until, "the round does not end"
        for player in players:
            bets = player.page.locator(".place-bets [data-word]:enabled")
            if bets.count():
                bets.last.click()
        first.wait_for_timeout(50)


def sound_count(page: Page) -> int:
    """The number of sounds that a page has started."""
    count: int = page.evaluate("window.sounds")
    return count


def test_overlay_announces_jackpot_and_envy_bonus(house: ServerThread, browser: Browser) -> None:
    """Both players see both wins, addressed to them, until they close it; sound is off."""
    ann = sit(house, browser, "ann", 1, "no-preference")
    bob = sit(house, browser, "bob", 2, "no-preference")
    play_round(ann, bob)
    banner = ann.page.locator(".win-overlay .banner")
    expect(banner).to_contain_text("The mega meter pays you $10,000.")
    expect(banner).to_contain_text("Bob wins an envy bonus of $1,000 for your royal flush.")
    other = bob.page.locator(".win-overlay .banner")
    expect(other).to_contain_text("The mega meter pays Ann $10,000.")
    expect(other).to_contain_text("You win an envy bonus of $1,000 for Ann's royal flush.")
    assert [] == axe_violations(ann.page)
    assert 0 == sound_count(ann.page) == sound_count(bob.page)
    ann.page.keyboard.press("Escape")
    expect(banner).to_have_count(0)
    bob.page.get_by_role("button", name="Close").click()
    expect(other).to_have_count(0)
    assert [] == ann.page_errors + bob.page_errors


def test_sound_and_reduced_motion(house: ServerThread, browser: Browser) -> None:
    """The sound button keeps its state; with reduced motion no chips fall."""
    ann = sit(house, browser, "ann", 1, "reduce")
    button = ann.page.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    play_round(ann)
    expect(ann.page.locator(".win-overlay .banner")).to_be_visible()
    expect(ann.page.locator(".falling-chips")).to_be_hidden()
    assert sound_count(ann.page) > 0
    ann.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert [] == ann.page_errors

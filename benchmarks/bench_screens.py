"""Load time of a first table on a slow phone; key presses and bytes of a round at the console.

    python -m benchmarks.bench_screens

The phone is Chromium with an empty cache, a CPU slowed down four times and the "Fast 3G" of its
developer tools: 562 ms until a response begins, 1.44 Mbit/s. The dealer's rounds are those of
`tests/browser/test_dealer_console.py`: two players with phones, cards that are dealt face down and
typed when they are turned, or read by the shoe.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from croupier.games import CATALOGUE
from tests.browser.browser_user import BrowserUser, ReceivedBytes
from tests.browser.chromium import HELP, find_chromium
from tests.browser.test_dealer_console import reading, two_players
from tests.support.floor_server import serving

FAST_3G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 180_000,
    "uploadThroughput": 84_375,
}
SLOWDOWN = 4
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "is_mobile": True}


def first_table(browser: Browser, game: str) -> str:
    """The load of a practice table by a player who sees it for the first time."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as world:
        world.open("T", game)
        page = BrowserUser(world, browser, "ann", **PHONE).page
        received = ReceivedBytes(page)
        received.session.send("Network.clearBrowserCache")
        received.session.send("Network.emulateNetworkConditions", FAST_3G)
        received.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        begun = time.monotonic()
        page.goto(f"{world.address}/play/T", wait_until="commit")
        page.locator(".seat button:enabled").first.wait_for()
        seconds = time.monotonic() - begun
        page.wait_for_load_state("networkidle")
        page.context.close()
    size = f"{received.http / 1000:5.1f} KB in {received.responses} responses"
    return f"interactive after {seconds:.2f} s, {size}, feed {received.feed / 1000:.1f} KB"


def dealer_round(browser: Browser, game: str, reader: bool) -> str:
    """One round at the dealer's console."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as world:
        dealer = two_players(world, browser, game)
        received = ReceivedBytes(dealer.page)
        dealer.page.reload()  # the feed is counted from its connection
        dealer.page.locator(".act").wait_for()
        phones = ("ann", "bob")
        if reader:
            with reading(world):
                dealer.play(reader=True, phones=phones)
        else:
            dealer.play(unseen=True, phones=phones)
        dealer.page.context.close()
    kind = "card reader" if reader else "typed cards"
    return f"{kind}: {dealer.keys:2} key presses, {received.feed / 1000:5.1f} KB received"


def main() -> None:
    """Print a line per game and question."""
    executable = find_chromium()
    if not executable:
        print(HELP)
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for game in (each.key for each in CATALOGUE):
            print(f"{game}: {first_table(browser, game)}", flush=True)
            for reader in (False, True):
                print(f"{game}: {dealer_round(browser, game, reader)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()

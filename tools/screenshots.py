"""Takes the screenshots of README and docs: `make pictures`.

Decks come from seeds, so that new screenshots differ only in what was changed.
"""

from __future__ import annotations

import asyncio
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from croupier.clock import DAY, now_ms
from croupier.games import CATALOGUE
from croupier.ledger import day_close
from croupier.ledger.log.transparency import signing_keys
from croupier.server.client import Client
from croupier.server.oversight import day_endpoints
from croupier.table import commands as cmd
from tests.browser.browser_user import BrowserUser, press_decision
from tests.browser.chromium import install_chromium
from tests.server.api.test_submission_changes import decide, send
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, answer, play, run, serving
from tests.support.paths import ROOT
from tests.support.server_shift import act, bet, make_ready, play_round, serve_house

PICTURES = ROOT / "docs" / "pictures"
ULTIMATE = "practice-ultimate-texas-holdem"
ATTENDED = "Harbor 1"
SEEDS = {"ultimate_texas_holdem": 12}


def photograph(page: Page, name: str) -> None:
    """Save a screenshot of the window once it has settled."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    image.quantize(256).save(PICTURES / f"screen_{name}.png", optimize=True)  # a third of the bytes
    print(f"screen_{name}.png")


def visit(
    world: ServerThread, browser: Browser, name: str, path: str, *, wide: bool = False
) -> Page:
    """A page, for an account that is signed in."""
    options = {"viewport": {"width": 1920, "height": 860}} if wide else {}
    page = BrowserUser(world, browser, name, **options).page
    page.goto(f"{world.address}{path}")
    return page


async def companions(client: Client, table: str, count: int) -> None:
    """Sit down with simulated players, and buy chips."""
    await client.do(table, {"kind": "sit_down", "seat": 3})
    await client.ask(table, {"kind": "buy_chips", "cash": 50_000})
    await client.ask(table, {"kind": "set_companions", "count": count})


async def decide_at(client: Client, table: str) -> None:
    """Bet the minimum until a decision is due."""
    while (state := (await client.state(table))["state"])["view"]["round"] is None or (
        state["view"]["round"]["due"]["kind"] != "decide"
    ):
        await answer(client, table, state)
        await asyncio.sleep(0.02)


def lively(world: ServerThread) -> None:
    """Bob has a decision at every practice table but one, where he sits with two others."""

    async def start() -> None:
        async with await world.client("bob") as bob, await world.client("ann") as ann:
            await play(ann, "practice-top-five", 5)
            for game in CATALOGUE:
                table = f"practice-{game.key.replace('_', '-')}"
                await companions(bob, table, 2)
                if table != ULTIMATE:
                    await decide_at(bob, table)

    run(start())


def player(world: ServerThread, browser: Browser) -> None:
    """A decision after the flop, with two companions."""
    page = visit(world, browser, "bob", f"/play/{ULTIMATE}")
    expect(page.get_by_text("Place your bets")).to_be_visible()
    for key in ("1", "1", "3", "4", "d"):
        page.keyboard.press(key)
    expect(page.get_by_text("Your decision before the flop")).to_be_visible()
    press_decision(page, "c")
    expect(page.get_by_text("Your decision after the flop")).to_be_visible()
    photograph(page, "player")
    press_decision(page, "2")
    expect(page.locator(".headline", has_text="Round")).to_be_visible()
    page.context.close()


def replay(world: ServerThread, browser: Browser) -> None:
    """The replay of the same round at the showdown, with all cards."""
    page = visit(world, browser, "sam", f"/search#table={ULTIMATE}&round=1&eyes=whole")
    slider = page.get_by_label("Step")
    expect(slider).to_be_visible()
    for _ in range(int(slider.get_attribute("max") or 0)):
        if page.locator(".replay-events", has_text="shows").count():
            break
        page.keyboard.press("ArrowRight")
    page.locator(".replay-view").evaluate("view => view.scrollIntoView()")
    photograph(page, "replay")
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    photograph(page, "search")
    page.context.close()


def gaming_days(world: ServerThread, browser: Browser, folder: Path) -> None:
    """A closed day, and the key file that signs it."""
    later = now_ms() + DAY
    for module in (day_close, day_endpoints):
        module.now_ms = lambda: later  # type: ignore[attr-defined]
    page = visit(world, browser, "petra", "/days")
    page.get_by_role("button", name="Close 20").click()
    signing_keys.new_key(folder / "signing.pem")
    page.get_by_label("Name of the log").fill("harbor.example/ledger")
    page.get_by_label("Private key file").set_input_files(folder / "signing.pem")
    expect(page.get_by_text("which has signed no earlier day")).to_be_visible()
    photograph(page, "days")
    for module in (day_close, day_endpoints):
        module.now_ms = now_ms  # type: ignore[attr-defined]
    page.context.close()


def dealer(world: ServerThread, browser: Browser) -> None:
    """Cards are being entered, after the floor has resolved a count."""
    page = visit(world, browser, "dana", f"/console/{ATTENDED}?role=dealer")
    expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
    page.keyboard.press("Enter")
    page.locator(".primary[data-kind=count_progressive] input").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Count the progressive chips is on hold")).to_be_visible()
    pit = visit(world, browser, "petra", "/pit")
    expect(pit.get_by_role("button", name="Resolve the progressive count")).to_be_visible()
    expect(pit.locator("[data-label=Win]")).to_contain_text("$")
    photograph(pit, "pit")
    difference = pit.locator("[data-kind=resolve_progressive]")
    difference.get_by_label("reason").fill("recounted with the players")
    difference.get_by_role("button", name="Resolve the progressive count").click()
    expect(page.locator(".card-entry")).to_be_visible()
    for key in "asqhtd":
        page.keyboard.press(key)
    photograph(page, "dealer")
    pit.context.close()
    page.context.close()


def start_papers(world: ServerThread) -> tuple[str, str]:
    """A draft and a lesson."""

    async def start() -> tuple[str, str]:
        async with await world.client("olga") as olga, await world.client("tina") as tina:
            draft = {"game": "ultimate_texas_holdem", "operator": "Harbor Casino"}
            lesson = {"game": "ultimate_texas_holdem", "rounds": 3, "irregular": False}
            return (
                (await request_json(olga, "/submissions", draft))["id"],
                (await request_json(tina, "/school/lessons", lesson))["id"],
            )

    return run(start())


def papers(world: ServerThread, browser: Browser, draft: str, lesson: str) -> None:
    """A draft, and a lesson of the school."""
    page = visit(world, browser, "olga", f"/manage/{draft}")
    expect(page.get_by_text("Send for approval")).to_be_visible()
    photograph(page, "submission")
    page.context.close()
    page = visit(world, browser, "tina", f"/lesson/{lesson}")
    expect(page.locator(".primary[data-kind=no_more_bets]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Correct.")).to_be_visible()
    photograph(page, "school")
    page.context.close()


async def send_changes(world: ServerThread) -> str:
    """An amendment that was returned once and waits for approval; its address."""
    async with await world.client("olga") as olga, await world.client("otto") as otto:
        first = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Harbor"})
        approval = {"choices.layout_approval": "Layout HC-9, approved 2031-02-14"}
        await decide(otto, await send(olga, first, **approval), approved=True)
        body = {"game": "top_five", "based_on": first["id"]}
        second = await request_json(olga, "/submissions", body)
        sent = await send(
            olga, second, **{"limits.ante.min": "25", "paytables.top_five_bonus": "B"}
        )
        returned = await decide(otto, sent, approved=False)
        await send(olga, returned, **{"limits.ante.min": "15"})
        return f"/manage/{second['id']}"


async def start_test(world: ServerThread) -> str:
    """A lesson without prompts; its address."""
    async with await world.client("tina") as tina:
        begun = {"game": "top_five", "rounds": 2, "irregular": False, "prompts": False}
        lesson = await request_json(tina, "/school/lessons", begun | {"pass_mark": 80})
        return f"/lesson/{lesson['id']}"


def reports(world: ServerThread, browser: Browser, changes: str, test: str) -> None:
    """The win report, the changes for an approver, and a lesson without prompts."""
    page = visit(world, browser, "olga", f"/report/{ULTIMATE}")
    expect(page.locator(".win-chart")).to_be_visible()
    photograph(page, "report")
    page.context.close()
    page = visit(world, browser, "otto", changes)
    expect(page.get_by_role("region", name="Against the last proposal", exact=True)).to_be_visible()
    photograph(page, "changes")
    page.context.close()
    page = visit(world, browser, "tina", test)
    page.get_by_role("button", name="Shuffle a deck").click()
    expect(page.locator(".clause-text")).to_be_visible()
    photograph(page, "school_test")
    page.context.close()


def main() -> None:
    """Take every screenshot."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as world:
        for number, game in enumerate(CATALOGUE, 1):
            seed = SEEDS.get(game.key, number)
            world.open(f"practice-{game.key.replace('_', '-')}", game.key, seed=seed)
        world.open(ATTENDED, "ultimate_texas_holdem", service="attended")
        make_ready(world, ATTENDED)
        bet(world, ATTENDED)
        play_round(world, ATTENDED)
        bet(world, ATTENDED, progressive=True)
        serve_house(world, ATTENDED, but=())  # the dealt deck is shuffled
        act(world, ATTENDED, "ann", cmd.OpenDispute(1, "My straight was read as a pair."))
        act(world, ATTENDED, "frank", cmd.RequestFill("12", 50_000))
        act(world, ATTENDED, "cal", cmd.CountFill("12", 40_000))
        lively(world)
        draft, lesson = start_papers(world)
        changes = run(send_changes(world))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=install_chromium(), args=["--no-sandbox"]
            )
            player(world, browser)
            replay(world, browser)
            gaming_days(world, browser, Path(folder))
            dealer(world, browser)
            wall = visit(world, browser, "sam", "/wall", wide=True)
            expect(wall.locator(".tile .playing-card").first).to_be_visible()
            photograph(wall, "wall")
            papers(world, browser, draft, lesson)
            reports(world, browser, changes, world.within(lambda floor: start_test(world)))
            browser.close()


if __name__ == "__main__":
    main()

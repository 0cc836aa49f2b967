"""Surveillance in the browser: rounds of all tables are searched, replayed, exported with proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.ledger import Ledger
from croupier.ledger.log.transparency import checkpoint, signed_note, verifier
from croupier.server.oversight import surveillance_endpoints
from tests.browser.browser_user import BrowserUser, axe_violations, check_redrawing
from tests.server.oversight.test_day_endpoints import NAME
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.run_python import run_python

pytestmark = pytest.mark.xdist_group(__name__)
TABLES = ("Bay 1", "Bay 2")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """Two practice tables: Ann played two rounds at the first, Bob one at the second."""
    with serving(Path(tmp_path_factory.mktemp("watch"))) as world:
        for table in TABLES:
            world.open(table, "ultimate_texas_holdem", seed=9)

        async def playing() -> None:
            async with await world.client("ann") as ann, await world.client("bob") as bob:
                await play(ann, TABLES[0], 2, rounds=2)
                await play(bob, TABLES[1], 3)

        run(playing())
        yield world


def open_search(floor: ServerThread, browser: Browser, query: str = "") -> BrowserUser:
    """The search page for a surveillance operator."""
    sam = BrowserUser(floor, browser, "sam")
    sam.page.goto(f"{floor.address}/search{query}")
    expect(sam.page.locator(".found-rounds tbody tr").first).to_be_visible()
    return sam


def test_rounds_of_all_tables_are_searched(floor: ServerThread, browser: Browser) -> None:
    """Each criterion narrows the list; the address has them, and Back returns to the last ones."""
    sam = open_search(floor, browser)
    page, rows = sam.page, sam.page.locator(".found-rounds tbody tr")
    for table in TABLES:
        expect(rows.filter(has_text=table).first).to_be_visible()
    page.get_by_role("textbox", name="Player").fill("bob")
    page.get_by_role("button", name="Search").click()
    expect(rows.filter(has_text=TABLES[0])).to_have_count(0)
    expect(rows.filter(has_text="Bob").first).to_be_visible()
    assert "player=bob" in page.url
    page.get_by_label("Irregularity").select_option(label="Round void")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No matching rounds.", exact=True)).to_be_visible()
    page.go_back()
    expect(rows.filter(has_text="Bob").first).to_be_visible()
    expect(page.get_by_label("Irregularity")).to_have_value("")
    page.get_by_role("link", name="Clear").click()
    page.get_by_label("From").fill("2090-01-01T00:00")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No matching rounds.", exact=True)).to_be_visible()
    page.goto(f"{floor.address}/console/{TABLES[0]}?role=surveillance")
    page.get_by_role("link", name="Search and replay rounds of this table").click()
    expect(page.get_by_role("combobox", name="Table")).to_have_value(TABLES[0])
    expect(rows.filter(has_text="Ann").first).to_be_visible()
    expect(rows.filter(has_text="Bob")).to_have_count(0)
    assert [] == axe_violations(page)
    check_redrawing(page)
    assert [] == sam.page_errors


CITED = re.compile(r" (\d+\.[A-Z]|A\d|COMAR)[\w.#() ]*$")


def sentences(page: Page, replay: Locator) -> list[str]:
    """The sentences of a replay from its first moment to its last."""
    replay.get_by_label("Step").fill("0")
    read: list[str] = []
    for _ in range(int(replay.get_by_label("Step").get_attribute("max") or 0) + 1):
        read += replay.locator(".replay-events li").all_inner_texts()
        page.keyboard.press("ArrowRight")
    return read


def test_a_result_opens_the_replay(floor: ServerThread, browser: Browser) -> None:
    """Step forward and back, change the viewpoint, open by link."""
    sam = open_search(floor, browser)
    page = sam.page
    page.get_by_role("button", name=f"Replay round 2 at {TABLES[0]}").click()
    replay = page.get_by_role("region", name="Replay")
    expect(replay.get_by_text("step 1 of")).to_be_visible()
    for _ in range(3):
        replay.get_by_role("button", name="Forward").click()
    page.keyboard.press("ArrowLeft")
    expect(replay.get_by_text("step 3 of")).to_be_visible()
    faces_up = page.locator(".felt .playing-card:not(.back)")
    replay.get_by_label("Step").fill("5")
    before = faces_up.count()
    replay.get_by_label("Viewpoint").select_option("whole")
    expect(replay.get_by_label("Viewpoint")).to_have_value("whole")
    expect(faces_up.nth(before)).to_be_visible()
    read = sentences(page, replay)
    dealt = next(each for each in read if each.startswith("Dealt to the box: "))
    assert "; the dealer: " in dealt and "; Ann: " in dealt
    assert [] == [each for each in read if "You" in each or not CITED.search(each)]
    replay.get_by_label("Step").fill("5")
    assert [] == axe_violations(page)
    link = page.url
    page.goto(f"{floor.address}/lobby")
    page.goto(link)
    expect(replay.get_by_text("step 6 of")).to_be_visible()
    expect(replay.get_by_label("Viewpoint")).to_have_value("whole")
    page.keyboard.press("Escape")
    expect(replay).to_have_count(0)
    expect(page.locator(".found-rounds")).to_be_visible()
    assert [] == sam.page_errors


def test_a_round_is_exported_with_its_proof(
    floor: ServerThread, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why it cannot be proved is said before a click; with a checkpoint the file proves it."""
    key = Ed25519PrivateKey.generate()
    sam = open_search(floor, browser, f"#table={TABLES[0]}&round=2")
    page = sam.page
    export = page.get_by_role("button", name="Export with proof")
    expect(export).to_be_disabled()
    expect(page.get_by_text("can be proved once the day is closed and signed")).to_be_visible()

    def covering(ledger: Ledger, position: int) -> str:
        return str(checkpoint.sign(ledger.store.head(), NAME, key))

    monkeypatch.setattr(surveillance_endpoints, "checkpoint_covering", covering)
    monkeypatch.setattr(surveillance_endpoints, "proof_obstacle", lambda ledger, position: "")
    page.reload()
    with page.expect_download() as download:
        export.click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    public = str(signed_note.public_key(NAME, key))
    checked = run_python("-I", verifier.__file__, file, "--key", public, check=True)
    assert "Bay-1-round-2.proof" == file.name
    assert f"signed by {NAME}" in checked.stdout

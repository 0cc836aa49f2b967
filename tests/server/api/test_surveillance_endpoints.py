"""Surveillance endpoints: search, replay from a viewpoint, proof; closed to other people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.ledger import Ledger
from croupier.ledger.log.transparency import checkpoint, signed_note, verifier
from croupier.server import Client
from croupier.server.api import surveillance_endpoints
from croupier.server.client import ResponseError, path
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.run_python import run_python

TABLE = "practice"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A practice table with two rounds on record, played by Ann at seat 2."""
    with serving(Path(tmp_path_factory.mktemp("watch"))) as world:
        world.open(TABLE, "ultimate_texas_holdem", seed=9)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, TABLE, 2, rounds=2)

        run(playing())
        yield world


async def get_rounds(client: Client, *more: str, **query: str) -> dict[str, Any]:
    """The response of a surveillance endpoint."""
    return await client._request("GET", path(TABLE, "rounds", *more), params=query)


def faces(moment: dict[str, Any]) -> list[str]:
    """The cards that are visible at a moment."""
    view = moment["view"]["round"]
    piles = [view["dealer"], view["community"], *(box["cards"] for box in view["boxes"].values())]
    return [card for pile in piles for card in pile if card != "??"]


def test_rounds_are_searched_and_replayed(floor: ServerThread) -> None:
    """The moments are consecutive entries; each viewpoint sees only its own cards."""

    async def scenario() -> None:
        async with await floor.client("sam") as sam:
            rounds = (await get_rounds(sam, player="ann"))["rounds"]
            assert [2, 1] == [each["round"] for each in rounds][-2:]  # a third may be open
            assert [] == (await get_rounds(sam, player="bob"))["rounds"]
            eyes = {
                each: (await get_rounds(sam, "2", eyes=each))["moments"]
                for each in ("camera", "whole", "2", "3")
            }
            numbers = [moment["sequence"] for moment in eyes["camera"]]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            asks = [m for m in eyes["2"] if m["view"]["round"]["due"]["kind"] == "decide"]
            at = [m["sequence"] for m in eyes["2"]].index(asks[0]["sequence"])
            assert [0, 2, 0] == [len(faces(eyes[each][at])) for each in ("camera", "2", "3")]
            assert len(faces(eyes["whole"][at])) > 2
            assert eyes["camera"][-1]["view"]["round"]["closed"]
            for moment in (*eyes["camera"], *eyes["whole"]):
                hidden = [event is None for event in moment["events"]]
                assert hidden == [not sentence for sentence in moment["sentences"]]
            assert " 2 face down" in str(eyes["camera"]) and "face down" not in str(eyes["whole"])

    run(scenario())


def test_other_people_are_refused(floor: ServerThread) -> None:
    """Player, dealer and floorperson; and a proof without a signed checkpoint."""

    async def scenario() -> None:
        for name in ("ann", "dana", "frank"):
            async with await floor.client(name) as other:
                for more in ((), ("2",), ("2", "proof")):
                    with pytest.raises(ResponseError) as refused:
                        await get_rounds(other, *more)
                    assert refused.value.status == 403
        async with await floor.client("sam") as sam:
            for more, status in ((("99",), 404), (("x",), 400), (("2", "proof"), 404)):
                with pytest.raises(ResponseError) as refused:
                    await get_rounds(sam, *more)
                assert refused.value.status == status

    run(scenario())


CITED = re.compile(r" (\d+\.[A-Z]|A\d|COMAR)[\w.#() ]*$")


def sentences(page: Page, replay: Locator) -> list[str]:
    """The sentences of a replay from its first moment to its last."""
    replay.get_by_label("Step").fill("0")
    read: list[str] = []
    for _ in range(int(replay.get_by_label("Step").get_attribute("max") or 0) + 1):
        read += replay.locator(".replay-events li").all_inner_texts()
        page.keyboard.press("ArrowRight")
    return read


@pytest.mark.xdist_group(__name__)
def test_replay_in_the_browser(floor: ServerThread, browser: Browser) -> None:
    """Search, step forward and back, change the viewpoint, open by link."""
    sam = BrowserUser(floor, browser, "sam")
    page = sam.page
    page.goto(f"{floor.address}/console/{TABLE}?role=surveillance")
    page.get_by_label("player").fill("ann")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("button", name="Round 2").click()
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
    replay.get_by_role("button", name="Back to the live table").click()
    expect(replay).to_have_count(0)
    assert [] == sam.page_errors


@pytest.mark.xdist_group(__name__)
def test_round_is_exported_with_its_proof(
    floor: ServerThread, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a checkpoint the page says why not; with one the file proves the round."""
    key, name = Ed25519PrivateKey.generate(), "harbor.example/ledger"
    sam = BrowserUser(floor, browser, "sam")
    page = sam.page
    page.goto(f"{floor.address}/console/{TABLE}?role=surveillance#round=2")
    page.get_by_role("link", name="Export with proof").click()
    expect(page.get_by_text("no signed checkpoint on record covers this")).to_be_visible()

    def sign(ledger: Ledger, position: int) -> str:
        return str(checkpoint.sign(ledger.store.head(), name, key))

    monkeypatch.setattr(surveillance_endpoints, "checkpoint_covering", sign)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export with proof").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    expect(page.get_by_text("no signed checkpoint on record covers this")).to_have_count(0)
    public = str(signed_note.public_key(name, key))
    checked = run_python("-I", verifier.__file__, file, "--key", public, check=True)
    assert f"{TABLE}-round-2.proof" == file.name
    assert f"signed by {name}" in checked.stdout

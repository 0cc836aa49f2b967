"""Operators: submissions written, judged as they are typed, approved by another person, opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from croupier.server import Client, Floor
from croupier.server.client import Answered, encoded
from tests.browser.chromium import still
from tests.browser.test_player_page import Player, broken
from tests.support.floor_server import World, denials, play, run, serving

pytestmark = pytest.mark.xdist_group(__name__)
APPROVAL = "Layout HC-9, approved 2031-02-14"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server with one practice table."""
    with serving(Path(tmp_path_factory.mktemp("manage"))) as world:
        world.open("T", "top_five", seed=3)
        yield world


async def asked(client: Client, path: str, body: Any = None) -> Any:
    """What the server answers."""
    if body is None:
        return await client._asked("GET", path)
    return await client._sent(path, encoded(body), "", {})


async def refused(client: Client, path: str, body: Any) -> tuple[int, str]:
    """The status and the clause with which something is refused."""
    with pytest.raises(Answered) as error:
        await asked(client, path, body)
    return error.value.status, error.value.clause


def table_of(world: World, name: str) -> tuple[str, str]:
    """The digest and the service of a table on the floor."""

    async def found(floor: Floor) -> tuple[str, str]:
        table = floor.desk(name).table
        return table.submitted.digest, table.service

    return world.within(found)


def test_another_person_approves_and_nothing_opens_before(house: World) -> None:
    """Neither author nor sender approves; what is approved stays as it is; tables open under it."""

    async def flow() -> tuple[str, str]:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            draft = await asked(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
            path = f"/submissions/{draft['id']}"
            assert draft["legal"] and not draft["ready"]
            under = {"table": "M1", "service": "practice"}
            assert (422, "COMAR 36.05.03.19") == await refused(otto, f"{path}/tables", under)
            answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
            saved = {"version": draft["version"], "answers": answers}
            draft = await asked(olga, f"{path}/answers", saved)
            assert draft["ready"]
            assert 409 == (await refused(olga, f"{path}/answers", saved))[0]
            sent = await asked(olga, f"{path}/sending", {"version": draft["version"]})
            decision = {"digest": sent["sent_digest"], "approved": True}
            assert not sent["may_decide"]
            assert (422, "COMAR 36.05.03.19") == await refused(olga, f"{path}/decision", decision)
            other = {**decision, "digest": "0" * 64}
            assert 409 == (await refused(otto, f"{path}/decision", other))[0]
            done = await asked(otto, f"{path}/decision", decision)
            assert ("approved", "otto") == (done["state"], done["decided_by"])
            saved["version"] = done["version"]
            assert (422, "COMAR 36.05.03.21B") == await refused(olga, f"{path}/answers", saved)
            await asked(olga, f"{path}/tables", under)
            return done["digest"], done["sent_digest"]

    digest, sent = run(flow())
    assert digest == sent
    assert (digest, "practice") == table_of(house, "M1")


def test_only_operators_manage_and_each_attempt_is_kept(house: World) -> None:
    """Every address of operators is shut to everybody else."""

    async def tried() -> None:
        async with await house.client("petra") as petra:
            begin = {"game": "top_five", "operator": "Pier"}
            assert 403 == (await refused(petra, "/submissions", begin))[0]
            assert 403 == (await refused(petra, "/tables/T/closing", {}))[0]
            assert 403 == (await refused(petra, "/submissions", None))[0]

    run(tried())
    kept = {what: times for (who, what, _), times in denials(house).items() if who == "petra"}
    assert {"begin": 1, "close table": 1, "submissions": 1} == kept


def test_a_table_is_closed_and_opened_again_and_not_while_somebody_sits(house: World) -> None:
    """Off the floor it is unknown to everybody, on record it stays; a restart remembers."""
    house.open("C", "top_five", seed=1)

    async def flow() -> tuple[int, int]:
        async with await house.client("olga") as olga, await house.client("ann") as ann:
            await ann.do("C", {"kind": "sit_down", "seat": 2})
            status, _ = await refused(olga, "/tables/C/closing", {})
            await ann.do("C", {"kind": "leave", "seat": 2})
            await asked(olga, "/tables/C/closing", {})
            with pytest.raises(Answered) as error:
                await ann.state("C")
            return status, error.value.status

    assert (422, 404) == run(flow())

    async def known(floor: Floor) -> tuple[bool, bool]:
        return "C" in floor.desks, "C" in floor.ledger.tables()

    assert (False, True) == house.within(known)
    house.stop()
    house.start()
    assert (False, True) == house.within(known)
    house.open("T", "top_five", seed=3)


def test_what_is_typed_is_judged_with_its_clause(house: World) -> None:
    """An answer that makes no sense stays as typed; a stranger's field is refused."""

    async def flow() -> None:
        async with await house.client("olga") as olga:
            begun = {"game": "jackpot_holdem", "operator": "Quay"}
            draft = await asked(olga, "/submissions", begun)
            path = f"/submissions/{draft['id']}"
            answers = {**draft["answers"], "limits.ante.min": "lots"}
            told = await asked(
                olga, f"{path}/answers", {"version": draft["version"], "answers": answers}
            )
            wrong = [one for one in told["findings"] if one["severity"] == "error"]
            assert ["limits.ante.min"] == [one["field"] for one in wrong]
            assert wrong[0]["value"] == "lots" and not told["legal"] and not told["edges"]
            strange = {"version": told["version"], "answers": {"choices.colour": "red"}}
            assert 400 == (await refused(olga, f"{path}/answers", strange))[0]
            sending = {"version": told["version"]}
            assert 422 == (await refused(olga, f"{path}/sending", sending))[0]

    run(flow())


def test_a_submission_is_written_approved_and_opened_in_the_browser(
    house: World, browser: Browser
) -> None:
    """Typed with the rules beside it, approved from another browser, dealt under it."""
    contexts = [still(browser) for _ in range(2)]
    olga, otto = (Player(house, each, name) for each, name in zip(contexts, ("olga", "otto")))
    page = olga.page
    page.get_by_role("link", name="Submissions and tables").click()
    page.get_by_label("Game").select_option("top_five")
    page.get_by_label("Operator").fill("Harbor Casino")
    page.get_by_role("button", name="Begin a draft").click()
    verdict = page.locator(".verdict [role=status]")
    expect(verdict).to_contain_text("Legal; approvals are outstanding")
    felt = page.locator(".drawing")
    drawn = felt.get_attribute("src")

    least = page.get_by_label("Ante, minimum")
    least.fill("1000000000000")
    expect(verdict).to_contain_text("Not legal yet")
    expect(page.locator("[data-field='limits.ante.min'] .finding.error")).to_be_visible()
    expect(page.get_by_role("button", name="Send for approval")).to_be_disabled()
    least.fill("15")
    expect(verdict).to_contain_text("Legal; approvals are outstanding")
    prices = page.get_by_role("group", name="Top Five Bonus returns")
    bonus = prices.get_by_role("button", name="B ")
    bonus.click()
    expect(bonus).to_have_attribute("aria-pressed", "true")
    edge = page.locator(".edges tr", has_text="Top Five Bonus")
    expect(edge.locator("td").first).to_have_text("B")
    assert felt.get_attribute("src") != drawn
    page.locator("[data-section=choices] > summary").click()
    page.get_by_label("Layout approval").fill(APPROVAL)
    expect(verdict).to_contain_text("Legal and ready to open")
    assert [] == broken(page)
    page.get_by_role("button", name="Send for approval").click()
    expect(page.get_by_text("Another person than its authors approves it")).to_be_visible()

    second = otto.page
    second.goto(page.url)
    second.get_by_role("button", name="Approve").click()
    expect(second.locator(".verdict h2")).to_contain_text("Approved")
    second.get_by_label("Table", exact=True).fill("Harbor 1")
    second.get_by_label("Served by").select_option("attended")
    second.get_by_role("button", name="Open the table").click()
    second.get_by_role("link", name="Harbor 1").click()
    expect(second.get_by_role("heading", name="Your wagers")).to_be_visible()
    expect(second.get_by_text("$15").first).to_be_visible()
    assert [] == broken(second)
    assert "attended" == table_of(house, "Harbor 1")[1]
    assert [] == olga.complaints + otto.complaints
    for each in contexts:
        each.close()


def test_the_win_of_a_table_is_for_those_who_read_figures(house: World, browser: Browser) -> None:
    """A round is played; its operator sees the win beside the theory, its player is refused."""

    async def playing(floor: Floor) -> int:
        async with await house.client("ann") as ann:
            await play(ann, "T", 3)
            return (await refused(ann, "/tables/T/win", None))[0]

    assert 403 == house.within(playing)
    context = still(browser)
    olga = Player(house, context, "olga")
    olga.page.goto(f"{house.address}/report/T")
    row = olga.page.locator(".figures tr", has_text="Main game")
    expect(row.locator("td").first).to_have_text("1")
    expect(row.locator("td").last).to_have_text("exact")
    expect(olga.page.get_by_text("is being worked out")).to_have_count(0)  # it comes with the game
    expect(olga.page.locator(".plot")).to_be_visible()
    olga.page.wait_for_function("() => document.querySelector('.plot').naturalWidth > 200")
    assert [] == broken(olga.page)
    assert [] == olga.complaints
    context.close()

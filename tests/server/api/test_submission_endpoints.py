"""Submissions of operators: written, checked, approved by a second person, opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from croupier.server import Client, Floor
from croupier.server.client import ResponseError, to_json
from tests.browser.browser_user import BrowserUser, axe_violations
from tests.support.floor_server import ServerThread, play, recorded_denials, run, serving

pytestmark = pytest.mark.xdist_group(__name__)
APPROVAL = "Layout HC-9, approved 2031-02-14"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server with one practice table."""
    with serving(Path(tmp_path_factory.mktemp("manage"))) as world:
        world.open("T", "top_five", seed=3)
        yield world


async def request_json(client: Client, path: str, body: Any = None) -> Any:
    """The response to a GET, or to a POST with a body."""
    if body is None:
        return await client._request("GET", path)
    return await client._post(path, to_json(body), "", {})


async def refusal_of(client: Client, path: str, body: Any) -> tuple[int, str]:
    """The status and the clause with which a request is refused."""
    with pytest.raises(ResponseError) as error:
        await request_json(client, path, body)
    return error.value.status, error.value.clause


def table_of(world: ServerThread, name: str) -> tuple[str, str]:
    """The digest and the service of a table on the floor."""

    async def read(floor: Floor) -> tuple[str, str]:
        table = floor.table_host(name).table
        return table.submitted.digest, table.service

    return world.within(read)


def test_second_person_approves_before_a_table_opens(house: ServerThread) -> None:
    """Its author cannot approve it; an approved submission is fixed; tables open under it."""

    async def flow() -> tuple[str, str]:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            draft = await request_json(
                olga, "/submissions", {"game": "top_five", "operator": "Pier"}
            )
            path = f"/submissions/{draft['id']}"
            assert draft["legal"] and not draft["ready"]
            under = {"table": "M1", "service": "practice"}
            assert (422, "COMAR 36.05.03.19") == await refusal_of(otto, f"{path}/tables", under)
            answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
            saved = {"version": draft["version"], "answers": answers}
            draft = await request_json(olga, f"{path}/answers", saved)
            assert draft["ready"]
            assert 409 == (await refusal_of(olga, f"{path}/answers", saved))[0]
            sent = await request_json(olga, f"{path}/sending", {"version": draft["version"]})
            decision = {"digest": sent["sent_digest"], "approved": True}
            assert not sent["may_decide"]
            assert (422, "COMAR 36.05.03.19") == await refusal_of(
                olga, f"{path}/decision", decision
            )
            other = {**decision, "digest": "0" * 64}
            assert 409 == (await refusal_of(otto, f"{path}/decision", other))[0]
            done = await request_json(otto, f"{path}/decision", decision)
            assert ("approved", "otto") == (done["state"], done["decided_by"])
            saved["version"] = done["version"]
            assert (422, "COMAR 36.05.03.21B") == await refusal_of(olga, f"{path}/answers", saved)
            await request_json(olga, f"{path}/tables", under)
            return done["digest"], done["sent_digest"]

    digest, sent = run(flow())
    assert digest == sent
    assert (digest, "practice") == table_of(house, "M1")


def test_other_people_are_denied_and_recorded(house: ServerThread) -> None:
    """The endpoints of operators are closed to a pit manager."""

    async def scenario() -> None:
        async with await house.client("petra") as petra:
            begin = {"game": "top_five", "operator": "Pier"}
            assert 403 == (await refusal_of(petra, "/submissions", begin))[0]
            assert 403 == (await refusal_of(petra, "/tables/T/closing", {}))[0]
            assert 403 == (await refusal_of(petra, "/submissions", None))[0]

    run(scenario())
    recorded = {
        what: times for (who, what, _), times in recorded_denials(house).items() if who == "petra"
    }
    assert {"begin": 1, "close table": 1, "submissions": 1} == recorded


def test_table_closes_only_when_empty_and_stays_closed(house: ServerThread) -> None:
    """A closed table is unknown to clients and stays on record, also after a restart."""
    house.open("C", "top_five", seed=1)

    async def flow() -> tuple[int, int]:
        async with await house.client("olga") as olga, await house.client("ann") as ann:
            await ann.do("C", {"kind": "sit_down", "seat": 2})
            status, _ = await refusal_of(olga, "/tables/C/closing", {})
            await ann.do("C", {"kind": "leave", "seat": 2})
            await request_json(olga, "/tables/C/closing", {})
            with pytest.raises(ResponseError) as error:
                await ann.state("C")
            return status, error.value.status

    assert (422, 404) == run(flow())

    async def known(floor: Floor) -> tuple[bool, bool]:
        return "C" in floor.table_hosts, "C" in floor.ledger.tables()

    assert (False, True) == house.within(known)
    house.stop()
    house.start()
    assert (False, True) == house.within(known)
    house.open("T", "top_five", seed=3)


def test_answers_are_checked_with_their_clause(house: ServerThread) -> None:
    """A malformed answer stays as typed; an unknown field is refused."""

    async def flow() -> None:
        async with await house.client("olga") as olga:
            body = {"game": "jackpot_holdem", "operator": "Quay"}
            draft = await request_json(olga, "/submissions", body)
            path = f"/submissions/{draft['id']}"
            answers = {**draft["answers"], "limits.ante.min": "lots"}
            saved = await request_json(
                olga, f"{path}/answers", {"version": draft["version"], "answers": answers}
            )
            errors = [each for each in saved["findings"] if each["severity"] == "error"]
            assert ["limits.ante.min"] == [each["field"] for each in errors]
            assert errors[0]["value"] == "lots" and not saved["legal"] and not saved["edges"]
            unknown = {"version": saved["version"], "answers": {"choices.colour": "red"}}
            assert 400 == (await refusal_of(olga, f"{path}/answers", unknown))[0]
            sending = {"version": saved["version"]}
            assert 422 == (await refusal_of(olga, f"{path}/sending", sending))[0]

    run(flow())


def test_submission_in_the_browser(house: ServerThread, browser: Browser) -> None:
    """Typed with live checks, approved from another browser, opened as a table."""
    olga, otto = (BrowserUser(house, browser, name) for name in ("olga", "otto"))
    page = olga.page
    page.get_by_role("link", name="Submissions", exact=True).click()
    page.get_by_label("Game").select_option("top_five")
    page.get_by_label("Operator").fill("Harbor Casino")
    page.get_by_role("button", name="Start draft").click()
    verdict = page.locator(".submission-status [role=status]")
    expect(verdict).to_contain_text("Compliant; approvals outstanding")
    felt = page.locator(".felt-preview")
    drawn = felt.get_attribute("src")

    least = page.get_by_label("Ante, minimum")
    least.fill("1000000000000")
    expect(verdict).to_contain_text("Not compliant yet")
    expect(page.locator("[data-field='limits.ante.min'] .finding.error")).to_be_visible()
    expect(page.get_by_role("button", name="Send for approval")).to_be_disabled()
    least.fill("15")
    expect(verdict).to_contain_text("Compliant; approvals outstanding")
    prices = page.get_by_role("group", name="Top Five Bonus returns")
    bonus = prices.get_by_role("button", name="B ")
    bonus.click()
    expect(bonus).to_have_attribute("aria-pressed", "true")
    edge = page.locator(".edges tr", has_text="Top Five Bonus")
    expect(edge.locator("td").first).to_have_text("B")
    assert felt.get_attribute("src") != drawn
    page.locator("[data-section=choices] > summary").click()
    page.get_by_label("Layout approval").fill(APPROVAL)
    expect(verdict).to_contain_text("Compliant and ready to open")
    assert [] == axe_violations(page)
    page.get_by_role("button", name="Send for approval").click()
    expect(
        page.get_by_text("Waiting for approval by someone other than its authors")
    ).to_be_visible()

    second = otto.page
    second.goto(page.url)
    second.get_by_role("button", name="Approve").click()
    expect(second.locator(".submission-status h2")).to_contain_text("Approved")
    second.get_by_label("Table", exact=True).fill("Harbor 1")
    second.get_by_label("Service").select_option("attended")
    second.get_by_role("button", name="Open table").click()
    second.get_by_role("link", name="Harbor 1").click()
    expect(second.get_by_role("heading", name="Your wagers")).to_be_visible()
    expect(second.get_by_text("$15").first).to_be_visible()
    assert [] == axe_violations(second)
    assert "attended" == table_of(house, "Harbor 1")[1]
    assert [] == olga.page_errors + otto.page_errors


def test_win_report_in_the_browser(house: ServerThread, browser: Browser) -> None:
    """An operator sees the win of a round next to the theory; its player is refused."""

    async def play_round(floor: Floor) -> int:
        async with await house.client("ann") as ann:
            await play(ann, "T", 3)
            return (await refusal_of(ann, "/tables/T/win", None))[0]

    assert 403 == house.within(play_round)
    olga = BrowserUser(house, browser, "olga")
    olga.page.goto(f"{house.address}/report/T")
    row = olga.page.locator(".figures tr", has_text="Main game")
    expect(row.locator("td").first).to_have_text("1")
    expect(row.locator("td").last).to_have_text("exact")
    expect(olga.page.get_by_text("Calculating")).to_have_count(0)  # it comes with the game
    main = olga.page.locator(".win-chart [data-bet='main game']")
    expect(main.get_by_role("img")).to_have_accessible_name(re.compile(r"95% band .*\$"))
    totals = olga.page.locator(".report-totals")
    for name in ("Handle", "Drop", "Win", "Hold (% of drop)", "Theoretical win"):
        expect(totals.get_by_text(name, exact=True)).to_be_visible()
    for name, start in (("PDF", b"%PDF"), ("CSV", b"section,table")):
        with olga.page.expect_download() as download:
            olga.page.get_by_role("link", name=name).click()
        assert Path(download.value.path()).read_bytes().startswith(start)
    olga.page.get_by_label("Gaming day").fill("2020-01-01")
    olga.page.get_by_role("button", name="Show").click()
    expect(olga.page.get_by_text("No activity.")).to_be_visible()
    assert "day=2020-01-01" in olga.page.url
    olga.page.go_back()
    expect(totals).to_be_visible()
    assert [] == axe_violations(olga.page)
    olga.page.goto(f"{house.address}/reports")
    expect(olga.page.get_by_role("row", name="All tables")).to_be_visible()
    olga.page.get_by_role("link", name="T", exact=True).click()
    expect(totals).to_be_visible()
    assert [] == olga.page_errors


def test_reports_cover_a_period(house: ServerThread) -> None:
    """Figures of all tables and of one, by gaming day or times; wrong queries are refused."""

    async def flow() -> None:
        async with await house.client("bob") as bob:
            await play(bob, "T", 4)
        async with await house.client("olga") as olga, await house.client("dana") as dana:
            today = (await request_json(olga, "/table-figures"))["tables"]
            played = next(each for each in today if each["table"] == "T")
            assert played["rounds"] and played["handle"]
            report = await request_json(olga, "/tables/T/win?since=2020-01-01T00:00")
            assert (played, "2020-01-01T05:00:00.000Z") == (report["totals"], report["since"])
            assert report["expected"] is not None
            empty = await request_json(olga, "/tables/T/win?until=2020-01-01")
            assert (None, []) == (empty["totals"], empty["lines"])
            assert [] == (await request_json(olga, "/table-figures?day=2020-01-01"))["tables"]
            for wrong in ("day=2020-01-01&since=2020-01-01", "since=now", "day=today"):
                status = (await refusal_of(olga, f"/table-figures?{wrong}", None))[0]
                assert status == (422 if wrong == "day=today" else 400)
            assert 400 == (await refusal_of(olga, "/tables/T/report.exe", None))[0]
            assert 403 == (await refusal_of(dana, "/table-figures", None))[0]
            assert 403 == (await refusal_of(dana, "/tables/T/report.csv", None))[0]

    run(flow())

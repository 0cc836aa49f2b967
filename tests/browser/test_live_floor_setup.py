"""Setup of a live floor: ledger and accounts by command line, a table in the browser."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Locator, Page, TimeoutError, expect, sync_playwright

from croupier.server import Client
from croupier.table.drivers.shuffler import VIRTUAL
from tests.browser.chromium import chromium_path, open_context
from tests.server.api.test_submission_endpoints import APPROVAL, refusal_of, request_json
from tests.support.cli import succeed
from tests.support.floor_server import PASSWORD, run
from tests.support.server_fixtures import database as database
from tests.support.server_processes import Process


async def open_table(address: str) -> None:
    """Two operators open a staffed table; a live floor has no automated dealer, coach or school."""
    async with Client(address) as olga, Client(address) as otto, Client(address) as ann:
        for client, name in ((olga, "olga"), (otto, "otto"), (ann, "ann")):
            await client.sign_in(name, PASSWORD)
        draft = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
        path = f"/submissions/{draft['id']}"
        assert draft["live"]
        answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
        draft = await request_json(
            olga, f"{path}/answers", {"version": draft["version"], "answers": answers}
        )
        sent = await request_json(olga, f"{path}/sending", {"version": draft["version"]})
        decision = {"digest": sent["sent_digest"], "approved": True}
        await request_json(otto, f"{path}/decision", decision)
        automated = {"table": "Pier 1", "service": "practice"}
        assert (422, VIRTUAL) == await refusal_of(olga, f"{path}/tables", automated)
        await request_json(olga, f"{path}/tables", {"table": "Pier 1", "service": "attended"})
        (table,) = await ann.tables()
        assert ("Pier 1", True) == (table["id"], table["live"])
        assert (422, "COMAR 36.05.03.13A") == await refusal_of(ann, "/tables/Pier 1/advice", None)
        lesson = {"game": "top_five", "rounds": 1, "irregular": False}
        assert 422 == (await refusal_of(otto, "/school/lessons", lesson))[0]
        assert (await ann.state("Pier 1"))["state"]["view"]["live"]


def staff_table(address: str) -> None:
    """A dealer and a floorperson open the table from their consoles, step by step."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        ann, dana, frank = (
            sign_in(open_context(browser).new_page(), address, name)
            for name in ("ann", "dana", "frank")
        )
        ann.goto(f"{address}/play/Pier 1")
        expect(ann.get_by_text("Table closed")).to_be_visible()
        dana.goto(f"{address}/console/Pier 1?role=dealer")
        frank.goto(f"{address}/console/Pier 1?role=floorperson")
        seats = ann.get_by_role("button", name="Seat 1", exact=True)
        labels: list[str] = []
        for _ in range(60):
            for page in (dana, frank):
                page.wait_for_timeout(60)
                if page.locator(".panel .step:not(.may)").count():
                    with suppress(TimeoutError):  # the other person took it first
                        labels.append(take_step(page.locator(".panel .step:not(.may)").first))
            if seats.count():
                break
        expect(seats).to_be_visible()
        assert any("step inspect" in label for label in labels), labels
        browser.close()


def take_step(step: Locator) -> str:
    """Fill in the open fields and press the button; returns its label."""
    button = step.locator("button:enabled").last
    text = button.inner_text(timeout=2000)
    for field in step.locator("input:visible").all():
        if not field.input_value(timeout=2000):
            number = field.get_attribute("type") == "number"
            field.fill("2000" if number else f"{field.get_attribute('name')} 1")
    button.click(timeout=2000)
    return text


def sign_in(page: Page, address: str, name: str) -> Page:
    """Sign in."""
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/lobby")
    return page


def test_live_floor_setup(database: str) -> None:
    """The steps of docs/installation.md; then the staff opens the table in the browser."""
    succeed("found", "--live")
    people = {"olga": "operator", "otto": "operator", "ann": "player"}
    for name, role in {**people, "dana": "dealer", "frank": "floorperson"}.items():
        succeed("admit", name, "--role", role)
    succeed("admit", "otto", "--role", "trainee")
    server = Process(database, "--port", "0").serving()
    try:
        run(open_table(server.address))
        staff_table(server.address)
    finally:
        server.stop()
    succeed("audit", "verify", database)

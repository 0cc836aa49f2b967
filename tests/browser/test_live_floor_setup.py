"""Setup of a live floor: ledger and accounts by command line, a table in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

from playwright.sync_api import Locator, Page, TimeoutError, expect, sync_playwright

from croupier.server import Client
from croupier.table.drivers.shuffler import VIRTUAL
from tests.browser.chromium import open_context
from tests.server.api.test_submission_endpoints import refusal_of, request_json
from tests.support.approved_submission import approve_submission
from tests.support.cli import invoke, succeed
from tests.support.floor_server import PASSWORD, open_accounts, run
from tests.support.founders import enroll
from tests.support.server_fixtures import chromium_or_skip
from tests.support.server_fixtures import database as database
from tests.support.server_processes import Process

OPENING_SECONDS = 300
BUTTON = "[data-act]:enabled, form button:enabled"


async def open_table(address: str, codes: dict[str, Iterator[str]]) -> None:
    """Two operators open a staffed table; a live floor has no automated dealer, coach or school."""
    async with Client(address) as olga, Client(address) as otto, Client(address) as ann:
        for client, name in ((olga, "olga"), (otto, "otto"), (ann, "ann")):
            await client.sign_in(name, PASSWORD, next(codes[name]) if name in codes else "")
        approved = await approve_submission(olga, otto)
        assert approved["live"]
        path = f"/submissions/{approved['id']}"
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
    executable = chromium_or_skip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
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
        until = monotonic() + OPENING_SECONDS
        while not seats.is_visible():
            assert monotonic() < until, labels
            for page in (dana, frank):
                step = page.locator(".panel .step:not(.may, .held)").filter(
                    has=page.locator(BUTTON)
                )
                if step.count():
                    with suppress(TimeoutError):  # the other person took it first
                        labels.append(take_step(step.first))
            ann.wait_for_timeout(50)
        assert any("Inspect the" in label for label in labels), labels
        browser.close()


def take_step(step: Locator) -> str:
    """Fill in the required fields and press the button; returns its label."""
    button = step.locator(BUTTON).first
    text = button.inner_text(timeout=2000)
    for field in step.locator("input:visible:required").all():
        if not field.input_value(timeout=2000):
            number = field.get_attribute("type") == "number"
            example = field.get_attribute("placeholder") or ""
            field.fill("2000" if number else example.removeprefix("such as: ") or "anything")
    for choice in step.locator("select:visible:required").all():
        choice.select_option(index=1, timeout=2000)
    button.click(timeout=2000)
    return text


def sign_in(page: Page, address: str, name: str) -> Page:
    """Sign in."""
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    return page


def test_live_floor_setup(database: str) -> None:
    """The steps of docs/installation.md; then the staff opens the table in the browser."""
    typed = "".join(f"{PASSWORD}\n{PASSWORD}\n" for _ in range(2))
    founders = ("--founder", "olga", "--founder", "otto")
    assert 0 == invoke(["found", "--live", *founders], input=typed).exit_code
    with open_accounts(database) as accounts:
        codes = enroll(accounts, "olga", "otto")
    by = ("--by", "olga", "--reason", "opening")
    people = {"ann": "player", "dana": "dealer", "frank": "floorperson"}
    for name, role in people.items():
        answers = "\n".join((next(codes["olga"]), PASSWORD, PASSWORD, ""))
        done = invoke(["admit", name, "--role", role, *by], input=answers)
        assert 0 == done.exit_code, done.output
    trainee = ["admit", "otto", "--role", "trainee", *by]
    assert 0 == invoke(trainee, input=f"{next(codes['olga'])}\n").exit_code
    server = Process(database, "--port", "0").serving()
    try:
        run(open_table(server.address, codes))
        staff_table(server.address)
    finally:
        server.stop()
    succeed("audit", "verify", database)

"""Setup of a live floor: ledger and accounts by command line, a table in the browser."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect, sync_playwright

from croupier.errors import BadInput
from croupier.server import Accounts, Client
from croupier.server.auth.accounts import NotAdmitted
from croupier.server.auth.accounts_database import accounts_url
from croupier.table.drivers.shuffler import VIRTUAL
from tests.browser.chromium import chromium_path, open_context
from tests.server.api.test_submission_endpoints import APPROVAL, refusal_of, request_json
from tests.support.cli import invoke
from tests.support.floor_server import PASSWORD, run
from tests.support.server_processes import Process


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a ledger that does not exist yet; all accounts get the same password."""
    path = str(tmp_path / "harbor.db")
    monkeypatch.setenv("CROUPIER_DATABASE", path)
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    return path


def succeed(*arguments: str) -> str:
    """Run a command that succeeds; returns its output."""
    result = invoke([*arguments])
    assert 0 == result.exit_code, result.output
    return result.output


def fail(*arguments: str) -> str:
    """Run a command that fails; returns its output."""
    result = invoke([*arguments])
    assert 2 == result.exit_code, result.output
    return result.output


def test_ledger_is_created_once(database: str) -> None:
    """Its purpose and its gaming day cannot be changed."""
    assert "'Mars' is not a time zone" in fail("found", "--live", "--timezone", "Mars")
    summary = f"{database}: a live ledger; gaming days start at 05:00, America/Chicago"
    arguments = ("found", "--live", "--timezone", "America/Chicago", "--day-starts", "05:00")
    assert f"{summary}\n" == succeed(*arguments)
    assert f"error: {summary}: it exists and cannot be changed\n" == fail("found", "--practice")
    assert "the demonstration needs a practice ledger" in fail("serve", "--demo", "--port", "0")


def test_accounts_are_admitted_listed_and_dismissed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accounts have roles at tables and offices; a dismissal also ends their sessions."""
    assert "has no accounts yet" in fail("people")
    assert [] == [*Path(database).parent.iterdir()]  # listing creates no files
    assert "cannot be reached" in fail("people", "--database", "postgresql://x@127.0.0.1:1/x")
    nowhere = f"{database}/floor.db"
    assert "No such file" in fail("admit", "eve", "--role", "player", "--database", nowhere)
    assert "olga: operator\n" == succeed("admit", "Olga", "--role", "operator")
    nowhere = "trainee is an office of the whole property and has no table; got 'T'"
    assert nowhere in fail("admit", "olga", "--role", "trainee", "--table", "T")
    assert "expected one of dealer" in fail("admit", "dana", "--role", "king")
    roles = ("--role", "dealer", "--role", "floorperson")
    succeed("admit", "dana", *roles, "--table", "T1", "--table", "T2")
    monkeypatch.delenv("CROUPIER_PASSWORD")
    # An existing account keeps its password.
    assert "dana: player at *\n" == succeed("admit", "dana", "--role", "player")
    with closing(Accounts(accounts_url(database))) as accounts:
        _, token = accounts.sign_in("dana", PASSWORD)
        listed = (
            "dana: player at *, dealer at T1, floorperson at T1, dealer at T2, floorperson at T2"
        )
        assert f"{listed}, 1 signed in\nolga: operator\n" == succeed("people")
        left = succeed("dismiss", "dana", *roles, "--table", "T1")
        assert "dana: player at *, dealer at T2, floorperson at T2\n" == left
        with pytest.raises(NotAdmitted):  # losing a role ends the session
            accounts.authenticate(token)
        person, token = accounts.sign_in("dana", PASSWORD)
        assert ("player",) == person.roles_at("T1")
        assert "requires --role" in fail("dismiss", "dana", "--table", "T2")
        assert "dana: no roles\n" == succeed("dismiss", "dana")
        with pytest.raises(NotAdmitted):
            accounts.authenticate(token)
        with pytest.raises(NotAdmitted):
            accounts.sign_in("dana", PASSWORD)
        with pytest.raises(BadInput, match="there is no account 'eve'"):
            accounts.dismiss("eve")
        again = invoke(["admit", "dana", "--role", "dealer"])  # asks for a new password
        assert "Password" in again.output and again.exit_code
        assert [] == accounts.person("dana").granted
    people = json.loads(succeed("people", "--json"))
    assert [("dana", {}, 0), ("olga", {}, 0)] == [
        (each["person"]["id"], each["person"]["roles"], each["sessions"]) for each in people
    ]
    assert ["operator"] == people[1]["person"]["offices"]
    assert "there is no account 'eve'" in fail("dismiss", "eve", "--role", "player")


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
    server = Process(database, "--port", "0")
    try:
        run(open_table(server.address))
        staff_table(server.address)
    finally:
        server.stop()
    succeed("audit", "verify", database)

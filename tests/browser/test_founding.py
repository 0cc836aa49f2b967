"""A floor from nothing, by its commands: founded live, people let in and dismissed, a table."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect, sync_playwright

from croupier.errors import BadInput
from croupier.server import Accounts, Client
from croupier.server.auth.accounts import NotAdmitted, beside
from croupier.table.drivers.shuffler import VIRTUAL
from tests.browser.chromium import chromium, still
from tests.server.api.test_submission_endpoints import APPROVAL, refusal_of, request_json
from tests.support.cli import invoke
from tests.support.floor_server import PASSWORD, run
from tests.support.server_processes import Process


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where nothing is yet; everybody gets the same password."""
    found = str(tmp_path / "harbor.db")
    monkeypatch.setenv("CROUPIER_DATABASE", found)
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    return found


def said(*words: str) -> str:
    """What a command prints that is carried out."""
    done = invoke([*words])
    assert 0 == done.exit_code, done.output
    return done.output


def wrong(*words: str) -> str:
    """What a command prints that is not."""
    done = invoke([*words])
    assert 2 == done.exit_code, done.output
    return done.output


def test_a_ledger_is_founded_once(database: str) -> None:
    """What it is for, and how its days are counted, cannot be said twice."""
    assert "'Mars' is no time zone" in wrong("found", "--live", "--timezone", "Mars")
    told = f"{database}: a live ledger; days begin at 05:00, America/Chicago"
    words = ("found", "--live", "--timezone", "America/Chicago", "--day-starts", "05:00")
    assert f"{told}\n" == said(*words)
    assert f"error: {told}: it is founded, and stays what it is\n" == wrong("found", "--practice")
    assert "the demonstration needs a practice ledger" in wrong("serve", "--demo", "--port", "0")


def test_people_are_let_in_listed_and_dismissed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offices beside roles; who is dismissed has nothing left, not even a session."""
    assert "nobody was let in" in wrong("people")
    assert [] == [*Path(database).parent.iterdir()]  # whoever looks makes nothing
    assert "cannot be reached" in wrong("people", "--database", "postgresql://x@127.0.0.1:1/x")
    nowhere = f"{database}/floor.db"
    assert "No such file" in wrong("admit", "eve", "--role", "player", "--database", nowhere)
    assert "olga: operator\n" == said("admit", "Olga", "--role", "operator")
    nowhere = "trainee is an office of the property, at no table; got 'T'"
    assert nowhere in wrong("admit", "olga", "--role", "trainee", "--table", "T")
    assert "expected one of dealer" in wrong("admit", "dana", "--role", "king")
    roles = ("--role", "dealer", "--role", "floorperson")
    said("admit", "dana", *roles, "--table", "T1", "--table", "T2")
    monkeypatch.delenv("CROUPIER_PASSWORD")
    assert "dana: player at *\n" == said("admit", "dana", "--role", "player")  # none is asked for
    with closing(Accounts(beside(database))) as accounts:
        _, token = accounts.sign_in("dana", PASSWORD)
        listed = (
            "dana: player at *, dealer at T1, floorperson at T1, dealer at T2, floorperson at T2"
        )
        assert f"{listed}, 1 signed in\nolga: operator\n" == said("people")
        left = said("dismiss", "dana", *roles, "--table", "T1")
        assert "dana: player at *, dealer at T2, floorperson at T2\n" == left
        with pytest.raises(NotAdmitted):  # what a feed showed in that role ends too
            accounts.admitted(token)
        person, token = accounts.sign_in("dana", PASSWORD)
        assert ("player",) == person.roles_at("T1")
        assert "goes with a --role" in wrong("dismiss", "dana", "--table", "T2")
        assert "dana: nothing any more\n" == said("dismiss", "dana")
        with pytest.raises(NotAdmitted):
            accounts.admitted(token)
        with pytest.raises(NotAdmitted):
            accounts.sign_in("dana", PASSWORD)
        with pytest.raises(BadInput, match="nobody is called 'eve' here"):
            accounts.dismiss("eve")
        again = invoke(["admit", "dana", "--role", "dealer"])  # a password is asked for anew
        assert "Password" in again.output and again.exit_code
        assert [] == accounts.person("dana").granted
    people = json.loads(said("people", "--json"))
    assert [("dana", {}, 0), ("olga", {}, 0)] == [
        (each["person"]["id"], each["person"]["roles"], each["sessions"]) for each in people
    ]
    assert ["operator"] == people[1]["person"]["offices"]
    assert "nobody is called 'eve' here" in wrong("dismiss", "eve", "--role", "player")


async def opened(address: str) -> None:
    """Two operators open a table of people; no machine deals it, nobody is advised or taught."""
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
        by_machine = {"table": "Pier 1", "service": "practice"}
        assert (422, VIRTUAL) == await refusal_of(olga, f"{path}/tables", by_machine)
        await request_json(olga, f"{path}/tables", {"table": "Pier 1", "service": "attended"})
        (table,) = await ann.tables()
        assert ("Pier 1", True) == (table["id"], table["live"])
        assert (422, "COMAR 36.05.03.13A") == await refusal_of(ann, "/tables/Pier 1/advice", None)
        lesson = {"game": "top_five", "rounds": 1, "irregular": False}
        assert 422 == (await refusal_of(otto, "/school/lessons", lesson))[0]
        assert (await ann.state("Pier 1"))["state"]["view"]["live"]


def staffed(address: str) -> None:
    """A dealer and a floorperson open the table from their consoles, step by step as they come."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        ann, dana, frank = (
            sign_in(still(browser).new_page(), address, name) for name in ("ann", "dana", "frank")
        )
        ann.goto(f"{address}/play/Pier 1")
        expect(ann.get_by_text("Table closed")).to_be_visible()
        dana.goto(f"{address}/console/Pier 1?role=dealer")
        frank.goto(f"{address}/console/Pier 1?role=floorperson")
        seats = ann.get_by_role("button", name="Seat 1", exact=True)
        told: list[str] = []
        for _ in range(60):
            for page in (dana, frank):
                page.wait_for_timeout(60)
                if page.locator(".panel .step:not(.may)").count():
                    with suppress(TimeoutError):  # somebody else has done it meanwhile
                        told.append(taken(page.locator(".panel .step:not(.may)").first))
            if seats.count():
                break
        expect(seats).to_be_visible()
        assert any("step inspect" in each for each in told), told
        browser.close()


def taken(step: Locator) -> str:
    """Fill in what is open, and press the button; what stood on it."""
    button = step.locator("button:enabled").last
    text = button.inner_text(timeout=2000)
    for field in step.locator("input:visible").all():
        if not field.input_value(timeout=2000):
            number = field.get_attribute("type") == "number"
            field.fill("2000" if number else f"{field.get_attribute('name')} 1")
    button.click(timeout=2000)
    return text


def sign_in(page: Page, address: str, name: str) -> Page:
    """Somebody at the door."""
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/lobby")
    return page


def test_a_live_floor_from_nothing(database: str) -> None:
    """As docs/installation.md has it, with a server of its own; then its people open the table."""
    said("found", "--live")
    people = {"olga": "operator", "otto": "operator", "ann": "player"}
    for name, role in {**people, "dana": "dealer", "frank": "floorperson"}.items():
        said("admit", name, "--role", role)
    said("admit", "otto", "--role", "trainee")
    server = Process(database, "--port", "0")
    try:
        run(opened(server.address))
        staffed(server.address)
    finally:
        server.stop()
    said("audit", "verify", database)

"""Open feeds are closed when their session ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.server import Client
from croupier.server.auth import guard, sessions
from croupier.server.auth.session_policy import PRACTICE, SessionPolicy
from tests.browser.browser_user import BrowserUser
from tests.support.floor_server import (
    PASSWORD,
    ServerThread,
    edit_accounts,
    recorded_sign_ins,
    run,
    serving,
)

pytestmark = pytest.mark.xdist_group(__name__)
TABLE = "T"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one practice table."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world


def auth_header(client: Client) -> dict[str, str]:
    """The authorization header of a client."""
    return {"authorization": f"Bearer {client.token}"}


async def code_of(
    world: ServerThread, client: Client, act: Callable[[], Awaitable[None]] | None = None
) -> int | None:
    """The code with which a feed is closed, after this is done while it is open."""
    path = f"{world.address.replace('http', 'ws')}/tables/{TABLE}/feed"
    async with connect(path, additional_headers=auth_header(client)) as socket:
        with suppress(ConnectionClosed):
            await socket.recv()
            if act is not None:
                await act()
            while True:
                await socket.recv()
        return socket.close_code


async def sign_out(world: ServerThread, client: Client) -> None:
    """Sign out from another connection."""
    async with httpx.AsyncClient(base_url=world.address, headers=auth_header(client)) as http:
        assert 204 == (await http.delete("/session")).status_code


def test_a_feed_ends_at_sign_out(floor: ServerThread) -> None:
    """At once; the feeds of other accounts go on."""

    async def leaving() -> tuple[int | None, int]:
        async with await floor.client("ann") as ann, await floor.client("bob") as bob:
            code = await code_of(floor, ann, lambda: sign_out(floor, ann))
            state = await bob.state(TABLE)
            return code, state["sequence"]

    code, _ = run(leaving())
    assert 4401 == code


def test_an_event_stream_ends_at_sign_out(floor: ServerThread) -> None:
    """The Server-Sent Events of the feed, too."""

    async def reading(client: Client) -> bool:
        async with (
            httpx.AsyncClient(base_url=floor.address, headers=auth_header(client)) as http,
            http.stream("GET", f"/tables/{TABLE}/feed") as response,
        ):
            chunks = response.aiter_raw()
            await anext(chunks)
            await sign_out(floor, client)
            async for _ in chunks:
                pass
        return True

    async def leaving() -> bool:
        async with await floor.client("ann") as ann:
            return await reading(ann)

    assert run(leaving())


@pytest.mark.parametrize("how", ["ends = 0", "seen = 0"], ids=["expired", "idle"])
def test_a_feed_ends_when_its_session_expires(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """An open feed does not extend the idle timeout."""
    monkeypatch.setattr(guard, "SESSION_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 0.1)
    monkeypatch.setattr(sessions, "SEEN_EVERY_MS", 0)

    async def waiting() -> int | None:
        async def over() -> None:
            edit_accounts(floor, f"UPDATE floor_session SET {how}")

        async with await floor.client("ann") as ann:
            return await code_of(floor, ann, over)

    assert 4401 == run(waiting())


def test_signing_out_in_one_tab_signs_out_all(floor: ServerThread, browser: Browser) -> None:
    """The other tab goes to the sign-in page, and after signing in back to the table."""
    ann = BrowserUser(floor, browser, "ann")
    ann.page.goto(f"{floor.address}/play/{TABLE}")
    expect(ann.page.get_by_text("Choose a seat")).to_be_visible()
    other = ann.page.context.new_page()
    other.goto(f"{floor.address}/lobby")
    other.get_by_role("button", name="Sign out").click()
    ann.page.wait_for_url("**/sign-in?*")
    ann.page.get_by_label("Name").fill("ann")
    ann.page.get_by_label("Password").fill("wrong horse battery")
    ann.page.get_by_role("button", name="Sign in").click()
    expect(ann.page.get_by_role("alert")).to_be_visible()
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("button", name="Sign in").click()
    ann.page.wait_for_url(f"**/play/{TABLE}")
    expect(ann.page.get_by_text("Choose a seat")).to_be_visible()


def test_a_locked_console_is_unlocked_or_taken_over(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its feed closes with a code of its own; requests in the background do not keep it open."""
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(guard, "SESSION_CHECK_SECONDS", 0.2)
    monkeypatch.setattr(sessions, "SEEN_EVERY_MS", 0)
    assert floor.server is not None
    accounts = floor.server.floor.accounts
    accounts.add("dave", PASSWORD, [("dealer", "*")])
    accounts.set_pin("dave", PASSWORD, "271828", "here")
    headers = {"origin": floor.address}

    async def scenario() -> None:
        async def lock_soon() -> None:
            accounts.policy = SessionPolicy(staff_lock_minutes=0.5 / 60)

        async with await floor.client("dana") as dana:
            assert 4423 == await code_of(floor, dana, lock_soon)
            accounts.policy = SessionPolicy(staff_lock_minutes=5 / 60)  # for a slow machine
        browser = httpx.AsyncClient(base_url=floor.address, headers=headers)
        async with browser as http:
            body = {"name": "dana", "password": PASSWORD}
            assert 200 == (await http.post("/session", json=body)).status_code
            status = 200
            while status == 200:
                await asyncio.sleep(0.1)
                polled = await http.get("/me", headers={"croupier-background": "1"})
                status = polled.status_code
            assert 423 == status, polled.text
            locked = await http.get("/console/T")
            assert "/unlock?then=%2Fconsole%2FT" == locked.headers["location"]
            page = (await http.get(locked.headers["location"])).text
            assert "Session locked" in page and "Relieve" in page
            wrong = await http.post("/session/unlock", json={"secret": "a wrong password"})
            assert (403, "wrong password or PIN") == (wrong.status_code, wrong.json()["problem"])
            unlocked = await http.post("/session/unlock", json={"secret": PASSWORD})
            assert (200, "dana") == (unlocked.status_code, unlocked.json()["account"])
            assert 200 == (await http.get("/me")).status_code
            taken = await http.post("/session/relief", json={"name": "dave", "pin": "271828"})
            assert (200, "dave") == (taken.status_code, taken.json()["account"])
            assert "dave" == (await http.get("/me")).json()["account"]
            change = {"password": PASSWORD, "new_password": "1234567890"}
            weak = await http.post("/me/password", json=change)
            assert (400, True) == (weak.status_code, "row of keys" in weak.json()["problem"])
            assert "1234567890" not in weak.text
            change["new_password"] = "another horse battery"
            assert 204 == (await http.post("/me/password", json=change)).status_code
            assert 401 == (await http.get("/me")).status_code

    try:
        run(scenario())
    finally:
        accounts.policy = PRACTICE
    signed = [(kind, account) for kind, account, _ in recorded_sign_ins(floor)]
    assert [("signed_out", "dana"), ("signed_in", "dave")] == signed[-2:]

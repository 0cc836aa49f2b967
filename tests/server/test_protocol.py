"""The protocol: statuses, idempotency, resumption, authorization, recorded denials."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.server import Client, Floor, Settings
from croupier.server.auth.session_policy import LIVE
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.client import ResponseError
from croupier.server.http.middleware import CONTENT_SECURITY_POLICY
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.floor_server import (
    PASSWORD,
    UNLIMITED,
    ServerThread,
    play,
    recorded_denials,
    recorded_sign_ins,
    run,
    serving,
)

TABLE = "practice-top-five"
METERED = "practice-jackpot"
SIT = {"kind": "sit_down", "seat": 2}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with a practice table and an attended table."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        world.open(METERED, "jackpot_holdem", seed=3)
        world.open("A1", "top_five", service="attended")
        yield world


async def refusal_of(client: Client, table: str, command: Any, **more: Any) -> ResponseError:
    """The error response to a command."""
    with pytest.raises(ResponseError) as error:
        await client.do(table, command, **more)
    return error.value


def test_repeated_id_changes_nothing(floor: ServerThread) -> None:
    """The same command gets the same response; another command under its id is a conflict."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, await floor.client("bob") as bob:
            first = await ann.do(TABLE, SIT, id="one-and-only")
            again = await ann.do(TABLE, SIT, id="one-and-only", expected=1)
            assert first == again
            other = await refusal_of(ann, TABLE, {"kind": "leave", "seat": 2}, id="one-and-only")
            assert 409 == other.status
            stolen = await refusal_of(bob, TABLE, SIT, id="one-and-only")
            assert 409 == stolen.status
            state = await bob.state(TABLE)
            assert {"2": "ann"} == state["state"]["view"]["seats"]

    run(scenario())


def test_concurrent_commands_with_one_id_execute_once(floor: ServerThread) -> None:
    """Twenty concurrent copies of a purchase buy chips once."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            await ann.do(TABLE, SIT)
            buying = {"kind": "buy_chips", "cash": 10_000}
            copies = [ann.ask(TABLE, buying, id="one purchase") for _ in range(20)]
            await asyncio.gather(*copies)
            state = await ann.state(TABLE)
            assert {"ann": 10_000} == state["state"]["view"]["chips"]

    run(scenario())


def test_error_statuses(floor: ServerThread) -> None:
    """Malformed, not signed in, wrong role, unknown table, stale, refused by a clause."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, await floor.client("dana") as dana:
            assert 400 == (await refusal_of(ann, TABLE, {"kind": "sit_down", "seat": "1"})).status
            assert 400 == (await refusal_of(ann, TABLE, {"kind": "fly"})).status
            assert 400 == (await refusal_of(ann, TABLE, SIT, id="short")).status
            assert 404 == (await refusal_of(ann, "nowhere", SIT)).status
            assert 409 == (await refusal_of(ann, TABLE, SIT, expected=0)).status
            full = await refusal_of(ann, TABLE, {"kind": "sit_down", "seat": 9})
            assert (422, "top_five") == (full.status, full.game)
            assert full.clause
            # The table itself refuses the role and records the attempt.
            assert 403 == (await refusal_of(ann, TABLE, {"kind": "no_more_bets"})).status
            assert 403 == (await refusal_of(dana, TABLE, SIT)).status
            assert 403 == (await refusal_of(dana, TABLE, SIT, role="player")).status
        async with Client(floor.address) as anonymous:
            assert 401 == (await refusal_of(anonymous, TABLE, SIT)).status
        async with Client(floor.address, token="made up") as forger:
            assert 401 == (await refusal_of(forger, TABLE, SIT)).status

    run(scenario())


def test_refused_commands_change_nothing(floor: ServerThread) -> None:
    """After several kinds of refusals the record has no new entry."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            before = await ann.state(TABLE)
            for command in ({"kind": "sit_down", "seat": 7}, {"kind": "settle"}, {"kind": ""}):
                await refusal_of(ann, TABLE, command)
            after = await ann.state(TABLE)
            assert before["sequence"] == after["sequence"]
            assert before["state"] == after["state"]

    run(scenario())


def test_feed_resumes_without_gap_or_repetition(floor: ServerThread) -> None:
    """The entry after the last one seen comes first, also after a restart of the server."""

    async def played() -> list[dict[str, Any]]:
        async with await floor.client("ann") as ann:
            return await play(ann, TABLE, 2, rounds=2)

    frames = [frame for frame in run(played()) if frame["frame"] == "entry"]
    entries = {frame["sequence"]: frame["events"] for frame in frames}
    last = max(entries)

    async def resumed(after: int) -> dict[int, Any]:
        async with await floor.client("ann") as ann:
            received: dict[int, Any] = {}
            async with aclosing(ann.feed(TABLE, after=after)) as feed:
                async for frame in feed:
                    assert "snapshot" != frame["frame"]
                    if frame["frame"] == "entry":
                        received[frame["sequence"]] = frame["events"]
                    if frame["sequence"] >= last:
                        return {n: events for n, events in received.items() if n <= last}
            raise AssertionError("the feed ended")

    middle = min(entries) + 7
    expected = {number: events for number, events in entries.items() if number > middle}
    assert expected == run(resumed(middle))
    assert {} == run(resumed(last))
    floor.stop()
    floor.start()
    assert expected == run(resumed(middle))


def test_resuming_after_a_future_entry_fails(floor: ServerThread) -> None:
    """A number beyond the record closes the feed with a final code."""

    async def ahead() -> None:
        async with await floor.client("ann") as ann, aclosing(ann.feed(TABLE, after=999)) as feed:
            async for _ in feed:
                raise AssertionError("a frame arrived")

    with pytest.raises(ResponseError) as error:
        run(ahead())
    assert 403 == error.value.status


def test_server_sent_events_carry_the_same_frames(floor: ServerThread) -> None:
    """The same frames as over the WebSocket, resumed by Last-Event-ID."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            await ann.do(TABLE, SIT)
            headers = {"authorization": f"Bearer {ann.token}", "last-event-id": "1"}
            url = f"{floor.address}/tables/{TABLE}/feed"
            async with httpx.AsyncClient() as http, http.stream("GET", url, headers=headers) as got:
                lines = got.aiter_lines()
                id, event, data = [await anext(lines) for _ in range(3)]
                assert ("id: 2", "event: entry") == (id, event)
                assert "deck_committed" == json.loads(data[6:])["events"][0]["kind"]

    run(scenario())


def test_roles_belong_to_tables_and_denials_are_recorded(floor: ServerThread) -> None:
    """A person without a role sees no table; every attempt is recorded."""

    async def scenario() -> None:
        async with await floor.client("nobody") as nobody:
            assert [] == await nobody.tables()
            for attempt in (nobody.state(TABLE), nobody.house(TABLE), nobody.do(TABLE, SIT)):
                with pytest.raises(ResponseError) as error:
                    await attempt
                assert 403 == error.value.status

    run(scenario())
    why = f"no role at {TABLE}"
    assert {("nobody", "look", why): 2, ("nobody", "command", why): 1} == recorded_denials(floor)


def test_wrong_passwords_delay_the_address(floor: ServerThread) -> None:
    """It then rejects even the right password; failures are counted on record."""

    async def attempts() -> list[int]:
        statuses = []
        async with Client(floor.address) as client:
            for password in ["wrong password"] * LIVE.wrong_passwords + [PASSWORD]:
                with pytest.raises(ResponseError) as error:
                    await client.sign_in("bob", password)
                statuses.append(error.value.status)
            with pytest.raises(ResponseError) as error:
                await client.sign_in("an unknown name", PASSWORD)
            statuses.append(error.value.status)
        return statuses

    before = sign_in_counts(floor)
    assert [401] * LIVE.wrong_passwords + [429, 401] == run(attempts())
    # An unknown name is not recorded: it may be a password.
    failed = {("failed", "bob"): LIVE.wrong_passwords + 1, ("failed", ""): 1}
    assert failed == sign_in_counts(floor) - before
    assert not [what for _, what, _ in recorded_denials(floor) if what == "sign_in"]


def test_sign_ins_and_sign_outs_are_on_record(floor: ServerThread) -> None:
    """Before the token is handed out."""
    before = sign_in_counts(floor)

    async def session() -> None:
        async with await floor.client("olga") as olga:
            assert {("signed_in", "olga"): 1} == await asyncio.to_thread(changed_counts)
            headers = {"Authorization": f"Bearer {olga.token}"}
            await olga._http.delete("/session", headers=headers)

    def changed_counts() -> dict[tuple[str, str], int]:
        return sign_in_counts(floor) - before

    run(session())
    assert {("signed_in", "olga"): 1, ("signed_out", "olga"): 1} == changed_counts()


def test_an_excluded_person_cannot_sign_in(floor: ServerThread) -> None:
    """Refused with the clause, and on record."""
    assert floor.server is not None
    accounts = floor.server.floor.accounts
    accounts.add("paula", PASSWORD, [("player", "*")])
    accounts.exclude("paula", 0, 0)

    async def attempt() -> ResponseError:
        async with Client(floor.address) as client:
            with pytest.raises(ResponseError) as error:
                await client.sign_in("paula", PASSWORD)
            return error.value

    refused = run(attempt())
    assert (422, "COMAR 36.03.10.34C") == (refused.status, refused.clause)
    assert recorded_denials(floor)["paula", "sign_in", "excluded"]


def test_an_exclusion_ends_sessions_and_links(floor: ServerThread) -> None:
    """An open session can neither act nor be unlocked; no link or PIN begins one."""
    assert floor.server is not None
    server, accounts = floor.server, floor.server.floor.accounts
    accounts.add("erik", PASSWORD, [("player", "*")])
    accounts.add("erna", PASSWORD, [("dealer", "*")])
    accounts.set_pin("erna", PASSWORD, "271828", "here")
    console, session = accounts.begin("dana"), accounts.begin("erik")

    async def attempts() -> None:
        headers = {"authorization": f"Bearer {console}", "origin": floor.address}
        async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
            relief = {"name": "erna", "pin": "271828"}
            relieved = await http.post("/session/relief", json=relief)
            entered = await http.get(server.sign_in_link("erik"))
            for refused in (relieved, entered):
                assert (422, True) == (refused.status_code, "COMAR 36.03.10.34C" in refused.text)
                assert "set-cookie" not in refused.headers
            assert "dana" == (await http.get("/me")).json()["account"]

    before = recorded_denials(floor)
    for name in ("erik", "erna"):
        accounts.exclude(name, 0, 0)
    with pytest.raises(NotAdmitted):
        accounts.authenticate(session)
    with pytest.raises(NotAdmitted):
        accounts.unlock(session, PASSWORD, "here")
    run(attempts())
    denied = recorded_denials(floor) - before
    assert {("erik", "sign_in", "excluded"): 1, ("erna", "sign_in", "excluded"): 1} == denied
    assert not [kind for kind, account in sign_in_counts(floor) if account in ("erik", "erna")]
    accounts.end_exclusion("erik")
    assert "erik" == accounts.authenticate(session).id


def sign_in_counts(floor: ServerThread) -> Counter[tuple[str, str]]:
    """Counts of sign-ins, sign-outs and failures on record, by kind and account."""
    counts = Counter[tuple[str, str]]()
    for kind, account, count in recorded_sign_ins(floor):
        counts[kind, account] += count
    return counts


def test_signing_out_ends_the_session(floor: ServerThread) -> None:
    """The token is rejected afterwards."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                assert 200 == (await http.get("/me")).status_code
                assert 204 == (await http.delete("/session")).status_code
                assert 401 == (await http.get("/me")).status_code

    run(scenario())


def test_second_person_agrees_from_their_own_session(floor: ServerThread) -> None:
    """A command that names a second person needs that person's agreement."""
    command = cmd.AdjustMeter(
        meter="star",
        amount=1,
        reason="a test",
        approval="none",
        second=Account("paul", "pit_manager"),
    )

    async def scenario() -> None:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            id = "an adjustment"
            alone = await refusal_of(petra, METERED, command, id=id)
            assert (403, True) == (alone.status, "agree" in alone.problem)
            asked = await petra.ask_second(METERED, command, id=id)
            assert asked == (await paul.agreements())["to_agree"][0]
            with pytest.raises(ResponseError) as error:
                await petra.answer(asked, agreed=True)
            assert 403 == error.value.status
            assert "agreed" == (await paul.answer(asked, agreed=True))["state"]
            await petra.do(METERED, command, id=id)
            assert "done" == (await petra.agreements())["asked"][0]["state"]

    run(scenario())


def test_only_staff_enter_commands_for_a_player(floor: ServerThread) -> None:
    """Another player is denied, which is recorded; a dealer without a post is refused."""

    async def scenario() -> None:
        async with await floor.client("bob") as bob, await floor.client("dana") as dana:
            for client, expected in ((bob, 403), (dana, 422)):
                url = "/tables/A1/commands?player=ann"
                headers = {
                    "authorization": f"Bearer {client.token}",
                    "idempotency-key": f"entered {client.account}",
                    "content-type": "application/json",
                }
                async with httpx.AsyncClient(base_url=floor.address) as http:
                    got = await http.post(url, headers=headers, content=json.dumps(SIT))
                assert expected == got.status_code, got.text

    run(scenario())
    assert ["acts for ann"] == [why for _, _, why in recorded_denials(floor)]


def test_cross_site_requests_are_rejected(floor: ServerThread) -> None:
    """Origin and Sec-Fetch-Site are checked wherever the session cookie authenticates."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            cookie = {"cookie": f"croupier_session={ann.token}"}
            url = f"/tables/{TABLE}/commands"
            json = {"content-type": "application/json", "idempotency-key": "0123456789"}
            async with httpx.AsyncClient(base_url=floor.address) as http:
                for more in (
                    {"origin": "https://evil.example"},
                    {"sec-fetch-site": "cross-site"},
                    {"sec-fetch-site": "same-site", "origin": floor.address},
                    {},
                ):
                    got = await http.post(url, headers=cookie | json | more, content=b"{}")
                    assert 403 == got.status_code, more
                own = cookie | json | {"origin": floor.address, "sec-fetch-site": "same-origin"}
                assert 400 == (await http.post(url, headers=own, content=b"{}")).status_code
            address = floor.address.replace("http", "ws") + f"/tables/{TABLE}/feed"
            evil = {**cookie, "origin": "https://evil.example"}
            async with connect(address, additional_headers=evil) as socket:
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert 4403 == socket.close_code

    run(scenario())


def test_hosts_bodies_and_headers_are_checked(floor: ServerThread) -> None:
    """Known hosts, small JSON bodies, security headers on every response."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}", "idempotency-key": "0123456789"}
            async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                url = f"/tables/{TABLE}/commands"
                assert 415 == (await http.post(url, content=b"{}")).status_code
                body = b" " * 100_000
                big = {"content-type": "application/json"}
                assert 413 == (await http.post(url, content=body, headers=big)).status_code
                rebound = await http.get("/tables", headers={"host": "evil.example"})
                assert 421 == rebound.status_code
                for path in ("/health/live", "/nothing", "/tables", "/sign-in"):
                    got = await http.get(path)
                    assert CONTENT_SECURITY_POLICY == got.headers["content-security-policy"], path
                    assert "nosniff" == got.headers["x-content-type-options"]
                    assert "server" not in got.headers

    run(scenario())


@pytest.mark.parametrize(
    ("then", "where"),
    [
        ("/console/T?role=dealer", "/console/T?role=dealer"),
        ("", "/"),
        ("//evil.example/play", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/play\r\nset-cookie: a=b", "/"),
    ],
)
def test_sign_in_redirects_only_to_own_pages(floor: ServerThread, then: str, where: str) -> None:
    """To the requested page; never to another site."""

    async def sign_in() -> httpx.Response:
        async with httpx.AsyncClient(base_url=floor.address) as http:
            fields = {"name": "ann", "password": PASSWORD, "then": then}
            return await http.post("/sign-in", data=fields, headers={"origin": floor.address})

    response = run(sign_in())

    assert (303, where) == (response.status_code, response.headers["location"])


def test_sign_in_page_keeps_the_requested_page(floor: ServerThread) -> None:
    """With its query; the form has it as escaped text."""

    async def open_sign_in() -> tuple[str, str]:
        async with httpx.AsyncClient(base_url=floor.address) as http:
            redirect = await http.get("/console/T?role=dealer&x=%22%3E%3Cb%3E")
            location = redirect.headers["location"]
            return location, (await http.get(location)).text

    location, form = run(open_sign_in())

    assert "/sign-in?then=%2Fconsole%2FT%3Frole%3Ddealer%26x%3D%2522%253E%253Cb%253E" == location
    assert 'name="then" value="/console/T?role=dealer&amp;x=%22%3E%3Cb%3E"' in form


def test_commands_are_rate_limited_by_account(tmp_path: Path) -> None:
    """Too many commands of all sessions of an account; another account is not affected."""
    settings = Settings(
        commands="5/minute", requests=UNLIMITED.requests, sign_ins=UNLIMITED.sign_ins
    )

    async def scenario(world: ServerThread) -> None:
        async with await world.client("ann") as ann, await world.client("bob") as bob:
            statuses = [(await refusal_of(ann, "T", {"kind": "settle"})).status for _ in range(8)]
            assert [403] * 5 + [429] * 3 == statuses
            async with await world.client("ann") as again:
                assert 429 == (await refusal_of(again, "T", {"kind": "settle"})).status
            assert 403 == (await refusal_of(bob, "T", {"kind": "settle"})).status

    with serving(tmp_path, settings) as world:
        world.open("T", "top_five")
        run(scenario(world))


def test_health_and_metrics(floor: ServerThread) -> None:
    """Live, ready, and counters that name neither people nor cards."""

    async def metrics() -> str:
        async with await floor.client("ann") as ann:
            await play(ann, TABLE, 2)
        async with httpx.AsyncClient(base_url=floor.address) as http:
            assert {"live": True} == (await http.get("/health/live")).json()
            assert {"ready": True} == (await http.get("/health/ready")).json()
            return (await http.get("/metrics")).text

    text = run(metrics())
    assert 'croupier_commands_total{kind="sit_down",status="200"} 1.0' in text
    assert re.search("croupier_rounds_played [12]", text)  # a bot may have bet again
    assert "ann" not in text


def test_table_recovers_after_a_failed_write(floor: ServerThread) -> None:
    """The next command reopens the table from the record and executes."""

    async def stop_table(running: Floor) -> None:
        running.table_host("A1").recorded_table.stopped = "the disk is full"

    async def take_post() -> None:
        async with await floor.client("dana") as dana:
            done = await dana.do("A1", {"kind": "take_post"}, id="take the post")
            assert 2 == done["sequence"]

    floor.within(stop_table)
    run(take_post())

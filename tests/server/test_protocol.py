"""The protocol: statuses, idempotency, resumption, who may do what, and what is kept of denials."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.server import Client, Floor, Settings
from croupier.server.auth.accounts import FAILURES_MAX
from croupier.server.auth.guard import POLICY
from croupier.server.client import ResponseError
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.floor_server import (
    UNLIMITED,
    PASSWORD,
    ServerThread,
    recorded_denials,
    play,
    run,
    serving,
)

TABLE = "practice-top-five"
SIT = {"kind": "sit_down", "seat": 2}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with one practice table and one that people serve."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        world.open("A1", "top_five", service="attended")
        yield world


async def refusal_of(client: Client, table: str, command: Any, **more: Any) -> ResponseError:
    """Why a command is not done."""
    with pytest.raises(ResponseError) as error:
        await client.do(table, command, **more)
    return error.value


def test_the_same_id_again_changes_nothing(floor: ServerThread) -> None:
    """The same answer for the same command; another command under its id is a conflict."""

    async def repeating() -> None:
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

    run(repeating())


def test_many_at_once_under_one_id_are_carried_out_once(floor: ServerThread) -> None:
    """Twenty copies of a purchase, sent together, buy chips once."""

    async def flooding() -> None:
        async with await floor.client("ann") as ann:
            await ann.do(TABLE, SIT)
            buying = {"kind": "buy_chips", "cash": 10_000}
            copies = [ann.ask(TABLE, buying, id="one purchase") for _ in range(20)]
            await asyncio.gather(*copies)
            state = await ann.state(TABLE)
            assert {"ann": 10_000} == state["state"]["view"]["chips"]

    run(flooding())


def test_statuses_say_who_has_to_change_something(floor: ServerThread) -> None:
    """Wrong form, nobody, wrong role, unknown table, stale, refused by a clause."""

    async def asking() -> None:
        async with await floor.client("ann") as ann, await floor.client("dana") as dana:
            assert 400 == (await refusal_of(ann, TABLE, {"kind": "sit_down", "seat": "1"})).status
            assert 400 == (await refusal_of(ann, TABLE, {"kind": "fly"})).status
            assert 400 == (await refusal_of(ann, TABLE, SIT, id="short")).status
            assert 404 == (await refusal_of(ann, "nowhere", SIT)).status
            assert 409 == (await refusal_of(ann, TABLE, SIT, expected=0)).status
            full = await refusal_of(ann, TABLE, {"kind": "sit_down", "seat": 9})
            assert (422, "top_five") == (full.status, full.game)
            assert full.clause
            # The table itself refuses the wrong person, and notes it; that is a 403.
            assert 403 == (await refusal_of(ann, TABLE, {"kind": "no_more_bets"})).status
            assert 403 == (await refusal_of(dana, TABLE, SIT)).status
            assert 403 == (await refusal_of(dana, TABLE, SIT, role="player")).status
        async with Client(floor.address) as stranger:
            assert 401 == (await refusal_of(stranger, TABLE, SIT)).status
        async with Client(floor.address, token="made up") as liar:
            assert 401 == (await refusal_of(liar, TABLE, SIT)).status

    run(asking())


def test_nothing_is_decided_by_what_a_refused_message_said(floor: ServerThread) -> None:
    """After all kinds of refusals the record has not moved."""

    async def asking() -> None:
        async with await floor.client("ann") as ann:
            before = await ann.state(TABLE)
            for command in ({"kind": "sit_down", "seat": 7}, {"kind": "settle"}, {"kind": ""}):
                await refusal_of(ann, TABLE, command)
            after = await ann.state(TABLE)
            assert before["sequence"] == after["sequence"]
            assert before["state"] == after["state"]

    run(asking())


def test_a_reader_resumes_without_missing_or_repeating(floor: ServerThread) -> None:
    """Whatever was seen last, the next number follows; also after the server was started anew."""

    async def played() -> list[dict[str, Any]]:
        async with await floor.client("ann") as ann:
            return await play(ann, TABLE, 2, rounds=2)

    frames = [frame for frame in run(played()) if frame["frame"] == "entry"]
    told = {frame["sequence"]: frame["events"] for frame in frames}
    last = max(told)

    async def resumed(after: int) -> dict[int, Any]:
        async with await floor.client("ann") as ann:
            found: dict[int, Any] = {}
            async with aclosing(ann.feed(TABLE, after=after)) as feed:
                async for frame in feed:
                    assert "snapshot" != frame["frame"]
                    if frame["frame"] == "entry":
                        found[frame["sequence"]] = frame["events"]
                    if frame["sequence"] >= last:
                        return {n: events for n, events in found.items() if n <= last}
            raise AssertionError("the feed ended")

    middle = min(told) + 7
    expected = {number: events for number, events in told.items() if number > middle}
    assert expected == run(resumed(middle))
    assert {} == run(resumed(last))
    floor.stop()
    floor.start()
    assert expected == run(resumed(middle))


def test_nobody_resumes_from_what_has_not_happened(floor: ServerThread) -> None:
    """A number beyond the record closes the feed for good."""

    async def ahead() -> None:
        async with await floor.client("ann") as ann, aclosing(ann.feed(TABLE, after=999)) as feed:
            async for _ in feed:
                raise AssertionError("something was told")

    with pytest.raises(ResponseError) as error:
        run(ahead())
    assert 403 == error.value.status


def test_a_client_that_speaks_on_the_feed_is_cut(floor: ServerThread) -> None:
    """Only the server speaks there."""

    async def speaking() -> int | None:
        async with await floor.client("ann") as ann:
            address = floor.address.replace("http", "ws") + f"/tables/{TABLE}/feed"
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(address, additional_headers=headers) as socket:
                await socket.recv()
                await socket.send("hello")
                with suppress(ConnectionClosed):
                    async for _ in socket:
                        pass
                return socket.close_code

    assert 1008 == run(speaking())


def test_the_twin_of_the_feed_says_the_same(floor: ServerThread) -> None:
    """Server-Sent Events: the same frames, resumed by Last-Event-ID."""

    async def reading() -> None:
        async with await floor.client("ann") as ann:
            await ann.do(TABLE, SIT)
            headers = {"authorization": f"Bearer {ann.token}", "last-event-id": "1"}
            url = f"{floor.address}/tables/{TABLE}/feed"
            async with httpx.AsyncClient() as http, http.stream("GET", url, headers=headers) as got:
                lines = got.aiter_lines()
                told = [await anext(lines) for _ in range(3)]
                assert ["id: 2", "event: entry"] == told[:2]
                assert "deck_committed" == json.loads(told[2][6:])["events"][0]["kind"]

    run(reading())


def test_roles_belong_to_tables_and_denials_are_kept(floor: ServerThread) -> None:
    """Somebody without a role sees nothing; each attempt is written down."""

    async def trying() -> None:
        async with await floor.client("nobody") as nobody:
            assert [] == await nobody.tables()
            for attempt in (nobody.state(TABLE), nobody.house(TABLE), nobody.do(TABLE, SIT)):
                with pytest.raises(ResponseError) as error:
                    await attempt
                assert 403 == error.value.status

    run(trying())
    why = f"no role at {TABLE}"
    assert {("nobody", "look", why): 2, ("nobody", "command", why): 1} == recorded_denials(floor)


def test_a_person_is_locked_out_after_wrong_passwords(floor: ServerThread) -> None:
    """Not even the right password lets anybody in then, and every attempt is kept."""

    async def guessing() -> list[int]:
        statuses = []
        async with Client(floor.address) as client:
            for password in ["wrong password"] * FAILURES_MAX + [PASSWORD]:
                with pytest.raises(ResponseError) as error:
                    await client.sign_in("bob", password)
                statuses.append(error.value.status)
            with pytest.raises(ResponseError) as error:
                await client.sign_in("there is nobody of that name", PASSWORD)
            statuses.append(error.value.status)
        return statuses

    assert [401] * FAILURES_MAX + [429, 401] == run(guessing())
    # Of somebody without an account not even the name is kept: it may be a password.
    assert {
        ("bob", "sign_in", "NotAdmitted"): FAILURES_MAX,
        ("bob", "sign_in", "Locked"): 1,
        ("", "sign_in", "NotAdmitted"): 1,
    } == recorded_denials(floor)


def test_a_session_ends_when_its_person_signs_out(floor: ServerThread) -> None:
    """The token lets nobody in afterwards."""

    async def leaving() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                assert 200 == (await http.get("/me")).status_code
                assert 204 == (await http.delete("/session")).status_code
                assert 401 == (await http.get("/me")).status_code

    run(leaving())


def test_the_second_of_two_people_agrees_from_an_own_session(floor: ServerThread) -> None:
    """A command that names a second person is nothing without that person."""
    command = cmd.AdjustMeter(
        meter="mega",
        amount=1,
        reason="a test",
        approval="none",
        second=Account("paul", "pit_manager"),
    )

    async def adjusting() -> None:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            id = "an adjustment"
            alone = await refusal_of(petra, TABLE, command, id=id)
            assert (403, True) == (alone.status, "agree" in alone.problem)
            with pytest.raises(ResponseError) as error:
                await petra.agree(TABLE, command, id=id)
            assert 403 == error.value.status
            await paul.agree(TABLE, command, id=id)
            together = await refusal_of(petra, TABLE, command, id=id)
            assert "agree" not in together.problem  # what is said now is said by the table

    run(adjusting())


def test_only_staff_enters_what_a_player_says(floor: ServerThread) -> None:
    """Another player is denied, which is kept; a dealer without a post is refused."""

    async def entering() -> None:
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

    run(entering())
    assert ["acts for ann"] == [why for _, _, why in recorded_denials(floor)]


def test_pages_of_other_sites_can_neither_write_nor_listen(floor: ServerThread) -> None:
    """Origin and Sec-Fetch-Site are looked at wherever a cookie speaks for somebody."""

    async def attacking() -> None:
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

    run(attacking())


def test_the_door_is_narrow(floor: ServerThread) -> None:
    """Known hosts, small bodies, JSON only, strict headers on everything, nothing about errors."""

    async def knocking() -> None:
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
                    assert POLICY == got.headers["content-security-policy"], path
                    assert "nosniff" == got.headers["x-content-type-options"]
                    assert "server" not in got.headers

    run(knocking())


@pytest.mark.parametrize(
    ("then", "where"),
    [
        ("/console/T?role=dealer", "/console/T?role=dealer"),
        ("", "/lobby"),
        ("//evil.example/play", "/lobby"),
        ("/\\evil.example", "/lobby"),
        ("https://evil.example", "/lobby"),
        ("/play\r\nset-cookie: a=b", "/lobby"),
    ],
)
def test_whoever_signs_in_comes_to_a_page_of_ours(
    floor: ServerThread, then: str, where: str
) -> None:
    """The one that was wanted; a link to our door leads nobody elsewhere."""

    async def signing_in() -> httpx.Response:
        async with httpx.AsyncClient(base_url=floor.address) as http:
            fields = {"name": "ann", "password": PASSWORD, "then": then}
            return await http.post("/sign-in", data=fields, headers={"origin": floor.address})

    answered = run(signing_in())

    assert (303, where) == (answered.status_code, answered.headers["location"])


def test_the_door_keeps_what_was_wanted(floor: ServerThread) -> None:
    """With its question; the form that comes back names it, and nothing in it is markup."""

    async def knocking() -> tuple[str, str]:
        async with httpx.AsyncClient(base_url=floor.address) as http:
            sent = await http.get("/console/T?role=dealer&x=%22%3E%3Cb%3E")
            return sent.headers["location"], (await http.get(sent.headers["location"])).text

    location, form = run(knocking())

    assert "/sign-in?then=%2Fconsole%2FT%3Frole%3Ddealer%26x%3D%2522%253E%253Cb%253E" == location
    assert 'name="then" value="/console/T?role=dealer&amp;x=%22%3E%3Cb%3E"' in form


def test_rates_are_limited_by_session(tmp_path: Path) -> None:
    """Too many commands of one person are refused; another person is not touched."""
    settings = Settings(
        commands="5/minute", requests=UNLIMITED.requests, sign_ins=UNLIMITED.sign_ins
    )

    async def hurrying(world: ServerThread) -> None:
        async with await world.client("ann") as ann, await world.client("bob") as bob:
            statuses = [(await refusal_of(ann, "T", {"kind": "settle"})).status for _ in range(8)]
            assert [403] * 5 + [429] * 3 == statuses
            assert 403 == (await refusal_of(bob, "T", {"kind": "settle"})).status

    with serving(tmp_path, settings) as world:
        world.open("T", "top_five")
        run(hurrying(world))


def test_health_and_metrics(floor: ServerThread) -> None:
    """Live, ready, and counts that name neither people nor cards."""

    async def measuring() -> str:
        async with await floor.client("ann") as ann:
            await play(ann, TABLE, 2)
        async with httpx.AsyncClient(base_url=floor.address) as http:
            assert {"live": True} == (await http.get("/health/live")).json()
            assert {"ready": True} == (await http.get("/health/ready")).json()
            return (await http.get("/metrics")).text

    text = run(measuring())
    assert 'croupier_commands_total{kind="sit_down",status="200"} 1.0' in text
    assert re.search("croupier_rounds_played [12]", text)  # a bot may have bet again
    assert "ann" not in text


def test_a_table_whose_record_failed_goes_on_when_it_is_back(floor: ServerThread) -> None:
    """503 while nothing can be written; the same command under its id is then carried out."""

    async def breaking(hall: Floor) -> None:
        hall.table_host("A1").recorded_table.stopped = "the disk is full"

    async def going_on() -> None:
        async with await floor.client("dana") as dana:
            done = await dana.do("A1", {"kind": "take_post"}, id="take the post")
            assert 2 == done["sequence"]

    floor.within(breaking)
    run(going_on())

"""Commands over the feed: the same checks and replies as over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.ledger.audit.verify import verify
from croupier.server import Client
from croupier.server.api import feed_endpoints
from croupier.server.auth import guard
from croupier.server.client import ResponseError
from croupier.server.http.request import MAX_BODY_BYTES
from croupier.server.tables.host import TableHost
from tests.support.floor_server import UNLIMITED, ServerThread, bet, recorded_denials, run, serving

TABLE = "T"
SIT = {"kind": "sit_down", "seat": 2}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one practice table that deals without delay."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world
    assert verify(world.database).ok


def feed_url(world: ServerThread) -> str:
    """The URL of a feed that takes commands."""
    return world.address.replace("http", "ws") + f"/tables/{TABLE}/feed"


async def send(socket: ClientConnection, text: str) -> dict[str, Any]:
    """Send one message; returns the reply."""
    await socket.send(text)
    while True:
        for frame in json.loads(await socket.recv()):
            if frame["frame"] == "answer":
                reply: dict[str, Any] = frame
                return reply


def test_round_is_played_over_one_feed(floor: ServerThread) -> None:
    """Sit down, buy in, bet, decide: entries and replies arrive on the same socket."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, ann.line(TABLE) as line:
            await line.do(SIT)
            await line.ask({"kind": "set_pace", "pace": "at_once"})
            await line.ask({"kind": "buy_chips", "cash": 100_000})
            numbers, bets, over = [], 0, False
            async for frame in line:
                numbers.append(frame["sequence"])
                kinds = {event["kind"] for event in frame.get("events", ()) if event}
                over = over or (bets == 1 and "deck_revealed" in kinds)
                steps = frame.get("state", {}).get("steps", {}).values()
                if over:
                    break
                for step in steps:
                    if step["blocked"] or step["fixed"].get("seat") != SIT["seat"]:
                        continue
                    if step["kind"] == "decide" and "cents" not in step["fields"]:
                        await line.do({"kind": "decide", **step["fixed"]})
                        break
                    if step["kind"] == "place_wagers" and not bets:
                        bets = 1
                        await line.do(bet(step))
                        await line.ask({"kind": "deal"})
                        break
            entries = sorted(set(numbers))
            assert entries == list(range(entries[0], entries[-1] + 1))

    run(scenario())


def test_replies_equal_http_responses(floor: ServerThread) -> None:
    """Executed, repeated, refused with its clause, stale, id taken, malformed."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, ann.line(TABLE) as line:
            done = await line.do(SIT, id="sits down")
            again = await line.do(SIT, id="sits down")
            request = await ann.do(TABLE, SIT, id="sits down")
            assert done["sequence"] == again["sequence"] == request["sequence"]
            assert done["events"] == request["events"]
            for command, expected, id in (
                ({"kind": "sit_down", "seat": 9}, None, "no such seat"),
                ({"kind": "tip", "seat": 2, "chips": 1}, 0, "looked long ago"),
                ({"kind": "sit_down", "seat": 4}, None, "sits down"),
                ({"kind": "settle"}, None, "not a player's"),
                ({"kind": "sit_down", "seat": "2"}, None, "no number"),
                (SIT, None, "short"),
            ):
                with pytest.raises(ResponseError) as first:
                    await line.do(command, id=id, expected=expected)
                with pytest.raises(ResponseError) as second:
                    await ann.do(TABLE, command, id=id, expected=expected)
                expected_error = str(second.value).replace("Idempotency-Key", "id")
                assert expected_error == str(first.value)
            with pytest.raises(ResponseError) as error:
                await line.ask({"kind": "deal"})
            assert (422, True) == (error.value.status, bool(error.value.clause))

    run(scenario())


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("hello", 400),
        ("{}", 400),
        ('{"id": "an id that is long"}', 400),
        ('{"id": "an id that is long", "command": {"kind": "settle"}, "ask": {}}', 400),
        ('{"id": "an id that is long", "ask": {"kind": "sit_down", "seat": 1}}', 400),
        ('{"id": "an id that is long", "command": {"kind": "sit_down"}}', 400),
        ('{"id": "%s"}' % ("x" * MAX_BODY_BYTES), 413),
    ],
)
def test_malformed_message_leaves_the_feed_open(
    floor: ServerThread, text: str, status: int
) -> None:
    """The reply has the status of the error, and the next message is executed."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(feed_url(floor), additional_headers=headers) as socket:
                assert status == (await send(socket, text))["status"]
                message = json.dumps({"id": "after that", "command": SIT})
                assert 200 == (await send(socket, message))["status"]

    run(scenario())


def test_player_cannot_act_for_another(floor: ServerThread) -> None:
    """The attempt is denied and recorded."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(feed_url(floor), additional_headers=headers) as socket:
                message = {"id": "types for bob", "command": SIT, "player": "bob"}
                assert 403 == (await send(socket, json.dumps(message)))["status"]

    run(scenario())
    assert "acts for bob" in [why for _, _, why in recorded_denials(floor)]


def test_page_of_another_site_cannot_act(floor: ServerThread) -> None:
    """A cross-site WebSocket with the session cookie is closed."""

    async def close_code() -> int | None:
        async with await floor.client("ann") as ann:
            headers = {
                "cookie": f"{guard.SESSION_COOKIE}={ann.token}",
                "origin": "http://other.example",
            }
            async with connect(feed_url(floor), additional_headers=headers) as socket:
                with suppress(ConnectionClosed):
                    await send(socket, json.dumps({"id": "tricked into it", "command": SIT}))
                return socket.close_code

    assert 4403 == run(close_code())


def test_ended_session_cannot_act(floor: ServerThread) -> None:
    """The open feed is closed."""

    async def close_code() -> int | None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(feed_url(floor), additional_headers=headers) as socket:
                async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                    assert 204 == (await http.delete("/session")).status_code
                with suppress(ConnectionClosed):
                    await send(socket, json.dumps({"id": "signed out", "command": SIT}))
                return socket.close_code

    assert 4401 == run(close_code())


def test_client_does_not_wait_on_a_feed_that_has_ended(floor: ServerThread) -> None:
    """The command in flight and every later one raise; they waited forever."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, ann.line(TABLE) as line:
            await line.do(SIT)
            headers = {"authorization": f"Bearer {ann.token}"}
            async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                assert 204 == (await http.delete("/session")).status_code
            for _ in range(2):
                with pytest.raises(ResponseError) as error:
                    await asyncio.wait_for(line.do({"kind": "leave", "seat": 2}), 60)
                assert 401 == error.value.status

    run(scenario())


def test_feed_commands_are_rate_limited(tmp_path: Path) -> None:
    """Commands over the feed count against the limit of the session."""
    with serving(tmp_path, replace(UNLIMITED, commands="3/minute")) as world:
        world.open(TABLE, "top_five")

        async def statuses() -> list[int]:
            async with await world.client("ann") as ann:
                headers = {"authorization": f"Bearer {ann.token}"}
                async with connect(feed_url(world), additional_headers=headers) as socket:
                    message = json.dumps({"id": "again and again", "command": SIT})
                    return [(await send(socket, message))["status"] for _ in range(4)]

        assert [200, 200, 200, 429] == run(statuses())


def test_unanswered_command_is_sent_again(floor: ServerThread) -> None:
    """The connection breaks while a command is in flight; it executes once."""

    async def break_connection(client: Client) -> None:
        async with client.line(TABLE) as line:
            await line.do(SIT, id="first word")
            broken = line._socket
            waiting = asyncio.ensure_future(line.ask({"kind": "buy_chips", "cash": 5_000}))
            await asyncio.sleep(0)
            broken.transport.abort()
            await waiting
            state = (await client.state(TABLE))["state"]
            assert {"ann": 5_000} == state["view"]["chips"]

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            await break_connection(ann)

    run(scenario())


def test_every_reply_has_the_id_of_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """403, 413, 429 and 500 are raised by the client instead of being waited for."""

    async def scenario(world: ServerThread) -> list[int]:
        statuses = []
        async with await world.client("ann") as ann, ann.line(TABLE) as line:
            commands: tuple[dict[str, Any], ...] = (
                {"kind": "settle"},
                {"kind": "tip", "seat": 2, "chips": 1, "more": "x" * MAX_BODY_BYTES},
                SIT,
                *[{"kind": "tip", "seat": 2, "chips": 1}] * 8,
            )
            for command in commands:
                if command is SIT:
                    monkeypatch.setattr(TableHost, "execute", broken)
                with pytest.raises(ResponseError) as error:
                    await line.do(command)
                statuses.append(error.value.status)
        return statuses

    async def broken(self: TableHost, *args: object, **options: object) -> None:
        raise ZeroDivisionError

    with serving(tmp_path, replace(UNLIMITED, commands="6/minute")) as world:
        world.open(TABLE, "top_five", seed=3)
        statuses = run(scenario(world))
    assert [403, 413, 500] == statuses[:3]
    assert 429 == statuses[-1]


def test_a_message_above_the_maximum_is_an_error(floor: ServerThread) -> None:
    """The server closes the feed; the client does not send it again and again."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann, ann.line(TABLE) as line:
            with pytest.raises(ResponseError) as error:
                await line.do({"kind": "tip", "more": "x" * 2**21})
            assert 413 == error.value.status

    run(scenario())


def test_heartbeats_show_that_a_quiet_feed_is_alive(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a WebSocket on request, as comments of Server-Sent Events always."""
    monkeypatch.setattr(feed_endpoints, "HEARTBEAT_SECONDS", 0.1)

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(f"{feed_url(floor)}?heartbeats=1", additional_headers=headers) as at:
                frames = [json.loads(await at.recv()) for _ in range(4)]
                assert frames[-1] == [{"frame": "heartbeat"}]
            async with connect(feed_url(floor), additional_headers=headers) as without:
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        while True:
                            assert "heartbeat" not in str(await without.recv())
            url = f"{floor.address}/tables/{TABLE}/feed"
            async with (
                httpx.AsyncClient() as http,
                http.stream("GET", url, headers=headers) as got,
                asyncio.timeout(10),
            ):
                async for line in got.aiter_lines():
                    if line == ": heartbeat":
                        return
        raise AssertionError("no heartbeat")

    run(scenario())

"""Acting over the feed: the same checks and the same answers as by a request."""

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
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from croupier.ledger.audit.verify import verify
from croupier.server import Client
from croupier.server.auth import guard, session_cache
from croupier.server.client import ResponseError
from croupier.server.http.websocket import framed
from tests.support.floor_server import UNLIMITED, ServerThread, bet, recorded_denials, run, serving

TABLE = "T"
SIT = {"kind": "sit_down", "seat": 2}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one practice table that deals at once."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world
    assert verify(world.database).ok


def address(world: ServerThread, more: str = "") -> str:
    """Of a feed to act over."""
    return world.address.replace("http", "ws") + f"/tables/{TABLE}/feed?acts=true{more}"


async def say(socket: ClientConnection, text: str) -> dict[str, Any]:
    """The answer to one message."""
    await socket.send(text)
    while True:
        frame: dict[str, Any] = json.loads(await socket.recv())
        if frame["frame"] == "answer":
            return frame


def test_a_round_is_played_over_one_line(floor: ServerThread) -> None:
    """Sit down, buy in, bet, decide: what happens is told and answered on the same socket."""

    async def playing() -> None:
        async with await floor.client("ann") as ann, ann.line(TABLE) as line:
            await line.do(SIT)
            await line.ask({"kind": "set_pace", "pace": "at_once"})
            await line.ask({"kind": "buy_chips", "cash": 100_000})
            numbers, bets, over = [], 0, False
            async for frame in line:
                numbers.append(frame["sequence"])
                kinds = {event["kind"] for event in frame.get("events", ()) if event}
                over = over or (bets == 1 and "deck_revealed" in kinds)
                steps = frame.get("state", {}).get("steps", ())
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
            told = sorted(set(numbers))
            assert told == list(range(told[0], told[-1] + 1))

    run(playing())


def test_the_same_answers_as_by_a_request(floor: ServerThread) -> None:
    """Done, done again under its id, refused with its clause, stale, taken, malformed."""

    async def asking() -> None:
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
                wanted = str(second.value).replace("Idempotency-Key", "id")
                assert wanted == str(first.value)
            with pytest.raises(ResponseError) as error:
                await line.ask({"kind": "deal"})
            assert (422, True) == (error.value.status, bool(error.value.clause))

    run(asking())


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("hello", 400),
        ("{}", 400),
        ('{"id": "an id that is long"}', 400),
        ('{"id": "an id that is long", "command": {"kind": "settle"}, "ask": {}}', 400),
        ('{"id": "an id that is long", "ask": {"kind": "sit_down", "seat": 1}}', 400),
        ('{"id": "an id that is long", "command": {"kind": "sit_down"}}', 400),
        ('{"id": "%s"}' % ("x" * guard.BODY_MOST), 413),
    ],
)
def test_what_is_no_message_changes_nothing_and_ends_nothing(
    floor: ServerThread, text: str, status: int
) -> None:
    """It is said what is wrong, and the next message is heard."""

    async def speaking() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(address(floor), additional_headers=headers) as socket:
                assert status == (await say(socket, text))["status"]
                message = json.dumps({"id": "after that", "command": SIT})
                assert 200 == (await say(socket, message))["status"]

    run(speaking())


def test_nobody_else_acts_over_it(floor: ServerThread) -> None:
    """Not for somebody else, not without a seat; each attempt is kept."""

    async def asking() -> None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(address(floor), additional_headers=headers) as socket:
                typed = {"id": "types for bob", "command": SIT, "player": "bob"}
                assert 403 == (await say(socket, json.dumps(typed)))["status"]

    run(asking())
    assert "acts for bob" in [why for _, _, why in recorded_denials(floor)]


def test_a_page_of_another_site_does_not_act(floor: ServerThread) -> None:
    """With the cookie of a browser that was tricked into it."""

    async def speaking() -> int | None:
        async with await floor.client("ann") as ann:
            headers = {"cookie": f"{guard.COOKIE}={ann.token}", "origin": "http://other.example"}
            async with connect(address(floor), additional_headers=headers) as socket:
                with suppress(ConnectionClosed):
                    await say(socket, json.dumps({"id": "tricked into it", "command": SIT}))
                return socket.close_code

    assert 4403 == run(speaking())


def test_a_session_that_ended_acts_no_more(floor: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """The feed that was open is closed at the next word."""
    monkeypatch.setattr(session_cache, "CACHE_SECONDS", 0.0)

    async def speaking() -> int | None:
        async with await floor.client("ann") as ann:
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(address(floor), additional_headers=headers) as socket:
                async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                    assert 204 == (await http.delete("/session")).status_code
                with suppress(ConnectionClosed):
                    await say(socket, json.dumps({"id": "signed out", "command": SIT}))
                return socket.close_code

    assert 4401 == run(speaking())


def test_nobody_says_too_much(tmp_path: Path) -> None:
    """The rate of a session is that of its requests."""
    with serving(tmp_path, replace(UNLIMITED, commands="3/minute")) as world:
        world.open(TABLE, "top_five")

        async def speaking() -> list[int]:
            async with await world.client("ann") as ann:
                headers = {"authorization": f"Bearer {ann.token}"}
                async with connect(address(world), additional_headers=headers) as socket:
                    message = json.dumps({"id": "again and again", "command": SIT})
                    return [(await say(socket, message))["status"] for _ in range(4)]

        assert [200, 200, 200, 429] == run(speaking())


def test_what_was_not_answered_is_said_again(floor: ServerThread) -> None:
    """The line breaks while a command is on its way; it happens once."""

    async def playing(client: Client) -> None:
        async with client.line(TABLE) as line:
            await line.do(SIT, id="first word")
            broken = line._socket
            waiting = asyncio.ensure_future(line.ask({"kind": "buy_chips", "cash": 5_000}))
            await asyncio.sleep(0)
            broken.transport.abort()
            await waiting
            state = (await client.state(TABLE))["state"]
            assert {"ann": 5_000} == state["view"]["chips"]

    async def trying() -> None:
        async with await floor.client("ann") as ann:
            await playing(ann)

    run(trying())


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_of_any_length_is_one_frame(length: int) -> None:
    """As the library that reads it on the other side takes it."""
    reader = ClientProtocol(parse_uri("ws://127.0.0.1/"), state=State.OPEN)
    reader.receive_data(framed(b"x" * length))
    (event,) = reader.events_received()

    assert isinstance(event, Frame)
    assert (Opcode.TEXT, True, length) == (event.opcode, event.fin, len(event.data))

"""Budgets of accounts: what costs much counts more, however many sessions and feeds there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.server import Client, Settings
from croupier.server.auth import guard
from croupier.server.client import ResponseError
from croupier.server.tables import host
from tests.support.floor_server import ServerThread, run, serving

TABLE = "T"
SCARCE = Settings(commands="5/minute", requests="60/hour", sign_ins="1000/second")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor where an account may spend little."""
    with serving(tmp_path, SCARCE) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world


def feed(world: ServerThread, client: Client, query: str = "") -> connect:
    """A feed of the table."""
    url = world.address.replace("http", "ws") + f"/tables/{TABLE}/feed{query}"
    return connect(url, additional_headers={"authorization": f"Bearer {client.token}"})


async def close_code(socket: ClientConnection) -> int | None:
    """The code with which the server closes a socket at once; None if it sends something."""
    with suppress(ConnectionClosed):
        await socket.recv()
    return socket.close_code


def test_all_sessions_of_an_account_share_a_budget(floor: ServerThread) -> None:
    """Another account is not affected."""

    async def scenario() -> list[int]:
        statuses = []
        async with (
            await floor.client("ann") as ann,
            await floor.client("ann") as twin,
            httpx.AsyncClient(base_url=floor.address) as http,
        ):
            for client in (ann, twin) * 12:
                headers = {"authorization": f"Bearer {client.token}"}
                response = await http.get(f"/tables/{TABLE}/state", headers=headers)
                statuses.append(response.status_code)
        async with await floor.client("bob") as bob:
            await bob.state(TABLE)
        return statuses

    statuses = run(scenario())
    assert 200 == statuses[0] and 429 == statuses[-1]
    assert statuses.count(200) <= 14


def test_made_up_tokens_share_the_budget_of_their_address(floor: ServerThread) -> None:
    """A new token for each request gives no new budget."""

    async def scenario() -> set[int]:
        statuses = set()
        async with httpx.AsyncClient(base_url=floor.address) as http:
            for number in range(70):
                headers = {"authorization": f"Bearer made-up-{number}"}
                statuses.add((await http.get("/me", headers=headers)).status_code)
        return statuses

    assert {401, 429} == run(scenario())


def test_opening_feeds_costs_more_than_a_request(floor: ServerThread) -> None:
    """The client is asked to try again later."""

    async def scenario() -> list[int | None]:
        async with await floor.client("ann") as ann:
            codes = []
            for _ in range(6):
                async with feed(floor, ann) as socket:
                    codes.append(await close_code(socket))
            return codes

    codes = run(scenario())
    assert None is codes[0] and 1013 == codes[-1]


def test_an_account_has_a_limited_number_of_feeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over both transports; a closed one makes room."""
    monkeypatch.setattr(guard, "FEEDS_MAX", 1)

    async def scenario(world: ServerThread) -> None:
        async with await world.client("ann") as ann, feed(world, ann) as first:
            await first.recv()
            async with feed(world, ann) as second:
                assert 1013 == await close_code(second)
            headers = {"authorization": f"Bearer {ann.token}"}
            async with httpx.AsyncClient(base_url=world.address) as http:
                response = await http.get(f"/tables/{TABLE}/feed", headers=headers)
                assert 429 == response.status_code
            await first.close()
            code: int | None = 1013
            while code is not None:  # until the server has noticed
                async with feed(world, ann) as third:
                    code = await close_code(third)

    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        run(scenario(world))


def test_resuming_costs_by_the_entries_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resumption far back is refused sooner than a recent one."""
    monkeypatch.setattr(guard, "ENTRIES_PER_COST", 0.01)

    async def scenario(world: ServerThread) -> None:
        async with await world.client("ann") as ann, await world.client("bob") as bob:
            await bob.do(TABLE, {"kind": "sit_down", "seat": 2})
            async with feed(world, ann, "?after=1") as far:
                codes = [await close_code(far)]
            async with feed(world, ann, "?after=1") as far:
                codes.append(await close_code(far))
            assert [None, 1013] == codes or [1013, 1013] == codes
            async with feed(world, bob, "?after=3") as near:
                assert None is await close_code(near)

    with serving(tmp_path, Settings(requests="300/hour", sign_ins="1000/second")) as world:
        world.open(TABLE, "top_five", seed=3)
        run(scenario(world))


def test_a_resumption_reaches_back_a_limited_number_of_entries(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond it the client has to start with a snapshot."""
    assert host.ENTRIES_BEHIND_MAX <= 1_000
    monkeypatch.setattr(host, "ENTRIES_BEHIND_MAX", 1)

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            await ann.do(TABLE, {"kind": "sit_down", "seat": 2})
            with pytest.raises(ResponseError) as error:
                await anext(ann.feed(TABLE, after=0))
            assert "start with a snapshot" in str(error.value)

    run(scenario())


def test_garbage_over_a_feed_counts_as_commands(floor: ServerThread) -> None:
    """Messages that are no commands are refused, and then not even read."""

    async def scenario() -> list[int]:
        statuses: list[int] = []
        async with await floor.client("ann") as ann, feed(floor, ann) as socket:
            for _ in range(7):
                await socket.send("{")
            while len(statuses) < 7:
                for frame in json.loads(await socket.recv()):
                    if frame["frame"] == "answer":
                        statuses.append(frame["status"])
        return statuses

    assert [400] * 5 + [429] * 2 == run(scenario())

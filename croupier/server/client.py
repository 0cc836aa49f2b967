"""HTTP and WebSocket client of the server: sign in, send commands, follow a table's feed.

async with Client("http://127.0.0.1:8000") as client:
    await client.sign_in("ann", "...")
    async for frame in client.feed("practice-top-five"):
        ...
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, suppress
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import msgspec

from croupier.errors import CroupierError
from croupier.server.protocol import PROTOCOL, Ask
from croupier.table import Account, Command
from croupier.table.core import codec

# WebSocket close codes after which a feed is not opened again, as HTTP statuses.
FINAL_CODES = {4401: 401, 4403: 403, 1009: 413}
# Before each retry; a feed repeats the last one. A standby server takes over within these.
BACKOFF_SECONDS = (0.1, 0.3, 1.0, 3.0, 3.0, 3.0)
POLL_SECONDS = 0.7  # while a second person has not answered
UNCONFIRMED = 503


class ResponseError(CroupierError):
    """An error response: HTTP status, problem, and the clause if a rule was broken."""

    def __init__(self, status: int, problem: str, clause: str = "", game: str = "") -> None:
        cited = f" [{f'{game} {clause}'.strip()}]" if clause else ""
        super().__init__(f"{status}: {problem}{cited}")
        self.status = status
        self.problem = problem
        self.clause = clause
        self.game = game


class Client:
    """A client of one server, for one account. Use it with `async with`.

    Requests raise ResponseError for an error status, and httpx.TransportError without a response.
    """

    def __init__(
        self, address: str, *, token: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.account = ""
        # Without TLS, loading certificates is skipped because it is slow.
        self._http = httpx.AsyncClient(
            base_url=self.address,
            transport=transport,
            timeout=30,
            verify=self.address.startswith("https:"),
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()

    async def sign_in(self, name: str, password: str, code: str = "") -> None:
        """Sign in; further requests use the token. `code` is that of a second factor."""
        body = {"name": name, "password": password, **without_empty(code=code)}
        response = await self._request("POST", "/tokens", content=msgspec.json.encode(body))
        self.token, self.account = response["token"], response["account"]

    async def tables(self) -> list[dict[str, Any]]:
        """Every table in the lobby."""
        tables: list[dict[str, Any]] = (await self._request("GET", "/tables"))["tables"]
        return tables

    async def house(self, table: str) -> dict[str, Any]:
        """The House of a table: wagers, streets, clauses."""
        return await self._request("GET", path(table))

    async def state(self, table: str, *, role: str = "") -> dict[str, Any]:
        """A snapshot of a table."""
        return await self._request("GET", path(table, "state"), params=without_empty(role=role))

    async def do(
        self,
        table: str,
        command: Command | dict[str, Any],
        *,
        id: str = "",
        role: str = "",
        expected: int | None = None,
    ) -> dict[str, Any]:
        """Execute a command, and again under the same id if no response confirms its outcome."""
        body = codec.encode(command) if isinstance(command, Command) else to_json(command)
        params = without_empty(role=role, expected="" if expected is None else str(expected))
        return await self._post(path(table, "commands"), body, id, params)

    async def ask(self, table: str, ask: Ask | dict[str, Any], *, id: str = "") -> dict[str, Any]:
        """Send a request to the dealer bot of a practice table."""
        return await self._post(path(table, "asks"), to_json(ask), id, {})

    async def ask_second(self, table: str, command: Command, *, id: str) -> dict[str, Any]:
        """Request the agreement of the second person whom a command names, under its id."""
        return await self._post(path(table, "agreements/asked"), codec.encode(command), id, {})

    async def accept_clock(self, second: Account, reason: str, *, role: str) -> dict[str, Any]:
        """Request that a second person accepts the clock, and wait for the answer."""
        body = to_json({"second": second, "reason": reason})
        asked = await self._post("/clock/agreements/asked", body, "", {"role": role})
        while asked["state"] == "waits":
            await asyncio.sleep(POLL_SECONDS)
            mine = {each["id"]: each for each in (await self.agreements())["asked"]}
            asked = mine.get(asked["id"], {"state": "expired"})
        return asked

    async def agreements(self) -> dict[str, Any]:
        """The requests that wait for this account (`to_agree`), and its own (`asked`)."""
        return await self._request("GET", "/agreements/waiting")

    async def answer(self, asked: dict[str, Any], *, agreed: bool) -> dict[str, Any]:
        """Agree, as its second person, to a request, or decline it."""
        place = path(asked["table"]) if asked["table"] else "/clock"
        body = to_json({"agreed": agreed})
        return await self._post(f"{place}/agreements/{asked['id']}", body, "", {})

    async def _post(
        self, path: str, body: bytes, id: str, params: dict[str, str]
    ) -> dict[str, Any]:
        headers = {"idempotency-key": id or secrets.token_hex(16)}
        for wait in (*BACKOFF_SECONDS, None):
            try:
                return await self._request(
                    "POST", path, content=body, headers=headers, params=params
                )
            except (httpx.TransportError, ResponseError) as error:
                known = isinstance(error, ResponseError) and error.status != UNCONFIRMED
                if known or wait is None:
                    raise
                await asyncio.sleep(wait)  # it may have been executed: the id makes a retry safe
        raise AssertionError("unreachable")

    async def _request(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any
    ) -> dict[str, Any]:
        sent = {"croupier-protocol": str(PROTOCOL), **(headers or {})}
        if "content" in more:
            sent["content-type"] = "application/json"
        if self.token:
            sent["authorization"] = f"Bearer {self.token}"
        response = await self._http.request(method, path, headers=sent, **more)
        try:
            body: dict[str, Any] = response.json()
        except ValueError:
            body = {}
        if response.status_code >= 400:
            raise ResponseError(
                response.status_code,
                body.get("detail", body.get("problem", response.reason_phrase)),
                body.get("clause", ""),
                body.get("game", ""),
            )
        return body

    async def feed(
        self, table: str, *, role: str = "", after: int | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Every frame of a table, without gaps or repetitions across reconnections.

        Where the server sends a patch, the frame has the whole `state`.
        """
        async with aclosing(self._frames(table, role, after, lambda socket: None)) as frames:
            async for frame in frames:
                yield frame

    def line(self, table: str, *, role: str = "", after: int | None = None) -> FeedConnection:
        """A feed that also sends commands; use it with `async with`."""

        def connected(socket: Any) -> None:
            connection.connected(socket)

        connection = FeedConnection(self._frames(table, role, after, connected))
        return connection

    async def _frames(
        self,
        table: str,
        role: str,
        after: int | None,
        connected: Callable[[Any], None],
    ) -> AsyncGenerator[dict[str, Any], None]:
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        failures = 0
        while True:
            # The URL contains the last entry seen, so that it is built for every attempt.
            headers = {"authorization": f"Bearer {self.token}"}
            try:
                async with connect(
                    self._feed_url(table, role, after),
                    additional_headers=headers,
                    compression=None,
                    max_size=2**22,
                ) as socket:
                    connected(socket)
                    state: dict[str, Any] = {}  # the last one of this connection
                    async for text in socket:
                        failures = 0
                        for frame in msgspec.json.decode(text):
                            if frame["frame"] != "answer":
                                after = frame["sequence"]
                            if "patch" in frame:
                                frame["state"] = apply_patch(state, frame.pop("patch"))
                            state = frame.get("state", state)
                            yield frame
                    closed, reason = socket.close_code, socket.close_reason
            except (OSError, ConnectionClosed, InvalidHandshake) as error:
                received = getattr(error, "rcvd", None)
                closed, reason = (received.code, received.reason) if received else (None, "")
            if closed in FINAL_CODES:
                raise ResponseError(FINAL_CODES[closed], reason or f"feed closed with {closed}")
            await asyncio.sleep(BACKOFF_SECONDS[min(failures, len(BACKOFF_SECONDS) - 1)])
            failures += 1

    def _feed_url(self, table: str, role: str, after: int | None) -> str:
        parts = urlsplit(self.address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        params = without_empty(role=role, after="" if after is None else str(after))
        query = "&".join(f"{name}={quote(value)}" for name, value in params.items())
        return f"{scheme}://{parts.netloc}{parts.path}{path(table, 'feed')}?{query}"


class FeedConnection:
    """The frames of a table and commands to it, over one WebSocket.

    Commands without a reply when the connection breaks are sent again under their ids.
    """

    def __init__(self, frames: AsyncGenerator[dict[str, Any], None]) -> None:
        self._frames = frames
        self._received: asyncio.Queue[dict[str, Any] | ResponseError] = asyncio.Queue()
        self._pending: dict[str, tuple[str, asyncio.Future[dict[str, Any]]]] = {}
        self._socket: Any = None
        self._ended: ResponseError | None = None  # why the feed has ended for good
        self._tasks: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> FeedConnection:
        self._start(self._read())
        return self

    async def __aexit__(self, *error: object) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._frames.aclose()

    async def __aiter__(self) -> AsyncGenerator[dict[str, Any], None]:
        while True:
            frame = await self._received.get()
            if isinstance(frame, ResponseError):
                raise frame
            yield frame

    async def do(
        self, command: Command | dict[str, Any], *, id: str = "", expected: int | None = None
    ) -> dict[str, Any]:
        """Execute a command."""
        body = codec.encode(command) if isinstance(command, Command) else to_json(command)
        more = {} if expected is None else {"expected": expected}
        return await self._call(id, command=msgspec.Raw(body), **more)

    async def ask(self, ask: Ask | dict[str, Any], *, id: str = "") -> dict[str, Any]:
        """Send a request to the dealer bot of a practice table."""
        return await self._call(id, ask=ask)

    def connected(self, socket: Any) -> None:
        """Use a new WebSocket and send pending commands again."""
        self._socket = socket
        for text, _ in self._pending.values():
            self._start(self._send(text))

    async def _call(self, id: str, **content: Any) -> dict[str, Any]:
        if self._ended is not None:
            raise self._ended
        id = id or secrets.token_hex(16)
        text = to_json({"id": id, **content}).decode()
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[id] = (text, future)
        try:
            await self._send(text)
            reply = await future
        finally:
            del self._pending[id]
        if reply["status"] != 200:
            why = (reply.get("problem", ""), reply.get("clause", ""), reply.get("game", ""))
            raise ResponseError(reply["status"], *why)
        return reply

    async def _send(self, text: str) -> None:
        with suppress(Exception):  # disconnected: pending commands are sent again
            if self._socket is not None:
                await self._socket.send(text)

    async def _read(self) -> None:
        try:
            async for frame in self._frames:
                if frame["frame"] != "answer":
                    self._received.put_nowait(frame)
                elif frame["id"] in self._pending and not self._pending[frame["id"]][1].done():
                    self._pending[frame["id"]][1].set_result(frame)
        except ResponseError as error:  # final: not reconnected
            self._ended = error
            self._received.put_nowait(error)
            for _, future in self._pending.values():
                future.set_exception(error)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def apply_patch(target: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """An object after a JSON merge patch (RFC 7396); the argument does not change.

    >>> apply_patch({"open": True, "seats": {"1": "ann"}}, {"open": None, "seats": {"2": "bob"}})
    {'seats': {'1': 'ann', '2': 'bob'}}
    """
    result = dict(target)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            part = result.get(name)
            result[name] = apply_patch(part if isinstance(part, dict) else {}, value)
        else:
            result[name] = value
    return result


def path(table: str, *more: str) -> str:
    """The URL path of a table or of a resource below it."""
    return "/".join(("/tables", quote(table, safe=""), *more))


def without_empty(**values: str) -> dict[str, str]:
    """The values that are not empty."""
    return {name: value for name, value in values.items() if value}


def to_json(value: Any) -> bytes:
    """The value as JSON."""
    return msgspec.json.encode(value)

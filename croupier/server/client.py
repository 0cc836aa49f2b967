"""A small client of the protocol: for a terminal, a bot, or another screen.

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
from croupier.table import Command
from croupier.table.core import codec

BEHIND = 4408  # the close code that says: resume
FINAL = (4401, 4403)  # there is no use in trying again
PATIENCE = (0.1, 0.3, 1.0, 3.0)  # seconds before each attempt to resume, the last one repeated


class ResponseError(CroupierError):
    """The server did not do it: the status, why, and the clause where a rule says so."""

    def __init__(self, status: int, problem: str, clause: str = "", game: str = "") -> None:
        cited = f" [{game} {clause}]" if clause else ""
        super().__init__(f"{status}: {problem}{cited}")
        self.status = status
        self.problem = problem
        self.clause = clause
        self.game = game


class Client:
    """One person at one server. Nothing is shown before the record has answered."""

    def __init__(
        self, address: str, *, token: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.account = ""
        # Certificates are read only where they are needed: that is slow.
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

    async def sign_in(self, name: str, password: str) -> None:
        """Get a token, which is used from now on."""
        body = {"name": name, "password": password}
        told = await self._asked("POST", "/tokens", content=msgspec.json.encode(body))
        self.token, self.account = told["token"], told["account"]

    async def tables(self) -> list[dict[str, Any]]:
        """Every table, as the lobby lists it."""
        told = await self._asked("GET", "/tables")
        found: list[dict[str, Any]] = told["tables"]
        return found

    async def house(self, table: str) -> dict[str, Any]:
        """What a screen needs to know of a table's House."""
        return await self._asked("GET", path(table))

    async def state(self, table: str, *, role: str = "") -> dict[str, Any]:
        """A snapshot."""
        return await self._asked("GET", path(table, "state"), params=given(role=role))

    async def do(
        self,
        table: str,
        command: Command | dict[str, Any],
        *,
        id: str = "",
        role: str = "",
        expected: int | None = None,
    ) -> dict[str, Any]:
        """Carry out a command; if the line breaks it is sent again under its id, once decided."""
        body = codec.encode(command) if isinstance(command, Command) else encoded(command)
        asked = given(role=role, expected="" if expected is None else str(expected))
        return await self._sent(path(table, "commands"), body, id, asked)

    async def ask(self, table: str, ask: Ask | dict[str, Any], *, id: str = "") -> dict[str, Any]:
        """Ask something of the machine that runs a practice table."""
        return await self._sent(path(table, "asks"), encoded(ask), id, {})

    async def agree(self, table: str, command: Command, *, id: str) -> None:
        """Agree, as its second person, to a command that somebody else will give under this id."""
        await self._sent(path(table, "agreements"), codec.encode(command), id, {})

    async def _sent(
        self, where: str, body: bytes, id: str, params: dict[str, str]
    ) -> dict[str, Any]:
        headers = {"idempotency-key": id or secrets.token_hex(16)}
        for wait in (*PATIENCE, None):
            try:
                return await self._asked(
                    "POST", where, content=body, headers=headers, params=params
                )
            except httpx.TransportError:  # it may have been done: the id makes asking again safe
                if wait is None:
                    raise
                await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    async def _asked(
        self, method: str, where: str, *, headers: dict[str, str] | None = None, **more: Any
    ) -> dict[str, Any]:
        told = {"croupier-protocol": str(PROTOCOL), **(headers or {})}
        if "content" in more:
            told["content-type"] = "application/json"
        if self.token:
            told["authorization"] = f"Bearer {self.token}"
        response = await self._http.request(method, where, headers=told, **more)
        try:
            body: dict[str, Any] = response.json()
        except ValueError:
            body = {}
        if response.status_code >= 400:
            raise ResponseError(
                response.status_code,
                body.get("problem", response.reason_phrase),
                body.get("clause", ""),
                body.get("game", ""),
            )
        return body

    async def feed(
        self, table: str, *, role: str = "", after: int | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Every frame of a table, none missed and none repeated, however often the line breaks."""
        asked = given(role=role)
        async with aclosing(self._frames(table, asked, after, lambda socket: None)) as frames:
            async for frame in frames:
                yield frame

    def line(self, table: str, *, role: str = "", after: int | None = None) -> FeedConnection:
        """The same feed, over which one may act too; to be entered with `async with`."""
        asked = given(role=role, acts="true")

        def opened(socket: Any) -> None:
            found.take(socket)

        found = FeedConnection(self._frames(table, asked, after, opened))
        return found

    async def _frames(
        self,
        table: str,
        asked: dict[str, str],
        after: int | None,
        opened: Callable[[Any], None],
    ) -> AsyncGenerator[dict[str, Any], None]:
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidStatus

        failures = 0
        while True:
            # The address is built anew at every attempt: it says what was seen last.
            headers = {"authorization": f"Bearer {self.token}"}
            try:
                async with connect(
                    self._socket(table, asked, after),
                    additional_headers=headers,
                    compression=None,
                    max_size=2**22,
                ) as socket:
                    opened(socket)
                    async for text in socket:
                        failures = 0
                        for frame in msgspec.json.decode(text):
                            if frame["frame"] != "answer":
                                after = frame["sequence"]
                            yield frame
                    closed = socket.close_code
            except (OSError, ConnectionClosed, InvalidStatus) as error:
                received = getattr(error, "rcvd", None)
                closed = received.code if received is not None else None
            if closed in FINAL:
                raise ResponseError(401 if closed == FINAL[0] else 403, "the feed is closed to us")
            await asyncio.sleep(PATIENCE[min(failures, len(PATIENCE) - 1)])
            failures += 1

    def _socket(self, table: str, asked: dict[str, str], after: int | None) -> str:
        parts = urlsplit(self.address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        asked = asked | given(after="" if after is None else str(after), together="true")
        query = "&".join(f"{name}={quote(value)}" for name, value in asked.items())
        return f"{scheme}://{parts.netloc}{parts.path}{path(table, 'feed')}?{query}"


class FeedConnection:
    """A table that one looks at and acts at over one socket.

    What is not answered when the socket breaks is said again, under its id, on the next one.
    """

    def __init__(self, frames: AsyncGenerator[dict[str, Any], None]) -> None:
        self._frames = frames
        self._told: asyncio.Queue[dict[str, Any] | ResponseError] = asyncio.Queue()
        self._said: dict[str, tuple[str, asyncio.Future[dict[str, Any]]]] = {}
        self._socket: Any = None
        self._tasks: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> FeedConnection:
        self._keep(self._read())
        return self

    async def __aexit__(self, *error: object) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._frames.aclose()

    async def __aiter__(self) -> AsyncGenerator[dict[str, Any], None]:
        while True:
            frame = await self._told.get()
            if isinstance(frame, ResponseError):
                raise frame
            yield frame

    async def do(
        self, command: Command | dict[str, Any], *, id: str = "", expected: int | None = None
    ) -> dict[str, Any]:
        """Carry out a command."""
        body = codec.encode(command) if isinstance(command, Command) else encoded(command)
        more = {} if expected is None else {"expected": expected}
        return await self._say(id, command=msgspec.Raw(body), **more)

    async def ask(self, ask: Ask | dict[str, Any], *, id: str = "") -> dict[str, Any]:
        """Ask something of the machine that runs a practice table."""
        return await self._say(id, ask=ask)

    def take(self, socket: Any) -> None:
        """The socket is there, the first or another one."""
        self._socket = socket
        for text, _ in self._said.values():
            self._keep(self._send(text))

    async def _say(self, id: str, **said: Any) -> dict[str, Any]:
        id = id or secrets.token_hex(16)
        text = encoded({"id": id, **said}).decode()
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._said[id] = (text, answer)
        try:
            await self._send(text)
            told = await answer
        finally:
            del self._said[id]
        if told["status"] != 200:
            why = (told.get("problem", ""), told.get("clause", ""), told.get("game", ""))
            raise ResponseError(told["status"], *why)
        return told

    async def _send(self, text: str) -> None:
        with suppress(Exception):  # it broke: what was said is said again on the next one
            if self._socket is not None:
                await self._socket.send(text)

    async def _read(self) -> None:
        try:
            async for frame in self._frames:
                if frame["frame"] != "answer":
                    self._told.put_nowait(frame)
                elif frame["id"] in self._said and not self._said[frame["id"]][1].done():
                    self._said[frame["id"]][1].set_result(frame)
        except ResponseError as error:  # the feed is closed to us, for good
            self._told.put_nowait(error)
            for _, answer in self._said.values():
                answer.set_exception(error)

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def path(table: str, *more: str) -> str:
    """The address of a table, or of something about it."""
    return "/".join(("/tables", quote(table, safe=""), *more))


def given(**values: str) -> dict[str, str]:
    """Those that say something."""
    return {name: value for name, value in values.items() if value}


def encoded(value: Any) -> bytes:
    """As JSON."""
    return msgspec.json.encode(value)

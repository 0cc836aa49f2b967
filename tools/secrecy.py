"""Non-interference at tables that people serve, over the wire, for as long as you like.

    python -m tools.secrecy --rounds 100000 [--workers 2] [--minutes 90]

Two decks that agree in what a viewer may see are dealt at two tables; whatever was sent to that
viewer up to a random moment must be the same bytes on all channels together: the feed from its
first entry, the state, lists, pages, answers and refusals. Cards are read as they are dealt, or
lie unseen until somebody turns them; wrong numbers, exposed and misdealt cards come in between.
Everything goes through the server's application; only the network below it is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from starlette.types import ASGIApp, Message

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.ledger import stream_of
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import Accounts, Floor, make_app
from croupier.server.auth.accounts import EVERY_TABLE, beside
from croupier.server.tables.host import TableHost
from croupier.table import Account, Envelope
from croupier.table.core import codec as wire
from tests.support.floor_server import FREE, WEAK
from tests.support.round_scripts import VIEWERS, Pair, ScriptedCommand, restored_table, make_pair
from tests.support.rounds import EVERY_GAME
from tests.support.tmpfs import tmpfs_directory

WRONG = (b'{"kind":"settle"}', b'{"kind":"deal_cards","cards":["As"]}', b'{"kind":"showdown"}')
# What differs between two tables whatever the cards are: their names, moments, and no more.
_DIFFERS = re.compile(rb"T\d{7}|\b1[0-9]{12}\b|\d{4}-\d\d-\d\dT[0-9:.+Z-]+")


class Wire:
    """The application of one server, spoken to as a web server would."""

    def __init__(self, app: ASGIApp, floor: Floor, tokens: dict[Account, str]) -> None:
        self.app, self.floor, self.tokens = app, floor, tokens
        self.waiting = AsyncAppender(floor.ledger.store)
        self.numbers = iter(range(1_000_000, 10_000_000))

    def open(self, game: str) -> TableHost:
        """A table of its own, ready for a round; its record begins here."""
        name = f"T{next(self.numbers)}"
        ledger = self.floor.ledger
        table = RecordedTable(
            ledger.store, stream_of(name), restored_table(game, name), 0, people=ledger.people
        )
        desk = self.floor.desks[name] = TableHost(ledger, self.waiting, table)
        self.floor.leases.terms[name] = 1  # nobody else has it, and nobody looks for it
        return desk

    def close(self, desk: TableHost) -> None:
        """Nobody looks at it any more."""
        desk.close()
        del self.floor.desks[desk.id], self.floor.leases.terms[desk.id]

    def _scope(self, kind: str, viewer: Account, path: str) -> dict[str, Any]:
        path, _, query = path.partition("?")
        token = self.tokens[viewer].encode()
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"localhost"), (b"authorization", b"Bearer " + token)],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
        }

    async def request(
        self, viewer: Account, path: str, body: bytes | None = None, id: str = "not allowed"
    ) -> bytes:
        """Every byte of an answer: status, headers, body."""
        scope = self._scope("http", viewer, path)
        scope["method"] = "GET" if body is None else "POST"
        scope["headers"] += [
            (b"content-type", b"application/json"),
            (b"idempotency-key", id.encode()),
        ]
        said: list[bytes] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body or b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                said.append(str(message["status"]).encode())
                said.extend(b"%s: %s" % (n, v) for n, v in message["headers"])
            else:
                said.append(message["body"])

        await self.app(scope, receive, send)
        return b"\n".join(said)

    async def feed(self, viewer: Account, table: str, last: int) -> bytes:
        """Every frame of a feed from the first entry to the one with the state."""
        scope = self._scope("websocket", viewer, f"/tables/{table}/feed?after=0")
        told: list[str] = []
        over = asyncio.Event()
        begun = False

        async def receive() -> Message:
            nonlocal begun
            if not begun:
                begun = True
                return {"type": "websocket.connect"}
            await over.wait()
            return {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Message) -> None:
            told.append(message.get("text") or repr(message))
            if f'"sequence":{last}' in told[-1] or message["type"] == "websocket.close":
                over.set()

        await asyncio.wait_for(self.app(scope, receive, send), 30)
        return "\n".join(told).encode()

    async def everything(self, desk: TableHost, viewer: Account, script: list[ScriptedCommand]) -> bytes:
        """A round up to a moment, and all that a viewer is sent of it."""
        said: list[bytes] = []
        here = f"/tables/{desk.id}"
        for number, one in enumerate(script):
            id = f"{desk.id}-{number:04}"
            if one.by == viewer:
                path = f"{here}/commands?role={viewer.role}"
                said.append(await self.request(viewer, path, wire.encode(one.command), id))
            else:
                await desk.execute(Envelope(id, one.by, now_ms(), one.command))
        while now_ms() <= desk.table.clock:  # in one and the same millisecond no clock is set right
            await asyncio.sleep(0.0005)
        said.append(await self.feed(viewer, desk.id, desk.sequence))
        for path in (f"{here}/state", here, f"/play/{desk.id}", f"/console/{desk.id}"):
            said.append(await self.request(viewer, path))
        for path in ("/tables", "/pit/tables"):
            listed = re.findall(
                rb'\{"id":"%s".*' % desk.id.encode(), await self.request(viewer, path)
            )
            said += listed
        # Whoever enters cards says to have seen them, and is told of one that was entered before.
        enters = viewer.role in ("dealer", "reader") and desk.table.due().kind == "deal"
        for wrong in WRONG:
            if enters and b"deal_cards" in wrong:
                continue
            said.append(b"would be done")
            try:
                desk.table.decide(Envelope("wrong", viewer, now_ms(), wire.decode_command(wrong)))
            except Refusal:
                said[-1] = await self.request(viewer, f"{here}/commands", wrong)
        return _DIFFERS.sub(b"", b"\n".join(said))


@asynccontextmanager
async def wired(folder: Path) -> AsyncIterator[Wire]:
    """A server's application with people and no table."""
    database = folder / "floor.db"
    accounts = Accounts(beside(database), hasher=WEAK)
    tokens = {}
    for viewer in VIEWERS:
        accounts.add(viewer.id, "correct horse battery", [(viewer.role, EVERY_TABLE)])
        tokens[viewer] = accounts.begin(viewer.id)
    floor = Floor(Ledger(database, purpose="live"), accounts)
    app = make_app(floor, FREE)
    floor.ready = True  # its tables are made here: it has none to open and shares none
    with patch.object(floor.leases, "holds", floor.leases.terms.__contains__):
        try:
            yield Wire(app, floor, tokens)
        finally:
            await floor.stop()


async def check(wire: Wire, given: Pair) -> bool:
    """The same bytes from both; whether the round went as far with the other deck."""
    kinds = [[type(one.command) for one in script] for script in (given.first, given.second)]
    if kinds[0] != kinds[1]:
        return False  # what people had to do differed in what the viewer may see
    said = []
    for script in (given.first, given.second):
        desk = wire.open(given.game)
        said.append(await wire.everything(desk, given.viewer, script))
        wire.close(desk)
    assert said[0] == said[1], difference(*said)
    return True


def difference(first: bytes, second: bytes) -> str:
    """Where two texts part."""
    place = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), -1)
    around = slice(max(0, place - 300), place + 200)
    return f"at {place}:\n{first[around]!r}\n{second[around]!r}"


def run_block(first: int, pairs: int, until: float) -> tuple[int, int]:
    """So many pairs from one seed on: how many rounds were dealt, how many of them compared."""

    logging.disable(logging.WARNING)  # most of what is tried here is denied

    async def running() -> tuple[int, int]:
        dealt = compared = 0
        with tempfile.TemporaryDirectory(dir=tmpfs_directory()) as folder:
            async with wired(Path(folder)) as wire:
                for seed in range(first, first + pairs):
                    if time.time() > until:
                        break
                    game = EVERY_GAME[seed % len(EVERY_GAME)]
                    try:
                        compared += 2 * await check(wire, make_pair(game, f"{game} {seed}"))
                    except BaseException as error:
                        error.add_note(f"seed {seed}, {game}")
                        raise
                    dealt += 2
        return dealt, compared

    return asyncio.run(running())


BLOCK = 250  # pairs on one database


def main() -> None:
    """Rounds of all games, on so many processors, bounded by minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=180.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    until, pairs = time.time() + given.minutes * 60, given.rounds // 2
    dealt = compared = 0
    with ProcessPoolExecutor(given.workers) as pool:
        jobs = [
            pool.submit(run_block, given.seed + start, min(BLOCK, pairs - start), until)
            for start in range(0, pairs, BLOCK)
        ]
        for job in jobs:
            if job.exception() is not None:
                pool.shutdown(wait=False, cancel_futures=True)  # one leak is enough
            more = job.result()
            dealt, compared = dealt + more[0], compared + more[1]
            sys.stdout.write(f"\r{dealt:,} rounds, {compared:,} compared")
            sys.stdout.flush()
    sys.stdout.write("\nnobody told two decks apart\n")


if __name__ == "__main__":
    main()

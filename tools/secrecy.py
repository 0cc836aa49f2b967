"""Non-interference test of attended tables, for any number of rounds.

    python -m tools.secrecy --rounds 100000 [--workers 2] [--minutes 90]

Two decks that agree in the cards a viewer may see are dealt at two tables. Everything that the
viewer receives up to a random moment must be the same bytes: the feed from its first entry, the
state, lists, pages, responses and refusals. Cards are read as they are dealt, or are unseen until
they are turned; wrong numbers, exposed and misdealt cards occur. Requests go through the ASGI
application, without a network.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.ledger import table_stream
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import Accounts, Floor, make_app
from croupier.server.auth.person import EVERY_TABLE
from croupier.server.tables.host import TableHost
from croupier.table import Account, Envelope
from croupier.table.core import codec as wire
from tests.support.floor_server import UNLIMITED, WEAK_HASHER
from tests.support.founders import founders_of
from tests.support.round_scripts import VIEWERS, Pair, ScriptedCommand, make_pair, restored_table
from tests.support.rounds import EVERY_GAME
from tests.support.tmpfs import tmpfs_directory

# Requests tried at the end; those that name a card try to find out whether it lies face down.
WRONG = (
    b'{"kind":"settle"}',
    b'{"kind":"showdown"}',
    b'{"kind":"show_street"}',
    *(b'{"kind":"turn_hand","place":%s}' % place for place in (b"1", b'"dealer"', b'"box"')),
    *(b'{"kind":"verify_award","seat":%d,"light":true}' % seat for seat in (1, 2)),
    *(b'{"kind":"settle_seat","seat":%d}' % seat for seat in (1, 2)),
    b'{"kind":"prepare_payout","seat":1,"wager":"progressive"}',
    *(
        text % card
        for card in (b"As", b"Th", b"7d", b"2c")
        for text in (
            b'{"kind":"deal_cards","cards":["%s"]}',
            b'{"kind":"deal_cards","cards":["%s","As"]}',
            b'{"kind":"find_card_face_up","card":"%s"}',
            b'{"kind":"read_cards","place":1,"cards":["%s","As"]}',
            b'{"kind":"correct_reading","place":1,"position":0,"card":"%s","reason":"seen"}',
            b'{"kind":"correct_reading","place":"community","position":0,"card":"%s"}',
            b'{"kind":"correct_reading","place":"dealer","position":0,"card":"%s"}',
            b'{"kind":"correct_reading","place":"aside","position":0,"card":"%s","reason":"seen"}',
            b'{"kind":"read_cards","place":"dealer","cards":["%s","As"]}',
            b'{"kind":"show_street","cards":["%s"]}',
            b'{"kind":"show_street","cards":["%s","2c","7d"]}',
            b'{"kind":"turn_hand","place":"community","cards":["%s"]}',
        )
    ),
)
# What differs between two tables with any cards: names and times.
_DIFFERS = re.compile(rb"T\d{7}|\b1[0-9]{12}\b|\d{4}-\d\d-\d\dT[0-9:.+Z-]+")


class Wire:
    """An ASGI client of one server's application."""

    def __init__(self, app: ASGIApp, floor: Floor, tokens: dict[Account, str]) -> None:
        self.app, self.floor, self.tokens = app, floor, tokens
        self.appender = AsyncAppender(floor.ledger.store)
        self.numbers = iter(range(1_000_000, 10_000_000))

    def open(self, game: str) -> TableHost:
        """A new table, ready for a round, with an empty stream."""
        name = f"T{next(self.numbers)}"
        ledger = self.floor.ledger
        table = RecordedTable(
            ledger.store,
            table_stream(name),
            restored_table(game, name),
            0,
            duty_roster=ledger.duty_roster,
            approvals=ledger.approvals,
        )
        host = self.floor.table_hosts[name] = TableHost(ledger, self.appender, table)
        return host

    def close(self, host: TableHost) -> None:
        """Remove a table."""
        host.close()
        del self.floor.table_hosts[host.id]

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
        """Every byte of a response: status, headers, body."""
        scope = self._scope("http", viewer, path)
        scope["method"] = "GET" if body is None else "POST"
        scope["headers"] += [
            (b"content-type", b"application/json"),
            (b"idempotency-key", id.encode()),
        ]
        received: list[bytes] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body or b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                received.append(str(message["status"]).encode())
                received.extend(b"%s: %s" % (n, v) for n, v in message["headers"])
            else:
                received.append(message["body"])

        await self.app(scope, receive, send)
        return b"\n".join(received)

    @asynccontextmanager
    async def feed(self, viewer: Account, host: TableHost) -> AsyncIterator[Callable[[], Any]]:
        """A feed from the first entry on, while the context lasts.

        Yields a function that waits for the state after the last entry, and returns every frame.
        """
        scope = self._scope("websocket", viewer, f"/tables/{host.id}/feed?after=0")
        frames: list[str] = []
        received, over = asyncio.Event(), asyncio.Event()
        connected = False

        async def receive() -> Message:
            nonlocal connected
            if not connected:
                connected = True
                return {"type": "websocket.connect"}
            await over.wait()
            return {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Message) -> None:
            frames.append(message.get("text") or repr(message))
            received.set()

        async def state() -> bytes:
            awaited = re.compile(rf'"sequence":{host.sequence}\b.*"(state|patch)":|websocket.close')
            while now_ms() <= host.table.clock:  # the table clock must be in the past
                await asyncio.sleep(0.0005)
            while not any(map(awaited.search, frames[-1:])):
                for subscription in host.subscriptions:
                    subscription.wake()  # so that both rounds are sent entry by entry
                received.clear()
                await asyncio.wait_for(received.wait(), 30)
            return "\n".join(frames).encode()

        task = asyncio.ensure_future(self.app(scope, receive, send))
        try:
            yield state
        finally:
            over.set()
            await task

    async def everything(
        self, host: TableHost, viewer: Account, script: list[ScriptedCommand]
    ) -> bytes:
        """Run the commands of a round; return everything that the viewer receives."""
        received: list[bytes] = []
        here = f"/tables/{host.id}"
        async with self.feed(viewer, host) as state:
            frames = await state()
            for number, step in enumerate(script):
                id = f"{host.id}-{number:04}"
                if step.by == viewer:
                    path = f"{here}/commands?role={viewer.role}"
                    body = wire.encode(step.command)
                    received.append(await self.request(viewer, path, body, id))
                else:
                    await host.execute(Envelope(id, step.by, now_ms(), step.command))
                frames = await state()
            received.append(frames)
        async with self.feed(viewer, host) as state:  # resumed: the whole state again
            received.append(await state())
        for path in (f"{here}/state", here, f"/play/{host.id}", f"/console/{host.id}"):
            received.append(await self.request(viewer, path))
        for path in ("/tables", "/pit/tables"):
            listed = re.findall(
                rb'\{"id":"%s".*' % host.id.encode(), await self.request(viewer, path)
            )
            received += listed
        for wrong in WRONG:
            # A shoe knows the cards that it read, and is refused one that it read before.
            if viewer.role == "reader" and (b"deal_cards" in wrong or b"read_cards" in wrong):
                continue
            received.append(b"would be executed")
            try:
                host.table.decide(Envelope("wrong", viewer, now_ms(), wire.decode_command(wrong)))
            except Refusal:
                received[-1] = await self.request(viewer, f"{here}/commands", wrong)
        return _DIFFERS.sub(b"", b"\n".join(received))


@asynccontextmanager
async def wired(folder: Path) -> AsyncIterator[Wire]:
    """An application with accounts and no tables."""
    database = folder / "floor.db"
    ledger = Ledger(database, purpose="live")
    accounts = Accounts(ledger, hasher=WEAK_HASHER)
    tokens, founders = {}, founders_of(accounts)
    for viewer in VIEWERS:
        roles = [(viewer.role, EVERY_TABLE)]
        accounts.add(viewer.id, "correct horse battery", roles, founders)
        tokens[viewer] = accounts.begin(viewer.id)
    floor = Floor(ledger, accounts)
    app = make_app(floor, UNLIMITED)
    try:
        yield Wire(app, floor, tokens)  # not started: tables are added by `Wire.open`
    finally:
        await floor.stop()


async def check(wire: Wire, decks: Pair) -> bool:
    """Compare both rounds; False if they have different commands and cannot be compared."""
    kinds = [[type(step.command) for step in script] for script in (decks.first, decks.second)]
    if kinds[0] != kinds[1]:
        return False  # the commands differ in what the viewer may see
    received = []
    for script in (decks.first, decks.second):
        host = wire.open(decks.game)
        received.append(await wire.everything(host, decks.viewer, script))
        wire.close(host)
    assert received[0] == received[1], difference(*received)
    return True


def difference(first: bytes, second: bytes) -> str:
    """The place at which two texts differ."""
    place = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), -1)
    around = slice(max(0, place - 300), place + 200)
    return f"at {place}:\n{first[around]!r}\n{second[around]!r}"


def run_block(first: int, pairs: int, until: float) -> tuple[int, int]:
    """Check pairs from one seed on; return the rounds dealt and the rounds compared."""
    logging.disable(logging.WARNING)  # most requests are denied on purpose

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
    """Rounds of all games, in several processes, limited in time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=180.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    until, pairs = time.time() + options.minutes * 60, options.rounds // 2
    dealt = compared = 0
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = [
            pool.submit(run_block, options.seed + start, min(BLOCK, pairs - start), until)
            for start in range(0, pairs, BLOCK)
        ]
        for job in jobs:
            if job.exception() is not None:
                pool.shutdown(wait=False, cancel_futures=True)  # one leak is enough
            more = job.result()
            dealt, compared = dealt + more[0], compared + more[1]
            sys.stdout.write(f"\r{dealt:,} rounds, {compared:,} compared")
            sys.stdout.flush()
    sys.stdout.write("\nno difference found\n")


if __name__ == "__main__":
    main()

"""A shoe or a table that reads cards, as an account of role `reader` at one table.

What it reads comes as lines, one card each ("As", or "??" where it could not tell), in the order
the cards leave the deck. Lines come from a device or from `simulated`, and are sent as they are
due: a card that comes before its time waits.

python -m croupier.server.card_reader http://127.0.0.1:8000 T4 "shoe 4" < /dev/ttyUSB0
python -m croupier.server.card_reader http://127.0.0.1:8000 T4 "shoe 4" --simulate
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from random import Random, SystemRandom
from typing import Any

from croupier.cards import DECK, NAMES, UNSEEN, names
from croupier.errors import BadInput
from croupier.server.client import Client, ResponseError

TAKEN = (409, 422)  # somebody else acted first, or the rules say no: look at the table again
_KNOWN = frozenset((*NAMES, UNSEEN))


class CardReader:
    """Deals at a table what a device reads, until the lines or the feed end."""

    def __init__(self, client: Client, table: str, lines: AsyncIterator[str]) -> None:
        self.client = client
        self.table = table
        self.lines = lines
        self.round = 0
        self.card = ""  # read, and not dealt yet

    async def run(self) -> None:
        """Follow the table and send cards whenever they are due."""
        async with aclosing(self.client.feed(self.table, role="reader")) as feed:
            async for frame in feed:
                if "state" not in frame:
                    continue
                try:
                    if not await self.serve(frame["state"]["view"]["round"], frame["sequence"]):
                        return
                except ResponseError as error:
                    if error.status not in TAKEN:
                        raise

    async def serve(self, seen: dict[str, Any] | None, sequence: int) -> bool:
        """Deal the next card, if one is due; False when no more cards come."""
        if seen is None or seen["due"]["kind"] != "deal":
            return True
        if seen["number"] != self.round:  # another deck is in the shoe
            self.round, self.card = seen["number"], ""
        if not self.card:
            line = await anext(self.lines, None)
            if line is None:
                return False
            self.card = card_of(line)
        # The table must still be as it was seen: otherwise this card belongs elsewhere.
        command = {"kind": "deal_cards", "cards": [self.card]}
        await self.client.do(self.table, command, role="reader", expected=sequence)
        self.card = ""
        return True


def card_of(line: str) -> str:
    """The card that a line names."""
    text = line.strip()
    named = text[:1].upper() + text[1:].lower()
    if named not in _KNOWN:
        raise BadInput(f'a card such as "As", or "{UNSEEN}", is expected, got {text[:20]!r}')
    return named


async def simulated(
    client: Client, table: str, *, seed: int | None = None, unread: float = 0.0
) -> AsyncGenerator[str, None]:
    """A shoe with a shuffled deck for every round; some cards it cannot tell."""
    chance = SystemRandom() if seed is None else Random(seed)
    number = -1
    deck: Iterator[str] = iter(())
    while True:
        seen = (await client.state(table, role="reader"))["state"]["view"]["round"]
        if seen is not None and seen["number"] != number:
            number, shuffled = seen["number"], list(DECK)
            chance.shuffle(shuffled)
            deck = iter(names(shuffled))
        card = next(deck)
        yield UNSEEN if chance.random() < unread else card


async def read_lines() -> AsyncIterator[str]:
    """What a device writes to our standard input."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line.strip():
            yield line


async def main(arguments: list[str] | None = None) -> None:
    """Run a reader from the command line; the password is asked for, or in CROUPIER_PASSWORD."""
    parser = argparse.ArgumentParser(
        prog="python -m croupier.server.card_reader", description=__doc__
    )
    parser.add_argument("address")
    parser.add_argument("table")
    parser.add_argument("account")
    parser.add_argument("--simulate", action="store_true", help="a shuffled deck for every round")
    parser.add_argument("--unread", type=float, default=0.0, help="share of cards it cannot tell")
    given = parser.parse_args(arguments)
    password = os.environ.get("CROUPIER_PASSWORD") or getpass.getpass()
    async with Client(given.address) as client:
        await client.sign_in(given.account, password)
        shoe = simulated(client, given.table, unread=given.unread)
        await CardReader(client, given.table, shoe if given.simulate else read_lines()).run()


if __name__ == "__main__":
    asyncio.run(main())

"""Client of a card reader, an account with the role `reader` at one table.

The device, or `simulated`, writes one line per card in dealing order: "As", or "??" for a card
that it could not read. Each card is sent when it is due; a card that is read early waits.

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

RETRY_STATUS = (409, 422)  # the table has changed, or the card is refused: read the state again
_CARDS = frozenset((*NAMES, UNSEEN))


class CardReader:
    """Sends the cards of a device to a table, until the lines or the feed end."""

    def __init__(self, client: Client, table: str, lines: AsyncIterator[str]) -> None:
        self.client = client
        self.table = table
        self.lines = lines
        self.round = 0
        self.card = ""  # read and not sent yet

    async def run(self) -> None:
        """Follow the feed and send a card whenever one is due."""
        async with aclosing(self.client.feed(self.table, role="reader")) as feed:
            async for frame in feed:
                if "state" not in frame:
                    continue
                try:
                    if not await self.serve(frame["state"]["view"]["round"], frame["sequence"]):
                        return
                except ResponseError as error:
                    if error.status not in RETRY_STATUS:
                        raise

    async def serve(self, round: dict[str, Any] | None, sequence: int) -> bool:
        """Send the next card if one is due; False after the last line."""
        if round is None or round["due"]["kind"] != "deal":
            return True
        if round["number"] != self.round:  # a new deck
            self.round, self.card = round["number"], ""
        if not self.card:
            line = await anext(self.lines, None)
            if line is None:
                return False
            self.card = card_of(line)
        # Refused if the table has changed: the card may belong elsewhere.
        command = {"kind": "deal_cards", "cards": [self.card]}
        await self.client.do(self.table, command, role="reader", expected=sequence)
        self.card = ""
        return True


def card_of(line: str) -> str:
    """The card that a line names."""
    text = line.strip()
    card = text[:1].upper() + text[1:].lower()
    if card not in _CARDS:
        raise BadInput(f'card: expected for example "As", or "{UNSEEN}", got {text[:20]!r}')
    return card


async def simulated(
    client: Client, table: str, *, seed: int | None = None, unread: float = 0.0
) -> AsyncGenerator[str, None]:
    """Cards of a shuffled deck per round; the share `unread` of them is not read."""
    rng = SystemRandom() if seed is None else Random(seed)
    number = -1
    deck: Iterator[str] = iter(())
    while True:
        round = (await client.state(table, role="reader"))["state"]["view"]["round"]
        if round is not None and round["number"] != number:
            number, shuffled = round["number"], list(DECK)
            rng.shuffle(shuffled)
            deck = iter(names(shuffled))
        card = next(deck)
        yield UNSEEN if rng.random() < unread else card


async def read_lines() -> AsyncIterator[str]:
    """The lines of a device on standard input."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line.strip():
            yield line


async def main(arguments: list[str] | None = None) -> None:
    """Run a card reader, with the key in CROUPIER_KEY, or with a password.

    The password is prompted for, or taken from CROUPIER_PASSWORD.
    """
    parser = argparse.ArgumentParser(
        prog="python -m croupier.server.card_reader", description=__doc__
    )
    parser.add_argument("address")
    parser.add_argument("table")
    parser.add_argument("account")
    parser.add_argument(
        "--simulate",
        action="store_true",
        help="simulate a device with a shuffled deck for every round",
    )
    parser.add_argument(
        "--unread", type=float, default=0.0, help="share of cards that are not read"
    )
    options = parser.parse_args(arguments)
    key = os.environ.get("CROUPIER_KEY", "")
    password = "" if key else os.environ.get("CROUPIER_PASSWORD") or getpass.getpass()
    async with Client(options.address, token=key) as client:
        if not key:
            await client.sign_in(options.account, password)
        shoe = simulated(client, options.table, unread=options.unread)
        await CardReader(client, options.table, shoe if options.simulate else read_lines()).run()


if __name__ == "__main__":
    asyncio.run(main())

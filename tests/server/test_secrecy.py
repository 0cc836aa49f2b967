"""Non-interference at practice tables: a viewer cannot tell decks apart by their hidden cards.

Two rounds are played on a real server from two decks that agree in the cards a viewer may see.
Up to a moment, everything that the viewer receives (feed, snapshot, lobby, pit, replay, page,
refusals) must be the same bytes, except times, table names and the salted commitments.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from croupier.cards import DECK, Card
from croupier.games import CATALOGUE
from croupier.server import Client, Floor
from croupier.submission import example
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from tests.support.floor_server import ServerThread, run, serving

GAMES = [game.key for game in CATALOGUE]
SEATS = {"ann": 2, "bob": 5}
VIEWERS = ("ann", "bob", "dana", "frank", "sam")
# What differs between two rounds with any cards.
_DIFFERS = re.compile(
    rb'"(?:at|closes_at|decide_by)":(?:\d+|null)|"time":"[^"]*"|"commitment":"[0-9a-f]*"|table-\d+'
)


class OneDeck(Shuffler):
    """A shuffler that always deals this deck."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__(1)
        self.cards = tuple(cards)

    def deck(self) -> CommittedDeck:
        return CommittedDeck(self.cards, "00")


WRONG = (
    b'{"kind":"settle"}',
    b'{"kind":"deal_cards","cards":["As"]}',
    *(
        b'{"kind":"correct_reading","place":2,"position":0,"card":"%s","reason":"seen"}' % card
        for card in (b"As", b"Th", b"7d", b"2c")
    ),
)


class Watched:
    """A round, and what each viewer receives at every decision."""

    def __init__(self, world: ServerThread, number: int, viewers: Sequence[str]) -> None:
        self.world, self.name, self.viewers = world, f"table-{number}", viewers
        self.received: dict[str, list[bytes]] = {name: [] for name in viewers}
        self.may_see: dict[str, list[set[Card]]] = {name: [] for name in viewers}

    async def play(self, clients: dict[str, Client], moments: int) -> None:
        """Play up to this many decisions, independently of the cards."""
        for name, seat in SEATS.items():
            await clients[name].do(self.name, {"kind": "sit_down", "seat": seat})
            await clients[name].ask(self.name, {"kind": "buy_chips", "cash": 100_000})
        for name, seat in SEATS.items():
            bets = {"kind": "place_wagers", "seat": seat, "wagers": await self.bets(clients[name])}
            await clients[name].do(self.name, bets)
        await clients["ann"].ask(self.name, {"kind": "deal"})
        for _ in range(moments):
            due = await self.waiting(clients["ann"])
            if due["kind"] != "decide":
                return
            await self.look(clients)
            name = next(name for name, seat in SEATS.items() if seat == due["seat"])
            state = (await clients[name].state(self.name))["state"]
            steps = [
                s for s in state["steps"].values() if s["kind"] == "decide" and not s["blocked"]
            ]
            await clients[name].do(self.name, {"kind": "decide", **steps[0]["fixed"]})

    async def bets(self, client: Client) -> dict[str, int]:
        """Every wager at its minimum, side wagers included."""
        state = (await client.state(self.name))["state"]
        form = next(
            s["fields"]["wagers"] for s in state["steps"].values() if s["kind"] == "place_wagers"
        )
        terms = form["terms"]
        least = terms[form["ante"]]["least"]
        return {name: least if t["equals"] else t["least"] for name, t in terms.items()}

    async def waiting(self, client: Client) -> dict[str, Any]:
        """What is due, once the bot waits for a player or the round is over."""
        while True:
            state = (await client.state(self.name))["state"]
            due: dict[str, Any] = state["view"]["round"]["due"]
            if due["kind"] in ("decide", "closed"):
                return due
            await asyncio.sleep(0.005)

    async def look(self, clients: dict[str, Client]) -> None:
        """Record what every viewer receives now, and the cards that they may see."""

        async def truth(floor: Floor) -> dict[str, set[Card]]:
            current = floor.table_host(self.name).table.round
            assert current is not None
            visible = {}
            for name in self.viewers:
                own = current.boxes[SEATS[name]].cards if name in SEATS else []
                visible[name] = current.exposed | {card for card in own if card is not None}
            return visible

        allowed = self.world.within(truth)
        for name in self.viewers:
            self.received[name].append(await self.channels(clients[name]))
            self.may_see[name].append(allowed[name])

    async def channels(self, client: Client) -> bytes:
        """Everything that one viewer receives, on all channels."""
        headers = {"authorization": f"Bearer {client.token}", "idempotency-key": "not allowed"}
        json = {**headers, "content-type": "application/json"}
        parts = [await self.frames(headers)]
        base = self.world.address
        async with httpx.AsyncClient(base_url=base, headers=headers, verify=False) as http:
            here = f"/tables/{self.name}"
            back = (f"/rounds?table={self.name}", f"{here}/rounds/1", f"{here}/rounds/1?eyes=whole")
            for path in (f"{here}/state", f"/play/{self.name}", *back):
                parts.append((await http.get(path)).content)
            for path in ("/tables", "/pit/tables"):
                listed = (await http.get(path)).json().get("tables", [])
                parts.append(repr([each for each in listed if each["id"] == self.name]).encode())
            for wrong in WRONG:
                answer = await http.post(f"{here}/commands", headers=json, content=wrong)
                parts.append(answer.content)
        return _DIFFERS.sub(b"", b"\n".join(parts))

    async def frames(self, headers: dict[str, str]) -> bytes:
        """The whole feed from the first entry on."""
        feed = f"/tables/{self.name}/feed?after=1"
        address = self.world.address.replace("http", "ws") + feed
        frames: list[str] = []
        async with connect(address, additional_headers=headers) as socket:
            async for text in socket:
                frames.append(str(text))
                if '"state":' in frames[-1]:
                    break
            for wrong in WRONG:  # refusals over the feed
                await socket.send(f'{{"id":"not allowed","command":{wrong.decode()}}}')
                while '"frame":"answer"' not in (text := str(await socket.recv())):
                    pass
                frames.append(text)
        return "\n".join(frames).encode()


def watched(
    world: ServerThread,
    game: str,
    number: int,
    deck: Sequence[Card],
    viewers: Sequence[str] = VIEWERS,
    moments: int = 100,
) -> Watched:
    """One round on a new table, as these viewers see its first moments."""
    round = Watched(world, number, viewers)

    async def opening(floor: Floor) -> None:
        await floor.open(round.name, example(game), service="practice", shuffler=OneDeck(deck))
        dealer = floor.dealers[round.name]
        dealer.pace = "at_once"
        while not floor.table_host(round.name).table.fairness.commitment:
            await asyncio.sleep(0.001)

    world.within(opening)

    async def playing() -> None:
        clients = {name: await world.client(name) for name in {*viewers, *SEATS}}
        try:
            await round.play(clients, moments)
        finally:
            for client in clients.values():
                await client.__aexit__()

    run(playing())
    return round


def check_one(world: ServerThread, game: str, rng: Random, numbers: Iterator[int]) -> int:
    """Compare every viewer up to a random moment; return the number of comparisons."""
    deck = list(DECK)
    rng.shuffle(deck)
    first = watched(world, game, next(numbers), deck)
    compared = 0
    for viewer in VIEWERS:
        moment = rng.randrange(len(first.received[viewer]))
        seen = first.may_see[viewer][moment]
        hidden = [card for card in deck if card not in seen]
        rng.shuffle(hidden)
        others = iter(hidden)
        exchanged = [card if card in seen else next(others) for card in deck]
        again = watched(world, game, next(numbers), exchanged, (viewer,), moment + 1)
        for number in range(moment + 1):
            assert first.received[viewer][number] == again.received[viewer][number], (
                viewer,
                number,
            )
            compared += 1
    return compared


def counting() -> Iterator[int]:
    """Table numbers of equal length."""
    return iter(range(100_000, 1_000_000))


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_do_not_change_a_single_byte(tmp_path: Path, game: str) -> None:
    """All channels, all roles, a random moment of a round."""
    with serving(tmp_path) as world:
        assert check_one(world, game, Random(game), counting()) >= len(VIEWERS)


def test_the_comparison_notices_a_single_card(tmp_path: Path) -> None:
    """Two decks that differ in a player's own card differ for that player only."""
    with serving(tmp_path) as world:
        numbers = counting()
        deck = list(DECK)
        Random(5).shuffle(deck)
        first = watched(world, "top_five", next(numbers), deck)
        own = first.may_see["ann"][0]
        card = next(c for c in deck if c in own)
        other = next(c for c in reversed(deck) if c not in own)
        swap = {card: other, other: card}
        again = watched(world, "top_five", next(numbers), [swap.get(each, each) for each in deck])

    assert first.received["ann"][0] != again.received["ann"][0]
    for viewer in ("bob", "dana", "frank", "sam"):
        assert first.received[viewer][0] == again.received[viewer][0]


def main() -> None:
    """Run more rounds: `python -m tests.server.test_secrecy --rounds 1000`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10, help="first rounds of every game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers, compared = counting(), 0
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as world:
        for seed in range(options.seed, options.seed + options.rounds):
            for game in GAMES:
                compared += check_one(world, game, Random(f"{game} {seed}"), numbers)
    sys.stdout.write(f"{options.rounds} rounds of every game, {compared:,} moments compared\n")


if __name__ == "__main__":
    main()

"""Nobody tells decks apart over the wire that agree in what they may see: all channels together.

Two rounds are played on the real server from two decks. Up to a moment, everything that one viewer
is sent (feed, snapshot, lobby, pit, replay, page, refusals) must be the same bytes; only times,
names of tables and the commitments to decks, which hide them by a salt, are left out.
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
from tests.support.floor_server import World, run, serving

GAMES = [game.key for game in CATALOGUE]
SEATS = {"ann": 2, "bob": 5}
VIEWERS = ("ann", "bob", "dana", "frank", "sam")
# What differs between two rounds whatever the cards are.
_DIFFERS = re.compile(rb'"(?:at|closes_at)":\d+|"time":"[^"]*"|"commitment":"[0-9a-f]*"|table-\d+')


class OneDeck(Shuffler):
    """Shuffles this deck first."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__(1)
        self.cards = tuple(cards)

    def deck(self) -> CommittedDeck:
        return CommittedDeck(self.cards, "00")


WRONG = (b'{"kind":"settle"}', b'{"kind":"deal_cards","cards":["As"]}')


class Watched:
    """A round, watched by everybody at every moment at which somebody decides."""

    def __init__(self, world: World, number: int, viewers: Sequence[str]) -> None:
        self.world, self.name, self.viewers = world, f"table-{number}", viewers
        self.told: dict[str, list[bytes]] = {name: [] for name in viewers}
        self.may_see: dict[str, list[set[Card]]] = {name: [] for name in viewers}

    async def play(self, clients: dict[str, Client], moments: int) -> None:
        """So many decisions, with the same answers whatever the cards are."""
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
            steps = [s for s in state["steps"] if s["kind"] == "decide" and not s["blocked"]]
            await clients[name].do(self.name, {"kind": "decide", **steps[0]["fixed"]})

    async def bets(self, client: Client) -> dict[str, int]:
        """Every wager at its least, so that every side wager has its say."""
        state = (await client.state(self.name))["state"]
        form = next(s["fields"]["wagers"] for s in state["steps"] if s["kind"] == "place_wagers")
        terms = form["terms"]
        least = terms[form["ante"]]["least"]
        return {name: least if t["equals"] else t["least"] for name, t in terms.items()}

    async def waiting(self, client: Client) -> dict[str, Any]:
        """What is due, once the machine waits for somebody or the round is over."""
        while True:
            state = (await client.state(self.name))["state"]
            due: dict[str, Any] = state["view"]["round"]["due"]
            if due["kind"] in ("decide", "closed"):
                return due
            await asyncio.sleep(0.005)

    async def look(self, clients: dict[str, Client]) -> None:
        """Everything that everybody is sent at this moment, and what they may see of the cards."""

        async def truth(floor: Floor) -> dict[str, set[Card]]:
            current = floor.desk(self.name).table.round
            assert current is not None
            found = {}
            for name in self.viewers:
                own = current.boxes[SEATS[name]].cards if name in SEATS else []
                found[name] = current.exposed | {card for card in own if card is not None}
            return found

        allowed = self.world.within(truth)
        for name in self.viewers:
            self.told[name].append(await self.channels(clients[name]))
            self.may_see[name].append(allowed[name])

    async def channels(self, client: Client) -> bytes:
        """All that one person is sent."""
        headers = {"authorization": f"Bearer {client.token}", "idempotency-key": "not allowed"}
        json = {**headers, "content-type": "application/json"}
        said = [await self.frames(headers)]
        base = self.world.address
        async with httpx.AsyncClient(base_url=base, headers=headers, verify=False) as http:
            here = f"/tables/{self.name}"
            back = (f"{here}/rounds", f"{here}/rounds/1", f"{here}/rounds/1?eyes=whole")
            for path in (f"{here}/state", f"/play/{self.name}", *back):
                said.append((await http.get(path)).content)
            for path in ("/tables", "/pit/tables"):
                listed = (await http.get(path)).json().get("tables", [])
                said.append(repr([each for each in listed if each["id"] == self.name]).encode())
            for wrong in WRONG:
                answer = await http.post(f"{here}/commands", headers=json, content=wrong)
                said.append(answer.content)
        return _DIFFERS.sub(b"", b"\n".join(said))

    async def frames(self, headers: dict[str, str]) -> bytes:
        """The whole feed from the first entry on."""
        feed = f"/tables/{self.name}/feed?after=1&acts=true"
        address = self.world.address.replace("http", "ws") + feed
        found: list[str] = []
        async with connect(address, additional_headers=headers) as socket:
            async for text in socket:
                found.append(str(text))
                if '"state":' in found[-1]:
                    break
            for wrong in WRONG:  # what may not be done is answered there too
                await socket.send(f'{{"id":"not allowed","command":{wrong.decode()}}}')
                while '"frame":"answer"' not in (text := str(await socket.recv())):
                    pass
                found.append(text)
        return "\n".join(found).encode()


def watched(
    world: World,
    game: str,
    number: int,
    deck: Sequence[Card],
    viewers: Sequence[str] = VIEWERS,
    moments: int = 100,
) -> Watched:
    """One round on a new table, as these viewers see its first moments."""
    found = Watched(world, number, viewers)

    async def opening(floor: Floor) -> None:
        await floor.open(found.name, example(game), service="practice", shuffler=OneDeck(deck))
        dealer = floor.dealers[found.name]
        dealer.pace = "at_once"
        while not floor.desk(found.name).table.fairness.commitment:
            await asyncio.sleep(0.001)

    world.within(opening)

    async def playing() -> None:
        clients = {name: await world.client(name) for name in {*viewers, *SEATS}}
        try:
            await found.play(clients, moments)
        finally:
            for client in clients.values():
                await client.__aexit__()

    run(playing())
    return found


def check_one(world: World, game: str, rng: Random, numbers: Iterator[int]) -> int:
    """Every viewer at one random moment; how many moments were compared."""
    deck = list(DECK)
    rng.shuffle(deck)
    first = watched(world, game, next(numbers), deck)
    compared = 0
    for viewer in VIEWERS:
        moment = rng.randrange(len(first.told[viewer]))
        seen = first.may_see[viewer][moment]
        hidden = [card for card in deck if card not in seen]
        rng.shuffle(hidden)
        others = iter(hidden)
        exchanged = [card if card in seen else next(others) for card in deck]
        again = watched(world, game, next(numbers), exchanged, (viewer,), moment + 1)
        for number in range(moment + 1):
            assert first.told[viewer][number] == again.told[viewer][number], (viewer, number)
            compared += 1
    return compared


def counting() -> Iterator[int]:
    """Numbers of equal length."""
    return iter(range(100_000, 1_000_000))


@pytest.mark.parametrize("game", GAMES)
def test_nobody_tells_decks_apart_over_the_wire(tmp_path: Path, game: str) -> None:
    """All channels, all roles, a random moment of a round."""
    with serving(tmp_path) as world:
        assert check_one(world, game, Random(game), counting()) >= len(VIEWERS)


def test_the_comparison_notices_a_single_card(tmp_path: Path) -> None:
    """Two decks that differ in an own card are told apart by that player, and by nobody else."""
    with serving(tmp_path) as world:
        numbers = counting()
        deck = list(DECK)
        Random(5).shuffle(deck)
        first = watched(world, "top_five", next(numbers), deck)
        own = first.may_see["ann"][0]
        card = next(each for each in deck if each in own)
        other = next(each for each in reversed(deck) if each not in own)
        swap = {card: other, other: card}
        again = watched(world, "top_five", next(numbers), [swap.get(each, each) for each in deck])

    assert first.told["ann"][0] != again.told["ann"][0]
    for viewer in ("bob", "dana", "frank", "sam"):
        assert first.told[viewer][0] == again.told[viewer][0]


def main() -> None:
    """As many rounds as you like: `python -m tests.server.test_secrecy --rounds 1000`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10, help="first rounds of every game")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    numbers, compared = counting(), 0
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as world:
        for seed in range(given.seed, given.seed + given.rounds):
            for game in GAMES:
                compared += check_one(world, game, Random(f"{game} {seed}"), numbers)
    sys.stdout.write(f"{given.rounds} rounds of every game, {compared:,} moments compared\n")


if __name__ == "__main__":
    main()

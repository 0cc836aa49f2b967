"""Disabling gaming by API and page, and what the screens of the tables show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import DisableGaming, EnableGaming
from croupier.ledger.gaming_orders import change_gaming
from croupier.server import Client
from croupier.server.client import ResponseError
from croupier.table import Account
from tests.support.floor_server import PASSWORD, ServerThread, recorded_denials, run, serving

pytestmark = pytest.mark.xdist_group(__name__)
OLGA = Account("olga", "operator")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A server with a practice table of Top Five."""
    with serving(tmp_path) as world:
        world.open("T", "top_five")
        yield world


@asynccontextmanager
async def signed_in(world: ServerThread, name: str) -> AsyncIterator[httpx.AsyncClient]:
    """The browser of one person."""
    headers = {"origin": world.address}
    async with httpx.AsyncClient(base_url=world.address, headers=headers) as http:
        await http.post("/session", json={"name": name, "password": PASSWORD})
        yield http


async def change(http: httpx.AsyncClient, key: str, **fields: Any) -> httpx.Response:
    """A change under an idempotency key."""
    headers = {"idempotency-key": f"gaming order {key}"}
    return await http.post("/gaming/changes", json={"change": fields}, headers=headers)


async def shows(feed: Any, text: str) -> None:
    """Wait until a feed shows this on its screen."""
    async with asyncio.timeout(10):
        while frame := await anext(feed):
            if frame.get("state", {}).get("view", {}).get("disabled") == text:
                return


def test_every_screen_shows_the_order(floor: ServerThread) -> None:
    """The player's feed follows; betting is refused with the clause; the same key is one order."""

    async def scenario() -> None:
        async with Client(floor.address) as ann, signed_in(floor, "olga") as olga:
            await ann.sign_in("ann", PASSWORD)
            feed = ann.feed("T")
            for _ in range(2):
                done = await change(olga, "k1", kind="disable_gaming", reason="fire alarm")
                assert 200 == done.status_code, done.text
            assert "fire alarm" == done.json()["orders"]["all"]["reason"]
            await shows(feed, "Gaming is disabled: no new round starts.")
            await ann.do("T", {"kind": "sit_down", "seat": 1})
            await ann.ask("T", {"kind": "buy_chips", "cash": 10_000})
            with pytest.raises(ResponseError, match=r"no new round starts.*GLI-19 2\.4\.1"):
                await ann.do("T", {"kind": "place_wagers", "seat": 1, "wagers": {"ante": 500}})
            lobby = (await olga.get("/gaming/orders")).json()
            assert ["all"] == list(lobby["orders"])
            await change(olga, "k2", kind="enable_gaming", reason="false alarm")
            await shows(feed, "")
            await ann.do("T", {"kind": "place_wagers", "seat": 1, "wagers": {"ante": 500}})

    run(scenario())


def test_an_order_of_another_process_is_followed(floor: ServerThread) -> None:
    """As given on the command line while the tables are served."""

    async def scenario() -> None:
        async with Client(floor.address) as ann:
            await ann.sign_in("ann", PASSWORD)
            feed = ann.feed("T")
            with Ledger(floor.database) as ledger:
                change_gaming(ledger, DisableGaming(reason="x", game="top_five"), by=OLGA)
                await shows(feed, "Gaming is disabled: no new round starts.")
                change_gaming(ledger, EnableGaming(reason="x", game="top_five"), by=OLGA)
                await shows(feed, "")

    run(scenario())


def test_the_page_works_without_scripts(floor: ServerThread) -> None:
    """Who may not change sees what is disabled; the form keeps its errors."""

    async def scenario() -> None:
        async with signed_in(floor, "petra") as petra, signed_in(floor, "sam") as sam:
            fields = {"scope": "game top_five", "action": "disable", "reason": "recount"}
            page = await petra.post("/gaming", data=fields)
            assert "by pit_manager petra: recount" in page.text
            again = await petra.post("/gaming", data=fields)
            assert (422, True) == (again.status_code, "is already disabled" in again.text)
            seen = await sam.get("/gaming")
            assert "recount" in seen.text and "<details" not in seen.text
            refused = await sam.post("/gaming", data=fields | {"action": "enable"})
            assert 403 == refused.status_code
            await petra.post("/gaming", data=fields | {"action": "enable"})
            assert "recount" not in (await sam.get("/gaming")).text

    run(scenario())
    assert recorded_denials(floor)["sam", "enable_gaming", "may not give it"]


def test_players_and_dealers_neither_see_nor_change_orders(floor: ServerThread) -> None:
    """The attempts are on record."""

    async def scenario() -> None:
        for name in ("ann", "dana"):
            async with signed_in(floor, name) as http:
                assert 403 == (await http.get("/gaming")).status_code
                assert 403 == (await http.get("/gaming/orders")).status_code
                denied = await change(http, "k", kind="disable_gaming", reason="x")
                assert 403 == denied.status_code

    run(scenario())
    assert recorded_denials(floor)["dana", "disable_gaming", "may not give it"]


def test_the_second_person_answers_in_their_own_session(floor: ServerThread) -> None:
    """What they agree to is carried out, and their answer is on record."""

    async def scenario() -> None:
        async with signed_in(floor, "olga") as olga, signed_in(floor, "petra") as petra:
            await change(olga, "d", kind="disable_gaming", reason="fire alarm")
            second = {"id": "petra", "role": "pit_manager"}
            fields = {"kind": "enable_gaming", "reason": "false alarm", "second": second}
            asked = (await change(olga, "e", **fields)).json()
            assert ["all"] == list(asked["orders"])
            assert "waits" == asked["pending"]["state"]
            answer = f"/clock/agreements/{asked['pending']['id']}"
            await petra.post(answer, json={"agreed": True})
            assert {} == (await olga.get("/gaming/orders")).json()["orders"]

    run(scenario())

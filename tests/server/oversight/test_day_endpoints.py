"""Gaming-day endpoints: a day is closed and signed from the server, without the private key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.clock import DAY, now_ms
from croupier.ledger import day_close
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.server import Client
from croupier.server.client import ResponseError
from croupier.server.oversight import day_endpoints
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, play, run, serving

TABLE = "practice"
NAME = "harbor.example/ledger"


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerThread]:
    """A table with one round, on a gaming day that has ended."""
    with serving(tmp_path) as world:
        world.open(TABLE, "ultimate_texas_holdem", seed=9)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, TABLE, 2)

        run(playing())
        later = now_ms() + DAY
        for module in (day_close, day_endpoints):
            monkeypatch.setattr(module, "now_ms", lambda: later)
        yield world


async def get(client: Client, path: str, **query: str) -> dict[str, Any]:
    """The response of a GET."""
    response: dict[str, Any] = await client._request("GET", path, params=query)
    return response


async def sign(client: Client, day: str, key: Ed25519PrivateKey, **more: Any) -> dict[str, Any]:
    """Sign a day as the page does: the text from the server, the signature to it."""
    text = (await get(client, f"/gaming-days/{day}/checkpoint", name=NAME))["text"]
    body = {
        "key": str(signed_note.public_key(NAME, key)),
        "signature": key.sign(text.encode()).hex(),
    }
    signed: dict[str, Any] = await request_json(
        client, f"/gaming-days/{day}/signature", body | more
    )
    return signed


def test_a_day_is_closed_and_signed(ended: ServerThread) -> None:
    """The signed checkpoint verifies, and covers the round; then it can be proved."""
    key = Ed25519PrivateKey.generate()

    async def scenario() -> None:
        async with await ended.client("petra") as petra, await ended.client("sam") as sam:
            listed = await get(petra, "/gaming-days")
            assert listed["may_close"] and [] == listed["keys"]
            assert ["open", "ended"] == [day["state"] for day in listed["days"]]
            day = listed["days"][1]["day"]
            replay = f"/tables/{TABLE}/rounds/1"
            assert "is not closed" in (await get(sam, replay))["unproved"]
            closed = await request_json(petra, f"/gaming-days/{day}/close", {})
            assert ("closed", 1) == (closed["days"][1]["state"], closed["days"][1]["rounds"])
            assert closed == await request_json(petra, f"/gaming-days/{day}/close", {})
            assert "is closed but not signed" in (await get(sam, replay))["unproved"]
            signed = await sign(petra, day, key)
            note = signed["days"][1]["note"]
            public = signed_note.public_key(NAME, key)
            assert "signed" == signed["days"][1]["state"]
            assert signed["days"][1]["size"] == checkpoint.open_checkpoint(note, [public]).size
            assert [(NAME, public.id.hex(), day)] == [tuple(k.values()) for k in signed["keys"]]
            assert "" == (await get(sam, replay))["unproved"]
            watched = await get(sam, "/gaming-days")
            assert not watched["may_close"] and watched["days"] == signed["days"]

    run(scenario())


def test_wrong_signatures_and_people_are_refused(ended: ServerThread) -> None:
    """Another text, a new key without confirmation, a day in progress, other roles."""
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()

    async def refused(status: int, match: str, request: Any) -> None:
        with pytest.raises(ResponseError, match=match) as error:
            await request
        assert status == error.value.status

    async def scenario() -> None:
        async with await ended.client("petra") as petra:
            today, day = (each["day"] for each in (await get(petra, "/gaming-days"))["days"])
            await refused(
                422, "has not ended", request_json(petra, f"/gaming-days/{today}/close", {})
            )
            await refused(
                422, "is not a day", request_json(petra, "/gaming-days/tomorrow/close", {})
            )
            await refused(404, "has not been closed", sign(petra, day, key))
            await request_json(petra, f"/gaming-days/{day}/close", {})
            path = f"/gaming-days/{day}/signature"
            public = str(signed_note.public_key(NAME, key))
            wrong = {"key": public, "signature": key.sign(b"another text").hex()}
            await refused(422, "is not a signature", request_json(petra, path, wrong))
            short = {"key": public, "signature": "00"}
            await refused(422, "is not a signature", request_json(petra, path, short))
            for body in ({"key": "x", "signature": "00"}, {"key": public, "signature": "zz"}):
                await refused(400, "expected", request_json(petra, path, body))
            await refused(400, "name", get(petra, f"/gaming-days/{day}/checkpoint", name="a b"))
            await sign(petra, day, key)
            await refused(422, "no earlier day", sign(petra, day, other))
            both = await sign(petra, day, other, is_new_key=True)
            assert 2 == len(both["keys"])
        async with await ended.client("sam") as sam:
            await refused(403, "expected cage", request_json(sam, f"/gaming-days/{day}/close", {}))
            await refused(403, "expected cage", sign(sam, day, key))
        async with await ended.client("dana") as dana:
            await refused(403, "expected cage", get(dana, "/gaming-days"))

    run(scenario())

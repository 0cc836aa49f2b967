"""Errors as problem details (RFC 9457), and the id that links request, log line and entry."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.ledger import entry_codec
from croupier.server import Floor
from croupier.server.json_logging import JsonFormatter
from tests.support.floor_server import ServerThread, run, serving

TABLE = "T"
SIT = {"kind": "sit_down", "seat": 2}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one practice table."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world


async def send(
    world: ServerThread, method: str, path: str, *, signed_in: bool = True, **options: Any
) -> httpx.Response:
    """One request of Ann."""
    async with await world.client("ann") as ann, httpx.AsyncClient() as http:
        headers = options.pop("headers", {})
        if signed_in:
            headers["authorization"] = f"Bearer {ann.token}"
        return await http.request(method, f"{world.address}{path}", headers=headers, **options)


def check(response: httpx.Response, status: int) -> dict[str, Any]:
    """The problem details of an error response."""
    assert status == response.status_code
    assert "application/problem+json" == response.headers["content-type"]
    body: dict[str, Any] = response.json()
    assert ("about:blank", status) == (body["type"], body["status"])
    assert body["title"] and body["detail"] == body["problem"]
    assert body["request"] == response.headers["x-request-id"]
    return body


def test_a_refusal_has_its_clause(floor: ServerThread) -> None:
    """As an extension member, with the game."""
    key = {"idempotency-key": "seat nine"}
    nine = {"kind": "sit_down", "seat": 9}
    sent = send(floor, "POST", f"/tables/{TABLE}/commands", json=nine, headers=key)
    body = check(run(sent), 422)
    assert "top_five" == body["game"] and body["clause"]
    assert "seat nine" == body["request"]


@pytest.mark.parametrize(
    ("method", "path", "signed_in", "status"),
    [
        ("GET", "/me", False, 401),
        ("GET", "/tables/nowhere", True, 404),
        ("GET", "/no/such/page", True, 404),
        ("GET", "/schemas/none.json", True, 404),
        ("PUT", "/me", True, 405),
        ("POST", f"/tables/{TABLE}/commands", True, 400),
    ],
)
def test_every_error_has_the_same_form(
    floor: ServerThread, method: str, path: str, signed_in: bool, status: int
) -> None:
    """Also those of the framework."""
    check(run(send(floor, method, path, signed_in=signed_in, json=SIT)), status)


def test_an_unknown_host_gets_problem_details(floor: ServerThread) -> None:
    """Before any endpoint is reached."""
    response = run(send(floor, "GET", "/me", headers={"host": "elsewhere.example"}))
    assert 421 == response.status_code
    assert "application/problem+json" == response.headers["content-type"]
    assert 421 == response.json()["status"]


def test_a_request_id_links_response_log_and_entry(floor: ServerThread) -> None:
    """The id of a command is the id of its request and of its entry."""
    written = io.StringIO()
    handler, logger = logging.StreamHandler(written), logging.getLogger("croupier.server")
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    level = logger.level
    logger.setLevel(logging.INFO)
    key = {"idempotency-key": "ann-sits-down"}
    try:
        sent = send(floor, "POST", f"/tables/{TABLE}/commands", json=SIT, headers=key)
        response = run(sent)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)

    async def entry_id(running: Floor) -> str:
        entries = list(running.ledger.store.read(entry_codec.TABLE_PREFIX + TABLE))
        return str(entries[response.json()["sequence"] - 1].entry.id)

    assert "ann-sits-down" == response.headers["x-request-id"] == floor.within(entry_id)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    (line,) = [line for line in lines if line.get("request") == "ann-sits-down"]
    assert (TABLE, "sit_down", 200) == (line["table"], line["kind"], line["status"])
    assert response.json()["sequence"] == line["sequence"]


def test_other_requests_bring_an_id_or_get_one(floor: ServerThread) -> None:
    """A valid one is used; another one is replaced."""
    given = {"x-request-id": "from-a-proxy-17"}
    response = run(send(floor, "GET", "/me", headers=given))
    assert "from-a-proxy-17" == response.headers["x-request-id"]
    for bad in ("short", "x" * 500):
        response = run(send(floor, "GET", "/me", headers={"x-request-id": bad}))
        made = response.headers["x-request-id"]
        assert made != bad and len(made) == 24

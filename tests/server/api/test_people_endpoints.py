"""The people of a property on screens: list, history, locking; who may see them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.floor_server import PASSWORD, ServerThread, recorded_denials, run, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server without tables."""
    with serving(Path(tmp_path_factory.mktemp("people"))) as world:
        yield world


def requests_of(
    world: ServerThread, name: str, *asked: tuple[str, str, dict[str, Any] | None]
) -> list[httpx.Response]:
    """The responses to requests of one person in a browser."""

    async def ask() -> list[httpx.Response]:
        headers = {"origin": world.address}
        async with httpx.AsyncClient(base_url=world.address, headers=headers) as http:
            await http.post("/session", json={"name": name, "password": PASSWORD})
            return [
                await http.request(method, path, json=body)
                if path.startswith("/accounts")
                else await http.request(method, path, data=body)
                for method, path, body in asked
            ]

    return run(ask())


def test_an_operator_sees_everybody_with_history(floor: ServerThread) -> None:
    """With the attributes of GLI-19 2.8.9: created, last seen, password, disabled."""
    listed, history = requests_of(
        floor, "olga", ("GET", "/accounts", None), ("GET", "/accounts/olga/history", None)
    )
    accounts = {each["person"]["id"]: each for each in listed.json()["accounts"]}
    olga, dana = accounts["olga"], accounts["dana"]
    assert ["operator"] == olga["person"]["offices"]
    assert olga["created"] and olga["last_seen"] >= olga["created"] == olga["password_set"]
    assert (0, "active", 0) == (dana["last_seen"], dana["state"], dana["disabled"])
    lines = [line["text"] for line in history.json()["lines"]]
    assert ["created: operator", "signed in from 127.0.0.1"] == lines[:2]
    assert "password" not in "".join(lines[1:])


def test_the_pages_work_without_scripts(floor: ServerThread) -> None:
    """A list, a history, and a form that locks an account."""
    people, before, locked, again = requests_of(
        floor,
        "olga",
        ("GET", "/people", None),
        ("GET", "/people/bob", None),
        ("POST", "/people/bob", {"reason": "lost his card"}),
        ("POST", "/people/bob", {"reason": "lost his card"}),
    )
    assert '<a href="/people/bob">bob</a>' in people.text
    assert "Lock this account" in before.text
    assert "lost his card" in locked.text and "operator olga" in locked.text
    assert (422, True) == (again.status_code, "bob is already locked" in again.text)
    (refused,) = requests_of(floor, "bob", ("GET", "/accounts", None))
    assert 401 == refused.status_code  # a locked account cannot sign in


def test_locking_ends_sessions_and_needs_a_reason(floor: ServerThread) -> None:
    """One operator is enough; nobody locks their own account."""
    without, own, done = requests_of(
        floor,
        "otto",
        ("POST", "/accounts/dana/lock", {"reason": " "}),
        ("POST", "/accounts/otto/lock", {"reason": "x"}),
        ("POST", "/accounts/dana/lock", {"reason": "left her post"}),
    )
    assert [422, 422, 204] == [each.status_code for each in (without, own, done)]
    assert "needs a reason" in without.json()["problem"]


def test_others_see_no_accounts(floor: ServerThread) -> None:
    """The attempt is on record. Surveillance looks, but cannot lock."""
    asked = (
        ("GET", "/accounts", None),
        ("GET", "/accounts/olga/history", None),
        ("POST", "/accounts/ann/lock", {"reason": "x"}),
        ("GET", "/people", None),
        ("GET", "/people/olga", None),
    )
    assert [403] * 5 == [each.status_code for each in requests_of(floor, "frank", *asked)]
    assert [200, 200, 403, 200, 200] == [
        each.status_code for each in requests_of(floor, "sam", *asked)
    ]
    assert recorded_denials(floor)["frank", "read accounts", "no such role"]
    assert recorded_denials(floor)["sam", "lock an account", "not an operator"]


def change(kind: str, **fields: Any) -> dict[str, Any]:
    """The body of a change."""
    return {"change": {"kind": kind, "reason": "hired", **fields}}


def test_two_people_appoint_in_their_own_sessions(floor: ServerThread) -> None:
    """The second person answers as for a clock; the owner of the account chooses a password."""
    second = {"id": "otto", "role": "operator"}
    grants = [{"role": "audit", "table": "*"}]
    create = change("create_account", account="aud", grants=grants, second=second)

    async def scenario() -> None:
        headers = {"origin": floor.address, "idempotency-key": "create aud"}
        async with (
            httpx.AsyncClient(base_url=floor.address, headers=headers) as olga,
            httpx.AsyncClient(base_url=floor.address, headers=headers) as otto,
            httpx.AsyncClient(base_url=floor.address, headers=headers) as aud,
        ):
            for http, name in ((olga, "olga"), (otto, "otto")):
                await http.post("/session", json={"name": name, "password": PASSWORD})
            asked = await olga.post("/accounts/changes", json=create)
            pending = asked.json()["pending"]
            assert ("waits", "otto", "") == (pending["state"], pending["second"], pending["link"])
            people = (await olga.get("/accounts")).json()["accounts"]
            assert "aud" not in [each["person"]["id"] for each in people]
            answer = f"/clock/agreements/{pending['id']}"
            assert 403 == (await olga.post(answer, json={"agreed": True})).status_code
            answered = (await otto.post(answer, json={"agreed": True})).json()
            assert ("agreed", "", 8) == (
                answered["state"],
                answered["link"],
                len(answered["code"]),
            )
            (mine,) = (await olga.get("/agreements/waiting")).json()["asked"]
            assert "" == mine["code"]
            assert "Code of the second person" in (await aud.get(mine["link"])).text
            wrong = await aud.post(mine["link"], data={"code": "00000000"})
            assert 401 == wrong.status_code and "set-cookie" not in wrong.headers
            entered = await aud.post(mine["link"], data={"code": f" {answered['code'].upper()} "})
            assert "/account" == entered.headers["location"]
            assert 403 == (await aud.get(mine["link"])).status_code
            weak = await aud.post("/me/password", json={"new_password": "1234567890"})
            assert 400 == weak.status_code
            chosen = await aud.post("/me/password", json={"new_password": PASSWORD})
            assert 204 == chosen.status_code
            body = {"name": "aud", "password": PASSWORD}
            assert 200 == (await aud.post("/session", json=body)).status_code
            assert ["audit"] == (await aud.get("/me")).json()["roles"]["*"]

    run(scenario())
    (history,) = requests_of(floor, "olga", ("GET", "/accounts/aud/history", None))
    created = history.json()["lines"][0]
    assert ("operator olga", "operator otto") == (created["by"], created["second"])


def test_a_change_that_the_register_refuses_is_not_asked(floor: ServerThread) -> None:
    """Nor one whose second person has no such role, and nobody but an operator changes accounts."""
    otto = {"id": "otto", "role": "operator"}
    ann = {"account": "ann", "grants": [{"role": "cage", "table": "*"}]}

    async def statuses(name: str, *bodies: dict[str, Any]) -> list[int]:
        headers = {"origin": floor.address}
        async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
            await http.post("/session", json={"name": name, "password": PASSWORD})
            return [
                (
                    await http.post(
                        "/accounts/changes", json=body, headers={"idempotency-key": f"key {n:08}"}
                    )
                ).status_code
                for n, body in enumerate(bodies)
            ]

    own = change("grant_roles", **{**ann, "account": "olga"}, second=otto)
    nobody = change("grant_roles", **ann, second={"id": "ann", "role": "audit"})
    twice = change("grant_roles", **ann, second={"id": "olga", "role": "operator"})
    system = change("found_accounts", live=False)
    fine = change("grant_roles", **ann)
    assert [422, 400, 422, 400, 200, 422] == run(
        statuses("olga", own, nobody, twice, system, fine, fine)
    )
    assert [403] == run(statuses("frank", change("grant_roles", **ann)))
    exclusion = change("exclude_player", account="paula", since=0)
    assert [200] == run(statuses("sam", exclusion))  # surveillance keeps the exclusion list


def test_the_form_of_an_operator_changes_accounts(floor: ServerThread) -> None:
    """Without scripts: at once, or as a request that waits."""
    fields = {"account": "Zoe", "role": "dealer", "table": "T1", "reason": "hired"}
    created, again, asked, wrong = requests_of(
        floor,
        "olga",
        ("POST", "/people", {**fields, "action": "create"}),
        ("POST", "/people", {**fields, "action": "create"}),
        (
            "POST",
            "/people",
            {**fields, "action": "grant", "role": "operator", "second": "operator:otto"},
        ),
        ("POST", "/people", {**fields, "action": "promote"}),
    )
    assert "Give this link to the owner" in created.text and "/enter/" in created.text
    assert (422, True) == (again.status_code, "already an account" in again.text)
    assert "Waiting for operator otto" in asked.text
    assert (400, True) == (wrong.status_code, "is not a change" in wrong.text)

"""Requests for a second person's agreement: how long they wait, how many, and about the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.clock import DAY, now_ms
from croupier.ledger.aggregates.account_messages import Grant, WithdrawRoles
from croupier.ledger.audit.verify import verify
from croupier.server import Client
from croupier.server.auth import second_person, sessions
from croupier.server.auth.accounts import BY_PROGRAM
from croupier.server.auth.person import EVERY_TABLE
from croupier.server.client import ResponseError
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.floor_server import ServerThread, run, serving
from tests.support.manual_clock import manual_clock

pytestmark = pytest.mark.xdist_group(__name__)
PAUL, PETRA = Account("paul", "pit_manager"), Account("petra", "pit_manager")
ADJUST = cmd.AdjustMeter(meter="star", amount=1, reason="a test", approval="none", second=PAUL)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one staffed table."""
    with serving(tmp_path) as world:
        world.open("J", "jackpot_holdem", service="attended")
        yield world


async def refused(request: Any) -> tuple[int, str]:
    """The status and the problem of a request that fails."""
    with pytest.raises(ResponseError) as error:
        await request
    return error.value.status, error.value.problem


def test_an_account_has_a_limited_number_of_waiting_requests(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its own, and few; answers make room, and other accounts are not affected."""
    assert second_person.WAITING_MAX <= 5
    monkeypatch.setattr(second_person, "WAITING_MAX", 3)

    async def scenario() -> None:
        async with (
            await floor.client("petra") as petra,
            await floor.client("paul") as paul,
        ):
            asked = [await petra.ask_second("J", ADJUST, id=f"request {n}") for n in range(3)]
            assert asked[2] == await petra.ask_second("J", ADJUST, id="request 2")  # sent again
            status, problem = await refused(petra.ask_second("J", ADJUST, id="request 3"))
            assert (429, "3 of your requests wait for an agreement, the most allowed") == (
                status,
                problem,
            )
            petras = structs.replace(ADJUST, second=PETRA)
            await paul.ask_second("J", petras, id="request 3")
            await paul.answer(asked[0], agreed=False)
            await petra.ask_second("J", ADJUST, id="request 3")
            states = [each["state"] for each in (await petra.agreements())["asked"]]
            assert ["declined", "waits", "waits", "waits"] == states

    run(scenario())


def test_a_second_person_answers_in_a_role_that_they_have(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role that was withdrawn after the request does not count."""
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 0.05)

    async def scenario() -> int:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            asked = await petra.ask_second("J", ADJUST, id="a request")
            assert floor.server is not None
            accounts = floor.server.floor.accounts
            # Behind the server's back: the session stays open.
            lost = WithdrawRoles(account="paul", grants=(Grant("pit_manager", "*"),), reason="x")
            await asyncio.to_thread(accounts.register.do, lost, BY_PROGRAM.by)
            while "pit_manager" in str(await paul._request("GET", "/me")):
                await asyncio.sleep(0.05)
            return (await refused(paul.answer(asked, agreed=True)))[0]

    assert 403 == run(scenario())


def test_only_what_can_be_carried_out_is_asked(floor: ServerThread) -> None:
    """By a person who may give the command, of a person who may answer, as the table allows it."""

    async def scenario() -> None:
        async with await floor.client("petra") as petra, await floor.client("ann") as ann:
            for second in (Account("paul", "cage"), Account("nobody", "pit_manager")):
                adjust = structs.replace(ADJUST, second=second)
                status, problem = await refused(petra.ask_second("J", adjust, id="request one"))
                assert (400, f"{second.id} is not {second.role} at J") == (
                    status,
                    problem.partition(";")[0],
                )
            assert 403 == (await refused(ann.ask_second("J", ADJUST, id="request two")))[0]
            unknown = structs.replace(ADJUST, meter="giga")
            status, problem = await refused(petra.ask_second("J", unknown, id="request three"))
            assert 422 == status and "giga" in problem

    run(scenario())


def test_a_request_cannot_be_changed_after_it_was_seen(floor: ServerThread) -> None:
    """The same id with another amount is refused, and the answer is for what was asked."""

    async def scenario() -> None:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            asked = await petra.ask_second("J", ADJUST, id="a request")
            more = structs.replace(ADJUST, amount=20_000)
            assert 409 == (await refused(petra.ask_second("J", more, id="a request")))[0]
            assert asked == (await paul.agreements())["to_agree"][0]
            await paul.answer(asked, agreed=True)
            assert 403 == (await refused(petra.do("J", more, id="a request")))[0]
            assert "agreed" == (await petra.agreements())["asked"][0]["state"]
            await petra.do("J", ADJUST, id="a request")
            assert "done" == (await petra.agreements())["asked"][0]["state"]

    run(scenario())


def test_a_request_expires(floor: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """After as long as an answer would be valid."""

    async def scenario() -> None:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            await petra.ask_second("J", ADJUST, id="a first one")
            monkeypatch.setattr(second_person, "ANSWER_VALID_MS", 0)
            asked = await petra.ask_second("J", ADJUST, id="a second one")
            (first,) = (await paul.agreements())["to_agree"]
            assert "a first one" == first["key"]
            assert 404 == (await refused(paul.answer(asked, agreed=True)))[0]

    run(scenario())


@pytest.mark.usefixtures("live_limits")
def test_two_people_accept_the_clock(floor: ServerThread) -> None:
    """Each from their own session, once; the record names both."""

    async def answered(petra: Client, paul: Client, *, agreed: bool) -> str:
        waiting = asyncio.ensure_future(petra.accept_clock(PAUL, "renovation", role="pit_manager"))
        while not (requests := (await paul.agreements())["to_agree"]):
            assert not waiting.done(), waiting.result()
        (asked,) = requests
        assert ("", "renovation") == (asked["table"], asked["command"]["reason"])
        assert 403 == (await refused(petra.answer(asked, agreed=True)))[0]
        for answer in (agreed, agreed, not agreed):  # only the first counts
            await paul.answer(asked, agreed=answer)
        return str((await waiting)["state"])

    async def scenario() -> None:
        async with await floor.client("petra") as petra, await floor.client("paul") as paul:
            early = petra.accept_clock(PAUL, "x", role="pit_manager")
            assert "nothing to do" in (await refused(early))[1]
            with manual_clock(at=now_ms() + 40 * DAY, tick=1):
                assert "declined" == await answered(petra, paul, agreed=False)
                assert () == verify(floor.database).accepted_clocks
                assert "agreed" == await answered(petra, paul, agreed=True)

    run(scenario())
    verdict = verify(floor.database)
    assert verdict.ok, str(verdict)
    assert "accepted by pit_manager petra and pit_manager paul (renovation)" in str(verdict)


@pytest.mark.usefixtures("live_limits")
def test_who_may_accept_the_clock(floor: ServerThread) -> None:
    """Two different witnesses with their role at every table; others are denied."""

    async def statuses(names: list[tuple[str, str, Account]]) -> list[int]:
        async def status(name: str, role: str, second: Account) -> int:
            async with await floor.client(name) as client:
                return (await refused(client.accept_clock(second, "x", role=role)))[0]

        with manual_clock(at=now_ms() + 40 * DAY, tick=1):
            return [await status(*each) for each in names]

    assert floor.server is not None
    accounts = floor.server.floor.accounts
    accounts.withdraw("petra", [("pit_manager", EVERY_TABLE)])
    accounts.grant("petra", "pit_manager", "J")
    witness = "pit_manager"
    assert [403, 403, 403, 403, 400] == run(
        statuses(
            [
                ("petra", witness, PAUL),
                ("frank", "floorperson", PAUL),
                ("frank", witness, PAUL),
                ("frank", "", PAUL),
                ("paul", witness, Account("paul", "audit")),
            ]
        )
    )

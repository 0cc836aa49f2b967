"""Decisions outside the tables: only the ledger counts, never the rows of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Ledger
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.account_messages import SignInsNoted
from croupier.ledger.aggregates.approvals import ATTEMPTS_PER_NOTE_MAX, STREAM
from croupier.ledger.audit.verify import verify
from croupier.ledger.queries.round_search import find_refusals as attempts
from croupier.server import Client, Floor
from croupier.server.auth import denied_attempts
from croupier.server.client import ResponseError
from croupier.submission import example
from croupier.table import Account, kind_of
from croupier.table import commands as cmd
from tests.server.api.test_submission_endpoints import APPROVAL, refusal_of, request_json
from tests.support.floor_server import ServerThread, edit_accounts, recorded_denials, run, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server without tables."""
    with serving(Path(tmp_path_factory.mktemp("on_record"))) as world:
        yield world


def decided(world: ServerThread, *, denied: bool = False) -> list[str]:
    """The kinds of commands in the stream of decisions, or those about denied attempts."""

    async def kinds(floor: Floor) -> list[str]:
        def read() -> list[str]:
            stored = floor.ledger.store.read(STREAM)
            commands = [kind_of(ent.decode_entry(each).envelope.command) for each in stored]
            return [kind for kind in commands if (kind == "note_denied") == denied]

        return await asyncio.to_thread(read)

    return world.within(kinds)


async def sent_submission(olga: Client) -> tuple[str, dict[str, Any]]:
    """A submission of Olga's that waits for approval, ready for an attended table."""
    draft = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
    path = f"/submissions/{draft['id']}"
    answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
    draft = await request_json(olga, f"{path}/answers", {"version": 1, "answers": answers})
    return path, await request_json(olga, f"{path}/sending", {"version": draft["version"]})


def test_database_rows_approve_nothing(house: ServerThread) -> None:
    """An insider rewrites, forges and deletes rows: the submission waits as it was sent."""
    forged = (
        "UPDATE floor_submission SET content = replace(replace(content, 'Pier', 'Quay'),"
        " '\"olga\"', '\"otto\"')",
        "UPDATE floor_submission SET content = json_set(content, '$.state', 'approved',"
        " '$.decided_by', 'otto', '$.given_up', json('true'))",
        "DELETE FROM floor_submission",
    )

    async def flow() -> None:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            path, waiting = await sent_submission(olga)
            under = {"table": "R1", "service": "attended"}
            decision = {"digest": waiting["sent_digest"], "approved": True}
            for statement in forged:
                edit_accounts(house, statement)
                seen = await request_json(otto, path)
                fields = ("state", "answers", "authors", "sent_digest", "decided_by")
                assert [waiting[name] for name in fields] == [seen[name] for name in fields]
                assert (422, "COMAR 36.05.03.19") == await refusal_of(otto, f"{path}/tables", under)
                refusal = await refusal_of(olga, f"{path}/decision", decision)
                assert (422, "COMAR 36.05.03.19") == refusal
            assert "approved" == (await request_json(otto, f"{path}/decision", decision))["state"]
            await request_json(otto, f"{path}/tables", under)
            assert path[13:] in [one["id"] for one in (await listed(otto))["submissions"]]
            await request_json(otto, "/tables/R1/closing", {})

    run(flow())
    kinds = ["send_submission", "decide_submission", "open_under", "take_off"]
    assert kinds == decided(house)
    noted = house.within(noted_attempts)
    assert [("operator otto", "open_under"), ("operator olga", "decide_submission")] * 3 == noted
    assert verify(house.database).ok


async def listed(client: Client) -> Any:
    """All submissions and tables."""
    return await request_json(client, "/submissions")


async def noted_attempts(floor: Floor) -> list[tuple[str, str]]:
    """The account and the command of every refused attempt."""
    refused = await asyncio.to_thread(lambda: list(attempts(floor.ledger)))
    return [(each.by, each.what) for each in refused]


def test_opening_is_completed_after_a_crash(house: ServerThread) -> None:
    """The opening is on record, the table is not bound yet: the repeated request binds it once."""
    key = "the key of an opening"

    async def approved() -> str:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            path, waiting = await sent_submission(olga)
            decision = {"digest": waiting["sent_digest"], "approved": True}
            await request_json(otto, f"{path}/decision", decision)
            return path

    path = run(approved())

    async def record_opening(floor: Floor) -> None:
        opening = (path[13:], "K", "attended", "otto", key)
        await asyncio.to_thread(floor.submissions.open_under, *opening)  # type: ignore[arg-type]

    house.within(record_opening)
    house.stop()
    edit_accounts(house, "DELETE FROM floor_submission")
    house.start()

    async def again() -> None:
        async with await house.client("otto") as otto:
            for _ in range(2):
                body = b'{"table": "K", "service": "attended"}'
                assert ["K"] == (await otto._post(f"{path}/tables", body, key, {}))["tables"]
            # A pit manager cannot bind a table, whatever House is on record.
            async with await house.client("petra") as petra:
                other = example("top_five").digest
                bind = cmd.BindTable(table="K", house=other, service="attended", live=False)
                with pytest.raises(ResponseError) as error:
                    await petra.do("K", bind)
                assert 403 == error.value.status

    before = decided(house)
    run(again())
    assert before == decided(house)
    assert verify(house.database).ok


def test_two_servers_share_decisions(tmp_path: Path) -> None:
    """Sent here, approved there, opened here; a closed table is closed at both."""
    with ExitStack() as stack:
        here, there = (stack.enter_context(serving(tmp_path)) for _ in range(2))

        async def flow() -> None:
            async with await here.client("olga") as olga, await there.client("otto") as otto:
                path, waiting = await sent_submission(olga)
                decision = {"digest": waiting["sent_digest"], "approved": True}
                await request_json(otto, f"{path}/decision", decision)
                assert "approved" == (await request_json(olga, path))["state"]
                await request_json(olga, f"{path}/tables", {"table": "S", "service": "attended"})
                await request_json(olga, "/tables/S/closing", {})
                assert ["S"] == [one["id"] for one in (await listed(otto))["tables"]]

        run(flow())

        async def off(floor: Floor) -> dict[str, str]:
            return await asyncio.to_thread(floor.submissions.off)

        assert {"S": "olga"} == here.within(off) == there.within(off)
    assert verify(tmp_path / "floor.db").ok


ADJUST = cmd.AdjustMeter(
    meter="star",
    amount=100,
    reason="a display was wrong",
    approval="Commission 31-7",
    second=Account("paul", "pit_manager"),
)


def test_agreements_come_from_the_record(house: ServerThread) -> None:
    """The second person answers once; the answer survives a restart, the request does not."""
    house.open("J", "jackpot_holdem", service="attended")

    async def scenario() -> None:
        async with await house.client("petra") as petra, await house.client("paul") as paul:
            asked = await petra.ask_second("J", ADJUST, id="a first time")
            await expect_denied(petra, "a first time")
            assert "declined" == (await paul.answer(asked, agreed=False))["state"]
            path = f"/tables/J/agreements/{asked['id']}"
            refusal = await refusal_of(paul, path, {"agreed": True})
            assert (422, "COMAR 36.05.03.24J") == refusal
            assert "declined" == (await petra.ask_second("J", ADJUST, id="a first time"))["state"]
            await expect_denied(petra, "a first time")
            asked = await petra.ask_second("J", ADJUST, id="a second time")
            for _ in range(2):
                assert "agreed" == (await paul.answer(asked, agreed=True))["state"]
            assert 2 == len((await petra.agreements())["asked"])

    async def expect_denied(petra: Client, key: str) -> None:
        with pytest.raises(ResponseError) as error:
            await petra.do("J", ADJUST, id=key)
        assert 403 == error.value.status

    before = decided(house)
    run(scenario())
    assert [*before, "agree", "agree"] == decided(house)
    house.stop()
    house.start()

    async def adjust() -> None:
        async with await house.client("petra") as petra:
            assert [] == (await petra.agreements())["asked"]
            (done,) = (await petra.do("J", ADJUST, id="a second time"))["events"]
            assert "meter_adjusted" == done["kind"]

    run(adjust())
    assert verify(house.database).ok


def test_denied_attempts_cannot_flood_the_record(house: ServerThread) -> None:
    """The first attempt of a minute is recorded at once, the rest as one entry with a count."""
    house.open("D", "top_five", service="attended")

    async def attempt(times: int) -> None:
        async with await house.client("nobody") as nobody, await house.client("ann") as ann:
            for client in (nobody, ann):
                for number in range(times):
                    with pytest.raises(ResponseError) as error:
                        await client._request("GET", f"/tables/D/state?role=no{number}")
                    assert 403 == error.value.status

    before = decided(house, denied=True)
    run(attempt(30))
    assert [*before, "note_denied", "note_denied"] == decided(house, denied=True)
    counts = recorded_denials(house)
    assert 4 == len(decided(house, denied=True)) - len(before)
    assert 30 == counts["nobody", "look", "no role at D"]
    named = [why for who, _, why in counts if (who, why[:8]) == ("ann", "not a no")]
    assert 1 + ATTEMPTS_PER_NOTE_MAX - 1 == len(
        named
    )  # the first attempt, and the kinds of the rest
    assert 30 == counts["ann", "more", denied_attempts.OTHERS[2]] + len(named)
    assert verify(house.database).ok


def test_first_attempt_is_recorded_before_the_response(tmp_path: Path) -> None:
    """Attempts that are still counted are written when the server stops."""
    with serving(tmp_path) as world:

        async def attempt() -> None:
            async with Client(world.address) as client:
                for _ in range(3):
                    with pytest.raises(ResponseError):
                        await client.sign_in("my secret password", "typed into the wrong field")
                    assert 1 == len(await asyncio.to_thread(failures))

        def failures() -> list[tuple[str, int]]:
            with Ledger(tmp_path / "floor.db", readonly=True) as ledger:
                return [
                    (count.account, count.count)
                    for entry in ledger.accounts.history()
                    for event in entry.events
                    if isinstance(event, SignInsNoted)
                    for count in event.counts
                ]

        run(attempt())
    assert [("", 1), ("", 2)] == failures()

"""What the floor decides beside its tables stands on the record, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Ledger
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.approval_messages import Denied
from croupier.ledger.aggregates.approvals import ATTEMPTS_PER_NOTE_MAX, STREAM
from croupier.ledger.audit.verify import verify
from croupier.ledger.queries.round_search import find_refusals as attempts
from croupier.server import Client, Floor
from croupier.server.auth import denied_attempts
from croupier.server.client import Answered
from croupier.submission import example
from croupier.table import Account, kind_of
from croupier.table import commands as cmd
from croupier.table.core import codec
from tests.server.api.test_submission_endpoints import APPROVAL, asked, refused
from tests.support.floor_server import World, denials, insider, run, serving

pytestmark = pytest.mark.xdist_group(__name__)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server without tables."""
    with serving(Path(tmp_path_factory.mktemp("on_record"))) as world:
        yield world


def decided(world: World, *, denied: bool = False) -> list[str]:
    """Every kind of command in the stream of decisions, or every entry about denied attempts."""

    async def found(floor: Floor) -> list[str]:
        def read() -> list[str]:
            stored = floor.ledger.store.read(STREAM)
            kinds = [kind_of(ent.decode_entry(each).envelope.command) for each in stored]
            return [kind for kind in kinds if (kind == "note_denied") == denied]

        return await asyncio.to_thread(read)

    return world.within(found)


async def sent(olga: Client) -> tuple[str, dict[str, Any]]:
    """A submission of Olga's that waits, ready for a table that people serve."""
    draft = await asked(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
    path = f"/submissions/{draft['id']}"
    answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
    draft = await asked(olga, f"{path}/answers", {"version": 1, "answers": answers})
    return path, await asked(olga, f"{path}/sending", {"version": draft["version"]})


def test_rows_beside_the_accounts_approve_nothing(house: World) -> None:
    """An insider rewrites, forges and deletes them: what was sent waits as it was sent."""
    forged = (
        "UPDATE floor_submission SET content = replace(replace(content, 'Pier', 'Quay'),"
        " '\"olga\"', '\"otto\"')",
        "UPDATE floor_submission SET content = json_set(content, '$.state', 'approved',"
        " '$.decided_by', 'otto', '$.given_up', json('true'))",
        "DELETE FROM floor_submission",
    )

    async def flow() -> None:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            path, waiting = await sent(olga)
            under = {"table": "R1", "service": "attended"}
            decision = {"digest": waiting["sent_digest"], "approved": True}
            for statement in forged:
                insider(house, statement)
                seen = await asked(otto, path)
                told = ("state", "answers", "authors", "sent_digest", "decided_by")
                assert [waiting[name] for name in told] == [seen[name] for name in told]
                assert (422, "COMAR 36.05.03.19") == await refused(otto, f"{path}/tables", under)
                said = await refused(olga, f"{path}/decision", decision)
                assert (422, "COMAR 36.05.03.19") == said
            assert "approved" == (await asked(otto, f"{path}/decision", decision))["state"]
            await asked(otto, f"{path}/tables", under)
            assert path[13:] in [one["id"] for one in (await listed(otto))["submissions"]]
            await asked(otto, "/tables/R1/closing", {})

    run(flow())
    kinds = ["send_submission", "decide_submission", "open_under", "take_off"]
    assert kinds == decided(house)
    noted = house.within(noted_attempts)
    assert [("operator otto", "open_under"), ("operator olga", "decide_submission")] * 3 == noted
    assert verify(house.database).ok


async def listed(client: Client) -> Any:
    """Everything that operators list."""
    return await asked(client, "/submissions")


async def noted_attempts(floor: Floor) -> list[tuple[str, str]]:
    """What was refused, and whom."""
    found = await asyncio.to_thread(lambda: list(attempts(floor.ledger)))
    return [(each.by, each.what) for each in found]


def test_a_server_that_dies_in_between_leaves_nothing_half_done(house: World) -> None:
    """The opening is on record, the table is not bound yet: asked again, it is, once."""
    key = "the key of an opening"

    async def approved() -> str:
        async with await house.client("olga") as olga, await house.client("otto") as otto:
            path, waiting = await sent(olga)
            decision = {"digest": waiting["sent_digest"], "approved": True}
            await asked(otto, f"{path}/decision", decision)
            return path

    path = run(approved())

    async def dying(floor: Floor) -> None:
        given = (path[13:], "K", "attended", "otto", key)
        await asyncio.to_thread(floor.filings.open_under, *given)  # type: ignore[arg-type]

    house.within(dying)
    house.stop()
    insider(house, "DELETE FROM floor_submission")
    house.start()

    async def again() -> None:
        async with await house.client("otto") as otto:
            for _ in range(2):
                body = b'{"table": "K", "service": "attended"}'
                assert ["K"] == (await otto._sent(f"{path}/tables", body, key, {}))["tables"]
            # A pit manager binds nothing, whatever House is on record.
            async with await house.client("petra") as petra:
                other = example("top_five").digest
                bind = cmd.BindTable(table="K", house=other, service="attended", live=False)
                with pytest.raises(Answered) as error:
                    await petra.do("K", bind)
                assert 403 == error.value.status

    before = decided(house)
    run(again())
    assert before == decided(house)
    assert verify(house.database).ok


def test_two_servers_know_what_either_of_them_decided(tmp_path: Path) -> None:
    """Sent here, approved there, opened here; taken off the floor, it is off at both."""
    with ExitStack() as stack:
        here, there = (stack.enter_context(serving(tmp_path)) for _ in range(2))

        async def flow() -> None:
            async with await here.client("olga") as olga, await there.client("otto") as otto:
                path, waiting = await sent(olga)
                decision = {"digest": waiting["sent_digest"], "approved": True}
                await asked(otto, f"{path}/decision", decision)
                assert "approved" == (await asked(olga, path))["state"]
                await asked(olga, f"{path}/tables", {"table": "S", "service": "attended"})
                await asked(olga, "/tables/S/closing", {})
                assert ["S"] == [one["id"] for one in (await listed(otto))["tables"]]

        run(flow())

        async def off(floor: Floor) -> dict[str, str]:
            return await asyncio.to_thread(floor.filings.off)

        assert {"S": "olga"} == here.within(off) == there.within(off)
    assert verify(tmp_path / "floor.db").ok


ADJUST = cmd.AdjustMeter(
    meter="star",
    amount=100,
    reason="a display was wrong",
    approval="Commission 31-7",
    second=Account("paul", "pit_manager"),
)


def test_rows_beside_the_accounts_agree_to_nothing(house: World) -> None:
    """What a second person said holds at a server that starts anew, and is not said in a row."""
    house.open("J", "jackpot_holdem", service="attended")

    async def asking() -> None:
        async with await house.client("petra") as petra, await house.client("paul") as paul:
            body = codec.encode(ADJUST)
            id = (await petra._sent("/tables/J/agreements/asked", body, "a first time", {}))["id"]
            insider(
                house, """UPDATE floor_asked SET content = json_set(content, '$.state', 'agreed')"""
            )
            waits = await asked(petra, "/agreements/waiting")
            assert ["waits"] == [one["state"] for one in waits["asked"]]
            await denied(petra, "a first time")
            declined = await asked(paul, f"/tables/J/agreements/{id}", {"agreed": False})
            assert "declined" == declined["state"]
            said = await refused(paul, f"/tables/J/agreements/{id}", {"agreed": True})
            assert (422, "COMAR 36.05.03.24J") == said
            await denied(petra, "a first time")
            await paul.agree("J", ADJUST, id="a second time")
            await paul.agree("J", ADJUST, id="a second time")

    async def denied(petra: Client, key: str) -> None:
        with pytest.raises(Answered) as error:
            await petra.do("J", ADJUST, id=key)
        assert 403 == error.value.status

    before = decided(house)
    run(asking())
    assert [*before, "agree", "agree"] == decided(house)
    house.stop()
    house.start()

    async def giving() -> None:
        async with await house.client("petra") as petra:
            (done,) = (await petra.do("J", ADJUST, id="a second time"))["events"]
            assert "meter_adjusted" == done["kind"]

    run(giving())
    assert verify(house.database).ok


def test_nobody_fills_the_record_by_knocking(house: World) -> None:
    """The first attempt of a minute is on record at once; a flood is one entry with its count."""
    house.open("D", "top_five", service="attended")

    async def knocking(times: int) -> None:
        async with await house.client("nobody") as nobody, await house.client("ann") as ann:
            for client in (nobody, ann):
                for number in range(times):
                    with pytest.raises(Answered) as error:
                        await client._asked("GET", f"/tables/D/state?role=no{number}")
                    assert 403 == error.value.status

    before = decided(house, denied=True)
    run(knocking(30))
    assert [*before, "note_denied", "note_denied"] == decided(house, denied=True)
    told = denials(house)
    assert 4 == len(decided(house, denied=True)) - len(before)
    assert 30 == told["nobody", "look", "no role at D"]
    named = [why for who, _, why in told if (who, why[:8]) == ("ann", "not a no")]
    assert 1 + ATTEMPTS_PER_NOTE_MAX - 1 == len(named)  # the first of all, and those of the rest
    assert 30 == told["ann", "more", denied_attempts.REST[2]] + len(named)
    assert verify(house.database).ok


def test_the_first_attempt_is_on_record_before_it_is_answered(tmp_path: Path) -> None:
    """And what a server still holds is written when it stops."""
    with serving(tmp_path) as world:

        async def knocking() -> None:
            async with Client(world.address) as client:
                for _ in range(3):
                    with pytest.raises(Answered):
                        await client.sign_in("my secret password", "typed into the wrong field")
                    assert 1 == len(await asyncio.to_thread(decided, world, denied=True))

        run(knocking())
    with Ledger(tmp_path / "floor.db", readonly=True) as ledger:
        events = [event for each in ledger.store.read(STREAM) for event in ent.decode_entry(each).events]
    told = [(one.account, one.count) for one in events if isinstance(one, Denied)]
    assert [("", 1), ("", 2)] == told

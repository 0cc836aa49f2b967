"""Surveillance endpoints: search, replay from a viewpoint; closed to other people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.server import Client
from croupier.server.client import ResponseError, path
from tests.support.floor_server import ServerThread, play, run, serving

TABLE = "practice"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A practice table with two rounds on record, played by Ann at seat 2."""
    with serving(Path(tmp_path_factory.mktemp("watch"))) as world:
        world.open(TABLE, "ultimate_texas_holdem", seed=9)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, TABLE, 2, rounds=2)

        run(playing())
        yield world


async def get_rounds(client: Client, *more: str, **query: str) -> dict[str, Any]:
    """The response of a surveillance endpoint."""
    return await client._request("GET", path(TABLE, "rounds", *more), params=query)


def faces(moment: dict[str, Any]) -> list[str]:
    """The cards that are visible at a moment."""
    view = moment["view"]["round"]
    piles = [view["dealer"], view["community"], *(box["cards"] for box in view["boxes"].values())]
    return [card for pile in piles for card in pile if card != "??"]


async def search(client: Client, **query: str) -> list[int]:
    """The numbers of the rounds that a search finds."""
    found = await client._request("GET", "/rounds", params=query)
    assert 0 == found["before"]
    return [each["round"] for each in found["rounds"]]


def test_rounds_are_searched_at_all_tables(floor: ServerThread) -> None:
    """By any criterion, the latest first, for those who watch a table."""

    async def scenario() -> None:
        async with await floor.client("sam") as sam:
            every = await search(sam)
            assert [2, 1] == every[-2:]  # a third may be open
            assert every == await search(sam, table=TABLE) == await search(sam, player="Ann")
            for nothing in (
                {"player": "bob"},
                {"dealer": "dana"},
                {"void": "true"},
                {"irregularity": "any"},
                {"hand": "royal flush"},
                {"over": "100000000"},
                {"until": "2020-01-01"},
                {"since": "2090-01-01T00:00Z"},
            ):
                assert [] == await search(sam, **nothing)
            assert [2, 1] == await search(sam, seat="2")
            for wrong in (
                {"irregularity": "tilt"},
                {"void": "perhaps"},
                {"over": "-1"},
                {"since": "yesterday"},
            ):
                with pytest.raises(ResponseError) as refused:
                    await search(sam, **wrong)
                assert 400 == refused.value.status
            with pytest.raises(ResponseError) as unknown:
                await search(sam, table="elsewhere")
            assert 403 == unknown.value.status
        async with await floor.client("dana") as dana:
            with pytest.raises(ResponseError) as closed:
                await search(dana)
            assert 403 == closed.value.status

    run(scenario())


def test_rounds_are_replayed(floor: ServerThread) -> None:
    """The moments are consecutive entries; each viewpoint sees only its own cards."""

    async def scenario() -> None:
        async with await floor.client("sam") as sam:
            eyes = {
                each: (await get_rounds(sam, "2", eyes=each))["moments"]
                for each in ("camera", "whole", "2", "3")
            }
            numbers = [moment["sequence"] for moment in eyes["camera"]]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            asks = [m for m in eyes["2"] if m["view"]["round"]["due"]["kind"] == "decide"]
            at = [m["sequence"] for m in eyes["2"]].index(asks[0]["sequence"])
            assert [0, 2, 0] == [len(faces(eyes[each][at])) for each in ("camera", "2", "3")]
            assert len(faces(eyes["whole"][at])) > 2
            assert eyes["camera"][-1]["view"]["round"]["closed"]
            for moment in (*eyes["camera"], *eyes["whole"]):
                hidden = [event is None for event in moment["events"]]
                assert hidden == [not sentence for sentence in moment["sentences"]]
            assert " 2 face down" in str(eyes["camera"]) and "face down" not in str(eyes["whole"])

    run(scenario())


def test_other_people_are_refused(floor: ServerThread) -> None:
    """Player and dealer; the floor has no proof; and a proof without a signed checkpoint."""

    async def scenario() -> None:
        every = (("2",), ("2", "house"), ("2", "proof"))
        for name, denied in (("ann", every), ("dana", every), ("frank", every[1:])):
            async with await floor.client(name) as other:
                for more in denied:
                    with pytest.raises(ResponseError) as refused:
                        await get_rounds(other, *more)
                    assert refused.value.status == 403
        async with await floor.client("sam") as sam:
            assert "ultimate_texas_holdem" == (await get_rounds(sam, "2", "house"))["game"]
            for more, status in ((("99",), 404), (("x",), 400), (("2", "proof"), 404)):
                with pytest.raises(ResponseError) as refused:
                    await get_rounds(sam, *more)
                assert refused.value.status == status

    run(scenario())

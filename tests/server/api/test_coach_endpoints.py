"""The coach: exact worth on request, the decision that mattered, another end, and R66."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.analysis.advice import advise
from croupier.server import Client
from croupier.server.client import ResponseError, path
from croupier.submission import example
from tests.support.floor_server import ServerThread, bet, run, serving

TABLE = "practice"
GAME = "top_five"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A practice table, and one that people serve."""
    with serving(tmp_path) as world:
        world.open(TABLE, GAME, seed=3)
        world.open("A1", GAME, service="attended")
        yield world


async def lesson_of(client: Client, what: str) -> dict[str, Any]:
    """What the coach says, once it is ready."""
    for _ in range(30):
        told = await client._request("GET", path(TABLE, what))
        if told["ready"]:
            return told
    raise AssertionError("the coach is not ready")


def lies_nothing(step: dict[str, Any]) -> bool:
    """Whether a form is for the own box, on which nothing lies."""
    return step["fixed"]["seat"] == 3 and not step["fields"]["wagers"]["lies"]


async def answer(client: Client, state: dict[str, Any]) -> list[dict[str, Any]]:
    """Bet, deal, or take the worst option; what the coach had said of it."""
    steps = [step for step in state["steps"] if not step["blocked"]]
    if any(ask["kind"] == "deal" for ask in state["desk"]["asks"]):
        await client.ask(TABLE, {"kind": "deal"})
    elif any(step["kind"] == "decide" for step in steps):
        advice = await lesson_of(client, "advice")
        if advice["seat"]:
            word = advice["options"][-1]["word"]
            await client.do(TABLE, {"kind": "decide", "seat": 3, "word": word})
            return [{**advice, "view": state["view"]["round"]}]
    elif place := [s for s in steps if s["kind"] == "place_wagers" and lies_nothing(s)]:
        await client.do(TABLE, bet(place[0]))
    return []


async def worst(client: Client, rounds: int) -> list[dict[str, Any]]:
    """Play and always take the worst option; what the coach had said before each."""
    said: list[dict[str, Any]] = []
    await client.do(TABLE, {"kind": "sit_down", "seat": 3})
    await client.ask(TABLE, {"kind": "buy_chips", "cash": 1_000_000})
    done = 0
    async with aclosing(client.feed(TABLE)) as feed:
        async for frame in feed:
            for event in frame.get("events", ()):
                done += event is not None and event["kind"] == "deck_revealed"
            if done >= rounds:
                return said
            if "state" not in frame:
                continue
            try:
                said += await answer(client, frame["state"])
            except ResponseError as error:  # the table had moved on: a newer frame is on its way
                if error.status not in (409, 422):
                    raise
    raise AssertionError("the feed ended")


def test_the_coach_tells_exact_worths_and_counts_mistakes(floor: ServerThread) -> None:
    """Each option as `advise` has it; the round's dearest decision; the account adds up."""

    async def learning() -> None:
        async with await floor.client("ann") as ann:
            await lesson_of(ann, "lesson")
            said = await worst(ann, rounds=2)
            told = await lesson_of(ann, "lesson")
            house = example(GAME)
            for one in said:
                shown = [card for card in one["view"]["community"] if card != "??"]
                held = one["view"]["boxes"]["3"]["cards"]
                answers = advise(house, " ".join(held), " ".join(shown), one["street"])
                assert answers == [(w["word"], Fraction(w["antes"])) for w in one["options"]]
                assert one["options"][0]["less"] == 0 < one["options"][-1]["less"]
            assert told["account"]["rounds"] == 2
            assert told["account"]["decisions"] == len(said) == told["account"]["mistakes"]
            assert told["account"]["cost"] == sum(one["options"][-1]["less"] for one in said)
            assert told["mattered"]["cost"] == max(one["cost"] for one in told["choices"])

            body = b'{"round": %d, "seat": 3}' % told["round"]
            asked = await ann._post(path(TABLE, "again"), body, "", {})
            assert asked["net"] is None and told["choices"][0]["word"] in asked["asks"]
            words = ", ".join(f'"{one["word"]}"' for one in told["choices"])
            body = b'{"round": %d, "seat": 3, "words": [%s]}' % (told["round"], words.encode())
            same = await ann._post(path(TABLE, "again"), body, "", {})
            state = (await ann.state(TABLE))["state"]["view"]["round"]["boxes"]["3"]
            returned = sum(one["returned"] for one in state["settled"].values())
            assert same["net"] == returned - sum(state["stakes"].values())

    run(learning())


@pytest.mark.parametrize("what", ["advice", "lesson"])
def test_nobody_is_advised_where_people_deal(floor: ServerThread, what: str) -> None:
    """R66: the server refuses, whatever a page shows; the attempt is kept."""

    async def asking() -> None:
        async with await floor.client("ann") as ann:
            with pytest.raises(ResponseError) as refused:
                await ann._request("GET", path("A1", what))
            assert refused.value.status == 422
            assert refused.value.clause == "COMAR 36.05.03.13A"
        async with await floor.client("sam") as sam:
            with pytest.raises(ResponseError) as refused:
                await sam._request("GET", path(TABLE, what))
            assert refused.value.status == 403

    run(asking())

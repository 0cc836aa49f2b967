"""Coach endpoints: exact values, the costliest decision, replays, and R66."""

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
    """A practice table and an attended table."""
    with serving(tmp_path) as world:
        world.open(TABLE, GAME, seed=3)
        world.open("A1", GAME, service="attended")
        yield world


async def when_ready(client: Client, endpoint: str) -> dict[str, Any]:
    """The response of the coach, once it is ready."""
    for _ in range(30):
        response = await client._request("GET", path(TABLE, endpoint))
        if response["ready"]:
            return response
    raise AssertionError("the coach is not ready")


def is_own_empty_box(step: dict[str, Any]) -> bool:
    """Whether a form is for the player's box, without a wager on it."""
    return step["fixed"]["seat"] == 3 and not step["fields"]["wagers"]["lies"]


async def act(client: Client, state: dict[str, Any]) -> list[dict[str, Any]]:
    """Bet, deal, or take the worst option; returns the advice for that decision."""
    steps = [step for step in state["steps"].values() if not step["blocked"]]
    if any(ask["kind"] == "deal" for ask in state["desk"]["asks"]):
        await client.ask(TABLE, {"kind": "deal"})
    elif any(step["kind"] == "decide" for step in steps):
        advice = await when_ready(client, "advice")
        if advice["seat"]:
            word = advice["options"][-1]["word"]
            await client.do(TABLE, {"kind": "decide", "seat": 3, "word": word})
            return [{**advice, "view": state["view"]["round"]}]
    elif place := [s for s in steps if s["kind"] == "place_wagers" and is_own_empty_box(s)]:
        await client.do(TABLE, bet(place[0]))
    return []


async def play_worst(client: Client, rounds: int) -> list[dict[str, Any]]:
    """Play rounds with the worst option each time; returns the advice before each decision."""
    advices: list[dict[str, Any]] = []
    await client.do(TABLE, {"kind": "sit_down", "seat": 3})
    await client.ask(TABLE, {"kind": "buy_chips", "cash": 1_000_000})
    done = 0
    async with aclosing(client.feed(TABLE)) as feed:
        async for frame in feed:
            for event in frame.get("events", ()):
                done += event is not None and event["kind"] == "deck_revealed"
            if done >= rounds:
                return advices
            if "state" not in frame:
                continue
            try:
                advices += await act(client, frame["state"])
            except ResponseError as error:  # the table has moved on: a newer frame follows
                if error.status not in (409, 422):
                    raise
    raise AssertionError("the feed ended")


def test_coach_gives_exact_values_and_counts_mistakes(floor: ServerThread) -> None:
    """The values equal those of `advise`; the costliest decision; the totals add up."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            await when_ready(ann, "lesson")
            advices = await play_worst(ann, rounds=2)
            review = await when_ready(ann, "lesson")
            house = example(GAME)
            for advice in advices:
                board = [card for card in advice["view"]["community"] if card != "??"]
                cards = advice["view"]["boxes"]["3"]["cards"]
                values = advise(house, " ".join(cards), " ".join(board), advice["street"])
                options = advice["options"]
                assert values == [(each["word"], Fraction(each["antes"])) for each in options]
                assert options[0]["less"] == 0 < options[-1]["less"]
            account = review["account"]
            assert account["rounds"] == 2
            assert account["decisions"] == len(advices) == account["mistakes"]
            assert account["cost"] == sum(each["options"][-1]["less"] for each in advices)
            assert review["mattered"]["cost"] == max(each["cost"] for each in review["choices"])

            body = b'{"round": %d, "seat": 3}' % review["round"]
            first = await ann._post(path(TABLE, "again"), body, "", {})
            assert first["net"] is None and review["choices"][0]["word"] in first["asks"]
            words = ", ".join(f'"{each["word"]}"' for each in review["choices"])
            body = b'{"round": %d, "seat": 3, "words": [%s]}' % (review["round"], words.encode())
            same = await ann._post(path(TABLE, "again"), body, "", {})
            state = (await ann.state(TABLE))["state"]["view"]["round"]["boxes"]["3"]
            returned = sum(each["returned"] for each in state["settled"].values())
            assert same["net"] == returned - sum(state["stakes"].values())
            assert any(sentence.startswith("Your Ante $") for sentence in same["sentences"])

    run(scenario())


@pytest.mark.parametrize("endpoint", ["advice", "lesson"])
def test_attended_tables_have_no_coach(floor: ServerThread, endpoint: str) -> None:
    """R66: the server itself refuses, whatever a page shows."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            with pytest.raises(ResponseError) as refused:
                await ann._request("GET", path("A1", endpoint))
            assert refused.value.status == 422
            assert refused.value.clause == "COMAR 36.05.03.13A"
        async with await floor.client("sam") as sam:
            with pytest.raises(ResponseError) as refused:
                await sam._request("GET", path(TABLE, endpoint))
            assert refused.value.status == 403

    run(scenario())

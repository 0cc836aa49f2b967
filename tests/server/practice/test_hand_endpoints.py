"""Hands of a player: only own and finished rounds; links only at practice tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.ledger.queries.round_search import RoundPage, search_rounds
from croupier.server.client import ResponseError, path
from croupier.server.practice import hand_endpoints
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, play, run, serving
from tests.support.server_shift import bet, make_ready


async def status_of(world: ServerThread, name: str, where: str, body: Any = None) -> int:
    """The status of a request."""
    async with await world.client(name) as client:
        try:
            await request_json(client, where, body)
        except ResponseError as error:
            return error.status
    return 200


def test_a_hand_is_seen_as_its_player_saw_it(tmp_path: Path) -> None:
    """Own cards are face up, the dealer's only after the showdown; nobody else gets them."""
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", seed=3)

        async def playing() -> dict[str, Any]:
            async with await world.client("ann") as ann:
                await play(ann, "T", 2)
                (found,) = (await request_json(ann, path("T", "hands"), None))["rounds"]
                assert [2] == found["seats"]
                link = await request_json(ann, f"{path('T', 'hands')}/1/share", {})
                played: dict[str, Any] = await request_json(ann, f"{path('T', 'hands')}/1", None)
            token = link["path"].removeprefix("/shared-hand/")
            async with await world.client("bob") as bob:
                assert played == await request_json(bob, f"/shared-hands/{token}", None)
                assert [] == (await request_json(bob, path("T", "hands"), None))["rounds"]
            return played

        moments = run(playing())["replay"]["moments"]
        dealt = next(m["view"]["round"] for m in moments if m["kind"] == "deal_cards")
        assert "??" not in dealt["boxes"]["2"]["cards"]
        assert {"??"} == set(dealt["dealer"])
        assert "??" not in moments[-1]["view"]["round"]["dealer"]
        assert 403 == run(status_of(world, "bob", f"{path('T', 'hands')}/1"))
        assert 403 == run(status_of(world, "dana", f"{path('T', 'hands')}/1"))
        assert 404 == run(status_of(world, "bob", "/shared-hands/none"))


def test_unfinished_rounds_and_staffed_tables(tmp_path: Path) -> None:
    """A round in progress is not shown; a hand of a staffed table is not shared."""
    with serving(tmp_path) as world:
        world.open("A", "ultimate_texas_holdem", service="attended")
        make_ready(world, "A")
        bet(world, "A")
        assert 400 == run(status_of(world, "ann", f"{path('A', 'hands')}/1"))
        assert 422 == run(status_of(world, "ann", f"{path('A', 'hands')}/1/share", {}))


def test_a_player_does_not_see_irregularities_that_are_for_staff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a failed device."""

    def with_irregularity(*arguments: Any, **options: Any) -> RoundPage:
        page = search_rounds(*arguments, **options)
        noted = [
            msgspec.structs.replace(found, irregularities=("device_failed",))
            for found in page.rounds
        ]
        return RoundPage(noted, page.before)

    monkeypatch.setattr(hand_endpoints, "search_rounds", with_irregularity)
    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", seed=3)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, "T", 2)
                found = (await request_json(ann, path("T", "hands"), None))["rounds"]
                assert found and all(each["irregularities"] == [] for each in found)

        run(playing())

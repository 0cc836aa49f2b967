"""Private practice tables: roles, access and persistence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.server.auth.person import Person
from croupier.server.client import ResponseError
from tests.server.api.test_submission_endpoints import request_json
from tests.support.floor_server import ServerThread, run, serving


def test_only_the_owner_plays_at_a_private_table() -> None:
    """Roles come from the shared table; other players have none."""
    ann = Person("ann", {"T": ("player",)})
    assert ("player",) == ann.roles_at("T") == ann.roles_at("T~ann")
    assert () == ann.roles_at("T~bob") == ann.roles_at("S~ann")
    sam = Person("sam", {"*": ("surveillance", "player")})
    assert ("surveillance",) == sam.roles_at("T~bob")
    assert {"surveillance", "player"} == set(sam.roles_at("T~sam"))


async def open_own(world: ServerThread, name: str, table: str = "T") -> dict[str, Any]:
    """The state of a player's own table after it was opened."""
    async with await world.client(name) as client:
        own = await request_json(client, f"/tables/{table}/private", {})
        state: dict[str, Any] = (await client.state(own["table"]))["state"]
        return state


def test_private_table_has_a_seat_and_chips_and_survives_a_restart(tmp_path: Path) -> None:
    """Opening it again changes nothing; it is on the floor again after a restart."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=2)
        first = run(open_own(world, "ann"))
        assert {"3": "ann"} == first["view"]["seats"]
        assert 500_00 == first["view"]["chips"]["ann"]
        assert first["view"]["chips"] == run(open_own(world, "ann"))["view"]["chips"]
    with serving(tmp_path) as world:
        assert {"3": "ann"} == run(open_own(world, "ann"))["view"]["seats"]


def test_private_tables_are_for_players_at_practice_tables(tmp_path: Path) -> None:
    """Not for staff, not at a staffed table, and not of a private table; no one else enters."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=2)
        world.open("A", "top_five", service="attended")

        async def refused(name: str, table: str) -> int:
            try:
                await open_own(world, name, table)
            except ResponseError as error:
                return error.status
            return 200

        async def looks() -> int:
            async with await world.client("bob") as bob:
                try:
                    await bob.state("T~ann")
                except ResponseError as error:
                    return error.status
                return 200

        assert 200 == run(refused("ann", "T"))
        assert 403 == run(refused("dana", "T"))
        assert 422 == run(refused("ann", "A"))
        assert 422 == run(refused("ann", "T~ann"))
        assert 403 == run(looks())


def test_names_of_private_tables_cannot_be_taken(tmp_path: Path) -> None:
    """An operator cannot open a table under such a name."""
    with serving(tmp_path) as world:

        async def open_table() -> None:
            async with await world.client("olga") as olga:
                body = {"table": "T~ann", "service": "practice"}
                await request_json(olga, "/submissions/1/tables", body)

        with pytest.raises(ResponseError, match="cannot contain"):
            run(open_table())

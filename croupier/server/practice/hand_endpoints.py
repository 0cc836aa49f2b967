"""Hand endpoints: a player's own finished rounds, step by step, and links that share one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import Refusal
from croupier.ledger.queries.round_search import (
    RoundQuery,
    RoundSummary,
    search_rounds,
    summarize_round,
)
from croupier.ledger.queries.rounds import read_round_entries
from croupier.server import protocol as msg
from croupier.server.auth.person import PRIVATE
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import parse_int
from croupier.server.practice.shared_hands import SharedHand, SharedHandStore
from croupier.server.tables.host import TableHost
from croupier.server.tables.round_replay import replay_round_entries
from croupier.table import Account

if TYPE_CHECKING:
    from croupier.server.app import Server

MAX_HANDS = 200


class HandEndpoints(EndpointGroup):
    """The hands of players on one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._shared = SharedHandStore(server.floor.accounts.engine)

    @endpoint("GET", "/tables/{table}/hands", gives=msg.FoundRounds)
    async def hands(self, request: Request) -> Response:
        """The player's own rounds at a table, the latest first."""
        player, host = await self._player(request)

        def search() -> tuple[RoundSummary, ...]:
            query = RoundQuery(player=player)
            found = search_rounds(self.floor.ledger, query, tables=[host.id], rounds_max=MAX_HANDS)
            # Some irregularities are for staff only.
            return tuple(msgspec.structs.replace(each, irregularities=()) for each in found.rounds)

        return json_response(msg.FoundRounds(await asyncio.to_thread(search)))

    @endpoint("GET", "/tables/{table}/hands/{round}", gives=msg.PlayedHand, errors="400")
    async def hand(self, request: Request) -> Response:
        """One of the player's own finished rounds, entry by entry."""
        player, host = await self._player(request)
        return json_response(await self._played(host, _round(request), player))

    @endpoint("POST", "/tables/{table}/hands/{round}/share", gives=msg.HandLink, errors="400 422")
    async def share(self, request: Request) -> Response:
        """Create a link to one of the player's own rounds at a practice table."""
        player, host = await self._player(request)
        if host.driver is None:
            raise Refusal(f"hands of {host.id} are not shared: other people play there", "seated")
        hand = SharedHand(host.id, _round(request), player)
        await self._played(host, hand.round, player)  # only a finished round of the player
        token = await asyncio.to_thread(self._shared.share, hand)
        return json_response(msg.HandLink(f"/shared-hand/{token}"))

    @endpoint("GET", "/shared-hands/{token}", gives=msg.PlayedHand, errors="400")
    async def shared(self, request: Request) -> Response:
        """A hand that its player shared, for everyone with the link and an account."""
        await self.guard.person(request)
        hand = await asyncio.to_thread(self._shared.find, request.path_params["token"])
        host = self.floor.table_host(hand.table)
        return json_response(await self._played(host, hand.round, hand.player))

    async def _player(self, request: Request) -> tuple[str, TableHost]:
        person, host, roles = await self.guard.table_access(request, "hands")
        if "player" not in roles:
            await self.guard.deny(request, person.id, "hands", "not a player")
            raise Forbidden(f"{person.id} is not a player here")
        return person.id, host

    async def _played(self, host: TableHost, number: int, player: str) -> msg.PlayedHand:
        """A finished round as the player saw it; Forbidden without a box in that round."""
        replay = await asyncio.to_thread(self._replay, host.id, number, player)
        return msg.PlayedHand(
            player=player,
            title=host.table.house.game.title,
            house=host.id.partition(PRIVATE)[0],
            replay=replay,
        )

    def _replay(self, table: str, number: int, player: str) -> msg.RoundReplay:
        ledger, account = self.floor.ledger, Account(player, "player")
        entries = read_round_entries(ledger, table, number)
        found = summarize_round(table, entries, RoundQuery(player=player))
        if found is None:
            raise Forbidden(f"{player} did not play round {number} at {table}")
        return replay_round_entries(ledger, table, number, account, str(found.seats[0]))


def _round(request: Request) -> int:
    return parse_int(request.path_params["round"], "round")

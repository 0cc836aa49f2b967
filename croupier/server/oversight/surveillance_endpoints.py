"""Surveillance endpoints: search rounds, replay one from a viewpoint, export its proof.

A round in progress is shown as a camera sees it. A finished round may also be shown whole, or as
one seat saw it. Floorpersons and pit managers see the rounds of their tables as a camera does.
"""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import parse_time
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.ledger import Ledger
from croupier.ledger.day_close import checkpoint_covering, proof_obstacle
from croupier.ledger.log.transparency.proofs import build_proof
from croupier.ledger.queries.round_search import RoundQuery, check_irregularity, search_rounds
from croupier.ledger.queries.rounds import (
    check_over,
    read_round_entries,
    rebuild_round,
    round_opened,
)
from croupier.server import protocol as msg
from croupier.server.api.table_endpoints import cached_felt, house_card
from croupier.server.auth.person import Person
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import int_param, parse_int
from croupier.server.tables.round_replay import VIEWPOINTS, replay_round_entries
from croupier.table import Account, Role
from croupier.table.core.roles import FLOOR
from croupier.table.core.views import OVERSIGHT_ROLES

SEARCH = (
    Query("table", "A table; without it, every table that the person watches."),
    Query("since", "ISO 8601; without an offset, local time of the property."),
    Query("until", "Like `since`."),
    Query("dealer", "The account of the dealer."),
    Query("player", "A player."),
    Query("seat", "The number of a seat.", "integer"),
    Query("hand", "Any part of the name of a hand that was announced."),
    Query("wager", "A wager that was staked."),
    Query("over", "Paid to a seat in total: more than this many cents.", "integer"),
    Query("void", "Whether the round was void: true, false or either."),
    Query("irregularity", "An irregularity, or any."),
    Query("before", "Continue a search: the `before` of its response.", "integer"),
)


class SurveillanceEndpoints(EndpointGroup):
    """Rounds on record, for surveillance and audit."""

    @endpoint("GET", "/rounds", gives=msg.FoundRounds, query=SEARCH, errors="400 403 404", cost=20)
    async def rounds(self, request: Request) -> Response:
        """Search the rounds of all tables of the watcher or supervisor, the latest first."""
        person = await self.guard.person(request)
        given = request.query_params
        table = given.get("table", "")
        roles = (*OVERSIGHT_ROLES, *FLOOR)
        watched = await asyncio.to_thread(watched_tables, self.floor.ledger, person, roles)
        if table not in ("", *watched) or not watched:
            await self.guard.deny(request, person.id, "watch", f"no surveillance role at {table!r}")
            raise Forbidden(f"{person.id} has no surveillance role at {table or 'any table'}")
        query = RoundQuery(
            seat=int_param(request, "seat"),
            player=given.get("player", ""),
            hand=given.get("hand", ""),
            wager=given.get("wager", ""),
            over=int_param(request, "over"),
            void=_parse_void(given.get("void", "")),
            dealer=given.get("dealer", ""),
            irregularity=check_irregularity(given.get("irregularity", "")),
        )
        ledger = self.floor.ledger
        zone = ledger.administration.zone
        found = await asyncio.to_thread(
            search_rounds,
            ledger,
            query,
            tables=[table] if table else watched,
            since=parse_time(given.get("since", ""), zone),
            until=parse_time(given.get("until", ""), zone),
            before=int_param(request, "before") or 0,
        )
        return json_response(msg.FoundRounds(tuple(found.rounds), found.before))

    @endpoint(
        "GET",
        "/tables/{table}/rounds/{round}",
        gives=msg.RoundReplay,
        query=(Query("eyes", "The viewpoint: camera, whole, or the number of a seat."),),
        errors="400",
        cost=20,
    )
    async def replay(self, request: Request) -> Response:
        """Replay a round entry by entry, as seen from one viewpoint."""
        table, number = request.path_params["table"], _round_number(request)
        person, role = await self._watcher(request, table, FLOOR)
        eyes = request.query_params.get("eyes", VIEWPOINTS[0])
        if eyes not in VIEWPOINTS and eyes not in map(str, range(1, MOST_POSITIONS + 1)):
            raise BadInput(f"eyes: expected camera, whole or a seat, got {eyes[:20]!r}")
        if role in FLOOR and eyes != VIEWPOINTS[0]:
            await self.guard.deny(request, person.id, "watch", f"{role} with all cards")
            raise Forbidden(f"{person.id} sees the cards that lie face up; expected eyes=camera")
        ledger, account = self.floor.ledger, Account(person.id, role)

        def replay() -> msg.RoundReplay:
            played = replay_round_entries(ledger, table, number, account, eyes)
            if not played.over:
                return played
            last = read_round_entries(ledger, table, number)[-1]
            return msgspec.structs.replace(played, unproved=proof_obstacle(ledger, last.position))

        return json_response(await asyncio.to_thread(replay))

    @endpoint("GET", "/tables/{table}/rounds/{round}/house", gives=msg.HouseCard, errors="400")
    async def round_house(self, request: Request) -> Response:
        """The House that a round was played under."""
        table, house = await self._round_house(request)
        return json_response(house_card(table, house))

    @endpoint("GET", "/tables/{table}/rounds/{round}/felt.svg", documented=False, cost=20)
    async def round_felt(self, request: Request) -> Response:
        """The drawing of the felt that a round was played on."""
        _, house = await self._round_house(request)
        return Response(cached_felt(house).svg(), media_type="image/svg+xml")

    async def _round_house(self, request: Request) -> tuple[str, House]:
        table, number = request.path_params["table"], _round_number(request)
        await self._watcher(request, table)
        ledger = self.floor.ledger
        entries = await asyncio.to_thread(read_round_entries, ledger, table, number)
        return table, ledger.house(round_opened(entries).house)

    @endpoint("GET", "/tables/{table}/rounds/{round}/proof", errors="400", cost=20)
    async def prove(self, request: Request) -> Response:
        """Export a round as a file, with the proof that a signed checkpoint includes it."""
        table, number = request.path_params["table"], _round_number(request)
        await self._watcher(request, table)
        ledger = self.floor.ledger

        def prove() -> bytes:
            exported = rebuild_round(ledger, table, number)
            check_over(exported)
            note = checkpoint_covering(ledger, exported.positions[-1])
            return build_proof(ledger.store, exported.positions, note, houses=[exported.house])

        content = await asyncio.to_thread(prove)
        name = "".join(character if character.isalnum() else "-" for character in table)
        headers = {"content-disposition": f'attachment; filename="{name}-round-{number}.proof"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    async def _watcher(
        self, request: Request, table: str, others: tuple[Role, ...] = ()
    ) -> tuple[Person, Role]:
        """The person and the role that may watch the table, or one of the `others`."""
        person = await self.guard.person(request)
        roles = person.roles_at(table)
        for role in (*OVERSIGHT_ROLES, *others):
            if role in roles:
                return person, role
        await self.guard.deny(request, person.id, "watch", f"does not watch {table}")
        raise Forbidden(f"{person.id} has no surveillance role at {table}")


def watched_tables(
    ledger: Ledger, person: Person, roles: tuple[str, ...] = OVERSIGHT_ROLES
) -> list[str]:
    """The tables on record, on the floor or not, that a person watches in one of the roles."""
    return [table for table in ledger.tables() if {*roles} & {*person.roles_at(table)}]


def _parse_void(text: str) -> bool | None:
    values = {"": None, "either": None, "true": True, "false": False}
    if text not in values:
        raise BadInput(f"void: expected true, false or either, got {text[:20]!r}")
    return values[text]


def _round_number(request: Request) -> int:
    return parse_int(request.path_params["round"], "round")

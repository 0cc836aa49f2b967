"""Surveillance endpoints: search rounds, replay one from a viewpoint, export its proof.

A round in progress is shown as a camera sees it. A finished round may also be shown whole, or as
one seat saw it.
"""

from __future__ import annotations

import asyncio
from itertools import islice

from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import BadInput
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.ledger.day_close import checkpoint_covering
from croupier.ledger.log.transparency.proofs import build_proof
from croupier.ledger.queries.round_search import RoundSummary, find_rounds
from croupier.ledger.queries.rounds import check_over, rebuild_round
from croupier.server import protocol as msg
from croupier.server.auth.person import Person
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import int_param, parse_int
from croupier.server.tables.round_replay import VIEWPOINTS, replay_round_entries
from croupier.table import Account, Role
from croupier.table.core.views import OVERSIGHT_ROLES

MAX_RESULTS = 200
SEARCH = (
    Query("seat", "The number of a seat.", "integer"),
    Query("over", "Paid to a seat in total: more than this many cents.", "integer"),
    Query("player", "A player."),
    Query("hand", "A hand that was announced."),
    Query("wager", "A wager that was staked."),
    Query("void", "Whether the round was void: true, false or either."),
)


class SurveillanceEndpoints(EndpointGroup):
    """Rounds on record, for surveillance and audit."""

    @endpoint(
        "GET", "/tables/{table}/rounds", gives=msg.FoundRounds, query=SEARCH, errors="400", cost=20
    )
    async def rounds(self, request: Request) -> Response:
        """Search the rounds of a table, the latest first."""
        table = request.path_params["table"]
        await self._watcher(request, table)
        query = request.query_params
        void = _parse_void(query.get("void", ""))
        seat, over = int_param(request, "seat"), int_param(request, "over")

        def search() -> tuple[RoundSummary, ...]:
            rounds = find_rounds(
                self.floor.ledger,
                table=table,
                seat=seat,
                player=query.get("player", ""),
                hand=query.get("hand", ""),
                wager=query.get("wager", ""),
                over=over,
                void=void,
            )
            return tuple(islice(reversed(list(rounds)), MAX_RESULTS))

        return json_response(msg.FoundRounds(await asyncio.to_thread(search)))

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
        person, role = await self._watcher(request, table)
        eyes = request.query_params.get("eyes", VIEWPOINTS[0])
        if eyes not in VIEWPOINTS and eyes not in map(str, range(1, MOST_POSITIONS + 1)):
            raise BadInput(f"eyes: expected camera, whole or a seat, got {eyes[:20]!r}")
        ledger, account = self.floor.ledger, Account(person.id, role)
        return json_response(
            await asyncio.to_thread(replay_round_entries, ledger, table, number, account, eyes)
        )

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

    async def _watcher(self, request: Request, table: str) -> tuple[Person, Role]:
        """The person and the role that may watch the table."""
        person = await self.guard.person(request)
        self.floor.table_host(table)
        for role in person.roles_at(table):
            if role in OVERSIGHT_ROLES:
                return person, role
        await self.guard.deny(request, person.id, "watch", f"does not watch {table}")
        raise Forbidden(f"{person.id} has no surveillance role at {table}")


def _parse_void(text: str) -> bool | None:
    values = {"": None, "either": None, "true": True, "false": False}
    if text not in values:
        raise BadInput(f"void: expected true, false or either, got {text[:20]!r}")
    return values[text]


def _round_number(request: Request) -> int:
    return parse_int(request.path_params["round"], "round")

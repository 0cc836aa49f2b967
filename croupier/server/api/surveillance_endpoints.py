"""Surveillance endpoints: search rounds, replay one from a viewpoint, export its proof.

A round in progress is shown as a camera sees it. A finished round may also be shown whole, or as
one seat saw it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.day_close import checkpoint_covering
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.log.transparency.proofs import build_proof
from croupier.ledger.queries.round_search import RoundSummary, find_rounds
from croupier.ledger.queries.rounds import read_round_entries, rebuild_round
from croupier.server import protocol as msg
from croupier.server.auth.person import Person
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import int_param, parse_int
from croupier.server.tables.best_hand import visible_hands
from croupier.table import Account, Role, Table, Viewer, kind_of, shown, view
from croupier.table import events as ev
from croupier.table.core.views import OVERSIGHT_ROLES, round_view

MAX_RESULTS = 200
VIEWPOINTS = ("camera", "whole")  # or the number of a seat
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

    @endpoint("GET", "/tables/{table}/rounds", gives=msg.FoundRounds, query=SEARCH, errors="400")
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
    )
    async def replay(self, request: Request) -> Response:
        """Replay a round entry by entry, as seen from one viewpoint."""
        table, number = request.path_params["table"], _round_number(request)
        person, role = await self._watcher(request, table)
        eyes = request.query_params.get("eyes", VIEWPOINTS[0])
        if eyes not in VIEWPOINTS and eyes not in map(str, range(1, 7)):
            raise BadInput(f"eyes: expected camera, whole or a seat, got {eyes[:20]!r}")
        ledger, account = self.floor.ledger, Account(person.id, role)
        return json_response(await asyncio.to_thread(_replay, ledger, table, number, account, eyes))

    @endpoint("GET", "/tables/{table}/rounds/{round}/proof", errors="400")
    async def prove(self, request: Request) -> Response:
        """Export a round as a file, with the proof that a signed checkpoint includes it."""
        table, number = request.path_params["table"], _round_number(request)
        await self._watcher(request, table)
        ledger = self.floor.ledger

        def prove() -> bytes:
            exported = rebuild_round(ledger, table, number)
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


def _replay(
    ledger: Ledger, table_id: str, number: int, account: Account, eyes: str
) -> msg.RoundReplay:
    entries = read_round_entries(ledger, table_id, number)
    over = any(type(event) is ev.RoundClosed for event in entries[-1].events)
    if not over and eyes != "camera":
        raise BadInput(f"round {number} is in progress: only the camera view is available")
    table = ledger.table_at(table_id, entries[0].position)
    return msg.RoundReplay(
        table=table_id,
        round=number,
        eyes=eyes,
        over=over,
        moments=tuple(_moments(table, entries, account, eyes)),
    )


def _moments(
    table: Table, entries: list[Recorded], account: Account, eyes: str
) -> Iterator[msg.Moment]:
    """The table after each entry, as seen from the viewpoint."""
    for entry in entries:
        for event in entry.events:
            table.evolve(event)
        viewer = _viewer(table, account, eyes)
        table_view = view(table, viewer, entry.at)
        hands = visible_hands(table, viewer)
        if eyes == "whole" and table.round is not None:
            # The round is over: every card that was read is face up.
            open_round = replace(table.round, exposed=set(table.round.gone))
            table_view = msgspec.structs.replace(table_view, round=round_view(open_round, viewer))
        yield msg.Moment(
            sequence=entry.sequence,
            at=entry.at,
            by=str(entry.by),
            kind=kind_of(entry.envelope.command),
            events=tuple(shown(event, viewer, settled=eyes == "whole") for event in entry.events),
            view=table_view,
            hands=hands,
        )


def _viewer(table: Table, account: Account, eyes: str) -> Viewer:
    """The watcher, or the player who has the seat at that moment."""
    if eyes in VIEWPOINTS:
        return Viewer(account)
    seat = int(eyes)
    boxes = table.round.boxes if table.round is not None else {}
    player = boxes[seat].player if seat in boxes else ""
    own = frozenset(place for place, box in boxes.items() if player and box.player == player)
    return Viewer(Account(player or "nobody", "player"), own)

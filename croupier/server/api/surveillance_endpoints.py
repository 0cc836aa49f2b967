"""Surveillance looks back: rounds found, stepped through as somebody saw them, and proved.

A round that is played is seen as a camera sees it. One that is over may be seen whole, or as one
seat saw it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.day_close import checkpoint_over
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.log.transparency.proofs import proof
from croupier.ledger.queries.round_search import RoundSummary, find
from croupier.ledger.queries.rounds import hand, read_round
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Person
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import number_of
from croupier.server.tables.best_hand import hands_of
from croupier.table import Account, Event, Role, Table, Viewer, kind_of, shown, view
from croupier.table import events as ev
from croupier.table.core.views import OVERSIGHT_ROLES, round_view

if TYPE_CHECKING:
    from croupier.server.app import Server

MOST_FOUND = 200  # rounds of one answer
EYES = ("camera", "whole")  # or the number of a seat


class Watching:
    """What those who watch may ask of the record."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def watcher(self, request: Request, table: str) -> tuple[Person, Role]:
        """Somebody who watches this table; refused without that role."""
        person = await self.server.guard.person(request)
        self.server.floor.desk(table)
        for role in person.roles_at(table):
            if role in OVERSIGHT_ROLES:
                return person, role
        await self.server.deny(request, person.id, "watch", f"does not watch {table}")
        raise Forbidden(f"{person.id} does not watch {table}")

    async def rounds(self, request: Request) -> Response:
        """The rounds of a table that answer, the latest first."""
        table = request.path_params["table"]
        await self.watcher(request, table)
        asked = request.query_params
        void = truth_of(asked.get("void", ""))
        seat, over = number_of(request, "seat"), number_of(request, "over")

        def found() -> tuple[RoundSummary, ...]:
            rounds = find(
                self.server.floor.ledger,
                table=table,
                seat=seat,
                player=asked.get("player", ""),
                hand=asked.get("hand", ""),
                wager=asked.get("wager", ""),
                over=over,
                void=void,
            )
            return tuple(islice(reversed(list(rounds)), MOST_FOUND))

        return json_response(msg.FoundRounds(await asyncio.to_thread(found)))

    async def replay(self, request: Request) -> Response:
        """Every moment of a round, as one pair of eyes saw it."""
        table, number = request.path_params["table"], round_of(request)
        person, role = await self.watcher(request, table)
        eyes = request.query_params.get("eyes", EYES[0])
        if eyes not in EYES and eyes not in map(str, range(1, 7)):
            raise BadInput(f"eyes: camera, whole or a seat is expected, got {eyes[:20]!r}")
        ledger, account = self.server.floor.ledger, Account(person.id, role)
        return json_response(
            await asyncio.to_thread(replayed, ledger, table, number, account, eyes)
        )

    async def prove(self, request: Request) -> Response:
        """A round with the proof that it is in the log of a signed checkpoint, as a file."""
        table, number = request.path_params["table"], round_of(request)
        await self.watcher(request, table)
        ledger = self.server.floor.ledger

        def proved() -> bytes:
            built = hand(ledger, table, number)
            note = checkpoint_over(ledger, built.positions[-1])
            return proof(ledger.store, built.positions, note, houses=[built.house])

        content = await asyncio.to_thread(proved)
        name = "".join(sign if sign.isalnum() else "-" for sign in table)
        told = {"content-disposition": f'attachment; filename="{name}-round-{number}.proof"'}
        return Response(content, media_type="application/octet-stream", headers=told)


def truth_of(text: str) -> bool | None:
    """Yes, no, or nothing said."""
    known = {"": None, "either": None, "true": True, "false": False}
    if text not in known:
        raise BadInput(f"void: true, false or either is expected, got {text[:20]!r}")
    return known[text]


def round_of(request: Request) -> int:
    """The number of a round in an address."""
    text = request.path_params["round"]
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise BadInput(f"a round's number is expected, got {text[:20]!r}")
    return int(text)


def replayed(
    ledger: Ledger, table_id: str, number: int, account: Account, eyes: str
) -> msg.RoundReplay:
    """A round moment by moment; nothing but what a camera sees before it is over."""
    entries = read_round(ledger, table_id, number)
    over = any(type(event) is ev.RoundClosed for event in entries[-1].events)
    if not over and eyes != "camera":
        raise BadInput(f"round {number} is being played: it is seen as a camera sees it")
    table = ledger.table_at(table_id, entries[0].position)
    return msg.RoundReplay(
        table=table_id,
        round=number,
        eyes=eyes,
        over=over,
        moments=tuple(moments(table, entries, account, eyes)),
    )


def moments(
    table: Table, entries: list[Recorded], account: Account, eyes: str
) -> Iterator[msg.Moment]:
    """The table after each entry, through these eyes."""
    for entry in entries:
        for event in entry.events:
            table.evolve(event)
        viewer = looking(table, account, eyes)
        seen = view(table, viewer, entry.at)
        hands = hands_of(table, viewer)
        if eyes == "whole" and table.round is not None:
            # The round is over, and all that was ever read of it lies open.
            open_round = replace(table.round, exposed=set(table.round.gone))
            seen = msgspec.structs.replace(seen, round=round_view(open_round, viewer))
        yield msg.Moment(
            sequence=entry.sequence,
            at=entry.at,
            by=str(entry.by),
            kind=kind_of(entry.envelope.command),
            events=tuple(told(event, viewer, eyes) for event in entry.events),
            view=seen,
            hands=hands,
        )


def looking(table: Table, account: Account, eyes: str) -> Viewer:
    """Whoever looks: the one who watches, or the player of a seat at that moment."""
    if eyes in EYES:
        return Viewer(account)
    seat = int(eyes)
    boxes = table.round.boxes if table.round is not None else {}
    player = boxes[seat].player if seat in boxes else ""
    own = frozenset(place for place, box in boxes.items() if player and box.player == player)
    return Viewer(Account(player or "nobody", "player"), own)


def told(event: Event, viewer: Viewer, eyes: str) -> dict[str, object] | None:
    """An event as these eyes saw it."""
    return shown(event, viewer, settled=eyes == "whole")


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of those who watch."""
    watching = Watching(server)
    return [
        Route("/tables/{table}/rounds", watching.rounds),
        Route("/tables/{table}/rounds/{round}", watching.replay),
        Route("/tables/{table}/rounds/{round}/proof", watching.prove),
    ]

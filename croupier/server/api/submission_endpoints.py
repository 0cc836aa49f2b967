"""Operators manage: submissions written, approved by a second person, tables opened under them.

What is approved is never changed. No table opens under anything else (COMAR 36.05.03.19).
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.clock import now_ms
from croupier.errors import BadInput, Refusal
from croupier.games import CATALOGUE, House, find
from croupier.games.forms import Severity
from croupier.ledger.aggregates.approvals import APPROVAL_CLAUSE
from croupier.rulebook import clauses
from croupier.server.api.felt_endpoint import felt_of
from croupier.server.auth.accounts import Person
from croupier.server.auth.guard import body_of, session_token
from croupier.server.floor import OPENER, place_of
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import key_of
from croupier.server.school.school_messages import is_school
from croupier.server.submissions import submission_messages
from croupier.server.submissions.preview import told
from croupier.server.submissions.repository import SubmissionRecord, operator
from croupier.server.tables.host import TableHost
from croupier.submission import Examination, interview, toml_writer
from croupier.submission.web_form import Entered, answers_of, entered, fields
from croupier.table import Envelope
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import VIRTUAL

if TYPE_CHECKING:
    from croupier.server.app import Server

Body = TypeVar("Body", bound=msgspec.Struct)
ANSWER_MOST = 2_000  # signs of one answer


class Managing:
    """What operators ask of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.filings = server.floor.filings

    async def operator(self, request: Request, what: str) -> Person:
        """Somebody whose office it is; anybody else is refused."""
        person = await self.server.guard.person(request)
        if "operator" not in person.offices:
            await self.server.deny(request, person.id, what, "not an operator")
            raise Forbidden(f"{person.id} is not an operator")
        if request.method == "POST":
            self.server.guard.limit("commands", session_token(request))
        return person

    # Submissions

    async def listed(self, request: Request) -> Response:
        """Every submission and every table."""
        await self.operator(request, "submissions")
        found = await asyncio.to_thread(self.filings.all)
        off = await asyncio.to_thread(self.filings.off)
        lines = tuple(
            submission_messages.DraftLine(
                id=each.id,
                game=each.game,
                title=find(each.game).title,
                operator=each.answers.get("operator.name", ""),
                state=each.state,
                authors=each.authors,
                decided_by=each.decided_by,
                began=each.began,
            )
            for each in found
        )
        games = {game.key: game.title for game in CATALOGUE}
        tables = tuple(self._tables(found, off))
        return json_response(
            submission_messages.Drafts(submissions=lines, games=games, tables=tables)
        )

    def _tables(self, found: list[SubmissionRecord], off: dict[str, str]) -> Any:
        approved = {each.digest: each.id for each in found if each.state == "approved"}
        for desk in sorted(self.server.floor.desks.values(), key=place_of):
            table = desk.table
            if is_school(desk.id):
                continue
            yield submission_messages.ManagedTable(
                id=desk.id,
                title=table.house.game.title,
                service=table.service,
                live=table.live,
                on_floor=True,
                in_use=in_use(desk),
                submission=approved.get(table.submitted.digest, ""),
                digest=table.submitted.digest,
            )
        away = set(off) - set(self.server.floor.desks)
        for name in sorted(name for name in away if not is_school(name)):
            yield submission_messages.ManagedTable(
                id=name,
                title="",
                service="",
                live=False,
                on_floor=False,
                in_use="",
                submission="",
                digest="",
            )

    async def form(self, request: Request) -> Response:
        """The form of a game."""
        await self.operator(request, "form")
        game = find(request.path_params["game"])
        said = {clause.id: clause.summary for clause in clauses(game.document)}
        card = submission_messages.FormCard(
            game=game.key, title=game.title, fields=fields(game), clauses=said
        )
        return json_response(card)

    async def begin(self, request: Request) -> Response:
        """A new draft: every proposal taken, or what another submission says."""
        person = await self.operator(request, "begin")
        given = await taken(request, submission_messages.Begin)
        id = hashlib.sha256(f"{person.id} {key_of(request)}".encode()).hexdigest()[:16]
        game = find(given.game)
        if given.based_on:
            earlier = await asyncio.to_thread(self.filings.find, given.based_on)
            if earlier.game != game.key:
                raise BadInput(f"{given.based_on} is a submission of {earlier.game}")
            answers = earlier.answers
        else:
            name = given.operator[:ANSWER_MOST]
            data = await asyncio.to_thread(interview.answered_by_default, game, name)
            answers = answers_of(game, data)
        begun = partial(self.filings.begin, id, game.key, answers, person.id, given.based_on)
        return await self._told(await asyncio.to_thread(begun), person)

    async def look(self, request: Request) -> Response:
        """One submission."""
        person = await self.operator(request, "submission")
        return await self._told(await self._found(request), person)

    async def write(self, request: Request) -> Response:
        """Save what is typed, and say what the rules say of it."""
        person = await self.operator(request, "write")
        given = await taken(request, submission_messages.Write)
        known = await self._found(request)
        if any(len(text) > ANSWER_MOST for text in given.answers.values()):
            raise BadInput(f"an answer has at most {ANSWER_MOST} signs")
        looked = await asyncio.to_thread(entered, find(known.game), given.answers)
        answers = {name: text for name, text in given.answers.items() if text.strip()}
        saved = partial(self.filings.write, known.id, given.version, answers, person.id)
        return await self._told(await asyncio.to_thread(saved), person, looked)

    async def send(self, request: Request) -> Response:
        """Send a legal draft for approval, or give it up."""
        person = await self.operator(request, "send")
        given = await taken(request, submission_messages.Send)
        known = await self._found(request)
        if given.withdraw:
            done = partial(self.filings.withdraw, known.id, given.version, person.id)
            return await self._told(await asyncio.to_thread(done), person)
        looked = await asyncio.to_thread(entered, find(known.game), known.answers)
        house = looked.examination.house
        if house is None:
            raise illegal(looked.examination)
        sent = partial(self.filings.send, known.id, given.version, house, person.id)
        return await self._told(await asyncio.to_thread(sent), person, looked)

    async def decide(self, request: Request) -> Response:
        """A second person approves, or gives back."""
        person = await self.operator(request, "approve")
        given = await taken(request, submission_messages.SubmissionDecision)
        id = request.path_params["id"]
        remark = given.remark[:ANSWER_MOST]
        decided = partial(self.filings.decide, id, given.digest, given.approved, remark, person.id)
        return await self._told(await asyncio.to_thread(decided), person)

    async def _found(self, request: Request) -> SubmissionRecord:
        return await asyncio.to_thread(self.filings.find, request.path_params["id"])

    async def _told(
        self, filing: SubmissionRecord, person: Person, known: Entered | None = None
    ) -> Response:
        game = find(filing.game)
        if known is None:
            known = await asyncio.to_thread(entered, game, filing.answers)
        tables = tuple(
            desk.id
            for desk in self.server.floor.desks.values()
            if filing.state == "approved" and desk.table.submitted.digest == filing.digest
        )
        live = self.server.floor.ledger.purpose == "live"
        return json_response(told(game, filing, known, tables, person.id, live=live))

    # What a draft looks like

    async def felt(self, request: Request) -> Response:
        """The felt of a draft as far as it can be drawn."""
        await self.operator(request, "felt")
        known = await self._found(request)

        def drawn() -> str:
            examination = entered(find(known.game), known.answers).examination
            if examination.priced is None:
                raise illegal(examination)
            return felt_of(examination.priced).svg()

        return Response(await asyncio.to_thread(drawn), media_type="image/svg+xml")

    async def file(self, request: Request) -> Response:
        """A draft as the commented file that `croupier check` reads."""
        await self.operator(request, "file")
        known = await self._found(request)

        def written() -> str:
            game = find(known.game)
            looked = entered(game, known.answers)
            if looked.examination.drafted is None:
                raise illegal(looked.examination)
            return toml_writer.toml(game, looked.data)

        content = await asyncio.to_thread(written)
        name = f'attachment; filename="{known.game}-{known.id}.toml"'
        return Response(
            content, media_type="application/toml", headers={"content-disposition": name}
        )

    # Tables

    async def open(self, request: Request) -> Response:
        """Open a table under an approved submission; one that stands there closed is bound anew."""
        person = await self.operator(request, "open table")
        given = await taken(request, submission_messages.OpenTableRequest)
        if is_school(given.table):
            raise BadInput(f"{given.table!r}: such names are for the dealer school")
        if given.service == "practice" and self.server.floor.ledger.purpose == "live":
            raise Refusal("where money is bet no machine deals: people serve the table", VIRTUAL)
        known = await self._found(request)
        key = key_of(request)
        looked = await asyncio.to_thread(entered, find(known.game), known.answers)
        owed = given.service == "attended" and not looked.examination.ready
        if known.state == "approved" and owed:
            raise illegal(looked.examination, "outstanding")
        # On record before it is done: whoever is killed in between asks again.
        opened = partial(self.filings.open_under, known.id, given.table, given.service, person.id)
        await self._bind(given, await asyncio.to_thread(opened, key), key)
        return await self._told(known, person, looked)

    async def _bind(
        self, given: submission_messages.OpenTableRequest, house: House, key: str
    ) -> None:
        floor = self.server.floor
        desk = floor.desks.get(given.table)
        if desk is None and given.table not in await asyncio.to_thread(floor.ledger.tables):
            await floor.open(given.table, house, service=given.service)
            return
        if desk is None:  # it was off the floor
            desk = await floor.open(given.table)
        bound = desk.table.bound
        assert bound is not None
        if bound.house == house.digest:
            return
        await asyncio.to_thread(floor.ledger.add_house, house)
        command = cmd.BindTable(
            table=bound.table,
            house=house.digest,
            service=bound.service,
            live=bound.live,
            group=bound.group,
        )
        await desk.execute(Envelope(key, OPENER, now_ms(), command))

    async def close(self, request: Request) -> Response:
        """Take a table off the floor; its record stays."""
        person = await self.operator(request, "close table")
        desk = self.server.floor.desk(request.path_params["table"])
        if why := in_use(desk):
            raise Refusal(f"{desk.id}: {why}", APPROVAL_CLAUSE)
        await asyncio.to_thread(self.filings.take_off, desk.id, operator(person.id))
        await self.server.floor.withdraw(desk.id)
        return json_response({"closed": desk.id})


def illegal(examination: Examination, severity: Severity = "error") -> Refusal:
    """The first thing that speaks against a submission."""
    first = examination.of(severity)[0]
    return Refusal(f"{first.field}: {first.message}", first.clause, game=first.game)


def in_use(desk: TableHost) -> str:
    """Why a table cannot be taken off the floor now."""
    table = desk.table
    if table.dealing is not None:
        return "a round is played"
    if table.shift.open and table.attended:
        return "the table is open; its people close it with a count"
    if table.seats.taken:
        return f"{', '.join(table.seats.taken.values())} sit there"
    return ""


async def taken(request: Request, kind: type[Body]) -> Body:
    """The body of a request, read strictly."""
    try:
        return msgspec.json.decode(await body_of(request), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not {kind.__name__}: {error}") from None


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of operators."""
    managing = Managing(server)
    return [
        Route("/forms/{game}", managing.form),
        Route("/submissions", managing.listed, methods=["GET"]),
        Route("/submissions", managing.begin, methods=["POST"]),
        Route("/submissions/{id}", managing.look),
        Route("/submissions/{id}/answers", managing.write, methods=["POST"]),
        Route("/submissions/{id}/sending", managing.send, methods=["POST"]),
        Route("/submissions/{id}/decision", managing.decide, methods=["POST"]),
        Route("/submissions/{id}/tables", managing.open, methods=["POST"]),
        Route("/submissions/{id}/felt.svg", managing.felt),
        Route("/submissions/{id}/file.toml", managing.file),
        Route("/tables/{table}/closing", managing.close, methods=["POST"]),
    ]

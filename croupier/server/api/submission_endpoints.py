"""Submission endpoints for operators: draft, send, approve, and open tables under an approval.

A second person approves. An approved submission never changes, and no table opens without one
(COMAR 36.05.03.19).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import now_ms
from croupier.errors import BadInput, Refusal
from croupier.games import CATALOGUE, House, find
from croupier.ledger.aggregates.approvals import APPROVAL_CLAUSE
from croupier.rulebook import clauses
from croupier.server.api.table_endpoints import cached_felt
from croupier.server.auth.person import PRIVATE, Person, is_private
from croupier.server.floor import OPENER, menu_order
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import idempotency_key, read_json
from croupier.server.school.school_messages import is_school
from croupier.server.submissions import submission_messages
from croupier.server.submissions.comparison import compare
from croupier.server.submissions.preview import draft_view
from croupier.server.submissions.repository import SubmissionRecord, operator
from croupier.server.tables.host import TableHost
from croupier.submission import ValidationResult, interview, toml_writer
from croupier.submission.issues import Severity
from croupier.submission.web_form import FormEvaluation, answers_from, evaluate, fields
from croupier.table import Envelope
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import VIRTUAL

if TYPE_CHECKING:
    from croupier.server.app import Server

MAX_ANSWER_LENGTH = 2_000
_post = partial(endpoint, "POST", gives=submission_messages.Draft, idempotent=True)


class SubmissionEndpoints(EndpointGroup):
    """Submissions and tables, for operators."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.repository = self.floor.submissions

    @endpoint("GET", "/forms/{game}", gives=submission_messages.FormCard, errors="422")
    async def form(self, request: Request) -> Response:
        """Every field of the submission of a game."""
        await self._operator(request, "form")
        game = find(request.path_params["game"])
        summaries = {clause.id: clause.summary for clause in clauses(game.document)}
        return json_response(
            submission_messages.FormCard(
                game=game.key, title=game.title, fields=fields(game), clauses=summaries
            )
        )

    @endpoint("GET", "/submissions", gives=submission_messages.Drafts, errors="403")
    async def submissions(self, request: Request) -> Response:
        """Every submission and every table."""
        await self._operator(request, "submissions")
        records = await asyncio.to_thread(self.repository.all)
        closed = await asyncio.to_thread(self.repository.off)
        lines = tuple(
            submission_messages.DraftLine(
                id=record.id,
                game=record.game,
                title=find(record.game).title,
                operator=record.answers.get("operator.name", ""),
                state=record.state,
                authors=record.authors,
                decided_by=record.decided_by,
                began=record.began,
            )
            for record in records
        )
        games = {game.key: game.title for game in CATALOGUE}
        tables = tuple(self._tables(records, closed))
        return json_response(
            submission_messages.Drafts(submissions=lines, games=games, tables=tables)
        )

    @_post("/submissions", takes=submission_messages.Begin)
    async def begin_submission(self, request: Request) -> Response:
        """Start a draft from the default answers, or an amendment of another submission."""
        person = await self._operator(request, "begin")
        message = await read_json(request, submission_messages.Begin)
        id = hashlib.sha256(f"{person.id} {idempotency_key(request)}".encode()).hexdigest()[:16]
        game = find(message.game)
        if message.based_on:
            earlier = await asyncio.to_thread(self.repository.find, message.based_on)
            if earlier.game != game.key:
                raise BadInput(f"{message.based_on} is a submission of {earlier.game}")
            answers = earlier.answers
        else:
            name = message.operator[:MAX_ANSWER_LENGTH]
            data = await asyncio.to_thread(interview.default_submission, game, name)
            answers = answers_from(game, data)
        begin = partial(self.repository.begin, id, game.key, answers, person.id, message.based_on)
        return await self._draft(await asyncio.to_thread(begin), person)

    @endpoint("GET", "/submissions/{id}", gives=submission_messages.Draft, errors="422")
    async def submission(self, request: Request) -> Response:
        """One submission, with its issues under the rules."""
        person = await self._operator(request, "submission")
        return await self._draft(await self._record(request), person)

    @endpoint(
        "GET",
        "/submissions/{id}/changes",
        gives=submission_messages.Comparisons,
        errors="422",
        cost=20,
    )
    async def changes(self, request: Request) -> Response:
        """What a submission changes, against what is in force and against its last proposal."""
        await self._operator(request, "submission")
        record = await self._record(request)
        tables = {
            host.id: host.table.submitted.digest
            for host in sorted(self.floor.table_hosts.values(), key=menu_order)
            if not host.is_lesson and not host.is_private
        }
        compared = await asyncio.to_thread(lambda: tuple(compare(self.repository, record, tables)))
        return json_response(submission_messages.Comparisons(compared))

    @_post("/submissions/{id}/answers", takes=submission_messages.Write)
    async def write_submission(self, request: Request) -> Response:
        """Save the answers of a draft, and check them against the rules."""
        person = await self._operator(request, "write")
        message = await read_json(request, submission_messages.Write)
        record = await self._record(request)
        if any(len(text) > MAX_ANSWER_LENGTH for text in message.answers.values()):
            raise BadInput(f"an answer has at most {MAX_ANSWER_LENGTH} characters")
        checked = await asyncio.to_thread(evaluate, find(record.game), message.answers)
        answers = {name: text for name, text in message.answers.items() if text.strip()}
        save = partial(self.repository.write, record.id, message.version, answers, person.id)
        return await self._draft(await asyncio.to_thread(save), person, checked)

    @_post("/submissions/{id}/sending", takes=submission_messages.Send)
    async def send_submission(self, request: Request) -> Response:
        """Send a legal draft for approval, or withdraw it."""
        person = await self._operator(request, "send")
        message = await read_json(request, submission_messages.Send)
        record = await self._record(request)
        if message.withdraw:
            withdraw = partial(self.repository.withdraw, record.id, message.version, person.id)
            return await self._draft(await asyncio.to_thread(withdraw), person)
        checked = await asyncio.to_thread(evaluate, find(record.game), record.answers)
        house = checked.examination.house
        if house is None:
            raise _first_issue(checked.examination)
        send = partial(self.repository.send, record.id, message.version, house, person.id)
        return await self._draft(await asyncio.to_thread(send), person, checked)

    @_post("/submissions/{id}/decision", takes=submission_messages.SubmissionDecision)
    async def decide_submission(self, request: Request) -> Response:
        """Approve a submission as a second person, or return it to its authors."""
        person = await self._operator(request, "approve")
        message = await read_json(request, submission_messages.SubmissionDecision)
        decide = partial(
            self.repository.decide,
            request.path_params["id"],
            message.digest,
            message.approved,
            message.remark[:MAX_ANSWER_LENGTH],
            person.id,
        )
        return await self._draft(await asyncio.to_thread(decide), person)

    @_post("/submissions/{id}/tables", takes=submission_messages.OpenTableRequest)
    async def open_under(self, request: Request) -> Response:
        """Open a table under an approved submission, or bind a closed table to it."""
        person = await self._operator(request, "open table")
        message = await read_json(request, submission_messages.OpenTableRequest)
        if is_school(message.table):
            raise BadInput(f"{message.table!r}: this name is reserved for the dealer school")
        if is_private(message.table):
            raise BadInput(f"{message.table!r}: a table's name cannot contain {PRIVATE!r}")
        if message.service == "practice" and self.floor.ledger.purpose == "live":
            raise Refusal("a live ledger has no practice tables: people serve the table", VIRTUAL)
        record = await self._record(request)
        key = idempotency_key(request)
        checked = await asyncio.to_thread(evaluate, find(record.game), record.answers)
        is_incomplete = message.service == "attended" and not checked.examination.ready
        if record.state == "approved" and is_incomplete:
            raise _first_issue(checked.examination, "outstanding")
        # Recorded before the table is opened: after a crash in between the request is repeated.
        opening = partial(
            self.repository.open_under, record.id, message.table, message.service, person.id
        )
        await self._bind(message, await asyncio.to_thread(opening, key), key)
        return await self._draft(record, person, checked)

    @endpoint("GET", "/submissions/{id}/felt.svg", documented=False, cost=20)
    async def submission_felt(self, request: Request) -> Response:
        """The felt of a draft, as far as it can be drawn."""
        await self._operator(request, "felt")
        record = await self._record(request)

        def draw() -> str:
            examination = evaluate(find(record.game), record.answers).examination
            if examination.priced is None:
                raise _first_issue(examination)
            return cached_felt(examination.priced).svg()

        return Response(await asyncio.to_thread(draw), media_type="image/svg+xml")

    @endpoint("GET", "/submissions/{id}/file.toml", errors="422", cost=5)
    async def submission_file(self, request: Request) -> Response:
        """A submission as the commented file that `croupier check` reads."""
        await self._operator(request, "file")
        record = await self._record(request)

        def write() -> str:
            game = find(record.game)
            checked = evaluate(game, record.answers)
            if checked.examination.drafted is None:
                raise _first_issue(checked.examination)
            return toml_writer.toml(game, checked.data)

        content = await asyncio.to_thread(write)
        disposition = f'attachment; filename="{record.game}-{record.id}.toml"'
        return Response(
            content, media_type="application/toml", headers={"content-disposition": disposition}
        )

    @endpoint("POST", "/tables/{table}/closing")
    async def close_table(self, request: Request) -> Response:
        """Remove a table from the floor; its record stays."""
        person = await self._operator(request, "close table")
        host = self.floor.table_host(request.path_params["table"])
        if reason := _in_use(host):
            raise Refusal(f"{host.id}: {reason}", APPROVAL_CLAUSE)
        await asyncio.to_thread(self.repository.take_off, host.id, operator(person.id))
        await self.floor.withdraw(host.id)
        return json_response({"closed": host.id})

    async def _operator(self, request: Request, action: str) -> Person:
        """The person, who must be an operator; a POST counts against the limit of commands."""
        person = await self.guard.person(request)
        if "operator" not in person.offices:
            await self.guard.deny(request, person.id, action, "not an operator")
            raise Forbidden(f"{person.id} is not an operator")
        if request.method == "POST":
            self.guard.limit("commands", person.id)
        return person

    async def _record(self, request: Request) -> SubmissionRecord:
        return await asyncio.to_thread(self.repository.find, request.path_params["id"])

    async def _draft(
        self, record: SubmissionRecord, person: Person, checked: FormEvaluation | None = None
    ) -> Response:
        """The response with a submission as one person sees it."""
        game = find(record.game)
        if checked is None:
            checked = await asyncio.to_thread(evaluate, game, record.answers)
        tables = tuple(
            host.id
            for host in self.floor.table_hosts.values()
            if record.state == "approved" and host.table.submitted.digest == record.digest
        )
        live = self.floor.ledger.purpose == "live"
        return json_response(draft_view(game, record, checked, tables, person.id, live=live))

    def _tables(
        self, records: list[SubmissionRecord], closed: dict[str, str]
    ) -> Iterator[submission_messages.ManagedTable]:
        """The tables on the floor, then the closed ones."""
        approved = {record.digest: record.id for record in records if record.state == "approved"}
        for host in sorted(self.floor.table_hosts.values(), key=menu_order):
            table = host.table
            if host.is_lesson or host.is_private:
                continue
            yield submission_messages.ManagedTable(
                id=host.id,
                title=table.house.game.title,
                service=table.service,
                live=table.live,
                on_floor=True,
                in_use=_in_use(host),
                submission=approved.get(table.submitted.digest, ""),
                digest=table.submitted.digest,
            )
        for name in sorted(set(closed) - set(self.floor.table_hosts)):
            if not is_school(name) and not is_private(name):
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

    async def _bind(
        self, message: submission_messages.OpenTableRequest, house: House, key: str
    ) -> None:
        """Open a new table under a House, or reopen a known one and bind it to the House."""
        floor = self.floor
        host = floor.table_hosts.get(message.table)
        if host is None and message.table not in await asyncio.to_thread(floor.ledger.tables):
            await floor.open(message.table, house, service=message.service)
            return
        if host is None:
            host = await floor.open(message.table)
        bound = host.table.bound
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
        await host.execute(Envelope(key, OPENER, now_ms(), command))
        await floor.apply_orders()


def _first_issue(examination: ValidationResult, severity: Severity = "error") -> Refusal:
    """The refusal that cites the first issue of a submission."""
    issue = examination.of(severity)[0]
    return Refusal(f"{issue.field}: {issue.message}", issue.clause, game=issue.game)


def _in_use(host: TableHost) -> str:
    """Why a table cannot be closed now, or nothing."""
    table = host.table
    if table.dealing is not None:
        return "a round is in progress"
    if table.shift.open and table.attended:
        return "the table is open; its staff must close it with a count"
    if table.seats.taken:
        return f"seated players: {', '.join(table.seats.taken.values())}"
    return ""

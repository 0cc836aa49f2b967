"""Endpoints of the dealer school: lessons, graded acts, verdicts, table test records."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.errors import Refusal
from croupier.games import CATALOGUE
from croupier.ledger.aggregates.approvals import TESTED
from croupier.server.api.submission_endpoints import taken
from croupier.server.auth.accounts import Person
from croupier.server.auth.guard import session_token
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.school.lessons import School, can_examine
from croupier.server.school.school_messages import (
    BeginLesson,
    ExaminerVerdict,
    Lesson,
    LessonLines,
    SchoolAct,
)
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server


class SchoolEndpoints:
    """Requests of trainees and examiners."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.school = School(server.floor)

    async def find(self, request: Request, person: Person, what: str = "lesson") -> Lesson:
        """The lesson of a URL; refused unless the person is its trainee or an examiner."""
        params = request.path_params
        lesson = await asyncio.to_thread(self.school.find, params.get("id") or params["table"])
        if person.id != lesson.trainee and not can_examine(person, lesson):
            await self.server.deny(request, person.id, what, f"not in {lesson.table}")
            raise Forbidden(f"{person.id} is neither trainee nor examiner of {lesson.table}")
        return lesson

    async def list(self, request: Request) -> Response:
        """The person's own lessons; for an examiner, those of all trainees."""
        person = await self.server.guard.person(request)
        lessons = await asyncio.to_thread(self.school.all)
        tests = await asyncio.to_thread(self.school.tests)
        views = tuple(
            self.school.view(lesson, person, tests.get(lesson.id))
            for lesson in lessons
            if lesson.trainee == person.id or can_examine(person, lesson)
        )
        games = {game.key: game.title for game in CATALOGUE}
        return json_response(LessonLines(views, games, "trainee" in person.offices))

    async def begin(self, request: Request) -> Response:
        """Begin a lesson."""
        person = await self.server.guard.person(request)
        self.server.guard.limit("commands", session_token(request))
        if "trainee" not in person.offices:
            await self.server.deny(request, person.id, "lesson", "not a trainee")
            raise Forbidden(f"{person.id} is not a trainee")
        lesson = await self.school.begin(person.id, await taken(request, BeginLesson))
        self.server.guard.forget(session_token(request))  # it has a new role: dealer at the table
        return json_response(self.school.view(lesson, person))

    async def show(self, request: Request) -> Response:
        """One lesson."""
        person = await self.server.guard.person(request)
        lesson = await self.find(request, person)
        tests = await asyncio.to_thread(self.school.tests)
        return json_response(self.school.view(lesson, person, tests.get(lesson.id)))

    async def act(self, request: Request) -> Response:
        """One act of the trainee, graded."""
        person = await self.server.guard.person(request)
        lesson = await self.find(request, person)
        self.server.guard.limit("commands", session_token(request))
        if person.id != lesson.trainee:
            await self.server.deny(request, person.id, "lesson", "not the trainee")
            raise Forbidden(f"only {lesson.trainee} deals at {lesson.table}")
        act = await taken(request, SchoolAct)
        command = codec.decode_command(msgspec.json.encode(act.command))
        lesson = await self.school.act(lesson.table, command, act.pays)
        return json_response(self.school.view(lesson, person))

    async def decide(self, request: Request) -> Response:
        """The examiner's verdict, signed with their session."""
        person = await self.server.guard.person(request)
        lesson = await self.find(request, person, "table test")
        self.server.guard.limit("commands", session_token(request))
        verdict = await taken(request, ExaminerVerdict)
        if not can_examine(person, lesson):
            await self.server.deny(request, person.id, "table test", "no examiner")
            raise Refusal("only a pit manager other than the trainee signs a table test", TESTED)
        test = await asyncio.to_thread(self.school.sign, lesson, person.id, verdict)
        return json_response(self.school.view(lesson, person, test))

    async def record(self, request: Request) -> Response:
        """The record of a table test as PDF."""
        person = await self.server.guard.person(request)
        lesson = await self.find(request, person, "table test")
        content = await asyncio.to_thread(self.school.test_record, lesson)
        disposition = f'attachment; filename="table-test-{lesson.id}.pdf"'
        return Response(
            content, media_type="application/pdf", headers={"content-disposition": disposition}
        )


def routes(endpoints: SchoolEndpoints) -> list[BaseRoute]:
    """Routes of the dealer school."""
    return [
        Route("/school/lessons", endpoints.list, methods=["GET"]),
        Route("/school/lessons", endpoints.begin, methods=["POST"]),
        Route("/school/lessons/{id}", endpoints.show),
        Route("/school/lessons/{id}/verdict", endpoints.decide, methods=["POST"]),
        Route("/school/lessons/{id}/record.pdf", endpoints.record),
        # On the server that owns the table.
        Route("/tables/{table}/school", endpoints.act, methods=["POST"]),
    ]

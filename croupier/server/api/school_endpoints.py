"""Endpoints of the dealer school: lessons, graded acts, verdicts, table test records."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import BadInput, Refusal
from croupier.games import CATALOGUE
from croupier.ledger.aggregates.approvals import TABLE_TEST_CLAUSE
from croupier.server.auth.guard import session_token
from croupier.server.auth.person import Person
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import read_json
from croupier.server.school.lessons import can_examine
from croupier.server.school.school_messages import (
    BeginLesson,
    ExaminerVerdict,
    Lesson,
    LessonLines,
    LessonView,
    SchoolAct,
)
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server


async def find_lesson(
    server: Server, request: Request, person: Person, what: str = "lesson"
) -> Lesson:
    """The lesson of a URL; refused unless the person is its trainee or an examiner."""
    params = request.path_params
    lesson = await asyncio.to_thread(server.school.find, params.get("id") or params["table"])
    if person.id != lesson.trainee and not can_examine(person, lesson):
        await server.guard.deny(request, person.id, what, f"not in {lesson.table}")
        raise Forbidden(f"{person.id} is neither trainee nor examiner of {lesson.table}")
    return lesson


class SchoolEndpoints(EndpointGroup):
    """Requests of trainees and examiners."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.school = server.school

    @endpoint("GET", "/school/lessons", gives=LessonLines)
    async def lessons(self, request: Request) -> Response:
        """The person's own lessons; for an examiner, those of all trainees."""
        person = await self.guard.person(request)
        lessons = await asyncio.to_thread(self.school.all)
        tests = await asyncio.to_thread(self.school.tests)
        views = tuple(
            self.school.view(lesson, person, tests.get(lesson.id))
            for lesson in lessons
            if lesson.trainee == person.id or can_examine(person, lesson)
        )
        games = {game.key: game.title for game in CATALOGUE}
        return json_response(LessonLines(views, games, "trainee" in person.offices))

    @endpoint(
        "POST",
        "/school/lessons",
        operation_id="beginLesson",
        takes=BeginLesson,
        gives=LessonView,
    )
    async def begin(self, request: Request) -> Response:
        """Begin a lesson."""
        person = await self.guard.person(request)
        self.guard.limit("commands", person.id)
        if "trainee" not in person.offices:
            await self.guard.deny(request, person.id, "lesson", "not a trainee")
            raise Forbidden(f"{person.id} is not a trainee")
        lesson = await self.school.begin(person.id, await read_json(request, BeginLesson))
        self.guard.forget(session_token(request))  # it has a new role: dealer at the table
        return json_response(self.school.view(lesson, person))

    @endpoint(
        "GET", "/school/lessons/{id}", operation_id="oneLesson", gives=LessonView, errors="422"
    )
    async def show(self, request: Request) -> Response:
        """One lesson."""
        person = await self.guard.person(request)
        lesson = await find_lesson(self.server, request, person)
        tests = await asyncio.to_thread(self.school.tests)
        return json_response(self.school.view(lesson, person, tests.get(lesson.id)))

    @endpoint(
        "POST",
        "/tables/{table}/school",  # so that the server that has the table handles it
        operation_id="schoolAct",
        takes=SchoolAct,
        gives=LessonView,
    )
    async def act(self, request: Request) -> Response:
        """One act of the trainee, graded."""
        person = await self.guard.person(request)
        lesson = await find_lesson(self.server, request, person)
        self.guard.limit("commands", person.id)
        if person.id != lesson.trainee:
            await self.guard.deny(request, person.id, "lesson", "not the trainee")
            raise Forbidden(f"only {lesson.trainee} deals at {lesson.table}")
        act = await read_json(request, SchoolAct)
        if (act.command is None) == (not act.names):
            raise BadInput("an act has either a command or names")
        command = None
        if act.command is not None:
            command = codec.decode_command(msgspec.json.encode(act.command))
        lesson = await self.school.act(lesson.table, command, act.pays, act.names)
        return json_response(self.school.view(lesson, person))

    @endpoint(
        "POST",
        "/school/lessons/{id}/verdict",
        operation_id="sayVerdict",
        takes=ExaminerVerdict,
        gives=LessonView,
    )
    async def decide(self, request: Request) -> Response:
        """The examiner's verdict, signed with their session."""
        person = await self.guard.person(request)
        lesson = await find_lesson(self.server, request, person, "table test")
        self.guard.limit("commands", person.id)
        verdict = await read_json(request, ExaminerVerdict)
        if not can_examine(person, lesson):
            await self.guard.deny(request, person.id, "table test", "no examiner")
            raise Refusal(
                "only a pit manager other than the trainee signs a table test", TABLE_TEST_CLAUSE
            )
        test = await asyncio.to_thread(self.school.sign, lesson, person.id, verdict)
        return json_response(self.school.view(lesson, person, test))

    @endpoint(
        "GET", "/school/lessons/{id}/record.pdf", operation_id="tableTest", errors="422", cost=30
    )
    async def record(self, request: Request) -> Response:
        """The record of a table test as PDF."""
        person = await self.guard.person(request)
        lesson = await find_lesson(self.server, request, person, "table test")
        content = await asyncio.to_thread(self.school.test_record, lesson)
        disposition = f'attachment; filename="table-test-{lesson.id}.pdf"'
        return Response(
            content, media_type="application/pdf", headers={"content-disposition": disposition}
        )

"""The dealer school: a trainee deals a practice table, every act is graded against its clause.

A table test is taken before a pit manager, who signs its record; it names both (COMAR
36.05.03.17 and .18). Lessons are kept beside the accounts until they are signed; what was signed,
with every act of it, is on the record and read from there alone.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.clock import now_ms
from croupier.documents.table_test_record import GradedAct, TableTest, table_test
from croupier.errors import BadInput, Refusal, Unknown
from croupier.games import CATALOGUE, find
from croupier.ledger.aggregates.approval_messages import SignTest
from croupier.ledger.aggregates.approval_state import SignedTest
from croupier.ledger.aggregates.approvals import TABLE_TEST_CLAUSE
from croupier.server.api.submission_endpoints import taken
from croupier.server.auth.accounts import Person, metadata
from croupier.server.auth.guard import session_token
from croupier.server.floor import OPENER
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.school import school_messages
from croupier.server.school.grading import graded, paying_seat
from croupier.server.school.school_messages import SCHOOL
from croupier.server.school.simulated_people import SimulatedPeople
from croupier.server.tables.host import TableHost
from croupier.submission import example
from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server

TRAINED = "COMAR 36.05.03.17"  # a training programme
MOST_ROUNDS = 20

lesson = sa.Table(
    "floor_lesson",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
)


class UnknownLesson(Unknown):
    """No lesson has this id."""

    kind = "lesson"


class School:
    """The school of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.engine = server.floor.accounts.engine
        metadata.create_all(self.engine, tables=[lesson])
        self.verdicts = server.floor.ledger.approvals
        self._tested: dict[
            str, school_messages.Lesson
        ] = {}  # as they were signed, which never changes
        self._turns: dict[str, asyncio.Lock] = {}

    # What is kept

    def _all(self) -> list[school_messages.Lesson]:
        """Every lesson, the newest first; a signed one as the record has it."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(lesson.c.content)).all()
        kept = [msgspec.json.decode(row.content, type=school_messages.Lesson) for row in rows]
        signed = [self._as_signed(id) for id in self.tests()]
        found = {each.id: each for each in (*kept, *signed)}.values()
        return sorted(found, key=lambda each: each.begun, reverse=True)

    def tests(self) -> dict[str, SignedTest]:
        """Every verdict on record, by lesson."""
        with self.verdicts.lock:
            return dict(self.verdicts.refresh().tests)

    def _as_signed(self, id: str) -> school_messages.Lesson:
        if id not in self._tested:
            entry = self.verdicts.find_recorded(signing(id))
            assert entry is not None and isinstance(entry.envelope.command, SignTest)
            said = entry.envelope.command
            self._tested[id] = school_messages.Lesson(
                id=id,
                table=said.table,
                game=said.game,
                house=said.house,
                trainee=said.trainee,
                rounds=said.rounds,
                irregular=any(one.irregularity for one in said.grades),
                begun=said.begun,
                state="done",
                grades=said.grades,
            )
        return self._tested[id]

    def _find(self, name: str) -> school_messages.Lesson:
        """By its id, or by its table."""
        for each in self._all():
            if name in (each.id, each.table):
                return each
        raise UnknownLesson(name[:80])

    def _keep(self, kept: school_messages.Lesson) -> None:
        content = msgspec.json.encode(kept).decode()
        with self.engine.begin() as connection:
            connection.execute(lesson.delete().where(lesson.c.id == kept.id))
            row = {"id": kept.id, "begun": kept.begun, "content": content}
            connection.execute(lesson.insert().values(**row))

    # Who

    async def _here(self, request: Request, what: str) -> tuple[Person, school_messages.Lesson]:
        """Somebody who may look at a lesson: its trainee, or an examiner."""
        person = await self.server.guard.person(request)
        return person, await self.find(request, person, what)

    async def find(
        self, request: Request, person: Person, what: str = "lesson"
    ) -> school_messages.Lesson:
        """The lesson of an address, for somebody who may look at it."""
        names = request.path_params
        found = await asyncio.to_thread(self._find, names.get("id") or names["table"])
        if person.id != found.trainee and not examines(person, found):
            await self.server.deny(request, person.id, what, f"not in {found.table}")
            raise Forbidden(f"{person.id} has no part in {found.table}")
        return found

    # Lessons

    async def lessons(self, request: Request) -> Response:
        """Own lessons; those of everybody for whoever examines."""
        person = await self.server.guard.person(request)
        found, tests = await asyncio.to_thread(lambda: (self._all(), self.tests()))
        mine = [one for one in found if one.trainee == person.id or examines(person, one)]
        told = tuple(self._view(one, person, tests.get(one.id)) for one in mine)
        games = {game.key: game.title for game in CATALOGUE}
        return json_response(school_messages.LessonLines(told, games, "trainee" in person.offices))

    async def begin(self, request: Request) -> Response:
        """A new lesson; one that was left open is broken off."""
        person = await self.server.guard.person(request)
        self.server.guard.limit("commands", session_token(request))
        if "trainee" not in person.offices:
            await self.server.deny(request, person.id, "lesson", "not a trainee")
            raise Forbidden(f"{person.id} is not a trainee")
        given = await taken(request, school_messages.BeginLesson)
        if not 1 <= given.rounds <= MOST_ROUNDS:
            raise BadInput(f"1 to {MOST_ROUNDS} rounds are expected, got {given.rounds}")
        floor = self.server.floor
        if floor.ledger.purpose != "practice":
            raise Refusal("nobody learns where money is played for", TRAINED)
        game = find(given.game)
        before = await asyncio.to_thread(self._all)
        for each in before:
            if each.trainee == person.id and each.state == "running":
                await self._end(each, "broken off")
        house = example(game.key)
        number = 1 + sum(each.trainee == person.id for each in before)
        new = school_messages.Lesson(
            id=secrets.token_hex(4),
            table=f"{SCHOOL}{person.id} {number}",
            game=game.key,
            house=house.digest,
            trainee=person.id,
            rounds=given.rounds,
            irregular=given.irregular,
            begun=now_ms(),
            since=now_ms(),
            seed=secrets.token_hex(16),
        )
        desk = await floor.open(new.table, house, service="attended")
        await asyncio.to_thread(floor.accounts.grant, person.id, "dealer", new.table)
        self.server.guard.forget(session_token(request))
        tutor = SimulatedPeople(desk, new)
        await tutor.open()
        await tutor.serve()
        await asyncio.to_thread(self._keep, new)
        return json_response(self._view(new, person))

    async def look(self, request: Request) -> Response:
        """A lesson as it stands."""
        person, found = await self._here(request, "lesson")
        tests = await asyncio.to_thread(self.tests)
        return json_response(self._view(found, person, tests.get(found.id)))

    async def act(self, request: Request) -> Response:
        """One act of the trainee, graded."""
        person, found = await self._here(request, "lesson")
        self.server.guard.limit("commands", session_token(request))
        if person.id != found.trainee:
            await self.server.deny(request, person.id, "lesson", "not the trainee")
            raise Forbidden(f"{found.trainee} deals here")
        given = await taken(request, school_messages.SchoolAct)
        command = codec.decode_command(msgspec.json.encode(given.command))
        async with self._turns.setdefault(found.table, asyncio.Lock()):
            found = await asyncio.to_thread(self._find, found.table)
            if found.state != "running":
                raise Refusal(f"{found.table} is {found.state}", TRAINED)
            tutor = SimulatedPeople(self.server.floor.desk(found.table), found)
            grade = await graded(tutor, command, given.pays)
            found = msgspec.structs.replace(found, grades=(*found.grades, grade))
            if grade.right:
                await tutor.serve()
                found = self._going_on(tutor, found)
            if tutor.over and found.trouble is None:
                found = await self._end(found, "done")
            else:
                await asyncio.to_thread(self._keep, found)
        return json_response(self._view(found, person))

    def _going_on(
        self, tutor: SimulatedPeople, found: school_messages.Lesson
    ) -> school_messages.Lesson:
        """After an act that was right: the next thing is due from now on, and may go wrong."""
        trouble, current = tutor.trouble(), tutor.table.dealing
        number = current.number if trouble is not None and current is not None else found.troubled
        return msgspec.structs.replace(found, since=now_ms(), trouble=trouble, troubled=number)

    async def _end(
        self, found: school_messages.Lesson, state: school_messages.LessonState
    ) -> school_messages.Lesson:
        """The trainee leaves the table, and the table the floor; the record of both stays."""
        floor = self.server.floor
        done = msgspec.structs.replace(found, state=state, ended=now_ms(), trouble=None)
        desk = floor.desks.get(found.table) or await floor.open(found.table)
        tutor = SimulatedPeople(desk, found)
        if tutor.offered(cmd.LeavePost) is not None:
            await tutor.do(cmd.LeavePost(), tutor.trainee)
        await asyncio.to_thread(self._keep, done)
        await asyncio.to_thread(floor.filings.take_off, found.table, OPENER)
        await floor.withdraw(found.table)
        return done

    async def decide(self, request: Request) -> Response:
        """The examiner's verdict, once; it is signed with their session."""
        person, found = await self._here(request, "table test")
        self.server.guard.limit("commands", session_token(request))
        given = await taken(request, school_messages.ExaminerVerdict)
        if not examines(person, found):
            await self.server.deny(request, person.id, "table test", "no examiner")
            raise Refusal("a pit manager examines, and nobody examines themselves", TABLE_TEST_CLAUSE)
        if found.state != "done":
            raise Refusal(f"{found.table}: it is {found.state}", TABLE_TEST_CLAUSE)
        command = SignTest(
            lesson=found.id,
            trainee=found.trainee,
            table=found.table,
            game=found.game,
            house=found.house,
            rounds=found.rounds,
            begun=found.begun,
            grades=found.grades,
            passed=given.passed,
            remark=given.remark.strip()[:500],
        )
        by = Account(person.id, "pit_manager")
        await asyncio.to_thread(self.verdicts.do, command, by, id=signing(found.id))
        test = (await asyncio.to_thread(self.tests))[found.id]
        return json_response(self._view(found, person, test))

    async def record(self, request: Request) -> Response:
        """The record of a table test as PDF."""
        _, found = await self._here(request, "table test")
        test = (await asyncio.to_thread(self.tests)).get(found.id)
        if test is None:
            raise Refusal(f"{found.table} has no verdict yet", TABLE_TEST_CLAUSE)
        printed = await asyncio.to_thread(printed_record, self.server, found, test)
        name = f'attachment; filename="table-test-{found.id}.pdf"'
        return Response(
            printed, media_type="application/pdf", headers={"content-disposition": name}
        )

    def _view(
        self, found: school_messages.Lesson, person: Person, test: SignedTest | None = None
    ) -> school_messages.LessonView:
        desk: TableHost | None = self.server.floor.desks.get(found.table)
        tutor = (
            SimulatedPeople(desk, found) if desk is not None and found.state == "running" else None
        )
        paid = [one.milliseconds for one in found.grades if one.payout and one.right]
        return school_messages.LessonView(
            id=found.id,
            table=found.table,
            game=found.game,
            title=find(found.game).title,
            trainee=found.trainee,
            state=found.state,
            rounds=found.rounds,
            played=tutor.played if tutor is not None else found.rounds,
            grades=found.grades,
            right=sum(one.right for one in found.grades),
            payouts=len(paid),
            payout_milliseconds=sum(paid) // len(paid) if paid else 0,
            said=found.trouble.said if found.trouble is not None else "",
            shoe=tutor.shoe() if tutor is not None and found.trouble is None else (),
            paying=paying_seat(tutor) if tutor is not None else 0,
            examiner=test.examiner if test is not None else "",
            passed=test.passed if test is not None else None,
            remark=test.remark if test is not None else "",
            may_examine=found.state == "done" and test is None and examines(person, found),
        )


def examines(person: Person, found: school_messages.Lesson) -> bool:
    """Whether somebody is a pit manager, and not the trainee."""
    return person.id != found.trainee and "pit_manager" in person.roles_at(found.table)


def signing(id: str) -> str:
    """The id under which a lesson is signed, once."""
    return f"test {id}"


def printed_record(server: Server, found: school_messages.Lesson, signed: SignedTest) -> bytes:
    """The record of a table test, on paper."""
    house = server.floor.ledger.house(found.house)
    acts = tuple(
        GradedAct(
            round=one.round,
            due=one.due,
            done=one.done,
            clause=one.clause,
            right=one.right,
            note=one.note,
            milliseconds=one.milliseconds,
            payout=one.payout,
            irregularity=one.irregularity,
        )
        for one in found.grades
    )
    test = TableTest(
        table=found.table,
        trainee=found.trainee,
        examiner=signed.examiner,
        passed=signed.passed,
        remark=signed.remark,
        begun=found.begun,
        signed=signed.signed,
        rounds=found.rounds,
        acts=acts,
    )
    return table_test(house, test).pdf()


def routes(school: School) -> list[BaseRoute]:
    """The addresses of the school."""
    return [
        Route("/school/lessons", school.lessons, methods=["GET"]),
        Route("/school/lessons", school.begin, methods=["POST"]),
        Route("/school/lessons/{id}", school.look),
        Route("/school/lessons/{id}/verdict", school.decide, methods=["POST"]),
        Route("/school/lessons/{id}/record.pdf", school.record),
        # At the server that has the table.
        Route("/tables/{table}/school", school.act, methods=["POST"]),
    ]

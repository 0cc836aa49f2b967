"""Lessons of the dealer school: a trainee deals a practice table, and every act is graded.

A table test is taken before a pit manager, who signs its record; the record names both (COMAR
36.05.03.17 and .18). Unsigned lessons are stored in the accounts database. A signed test, with
every act, is recorded in the ledger and read only from there. The endpoints are in
`croupier.server.api.school_endpoints`.
"""

from __future__ import annotations

import asyncio
import secrets

import msgspec
import sqlalchemy as sa

from croupier.clock import now_ms
from croupier.documents.table_test_record import GradedAct, TableTest, table_test
from croupier.errors import BadInput, Refusal, Unknown
from croupier.games import find
from croupier.ledger.aggregates.approval_messages import SignTest
from croupier.ledger.aggregates.approval_state import SignedTest
from croupier.ledger.aggregates.approvals import TABLE_TEST_CLAUSE
from croupier.money import Cents
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.person import Person
from croupier.server.floor import OPENER, Floor
from croupier.server.school.grading import ROUTINE, grade_act, grade_name, paying_seat
from croupier.server.school.school_messages import (
    SCHOOL,
    ActChoice,
    BeginLesson,
    ExaminerVerdict,
    Lesson,
    LessonState,
    LessonView,
)
from croupier.server.school.simulated_people import SimulatedPeople
from croupier.submission import example
from croupier.table import Account, Command, kind_of
from croupier.table import commands as cmd

TRAINED = "COMAR 36.05.03.17"  # a training program
ROUNDS_MAX = 20
PASS_MARK_MIN = 50
REMARK_MAX = 500  # characters

lesson_table = sa.Table(
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
    """The lessons and table tests of one floor. Methods that are not coroutines block."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.engine = floor.accounts.engine
        self.record = floor.ledger.approvals
        self._signed: dict[str, Lesson] = {}  # signed tests never change
        self._locks: dict[str, asyncio.Lock] = {}  # by table

    # Storage

    def all(self) -> list[Lesson]:
        """Every lesson, the newest first; signed ones as the ledger has them."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(lesson_table.c.content)).all()
        stored = [msgspec.json.decode(row.content, type=Lesson) for row in rows]
        signed = [self._signed_lesson(id) for id in self.tests()]
        lessons = {lesson.id: lesson for lesson in (*stored, *signed)}.values()
        return sorted(lessons, key=lambda lesson: lesson.begun, reverse=True)

    def tests(self) -> dict[str, SignedTest]:
        """Every signed test, by lesson id."""
        with self.record.lock:
            return dict(self.record.refresh().tests)

    def _signed_lesson(self, id: str) -> Lesson:
        if id not in self._signed:
            entry = self.record.find_recorded(signing_id(id))
            assert entry is not None and isinstance(entry.envelope.command, SignTest)
            test = entry.envelope.command
            self._signed[id] = Lesson(
                id=id,
                table=test.table,
                game=test.game,
                house=test.house,
                trainee=test.trainee,
                rounds=test.rounds,
                irregular=any(grade.irregularity for grade in test.grades),
                begun=test.begun,
                state="done",
                grades=test.grades,
            )
        return self._signed[id]

    def find(self, name: str) -> Lesson:
        """A lesson by its id or its table; raises UnknownLesson."""
        for lesson in self.all():
            if name in (lesson.id, lesson.table):
                return lesson
        raise UnknownLesson(name[:80])

    def _save(self, lesson: Lesson) -> None:
        content = msgspec.json.encode(lesson).decode()
        row = {"id": lesson.id, "begun": lesson.begun, "content": content}
        with self.engine.begin() as connection:
            connection.execute(lesson_table.delete().where(lesson_table.c.id == lesson.id))
            connection.execute(lesson_table.insert().values(**row))

    # A lesson from its start to its end

    async def begin(self, trainee: str, request: BeginLesson) -> Lesson:
        """Open a table for a new lesson. Cancels a running lesson of the trainee."""
        if not 1 <= request.rounds <= ROUNDS_MAX:
            raise BadInput(f"rounds: expected 1 to {ROUNDS_MAX}, got {request.rounds}")
        if request.pass_mark and not PASS_MARK_MIN <= request.pass_mark <= 100:
            expected = f"0 for none, or {PASS_MARK_MIN} to 100 percent"
            raise BadInput(f"pass_mark: expected {expected}, got {request.pass_mark}")
        if self.floor.ledger.purpose != "practice":
            raise Refusal("lessons are not held on a live ledger", TRAINED)
        game = find(request.game)
        lessons = await asyncio.to_thread(self.all)
        for lesson in lessons:
            if lesson.trainee == trainee and lesson.state == "running":
                await self._end(lesson, "broken off")
        house = example(game.key)
        number = 1 + sum(lesson.trainee == trainee for lesson in lessons)
        new = Lesson(
            id=secrets.token_hex(4),
            table=f"{SCHOOL}{trainee} {number}",
            game=game.key,
            house=house.digest,
            trainee=trainee,
            rounds=request.rounds,
            irregular=request.irregular,
            prompts=request.prompts,
            hard_payouts=request.hard_payouts,
            pass_mark=request.pass_mark,
            begun=now_ms(),
            since=now_ms(),
            seed=secrets.token_hex(16),
        )
        host = await self.floor.open(new.table, house, service="attended")
        await asyncio.to_thread(self.floor.accounts.grant, trainee, "dealer", new.table)
        people = SimulatedPeople(host, new)
        await people.open()
        await people.serve()
        await asyncio.to_thread(self._save, new)
        return new

    async def act(
        self, table: str, command: Command | None, pays: Cents | None, names: str = ""
    ) -> Lesson:
        """Grade one act of the trainee; execute it if it is right.

        Without a command, the trainee only names an act, which is graded if it is not due.
        """
        async with self._locks.setdefault(table, asyncio.Lock()):
            lesson = await asyncio.to_thread(self.find, table)
            if lesson.state != "running":
                raise Refusal(f"{table}: the lesson is {lesson.state}", TRAINED)
            people = SimulatedPeople(self.floor.table_host(table), lesson)
            if command is None:
                wrong = grade_name(people, names)
                if wrong is None:
                    return lesson
                grade = wrong
            else:
                grade = await grade_act(people, command, pays)
            lesson = msgspec.structs.replace(lesson, grades=(*lesson.grades, grade))
            if grade.right:
                await people.serve()
                lesson = _continue(people, lesson)
            if people.over and lesson.trouble is None:
                return await self._end(lesson, "done")
            await asyncio.to_thread(self._save, lesson)
        return lesson

    async def _end(self, lesson: Lesson, state: LessonState) -> Lesson:
        """The trainee leaves the table, and the table leaves the floor."""
        ended = msgspec.structs.replace(lesson, state=state, ended=now_ms(), trouble=None)
        host = self.floor.table_hosts.get(lesson.table) or await self.floor.open(lesson.table)
        people = SimulatedPeople(host, lesson)
        if people.offered(cmd.LeavePost) is not None:
            await people.do(cmd.LeavePost(), people.trainee)
        elif people.table.dealing is not None or people.table.layout:  # a dealer is then relieved
            await people.do(cmd.TakePost(), Account(f"relief of {lesson.id}", "dealer"))
        await asyncio.to_thread(self._save, ended)
        await asyncio.to_thread(self.floor.submissions.take_off, lesson.table, OPENER)
        await self.floor.withdraw(lesson.table)
        return ended

    # Table tests

    def sign(self, lesson: Lesson, examiner: str, verdict: ExaminerVerdict) -> SignedTest:
        """Record the examiner's verdict, once."""
        if lesson.state != "done":
            raise Refusal(f"{lesson.table}: the lesson is {lesson.state}", TABLE_TEST_CLAUSE)
        if verdict.passed and score(lesson) < lesson.pass_mark:
            problem = (
                f"{score(lesson)}% of the acts are right; the pass mark is {lesson.pass_mark}%"
            )
            raise Refusal(problem, TABLE_TEST_CLAUSE)
        command = SignTest(
            lesson=lesson.id,
            trainee=lesson.trainee,
            table=lesson.table,
            game=lesson.game,
            house=lesson.house,
            rounds=lesson.rounds,
            begun=lesson.begun,
            grades=lesson.grades,
            passed=verdict.passed,
            remark=_remark(lesson, verdict),
        )
        self.record.do(command, Account(examiner, "pit_manager"), id=signing_id(lesson.id))
        return self.tests()[lesson.id]

    def test_record(self, lesson: Lesson) -> bytes:
        """The record of a signed table test as PDF."""
        signed = self.tests().get(lesson.id)
        if signed is None:
            raise Refusal(f"{lesson.table} has no verdict yet", TABLE_TEST_CLAUSE)
        acts = tuple(
            GradedAct(
                round=grade.round,
                due=grade.due,
                done=grade.done,
                clause=grade.clause,
                right=grade.right,
                note=grade.note,
                milliseconds=grade.milliseconds,
                payout=grade.payout,
                irregularity=grade.irregularity,
            )
            for grade in lesson.grades
        )
        test = TableTest(
            table=lesson.table,
            trainee=lesson.trainee,
            examiner=signed.examiner,
            passed=signed.passed,
            remark=signed.remark,
            begun=lesson.begun,
            signed=signed.signed,
            rounds=lesson.rounds,
            acts=acts,
        )
        return table_test(self.floor.ledger.house(lesson.house), test).pdf()

    def view(self, lesson: Lesson, viewer: Person, test: SignedTest | None = None) -> LessonView:
        """The lesson as its trainee or an examiner sees it."""
        host = self.floor.table_hosts.get(lesson.table)
        running = host is not None and lesson.state == "running"
        people = SimulatedPeople(host, lesson) if host is not None and running else None
        times = [grade.milliseconds for grade in lesson.grades if grade.payout and grade.right]
        return LessonView(
            id=lesson.id,
            table=lesson.table,
            game=lesson.game,
            title=find(lesson.game).title,
            trainee=lesson.trainee,
            state=lesson.state,
            rounds=lesson.rounds,
            played=people.played if people is not None else lesson.rounds,
            grades=lesson.grades,
            right=sum(grade.right for grade in lesson.grades),
            score=score(lesson),
            pass_mark=lesson.pass_mark,
            prompts=lesson.prompts,
            hard_payouts=lesson.hard_payouts,
            sequence=host.sequence if host is not None and running else 0,
            acts=tuple(ActChoice(kind_of(kind), title) for kind, title in ROUTINE.items()),
            payouts=len(times),
            payout_milliseconds=sum(times) // len(times) if times else 0,
            said=lesson.trouble.said if lesson.trouble is not None else "",
            shoe=people.shoe() if people is not None and lesson.trouble is None else (),
            paying=paying_seat(people) if people is not None and lesson.prompts else 0,
            examiner=test.examiner if test is not None else "",
            passed=test.passed if test is not None else None,
            remark=test.remark if test is not None else "",
            may_examine=lesson.state == "done" and test is None and can_examine(viewer, lesson),
        )


def score(lesson: Lesson) -> int:
    """The share of right acts in percent, rounded down."""
    right = sum(grade.right for grade in lesson.grades)
    return 100 * right // len(lesson.grades) if lesson.grades else 0


def _remark(lesson: Lesson, verdict: ExaminerVerdict) -> str:
    """The examiner's remark; with a pass mark, the mark and the score are recorded with it."""
    remark = verdict.remark.strip()[:REMARK_MAX]
    mark = f"score {score(lesson)}%, pass mark {lesson.pass_mark}%" if lesson.pass_mark else ""
    return "; ".join(filter(None, (remark, mark)))


def _continue(people: SimulatedPeople, lesson: Lesson) -> Lesson:
    """After a right act: time the next one from now, which may be an irregularity."""
    trouble, current = people.trouble(), people.table.dealing
    number = current.number if trouble is not None and current is not None else lesson.troubled
    return msgspec.structs.replace(lesson, since=now_ms(), trouble=trouble, troubled=number)


def can_examine(person: Person, lesson: Lesson) -> bool:
    """Whether a person is a pit manager and not the trainee."""
    return person.id != lesson.trainee and "pit_manager" in person.roles_at(lesson.table)


def signing_id(id: str) -> str:
    """The command id under which a lesson is signed, so that it is signed once."""
    return f"test {id}"

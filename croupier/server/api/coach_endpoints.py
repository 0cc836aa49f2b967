"""The coach of practice tables: what each option is worth, what a round has taught.

At a live table nobody is advised, and nobody who sits at one is (R66).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.coach import (
    Best,
    ReviewedRound,
    added,
    again,
    coach_messages,
    follow,
    solved,
    valued_all,
    worth_of,
)
from croupier.errors import BadInput, Refusal
from croupier.games import House
from croupier.server.auth.guard import body_of, session_token
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import decode_again
from croupier.server.tables.host import TableHost, TooFarBehind

if TYPE_CHECKING:
    from croupier.server.app import Server

NO_DEVICES = "COMAR 36.05.03.13A"  # no device that projects outcomes or develops a strategy
KEPT_ROUNDS = 20  # that may be played again


@dataclass(slots=True)
class Learned:
    """What one player has been taught at one table since the coach began to look."""

    after: int  # the last entry that was read
    open: ReviewedRound | None = None  # the round whose entries are not all there
    rounds: dict[int, ReviewedRound] = field(default_factory=dict)
    choices: dict[int, tuple[coach_messages.ReviewedChoice, ...]] = field(default_factory=dict)
    account: coach_messages.Mistakes = coach_messages.NOTHING
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # nothing is read or counted twice


class Coaching:
    """The coach of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.learned: dict[tuple[str, str], Learned] = {}
        self._solving: dict[str, asyncio.Task[Best]] = {}

    async def pupil(self, request: Request) -> tuple[str, TableHost]:
        """A player at a practice table; anybody else is refused."""
        person, desk, roles = await self.server.at_table(request, "advice")
        self.server.guard.limit("commands", session_token(request))
        live = [
            other.id
            for other in self.server.floor.desks.values()
            if other.table.live and other.table.seats.seat_of(person.id) is not None
        ]
        if desk.table.live or desk.runner is None or live:
            await self.server.deny(request, person.id, "advice", f"at {(live or [desk.id])[0]}")
            raise Refusal(f"nobody is advised at {(live or [desk.id])[0]}", NO_DEVICES)
        if "player" not in roles:
            await self.server.deny(request, person.id, "advice", "not a player")
            raise Forbidden(f"{person.id} is no player here")
        return person.id, desk

    async def best(self, house: House) -> Best | None:
        """The best play of a House; None while it is worked out, which may take minutes."""
        task = self._solving.get(house.digest)
        if task is None:
            task = asyncio.ensure_future(asyncio.to_thread(solved, house))
            self._solving[house.digest] = task
        done, _ = await asyncio.wait((task,), timeout=2.0)
        if not done:
            return None
        if task.exception() is not None:
            del self._solving[house.digest]
        try:
            return task.result()
        except ImportError:
            raise BadInput("advice needs croupier[analysis]") from None

    async def advice(self, request: Request) -> Response:
        """What each option of the own box is worth now, the best first."""
        player, desk = await self.pupil(request)
        self.learner(player, desk)  # the account begins where somebody asks
        current, due = desk.table.dealing, desk.table.due()
        if current is None or due.kind != "decide" or current.boxes[due.seat].player != player:
            return json_response(
                coach_messages.CoachAdvice(ready=True, seat=0, street="", options=())
            )
        from croupier.analysis import information_set

        street, cards, board, made = information_set(current, due.seat)
        ante = current.boxes[due.seat].stakes[current.game.ante.name]
        best = await self.best(desk.table.house)
        if best is None:
            return json_response(
                coach_messages.CoachAdvice(ready=False, seat=due.seat, street=street, options=())
            )
        answers = await asyncio.to_thread(best.strategy.ask, street, cards, board, made)
        options = tuple(worth_of(one.option, one.ev, answers[0].ev, ante) for one in answers)
        return json_response(
            coach_messages.CoachAdvice(ready=True, seat=due.seat, street=street, options=options)
        )

    def learner(self, player: str, desk: TableHost) -> Learned:
        """What a player has been taught here; it begins with the first question."""
        return self.learned.setdefault((desk.id, player), Learned(desk.sequence))

    async def look(self, learned: Learned, player: str, desk: TableHost) -> None:
        """Read what has happened since; whoever was away for too long begins anew."""
        try:
            lines = await desk.missed(learned.after)
        except TooFarBehind:
            learned.after, learned.open = desk.sequence, None
            return
        learned.after = lines[-1].sequence if lines else learned.after
        events = (event for line in lines for event in line.events)
        found = tuple(follow(desk.table.house, events, learned.open))
        learned.open = found[-1] if found else None
        current = desk.table.round
        for played in found:
            if played.closed and player in played.players.values():
                learned.rounds[played.number] = played
                if current is not None and current.number == played.number:
                    played.meters = dict(current.meters_before)
        for number in sorted(learned.rounds)[:-KEPT_ROUNDS]:
            learned.rounds.pop(number)
            learned.choices.pop(number, None)

    async def lesson(self, request: Request) -> Response:
        """The last round's decisions, the one that mattered, and the account so far."""
        player, desk = await self.pupil(request)
        learned = self.learner(player, desk)
        async with learned.turn:
            ready = await self.judge(learned, player, desk)
        number = max(learned.choices, default=0)
        choices = learned.choices.get(number, ())
        mattered = max(choices, key=lambda one: one.cost, default=None)
        told = coach_messages.RoundReview(
            ready=ready,
            round=number,
            choices=choices,
            mattered=mattered if mattered is not None and mattered.cost else None,
            account=learned.account,
        )
        return json_response(told)

    async def judge(self, learned: Learned, player: str, desk: TableHost) -> bool:
        """Judge every round that is not judged yet; False while the best play is worked out."""
        await self.look(learned, player, desk)
        fresh = [number for number in sorted(learned.rounds) if number not in learned.choices]
        best = await self.best(desk.table.house) if fresh else None
        if best is None:
            return not fresh
        for number in fresh:
            played = learned.rounds[number]
            own = [one for one in played.asked if played.players[one.seat] == player]
            choices = await asyncio.to_thread(valued_all, best.strategy, own)
            learned.choices[number] = choices
            stakes = {} if played.void else played.stakes  # a void round is nobody's luck
            boxes = [seat for seat, name in played.players.items() if name == player]
            learned.account = added(
                learned.account,
                choices,
                net=sum(played.net(seat) for seat in boxes),
                expected=sum(
                    (best.expected(stakes[seat]) for seat in boxes if seat in stakes), Fraction(0)
                ),
            )
        return True

    async def again(self, request: Request) -> Response:
        """A round that is over, with the same deck and other words."""
        player, desk = await self.pupil(request)
        given = decode_again(await body_of(request))
        learned = self.learner(player, desk)
        async with learned.turn:
            await self.look(learned, player, desk)
        played = learned.rounds.get(given.round)
        if played is None or played.players.get(given.seat) != player:
            raise BadInput(f"{player} has no box {given.seat} in a kept round {given.round}")
        if played.void:
            raise BadInput(f"round {given.round} was void")
        told = await asyncio.to_thread(again, desk.table.house, played, given.seat, given.words)
        return json_response(told)


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of the coach."""
    coach = Coaching(server)
    return [
        Route("/tables/{table}/advice", coach.advice),
        Route("/tables/{table}/lesson", coach.lesson),
        Route("/tables/{table}/again", coach.again, methods=["POST"]),
    ]

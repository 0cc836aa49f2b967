"""Coach endpoints of practice tables: the value of each option, and reviews of played rounds.

A live table has no coach, and a player seated at a live table gets none anywhere (R66).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

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
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import read_json
from croupier.server.tables.host import TableHost, TooFarBehind

if TYPE_CHECKING:
    from croupier.server.app import Server

NO_DEVICES = "COMAR 36.05.03.13A"  # no device that projects outcomes or develops a strategy
MAX_REPLAYABLE_ROUNDS = 20
SOLVING_SECONDS = 2.0  # to wait for a solution before the reply is "not ready"
ERRORS = "400 410 422"


@dataclass(slots=True)
class CoachingSession:
    """The rounds of one player at one table since the player first asked the coach."""

    after: int  # the last entry that was read
    open: ReviewedRound | None = None  # the round whose entries are not complete
    rounds: dict[int, ReviewedRound] = field(default_factory=dict)
    choices: dict[int, tuple[coach_messages.ReviewedChoice, ...]] = field(default_factory=dict)
    account: coach_messages.Mistakes = coach_messages.NOTHING
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # no entry is counted twice


class CoachEndpoints(EndpointGroup):
    """The coach of one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._sessions: dict[tuple[str, str], CoachingSession] = {}  # by table and player
        self._solving: dict[str, asyncio.Task[Best]] = {}  # by the digest of a House

    @endpoint("GET", "/tables/{table}/advice", gives=coach_messages.CoachAdvice, errors=ERRORS)
    async def advice(self, request: Request) -> Response:
        """The value of each option of the player's box now, the best first."""
        player, host = await self._practice_player(request)
        self._session(player, host)  # the review starts with the first request
        current, due = host.table.dealing, host.table.due()
        if current is None or due.kind != "decide" or current.boxes[due.seat].player != player:
            return json_response(
                coach_messages.CoachAdvice(ready=True, seat=0, street="", options=())
            )
        from croupier.analysis import at_table

        street, cards, board, made = at_table(current, due.seat)
        ante = current.boxes[due.seat].stakes[current.game.ante.name]
        best = await self._best_play(host.table.house)
        if best is None:
            return json_response(
                coach_messages.CoachAdvice(ready=False, seat=due.seat, street=street, options=())
            )
        answers = await asyncio.to_thread(best.strategy.ask, street, cards, board, made)
        options = tuple(
            worth_of(answer.option, answer.ev, answers[0].ev, ante) for answer in answers
        )
        return json_response(
            coach_messages.CoachAdvice(ready=True, seat=due.seat, street=street, options=options)
        )

    @endpoint("GET", "/tables/{table}/lesson", gives=coach_messages.RoundReview, errors=ERRORS)
    async def lesson(self, request: Request) -> Response:
        """The decisions of the last round, the costliest one, and the mistakes so far."""
        player, host = await self._practice_player(request)
        session = self._session(player, host)
        async with session.lock:
            ready = await self._review(session, player, host)
        number = max(session.choices, default=0)
        choices = session.choices.get(number, ())
        costliest = max(choices, key=lambda choice: choice.cost, default=None)
        return json_response(
            coach_messages.RoundReview(
                ready=ready,
                round=number,
                choices=choices,
                mattered=costliest if costliest is not None and costliest.cost else None,
                account=session.account,
            )
        )

    @endpoint(
        "POST",
        "/tables/{table}/again",
        takes=coach_messages.PlayAgain,
        gives=coach_messages.Again,
        errors="410",
    )
    async def again(self, request: Request) -> Response:
        """Replay a finished round with the same deck and other decisions."""
        player, host = await self._practice_player(request)
        message = await read_json(request, coach_messages.PlayAgain)
        session = self._session(player, host)
        async with session.lock:
            await self._read_entries(session, player, host)
        played = session.rounds.get(message.round)
        if played is None or played.players.get(message.seat) != player:
            raise BadInput(
                f"round {message.round}, seat {message.seat}: not a recent round of {player}"
            )
        if played.void:
            raise BadInput(f"round {message.round} was void")
        result = await asyncio.to_thread(
            again, host.table.house, played, message.seat, message.words
        )
        return json_response(result)

    async def _practice_player(self, request: Request) -> tuple[str, TableHost]:
        """A player at a practice table; everyone else is refused."""
        person, host, roles = await self.guard.command_access(request, "advice")
        live = [
            other.id
            for other in self.floor.table_hosts.values()
            if other.table.live and other.table.seats.seat_of(person.id) is not None
        ]
        if host.table.live or host.driver is None or live:
            table = (live or [host.id])[0]
            await self.guard.deny(request, person.id, "advice", f"at {table}")
            raise Refusal(f"the coach does not advise at {table}", NO_DEVICES)
        if "player" not in roles:
            await self.guard.deny(request, person.id, "advice", "not a player")
            raise Forbidden(f"{person.id} is not a player here")
        return person.id, host

    def _session(self, player: str, host: TableHost) -> CoachingSession:
        return self._sessions.setdefault((host.id, player), CoachingSession(host.sequence))

    async def _best_play(self, house: House) -> Best | None:
        """The best play of a House; None while it is solved, which may take minutes."""
        task = self._solving.get(house.digest)
        if task is None:
            task = asyncio.ensure_future(asyncio.to_thread(solved, house))
            self._solving[house.digest] = task
        done, _ = await asyncio.wait((task,), timeout=SOLVING_SECONDS)
        if not done:
            return None
        if task.exception() is not None:
            del self._solving[house.digest]
        try:
            return task.result()
        except ImportError:
            raise BadInput("advice needs croupier[analysis]") from None

    async def _read_entries(self, session: CoachingSession, player: str, host: TableHost) -> None:
        """Read the entries since the last time; after too many of them the session restarts."""
        try:
            entries = await host.entries_after(session.after)
        except TooFarBehind:
            session.after, session.open = host.sequence, None
            return
        session.after = entries[-1].sequence if entries else session.after
        events = (event for entry in entries for event in entry.events)
        rounds = tuple(follow(host.table.house, events, session.open))
        session.open = rounds[-1] if rounds else None
        current = host.table.round
        for played in rounds:
            if played.closed and player in played.players.values():
                session.rounds[played.number] = played
                if current is not None and current.number == played.number:
                    played.meters = dict(current.meters_before)
        for number in sorted(session.rounds)[:-MAX_REPLAYABLE_ROUNDS]:
            session.rounds.pop(number)
            session.choices.pop(number, None)

    async def _review(self, session: CoachingSession, player: str, host: TableHost) -> bool:
        """Review every new round; False while the best play is being solved."""
        await self._read_entries(session, player, host)
        new = [number for number in sorted(session.rounds) if number not in session.choices]
        best = await self._best_play(host.table.house) if new else None
        if best is None:
            return not new
        for number in new:
            played = session.rounds[number]
            own = [choice for choice in played.asked if played.players[choice.seat] == player]
            choices = await asyncio.to_thread(valued_all, best.strategy, own)
            session.choices[number] = choices
            stakes = {} if played.void else played.stakes  # a void round has no expectation
            boxes = [seat for seat, name in played.players.items() if name == player]
            session.account = added(
                session.account,
                choices,
                net=sum(played.net(seat) for seat in boxes),
                expected=sum(
                    (best.expected(stakes[seat]) for seat in boxes if seat in stakes), Fraction(0)
                ),
            )
        return True

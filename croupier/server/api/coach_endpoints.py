"""Coach endpoints of practice tables: the value of each option, and reviews of played rounds.

A live table has no coach, and a player seated at a live table gets none anywhere (R66).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from croupier.coach import (
    ReviewedRound,
    SolvedGame,
    coach_messages,
    collect_rounds,
    option_value,
    replay_round,
    review_decisions,
)
from croupier.errors import BadInput, Refusal
from croupier.games import House
from croupier.ledger import NotFound
from croupier.ledger.entry_codec import decode_entry
from croupier.ledger.queries.rounds import opening_sequence
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import read_json
from croupier.server.practice.practice_history import PracticeHistoryStore
from croupier.server.tables.host import TableHost, TooFarBehind
from croupier.table import Event
from croupier.table import events as ev

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
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # no entry is counted twice


class CoachEndpoints(EndpointGroup):
    """The coach of one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._sessions: dict[tuple[str, str], CoachingSession] = {}  # by table and player
        self._history = PracticeHistoryStore(server.floor.accounts.engine)

    @endpoint(
        "GET", "/tables/{table}/advice", gives=coach_messages.CoachAdvice, errors=ERRORS, cost=20
    )
    async def advice(self, request: Request) -> Response:
        """The value of each option of the player's box now, the best first."""
        player, host = await self._practice_player(request)
        self._session(player, host)  # the review starts with the first request
        current, due = host.table.dealing, host.table.due()
        if current is None or due.kind != "decide" or current.boxes[due.seat].player != player:
            return json_response(
                coach_messages.CoachAdvice(ready=True, seat=0, street="", options=())
            )
        from croupier.analysis import explain, information_set

        street, cards, board, made = information_set(current, due.seat)
        ante = current.boxes[due.seat].stakes[current.game.ante.name]
        best = await self._best_play(host.table.house)
        if best is None:
            return json_response(
                coach_messages.CoachAdvice(ready=False, seat=due.seat, street=street, options=())
            )
        answers = await asyncio.to_thread(best.strategy.ask, street, cards, board, made)
        assert current.street is not None
        why = await asyncio.to_thread(
            explain, current.game, current.street, cards, board, answers[0].option
        )
        options = tuple(
            option_value(answer.option, answer.ev, answers[0].ev, ante) for answer in answers
        )
        return json_response(
            coach_messages.CoachAdvice(
                ready=True,
                seat=due.seat,
                street=street,
                options=options,
                why=why,
                close=await asyncio.to_thread(best.is_close, current, due.seat),
            )
        )

    @endpoint(
        "GET", "/tables/{table}/lesson", gives=coach_messages.RoundReview, errors=ERRORS, cost=20
    )
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
                account=await asyncio.to_thread(
                    self._history.totals, player, host.table.house.game.key
                ),
            )
        )

    @endpoint("GET", "/coach/history", gives=coach_messages.PracticeHistory)
    async def history(self, request: Request) -> Response:
        """The player's totals with the coach on every day."""
        person = await self.guard.person(request)
        return json_response(await asyncio.to_thread(self._history.history, person.id))

    @endpoint("DELETE", "/coach/history", gives=coach_messages.PracticeHistory)
    async def delete_history(self, request: Request) -> Response:
        """Delete the player's own totals."""
        person = await self.guard.person(request)
        await asyncio.to_thread(self._history.delete, person.id)
        return json_response(coach_messages.PracticeHistory(()))

    @endpoint(
        "POST",
        "/tables/{table}/again",
        takes=coach_messages.ReplayRequest,
        gives=coach_messages.ReplayedRound,
        errors="410",
        cost=20,
    )
    async def again(self, request: Request) -> Response:
        """Replay a finished round with the same deck and other decisions."""
        player, host = await self._practice_player(request)
        message = await read_json(request, coach_messages.ReplayRequest)
        session = self._session(player, host)
        async with session.lock:
            await self._read_entries(session, player, host)
        played = session.rounds.get(message.round)
        if played is None:
            played = await asyncio.to_thread(self._recorded_round, host, message.round)
        if played is None or played.players.get(message.seat) != player:
            raise BadInput(
                f"round {message.round}, seat {message.seat}: not a recent round of {player}"
            )
        if played.void:
            raise BadInput(f"round {message.round} was void")
        result = await asyncio.to_thread(
            replay_round, host.table.house, played, message.seat, message.words
        )
        return json_response(result)

    def _recorded_round(self, host: TableHost, number: int) -> ReviewedRound | None:
        """A finished round from the ledger, with its deck; None if it is not on record."""
        store, stream = host.recorded_table.store, host.recorded_table.stream
        try:
            first = opening_sequence(self.floor.ledger, stream, number)
        except NotFound:
            return None
        events = (
            event
            for stored in store.read(stream, after=first - 1)
            for event in decode_entry(stored).events
        )
        rounds = collect_rounds(host.table.submitted, _until_deck(events), None)
        return next((played for played in rounds if played.closed), None)

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

    async def _best_play(self, house: House) -> SolvedGame | None:
        """The best play of a House; None while it is solved, which may take minutes."""
        task = self.floor.solved_games.solve(house)
        done, _ = await asyncio.wait((task,), timeout=SOLVING_SECONDS)
        if not done:
            return None
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
        rounds = tuple(collect_rounds(host.table.house, events, session.open))
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
            own = [choice for choice in played.decisions if played.players[choice.seat] == player]
            game = host.table.house.game
            choices = await asyncio.to_thread(review_decisions, best.strategy, own, game)
            session.choices[number] = choices
            stakes = {} if played.void else played.stakes  # a void round has no expectation
            boxes = [seat for seat, name in played.players.items() if name == player]
            await asyncio.to_thread(
                self._history.add,
                player,
                game.key,
                choices,
                net=sum(played.net(seat) for seat in boxes),
                expected=sum(
                    (best.expected(stakes[seat]) for seat in boxes if seat in stakes), Fraction(0)
                ),
            )
        return True


def _until_deck(events: Iterable[Event]) -> Iterator[Event]:
    """The events of one round, including the deck that is revealed after it."""
    for event in events:
        yield event
        if isinstance(event, ev.DeckRevealed):
            return

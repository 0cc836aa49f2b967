"""The way in: who sits at the keyboard decides whether a game is played or demonstrated."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TextIO

from croupier.errors import BadInput
from croupier.games import Game, House
from croupier.money import Cents, dollars
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bankroll import Bank, home, read_bankroll
from croupier.terminal.coach_thread import CoachThread, Solve
from croupier.terminal.game_loop import GameSession
from croupier.terminal.io import input, input_parser
from croupier.terminal.io.output import WIDEST, Screen, measure
from croupier.terminal.io.prompt import Conversation
from croupier.terminal.io.styled_text import line, listed
from croupier.terminal.table_factory import OpenTable, tables

SEATS = 6


def play(
    *,
    game: str = "",
    seed: int | None = None,
    submission: str | Path | None = None,
    bankroll: object = None,
    start_over: bool = False,
    seats: Sequence[int] = (),
    players: int = 0,
    answers: bool = False,
    ascii: bool = False,
    plain: bool = False,
    full_procedure: bool = False,
    record: str | Path | None = None,
    solve: Solve | None = None,
    drill: bool = False,
    best: Solve | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    reading: input.Reader | None = None,
) -> int:
    """Let a person play, follow answers from a pipe, or demonstrate every game; the exit status.

    Raises a CroupierError for options that cannot be. `bankroll` is in dollars, for this evening
    alone; with `start_over` it replaces the remembered one. `answers` reads them from standard
    input though it is no terminal; with a seed that happens by itself when there is something to
    read. `record` is a practice ledger to keep every round in. `solve` brings the coach, who
    grades every decision; a `drill` deals only close ones; `best` decides in a demonstration. On a
    terminal the game has a window of its own, unless it is to be `plain`. `reading` replaces the
    keyboard.
    """
    chosen = input_parser.pick_game(input_parser.tidy(game)) if game else None
    house_of, chosen = houses(submission, chosen)
    boxes = check_boxes(seats or (1,), players)
    check_drill(drill, solve, boxes, players)
    amount = None if bankroll is None else read_bankroll(bankroll)
    output = stdout or sys.stdout
    source = stdin if stdin is not None else input.standard_input()
    listen, screen = listener(
        source, output, seeded=seed is not None, patient=answers, ascii=ascii, reading=reading
    )
    if listen is None:
        from croupier.terminal.demonstration import SEED, demonstrate

        games = [chosen] if chosen else None
        return demonstrate(screen, SEED if seed is None else seed, house_of, games, best)
    people = Evening(
        house_of=house_of,
        chosen=chosen,
        seed=seed,
        seats=boxes,
        players=players,
        full_procedure=full_procedure,
        drill=drill,
        solve=solve,
    )

    def evening(talk: Conversation) -> None:
        purse = closing(purse_for(amount, start_over))
        with purse as bank, tables(record) as open_table, input.interrupts_wait():
            people.spend(talk, bank, open_table, watched=screen.watched)

    if reading is None and windowed(screen, plain=plain, walked=full_procedure):
        from croupier.terminal.textual.textual_app import spend

        screen.show(spend(evening, ascii=screen.ascii))
    else:
        evening(Conversation(screen, listen))
    return 0


def windowed(screen: Screen, *, plain: bool, walked: bool) -> bool:
    """Whether the game is played in a window: on a terminal that can move its cursor.

    The opening of an attended table is a long text to follow, so that it stays on plain lines.
    """
    dumb = os.environ.get("TERM", "") in ("", "dumb", "unknown")
    return screen.watched and not (plain or walked or dumb) and find_spec("textual") is not None


class Evening(NamedTuple):
    """What somebody has chosen to do, wherever it is shown."""

    house_of: Callable[[Game], House]
    chosen: Game | None
    seed: int | None
    seats: tuple[int, ...]
    players: int
    full_procedure: bool
    drill: bool
    solve: Solve | None

    def spend(
        self, talk: Conversation, bank: Bank, open_table: OpenTable, *, watched: bool
    ) -> None:
        """Play until the person leaves; where nobody watches, the coach is waited for."""
        tutor = None if self.solve is None else CoachThread(self.solve, patient=not watched)
        session = GameSession(
            talk=talk,
            bank=bank,
            shuffler=Shuffler(self.seed),
            house_of=self.house_of,
            seats=self.seats,
            players=self.players,
            tutor=tutor,
            drill=self.drill,
            remember_meters=self.seed is None,
            opening=self.full_procedure,
            open_table=open_table,
        )
        try:
            session.run(self.chosen)
        finally:
            if tutor is not None:
                tutor.close()


def purse_for(amount: Cents | None, start_over: bool) -> Bank:
    """The remembered bankroll; or chips for one evening, which leave the remembered one alone."""
    if amount is None:
        return Bank(home())
    bank = Bank(home() if start_over else None)
    bank.start_over(amount)
    if not start_over:
        kept = "The remembered bankroll stays as it is; --start-over replaces it."
        bank.notices.append(f"You play with {dollars(amount)} for this evening only. {kept}")
    return bank


def check_drill(drill: bool, solve: Solve | None, seats: Sequence[int], players: int) -> None:
    """Refuse a drill that cannot be."""
    if drill and solve is None:
        raise BadInput("a drill needs the coach: croupier[analysis], and not --no-coach")
    if drill and (len(seats) > 1 or players):
        raise BadInput("a drill is for one box alone, without other players")


def listener(
    source: TextIO | None,
    output: TextIO,
    *,
    seeded: bool,
    patient: bool,
    ascii: bool,
    reading: input.Reader | None,
) -> tuple[input.Reader | None, Screen]:
    """Who answers, and on what screen; nobody where standard input is no terminal and silent."""
    if reading is not None:
        return reading, Screen(output, ascii=ascii)
    if source is not None and source.isatty():
        input.forgiving(source)
        width, height = measure()
        watched = output.isatty()
        screen = Screen(output, width=width, height=height if watched else None, ascii=ascii)
        return input.person, screen
    width = measure()[0] if output.isatty() else WIDEST
    screen = Screen(output, width=width, ascii=ascii)
    if source is None or not (seeded or patient) or not (patient or input.has_content(source)):
        return None, screen
    first = input.forgiving(source).readline()
    if not first and not patient:
        return None, screen
    lines = chain([first], iter(source.readline, ""))
    return input.script(lines, lambda text: screen.show([line(text)])), screen


def houses(
    submission: str | Path | None, chosen: Game | None
) -> tuple[Callable[[Game], House], Game | None]:
    """The House of each game: the example's, or the one of the submission; and the game to play."""
    from croupier import submission as submissions

    built: dict[str, House] = {}
    if submission is not None:
        house = submissions.load(submission)
        if chosen is not None and chosen.key != house.game.key:
            raise BadInput(f"{submission} is a submission for {house.game.key}, not {chosen.key}")
        built[house.game.key] = house
        chosen = house.game

    def house_of(game: Game) -> House:
        if game.key not in built:
            built[game.key] = submissions.example(game.key)
        return built[game.key]

    return house_of, chosen


def check_boxes(seats: Sequence[int], players: int) -> tuple[int, ...]:
    """The player's boxes, if they and the other players fit at one table."""
    boxes = tuple(sorted(set(seats)))
    if not all(1 <= seat <= SEATS for seat in boxes):
        raise BadInput(f"seat {listed(list(map(str, boxes)), 'and')}: expected 1 to {SEATS}")
    if not 0 <= players <= SEATS - len(boxes):
        free = SEATS - len(boxes)
        raise BadInput(f"{players} other players: expected 0 to {free} at a table of {SEATS}")
    return boxes

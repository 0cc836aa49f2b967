"""Sets up a terminal session: checks options, loads Houses, selects the user interface."""

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
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.money import Cents, dollars
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bankroll import Bankroll, data_folder, parse_bankroll
from croupier.terminal.coach_thread import CoachThread, Solve
from croupier.terminal.game_loop import GameSession
from croupier.terminal.io import input_parser, line_reader
from croupier.terminal.io.output import MAX_WIDTH, Screen, terminal_size
from croupier.terminal.io.prompt import TextInterface
from croupier.terminal.io.styled_text import line
from croupier.terminal.table_factory import OpenTable, table_factory
from croupier.wording import join_words


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
    reader: line_reader.Reader | None = None,
) -> int:
    """Play interactively, from piped answers, or run the demonstration; returns the exit code.

    Args:
        bankroll: dollars for this session only; with `start_over` they replace the saved bankroll.
        answers: read answers from standard input even if it is not a terminal. With a seed this is
            the default if there is something to read.
        plain: plain lines instead of the full-screen app.
        record: practice ledger that records every round.
        solve: solver of the coach, who reviews every decision.
        drill: deal only hands with close decisions.
        best: solver of the demonstration.
        reader: used instead of the keyboard.

    Raises a CroupierError for invalid options.
    """
    chosen = input_parser.pick_game(input_parser.normalize(game)) if game else None
    load_house, chosen = house_loader(submission, chosen)
    positions = load_house(chosen).positions if chosen else MOST_POSITIONS
    boxes = check_seats(seats or (1,), players, positions)
    check_drill(drill, solve, boxes, players)
    amount = None if bankroll is None else parse_bankroll(bankroll)
    output = stdout or sys.stdout
    source = stdin if stdin is not None else line_reader.standard_input()
    keyboard = reader is None
    reader, screen = select_reader(
        source, output, seeded=seed is not None, answers=answers, ascii=ascii, reader=reader
    )
    if reader is None:
        from croupier.terminal.demonstration import SEED, demonstrate

        games = [chosen] if chosen else None
        return demonstrate(screen, SEED if seed is None else seed, load_house, games, best)
    options = SessionOptions(
        load_house=load_house,
        chosen=chosen,
        seed=seed,
        seats=boxes,
        players=players,
        full_procedure=full_procedure,
        drill=drill,
        solve=solve,
    )

    def run_session(ui: TextInterface) -> None:
        with (
            closing(open_bankroll(amount, start_over)) as saved,
            table_factory(record) as open_table,
            line_reader.defer_interrupts(),
        ):
            options.run(ui, saved, open_table, interactive=screen.interactive)

    if keyboard and use_full_screen(screen, plain=plain, opening=full_procedure):
        from croupier.terminal.textual_ui.textual_app import run_app

        screen.show(run_app(run_session, ascii=screen.ascii))
    else:
        run_session(TextInterface(screen, reader))
    return 0


def use_full_screen(screen: Screen, *, plain: bool, opening: bool) -> bool:
    """Whether to use the full-screen app: on a terminal that can move its cursor.

    The opening of an attended table is a long text to scroll through, so it uses plain lines.
    """
    dumb = os.environ.get("TERM", "") in ("", "dumb", "unknown")
    if plain or opening or dumb or not screen.interactive:
        return False
    return find_spec("textual") is not None


class SessionOptions(NamedTuple):
    """The options of a session, independent of the user interface."""

    load_house: Callable[[Game], House]
    chosen: Game | None
    seed: int | None
    seats: tuple[int, ...]
    players: int
    full_procedure: bool
    drill: bool
    solve: Solve | None

    def run(
        self, ui: TextInterface, bankroll: Bankroll, open_table: OpenTable, *, interactive: bool
    ) -> None:
        """Play until the player leaves; a session that is not interactive waits for the coach."""
        coach = None if self.solve is None else CoachThread(self.solve, wait=not interactive)
        session = GameSession(
            ui=ui,
            bankroll=bankroll,
            shuffler=Shuffler(self.seed),
            load_house=self.load_house,
            seats=self.seats,
            players=self.players,
            coach=coach,
            drill=self.drill,
            remember_meters=self.seed is None,
            opening=self.full_procedure,
            open_table=open_table,
        )
        try:
            session.run(self.chosen)
        finally:
            if coach is not None:
                coach.close()


def open_bankroll(amount: Cents | None, start_over: bool) -> Bankroll:
    """The saved bankroll, or one for this session only."""
    if amount is None:
        return Bankroll(data_folder())
    bankroll = Bankroll(data_folder() if start_over else None)
    bankroll.start_over(amount)
    if not start_over:
        bankroll.notices.append(
            f"You play with {dollars(amount)} in this session only. "
            "Your saved bankroll is kept; use --start-over to replace it."
        )
    return bankroll


def check_drill(drill: bool, solve: Solve | None, seats: Sequence[int], players: int) -> None:
    """Raise BadInput for a drill without a coach, or with several hands or players."""
    if drill and solve is None:
        raise BadInput("--drill needs the coach: install croupier[analysis] and omit --no-coach")
    if drill and (len(seats) > 1 or players):
        raise BadInput("--drill is for one seat, without other players")


def select_reader(
    source: TextIO | None,
    output: TextIO,
    *,
    seeded: bool,
    answers: bool,
    ascii: bool,
    reader: line_reader.Reader | None,
) -> tuple[line_reader.Reader | None, Screen]:
    """The reader of answers and the screen; no reader if there is no terminal and no input."""
    if reader is not None:
        return reader, Screen(output, ascii=ascii)
    if source is not None and source.isatty():
        line_reader.replace_invalid_bytes(source)
        width, height = terminal_size()
        interactive = output.isatty()
        screen = Screen(output, width=width, height=height if interactive else None, ascii=ascii)
        return line_reader.read_line, screen
    width = terminal_size()[0] if output.isatty() else MAX_WIDTH
    screen = Screen(output, width=width, ascii=ascii)
    if source is None or not (answers or (seeded and line_reader.has_content(source))):
        return None, screen
    first = line_reader.replace_invalid_bytes(source).readline()
    if not first and not answers:
        return None, screen
    lines = chain([first], iter(source.readline, ""))
    return line_reader.scripted_reader(lines, lambda text: screen.show([line(text)])), screen


def house_loader(
    submission: str | Path | None, chosen: Game | None
) -> tuple[Callable[[Game], House], Game | None]:
    """A function that loads the House of a game, and the game to play.

    The House comes from the submission if it is for this game, else from the game's example.
    """
    from croupier import submission as submissions

    houses: dict[str, House] = {}
    if submission is not None:
        house = submissions.load(submission)
        if chosen is not None and chosen.key != house.game.key:
            raise BadInput(f"{submission} is a submission for {house.game.key}, not {chosen.key}")
        houses[house.game.key] = house
        chosen = house.game

    def load_house(game: Game) -> House:
        if game.key not in houses:
            houses[game.key] = submissions.example(game.key)
        return houses[game.key]

    return load_house, chosen


def check_seats(seats: Sequence[int], players: int, positions: int) -> tuple[int, ...]:
    """The player's seats in order; raises BadInput if they and the other players do not fit."""
    boxes = tuple(sorted(set(seats)))
    if not all(1 <= seat <= positions for seat in boxes):
        listed = join_words(list(map(str, boxes)), "and")
        raise BadInput(f"seat {listed}: expected 1 to {positions}")
    if not 0 <= players <= positions - len(boxes):
        free = positions - len(boxes)
        raise BadInput(f"{players} other players: expected 0 to {free} at a table of {positions}")
    return boxes

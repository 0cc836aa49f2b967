"""The way in: who sits at the keyboard decides whether a game is played or demonstrated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import TextIO

from croupier.errors import BadInput
from croupier.games import Game, House
from croupier.table.committed import Shuffler
from croupier.terminal import reader, words
from croupier.terminal.bank import Bank, home, read_bankroll
from croupier.terminal.conversation import Conversation
from croupier.terminal.record import tables
from croupier.terminal.screen import WIDEST, Screen, measure
from croupier.terminal.session import Session
from croupier.terminal.sitting import Advisor
from croupier.terminal.text import line, listed

SEATS = 6


def play(
    *,
    game: str = "",
    seed: int | None = None,
    submission: str | Path | None = None,
    bankroll: object = None,
    seats: Sequence[int] = (),
    players: int = 0,
    answers: bool = False,
    ascii: bool = False,
    full_procedure: bool = False,
    record: str | Path | None = None,
    advisor: Advisor | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    reading: reader.Reader | None = None,
) -> int:
    """Let a person play, follow answers from a pipe, or demonstrate every game; the exit status.

    Raises a CroupierError for options that cannot be. `bankroll` is in dollars and starts over
    with that amount. `answers` reads them from standard input though it is no terminal; with a
    seed that happens by itself when there is something to read. `record` is a practice ledger to
    keep every round in. `reading` replaces the keyboard.
    """
    chosen = words.pick_game(words.tidy(game)) if game else None
    house_of, chosen = houses(submission, chosen)
    boxes = check_boxes(seats or (1,), players)
    amount = None if bankroll is None else read_bankroll(bankroll)
    output = stdout or sys.stdout
    source = stdin if stdin is not None else reader.standard_input()
    listen, screen = listener(
        source, output, seeded=seed is not None, patient=answers, ascii=ascii, reading=reading
    )
    if listen is None:
        from croupier.terminal.demo import SEED, demonstrate

        games = [chosen] if chosen else None
        return demonstrate(screen, SEED if seed is None else seed, house_of, games)
    with closing(Bank(home())) as bank, tables(record) as open_table, reader.interrupts_wait():
        if amount is not None:
            bank.start_over(amount)
        session = Session(
            talk=Conversation(screen, listen),
            bank=bank,
            shuffler=Shuffler(seed),
            house_of=house_of,
            seats=boxes,
            players=players,
            advisor=advisor,
            remember_meters=seed is None,
            opening=full_procedure,
            open_table=open_table,
        )
        session.run(chosen)
    return 0


def listener(
    source: TextIO | None,
    output: TextIO,
    *,
    seeded: bool,
    patient: bool,
    ascii: bool,
    reading: reader.Reader | None,
) -> tuple[reader.Reader | None, Screen]:
    """Who answers, and on what screen; nobody where standard input is no terminal and silent."""
    if reading is not None:
        return reading, Screen(output, ascii=ascii)
    if source is not None and source.isatty():
        reader.forgiving(source)
        width, height = measure()
        watched = output.isatty()
        screen = Screen(output, width=width, height=height if watched else None, ascii=ascii)
        return reader.person, screen
    width = measure()[0] if output.isatty() else WIDEST
    screen = Screen(output, width=width, ascii=ascii)
    if source is None or not (seeded or patient) or not (patient or reader.has_content(source)):
        return None, screen
    first = reader.forgiving(source).readline()
    if not first and not patient:
        return None, screen
    lines = chain([first], iter(source.readline, ""))
    return reader.script(lines, lambda text: screen.show([line(text)])), screen


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

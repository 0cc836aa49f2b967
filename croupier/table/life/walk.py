"""Walk a person through the opening of a table, one due step after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from croupier.games import House
from croupier.table.commands import Command
from croupier.table.life import commands as cmd
from croupier.table.life.live import LiveTable
from croupier.table.life.people import Person, Role
from croupier.table.life.rounds import why_not_start
from croupier.table.life.steps import Step

Reader: TypeAlias = Callable[[str], str]  # given a prompt, the next answer; EOFError at the end
Writer: TypeAlias = Callable[[str], None]  # one line

PEOPLE: dict[Role, str] = {
    "dealer": "the dealer",
    "floorperson": "the floorperson",
    "pit_manager": "the pit manager",
    "player": "you",
}
BUY_IN = 500_00
MOMENT = 20_000  # the simulated time that one step takes
HELP = "Enter does the first step, a number another one; q leaves the opening."

DOING: dict[str, str] = {
    "take_post": "takes a post at the table",
    "attest_equipment": "looks at drop box, tip box, discard rack and places",
    "count_inventory": "counts the chips of the tray",
    "receive_deck": "takes delivery of a deck",
    "open_table": "agrees with the count and opens the table",
    "sit_down": "sit down",
    "buy_in": "changes your cash into chips",
    "shuffle": "shuffles and stacks the cards",
    "cut_deck": "puts the cover card in and cuts",
    "load_deck": "makes the stack ready to be dealt",
}
PREPARING: dict[str, str] = {
    "inspect": "looks through the deck for flaws",
    "verify": "verifies the inspection",
    "spread": "fans the deck out, face up and in order",
    "offer": "lets the first player look at the cards",
    "turn": "turns the cards over",
    "wash": "washes them",
    "stack": "gathers them into a stack",
}


def walk_opening(house: House, reader: Reader, writer: Writer, *, at: int = 0) -> LiveTable:
    """Open a table with somebody at the keyboard; the table as it is when they stop.

    All that is asked comes from `next_steps`, so the walk ends where a first round may begin.
    """
    live = LiveTable(house, live=False)
    writer(f"{house.game.title}: the opening of a table. {HELP}")
    while True:
        at += MOMENT
        steps = opening_steps(live, at)
        if not steps:
            writer("The cards are ready: a round may begin.")
            return live
        for number, step in enumerate(steps, 1):
            writer(f"{number:>3}  {describe(step)}")
        chosen = choose(steps, reader, writer)
        if chosen is None:
            return live
        live.do(filled(chosen), actor(chosen), at)


def opening_steps(live: LiveTable, at: int) -> tuple[Step, ...]:
    """What the opening waits for; nothing once a round may begin."""
    paid_in = live.life.seats and all(live.life.racks.values())
    if live.life.open and paid_in and why_not_start(live, at) is None:
        return ()
    steps = live.next_steps(at)
    due = tuple(step for step in steps if step.due != "may")
    if not due:
        due = tuple(step for step in steps if step.kind == "sit_down")[:1]
    return due


def choose(steps: tuple[Step, ...], reader: Reader, writer: Writer) -> Step | None:
    """The step that an answer means; None for leaving."""
    while True:
        try:
            answer = reader("> ").strip().lower()
        except EOFError:
            return None
        if not answer:
            return steps[0]
        if answer == "q":
            return None
        if answer.isdigit() and 1 <= int(answer) <= len(steps):
            return steps[int(answer) - 1]
        writer(HELP)


def actor(step: Step) -> Person:
    """Whoever does a step; newcomers have the names of their roles."""
    return step.who[0] if step.who else Person(PEOPLE[step.open_to[0]], step.open_to[0])


def filled(step: Step) -> Command:
    """The step's own command, with a modest buy-in."""
    if isinstance(step.command, cmd.BuyIn):
        return cmd.BuyIn(step.command.seat, BUY_IN)
    return step.example()


def describe(step: Step) -> str:
    """Who does what, why, and the clause."""
    command = step.command
    if isinstance(command, cmd.PrepareDeck):
        doing = PREPARING[command.step]
    else:
        doing = DOING.get(step.kind, step.kind.replace("_", " "))
    why = f": {step.why}" if step.why else ""
    return f"{actor(step).name} {doing}{why} [{' '.join(step.clauses)}]"

"""Walk a person through the opening of a table, one due step after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from croupier.games import House
from croupier.table import commands as cmd
from croupier.table.decks.guards import why_not_start
from croupier.table.people import Account, Role
from croupier.table.record import Command
from croupier.table.steps import Step
from croupier.table.table import Table

Reader: TypeAlias = Callable[[str], str]  # given a prompt, the next answer; EOFError at the end
Writer: TypeAlias = Callable[[str], None]  # one line

PEOPLE: dict[Role, str] = {
    "dealer": "the dealer",
    "floorperson": "the floorperson",
    "pit_manager": "the pit manager",
    "player": "you",
}
BUY_IN = 500_00
INVENTORY = 50_000_00
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


def walk_opening(house: House, reader: Reader, writer: Writer, *, at: int = 0) -> Table:
    """Open a table with somebody at the keyboard; the table as it is when they stop.

    All that is asked comes from `next_steps`, so the walk ends where a first round may begin.
    """
    table = Table(house, service="attended")
    writer(f"{house.game.title}: the opening of a table. {HELP}")
    while True:
        at += MOMENT
        steps = opening_steps(table, at)
        if not steps:
            writer("The cards are ready: a round may begin.")
            return table
        for number, step in enumerate(steps, 1):
            writer(f"{number:>3}  {describe(step)}")
        chosen = choose(steps, reader, writer)
        if chosen is None:
            return table
        table.do(filled(chosen), actor(chosen), at)


def opening_steps(table: Table, at: int) -> tuple[Step, ...]:
    """What the opening waits for; nothing once a round may begin."""
    paid_in = table.seats.taken and all(map(table.book.rack, table.seats.taken.values()))
    if table.shift.open and paid_in and why_not_start(table, at) is None:
        return ()
    steps = table.next_steps(at)
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


def actor(step: Step) -> Account:
    """Whoever does a step; newcomers have the names of their roles."""
    return step.who[0] if step.who else Account(PEOPLE[step.open_to[0]], step.open_to[0])


def filled(step: Step) -> Command:
    """The step as a demonstration takes it: a modest buy-in, a full tray, decks of 52."""
    known = {"cash": BUY_IN, "chips": INVENTORY, "count": 52}
    return step.filled(**{name: known[name] for name in step.fields if name in known})


def describe(step: Step) -> str:
    """Who does what, why, and the clause."""
    if step.command is cmd.PrepareDeck:
        doing = PREPARING[step.fixed["step"]]
    else:
        doing = DOING.get(step.kind, step.kind.replace("_", " "))
    why = f": {step.why}" if step.why else ""
    return f"{actor(step).id} {doing}{why} [{' '.join(step.clauses)}]"

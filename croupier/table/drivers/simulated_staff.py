"""The people of a practice floor: they do what an attended table asks for, and they count right.

A person at a keyboard is walked through the opening, one due step after the other; in the rounds
that follow, `house_steps` is what everybody but the players has to do around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Protocol, TypeAlias

from croupier.games import House
from croupier.money import Cents
from croupier.table import commands as cmd
from croupier.table.core.fields import Amount, TextField
from croupier.table.core.messages import Command, Event
from croupier.table.core.roles import Account, Role
from croupier.table.core.steps import Step
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.chips.piles import count_worth
from croupier.table.parts.decks.round_hooks import why_not_start
from croupier.table.table import Table

Reader: TypeAlias = Callable[[str], str]  # given a prompt, the next answer; EOFError at the end
Writer: TypeAlias = Callable[[str], None]  # one line
Clock: TypeAlias = Callable[[], int]  # milliseconds since the epoch


class Opened(Protocol):
    """A table to play on, with or without a record behind it: look at `table`, act by `do`."""

    @property
    def table(self) -> Table:
        """The table as it is now."""

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Carry out a command."""


class InMemory:
    """A table that nobody records."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Carry out a command."""
        return self.table.do(command, by, at)


PEOPLE: dict[Role, str] = {
    "dealer": "the dealer",
    "floorperson": "the floorperson",
    "pit_manager": "the pit manager",
    "player": "you",
    "cage": "the cashier",
    "security": "the security officer",
}
BUY_IN: Cents = 500_00
INVENTORY: Cents = 50_000_00
DECK = 52
MOMENT = 20_000  # the simulated time that one step takes
HELP = "Enter does the first step, a number another one; q skips the rest."

# Due of the house, but carried by whoever holds the deck or asks the players.
CARRIED: tuple[type[Command], ...] = (
    cmd.BuyIn,
    cmd.RequestFill,
    cmd.NoMoreBets,
    cmd.DealCards,
    cmd.ShowStreet,
    cmd.Decide,
    cmd.Settle,
)

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
    "spread_idle": "spreads the cards until somebody plays",
    "pull_deck": "takes the deck out of use",
    "sign_removal": "signs for the deck, which leaves the table",
    "count_progressive": "counts the progressive chips",
    "discard_stub": "puts the stub into the rack",
    "count_stub": "counts the stub",
    "showdown": "turns the hands up",
    "verify_award": "checks the hand and the light of the award",
    "validate_award": "validates the award",
    "prepare_payout": "makes out a payout document",
    "witness_payout": "signs the payout document as a witness",
    "notify_surveillance": "tells surveillance of the payout",
    "request_fill": "asks the cage for chips",
    "count_fill": "counts chips out for the tray",
    "sign_slip": "signs the slip",
    "confirm_fill": "finds the count as requested, and the tray is filled",
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
    """Open a table with somebody at the keyboard; the table as it is when they stop."""
    opened = InMemory(Table(house, service="attended"))
    walk(opened, reader, writer, count(at + MOMENT, MOMENT).__next__)
    return opened.table


def walk(
    opened: Opened,
    reader: Reader,
    writer: Writer,
    clock: Clock,
    *,
    seat: int = 1,
    cash: Cents = BUY_IN,
) -> None:
    """Lead somebody who sits down at `seat` with this cash to the first round, or until they stop.

    All that is asked comes from `next_steps`, so the walk ends where a first round may begin.
    """
    writer(f"{opened.table.house.game.title}: the opening of a table. {HELP}")
    while True:
        at = clock()
        steps = opening_steps(opened.table, at, seat)
        if not steps:
            writer("The cards are ready: a round may begin.")
            return
        for number, step in enumerate(steps, 1):
            writer(f"{number:>3}  {describe(step)}")
        chosen = choose(steps, reader, writer)
        if chosen is None:
            return
        opened.do(filled(opened.table, chosen, cash), actor(chosen), at)


def open_quietly(opened: Opened, clock: Clock, *, seat: int = 1, cash: Cents = BUY_IN) -> None:
    """What is left of the opening, with nobody asked and nothing told."""
    while steps := opening_steps(opened.table, at := clock(), seat):
        opened.do(filled(opened.table, steps[0], cash), actor(steps[0]), at)


def opening_steps(table: Table, at: int, seat: int = 1) -> tuple[Step, ...]:
    """What the opening waits for; nothing once a round may begin."""
    paid_in = table.seats.taken and all(map(table.book.rack, table.seats.taken.values()))
    if table.shift.open and paid_in and why_not_start(table, at) is None:
        return ()
    steps = table.next_steps(at)
    due = tuple(step for step in steps if step.due != "may")
    if not due:
        due = tuple(step for step in steps if step.kind == "sit_down" and step.seat == seat)
    return due


def house_steps(table: Table, at: int) -> tuple[Step, ...]:
    """What the house has to do before a round can begin or go on."""
    steps = table.next_steps(at)
    return tuple(step for step in steps if step.due != "may" and step.command not in CARRIED)


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
    if step.who:
        return step.who[0]
    role = step.open_to[0]
    return Account(TextField(PEOPLE[role], step.except_for).example(), role)


def filled(table: Table, step: Step, cash: Cents = BUY_IN) -> Command:
    """The step as honest people take it: whatever has to be counted is counted right."""
    given: dict[str, Any] = {}
    if step.command is cmd.BuyIn:
        limits = step.fields["cash"]
        most = limits.most if isinstance(limits, Amount) and limits.most is not None else cash
        unit = table.house.lowest_chip or 1
        given["cash"] = max(min(cash, most) // unit, 1) * unit
    elif step.command is cmd.CountInventory:
        given["chips"] = count_worth(table, table.book.tray if table.shift.open else INVENTORY)
    elif step.command in (cmd.CountFill, cmd.CountCredit):
        given["chips"] = as_requested(table, step.fixed["slip"])
    elif step.command is cmd.CountProgressive:
        boxes = table.in_progress().boxes.values()
        given["chips"] = sum("progressive" in box.stakes for box in boxes)
    elif step.command is cmd.CountStub:
        given["cards"] = DECK - len(table.in_progress().left_deck)
    elif step.command is cmd.Shuffle and "count" in step.fields:
        given["count"] = DECK
    return step.filled(**given)


def as_requested(table: Table, slip: str) -> Cents | Pile:
    """What the floor asked for under a slip."""
    asked = table.chips.waiting[slip]
    return asked.pile or asked.chips


def doing(step: Step) -> str:
    """What is done, as a sentence goes on after the person."""
    if step.command is cmd.PrepareDeck:
        return PREPARING[step.fixed["step"]]
    return DOING.get(step.kind, step.kind.replace("_", " "))


def describe(step: Step) -> str:
    """Who does what, why, and the clause."""
    why = f": {step.why}" if step.why else ""
    return f"{actor(step).id} {doing(step)}{why} [{' '.join(step.clauses)}]"

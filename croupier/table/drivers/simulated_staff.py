"""Simulated staff of an attended table: they take the due steps and count correctly.

`run_opening` guides a person at a keyboard through the opening of a table, step by step; in the
rounds that follow, `staff_steps` lists what the staff have to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from croupier.money import Cents
from croupier.table import commands as cmd
from croupier.table.core.fields import AmountField, TextField
from croupier.table.core.messages import Command, Event
from croupier.table.core.roles import Account, Role
from croupier.table.core.steps import Step
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.chips.piles import count_worth
from croupier.table.parts.decks.round_hooks import why_not_start
from croupier.table.table import Table

Reader: TypeAlias = Callable[[str], str]  # takes a prompt, returns the input; EOFError at the end
Writer: TypeAlias = Callable[[str], None]  # writes one line
Clock: TypeAlias = Callable[[], int]  # milliseconds since the epoch


class PlayableTable(Protocol):
    """A table to play on, recorded or not: read `table`, act with `do`."""

    @property
    def table(self) -> Table:
        """The current table."""

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Execute a command."""


class InMemoryTable:
    """A playable table without a record."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def do(self, command: Command, by: Account, at: int) -> Sequence[Event]:
        """Execute a command."""
        return self.table.do(command, by, at)


ROLE_NAMES: dict[Role, str] = {
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
STEP_MS = 20_000  # simulated duration of one step
HELP = "Press Enter for the first step or type its number; q skips the rest."

# Due steps that the game loop takes itself, because they need the deck or the players.
TAKEN_BY_GAME_LOOP: tuple[type[Command], ...] = (
    cmd.BuyIn,
    cmd.RequestFill,
    cmd.NoMoreBets,
    cmd.DealCards,
    cmd.ShowStreet,
    cmd.Decide,
    cmd.Settle,
)

# What the actor does, by kind of step, to follow the actor's name.
STEP_PHRASES: dict[str, str] = {
    "take_post": "comes to the table",
    "attest_equipment": "checks the drop box, tip box, discard rack and positions",
    "attest_layout": "checks that the approved layout is on the table",
    "attest_sign": "checks that the sign is posted",
    "attest_shoe": "checks that the shoe is at its approved location",
    "count_inventory": "counts the chip tray",
    "receive_deck": "takes delivery of a deck",
    "open_table": "agrees with the count and opens the table",
    "sit_down": "sit down",
    "buy_in": "changes your cash into chips",
    "shuffle": "shuffles and stacks the cards",
    "cut_deck": "puts the cover card in and cuts",
    "load_deck": "loads the deck",
    "spread_idle": "spreads the cards until a player bets",
    "pull_deck": "takes the deck out of play",
    "sign_removal": "signs for the removal of the deck",
    "count_progressive": "counts the progressive chips",
    "discard_stub": "puts the stub into the rack",
    "count_stub": "counts the stub",
    "showdown": "turns the hands up",
    "turn_hand": "turns a hand up",
    "settle_seat": "settles a seat",
    "verify_award": "checks the hand and the progressive light",
    "validate_award": "validates the award",
    "prepare_payout": "prepares a payout document",
    "witness_payout": "signs the payout document as a witness",
    "notify_surveillance": "notifies surveillance of the payout",
    "request_fill": "requests a fill",
    "count_fill": "counts out the chips of the fill",
    "sign_slip": "signs the slip",
    "confirm_fill": "confirms the count and fills the tray",
}
PREPARATION_PHRASES: dict[str, str] = {
    "inspect": "inspects the deck for flaws",
    "verify": "verifies the inspection",
    "spread": "spreads the deck face up and in order",
    "offer": "lets the first player look at the cards",
    "turn": "turns the cards over",
    "wash": "washes the cards",
    "stack": "stacks the cards",
}


def run_opening(
    opened: PlayableTable,
    reader: Reader,
    writer: Writer,
    clock: Clock,
    *,
    seat: int = 1,
    cash: Cents = BUY_IN,
) -> None:
    """Guide a person through the opening until the first round may start, or until they quit.

    `clock` returns the time of each step; the player sits down at `seat` and buys in with `cash`.
    """
    writer(f"{opened.table.house.game.title}: opening the table. {HELP}")
    while True:
        at = clock()
        steps = opening_steps(opened.table, at, seat)
        if not steps:
            writer("The cards are ready. The first round may start.")
            return
        for number, step in enumerate(steps, 1):
            writer(f"{number:>3}  {describe(step)}")
        chosen = prompt_for_step(steps, reader, writer)
        if chosen is None:
            return
        opened.do(fill_step(opened.table, chosen, cash), actor(chosen), at)


def finish_opening(
    opened: PlayableTable, clock: Clock, *, seat: int = 1, cash: Cents = BUY_IN
) -> None:
    """Complete the opening without prompts or output."""
    while steps := opening_steps(opened.table, at := clock(), seat):
        opened.do(fill_step(opened.table, steps[0], cash), actor(steps[0]), at)


def opening_steps(table: Table, at: int, seat: int = 1) -> tuple[Step, ...]:
    """Return the due steps of the opening, or none once a round may start."""
    bought_in = table.seats.taken and all(map(table.book.rack, table.seats.taken.values()))
    if table.shift.open and bought_in and why_not_start(table, at) is None:
        return ()
    steps = table.next_steps(at)
    due = tuple(step for step in steps if is_due(table, step))
    if not due:
        due = tuple(step for step in steps if step.kind == "sit_down" and step.seat == seat)
    return due


def staff_steps(table: Table, at: int) -> tuple[Step, ...]:
    """Return what the staff have to do before a round can start or continue.

    A seat is settled last, so that its award and its documents are complete by then.
    """
    steps = (
        step
        for step in table.next_steps(at)
        if is_due(table, step) and step.command not in TAKEN_BY_GAME_LOOP
    )
    return tuple(sorted(steps, key=lambda step: step.command is cmd.SettleSeat))


def is_due(table: Table, step: Step) -> bool:
    """Whether a step is due, other than an idle spread that a bet of a seated player prevents."""
    bet_expected = step.command is cmd.SpreadIdle and table.seats.taken and step.due == "due"
    return step.due != "may" and not bet_expected


def prompt_for_step(steps: tuple[Step, ...], reader: Reader, writer: Writer) -> Step | None:
    """Ask for one of the steps until the input is valid; returns None to quit."""
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
    """Return the account that takes a step; a newcomer is named after its role."""
    if step.who:
        return step.who[0]
    role = step.open_to[0]
    return Account(TextField(ROLE_NAMES[role], step.except_for).example(), role)


def fill_step(table: Table, step: Step, cash: Cents = BUY_IN) -> Command:
    """Return the command of a step with correct counts."""
    values: dict[str, Any] = {}
    if step.command is cmd.BuyIn:
        field = step.fields["cash"]
        most = field.most if isinstance(field, AmountField) and field.most is not None else cash
        unit = table.house.lowest_chip or 1
        values["cash"] = max(min(cash, most) // unit, 1) * unit
    elif step.command is cmd.CountInventory:
        values["chips"] = count_worth(table, table.book.tray if table.shift.open else INVENTORY)
    elif step.command in (cmd.CountFill, cmd.CountCredit):
        values["chips"] = requested_chips(table, step.fixed["slip"])
    elif step.command is cmd.CountProgressive:
        boxes = table.in_progress().boxes.values()
        values["chips"] = sum("progressive" in box.stakes for box in boxes)
    elif step.command is cmd.CountStub:
        values["cards"] = DECK - len(table.in_progress().left_deck)
    elif step.command is cmd.Shuffle and "count" in step.fields:
        values["count"] = DECK
    return step.filled(**values)


def requested_chips(table: Table, slip: str) -> Cents | Pile:
    """Return the chips that were requested under a slip."""
    request = table.chips.waiting[slip]
    return request.pile or request.chips


def step_phrase(step: Step) -> str:
    """Return what the actor of a step does, to follow the actor's name in a sentence."""
    if step.command is cmd.PrepareDeck:
        return PREPARATION_PHRASES[step.fixed["step"]]
    return STEP_PHRASES.get(step.kind, step.kind.replace("_", " "))


def describe(step: Step) -> str:
    """Return one line on a step: the actor, what is done, why, and the clauses."""
    why = f": {step.why}" if step.why else ""
    return f"{actor(step).id} {step_phrase(step)}{why} [{' '.join(step.clauses)}]"

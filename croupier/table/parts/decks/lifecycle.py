"""Decks: received, inspected by two people, spread, offered, mixed; pulled and removed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.clock import HOUR, MINUTE
from croupier.errors import Refusal
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec, Deadline, Urgency
from croupier.table.core.roles import DEALER, FLOOR, STAFF, Account
from croupier.table.parts.decks import messages as rec
from croupier.table.parts.decks.state import MIXED_STAGES, Deck

if TYPE_CHECKING:
    from croupier.table.table import Table


WARNING = 15 * MINUTE  # how long before its end a deck's life is called due
AFTER: dict[str, str] = {  # the stage a step of chapter 4 starts from
    "inspect": "received",
    "verify": "inspected",
    "spread": "verified",
    "offer": "spread",
    "turn": "offered",
    "wash": "turned",
    "stack": "washed",
}


def continuous(table: Table) -> bool:
    """Whether an approved device reshuffles and counts by itself: cut and idle spread lapse."""
    return table.house.choices.continuous_device


def two_decks(table: Table) -> bool:
    """Whether two decks alternate now; without the shuffler only one may be used."""
    return table.house.decks == 2 and table.devices.state.get("shuffler") != "marked"


def life_limit(table: Table, deck: Deck) -> tuple[int, str]:
    """How long a deck may be used, and the duty that says so; the strictest method (A137)."""
    house = table.house
    boards_by_hand = house.game.procedure.board_by_hand(house)
    by_hand = deck.by_hand or table.devices.method == "hand" or boards_by_hand
    hours, duty = (4, "deck.life.hand") if by_hand else (8, "deck.life.shoe")
    least = min(Fraction(hours), Fraction(str(house.choices.deck_change_hours)))
    return int(least * HOUR), duty


def left_to_live(table: Table, deck: Deck, at: int) -> int | None:
    """The milliseconds until a deck must be changed; None before it enters play."""
    if deck.entered_at is None:
        return None
    return deck.entered_at + life_limit(table, deck)[0] - table.now(at)


def check_age(table: Table, deck: Deck, at: int) -> None:
    """Refuse a deck that has been used for too long; a round that runs is not asked."""
    left = left_to_live(table, deck, at)
    if left is not None and left <= 0:
        raise table.refusal(
            f"deck {deck.name} has been in play for its whole time and must be changed",
            life_limit(table, deck)[1],
        )


def idle_ends(table: Table) -> int | None:
    """When the cards are to be spread because nobody plays; None while that is no question (A146).

    Without a time the dealer sees that nobody bets; whoever sits and bets is not made to wait.
    """
    idle_ms = table.house.choices.idle_minutes * MINUTE
    if not idle_ms or not table.shift.open or continuous(table):
        return None
    if table.dealing is not None or table.layout:
        return None
    if not any(deck.stage in MIXED_STAGES for deck in table.decks.here.values()):
        return None
    return max(table.seats.last_bet_at, table.decks.handled_at) + idle_ms


def spread_overdue(table: Table, at: int) -> bool:
    """Whether nobody has bet for so long that the cards must be spread before the next wager."""
    ends = idle_ends(table)
    return ends is not None and ends <= table.now(at)


def known(table: Table, name: str) -> Deck:
    """The deck of that name."""
    deck = table.decks.here.get(name)
    if deck is None:
        there = ", ".join(table.decks.here) or "none"
        raise table.refusal(f"no deck {name!r} is at the table; there: {there}", "deck.one")
    return deck


def check_not_dealt(table: Table, deck: Deck) -> None:
    """Refuse to touch a deck that is being dealt."""
    if deck.stage == "loaded" and table.dealing is not None:
        raise table.refusal(f"deck {deck.name} is being dealt", "no_more_bets")


def receive(table: Table, command: rec.ReceiveDeck, by: Account, at: int) -> list[Event]:
    """A deck of the right kind, if the table needs one."""
    house = table.house
    others = table.decks.usable()
    if not command.deck.strip() or command.deck in table.decks.names:
        raise table.refusal(f"{command.deck!r} is not the name of a new deck", "deck.one")
    if len(others) >= house.decks:
        duty = "deck.one" if house.decks == 1 else "deck.two"
        raise table.refusal(f"the table has its {house.decks} deck(s) already", duty)
    wanted = house.game.procedure.cover_cards
    if command.cover_cards != wanted:
        raise table.refusal(f"{wanted} cover card(s) expected, got {command.cover_cards}", COVER)
    if not command.identical:
        raise table.refusal("the cards of a deck must look the same", "deck.identical")
    if not command.back.strip() or any(deck.back == command.back for deck in others):
        raise table.refusal(f"the backs must differ, got {command.back!r} twice", "deck.colour")
    if not command.design.strip() or any(deck.design != command.design for deck in others):
        raise table.refusal(f"the decks share one design, got {command.design!r}", "deck.design")
    clauses = house.cite("deck.one") + house.cite("deck.identical") + house.cite(COVER)
    if house.decks == 2:
        clauses += house.cite("deck.two") + house.cite("deck.design") + house.cite("deck.colour")
    if command.prepared:
        clauses += house.cite("deck.prepared")
    received = rec.DeckReceived(
        deck=command.deck,
        back=command.back,
        design=command.design,
        cover_cards=command.cover_cards,
        prepared=command.prepared,
        clauses=clauses,
    )
    return [received]


COVER = "deck.cover"


def offer_receive(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A deck is due while one is missing."""
    house = table.house
    others = table.decks.usable()
    if len(others) >= house.decks:
        return
    backs = tuple(deck.back for deck in others)
    back = TextField("red" if "red" not in backs else "blue", taken=backs)
    name = TextField(f"{back.example()} deck", taken=tuple(sorted(table.decks.names)))
    designs = {deck.design for deck in others}
    wanted = house.game.procedure.cover_cards
    yield ActionTemplate(
        command=rec.ReceiveDeck(
            deck=name.example(),
            back=back.example(),
            design=next(iter(designs), "standard"),
            cover_cards=wanted,
        ),
        fields={
            "deck": name,
            "back": back,
            "design": OneOfField(tuple(designs)) if designs else TextField("standard"),
            "prepared": OneOfField((False, True)),
        },
        due="due",
        why=f"{len(others)} of {house.decks} deck(s) at the table",
    )


def prepare(table: Table, command: rec.PrepareDeck, by: Account, at: int) -> list[Event]:
    """One step of chapter 4, in its order and by the right person."""
    house = table.house
    deck = known(table, command.deck)
    step = command.step
    if step not in AFTER:
        raise table.refusal(f"{step!r} is no step; expected {', '.join(AFTER)}", "deck.inspect")
    duty = f"deck.{step}"
    roles = FLOOR if step == "verify" else DEALER
    if by.role not in roles:
        raise table.refusal(f"{by} may not {step}; expected {' or '.join(roles)}", duty)
    if deck.stage != AFTER[step]:
        raise table.refusal(f"deck {deck.name} is {deck.stage}, not {AFTER[step]}", duty)
    if step == "verify" and by.id == deck.inspected_by:
        raise table.refusal(f"{by.id} inspected the deck; another person verifies", duty)
    if step == "offer" and not table.seats.taken:
        raise table.refusal("no player is there to look at the cards", duty)
    clauses = house.cite(duty)
    if deck.idle and step == "offer":
        clauses += house.cite("idle.inspect")
    if house.decks == 2:
        clauses += house.cite("deck.each")
    prepared = rec.DeckPrepared(deck=deck.name, step=step, by=by, clauses=clauses)
    return [prepared]


def offer_prepare(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The step that each deck waits for."""
    waiting = {stage: step for step, stage in AFTER.items()}
    for deck in table.decks.here.values():
        step = waiting.get(deck.stage)
        if step is not None:
            yield ActionTemplate(
                command=rec.PrepareDeck(deck.name, step),  # type: ignore[arg-type]
                due="due",
                why=f"{deck.name} is {deck.stage}",
            )


def spread_idle(table: Table, command: rec.SpreadIdle, by: Account, at: int) -> list[Event]:
    """Spread the cards of an idle table; a newcomer will be shown them."""
    house = table.house
    if continuous(table):
        raise table.refusal("the approved device keeps the cards; no spread", "continuous")
    if not table.shift.open or table.dealing is not None or table.layout:
        raise table.refusal("the table is not idle: it is closed, or wagers lie there", IDLE)
    decks = tuple(name for name, deck in table.decks.here.items() if deck.stage in MIXED_STAGES)
    if not decks:
        raise table.refusal("no mixed cards are at the table", IDLE)
    ends = idle_ends(table)
    if table.seats.taken and not table.seats.unseen and ends and table.now(at) < ends:
        left = (ends - table.now(at)) // MINUTE + 1
        raise table.refusal(f"the table is idle in {left} minutes, not yet", IDLE)
    asked = command.asked_by in table.seats.taken.values()
    if command.face_up and not asked:
        raise table.refusal(
            f"face up is for a seated player who asks, got {command.asked_by!r}", IDLE
        )
    if not command.face_up and command.asked_by:
        raise table.refusal(f"{command.asked_by!r} asked for face up, got face down", IDLE)
    spread = rec.IdleSpread(
        decks=decks,
        face_up=command.face_up,
        asked_by=command.asked_by,
        clauses=house.cite(IDLE),
    )
    return [spread]


IDLE = "idle.spread"
REMOVAL = "COMAR 36.05.02.16J"  # the label of a deck that leaves, signed by dealer and floorperson


def offer_spread_idle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due when nobody is there or a newcomer has not been shown the cards; overdue by the clock."""
    due: Urgency = "due" if table.seats.unseen or not table.seats.taken else "may"
    why = "everybody had left" if table.seats.unseen else "nobody bets"
    if spread_overdue(table, at):
        due, why = "overdue", f"nobody has bet for {table.house.choices.idle_minutes} minutes"
    yield ActionTemplate(command=rec.SpreadIdle(), due=due, why=why)
    players = tuple(sorted(table.seats.taken.values()))
    if players:
        yield ActionTemplate(
            command=rec.SpreadIdle(face_up=True, asked_by=players[0]),
            fields={"asked_by": OneOfField(players)},
            why="a player asks for it",
        )


def pull(table: Table, command: rec.PullDeck, by: Account, at: int) -> list[Event]:
    """Take a deck out of use."""
    deck = known(table, command.deck)
    house = table.house
    if deck.stage == "pulled":
        raise table.refusal(f"deck {deck.name} is pulled already", "deck.life.shoe")
    check_not_dealt(table, deck)
    if not command.reason.strip():
        raise Refusal("a reason is needed to pull a deck", REMOVAL)
    clauses = house.cite("deck.life.hand") + house.cite("deck.life.shoe")
    if deck.stage == "failed":
        clauses = house.cite("shuffle.wrong")
    elif deck.entered_at is not None:
        clauses = house.cite(life_limit(table, deck)[1])
    clauses += (REMOVAL,)
    return [rec.DeckPulled(deck=deck.name, reason=command.reason, by=by, clauses=clauses)]


def offer_pull(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A deck that failed a count must go; one near the end of its life is due, then overdue."""
    for deck in table.decks.here.values():
        due: Urgency = "may"
        why = ""
        left = left_to_live(table, deck, at)
        if deck.stage == "failed":
            due, why = "overdue", "the count failed"
        elif left is not None and left <= 0:
            due, why = "overdue", "its time is over: no new round with it"
        elif left is not None and left <= WARNING:
            due, why = "due", f"{left // MINUTE} minutes left"
        yield ActionTemplate(
            command=rec.PullDeck(deck.name, "deck change"),
            fields={"reason": TextField("deck change")},
            due=due,
            why=why,
        )


def sign_removal(table: Table, command: rec.SignRemoval, by: Account, at: int) -> list[Event]:
    """The second signature on the label of a pulled deck."""
    deck = known(table, command.deck)
    if deck.pulled_by is None:
        raise table.refusal(f"deck {deck.name} was not pulled", "deck.life.shoe")
    if deck.pulled_by.id == by.id:
        raise Refusal(f"{by.id} pulled the deck; another person signs", REMOVAL)
    clauses = (*table.house.cite(life_limit(table, deck)[1]), REMOVAL)
    return [rec.DeckRemoved(deck=deck.name, pulled_by=deck.pulled_by, clauses=clauses)]


def offer_sign_removal(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every pulled deck waits for a signature."""
    for deck in table.decks.here.values():
        if deck.stage == "pulled":
            yield ActionTemplate(
                command=rec.SignRemoval(deck.name), due="due", why="one signature is there"
            )


def deadlines(table: Table) -> Iterator[Deadline]:
    """When a deck is to be changed soon, when it must be, and when idle cards are spread."""
    house = table.house
    for deck in table.decks.usable():
        if deck.entered_at is not None:
            limit, duty = life_limit(table, deck)
            clause = house.cite(duty)[0]
            ends = deck.entered_at + limit
            yield Deadline(ends - WARNING, f"deck {deck.name} is to be changed soon", clause)
            yield Deadline(ends, f"deck {deck.name} must be changed", clause)
    idle = idle_ends(table)
    if idle is not None:
        yield Deadline(idle, "the cards are to be spread", house.cite(IDLE)[0])


COMMANDS = (
    CommandSpec(
        command=rec.ReceiveDeck,
        roles=DEALER,
        duty="deck.inspect",
        decide=receive,
        offers=offer_receive,
    ),
    CommandSpec(
        command=rec.PrepareDeck,
        roles=STAFF,
        duty="deck.inspect",
        duty_of=lambda command: f"deck.{command.step}",
        decide=prepare,
        offers=offer_prepare,
        per_account=True,
    ),
    CommandSpec(
        command=rec.SpreadIdle,
        roles=DEALER,
        duty=IDLE,
        decide=spread_idle,
        offers=offer_spread_idle,
    ),
    CommandSpec(
        command=rec.PullDeck,
        roles=DEALER,
        duty="deck.inspect",
        law=REMOVAL,
        decide=pull,
        offers=offer_pull,
    ),
    CommandSpec(
        command=rec.SignRemoval,
        roles=FLOOR,
        duty="deck.verify",
        law=REMOVAL,
        decide=sign_removal,
        offers=offer_sign_removal,
        per_account=True,
    ),
)

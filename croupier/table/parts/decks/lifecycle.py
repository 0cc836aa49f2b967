"""Deck lifecycle: receipt, inspection, preparation, time in play, idle spread, removal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.clock import HOUR, MINUTE
from croupier.errors import Refusal
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec, Deadline, Urgency
from croupier.table.core.roles import DEALER, FLOOR, STAFF, Account, normalize_id
from croupier.table.parts.decks import messages as msg
from croupier.table.parts.decks.state import MIXED_STAGES, Deck
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

COVER, IDLE, INSPECT = "deck.cover", "idle.spread", "idle.inspect"
REMOVAL = "COMAR 36.05.02.16J"  # label of a removed deck, signed by dealer and floorperson
WARNING = 15 * MINUTE  # how long before its time limit a deck change becomes due
STAGE_BEFORE: dict[str, str] = {  # the stage that each step of chapter 4 requires
    "inspect": "received",
    "verify": "inspected",
    "spread": "verified",
    "offer": "spread",
    "turn": "offered",
    "wash": "turned",
    "stack": "washed",
}


def has_continuous_shuffler(table: Table) -> bool:
    """Whether an approved device shuffles continuously and works: no cut and no idle spread."""
    device = table.house.choices.continuous_device
    return device and table.devices.state.get("shuffler") == "working"


def shuffler_counts(table: Table) -> bool:
    """Whether a working shuffler counts the cards, so that no stub count is needed (A126)."""
    device = table.house.shuffle_method == "counting_shuffler" or has_continuous_shuffler(table)
    return device and table.devices.state.get("shuffler") == "working"


def uses_two_decks(table: Table) -> bool:
    """Whether two decks alternate: only while the shuffler works (A148)."""
    return table.house.decks == 2 and table.devices.state.get("shuffler") == "working"


def decks_in_use(table: Table) -> int:
    """The number of decks that the table plays with now."""
    return 2 if uses_two_decks(table) else 1


def is_covered(table: Table) -> bool:
    """Whether the shuffler is under a cover, where a deck that left play may lie."""
    return table.devices.state.get("shuffler") == "covered"


def life_limit(table: Table, deck: Deck) -> tuple[int, str]:
    """The time limit of a deck in play, with its duty; the strictest method applies (A137)."""
    hours, duty = (4, "deck.life.hand") if deck.by_hand else (8, "deck.life.shoe")
    limit = min(Fraction(hours), Fraction(str(table.house.choices.deck_change_hours)))
    return int(limit * HOUR), duty


def deals_by_hand(table: Table) -> bool:
    """Whether the dealer now deals cards from the hand, if only those of the board (A137)."""
    return table.devices.method == "hand" or table.house.game.procedure.board_by_hand(table.house)


def time_left(table: Table, deck: Deck, at: int) -> int | None:
    """Milliseconds until a deck must be changed; None before it enters play."""
    if deck.entered_at is None:
        return None
    return deck.entered_at + life_limit(table, deck)[0] - table.now(at)


def check_age(table: Table, deck: Deck, at: int) -> None:
    """Refuse a deck past its time limit."""
    left = time_left(table, deck, at)
    if left is not None and left <= 0:
        raise table.refusal(
            f"deck {deck.name} has reached its time limit and must be changed",
            life_limit(table, deck)[1],
        )


def idle_ends(table: Table) -> int | None:
    """When the idle time of the table ends and the cards must be spread (A146).

    None while a spread does not apply. Without a time it ends at once, but a bet still counts as
    activity: otherwise the cards would be spread between any two rounds.
    """
    if not table.shift.open or has_continuous_shuffler(table):
        return None
    if table.dealing is not None or table.layout:
        return None
    if not any(deck.stage in MIXED_STAGES for deck in table.decks.here.values()):
        return None
    idle_ms = table.house.choices.idle_minutes * MINUTE
    return max(table.seats.last_bet_at, table.decks.handled_at) + idle_ms


def spread_overdue(table: Table, at: int) -> bool:
    """Whether the cards must be spread before the next wager because the table was idle."""
    ends = idle_ends(table)
    timed = table.house.choices.idle_minutes > 0
    return timed and ends is not None and ends <= table.now(at)


def why_not_bet(table: Table, at: int) -> tuple[str, str] | None:
    """Why no wager may be placed yet, with the duty: the cards must be spread and shown (A156)."""
    if has_continuous_shuffler(table):
        return None
    if table.seats.unseen:
        return "all players left; spread the cards and show them to the new player", INSPECT
    if table.decks.lying_spread() is not None:
        return "the cards are spread; show, wash and shuffle them first", INSPECT
    if spread_overdue(table, at):
        minutes = table.house.choices.idle_minutes
        return f"no wager for {minutes} minutes; spread the cards first", IDLE
    return None


def find_deck(table: Table, name: str) -> Deck:
    """The deck with this name; refused if it is not at the table."""
    deck = table.decks.here.get(name)
    if deck is None:
        here = ", ".join(table.decks.here) or "none"
        raise table.refusal(f"deck {name!r} is not at the table; decks here: {here}", "deck.one")
    return deck


def check_not_dealt(table: Table, deck: Deck) -> None:
    """Refuse a deck that is being dealt."""
    if deck.stage == "loaded" and table.dealing is not None:
        raise table.refusal(f"deck {deck.name} is being dealt", "shuffle.after")


def backs_of(decks: list[Deck]) -> tuple[str, ...]:
    """The colors of these decks, canonical."""
    return tuple(normalize_id(deck.back) for deck in decks)


def receive(table: Table, command: msg.ReceiveDeck, by: Account, at: int) -> list[Event]:
    """Receive a deck that the table needs and that meets the equipment rules."""
    house = table.house
    others, needed = table.decks.usable(), decks_in_use(table)
    if not command.deck.strip() or normalize_id(command.deck) in table.decks.names:
        raise table.refusal(f"deck name {command.deck!r} is empty or already used", "deck.one")
    if len(table.decks.playing()) >= needed:
        duty = "deck.one" if needed == 1 else "deck.two"
        raise table.refusal(f"the table already has its {counted(needed, 'deck')}", duty)
    cover_cards = house.game.procedure.cover_cards
    if command.cover_cards != cover_cards:
        raise table.refusal(
            f"a deck needs {counted(cover_cards, 'cover card')}, got {command.cover_cards}", COVER
        )
    if not command.identical:
        raise table.refusal("all cards of a deck must have the same back", "deck.identical")
    if not command.back.strip() or normalize_id(command.back) in backs_of(others):
        raise table.refusal(f"the decks need different backs, got {command.back!r}", "deck.colour")
    if not command.design.strip() or any(deck.design != command.design for deck in others):
        raise table.refusal(
            f"the decks must share one design, got {command.design!r}", "deck.design"
        )
    clauses = house.cite("deck.one") + house.cite("deck.identical") + house.cite(COVER)
    if needed == 2:
        clauses += house.cite("deck.two") + house.cite("deck.design") + house.cite("deck.colour")
    prepared_by = command.prepared_by.strip()
    if prepared_by:
        clauses += house.cite("deck.prepared")
    received = msg.DeckReceived(
        deck=command.deck,
        back=command.back,
        design=command.design,
        cover_cards=command.cover_cards,
        prepared_by=prepared_by,
        clauses=clauses,
    )
    return [received]


def offer_receive(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due while a deck is missing."""
    house, needed = table.house, decks_in_use(table)
    here, others = len(table.decks.playing()), table.decks.usable()
    if here >= needed:
        return
    backs = backs_of(others)
    back = TextField("red" if "red" not in backs else "blue", taken=backs)
    name = TextField(f"{back.example()} deck", taken=tuple(sorted(table.decks.names)))
    designs = {deck.design for deck in others}
    yield ActionTemplate(
        command=msg.ReceiveDeck(
            deck=name.example(),
            back=back.example(),
            design=next(iter(designs), "standard"),
            cover_cards=house.game.procedure.cover_cards,
        ),
        fields={
            "deck": name,
            "back": back,
            "design": OneOfField(tuple(designs)) if designs else TextField("standard"),
            "prepared_by": TextField("", may_be_empty=True),
        },
        due="due",
        why=f"{here} of {counted(needed, 'deck')} at the table",
    )


def prepare(table: Table, command: msg.PrepareDeck, by: Account, at: int) -> list[Event]:
    """Take one preparation step, in order and by the right role."""
    house = table.house
    deck = find_deck(table, command.deck)
    step = command.step
    if step not in STAGE_BEFORE:
        raise table.refusal(
            f"unknown step {step!r}; expected {', '.join(STAGE_BEFORE)}", "deck.inspect"
        )
    duty = f"deck.{step}"
    roles = FLOOR if step == "verify" else DEALER
    if by.role not in roles:
        raise table.refusal(f"{by} may not {step} a deck; expected {' or '.join(roles)}", duty)
    if deck.stage != STAGE_BEFORE[step]:
        raise table.refusal(f"deck {deck.name} is {deck.stage}, not {STAGE_BEFORE[step]}", duty)
    if step == "verify" and by.id == deck.inspected_by:
        raise table.refusal(f"{by.id} inspected the deck; another person must verify it", duty)
    if step == "offer" and not table.seats.taken:
        raise table.refusal("no player is seated to inspect the cards", duty)
    clauses = house.cite(duty)
    if deck.idle and step == "offer":
        clauses += house.cite(INSPECT)
    if uses_two_decks(table):
        clauses += house.cite("deck.each")
    prepared = msg.DeckPrepared(deck=deck.name, step=step, by=by, clauses=clauses)
    return [prepared]


def offer_prepare(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The next preparation step of each deck."""
    next_steps = {stage: step for step, stage in STAGE_BEFORE.items()}
    for deck in table.decks.here.values():
        step = next_steps.get(deck.stage)
        if step is not None:
            yield ActionTemplate(
                command=msg.PrepareDeck(deck.name, step),  # type: ignore[arg-type]
                due="due",
                why=f"{deck.name} is {deck.stage}",
            )


def spread_idle(table: Table, command: msg.SpreadIdle, by: Account, at: int) -> list[Event]:
    """Spread the cards of an idle table."""
    house = table.house
    if has_continuous_shuffler(table):
        raise table.refusal("no spread is needed with a continuous shuffler", "continuous")
    if not table.shift.open or table.dealing is not None or table.layout:
        raise table.refusal("the table is closed or has wagers on the layout", IDLE)
    decks = tuple(name for name, deck in table.decks.here.items() if deck.stage in MIXED_STAGES)
    if not decks:
        raise table.refusal("no deck at the table is ready to spread", IDLE)
    ends = idle_ends(table)
    if table.seats.taken and not table.seats.unseen and ends and table.now(at) < ends:
        minutes = (ends - table.now(at)) // MINUTE + 1
        raise table.refusal(f"the table is not idle yet; wait {minutes} minutes", IDLE)
    if command.face_up and command.asked_by not in table.seats.taken.values():
        raise table.refusal(
            f"only a seated player may ask for a face-up spread, got {command.asked_by!r}", IDLE
        )
    if not command.face_up and command.asked_by:
        raise table.refusal(f"{command.asked_by!r} asked for a face-up spread, got face down", IDLE)
    spread = msg.IdleSpread(
        decks=decks,
        face_up=command.face_up,
        asked_by=command.asked_by,
        clauses=house.cite(IDLE),
    )
    return [spread]


def offer_spread_idle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due at an empty table or, without an idle time, before bets; overdue if bets wait for it."""
    minutes = table.house.choices.idle_minutes
    at_once = not minutes and all(deck.undealt for deck in table.decks.playing())
    due: Urgency = "due" if at_once or table.seats.unseen or not table.seats.taken else "may"
    why = "all players left" if table.seats.unseen else "no wagers are placed"
    if table.seats.unseen and table.seats.taken:
        due, why = "overdue", "a new player must see the cards before betting"
    elif spread_overdue(table, at):
        due, why = "overdue", f"no wager for {minutes} minutes"
    yield ActionTemplate(command=msg.SpreadIdle(), due=due, why=why)
    players = tuple(sorted(table.seats.taken.values()))
    if players:
        yield ActionTemplate(
            command=msg.SpreadIdle(face_up=True, asked_by=players[0]),
            fields={"asked_by": OneOfField(players)},
            why="a player asks for a face-up spread",
        )


def pull(table: Table, command: msg.PullDeck, by: Account, at: int) -> list[Event]:
    """Take a deck out of use, with a reason."""
    deck = find_deck(table, command.deck)
    house = table.house
    if deck.stage == "pulled":
        raise Refusal(f"deck {deck.name} is already pulled", REMOVAL)
    check_not_dealt(table, deck)
    if not command.reason.strip():
        raise Refusal("a reason is required to pull a deck", REMOVAL)
    clauses = house.cite("deck.life.hand") + house.cite("deck.life.shoe")
    if deck.stage == "failed":
        clauses = house.cite(deck.failed)
    elif deck.entered_at is not None:
        clauses = house.cite(life_limit(table, deck)[1])
    clauses += (REMOVAL,)
    return [msg.DeckPulled(deck=deck.name, reason=command.reason, by=by, clauses=clauses)]


def offer_pull(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for any deck; overdue for a failed or expired deck, due shortly before expiry."""
    for deck in table.decks.here.values():
        due: Urgency = "may"
        why = ""
        left = time_left(table, deck, at)
        if deck.stage == "failed":
            due, why = "overdue", "the count failed"
        elif left is not None and left <= 0:
            due, why = "overdue", "time limit reached; no new round with this deck"
        elif deck.stage == "aside" and not is_covered(table):
            due, why = "due", "the shuffler does not cover it; it goes to the pit"
        elif left is not None and left <= WARNING:
            due, why = "due", f"{left // MINUTE} minutes left"
        yield ActionTemplate(
            command=msg.PullDeck(deck.name, "deck change"),
            fields={"reason": TextField("deck change")},
            due=due,
            why=why,
        )


def sign_removal(table: Table, command: msg.SignRemoval, by: Account, at: int) -> list[Event]:
    """Sign the label of a pulled deck as the second person; the deck leaves."""
    deck = find_deck(table, command.deck)
    if deck.pulled_by is None:
        raise Refusal(f"deck {deck.name} was not pulled", REMOVAL)
    if deck.pulled_by.id == by.id:
        raise Refusal(f"{by.id} pulled the deck; another person must sign", REMOVAL)
    clauses = (*table.house.cite(life_limit(table, deck)[1]), REMOVAL)
    return [msg.DeckRemoved(deck=deck.name, pulled_by=deck.pulled_by, clauses=clauses)]


def offer_sign_removal(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every pulled deck."""
    for deck in table.decks.here.values():
        if deck.stage == "pulled":
            yield ActionTemplate(
                command=msg.SignRemoval(deck.name), due="due", why="the second signature is missing"
            )


def deadlines(table: Table) -> Iterator[Deadline]:
    """The warning and time limit of each deck, and the end of the idle time."""
    house = table.house
    for deck in table.decks.usable():
        if deck.entered_at is not None:
            limit, duty = life_limit(table, deck)
            clause = house.cite(duty)[0]
            ends = deck.entered_at + limit
            yield Deadline(ends - WARNING, f"deck {deck.name} must be changed soon", clause)
            yield Deadline(ends, f"deck {deck.name} must be changed", clause)
    idle = idle_ends(table)
    if idle is not None and house.choices.idle_minutes:
        yield Deadline(idle, "the cards must be spread", house.cite(IDLE)[0])


COMMAND_SPECS = (
    CommandSpec(
        command=msg.ReceiveDeck,
        roles=DEALER,
        duty="deck.inspect",
        decide=receive,
        offers=offer_receive,
    ),
    CommandSpec(
        command=msg.PrepareDeck,
        roles=STAFF,
        duty="deck.inspect",
        duty_of=lambda command: f"deck.{command.step}",
        decide=prepare,
        offers=offer_prepare,
        per_account=True,
    ),
    CommandSpec(
        command=msg.SpreadIdle,
        roles=DEALER,
        duty=IDLE,
        decide=spread_idle,
        offers=offer_spread_idle,
    ),
    CommandSpec(
        command=msg.PullDeck,
        roles=DEALER,
        duty="deck.inspect",
        law=REMOVAL,
        decide=pull,
        offers=offer_pull,
    ),
    CommandSpec(
        command=msg.SignRemoval,
        roles=FLOOR,
        duty="deck.verify",
        law=REMOVAL,
        decide=sign_removal,
        offers=offer_sign_removal,
        per_account=True,
    ),
)

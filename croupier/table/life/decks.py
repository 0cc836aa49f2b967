"""Decks: received, inspected by two people, spread, offered, mixed; pulled and removed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer, Urgency
from croupier.table.life.forms import OneOf, Text
from croupier.table.life.people import DEALER, FLOOR, STAFF, Person
from croupier.table.life.state import MIXED_STAGES, Deck

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

HOUR = 3_600_000
MINUTE = 60_000
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


def continuous(live: LiveTable) -> bool:
    """Whether an approved device reshuffles and counts by itself: cut and idle spread lapse."""
    return live.house.choices.continuous_device


def two_decks(live: LiveTable) -> bool:
    """Whether two decks alternate now; without the shuffler only one may be used."""
    return live.house.decks == 2 and live.life.devices.get("shuffler") != "marked"


def life_limit(live: LiveTable, deck: Deck) -> tuple[int, str]:
    """How long a deck may be used, and the duty that says so; the strictest method (A137)."""
    house = live.house
    boards_by_hand = house.game.procedure.board_by_hand(house)
    by_hand = deck.by_hand or live.life.method == "hand" or boards_by_hand
    hours, duty = (4, "deck.life.hand") if by_hand else (8, "deck.life.shoe")
    least = min(Fraction(hours), Fraction(str(house.choices.deck_change_hours)))
    return int(least * HOUR), duty


def left_to_live(live: LiveTable, deck: Deck, at: int) -> int | None:
    """The milliseconds until a deck must be changed; None before it enters play."""
    if deck.entered_at is None:
        return None
    return deck.entered_at + life_limit(live, deck)[0] - live.clock(at)


def check_age(live: LiveTable, deck: Deck, at: int) -> None:
    """Refuse a deck that has been used for too long; a round that runs is not asked."""
    left = left_to_live(live, deck, at)
    if left is not None and left <= 0:
        raise live.refusal(
            f"deck {deck.name} has been in play for its whole time and must be changed",
            life_limit(live, deck)[1],
        )


def known(live: LiveTable, name: str) -> Deck:
    """The deck of that name."""
    deck = live.life.decks.get(name)
    if deck is None:
        there = ", ".join(live.life.decks) or "none"
        raise live.refusal(f"no deck {name!r} is at the table; there: {there}", "deck.one")
    return deck


def check_not_dealt(live: LiveTable, deck: Deck) -> None:
    """Refuse to touch a deck that is being dealt."""
    if deck.stage == "loaded" and live.dealing is not None:
        raise live.refusal(f"deck {deck.name} is being dealt", "no_more_bets")


def receive(live: LiveTable, command: cmd.ReceiveDeck, by: Person, at: int) -> list[Event]:
    """A deck of the right kind, if the table needs one."""
    house, life = live.house, live.life
    others = life.usable()
    if not command.deck.strip() or command.deck in life.deck_names:
        raise live.refusal(f"{command.deck!r} is not the name of a new deck", "deck.one")
    if len(others) >= house.decks:
        duty = "deck.one" if house.decks == 1 else "deck.two"
        raise live.refusal(f"the table has its {house.decks} deck(s) already", duty)
    wanted = house.game.procedure.cover_cards
    if command.cover_cards != wanted:
        raise live.refusal(f"{wanted} cover card(s) expected, got {command.cover_cards}", COVER)
    if not command.identical:
        raise live.refusal("the cards of a deck must look the same", "deck.identical")
    if not command.back.strip() or any(deck.back == command.back for deck in others):
        raise live.refusal(f"the backs must differ, got {command.back!r} twice", "deck.colour")
    if not command.design.strip() or any(deck.design != command.design for deck in others):
        raise live.refusal(f"the decks share one design, got {command.design!r}", "deck.design")
    clauses = house.cite("deck.one") + house.cite("deck.identical") + house.cite(COVER)
    if house.decks == 2:
        clauses += house.cite("deck.two") + house.cite("deck.design") + house.cite("deck.colour")
    if command.prepared:
        clauses += house.cite("deck.prepared")
    received = ev.DeckReceived(
        deck=command.deck,
        back=command.back,
        design=command.design,
        cover_cards=command.cover_cards,
        prepared=command.prepared,
        at=at,
        by=by,
        clauses=clauses,
    )
    return [received]


COVER = "deck.cover"


def offer_receive(live: LiveTable, at: int) -> Iterator[Offer]:
    """A deck is due while one is missing."""
    house, life = live.house, live.life
    others = life.usable()
    if len(others) >= house.decks:
        return
    backs = tuple(deck.back for deck in others)
    back = Text("red" if "red" not in backs else "blue", taken=backs)
    name = Text(f"{back.example()} deck", taken=tuple(sorted(life.deck_names)))
    designs = {deck.design for deck in others}
    wanted = house.game.procedure.cover_cards
    yield Offer(
        command=cmd.ReceiveDeck(
            deck=name.example(),
            back=back.example(),
            design=next(iter(designs), "standard"),
            cover_cards=wanted,
        ),
        forms={
            "deck": name,
            "back": back,
            "design": OneOf(tuple(designs)) if designs else Text("standard"),
            "prepared": OneOf((False, True)),
        },
        due="due",
        why=f"{len(others)} of {house.decks} deck(s) at the table",
    )


def prepare(live: LiveTable, command: cmd.PrepareDeck, by: Person, at: int) -> list[Event]:
    """One step of chapter 4, in its order and by the right person."""
    house = live.house
    deck = known(live, command.deck)
    step = command.step
    if step not in AFTER:
        raise live.refusal(f"{step!r} is no step; expected {', '.join(AFTER)}", "deck.inspect")
    duty = f"deck.{step}"
    roles = FLOOR if step == "verify" else DEALER
    if by.role not in roles:
        raise live.refusal(f"{by} may not {step}; expected {' or '.join(roles)}", duty)
    if deck.stage != AFTER[step]:
        raise live.refusal(f"deck {deck.name} is {deck.stage}, not {AFTER[step]}", duty)
    if step == "verify" and by.name == deck.inspected_by:
        raise live.refusal(f"{by.name} inspected the deck; another person verifies", duty)
    if step == "offer" and not live.life.seats:
        raise live.refusal("no player is there to look at the cards", duty)
    clauses = house.cite(duty)
    if deck.idle and step == "offer":
        clauses += house.cite("idle.inspect")
    if house.decks == 2:
        clauses += house.cite("deck.each")
    prepared = ev.DeckPrepared(deck=deck.name, step=step, at=at, by=by, clauses=clauses)
    return [prepared]


def offer_prepare(live: LiveTable, at: int) -> Iterator[Offer]:
    """The step that each deck waits for."""
    waiting = {stage: step for step, stage in AFTER.items()}
    for deck in live.life.decks.values():
        step = waiting.get(deck.stage)
        if step is not None:
            yield Offer(
                command=cmd.PrepareDeck(deck.name, step),  # type: ignore[arg-type]
                due="due",
                why=f"{deck.name} is {deck.stage}",
            )


def spread_idle(live: LiveTable, command: cmd.SpreadIdle, by: Person, at: int) -> list[Event]:
    """Spread the cards of an idle table; a newcomer will be shown them."""
    house, life = live.house, live.life
    if continuous(live):
        raise live.refusal("the approved device keeps the cards; no spread", "continuous")
    if not life.open or live.dealing is not None or live.layout:
        raise live.refusal("the table is not idle: it is closed, or wagers lie there", IDLE)
    idle_ms = house.choices.idle_minutes * MINUTE
    waited = live.clock(at) - life.last_bet_at
    if life.seats and not life.unseen and waited < idle_ms:
        raise live.refusal(f"somebody bet {waited // MINUTE} minutes ago", IDLE)
    decks = tuple(name for name, deck in life.decks.items() if deck.stage in MIXED_STAGES)
    if not decks:
        raise live.refusal("no mixed cards are at the table", IDLE)
    clauses = house.cite(IDLE)
    return [ev.IdleSpread(decks=decks, face_up=command.face_up, at=at, by=by, clauses=clauses)]


IDLE = "idle.spread"


def offer_spread_idle(live: LiveTable, at: int) -> Iterator[Offer]:
    """Due when nobody is there, or a newcomer has not been shown the cards."""
    due: Urgency = "due" if live.life.unseen or not live.life.seats else "may"
    why = "everybody had left" if live.life.unseen else "nobody bets"
    yield Offer(command=cmd.SpreadIdle(), forms={"face_up": OneOf((False, True))}, due=due, why=why)


def pull(live: LiveTable, command: cmd.PullDeck, by: Person, at: int) -> list[Event]:
    """Take a deck out of use."""
    deck = known(live, command.deck)
    house = live.house
    if deck.stage == "pulled":
        raise live.refusal(f"deck {deck.name} is pulled already", "deck.life.shoe")
    check_not_dealt(live, deck)
    if not command.reason.strip():
        raise live.refusal("a reason is needed to pull a deck", "deck.inspect")
    clauses = house.cite("deck.life.hand") + house.cite("deck.life.shoe")
    if deck.stage == "failed":
        clauses = house.cite("shuffle.wrong")
    elif deck.entered_at is not None:
        clauses = house.cite(life_limit(live, deck)[1])
    return [ev.DeckPulled(deck=deck.name, reason=command.reason, at=at, by=by, clauses=clauses)]


def offer_pull(live: LiveTable, at: int) -> Iterator[Offer]:
    """A deck that failed a count must go; one near the end of its life is due, then overdue."""
    for deck in live.life.decks.values():
        due: Urgency = "may"
        why = ""
        left = left_to_live(live, deck, at)
        if deck.stage == "failed":
            due, why = "overdue", "the count failed"
        elif left is not None and left <= 0:
            due, why = "overdue", "its time is over: no new round with it"
        elif left is not None and left <= WARNING:
            due, why = "due", f"{left // MINUTE} minutes left"
        yield Offer(
            command=cmd.PullDeck(deck.name, "deck change"),
            forms={"reason": Text("deck change")},
            due=due,
            why=why,
        )


def sign_removal(live: LiveTable, command: cmd.SignRemoval, by: Person, at: int) -> list[Event]:
    """The second signature on the label of a pulled deck."""
    deck = known(live, command.deck)
    if deck.pulled_by is None:
        raise live.refusal(f"deck {deck.name} was not pulled", "deck.life.shoe")
    if deck.pulled_by.name == by.name:
        raise live.refusal(f"{by.name} pulled the deck; another person signs", "deck.verify")
    clauses = live.house.cite(life_limit(live, deck)[1])
    return [ev.DeckRemoved(deck=deck.name, pulled_by=deck.pulled_by, at=at, by=by, clauses=clauses)]


def offer_sign_removal(live: LiveTable, at: int) -> Iterator[Offer]:
    """Every pulled deck waits for a signature."""
    for deck in live.life.decks.values():
        if deck.stage == "pulled":
            yield Offer(command=cmd.SignRemoval(deck.name), due="due", why="one signature is there")


ACTS = (
    Act(
        command=cmd.ReceiveDeck,
        roles=DEALER,
        duty="deck.inspect",
        decide=receive,
        offers=offer_receive,
    ),
    Act(
        command=cmd.PrepareDeck,
        roles=STAFF,
        duty="deck.inspect",
        decide=prepare,
        offers=offer_prepare,
        personal=True,
    ),
    Act(
        command=cmd.SpreadIdle,
        roles=DEALER,
        duty=IDLE,
        decide=spread_idle,
        offers=offer_spread_idle,
    ),
    Act(command=cmd.PullDeck, roles=DEALER, duty="deck.inspect", decide=pull, offers=offer_pull),
    Act(
        command=cmd.SignRemoval,
        roles=FLOOR,
        duty="deck.verify",
        decide=sign_removal,
        offers=offer_sign_removal,
        personal=True,
    ),
)

"""Per-viewer redaction of the table, its events and its available steps.

Nothing is visible unless a rule here shows it. A player sees their own cards and every card that is
face up; dealers and the floor see the cards that are face up; surveillance, audit and the
Commission see all of a settled round, and of a round in progress only what a camera sees. No viewer
sees the stub, or anything derived from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from croupier.cards import NAMES, UNSEEN, Face
from croupier.money import Cents, meter_text
from croupier.table.core.fields import FieldType
from croupier.table.core.messages import Event, MeterText, kind_of
from croupier.table.core.part import Deadline, Service, Urgency
from croupier.table.core.roles import STAFF, Account
from croupier.table.core.steps import Step, all_steps, step_order
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.resolution import reasons
from croupier.table.parts.round.state import Box, Due, Round
from croupier.table.parts.staffing import may_enter

if TYPE_CHECKING:
    from croupier.table.table import Table

HIDDEN = UNSEEN
OVERSIGHT_ROLES = ("surveillance", "audit", "commission")
ORDER_STEP = 1_000  # more than the steps of one kind, and than there are kinds


class Viewer(msgspec.Struct, frozen=True):
    """An account that looks at a table, with the boxes whose cards are its own."""

    account: Account
    boxes: frozenset[int] = frozenset()

    @property
    def staff(self) -> bool:
        """Whether the viewer is table staff, surveillance, audit or the Commission."""
        return self.account.role in STAFF or self.watches

    @property
    def watches(self) -> bool:
        """Whether the viewer has an oversight role, which sees settled rounds in full."""
        return self.account.role in OVERSIGHT_ROLES


def viewer_of(table: Table, account: Account) -> Viewer:
    """Return the viewer for an account, with the boxes it plays in the current round.

    >>> from croupier import Account, PlaceWagers, Table, example
    >>> table = Table(example("top_five"))
    >>> _ = table.do(PlaceWagers(2, {"ante": 1000}, "ann"))
    >>> viewer_of(table, Account("ann", "player")).boxes
    frozenset({2})
    """
    if account.role != "player" or table.round is None:
        return Viewer(account)
    own = {seat for seat, box in table.round.boxes.items() if box.player == account.id}
    return Viewer(account, frozenset(own))


# Table state


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One betting position as a viewer sees it."""

    player: str  # the account
    stakes: dict[str, Cents]  # by wager
    collected: tuple[str, ...]  # the wagers lost by folding; their chips are in the tray
    cards: tuple[str, ...]  # "??" is a card that the viewer may not see
    folded: bool
    out: bool  # skipped, or forfeited by a ruling
    settled: dict[str, dict[str, Any]]  # by wager: outcome, amount returned, clause
    envy: Cents  # paid to this box


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One round as a viewer sees it."""

    number: int  # counts the rounds of the table from 1
    due: Due  # what happens next: its kind, seat and number of cards
    to_act: tuple[int, ...]  # seats that still have to decide on this street
    void: str  # the irregularity that voided the round, or ""
    closed: bool
    boxes: dict[int, BoxView]  # by seat
    dealer: tuple[str, ...]  # "??" is a hidden card; none while they wait in the shuffler
    community: tuple[str, ...]  # in the order of the layout
    six_card_box: tuple[str, ...]
    burned: int  # number of burned cards
    set_aside: tuple[str, ...]  # cards found face up in the deck
    left_in_deck: int  # number of cards not dealt yet


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """A deck as table staff see it."""

    name: str
    back: str
    stage: str
    entered_at: int | None


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's dispute: the receipt of its words, and its outcome."""

    number: int
    round: int
    text: str
    opened: int
    until: int  # when it goes to the Commission, if it is not decided
    outcome: Literal["open", "decided", "forwarded"]
    decision: str
    reason: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer may see it; a field that is not shown to the viewer is None."""

    table: str  # its id
    game: str  # key of the game
    operator: str
    house: str  # digest of the terms that it plays under
    service: str  # "practice", "rounds" or "attended"
    live: bool  # for real money
    open: bool
    rounds_played: int
    limits: dict[str, tuple[Cents, Cents | None]]  # minimum and maximum by wager
    meters: dict[str, MeterText]  # amounts, exact to the fraction of a cent
    seats: dict[int, str]  # accounts by seat
    chips: dict[str, Cents]  # by account
    dealer: str  # account of the dealer, or ""
    round: RoundView | None = None
    disabled: str  # the orders that disable gaming here, or ""
    deadline: Deadline | None = None  # what has to happen by when
    posts: dict[str, str] | None = None  # roles by account, for staff
    decks: tuple[DeckView, ...] | None = None
    devices: dict[str, str] | None = None  # states by device
    dealing_method: str | None = None
    rounds_since_count: int | None = None  # of the stub
    tray: Cents | None = None  # for staff
    drop: Cents | None = None  # for those who count it
    held: dict[str, Cents] | None = None  # money held for players who left
    disputes: tuple[DisputeView, ...] | None = None  # of this player, the latest first


def view(table: Table, viewer: Viewer, at: int = 0) -> TableView:
    """Return the table as `viewer` may see it at the time `at` (milliseconds since the epoch).

    >>> from croupier import Account, Table, example
    >>> table = Table(example("top_five"))
    >>> view(table, viewer_of(table, Account("ann", "player"))).limits["ante"]
    (500, 50000)
    """
    current = table.round
    visible: dict[str, Any] = {
        "table": table.table_id,
        "game": table.house.game.key,
        "operator": table.house.operator,
        "house": table.house.digest,
        "service": table.service,
        "live": table.live,
        "open": table.shift.open or not table.attended,
        "rounds_played": table.rounds_played,
        "limits": {
            name: (limits.minimum, limits.maximum) for name, limits in table.house.limits.items()
        },
        "meters": {name: meter_text(value) for name, value in table.displayed.items()},
        "seats": dict(sorted(table.seats.taken.items())),
        "chips": {name: table.book.rack(name) for name in sorted(table.seats.taken.values())},
        "dealer": table.posts.dealer,
        "round": None if current is None else round_view(current, viewer),
        "disabled": table.disabling.text(viewer.staff),
        "deadline": table.next_deadline(at) if viewer.staff else None,
    }
    if viewer.account.role == "player" and (disputes := own_disputes(table, viewer.account.id)):
        visible["disputes"] = disputes
    if viewer.staff:
        visible |= staff_fields(table)
    if viewer.watches or viewer.account.role == "cage":
        visible |= count_fields(table)
    return TableView(**visible)


def staff_fields(table: Table) -> dict[str, Any]:
    """Return the fields that only staff, surveillance and audit see."""
    return {
        "posts": dict(sorted(table.posts.here.items())),
        "decks": tuple(
            DeckView(name=deck.name, back=deck.back, stage=deck.stage, entered_at=deck.entered_at)
            for deck in table.decks.here.values()
        ),
        "devices": dict(table.devices.state),
        "dealing_method": table.devices.method,
        "rounds_since_count": table.decks.rounds_since_count,
    }


def own_disputes(table: Table, player: str) -> tuple[DisputeView, ...]:
    """Return the disputes that a player opened, with their outcome."""
    return tuple(
        DisputeView(
            number=dispute.number,
            round=dispute.round,
            text=dispute.text,
            opened=dispute.opened_at,
            until=dispute.until,
            outcome=dispute.outcome,
            decision=dispute.decision,
            reason=dispute.reason,
        )
        for dispute in table.disputes.of_player(player)
    )


def count_fields(table: Table) -> dict[str, Any]:
    """Return the balances that are hidden from staff so that they count blind."""
    return {"tray": table.book.tray, "drop": table.drop, "held": table.book.held()}


def round_view(current: Round, viewer: Viewer) -> RoundView:
    """Return a round as `viewer` may see it."""
    return with_own_cards(current, viewer, public_round_view(current, viewer.watches))


def public_round_view(current: Round, watches: bool = False) -> RoundView:
    """Return a round with hidden cards redacted; `watches` shows a closed round in full."""
    show_all = current.closed and watches

    def faces(cards: Iterable[Face]) -> tuple[str, ...]:
        return tuple(
            NAMES[card] if card is not None and (show_all or card in current.exposed) else HIDDEN
            for card in cards
        )

    return RoundView(
        number=current.number,
        due=current.due(),
        to_act=tuple(current.to_act),
        void=current.void.irregularity if current.void else "",
        closed=current.closed,
        boxes={
            seat: BoxView(
                player=box.player,
                stakes=dict(box.stakes),
                collected=tuple(box.collected.wagers) if box.collected else (),
                cards=faces(box.cards),
                folded=bool(box.folded_at),
                out=box.sat_out or bool(box.forfeited),
                settled=settled_view(current, seat),
                envy=box.envy,
            )
            for seat, box in sorted(current.boxes.items())
        },
        dealer=() if current.dealer_waits else faces(current.dealer),
        community=faces(current.layout),
        six_card_box=faces(current.six_card_box),
        burned=len(current.burned),
        set_aside=tuple(NAMES[card] for card in current.face_up),
        left_in_deck=52 - len(current.drawn),
    )


def with_own_cards(current: Round, viewer: Viewer, public: RoundView) -> RoundView:
    """Add to the public view of a round the viewer's own cards that they may look at."""
    own = {
        seat: msgspec.structs.replace(
            public.boxes[seat],
            cards=tuple(HIDDEN if c is None else NAMES[c] for c in current.boxes[seat].cards),
        )
        for seat in viewer.boxes
        if may_see_cards(current, viewer, seat)
    }
    return msgspec.structs.replace(public, boxes={**public.boxes, **own}) if own else public


def may_see_cards(current: Round, viewer: Viewer, seat: int) -> bool:
    """Whether a player may look at the cards of one of their boxes now.

    Under some rules a player with several boxes looks at one box at a time.
    """
    procedure, house = current.game.procedure, current.house
    if len(viewer.boxes) < 2 or procedure.peeks_all_boxes(house):
        return True
    box: Box = current.boxes[seat]
    waiting = [other for other in current.to_act if other in viewer.boxes]
    first_street = current.stage == 0 and not current.closed
    acted = bool(box.folded_at) or seat not in current.to_act
    return not first_street or (current.shown and (acted or waiting[:1] == [seat]))


def settled_view(current: Round, seat: int) -> dict[str, dict[str, Any]]:
    """Return the settled wagers of a box, each with its reason; they are public."""
    if not current.boxes[seat].settled:
        return {}
    why = reasons(current, seat)
    return {
        name: {
            "stake": event.stake,
            "outcome": event.outcome,
            "result": event.result,
            "returned": event.returned,
            "pays": event.pays,
            "clause": event.clause,
            "why": why.get(name, ""),
        }
        for name, event in current.boxes[seat].settled.items()
    }


# Events


def shown(event: Event, viewer: Viewer, *, settled: bool = False) -> dict[str, Any] | None:
    """Return an event redacted for `viewer` as JSON values, or None if it is hidden from them.

    `settled` says that the event's round is settled: surveillance and audit then see all of it.

        >>> from croupier import Account, PlaceWagers, Table, example
        >>> table = Table(example("top_five"))
        >>> _, placed = table.do(PlaceWagers(2, {"ante": 1000}, "ann"))
        >>> shown(placed, viewer_of(table, Account("bob", "player")))["stakes"]
        {'ante': 1000}
    """
    visible = redact(event, viewer, settled=settled)
    return None if visible is None else msgspec.to_builtins(visible)


def redact(event: Event, viewer: Viewer, *, settled: bool = False) -> Event | None:
    """Return an event without what `viewer` may not see, or None; `settled` as for `shown`."""
    if settled and viewer.watches:
        return event
    if not in_audience(event, viewer):
        return None
    # A player with several boxes may have to look at one at a time; only the table view knows
    # which one, so an event shows the cards of none.
    own = viewer.boxes if len(viewer.boxes) == 1 else frozenset()
    hide: dict[str, Any] = {}
    match event:
        case played.CardsDealt():
            hide["cards"] = tuple(
                card if place in own else HIDDEN
                for card, place in zip(event.cards, event.places, strict=True)
            )
        case played.CardsRead() if event.place not in own:
            hide["cards"] = (HIDDEN,) * len(event.cards)
        case played.ReadingCorrected() if not event.face_up and event.place not in own:
            hide["was"] = hide["card"] = HIDDEN
        case played.RoundClosed():
            hide["discards"] = (HIDDEN,) * len(event.discards)
    return msgspec.structs.replace(event, **hide) if hide else event


def in_audience(event: Event, viewer: Viewer) -> bool:
    """Whether a viewer may see the contents of an event."""
    match type(event).audience:
        case "public":
            return True
        case "own":
            own = getattr(event, "player", None) == viewer.account.id
            return viewer.staff or (own and viewer.account.role == "player")
        case "staff":
            return viewer.staff
        case "watch":
            return viewer.watches or viewer.account.role in ("floorperson", "pit_manager")
    raise AssertionError(f"{kind_of(event)} has no audience")


# Steps


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One step for one viewer: the command with its input fields.

    Screens list steps under their `subject`, such as "Devices" or "Players and seats".
    Dealers and supervisors may enter commands for players: `players` are the accounts they may
    enter this one for, and `newcomers` says whether it may also come from a new player.
    """

    kind: str
    subject: str
    title: str
    sentence: str
    fields: dict[str, FieldType]
    fixed: dict[str, Any]
    clauses: tuple[str, ...]
    due: Urgency
    why: str
    blocked: str
    consequence: str = ""  # what follows, shown before it is confirmed
    players: tuple[Account, ...] = ()
    newcomers: bool = False
    order: int = 0  # its place on a screen: the most urgent first, the blocked last


def steps(table: Table, viewer: Viewer, at: int = 0) -> tuple[StepView, ...]:
    """Return the steps a viewer may take, and those that are blocked, with the reason.

    >>> from croupier import Account, Table, example
    >>> table = Table(example("top_five"), service="practice")
    >>> {step.kind for step in steps(table, viewer_of(table, Account("ann", "player")))}
    {'sit_down'}
    """
    return steps_for(table, all_steps(table, at, steps_account(table, viewer.account)), viewer)


def steps_account(table: Table, account: Account) -> Account | None:
    """Return the account to list steps for; None (all steps) if it may enter for players."""
    return None if table.attended and may_enter(table, account) else account


def steps_for(table: Table, steps: Iterable[Step], viewer: Viewer) -> tuple[StepView, ...]:
    """Return those of `steps` that are for one viewer."""
    enters = table.attended and may_enter(table, viewer.account)
    views = []
    places = _kind_places(table)
    of_kind: Counter[str] = Counter()
    for step in steps:
        own = step.is_for(viewer.account)
        players = tuple(account for account in step.who if account.role == "player")
        newcomers = "player" in step.open_to
        if own or (enters and not step.in_person and (players or newcomers)):
            blocked, urgency = step_order(step)
            place = places[step.kind] + of_kind[step.kind]
            of_kind[step.kind] += 1
            views.append(
                StepView(
                    kind=step.kind,
                    subject=step.subject,
                    title=step.title,
                    sentence=step.sentence,
                    fields=step.fields,
                    fixed=step.fixed,
                    clauses=step.clauses,
                    due=step.due,
                    why=step.why,
                    blocked=step.blocked,
                    consequence=step.consequence,
                    players=() if own else players,
                    newcomers=newcomers and not own,
                    order=(10 * blocked + urgency) * ORDER_STEP**2 + place,
                )
            )
    return tuple(views)


_places: dict[Service, dict[str, int]] = {}


def _kind_places(table: Table) -> dict[str, int]:
    """The first place of each kind of step, in the order of a shift; cached by service."""
    places = _places.get(table.service)
    if places is None:
        kinds = (kind_of(spec.command) for spec in table.command_specs())
        places = {kind: number * ORDER_STEP for number, kind in enumerate(kinds)}
        _places[table.service] = places
    return places

"""Who sees what: of the table, of an event, of the steps that are open, of a refusal.

Nothing is visible unless a rule here shows it. A player sees the own cards and what lies face up;
dealer and floor what lies face up; those who watch see everything of a round that is settled, and
of one that is played only what a camera sees. Nobody sees the stub, or anything derived from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.cards import NAMES, UNSEEN, Face
from croupier.errors import Refusal
from croupier.money import Cents, meter_text
from croupier.table.core.fields import FieldType
from croupier.table.core.messages import Event, MeterText, kind_of
from croupier.table.core.part import Deadline, Urgency
from croupier.table.core.roles import STAFF, Account
from croupier.table.core.steps import KnownSteps, Step, all_steps
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.reasons import reasons
from croupier.table.parts.round.state import Box, Due, Round
from croupier.table.parts.staffing import may_enter

if TYPE_CHECKING:
    from croupier.table.table import Table

HIDDEN = UNSEEN
WATCH = ("surveillance", "audit")


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks: an account, and the boxes whose cards are its own."""

    account: Account
    boxes: frozenset[int] = frozenset()

    @property
    def staff(self) -> bool:
        """Whether the viewer serves the table or watches those who do."""
        return self.account.role in STAFF or self.watches

    @property
    def watches(self) -> bool:
        """Whether the viewer sees settled rounds whole."""
        return self.account.role in WATCH


def viewer_of(table: Table, account: Account) -> Viewer:
    """The viewer that an account is at this table now."""
    if account.role != "player" or table.round is None:
        return Viewer(account)
    own = {seat for seat, box in table.round.boxes.items() if box.player == account.id}
    return Viewer(account, frozenset(own))


# The state.


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One betting position."""

    player: str
    stakes: dict[str, Cents]
    cards: tuple[str, ...]
    folded: bool
    out: bool  # skipped, or forfeited by a ruling
    settled: dict[str, dict[str, Any]]
    envy: Cents


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One round."""

    number: int
    due: Due
    to_act: tuple[int, ...]
    void: str
    closed: bool
    boxes: dict[int, BoxView]
    dealer: tuple[str, ...]
    community: tuple[str, ...]
    six_card_box: tuple[str, ...]
    burned: int
    set_aside: tuple[str, ...]
    left_in_deck: int


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """A deck as the staff sees it."""

    name: str
    back: str
    stage: str
    entered_at: int | None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer may see it; None stands for what is not shown."""

    table: str
    game: str
    operator: str
    house: str
    service: str
    live: bool
    open: bool
    rounds_played: int
    limits: dict[str, tuple[Cents, Cents | None]]
    meters: dict[str, MeterText]
    seats: dict[int, str]
    chips: dict[str, Cents]
    dealer: str
    round: RoundView | None
    deadline: Deadline | None
    posts: dict[str, str] | None = None
    decks: tuple[DeckView, ...] | None = None
    devices: dict[str, str] | None = None
    dealing_method: str | None = None
    rounds_since_count: int | None = None
    tray: Cents | None = None
    drop: Cents | None = None
    held: dict[str, Cents] | None = None


def view(table: Table, viewer: Viewer, at: int = 0) -> TableView:
    """What a viewer may see of the table."""
    current = table.round
    seen: dict[str, Any] = {
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
        "deadline": table.next_deadline(at) if viewer.staff else None,
    }
    if viewer.staff:
        seen |= backstage(table)
    if viewer.watches or viewer.account.role == "cage":
        seen |= counted(table)
    return TableView(**seen)


def backstage(table: Table) -> dict[str, Any]:
    """What only those who serve or watch the table see."""
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


def counted(table: Table) -> dict[str, Any]:
    """What those who count must not be told beforehand."""
    return {"tray": table.book.tray, "drop": table.drop, "held": table.book.held()}


def round_view(current: Round, viewer: Viewer) -> RoundView:
    """What a viewer may see of a round."""
    return with_own(current, viewer, lying(current, viewer.watches))


def lying(current: Round, watches: bool = False) -> RoundView:
    """What everybody may see of a round; those who watch see one that is settled whole."""
    everything = current.closed and watches

    def seen(cards: Iterable[Face]) -> tuple[str, ...]:
        return tuple(
            NAMES[card] if card is not None and (everything or card in current.exposed) else HIDDEN
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
                cards=seen(box.cards),
                folded=bool(box.folded_at),
                out=box.sat_out or bool(box.forfeited),
                settled=settled_view(current, seat),
                envy=box.envy,
            )
            for seat, box in sorted(current.boxes.items())
        },
        dealer=seen(current.dealer),
        community=seen(current.layout),
        six_card_box=seen(current.six_card_box),
        burned=len(current.burned),
        set_aside=tuple(NAMES[card] for card in current.face_up),
        left_in_deck=52 - len(current.drawn),
    )


def with_own(current: Round, viewer: Viewer, seen: RoundView) -> RoundView:
    """What everybody sees of a round, and the cards of those own boxes that may be looked at."""
    own = {
        seat: msgspec.structs.replace(
            seen.boxes[seat],
            cards=tuple(HIDDEN if c is None else NAMES[c] for c in current.boxes[seat].cards),
        )
        for seat in viewer.boxes
        if may_look(current, viewer, seat)
    }
    return msgspec.structs.replace(seen, boxes={**seen.boxes, **own}) if own else seen


def may_look(current: Round, viewer: Viewer, seat: int) -> bool:
    """Whether a player may look at an own box now; of several, one at a time may be the rule."""
    procedure, house = current.game.procedure, current.house
    if len(viewer.boxes) < 2 or procedure.peeks_all_boxes(house):
        return True
    box: Box = current.boxes[seat]
    waiting = [other for other in current.to_act if other in viewer.boxes]
    first_street = current.stage == 0 and not current.closed
    acted = bool(box.folded_at) or seat not in current.to_act
    return not first_street or (current.shown and (acted or waiting[:1] == [seat]))


def settled_view(current: Round, seat: int) -> dict[str, dict[str, Any]]:
    """The resolved stakes of a box, which everybody at the table sees, each with its reason."""
    if not current.boxes[seat].settled:
        return {}
    why = reasons(current, seat)
    return {
        name: {
            "stake": event.stake,
            "outcome": event.outcome,
            "returned": event.returned,
            "pays": event.pays,
            "clause": event.clause,
            "why": why.get(name, ""),
        }
        for name, event in current.boxes[seat].settled.items()
    }


# Events.

SHOWN_TO_THEIR_OWN = (played.CardsDealt, played.CardsRead, played.ReadingCorrected)
PARTLY_SHOWN = (*SHOWN_TO_THEIR_OWN, played.RoundClosed)


def shown(event: Event, viewer: Viewer, *, settled: bool = False) -> dict[str, Any] | None:
    """What a viewer may see of an event; None if only that something happened.

    `settled` says that the event's round is over: those who watch then see it whole.
    """
    whole = settled and viewer.watches
    if not whole and not in_audience(event, viewer):
        return None
    told: dict[str, Any] = msgspec.to_builtins(event)
    if whole or not isinstance(event, PARTLY_SHOWN):
        return told
    # Of several boxes one at a time may be looked at: that is for the view to say, which knows.
    own = viewer.boxes if len(viewer.boxes) == 1 else frozenset()
    match event:
        case played.CardsDealt():
            told["cards"] = [
                card if place in own else HIDDEN
                for card, place in zip(event.cards, event.places, strict=True)
            ]
        case played.CardsRead() if event.place not in own:
            told["cards"] = [HIDDEN] * len(event.cards)
        case played.ReadingCorrected() if not event.face_up and event.place not in own:
            told["was"] = told["card"] = HIDDEN
        case played.RoundClosed():
            told["discards"] = [HIDDEN] * len(event.discards)
    return told


def personal(event: Event) -> bool:
    """Whether two people of one role may be shown different things of an event."""
    return type(event).audience == "own" or isinstance(event, SHOWN_TO_THEIR_OWN)


def is_plain(event: Event) -> bool:
    """Whether everybody is shown all of an event."""
    return type(event).audience == "public" and not isinstance(event, PARTLY_SHOWN)


def in_audience(event: Event, viewer: Viewer) -> bool:
    """Whether an event is shown to a viewer at all."""
    match type(event).audience:
        case "public":
            return True
        case "own":
            about = getattr(event, "player", None)
            return viewer.staff or about == viewer.account.id
        case "staff":
            return viewer.staff
        case "watch":
            return viewer.watches or viewer.account.role in ("floorperson", "pit_manager")
    raise AssertionError(f"{kind_of(event)} has no audience")


# Steps and refusals.


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """A command as a complete form for one viewer.

    Whoever deals or supervises may enter what players say and lay down: `players` are those it is
    given by then, `newcomers` says that anybody who is not at the table may be the one.
    """

    kind: str
    title: str
    sentence: str
    fields: dict[str, FieldType]
    fixed: dict[str, Any]
    clauses: tuple[str, ...]
    due: Urgency
    why: str
    blocked: str
    players: tuple[Account, ...] = ()
    newcomers: bool = False


def steps(table: Table, viewer: Viewer, at: int = 0) -> tuple[StepView, ...]:
    """The steps that are open to a viewer, and those that wait for something, with the reason."""
    return steps_for(table, every_step(table, at, near(table, viewer.account)), viewer)


def every_step(
    table: Table, at: int = 0, near: Account | None = None, known: KnownSteps | None = None
) -> tuple[Step, ...]:
    """The steps of everybody, or with `near` those that could be for an account."""
    return all_steps(table, at, near, known)


def near(table: Table, account: Account) -> Account | None:
    """Whose steps an account is shown some of: its own, or everybody's if it enters for others."""
    return None if table.attended and may_enter(table, account) else account


def steps_for(table: Table, every: Iterable[Step], viewer: Viewer) -> tuple[StepView, ...]:
    """Those steps of everybody that are for one viewer."""
    enters = table.attended and may_enter(table, viewer.account)
    found = []
    for step in every:
        own = step.is_for(viewer.account)
        players = tuple(one for one in step.who if one.role == "player")
        newcomers = "player" in step.open_to
        if own or (enters and (players or newcomers)):
            found.append(
                StepView(
                    kind=step.kind,
                    title=step.title,
                    sentence=step.sentence,
                    fields=step.fields,
                    fixed=step.fixed,
                    clauses=step.clauses,
                    due=step.due,
                    why=step.why,
                    blocked=step.blocked,
                    players=() if own else players,
                    newcomers=newcomers and not own,
                )
            )
    return tuple(found)


class RefusalView(msgspec.Struct, frozen=True, kw_only=True):
    """Why a command was refused, for the one who gave it."""

    problem: str
    clause: str
    game: str


def told(refusal: Refusal, viewer: Viewer) -> RefusalView:
    """A refusal as the one who gave the command is told."""
    return RefusalView(problem=refusal.problem, clause=refusal.clause, game=refusal.game)

"""Seats: sit down, leave; and what a floorperson rules on those who left or cheated (7.C, 11.A)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table.forms import OneOf, Text
from croupier.table.parts import WITH_SEATS, Act, Offer, Part
from croupier.table.payouts import reopen
from croupier.table.people import DEALER, FLOOR, PLAYER, Account
from croupier.table.record import Audience, Command, Event
from croupier.table.round import record as played
from croupier.table.round.betting import SEATS
from croupier.table.round.irregularities import forfeit

if TYPE_CHECKING:
    from croupier.table.table import Table

CONDUCT = ("hand", "touch", "view", "share")  # of chapter 11.A

# What may be asked for.


class SitDown(Command, frozen=True, tag="sit_down"):
    """A player takes a seat."""

    seat: int


class Leave(Command, frozen=True, tag="leave"):
    """A player without a wager on the layout leaves with all chips."""

    seat: int


class RecordWalkAway(Command, frozen=True, tag="record_walk_away"):
    """The dealer notes that a player with live wagers has left the table."""

    seat: int


class RuleAbandoned(Command, frozen=True, tag="rule_abandoned"):
    """A floorperson decides whether an absent player's wagers are lost, and says why."""

    player: str
    lost: bool
    reason: str


class ForfeitForConduct(Command, frozen=True, tag="forfeit_for_conduct"):
    """A floorperson finds a breach of the conduct rules: all wagers of the round are lost."""

    player: str
    conduct: str
    reason: str


class CallWager(Command, frozen=True, tag="call_wager"):
    """A spoken wager with cash; there is always a reason to refuse it."""

    seat: int
    cash: Cents


# What happened.


class SatDown(Event, frozen=True, kw_only=True, tag="sat_down"):
    """A player has a seat."""

    seat: int
    player: str


class Left(Event, frozen=True, kw_only=True, tag="left"):
    """A player without live wagers left with all chips."""

    seat: int
    player: str
    chips: Cents


class LeftDuringRound(Event, frozen=True, kw_only=True, tag="left_during_round"):
    """A player with live wagers left; no wager is lost by that alone."""

    seat: int
    player: str
    chips: Cents


class AbandonmentRuled(Event, frozen=True, kw_only=True, tag="abandonment_ruled"):
    """A floorperson's decision on an absent player's wagers; `WagersForfeited` follows if lost."""

    audience: ClassVar[Audience] = "staff"

    player: str
    lost: bool
    reason: str


class ConductRuled(Event, frozen=True, kw_only=True, tag="conduct_ruled"):
    """A floorperson's finding of a breach; `WagersForfeited` follows."""

    audience: ClassVar[Audience] = "staff"

    player: str
    conduct: str
    reason: str


@dataclass(slots=True)
class Seats:
    """Who sits where, and who left a round that goes on without them."""

    taken: dict[int, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)
    unseen: bool = False  # everybody had left: a newcomer must be shown the cards
    last_bet_at: int = 0

    def seat_of(self, player: str) -> int | None:
        """Where a player sits."""
        for seat, name in self.taken.items():
            if name == player:
                return seat
        return None


def sat_down(table: Table, event: SatDown) -> None:
    """The seat is taken."""
    table.seats.taken[event.seat] = event.player
    table.seats.absent.discard(event.player)


def got_up(table: Table, event: Left | LeftDuringRound) -> None:
    """The seat is free; wagers that lie there stay."""
    seats = table.seats
    del seats.taken[event.seat]
    if isinstance(event, LeftDuringRound):
        seats.absent.add(event.player)
    if not seats.taken:
        seats.unseen = True


def was_ruled(table: Table, event: AbandonmentRuled) -> None:
    """It was decided on an absent player's wagers."""
    table.seats.ruled.add(event.player)


def bet(table: Table, event: played.WagersPlaced) -> None:
    """Somebody bets: the table is not idle."""
    table.seats.last_bet_at = max(table.seats.last_bet_at, table.clock)


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """Whoever left is gone now."""
    table.seats.absent.clear()
    table.seats.ruled.clear()


# The rules.


def sit_down(table: Table, command: SitDown, by: Account, at: int) -> list[Event]:
    """One free seat for one person."""
    seat = command.seat
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    if not 1 <= seat <= SEATS:
        raise table.refusal(f"seat {seat} does not exist; expected 1 to {SEATS}", "seats")
    if seat in table.seats.taken:
        raise table.refusal(f"seat {seat} is taken", "seats")
    if table.seats.seat_of(by.id) is not None:
        raise table.refusal(f"{by.id} sits at this table already", "boxes")
    if by.id in table.posts.here:
        raise table.refusal(f"{by.id!r} serves this table and may not play at it", "seated")
    box = table.open_round.boxes.get(seat) if table.open_round else None
    if box is not None and box.player != by.id:
        raise table.refusal(f"wagers of {box.player} lie at seat {seat}", "seats")
    clauses = table.house.cite("seats") + table.house.cite("seated")
    return [SatDown(seat=seat, player=by.id, clauses=clauses)]


def offer_seats(table: Table, at: int) -> Iterator[Offer]:
    """Every free seat to anybody who is not at the table; an absent player's to that player."""
    if table.attended and not table.shift.open:
        return
    here = tuple(sorted({*table.posts.here, *table.seats.taken.values(), ""}))
    boxes = table.open_round.boxes if table.open_round else {}
    for seat in range(1, SEATS + 1):
        if seat in table.seats.taken:
            continue
        owner = boxes[seat].player if seat in boxes else ""
        if not owner:
            yield Offer(command=SitDown(seat), open_to=PLAYER, except_for=here)
        elif owner not in here:
            yield Offer(command=SitDown(seat), who=(Account(owner, "player"),))


def seated(table: Table, seat: int) -> str:
    """The player of a seat."""
    player = table.seats.taken.get(seat)
    if player is None:
        raise table.refusal(f"nobody sits at seat {seat!r}", "seated")
    return player


def own_seat(table: Table, seat: int, by: Account) -> str:
    """The player of a seat, who must be the one who acts."""
    player = seated(table, seat)
    if player != by.id:
        raise table.refusal(f"seat {seat} is the seat of {player}, not of {by.id}", "seated")
    return player


def leave(table: Table, command: Leave, by: Account, at: int) -> list[Event]:
    """Not while a wager of the player is on the layout."""
    player = own_seat(table, command.seat, by)
    if table.boxes_of(player):
        if table.dealing is None:
            raise table.refusal(f"{player} has wagers on the layout; withdraw them", "window")
        raise table.refusal(f"{player} stays seated until the round is complete", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [Left(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def walk_away(table: Table, command: RecordWalkAway, by: Account, at: int) -> list[Event]:
    """The dealer sees a player with wagers in play go; nothing is lost by that alone."""
    player = seated(table, command.seat)
    if table.dealing is None or not table.boxes_of(player):
        raise table.refusal(f"{player} has no wagers in play and may simply leave", "stay")
    chips = table.book.rack(player)
    clauses = table.house.cite("stay")
    return [LeftDuringRound(seat=command.seat, player=player, chips=chips, clauses=clauses)]


def forfeits(
    table: Table, player: str, cause: Literal["abandoned", "conduct"], reason: str, by: Account
) -> list[Event]:
    """The round's events that take every box of a player out."""
    current = table.dealing
    assert current is not None
    events: list[Event] = []
    for seat in table.boxes_of(player):
        box = current.boxes[seat]
        if not box.forfeited and not box.sat_out:
            command = played.Forfeit(seat, cause, reason)
            events += forfeit(table, command, by, 0)
    return events


def rule_abandoned(table: Table, command: RuleAbandoned, by: Account, at: int) -> list[Event]:
    """A decision with a reason; undecided, the hand is settled as it lies (A89)."""
    player = command.player
    if player not in table.seats.absent or table.dealing is None or table.dealing.void:
        raise table.refusal(f"{player!r} has not left a round in progress", "forfeit.abandoned")
    if player in table.seats.ruled:
        raise table.refusal(f"it was decided on the wagers of {player}", "forfeit.abandoned")
    if not command.reason.strip():
        raise table.refusal("the decision needs a reason", "forfeit.abandoned")
    ruled = AbandonmentRuled(
        player=player,
        lost=command.lost,
        reason=command.reason,
        clauses=(*table.house.cite("forfeit.abandoned"), "A89"),
    )
    if not command.lost:
        return [ruled]
    lost = forfeits(table, player, "abandoned", command.reason, by)
    return [ruled, *lost, *reopen(table, by, at, "a ruling changed the settlement")]


def forfeit_for_conduct(
    table: Table, command: ForfeitForConduct, by: Account, at: int
) -> list[Event]:
    """All wagers of the round, by a finding; only where the document forfeits (A90)."""
    house, player = table.house, command.player
    if not house.cite("forfeit.conduct", optional=True):
        raise Refusal("this game's rules forfeit nothing for conduct", "A90", game=house.game.key)
    if command.conduct not in CONDUCT:
        raise table.refusal(f"{command.conduct!r} is no conduct rule", "forfeit.conduct")
    if table.dealing is None or table.dealing.void or not table.boxes_of(player):
        raise table.refusal(f"{player!r} has no wager in a round in progress", "forfeit.conduct")
    if not command.reason.strip():
        raise table.refusal("the finding needs a reason", "forfeit.conduct")
    lost = forfeits(table, player, "conduct", command.reason, by)
    if not lost:
        raise table.refusal(f"{player} is out of this round already", "forfeit.conduct")
    ruled = ConductRuled(
        player=player,
        conduct=command.conduct,
        reason=command.reason,
        clauses=(
            *house.cite("forfeit.conduct"),
            *house.cite(f"conduct.{command.conduct}"),
            "A90",
        ),
    )
    return [ruled, *lost, *reopen(table, by, at, "a ruling changed the settlement")]


def call_wager(table: Table, command: CallWager, by: Account, at: int) -> list[Event]:
    """Cash and words make no wager."""
    raise table.refusal(
        "a wager is made with chips on the layout, not with words and cash", "verbal"
    )


def offer_leaving(table: Table, at: int) -> Iterator[Offer]:
    """Everybody who sits may want to go."""
    for seat, player in sorted(table.seats.taken.items()):
        yield Offer(command=Leave(seat), who=(Account(player, "player"),))


def offer_walk_away(table: Table, at: int) -> Iterator[Offer]:
    """Anybody may walk away from a round."""
    for seat in sorted(table.seats.taken):
        yield Offer(command=RecordWalkAway(seat))


def offer_rulings(table: Table, at: int) -> Iterator[Offer]:
    """A decision for everybody who left a round in progress."""
    for player in sorted(table.seats.absent):
        yield Offer(
            command=RuleAbandoned(player, False, "left the table"),
            forms={"lost": OneOf((False, True)), "reason": Text("left the table")},
            why=f"{player} left during the round",
        )


def offer_conduct(table: Table, at: int) -> Iterator[Offer]:
    """A finding against anybody in the round."""
    if table.dealing is None:
        return
    for player in sorted({box.player for box in table.dealing.boxes.values()}):
        yield Offer(
            command=ForfeitForConduct(player, "share", "told others of the hand"),
            forms={"conduct": OneOf(CONDUCT), "reason": Text("told others of the hand")},
        )


# What seats ask of the round.


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Seated players bet on their own box and the free boxes beside it."""
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    home = table.seats.seat_of(by.id)
    if home is None or command.player not in ("", by.id):
        raise table.refusal(f"{by} does not sit here, or bets for somebody else", "seated")
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    taken = table.seats.taken.get(command.seat, by.id) != by.id
    if taken or (box is not None and box.player != by.id):
        raise table.refusal(f"seat {command.seat} is another player's", "boxes")
    if box is None and not any(command.wagers.values()):
        raise table.refusal("nothing lies there and nothing was put down", "required")
    return "chips", "seated", "boxes"


def after_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The own box is bet on first, and given up last."""
    home = table.seats.seat_of(by.id)
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    others = set(table.boxes_of(by.id)) - {command.seat}
    after = others | {command.seat} if placed.stakes else others
    if after and home not in after:
        raise table.refusal(f"{by.id} bets on the box of seat {home} first", "boxes")
    return []


def before_deciding(table: Table, command: played.Decide, by: Account, at: int) -> tuple[str, ...]:
    """The player of the box; for one who left, the dealer without a further bet (A89)."""
    current = table.dealing
    box = current.boxes.get(command.seat) if current else None
    if box is None:
        return ()  # the round refuses
    absent = box.player in table.seats.absent
    if by.role != "player" and not absent:
        raise table.refusal(f"{box.player} decides, not the {by.role}", "seated")
    if by.role == "player" and (absent or box.player != by.id):
        raise table.refusal(f"seat {command.seat} is played by {box.player}", "seated")
    if by.role != "player" and command.word != passive(table):
        raise Refusal(f"{box.player} left; no further bet", "A89", game=table.house.game.key)
    return ("stay",)


def passive(table: Table) -> str:
    """The answer that makes no bet: check where there is one, otherwise fold."""
    street = table.dealing.street if table.dealing else None
    words = [option.word for option in street.options if not option.wager] if street else []
    return "check" if "check" in words else "fold"


ACTS = (
    Act(command=SitDown, roles=PLAYER, duty="seated", decide=sit_down, offers=offer_seats),
    Act(command=Leave, roles=PLAYER, duty="stay", decide=leave, offers=offer_leaving),
    Act(
        command=RecordWalkAway,
        roles=DEALER,
        duty="stay",
        decide=walk_away,
        offers=offer_walk_away,
    ),
    Act(
        command=RuleAbandoned,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=rule_abandoned,
        offers=offer_rulings,
    ),
    Act(
        command=ForfeitForConduct,
        roles=FLOOR,
        duty="conduct.view",
        decide=forfeit_for_conduct,
        offers=offer_conduct,
    ),
    Act(command=CallWager, roles=PLAYER, duty="verbal", decide=call_wager),
)
PART = Part(
    name="seats",
    services=WITH_SEATS,
    acts=ACTS,
    before={played.PlaceWagers: before_placing, played.Decide: before_deciding},
    after={played.PlaceWagers: after_placing},
    evolve={
        SatDown: sat_down,
        Left: got_up,
        LeftDuringRound: got_up,
        AbandonmentRuled: was_ruled,
        played.WagersPlaced: bet,
        played.RoundClosed: round_closed,
    },
)

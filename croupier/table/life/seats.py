"""Seats: sit, bring chips, leave; and what a floorperson rules on those who left or cheated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table import commands as round_cmd
from croupier.table.betting import SEATS
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Amount, OneOf, Text
from croupier.table.life.payouts import reopen
from croupier.table.life.people import DEALER, FLOOR, PLAYER, Person

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

CONDUCT = ("hand", "touch", "view", "share")  # of chapter 11.A


def sit_down(live: LiveTable, command: cmd.SitDown, by: Person, at: int) -> list[Event]:
    """One free seat for one person."""
    life, seat = live.life, command.seat
    if not life.open:
        raise live.refusal("the table is not open", "deck.spread")
    if type(seat) is not int or not 1 <= seat <= SEATS:
        raise live.refusal(f"seat {seat!r} does not exist; expected 1 to {SEATS}", "seats")
    if seat in life.seats:
        raise live.refusal(f"seat {seat} is taken", "seats")
    if life.seat_of(by.name) is not None:
        raise live.refusal(f"{by.name} sits at this table already", "boxes")
    if not by.name.strip() or by.name in life.posts:
        raise live.refusal(f"{by.name!r} serves this table and may not play at it", "seated")
    box = live.round.boxes.get(seat) if live.round else None
    if box is not None and box.player != by.name:
        raise live.refusal(f"wagers of {box.player} lie at seat {seat}", "seats")
    clauses = live.house.cite("seats") + live.house.cite("seated")
    return [ev.SatDown(seat=seat, player=by.name, at=at, by=by, clauses=clauses)]


def offer_seats(live: LiveTable, at: int) -> Iterator[Offer]:
    """Every free seat to anybody who is not at the table; an absent player's to that player."""
    life = live.life
    if not life.open:
        return
    here = tuple(sorted({*life.posts, *life.seats.values(), ""}))
    boxes = live.round.boxes if live.round else {}
    for seat in range(1, SEATS + 1):
        if seat in life.seats:
            continue
        owner = boxes[seat].player if seat in boxes else ""
        if not owner:
            yield Offer(command=cmd.SitDown(seat), open_to=PLAYER, except_for=here)
        elif owner not in here:
            yield Offer(command=cmd.SitDown(seat), who=(Person(owner, "player"),))


def seated(live: LiveTable, seat: int) -> str:
    """The player of a seat."""
    player = live.life.seats.get(seat) if type(seat) is int else None
    if player is None:
        raise live.refusal(f"nobody sits at seat {seat!r}", "seated")
    return player


def check_amount(live: LiveTable, amount: object, most: int | None, what: str) -> None:
    """Refuse what is no amount, or more than there is."""
    if not Amount(1, most).admits(amount):
        limit = f" up to {dollars(most)}" if most is not None else ""
        raise live.refusal(f"an amount{limit} is expected {what}, got {amount!r}", "chips")


def buy_in(live: LiveTable, command: cmd.BuyIn, by: Person, at: int) -> list[Event]:
    """Cash to the drop box, chips from the tray."""
    player = seated(live, command.seat)
    check_amount(live, command.cash, live.life.tray, "from the tray")
    bought = ev.BoughtIn(
        seat=command.seat,
        player=player,
        cash=command.cash,
        chips=command.cash,
        at=at,
        by=by,
        clauses=live.house.cite("chips"),
    )
    return [bought]


def add_chips(live: LiveTable, command: cmd.AddChips, by: Person, at: int) -> list[Event]:
    """Chips that the player brought along."""
    player = seated(live, command.seat)
    check_amount(live, command.chips, None, "of chips")
    clauses = live.house.cite("chips")
    return [
        ev.ChipsAdded(
            seat=command.seat, player=player, chips=command.chips, at=at, by=by, clauses=clauses
        )
    ]


def own_seat(live: LiveTable, seat: int, by: Person) -> str:
    """The player of a seat, who must be the one who acts."""
    player = seated(live, seat)
    if player != by.name:
        raise live.refusal(f"seat {seat} is the seat of {player}, not of {by.name}", "seated")
    return player


def cash_out(live: LiveTable, command: cmd.CashOut, by: Person, at: int) -> list[Event]:
    """Chips off the table; the seat stays."""
    player = own_seat(live, command.seat, by)
    check_amount(live, command.chips, live.life.racks[player], "of the rack")
    clauses = live.house.cite("chips")
    return [
        ev.CashedOut(
            seat=command.seat, player=player, chips=command.chips, at=at, by=by, clauses=clauses
        )
    ]


def leave(live: LiveTable, command: cmd.Leave, by: Person, at: int) -> list[Event]:
    """Not while a wager of the player is on the layout."""
    player = own_seat(live, command.seat, by)
    if live.boxes_of(player):
        if live.dealing is None:
            raise live.refusal(f"{player} has wagers on the layout; withdraw them", "window")
        raise live.refusal(f"{player} stays seated until the round is complete", "stay")
    chips = live.life.racks[player]
    clauses = live.house.cite("stay")
    return [ev.Left(seat=command.seat, player=player, chips=chips, at=at, by=by, clauses=clauses)]


def walk_away(live: LiveTable, command: cmd.RecordWalkAway, by: Person, at: int) -> list[Event]:
    """The dealer sees a player with live wagers go; nothing is lost by that alone."""
    player = seated(live, command.seat)
    if live.dealing is None or not live.boxes_of(player):
        raise live.refusal(f"{player} has no live wagers and may simply leave", "stay")
    chips = live.life.racks[player]
    clauses = live.house.cite("stay")
    return [
        ev.LeftDuringRound(
            seat=command.seat, player=player, chips=chips, at=at, by=by, clauses=clauses
        )
    ]


def forfeits(live: LiveTable, player: str, cause: str, reason: str) -> list[Event]:
    """The round's events that take every box of a player out."""
    current = live.dealing
    assert current is not None
    events: list[Event] = []
    for seat in live.boxes_of(player):
        box = current.boxes[seat]
        if not box.forfeited and not box.sat_out:
            command = round_cmd.Forfeit(seat, cause, reason)  # type: ignore[arg-type]
            events += live.table.decide(command)
    return events


def rule_abandoned(live: LiveTable, command: cmd.RuleAbandoned, by: Person, at: int) -> list[Event]:
    """A decision with a reason; undecided, the hand is settled as it lies (A89)."""
    life, player = live.life, command.player
    if player not in life.absent or live.dealing is None or live.dealing.void:
        raise live.refusal(f"{player!r} has not left a live round", "forfeit.abandoned")
    if player in life.ruled:
        raise live.refusal(f"it was decided on the wagers of {player}", "forfeit.abandoned")
    if not command.reason.strip():
        raise live.refusal("the decision needs a reason", "forfeit.abandoned")
    ruled = ev.AbandonmentRuled(
        player=player,
        lost=command.lost,
        reason=command.reason,
        at=at,
        by=by,
        clauses=(*live.house.cite("forfeit.abandoned"), "A89"),
    )
    if not command.lost:
        return [ruled]
    lost = forfeits(live, player, "abandoned", command.reason)
    return [ruled, *lost, *reopen(live, by, at, "a ruling changed the settlement")]


def forfeit_for_conduct(
    live: LiveTable, command: cmd.ForfeitForConduct, by: Person, at: int
) -> list[Event]:
    """All wagers of the round, by a finding; only where the document forfeits (A90)."""
    house, player = live.house, command.player
    if not house.cite("forfeit.conduct", optional=True):
        raise Refusal("this game's rules forfeit nothing for conduct", "A90", game=house.game.key)
    if command.conduct not in CONDUCT:
        raise live.refusal(f"{command.conduct!r} is no conduct rule", "forfeit.conduct")
    if live.dealing is None or live.dealing.void or not live.boxes_of(player):
        raise live.refusal(f"{player!r} has no wager in a live round", "forfeit.conduct")
    if not command.reason.strip():
        raise live.refusal("the finding needs a reason", "forfeit.conduct")
    lost = forfeits(live, player, "conduct", command.reason)
    if not lost:
        raise live.refusal(f"{player} is out of this round already", "forfeit.conduct")
    ruled = ev.ConductRuled(
        player=player,
        conduct=command.conduct,
        reason=command.reason,
        at=at,
        by=by,
        clauses=(
            *house.cite("forfeit.conduct"),
            *house.cite(f"conduct.{command.conduct}"),
            "A90",
        ),
    )
    return [ruled, *lost, *reopen(live, by, at, "a ruling changed the settlement")]


def call_wager(live: LiveTable, command: cmd.CallWager, by: Person, at: int) -> list[Event]:
    """Cash and words make no wager."""
    raise live.refusal(
        "a wager is made with chips on the layout, not with words and cash", "verbal"
    )


def offer_seat_acts(live: LiveTable, kind: str) -> Iterator[Offer]:
    """What concerns one occupied seat."""
    life = live.life
    for seat, player in sorted(life.seats.items()):
        who = (Person(player, "player"),)
        rack = life.racks[player]
        match kind:
            case "buy_in" if life.tray:
                form = Amount(1, life.tray)
                yield Offer(
                    command=cmd.BuyIn(seat, min(100_00, life.tray)),
                    forms={"cash": form},
                    due="may" if rack or live.boxes_of(player) else "due",
                    why="" if rack else "no chips yet",
                )
            case "add_chips":
                yield Offer(command=cmd.AddChips(seat, 100_00), forms={"chips": Amount(1)})
            case "cash_out" if rack:
                yield Offer(
                    command=cmd.CashOut(seat, rack), forms={"chips": Amount(1, rack)}, who=who
                )
            case "leave":
                yield Offer(command=cmd.Leave(seat), who=who)
            case "walk_away":
                yield Offer(command=cmd.RecordWalkAway(seat))


def offer_rulings(live: LiveTable, at: int) -> Iterator[Offer]:
    """A decision for everybody who left a live round."""
    for player in sorted(live.life.absent):
        yield Offer(
            command=cmd.RuleAbandoned(player, False, "left the table"),
            forms={"lost": OneOf((False, True)), "reason": Text("left the table")},
            why=f"{player} left during the round",
        )


def offer_conduct(live: LiveTable, at: int) -> Iterator[Offer]:
    """A finding against anybody in the round."""
    if live.dealing is None:
        return
    for player in sorted({box.player for box in live.dealing.boxes.values()}):
        yield Offer(
            command=cmd.ForfeitForConduct(player, "share", "told others of the hand"),
            forms={"conduct": OneOf(CONDUCT), "reason": Text("told others of the hand")},
        )


ACTS = (
    Act(command=cmd.SitDown, roles=PLAYER, duty="seated", decide=sit_down, offers=offer_seats),
    Act(
        command=cmd.BuyIn,
        roles=DEALER,
        duty="chips",
        decide=buy_in,
        offers=lambda live, at: offer_seat_acts(live, "buy_in"),
    ),
    Act(
        command=cmd.AddChips,
        roles=DEALER,
        duty="chips",
        decide=add_chips,
        offers=lambda live, at: offer_seat_acts(live, "add_chips"),
    ),
    Act(
        command=cmd.CashOut,
        roles=PLAYER,
        duty="chips",
        decide=cash_out,
        offers=lambda live, at: offer_seat_acts(live, "cash_out"),
    ),
    Act(
        command=cmd.Leave,
        roles=PLAYER,
        duty="stay",
        decide=leave,
        offers=lambda live, at: offer_seat_acts(live, "leave"),
    ),
    Act(
        command=cmd.RecordWalkAway,
        roles=DEALER,
        duty="stay",
        decide=walk_away,
        offers=lambda live, at: offer_seat_acts(live, "walk_away"),
    ),
    Act(
        command=cmd.RuleAbandoned,
        roles=FLOOR,
        duty="forfeit.abandoned",
        decide=rule_abandoned,
        offers=offer_rulings,
    ),
    Act(
        command=cmd.ForfeitForConduct,
        roles=FLOOR,
        duty="conduct.view",
        decide=forfeit_for_conduct,
        offers=offer_conduct,
    ),
    Act(command=cmd.CallWager, roles=PLAYER, duty="verbal", decide=call_wager),
)

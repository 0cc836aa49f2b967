"""The round's own commands at a live table: the right person, at the right moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table import commands as rc
from croupier.table import events as re
from croupier.table.events import Event
from croupier.table.life import events as ev
from croupier.table.life import offers as offer
from croupier.table.life.acts import Act
from croupier.table.life.decks import check_age, continuous, two_decks
from croupier.table.life.payouts import LAW, documents, reopen, undocumented
from croupier.table.life.people import DEALER, FLOOR, PLAYER, STAFF, Person, Role
from croupier.table.life.progressive import count_waits, unvalidated

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

DECIDERS: tuple[Role, ...] = ("player", "dealer")


def tag_of(command: rc.Command) -> str:
    """The kind of a command as it is written."""
    return str(type(command).__struct_config__.tag)


def acted(live: LiveTable, command: rc.Command, by: Person, at: int, *duties: str) -> list[Event]:
    """Who did it and when, with the duties fulfilled; then what the round makes of it."""
    cite = live.house.cite
    clauses = tuple(clause for duty in duties for clause in cite(duty, optional=True))
    events = live.table.decide(command)
    return [ev.Acted(command=tag_of(command), at=at, by=by, clauses=clauses), *events]


def place_wagers(live: LiveTable, command: rc.PlaceWagers, by: Person, at: int) -> list[Event]:
    """Seated players bet chips they have, on their own box and the boxes beside it."""
    life, house = live.life, live.house
    if not life.open:
        raise live.refusal("the table is not open", "deck.spread")
    home = life.seat_of(by.name)
    if home is None or command.player not in ("", by.name):
        raise live.refusal(f"{by} does not sit here, or bets for somebody else", "seated")
    progressive = house.offers("progressive") and command.wagers.get("progressive")
    if live.dealing is not None and progressive:
        raise live.refusal("the progressive system is locked", "progressive.lockout")
    box = live.round.boxes.get(command.seat) if live.round else None
    taken = life.seats.get(command.seat, by.name) != by.name
    if taken or (box is not None and box.player != by.name):
        raise live.refusal(f"seat {command.seat} is another player's", "boxes")
    if box is None and not any(command.wagers.values()):
        raise live.refusal("nothing lies there and nothing was put down", "required")
    asked = rc.PlaceWagers(command.seat, command.wagers, by.name)
    events = acted(live, asked, by, at, "chips", "seated", "boxes")
    placed = next(event for event in events if isinstance(event, re.WagersPlaced))
    others = set(live.boxes_of(by.name)) - {command.seat}
    after = others | {command.seat} if placed.stakes else others
    if after and home not in after:
        raise live.refusal(f"{by.name} bets on the box of seat {home} first", "boxes")
    lay = box.stakes if box is not None else {}
    short = sum(placed.stakes.values()) - sum(lay.values()) - life.racks[by.name]
    if short > 0:
        problem = f"{by.name} is {dollars(short)} short of these wagers"
        raise Refusal(problem, "A34", game=house.game.key)
    return events + acknowledge(live, placed, lay, by, at)


def acknowledge(
    live: LiveTable, placed: re.WagersPlaced, lay: dict[str, int], by: Person, at: int
) -> list[Event]:
    """The device of the position takes a new progressive wager, if it works."""
    stake = placed.stakes.get("progressive", 0)
    if not stake or stake == lay.get("progressive"):
        return []
    if live.life.devices["progressive"] != "working":
        raise live.refusal("the progressive system does not work", "table.progressive")
    clauses = live.house.cite("progressive.device") + live.house.cite("accepted")
    return [
        ev.ProgressiveAcknowledged(seat=placed.seat, stake=stake, at=at, by=by, clauses=clauses)
    ]


def why_not_start(live: LiveTable, at: int) -> tuple[str, str] | None:
    """What a new round still waits for, with the duty; a round that runs is never stopped."""
    life = live.life
    deck = life.in_play()
    if life.unseen and not continuous(live):
        return "everybody had left; spread the cards and show them to the newcomer", "idle.inspect"
    if deck is None:
        stages = {other.stage for other in life.decks.values()}
        duty = "deck.inspect" if not stages & {"shuffled", "cut", "rack", "stacked"} else "load"
        return "no deck is ready to be dealt", duty
    if two_decks(live) and not any(other.stage == "shuffled" for other in life.usable()):
        return "the other deck is not shuffled in the shuffler", "deck.stored"
    if life.method == "automated_shoe" and life.devices["shoe"] != "working":
        return "the automated shoe does not work", "device.marked"
    boxes = live.round.boxes.values() if live.round else ()
    down = life.devices.get("progressive") == "failed"
    if down and any("progressive" in box.stakes for box in boxes):
        return "the progressive system does not work; withdraw its wagers", "table.progressive"
    return None


def no_more_bets(live: LiveTable, command: rc.NoMoreBets, by: Person, at: int) -> list[Event]:
    """Close the betting when the cards are ready."""
    if live.round is not None and live.dealing is None:
        problem = why_not_start(live, at)
        if problem:
            raise live.refusal(*problem)
        deck = live.life.in_play()
        assert deck is not None
        check_age(live, deck, at)
    duties = ("deck.alternate", "deck.stored") if two_decks(live) else ("deck.one",)
    locks = ("progressive.lockout",) if live.house.offers("progressive") else ()
    return acted(live, command, by, at, *duties, *locks)


def check_first_card(live: LiveTable) -> None:
    """Before the first card: chips counted, the deck cut again if that was ordered."""
    current = live.dealing
    if current is None or current.left_deck or current.void:
        return
    if count_waits(live):
        raise live.refusal("count the progressive chips before the first card", "progressive.count")
    if live.life.in_play() is None:
        raise live.refusal("the deck was ordered to be cut or shuffled again", "cut.again")


def deal(live: LiveTable, command: rc.Command, by: Person, at: int) -> list[Event]:
    """Cards leave the loaded deck; one may be found face up in it."""
    check_first_card(live)
    events = acted(live, command, by, at, "technique")
    return events + after_void(live, events, by, at)


def show(live: LiveTable, command: rc.ShowStreet, by: Person, at: int) -> list[Event]:
    """Players look at their cards, within the limits of chapter 11.A."""
    return acted(
        live, command, by, at, "conduct.hand", "conduct.touch", "conduct.view", "conduct.share"
    )


def decide(live: LiveTable, command: rc.Decide, by: Person, at: int) -> list[Event]:
    """The player of the box; for one who left, the dealer without a further bet (A89)."""
    current = live.dealing
    box = current.boxes.get(command.seat) if current else None
    if box is None or current is None:
        return acted(live, command, by, at)  # the round refuses
    absent = box.player in live.life.absent
    if by.role == "dealer" and not absent:
        raise live.refusal(f"{box.player} decides, not the dealer", "seated")
    if by.role == "player" and (absent or box.player != by.name):
        raise live.refusal(f"seat {command.seat} is played by {box.player}", "seated")
    if by.role == "dealer" and command.word != passive(live):
        raise Refusal(f"{box.player} left; no further bet", "A89", game=live.house.game.key)
    events = acted(live, command, by, at, "stay")
    stake = sum(event.stake for event in events if isinstance(event, re.Decided))
    if stake > live.life.racks[box.player]:
        short = dollars(stake - live.life.racks[box.player])
        raise Refusal(f"{box.player} is {short} short", "A34", game=live.house.game.key)
    return events


def passive(live: LiveTable) -> str:
    """The answer that makes no bet: check where there is one, otherwise fold."""
    street = live.dealing.street if live.dealing else None
    words = [option.word for option in street.options if not option.wager] if street else []
    return "check" if "check" in words else "fold"


def check_payable(live: LiveTable, at: int) -> None:
    """Everything that stands before a settlement: stub, awards, documents, chips."""
    current = live.dealing
    if current is None or current.due().kind != "settle":
        return  # the round refuses
    if not current.void and live.life.stub != "done":
        duty = "stub.wrong" if live.life.stub else "stub.rack"
        raise live.refusal("the stub is not accounted for", duty)
    seat = unvalidated(live)
    if seat is not None:
        raise live.refusal(f"the award of seat {seat} is not validated", "award.validate")
    if undocumented(live, at):
        raise Refusal("a payout needs a document", LAW, game=live.house.game.key)
    waiting = [document.serial for document in documents(live) if not document.complete]
    if waiting:
        raise Refusal(f"document {waiting[0]} is not complete", LAW, game=live.house.game.key)


def settle(live: LiveTable, command: rc.Settle, by: Person, at: int) -> list[Event]:
    """Pay and collect; checks leave by the cage, an absent player's money is held."""
    check_payable(live, at)
    aloud = (
        () if live.dealing is not None and live.dealing.void else ("aloud.dealer", "aloud.player")
    )
    events = acted(live, command, by, at, *aloud, "deck.rack")
    current = live.dealing
    assert current is not None
    comes_back: dict[str, int] = {}
    tray = live.life.tray
    for event in events:
        back = 0
        if isinstance(event, re.WagerSettled):
            in_tray = event.wager == "progressive" and live.life.collected
            tray += (0 if in_tray else event.stake) - event.returned
            back = event.returned
        elif isinstance(event, re.EnvyPaid):
            tray -= event.paid
            back = event.paid
        if back and isinstance(event, re.WagerSettled | re.EnvyPaid):
            player = current.boxes[event.seat].player
            comes_back[player] = comes_back.get(player, 0) + back
    checks = by_check(live, by, at)
    tray += sum(check.amount for check in checks)
    if tray < 0:
        raise live.refusal(f"the tray is {dollars(-tray)} short; a fill is needed", "settle.pays")
    held = [
        ev.UnclaimedHeld(player=player, amount=amount, at=at, by=by, clauses=("A89",))
        for player, amount in sorted(comes_back.items())
        if player in live.life.absent
    ]
    return [*events, *checks, *held]


def by_check(live: LiveTable, by: Person, at: int) -> list[ev.PaidByCheck]:
    """The payouts of the highest tier to players who are there to take a check."""
    return [
        ev.PaidByCheck(
            serial=document.serial,
            seat=document.seat,
            player=document.player,
            amount=document.winnings,
            at=at,
            by=by,
            clauses=(LAW,),
        )
        for document in documents(live)
        if document.by_check and document.player not in live.life.absent
    ]


def after_void(live: LiveTable, events: list[Event], by: Person, at: int) -> list[Event]:
    """A void round pays nothing that was checked or documented before."""
    if any(isinstance(event, re.RoundVoided) for event in events):
        return reopen(live, by, at, "the round is void")
    return []


def irregularity(live: LiveTable, command: rc.Command, by: Person, at: int) -> list[Event]:
    """Chapter 13, as the round engine knows it."""
    events = acted(live, command, by, at)
    return events + after_void(live, events, by, at)


def jam(live: LiveTable, command: rc.Command, by: Person, at: int) -> list[Event]:
    """A device in use fails in the middle of a round; it stays out of order until cleared."""
    device = "shuffler" if isinstance(command, rc.JamShuffler) else "shoe"
    if live.life.devices.get(device, "working") != "working":
        raise live.refusal(f"the {device} is not in use", "device.marked")
    events = irregularity(live, command, by, at)
    clauses = live.house.cite("device.marked")
    return [*events, ev.DeviceFailed(device=device, at=at, by=by, clauses=clauses)]


def wrong_count(live: LiveTable, command: rc.FindWrongCount, by: Person, at: int) -> list[Event]:
    """After a stub count that did not come to 52: misdealt, or the deck must go."""
    if live.life.stub != "differs":
        raise live.refusal("no stub count differs", "stub.wrong")
    asks_floor = live.house.game.procedure.floor_rules_on_misdeal(live.house)
    if asks_floor and by.role not in FLOOR:
        raise live.refusal("a floorperson determines whether cards were misdealt", "stub.wrong")
    return irregularity(live, command, by, at)


def _act(command: type[rc.Command], roles: tuple[Role, ...], duty: str, how: Any) -> Act:
    return Act(command=command, roles=roles, duty=duty, decide=how, offers=offer.OFFERS[command])


ACTS = (
    _act(rc.PlaceWagers, PLAYER, "seated", place_wagers),
    _act(rc.NoMoreBets, DEALER, "no_more_bets", no_more_bets),
    _act(rc.DealCards, DEALER, "deal.hands", deal),
    _act(rc.ShowStreet, DEALER, "no_more_bets", show),
    _act(rc.Decide, DECIDERS, "seated", decide),
    _act(rc.Settle, DEALER, "discard.order", settle),
    _act(rc.FindCardFaceUp, DEALER, "face_up.void", deal),
    _act(rc.DrawInError, DEALER, "drawn_in_error", irregularity),
    _act(rc.FindWrongNumber, DEALER, "wrong_number", irregularity),
    _act(rc.ExposeDealerCard, DEALER, "wrong_number", irregularity),
    _act(rc.ExposeCommunityCard, FLOOR, "wrong_number", irregularity),
    _act(rc.ExposePlayerCard, FLOOR, "player_exposed", irregularity),
    _act(rc.JamShuffler, DEALER, "shuffler_jam", jam),
    _act(rc.JamShoe, DEALER, "shoe_jam", jam),
    _act(rc.SkipPlayer, DEALER, "player_skipped", irregularity),
    _act(rc.FindWrongCount, STAFF, "stub.wrong", wrong_count),
)

"""When the round's own commands are offered, and what they leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import lcm
from typing import TYPE_CHECKING

from croupier.cards import DECK, NAMES, names
from croupier.games import COMMUNITY, Wager, stake_unit
from croupier.table.core.fields import (
    AmountField,
    CardsField,
    CardField,
    OneOfField,
    StakesField,
    TextField,
    WagerTerms,
)
from croupier.table.core.messages import Command
from croupier.table.core.part import ActionTemplate, Urgency
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.betting import SEATS, placeable
from croupier.table.parts.round.dealing import turned_by_street
from croupier.table.parts.round.settlement import turn_of
from croupier.table.parts.round.showdown import spoken, to_turn
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def terms_of(table: Table, wager: Wager) -> WagerTerms:
    """What may be staked on a wager here and now."""
    house = table.house
    even = wager.role == "ante" and house.choices.chip_rounding == "require_even_ante"
    if wager.role == "progressive" and house.progressive is not None:
        return WagerTerms(least=house.progressive.stake, most=house.progressive.stake)
    if wager.role == "matching":
        return WagerTerms(least=0, most=None, equals=house.game.ante.name)
    limits = house.limits.get(wager.name)
    return WagerTerms(
        least=limits.minimum if limits else 1,
        most=limits.maximum if limits else None,
        needs=house.prerequisites.get(wager.name, ""),
        multiple=lcm(200 if even else 1, stake_unit(house, wager.name)),
    )


def place_wagers(table: Table, at: int) -> Iterator[ActionTemplate]:
    """To every seated player: the own box and the ones beside it where nobody sits; taking back."""
    house = table.house
    if (table.attended and not table.shift.open) or table.dealing is not None:
        return
    working = not table.attended or table.devices.state.get("progressive") == "working"
    boxes = table.open_round.boxes if table.open_round else {}
    all_terms = {w.name: terms_of(table, w) for w in house.game.wagers if placeable(house, w)}
    for home, player in sorted(table.seats.taken.items()):
        for seat in range(1, SEATS + 1):
            reached = abs(seat - home) < house.max_adjacent_boxes
            if not reached or table.seats.taken.get(seat, player) != player:
                continue
            lies = dict(boxes[seat].stakes) if seat in boxes else {}
            terms = dict(all_terms)
            if not working and "progressive" in terms and "progressive" not in lies:
                # A wager that the system cannot take may still be written as none.
                terms["progressive"] = WagerTerms(least=1, most=0)
            ways = (False, True) if lies else (False,)
            for withdraws in (True,) if seat in table.limits.accepted else ways:
                form = StakesField(
                    ante=house.game.ante.name,
                    terms=terms,
                    lies=lies,
                    chips=table.book.rack(player),
                    withdraws=withdraws,
                )
                yield ActionTemplate(
                    command=rec.PlaceWagers(seat, form.example(), player),
                    fields={"wagers": form, "player": OneOfField(("", player))},
                    who=(Account(player, "player"),),
                )


def no_more_bets(table: Table, at: int) -> Iterator[ActionTemplate]:
    """When somebody has bet and the cards are ready."""
    if table.open_round is not None and table.dealing is None and table.open_round.boxes:
        yield ActionTemplate(command=rec.NoMoreBets(), due="due", why="wagers are placed")


def unseen_card(table: Table) -> list[str]:
    """Cards that could leave the deck now: to try a deal with, never to be shown."""
    gone = table.dealing.gone if table.dealing else ()
    return names(card for card in DECK if card not in gone)


def deal_cards(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The cards of the stage, each with its place."""
    due, current = table.due(), table.dealing
    if due.kind == "deal" and current is not None:
        yield ActionTemplate(
            command=rec.DealCards(tuple(unseen_card(table)[:1])),
            fields={"cards": CardsField(1, due.cards, tuple(current.pending), table.attended)},
            due="due",
            why=f"{due.cards} card(s) to deal",
        )


def show_street(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The cards of the street are down."""
    due, current = table.due(), table.dealing
    if due.kind != "show" or current is None:
        return
    why = f"the cards of {due.street} are down"
    lying = turned_by_street(current)
    fresh = [card for card in lying if card not in current.exposed]
    if None not in fresh:
        yield ActionTemplate(command=rec.ShowStreet(), due="due", why=why)
        return
    # Those that were read are told with the others: the dealer sees them all.
    trial = iter(unseen_card(table))
    told = tuple(next(trial) if card is None else NAMES[card] for card in fresh)
    form = CardsField(len(fresh), len(fresh), (COMMUNITY,) * len(fresh))
    yield ActionTemplate(command=rec.ShowStreet(told), fields={"cards": form}, due="due", why=why)


def decide(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The player whose turn it is; the dealer for one who left."""
    due = table.due()
    current = table.dealing
    if due.kind != "decide" or current is None or current.street is None:
        return
    box = current.boxes[due.seat]
    absent = box.player in table.seats.absent
    who = (Account(table.posts.dealer, "dealer"),) if absent else (Account(box.player, "player"),)
    rack = table.book.rack(box.player)
    ante = box.stakes[table.house.game.ante.name]
    why = f"seat {due.seat} is asked"
    for option in current.street.options:
        yield ActionTemplate(command=rec.Decide(due.seat, option.word), due="due", why=why, who=who)
    bets = [option for option in current.street.options if option.wager]
    if table.house.game.any_amount(table.house) and not absent:
        least, most = bets[0].times * ante, min(bets[-1].times * ante, rack)
        unit = stake_unit(table.house, bets[0].wager)
        if least <= most:
            yield ActionTemplate(
                command=rec.Decide(due.seat, f"{least}c", least),
                fields={
                    "word": TextField("bet", may_be_empty=True),
                    "cents": AmountField(least, most, unit),
                },
                due="due",
                why=why,
                who=who,
            )


def read_cards(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Wherever a card lies that nobody has seen."""
    current = table.dealing
    for place in current.places() if current is not None else ():
        pile = current.pile(place) if current is not None else []
        if None in pile:
            trial = iter(unseen_card(table))
            told = tuple(next(trial) if card is None else NAMES[card] for card in pile)
            form = CardsField(len(pile), len(pile), (place,) * len(pile))
            yield ActionTemplate(command=rec.ReadCards(place, told), fields={"cards": form})


def correct_reading(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Any card of the round that was read may be another one; which it was is not said."""
    current = table.dealing
    if current is None or current.paying:
        return
    for place in current.places():
        read = [(i, card) for i, card in enumerate(current.pile(place)) if card is not None]
        for face_up in (False, True):
            positions = tuple(i for i, card in read if (card in current.exposed) == face_up)
            if positions:
                reason = "another card lies there"
                yield ActionTemplate(
                    command=rec.CorrectReading(place, positions[0], unseen_card(table)[0], reason),
                    fields={
                        "position": OneOfField(positions),
                        "card": CardField(),
                        "reason": TextField(reason, may_be_empty=not face_up),
                    },
                )


def showing(table: Table) -> Round | None:
    """The round whose hands wait to be turned up."""
    current = table.dealing
    if current is None or table.due().kind != "settle" or current.hands_shown:
        return None
    return current


def unseen_places(current: Round) -> bool:
    """Whether somebody has to tell what lies at a place that is to be turned."""
    return any(None in current.pile(place) for place in to_turn(current))


def showdown(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Before anything is paid, where every card was read."""
    current = showing(table)
    if current is not None and not unseen_places(current):
        yield ActionTemplate(
            command=rec.Showdown(), due="due", why="every card and decision is there"
        )


def turn_hand(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The next place; it is due where somebody has to tell what lies there."""
    current = showing(table)
    waiting = to_turn(current) if current is not None and table.attended else []
    if current is None or not waiting:
        return
    place = waiting[0]
    pile = current.pile(place)
    why = f"{spoken(place)} is turned next"
    due: Urgency = "due" if unseen_places(current) else "may"
    if None not in pile:
        yield ActionTemplate(command=rec.TurnHand(place), due=due, why=why)
        return
    trial = iter(unseen_card(table))
    told = tuple(next(trial) if card is None else NAMES[card] for card in pile)
    form = CardsField(len(pile), len(pile), (place,) * len(pile))
    yield ActionTemplate(command=rec.TurnHand(place, told), fields={"cards": form}, due=due, why=why)


def settle_seat(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The seat whose turn it is, once the hands lie face up."""
    if not table.attended or table.due().kind != "settle" or showing(table) is not None:
        return
    events = table.settlement()
    if events:
        seat = turn_of(events[0])
        yield ActionTemplate(command=rec.SettleSeat(seat), why=f"seat {seat} is settled next")


def settle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """After the last card and decision."""
    current = showing(table)
    if current is not None and unseen_places(current):
        return
    if table.due().kind == "settle":
        yield ActionTemplate(
            command=rec.Settle(), due="due", why="every card and decision is there"
        )


OFFERS: dict[type[Command], Callable[[Table, int], Iterator[ActionTemplate]]] = {
    rec.PlaceWagers: place_wagers,
    rec.NoMoreBets: no_more_bets,
    rec.DealCards: deal_cards,
    rec.ShowStreet: show_street,
    rec.Decide: decide,
    rec.ReadCards: read_cards,
    rec.CorrectReading: correct_reading,
    rec.Showdown: showdown,
    rec.TurnHand: turn_hand,
    rec.SettleSeat: settle_seat,
    rec.Settle: settle,
}

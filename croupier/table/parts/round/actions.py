"""Legal actions of the round: when each command is offered, with its input fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import lcm
from typing import TYPE_CHECKING

from croupier.cards import DECK, NAMES, Face, names
from croupier.games import COMMUNITY, Slot, Wager, stake_unit
from croupier.table.core.fields import (
    AmountField,
    CardField,
    CardsField,
    OneOfField,
    StakesField,
    TextField,
    WagerTerms,
)
from croupier.table.core.messages import Command
from croupier.table.core.part import ActionTemplate, OfferToPlayers, Urgency
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.betting import is_placeable
from croupier.table.parts.round.card_reading import readings
from croupier.table.parts.round.dealing import community_after_street
from croupier.table.parts.round.settlement import seats_to_settle
from croupier.table.parts.round.showdown import place_name
from croupier.table.parts.round.state import ASIDE, Round
from croupier.table.parts.round.turn_order import next_showing, one_by_one, unturned_places
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table


def wager_terms(table: Table, wager: Wager) -> WagerTerms:
    """The limits of a wager at this table."""
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


def place_wagers(table: Table, home: int, player: str) -> Iterator[ActionTemplate]:
    """Offer a player their box and free adjacent boxes, and withdrawal of wagers."""
    house = table.house
    if (table.attended and not table.shift.open) or table.dealing is not None:
        return
    working = not table.attended or table.devices.state.get("progressive") == "working"
    boxes = table.open_round.boxes if table.open_round else {}
    all_terms = {w.name: wager_terms(table, w) for w in house.game.wagers if is_placeable(house, w)}
    for seat in range(1, house.positions + 1):
        in_reach = abs(seat - home) < house.max_adjacent_boxes
        if not in_reach or table.seats.taken.get(seat, player) != player:
            continue
        placed = dict(boxes[seat].stakes) if seat in boxes else {}
        terms = dict(all_terms)
        if not working and "progressive" in terms and "progressive" not in placed:
            # The system accepts no wager now; the field still accepts 0.
            terms["progressive"] = WagerTerms(least=1, most=0)
        ways = (False, True) if placed else (False,)
        for withdraws in (True,) if seat in table.limits.accepted else ways:
            field = StakesField(
                ante=house.game.ante.name,
                terms=terms,
                lies=placed,
                chips=table.book.rack(player),
                withdraws=withdraws,
            )
            yield ActionTemplate(
                command=msg.PlaceWagers(seat, field.example(), player),
                fields={"wagers": field, "player": OneOfField(("", player))},
                who=(Account(player, "player"),),
            )


def no_more_bets(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to close the betting once a wager is placed."""
    if table.open_round is not None and table.dealing is None and table.open_round.boxes:
        yield ActionTemplate(command=msg.NoMoreBets(), due="due", why="wagers are placed")


def undealt_cards(table: Table) -> list[str]:
    """Names of all cards still in the deck: placeholders for example commands, never shown."""
    gone = table.dealing.gone if table.dealing else ()
    return names(card for card in DECK if card not in gone)


def deal_cards(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The rest of the stage's cards, with their places."""
    due, current = table.due(), table.dealing
    if due.kind == "deal" and current is not None:
        yield ActionTemplate(
            command=msg.DealCards(tuple(undealt_cards(table)[:1])),
            fields={"cards": CardsField(1, due.cards, tuple(current.pending), table.attended)},
            due="due",
            why=f"{counted(due.cards, 'card')} to deal",
        )


def show_street(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it once the cards of the street are dealt."""
    due, current = table.due(), table.dealing
    if due.kind != "show" or current is None:
        return
    why = f"the {due.street} cards are dealt"
    turned = [
        card for card in community_after_street(table, current) if card not in current.exposed
    ]
    title = street_title(due.street, len(turned))
    if None not in turned:
        yield ActionTemplate(command=msg.ShowStreet(), due="due", why=why, title=title)
        return
    cards, field = cards_to_name(table, turned, COMMUNITY)
    yield ActionTemplate(
        command=msg.ShowStreet(cards), fields={"cards": field}, due="due", why=why, title=title
    )


def street_title(street: str, turned: int) -> str:
    """The title of showing a street, with the number of community cards that are turned up."""
    if not turned:
        return "Ask for decisions"
    if (street, turned) in (("flop", 3), ("turn", 1), ("river", 1)):
        return f"Turn the {street}"
    return f"Turn {counted(turned, 'community card')}"


def cards_to_name(
    table: Table, pile: Sequence[Face], place: Slot
) -> tuple[tuple[str, ...], CardsField]:
    """Example names for the cards of a place, with the field to enter them.

    The dealer names all of them, including cards already read.
    """
    placeholders = iter(undealt_cards(table))
    named = tuple(next(placeholders) if card is None else NAMES[card] for card in pile)
    return named, CardsField(len(pile), len(pile), (place,) * len(pile))


def decide(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for the player to act, or for the dealer if that player has left."""
    due = table.due()
    current = table.dealing
    if due.kind != "decide" or current is None or current.street is None:
        return
    box = current.boxes[due.seat]
    absent = box.player in table.seats.absent
    who = (Account(table.posts.dealer, "dealer"),) if absent else (Account(box.player, "player"),)
    rack = table.book.rack(box.player)
    ante = box.stakes[table.house.game.ante.name]
    why = f"seat {due.seat} to act"
    for option in current.street.options:
        yield ActionTemplate(command=msg.Decide(due.seat, option.word), due="due", why=why, who=who)
    bets = [option for option in current.street.options if option.wager]
    if table.house.game.any_amount(table.house) and not absent:
        least, most = bets[0].times * ante, min(bets[-1].times * ante, rack)
        unit = stake_unit(table.house, bets[0].wager)
        if least <= most:
            yield ActionTemplate(
                command=msg.Decide(due.seat, "", least),
                fields={"cents": AmountField(least, most, unit)},
                due="due",
                why=why,
                who=who,
            )


def read_cards(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every place with an unread card."""
    current = table.dealing
    for place in current.places() if current is not None else ():
        if current is not None and current.unread(place):
            cards, field = cards_to_name(table, current.pile(place), place)
            yield ActionTemplate(command=msg.ReadCards(place, cards), fields={"cards": field})


def correct_reading(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every card that was read; the recorded face is not disclosed."""
    current = table.dealing
    if current is None:
        return
    for place in filter(current.may_correct, (*current.places(), ASIDE)):
        read, pile = current.read_positions(place), current.pile(place)
        for face_up in (False, True):
            positions = tuple(i for i in read if (pile[i] in current.exposed) == face_up)
            if positions:
                reason = "a different card is there"
                yield ActionTemplate(
                    command=msg.CorrectReading(
                        place, positions[0], undealt_cards(table)[0], reason
                    ),
                    fields={
                        "position": OneOfField(positions),
                        "card": CardField(),
                        "reason": TextField(reason, may_be_empty=not face_up),
                    },
                )


def round_to_settle(table: Table) -> Round | None:
    """The round whose settlement is due."""
    return table.dealing if table.due().kind == "settle" else None


def has_unread_hands(table: Table, current: Round) -> bool:
    """Whether cards of a hand must be named as it is turned up."""
    return any(None in readings(table, current, place) for place in unturned_places(current))


def showdown(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it where all hands are turned up before any payment, if every card was read."""
    current = round_to_settle(table)
    if current is None or one_by_one(table.house) or current.hands_shown:
        return
    if not has_unread_hands(table, current):
        yield ActionTemplate(
            command=msg.Showdown(), due="due", why="all cards are dealt and all decisions made"
        )


def turn_hand(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for the next hand; due if hands are turned one by one or must be named."""
    current = round_to_settle(table) if table.attended else None
    showing = next_showing(current) if current is not None else None
    if current is None or showing is None:
        return
    place = showing.place
    pile = readings(table, current, place)
    why = f"{place_name(place)} is turned up next"
    due: Urgency = "due" if one_by_one(table.house) or has_unread_hands(table, current) else "may"
    if None not in pile:
        yield ActionTemplate(command=msg.TurnHand(place), due=due, why=why)
        return
    cards, field = cards_to_name(table, pile, place)
    command = msg.TurnHand(place, cards)
    yield ActionTemplate(command=command, fields={"cards": field}, due=due, why=why)


def settle_seat(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for delayed payments that can be made, and for the turn whose cards are up."""
    for seat in seats_to_settle(table, at) if table.attended else ():
        yield ActionTemplate(command=msg.SettleSeat(seat), due="due", why=f"seat {seat} is next")


def settle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it after the last card and decision; at an attended table after the last hand."""
    current = round_to_settle(table)
    if current is not None and not (table.attended and unturned_places(current)):
        yield ActionTemplate(
            command=msg.Settle(), due="due", why="all cards are dealt and all decisions made"
        )


ACTIONS: dict[type[Command], Callable[[Table, int], Iterable[ActionTemplate]]] = {
    msg.PlaceWagers: OfferToPlayers(place_wagers),
    msg.NoMoreBets: no_more_bets,
    msg.DealCards: deal_cards,
    msg.ShowStreet: show_street,
    msg.Decide: decide,
    msg.ReadCards: read_cards,
    msg.CorrectReading: correct_reading,
    msg.Showdown: showdown,
    msg.TurnHand: turn_hand,
    msg.SettleSeat: settle_seat,
    msg.Settle: settle,
}

"""Dealing cards, showing streets and taking decisions (chapters 8 to 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Face, card_from_name, face_from_name, names
from croupier.errors import Refusal
from croupier.games import BOX, BURN, COMMUNITY, House, Option, Slot, Street
from croupier.money import Cents, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.card_reading import check_entered, readings
from croupier.table.parts.round.state import Box, Round
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table


def deal_cards(table: Table, command: msg.DealCards, by: Account, at: int) -> list[Event]:
    """Deal the next cards of the stage, in the order they leave the deck."""
    current = table.in_progress()
    due = table.due()
    cards = tuple(map(face_from_name, command.cards))
    if due.kind != "deal":
        raise not_due(table, current, "no cards to deal now")
    if not 1 <= len(cards) <= due.cards:
        raise table.refusal(f"deal 1 to {due.cards} cards, got {len(cards)}", "deal.hands")
    if None in cards and not table.attended:
        raise table.refusal("cards may be dealt unseen only by a human dealer", "deal.hands")
    check_entered(table, current, cards, by)
    places = tuple(current.pending[: len(cards)])
    dealt = msg.CardsDealt(
        cards=tuple(names(cards)),
        places=places,
        clauses=dealing_clauses(table.house, current, places),
    )
    return [dealt]


def not_due(table: Table, current: Round, problem: str) -> Refusal:
    """The refusal of an act out of turn, with the clause on what is due instead."""
    due = table.due()
    if current.void:
        clause = current.void.clause
    elif due.kind == "decide" and current.street is not None:
        clause = current.street.clause
    else:
        duties = {"deal": "deal.hands", "show": f"show.{current.stage_name}"}
        clause = table.house.cite(duties.get(due.kind, "announce.player"))[0]
    return Refusal(f"{problem}; next: {due.kind}", clause, game=table.house.game.key)


def dealing_clauses(house: House, current: Round, places: tuple[Slot, ...]) -> tuple[str, ...]:
    """The clauses on dealing cards to these places."""
    if current.void:  # the board is completed only for the saved wager
        return current.void.clauses
    return cite_dealing(house, places, current.stage_name, not current.drawn)


def cite_dealing(
    house: House, places: tuple[Slot, ...], stage: str, first: bool
) -> tuple[str, ...]:
    """The clauses on dealing to places in a stage; the first card adds its own duties."""
    kinds = dict.fromkeys(
        str(place) if place in (COMMUNITY, BURN, BOX) else "hands"
        for place in dict.fromkeys(places)
    )
    clauses: list[str] = []
    for kind in kinds:
        duty = f"burn.{stage}" if kind == BURN else f"deal.{kind}"
        clauses += house.cite(duty)
    if first:
        for duty in house.game.procedure.first_card_duties(house):
            clauses += house.cite(duty)
    return tuple(clauses)


def show_street(table: Table, command: msg.ShowStreet, by: Account, at: int) -> list[Event]:
    """Turn up the community cards of the street and open its decisions."""
    current = table.in_progress()
    if table.due().kind != "show":
        raise not_due(table, current, "no street to show now")
    street = current.street
    community = street_faces(table, current, command.cards, by)
    house, stage = table.house, current.stage_name
    return [
        msg.StreetShown(
            street=street.name if street else "",
            community=tuple(names(community)),
            clauses=cite_showing(house, stage),
        )
    ]


def cite_showing(house: House, stage: str) -> tuple[str, ...]:
    """The clauses on showing a street."""
    duties = (f"show.{stage}", *house.game.procedure.show_duties(house))
    return tuple(clause for duty in duties for clause in house.cite(duty))


def community_after_street(table: Table, current: Round) -> list[Face]:
    """The community cards that are face up once the street is shown."""
    street = current.street
    shown = street.shown if street else current.game.community_cards
    return readings(table, current, COMMUNITY)[:shown]


def street_faces(table: Table, current: Round, named: tuple[str, ...], by: Account) -> list[Face]:
    """The community cards of the street, all with faces.

    `named` are the cards just turned up. It may be empty if all of them were read before.
    """
    community = community_after_street(table, current)
    if not named and None not in community:
        return community
    turned = [index for index, card in enumerate(community) if card not in current.exposed]
    recorded = [community[index] for index in turned]
    cards = tuple(map(card_from_name, named))
    unread = None in recorded
    if len(cards) != (len(turned) if unread or named else 0):
        count = counted(len(turned), "card") + ("" if unread else " or none")
        raise table.refusal(
            f"name {count} of the street, got {len(cards)}", f"show.{current.stage_name}"
        )
    check_entered(table, current, cards, by, place=COMMUNITY, recorded=recorded, turned_up=True)
    for index, card in zip(turned, cards, strict=True):
        community[index] = card
    return community


def decide(table: Table, command: msg.Decide, by: Account, at: int) -> list[Event]:
    """Take a player's decision, in turn and among the options of the street."""
    current = table.in_progress()
    due = table.due()
    street = current.street
    if due.kind != "decide" or street is None:
        raise table.refusal(f"no decision to make now; next: {due.kind}", "late")
    if command.seat != due.seat:
        raise Refusal(
            f"it is seat {due.seat}'s turn, not seat {command.seat}'s",
            street.clause,
            game=table.house.game.key,
        )
    box = current.boxes[due.seat]
    option, stake = chosen_option(table.house, street, box, command)
    kind = "bet" if option.wager else option.word
    house = table.house
    clauses = house.cite(f"decide.{street.name}.{option.word}", optional=True)
    decided = msg.Decided(
        seat=due.seat,
        street=street.name,
        word=option.word if command.cents is None else f"{command.cents}c",
        wager=option.wager,
        stake=stake,
        clauses=clauses or house.cite(f"decide.{street.name}.{kind}"),
    )
    if option.word != "fold":
        return [decided]
    events = [decided, collect_folded(house, street, due.seat, box)]
    return [*events, folded_hand_event(house, street, due.seat, box)]


def chosen_option(
    house: House, street: Street, box: Box, command: msg.Decide
) -> tuple[Option, Cents]:
    """The option that a command names, with its stake."""
    ante = box.stakes[house.game.ante.name]
    if command.cents is not None and house.game.any_amount(house):
        amount = f"{command.cents}c"
        if command.word not in ("", amount):
            problem = f"a bet of any amount has the word {amount!r} or none, got {command.word!r}"
            raise Refusal(problem, street.clause, game=house.game.key)
        bets = [option for option in street.options if option.wager]
        least, most = bets[0].times * ante, bets[-1].times * ante
        if least <= command.cents <= most:
            return bets[0], command.cents
        raise Refusal(
            f"bet {dollars(least)} to {dollars(most)}, got {amount}",
            bets[0].clause,
            game=house.game.key,
        )
    option = street.option(command.word)
    if option is None or command.cents is not None:
        raise not_offered(house, street, command.word, command.cents)
    return option, option.times * ante


def not_offered(house: House, street: Street, word: str, cents: Cents | None) -> Refusal:
    """The refusal of a decision that is not an option; for a bet it lists the bets."""
    bets = [option for option in street.options if option.wager]
    is_bet = word.endswith(("x", "c"))
    offered = " or ".join(option.word for option in (bets if is_bet else street.options))
    clause = bets[0].clause if is_bet else street.clause
    said = word if cents is None else f"{word or 'a bet'} of {dollars(cents)}"
    problem = f"{said} is not offered {street.when}; {offered}"
    return Refusal(problem, clause, game=house.game.key)


def live_after_fold(house: House, box: Box) -> tuple[str, ...]:
    """The wagers of a box that stay live after a fold (A17, A52)."""
    return tuple(name for name in box.stakes if house.outlives_fold(name))


def collect_folded(house: House, street: Street, seat: int, box: Box) -> msg.WagersCollected:
    """Collect the wagers that a fold loses; progressive chips are in the tray already."""
    live = live_after_fold(house, box)
    clauses = house.cite(f"collect.{street.name}", optional=True) or house.cite("collect")
    lost = {
        wager.name: box.stakes[wager.name]
        for wager in house.game.wagers
        if wager.name in box.stakes and wager.name not in live and wager.role != "progressive"
    }
    return msg.WagersCollected(seat=seat, wagers=lost, clause=clauses[0], clauses=clauses)


def folded_hand_event(house: House, street: Street, seat: int, box: Box) -> Event:
    """A folded hand stays while a wager on it is live, otherwise it is discarded (A83)."""
    live = live_after_fold(house, box)
    if not live:
        clauses = house.cite(f"discard.{street.name}", optional=True) or house.cite("discard")
        return msg.HandDiscarded(seat=seat, clauses=clauses)
    clauses = house.cite(f"keep.{street.name}", optional=True)
    for wager in live:
        clauses += house.cite(f"keep.{wager}", optional=True)
    return msg.HandKept(seat=seat, wagers=live, clauses=clauses)

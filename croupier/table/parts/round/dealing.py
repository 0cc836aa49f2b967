"""Cards to their places, streets shown, decisions taken (chapters 8 to 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.cards import Face, card_from_name, face_from_name, name, names
from croupier.errors import Refusal
from croupier.games import BOX, BURN, COMMUNITY, House, Option, Slot, Street
from croupier.money import Cents, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.state import Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def deal_cards(table: Table, command: rec.DealCards, by: Account, at: int) -> list[Event]:
    """The next cards of the stage, in the order they leave the deck."""
    current = table.in_progress()
    due = table.due()
    cards = tuple(map(face_from_name, command.cards))
    if due.kind != "deal":
        raise table.refusal(f"no cards are due now; due: {due.kind}", "no_more_bets")
    if not 1 <= len(cards) <= due.cards:
        raise table.refusal(f"1 to {due.cards} cards are due, got {len(cards)}", "deal.hands")
    if None in cards and not table.attended:
        raise table.refusal("cards are dealt unseen only where people deal them", "deal.hands")
    check_new(table, current, cards)
    places = tuple(current.pending[: len(cards)])
    dealt = rec.CardsDealt(
        cards=tuple(names(cards)),
        places=places,
        clauses=dealing_clauses(table.house, current, places),
    )
    return [dealt]


def check_new(table: Table, current: Round, cards: Sequence[Face]) -> None:
    """A card of one deck leaves it once."""
    seen = [card for card in cards if card is not None]
    if len(set(seen)) == len(seen) and current.gone.isdisjoint(seen):
        return
    gone = set(current.gone)
    for card in seen:
        if card in gone:
            raise table.refusal(f"{name(card)} has left the deck already", "deal.hands")
        gone.add(card)


def dealing_clauses(house: House, current: Round, places: tuple[Slot, ...]) -> tuple[str, ...]:
    """The clauses behind cards that go to these places."""
    if current.void:  # the layout is only completed for the saved wager
        return current.void.clauses
    stage, first = current.stage_name, not current.drawn
    moment = ("deal", places, stage, first)
    return house.cite_cached(moment, lambda: cite_dealing(house, places, stage, first))


def cite_dealing(
    house: House, places: tuple[Slot, ...], stage: str, first: bool
) -> tuple[str, ...]:
    """The same for a stage; the first card of a round has duties of its own."""
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


def show_street(table: Table, command: rec.ShowStreet, by: Account, at: int) -> list[Event]:
    """Turn the community cards of the street and ask for decisions."""
    current = table.in_progress()
    due = table.due()
    if due.kind != "show":
        raise table.refusal(f"no street is due to be shown; due: {due.kind}", "no_more_bets")
    street = current.street
    lying = told_street(table, current, command.cards)
    house, stage = table.house, current.stage_name
    return [
        rec.StreetShown(
            street=street.name if street else "",
            community=tuple(names(lying)),
            clauses=house.cite_cached(("show", stage), lambda: cite_showing(house, stage)),
        )
    ]


def cite_showing(house: House, stage: str) -> tuple[str, ...]:
    """The clauses behind a street that is shown."""
    duties = (f"show.{stage}", *house.game.procedure.show_duties(house))
    return tuple(clause for duty in duties for clause in house.cite(duty))


def turned_by_street(current: Round) -> list[Face]:
    """The community cards that lie face up once the street is shown."""
    street = current.street
    return current.layout[: street.shown if street else current.game.community_cards]


def told_street(table: Table, current: Round, told: tuple[str, ...]) -> list[Face]:
    """The same with the faces of those just turned, which are told where nobody has read them."""
    lying = turned_by_street(current)
    if not told and None not in lying:
        return lying
    fresh = [index for index, card in enumerate(lying) if card not in current.exposed]
    unseen = any(lying[index] is None for index in fresh)
    cards = tuple(map(card_from_name, told))
    if len(cards) != (len(fresh) if unseen or told else 0):
        what = "to be told" if unseen else "turned, and all of them were read"
        raise table.refusal(f"{len(fresh)} card(s) are {what}; got {len(cards)}", "deal.hands")
    for index, card in zip(fresh, cards, strict=False):
        if lying[index] not in (None, card):
            raise misread(table, card)
    known = {lying[index] for index in fresh}  # read before, and told again now
    check_new(table, current, [card for card in cards if card not in known])
    for index, card in zip(fresh, cards, strict=False):
        lying[index] = card
    return lying


def misread(table: Table, told: Face) -> Refusal:
    """Somebody sees another card than the record has; which one it has is not said."""
    problem = f"{names((told,))[0]} is not what was read there: correct the reading first"
    return table.refusal(problem, "deal.hands")


def decide(table: Table, command: rec.Decide, by: Account, at: int) -> list[Event]:
    """One player's answer, in turn and among the options of the street."""
    current = table.in_progress()
    due = table.due()
    street = current.street
    if due.kind != "decide" or street is None:
        raise table.refusal(f"no decision is due now; due: {due.kind}", "late")
    if command.seat != due.seat:
        raise Refusal(
            f"seat {command.seat} is not asked now; seat {due.seat} is",
            street.clause,
            game=table.house.game.key,
        )
    box = current.boxes[due.seat]
    option, stake = chosen(table.house, street, box, command)
    kind = "bet" if option.wager else option.word
    house = table.house
    clauses = house.cite(f"decide.{street.name}.{option.word}", optional=True)
    decided = rec.Decided(
        seat=due.seat,
        street=street.name,
        word=command.word,
        wager=option.wager,
        stake=stake,
        clauses=clauses or house.cite(f"decide.{street.name}.{kind}"),
    )
    if option.word != "fold":
        return [decided]
    return [decided, fate_of_folded_hand(house, street, due.seat, box)]


def chosen(house: House, street: Street, box: Box, command: rec.Decide) -> tuple[Option, Cents]:
    """The option a command names, with the stake it puts down."""
    ante = box.stakes[house.game.ante.name]
    if command.cents is not None and house.game.any_amount(house):
        bets = [option for option in street.options if option.wager]
        least, most = bets[0].times * ante, bets[-1].times * ante
        if least <= command.cents <= most:
            return bets[0], command.cents
        raise Refusal(
            f"a bet of {dollars(least)} to {dollars(most)} may be made, got {command.word}",
            bets[0].clause,
            game=house.game.key,
        )
    option = street.option(command.word)
    if option is None or command.cents is not None:
        raise not_offered(house, street, command.word)
    return option, option.times * ante


def not_offered(house: House, street: Street, word: str) -> Refusal:
    """What may be bet at this moment, for a bet; what may be answered, for anything else."""
    bets = [option for option in street.options if option.wager]
    a_bet = word.endswith(("x", "c"))
    offered = " or ".join(option.word for option in (bets if a_bet else street.options))
    clause = bets[0].clause if a_bet else street.clause
    return Refusal(f"{word} is not offered {street.when}; {offered}", clause, game=house.game.key)


def live_after_fold(house: House, box: Box) -> tuple[str, ...]:
    """The wagers of a box that a fold does not end (A17, A52)."""
    return tuple(name for name in box.stakes if house.outlives_fold(name))


def fate_of_folded_hand(house: House, street: Street, seat: int, box: Box) -> Event:
    """Cards stay while a wager on them is live, otherwise they go to the rack (A83)."""
    live = live_after_fold(house, box)
    if not live:
        clauses = house.cite(f"discard.{street.name}", optional=True) or house.cite("discard")
        return rec.HandDiscarded(seat=seat, clauses=clauses)
    clauses = house.cite(f"keep.{street.name}", optional=True)
    for wager in live:
        clauses += house.cite(f"keep.{wager}", optional=True)
    return rec.HandKept(seat=seat, wagers=live, clauses=clauses)

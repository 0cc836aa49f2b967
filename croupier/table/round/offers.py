"""When the round's own commands are offered, and what they leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import lcm
from typing import TYPE_CHECKING

from croupier.cards import DECK, names
from croupier.games import Wager, stake_unit
from croupier.table.forms import Amount, Cards, OneCard, OneOf, Stakes, Terms, Text
from croupier.table.parts import Offer
from croupier.table.people import Account
from croupier.table.record import Command
from croupier.table.round import record as rec
from croupier.table.round.betting import SEATS, placeable

if TYPE_CHECKING:
    from croupier.table.table import Table


def terms_of(table: Table, wager: Wager) -> Terms:
    """What may be staked on a wager here and now."""
    house = table.house
    even = wager.role == "ante" and house.choices.chip_rounding == "require_even_ante"
    if wager.role == "progressive" and house.progressive is not None:
        return Terms(least=house.progressive.stake, most=house.progressive.stake)
    if wager.role == "matching":
        return Terms(least=0, most=None, equals=house.game.ante.name)
    limits = house.limits.get(wager.name)
    return Terms(
        least=limits.minimum if limits else 1,
        most=limits.maximum if limits else None,
        needs=house.prerequisites.get(wager.name, ""),
        multiple=lcm(200 if even else 1, stake_unit(house, wager.name)),
    )


def place_wagers(table: Table, at: int) -> Iterator[Offer]:
    """To every seated player: the own box and the free ones beside it; and taking back."""
    house = table.house
    if (table.attended and not table.shift.open) or table.dealing is not None:
        return
    working = not table.attended or table.devices.state.get("progressive") == "working"
    boxes = table.open_round.boxes if table.open_round else {}
    for home, player in sorted(table.seats.taken.items()):
        for seat in range(1, SEATS + 1):
            if abs(seat - home) >= house.max_adjacent_boxes:
                continue
            lies = dict(boxes[seat].stakes) if seat in boxes else {}
            terms = {
                wager.name: terms_of(table, wager)
                for wager in house.game.wagers
                if placeable(house, wager)
            }
            if not working and "progressive" in terms and "progressive" not in lies:
                # A wager that the system cannot take may still be written as none.
                terms["progressive"] = Terms(least=1, most=0)
            ways = (False, True) if lies else (False,)
            for withdraws in (True,) if seat in table.limits.accepted else ways:
                form = Stakes(
                    ante=house.game.ante.name,
                    terms=terms,
                    lies=lies,
                    chips=table.book.rack(player),
                    withdraws=withdraws,
                )
                yield Offer(
                    command=rec.PlaceWagers(seat, form.example(), player),
                    forms={"wagers": form, "player": OneOf(("", player))},
                    who=(Account(player, "player"),),
                )


def no_more_bets(table: Table, at: int) -> Iterator[Offer]:
    """When somebody has bet and the cards are ready."""
    if table.open_round is not None and table.dealing is None and table.open_round.boxes:
        yield Offer(command=rec.NoMoreBets(), due="due", why="wagers are placed")


def unseen_card(table: Table) -> list[str]:
    """Cards that could leave the deck now: to try a deal with, never to be shown."""
    gone = set(table.dealing.left_deck if table.dealing else ())
    return names(card for card in DECK if card not in gone)


def deal_cards(table: Table, at: int) -> Iterator[Offer]:
    """The cards of the stage, each with its place."""
    due, current = table.due(), table.dealing
    if due.kind == "deal" and current is not None:
        yield Offer(
            command=rec.DealCards(tuple(unseen_card(table)[:1])),
            forms={"cards": Cards(1, due.cards, tuple(current.pending))},
            due="due",
            why=f"{due.cards} card(s) to deal",
        )


def face_up(table: Table, at: int) -> Iterator[Offer]:
    """The next card of the deck may lie the wrong way."""
    if table.due().kind == "deal":
        found = rec.FindCardFaceUp(unseen_card(table)[0])
        yield Offer(command=found, forms={"card": OneCard()})


def show_street(table: Table, at: int) -> Iterator[Offer]:
    """The cards of the street are down."""
    due = table.due()
    if due.kind == "show":
        yield Offer(command=rec.ShowStreet(), due="due", why=f"the cards of {due.street} are down")


def decide(table: Table, at: int) -> Iterator[Offer]:
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
        yield Offer(command=rec.Decide(due.seat, option.word), due="due", why=why, who=who)
    bets = [option for option in current.street.options if option.wager]
    if table.house.game.any_amount(table.house) and not absent:
        least, most = bets[0].times * ante, min(bets[-1].times * ante, rack)
        unit = stake_unit(table.house, bets[0].wager)
        if least <= most:
            yield Offer(
                command=rec.Decide(due.seat, f"{least}c", least),
                forms={"word": Text("bet", may_be_empty=True), "cents": Amount(least, most, unit)},
                due="due",
                why=why,
                who=who,
            )


def showdown(table: Table, at: int) -> Iterator[Offer]:
    """Before anything is paid."""
    current = table.dealing
    if current is not None and table.due().kind == "settle" and not current.hands_shown:
        yield Offer(command=rec.Showdown(), due="due", why="every card and decision is there")


def settle(table: Table, at: int) -> Iterator[Offer]:
    """After the last card and decision."""
    if table.due().kind == "settle":
        yield Offer(command=rec.Settle(), due="due", why="every card and decision is there")


def in_round(command: Command) -> Callable[[Table, int], Iterator[Offer]]:
    """A command without anything open, offered while a round is dealt."""

    def offers(table: Table, at: int) -> Iterator[Offer]:
        if table.dealing is not None:
            yield Offer(command=command)

    return offers


def wrong_number(table: Table, at: int) -> Iterator[Offer]:
    """Any place that is dealt cards."""
    if table.dealing is not None:
        game = table.house.game
        places = [f"seat {seat}" for seat in sorted(table.dealing.boxes)]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        yield Offer(command=rec.FindWrongNumber(places[0]), forms={"where": OneOf(tuple(places))})


def per_seat(
    kind: type[rec.ExposePlayerCard] | type[rec.SkipPlayer],
) -> Callable[[Table, int], Iterator[Offer]]:
    """A command about one box of the round."""

    def offers(table: Table, at: int) -> Iterator[Offer]:
        for seat in sorted(table.dealing.boxes) if table.dealing else ():
            yield Offer(command=kind(seat))

    return offers


def wrong_count(table: Table, at: int) -> Iterator[Offer]:
    """After a count that differs."""
    if table.decks.stub == "differs":
        yield Offer(
            command=rec.FindWrongCount(True),
            forms={"misdealt": OneOf((True, False))},
            due="due",
            why="the stub count differs",
        )


OFFERS: dict[type[Command], Callable[[Table, int], Iterator[Offer]]] = {
    rec.PlaceWagers: place_wagers,
    rec.NoMoreBets: no_more_bets,
    rec.DealCards: deal_cards,
    rec.ShowStreet: show_street,
    rec.Decide: decide,
    rec.Showdown: showdown,
    rec.Settle: settle,
    rec.FindCardFaceUp: face_up,
    rec.DrawInError: in_round(rec.DrawInError()),
    rec.FindWrongNumber: wrong_number,
    rec.ExposeDealerCard: in_round(rec.ExposeDealerCard()),
    rec.ExposeCommunityCard: in_round(rec.ExposeCommunityCard()),
    rec.ExposePlayerCard: per_seat(rec.ExposePlayerCard),
    rec.JamShuffler: in_round(rec.JamShuffler()),
    rec.JamShoe: in_round(rec.JamShoe()),
    rec.SkipPlayer: per_seat(rec.SkipPlayer),
    rec.FindWrongCount: wrong_count,
}

"""When the round's own commands are offered, and what they leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from croupier.cards import DECK
from croupier.games import Wager
from croupier.table import commands as rc
from croupier.table.betting import SEATS, placeable
from croupier.table.life.acts import Offer
from croupier.table.life.forms import Amount, Cards, OneOf, Stakes, Terms, Text
from croupier.table.life.people import Person

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable


def terms_of(live: LiveTable, wager: Wager) -> Terms:
    """What may be staked on a wager here and now."""
    house = live.house
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
        multiple=200 if even else 1,
    )


def place_wagers(live: LiveTable, at: int) -> Iterator[Offer]:
    """To every seated player: the own box and the free ones beside it; and taking back."""
    life, house = live.life, live.house
    if not life.open or live.dealing is not None:
        return
    working = life.devices.get("progressive") == "working"
    boxes = live.round.boxes if live.round else {}
    for home, player in sorted(life.seats.items()):
        for seat in range(1, SEATS + 1):
            if abs(seat - home) >= house.max_adjacent_boxes:
                continue
            lies = dict(boxes[seat].stakes) if seat in boxes else {}
            terms = {
                wager.name: terms_of(live, wager)
                for wager in house.game.wagers
                if placeable(house, wager)
            }
            if not working and "progressive" in terms and "progressive" not in lies:
                # A wager that the system cannot take may still be written as none.
                terms["progressive"] = Terms(least=1, most=0)
            for withdraws in (False, True) if lies else (False,):
                form = Stakes(
                    ante=house.game.ante.name,
                    terms=terms,
                    lies=lies,
                    chips=life.racks[player],
                    withdraws=withdraws,
                )
                yield Offer(
                    command=rc.PlaceWagers(seat, form.example(), player),
                    forms={"wagers": form, "player": OneOf(("", player))},
                    who=(Person(player, "player"),),
                )


def no_more_bets(live: LiveTable, at: int) -> Iterator[Offer]:
    """When somebody has bet and the cards are ready."""
    if live.round is not None and live.dealing is None and live.round.boxes:
        yield Offer(command=rc.NoMoreBets(), due="due", why="wagers are placed")


def left_in_deck(live: LiveTable) -> frozenset[int]:
    """The cards that have not left the deck."""
    return frozenset(DECK) - frozenset(live.dealing.left_deck if live.dealing else ())


def deal_cards(live: LiveTable, at: int) -> Iterator[Offer]:
    """The cards of the stage."""
    due = live.table.due()
    if due.kind == "deal":
        form = Cards(1, due.cards, left_in_deck(live))
        yield Offer(
            command=rc.DealCards(form.example()),
            forms={"cards": form},
            due="due",
            why=f"{due.cards} card(s) to deal",
        )


def face_up(live: LiveTable, at: int) -> Iterator[Offer]:
    """The next card of the deck may lie the wrong way."""
    if live.table.due().kind == "deal":
        cards = tuple(sorted(left_in_deck(live)))
        yield Offer(command=rc.FindCardFaceUp(cards[0]), forms={"card": OneOf(cards)})


def show_street(live: LiveTable, at: int) -> Iterator[Offer]:
    """The cards of the street are down."""
    due = live.table.due()
    if due.kind == "show":
        yield Offer(command=rc.ShowStreet(), due="due", why=f"the cards of {due.street} are down")


def decide(live: LiveTable, at: int) -> Iterator[Offer]:
    """The player whose turn it is; the dealer for one who left."""
    due = live.table.due()
    current = live.dealing
    if due.kind != "decide" or current is None or current.street is None:
        return
    box = current.boxes[due.seat]
    absent = box.player in live.life.absent
    who = (Person(live.life.dealer, "dealer"),) if absent else (Person(box.player, "player"),)
    rack = live.life.racks[box.player]
    ante = box.stakes[live.house.game.ante.name]
    why = f"seat {due.seat} is asked"
    for option in current.street.options:
        yield Offer(command=rc.Decide(due.seat, option.word), due="due", why=why, who=who)
    bets = [option for option in current.street.options if option.wager]
    if live.house.game.any_amount(live.house) and not absent:
        least, most = bets[0].times * ante, min(bets[-1].times * ante, rack)
        if least <= most:
            yield Offer(
                command=rc.Decide(due.seat, f"{least}c", least),
                forms={"word": Text("bet", may_be_empty=True), "cents": Amount(least, most)},
                due="due",
                why=why,
                who=who,
            )


def settle(live: LiveTable, at: int) -> Iterator[Offer]:
    """After the last card and decision."""
    if live.table.due().kind == "settle":
        yield Offer(command=rc.Settle(), due="due", why="every card and decision is there")


def in_round(command: rc.Command) -> Callable[[LiveTable, int], Iterator[Offer]]:
    """A command without anything open, offered while a round is dealt."""

    def offers(live: LiveTable, at: int) -> Iterator[Offer]:
        if live.dealing is not None:
            yield Offer(command=command)

    return offers


def wrong_number(live: LiveTable, at: int) -> Iterator[Offer]:
    """Any place that is dealt cards."""
    if live.dealing is not None:
        game = live.house.game
        places = [f"seat {seat}" for seat in sorted(live.dealing.boxes)]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        yield Offer(command=rc.FindWrongNumber(places[0]), forms={"where": OneOf(tuple(places))})


def per_seat(
    kind: type[rc.ExposePlayerCard] | type[rc.SkipPlayer],
) -> Callable[[LiveTable, int], Iterator[Offer]]:
    """A command about one box of the round."""

    def offers(live: LiveTable, at: int) -> Iterator[Offer]:
        for seat in sorted(live.dealing.boxes) if live.dealing else ():
            yield Offer(command=kind(seat))

    return offers


def wrong_count(live: LiveTable, at: int) -> Iterator[Offer]:
    """After a count that differs."""
    if live.life.stub == "differs":
        yield Offer(
            command=rc.FindWrongCount(True),
            forms={"misdealt": OneOf((True, False))},
            due="due",
            why="the stub count differs",
        )


OFFERS: dict[type[rc.Command], Callable[[LiveTable, int], Iterator[Offer]]] = {
    rc.PlaceWagers: place_wagers,
    rc.NoMoreBets: no_more_bets,
    rc.DealCards: deal_cards,
    rc.ShowStreet: show_street,
    rc.Decide: decide,
    rc.Settle: settle,
    rc.FindCardFaceUp: face_up,
    rc.DrawInError: in_round(rc.DrawInError()),
    rc.FindWrongNumber: wrong_number,
    rc.ExposeDealerCard: in_round(rc.ExposeDealerCard()),
    rc.ExposeCommunityCard: in_round(rc.ExposeCommunityCard()),
    rc.ExposePlayerCard: per_seat(rc.ExposePlayerCard),
    rc.JamShuffler: in_round(rc.JamShuffler()),
    rc.JamShoe: in_round(rc.JamShoe()),
    rc.SkipPlayer: per_seat(rc.SkipPlayer),
    rc.FindWrongCount: wrong_count,
}

"""A player's chips: buy-in, chips brought along, exchange, tip, cash-out, unclaimed money."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.core.fields import WHOLE_COMMAND, AmountField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec, OfferToPlayers
from croupier.table.core.roles import DEALER, FLOOR, PLAYER, TWO_PEOPLE, Account
from croupier.table.parts.chips import messages as msg
from croupier.table.parts.chips.piles import ExchangeField, parse_count
from croupier.table.parts.seats.seating import player_at, require_own_seat

if TYPE_CHECKING:
    from croupier.table.table import Table

EXCHANGE = "COMAR 36.05.03.02B"  # permitted additions to and removals from a tray
UNCLAIMED = "COMAR 36.05.03.23E"
TIP_BOX = "table.equipment"


def check_tray(table: Table, cents: Cents) -> None:
    """Refuse more than the tray holds, without disclosing its balance before a blind count."""
    if table.attended and cents > table.book.tray:
        raise table.refusal(f"the tray does not hold {dollars(cents)}", "chips")


def check_amount(table: Table, amount: Cents, most: int | None, what: str) -> None:
    """Refuse an amount that is not positive or exceeds `most`."""
    if not AmountField(1, most).admits(amount):
        limit = f" of at most {dollars(most)}" if most is not None else ""
        raise table.refusal(f"{what} must be a positive amount{limit}, got {amount!r}", "chips")


def check_whole(table: Table, amount: Cents) -> None:
    """Refuse an amount that the table's chips cannot make up (A24)."""
    lowest = lowest_chip(table)
    if amount % lowest:
        problem = f"{dollars(amount)} is not a multiple of the lowest chip, {dollars(lowest)}"
        raise Refusal(problem, "A24", game=table.house.game.key)


def lowest_chip(table: Table) -> Cents:
    """The lowest denomination of the table, or one cent."""
    return table.house.lowest_chip or 1


def buy_in(table: Table, command: msg.BuyIn, by: Account, at: int) -> list[Event]:
    """Sell chips from the tray for cash, which goes into the drop box."""
    player = player_at(table, command.seat)
    check_amount(table, command.cash, None, "cash")
    check_whole(table, command.cash)
    check_tray(table, command.cash)
    bought = msg.BoughtIn(
        seat=command.seat,
        player=player,
        cash=command.cash,
        chips=command.cash,
        clauses=table.house.cite("chips"),
    )
    return [bought]


def add_chips(table: Table, command: msg.AddChips, by: Account, at: int) -> list[Event]:
    """Add chips that the player brought to the table."""
    player = player_at(table, command.seat)
    check_amount(table, command.chips, None, "chips")
    check_whole(table, command.chips)
    clauses = table.house.cite("chips")
    return [msg.ChipsAdded(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def exchange(table: Table, command: msg.ExchangeChips, by: Account, at: int) -> list[Event]:
    """Exchange chips of equal value; the tray balance does not change."""
    player = player_at(table, command.seat)
    given, taken = (parse_count(table, pile, EXCHANGE) for pile in (command.given, command.taken))
    if given.chips != taken.chips:
        problem = f"{dollars(given.chips)} given for {dollars(taken.chips)} taken"
        raise Refusal(f"{problem}; an exchange must be of equal value", EXCHANGE)
    if given.pile == taken.pile:
        raise Refusal("the chips given and taken are the same", EXCHANGE)
    if given.chips > table.book.rack(player):
        raise Refusal(f"{player} does not have {dollars(given.chips)}", EXCHANGE)
    return [
        msg.ChipsExchanged(
            seat=command.seat,
            player=player,
            given=given.pile,
            taken=taken.pile,
            clauses=(EXCHANGE,),
        )
    ]


def tip(table: Table, command: msg.Tip, by: Account, at: int) -> list[Event]:
    """Move chips from the player's rack into the tip box."""
    player = require_own_seat(table, command.seat, by)
    check_amount(table, command.chips, table.book.rack(player), "chips")
    check_whole(table, command.chips)
    clauses = table.house.cite(TIP_BOX)[
        :1
    ]  # the first clause is on the boxes, the second on the discard rack
    return [msg.Tipped(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def cash_out(table: Table, command: msg.CashOut, by: Account, at: int) -> list[Event]:
    """Take chips off the table; the player keeps the seat."""
    player = require_own_seat(table, command.seat, by)
    check_amount(table, command.chips, table.book.rack(player), "chips")
    if not table.house.game.procedure.credits(table.house):  # which are not chips
        check_whole(table, command.chips)
    clauses = table.house.cite("chips")
    return [msg.CashedOut(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def pay_unclaimed(table: Table, command: msg.PayUnclaimed, by: Account, at: int) -> list[Event]:
    """Pay held money to its owner; not by the owner, nor by who held it by freeing a seat."""
    amount = table.book.held().get(command.player, 0)
    if not amount:
        raise Refusal(f"nothing is held for {command.player!r}", UNCLAIMED)
    if by.id == command.player:
        problem = f"the money is held for {by.id}; another person must pay it"
        raise Refusal(problem, TWO_PEOPLE)
    if by.id in table.chips.held_by.get(command.player, ()):
        problem = f"{by.id} held the money of {command.player}; another person must pay it"
        raise Refusal(problem, TWO_PEOPLE)
    return [msg.UnclaimedPaid(player=command.player, amount=amount, clauses=(UNCLAIMED,))]


# Legal actions.


def offer_buy_in(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every seated player; due for a player without chips."""
    form = AmountField(1, unit=lowest_chip(table))
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        yield ActionTemplate(
            command=msg.BuyIn(seat, form.example()),
            fields={"cash": form},
            due="may" if rack or table.boxes_of(player) else "due",
            why="" if rack else "no chips yet",
        )


def offer_add_chips(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer every seated player to add chips."""
    form = AmountField(1, unit=lowest_chip(table))
    for seat in sorted(table.seats.taken):
        yield ActionTemplate(command=msg.AddChips(seat, form.example()), fields={"chips": form})


def offer_exchange(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every player with enough chips for one of the second-lowest denomination."""
    denominations = tuple(chip.cents for chip in table.house.chips)
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        if len(denominations) > 1 and rack >= denominations[1]:
            form = ExchangeField(seat, denominations, rack)
            yield ActionTemplate(command=form.example(), fields={WHOLE_COMMAND: form})


def offer_tip(table: Table, seat: int, player: str) -> Iterator[ActionTemplate]:
    """Offer it to a player with a chip."""
    unit, rack = lowest_chip(table), table.book.rack(player)
    if rack >= unit:
        yield ActionTemplate(
            command=msg.Tip(seat, unit),
            fields={"chips": AmountField(unit, rack, unit)},
            who=(Account(player, "player"),),
        )


def offer_cash_out(table: Table, seat: int, player: str) -> Iterator[ActionTemplate]:
    """Offer it to a player with chips."""
    unit = 1 if table.house.game.procedure.credits(table.house) else lowest_chip(table)
    most = table.book.rack(player) // unit * unit
    if most:
        yield ActionTemplate(
            command=msg.CashOut(seat, most),
            fields={"chips": AmountField(unit, most, unit)},
            who=(Account(player, "player"),),
        )


def offer_unclaimed(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every player with held money."""
    for player, amount in table.book.held().items():
        yield ActionTemplate(command=msg.PayUnclaimed(player), why=f"{dollars(amount)} is held")


def uses_credits(table: Table) -> bool:
    """Whether credits replace chips at this table."""
    return table.house.game.procedure.credits(table.house)


COMMAND_SPECS = (
    CommandSpec(command=msg.BuyIn, roles=DEALER, duty="chips", decide=buy_in, offers=offer_buy_in),
    CommandSpec(
        command=msg.AddChips, roles=DEALER, duty="chips", decide=add_chips, offers=offer_add_chips
    ),
    CommandSpec(
        command=msg.ExchangeChips,
        roles=DEALER,
        duty="chips",
        law=EXCHANGE,
        decide=exchange,
        offers=offer_exchange,
    ),
    CommandSpec(
        command=msg.Tip,
        roles=PLAYER,
        duty=TIP_BOX,
        decide=tip,
        offers=OfferToPlayers(offer_tip),
        in_person=uses_credits,
    ),
    CommandSpec(
        command=msg.CashOut,
        roles=PLAYER,
        duty="chips",
        decide=cash_out,
        offers=OfferToPlayers(offer_cash_out),
    ),
    CommandSpec(
        command=msg.PayUnclaimed,
        roles=FLOOR,
        duty="chips",
        law=UNCLAIMED,
        decide=pay_unclaimed,
        offers=offer_unclaimed,
        per_account=True,
    ),
)

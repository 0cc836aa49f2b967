"""A player's chips: bought, brought, exchanged, tipped, taken away, fetched later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.core.fields import WHOLE_COMMAND, AmountField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, PLAYER, Account
from croupier.table.parts.chips import messages as rec
from croupier.table.parts.chips.piles import Exchange, told
from croupier.table.parts.seats.seating import own_seat, seated

if TYPE_CHECKING:
    from croupier.table.table import Table

EXCHANGE = "COMAR 36.05.03.02B"  # what may be added to or taken from a tray, and for what
UNCLAIMED = "COMAR 36.05.03.23E"
TIP_BOX = "table.equipment"


def check_tray(table: Table, cents: Cents) -> None:
    """Refuse what the tray cannot give, without saying what it holds: that is for a count."""
    if table.attended and cents > table.book.tray:
        raise table.refusal(f"the tray does not hold {dollars(cents)}", "chips")


def check_amount(table: Table, amount: Cents, most: int | None, what: str) -> None:
    """Refuse what is no amount, or more than there is."""
    if not AmountField(1, most).admits(amount):
        limit = f" up to {dollars(most)}" if most is not None else ""
        raise table.refusal(f"an amount{limit} is expected {what}, got {amount!r}", "chips")


def check_whole(table: Table, amount: Cents) -> None:
    """Refuse what the chips of the table do not make up (A24)."""
    lowest = lowest_chip(table)
    if amount % lowest:
        problem = f"{dollars(amount)} is not made up of chips of {dollars(lowest)}"
        raise Refusal(problem, "A24", game=table.house.game.key)


def lowest_chip(table: Table) -> Cents:
    """The lowest chip of the table, or a cent."""
    return table.house.lowest_chip or 1


def buy_in(table: Table, command: rec.BuyIn, by: Account, at: int) -> list[Event]:
    """Cash to the drop box, chips from the tray."""
    player = seated(table, command.seat)
    check_amount(table, command.cash, None, "of cash")
    check_whole(table, command.cash)
    check_tray(table, command.cash)
    bought = rec.BoughtIn(
        seat=command.seat,
        player=player,
        cash=command.cash,
        chips=command.cash,
        clauses=table.house.cite("chips"),
    )
    return [bought]


def add_chips(table: Table, command: rec.AddChips, by: Account, at: int) -> list[Event]:
    """Chips that the player brought along."""
    player = seated(table, command.seat)
    check_amount(table, command.chips, None, "of chips")
    check_whole(table, command.chips)
    clauses = table.house.cite("chips")
    return [rec.ChipsAdded(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def exchange(table: Table, command: rec.ExchangeChips, by: Account, at: int) -> list[Event]:
    """Equal worth, other pieces; nothing else about the tray changes."""
    player = seated(table, command.seat)
    given, taken = (told(table, pile, EXCHANGE) for pile in (command.given, command.taken))
    if given.chips != taken.chips:
        problem = f"{dollars(given.chips)} is given and {dollars(taken.chips)} taken"
        raise Refusal(f"{problem}; an exchange is of equal worth", EXCHANGE)
    if given.pile == taken.pile:
        raise Refusal("nothing is exchanged", EXCHANGE)
    if given.chips > table.book.rack(player):
        raise Refusal(f"{player} does not have {dollars(given.chips)}", EXCHANGE)
    return [
        rec.ChipsExchanged(
            seat=command.seat,
            player=player,
            given=given.pile,
            taken=taken.pile,
            clauses=(EXCHANGE,),
        )
    ]


def tip(table: Table, command: rec.Tip, by: Account, at: int) -> list[Event]:
    """Into the tip box; nobody at the table takes it out."""
    player = own_seat(table, command.seat, by)
    check_amount(table, command.chips, table.book.rack(player), "of the rack")
    check_whole(table, command.chips)
    clauses = table.house.cite(TIP_BOX)[:1]  # the boxes; the discard rack is another clause
    return [rec.Tipped(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def cash_out(table: Table, command: rec.CashOut, by: Account, at: int) -> list[Event]:
    """Chips off the table; the seat stays."""
    player = own_seat(table, command.seat, by)
    check_amount(table, command.chips, table.book.rack(player), "of the rack")
    clauses = table.house.cite("chips")
    return [rec.CashedOut(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def pay_unclaimed(table: Table, command: rec.PayUnclaimed, by: Account, at: int) -> list[Event]:
    """The owner came back."""
    amount = table.book.held().get(command.player, 0)
    if not amount:
        raise Refusal(f"nothing is held for {command.player!r}", UNCLAIMED)
    return [rec.UnclaimedPaid(player=command.player, amount=amount, clauses=(UNCLAIMED,))]


# When each of these is offered.


def offer_buy_in(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody who sits may buy; who has nothing has to."""
    form = AmountField(1, unit=lowest_chip(table))
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        yield ActionTemplate(
            command=rec.BuyIn(seat, form.example()),
            fields={"cash": form},
            due="may" if rack or table.boxes_of(player) else "due",
            why="" if rack else "no chips yet",
        )


def offer_add_chips(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody who sits may bring chips along."""
    form = AmountField(1, unit=lowest_chip(table))
    for seat in sorted(table.seats.taken):
        yield ActionTemplate(command=rec.AddChips(seat, form.example()), fields={"chips": form})


def offer_exchange(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody whose chips are worth one of the second denomination."""
    denominations = tuple(chip.cents for chip in table.house.chips)
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        if len(denominations) > 1 and rack >= denominations[1]:
            form = Exchange(seat, denominations, rack)
            yield ActionTemplate(command=form.example(), fields={WHOLE_COMMAND: form})


def offer_tip(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody with a chip."""
    unit = lowest_chip(table)
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        if rack >= unit:
            yield ActionTemplate(
                command=rec.Tip(seat, unit),
                fields={"chips": AmountField(unit, rack, unit)},
                who=(Account(player, "player"),),
            )


def offer_cash_out(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Everybody may take their chips."""
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        if rack:
            yield ActionTemplate(
                command=rec.CashOut(seat, rack),
                fields={"chips": AmountField(1, rack)},
                who=(Account(player, "player"),),
            )


def offer_unclaimed(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Whatever is held may be fetched."""
    for player, amount in table.book.held().items():
        yield ActionTemplate(command=rec.PayUnclaimed(player), why=f"{dollars(amount)} is held")


COMMANDS = (
    CommandSpec(command=rec.BuyIn, roles=DEALER, duty="chips", decide=buy_in, offers=offer_buy_in),
    CommandSpec(
        command=rec.AddChips, roles=DEALER, duty="chips", decide=add_chips, offers=offer_add_chips
    ),
    CommandSpec(
        command=rec.ExchangeChips,
        roles=DEALER,
        duty="chips",
        law=EXCHANGE,
        decide=exchange,
        offers=offer_exchange,
    ),
    CommandSpec(command=rec.Tip, roles=PLAYER, duty=TIP_BOX, decide=tip, offers=offer_tip),
    CommandSpec(
        command=rec.CashOut, roles=PLAYER, duty="chips", decide=cash_out, offers=offer_cash_out
    ),
    CommandSpec(
        command=rec.PayUnclaimed,
        roles=FLOOR,
        duty="chips",
        law=UNCLAIMED,
        decide=pay_unclaimed,
        offers=offer_unclaimed,
    ),
)

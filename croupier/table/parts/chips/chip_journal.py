"""Double-entry postings of chips, tray counts and checks outside the rounds.

A movement counted by denomination is posted a second time for each denomination.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.money import Cents
from croupier.table.core.accounting import Book, Legs, Unbalanced, posting_rule
from croupier.table.parts import shift, tray_count
from croupier.table.parts.chips import messages as chips
from croupier.table.parts.payouts import messages as payouts
from croupier.table.parts.seats import messages as seats


@posting_rule(shift.TableOpened)
def _opened(book: Book, event: shift.TableOpened) -> Legs:
    yield "cage", -event.inventory
    yield "tray", event.inventory
    yield from transfer("cage", "tray", event.pile)


@posting_rule(shift.TableClosed)
def _closed(book: Book, event: shift.TableClosed) -> Legs:
    check_tray_balance(book, event.expected)
    yield "tray", -event.expected
    yield "cage", event.inventory
    yield "difference", event.expected - event.inventory
    yield from adjust_tray(book, event.pile)
    yield from transfer("tray", "cage", event.pile)


@posting_rule(tray_count.ShiftChanged)
def _shift_changed(book: Book, event: tray_count.ShiftChanged) -> Legs:
    check_tray_balance(book, event.expected)
    missing = event.expected - event.inventory
    yield "tray", -missing
    yield "difference", missing
    if event.pile:
        yield from adjust_tray(book, event.pile)


def check_tray_balance(book: Book, expected: Cents) -> None:
    """Raise Unbalanced unless the book agrees with the event's expected tray balance."""
    if book.balance("tray") != expected:
        raise Unbalanced(f"the tray holds {book.balance('tray')}, the event says {expected}")


def transfer(source: str, target: str, pile: Mapping[str, int]) -> Legs:
    """Move chips from one account to another, by denomination."""
    for cents, count in pile.items():
        yield f"{source}:{cents}", -int(cents) * count
        yield f"{target}:{cents}", int(cents) * count


def adjust_tray(book: Book, pile: Mapping[str, int]) -> Legs:
    """Set the tray's denominations to the count; the difference moved in play."""
    known = {name[5:] for name in book.balances if name.startswith("tray:")}
    for cents in sorted(known | set(pile), key=int):
        moved = int(cents) * pile.get(cents, 0) - book.balance(f"tray:{cents}")
        if moved:
            yield f"tray:{cents}", moved
            yield f"play:{cents}", -moved


@posting_rule(chips.BoughtIn)
def _bought_in(book: Book, event: chips.BoughtIn) -> Legs:
    yield "cash", -event.cash
    yield "drop", event.cash
    yield "tray", -event.chips
    yield f"rack:{event.player}", event.chips


@posting_rule(chips.ChipsAdded)
def _chips_added(book: Book, event: chips.ChipsAdded) -> Legs:
    yield "pocket", -event.chips
    yield f"rack:{event.player}", event.chips


@posting_rule(chips.CashedOut, seats.Left, seats.LeftDuringRound)
def _took_away(book: Book, event: chips.CashedOut | seats.Left | seats.LeftDuringRound) -> Legs:
    yield f"rack:{event.player}", -event.chips
    yield "pocket", event.chips


@posting_rule(chips.Tipped)
def _tipped(book: Book, event: chips.Tipped) -> Legs:
    yield f"rack:{event.player}", -event.chips
    yield "tips", event.chips


@posting_rule(chips.ChipsExchanged)
def _exchanged(book: Book, event: chips.ChipsExchanged) -> Legs:
    yield from transfer("changed", "tray", event.given)
    yield from transfer("tray", "changed", event.taken)


@posting_rule(payouts.PaidByCheck)
def _check(book: Book, event: payouts.PaidByCheck) -> Legs:
    yield f"rack:{event.player}", -event.amount
    yield "tray", event.amount
    yield "checks", -event.amount
    yield "cash", event.amount


@posting_rule(chips.UnclaimedHeld)
def _held(book: Book, event: chips.UnclaimedHeld) -> Legs:
    yield f"rack:{event.player}", -event.amount
    yield f"held:{event.player}", event.amount


@posting_rule(chips.UnclaimedPaid)
def _handed_over(book: Book, event: chips.UnclaimedPaid) -> Legs:
    yield f"held:{event.player}", -event.amount
    yield "pocket", event.amount


@posting_rule(chips.FillReceived)
def _fill(book: Book, event: chips.FillReceived) -> Legs:
    yield "fills", -event.chips
    yield "tray", event.chips
    yield from transfer("fills", "tray", event.pile)


@posting_rule(chips.CreditSent)
def _credit(book: Book, event: chips.CreditSent) -> Legs:
    yield "tray", -event.chips
    yield "credits", event.chips
    yield from transfer("tray", "credits", event.pile)

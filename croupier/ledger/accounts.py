"""Double entry, derived: every event that moves money becomes legs that sum to nothing.

| account | what its balance is |
| --- | --- |
| `tray` | the chips of the table inventory |
| `layout` | wagers in play |
| `rack:PLAYER` | a player's chips at the table; at a table without buy-ins, what they won or lost |
| `pocket` | less what players brought as chips, plus what they took away |
| `cage`, `fills`, `credits`, `checks` | where the tray's chips and checks come from and go to |
| `drop`, `cash` | the cash of the drop box, and the players' cash it was |
| `held` | money of players who left before they were paid: a liability, never a win |
| `difference` | what a count found missing (or, below zero, too much) |
| `meter:M`, `reserve:M`, `overflow:M` | what a meter shows, and what is set aside for it |
| `fed:M`, `funded:M`, `adjusted:M`, `won:M` | contributions, seeds, adjustments, awards |

A debit is a positive leg, a credit a negative one. Balances are never stored but in snapshots,
which are compared with this fold and never trusted against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from croupier.ledger import events as lev
from croupier.money import meter_text
from croupier.table import events as ev
from croupier.table.events import Event, MeterText
from croupier.table.life import events as life

Amount: TypeAlias = int | Fraction
Leg: TypeAlias = tuple[str, Amount]

ACCOUNTS = (
    "tray",
    "layout",
    "pocket",
    "cage",
    "fills",
    "credits",
    "checks",
    "drop",
    "cash",
    "held",
    "difference",
)
PER_METER = ("meter", "reserve", "overflow", "fed", "funded", "adjusted", "won")


class Unbalanced(Exception):
    """An event whose legs do not sum to nothing, or that leaves an impossible balance."""


class Box:
    """What the accounts must know of a betting position to resolve its stakes."""

    __slots__ = ("collected", "player", "stakes")

    def __init__(self, player: str, stakes: Mapping[str, int]) -> None:
        self.player = player
        self.stakes = dict(stakes)
        self.collected = False  # its progressive chips lie in the tray already

    def copy(self) -> Box:
        """The same box in another book."""
        twin = Box(self.player, self.stakes)
        twin.collected = self.collected
        return twin


class Book:
    """The accounts of one stream. `post` takes the events in their order."""

    def __init__(self, balances: Mapping[str, MeterText] | None = None) -> None:
        self.balances: dict[str, Amount] = {
            account: _exact(amount) for account, amount in (balances or {}).items()
        }
        self.boxes: dict[int, Box] = {}
        self.debits: Amount = 0
        self.credits: Amount = 0
        self.buys_in = False  # chips are bought, so that nobody can owe any
        self.linked = False  # the meters stand in another book

    def post(self, event: Event) -> None:
        """Move what the event moves; refused when debits and credits differ."""
        entries = _ENTRIES.get(type(event))
        if entries is None:
            return
        total: Amount = 0
        balances = self.balances
        for account, amount in entries(self, event):
            balances[account] = balances.get(account, 0) + amount
            total += amount
            if amount > 0:
                self.debits += amount
            else:
                self.credits -= amount
        if total:
            raise Unbalanced(f"debits exceed credits by {total} cents")

    def copy(self) -> Book:
        """A book to try events on."""
        twin = Book()
        twin.balances = dict(self.balances)
        twin.boxes = {seat: box.copy() for seat, box in self.boxes.items()}
        twin.debits, twin.credits = self.debits, self.credits
        twin.buys_in, twin.linked = self.buys_in, self.linked
        return twin

    def balance(self, account: str) -> Amount:
        """What an account holds."""
        return self.balances.get(account, 0)

    def export(self) -> dict[str, MeterText]:
        """The balances that are not zero, exact and sorted, as snapshots and reports hold them."""
        return {
            account: meter_text(Fraction(amount))
            for account, amount in sorted(self.balances.items())
            if amount
        }

    def meters(self) -> list[str]:
        """The meters this book keeps."""
        return [name[6:] for name in self.balances if name.startswith("meter:")]


def _exact(value: MeterText | Fraction) -> Amount:
    if isinstance(value, int):
        return value
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


Entries: TypeAlias = Iterator[Leg]
_ENTRIES: dict[type[Event], Callable[[Book, Any], Entries]] = {}


def _on(*kinds: type[Event]) -> Callable[[Any], Any]:
    def register(entries: Callable[[Book, Any], Entries]) -> Callable[[Book, Any], Entries]:
        for kind in kinds:
            _ENTRIES[kind] = entries
        return entries

    return register


# Rounds


@_on(ev.RoundOpened)
def _round_opened(book: Book, event: ev.RoundOpened) -> Entries:
    book.boxes = {}
    return iter(())


@_on(ev.WagersPlaced)
def _wagers_placed(book: Book, event: ev.WagersPlaced) -> Entries:
    before = book.boxes.pop(event.seat, None)
    if before:
        lay = sum(before.stakes.values())
        yield "layout", -lay
        yield f"rack:{before.player}", lay
    if event.stakes:
        book.boxes[event.seat] = Box(event.player, event.stakes)
        lay = sum(event.stakes.values())
        yield f"rack:{event.player}", -lay
        yield "layout", lay


@_on(ev.Decided)
def _decided(book: Book, event: ev.Decided) -> Entries:
    if event.wager:
        box = book.boxes[event.seat]
        box.stakes[event.wager] = event.stake
        yield f"rack:{box.player}", -event.stake
        yield "layout", event.stake


@_on(ev.ProgressiveLocked)
def _locked(book: Book, event: ev.ProgressiveLocked) -> Entries:
    if not book.buys_in:  # where chips are counted, `ProgressiveCollected` says so
        yield from _collect(book)
    yield from _feed(book, event.contributions)


@_on(life.ProgressiveCollected)
def _collected(book: Book, event: life.ProgressiveCollected) -> Entries:
    for box in book.boxes.values():
        box.collected = "progressive" in box.stakes
    yield "layout", -event.amount
    yield "tray", event.amount


def _collect(book: Book) -> Entries:
    for box in book.boxes.values():
        stake = box.stakes.get("progressive", 0)
        if stake:
            box.collected = True
            yield "layout", -stake
            yield "tray", stake


@_on(ev.WagerSettled)
def _settled(book: Book, event: ev.WagerSettled) -> Entries:
    box = book.boxes[event.seat]
    staked = box.stakes.pop(event.wager, None)
    if staked != event.stake:
        raise Unbalanced(f"seat {event.seat} has {staked} on {event.wager}, not {event.stake}")
    returned = event.returned
    if event.wager == "progressive" and box.collected:
        yield "tray", -returned
    else:
        yield "layout", -event.stake
        yield "tray", event.stake - returned
    if returned:
        yield f"rack:{box.player}", returned


@_on(ev.EnvyPaid)
def _envy(book: Book, event: ev.EnvyPaid) -> Entries:
    yield "tray", -event.paid
    yield f"rack:{book.boxes[event.seat].player}", event.paid


@_on(ev.RoundClosed)
def _round_closed(book: Book, event: ev.RoundClosed) -> Entries:
    if lies := book.balance("layout"):
        raise Unbalanced(f"{lies} cents lie on the layout after every wager was resolved")
    return iter(())


# Meters


def _feed(book: Book, amounts: Mapping[str, MeterText]) -> Entries:
    if not book.linked:
        for meter, text in amounts.items():
            amount = _exact(text)
            yield f"fed:{meter}", -amount
            yield f"meter:{meter}", amount


def _seed(meters: Mapping[str, MeterText]) -> Entries:
    for meter, text in meters.items():
        amount = _exact(text)
        yield f"funded:{meter}", -amount
        yield f"meter:{meter}", amount


@_on(ev.PlayerSatOut)
def _sat_out(book: Book, event: ev.PlayerSatOut) -> Entries:
    return _feed(book, event.contributions)


@_on(ev.MeterPaid)
def _meter_paid(book: Book, event: ev.MeterPaid) -> Entries:
    return iter(()) if book.linked else _award(book, event)


@_on(lev.MeterWon)
def _award(book: Book, event: ev.MeterPaid | lev.MeterWon) -> Entries:
    meter, refill = event.meter, _exact(event.refill)
    yield f"meter:{meter}", -event.paid
    yield f"won:{meter}", event.paid
    if refill:
        yield f"funded:{meter}", -refill
        yield f"meter:{meter}", refill
    _agree(book, meter, event.after)


def _agree(book: Book, meter: str, after: MeterText) -> None:
    """The event says what the meter shows; the book must say the same."""
    if book.balance(f"meter:{meter}") != _exact(after):
        held = meter_text(Fraction(book.balance(f"meter:{meter}")))
        raise Unbalanced(f"meter {meter} holds {held} by its entries, but the event says {after}")


@_on(ev.RoundVoided)
def _voided(book: Book, event: ev.RoundVoided) -> Entries:
    if not book.linked:
        for meter, text in event.meters.items():
            back = book.balance(f"meter:{meter}") - _exact(text)
            if back:
                yield f"meter:{meter}", -back
                yield f"fed:{meter}", back


@_on(lev.TableBound)
def _bound(book: Book, event: lev.TableBound) -> Entries:
    book.buys_in = event.variety == "life"
    book.linked = bool(event.group)
    if not book.linked:
        known = dict(event.meters)
        for meter in book.meters():
            known.pop(meter, None)  # a new House does not fund a meter anew
        yield from _seed(known)


@_on(lev.GroupFounded)
def _founded(book: Book, event: lev.GroupFounded) -> Entries:
    return _seed(event.meters)


@_on(lev.MetersFed)
def _fed(book: Book, event: lev.MetersFed) -> Entries:
    yield from _feed(book, event.amounts)
    for meter in event.amounts:
        _agree(book, meter, event.after[meter])


@_on(lev.MeterAdjusted)
def _adjusted(book: Book, event: lev.MeterAdjusted) -> Entries:
    amount = _exact(event.amount)
    yield f"adjusted:{event.meter}", -amount
    yield f"meter:{event.meter}", amount
    _agree(book, event.meter, event.after)


@_on(lev.CorrectionMade)
def _corrected(book: Book, event: lev.CorrectionMade) -> Entries:
    yield event.source, -event.amount
    yield event.target, event.amount


# Around the rounds


@_on(life.TableOpened)
def _opened(book: Book, event: life.TableOpened) -> Entries:
    yield "cage", -event.inventory
    yield "tray", event.inventory


@_on(life.TableClosed)
def _closed(book: Book, event: life.TableClosed) -> Entries:
    if book.balance("tray") != event.expected:
        raise Unbalanced(f"the tray holds {book.balance('tray')}, the event says {event.expected}")
    yield "tray", -event.expected
    yield "cage", event.inventory
    yield "difference", event.expected - event.inventory


@_on(life.BoughtIn)
def _bought_in(book: Book, event: life.BoughtIn) -> Entries:
    yield "cash", -event.cash
    yield "drop", event.cash
    yield "tray", -event.chips
    yield f"rack:{event.player}", event.chips


@_on(life.ChipsAdded)
def _chips_added(book: Book, event: life.ChipsAdded) -> Entries:
    yield "pocket", -event.chips
    yield f"rack:{event.player}", event.chips


@_on(life.CashedOut, life.Left, life.LeftDuringRound)
def _took_away(book: Book, event: life.CashedOut | life.Left | life.LeftDuringRound) -> Entries:
    yield f"rack:{event.player}", -event.chips
    yield "pocket", event.chips


@_on(life.PaidByCheck)
def _check(book: Book, event: life.PaidByCheck) -> Entries:
    yield f"rack:{event.player}", -event.amount
    yield "tray", event.amount
    yield "checks", -event.amount
    yield "cash", event.amount


@_on(life.UnclaimedHeld)
def _held(book: Book, event: life.UnclaimedHeld) -> Entries:
    yield f"rack:{event.player}", -event.amount
    yield "held", event.amount


@_on(life.UnclaimedPaid)
def _handed_over(book: Book, event: life.UnclaimedPaid) -> Entries:
    yield "held", -event.amount
    yield "pocket", event.amount


@_on(life.FillReceived)
def _fill(book: Book, event: life.FillReceived) -> Entries:
    yield "fills", -event.chips
    yield "tray", event.chips


@_on(life.CreditSent)
def _credit(book: Book, event: life.CreditSent) -> Entries:
    yield "tray", -event.chips
    yield "credits", event.chips

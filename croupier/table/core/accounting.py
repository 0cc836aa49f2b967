"""Where every chip is: double entry, derived from the events of a table.

| account | what its balance is |
| --- | --- |
| `tray` | the chips of the table inventory |
| `layout` | wagers in play |
| `rack:PLAYER` | a player's chips at the table; at a table without buy-ins, what they won or lost |
| `pocket` | less what players brought as chips, plus what they took away |
| `cage`, `fills`, `credits`, `checks` | where the tray's chips and checks come from and go to |
| `drop`, `cash` | the cash of the drop box, and the players' cash it was |
| `tips` | what players put into the tip box |
| `held:PLAYER` | money of players who left before they were paid: a liability, never a win |
| `difference` | what a count found missing (or, below zero, too much) |
| `tray:D`, `cage:D`, `fills:D`, `credits:D`, `changed:D` | the same by denomination (in cents),
where people told it: counts, fills, credits, exchanges with players |
| `play:D` | what left the tray in play, by denomination, found by the next count |
| `meter:M`, `reserve:M`, `overflow:M` | what a meter shows, and what is set aside for it |
| `fed:M`, `funded:M`, `adjusted:M`, `won:M` | contributions, seeds, adjustments, awards |

A debit is a positive leg, a credit a negative one; the legs of an event sum to nothing. The table
itself, its record and every report read this one projection. What moves around the rounds is
entered by `croupier.table.parts.chips.chip_journal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event, MeterText
from croupier.table.parts import house_binding
from croupier.table.parts.progressive import messages as progressive
from croupier.table.parts.round import messages as ev
from croupier.table.parts.round.meter_pools import PoolUsed

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
    "tips",
    "difference",
)
POOLS = ("reserve:", "overflow:")  # beside a meter, under names and accounts of their own
PER_METER = ("meter", "reserve", "overflow", "fed", "funded", "adjusted", "won")


class Unbalanced(Exception):
    """An event whose legs do not sum to nothing, or that leaves an impossible balance."""


class Staked:
    """What the accounts must know of a betting position to resolve its stakes."""

    __slots__ = ("collected", "player", "stakes")

    def __init__(self, player: str, stakes: Mapping[str, int]) -> None:
        self.player = player
        self.stakes = dict(stakes)
        self.collected = False  # its progressive chips lie in the tray already

    def copy(self) -> Staked:
        """The same box in another book."""
        twin = Staked(self.player, self.stakes)
        twin.collected = self.collected
        return twin


class Book:
    """The accounts of one stream. `post` takes the events in their order."""

    def __init__(self, balances: Mapping[str, MeterText] | None = None) -> None:
        self.balances: dict[str, Amount] = {
            account: _exact(amount) for account, amount in (balances or {}).items()
        }
        self.boxes: dict[int, Staked] = {}
        self.counts_chips = False  # a dealer counts progressive chips before they are in the tray
        self.linked = False  # the meters stand in another book

    def post(self, event: Event) -> None:
        """Move what the event moves; refused when debits and credits differ."""
        entries = ENTRIES.get(type(event))
        if entries is not None:
            self.move(entries(self, event))

    def move(self, legs: Entries) -> None:
        """Move what the legs of one event say."""
        total: Amount = 0
        balances = self.balances
        for account, amount in legs:
            balances[account] = balances.get(account, 0) + amount
            total += amount
        if total:
            raise Unbalanced(f"debits exceed credits by {total} cents")

    def copy(self) -> Book:
        """A book to try events on."""
        twin = Book()
        twin.balances = dict(self.balances)
        twin.boxes = {seat: box.copy() for seat, box in self.boxes.items()}
        twin.counts_chips, twin.linked = self.counts_chips, self.linked
        return twin

    def balance(self, account: str) -> Amount:
        """What an account holds."""
        return self.balances.get(account, 0)

    @property
    def tray(self) -> Cents:
        """The chips of the table inventory."""
        return int(self.balances.get("tray", 0))

    @property
    def layout(self) -> Cents:
        """The wagers in play that are not in the tray already."""
        return int(self.balances.get("layout", 0))

    def rack(self, player: str) -> Cents:
        """A player's chips at the table."""
        return int(self.balances.get(f"rack:{player}", 0))

    def held(self) -> dict[str, Cents]:
        """What is kept for players who left, by player."""
        return {
            account[5:]: int(amount)
            for account, amount in self.balances.items()
            if account.startswith("held:") and amount
        }

    def export(self) -> dict[str, MeterText]:
        """The balances that are not zero, exact and sorted, as snapshots and reports hold them."""
        return {
            account: meter_text(Fraction(amount))
            for account, amount in sorted(self.balances.items())
            if amount
        }

    def meters(self) -> list[str]:
        """The meters this book keeps, and the pools beside them."""
        kept = ("meter:", *POOLS)
        return [name.removeprefix("meter:") for name in self.balances if name.startswith(kept)]


def _exact(value: MeterText | Fraction) -> Amount:
    if isinstance(value, int):
        return value
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


Entries: TypeAlias = Iterable[Leg]
ENTRIES: dict[type[Event], Callable[[Book, Any], Entries]] = {}


def posts(*kinds: type[Event]) -> Callable[[Any], Any]:
    def register(entries: Callable[[Book, Any], Entries]) -> Callable[[Book, Any], Entries]:
        for kind in kinds:
            ENTRIES[kind] = entries
        return entries

    return register


# Rounds


@posts(ev.RoundOpened)
def _round_opened(book: Book, event: ev.RoundOpened) -> Entries:
    book.boxes = {}
    return ()


@posts(ev.WagersPlaced)
def _wagers_placed(book: Book, event: ev.WagersPlaced) -> Entries:
    before = book.boxes.pop(event.seat, None)
    if before:
        lay = sum(before.stakes.values())
        yield "layout", -lay
        yield f"rack:{before.player}", lay
    if event.stakes:
        book.boxes[event.seat] = Staked(event.player, event.stakes)
        lay = sum(event.stakes.values())
        yield f"rack:{event.player}", -lay
        yield "layout", lay


@posts(ev.Decided)
def _decided(book: Book, event: ev.Decided) -> Entries:
    if not event.wager:
        return ()
    box = book.boxes[event.seat]
    box.stakes[event.wager] = event.stake
    return (f"rack:{box.player}", -event.stake), ("layout", event.stake)


@posts(ev.ProgressiveLocked)
def _locked(book: Book, event: ev.ProgressiveLocked) -> Entries:
    if not book.counts_chips:  # where chips are counted, `ProgressiveCollected` says so
        yield from _collect(book)
    yield from feed(book, event.contributions)


@posts(progressive.ProgressiveCollected)
def _collected(book: Book, event: progressive.ProgressiveCollected) -> Entries:
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


@posts(ev.WagerSettled)
def _settled(book: Book, event: ev.WagerSettled) -> Entries:
    box = book.boxes[event.seat]
    staked = box.stakes.pop(event.wager, None)
    if staked != event.stake:
        raise Unbalanced(f"seat {event.seat} has {staked} on {event.wager}, not {event.stake}")
    returned = event.returned
    paid = (f"rack:{box.player}", returned)
    if event.wager == "progressive" and box.collected:
        return ("tray", -returned), paid
    return ("layout", -event.stake), ("tray", event.stake - returned), paid


@posts(ev.EnvyPaid)
def _envy(book: Book, event: ev.EnvyPaid) -> Entries:
    yield "tray", -event.paid
    yield f"rack:{book.boxes[event.seat].player}", event.paid


@posts(ev.RoundClosed)
def _round_closed(book: Book, event: ev.RoundClosed) -> Entries:
    if lies := book.balance("layout"):
        raise Unbalanced(f"{lies} cents lie on the layout after every wager was resolved")
    return ()


# Meters


def account_of(meter: str) -> str:
    """The account that holds what a meter or a pool does."""
    return meter if meter.startswith(POOLS) else f"meter:{meter}"


def meter_of(name: str) -> str:
    """The meter that a pool stands beside; a meter is its own."""
    return name.partition(":")[2] if name.startswith(POOLS) else name


def feed(book: Book, amounts: Mapping[str, MeterText]) -> Entries:
    if not book.linked:
        for meter, text in amounts.items():
            amount = _exact(text)
            yield f"fed:{meter_of(meter)}", -amount
            yield account_of(meter), amount


def seed(meters: Mapping[str, MeterText]) -> Entries:
    for meter, text in meters.items():
        amount = _exact(text)
        yield f"funded:{meter_of(meter)}", -amount
        yield account_of(meter), amount


@posts(ev.PlayerSatOut)
def _sat_out(book: Book, event: ev.PlayerSatOut) -> Entries:
    return feed(book, event.contributions)


@posts(ev.MeterPaid)
def _meter_paid(book: Book, event: ev.MeterPaid) -> Entries:
    return () if book.linked else award(book, event)


def award(book: Book, event: Any) -> Entries:
    meter, refill = event.meter, _exact(event.refill)
    yield f"meter:{meter}", -event.paid
    yield f"won:{meter}", event.paid
    if refill:
        yield f"funded:{meter}", -refill
        yield f"meter:{meter}", refill
    agree(book, meter, event.after)


def agree(book: Book, meter: str, after: MeterText) -> None:
    """The event says what the meter shows; the book must say the same."""
    if book.balance(account_of(meter)) != _exact(after):
        held = meter_text(Fraction(book.balance(account_of(meter))))
        raise Unbalanced(f"meter {meter} holds {held} by its entries, but the event says {after}")


@posts(PoolUsed)
def _pool_used(book: Book, event: PoolUsed) -> Entries:
    return () if book.linked else draw(book, event)


def draw(book: Book, event: Any) -> Entries:
    """The reserve pays the house back for a reset; the overflow rises to the meter."""
    amount = _exact(event.amount)
    yield f"{event.pool}:{event.meter}", -amount
    yield ("funded:" if event.pool == "reserve" else "meter:") + event.meter, amount
    agree(book, event.meter, event.after)
    agree(book, f"{event.pool}:{event.meter}", event.left)


@posts(ev.RoundVoided)
def _voided(book: Book, event: ev.RoundVoided) -> Entries:
    if not book.linked:
        for meter, text in event.meters.items():
            back = book.balance(account_of(meter)) - _exact(text)
            if back:
                yield account_of(meter), -back
                yield f"fed:{meter_of(meter)}", back


@posts(house_binding.TableBound)
def _bound(book: Book, event: house_binding.TableBound) -> Entries:
    book.counts_chips = event.service == "attended"
    book.linked = bool(event.group)
    if not book.linked:
        known = dict(event.meters)
        for meter in book.meters():
            known.pop(meter, None)  # a new House does not fund a meter anew
        yield from seed(known)


@posts(house_binding.MeterAdjusted)
def _adjusted(book: Book, event: house_binding.MeterAdjusted) -> Entries:
    amount = _exact(event.amount)
    yield f"adjusted:{meter_of(event.meter)}", -amount
    yield account_of(event.meter), amount
    agree(book, event.meter, event.after)


@posts(house_binding.CorrectionMade)
def _corrected(book: Book, event: house_binding.CorrectionMade) -> Entries:
    yield event.source, -event.amount
    yield event.target, event.amount

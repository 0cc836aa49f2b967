"""Double-entry accounts of a table, derived from its events.

| account | balance |
| --- | --- |
| `tray` | the chips of the table inventory |
| `layout` | wagers in play |
| `rack:PLAYER` | a player's chips at the table; without buy-ins, the player's net result |
| `pocket` | chips that players took away, less chips that they brought |
| `cage`, `fills`, `credits`, `checks` | contra accounts of chips and checks of the tray |
| `drop`, `cash` | cash in the drop box, and its contra account |
| `tips` | tips put into the tip box |
| `held:PLAYER` | money of players who left before they were paid: a liability, never a win |
| `difference` | shortage found by a count (below zero: overage) |
| `tray:D`, `cage:D`, `fills:D`, `credits:D`, `changed:D` | the same by denomination (in cents),
where it is reported: counts, fills, credits, exchanges with players |
| `play:D` | chips that left the tray in play, by denomination, as found by the next count |
| `meter:M`, `reserve:M`, `overflow:M` | the value of a meter, and the pools set aside for it |
| `fed:M`, `funded:M`, `adjusted:M`, `won:M` | contributions, seeds, adjustments, awards |

A debit is a positive leg and a credit a negative one; the legs of an event sum to zero. The table,
its record and every report read this one projection. Chip movements outside the rounds are posted
by `croupier.table.parts.chips.chip_journal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event, MeterText
from croupier.table.parts import corrections, house_binding
from croupier.table.parts.progressive import messages as progressive
from croupier.table.parts.round import messages as ev
from croupier.table.parts.round.meter_pools import PoolUsed

ExactCents: TypeAlias = int | Fraction
Leg: TypeAlias = tuple[str, ExactCents]

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
POOLS = ("reserve:", "overflow:")  # account prefixes of the pools of a meter


class Unbalanced(Exception):
    """An event whose legs do not sum to zero, or that leaves an impossible balance."""


class BoxStakes:
    """The stakes of one box that are not settled yet."""

    __slots__ = ("collected", "player", "stakes")

    def __init__(self, player: str, stakes: Mapping[str, int]) -> None:
        self.player = player
        self.stakes = dict(stakes)
        self.collected: set[str] = set()  # the wagers whose chips are in the tray already

    def copy(self) -> BoxStakes:
        """Return an independent copy."""
        copy = BoxStakes(self.player, self.stakes)
        copy.collected = set(self.collected)
        return copy


class Book:
    """The accounts of one event stream. `post` takes the events in order."""

    def __init__(self, balances: Mapping[str, MeterText] | None = None) -> None:
        self.balances: dict[str, ExactCents] = {
            account: _exact(amount) for account, amount in (balances or {}).items()
        }
        self.boxes: dict[int, BoxStakes] = {}
        self.counts_chips = False  # a dealer counts progressive chips before they are in the tray
        self.linked = False  # the meters are in another book

    def post(self, event: Event) -> None:
        """Post the legs of an event; raises Unbalanced if they do not sum to zero."""
        rule = POSTING_RULES.get(type(event))
        if rule is not None:
            self.move(rule(self, event))

    def move(self, legs: Legs) -> None:
        """Post the legs of one event; raises Unbalanced if they do not sum to zero."""
        total: ExactCents = 0
        balances = self.balances
        for account, amount in legs:
            balances[account] = balances.get(account, 0) + amount
            total += amount
        if total:
            raise Unbalanced(f"debits exceed credits by {total} cents")

    def copy(self) -> Book:
        """Return an independent copy to try events on."""
        copy = Book()
        copy.balances = dict(self.balances)
        copy.boxes = {seat: box.copy() for seat, box in self.boxes.items()}
        copy.counts_chips, copy.linked = self.counts_chips, self.linked
        return copy

    def balance(self, account: str) -> ExactCents:
        """Return the balance of an account."""
        return self.balances.get(account, 0)

    @property
    def tray(self) -> Cents:
        """The chips of the table inventory."""
        return int(self.balances.get("tray", 0))

    @property
    def layout(self) -> Cents:
        """The wagers in play, without those already collected into the tray."""
        return int(self.balances.get("layout", 0))

    def rack(self, player: str) -> Cents:
        """Return a player's chips at the table."""
        return int(self.balances.get(f"rack:{player}", 0))

    def held(self) -> dict[str, Cents]:
        """Return the money held for players who left, by player."""
        return {
            account[5:]: int(amount)
            for account, amount in self.balances.items()
            if account.startswith("held:") and amount
        }

    def export(self) -> dict[str, MeterText]:
        """Return the nonzero balances, exact and sorted, for snapshots and reports."""
        return {
            account: meter_text(Fraction(amount))
            for account, amount in sorted(self.balances.items())
            if amount
        }

    def meters(self) -> list[str]:
        """Return the names of the meters and pools in this book."""
        prefixes = ("meter:", *POOLS)
        return [name.removeprefix("meter:") for name in self.balances if name.startswith(prefixes)]


def _exact(value: MeterText | Fraction) -> ExactCents:
    if isinstance(value, int):
        return value
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


Legs: TypeAlias = Iterable[Leg]
POSTING_RULES: dict[type[Event], Callable[[Book, Any], Legs]] = {}


def posting_rule(*kinds: type[Event]) -> Callable[[Any], Any]:
    """Register a function that returns the legs of these kinds of event."""

    def register(rule: Callable[[Book, Any], Legs]) -> Callable[[Book, Any], Legs]:
        for kind in kinds:
            POSTING_RULES[kind] = rule
        return rule

    return register


# Rounds


@posting_rule(ev.RoundOpened)
def _round_opened(book: Book, event: ev.RoundOpened) -> Legs:
    book.boxes = {}
    return ()


@posting_rule(ev.WagersPlaced)
def _wagers_placed(book: Book, event: ev.WagersPlaced) -> Legs:
    before = book.boxes.pop(event.seat, None)
    if before:
        total = sum(before.stakes.values())
        yield "layout", -total
        yield f"rack:{before.player}", total
    if event.stakes:
        book.boxes[event.seat] = BoxStakes(event.player, event.stakes)
        total = sum(event.stakes.values())
        yield f"rack:{event.player}", -total
        yield "layout", total


@posting_rule(ev.Decided)
def _decided(book: Book, event: ev.Decided) -> Legs:
    if not event.wager:
        return ()
    box = book.boxes[event.seat]
    box.stakes[event.wager] = event.stake
    return (f"rack:{box.player}", -event.stake), ("layout", event.stake)


@posting_rule(ev.ProgressiveLocked)
def _locked(book: Book, event: ev.ProgressiveLocked) -> Legs:
    if not book.counts_chips:  # otherwise `ProgressiveCollected` moves the chips
        yield from _collect(book)
    yield from contribution_legs(book, event.contributions)


@posting_rule(progressive.ProgressiveCollected)
def _collected(book: Book, event: progressive.ProgressiveCollected) -> Legs:
    for box in book.boxes.values():
        box.collected |= {"progressive"} & box.stakes.keys()
    yield "layout", -event.amount
    yield "tray", event.amount


def _collect(book: Book) -> Legs:
    for box in book.boxes.values():
        stake = box.stakes.get("progressive", 0)
        if stake:
            box.collected.add("progressive")
            yield "layout", -stake
            yield "tray", stake


@posting_rule(ev.WagersCollected)
def _folded(book: Book, event: ev.WagersCollected) -> Legs:
    amount = sum(event.wagers.values())
    book.boxes[event.seat].collected |= event.wagers.keys()
    return ("layout", -amount), ("tray", amount)


@posting_rule(ev.WagerSettled)
def _settled(book: Book, event: ev.WagerSettled) -> Legs:
    box = book.boxes[event.seat]
    staked = box.stakes.pop(event.wager, None)
    if staked != event.stake:
        raise Unbalanced(f"seat {event.seat} has {staked} on {event.wager}, not {event.stake}")
    returned = event.returned
    paid = (f"rack:{box.player}", returned)
    if event.wager in box.collected:
        return ("tray", -returned), paid
    return ("layout", -event.stake), ("tray", event.stake - returned), paid


@posting_rule(ev.EnvyPaid)
def _envy(book: Book, event: ev.EnvyPaid) -> Legs:
    yield "tray", -event.paid
    yield f"rack:{book.boxes[event.seat].player}", event.paid


@posting_rule(ev.RoundClosed)
def _round_closed(book: Book, event: ev.RoundClosed) -> Legs:
    if balance := book.balance("layout"):
        raise Unbalanced(f"{balance} cents are on the layout after every wager was settled")
    return ()


# Meters


def meter_account(meter: str) -> str:
    """Return the account of a meter or pool."""
    return meter if meter.startswith(POOLS) else f"meter:{meter}"


def meter_of_pool(name: str) -> str:
    """Return the meter that a pool belongs to; a meter's name is returned unchanged."""
    return name.partition(":")[2] if name.startswith(POOLS) else name


def contribution_legs(book: Book, amounts: Mapping[str, MeterText]) -> Legs:
    """Return the legs of contributions to meters and pools."""
    if not book.linked:
        for meter, text in amounts.items():
            amount = _exact(text)
            yield f"fed:{meter_of_pool(meter)}", -amount
            yield meter_account(meter), amount


def funding_legs(meters: Mapping[str, MeterText]) -> Legs:
    """Return the legs of the opening amounts of meters and pools."""
    for meter, text in meters.items():
        amount = _exact(text)
        yield f"funded:{meter_of_pool(meter)}", -amount
        yield meter_account(meter), amount


@posting_rule(ev.PlayerSatOut)
def _sat_out(book: Book, event: ev.PlayerSatOut) -> Legs:
    return contribution_legs(book, event.contributions)


@posting_rule(ev.MeterPaid)
def _meter_paid(book: Book, event: ev.MeterPaid) -> Legs:
    return () if book.linked else award_legs(book, event)


def award_legs(book: Book, event: Any) -> Legs:
    """Return the legs of a meter award and of the seed that resets the meter."""
    meter, refill = event.meter, _exact(event.refill)
    yield f"meter:{meter}", -event.paid
    yield f"won:{meter}", event.paid
    if refill:
        yield f"funded:{meter}", -refill
        yield f"meter:{meter}", refill
    check_meter_balance(book, meter, event.after)


def check_meter_balance(book: Book, meter: str, after: MeterText) -> None:
    """Raise Unbalanced if the balance of a meter is not what the event states."""
    if book.balance(meter_account(meter)) != _exact(after):
        balance = meter_text(Fraction(book.balance(meter_account(meter))))
        raise Unbalanced(f"meter {meter} has a balance of {balance}, but the event says {after}")


@posting_rule(PoolUsed)
def _pool_used(book: Book, event: PoolUsed) -> Legs:
    return () if book.linked else pool_legs(book, event)


def pool_legs(book: Book, event: Any) -> Legs:
    """Return the legs of a pool: the reserve repays the seed, the overflow goes to the meter."""
    amount = _exact(event.amount)
    yield f"{event.pool}:{event.meter}", -amount
    yield ("funded:" if event.pool == "reserve" else "meter:") + event.meter, amount
    check_meter_balance(book, event.meter, event.after)
    check_meter_balance(book, f"{event.pool}:{event.meter}", event.left)


@posting_rule(ev.RoundVoided)
def _voided(book: Book, event: ev.RoundVoided) -> Legs:
    if not book.linked:
        for meter, text in event.meters.items():
            back = book.balance(meter_account(meter)) - _exact(text)
            if back:
                yield meter_account(meter), -back
                yield f"fed:{meter_of_pool(meter)}", back


@posting_rule(house_binding.TableBound)
def _bound(book: Book, event: house_binding.TableBound) -> Legs:
    book.counts_chips = event.service == "attended"
    book.linked = bool(event.group)
    if not book.linked:
        new = dict(event.meters)
        for meter in book.meters():
            new.pop(meter, None)  # another House does not fund a meter again
        yield from funding_legs(new)


@posting_rule(corrections.MeterAdjusted)
def _adjusted(book: Book, event: corrections.MeterAdjusted) -> Legs:
    amount = _exact(event.amount)
    yield f"adjusted:{meter_of_pool(event.meter)}", -amount
    yield meter_account(event.meter), amount
    check_meter_balance(book, event.meter, event.after)


@posting_rule(corrections.CorrectionMade)
def _corrected(book: Book, event: corrections.CorrectionMade) -> Legs:
    yield event.source, -event.amount
    yield event.target, event.amount

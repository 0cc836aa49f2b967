"""The stakes a player means to put down: read from words, shown with their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from croupier.errors import BadInput
from croupier.games import Game, House, Wager
from croupier.money import Cents
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.terminal.bot_players_people import YOU
from croupier.terminal.io.input_parser import beginnings, parse_amount, pick
from croupier.terminal.io.styled_text import Line, chips, cite, clip, line
from croupier.terminal.render.rules_pages import limit_of

Stakes: TypeAlias = dict[str, Cents]

_NO_LIMIT = 5_00  # where a House states no limits, a red chip is the smallest bet


def least(house: House, wager: Wager) -> Cents:
    """The smallest stake of a wager."""
    if wager.role == "progressive" and house.progressive is not None:
        return house.progressive.stake
    limits = house.limits.get(wager.name)
    return limits.minimum if limits else _NO_LIMIT


def smallest(house: House) -> Stakes:
    """The compulsory wagers at the table's minimum, or at the next dollar that it accepts."""
    minimum = least(house, house.game.ante)
    for more in range(10):
        stakes = with_ante(house.game, {}, minimum + 100 * more)
        if accepted(house, stakes):
            return stakes
    return with_ante(house.game, {}, minimum)


def accepted(house: House, stakes: Stakes) -> bool:
    """Whether a box of these stakes would be taken here."""
    return Table(house).allows(cmd.PlaceWagers(1, stakes), YOU)


def with_ante(game: Game, stakes: Stakes, cents: Cents) -> Stakes:
    """The stakes with another ante, and with what must equal it."""
    tied = [wager.name for wager in game.wagers if wager.role in ("ante", "matching")]
    return ordered(game, stakes | dict.fromkeys(tied, cents))


def ordered(game: Game, stakes: Stakes) -> Stakes:
    """The stakes in the order of the felt, empty spots left out."""
    return {wager.name: stakes[wager.name] for wager in game.wagers if stakes.get(wager.name)}


def edit(house: House, stakes: Stakes, answer: str) -> Stakes:
    """The stakes after "25", "trips 5, progressive off" and the like; the table checks them."""
    changed = dict(stakes)
    for part in _parts(answer):
        changed = _edit_one(house, changed, part)
    ante = house.game.ante
    if not changed.get(ante.name):
        raise BadInput(f"the {ante.title} opens the box; q leaves the table without a bet")
    return ordered(house.game, changed)


def _parts(answer: str) -> list[str]:
    # A comma before three digits groups an amount, any other one separates two changes.
    parts: list[str] = []
    for part in answer.split(","):
        if parts and part[:3].isdigit() and parts[-1][-1:].isdigit():
            parts[-1] += part
        else:
            parts.append(part)
    return [part.strip() for part in parts if part.strip()]


def _edit_one(house: House, stakes: Stakes, part: str) -> Stakes:
    game = house.game
    if part in ("min", "minimum"):
        return smallest(house)
    amount = parse_amount(part)
    if amount is not None:
        return with_ante(game, stakes, amount)
    *name, last = part.split()
    amount = parse_amount(last) if name else None
    if name and last in ("+", "-"):
        return _step(house, stakes, find_wager(game, " ".join(name)), 1 if last == "+" else -1)
    if name and (amount is not None or last in ("on", "off")):
        wager = find_wager(game, " ".join(name))
    else:
        wager = find_wager(game, part)
        last = "off" if stakes.get(wager.name) else "on"
    if amount is None:
        amount = least(house, wager) if last == "on" else 0
    return (
        with_ante(game, stakes, amount) if wager.role == "ante" else stakes | {wager.name: amount}
    )


def _step(house: House, stakes: Stakes, wager: Wager, by: int) -> Stakes:
    """One smallest stake more or less, within the limits; an optional wager goes off below it."""
    unit = least(house, wager)
    limits = house.limits.get(wager.name)
    most = limits.maximum if limits else None
    if wager.role == "progressive":
        most = unit
    amount = stakes.get(wager.name, 0) + by * unit
    amount = amount if most is None else min(amount, most)
    if wager.role == "ante":
        return with_ante(house.game, stakes, max(amount, unit))
    return stakes | {wager.name: max(0, amount)}


def find_wager(game: Game, text: str) -> Wager:
    """A wager by the beginning of a word of its name."""
    aliases = {wager.name: beginnings(wager.name, wager.title) for wager in game.wagers}
    name = pick(text, aliases)
    wager = game.wager(name) if name else None
    if wager is None:
        raise BadInput(
            f"{clip(text, 30)!r} is not understood; type an amount for the {game.ante.title}, "
            f"or a wager and an amount, on or off"
        )
    return wager


def changeable(house: House) -> list[Wager]:
    """The wagers that a player may set before the deal, in the order of the slip."""
    roles = ("ante", "optional", "progressive")
    return [w for w in house.game.wagers if w.role in roles and house.offers(w.name)]


def spots(house: House, first: int) -> dict[str, int]:
    """The wagers that may be changed, as they are typed, with the row of each on the slip."""
    shown = [w for w in house.game.wagers if w.role != "decision" and house.offers(w.name)]
    may = changeable(house)
    rows = enumerate(shown, first)
    return {wager.name.replace("_", " "): row for row, wager in rows if wager in may}


def follow_ups(game: Game) -> tuple[int, int]:
    """What playing on costs at the least, and the highest single bet, both in antes."""
    stay = most = 0
    for street in game.streets:
        bets = [option.times for option in street.options if option.wager]
        most = max(most, *bets)
        if not street.option("check"):
            stay += min(bets)
    return stay, most


def slip_lines(house: House, stakes: Stakes) -> Iterator[Line]:
    """The spots one below the other: stake, limits, clause."""
    for wager in house.game.wagers:
        if wager.role == "decision" or not house.offers(wager.name):
            continue
        stake = stakes.get(wager.name, 0)
        mark, style = ("●", "chips") if stake else ("○", "empty")
        yield line(
            (f"  {mark} {wager.title:<16}", style),
            (f"{chips(stake) if stake else 'off':>9}", style),
            f"   {limit_of(house, wager):<20}",
            cite(wager.clause),
        )


def in_one_line(house: House, stakes: Stakes) -> str:
    """ "Ante $10, Blind $10, Trips $5"."""
    titles = {wager.name: wager.title for wager in house.game.wagers}
    return ", ".join(f"{titles[name]} {chips(stake)}" for name, stake in stakes.items())

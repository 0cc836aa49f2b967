"""The bet slip: stakes before the deal, edited by typed words and shown with their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from croupier.errors import BadInput
from croupier.games import Game, House, Wager
from croupier.money import Cents, chip_amount
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.terminal.io.input_parser import match_alias, name_aliases, parse_amount
from croupier.terminal.io.styled_text import Line, cite, clip, line
from croupier.terminal.render.rules_pages import limit_text

Stakes: TypeAlias = dict[str, Cents]

_DEFAULT_MINIMUM = 5_00  # one red chip, if the House states no limits
_PLAYER = Account("player", "player")


def minimum_stake(house: House, wager: Wager) -> Cents:
    """The minimum stake of a wager."""
    if wager.role == "progressive" and house.progressive is not None:
        return house.progressive.stake
    limits = house.limits.get(wager.name)
    return limits.minimum if limits else _DEFAULT_MINIMUM


def minimum_stakes(house: House) -> Stakes:
    """The required wagers at the table minimum, or at the next dollar amount it accepts."""
    minimum = minimum_stake(house, house.game.ante)
    for more in range(10):
        stakes = with_ante(house.game, {}, minimum + 100 * more)
        if is_accepted(house, stakes):
            return stakes
    return with_ante(house.game, {}, minimum)


def is_accepted(house: House, stakes: Stakes) -> bool:
    """Whether the table accepts these stakes."""
    return Table(house).allows(cmd.PlaceWagers(1, stakes), _PLAYER)


def with_ante(game: Game, stakes: Stakes, cents: Cents) -> Stakes:
    """The stakes with another ante; wagers that must equal it change too."""
    equal = [wager.name for wager in game.wagers if wager.role in ("ante", "matching")]
    return in_felt_order(game, stakes | dict.fromkeys(equal, cents))


def in_felt_order(game: Game, stakes: Stakes) -> Stakes:
    """The stakes in the order of the felt, without empty spots."""
    return {wager.name: stakes[wager.name] for wager in game.wagers if stakes.get(wager.name)}


def edit_stakes(house: House, stakes: Stakes, answer: str) -> Stakes:
    """Apply typed changes such as "25" or "trips 5, progressive off"; limits are not checked."""
    changed = dict(stakes)
    for part in _split_changes(answer):
        changed = _apply_change(house, changed, part)
    ante = house.game.ante
    if not changed.get(ante.name):
        raise BadInput(f"the {ante.title} is required; type q to leave the table without a bet")
    return in_felt_order(house.game, changed)


def _split_changes(answer: str) -> list[str]:
    # A comma before three digits is a thousands separator; other commas separate changes.
    parts: list[str] = []
    for part in answer.split(","):
        if parts and part[:3].isdigit() and parts[-1][-1:].isdigit():
            parts[-1] += part
        else:
            parts.append(part)
    return [part.strip() for part in parts if part.strip()]


def _apply_change(house: House, stakes: Stakes, part: str) -> Stakes:
    game = house.game
    if part in ("min", "minimum"):
        return minimum_stakes(house)
    amount = parse_amount(part)
    if amount is not None:
        return with_ante(game, stakes, amount)
    *name, last = part.split()
    amount = parse_amount(last) if name else None
    if name and last in ("+", "-"):
        return _change_by_unit(
            house, stakes, find_wager(game, " ".join(name)), 1 if last == "+" else -1
        )
    if name and (amount is not None or last in ("on", "off")):
        wager = find_wager(game, " ".join(name))
    else:
        wager = find_wager(game, part)
        last = "off" if stakes.get(wager.name) else "on"
    if amount is None:
        amount = minimum_stake(house, wager) if last == "on" else 0
    return (
        with_ante(game, stakes, amount) if wager.role == "ante" else stakes | {wager.name: amount}
    )


def _change_by_unit(house: House, stakes: Stakes, wager: Wager, by: int) -> Stakes:
    """Raise or lower a stake by its minimum, within the limits; an optional wager can go to 0."""
    unit = minimum_stake(house, wager)
    limits = house.limits.get(wager.name)
    maximum = limits.maximum if limits else None
    if wager.role == "progressive":
        maximum = unit
    amount = stakes.get(wager.name, 0) + by * unit
    amount = amount if maximum is None else min(amount, maximum)
    if wager.role == "ante":
        return with_ante(house.game, stakes, max(amount, unit))
    return stakes | {wager.name: max(0, amount)}


def find_wager(game: Game, text: str) -> Wager:
    """A wager by the start of a word of its name."""
    aliases = {wager.name: name_aliases(wager.name, wager.title) for wager in game.wagers}
    name = match_alias(text, aliases)
    wager = game.wager(name) if name else None
    if wager is None:
        raise BadInput(
            f"{clip(text, 30)!r} is not a bet; type an amount for the {game.ante.title}, "
            f"or a wager with an amount, on or off"
        )
    return wager


def changeable_wagers(house: House) -> list[Wager]:
    """The wagers a player can change before the deal, in the order of the slip."""
    roles = ("ante", "optional", "progressive")
    return [w for w in house.game.wagers if w.role in roles and house.offers(w.name)]


def slip_rows(house: House, first: int) -> dict[str, int]:
    """The wagers a player can change, as they are typed, with their rows on the slip."""
    shown = [w for w in house.game.wagers if w.role != "decision" and house.offers(w.name)]
    changeable = changeable_wagers(house)
    rows = enumerate(shown, first)
    return {wager.name.replace("_", " "): row for row, wager in rows if wager in changeable}


def follow_up_costs(game: Game) -> tuple[int, int]:
    """The minimum cost of staying in the hand, and the highest single bet, both in antes."""
    stay = highest = 0
    for street in game.streets:
        bets = [option.times for option in street.options if option.wager]
        highest = max(highest, *bets)
        if not street.option("check"):
            stay += min(bets)
    return stay, highest


def slip_lines(house: House, stakes: Stakes) -> Iterator[Line]:
    """The betting spots, one per line: stake, limits, clause."""
    for wager in house.game.wagers:
        if wager.role == "decision" or not house.offers(wager.name):
            continue
        stake = stakes.get(wager.name, 0)
        mark, style = ("●", "chips") if stake else ("○", "empty")
        yield line(
            (f"  {mark} {wager.title:<16}", style),
            (f"{chip_amount(stake) if stake else 'off':>9}", style),
            f"   {limit_text(house, wager):<20}",
            cite(wager.clause),
        )


def stakes_line(house: House, stakes: Stakes) -> str:
    """ "Ante $10, Blind $10, Trips $5"."""
    titles = {wager.name: wager.title for wager in house.game.wagers}
    return ", ".join(f"{titles[name]} {chip_amount(stake)}" for name, stake in stakes.items())

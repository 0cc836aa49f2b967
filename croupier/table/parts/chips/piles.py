"""Counts of chips: by denomination, or as a sum where the submission names no chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Refusal
from croupier.games import Chip
from croupier.money import Cents, dollars
from croupier.table.core.fields import ChipsField, normalize_pile, pile_value
from croupier.table.parts.chips.messages import ExchangeChips, Pile

if TYPE_CHECKING:
    from croupier.table.table import Table


class Told(msgspec.Struct, frozen=True):
    """What somebody counted: the sum, and the pieces where they were told."""

    chips: Cents
    pile: Pile


def told(table: Table, given: Cents | Pile, law: str) -> Told:
    """A count as it stands on a slip; refused if no such chips exist."""
    if isinstance(given, int):
        if table.house.choices.chip_set is not None:
            known = ", ".join(f"{dollars(chip.cents)} {chip.colour}" for chip in table.house.chips)
            raise Refusal(f"chips are counted by denomination ({known}), got a sum", law)
        if given < 0:
            raise Refusal(f"{given} is no amount of chips", law)
        return Told(given, {})
    existing = {str(chip.cents) for chip in table.house.chips}
    for cents, pieces in given.items():
        if cents not in existing or pieces < 0:
            listed = ", ".join(str(chip.cents) for chip in table.house.chips)
            raise Refusal(f"{pieces} chips of {cents!r} cents; expected {listed}", law)
    return Told(pile_value(given), normalize_pile(given))


def fewest(table: Table, cents: Cents) -> Cents | Pile:
    """So much as honest people count it: the sum, or where chips were submitted the fewest."""
    if table.house.choices.chip_set is None:
        return cents
    return fewest_of(table.house.chips, cents)


def fewest_of(chips: Sequence[Chip], cents: Cents) -> Pile:
    """The fewest of these chips, the lowest listed first, that are worth so much or just more."""
    found: Pile = {}
    for chip in reversed(chips):
        found[str(chip.cents)], cents = divmod(cents, chip.cents)
    if cents:  # less than the lowest chip is left: one more of them
        found[str(chips[0].cents)] += 1
    return normalize_pile(found)


def count_form(table: Table, least: Cents) -> ChipsField:
    """What a counter fills in: pieces of each denomination, never proposed."""
    return ChipsField(
        kinds=table.house.chips, least=least, sums=table.house.choices.chip_set is None
    )


class Exchange(msgspec.Struct, frozen=True, tag_field="form", tag="exchange"):
    """Chips for others of the same worth, out of what lies before a player."""

    seat: int
    denominations: tuple[Cents, ...]
    most: Cents

    def admits(self, command: ExchangeChips) -> bool:
        """Whether an exchange fits."""
        piles = (command.given, command.taken)
        if command.seat != self.seat or not all(self._known(pile) for pile in piles):
            return False
        given, taken = (normalize_pile(pile) for pile in piles)
        return given != taken and 0 < pile_value(given) == pile_value(taken) <= self.most

    def _known(self, pile: Pile) -> bool:
        known = {str(cents) for cents in self.denominations}
        return known.issuperset(pile) and all(pieces >= 0 for pieces in pile.values())

    def example(self) -> ExchangeChips:
        """The lowest chips for one of the next denomination."""
        lowest, higher = self.denominations[:2]
        return ExchangeChips(self.seat, {str(lowest): higher // lowest}, {str(higher): 1})

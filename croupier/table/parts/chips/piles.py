"""Chip counts: by denomination, or as a sum if the submission has no chip set."""

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


class CountedChips(msgspec.Struct, frozen=True):
    """A counted amount of chips; `pile` is empty if only the sum was counted."""

    chips: Cents
    pile: Pile


def parse_count(table: Table, count: Cents | Pile, law: str) -> CountedChips:
    """Check a count against the chip set of the table; refused under `law`."""
    if isinstance(count, int):
        if table.house.choices.chip_set is not None:
            chips = ", ".join(f"{dollars(chip.cents)} {chip.colour}" for chip in table.house.chips)
            raise Refusal(f"count the chips by denomination ({chips}), got a sum", law)
        if count < 0:
            raise Refusal(f"a chip count cannot be negative, got {count}", law)
        return CountedChips(count, {})
    denominations = {str(chip.cents) for chip in table.house.chips}
    for cents, pieces in count.items():
        if cents not in denominations or pieces < 0:
            expected = ", ".join(str(chip.cents) for chip in table.house.chips)
            raise Refusal(f"{pieces} chips of {cents!r} cents; expected {expected}", law)
    return CountedChips(pile_value(count), normalize_pile(count))


def count_worth(table: Table, cents: Cents) -> Cents | Pile:
    """A count of this amount: the fewest chips, or the sum if the table has no chip set."""
    if table.house.choices.chip_set is None:
        return cents
    return fewest_chips(table.house.chips, cents)


def fewest_chips(chips: Sequence[Chip], cents: Cents) -> Pile:
    """The fewest chips worth at least `cents`; `chips` lists the lowest denomination first."""
    pile: Pile = {}
    for chip in reversed(chips):
        pile[str(chip.cents)], cents = divmod(cents, chip.cents)
    if cents:  # a remainder below the lowest denomination takes one more chip
        pile[str(chips[0].cents)] += 1
    return normalize_pile(pile)


def count_field(table: Table, least: Cents) -> ChipsField:
    """The field for a blind count: chips by denomination, without a default."""
    return ChipsField(
        kinds=table.house.chips, least=least, sums=table.house.choices.chip_set is None
    )


class ExchangeField(msgspec.Struct, frozen=True, tag_field="form", tag="exchange"):
    """Field of a chip exchange of equal value, up to the player's rack."""

    seat: int
    denominations: tuple[Cents, ...]
    most: Cents

    def admits(self, command: ExchangeChips) -> bool:
        """Whether the exchange is allowed."""
        piles = (command.given, command.taken)
        if command.seat != self.seat or not all(self._known(pile) for pile in piles):
            return False
        given, taken = (normalize_pile(pile) for pile in piles)
        return given != taken and 0 < pile_value(given) == pile_value(taken) <= self.most

    def _known(self, pile: Pile) -> bool:
        known = {str(cents) for cents in self.denominations}
        return known.issuperset(pile) and all(pieces >= 0 for pieces in pile.values())

    def example(self) -> ExchangeChips:
        """Chips of the lowest denomination for one of the next."""
        lowest, higher = self.denominations[:2]
        return ExchangeChips(self.seat, {str(lowest): higher // lowest}, {str(higher): 1})

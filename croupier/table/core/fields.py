"""What may be filled in where a step leaves something open: explicit values, ranges, cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from croupier.cards import NAMES, UNSEEN
from croupier.games import Chip
from croupier.money import Cents

WHOLE = "*"  # the key of a form for a command whose fields depend on each other


class FieldType(Protocol):
    """A set of admissible values that can show one of them."""

    def admits(self, value: Any) -> bool:
        """Whether a command may carry this value."""

    def example(self) -> Any:
        """One admissible value."""


class OneOfField(msgspec.Struct, frozen=True, tag_field="form", tag="one_of"):
    """One of these values."""

    values: tuple[Any, ...]

    def admits(self, value: Any) -> bool:
        """Equal to one of them, and of its type: True is not 1 here."""
        return any(value == known and type(value) is type(known) for known in self.values)

    def example(self) -> Any:
        """The first."""
        return self.values[0]


class Amount(msgspec.Struct, frozen=True, tag_field="form", tag="amount"):
    """A multiple of `unit` from `least` to `most`; no `most` is no limit."""

    least: int
    most: int | None = None
    unit: int = 1

    def admits(self, value: Any) -> bool:
        """An int within the bounds."""
        within = type(value) is int and value >= self.least and value % self.unit == 0
        return within and (self.most is None or value <= self.most)

    def example(self) -> int:
        """The least."""
        return -(-self.least // self.unit) * self.unit


class TextField(msgspec.Struct, frozen=True, tag_field="form", tag="text"):
    """Some words; not one of those taken."""

    suggestion: str
    taken: tuple[str, ...] = ()
    may_be_empty: bool = False

    def admits(self, value: Any) -> bool:
        """A text that says something."""
        if type(value) is not str or value in self.taken:
            return False
        return self.may_be_empty or bool(value.strip())

    def example(self) -> str:
        """The suggestion, numbered until it is free."""
        number, name = 2, self.suggestion
        while name in self.taken:
            number, name = number + 1, f"{self.suggestion} {number}"
        return name


class CountField(msgspec.Struct, frozen=True, tag_field="form", tag="count"):
    """What somebody has to count: a whole number that is never filled in for them."""

    least: int
    most: int | None = None

    def admits(self, value: Any) -> bool:
        """An int within the bounds."""
        within = type(value) is int and value >= self.least
        return within and (self.most is None or value <= self.most)

    def example(self) -> int:
        """A count that says nothing about the right one."""
        return self.least


class Counts(msgspec.Struct, frozen=True, tag_field="form", tag="counts"):
    """What somebody has to count at every place; `known` was counted before.

    `whole` says that they come to the total. Otherwise they do not, or nothing was counted.
    """

    places: tuple[str, ...]
    total: int
    whole: bool
    known: dict[str, int] = {}

    def admits(self, value: Any) -> bool:
        """A number for every place and for nothing else."""
        if type(value) is not dict:
            return False
        if not value:
            return not self.whole
        if set(value) != set(self.places):
            return False
        if any(type(count) is not int or count < 0 for count in value.values()):
            return False
        agrees = all(value[place] == count for place, count in self.known.items())
        return agrees and (sum(value.values()) == self.total) == self.whole

    def example(self) -> dict[str, int]:
        """Nothing counted: nobody fills that in for them."""
        return {}


class ChipsField(msgspec.Struct, frozen=True, kw_only=True, tag_field="form", tag="chips"):
    """Chips that somebody has to count, pieces by denomination: never filled in for them.

    The count is worth `least` or more. Where no set of chips was submitted a sum will do.
    """

    kinds: tuple[Chip, ...]
    least: Cents
    sums: bool

    def admits(self, value: Any) -> bool:
        """Pieces of these chips, or a sum where that will do."""
        if type(value) is int:
            return self.sums and value >= self.least
        known = {str(chip.cents) for chip in self.kinds}
        if type(value) is not dict or not known.issuperset(value):
            return False
        if not all(type(pieces) is int and pieces >= 0 for pieces in value.values()):
            return False
        return worth(value) >= self.least

    def example(self) -> Cents | dict[str, int]:
        """A count that says nothing about the right one."""
        if self.sums:
            return self.least
        return {str(self.kinds[0].cents): 1} if self.least else {}


def worth(pieces: Mapping[str, int]) -> Cents:
    """The sum of pieces by denomination."""
    return sum(int(cents) * count for cents, count in pieces.items())


def pile_of(pieces: Mapping[str, int]) -> dict[str, int]:
    """Pieces by denomination, the lowest first, without those of which there are none."""
    return {cents: pieces[cents] for cents in sorted(pieces, key=int) if pieces[cents]}


class Cards(msgspec.Struct, frozen=True, tag_field="form", tag="cards"):
    """So many cards by name, each once; `places` says where each of them goes.

    Which cards are left is not said: that would tell what lies face down.
    """

    least: int
    most: int
    places: tuple[int | str, ...]
    unseen: bool = False  # whether "??" may stand for a card that nobody has seen

    def admits(self, value: Any) -> bool:
        """A tuple of different card names."""
        if type(value) is not tuple or not self.least <= len(value) <= self.most:
            return False
        told = [card for card in value if not (self.unseen and card == UNSEEN)]
        named = all(type(card) is str and card in _NAMES for card in told)
        return named and len(set(told)) == len(told)

    def example(self) -> tuple[str, ...]:
        """None: a card is read, not proposed."""
        return ()


class OneCard(msgspec.Struct, frozen=True, tag_field="form", tag="card"):
    """One card by name."""

    def admits(self, value: Any) -> bool:
        """A card's name."""
        return type(value) is str and value in _NAMES

    def example(self) -> str:
        """None: a card is read, not proposed."""
        return ""


_NAMES = frozenset(NAMES)


class WagerTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What may be staked on one wager; `equals` names the wager it must match."""

    least: Cents
    most: Cents | None
    equals: str = ""
    needs: str = ""  # a wager that must be there too
    multiple: Cents = 1

    def admits(self, stakes: dict[str, Cents], stake: Cents) -> bool:
        """Whether a stake fits beside the others."""
        if self.equals:
            return stake == stakes.get(self.equals, 0)
        if self.needs and stake and self.needs not in stakes:
            return False
        if not stake:
            return True
        if stake < self.least or stake % self.multiple:
            return False
        return self.most is None or stake <= self.most


class Stakes(msgspec.Struct, frozen=True, kw_only=True, tag_field="form", tag="stakes"):
    """The stakes that one box may take: `lies` is what lies there, `chips` what may be added."""

    ante: str
    terms: dict[str, WagerTerms]
    lies: dict[str, Cents]
    chips: Cents
    withdraws: bool = False  # everything goes, instead of something staying

    def admits(self, value: Any) -> bool:
        """Whether a command may carry these wagers."""
        if type(value) is not dict or not set(value) <= set(self.terms):
            return False
        if any(type(stake) is not int or stake < 0 for stake in value.values()):
            return False
        stakes = {name: stake for name, stake in (self.lies | value).items() if stake}
        if self.withdraws or not stakes:
            return self.withdraws and not stakes
        if self.ante not in stakes or sum(stakes.values()) - sum(self.lies.values()) > self.chips:
            return False
        return all(terms.admits(stakes, stakes.get(name, 0)) for name, terms in self.terms.items())

    def example(self) -> dict[str, Cents]:
        """The least main wager where nothing lies yet; otherwise what lies there stays."""
        if self.withdraws:
            return dict.fromkeys(self.lies, 0)
        if self.lies:
            return {}
        terms = self.terms[self.ante]
        least = -(-terms.least // terms.multiple) * terms.multiple
        main = {name: least for name, other in self.terms.items() if other.equals == self.ante}
        return {self.ante: least, **main}

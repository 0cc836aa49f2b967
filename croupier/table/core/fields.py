"""Input field types of a step: explicit values, ranges, text, counts, chips, cards, stakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from croupier.cards import NAMES, UNSEEN
from croupier.games import Chip
from croupier.money import Cents
from croupier.table.core.roles import normalize_id

WHOLE_COMMAND = "*"  # the key of a field that stands for a command with interdependent fields


class FieldType(Protocol):
    """A set of accepted values with an example."""

    def admits(self, value: Any) -> bool:
        """Whether a command may carry this value."""

    def example(self) -> Any:
        """Return an accepted value, or a neutral one for what must be counted or read."""


class OneOfField(msgspec.Struct, frozen=True, tag_field="form", tag="one_of"):
    """One of these values."""

    values: tuple[Any, ...]

    def admits(self, value: Any) -> bool:
        """Whether the value equals one of them and has the same type (True is not 1)."""
        return any(value == known and type(value) is type(known) for known in self.values)

    def example(self) -> Any:
        """Return the first value."""
        return self.values[0]


class AmountField(msgspec.Struct, frozen=True, tag_field="form", tag="amount"):
    """A multiple of `unit` from `least` to `most`; None means no maximum."""

    least: int
    most: int | None = None
    unit: int = 1

    def admits(self, value: Any) -> bool:
        """Whether the value is an int within the bounds."""
        within = type(value) is int and value >= self.least and value % self.unit == 0
        return within and (self.most is None or value <= self.most)

    def example(self) -> int:
        """Return the smallest accepted amount."""
        return -(-self.least // self.unit) * self.unit


class TextField(msgspec.Struct, frozen=True, tag_field="form", tag="text"):
    """Text that is not blank unless it `may_be_empty`, and does not name anything in `taken`.

    The names in `taken` are canonical (`normalize_id`): "Red " is "red". Screens show the
    suggestion as an example next to an empty input: what goes on record is typed by a person.
    """

    suggestion: str
    taken: tuple[str, ...] = ()
    may_be_empty: bool = False

    def admits(self, value: Any) -> bool:
        """Whether the value is accepted text."""
        if type(value) is not str or normalize_id(value) in self.taken:
            return False
        return self.may_be_empty or bool(value.strip())

    def example(self) -> str:
        """Return the suggestion, numbered if it is taken; nothing where nothing is required."""
        if self.may_be_empty:
            return ""
        number, name = 2, self.suggestion
        while normalize_id(name) in self.taken:
            number, name = number + 1, f"{self.suggestion} {number}"
        return name


class CountField(msgspec.Struct, frozen=True, tag_field="form", tag="count"):
    """A count: a whole number that is never filled in in advance."""

    least: int
    most: int | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is an int within the bounds."""
        within = type(value) is int and value >= self.least
        return within and (self.most is None or value <= self.most)

    def example(self) -> int:
        """Return the minimum, which reveals nothing about the right count."""
        return self.least


class CountsField(msgspec.Struct, frozen=True, tag_field="form", tag="counts"):
    """A count for every place, never filled in in advance; `known` counts are already recorded.

    If `whole`, the counts must add up to `total`; otherwise they must not, or must be left out.
    """

    places: tuple[str, ...]
    total: int
    whole: bool
    known: dict[str, int] = {}

    def admits(self, value: Any) -> bool:
        """Whether the value has a number for every place and for nothing else."""
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
        """Return no counts: they are never filled in in advance."""
        return {}


class ChipsField(msgspec.Struct, frozen=True, kw_only=True, tag_field="form", tag="chips"):
    """A chip count by denomination, worth `least` or more, never filled in in advance.

    If `sums`, a total in cents is accepted too: no chip set was submitted.
    """

    kinds: tuple[Chip, ...]
    least: Cents
    sums: bool

    def admits(self, value: Any) -> bool:
        """Whether the value counts pieces of these chips, or is a total where one is accepted."""
        if type(value) is int:
            return self.sums and value >= self.least
        known = {str(chip.cents) for chip in self.kinds}
        if type(value) is not dict or not known.issuperset(value):
            return False
        if not all(type(pieces) is int and pieces >= 0 for pieces in value.values()):
            return False
        return pile_value(value) >= self.least

    def example(self) -> Cents | dict[str, int]:
        """Return a minimal count, which reveals nothing about the right one."""
        if self.sums:
            return self.least
        return {str(self.kinds[0].cents): 1} if self.least else {}


def pile_value(pieces: Mapping[str, int]) -> Cents:
    """Return the value of pieces by denomination."""
    return sum(int(cents) * count for cents, count in pieces.items())


def normalize_pile(pieces: Mapping[str, int]) -> dict[str, int]:
    """Return pieces sorted by denomination, lowest first, without zero counts."""
    return {cents: pieces[cents] for cents in sorted(pieces, key=int) if pieces[cents]}


class CardsField(msgspec.Struct, frozen=True, tag_field="form", tag="cards"):
    """From `least` to `most` distinct cards by name; `places` says where each card goes.

    The field does not list the remaining cards: that would reveal cards that are face down.
    """

    least: int
    most: int
    places: tuple[int | str, ...]
    unseen: bool = False  # whether "??" is accepted for a card not yet seen

    def admits(self, value: Any) -> bool:
        """Whether the value is a tuple of distinct card names."""
        if type(value) is not tuple or not self.least <= len(value) <= self.most:
            return False
        seen = [card for card in value if not (self.unseen and card == UNSEEN)]
        named = all(type(card) is str and card in _NAMES for card in seen)
        return named and len(set(seen)) == len(seen)

    def example(self) -> tuple[str, ...]:
        """Return no cards: cards are read, never proposed."""
        return ()


class CardField(msgspec.Struct, frozen=True, tag_field="form", tag="card"):
    """One card by name."""

    def admits(self, value: Any) -> bool:
        """Whether the value is the name of a card."""
        return type(value) is str and value in _NAMES

    def example(self) -> str:
        """Return no card: cards are read, never proposed."""
        return ""


_NAMES = frozenset(NAMES)


class WagerTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What may be staked on one wager; `equals` names the wager it must match."""

    least: Cents
    most: Cents | None = None
    equals: str = ""
    needs: str = ""  # a wager that must be placed too
    multiple: Cents = 1

    def admits(self, stakes: dict[str, Cents], stake: Cents) -> bool:
        """Whether a stake is allowed together with the other stakes of the box."""
        if self.equals:
            return stake == stakes.get(self.equals, 0)
        if self.needs and stake and self.needs not in stakes:
            return False
        if not stake:
            return True
        if stake < self.least or stake % self.multiple:
            return False
        return self.most is None or stake <= self.most


class StakesField(msgspec.Struct, frozen=True, kw_only=True, tag_field="form", tag="stakes"):
    """The stakes that one box may take.

    `lies` are the stakes already placed, `chips` is how much may be added.
    """

    ante: str
    terms: dict[str, WagerTerms]
    lies: dict[str, Cents]
    chips: Cents
    withdraws: bool = False  # the command takes back every stake

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
        """Return the minimum main wager for an empty box; otherwise no change."""
        if self.withdraws:
            return dict.fromkeys(self.lies, 0)
        if self.lies:
            return {}
        terms = self.terms[self.ante]
        least = -(-terms.least // terms.multiple) * terms.multiple
        main = {name: least for name, other in self.terms.items() if other.equals == self.ante}
        return {self.ante: least, **main}

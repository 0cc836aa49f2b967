"""`House`: a game with one operator's paytables, limits, meters and choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic

import msgspec
from immutabledict import immutabledict
from typing_extensions import TypeVar

from croupier.games.chips import Chip, standard_chips
from croupier.games.choices import Choices, Progressive
from croupier.games.facts import Facts, Result
from croupier.games.game import DealingMethod, Game, Slot
from croupier.games.hand_names import covered_by
from croupier.games.proposal import Proposal
from croupier.money import Cents
from croupier.rulebook import Paytable, PaytableLine, duties, envy_schedule, paytable

POOLS = "N.J.A.C. 13:69E-1.39A"  # reserve and overflow; Maryland has no such clause
Chosen = TypeVar("Chosen", bound=Choices, covariant=True, default=Choices)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The minimum and the maximum stake of a wager; None is no maximum."""

    minimum: Cents
    maximum: Cents | None


class Meter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The terms of a progressive meter.

    An amount that the submission does not state is at its minimum and listed in `unstated`. With a
    `limit`, contributions above it go to an overflow pool. With a `reserve_percent`, a further
    share of each wager goes to a reserve pool, which pays for resets.
    """

    name: str
    initial: Cents
    reset: Cents
    rate_percent: Fraction
    unstated: tuple[str, ...] = ()  # of "initial" and "reset"
    limit: Cents | None = None
    reserve_percent: Fraction | None = None

    def contribution(self, stake: Cents) -> Fraction:
        """The exact amount in cents that one wager adds."""
        return stake * self.rate_percent / 100

    @property
    def reserve(self) -> str:
        """The name of its reserve pool."""
        return f"reserve:{self.name}"

    @property
    def overflow(self) -> str:
        """The name of its overflow pool."""
        return f"overflow:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class House(Generic[Chosen]):
    """The terms a table plays under: an immutable value, built by `croupier.submission`.

    Two loads of one submission are equal. `House[UltimateChoices]` is a House whose choices are of
    that type.
    """

    game: Game
    operator: str
    dealing_method: DealingMethod
    shuffle_method: str
    decks: int
    positions: int  # seats 1 to `positions`, from the dealer's left
    max_adjacent_boxes: int
    limits: Mapping[str, Limits]
    letters: Mapping[str, str]
    choices: Chosen
    meters: Mapping[str, Meter]
    payout_limit: Cents | None
    unstated: tuple[str, ...] = ()  # fields that the submission must state and does not
    digest: str = ""
    proposal: Proposal | None = None  # unapproved terms; not for play with money
    # Derived from the fields above. `prerequisites` are wagers that a player must also make.
    offered: frozenset[str] = field(init=False, compare=False)
    prerequisites: Mapping[str, str] = field(init=False, compare=False)
    progressive: Progressive | None = field(init=False, compare=False)
    # Caches.
    _results: dict[Facts, tuple[Result, ...]] = field(
        init=False, compare=False, default_factory=dict
    )
    _citations: dict[str, tuple[str, ...]] = field(init=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        for name in ("limits", "letters", "meters"):
            set_field(self, name, immutabledict(getattr(self, name)))
        offered = frozenset(
            wager.name
            for wager in self.game.wagers
            if wager.role not in ("optional", "progressive") or wager.name in self.letters
        )
        set_field(self, "offered", offered)
        required = {w.name: w.prerequisite for w in self.game.wagers if w.prerequisite}
        set_field(self, "prerequisites", immutabledict(required))
        terms = self.choices.progressive() if "progressive" in offered else None
        set_field(self, "progressive", terms)

    def __hash__(self) -> int:
        return hash((self.digest, self.dealing_method, self.limits))

    def __repr__(self) -> str:
        return f"<House {self.operator!r} {self.game.key} {self.digest[:12]}>"

    def as_played(
        self,
        *,
        limits: Mapping[str, Limits] | None = None,
        dealing_method: DealingMethod | None = None,
    ) -> House[Chosen]:
        """This House with the current limits and dealing method of a table.

        The digest stays the same: these changes do not amend the submission.
        """
        return replace(
            self,
            limits={**self.limits, **(limits or {})},
            dealing_method=dealing_method or self.dealing_method,
        )

    @property
    def lowest_chip(self) -> Cents | None:
        """The unit of every stake and chip purchase; None if amounts are paid to the cent."""
        chip_set = self.choices.chip_set
        return chip_set[0].cents if chip_set else self.choices.lowest_chip

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The chips of the table, lowest denomination first."""
        return self.choices.chip_set or standard_chips(self.lowest_chip)

    def offers(self, wager: str) -> bool:
        """Whether this House offers a wager."""
        return wager in self.offered

    def opening_meters(self) -> dict[str, Cents]:
        """The opening amount of every meter; its pools open at zero."""
        amounts = {name: meter.initial for name, meter in self.meters.items()}
        for meter in self.meters.values():
            if meter.reserve_percent is not None:
                amounts[meter.reserve] = 0
            if meter.limit is not None:
                amounts[meter.overflow] = 0
        return amounts

    def cite(self, duty: str, *, optional: bool = False) -> tuple[str, ...]:
        """The clauses that command a duty, for this dealing method and variant.

        The document must have the duty unless it is optional.
        """
        clauses = self._citations.get(duty)
        if clauses is None:
            index = duties(self.game.document)
            method = f"{duty}.{self.dealing_method}"
            variant = f"{method}.{self.game.procedure.variant(self)}"
            clauses = index.get(variant) or index.get(method) or index.get(duty) or ()
            assert clauses or optional, f"{self.game.key} has no clause for {duty}"
            self._citations[duty] = clauses
        return clauses

    def paytable(self, wager: str) -> Paytable:
        """The paytable of an offered wager, with its proposed lines if there is a proposal."""
        letter = "fixed" if wager in self.game.fixed_paytables else self.letters[wager]
        printed = paytable(self.game.document, wager, letter)
        if self.proposal is not None and wager in self.proposal.pays:
            return self.proposal.paytable(printed)
        return printed

    def line(self, wager: str, hand: str) -> PaytableLine | None:
        """The first paytable line that covers a hand, or None."""
        lines = self.paytable(wager).lines
        return next((line for line in lines if hand in covered_by(line.hand)), None)

    def envy_paytable(self) -> Paytable | None:
        """The envy bonus schedule for the stake of the progressive, or None."""
        terms = self.progressive
        if terms is None or terms.envy is None:
            return None
        return envy_schedule(self.game.document, terms.envy.schedule, terms.stake // 100)

    def envy_line(self, hand: str) -> PaytableLine | None:
        """The line of the envy bonus schedule for another player's hand, or None."""
        schedule = self.envy_paytable()
        lines = schedule.lines if schedule else ()
        return next((line for line in lines if hand in covered_by(line.hand)), None)

    def settle(self, facts: Facts) -> tuple[Result, ...]:
        """The results of `Game.settle`, cached."""
        results = self._results.get(facts)
        if results is None:
            results = self._results[facts] = tuple(self.game.settle(facts, self))
        return results

    def deal(self, seats: tuple[int, ...]) -> tuple[tuple[Slot, ...], ...]:
        """The places of `Game.deal` for these seats."""
        return self.game.deal(self, seats)

    def outlives_fold(self, wager: str) -> bool:
        """Whether a wager stays live when its box folds (A17, A52)."""
        definition = self.game.wager(wager)
        return (
            definition is not None
            and definition.role in ("optional", "progressive")
            and definition.outlives_fold(self)
        )

    def tabulate(self) -> dict[Facts, tuple[Result, ...]]:
        """The results of all facts that can occur: the complete settlement of this House."""
        return {facts: self.settle(facts) for facts in self.every_facts()}

    def every_facts(self) -> Iterator[Facts]:
        """All facts that can occur for the offered wagers."""
        return self.game.every_facts(self)

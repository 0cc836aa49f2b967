"""A House: a game with one operator's paytables, limits, offered wagers, meters and readings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic

import msgspec
from immutabledict import immutabledict
from typing_extensions import TypeVar

from croupier.games.chips import Chip, usual_chips
from croupier.games.choices import Choices, Progressive
from croupier.games.facts import Facts, Result
from croupier.games.game import DealingMethod, Game, Slot
from croupier.games.hand_names import covered_by
from croupier.games.proposal import Proposal
from croupier.money import Cents
from croupier.rulebook import Paytable, PaytableLine, duties, envy_schedule, paytable

POOLS = "N.J.A.C. 13:69E-1.39A"  # reserve and overflow; Maryland has no text of its own
Chosen = TypeVar("Chosen", bound=Choices, covariant=True, default=Choices)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the most that may be staked on a wager; no maximum is None."""

    minimum: Cents
    maximum: Cents | None


class Meter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A progressive meter as submitted: where it starts, where it resets, what share feeds it.

    An amount that the submission does not state stands at its minimum and is outstanding.
    With a limit, what comes in above it goes to an overflow; with a reserve rate, a further share
    of each wager goes to a reserve that resets are paid from.
    """

    name: str
    initial: Cents
    reset: Cents
    rate_percent: Fraction
    unstated: tuple[str, ...] = ()  # of "initial" and "reset"
    limit: Cents | None = None
    reserve_percent: Fraction | None = None

    def contribution(self, stake: Cents) -> Fraction:
        """The exact cents that one wager adds."""
        return stake * self.rate_percent / 100

    @property
    def reserve(self) -> str:
        """The name of its reserve."""
        return f"reserve:{self.name}"

    @property
    def overflow(self) -> str:
        """The name of its overflow."""
        return f"overflow:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class House(Generic[Chosen]):
    """What a table plays under: a value, made by `croupier.submission` and never changed.

    Two loads of one submission are equal. `House[UltimateChoices]` is a House whose choices are
    of that type.
    """

    game: Game
    operator: str
    dealing_method: DealingMethod
    shuffle_method: str
    decks: int
    max_adjacent_boxes: int
    limits: Mapping[str, Limits]
    letters: Mapping[str, str]
    choices: Chosen
    meters: Mapping[str, Meter]
    payout_limit: Cents | None
    digest: str = ""
    proposal: Proposal | None = None  # what no document prints; then nobody plays for money
    # What follows from the fields above; a prerequisite must lie beside the wager it is for.
    offered: frozenset[str] = field(init=False, compare=False)
    prerequisites: Mapping[str, str] = field(init=False, compare=False)
    progressive: Progressive | None = field(init=False, compare=False)
    # Answers given before, so that a table asks a rule once.
    _results: dict[Facts, tuple[Result, ...]] = field(
        init=False, compare=False, default_factory=dict
    )
    _lines: dict[tuple[str, str], PaytableLine | None] = field(
        init=False, compare=False, default_factory=dict
    )
    _deals: dict[tuple[int, ...], tuple[tuple[Slot, ...], ...]] = field(
        init=False, compare=False, default_factory=dict
    )
    _cited: dict[str, tuple[str, ...]] = field(init=False, compare=False, default_factory=dict)
    # The same of several duties at once, by what they follow from.
    _once: dict[tuple[Hashable, ...], tuple[str, ...]] = field(
        init=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        keep = object.__setattr__  # the only moment at which anything is set
        for name in ("limits", "letters", "meters"):
            keep(self, name, immutabledict(getattr(self, name)))
        offered = frozenset(
            wager.name
            for wager in self.game.wagers
            if wager.role not in ("optional", "progressive") or wager.name in self.letters
        )
        keep(self, "offered", offered)
        needs = {w.name: other for w in self.game.wagers if (other := w.needs(self))}
        keep(self, "prerequisites", immutabledict(needs))
        terms = self.choices.progressive() if "progressive" in offered else None
        keep(self, "progressive", terms)

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
        """The same House with the limits and the dealing method of the moment.

        The digest stays: limits and a fallback method are no amendment of the submission.
        """
        return replace(
            self,
            limits={**self.limits, **(limits or {})},
            dealing_method=dealing_method or self.dealing_method,
        )

    @property
    def lowest_chip(self) -> Cents | None:
        """What every stake and every purchase is a multiple of; None where cents are paid."""
        stated = self.choices.chip_set
        return stated[0].cents if stated else self.choices.lowest_chip

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The chips of the table by denomination, the lowest first."""
        return self.choices.chip_set or usual_chips(self.lowest_chip)

    def offers(self, wager: str) -> bool:
        """Whether a player may make this wager here."""
        return wager in self.offered

    def opening_meters(self) -> dict[str, Cents]:
        """What every meter begins with; the pools beside it begin with nothing."""
        found = {name: meter.initial for name, meter in self.meters.items()}
        for meter in self.meters.values():
            if meter.reserve_percent is not None:
                found[meter.reserve] = 0
            if meter.limit is not None:
                found[meter.overflow] = 0
        return found

    def cite(self, duty: str, *, optional: bool = False) -> tuple[str, ...]:
        """The clauses that command a duty, by dealing method and variant where they differ.

        An optional duty that the document does not have cites nothing.
        """
        found = self._cited.get(duty)
        if found is None:
            index = duties(self.game.document)
            method = f"{duty}.{self.dealing_method}"
            variant = f"{method}.{self.game.procedure.variant(self)}"
            found = index.get(variant) or index.get(method) or index.get(duty) or ()
            assert found or optional, f"{self.game.key} has no clause for {duty}"
            self._cited[duty] = found
        return found

    def cite_once(
        self, moment: tuple[Hashable, ...], cite: Callable[[], tuple[str, ...]]
    ) -> tuple[str, ...]:
        """The clauses that follow from a moment of a round, put together the first time."""
        found = self._once.get(moment)
        if found is None:
            found = self._once[moment] = cite()
        return found

    def paytable(self, wager: str) -> Paytable:
        """The posted paytable of an offered wager."""
        letter = "fixed" if wager in self.game.fixed_paytables else self.letters[wager]
        printed = paytable(self.game.document, wager, letter)
        if self.proposal is not None and wager in self.proposal.pays:
            return self.proposal.paytable(printed)
        return printed

    def line(self, wager: str, hand: str) -> PaytableLine | None:
        """The paytable line that a hand falls on, if any: the first that covers it."""
        key = (wager, hand)
        if key not in self._lines:
            lines = self.paytable(wager).lines
            self._lines[key] = next((line for line in lines if hand in covered_by(line.hand)), None)
        return self._lines[key]

    def envy_paytable(self) -> Paytable | None:
        """The posted schedule of the envy bonus, where the progressive has one for its stake."""
        terms = self.progressive
        if terms is None or terms.envy is None:
            return None
        return envy_schedule(self.game.document, terms.envy.schedule, terms.stake // 100)

    def envy_line(self, hand: str) -> PaytableLine | None:
        """What another player's hand is worth to the holder of a progressive wager."""
        schedule = self.envy_paytable()
        lines = schedule.lines if schedule else ()
        return next((line for line in lines if hand in covered_by(line.hand)), None)

    def settle(self, facts: Facts) -> tuple[Result, ...]:
        """The game's own `settle`, each set of facts asked once."""
        results = self._results.get(facts)
        if results is None:
            results = self._results[facts] = tuple(self.game.settle(facts, self))
        return results

    def deal(self, seats: tuple[int, ...]) -> tuple[tuple[Slot, ...], ...]:
        """The game's own dealing plan for these seats, one tuple of places per street."""
        plan = self._deals.get(seats)
        if plan is None:
            plan = self._deals[seats] = self.game.deal(self, seats)
        return plan

    def outlives_fold(self, wager: str) -> bool:
        """Whether a wager stays live when its box folds (A17, A52)."""
        known = self.game.wager(wager)
        return (
            known is not None
            and known.role in ("optional", "progressive")
            and known.outlives_fold(self)
        )

    def tabulate(self) -> dict[Facts, tuple[Result, ...]]:
        """Every set of facts that can occur here with its results: nothing restates a payout."""
        return {facts: self.settle(facts) for facts in self.every_facts()}

    def every_facts(self) -> Iterator[Facts]:
        """The whole, finite space of facts of the wagers offered here."""
        return self.game.every_facts(self)

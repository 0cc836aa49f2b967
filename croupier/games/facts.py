"""The narrow waist: what settlement may look at, and what it answers.

Cards become Facts, `settle(facts, house)` turns Facts into Results, and money is applied to
Results in one place (`croupier.table.payout`). Facts and Results know neither cards nor chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from croupier.games.hand_names import title
from croupier.money import PUSH, Pays

if TYPE_CHECKING:
    from croupier.games.house import House


Versus: TypeAlias = Literal["behind", "tied", "ahead"]
VERSUS: tuple[Versus, ...] = ("behind", "tied", "ahead")


def versus(player_value: int, dealer_value: int) -> Versus:
    """How a player's hand stands against the dealer's, by two values of `croupier.ranking`."""
    if player_value == dealer_value:
        return "tied"
    return "ahead" if player_value > dealer_value else "behind"


class Facts(msgspec.Struct, frozen=True):
    """The root of every game's facts: small, finite, frozen."""

    def why(self, result: Result, house: House[Any]) -> str:
        """Why a wager came to its result, in words to the player; "" where there are none."""
        return ""


class PaytableFacts(Facts, frozen=True):
    """All that a wager against a posted paytable may look at: the hand, by its finest name."""

    wager: str
    hand: str
    folded: bool = False

    def why(self, result: Result, house: House[Any]) -> str:
        """What the wager looks at, and the hand that is there."""
        wager = house.game.wager(self.wager)
        line = house.line(self.wager, self.hand)
        if self.folded and result.outcome == "lose" and line is not None:
            return "you folded"
        looks = wager.judged_on(house).words if wager and wager.judged_on else "your hand"
        return f"{looks}: {title(self.hand)}"


Group = TypeVar("Group", bound=Facts)


class FactsSpace(Generic[Group]):
    """One group of facts, each with a code: its place, from 0 without gaps.

    The order is that in which a House lists its facts (`House.every_facts`, `House.tabulate`), so
    an array by code serves kernels that count and the settlement that values alike.
    """

    def __init__(self, facts: Iterable[Group]) -> None:
        self.facts: tuple[Group, ...] = tuple(facts)
        self._codes = {one: code for code, one in enumerate(self.facts)}
        assert len(self._codes) == len(self.facts), "facts are listed once"

    @classmethod
    def of(cls, every: Iterable[Facts], kind: type[Group], wager: str = "") -> FactsSpace[Group]:
        """The group of one kind among all facts of a House; posted wagers are a group each."""
        return cls(
            one
            for one in every
            if isinstance(one, kind) and (not wager or getattr(one, "wager", "") == wager)
        )

    def code(self, facts: Group) -> int:
        """The code of facts that can occur here."""
        return self._codes[facts]

    def __getitem__(self, code: int) -> Group:
        return self.facts[code]

    def __contains__(self, facts: object) -> bool:
        return facts in self._codes

    def __iter__(self) -> Iterator[Group]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)


Outcome: TypeAlias = Literal["win", "push", "lose", "void"]


class Result(msgspec.Struct, frozen=True):
    """What becomes of the stake on one wager, and the clause that says so."""

    wager: str
    outcome: Outcome
    pays: Pays
    clause: str


Results: TypeAlias = Iterator[Result]


def wins(wager: str, pays: Pays, clause: str) -> Result:
    """The wager is paid."""
    return Result(wager, "win", pays, clause)


def pushes(wager: str, clause: str) -> Result:
    """The stake goes back."""
    return Result(wager, "push", PUSH, clause)


def loses(wager: str, clause: str) -> Result:
    """The stake is collected."""
    return Result(wager, "lose", PUSH, clause)


def settle_paytable(facts: PaytableFacts, house: House) -> Results:
    """A wager against a posted paytable wins on the line that covers the hand, or loses."""
    line = house.line(facts.wager, facts.hand)
    if line is None:
        yield loses(facts.wager, house.paytable(facts.wager).clause)
    elif line.pays.unit == "push":
        yield pushes(facts.wager, line.clause)
    else:
        yield wins(facts.wager, line.pays, line.clause)

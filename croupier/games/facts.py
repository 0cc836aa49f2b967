"""The interface between cards and money: `Facts` are the input of settlement, `Result` its output.

A game's `judge` reduces cards to Facts, its `settle` maps Facts to Results, and
`croupier.games.payout` applies Results to stakes. Facts contain no cards and Results no amounts, so
both are few enough to enumerate.
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
    """Compare the player's hand with the dealer's, both as values of `croupier.ranking`."""
    if player_value == dealer_value:
        return "tied"
    return "ahead" if player_value > dealer_value else "behind"


class Facts(msgspec.Struct, frozen=True):
    """Base class of the facts of a game: small frozen records with finitely many values."""

    def why(self, result: Result, house: House[Any]) -> str:
        """The reason for a result, for the player: "you folded"; "" if there is none."""
        return ""


class PaytableFacts(Facts, frozen=True):
    """The facts of a wager against a posted paytable: the hand by its most specific name."""

    wager: str
    hand: str
    folded: bool = False

    def why(self, result: Result, house: House[Any]) -> str:
        """The cards that decide the wager, and the hand they make."""
        wager = house.game.wager(self.wager)
        line = house.line(self.wager, self.hand)
        if self.folded and result.outcome == "lose" and line is not None:
            return "you folded"
        cards = wager.judged_on(house).words if wager and wager.judged_on else "your hand"
        return f"{cards}: {title(self.hand)}"


Group = TypeVar("Group", bound=Facts)


class FactsSpace(Generic[Group]):
    """Facts numbered from 0, so that arrays can be indexed by them.

    The order is that of `House.every_facts` and `House.tabulate`. Kernels count by code; settlement
    values the same codes.
    """

    def __init__(self, facts: Iterable[Group]) -> None:
        self.facts: tuple[Group, ...] = tuple(facts)
        self._codes = {fact: code for code, fact in enumerate(self.facts)}
        assert len(self._codes) == len(self.facts), "facts must be unique"

    @classmethod
    def of(cls, every: Iterable[Facts], kind: type[Group], wager: str = "") -> FactsSpace[Group]:
        """The facts of one class, and of one wager if given, among all facts of a House."""
        return cls(
            fact
            for fact in every
            if isinstance(fact, kind) and (not wager or getattr(fact, "wager", "") == wager)
        )

    def code(self, facts: Group) -> int:
        """The code of facts; KeyError if they are not in the space."""
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
    """The outcome of one wager, its odds if it wins, and the clause that decides."""

    wager: str
    outcome: Outcome
    pays: Pays
    clause: str


Results: TypeAlias = Iterator[Result]


def wins(wager: str, pays: Pays, clause: str) -> Result:
    """The wager wins at these odds."""
    return Result(wager, "win", pays, clause)


def pushes(wager: str, clause: str) -> Result:
    """The stake is returned."""
    return Result(wager, "push", PUSH, clause)


def loses(wager: str, clause: str) -> Result:
    """The stake is collected."""
    return Result(wager, "lose", PUSH, clause)


def settle_paytable(facts: PaytableFacts, house: House) -> Results:
    """Settle a wager against its paytable: by the line that covers the hand, or it loses."""
    line = house.line(facts.wager, facts.hand)
    if line is None:
        yield loses(facts.wager, house.paytable(facts.wager).clause)
    elif line.pays.unit == "push":
        yield pushes(facts.wager, line.clause)
    else:
        yield wins(facts.wager, line.pays, line.clause)

"""The narrow waist: what settlement may look at, and what it answers.

Cards become Facts, `settle(facts, house)` turns Facts into Results, and money is applied to
Results in one place (`croupier.table.payout`). Facts and Results know neither cards nor chips.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

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


class Posted(Facts, frozen=True):
    """All that a wager against a posted paytable may look at: the hand, by its finest name."""

    wager: str
    hand: str
    folded: bool = False


Outcome: TypeAlias = Literal["win", "push", "lose", "void"]


class Result(msgspec.Struct, frozen=True):
    """What becomes of the stake on one wager, and the clause that says so."""

    wager: str
    outcome: Outcome
    pays: Pays
    clause: str


Settled: TypeAlias = Iterator[Result]


def wins(wager: str, pays: Pays, clause: str) -> Result:
    """The wager is paid."""
    return Result(wager, "win", pays, clause)


def pushes(wager: str, clause: str) -> Result:
    """The stake goes back."""
    return Result(wager, "push", PUSH, clause)


def loses(wager: str, clause: str) -> Result:
    """The stake is collected."""
    return Result(wager, "lose", PUSH, clause)


def settle_posted(facts: Posted, house: House) -> Settled:
    """A wager against a posted paytable wins on the line that covers the hand, or loses."""
    line = house.line(facts.wager, facts.hand)
    if line is None:
        yield loses(facts.wager, house.paytable(facts.wager).clause)
    elif line.pays.unit == "push":
        yield pushes(facts.wager, line.clause)
    else:
        yield wins(facts.wager, line.pays, line.clause)

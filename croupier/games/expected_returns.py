"""Exact expected returns of every wager of a House, from precomputed values.

Five kinds of JSON files hold values that take minutes to compute but never change:

- `croupier/games/hand_counts.json`: the number of deals of each hand, by basis ("seven").
- `main_values.json` of a game: the exact value of one ante under perfect play, by setting.
- `net_distributions.json` of a game: the number of deals of each net result in antes, by setting.
- `folded_hands.json` of a game: the number of deals that perfect play folds, by setting, side
  wager and hand; needed where a fold forfeits the wager.
- `practical_costs.json` of a game: the cost of its practical strategy, by setting.

A setting is one combination of the paytables and readings that change the main game (`main_key`).
To regenerate the files, write out `croupier.analysis.hand_frequencies.recount`,
`croupier.analysis.result_cache.main_value` and `recount_net_distributions` there for every
setting (`croupier.analysis.variants`), `croupier.analysis.solvers.folded_hand_counts.recount` and
`croupier.analysis.strategies.cost.recount_practical_costs`.
The tests in `tests/analysis` recompute and compare them. This module needs no compiled code; a
setting that is not precomputed is solved by the solver of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import msgspec

from croupier.games.facts import Facts, Result
from croupier.games.game import Basis, Game, load_code
from croupier.games.hand_names import ROYAL_FLUSH, ROYALS
from croupier.games.house import House
from croupier.money import Cents
from croupier.rulebook import RuleDocument, package_folder

Counts: TypeAlias = Mapping[str, int]
MainValues: TypeAlias = dict[str, str]  # by setting, a fraction as text
NetDistributions: TypeAlias = dict[str, dict[str, int]]  # by setting, then by net result as text
FoldedHandCounts: TypeAlias = dict[str, dict[str, dict[str, int]]]  # by setting, then `fold_key`
DEFAULT_STAKE: Cents = 5_00  # of a wager that pays dollars and has no limits (A20)


class FoldedHands(NamedTuple):
    """The deals that perfect main play folds, by the hand of a side wager, out of all deals."""

    counts: Counts
    deals: int


# Precomputed files.


@cache
def load_hand_counts() -> dict[str, dict[str, int]]:
    """The number of deals of each hand, by the name of the basis."""
    text = (package_folder("croupier.games") / "hand_counts.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, int]])


@cache
def _load(document: RuleDocument, file: str, kind: type[Any]) -> Any:
    """A file of the game's package; empty if the game has none."""
    return msgspec.json.decode(document.path(file).read_bytes(), type=kind) if file else {}


def load_main_values(game: Game) -> MainValues:
    """The exact value of one ante in the main game, by setting."""
    values: MainValues = _load(game.document, game.analysis.main_values, MainValues)
    return values


def load_net_distributions(game: Game) -> NetDistributions:
    """The number of deals of each net result of the main game, by setting."""
    nets: NetDistributions = _load(game.document, game.analysis.net_distributions, NetDistributions)
    return nets


def load_folded_hands(game: Game) -> FoldedHandCounts:
    """The number of deals that perfect play folds, by setting, side wager and hand."""
    folds: FoldedHandCounts = _load(game.document, game.analysis.folded_hands, FoldedHandCounts)
    return folds


def load_practical_costs(game: Game) -> dict[str, Any]:
    """The `StrategyCost` of the game's practical strategy as JSON, by setting."""
    costs: dict[str, Any] = _load(game.document, game.analysis.practical_costs, dict[str, Any])
    return costs


# Returns.


def returns(house: House) -> dict[str, Fraction]:
    """The expected return per unit staked: `main` per unit of one ante, then each side wager.

    Progressive meters are at their reset amounts and envy bonuses excluded. Wagers that pay dollars
    have their minimum stake.
    """
    sides = {wager: side_return(house, wager) for wager in side_wagers(house)}
    return {"main": main_return(house)} | sides


def main_return(house: House) -> Fraction:
    """The expected return per ante of the main game under perfect play.

    Runs the solver of the game if the setting is not precomputed.
    """
    known = precomputed_main_return(house)
    if known is not None:
        return known
    return 1 + Fraction(load_code(house.game.analysis.solver)(house, False).ev)


def precomputed_main_return(house: House) -> Fraction | None:
    """The expected return per ante, or None if the setting is not precomputed."""
    value = load_main_values(house.game).get(main_key(house))
    return None if value is None else 1 + Fraction(value)


def precomputed_distribution(house: House) -> dict[Fraction, Fraction] | None:
    """The probability of each net result in antes, or None if it is not precomputed."""
    counts = load_net_distributions(house.game).get(main_key(house))
    if counts is None:
        return None
    deals = sum(counts.values())
    return {Fraction(net): Fraction(count, deals) for net, count in counts.items()}


def side_return(house: House, wager: str) -> Fraction:
    """The expected return per unit staked on a side wager under perfect main play.

    An upper bound where a fold forfeits the wager and the folded hands are not precomputed: then
    the hand is assumed never to fold.
    """
    folded = precomputed_folds(house, wager) if is_forfeited_by_fold(house, wager) else None
    counts: dict[Result, int] = {}
    for facts, _, count in occurrences_with_folds(house, wager, folded):
        (result,) = house.settle(facts)
        counts[result] = counts.get(result, 0) + count
    stake = reference_stake(house, wager)
    total = sum(
        (count * amount_returned(house, result, stake) for result, count in counts.items()),
        Fraction(0),
    )
    return total / (stake * sum(counts.values()))


def side_wagers(house: House) -> list[str]:
    """The side wagers that a House offers, in the game's order."""
    return [
        wager.name
        for wager in house.game.wagers
        if wager.role in ("optional", "progressive") and house.offers(wager.name)
    ]


def amount_returned(house: House, result: Result, stake: Cents) -> Fraction:
    """The amount returned for a stake, in cents and unrounded.

    A meter is at its reset amount and its wager's stake is not returned.
    """
    if result.outcome == "lose":
        return Fraction(0)
    if result.outcome == "push":
        return Fraction(stake)
    if result.pays.unit == "percent":
        return Fraction(house.meters[result.pays.meter].reset * result.pays.win, 100)
    return stake + result.pays.winnings(stake)


def reference_stake(house: House, wager: str) -> Cents:
    """The stake at which a wager is analyzed: the progressive's fixed stake, or the minimum."""
    if wager == "progressive" and house.progressive is not None:
        return house.progressive.stake
    limits = house.limits.get(wager)
    return limits.minimum if limits else DEFAULT_STAKE


# How often the facts of a side wager occur.


def wager_basis(house: House, wager: str) -> Basis:
    """The cards that decide a side wager in this House."""
    definition = house.game.wager(wager)
    assert definition is not None and definition.judged_on is not None, f"{wager} has no basis"
    return definition.judged_on(house)


def wager_hand_counts(house: House, wager: str) -> Counts:
    """The number of deals of each hand that the facts of a side wager name.

    Royal flushes are counted by suit only if the paytable distinguishes them.
    """
    basis = wager_basis(house, wager)
    counts = basis.count() if basis.count else load_hand_counts()[basis.name]
    if any(line.hand in ROYALS for line in house.paytable(wager).lines):
        return counts
    merged: dict[str, int] = {}
    for hand, count in counts.items():
        name = ROYAL_FLUSH if hand in ROYALS else hand
        merged[name] = merged.get(name, 0) + count
    return merged


def occurrences(house: House, wager: str) -> Iterator[tuple[Facts, str, int]]:
    """The facts of a side wager, the hand they name, and the number of deals."""
    basis = wager_basis(house, wager)
    for hand, count in wager_hand_counts(house, wager).items():
        yield basis.facts(wager, hand), hand, count


def occurrences_with_folds(
    house: House, wager: str, folded: FoldedHands | None
) -> Iterator[tuple[Facts, str, int]]:
    """`occurrences`, divided into played and folded deals if the folded hands are known."""
    if folded is None:
        yield from occurrences(house, wager)
        return
    total = sum(wager_hand_counts(house, wager).values())
    assert folded.deals % total == 0, "a deal of the main game must decide the wager"
    remaining = dict(folded.counts)
    for facts, hand, count in occurrences(house, wager):
        folds = remaining.pop(hand, 0)
        yield facts, hand, count * (folded.deals // total) - folds
        yield msgspec.structs.replace(facts, folded=True), hand, folds
    # The rest are categories that no facts of this wager name ("pair"); they must never pay.
    assert all(house.line(wager, hand) is None for hand, count in remaining.items() if count)


def is_forfeited_by_fold(house: House, wager: str) -> bool:
    """Whether a fold changes the result of a side wager in this House."""
    return any(
        house.settle(facts) != house.settle(msgspec.structs.replace(facts, folded=True))
        for facts, _, _ in occurrences(house, wager)
    )


def precomputed_folds(house: House, wager: str) -> FoldedHands | None:
    """The folded hands of a side wager, or None if the setting is not precomputed."""
    folds = load_folded_hands(house.game).get(main_key(house), {}).get(fold_key(house, wager))
    if folds is None:
        return None
    counts = dict(folds)
    return FoldedHands(counts, counts.pop("deals"))


# Keys of the precomputed files.


def fold_key(house: House, wager: str) -> str:
    """The key of a side wager and its basis: "progressive/five"."""
    return f"{wager}/{wager_basis(house, wager).name}"


def main_key(house: House) -> str:
    """The key of the setting of a House; a proposal that changes the main game has its own."""
    settings = {name: setting_value(house, name) for name in house.game.analysis.main}
    if house.proposal is not None and house.proposal.changes_main_game(house.game):
        settings["proposal"] = house.digest[:12]
    return setting_key(settings)


def setting_key(settings: Mapping[str, Any]) -> str:
    """Settings as text: "blind=A", "ante_rule=own_run,center_rule=even_money"."""
    return ",".join(f"{name}={_setting_text(name, value)}" for name, value in settings.items())


def setting_value(house: House, name: str) -> Any:
    """The paytable letter of a wager, or the value of a choice."""
    return house.letters[name] if name in house.letters else getattr(house.choices, name)


def _setting_text(name: str, value: Any) -> str:
    if name == "progressive_stake":
        value = value // 100  # a submission states it in dollars
    return str(value).lower() if isinstance(value, bool) else str(value)

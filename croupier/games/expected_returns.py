"""What every wager of a House returns, exactly and at once, from kept counts.

How often each named hand comes is a constant of a deck (`data/counts.json`), and main games have
few settings that move money, so that their exact values and the hands that their best play folds
are kept too. The study room makes all of them anew, and a test compares; nothing here needs
compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import msgspec

from croupier.games.facts import Facts, Result
from croupier.games.game import Basis, Game
from croupier.games.hand_names import ROYAL_FLUSH, ROYALS
from croupier.games.house import House
from croupier.money import Cents
from croupier.rulebook import RuleDocument, package_folder

Counts: TypeAlias = Mapping[str, int]
MainValues: TypeAlias = dict[str, str]  # by setting, as text
Nets: TypeAlias = dict[str, dict[str, int]]  # by setting, then by net result as text
Folds: TypeAlias = dict[str, dict[str, dict[str, int]]]  # by setting, then by `fold_key`
DEFAULT_STAKE: Cents = 5_00  # of a wager that pays dollars, where no limit says otherwise (A20)


@cache
def kept_counts() -> dict[str, dict[str, int]]:
    """The counts that come with Croupier, by the name of their basis."""
    text = (package_folder("croupier.games") / "hand_counts.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, int]])


@cache
def precomputed(document: RuleDocument, file: str, kind: type[Any]) -> Any:
    """A file of exact values in a game's package; empty if the game names none."""
    return msgspec.json.decode(document.path(file).read_bytes(), type=kind) if file else {}


def main_values(game: Game) -> MainValues:
    """The exact values of the main game, by setting."""
    values: MainValues = precomputed(game.document, game.analysis.main_values, MainValues)
    return values


def net_distributions(game: Game) -> Nets:
    """How many deals come to each net result, by setting."""
    nets: Nets = precomputed(game.document, game.analysis.net_distributions, Nets)
    return nets


def folded_hands(game: Game) -> Folds:
    """The deals that the best play folds, by setting and wager."""
    folds: Folds = precomputed(game.document, game.analysis.folded_hands, Folds)
    return folds


def basis(house: House, wager: str) -> Basis:
    """What a wager is judged on in this House."""
    known = house.game.wager(wager)
    assert known is not None and known.judged_on is not None, f"{wager} is judged on nothing"
    return known.judged_on(house)


def named_counts(house: House, wager: str) -> Counts:
    """Counts by the names that this wager's facts carry."""
    judged = basis(house, wager)
    found = judged.count() if judged.count else kept_counts()[judged.name]
    if any(line.hand in ROYALS for line in house.paytable(wager).lines):
        return found
    merged: dict[str, int] = {}
    for hand, count in found.items():
        name = ROYAL_FLUSH if hand in ROYALS else hand
        merged[name] = merged.get(name, 0) + count
    return merged


def occurrences(house: House, wager: str) -> Iterator[tuple[Facts, str, int]]:
    """The facts of a wager, the hand as it is named, and how often they come."""
    judged = basis(house, wager)
    for hand, count in named_counts(house, wager).items():
        yield judged.facts(wager, hand), hand, count


class Folded(NamedTuple):
    """Deals that the best main play folds, by the hand a wager is judged on, out of all deals."""

    counts: Counts
    deals: int


def fold_key(house: House, wager: str) -> str:
    """A wager and what it is judged on: "progressive/five"."""
    return f"{wager}/{basis(house, wager).name}"


def kept_folds(house: House, wager: str) -> Folded | None:
    """The kept folds of a House's setting, if anybody has solved it."""
    kept = folded_hands(house.game).get(main_key(house), {}).get(fold_key(house, wager))
    if kept is None:
        return None
    counts = dict(kept)
    return Folded(counts, counts.pop("deals"))


def fold_forfeits(house: House, wager: str) -> bool:
    """Whether a fold changes what becomes of a wager here."""
    return any(
        house.settle(facts) != house.settle(msgspec.structs.replace(facts, folded=True))
        for facts, _, _ in occurrences(house, wager)
    )


def met(house: House, wager: str, folded: Folded | None) -> Iterator[tuple[Facts, str, int]]:
    """`occurrences`; where folds are known, these apart and all in deals of the main game."""
    if folded is None:
        yield from occurrences(house, wager)
        return
    total = sum(named_counts(house, wager).values())
    assert folded.deals % total == 0, "a deal of the main game decides the wager"
    left = dict(folded.counts)
    for facts, hand, count in occurrences(house, wager):
        gone = left.pop(hand, 0)
        yield facts, hand, count * (folded.deals // total) - gone
        yield msgspec.structs.replace(facts, folded=True), hand, gone
    # A category without a name of its own here, such as "pair", must be one that never pays.
    assert all(house.line(wager, hand) is None for hand, count in left.items() if count)


def stake_of(house: House, wager: str) -> Cents:
    """The stake a wager is studied at: the progressive's own, or the least that is taken."""
    if wager == "progressive" and house.progressive is not None:
        return house.progressive.stake
    limits = house.limits.get(wager)
    return limits.minimum if limits else DEFAULT_STAKE


def returned(house: House, result: Result, stake: Cents) -> Fraction:
    """Everything that comes back, in cents; a meter is at its reset amount and keeps the stake."""
    if result.outcome == "lose":
        return Fraction(0)
    if result.outcome == "push":
        return Fraction(stake)
    if result.pays.unit == "percent":
        return Fraction(house.meters[result.pays.meter].reset * result.pays.win, 100)
    return stake + result.pays.winnings(stake)


def side_return(house: House, wager: str) -> Fraction:
    """What comes back of one unit staked on a side wager under the best main play.

    Where a fold forfeits it and nobody has kept the folds, it is valued as carried to the end.
    """
    folded = kept_folds(house, wager) if fold_forfeits(house, wager) else None
    times: dict[Result, int] = {}
    for facts, _, count in met(house, wager, folded):
        (result,) = house.settle(facts)
        times[result] = times.get(result, 0) + count
    stake = stake_of(house, wager)
    back = sum((count * returned(house, result, stake) for result, count in times.items()), _ZERO)
    return back / (stake * sum(times.values()))


_ZERO = Fraction(0)


def side_wagers(house: House) -> list[str]:
    """The side wagers that a House offers, in the game's order."""
    return [
        wager.name
        for wager in house.game.wagers
        if wager.role in ("optional", "progressive") and house.offers(wager.name)
    ]


def main_return(house: House) -> Fraction:
    """What comes back of one ante under perfect play, all wagers of the main game together.

    Settings whose value nobody kept are solved, by the solver that the game names.
    """
    known = kept_main(house)
    return (
        1 + Fraction(named(house.game.analysis.solver)(house, False).ev) if known is None else known
    )


def kept_main(house: House) -> Fraction | None:
    """What comes back of one ante, if somebody has kept the value of these settings."""
    value = main_values(house.game).get(main_key(house))
    return None if value is None else 1 + Fraction(value)


def kept_shares(house: House) -> dict[Fraction, Fraction] | None:
    """How often each net result of the main game comes, in antes, if somebody has kept it."""
    counts = net_distributions(house.game).get(main_key(house))
    if counts is None:
        return None
    deals = sum(counts.values())
    return {Fraction(net): Fraction(count, deals) for net, count in counts.items()}


def returns(house: House) -> dict[str, Fraction]:
    """What comes back of one unit: `main` per unit of one ante, then every side wager offered.

    Progressives are at their reset amounts without envy, wagers that pay dollars at their least
    stake.
    """
    sides = {wager: side_return(house, wager) for wager in side_wagers(house)}
    return {"main": main_return(house)} | sides


def named(code: str) -> Any:
    """The object that "module:name" stands for."""
    module, _, name = code.partition(":")
    return getattr(import_module(module), name)


def written(name: str, value: Any) -> str:
    """A setting as a submission has it; stakes are in dollars there."""
    if name == "progressive_stake":
        value = value // 100
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={text}"


def setting_key(settings: Mapping[str, Any]) -> str:
    """Settings as one word: "blind=A", "ante_rule=own_run,center_rule=even_money"."""
    return ",".join(written(name, value) for name, value in settings.items())


def setting(house: House, name: str) -> Any:
    """The letter of a wager or the value of a choice."""
    return house.letters[name] if name in house.letters else getattr(house.choices, name)


def main_key(house: House) -> str:
    """The choices behind a House's main game, as one word; a proposal of it is one of its own."""
    settings = {name: setting(house, name) for name in house.game.analysis.main}
    if house.proposal is not None and house.proposal.moves_main(house.game):
        settings["proposal"] = house.digest[:12]
    return setting_key(settings)

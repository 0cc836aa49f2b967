"""Analyses: a House, or a whole game under every setting that moves money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.analysis import side_wagers as sides
from croupier.analysis import variants
from croupier.analysis.as_offered import values_by_ante, check_ante
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.result_cache import main_result, main_value
from croupier.analysis.results import Analysis, ValueAtAnte, MainResult
from croupier.analysis.side_wagers import JointResult, SideResult
from croupier.analysis.solvers import fold_forfeits as forfeits
from croupier.games import House, find
from croupier.games.expected_returns import fold_forfeits, named, setting_key, side_wagers
from croupier.money import Cents, dollars
from croupier.rulebook import letters

ASSUMPTIONS = (
    "one player against the house, who plays perfectly on what that player may see",
    "of options worth the same the one that risks less is taken; this moves the average wager and "
    "the deviation, never the value",
    "side wagers are judged on their own; meters are at their reset amounts, envy is told apart",
)
BY_ODDS = "payout limits are not applied and winnings are not rounded"
AS_OFFERED = (
    "as offered at an ante of {}: winnings are rounded and limited as they are paid; side wagers "
    "at their least stakes, the limit on each by itself"
)
# The main game's share of the progress bar; the rest is for wagers and antes.
MAIN_SHARE = 0.8


def side_result(house: House, wager: str, offered: bool = False) -> SideResult:
    """A side wager, exactly: folds are counted where they forfeit it or end its envy.

    Where folded boxes have no envy, that is worked out for two hands beside one board if the game
    knows how, and marked as an upper bound if not.
    """
    enviable = None
    if sides.folds_end_envy(house, wager) and house.game.analysis.envy:
        enviable = named(house.game.analysis.envy)(house)
    result = sides.analyze_side_wager(house, wager, offered=offered, enviable=enviable)
    if not result.upper_bound or not house.game.analysis.forfeits:
        return result
    folded = forfeits.folded(house, wager)
    return sides.analyze_side_wager(house, wager, folded, offered, enviable)


def joint_result(house: House, wager: str, ante: Cents | None = None) -> JointResult | None:
    """The main game and a wager that a fold forfeits, by the odds, at an ante or at the least.

    None where a fold forfeits nothing, and in games that do not work it out.
    """
    if not house.game.analysis.together or not fold_forfeits(house, wager):
        return None
    limits = house.limits.get(house.game.ante.name)
    staked = ante or (limits.minimum if limits else variants.STANDARD_STAKE)
    alone = side_result(house, wager)
    best: Fraction = named(house.game.analysis.together)(house, wager, staked)
    return JointResult(
        ante=staked, ev=best, apart=main_value(house) + alone.ev * Fraction(alone.stake, staked)
    )


def analyze(house: House, progress: Progress | None = None, ante: Cents | None = None) -> Analysis:
    """The main game and every wager of one House; with an ante in cents, as offered at it."""
    report = progress or no_progress
    if ante is not None:
        check_ante(house, ante)
    result = main_result(house, _within(report, 0, MAIN_SHARE), ante)
    offered = side_wagers(house)
    wagers = {}
    for at, wager in enumerate(offered):
        report(MAIN_SHARE + 0.1 * at / len(offered), wager)
        found = side_result(house, wager, offered=ante is not None)
        found = replace(found, together=joint_result(house, wager, ante))
        wagers[wager] = {house.paytable(wager).letter: {"": found}}
    stakes = values_by_ante(house, _within(report, 0.9, 0.1)) if ante is not None else ()
    report(1.0, "done")
    return _analysis(house, {result.setting: result}, wagers, ante, stakes)


def analyze_game(game_key: str, progress: Progress | None = None) -> Analysis:
    """Every paytable and every reading that moves money."""
    game = find(game_key)
    base = variants.standard_house(game.key)
    report = progress or no_progress
    settings = list(variants.combinations_of(game.analysis.main))
    part = MAIN_SHARE / len(settings)
    mains = {}
    for at, chosen in enumerate(settings):
        house = variants.with_settings(base, chosen)
        within = _within(report, at * part, part, setting_key(chosen))
        result = main_result(house, within)
        mains[result.setting] = result
    wagers = {}
    offered = side_wagers(base)
    for at, wager in enumerate(offered):
        report(MAIN_SHARE + (1 - MAIN_SHARE) * at / len(offered), wager)
        wagers[wager] = every_paytable(base, wager)
    report(1.0, "done")
    return _analysis(base, mains, wagers)


def _analysis(
    house: House,
    mains: Mapping[str, MainResult],
    wagers: Mapping[str, Mapping[str, Mapping[str, SideResult]]],
    ante: Cents | None = None,
    stakes: tuple[ValueAtAnte, ...] = (),
) -> Analysis:
    from croupier import __version__

    how = BY_ODDS if ante is None else AS_OFFERED.format(dollars(ante))
    return Analysis(
        game=house.game.key,
        title=house.game.title,
        edition=house.game.edition,
        version=__version__,
        digest=house.digest,
        assumptions=(*ASSUMPTIONS, how),
        mains=mains,
        wagers=wagers,
        ante=ante,
        by_ante=stakes,
    )


def _within(report: Progress, start: float, share: float, name: str = "") -> Progress:
    """Reports of a part of the work, as parts of the whole."""

    def part(done: float, what: str) -> None:
        report(start + share * done, f"{name}: {what}" if name else what)

    return part


def every_paytable(base: House, wager: str) -> dict[str, dict[str, SideResult]]:
    """A wager under all its letters, and under all readings where those matter."""
    readings = base.game.analysis.sides.get(wager, {})
    return {
        letter: {
            setting_key(chosen): side_result(
                variants.with_settings(base, {wager: letter, **chosen}), wager
            )
            for chosen in variants.combinations_of(readings)
        }
        for letter in letters(base.game.document, wager)
    }

"""House edges of one House, or of a game under every setting that changes payouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.analysis import side_wagers as sides
from croupier.analysis import variants
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.result_cache import main_result, main_value
from croupier.analysis.results import Analysis, MainResult, ValueAtAnte
from croupier.analysis.side_wagers import JointResult, SideResult
from croupier.analysis.solvers import folded_hand_counts as forfeits
from croupier.analysis.values_at_ante import check_ante, values_by_ante
from croupier.games import House, find
from croupier.games.expected_returns import is_forfeited_by_fold, setting_key, side_wagers
from croupier.games.game import load_code
from croupier.money import Cents, dollars
from croupier.rulebook import letters

ASSUMPTIONS = (
    "one player against the house, playing perfectly on the information that player may see",
    "of options with equal value the one that risks less is taken; this affects the average wager "
    "and the standard deviation, never the value",
    "side wagers and envy bonuses are valued separately; meters are at their reset amounts",
)
BY_ODDS = "payout limits are not applied and winnings are not rounded"
AS_OFFERED = (
    "as offered at an ante of {}: winnings are rounded and limited as they are paid; side wagers "
    "at their minimum stakes, with the payout limit applied to each separately"
)
# The main game's share of the progress bar; the rest is for wagers and antes.
MAIN_SHARE = 0.8


def side_result(house: House, wager: str, offered: bool = False) -> SideResult:
    """Exact value of a side wager; folds are counted where they forfeit it or end its envy.

    Where folded boxes neither give nor receive envy, the envy frequency comes from the game's own
    enumeration of two hands on one board; without one the value is marked as an upper bound.
    """
    enviable = None
    if sides.folds_end_envy(house, wager) and house.game.analysis.envy:
        enviable = load_code(house.game.analysis.envy)(house)
    result = sides.analyze_side_wager(house, wager, offered=offered, enviable=enviable)
    if not result.upper_bound or not house.game.analysis.fold_counter:
        return result
    folded = forfeits.folded(house, wager)
    return sides.analyze_side_wager(house, wager, folded, offered, enviable)


def joint_result(house: House, wager: str, ante: Cents | None = None) -> JointResult | None:
    """Optimal value of the main game plus a wager that a fold forfeits, by the odds.

    At the given ante, or at the minimum. None if a fold forfeits nothing, or if the game has no
    joint solver.
    """
    if not house.game.analysis.together or not is_forfeited_by_fold(house, wager):
        return None
    limits = house.limits.get(house.game.ante.name)
    staked = ante or (limits.minimum if limits else variants.STANDARD_STAKE)
    alone = side_result(house, wager)
    best: Fraction = load_code(house.game.analysis.together)(house, wager, staked)
    return JointResult(
        ante=staked,
        ev=best,
        separate_ev=main_value(house) + alone.ev * Fraction(alone.stake, staked),
    )


def analyze(house: House, progress: Progress | None = None, ante: Cents | None = None) -> Analysis:
    """Analyze the main game and every side wager of one House.

    With an `ante` in cents payouts are rounded and limited as offered at that ante; without one
    they follow the odds alone. `progress` is called with the completed share and what is being
    computed. Raises BadInput if the ante is outside the limits of the House.

        >>> from croupier import analyze, example
        >>> analyze(example("top_five")).main.house_edge
        Fraction(799646116, 162155248255)
    """
    report = progress or no_progress
    if ante is not None:
        check_ante(house, ante)
    result = main_result(house, _within(report, 0, MAIN_SHARE), ante)
    offered = side_wagers(house)
    wagers = {}
    for at, wager in enumerate(offered):
        report(MAIN_SHARE + 0.1 * at / len(offered), wager)
        side = side_result(house, wager, offered=ante is not None)
        side = replace(side, together=joint_result(house, wager, ante))
        wagers[wager] = {house.paytable(wager).letter: {"": side}}
    stakes = values_by_ante(house, _within(report, 0.9, 0.1)) if ante is not None else ()
    report(1.0, "done")
    return _analysis(house, {result.setting: result}, wagers, ante, stakes)


def analyze_game(game_key: str, progress: Progress | None = None) -> Analysis:
    """Analyze a game under every paytable and every reading that changes payouts.

    Raises UnknownGame.

        >>> sorted(analyze_game("top_five").wagers)
        ['poker_bonus', 'top_five_bonus']
    """
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

    payout_basis = BY_ODDS if ante is None else AS_OFFERED.format(dollars(ante))
    return Analysis(
        game=house.game.key,
        title=house.game.title,
        edition=house.game.edition,
        version=__version__,
        digest=house.digest,
        assumptions=(*ASSUMPTIONS, payout_basis),
        mains=mains,
        wagers=wagers,
        ante=ante,
        by_ante=stakes,
    )


def _within(report: Progress, start: float, share: float, name: str = "") -> Progress:
    """Map the progress of a subtask onto `share` of the whole, from `start`."""

    def report_part(done: float, what: str) -> None:
        report(start + share * done, f"{name}: {what}" if name else what)

    return report_part


def every_paytable(base: House, wager: str) -> dict[str, dict[str, SideResult]]:
    """A side wager by paytable letter, then by reading ("" where no reading matters)."""
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

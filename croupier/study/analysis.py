"""Analyses: a House, or a whole game under every setting that moves money."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.games import House, find
from croupier.games.returns import setting_key, side_wagers
from croupier.rulebook import letters
from croupier.study import forfeits, sides, solve, variants
from croupier.study.results import Analysis, MainResult
from croupier.study.sides import SideResult
from croupier.study.workers import Progress, silent

ASSUMPTIONS = (
    "one player against the house, who plays perfectly on what that player may see",
    "of options worth the same the one that risks less is taken; this moves the average wager and "
    "the deviation, never the value",
    "payout limits are not applied and winnings are not rounded",
    "side wagers are judged on their own; meters are at their reset amounts, envy is told apart",
)


def side_result(house: House, wager: str) -> SideResult:
    """A side wager, folds counted under the best main play where they forfeit it."""
    result = sides.study(house, wager)
    return (
        sides.study(house, wager, forfeits.folded(house, wager)) if result.upper_bound else result
    )


def analyze(house: House, progress: Progress | None = None) -> Analysis:
    """The main game and every wager of one House."""
    result = solve(house, progress=progress).result()
    wagers = {
        wager: {house.paytable(wager).letter: {"": side_result(house, wager)}}
        for wager in side_wagers(house)
    }
    return _analysis(house, {result.setting: result}, wagers)


def analyze_game(game_key: str, progress: Progress | None = None) -> Analysis:
    """Every paytable and every reading that moves money."""
    game = find(game_key)
    base = variants.standard(game.key)
    report = progress or silent
    settings = list(variants.combinations_of(game.study.main))
    mains = {}
    for at, chosen in enumerate(settings):
        house = variants.with_settings(base, chosen)
        within = _within(report, at, len(settings), setting_key(chosen))
        result = solve(house, progress=within).result()
        mains[result.setting] = result
    wagers = {wager: every_paytable(base, wager) for wager in side_wagers(base)}
    return _analysis(base, mains, wagers)


def _analysis(
    house: House,
    mains: Mapping[str, MainResult],
    wagers: Mapping[str, Mapping[str, Mapping[str, SideResult]]],
) -> Analysis:
    from croupier import __version__

    return Analysis(
        game=house.game.key,
        title=house.game.title,
        edition=house.game.edition,
        version=__version__,
        digest=house.digest,
        assumptions=ASSUMPTIONS,
        mains=mains,
        wagers=wagers,
    )


def _within(report: Progress, at: int, parts: int, name: str) -> Callable[[float, str], None]:
    def part(done: float, what: str) -> None:
        report((at + done) / parts, f"{name}: {what}")

    return part


def every_paytable(base: House, wager: str) -> dict[str, dict[str, SideResult]]:
    """A wager under all its letters, and under all readings where those matter."""
    readings = base.game.study.sides.get(wager, {})
    return {
        letter: {
            setting_key(chosen): side_result(
                variants.with_settings(base, {wager: letter, **chosen}), wager
            )
            for chosen in variants.combinations_of(readings)
        }
        for letter in letters(base.game.key, wager)
    }

"""Reports: a House or a whole game, as the JSON of the public contract."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from croupier.games import House, find
from croupier.games.returns import setting_key, side_wagers
from croupier.rulebook import letters
from croupier.study import forfeits, sides, solve, variants
from croupier.study.sides import SideResult
from croupier.study.solution import Solution
from croupier.study.workers import Progress, silent

Json = dict[str, Any]


def fraction_text(value: Fraction) -> str:
    """An exact fraction, or a whole number, as it is read back by `Fraction`."""
    return str(value)


def main_json(solution: Solution) -> Json:
    """A solved main game. The `ev` keeps the deals as its denominator where they fit exactly."""
    total = sum(solution.distribution.values())
    return {
        "ev": ev_text(solution.ev, solution.deals),
        "house_edge": float(solution.house_edge),
        "average_wager": float(solution.average_wager),
        "element_of_risk": float(solution.element_of_risk),
        "standard_deviation": solution.standard_deviation,
        "outcomes": {word: float(share) for word, share in solution.outcomes.items()},
        "distribution": {
            fraction_text(value): f"{count}/{total}"
            for value, count in solution.distribution.items()
        },
        "actions": {
            street: {word: float(share) for word, share in words.items()}
            for street, words in solution.actions.items()
        },
        "chart": {
            row.hand: {
                "best": row.best,
                "deals": row.deals,
                "ev": {word: float(ev) for word, ev in row.options.items()},
            }
            for row in solution.chart
        },
        "streets": [
            {
                "street": street.street,
                "situations": street.situations,
                "actions": street.actions,
                "marginal": [
                    {"hand": hand, "board": board, "gain": fraction_text(gain)}
                    for hand, board, gain in street.marginal
                ],
            }
            for street in solution.streets
        ],
    }


def ev_text(ev: Fraction, deals: int) -> str:
    """The value over the number of deals, as published tables have it."""
    scaled = ev * deals
    if scaled.denominator == 1:
        return f"{scaled.numerator}/{deals}"
    return f"{ev.numerator}/{ev.denominator}"


def side_json(result: SideResult) -> Json:
    """A side wager."""
    found: Json = {
        "ev": fraction_text(result.ev),
        "house_edge": float(-result.ev),
        "hit_frequency": float(result.hit_frequency),
        "standard_deviation": result.standard_deviation,
        "lines": [
            {
                "hand": line.hand,
                "pays": line.pays,
                "probability": fraction_text(line.probability),
                "contribution": fraction_text(line.contribution),
            }
            for line in result.lines
        ],
    }
    if result.upper_bound:
        found["upper_bound"] = "carried to the end; a fold would forfeit it"
    if result.per_cent_staked:
        found["stake"] = result.stake
        found["function_of_stake"] = {
            "fixed": fraction_text(result.fixed),
            "per_cent_staked": fraction_text(result.per_cent_staked),
            "meaning": "ev = fixed + per_cent_staked / stake in cents",
        }
    if result.meters:
        found["stake"] = result.stake
        found["meters"] = {
            name: {
                "coefficient": fraction_text(meter.coefficient),
                "reset": meter.reset,
                "break_even": None if meter.break_even is None else float(meter.break_even),
                "break_even_exact": None
                if meter.break_even is None
                else fraction_text(meter.break_even),
            }
            for name, meter in result.meters.items()
        }
    if result.envy:
        found["envy"] = {str(others): fraction_text(ev) for others, ev in result.envy.items()}
    return found


def side_result(house: House, wager: str) -> SideResult:
    """A side wager, folds counted under the best main play where they forfeit it."""
    result = sides.study(house, wager)
    return (
        sides.study(house, wager, forfeits.folded(house, wager)) if result.upper_bound else result
    )


def analyze(house: House, progress: Progress | None = None) -> Json:
    """The main game and every wager of one House."""
    solution = solve(house, progress=progress)
    return {
        "game": house.game.key,
        "main": main_json(solution),
        "wagers": {
            wager: {house.paytable(wager).letter: side_json(side_result(house, wager))}
            for wager in side_wagers(house)
        },
    }


def analyze_game(game_key: str, progress: Progress | None = None) -> Json:
    """Every paytable and every reading that moves money."""
    game = find(game_key)
    base = variants.standard(game.key)
    report = progress or silent
    settings = list(variants.combinations_of(game.study.main))
    mains: Json = {}
    for at, chosen in enumerate(settings):
        house = variants.with_settings(base, chosen)
        within = _within(report, at, len(settings), setting_key(chosen))
        mains[setting_key(chosen)] = main_json(solve(house, progress=within))
    return {
        "game": game.key,
        "main": mains if len(mains) > 1 else next(iter(mains.values())),
        "wagers": {wager: _every_paytable(base, wager) for wager in side_wagers(base)},
    }


def _within(report: Progress, at: int, parts: int, name: str) -> Callable[[float, str], None]:
    def part(done: float, what: str) -> None:
        report((at + done) / parts, f"{name}: {what}")

    return part


def _every_paytable(base: House, wager: str) -> Json:
    """A wager under all its letters, and under all readings where those matter."""
    found: Json = {}
    readings = base.game.study.sides.get(wager, {})
    for letter in letters(base.game.document, wager):
        by_reading = {
            setting_key(chosen): side_json(
                side_result(variants.with_settings(base, {wager: letter, **chosen}), wager)
            )
            for chosen in variants.combinations_of(readings)
        }
        found[letter] = by_reading if readings else by_reading[""]
    return found

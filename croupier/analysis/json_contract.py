"""JSON of `croupier analyze`; the schema is docs/schemas/analysis.schema.json.

Values are decimals with the exact fractions under "exact". Keys are only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.analysis.results import Analysis, ChartRow, MainResult
from croupier.analysis.side_wagers import MeterWorth, SideResult

Json = dict[str, Any]


def to_json(analysis: Analysis) -> Json:
    """A whole analysis; a single main result or reading is not wrapped in a map."""
    mains = {setting: main_json(result) for setting, result in analysis.mains.items()}
    document: Json = {
        "game": analysis.game,
        "edition": analysis.edition,
        "version": analysis.version,
        "digest": analysis.digest,
        "assumptions": list(analysis.assumptions),
        "main": mains if len(mains) > 1 else main_json(analysis.main),
        "wagers": {
            wager: {letter: readings_json(readings) for letter, readings in tables.items()}
            for wager, tables in analysis.wagers.items()
        },
    }
    if analysis.ante is not None:
        document["ante"] = analysis.ante
        document["by_ante"] = [
            {"ante": at.ante, "ev": str(at.ev), "house_edge": float(at.house_edge)}
            for at in analysis.by_ante
        ]
    return document


def readings_json(readings: Mapping[str, SideResult]) -> Json:
    """A wager under one paytable letter: a result, or a map by reading where those matter."""
    by_reading = {reading: side_json(result) for reading, result in readings.items()}
    return by_reading[""] if set(by_reading) == {""} else by_reading


def ev_text(ev: Fraction, deals: int) -> str:
    """The expected value over the number of deals if possible, as in published tables."""
    scaled = ev * deals
    if scaled.denominator == 1:
        return f"{scaled.numerator}/{deals}"
    return f"{ev.numerator}/{ev.denominator}"


def decimals(values: Any) -> Any:
    """Values for JSON with fractions as floats."""
    return msgspec.json.decode(msgspec.json.encode(values, enc_hook=float))


def exact(values: Any) -> Any:
    """Values for JSON with fractions as text."""
    return msgspec.json.decode(msgspec.json.encode(values, enc_hook=str))


def main_json(result: MainResult) -> Json:
    total = sum(result.distribution.values())
    figures = {
        "house_edge": result.house_edge,
        "edge_of_compulsory_wager": result.edge_of_compulsory,
        "average_wager": result.average_wager,
        "element_of_risk": result.element_of_risk,
        "outcomes": result.outcomes,
        "components": result.components,
        "actions": result.actions,
    }
    return {
        "setting": result.setting,
        "ev": ev_text(result.ev, result.deals),
        "compulsory_wager": result.compulsory,
        **decimals(figures),
        "standard_deviation": result.standard_deviation,
        "distribution": {
            str(value): f"{count}/{total}" for value, count in result.distribution.items()
        },
        "chart": {row.hand: chart_json(row) for row in result.chart},
        "streets": exact(result.streets),
        "exact": exact({**figures, "variance": result.variance}),
    }


def chart_json(row: ChartRow) -> Json:
    return {
        "best": row.best,
        "deals": row.deals,
        "ev": decimals(row.options),
        "exact": exact(row.options),
    }


def side_json(result: SideResult) -> Json:
    figures = {"house_edge": -result.ev, "hit_frequency": result.hit_frequency}
    document: Json = {
        "ev": str(result.ev),
        **decimals(figures),
        "standard_deviation": result.standard_deviation,
        "lines": exact(result.lines),
        "exact": exact({**figures, "variance": result.variance}),
    }
    if result.upper_bound:
        document["upper_bound"] = "carried to the end; a fold would forfeit it"
    if result.together:
        document["together_with_main"] = {
            "ante": result.together.ante,
            "ev": str(result.together.ev),
            "house_edge": float(-result.together.ev),
            "apart": str(result.together.separate_ev),
            "meaning": "per ante: main game and wager played for their sum; apart, the main game "
            "is played as if the wager were not there",
        }
    if result.per_cent_staked:
        document["stake"] = result.stake
        document["function_of_stake"] = {
            "fixed": str(result.fixed),
            "per_cent_staked": str(result.per_cent_staked),
            "meaning": "ev = fixed + per_cent_staked / stake in cents",
        }
    if result.meters:
        document["stake"] = result.stake
        document["meters"] = {name: meter_json(meter) for name, meter in result.meters.items()}
    if result.envy:
        document["envy"] = exact(result.envy)
    if result.envy_upper_bound:
        document["envy_upper_bound"] = (
            "folded boxes are counted; here they neither give nor receive"
        )
    return document


def meter_json(meter: MeterWorth) -> Json:
    values: Json = exact(meter)
    even = values["break_even"]
    return values | {"break_even": decimals(meter.break_even), "break_even_exact": even}

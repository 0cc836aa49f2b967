"""A session of many rounds, for people and for programs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.table import Table

from croupier.documents.console.analysis_renderer import figures

if TYPE_CHECKING:
    from croupier.analysis import SessionResult
    from croupier.games import House


def antes(value: float | Fraction) -> str:
    """A result in antes."""
    return f"{float(value):+,.2f}"


def render(title: str, found: SessionResult) -> Table:
    """A session as a table for `rich`."""
    table = figures(f"{title}, {found.rounds:,} rounds, in antes", "", "")
    table.show_header = False
    table.add_row("mean", antes(found.mean))
    table.add_row("standard deviation", f"{found.deviation:,.2f}")
    for word in ("ahead", "even", "behind"):
        table.add_row(word, f"{100 * getattr(found, word):.4f} %")
    for share, value in found.quantiles.items():
        table.add_row(f"{100 * share:g} % end at or below", antes(value))
    if found.ruin:
        table.add_row(f"ruin of {float(found.ruin.bankroll):g} antes",
                      f"{100 * found.ruin.probability:.4f} %")  # fmt: skip
        table.add_row("ruin is fewer antes left than", f"{float(found.ruin.needed):g}")
        if found.ruin.mean_round is not None:
            table.add_row("round of ruin, on average", f"{found.ruin.mean_round:.1f}")
    if found.rebate:
        table.add_row(f"with {float(100 * found.rebate.share):g} % of a loss back",
                      antes(found.rebate.after_rounds))  # fmt: skip
        table.add_row("the same, leaving when best", antes(found.rebate.best))
        table.add_row("most in an endless session", antes(found.rebate.limit))
    if found.comps is not None:
        table.add_row("comps", antes(found.comps))
    if found.match_play is not None:
        table.add_row("a match play on the ante", antes(found.match_play))
    return table


def to_json(house: House, found: SessionResult) -> dict[str, Any]:
    """A session as JSON: exact fractions as text, probabilities as numbers."""
    written: dict[str, Any] = {
        "game": house.game.key,
        "digest": house.digest,
        "rounds": found.rounds,
        "mean": {"exact": str(found.mean), "value": float(found.mean)},
        "variance": {"exact": str(found.variance), "value": float(found.variance)},
        "ahead": found.ahead,
        "even": found.even,
        "behind": found.behind,
        "quantiles": {f"{share:g}": str(value) for share, value in found.quantiles.items()},
    }
    if found.ruin:
        written["ruin"] = {
            "bankroll": str(found.ruin.bankroll),
            "needed": str(found.ruin.needed),
            "probability": found.ruin.probability,
            "mean_round": found.ruin.mean_round,
            "by_round": list(found.ruin.by_round),
        }
    if found.rebate:
        limit = found.rebate.limit
        written["rebate"] = {
            "share": str(found.rebate.share),
            "after_rounds": found.rebate.after_rounds,
            "best": found.rebate.best,
            "limit": None if limit == float("inf") else limit,
        }
    if found.comps is not None:
        written["comps"] = {"exact": str(found.comps), "value": float(found.comps)}
    if found.match_play is not None:
        written["match_play"] = {"exact": str(found.match_play), "value": float(found.match_play)}
    return written

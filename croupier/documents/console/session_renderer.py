"""Rich and JSON renderers of a playing session of many rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.documents.formatting import exact_json, figure_table, percent

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.analysis import SessionResult
    from croupier.games import House


def antes(value: float | Fraction) -> str:
    """Format a result in antes."""
    return f"{float(value):+,.2f}"


def render(title: str, session: SessionResult) -> Table:
    """A session as a Rich table."""
    table = figure_table(f"{title}, {session.rounds:,} rounds, in antes", "", "")
    table.show_header = False
    table.add_row("mean", antes(session.mean))
    table.add_row("standard deviation", f"{session.deviation:,.2f}")
    for word in ("ahead", "even", "behind"):
        table.add_row(word, percent(getattr(session, word)))
    for share, value in session.quantiles.items():
        table.add_row(f"{100 * share:g}% end at or below", antes(value))
    if session.ruin:
        bankroll = float(session.ruin.bankroll)
        table.add_row(f"ruin of {bankroll:g} antes", percent(session.ruin.probability))
        table.add_row("ruined below, antes", f"{float(session.ruin.needed):g}")
        if session.ruin.mean_round is not None:
            table.add_row("average round of ruin", f"{session.ruin.mean_round:.1f}")
    if session.rebate:
        rebate = float(100 * session.rebate.share)
        table.add_row(f"with a {rebate:g}% loss rebate", antes(session.rebate.after_rounds))
        table.add_row("with the rebate, best stopping", antes(session.rebate.best))
        table.add_row("with the rebate, unlimited rounds", antes(session.rebate.limit))
    if session.comps is not None:
        table.add_row("comps", antes(session.comps))
    if session.match_play is not None:
        table.add_row("match play on the ante", antes(session.match_play))
    return table


def to_json(house: House, session: SessionResult) -> dict[str, Any]:
    """A session as JSON: exact fractions as text, probabilities as floats."""
    data: dict[str, Any] = {
        "game": house.game.key,
        "digest": house.digest,
        "rounds": session.rounds,
        "mean": exact_json(session.mean),
        "variance": exact_json(session.variance),
        "ahead": session.ahead,
        "even": session.even,
        "behind": session.behind,
        "quantiles": {f"{share:g}": str(value) for share, value in session.quantiles.items()},
    }
    if session.ruin:
        data["ruin"] = {
            "bankroll": str(session.ruin.bankroll),
            "needed": str(session.ruin.needed),
            "probability": session.ruin.probability,
            "mean_round": session.ruin.mean_round,
            "by_round": list(session.ruin.by_round),
        }
    if session.rebate:
        limit = session.rebate.limit
        data["rebate"] = {
            "share": str(session.rebate.share),
            "after_rounds": session.rebate.after_rounds,
            "best": session.rebate.best,
            "limit": None if limit == float("inf") else limit,
        }
    if session.comps is not None:
        data["comps"] = exact_json(session.comps)
    if session.match_play is not None:
        data["match_play"] = exact_json(session.match_play)
    return data

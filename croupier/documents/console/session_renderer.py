"""Rich renderer of a playing session of many rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.documents.formatting import figure_table, percent

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.analysis import SessionResult


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
        limit = session.rebate.limit
        unlimited = "no limit" if limit is None else antes(limit)
        table.add_row("with the rebate, unlimited rounds", unlimited)
    if session.comps is not None:
        table.add_row("comps", antes(session.comps))
    if session.match_play is not None:
        table.add_row("match play on the ante", antes(session.match_play))
    return table
